#include "compute/terrain_model/diffusion.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace orogen::compute {
namespace {

constexpr std::size_t kRows = 16;      // per piece of work
constexpr std::size_t kSmallest = 64;  // cells: smaller levels are not coarsened
constexpr int kCoarsestSweeps = 16;    // forward and backward, on a level of kSmallest cells
constexpr float kEnough = 0.25f;       // weights of a row over its identity below which a sweep solves it well

enum Link : std::uint8_t
{
    kWest = 1,
    kEast = 2,
    kNorth = 4,
    kSouth = 8,
    kAll = 15,
};

// Calls work(y) for all rows, in pieces.
template <class Work>
void forEachRow(int height, ThreadPool& pool, const Work& work)
{
    pool.forEach((std::size_t(height) + kRows - 1) / kRows, [&](std::size_t piece) {
        const int end = std::min(height, int((piece + 1) * kRows));
        for (int y = int(piece * kRows); y < end; ++y)
            work(y);
    });
}

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

}  // namespace

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
        plainRows_[std::size_t(y)] =
            grid.width > 2 && std::all_of(row + 1, row + grid.width - 1, [](std::uint8_t at) { return at == kAll; });
    }
}

// Computes t L x, plus x if kIdentity.
template <bool kIdentity>
void DiffusionOperator::product(const double* x, double* y, ThreadPool& pool) const
{
    const double wx = grid_.alongX, wy = grid_.alongY;
    const std::ptrdiff_t width = grid_.width;
    forEachRow(grid_.height, pool, [&](int r) {
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

DiffusionMultigrid::Level::Level(int w, int h) : width(w), height(h)
{
    const std::size_t size = std::size_t(w) * std::size_t(h + 2) + 2;
    for (std::vector<float>* array : {&east, &south, &right, &answer})
        array->assign(size, 0.0f);
    diagonal.assign(size, 1.0f);
    inverse.assign(size, 1.0f);
}

DiffusionMultigrid::Level DiffusionMultigrid::finest(const DiffusionGrid& grid, Parts& parts)
{
    Level level(grid.width, grid.height);
    parts.identity.assign(level.east.size(), 0.0f);
    parts.fixed.assign(level.east.size(), 0.0f);
    for (int y = 0; y < grid.height; ++y)
        for (int x = 0; x < grid.width; ++x)
        {
            const std::uint8_t links = linksOf(grid, x, y);
            const std::size_t i = level.at(x, y);
            const std::ptrdiff_t cell = std::ptrdiff_t(y) * grid.width + x;
            if (grid.kinds[std::size_t(cell)] != CellKind::kFree) continue;
            parts.identity[i] = 1;
            const auto fixed = [&](std::ptrdiff_t to) {
                return grid.kinds[std::size_t(cell + to)] == CellKind::kFixed;
            };
            const auto wx = float(grid.alongX), wy = float(grid.alongY);
            if (links & kWest && fixed(-1)) parts.fixed[i] += wx;
            if (links & kNorth && fixed(-grid.width)) parts.fixed[i] += wy;
            if (links & kEast) (fixed(1) ? parts.fixed[i] : level.east[i]) += wx;
            if (links & kSouth) (fixed(grid.width) ? parts.fixed[i] : level.south[i]) += wy;
        }
    return level;
}

DiffusionMultigrid::Level DiffusionMultigrid::coarser(const Level& fine, Parts& parts)
{
    constexpr float kScale = 0.5f;
    Level level((fine.width + 1) / 2, (fine.height + 1) / 2);
    Parts sums = {std::vector<float>(level.east.size()), std::vector<float>(level.east.size())};
    for (int y = 0; y < fine.height; ++y)
        for (int x = 0; x < fine.width; ++x)
        {
            const std::size_t from = fine.at(x, y), to = level.at(x / 2, y / 2);
            sums.identity[to] += parts.identity[from];
            sums.fixed[to] += kScale * parts.fixed[from];
            if (x % 2 == 1) level.east[to] += kScale * fine.east[from];
            if (y % 2 == 1) level.south[to] += kScale * fine.south[from];
        }
    parts = std::move(sums);
    return level;
}

DiffusionMultigrid::DiffusionMultigrid(const DiffusionGrid& grid)
{
    Parts parts;
    levels_.push_back(finest(grid, parts));
    for (;;)
    {
        Level& level = levels_.back();
        float most = 0;
        for (int y = 0; y < level.height; ++y)
            for (int x = 0; x < level.width; ++x)
            {
                const std::size_t i = level.at(x, y);
                if (parts.identity[i] == 0) continue;
                const float weights = level.east[i] + level.east[i - 1] + level.south[i] +
                                      level.south[i - std::size_t(level.width)] + parts.fixed[i];
                level.diagonal[i] = parts.identity[i] + weights;
                level.inverse[i] = 1 / level.diagonal[i];
                most = std::max(most, weights / parts.identity[i]);
            }
        if (most < kEnough || std::size_t(level.width) * std::size_t(level.height) <= kSmallest) return;
        levels_.push_back(coarser(level, parts));
    }
}

// Gauss-Seidel over the cells of one colour of a chessboard.
void DiffusionMultigrid::sweep(const Level& level, int colour, ThreadPool& pool)
{
    const auto width = std::size_t(level.width);
    const float *east = level.east.data(), *south = level.south.data(), *right = level.right.data();
    float* z = level.answer.data();
    forEachRow(level.height, pool, [&](int y) {
        const std::size_t end = level.at(0, y) + width;
        for (std::size_t i = level.at((y + colour) & 1, y); i < end; i += 2)
            z[i] = (right[i] + (east[i] * z[i + 1] + east[i - 1] * z[i - 1]) +
                    (south[i] * z[i + width] + south[i - width] * z[i - width])) *
                   level.inverse[i];
    });
}

void DiffusionMultigrid::restrictResidual(const Level& fine, const Level& coarse, ThreadPool& pool)
{
    const auto width = std::size_t(fine.width);
    const float *east = fine.east.data(), *south = fine.south.data(), *z = fine.answer.data();
    forEachRow(coarse.height, pool, [&](int row) {
        for (int column = 0; column < coarse.width; ++column)
        {
            float sum = 0;
            for (int y = 2 * row; y < std::min(2 * row + 2, fine.height); ++y)
                for (int x = 2 * column; x < std::min(2 * column + 2, fine.width); ++x)
                {
                    const std::size_t i = fine.at(x, y);
                    sum += fine.right[i] - fine.diagonal[i] * z[i] +
                           ((east[i] * z[i + 1] + east[i - 1] * z[i - 1]) +
                            (south[i] * z[i + width] + south[i - width] * z[i - width]));
                }
            coarse.right[coarse.at(column, row)] = sum;
        }
    });
}

void DiffusionMultigrid::prolong(const Level& fine, const Level& coarse, ThreadPool& pool)
{
    forEachRow(fine.height, pool, [&](int y) {
        for (int x = 0; x < fine.width; ++x)
            fine.answer[fine.at(x, y)] += coarse.answer[coarse.at(x / 2, y / 2)];
    });
}

void DiffusionMultigrid::cycle(std::size_t depth, ThreadPool& pool) const
{
    const Level& level = levels_[depth];
    const bool coarsest = depth + 1 == levels_.size();
    const bool small = std::size_t(level.width) * std::size_t(level.height) <= kSmallest;
    const int sweeps = coarsest && small ? kCoarsestSweeps : 1;
    std::ranges::fill(level.answer, 0.0f);
    for (int i = 0; i < sweeps; ++i)
        sweep(level, 0, pool), sweep(level, 1, pool);
    if (!coarsest)
    {
        const Level& coarse = levels_[depth + 1];
        restrictResidual(level, coarse, pool);
        cycle(depth + 1, pool);
        prolong(level, coarse, pool);
    }
    for (int i = 0; i < sweeps; ++i)
        sweep(level, 1, pool), sweep(level, 0, pool);
}

void DiffusionMultigrid::apply(const double* r, double* z, ThreadPool& pool) const
{
    const Level& level = levels_.front();
    // Scaled into the range of single precision.
    const std::size_t size = std::size_t(level.width) * std::size_t(level.height);
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i)
        largest = std::max(largest, std::abs(r[i]));
    if (!(largest > 0)) return void(std::fill_n(z, size, 0.0));
    const auto width = std::size_t(level.width);
    forEachRow(level.height, pool, [&](int y) {
        for (std::size_t x = 0; x < width; ++x)
            level.right[level.at(int(x), y)] = float(r[std::size_t(y) * width + x] / largest);
    });
    cycle(0, pool);
    forEachRow(level.height, pool, [&](int y) {
        for (std::size_t x = 0; x < width; ++x)
            z[std::size_t(y) * width + x] = double(level.answer[level.at(int(x), y)]) * largest;
    });
}

}  // namespace orogen::compute
