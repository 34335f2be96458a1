#include "core/view/path_recorder.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/view/earth_spline.h"

namespace orogen {

namespace {

constexpr double kLeastSeconds = 0.004;
constexpr double kStillSeconds = 0.5;
// Rounding of recorded values, well below the tolerances.
constexpr double kTicks = 10'000;     // per second
constexpr double kStepsAMetre = 100;  // per metre
constexpr double kParts = 1'000;      // per degree

double rounded(double value, double parts) { return std::round(value * parts) / parts + 0.0; }

PathKey keyOf(const Camera& camera, double time)
{
    const glm::dvec3& p = camera.position;
    return {rounded(time, kTicks),
            {rounded(p.x, kStepsAMetre), rounded(p.y, kStepsAMetre), rounded(p.z, kStepsAMetre)},
            rounded(camera.yaw, kParts),
            rounded(camera.pitch, kParts),
            rounded(camera.fov, kParts)};
}

bool sameCamera(const PathKey& a, const PathKey& b)
{
    return a.position == b.position && a.yaw == b.yaw && a.pitch == b.pitch && a.fov == b.fov;
}

}  // namespace

bool PathRecorder::add(double seconds, const Camera& camera, double heightAboveGround)
{
    if (samples_.empty()) started_ = seconds;
    const double time = seconds - started_;
    if (!samples_.empty() && time < samples_.back().key.time + kLeastSeconds) return true;
    if (time > kMostPathSeconds) return false;
    const PathKey key = keyOf(camera, time);
    const std::size_t count = samples_.size();
    const auto still = [&](std::size_t i) {
        return key.time - samples_[i].key.time < kStillSeconds && sameCamera(key, samples_[i].key);
    };
    if (count >= 2 && still(count - 1) && still(count - 2))
    {
        samples_.back().key.time = key.time;
        return true;
    }
    if (count == kMostSamples) return false;
    samples_.push_back({key, std::max(tolerance_.metres, tolerance_.relative * heightAboveGround)});
    return true;
}

PathRecorder::Curve PathRecorder::curveThrough(const std::vector<PathKey>& keys) const
{
    if (world_ == World::kEarth) return [curve = EarthSpline(keys)](double seconds) { return curve.at(seconds); };
    return [curve = KeySpline(keys)](double seconds) { return curve.at(seconds); };
}

double PathRecorder::missedBy(const Sample& sample, const Curve& curve) const
{
    const PathKey found = curve(sample.key.time);
    const auto turn = [&](double a, double b) { return std::abs(std::remainder(a - b, 360.0)) / tolerance_.degrees; };
    return std::max({glm::distance(sample.key.position, found.position) / sample.metres,
                     turn(sample.key.yaw, found.yaw), turn(sample.key.pitch, found.pitch),
                     turn(sample.key.fov, found.fov)});
}

std::optional<std::size_t> PathRecorder::worst(std::size_t from, std::size_t to, const Curve& curve) const
{
    std::optional<std::size_t> found;
    double most = 1;
    for (std::size_t i = from + 1; i < to; ++i)
        if (const double missed = missedBy(samples_[i], curve); missed > most)
        {
            most = missed;
            found = i;
        }
    return found;
}

// Starts with the ends and adds the worst sample of every span as a key until none is missed.
CameraPath PathRecorder::path(std::string name) const
{
    assert(!empty());
    CameraPath path;
    path.name = std::move(name);
    path.units = world_ == World::kEarth ? PathUnits::kEarth : PathUnits::kMetres;
    std::vector<std::size_t> chosen = {0};
    if (samples_.size() > 1) chosen.push_back(samples_.size() - 1);
    for (;;)
    {
        path.keys.clear();
        for (const std::size_t index : chosen)
            path.keys.push_back(samples_[index].key);
        const Curve curve = curveThrough(path.keys);
        std::vector<std::size_t> next = {0};
        for (std::size_t span = 1; span < chosen.size(); ++span)
        {
            if (const auto missed = worst(chosen[span - 1], chosen[span], curve)) next.push_back(*missed);
            next.push_back(chosen[span]);
        }
        if (next.size() == chosen.size()) return path;
        chosen = std::move(next);
    }
}

}  // namespace orogen
