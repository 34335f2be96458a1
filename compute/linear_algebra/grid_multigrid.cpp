#include "compute/linear_algebra/grid_multigrid.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace orogen::compute {
namespace {

constexpr std::size_t kRowsOfPiece = 16;
constexpr std::size_t kSmallestGrid = 64;  // cells: smaller levels are not coarsened
constexpr int kCoarsestSweeps = 16;        // forward and backward, on a level of kSmallestGrid cells
constexpr float kEnough = 0.25f;           // weights of a row over its identity below which a sweep solves it well

// Calls work(y) for all rows, in pieces.
template <class Work>
void forEachRow(int height, ThreadPool& pool, const Work& work)
{
    pool.forEach((std::size_t(height) + kRowsOfPiece - 1) / kRowsOfPiece, [&](std::size_t piece) {
        const int end = std::min(height, int((piece + 1) * kRowsOfPiece));
        for (int y = int(piece * kRowsOfPiece); y < end; ++y)
            work(y);
    });
}

std::size_t cellsOf(const GridLevel& level) { return std::size_t(level.width) * std::size_t(level.height); }

GridStencil coarser(const GridStencil& fine)
{
    constexpr float kScale = 0.5f;
    const GridLevel& from = fine.level;
    GridStencil coarse((from.width + 1) / 2, (from.height + 1) / 2);
    for (int y = 0; y < from.height; ++y)
        for (int x = 0; x < from.width; ++x)
        {
            const std::size_t i = from.at(x, y), to = coarse.level.at(x / 2, y / 2);
            coarse.identity[to] += fine.identity[i];
            coarse.fixed[to] += kScale * fine.fixed[i];
            if (x % 2 == 1) coarse.level.east[to] += kScale * from.east[i];
            if (y % 2 == 1) coarse.level.south[to] += kScale * from.south[i];
        }
    return coarse;
}

// Computes the diagonals; returns the largest ratio of a row's weights to its identity.
float completeDiagonals(GridStencil& stencil)
{
    GridLevel& level = stencil.level;
    float most = 0;
    for (int y = 0; y < level.height; ++y)
        for (int x = 0; x < level.width; ++x)
        {
            const std::size_t i = level.at(x, y);
            const float weights = level.east[i] + level.east[i - 1] + level.south[i] +
                                  level.south[i - std::size_t(level.width)] + stencil.fixed[i];
            if (!(stencil.identity[i] + weights > 0)) continue;
            level.diagonal[i] = stencil.identity[i] + weights;
            level.inverse[i] = 1 / level.diagonal[i];
            most = std::max(most, stencil.identity[i] > 0 ? weights / stencil.identity[i]
                                                          : std::numeric_limits<float>::infinity());
        }
    return most;
}

// Gauss-Seidel over the cells of one colour of a chessboard.
void sweep(const GridLevel& level, int colour, ThreadPool& pool)
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

void restrictResidual(const GridLevel& fine, const GridLevel& coarse, ThreadPool& pool)
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

void prolong(const GridLevel& fine, const GridLevel& coarse, ThreadPool& pool)
{
    forEachRow(fine.height, pool, [&](int y) {
        for (int x = 0; x < fine.width; ++x)
            fine.answer[fine.at(x, y)] += coarse.answer[coarse.at(x / 2, y / 2)];
    });
}

}  // namespace

GridLevel::GridLevel(int w, int h) : width(w), height(h)
{
    const std::size_t size = std::size_t(w) * std::size_t(h + 2) + 2;
    for (std::vector<float>* array : {&east, &south, &right, &answer})
        array->assign(size, 0.0f);
    diagonal.assign(size, 1.0f);
    inverse.assign(size, 1.0f);
}

