#include "core/budget/frame_time_governor.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace orogen {
namespace {

constexpr std::size_t kNewestTimes = 7, kFewestTimes = 3;
constexpr int kLateFrames = 4;      // frames in flight, at most
constexpr double kFarthest = 1.5;   // largest factor by which a side changes per step
constexpr double kOnTarget = 0.10;  // largest deviation from the target while held, relative to it
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

namespace {

constexpr std::size_t kNewest = 11;       // samples whose medians give the present cost
constexpr std::size_t kFewest = 5;        // samples before the first request
constexpr std::size_t kWindow = 72;       // samples that the slope is fitted to
constexpr std::size_t kFewestPairs = 40;  // pairs of unlike size before a slope is trusted
constexpr double kUnlike = 0.15;          // relative difference in triangles from which a pair counts as unlike
constexpr double kUnseenShare = 0.5, kLeastShare = 0.05;  // for share_: assumed while unknown; least
constexpr double kTrust = 3;          // extrapolation limit of the line, as a factor on the present triangles
constexpr double kRest = 0.02;        // relative to the target: no change within it
constexpr double kNearDamping = 1.5;  // avoids overshoot near the target if the slope is underestimated
constexpr double kFollows = 1.08;     // largest ratio of requested and drawn triangles, either way, that is following
constexpr int kStuckFrames = 24, kBesideFrames = 6, kAwayFrames = 8;  // limits of stuck_, beside_, away_
constexpr double kMoves = 0.95;   // stuck triangles moved by no more than this ratio towards the request
constexpr double kBeside = 0.08;  // largest deviation from the line, as a share of a frame's time

double median(std::vector<double>& values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

bool usable(double value) { return std::isfinite(value) && value > 0; }

constexpr std::size_t kMostHalves = 32;  // frames with only one half known, at most

}  // namespace

void FrameTimeGovernor::setTarget(double ms)
{
    const double target = usable(ms) ? ms : 0.0;
    if (target == target_) return;
    if (target_ == 0) asked_ = 0;  // unlimited before: start from the number drawn
    target_ = target;
    stuck_ = dear_ = away_ = 0;
    settled_ = false;
    if (target_ == 0)
        scale_.restore();
    else
        scale_.forget();
    state_ = target_ > 0 ? GovernorState::kSettling : GovernorState::kOff;
}

double FrameTimeGovernor::triangleTarget() const
{
    if (target_ == 0) return 0.0;
    return scale_.lowered() ? kGovernorLeast : asked_;
}

void FrameTimeGovernor::forget()
{
    samples_.clear();
    scale_.forget();
    share_ = 0;
    stuck_ = dear_ = beside_ = away_ = 0;
    settled_ = false;
    if (target_ > 0) state_ = GovernorState::kSettling;
}

void FrameTimeGovernor::measured(std::uint64_t frame, double ms, double triangles)
{
    if (!usable(ms) || !usable(triangles)) return;
    if (scale_.lowered()) return measuredScaled(ms);
    const auto place = std::ranges::upper_bound(samples_, frame, {}, &Sample::frame);
    samples_.insert(place, {frame, ms, triangles});
    if (samples_.size() > kWindow) samples_.pop_front();
    if (samples_.size() < kFewest) return;
    const Middle middle = newest();
    dropStale(middle);
    learnShare(middle);
    if (target_ == 0) return;
    ask(middle);
    judge(middle);
    if (state_ == GovernorState::kUnreachable) lowerScale(middle);
}

// Lowers the scale once detail cannot fall further: the request is at its least, or the triangles do not follow it.
void FrameTimeGovernor::lowerScale(const Middle& middle)
{
    if (asked_ > kGovernorLeast * kFollows && stuck_ < kStuckFrames) return;
    if (!scale_.lower(middle.ms, target_)) return;
    samples_.clear();
    stuck_ = dear_ = beside_ = away_ = 0;
    settled_ = false;
    state_ = GovernorState::kSettling;
}

void FrameTimeGovernor::measuredScaled(double ms)
{
    const double before = scale_.scale();
    scale_.measured(ms, target_);
    if (target_ == 0) return;
    if (!scale_.lowered()) asked_ = kGovernorLeast;  // the triangles rise from their fewest
    const std::optional<double> reached = scale_.reachedMs();
    if (scale_.scale() != before || !reached)
        state_ = GovernorState::kSettling;
    else if (*reached <= target_ * (1 + kGovernorTolerance))
        state_ = GovernorState::kHeld;  // also if faster: a larger scale would exceed the target
    else
    {
        state_ = GovernorState::kUnreachable;
        smallest_ = *reached;
    }
}

FrameTimeGovernor::Middle FrameTimeGovernor::newest() const
{
    std::vector<double> ms, triangles;
    for (std::size_t i = samples_.size() - std::min(samples_.size(), kNewest); i < samples_.size(); ++i)
    {
        ms.push_back(samples_[i].ms);
        triangles.push_back(samples_[i].triangles);
    }
    return {median(ms), median(triangles)};
}

// Drops earlier frames off the line through the newest ones, since machine load or view has changed.
void FrameTimeGovernor::dropStale(const Middle& middle)
{
    if (samples_.size() < 2 * kNewest) return;
    const double share = share_ > 0 ? share_ : kUnseenShare;
    std::vector<double> off;
    for (std::size_t i = 0; i + kNewest < samples_.size(); ++i)
    {
        const double line = middle.ms * (1 + share * (samples_[i].triangles / middle.triangles - 1));
        off.push_back((samples_[i].ms - line) / middle.ms);
    }
    beside_ = std::abs(median(off)) > kBeside ? beside_ + 1 : 0;
    if (beside_ < kBesideFrames) return;
    samples_.erase(samples_.begin(), samples_.end() - std::ptrdiff_t(kNewest));
    beside_ = 0;
}

void FrameTimeGovernor::learnShare(const Middle& middle)
{
    std::vector<double> slopes;
    for (std::size_t i = 0; i < samples_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
        {
            const double apart = samples_[i].triangles - samples_[j].triangles;
            if (std::abs(apart) < kUnlike * std::max(samples_[i].triangles, samples_[j].triangles)) continue;
            slopes.push_back((samples_[i].ms - samples_[j].ms) / apart);
        }
    if (slopes.size() < kFewestPairs) return;
    const double seen = std::clamp(median(slopes) * middle.triangles / middle.ms, kLeastShare, 1.0);
    share_ = share_ > 0 ? 0.8 * share_ + 0.2 * seen : seen;
}

void FrameTimeGovernor::ask(const Middle& middle)
{
    if (asked_ == 0) asked_ = middle.triangles;
    const double off = middle.ms / target_ - 1;
    // Once held, a few odd frames in a row do not cause a large step: a real change persists.
    away_ = std::abs(off) <= kGovernorTolerance ? 0 : away_ + 1;
    const bool near = away_ == 0 || (settled_ && away_ < kAwayFrames);
    settled_ = near && (settled_ || away_ == 0);
    if (std::abs(off) <= kRest) return;
    double share = share_ > 0 ? share_ : kUnseenShare;
    if (near) share = std::min(share * kNearDamping, 1.0);
    const double line = middle.triangles * (1 + (target_ - middle.ms) / (share * middle.ms));
    const double wanted =
        std::max(std::clamp(line, middle.triangles / kTrust, middle.triangles * kTrust), kGovernorLeast);
    const double step = 1 + (near ? kGovernorNearStep : kGovernorFarStep);
    asked_ = std::clamp(wanted, asked_ / step, asked_ * step);
}

void FrameTimeGovernor::judge(const Middle& middle)
{
    const double off = middle.ms / target_ - 1;
    if (std::abs(off) <= kGovernorTolerance)
    {
        stuck_ = dear_ = 0;
        state_ = GovernorState::kHeld;
        return;
    }
    const bool late = off > 0;
    const bool behind = late ? middle.triangles > kFollows * asked_ : kFollows * middle.triangles < asked_;
    const double moved = late ? middle.triangles / stuckAt_ : stuckAt_ / middle.triangles;
    stuck_ = behind && stuck_ > 0 && moved >= kMoves ? stuck_ + 1 : int(behind);
    if (stuck_ == 1) stuckAt_ = middle.triangles;
    const bool dear = late && share_ > 0 && lineAtLeast(middle) > target_ * (1 + kGovernorTolerance);
    dear_ = dear ? dear_ + 1 : 0;
    state_ = std::max(stuck_, dear_) < kStuckFrames ? GovernorState::kSettling
             : late                                 ? GovernorState::kUnreachable
                                                    : GovernorState::kAtFinest;
    smallest_ = 2 * stuck_ > kStuckFrames ? middle.ms : lineAtLeast(middle);
}

// Returns the predicted time of the fewest triangles.
double FrameTimeGovernor::lineAtLeast(const Middle& middle) const
{
    const double left = std::min(kGovernorLeast / middle.triangles, 1.0);
    return middle.ms * (1 - share_ * (1 - left));
}

std::optional<double> FrameTimeGovernor::reachedMs() const
{
    if (scale_.lowered()) return scale_.reachedMs();
    if (samples_.size() < kFewest) return std::nullopt;
    return newest().ms;
}

std::optional<double> FrameTimeGovernor::smallestMs() const
{
    if (state_ != GovernorState::kUnreachable) return std::nullopt;
    return smallest_;
}

std::optional<GovernorReport> FrameTimeGovernor::report() const
{
    if (target_ == 0) return std::nullopt;
    return GovernorReport{state_, target_, reachedMs(), smallestMs(), scale_.scale(), scale_.whole()};
}

void FramePairs::time(std::uint64_t frame, double ms, FrameTimeGovernor& governor)
{
    halves_[frame].ms = ms;
    give(frame, governor);
}

void FramePairs::triangles(std::uint64_t frame, double triangles, FrameTimeGovernor& governor)
{
    halves_[frame].triangles = triangles;
    give(frame, governor);
}

void FramePairs::give(std::uint64_t frame, FrameTimeGovernor& governor)
{
    const Half& half = halves_[frame];
    if (half.ms && half.triangles)
    {
        governor.measured(frame, *half.ms, *half.triangles);
        halves_.erase(frame);
    }
    while (halves_.size() > kMostHalves)
        halves_.erase(halves_.begin());
}

}  // namespace orogen
