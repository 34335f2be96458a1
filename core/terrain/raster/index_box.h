// A box of samples, cells or entries of a grid.
#pragma once

#include <algorithm>

namespace orogen {

// Columns and rows, half-open.
struct IndexBox
{
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    bool empty() const { return x0 >= x1 || y0 >= y1; }
    bool operator==(const IndexBox&) const = default;
};

// Returns the smallest box around two boxes. An empty box does not count.
inline IndexBox joined(const IndexBox& a, const IndexBox& b)
{
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

// Returns the part of a box inside width x height.
inline IndexBox clipped(const IndexBox& box, int width, int height)
{
    return {std::max(box.x0, 0), std::max(box.y0, 0), std::min(box.x1, width), std::min(box.y1, height)};
}

// Returns the box with `by` more on each side.
inline IndexBox widened(const IndexBox& box, int by) { return {box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by}; }

}  // namespace orogen
