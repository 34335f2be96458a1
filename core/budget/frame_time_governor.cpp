#include "core/budget/frame_time_governor.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace orogen {
namespace {

constexpr std::size_t kNewest = 7;       // newest frames, drawn at the current detail, that a decision uses
constexpr std::size_t kFewest = 3;       // frames that a decision needs
constexpr double kFarOver = 2;           // the first two frames suffice if both take this multiple of the target
constexpr std::uint64_t kFollowing = 2;  // frames after a step until the tree has converged to it
constexpr double kSpare = 0.95;          // share of the target that a frame takes at worst after a finer step
constexpr double kCoarserShare = 0.7;    // a coarser step multiplies thresholds by (time / target) to this power
constexpr double kLargestStep = 1.5;     // largest factor on the thresholds in one step
constexpr double kSmallestStep = 1.02;   // smallest factor of a step to finer thresholds
constexpr double kSlewFrames = 6;        // frames over which a step of thresholds is spread, for smooth motion

double medianOf(const std::vector<double>& sorted) { return sorted[(sorted.size() - 1) / 2]; }

// Returns the largest multiple of kScaleStep up to `percent`.
double onStep(double percent) { return kScaleStep * std::floor(percent / kScaleStep + 1e-9); }

}  // namespace

void FrameTimeGovernor::setTarget(double ms)
{
    const double target = std::isfinite(ms) && ms > 0 ? ms : 0.0;
    if (target == target_) return;
    target_ = target;
    times_.clear();
    state_ = target_ > 0 ? GovernorState::kSettling : GovernorState::kOff;
    if (target_ == 0) now_ = goal_ = whole_;
}

void FrameTimeGovernor::setRange(double scale, double finest, double coarsest)
{
    if (scale == whole_.scale && finest == finest_ && coarsest == coarsest_) return;
    if (scale != whole_.scale)
    {
        whole_.scale = scale;
        now_ = whole_;  // a new render.scale takes effect at once
    }
    finest_ = std::min(finest, 1.0);
    coarsest_ = std::max(coarsest, 1.0);
    now_.coarser = std::clamp(now_.coarser, finest_, coarsest_);
    goal_ = now_;
    forget();
}

void FrameTimeGovernor::forget()
{
    times_.clear();
    moved_ = true;
    if (target_ > 0) state_ = GovernorState::kSettling;
}

GovernedDetail FrameTimeGovernor::begin(std::uint64_t frame)
{
    const bool slews = now_.coarser != goal_.coarser;
    now_.scale = goal_.scale;
    if (slews) now_.coarser = std::clamp(goal_.coarser, now_.coarser / slew_, now_.coarser * slew_);
    if (moved_) from_ = frame;
    if (stepped_ || slews) from_ = frame + kFollowing;
    moved_ = stepped_ = false;
    return now_;
}

void FrameTimeGovernor::measured(std::uint64_t frame, double ms)
{
    if (!std::isfinite(ms) || ms <= 0 || frame < from_ || moved_) return;
    times_.push_back(ms);
    if (times_.size() > kNewest) times_.pop_front();
    if (target_ == 0) return;
    const bool farOver = times_.size() == 2 && std::ranges::min(times_) > kFarOver * target_;
    if (times_.size() < kFewest && !farOver) return;
    // Ignores single outliers.  Before a step to coarser detail at least two thirds of the newest frames must be slow.
    // Before a step to finer detail all but one must be fast.
    std::vector<double> sorted(times_.begin(), times_.end());
    std::ranges::sort(sorted);
    const double reached = medianOf(sorted);
    if (sorted[(sorted.size() - 1) / 3] > target_ * (1 + kGovernorTolerance))
    {
        state_ = stepCoarser(reached) || farOver ? GovernorState::kSettling : GovernorState::kUnreachable;
        return;
    }
    if (sorted.size() == kNewest && stepFiner(sorted[kNewest - 2])) return void(state_ = GovernorState::kSettling);
    const bool finest = now_.scale >= whole_.scale && now_.coarser <= finest_;
    const bool spare = finest && reached < target_ * (1 - kGovernorTolerance);
    state_ = spare ? GovernorState::kAtFinest : GovernorState::kHeld;
}

// Moves one step along the governor's path (see the header), to coarser detail.  Returns false at its coarse end.
bool FrameTimeGovernor::stepCoarser(double ms)
{
    GovernedDetail goal = now_;
    double excess = ms / target_;
    const auto raise = [&](double most) {
        goal.coarser = std::min(now_.coarser * std::min(std::pow(excess, kCoarserShare), kLargestStep), most);
    };
    const auto shrink = [&](double least) {
        goal.scale = std::max(onStep(std::min(now_.scale / std::sqrt(excess), now_.scale - kScaleStep / 2)), least);
        excess *= goal.scale * goal.scale / (now_.scale * now_.scale);
        return goal.scale == least && excess > 1 + kGovernorTolerance;
    };
    if (now_.coarser < 1)
        raise(1);
    else if (now_.scale > middleScale())
    {
        if (shrink(middleScale())) raise(middleCoarser());
    }
    else if (now_.coarser < middleCoarser())
        raise(middleCoarser());
    else if (now_.scale <= leastScale() || shrink(leastScale()))
        raise(coarsest_);
    if (goal == now_) return false;
    take(goal);
    return true;
}

// Moves one step back along the path, to finer detail.  Returns false at the fine end, or if the largest step that is
// sure to meet the target is too small to take.
bool FrameTimeGovernor::stepFiner(double ms)
{
    GovernedDetail goal = now_;
    const double room = std::sqrt(kSpare * target_ / ms);  // largest factor on the scale, and divisor of a threshold
    const double wanted = now_.coarser / std::min(room, kLargestStep);
    const auto larger = [&](double most) { return now_.scale * room >= most ? most : onStep(now_.scale * room); };
    if (now_.coarser > middleCoarser())
        goal.coarser = std::max(wanted, middleCoarser());
    else if (now_.scale < middleScale())
        goal.scale = larger(middleScale());
    else if (now_.coarser > 1)
        goal.coarser = std::max(wanted, 1.0);
    else if (now_.scale < whole_.scale)
        goal.scale = larger(whole_.scale);
    else
        goal.coarser = std::max(wanted, finest_);
    const bool ends = goal.coarser == middleCoarser() || goal.coarser == 1 || goal.coarser == finest_;
    const bool rises =
        goal.scale > now_.scale || goal.coarser * kSmallestStep < now_.coarser || (goal.coarser < now_.coarser && ends);
    if (!rises) return false;
    take(goal);
    return true;
}

void FrameTimeGovernor::take(const GovernedDetail& goal)
{
    slew_ = std::pow(std::max(goal.coarser / now_.coarser, now_.coarser / goal.coarser), 1 / kSlewFrames) * (1 + 1e-9);
    goal_ = goal;
    moved_ = stepped_ = true;
    times_.clear();
}

std::optional<double> FrameTimeGovernor::reachedMs() const
{
    if (times_.size() < kFewest) return std::nullopt;
    std::vector<double> sorted(times_.begin(), times_.end());
    std::ranges::sort(sorted);
    return medianOf(sorted);
}

std::optional<GovernorReport> FrameTimeGovernor::report() const
{
    if (target_ == 0) return std::nullopt;
    return GovernorReport{state_, target_, reachedMs(), whole_.scale};
}

}  // namespace orogen
