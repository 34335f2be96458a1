#include "app/bench/harness/interleaved_trials.h"

#include <algorithm>
#include <cmath>

#include "core/base/clock.h"

namespace orogen::app::bench {

double medianOf(std::vector<double> values)
{
    if (values.empty()) return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

Timing timingOf(std::vector<double> milliseconds)
{
    if (milliseconds.empty()) return {};
    Timing timing;
    timing.rounds = int(milliseconds.size());
    timing.minimumMs = std::ranges::min(milliseconds);
    timing.medianMs = medianOf(std::move(milliseconds));
    return timing;
}

namespace {

double timeOf(const Repeatable& body, std::int64_t times)
{
    const Clock::time_point start = Clock::now();
    body(times);
    return millisecondsSince(start);
}

}  // namespace

InterleavedTrials::InterleavedTrials(std::vector<Contender> contenders, TrialOptions options)
    : contenders_(std::move(contenders)), options_(std::move(options)), series_(contenders_.size()),
      done_(contenders_.empty())
{
}

bool InterleavedTrials::step(double milliseconds)
{
    const Clock::time_point start = Clock::now();
    do
        if (!done_) runSection(milliseconds - millisecondsSince(start));
    while (!done_ && millisecondsSince(start) < milliseconds);
    return done_;
}

void InterleavedTrials::runSection(double milliseconds)
{
    const Contender& contender = contenders_[contender_];
    if (!prepared_ && contender.prepare)
    {
        contender.prepare();
        if (stops()) return;
    }
    prepared_ = true;
    const bool complete =
        std::visit([&](const auto& section) { return run(section, milliseconds); }, contender.section);
    if (!stops() && complete) endSection();
}

// Times the section. In the first round, finds its number of repetitions first.
bool InterleavedTrials::run(const Repeatable& body, double)
{
    Series& series = series_[contender_];
    if (round_ == 0 && options_.batchMs > 0) series.times = batchOf(body);
    sectionMs_ = timeOf(body, series.times);
    return true;
}

// Returns the number of repetitions that take about `batchMs`. Grows batches until their time can be extrapolated.
std::int64_t InterleavedTrials::batchOf(const Repeatable& body)
{
    const double wanted = options_.batchMs;
    for (std::int64_t times = 1;;)
    {
        const double took = timeOf(body, times);
        if (stops()) return 1;
        if (took >= wanted / 2) return std::max<std::int64_t>(1, std::int64_t(double(times) * wanted / took));
        times = took > wanted / 1000 ? std::int64_t(std::ceil(double(times) * wanted / took)) : 10 * times;
    }
}

// Runs as many slices as are likely to fit into `milliseconds`. Does not wait for the device between them, since the
// waits would be part of the measured time.
bool InterleavedTrials::run(const Slices& slices, double milliseconds)
{
    Series& series = series_[contender_];
    const double left = double(slices.size()) * double(series.times - repetition_) - double(slice_);
    const double fit = sliceMs_ > 0 ? std::clamp(milliseconds / sliceMs_, 1.0, left) : 1.0;
    if (options_.synchronise) options_.synchronise();
    const Clock::time_point start = Clock::now();
    int ran = 0;
    for (; ran + 1 <= fit; ++ran)
    {
        slices[slice_]();
        if (++slice_ < slices.size()) continue;
        slice_ = 0;
        ++repetition_;
    }
    if (options_.synchronise) options_.synchronise();
    const double took = millisecondsSince(start);
    sliceMs_ = took / ran;
    sectionMs_ += took;
    if (repetition_ < series.times) return false;
    if (round_ == 0 && isWarmUp() && options_.batchMs > 0)
        series.times =
            std::max<std::int64_t>(1, std::llround(std::ceil(options_.batchMs / std::max(sectionMs_, 1e-6))));
    return true;
}

bool InterleavedTrials::run(const SelfTimed& measure, double)
{
    const Result<double> took = measure();
    if (took)
        sectionMs_ = *took;
    else
        error_ = took.error();
    return true;
}

bool InterleavedTrials::stops()
{
    if (!error_ && options_.shouldStop && options_.shouldStop()) error_ = Error{ExitCode::kInterrupted, "stopped"};
    done_ = done_ || error_;
    return bool(error_);
}

void InterleavedTrials::check(const std::function<bool()>& holds, Series& series)
{
    if (!holds || error_) return;
    series.checked = true;
    series.equal = holds() && series.equal;
    stops();
}

void InterleavedTrials::endSection()
{
    const Contender& contender = contenders_[contender_];
    Series& series = series_[contender_];
    if (!isWarmUp())
    {
        series.milliseconds.push_back(sectionMs_ / (double(series.times) * contender.uses));
        series.totalMs += sectionMs_;
        spentMs_ += sectionMs_;
    }
    prepared_ = false;
    repetition_ = 0;
    sectionMs_ = sliceMs_ = 0;
    check(contender.check, series);
    if (++contender_ == contenders_.size()) endRound();
}

void InterleavedTrials::endRound()
{
    contender_ = 0;
    ++round_;
    const int counted = round_ - options_.warmUpRounds;
    const bool enough =
        counted >= options_.mostRounds || (counted >= options_.leastRounds && spentMs_ >= 1000 * options_.seconds);
    if (!enough) return;
    done_ = true;
    for (std::size_t i = 0; i < contenders_.size(); ++i)
        check(contenders_[i].finalCheck, series_[i]);
}

double InterleavedTrials::fraction() const
{
    if (done_) return 1;
    const double rounds = options_.mostRounds + options_.warmUpRounds;
    return (round_ + double(contender_) / double(contenders_.size())) / rounds;
}

Result<std::vector<Timing>> InterleavedTrials::timings() const
{
    if (error_) return *error_;
    std::vector<Timing> timings;
    for (const Series& series : series_)
    {
        timings.push_back(timingOf(series.milliseconds));
        timings.back().totalMs = series.totalMs;
        timings.back().checked = series.checked;
        timings.back().equal = series.equal;
    }
    return timings;
}

Result<std::vector<Timing>> timeInterleaved(std::vector<Contender> contenders, const TrialOptions& options)
{
    constexpr double kStepMs = 50;  // interval at which a section of slices checks for a stop
    InterleavedTrials trials(std::move(contenders), options);
    while (!trials.step(kStepMs))
        ;
    return trials.timings();
}

}  // namespace orogen::app::bench
