// The arithmetic of comparing two sides of runs.  A run is one observation: frames within it depend on each other, and
// a test that took them for independent would find differences between a program and itself.
#pragma once

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

// Hierarchical bootstrap from eight or more runs a side: runs are drawn with replacement, and the frames of a run stay
// together.  Drawing frames within the drawn runs as well would count their noise again, which the spread of the runs
// already holds: intervals came out up to 1.7 times as wide (Davison and Hinkley 1997, 3.8).  The intervals are
// expanded percentiles (Hesterberg 2015, 5.4), which hold their level with few runs too.  The same input gives the same
// output.
Difference bootstrapDifference(std::span<const double> baseline, std::span<const double> candidate);

// Holm's step-down adjustment: adjusted[i] < 0.05 keeps the chance of any false alarm among all below 5 %.
std::vector<double> holmAdjusted(std::span<const double> p);

}  // namespace orogen
