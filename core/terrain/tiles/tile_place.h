// Where a point of the draw lattice lies among the samples of a terrain in tiles, from which level its height comes and
// what that is.  Twin of shaders/tile_place.glsl and shaders/heights_tiles.glsl: the same bits.
//
// Places are whole samples of level 0 and a rest of 24 bits, computed in integers: an affine function of the lattice
// whose coefficients have kPlaceBits binary digits.  Over the whole square that is exact to 2^-16 of a sample.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

inline constexpr int kPlaceBits = 36;
inline constexpr int kDrawLatticeBits = 21;              // kLeafLatticeBits + kPatchBits of core/gpu_layout.h
inline constexpr double kMostSamplesOfSquare = 1 << 26;  // along the square's side: more would overflow

// Along columns or along rows.
struct SamplePlace
{
    int whole = 0;      // 0 ... the last sample
    float part = 0.0f;  // of the way to the next one, in [0, 1); 0 at the last
};

// Of one axis: how lattice coordinates become samples.
struct SampleAxis
{
    std::int64_t step = 0;    // of one lattice unit, in 2^-kPlaceBits samples; negative for rows, which grow southwards
    std::int64_t offset = 0;  // of lattice coordinate 0
    int last = 1;             // sample

    // `samples` lie on `extent` metres in the middle of a square of `side` metres.
    static SampleAxis columns(int samples, double extent, double side)
    {
        const double each = (samples - 1) / extent;
        return {fixed(std::ldexp(side * each, -kDrawLatticeBits)), fixed((extent - side) / 2 * each), samples - 1};
    }
    static SampleAxis rows(int samples, double extent, double side)
    {
        const double each = (samples - 1) / extent;
        return {-fixed(std::ldexp(side * each, -kDrawLatticeBits)), fixed((extent + side) / 2 * each), samples - 1};
    }

    SamplePlace at(std::uint32_t lattice) const
    {
        const auto place =
            std::int64_t(std::uint64_t(offset) + std::uint64_t(step) * std::uint64_t(lattice));  // modulo 2^64
        return clamped(int(place >> kPlaceBits), float(place >> (kPlaceBits - 24) & 0xffffff) * 0x1p-24f, last);
    }

    static SamplePlace clamped(int whole, float part, int last)
    {
        if (whole < 0) return {0, 0.0f};
        if (whole >= last) return {last, 0.0f};
        return {whole, part};
    }

private:
    static std::int64_t fixed(double samples) { return std::int64_t(std::llround(std::ldexp(samples, kPlaceBits))); }
};

// The same of any place, in samples of level 0.
inline SamplePlace samplePlace(double samples, int last)
{
    const double whole = std::floor(std::clamp(samples, 0.0, double(last)));
    return SampleAxis::clamped(int(whole), float(std::floor((samples - whole) * 0x1p24) * 0x1p-24), last);
}

// In a tile of a level: the cell that the place lies in, and the way through it in [0, 1].
struct TileCell
{
    int tile = 0, cell = 0;
    float part = 0.0f;
};

inline int lastTile(int last, int level) { return ((last - 1) >> level) / kTileCells; }

// Whether a tile ends there, and the one before begins.
inline bool onTileBorder(SamplePlace place, int level)
{
    return place.part == 0.0f && place.whole > 0 && (place.whole & ((kTileCells << level) - 1)) == 0;
}

// In the first of the tiles that touch the place: on a border, the one with the smaller number.
inline TileCell firstCell(SamplePlace place, int level, int last)
{
    const int index = place.whole >> level;
    const float part =
        (float(place.whole & ((1 << level) - 1)) + place.part) * std::bit_cast<float>((127 - level) << 23);
    const int tile =
        std::min(onTileBorder(place, level) ? index / kTileCells - 1 : index / kTileCells, lastTile(last, level));
    const int cell = index - tile * kTileCells;
    return cell < kTileCells ? TileCell{tile, cell, part} : TileCell{tile, kTileCells - 1, 1.0f};
}

// Bilinear; every operation is rounded once, as the shader has it.
inline float between(float a, float b, float t)
{
    const float left = a * (1.0f - t), right = b * t;
    return left + right;
}
inline float heightInCell(const float* tileHeights, const TileCell& column, const TileCell& row)
{
    const float* north = tileHeights + row.cell * kTileSide + column.cell;
    const float* south = north + kTileSide;
    return between(between(north[0], north[1], column.part), between(south[0], south[1], column.part), row.part);
}

// The finest level that is shown where the square of the distance is `ratio` times the square of the reach: the first
// with distance < reach 2^level.
inline int shownLevel(float ratio)
{
    const int exponent = int(std::bit_cast<std::uint32_t>(ratio) >> 23) - 127;
    return ratio < 1.0f ? 0 : exponent / 2 + 1;
}

// How much of that level is shown over the next coarser one: 1 but in the outer part of its reach, where it falls to 0.
// `slope`: 1 / (1 - (1 - share)^2), where `share` of the reach is that part.
inline float distanceWeight(float ratio, int level, float slope)
{
    const float at = ratio * std::bit_cast<float>((127 - 2 * level) << 23);
    return std::clamp((1.0f - at) * slope, 0.0f, 1.0f);
}

}  // namespace orogen
