// Statistics for comparing two sets of runs (sides), and the pairing of interleaved runs.  A run is one observation,
// because frames within a run are correlated.  A test that treats frames as independent would find differences between
// a program and itself.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/frames/report/report_json.h"

namespace orogen {

// Returns the probability that |Student's t| with `freedom` (> 0) degrees of freedom exceeds |t|.
double studentTwoSided(double t, double freedom);
// Returns the t > 0 with two-sided tail probability `probability` (in (0, 1)).
double studentQuantile(double probability, double freedom);
double normalBelow(double z);               // standard normal distribution function
double normalQuantile(double probability);  // probability in (0, 1)

struct Interval
{
    double low = 0, high = 0;
};

// Difference of the candidate's mean from the baseline's.
struct Difference
{
    double mean = 0;
    Interval interval95, interval90;
    double p = 1;       // two-sided p-value of the hypothesis of no difference
    double spread = 0;  // standard deviation of a pair's difference, or of a run if unpaired
};

// Returns the difference with Welch's interval from independent values, two or more per side (Welch 1947).
Difference welchDifference(std::span<const double> baseline, std::span<const double> candidate);

// Returns the difference by a hierarchical bootstrap from eight or more runs per side.  Runs are drawn with
// replacement; the frames of a run stay together.  Drawing frames as well would count their noise twice, since the
// spread of the runs contains that noise (Davison and Hinkley 1997, 3.8).  It would widen the intervals by a factor of
// up to 1.7.  The intervals are expanded percentiles (Hesterberg 2015, 5.4), which keep their level with few runs.
// Deterministic.
Difference bootstrapDifference(std::span<const double> baseline, std::span<const double> candidate);

// Difference between two consecutive runs, one of each side.
struct PairDifference
{
    double value = 0;  // candidate's minus the baseline's
    bool candidateFirst = false;
};

// Returns the difference with a t interval from two or more pairs taken in the order A B, B A, A B ... (A: baseline, B:
// candidate).
//
// Drift adds to the differences of A B what it subtracts from those of B A.  From kPairsForOrder pairs on, each order
// has its own mean, and the result is the mean of both (analysis of a two-period crossover: Hills and Armitage 1979).
// So drift cancels and does not count as noise.
//
// Noise that lasts from one run into the next correlates neighbouring pairs.  In this order the correlation is at most
// 0.24 for noise that fades exponentially.  The standard error assumes 1/4, so that the interval keeps its level.  With
// eight pairs the interval is 1.24 times as wide as for independent noise.
inline constexpr std::size_t kPairsForOrder = 4;
Difference pairedDifference(std::span<const PairDifference> pairs);

struct RunsWanted
{
    bool paired = false;
    double mean = 0, spread = 0;  // as in Difference, measured
    double margin = 0, significance = 0.05;
    std::size_t least = 2, most = 99;
};
// Returns the number of pairs, or runs per side, that decide with 80 % probability.  Either the interval for the
// difference at level 1 - `significance` then excludes 0, or the 90 % interval lies within +- `margin`.  At least
// `least`; nothing if `most` do not suffice.
std::optional<std::size_t> runsWanted(const RunsWanted& wanted);

// Returns the half-width of the 95 % t interval of the geometric mean, as a ratio minus 1.  Empty with fewer than two
// values.
std::optional<double> halfWidth95(std::span<const double> values);
// Returns this half-width for the ratio of two interleaved sides, from pairs of logarithms.  Empty below two pairs.
std::optional<double> halfWidth95(std::span<const PairDifference> pairs);

// Applies Holm's step-down adjustment: adjusted[i] < 0.05 keeps the probability of any false alarm below 5 %.
std::vector<double> holmAdjusted(std::span<const double> p);

// ---- pairing of runs from an interleaved capture, whose sides took turns ----

// A run with its origin.
struct RunOf
{
    const Capture* capture;
    const ReportRun* run;
    std::span<const FrameSample> rows;

    std::string name() const { return capture->folder + '/' + run->file; }
};

struct RunPair
{
    std::size_t baseline = 0, candidate = 0;  // indices of runs
    bool candidateFirst = false;
};

// Returns the pairs in the order of `baseline`.  Empty if any run's capture was not interleaved with the other side.
std::vector<RunPair> pairsOf(std::span<const RunOf> baseline, std::span<const RunOf> candidate);

}  // namespace orogen
