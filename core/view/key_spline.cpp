#include "core/view/key_spline.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "core/view/earth_view.h"

namespace orogen {
namespace {

// Limit of the rate at a key, relative to the slower adjacent span.  Up to it a cubic is monotone if the rates at both
// keys have the sign of its span (Fritsch, Carlson).
constexpr double kSteepest = 3.0;

double size(double value) { return std::abs(value); }
double size(glm::dvec2 value) { return glm::length(value); }

// Returns the rate at a key: that of the parabola through the key and its neighbours, limited by kSteepest.  `before`,
// `after`: mean rates of the adjacent spans.
template <class Value>
Value blended(const Value& before, double beforeSeconds, const Value& after, double afterSeconds)
{
    const Value parabola = (before * afterSeconds + after * beforeSeconds) / (beforeSeconds + afterSeconds);
    const double limit = kSteepest * std::min(size(before), size(after)), found = size(parabola);
    return found > limit ? parabola * (limit / found) : parabola;
}

// Returns the rate at an end of the curve: that of the parabola through the three keys at that end, limited by
// kSteepest.
template <class Value>
Value extrapolated(const Value& first, double firstSeconds, const Value& second, double secondSeconds)
{
    const Value parabola = first + (first - second) * (firstSeconds / (firstSeconds + secondSeconds));
    const double limit = kSteepest * size(first), found = size(parabola);
    return found > limit ? parabola * (limit / found) : parabola;
}

// Weights of a cubic Hermite spline at `t` in [0, 1] of a span.
struct Weights
{
    double to, fromRate, toRate;  // the first key's weight is 1 - to, so that equal keys give exactly their value

