// Decimation of long series for charts of a few hundred columns; keeps outliers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace orogen {

// Value that holds from `begin` to `end` on the chart's axis; end >= begin >= 0.
struct Segment
{
    double begin = 0, end = 0;
    double value = 0;
};

struct Extremes
{
    double low = 0, high = 0;
};

// Divides [0, length) into equal columns and returns the smallest and largest value of the segments that touch each
// one; empty if none does.  A segment of length 0 touches one column.
std::vector<std::optional<Extremes>> columnExtremes(std::span<const Segment> segments, double length,
                                                    std::size_t columns);

// Returns the mean per column, with each segment weighted by its covered length.
std::vector<std::optional<double>> columnMeans(std::span<const Segment> segments, double length, std::size_t columns);

}  // namespace orogen
