#include "app/bench/harness/gpu_measurement.h"

#include <algorithm>
#include <cmath>

namespace orogen::app {

GpuMeasurement::GpuMeasurement(std::vector<GpuContender> contenders, GpuMeasurementOptions options)
    : contenders_(std::move(contenders)), options_(options), series_(contenders_.size()), done_(contenders_.empty())
{
}

bool GpuMeasurement::step(double milliseconds)
{
    const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double, std::milli>(milliseconds));
    do
    {
        if (done_) return true;
        runSlices(std::chrono::duration<double, std::milli>(end - Clock::now()).count());
    } while (Clock::now() < end);
    return done_;
}

void GpuMeasurement::finish()
{
    while (!step(1e6))
        ;
}

// As many as are likely to fit, of this turn: waiting after each would be measured with them.
void GpuMeasurement::runSlices(double milliseconds)
{
    const GpuSlices& slices = contenders_[contender_].slices;
    const double left =
        double(slices.size() - slice_) + double(series_[contender_].times - repeat_ - 1) * double(slices.size());
    double fit = sliceMs_ > 0 ? std::clamp(milliseconds / sliceMs_, 1.0, left) : 1.0;
    glFinish();
    const Clock::time_point begin = Clock::now();
    int ran = 0;
    for (; fit >= 1; fit -= 1, ++ran)
    {
        slices[slice_]();
        if (++slice_ < slices.size()) continue;
        slice_ = 0;
        ++repeat_;
    }
    glFinish();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    sliceMs_ = ms / ran;
    turnMs_ += ms;
    if (repeat_ == series_[contender_].times) endTurn();
}

void GpuMeasurement::endTurn()
{
    Series& series = series_[contender_];
    const int uses = contenders_[contender_].uses;
    if (round_ < 0)
        series.times = std::max(1, int(std::ceil(options_.batchMs / std::max(turnMs_, 1e-6))));
    else
        series.turns.push_back(turnMs_ / (double(series.times) * uses));
    spentMs_ += turnMs_;
    turnMs_ = sliceMs_ = 0;
    repeat_ = 0;
    if (++contender_ < contenders_.size()) return;
    contender_ = 0;
    ++round_;
    done_ = round_ >= options_.rounds || (round_ >= 1 && spentMs_ > 1000 * options_.seconds);
    if (!done_) return;
    for (std::size_t i = 0; i < contenders_.size(); ++i)
    {
        if (!contenders_[i].check) continue;
        series_[i].checked = true;
        series_[i].equal = contenders_[i].check();
    }
}

double GpuMeasurement::fraction() const
{
    if (done_ || contenders_.empty()) return 1;
    const double rounds = options_.rounds + 1;
    return (round_ + 1 + double(contender_) / double(contenders_.size())) / rounds;
}

std::vector<lab::Timing> GpuMeasurement::timings() const
{
    std::vector<lab::Timing> timings;
    for (const Series& series : series_)
    {
        std::vector<double> sorted = series.turns;
        std::ranges::sort(sorted);
        lab::Timing timing{.rounds = int(sorted.size()), .checked = series.checked, .equal = series.equal};
        if (!sorted.empty())
        {
            timing.minimumMs = sorted.front();
            timing.medianMs = sorted[sorted.size() / 2];
        }
        timings.push_back(timing);
    }
    return timings;
}

}  // namespace orogen::app