    Weights(double t, double seconds)
        : to(t * t * (3 - 2 * t)), fromRate(seconds * t * (1 - t) * (1 - t)), toRate(seconds * t * t * (t - 1))
    {
    }
    template <class Value>
    Value operator()(const Value& a, const Value& b, const Value& rateA, const Value& rateB) const
    {
        return a + (b - a) * to + rateA * fromRate + rateB * toRate;
    }
};

glm::dvec2 across(const PathKey& key) { return {key.position.x, key.position.y}; }

}  // namespace

KeySpline::KeySpline(std::vector<PathKey> keys, double loopSeconds) : keys_(std::move(keys)), loopSeconds_(loopSeconds)
{
    assert(!keys_.empty() && keys_.front().time == 0);
    for (std::size_t i = 1; i < keys_.size(); ++i)
    {
        assert(keys_[i].time > keys_[i - 1].time);
        keys_[i].yaw = keys_[i - 1].yaw + std::remainder(keys_[i].yaw - keys_[i - 1].yaw, 360.0);
    }
    if (loops())
    {
        assert(loopSeconds_ > keys_.back().time);
        PathKey again = keys_.front();
        const double last = keys_.back().yaw;
        const double arrival = last + std::remainder(again.yaw - last, 360.0);
        again.time = loopSeconds_;
        again.yaw += 360.0 * std::round((arrival - again.yaw) / 360.0);
        keys_.push_back(again);
    }
    findRates();
}

KeySpline::Rates KeySpline::slope(const PathKey& from, const PathKey& to)
{
    const double seconds = to.time - from.time;
    return {(across(to) - across(from)) / seconds, (to.position.z - from.position.z) / seconds,
            (to.yaw - from.yaw) / seconds, (to.pitch - from.pitch) / seconds, (to.fov - from.fov) / seconds};
}

KeySpline::Rates KeySpline::rateBetween(const Rates& before, double beforeSeconds, const Rates& after,
                                        double afterSeconds)
{
    const auto blend = [&](const auto& a, const auto& b) { return blended(a, beforeSeconds, b, afterSeconds); };
    return {blend(before.across, after.across), blend(before.up, after.up), blend(before.yaw, after.yaw),
            blend(before.pitch, after.pitch), blend(before.fov, after.fov)};
}

KeySpline::Rates KeySpline::endRate(std::size_t end, std::size_t next, std::size_t afterNext) const
{
    const Rates first = slope(keys_[end], keys_[next]);
    if (keys_.size() == 2) return first;
    const Rates second = slope(keys_[next], keys_[afterNext]);
    const double firstSeconds = std::abs(keys_[next].time - keys_[end].time);
    const double secondSeconds = std::abs(keys_[afterNext].time - keys_[next].time);
    const auto extend = [&](const auto& a, const auto& b) { return extrapolated(a, firstSeconds, b, secondSeconds); };
    return {extend(first.across, second.across), extend(first.up, second.up), extend(first.yaw, second.yaw),
            extend(first.pitch, second.pitch), extend(first.fov, second.fov)};
}

void KeySpline::findRates()
{
    const std::size_t last = keys_.size() - 1;
    rates_.resize(keys_.size());
    if (last == 0) return;
    const auto seconds = [&](std::size_t i) { return keys_[i + 1].time - keys_[i].time; };
    for (std::size_t i = 1; i < last; ++i)
        rates_[i] =
            rateBetween(slope(keys_[i - 1], keys_[i]), seconds(i - 1), slope(keys_[i], keys_[i + 1]), seconds(i));
    if (loops())
    {
        rates_[0] =
            rateBetween(slope(keys_[last - 1], keys_[last]), seconds(last - 1), slope(keys_[0], keys_[1]), seconds(0));
        rates_[last] = rates_[0];
        return;
    }
    rates_[0] = endRate(0, 1, std::min<std::size_t>(2, last));
    rates_[last] = endRate(last, last - 1, last >= 2 ? last - 2 : 0);
}

double KeySpline::duration() const { return keys_.back().time; }

PathKey KeySpline::at(double seconds) const
{
    if (keys_.size() == 1) return keys_.front();
    const double time =
        loops() ? std::fmod(std::max(seconds, 0.0), loopSeconds_) : std::clamp(seconds, 0.0, keys_.back().time);
    const auto after = std::ranges::upper_bound(keys_, time, {}, &PathKey::time);
    const std::size_t i = std::min(std::size_t(after - keys_.begin()), keys_.size() - 1) - 1;
    const PathKey &a = keys_[i], &b = keys_[i + 1];
    const Rates &ra = rates_[i], &rb = rates_[i + 1];
    const double span = b.time - a.time;
    const Weights weigh((time - a.time) / span, span);

    const glm::dvec2 place = weigh(across(a), across(b), ra.across, rb.across);
    return {time,
            {place, weigh(a.position.z, b.position.z, ra.up, rb.up)},
            weigh(a.yaw, b.yaw, ra.yaw, rb.yaw),
            weigh(a.pitch, b.pitch, ra.pitch, rb.pitch),
            weigh(a.fov, b.fov, ra.fov, rb.fov)};
}

// ---- on the Earth ----

namespace {

constexpr double kMeasureScale = 100;  // metres: measureOf() is about linear below, logarithmic above
constexpr double kWidestSpan = 30 * std::numbers::pi / 180;  // largest angle between two knots, radians

// measureOf() converts a height (metres) to the measure that the curve interpolates, heightOfMeasure() converts back.
double measureOf(double height) { return std::copysign(std::log1p(std::abs(height) / kMeasureScale), height); }
double heightOfMeasure(double measure) { return std::copysign(std::expm1(std::abs(measure)) * kMeasureScale, measure); }

EarthPose poseOfKey(const PathKey& key) { return poseOf(Camera{key.position, key.yaw, key.pitch, key.fov}); }

double angleBetween(const glm::dvec3& a, const glm::dvec3& b)
{
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

// Interpolates on the great circle.  Between opposite points it chooses one of the possible great circles.
glm::dvec3 between(const glm::dvec3& a, const glm::dvec3& b, double angle, double part)
{
    if (angle < 1e-6) return glm::normalize(a + (b - a) * part);
    if (angle < std::numbers::pi - 1e-6)
        return glm::normalize(a * std::sin((1 - part) * angle) + b * std::sin(part * angle));
    const glm::dvec3 other = std::abs(a.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
    const glm::dvec3 side = glm::normalize(other - a * glm::dot(other, a));
    return a * std::cos(part * angle) + side * std::sin(part * angle);
}

}  // namespace

// Returns the keys as knots of both curves, with more knots between them: from knot to knot the normal and the heading
// each turn by at most kWidestSpan.
EarthSpline::Knots EarthSpline::knotsOf(const std::vector<PathKey>& keys, double loopSeconds)
{
    Knots knots;
    const auto add = [&](double time, const EarthPose& pose, double measure) {
        knots.place.push_back({time, pose.up, 0, pose.pitch, pose.fov});
        knots.look.push_back({time, pose.right, 0, measure, 60});
    };
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
        const bool last = i + 1 == keys.size();
        const EarthPose from = poseOfKey(keys[i]);
        add(keys[i].time, from, measureOf(from.height));
        if (last && loopSeconds <= 0) break;
        const EarthPose to = poseOfKey(keys[last ? 0 : i + 1]);
        const double ends = last ? loopSeconds : keys[i + 1].time, angle = angleBetween(from.up, to.up);
        EarthPose brought = from;
        for (const double part : {0.5, 1.0})
            brought = carried(brought, brought.up, between(from.up, to.up, angle, part));
        const double turn =
            std::atan2(-glm::dot(to.right, glm::cross(to.up, brought.right)), glm::dot(to.right, brought.right));
        const int spans = int(std::ceil(std::max({angle, std::abs(turn), kWidestSpan}) / kWidestSpan));
        EarthPose at = from;
        for (int k = 1; k < spans; ++k)
        {
            const double part = double(k) / spans, step = turn / spans;
            at = carried(at, at.up, between(from.up, to.up, angle, part));
            at.right = at.right * std::cos(step) - glm::cross(at.up, at.right) * std::sin(step);
            at.pitch = std::lerp(from.pitch, to.pitch, part);
            at.fov = std::lerp(from.fov, to.fov, part);
            add(std::lerp(keys[i].time, ends, part), at, std::lerp(measureOf(from.height), measureOf(to.height), part));
        }
    }
    return knots;
}

EarthSpline::EarthSpline(const Knots& knots, double loopSeconds)
    : place_(knots.place, loopSeconds), look_(knots.look, loopSeconds)
{
}

EarthSpline::EarthSpline(const std::vector<PathKey>& keys, double loopSeconds)
    : EarthSpline(knotsOf(keys, loopSeconds), loopSeconds)
{
}

PathKey EarthSpline::at(double seconds) const
{
    const PathKey place = place_.at(seconds), look = look_.at(seconds);
    EarthPose pose{.up = glm::normalize(place.position), .height = heightOfMeasure(look.pitch)};
    pose.right = glm::normalize(look.position - pose.up * glm::dot(look.position, pose.up));
    pose.pitch = std::clamp(place.pitch, -90.0, 90.0);
    const Camera camera = cameraOf(pose);
    return {place.time, camera.position, camera.yaw, pose.pitch, place.fov};
}

}  // namespace orogen
