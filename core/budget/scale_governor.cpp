#include "core/budget/scale_governor.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace orogen {
namespace {

constexpr std::size_t kNewestTimes = 7, kFewestTimes = 3;
constexpr int kLateFrames = 4;      // frames in flight, at most
constexpr double kFarthest = 1.5;   // largest factor of a side per step
constexpr double kOnTarget = 0.10;  // relative to the target: held within it
constexpr double kSpare = 0.95;     // share of the target that the next larger scale may take

double onStep(double percent) { return kScaleStep * std::floor(percent / kScaleStep + 1e-9); }

}  // namespace

void ScaleGovernor::setWhole(double percent)
{
    if (percent == whole_) return;
    whole_ = percent;
    scale_ = percent;
    forget();
}

void ScaleGovernor::forget()
{
    times_.clear();
    late_ = kLateFrames;
}

void ScaleGovernor::restore() { take(whole_); }

void ScaleGovernor::take(double scale)
{
    if (scale == scale_) return;
    scale_ = scale;
    forget();
}

bool ScaleGovernor::lower(double ms, double targetMs)
{
    if (whole_ <= kLeastScale || ms <= targetMs) return false;
    const double wanted = scale_ * std::max(std::sqrt(targetMs / ms), 1 / kFarthest);
    take(std::max(std::min(onStep(wanted), onStep(scale_ - kScaleStep / 2)), kLeastScale));
    return true;
}

std::optional<double> ScaleGovernor::reachedMs() const
{
    if (times_.size() < kFewestTimes) return std::nullopt;
    std::vector<double> sorted(times_.begin(), times_.end());
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
}

void ScaleGovernor::measured(double ms, double targetMs)
{
    if (late_ > 0)
    {
        --late_;
        return;
    }
    times_.push_back(ms);
    if (times_.size() > kNewestTimes) times_.pop_front();
    const std::optional<double> now = reachedMs();
    if (!now) return;
    if (*now > targetMs * (1 + kOnTarget))
    {
        if (!atLeast()) (void)lower(*now, targetMs);
        return;
    }
    if (*now >= targetMs * (1 - kOnTarget)) return;
    const double wanted = scale_ * std::min(std::sqrt(kSpare * targetMs / *now), kFarthest);
    const double whole = whole_ <= wanted ? whole_ : onStep(wanted);
    if (whole > scale_) take(std::min(whole, whole_));
}

}  // namespace orogen
