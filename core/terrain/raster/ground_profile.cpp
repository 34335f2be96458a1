#include "core/terrain/raster/ground_profile.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace orogen {
namespace {

// Returns the slope (metres per metre) over `half` metres to either side of `at`, clamped to the raster, which reaches
// from -edge to edge.
double riseOver(double at, double half, double edge, const auto& height)
{
    const double low = std::clamp(at - half, -edge, edge), high = std::clamp(at + half, -edge, edge);
    return high > low ? (height(high) - height(low)) / (high - low) : 0.0;
}

}  // namespace

GroundPoint groundPointAt(const HeightField& field, double east, double north)
{
    const auto height = [&field](double e, double n) { return double(heightAt(field, e, n)); };
    return groundPointAt(field, {height, field.pixelWidth, field.pixelHeight}, east, north);
}

GroundPoint groundPointAt(const HeightField& field, const FinerGround& finer, double east, double north)
{
    const double width = (field.width - 1) * field.pixelWidth, height = (field.height - 1) * field.pixelHeight;
    GroundPoint point;
    point.inside = std::abs(east) <= width / 2 && std::abs(north) <= height / 2;
    const double x = std::clamp(east, -width / 2, width / 2), y = std::clamp(north, -height / 2, height / 2);
    point.height = finer.height(x, y);
    const double toEast = riseOver(x, finer.spacingEast / 2, width / 2, [&](double e) { return finer.height(e, y); });
    const double toNorth =
        riseOver(y, finer.spacingNorth / 2, height / 2, [&](double n) { return finer.height(x, n); });
    const double degrees = 180.0 / std::numbers::pi;
    point.slope = std::atan(std::hypot(toEast, toNorth)) * degrees;
    if (point.slope > 0) point.aspect = std::fmod(std::atan2(-toEast, -toNorth) * degrees + 360.0, 360.0);
    if (!field.voidMask.empty())
    {
        const auto column = std::size_t(std::lround(x / field.pixelWidth + (field.width - 1) / 2.0));
        const auto row = std::size_t(std::lround((field.height - 1) / 2.0 - y / field.pixelHeight));
        point.isVoid = field.voidMask[row * std::size_t(field.width) + column] != 0;
    }
    return point;
}

namespace {

double degreesOf(double rise, double run) { return std::atan2(rise, run) * (180.0 / std::numbers::pi); }

void count(ProfileFigures& figures, const ProfileSample& before, const ProfileSample& next)
{
    const double run = next.along - before.along, rise = next.height - before.height;
    figures.horizontal += run;
    figures.ground += std::hypot(run, rise);
    figures.rise += rise;
    (rise > 0 ? figures.climb : figures.fall) += std::abs(rise);
    figures.lowest = std::min(figures.lowest, next.height);
    figures.highest = std::max(figures.highest, next.height);
    if (run > 0) figures.steepest = std::max(figures.steepest, degreesOf(std::abs(rise), run));
}

}  // namespace

double ProfileFigures::slope() const { return horizontal > 0 ? degreesOf(rise, horizontal) : 0.0; }

ProfileLeg straightLeg(const glm::dvec3& from, const glm::dvec3& to)
{
    const glm::dvec3 begin(from.x, from.y, 0), end(to.x, to.y, 0);
    const double length = glm::distance(begin, end);
    const double azimuth = std::atan2(end.x - begin.x, end.y - begin.y) * (180.0 / std::numbers::pi);
    return {length, azimuth < 0 ? azimuth + 360 : azimuth,
            [begin, end, length](double along) { return glm::mix(begin, end, along / length); }};
}

GroundProfile::GroundProfile(std::vector<glm::dvec3> points, double spacing, const LegBetween& legBetween)
    : points_(std::move(points))
{
    double length = 0;
    for (std::size_t i = 1; i < points_.size(); ++i)
    {
        legs_.push_back(legBetween(points_[i - 1], points_[i]));
        length += legs_.back().length;
    }
    const double room = double(kMostSamples - std::min(points_.size() * 2, kMostSamples / 2));
    spacing_ = std::max(spacing, length / room);
    expected_ = points_.empty() ? 0 : 1;
    for (std::size_t leg = 0; leg < legs_.size(); ++leg)
        expected_ += stepsOf(leg);
}

std::size_t GroundProfile::stepsOf(std::size_t leg) const
{
    return std::max<std::size_t>(1, std::size_t(std::ceil(legs_[leg].length / spacing_)));
}

void GroundProfile::add(const ProfileHeightAt& heightAt, double along, const glm::dvec3& place)
{
    const ProfileHeight here = heightAt(place);
    const ProfileSample sample{along, place, here.height, here.isVoid};
    if (samples_.empty())
        figures_.lowest = figures_.highest = sample.height;
    else
        count(figures_, samples_.back(), sample);
    samples_.push_back(sample);
}

bool GroundProfile::sample(const ProfileHeightAt& heightAt, std::size_t most)
{
    if (points_.empty()) return true;
    if (samples_.empty()) add(heightAt, 0, points_.front());
    for (std::size_t i = 0; i < most && !done(); ++i)
    {
        if (step_ == 0) starts_.push_back(samples_.size() - 1);
        const ProfileLeg& leg = legs_[leg_];
        const std::size_t steps = stepsOf(leg_);
        ++step_;
        const double along = double(step_) / double(steps) * leg.length;
        add(heightAt, behind_ + along, step_ == steps ? points_[leg_ + 1] : leg.at(along));
        if (step_ < steps) continue;
        behind_ += leg.length;
        step_ = 0;
        ++leg_;
    }
    return done();
}

ProfileFigures GroundProfile::figuresFrom(std::size_t first) const
{
    ProfileFigures figures;
    if (first >= samples_.size()) return figures;
    figures.lowest = figures.highest = samples_[first].height;
    for (std::size_t i = first + 1; i < samples_.size(); ++i)
        count(figures, samples_[i - 1], samples_[i]);
    return figures;
}

std::size_t GroundProfile::lastLeg() const { return starts_.empty() ? 0 : starts_.back(); }

std::size_t GroundProfile::nearest(double along) const
{
    const auto after = std::ranges::lower_bound(samples_, along, {}, &ProfileSample::along);
    if (after == samples_.begin()) return 0;
    if (after == samples_.end()) return samples_.size() - 1;
    const auto before = std::prev(after);
    return std::size_t((along - before->along < after->along - along ? before : after) - samples_.begin());
}

std::string profileCsv(const std::vector<ProfileSample>& samples, const std::vector<ProfileColumn>& columns)
{
    std::string text = "distance_m";
    for (const ProfileColumn& column : columns)
        fmt::format_to(std::back_inserter(text), ",{}", column.name);
    text += ",height_m,void\n";
    for (const ProfileSample& sample : samples)
    {
        fmt::format_to(std::back_inserter(text), "{:.3f}", sample.along);
        for (const ProfileColumn& column : columns)
            fmt::format_to(std::back_inserter(text), ",{}", column.text(sample));
        const std::string height = sample.isVoid ? "" : fmt::format("{:.3f}", sample.height);
        fmt::format_to(std::back_inserter(text), ",{},{}\n", height, int(sample.isVoid));
    }
    return text;
}

}  // namespace orogen
