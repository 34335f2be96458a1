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

constexpr int kCoarsestBits = leb::kDrawLatticeBits - 1;  // the whole square's diamond
constexpr int kMostLevels = 16;                           // grids of at most 2^15 entries a side: indices fit 16 bits
constexpr int kRowsInPiece = 16;                          // grid rows per task; level 0 reads three more each side

using enum DiamondGrid::Block;

// First and last entry of a grid along one axis whose diamonds reach the raster, between two lattice coordinates.
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
    const double cell = double(2u << bits), beyond = cell / 4;  // reach of smaller diamonds
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

// Returns the finest layout within two bytes a sample.
DiamondErrors finestLayout(const HeightField& field, const SurfaceLattice& lattice)
{
    const std::uint64_t most = std::min<std::uint64_t>(2 * std::uint64_t(field.width) * std::uint64_t(field.height) +
                                                           DiamondErrors::kSmallRaster,
                                                       std::numeric_limits<std::uint32_t>::max());
    DiamondErrors finest = layOut(lattice, kCoarsestBits);
    for (int levels = 2; levels <= kMostLevels; ++levels)
    {
        DiamondErrors finer = layOut(lattice, kCoarsestBits + 1 - levels);
        if (bytesOf(finer) > most) break;
        finest = std::move(finer);
    }
    return finest;
}

class ErrorBuilder
{
public:
    ErrorBuilder(const HeightField& field, const BoundsProgress& progress)
        : field_(field), lattice_(field), errors_(finestLayout(field, lattice_)), codes_(codesFor(field)),
          pool_(threadsForRows(field.height)), progress_(progress)
    {
        errors_.codes.resize(errors_.fine.offset + errors_.fine.entries());
        errors_.secondPatch.resize(secondPatchBytes(errors_));
        errors_.metres = codes_.values();
        fine_.resize(errors_.fine.entries());
        for (int level = 0; level < int(errors_.levels.size()); ++level)
            toDo_ += costOf(level);
    }

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
    static ErrorCodes codesFor(const HeightField& field)
    {
        const auto [least, most] = std::ranges::minmax_element(field.codes);
        const float range = 1.001f * field.scale * float(std::max(1, *most - *least));
        return {std::max(range * 1e-5f, field.scale / 64), range};
    }

    // Returns the cost in sample tests: a diamond takes ten; at the finest level, smaller diamonds are measured, too.
    double costOf(int level) const
    {
        const double diamonds = double(kBlocks) * double(errors_.levels[std::size_t(level)].entries());
        return double(field_.codes.size()) + (level == 0 ? 40 : 10) * diamonds;
    }

    // Measures all codes of a level; diagonal ones are saturated later. Returns false if stopped.
    bool measure(int level)
    {
        const DiamondGrid& grid = errors_.levels[std::size_t(level)];
        const int bits = errors_.finestBits + level;
        const DiamondDeviations<std::uint16_t> deviations(gridOf(field_), lattice_, bits, 2 * grid.originX,
                                                          2 * (grid.originX + grid.width) - 1);
        int top = grid.originY, rows = grid.height;
        if (level == 0)
        {
            finer_.emplace(finerBounds());
            // Include the second patch codes of the next level, which reach further.
            const DiamondGrid& next = errors_.levels[std::min<std::size_t>(1, errors_.levels.size() - 1)];
            top = std::min(top, 2 * next.originY);
            rows = std::max(grid.originY + grid.height, 2 * (next.originY + next.height)) - top;
        }
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

    // Reports progress; called on the building thread.
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
        for (int y = std::max(begin, grid.originY); y < std::min(end, grid.originY + grid.height); ++y)
            for (int x = grid.originX; x < grid.originX + grid.width; ++x)
            {
                const int i = 2 * x, j = 2 * y;
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

    // Stores the code of a diamond with a base along an axis around (i, j), kErrorMargin above those of the finer ones.
    void put(const DiamondGrid& grid, DiamondGrid::Block block, int x, int y, float deviation, int level, int i, int j,
             const Scratch& scratch)
    {
        if (level == 0) deviation = std::max(deviation, kErrorMargin * scratch.finer.around(i, j));
        std::uint8_t& code = errors_.codes[grid.index(block, x, y)];
        code = codes_.of(deviation * field_.scale);
        if (level == 0) return;
        const DiamondGrid& finer = errors_.levels[std::size_t(level - 1)];
        for (int v = j - 1; v <= j; ++v)
            for (int u = i - 1; u <= i; ++u)
                if (finer.has(u, v))
                    code = std::max(code, codes_.withMargin(errors_.codes[finer.index(kDiagonal, u, v)]));
    }

    void boundFine(const FinerBounds<std::uint16_t>::Window& finer, int begin, int end)
    {
        const DiamondGrid& fine = errors_.fine;
        for (int y = std::max(begin, fine.originY); y < std::min(end, fine.originY + fine.height); ++y)
            for (int x = fine.originX; x < fine.originX + fine.width; ++x)
                fine_[fine.index(0, x, y) - fine.offset] = finer.share(2 * x, 2 * y) * field_.scale;
    }

    FinerBounds<std::uint16_t> finerBounds() const
    {
        const DiamondGrid &grid = errors_.levels[0],
                          &next = errors_.levels[std::min<std::size_t>(1, errors_.levels.size() - 1)];
        return {gridOf(field_), lattice_, errors_.finestBits, std::min(2 * grid.originX, 4 * next.originX),
                std::max(2 * (grid.originX + grid.width), 4 * (next.originX + next.width)) - 1};
    }

    // Measures the second patch codes for rows y of the next level with 2 y in [begin, end).
    void measureSecondPatch(const FinerBounds<std::uint16_t>::Window& finer, int begin, int end)
    {
        if (errors_.levels.size() < 2) return;
        const DiamondGrid& grid = errors_.levels[1];
        for (int y = std::max((begin + 1) / 2, grid.originY); 2 * y < end && y < grid.originY + grid.height; ++y)
            for (int x = grid.originX; x < grid.originX + grid.width; ++x)
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
        forRows(pool_, grid.height, [&](int begin, int end) {
            for (int y = grid.originY + begin; y < grid.originY + end; ++y)
                for (int x = grid.originX; x < grid.originX + grid.width; ++x)
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
    ThreadPool pool_;
    const BoundsProgress& progress_;
    std::optional<FinerBounds<std::uint16_t>> finer_;
    std::vector<float> fine_;  // error of fine cells for a base at firstFineDepth() (metres)
    double toDo_ = 0, done_ = 0;
    std::atomic<bool> stopped_{false};
};

}  // namespace

Result<DiamondErrors> buildDiamondErrors(const HeightField& field, const BoundsProgress& progress)
{
    assert(field.width >= 2 && field.height >= 2);
    return ErrorBuilder(field, progress).build();
}

}  // namespace orogen
