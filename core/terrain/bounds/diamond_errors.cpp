#include "core/terrain/bounds/diamond_errors.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/base/thread_pool.h"
#include "core/terrain/bounds/diamond_deviations.h"
#include "core/terrain/bounds/error_codes.h"
#include "core/terrain/bounds/finer_bounds.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {
namespace {

constexpr int kCoarsestBits = leb::kDrawLatticeBits - 1;  // log2 of the unit of the whole square's diamond
constexpr int kMostGrids = 16;                            // largest number of grids; indices up to 2^15 fit 16 bits
constexpr int kRowsInPiece = 16;                          // grid rows per task

using enum DiamondGrid::Block;

// First and last entry of a grid along one axis whose diamonds reach into an interval of lattice coordinates.
struct EntryRange
{
    int first, last;
};

EntryRange entriesOf(int bits, double low, double high)
{
    const double unit = double(1u << bits);
    return {std::max(0, int(std::floor((low / unit - 2) / 2))),
            std::min(1 << (kCoarsestBits - bits), int(std::floor((high / unit + 1) / 2)))};
}

// Returns the range of cells in DiamondErrors::fine that cover diamonds on the raster.
EntryRange fineCellsOf(int bits, double low, double high)
{
    const double cell = double(2u << bits), beyond = cell / 4;  // how far smaller diamonds extend beyond a cell
    return {std::max(0, int(std::floor((low - beyond) / cell))),
            std::min((1 << (kCoarsestBits - bits)) - 1, int(std::floor((high + beyond) / cell)))};
}

DiamondGrid gridOf(std::uint32_t offset, EntryRange x, EntryRange y)
{
    return {offset, x.first, y.first, x.last - x.first + 1, y.last - y.first + 1};
}

// Returns the layout for diamonds down to a unit of 2^finestBits.
DiamondErrors layOut(const SurfaceLattice& lattice, int finestBits)
{
    DiamondErrors errors;
    errors.finestBits = finestBits;
    std::uint64_t bytes = 0;
    for (int bits = finestBits; bits <= kCoarsestBits; ++bits)
    {
        errors.levels.push_back(gridOf(std::uint32_t(bytes), entriesOf(bits, lattice.west, lattice.east),
                                       entriesOf(bits, lattice.south, lattice.north)));
        bytes += kBlocks * std::uint64_t(errors.levels.back().entries());
    }
    errors.fine = gridOf(std::uint32_t(bytes), fineCellsOf(finestBits, lattice.west, lattice.east),
                         fineCellsOf(finestBits, lattice.south, lattice.north));
    return errors;
}

std::uint64_t secondPatchBytes(const DiamondErrors& errors)
{
    return errors.levels.size() > 1 ? kBlocks * std::uint64_t(errors.levels[1].entries()) : 0;
}

// Returns the bytes of a layout with patch codes. Uses 64 bits, since 32-bit offsets would overflow in a large layout.
std::uint64_t bytesOf(const DiamondErrors& errors)
{
    std::uint64_t vertices = errors.fine.entries(), patches = 0;
    for (const DiamondGrid& grid : errors.levels)
    {
        vertices += kBlocks * std::uint64_t(grid.entries());
        if (&grid != errors.levels.data() || errors.levels.size() == 1)
            patches += kBlocks * std::uint64_t(grid.entries());
    }
    return vertices + patches + secondPatchBytes(errors);
}

// Returns the finest layout of at most kMostGrids grids within two bytes per sample, plus kSmallRaster.
DiamondErrors finestLayout(const HeightField& field, const SurfaceLattice& lattice)
{
    const std::uint64_t most = std::min<std::uint64_t>(2 * std::uint64_t(field.width) * std::uint64_t(field.height) +
                                                           DiamondErrors::kSmallRaster,
                                                       std::numeric_limits<std::uint32_t>::max());
    DiamondErrors finest = layOut(lattice, kCoarsestBits);
    for (int levels = 2; levels <= kMostGrids; ++levels)
    {
        DiamondErrors finer = layOut(lattice, kCoarsestBits + 1 - levels);
        if (bytesOf(finer) > most) break;
        finest = std::move(finer);
    }
    return finest;
}

IndexBox boxOf(const DiamondGrid& grid)
{
    return {grid.originX, grid.originY, grid.originX + grid.width, grid.originY + grid.height};
}

IndexBox within(const DiamondGrid& grid, const IndexBox& box)
{
    const IndexBox all = boxOf(grid);
    return {std::max(box.x0, all.x0), std::max(box.y0, all.y0), std::min(box.x1, all.x1), std::min(box.y1, all.y1)};
}

// Returns the entries of a level that a change of samples can reach: those of diamonds near the box, and those whose
// finer diamonds changed (`finer`; empty at the first level).  Bounds of finer triangles depend on samples up to four
// units away.
IndexBox reached(const DiamondErrors& errors, const SurfaceLattice& lattice, int level, const IndexBox& box,
                 const IndexBox& finer)
{
    const DiamondGrid& grid = errors.levels[std::size_t(level)];
    const double unit = double(1u << (errors.finestBits + level)), margin = (level == 0 ? 4 : 1) * unit;
    const auto x = [&](double column) { return (column - lattice.firstColumn) / lattice.columns; };
    const auto y = [&](double row) { return (lattice.lastRow - row) / lattice.rows; };
    const auto first = [&](double v) { return int(std::floor(((v - margin) / unit - 2) / 2)) - 1; };
    const auto end = [&](double v) { return int(std::floor(((v + margin) / unit + 1) / 2)) + 2; };
    const IndexBox near = {first(x(box.x0 - 2)), first(y(box.y1 + 1)), end(x(box.x1 + 1)), end(y(box.y0 - 2))};
    const IndexBox above = {(finer.x0 >> 1) - 1, (finer.y0 >> 1) - 1, (finer.x1 >> 1) + 2, (finer.y1 >> 1) + 2};
    return within(grid, level == 0 ? near : joined(near, above));
}

class ErrorBuilder
{
public:
    ErrorBuilder(const HeightField& field, const BoundsProgress& progress, ErrorRange range)
        : field_(field), lattice_(field), errors_(finestLayout(field, lattice_)), codes_(codesFor(field, range)),
          range_(range), pool_(threadsForRows(field.height)), progress_(progress)
    {
        errors_.codes.resize(errors_.fine.offset + errors_.fine.entries());
        errors_.secondPatch.resize(secondPatchBytes(errors_));
        errors_.metres = codes_.values();
        if (range == ErrorRange::kAllCodes) errors_.fineScale = 1;
        fine_.resize(range == ErrorRange::kPresent ? errors_.fine.entries() : 0);
        for (int level = 0; level < int(errors_.levels.size()); ++level)
        {
            windows_.push_back(boxOf(errors_.levels[std::size_t(level)]));
            toDo_ += costOf(level);
        }
    }

