// Long series for charts of a few hundred columns: nothing that stands out is lost.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace orogen {

// A value that holds from `begin` to `end` on the chart's axis; end >= begin >= 0.
struct Segment
{
    double begin = 0, end = 0;
    double value = 0;
};

struct Extremes
{
    double low = 0, high = 0;
};

// Of [0, length) in equal columns: the smallest and the largest value of the segments that touch each column; empty
// where none does.  A segment without length touches one column.
std::vector<std::optional<Extremes>> columnExtremes(std::span<const Segment> segments, double length,
                                                    std::size_t columns);

// The same with the mean, each segment weighted by how much of the column it covers.
std::vector<std::optional<double>> columnMeans(std::span<const Segment> segments, double length, std::size_t columns);

}  // namespace orogen
