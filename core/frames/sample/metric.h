// Metric: one number per run, used to compare runs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

class Metric
{
public:
    // Parses "COLUMN.STATISTIC", "COLUMN" (its mean), or a rate ("fps_average", ...).
    static std::optional<Metric> named(std::string_view name);
    static std::vector<std::string> allNames();

    const std::string& name() const { return name_; }
    bool isRate() const { return rate_; }  // frames per second: higher is better
    bool isGpu() const;                    // based on GPU timers

    // Returns the metric's cells of the measured frames in order; empty where a frame lacks it.
    std::vector<std::optional<double>> cells(std::span<const FrameSample> run) const;

    // Computes the metric from measured cells, at least one; reorders them.  Nothing unless > 0.
    std::optional<double> of(std::vector<double>& cells) const;

private:
    enum class Statistic
    {
        kMean,
        kPercentile,
        kSlowestMean,  // mean of the slowest 1 %
    };
    std::string name_;
    int column_ = 0;
    Statistic statistic_ = Statistic::kMean;
    int perMille_ = 0;
    bool rate_ = false;
};

}  // namespace orogen