    // Prepares an update of `errors`, and takes them over.
    ErrorBuilder(DiamondErrors&& errors, const HeightField& field, const IndexBox& box, const BoundsProgress& progress)
        : field_(field), lattice_(field), errors_(std::move(errors)), codes_(codesFor(field, ErrorRange::kAllCodes)),
          range_(ErrorRange::kAllCodes), pool_(1), progress_(progress)
    {
        for (int level = 0; level < int(errors_.levels.size()); ++level)
            windows_.push_back(
                reached(errors_, lattice_, level, box, level == 0 ? IndexBox{} : windows_[std::size_t(level - 1)]));
    }

    // Updates the entries in windows() as described at updateDiamondErrors().
    DiamondErrors update(const DiamondErrors& before, float rise)
    {
        for (int level = 0; level < int(errors_.levels.size()); ++level)
        {
            const double unit = double(1u << (errors_.finestBits + level));
            if (level == 0 || unit * std::max(lattice_.columns, lattice_.rows) <= kExactSamples)
                (void)measure(level);
            else
                raise(level, before, rise);
            saturateDiagonals(level);
        }
        return std::move(errors_);
    }
    const std::vector<IndexBox>& windows() const { return windows_; }

    Result<DiamondErrors> build()
    {
        for (int level = 0; level < int(errors_.levels.size()); ++level)
        {
            if (!measure(level)) return Error{ExitCode::kInterrupted, "cancelled"};
            saturateDiagonals(level);
            if (level == 0) encodeFine();
        }
        return std::move(errors_);
    }

private:
    // No deviation exceeds the range of heights. Deviations below 1e-5 of it, or far below a step of the samples, share
    // the lowest code.
    static ErrorCodes codesFor(const HeightField& field, ErrorRange of)
    {
        int steps = std::numeric_limits<std::uint16_t>::max();
        if (of == ErrorRange::kPresent)
        {
            const auto [least, most] = std::ranges::minmax_element(field.codes);
            steps = std::max(1, *most - *least);
        }
        const float range = 1.001f * field.scale * float(steps);
        return {std::max(range * 1e-5f, field.scale / 64), range};
    }

