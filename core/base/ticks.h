// Round values at which the axes of all plots are labelled, in panels and in reports.
#pragma once

#include <vector>

namespace orogen {

// Part of an axis that is shown.
struct TickRange
{
    double low = 0, high = 1;  // low < high; both above 0 if logarithmic
    bool logarithmic = false;
    bool whole = false;  // ticks at whole numbers only, also if fewer than two lie in the range; linear axes
};

// Returns 2 to `most` (>= 2) round values within the range, ascending and, from a `most` of 4 on, so far apart that
// `most` labels in a row would not overlap.  Fewer if `whole`; none if the range is empty, infinite, as short as
// rounding errors, or logarithmic and not above 0.  Linear:
// multiples of 1, 2 or 5 times a power of ten.  Logarithmic: powers of ten with multiples between them, as many as fit;
// within a decade also the values of a linear axis.
std::vector<double> ticksIn(const TickRange& range, int most);

}  // namespace orogen
