#include "compute/linear_algebra/grid_multigrid.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "compute/linear_algebra/cg_recurrences.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kSmallestGrid = 64;  // cells; a level of at most this many is not coarsened
constexpr int kCoarsestSweeps = 16;        // forward and backward, on a level of at most kSmallestGrid cells
// Ratio of a cell's weights to its identity (both: grid_multigrid.h) below which one sweep solves the cell well.
constexpr float kEnough = 0.25f;

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

// Sets GridLevel::rows: finds the rows whose inner cells have equal weights and diagonals.
void findPlainRows(GridLevel& level)
{
    const auto width = std::size_t(level.width);
    level.rows.resize(std::size_t(level.height));
    for (int y = 0; y < level.height && level.width > 2; ++y)
    {
        const std::size_t first = level.at(1, y), end = level.at(level.width - 1, y);
        const auto equal = [&](const std::vector<float>& values, std::size_t from, std::size_t to) {
            return std::all_of(values.begin() + std::ptrdiff_t(from), values.begin() + std::ptrdiff_t(to),
                               [&](float value) { return value == values[from]; });
        };
        level.rows[std::size_t(y)] = {.isPlain = equal(level.east, first - 1, end) && equal(level.south, first, end) &&
                                                 equal(level.south, first - width, end - width) &&
                                                 equal(level.diagonal, first, end),
                                      .across = level.east[first],
                                      .above = level.south[first - width],
                                      .below = level.south[first],
                                      .diagonal = level.diagonal[first],
                                      .inverse = level.inverse[first]};
    }
}

// Computes the diagonals; returns the largest ratio of a cell's weights to its identity.
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
    findPlainRows(level);
    return most;
}

constexpr std::size_t kCellsAtOnce = 256;  // cells of a plain row whose values stay in registers and the nearest cache

// Calls work(i, count) for pieces of the inner cells of a row: `count` cells from array index i on.
template <class Work>
void forEachPiece(const GridLevel& level, int y, const Work& work)
{
    const std::size_t end = level.at(level.width - 1, y);
    for (std::size_t i = level.at(1, y); i < end; i += kCellsAtOnce)
        work(i, std::min(kCellsAtOnce, end - i));
}

// Makes a Gauss-Seidel sweep over the cells of one colour (0 or 1) of a chessboard.
void sweep(const GridLevel& level, int colour, ThreadPool& pool)
{
    const auto width = std::size_t(level.width);
    const float *east = level.east.data(), *south = level.south.data(), *right = level.right.data();
    float* z = level.answer.data();
    forEachRow(pool, level.height, [&](int y) {
        const std::size_t start = level.at(0, y), end = start + width;
        const std::size_t odd = std::size_t(y + colour) & 1;
        const GridLevel::Row row = level.rows[std::size_t(y)];
        // In memory the ends of this row lie beside those of the rows above and below, which may have the same colour
        // and which another thread may write: they are not read.
        const auto general = [&](std::size_t i) {
            const float before = i > start ? z[i - 1] : 0.0f, after = i + 1 < end ? z[i + 1] : 0.0f;
            z[i] = (right[i] + (east[i] * after + east[i - 1] * before) +
                    (south[i] * z[i + width] + south[i - width] * z[i - width])) *
                   level.inverse[i];
        };
        if (!row.isPlain)
        {
            for (std::size_t i = start + odd; i < end; i += 2)
                general(i);
            return;
        }
        if (odd == 0) general(start);
        // Computes the cells of both colours and keeps those of one, which is faster than computing every other cell.
        // One thread sweeps a band of kRowsInBand rows.  In the band's first and last row, computing both colours would
        // read cells of this colour beyond the band, which another thread may write.
        const bool alone = y % kRowsInBand == 0 || y % kRowsInBand == kRowsInBand - 1;
        forEachPiece(level, y, [&](std::size_t i, std::size_t count) {
            const float *here = z + i, *above = here - width, *below = here + width, *given = right + i;
            const auto plain = [&](std::size_t k) {
                return (given[k] + (row.across * here[k + 1] + row.across * here[k - 1]) +
                        (row.below * below[k] + row.above * above[k])) *
                       row.inverse;
            };
            const std::size_t first = (i - start + odd) & 1;
            if (alone)
            {
                for (std::size_t k = first; k < count; k += 2)
                    z[i + k] = plain(k);
                return;
            }
            float next[kCellsAtOnce];
            for (std::size_t k = 0; k < count; ++k)
                next[k] = plain(k);
            for (std::size_t k = first; k < count; k += 2)
                z[i + k] = next[k];
        });
        if (((width - 1) & 1) == odd) general(end - 1);
    });
}

// Makes the first sweep, over the cells of one colour and from a solution of 0.  Sets the other cells to 0.
void startSweep(const GridLevel& level, int colour, ThreadPool& pool)
{
    const auto width = std::size_t(level.width);
    forEachRow(pool, level.height, [&](int y) {
        const std::size_t start = level.at(0, y), odd = std::size_t(y + colour) & 1;
        for (std::size_t x = 0; x < width; ++x)
            level.answer[start + x] = (x & 1) == odd ? level.right[start + x] * level.inverse[start + x] : 0.0f;
    });
}

