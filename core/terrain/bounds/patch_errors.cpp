// Lookup of diamond codes, and computation of those of leaves that are drawn as patches.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "core/base/thread_pool.h"
#include "core/terrain/bounds/diamond_errors.h"
#include "core/terrain/bounds/error_codes.h"

namespace orogen {
namespace {

using enum DiamondGrid::Block;

// Lower limit of a leaf's error as a share of its bound fineError(). The bound of leaves two bisections finer is at
// most half as large, so the limit is at least kErrorMargin times their errors. leafError() in
// shaders/heights/diamond_error.glsl uses the same limit.
constexpr float kLeastFineShare = 0.6f;
static_assert(kLeastFineShare > kErrorMargin / 2);

// Entry of DiamondErrors::levels[level]; level < 0: a diamond finer than the stored ones.
struct Entry
{
    int level, block, x, y;
};

Entry entryOf(const DiamondErrors& errors, leb::Point p)
{
    const int bits = std::countr_zero(p.x | p.y);
    const bool oddX = (p.x >> bits) & 1, oddY = (p.y >> bits) & 1;
    return {bits - errors.finestBits,
            oddX && oddY ? kDiagonal
            : oddX       ? kAlongX
                         : kAlongY,
            int(p.x >> (bits + 1)), int(p.y >> (bits + 1))};
}

// Returns the largest code of DiamondErrors::fine in the cells that the box around a diamond covers.
std::uint8_t fineCodeAround(const DiamondErrors& errors, leb::Point p)
{
    const std::uint32_t unit = leb::diamondUnit(p);
    const int bits = errors.finestBits + 1;
    const auto low = [&](std::uint32_t v) { return int((v - std::min(v, unit)) >> bits); };
    const auto high = [&](std::uint32_t v) { return int((std::min(v + unit, leb::kDrawSide) - 1) >> bits); };
    std::uint8_t most = 0;
    for (int y = low(p.y); y <= high(p.y); ++y)
        for (int x = low(p.x); x <= high(p.x); ++x)
            if (errors.fine.has(x, y)) most = std::max(most, errors.codes[errors.fine.index(0, x, y)]);
    return most;
}

// Returns the error (metres) of a leaf whose patch (patchLevel 0: one triangle) is finer than the stored diamonds.
float fineError(const DiamondErrors& errors, leb::Point middle, int patchLevel)
{
    // The base's length relative to bases at firstFineDepth(): a power of sqrt(1/2), exact at every second depth.
    const int steps = leb::diamondDepth(middle) + 2 * patchLevel - errors.firstFineDepth();
    const float base = std::ldexp(steps % 2 == 0 ? 1.0f : 0.7071068f, -(steps / 2));
    return errors.metres[fineCodeAround(errors, middle)] * errors.fineScale * base;
}

// Computation of the codes that patchErrors() returns.
class PatchCodes
{
public:
    PatchCodes(const DiamondErrors& errors, int patchLevel, const std::stop_token& stop)
        : errors_(errors), patchLevel_(patchLevel), codes_(errors.patchBytes()), stop_(stop),
          pool_(threadsForRows(errors.levels[0].height))
    {
        for (const DiamondGrid& grid : errors.levels)
            windows_.push_back({grid.originX, grid.originY, grid.originX + grid.width, grid.originY + grid.height});
    }

    // Prepares an update of `codes` around the entries `changed` of errors.codes.
    PatchCodes(const DiamondErrors& errors, int patchLevel, const std::vector<IndexBox>& changed,
               std::vector<std::uint8_t>&& codes)
        : errors_(errors), patchLevel_(patchLevel), codes_(std::move(codes)), pool_(1), windows_(changed)
    {
        windows_[0] = {};
        for (std::size_t level = 1; level < changed.size(); ++level)
        {
            const IndexBox& finer = level == 1 ? changed[0] : windows_[level - 1];
            const IndexBox above = {(finer.x0 >> 1) - 2, (finer.y0 >> 1) - 2, (finer.x1 >> 1) + 3, (finer.y1 >> 1) + 3};
            const IndexBox wanted = joined(widened(changed[level], 1), above);
            const DiamondGrid& grid = errors.levels[level];
            windows_[level] = {std::max(wanted.x0, grid.originX), std::max(wanted.y0, grid.originY),
                               std::min(wanted.x1, grid.originX + grid.width),
                               std::min(wanted.y1, grid.originY + grid.height)};
        }
    }

