// The arithmetic of comparing two sides of runs.  A run is one observation: frames within it depend on each other, and
// a test that took them for independent would find differences between a program and itself.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace orogen {

// Probability that Student's t with `freedom` (> 0) degrees of freedom lies beyond ±|t|.
double studentTwoSided(double t, double freedom);
// The t > 0 beyond which, to both sides, lies `probability` (in (0, 1)).
double studentQuantile(double probability, double freedom);
double normalBelow(double z);
double normalQuantile(double probability);  // in (0, 1)

struct Interval
{
    double low = 0, high = 0;
};

// How much a mean of the candidate's values lies above that of the baseline's.
struct Difference
{
    double mean = 0;
    Interval interval95, interval90;
    double p = 1;  // two-sided, of no difference
};

// Welch's interval from independent values, two or more a side (Welch 1947).
Difference welchDifference(std::span<const double> baseline, std::span<const double> candidate);

// A value of each run from a choice of its frames, the same choice for all runs: resample[i] is a frame's position.
using RunValues = std::function<std::vector<double>(std::span<const std::uint32_t> resample)>;

// Hierarchical bootstrap: runs are drawn within each side; frames are drawn in blocks, the same ones for all runs,
// which fly the same path.  The intervals are expanded percentiles (Hesterberg 2015, 5.4), which hold their level with
// few runs too.  The same input gives the same output.  `values` gives the baseline's runs, then the candidate's;
// `observed` is what it gives for the frames as they are.
struct BootstrapInput
{
    std::size_t baselineRuns = 0, candidateRuns = 0;  // two or more each
    std::size_t frames = 0;                           // of every run
    std::vector<double> observed;
    RunValues values;
};
Difference bootstrapDifference(const BootstrapInput& input);

// Holm's step-down adjustment: adjusted[i] < 0.05 keeps the chance of any false alarm among all below 5 %.
std::vector<double> holmAdjusted(std::span<const double> p);

}  // namespace orogen