// Computes the residual of the cells of a row.
void residualOfRow(const GridLevel& level, int y, float* residual)
{
    const auto width = std::size_t(level.width);
    const float *east = level.east.data(), *south = level.south.data(), *z = level.answer.data();
    const std::size_t start = level.at(0, y);
    const auto general = [&](std::size_t i) {
        residual[i - start] = level.right[i] - level.diagonal[i] * z[i] +
                              ((east[i] * z[i + 1] + east[i - 1] * z[i - 1]) +
                               (south[i] * z[i + width] + south[i - width] * z[i - width]));
    };
    const GridLevel::Row& row = level.rows[std::size_t(y)];
    if (!row.isPlain)
    {
        for (std::size_t i = start; i < start + width; ++i)
            general(i);
        return;
    }
    general(start);
    general(start + width - 1);
    forEachPiece(level, y, [&](std::size_t i, std::size_t count) {
        const float *here = z + i, *above = here - width, *below = here + width, *given = level.right.data() + i;
        float* const to = residual + (i - start);
        for (std::size_t k = 0; k < count; ++k)
            to[k] =
                given[k] - row.diagonal * here[k] +
                ((row.across * here[k + 1] + row.across * here[k - 1]) + (row.below * below[k] + row.above * above[k]));
    });
}

void restrictResidual(const GridLevel& fine, const GridLevel& coarse, ThreadPool& pool)
{
    const auto width = std::size_t(fine.width);
    forEachRow(pool, coarse.height, [&](int row) {
        std::vector<float> upper(width + 1), lower(width + 1);  // one more, for a last block of one column
        residualOfRow(fine, 2 * row, upper.data());
        if (2 * row + 1 < fine.height) residualOfRow(fine, 2 * row + 1, lower.data());
        float* const to = coarse.right.data() + coarse.at(0, row);
        for (std::size_t x = 0; x < std::size_t(coarse.width); ++x)
            to[x] = ((upper[2 * x] + upper[2 * x + 1]) + lower[2 * x]) + lower[2 * x + 1];
    });
}

void prolong(const GridLevel& fine, const GridLevel& coarse, ThreadPool& pool)
{
    forEachRow(pool, fine.height, [&](int y) {
        float* const to = fine.answer.data() + fine.at(0, y);
        const float* const from = coarse.answer.data() + coarse.at(0, y / 2);
        for (int x = 0; x < fine.width; ++x)
            to[x] += from[x / 2];
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
    constexpr int kMostExponent = 64;    // elements up to 2^64 leave room for the sums of coarser levels
    if (a.size == 0 || a.size > kMostCells) return std::nullopt;
    // The farthest neighbour is one row away, which tells the width.  A matrix that links only adjacent cells is a grid
    // of one row.
    std::size_t width = 1;
    for (std::size_t i = 0; i < a.size; ++i)
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
            if (a.values[k] != 0) width = std::max<std::size_t>(width, a.columns[k] > i ? a.columns[k] - i : 0);
    if (width == 1) width = a.size;
    if (a.size % width != 0) return std::nullopt;
    GridStencil stencil(int(width), int(a.size / width));
    const GridLevel& level = stencil.level;
    if (const int exponent = exponentOf(a.values); std::abs(exponent) > kMostExponent)
        stencil.scale = std::ldexp(1.0, exponent);
    for (std::size_t i = 0; i < a.size; ++i)
    {
        const int x = int(i % width), y = int(i / width);
        const std::size_t cell = level.at(x, y);
        double rest = 0, diagonal = 0;
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
        {
            const std::size_t j = a.columns[k];
            const double value = a.values[k] / stencil.scale;
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
        // The excess of the diagonal over the weights counts as known neighbours in cells at the border, else as
        // identity.
        const bool border = x == 0 || y == 0 || x + 1 == level.width || y + 1 == level.height;
        (border ? stencil.fixed : stencil.identity)[cell] = rest > kRounding * diagonal ? float(rest) : 0.0f;
    }
    return stencil;
}

GridMultigrid::GridMultigrid(GridStencil stencil) : scale_(stencil.scale)
{
    while (completeDiagonals(stencil) >= kEnough && cellsOf(stencil.level) > kSmallestGrid)
    {
        GridStencil next = coarser(stencil);
        levels_.push_back(std::move(stencil.level));
        stencil = std::move(next);
    }
    levels_.push_back(std::move(stencil.level));
}

int GridMultigrid::sweeps(std::size_t depth) const
{
    return depth + 1 == levels_.size() && cellsOf(levels_[depth]) <= kSmallestGrid ? kCoarsestSweeps : 1;
}

void GridMultigrid::cycle(std::size_t depth, ThreadPool& pool) const
{
    const GridLevel& level = levels_[depth];
    const int times = sweeps(depth);
    startSweep(level, 0, pool);
    sweep(level, 1, pool);
    for (int i = 1; i < times; ++i)
        sweep(level, 0, pool), sweep(level, 1, pool);
    if (depth + 1 < levels_.size())
    {
        const GridLevel& coarse = levels_[depth + 1];
        restrictResidual(level, coarse, pool);
        cycle(depth + 1, pool);
        prolong(level, coarse, pool);
    }
    for (int i = 0; i < times; ++i)
        sweep(level, 1, pool), sweep(level, 0, pool);
}

void GridMultigrid::apply(const double* r, double* z, ThreadPool& pool) const
{
    const GridLevel& level = levels_.front();
    // Divides r by its largest element, so that it fits in the range of single precision.
    const std::size_t size = cellsOf(level);
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i)
        largest = std::max(largest, std::abs(r[i]));
    if (!(largest > 0)) return void(std::fill_n(z, size, 0.0));
    const auto width = std::size_t(level.width);
    forEachRow(pool, level.height, [&](int y) {
        for (std::size_t x = 0; x < width; ++x)
            level.right[level.at(int(x), y)] = float(r[std::size_t(y) * width + x] / largest);
    });
    cycle(0, pool);
    const double factor = largest / scale_;
    forEachRow(pool, level.height, [&](int y) {
        for (std::size_t x = 0; x < width; ++x)
            z[std::size_t(y) * width + x] = double(level.answer[level.at(int(x), y)]) * factor;
    });
}

}  // namespace orogen::compute
