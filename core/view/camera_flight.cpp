#include "core/view/camera_flight.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>
#include <numbers>

#include "core/settings.h"
#include "core/view/earth_view.h"
#include "core/view/key_spline.h"
#include "core/view/navigation.h"

namespace orogen {
namespace {

constexpr double kSamplesPerSecond = 60;
constexpr double kMostSamples = 65'536;
constexpr double kClearance = 0.5;  // least height above the ground, as a share of a key's (PathUnits::kTerrain)

// Converts a yaw (degrees) for a square terrain to the yaw for a terrain stretched to sides of `side` metres.
double stretched(double yaw, glm::dvec2 side)
{
    if (side.x == side.y) return yaw;
    const double angle = yaw * (std::numbers::pi / 180.0);
    const double turned = std::atan2(std::sin(angle) * side.x, std::cos(angle) * side.y) * (180.0 / std::numbers::pi);
    return yaw + std::remainder(turned - yaw, 360.0);
}

KeySpline inMetres(const CameraPath& path, const TerrainExtent& terrain)
{
    std::vector<PathKey> keys = path.keys;
    if (path.units == PathUnits::kTerrain)
    {
        const double side = std::sqrt(terrain.size.x * terrain.size.y);
        for (PathKey& key : keys)
        {
            key.position *= glm::dvec3(terrain.size, side);
            key.yaw = stretched(key.yaw, terrain.size);
        }
    }
    return KeySpline(std::move(keys), path.loopSeconds);
}

// Samples with indices that may lie outside: in a loop they wrap around, otherwise the end values repeat.
class Neighbourhood
{
public:
    Neighbourhood(const std::vector<double>& samples, bool loops) : samples_(samples), loops_(loops) {}