    // Returns the cost, in tests of a sample. A diamond costs ten, and forty at the finest level, where smaller
    // diamonds are measured, too.
    double costOf(int level) const
    {
        const double diamonds = double(kBlocks) * double(errors_.levels[std::size_t(level)].entries());
        return double(field_.codes.size()) + (level == 0 ? 40 : 10) * diamonds;
    }

    // Measures all codes of a level. saturateDiagonals() saturates the diagonal ones later. Returns false if stopped.
    bool measure(int level)
    {
        const IndexBox& window = windows_[std::size_t(level)];
        const int bits = errors_.finestBits + level;
        const DiamondDeviations<std::uint16_t> deviations(gridOf(field_), lattice_, bits, 2 * window.x0,
                                                          2 * window.x1 - 1);
        int top = window.y0, rows = window.y1 - window.y0;
        if (level == 0)
        {
            finer_.emplace(finerBounds());
            // Includes the second patch codes of the next level, which reach further.
            const IndexBox& next = secondWindow();
            top = std::min(top, 2 * next.y0);
            rows = std::max(window.y1, 2 * next.y1) - top;
        }
        if (rows <= 0) return true;
        const int rowsInPiece = rows < 4 * kRowsInPiece ? 1 : kRowsInPiece;
        const double before = done_, cost = costOf(level);
        std::atomic<int> rowsDone{0};
        std::vector<Scratch> scratch(std::size_t(pool_.threads()));
        pool_.forEach(std::size_t((rows + rowsInPiece - 1) / rowsInPiece), [&](std::size_t piece, int thread) {
            if (stopped_.load(std::memory_order_relaxed)) return;
            const int begin = int(piece) * rowsInPiece, end = std::min(rows, begin + rowsInPiece);
            measureRows(level, deviations, top + begin, top + end, scratch[std::size_t(thread)]);
            rowsDone.fetch_add(end - begin, std::memory_order_relaxed);
            if (thread == 0) tell(before + cost * rowsDone.load(std::memory_order_relaxed) / rows);
        });
        done_ = before + cost;
        return !stopped_.load(std::memory_order_relaxed);
    }

    // Reports progress, and stops if progress_ returns false.  Called on the building thread.
    void tell(double done)
    {
        if (progress_ && !progress_(std::min(1.0, done / toDo_))) stopped_.store(true, std::memory_order_relaxed);
    }

    struct Scratch
    {
        DiamondDeviations<std::uint16_t>::Rows heights;
        FinerBounds<std::uint16_t>::Window finer;
    };

