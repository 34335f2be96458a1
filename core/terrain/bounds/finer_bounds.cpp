#include "core/terrain/bounds/finer_bounds.h"

#include <algorithm>
#include <cstdlib>

namespace orogen {
namespace {

constexpr float kRoot2 = 1.414214f;  // rounded up

}  // namespace

FinerBounds::FinerBounds(const HeightField& field, const SurfaceLattice& lattice, int bits, int firstColumn,
                         int lastColumn)
    : firstColumn_(firstColumn - 3), lastColumn_(lastColumn + 2), cellCount_(int(leb::kDrawSide >> bits)),
      deviations_(field, lattice, bits - 1, 2 * firstColumn_, 2 * lastColumn_ + 3), kinks_(field, lattice, bits)
{
}

void FinerBounds::Window::fill(const FinerBounds& of, int first, int last)
{
    first_ = first - 3, firstColumn_ = of.firstColumn_, width_ = of.lastColumn_ - of.firstColumn_ + 1;
    kinks_.fill(of.kinks_, of.firstColumn_, of.lastColumn_, first_, last + 3);
    measure(of, last + 3);
}

void FinerBounds::Window::measure(const FinerBounds& of, int last)
{
    const int count = of.cellCount_, firstColumn = std::max(firstColumn_, 0), first = std::max(first_, 0);
    const int endColumn = std::min(firstColumn_ + width_, count), end = std::min(last + 1, count);
    heights_.fill(of.deviations_, 2 * first_ - 1, 2 * last + 3);
    cells_.assign(std::size_t(width_) * std::size_t(last - first_ + 1), Cell{});
    alongX_.assign(std::size_t(width_ + 1) * std::size_t(last - first_ + 2), 0.0f);
    alongY_.assign(alongX_.size(), 0.0f);
    for (int j = first; j <= end; ++j)
        for (int i = firstColumn; i <= endColumn; ++i)
        {
            if (i < count) alongX_[side(i, j)] = of.deviations_.alongX(heights_, 2 * i + 1, 2 * j);
            if (j < end) alongY_[side(i, j)] = of.deviations_.alongY(heights_, 2 * i, 2 * j + 1);
        }
    for (int j = first; j < end; ++j)
        for (int i = firstColumn; i < endColumn; ++i)
        {
            const float diagonal = of.deviations_.diagonal(heights_, 2 * i + 1, 2 * j + 1);
            const float largestSide =
                std::max({alongX_[side(i, j)], alongX_[side(i, j + 1)], alongY_[side(i, j)], alongY_[side(i + 1, j)]});
            const CellKinks::Bounds small = kinks_.at(i, j);
            Cell& cell = cells_[std::size_t(j - first_) * std::size_t(width_) + std::size_t(i - firstColumn_)];
            cell.beyond = small;
            cell.within = std::max({diagonal, largestSide, small.legs, small.base});
            // Triangles with half the legs have bases of half the diagonal.
            cell.shareBeyond = std::max(small.legs, 2 * small.base);
            cell.shareWithin =
                std::max({diagonal, kRoot2 * largestSide, 2 * small.legs, 2 * kRoot2 * small.base, cell.shareBeyond});
        }
}

float FinerBounds::Window::around(int i, int j) const
{
    float most = 0;
    for (int v = j - 2; v <= j + 1; ++v)
        for (int u = i - 2; u <= i + 1; ++u)
        {
            const bool touches = (u == i - 1 || u == i) && (v == j - 1 || v == j);
            const Cell& cell = at(u, v);
            most = std::max(most, touches ? cell.within : std::max(cell.beyond.legs, cell.beyond.base));
        }
    return most;
}

float FinerBounds::Window::patchAlongAxis(int i, int j) const
{
    float most = 0;
    for (int v = j - 3; v <= j + 2; ++v)
        for (int u = i - 3; u <= i + 2; ++u)
        {
            // Twice the distance between the cell's centre and the point, in units.
            const int x = std::abs(2 * (u - i) + 1), y = std::abs(2 * (v - j) + 1);
            const Cell& cell = at(u, v);
            most = std::max(most, cell.beyond.base);
            if (x + y < 6) most = std::max(most, cell.beyond.legs);
            if (x + std::abs(2 * (v - j)) < 4) most = std::max(most, alongX_[side(u, v)]);
            if (std::abs(2 * (u - i)) + y < 4) most = std::max(most, alongY_[side(u, v)]);
        }
    return most;
}

float FinerBounds::Window::patchDiagonal(int i, int j) const
{
    float most = 0;
    for (int v = j - 3; v <= j + 2; ++v)
        for (int u = i - 3; u <= i + 2; ++u)
        {
            const bool inside = u >= i - 2 && u <= i + 1 && v >= j - 2 && v <= j + 1;
            const Cell& cell = at(u, v);
            most = std::max(most, inside ? cell.within : std::max(cell.beyond.legs, cell.beyond.base));
        }
    return most;
}

float FinerBounds::Window::share(int i, int j) const
{
    float most = 0;
    for (int v = j - 1; v <= j + 2; ++v)
        for (int u = i - 1; u <= i + 2; ++u)
        {
            const bool inside = (u == i || u == i + 1) && (v == j || v == j + 1);
            most = std::max(most, inside ? at(u, v).shareWithin : at(u, v).shareBeyond);
        }
    return most;
}

}  // namespace orogen