    double operator[](std::ptrdiff_t i) const
    {
        const auto count = std::ptrdiff_t(samples_.size());
        return samples_[std::size_t(loops_ ? ((i % count) + count) % count
                                           : std::clamp<std::ptrdiff_t>(i, 0, count - 1))];
    }

private:
    const std::vector<double>& samples_;
    bool loops_;
};

// Returns the mean over the samples up to `reach` away.
std::vector<double> boxMean(const std::vector<double>& samples, bool loops, std::ptrdiff_t reach)
{
    const Neighbourhood at(samples, loops);
    const auto count = std::ptrdiff_t(samples.size());
    std::vector<double> sums(1, 0.0), means(samples.size());
    for (std::ptrdiff_t i = -reach; i < count + reach; ++i)
        sums.push_back(sums.back() + at[i]);
    for (std::ptrdiff_t i = 0; i < count; ++i)
        means[std::size_t(i)] = (sums[std::size_t(i + 2 * reach + 1)] - sums[std::size_t(i)]) / double(2 * reach + 1);
    return means;
}

// Smooths with two boxes in sequence, which equals a tent of radius 2 * reach.
std::vector<double> smoothed(const std::vector<double>& samples, bool loops, std::ptrdiff_t reach)
{
    return boxMean(boxMean(samples, loops, reach), loops, reach);
}

// Returns the maximum over the samples up to `reach` away.
std::vector<double> highest(const std::vector<double>& samples, bool loops, std::ptrdiff_t reach)
{
    const Neighbourhood at(samples, loops);
    const auto count = std::ptrdiff_t(samples.size());
    std::vector<double> result(samples.size());
    std::deque<std::ptrdiff_t> candidates;  // indices with decreasing values
    for (std::ptrdiff_t i = -reach; i < count + reach; ++i)
    {
        while (!candidates.empty() && at[candidates.back()] <= at[i])
            candidates.pop_back();
        candidates.push_back(i);
        if (candidates.front() < i - 2 * reach) candidates.pop_front();
        if (i >= reach) result[std::size_t(i - reach)] = at[candidates.front()];
    }
    return result;
}

double within(double value, std::string_view setting)
{
    const SettingInfo* info = findSetting(setting);
    return std::clamp(value, info->minimum, info->maximum);
}

}  // namespace

template <class Curve>
void CameraFlight::follow(Curve curve, const CameraPath& path)
{
    duration_ = curve.duration();
    loops_ = curve.loops();
    curve_ = [curve = std::move(curve)](double seconds) { return curve.at(seconds); };
    findRise(path.smoothSeconds);
}

CameraFlight::CameraFlight(const CameraPath& path, const ViewSurroundings& around)
    : aboveGround_(path.units == PathUnits::kTerrain), around_(around)
{
    if (around_.withoutLand) around_.ground = around_.withoutLand;
    if (path.units == PathUnits::kEarth)
        follow(EarthSpline(path.keys, path.loopSeconds), path);
    else
        follow(inMetres(path, around.terrain), path);
}

Camera CameraFlight::lifted(Camera camera, double rise) const
{
    if (rise != 0) camera.position += upIn(around_, camera.position) * rise;
    return keptAbove(camera, around_);
}

double CameraFlight::clearance(double up) const
{
    return aboveGround_ ? std::max(kEyeHeight, kClearance * up) : kEyeHeight;
}

void CameraFlight::findRise(double smoothSeconds)
{
    const double count = std::clamp(std::ceil(duration() * kSamplesPerSecond), 1.0, kMostSamples);
    sampleSeconds_ = duration() / count;
    const bool loops = loops_;
    const auto size = std::size_t(count) + (loops ? 0 : 1);  // a loop's last sample is its first
    std::vector<double> ground(size), missing(size);
    for (std::size_t i = 0; i < size; ++i)
    {
        const glm::dvec3 place = curve_(double(i) * sampleSeconds_).position;
        ground[i] = groundIn(around_, place);
    }
    // Half the seconds for each of the two boxes, limited by the path's duration.
    const double widest = std::min(smoothSeconds / 2, duration() / 4);
    const auto reach = sampleSeconds_ > 0 ? std::ptrdiff_t(widest / sampleSeconds_) : 0;
    rise_ = aboveGround_ ? smoothed(ground, loops, reach) : std::vector<double>(size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
    {
        const double up = heightIn(around_, curve_(double(i) * sampleSeconds_).position);
        missing[i] = std::max(0.0, ground[i] + clearance(up) - (rise_[i] + up));
    }
    // Smoothing averages maxima whose ranges all include the present sample.  So the result is at least the lift that
    // is missing there.  With one more sample of reach, it is also at least the lift missing at either neighbour.
    const std::vector<double> lift = smoothed(highest(missing, loops, 2 * reach + 1), loops, reach);
    for (std::size_t i = 0; i < size; ++i)
        rise_[i] += lift[i];
}

// Interpolates cubically between the samples, so that the rate of climb is continuous.
double CameraFlight::riseAt(double seconds) const
{
    if (sampleSeconds_ == 0) return rise_.front();
    const Neighbourhood at(rise_, loops_);
    const double sample = std::floor(seconds / sampleSeconds_), t = seconds / sampleSeconds_ - sample;
    const auto i = std::ptrdiff_t(sample);
    const double a = at[i], b = at[i + 1];
    const double rateA = 0.5 * (b - at[i - 1]), rateB = 0.5 * (at[i + 2] - a);
    return a + (b - a) * (t * t * (3 - 2 * t)) + rateA * (t * (1 - t) * (1 - t)) + rateB * (t * t * (t - 1));
}

double CameraFlight::inRound(double seconds) const
{
    assert(seconds >= 0);
    if (duration() == 0) return 0.0;
    const double time = std::fmod(seconds, duration());
    return time == 0 && seconds > 0 && !loops_ ? duration() : time;  // the end is part of the path, unless it loops
}

Camera CameraFlight::atTime(double seconds) const
{
    const double time = inRound(seconds);
    const PathKey key = curve_(time);
    const Camera camera{key.position, wrappedYaw(key.yaw), within(key.pitch, "view.pitch"),
                        within(key.fov, "view.fov")};
    return lifted(camera, riseAt(time));
}

double CameraFlight::fractionAt(double seconds) const { return duration() > 0 ? inRound(seconds) / duration() : 0.0; }

double CameraFlight::secondsAt(double fraction) const { return std::clamp(fraction, 0.0, 1.0) * duration(); }

// ---- playback ----

void PathPlayer::load(CameraFlight flight, bool fromBeginning)
{
    const double place = fromBeginning ? 0.0 : fraction();
    flight_.emplace(std::move(flight));
    moveTo(flight_->secondsAt(place));
    playing_ = playing_ && !fromBeginning;
    scrubbed_ = false;
}

void PathPlayer::play() { playing_ = flight_.has_value(); }

void PathPlayer::scrub(double fraction)
{
    if (!flight_) return;
    moveTo(flight_->secondsAt(fraction));
    playing_ = false;
    scrubbed_ = true;
}

std::optional<Camera> PathPlayer::advanced(double seconds)
{
    if (!flight_ || !(playing_ || scrubbed_)) return std::nullopt;
    scrubbed_ = false;
    if (playing_ && seconds != step_)
    {
        moveTo(this->seconds());
        step_ = seconds;
    }
    const Camera camera = flight_->atTime(this->seconds());
    steps_ += playing_;
    return camera;
}

void PathPlayer::moveTo(double seconds)
{
    origin_ = seconds;
    step_ = 0;
    steps_ = 0;
}

}  // namespace orogen