    // Updates the codes in windows().
    std::vector<std::uint8_t> update()
    {
        for (int level = 1; level < int(errors_.levels.size()); ++level)
        {
            each(level, [&](Entry e) { at(e) = ofPass(e, patchLevel_); });
            saturate(level);
        }
        return std::move(codes_);
    }
    const std::vector<IndexBox>& windows() const { return windows_; }

    std::vector<std::uint8_t> make()
    {
        const int last = int(errors_.levels.size()) - 1;
        // A patch of level P consists of four patches of level P - 1. From P = 2 on, the triangles of patches of
        // levels[1] are finer than the stored diamonds.
        for (int pass = 1; pass <= patchLevel_ && last >= 1; ++pass)
        {
            for (int level = last; level >= (pass == 1 ? 1 : 2); --level)
                each(level, [&](Entry e) { at(e) = largestQuarter(e, pass == 1); });
            if (pass > 1) each(1, [&](Entry e) { at(e) = finest(e, pass); });
        }
        for (int level = 1; level <= last; ++level)
            saturate(level);
        return std::move(codes_);
    }

private:
    void saturate(int level)
    {
        for (const bool diagonal : {false, true})
            each(level, [&](Entry e) {
                if ((e.block == kDiagonal) == diagonal) at(e) = std::max(at(e), largestLeg(e));
            });
    }

    template <class Work>
    void each(int level, const Work& work)
    {
        const IndexBox& window = windows_[std::size_t(level)];
        forRows(pool_, std::max(window.y1 - window.y0, 0), [&](int begin, int end) {
            if (stop_.stop_requested()) return;
            for (const int block : {kDiagonal, kAlongX, kAlongY})
                for (int y = window.y0 + begin; y < window.y0 + end; ++y)
                    for (int x = window.x0; x < window.x1; ++x)
                        if (exists({level, block, x, y})) work(Entry{level, block, x, y});
        });
    }

    // The last entries of a grid may lie outside the square.
    bool exists(Entry e) const
    {
        const int points = int(leb::kDrawSide >> (errors_.finestBits + e.level));
        return columnOf(e) <= points && rowOf(e) <= points;
    }

    // Return the position of the middle of the base, in units of the level.
    static int columnOf(Entry e) { return 2 * e.x + (e.block != kAlongY); }
    static int rowOf(Entry e) { return 2 * e.y + (e.block != kAlongX); }

    std::uint8_t& at(Entry e)
    {
        return codes_[errors_.levels[std::size_t(e.level)].index(e.block, e.x, e.y) - errors_.patchOffset()];
    }

    leb::Point pointOf(Entry e) const
    {
        const int bits = errors_.finestBits + e.level;
        return {std::uint32_t(columnOf(e)) << bits, std::uint32_t(rowOf(e)) << bits};
    }

    // Returns the code of an entry in `codes`, which lacks the first `shift` codes; 0 outside the grid.
    std::uint8_t finer(const std::vector<std::uint8_t>& codes, std::size_t shift, Entry e) const
    {
        const DiamondGrid& grid = errors_.levels[std::size_t(e.level)];
        return grid.has(e.x, e.y) ? codes[grid.index(e.block, e.x, e.y) - shift] : std::uint8_t(0);
    }

    // Returns the four diamonds of half the size that fill one.
    static std::array<Entry, 4> quarters(Entry e)
    {
        const int i = columnOf(e), j = rowOf(e), level = e.level - 1;
        if (e.block == kDiagonal)
            return {{{level, kDiagonal, i - 1, j - 1},
                     {level, kDiagonal, i, j - 1},
                     {level, kDiagonal, i - 1, j},
                     {level, kDiagonal, i, j}}};
        return {
            {{level, kAlongX, i - 1, j}, {level, kAlongX, i, j}, {level, kAlongY, i, j - 1}, {level, kAlongY, i, j}}};
    }

    // Returns the maximum over the quarters of a diamond.
    std::uint8_t largestQuarter(Entry e, bool ofVertices) const
    {
        std::uint8_t most = 0;
        for (const Entry& quarter : quarters(e))
            most = std::max(most, ofVertices ? finer(errors_.codes, 0, quarter)
                                             : finer(codes_, errors_.patchOffset(), quarter));
        return most;
    }

    // Returns the code that make() has for an entry after a pass, before saturation.
    std::uint8_t ofPass(Entry e, int pass) const
    {
        const DiamondGrid& grid = errors_.levels[std::size_t(e.level)];
        if (!grid.has(e.x, e.y) || !exists(e)) return 0;
        if (pass == 1) return largestQuarter(e, true);
        if (e.level == 1) return finest(e, pass);
        std::uint8_t most = 0;
        for (const Entry& quarter : quarters(e))
            most = std::max(most, ofPass(quarter, pass - 1));
        return most;
    }