    // Measures rows [begin, end) of the three blocks.
    void measureRows(int level, const DiamondDeviations<std::uint16_t>& deviations, int begin, int end,
                     Scratch& scratch)
    {
        const DiamondGrid& grid = errors_.levels[std::size_t(level)];
        scratch.heights.fill(deviations, 2 * begin - 1, 2 * end);
        if (level == 0)
        {
            scratch.finer.fill(*finer_, 2 * begin, 2 * end - 1);
            boundFine(scratch.finer, begin, end);
            measureSecondPatch(scratch.finer, begin, end);
        }
        const int points = int(leb::kDrawSide >> (errors_.finestBits + level));
        const IndexBox& window = windows_[std::size_t(level)];
        for (int y = std::max(begin, window.y0); y < std::min(end, window.y1); ++y)
            for (int x = window.x0; x < window.x1; ++x)
            {
                const int i = 2 * x, j = 2 * y;
                errors_.codes[grid.index(kDiagonal, x, y)] = 0;  // outside the square, too
                if (i < points && j < points)
                    put(grid, kDiagonal, x, y, deviations.diagonal(scratch.heights, i + 1, j + 1));
                if (i < points)
                    put(grid, kAlongX, x, y, deviations.alongX(scratch.heights, i + 1, j).largest(), level, i + 1, j,
                        scratch);
                if (j < points)
                    put(grid, kAlongY, x, y, deviations.alongY(scratch.heights, i, j + 1).largest(), level, i, j + 1,
                        scratch);
            }
    }

    void put(const DiamondGrid& grid, DiamondGrid::Block block, int x, int y, float deviation)
    {
        errors_.codes[grid.index(block, x, y)] = codes_.of(deviation * field_.scale);
    }

    // Stores the code of the diamond around (i, j), whose base lies along an axis.  The code is that of `deviation` or
    // of kErrorMargin times the largest finer error, whichever is larger.
    void put(const DiamondGrid& grid, DiamondGrid::Block block, int x, int y, float deviation, int level, int i, int j,
             const Scratch& scratch)
    {
        if (level == 0) deviation = std::max(deviation, kErrorMargin * scratch.finer.around(i, j));
        std::uint8_t& code = errors_.codes[grid.index(block, x, y)];
        code = codes_.of(deviation * field_.scale);
        if (level > 0) code = std::max(code, leastOver(level, i, j));
    }

    // Returns the code for kErrorMargin times the largest error of the finer diamonds around (i, j).
    std::uint8_t leastOver(int level, int i, int j) const
    {
        std::uint8_t code = 0;
        const DiamondGrid& finer = errors_.levels[std::size_t(level - 1)];
        for (int v = j - 1; v <= j; ++v)
            for (int u = i - 1; u <= i; ++u)
                if (finer.has(u, v))
                    code = std::max(code, codes_.withMargin(errors_.codes[finer.index(kDiagonal, u, v)]));
        return code;
    }

    // Sets the codes of a level to those before, raised by `rise` (metres).
    void raise(int level, const DiamondErrors& before, float rise)
    {
        const DiamondGrid& grid = errors_.levels[std::size_t(level)];
        const IndexBox& window = windows_[std::size_t(level)];
        for (const DiamondGrid::Block block : {kDiagonal, kAlongX, kAlongY})
            for (int y = window.y0; y < window.y1; ++y)
                for (int x = window.x0; x < window.x1; ++x)
                {
                    const std::size_t at = grid.index(block, x, y);
                    errors_.codes[at] = codes_.of(before.metres[before.codes[at]] + rise);
                    if (block != kDiagonal)
                        errors_.codes[at] = std::max(errors_.codes[at], leastOver(level, 2 * x + (block == kAlongX),
                                                                                  2 * y + (block == kAlongY)));
                }
    }

    void boundFine(const FinerBounds<std::uint16_t>::Window& finer, int begin, int end)
    {
        const DiamondGrid& fine = errors_.fine;
        const IndexBox window = within(fine, windows_[0]);
        for (int y = std::max(begin, window.y0); y < std::min(end, window.y1); ++y)
            for (int x = window.x0; x < window.x1; ++x)
            {
                const std::size_t at = fine.index(0, x, y);
                const float error = finer.share(2 * x, 2 * y) * field_.scale;
                if (range_ == ErrorRange::kPresent)
                    fine_[at - fine.offset] = error;
                else
                    errors_.codes[at] = codes_.of(error / errors_.fineScale);
            }
    }

