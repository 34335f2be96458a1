#include "compute/terrain_model/diffusion.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace orogen::compute {

std::uint8_t linksOf(const DiffusionGrid& grid, int x, int y)
{
    const auto inside = [&](int u, int v) {
        return u >= 0 && v >= 0 && u < grid.width && v < grid.height &&
               grid.kinds[std::size_t(v) * std::size_t(grid.width) + std::size_t(u)] != CellKind::kOutside;
    };
    if (grid.kinds[std::size_t(y) * std::size_t(grid.width) + std::size_t(x)] != CellKind::kFree) return 0;
    return std::uint8_t((inside(x - 1, y) ? kWest : 0) | (inside(x + 1, y) ? kEast : 0) |
                        (inside(x, y - 1) ? kNorth : 0) | (inside(x, y + 1) ? kSouth : 0));
}

// ---- the matrix ----

DiffusionOperator::DiffusionOperator(const DiffusionGrid& grid)
    : grid_(grid), links_(grid.kinds.size()), plainRows_(std::size_t(grid.height))
{
    assert(grid.kinds.size() == std::size_t(grid.width) * std::size_t(grid.height));
    for (int y = 0; y < grid.height; ++y)
    {
        std::uint8_t* const row = links_.data() + std::size_t(y) * std::size_t(grid.width);
        for (int x = 0; x < grid.width; ++x)
            row[x] = linksOf(grid, x, y);
        plainRows_[std::size_t(y)] = grid.width > 2 && std::all_of(row + 1, row + grid.width - 1,
                                                                   [](std::uint8_t at) { return at == kAllLinks; });
    }
}

// Computes t L x, plus x if kIdentity.
template <bool kIdentity>
void DiffusionOperator::product(const double* x, double* y, ThreadPool& pool) const
{
    const double wx = grid_.alongX, wy = grid_.alongY;
    const std::ptrdiff_t width = grid_.width;
    forEachRow(pool, grid_.height, [&](int r) {
        const std::ptrdiff_t first = r * width;
        const auto general = [&](std::ptrdiff_t i) {
            const std::uint8_t links = links_[std::size_t(i)];
            double sum = 0;
            if (links & kWest) sum += wx * (x[i] - x[i - 1]);
            if (links & kEast) sum += wx * (x[i] - x[i + 1]);
            if (links & kNorth) sum += wy * (x[i] - x[i - width]);
            if (links & kSouth) sum += wy * (x[i] - x[i + width]);
            y[i] = kIdentity ? x[i] + sum : sum;
        };
        if (!plainRows_[std::size_t(r)])
        {
            for (std::ptrdiff_t i = first; i < first + width; ++i)
                general(i);
            return;
        }
        general(first), general(first + width - 1);
        for (std::ptrdiff_t i = first + 1; i < first + width - 1; ++i)
        {
            const double sum =
                wx * ((x[i] - x[i - 1]) + (x[i] - x[i + 1])) + wy * ((x[i] - x[i - width]) + (x[i] - x[i + width]));
            y[i] = kIdentity ? x[i] + sum : sum;
        }
    });
}

void DiffusionOperator::apply(const double* x, double* y, ThreadPool& pool) const { product<true>(x, y, pool); }
void DiffusionOperator::laplacian(const double* h, double* out, ThreadPool& pool) const
{
    product<false>(h, out, pool);
}

void DiffusionOperator::diagonal(double* d) const
{
    for (std::size_t i = 0; i < links_.size(); ++i)
    {
        const std::uint8_t links = links_[i];
        d[i] = 1 + grid_.alongX * (((links & kWest) != 0) + ((links & kEast) != 0)) +
               grid_.alongY * (((links & kNorth) != 0) + ((links & kSouth) != 0));
    }
}

double DiffusionOperator::fluxToFixed(const double* h) const
{
    double sum = 0;
    const std::ptrdiff_t width = grid_.width;
    const struct
    {
        Link link;
        std::ptrdiff_t to;
        double weight;
    } ways[] = {{kWest, -1, grid_.alongX},
                {kEast, 1, grid_.alongX},
                {kNorth, -width, grid_.alongY},
                {kSouth, width, grid_.alongY}};
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(links_.size()); ++i)
        for (const auto& way : ways)
            if ((links_[std::size_t(i)] & way.link) && grid_.kinds[std::size_t(i + way.to)] == CellKind::kFixed)
                sum += way.weight * (h[i] - h[i + way.to]);
    return sum;
}

// ---- multigrid ----

GridStencil stencilOf(const DiffusionGrid& grid)
{
    GridStencil stencil(grid.width, grid.height);
    for (int y = 0; y < grid.height; ++y)
        for (int x = 0; x < grid.width; ++x)
        {
            const std::uint8_t links = linksOf(grid, x, y);
            const std::size_t i = stencil.level.at(x, y);
            const std::ptrdiff_t cell = std::ptrdiff_t(y) * grid.width + x;
            if (grid.kinds[std::size_t(cell)] != CellKind::kFree) continue;
            stencil.identity[i] = 1;
            const auto fixed = [&](std::ptrdiff_t to) {
                return grid.kinds[std::size_t(cell + to)] == CellKind::kFixed;
            };
            const auto wx = float(grid.alongX), wy = float(grid.alongY);
            if (links & kWest && fixed(-1)) stencil.fixed[i] += wx;
            if (links & kNorth && fixed(-grid.width)) stencil.fixed[i] += wy;
            if (links & kEast) (fixed(1) ? stencil.fixed[i] : stencil.level.east[i]) += wx;
            if (links & kSouth) (fixed(grid.width) ? stencil.fixed[i] : stencil.level.south[i]) += wy;
        }
    return stencil;
}

// ---- parts ----

LinkedParts::LinkedParts(const DiffusionGrid& grid) : parts_(grid.kinds.size(), kNoPart)
{
    const auto width = std::size_t(grid.width);
    std::vector<std::uint32_t> waiting;  // cells of the part whose neighbours have not been visited
    const auto visit = [&](std::size_t cell) {
        if (parts_[cell] != kNoPart) return;
        parts_[cell] = count_;
        waiting.push_back(std::uint32_t(cell));
    };
    for (std::size_t first = 0; first < parts_.size(); ++first)
    {
        assert(grid.kinds[first] != CellKind::kFixed);
        if (grid.kinds[first] != CellKind::kFree || parts_[first] != kNoPart) continue;
        visit(first);
        while (!waiting.empty())
        {
            const std::size_t cell = waiting.back();
            waiting.pop_back();
            const std::uint8_t links = linksOf(grid, int(cell % width), int(cell / width));
            if (links & kWest) visit(cell - 1);
            if (links & kEast) visit(cell + 1);
            if (links & kNorth) visit(cell - width);
            if (links & kSouth) visit(cell + width);
        }
        ++count_;
    }
}

void LinkedParts::removeMeans(std::span<double> x) const
{
    // Kahan summation: over many cells, the rounding error of a plain sum could exceed the means to remove.
    std::vector<double> sums(count_), gained(count_), cells(count_);
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        const std::uint32_t part = parts_[i];
        if (part == kNoPart) continue;
        const double term = x[i] - gained[part], sum = sums[part] + term;
        gained[part] = (sum - sums[part]) - term;
        sums[part] = sum;
        ++cells[part];
    }
    for (std::uint32_t part = 0; part < count_; ++part)
        sums[part] /= cells[part];
    for (std::size_t i = 0; i < x.size(); ++i)
        if (const std::uint32_t part = parts_[i]; part != kNoPart) x[i] -= sums[part];
}

}  // namespace orogen::compute