    // Returns the maximum over the four diamonds whose bases are this one's legs, times kErrorMargin if this one's base
    // lies along an axis.
    std::uint8_t largestLeg(Entry e) const
    {
        const auto code = [&](Entry leg) { return finer(codes_, errors_.patchOffset(), leg); };
        if (e.block == kDiagonal)
            return std::max({code({e.level, kAlongX, e.x, e.y}), code({e.level, kAlongX, e.x, e.y + 1}),
                             code({e.level, kAlongY, e.x, e.y}), code({e.level, kAlongY, e.x + 1, e.y})});
        std::uint8_t most = 0;
        for (int y = rowOf(e) - 1; y <= rowOf(e); ++y)
            for (int x = columnOf(e) - 1; x <= columnOf(e); ++x)
            {
                const Entry leg{e.level - 1, kDiagonal, x, y};
                if (e.level > 1)
                    most = std::max(most, code(leg));
                else if (x >= 0 && y >= 0 && exists(leg))
                    most = std::max(most, fineCodeOf(leg));
            }
        return ErrorCodes::withMargin(most, marginSteps_);
    }

    std::uint8_t finest(Entry e, int patchLevel) const
    {
        const DiamondGrid& grid = errors_.levels[1];
        const std::uint8_t second = errors_.secondPatch[grid.index(e.block, e.x, e.y) - grid.offset];
        return patchLevel == 2 ? second : std::min(second, codeOf(fineError(errors_, pointOf(e), patchLevel)));
    }

    std::uint8_t codeOf(float metres) const
    {
        const auto found = std::lower_bound(errors_.metres.begin(), errors_.metres.end(), metres);
        return std::uint8_t(std::min<std::ptrdiff_t>(found - errors_.metres.begin(), 255));
    }

    // Returns the code of leafError() at level 0: the smaller of two bounds. The leaf's triangles also belong to the
    // saturated diamond at its base's middle. The result is at least kLeastFineShare of the first bound.
    std::uint8_t fineCodeOf(Entry e) const
    {
        const float fine = fineError(errors_, pointOf(e), patchLevel_);
        return std::min(codeOf(fine), std::max(finer(errors_.codes, 0, e), codeOf(kLeastFineShare * fine)));
    }

    const DiamondErrors& errors_;
    const int patchLevel_, marginSteps_ = ErrorCodes::marginSteps(errors_.metres[1], errors_.metres[255]);
    std::vector<std::uint8_t> codes_;
    const std::stop_token stop_;
    ThreadPool pool_;
    std::vector<IndexBox> windows_;  // entries of each level to compute
};

}  // namespace

float vertexError(const DiamondErrors& errors, leb::Point vertex)
{
    const Entry entry = entryOf(errors, vertex);
    if (entry.level < 0) return fineError(errors, vertex, 0);
    const DiamondGrid& grid = errors.levels[std::size_t(entry.level)];
    return grid.has(entry.x, entry.y) ? errors.metres[errors.codes[grid.index(entry.block, entry.x, entry.y)]] : 0;
}

std::vector<std::uint8_t> patchErrors(const DiamondErrors& errors, int patchLevel, const std::stop_token& stop)
{
    return patchLevel > 0 ? PatchCodes(errors, patchLevel, stop).make() : std::vector<std::uint8_t>();
}

std::vector<IndexBox> updatePatchErrors(const DiamondErrors& errors, int patchLevel,
                                        const std::vector<IndexBox>& changed, std::vector<std::uint8_t>& patch)
{
    if (patchLevel == 0 || changed.empty() || changed[0].empty()) return std::vector<IndexBox>(errors.levels.size());
    PatchCodes codes(errors, patchLevel, changed, std::move(patch));
    patch = codes.update();
    return codes.windows();
}

float leafError(const DiamondErrors& errors, const std::vector<std::uint8_t>& patch, int patchLevel, leb::Point middle)
{
    if (patchLevel == 0) return vertexError(errors, middle);
    const Entry entry = entryOf(errors, middle);
    if (entry.level < 0) return fineError(errors, middle, patchLevel);
    if (entry.level == 0)
    {
        const float fine = fineError(errors, middle, patchLevel);
        return std::min(fine, std::max(vertexError(errors, middle), kLeastFineShare * fine));
    }
    const DiamondGrid& grid = errors.levels[std::size_t(entry.level)];
    if (!grid.has(entry.x, entry.y)) return 0;
    return errors.metres[patch[grid.index(entry.block, entry.x, entry.y) - errors.patchOffset()]];
}

}  // namespace orogen