    FinerBounds<std::uint16_t> finerBounds() const
    {
        const IndexBox &window = windows_[0], &next = secondWindow();
        return {gridOf(field_), lattice_, errors_.finestBits, std::min(2 * window.x0, 4 * next.x0),
                std::max(2 * window.x1, 4 * next.x1) - 1};
    }

    // Returns the window of entries of DiamondErrors::secondPatch.
    const IndexBox& secondWindow() const { return windows_[std::min<std::size_t>(1, windows_.size() - 1)]; }

    // Measures the second patch codes for rows y of the next level with 2 y in [begin, end).
    void measureSecondPatch(const FinerBounds<std::uint16_t>::Window& finer, int begin, int end)
    {
        if (errors_.levels.size() < 2) return;
        const DiamondGrid& grid = errors_.levels[1];
        const IndexBox& window = windows_[1];
        for (int y = std::max((begin + 1) / 2, window.y0); 2 * y < end && y < window.y1; ++y)
            for (int x = window.x0; x < window.x1; ++x)
            {
                const auto put = [&](DiamondGrid::Block block, float deviation) {
                    errors_.secondPatch[grid.index(block, x, y) - grid.offset] = codes_.of(deviation * field_.scale);
                };
                put(kDiagonal, finer.patchDiagonal(4 * x + 2, 4 * y + 2));
                put(kAlongX, finer.patchAlongAxis(4 * x + 2, 4 * y));
                put(kAlongY, finer.patchAlongAxis(4 * x, 4 * y + 2));
            }
    }

    void encodeFine()
    {
        if (range_ != ErrorRange::kPresent) return;
        const float most = std::ranges::max(fine_);
        errors_.fineScale = most > 0 ? 1.000001f * most / codes_.values().back() : 1.0f;
        for (std::size_t i = 0; i < fine_.size(); ++i)
            errors_.codes[errors_.fine.offset + i] = codes_.of(fine_[i] / errors_.fineScale);
        fine_ = {};
    }

    // Saturates diagonal codes: the legs of such a diamond are the sides of its cell.
    void saturateDiagonals(int level)
    {
        const DiamondGrid& grid = errors_.levels[std::size_t(level)];
        const IndexBox& window = windows_[std::size_t(level)];
        forRows(pool_, std::max(window.y1 - window.y0, 0), [&](int begin, int end) {
            for (int y = window.y0 + begin; y < window.y0 + end; ++y)
                for (int x = window.x0; x < window.x1; ++x)
                {
                    std::uint8_t& code = errors_.codes[grid.index(kDiagonal, x, y)];
                    const auto add = [&](DiamondGrid::Block block, int u, int v) {
                        if (grid.has(u, v)) code = std::max(code, errors_.codes[grid.index(block, u, v)]);
                    };
                    add(kAlongX, x, y), add(kAlongX, x, y + 1);
                    add(kAlongY, x, y), add(kAlongY, x + 1, y);
                }
        });
    }

    const HeightField& field_;
    SurfaceLattice lattice_;
    DiamondErrors errors_;
    ErrorCodes codes_;
    ErrorRange range_;
    std::vector<IndexBox> windows_;  // entries of each level to compute
    ThreadPool pool_;
    const BoundsProgress& progress_;
    std::optional<FinerBounds<std::uint16_t>> finer_;
    std::vector<float> fine_;  // error of fine cells for a base at firstFineDepth() (metres)
    double toDo_ = 0, done_ = 0;
    std::atomic<bool> stopped_{false};
};

}  // namespace

Result<DiamondErrors> buildDiamondErrors(const HeightField& field, const BoundsProgress& progress, ErrorRange range)
{
    assert(field.width >= 2 && field.height >= 2);
    return ErrorBuilder(field, progress, range).build();
}

std::vector<IndexBox> updateDiamondErrors(DiamondErrors& errors, const DiamondErrors& before, const HeightField& field,
                                          const IndexBox& box, float rise)
{
    if (box.empty()) return std::vector<IndexBox>(errors.levels.size());
    const BoundsProgress none;
    ErrorBuilder builder(std::move(errors), field, box, none);
    errors = builder.update(before, rise);
    return builder.windows();
}

}  // namespace orogen
