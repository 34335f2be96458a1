// Sums in floating point, for comparison with exact sums.
#pragma once

#include <span>

namespace orogen::compute {

double plainSum(std::span<const double> terms);     // one after another
double pairwiseSum(std::span<const double> terms);  // recursive halves; up to 128 terms by eight sums, as in NumPy
double kahanSum(std::span<const double> terms);     // compensated (Kahan, 1965)
// Python's math.fsum: partial sums that do not overlap (Shewchuk, 1997), rounded once.  Returns NaN if a partial sum
// overflows.  Cost: about ten times that of kahanSum().
double shewchukSum(std::span<const double> terms);

}  // namespace orogen::compute
