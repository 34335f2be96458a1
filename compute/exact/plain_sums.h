// Sums in floating point, for comparison with exact ones.
#pragma once

#include <span>

namespace orogen::compute {

double plainSum(std::span<const double> terms);     // one after another
double pairwiseSum(std::span<const double> terms);  // halves, down to 128 terms in eight sums, as NumPy does
double kahanSum(std::span<const double> terms);     // compensated (Kahan, 1965)
// Python's math.fsum: partial sums that do not overlap (Shewchuk, 1997), rounded once.  NaN where a partial sum
// overflows.  Cost: about ten times that of kahanSum().
double shewchukSum(std::span<const double> terms);

}  // namespace orogen::compute