GridStencil::GridStencil(int width, int height)
    : level(width, height), identity(level.east.size(), 0.0f), fixed(level.east.size(), 0.0f)
{
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> gridOf(std::string_view text)
{
    std::pair<std::uint64_t, std::uint64_t> grid;
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    const auto parse = [](std::string_view digits, std::uint64_t& value) {
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return code == std::errc() && end == digits.data() + digits.size() && value > 0;
    };
    if (!parse(text.substr(0, cross), grid.first) || !parse(text.substr(cross + 1), grid.second)) return std::nullopt;
    return grid;
}

GridStencil poissonStencil(int width, int height)
{
    GridStencil stencil(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
        {
            const std::size_t i = stencil.level.at(x, y);
            stencil.level.east[i] = x + 1 < width ? 1.0f : 0.0f;
            stencil.level.south[i] = y + 1 < height ? 1.0f : 0.0f;
            stencil.fixed[i] = float((x == 0) + (x + 1 == width) + (y == 0) + (y + 1 == height));
        }
    return stencil;
}

std::optional<GridStencil> stencilOf(const SparseMatrix& a)
{
    constexpr std::size_t kMostCells = std::numeric_limits<std::int32_t>::max();
    constexpr double kRounding = 1e-12;  // relative error of a row that should add up to 0
    if (a.size == 0 || a.size > kMostCells) return std::nullopt;
    // The farthest neighbour is one row away; a matrix without any but the nearest is one row.
    std::size_t width = 1;
    for (std::size_t i = 0; i < a.size; ++i)
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
            if (a.values[k] != 0) width = std::max<std::size_t>(width, a.columns[k] > i ? a.columns[k] - i : 0);
    if (width == 1) width = a.size;
    if (a.size % width != 0) return std::nullopt;
    GridStencil stencil(int(width), int(a.size / width));
    const GridLevel& level = stencil.level;
    for (std::size_t i = 0; i < a.size; ++i)
    {
        const int x = int(i % width), y = int(i / width);
        const std::size_t cell = level.at(x, y);
        double rest = 0, diagonal = 0;
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
        {
            const std::size_t j = a.columns[k];
            const double value = a.values[k];
            if (!std::isfinite(value)) return std::nullopt;
            rest += value;
            if (j == i)
                diagonal = value;
            else if (value == 0)
                continue;
            else if (value > 0)
                return std::nullopt;
            else if (j == i + 1 && x + 1 < level.width)
                stencil.level.east[cell] = float(-value);
            else if (j == i + width)
                stencil.level.south[cell] = float(-value);
            else if (!(j + 1 == i && x > 0) && j + width != i)
                return std::nullopt;
        }
        if (!(diagonal > 0) || rest < -kRounding * diagonal) return std::nullopt;
        // The rest of a border's row is taken for known neighbours, elsewhere for an identity.
        const bool border = x == 0 || y == 0 || x + 1 == level.width || y + 1 == level.height;
        (border ? stencil.fixed : stencil.identity)[cell] = rest > kRounding * diagonal ? float(rest) : 0.0f;
    }
    return stencil;
}

GridMultigrid::GridMultigrid(GridStencil stencil)
{
    while (completeDiagonals(stencil) >= kEnough && cellsOf(stencil.level) > kSmallestGrid)
    {
        GridStencil next = coarser(stencil);
        levels_.push_back(std::move(stencil.level));
        stencil = std::move(next);
    }
    levels_.push_back(std::move(stencil.level));
}

void GridMultigrid::cycle(std::size_t depth, ThreadPool& pool) const
{
    const GridLevel& level = levels_[depth];
    const bool coarsest = depth + 1 == levels_.size();
    const bool small = cellsOf(level) <= kSmallestGrid;
    const int sweeps = coarsest && small ? kCoarsestSweeps : 1;
    std::ranges::fill(level.answer, 0.0f);
    for (int i = 0; i < sweeps; ++i)
        sweep(level, 0, pool), sweep(level, 1, pool);
    if (!coarsest)
    {
        const GridLevel& coarse = levels_[depth + 1];
        restrictResidual(level, coarse, pool);
        cycle(depth + 1, pool);
        prolong(level, coarse, pool);
    }
    for (int i = 0; i < sweeps; ++i)
        sweep(level, 1, pool), sweep(level, 0, pool);
}

void GridMultigrid::apply(const double* r, double* z, ThreadPool& pool) const
{
    const GridLevel& level = levels_.front();
    // Scaled into the range of single precision.
    const std::size_t size = cellsOf(level);
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
