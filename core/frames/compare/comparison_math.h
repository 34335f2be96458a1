// The arithmetic of comparing two sides of runs.  A run is one observation: frames within it depend on each other, and
// a test that took them for independent would find differences between a program and itself.
#pragma once

#include <cstddef>
#include <optional>
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
    double p = 1;       // two-sided, of no difference
    double spread = 0;  // standard deviation of one pair's difference; without pairs, of one run
};

// Welch's interval from independent values, two or more a side (Welch 1947).
Difference welchDifference(std::span<const double> baseline, std::span<const double> candidate);

// Hierarchical bootstrap from eight or more runs a side: runs are drawn with replacement, and the frames of a run stay
// together.  Drawing frames within the drawn runs as well would count their noise again, which the spread of the runs
// already holds: intervals came out up to 1.7 times as wide (Davison and Hinkley 1997, 3.8).  The intervals are
// expanded percentiles (Hesterberg 2015, 5.4), which hold their level with few runs too.  The same input gives the same
// output.
Difference bootstrapDifference(std::span<const double> baseline, std::span<const double> candidate);

// Two runs one after the other, one of each side.
struct PairDifference
{
    double value = 0;  // the candidate's above the baseline's
    bool candidateFirst = false;
};

// A t interval from pairs that were taken A B, B A, A B ...; two pairs or more.
//
// What drifts through the pairs alike adds to the differences of A B what it takes from those of B A.  From
// kPairsForOrder pairs on each order has a mean of its own, and the result is the mean of both (the analysis of a
// two-period crossover: Hills and Armitage 1979): drift cancels and does not count as noise.
//
// Noise that lasts from a run into the next makes neighbouring pairs alike.  For noise whose memory fades
// exponentially, fast or slowly, they correlate by 0.24 at most in this order; the standard error is that of 1/4, so
// that the interval keeps its level.  It is 1.25 times as wide as for independent noise with eight pairs.
inline constexpr std::size_t kPairsForOrder = 4;
Difference pairedDifference(std::span<const PairDifference> pairs);

// How many pairs, or runs a side, decide with a chance of four in five: the interval of `significance` excludes no
// difference, or the 90 % interval lies within +- `margin`.  At least `least`; empty: not even `most` do.
struct RunsWanted
{
    bool paired = false;
    double mean = 0, spread = 0;  // as they were found
    double margin = 0, significance = 0.05;
    std::size_t least = 2, most = 99;
};
std::optional<std::size_t> runsWanted(const RunsWanted& wanted);

// Holm's step-down adjustment: adjusted[i] < 0.05 keeps the chance of any false alarm among all below 5 %.
std::vector<double> holmAdjusted(std::span<const double> p);

}  // namespace orogen
