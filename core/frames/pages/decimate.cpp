#include "core/frames/pages/decimate.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace orogen {
namespace {

// Calls visit(column, covered length of the column) for each column that the segment touches.
template <class Visit>
void forEachColumn(const Segment& segment, double length, std::size_t columns, Visit visit)
{
    assert(length > 0 && columns > 0 && segment.begin >= 0 && segment.end >= segment.begin);
    const double scale = double(columns) / length;
    const double begin = std::min(segment.begin * scale, double(columns));
    const double end = std::min(segment.end * scale, double(columns));
    const std::size_t first = std::min(std::size_t(begin), columns - 1);
    const std::size_t last = std::max(first, std::min(std::size_t(std::ceil(end)), columns) - (end > 0 ? 1 : 0));
    for (std::size_t column = first; column <= last; ++column)
        visit(column, std::min(end, double(column + 1)) - std::max(begin, double(column)));
}

}  // namespace

std::vector<std::optional<Extremes>> columnExtremes(std::span<const Segment> segments, double length,
                                                    std::size_t columns)
{
    std::vector<std::optional<Extremes>> result(columns);
    for (const Segment& segment : segments)
        forEachColumn(segment, length, columns, [&](std::size_t column, double) {
            std::optional<Extremes>& extremes = result[column];
            if (!extremes) extremes = {segment.value, segment.value};
            extremes->low = std::min(extremes->low, segment.value);
            extremes->high = std::max(extremes->high, segment.value);
        });
    return result;
}

std::vector<std::optional<double>> columnMeans(std::span<const Segment> segments, double length, std::size_t columns)
{
    std::vector<double> sum(columns), weight(columns);
    for (const Segment& segment : segments)
        forEachColumn(segment, length, columns, [&](std::size_t column, double part) {
            sum[column] += segment.value * part;
            weight[column] += part;
        });
    std::vector<std::optional<double>> means(columns);
    for (std::size_t i = 0; i < columns; ++i)
        if (weight[i] > 0) means[i] = sum[i] / weight[i];
    return means;
}

}  // namespace orogen
