// Mapping from the draw lattice, the grid of possible vertices over a square, to the samples and levels of a tiled
// terrain; and the heights at these positions. It matches shaders/heights/tile_place.glsl and
// shaders/heights/heights_tiles.glsl bit for bit.
//
// A position is a whole sample of level 0 and a fraction of 24 bits. It is an affine function of the lattice
// coordinates, computed in integers. The coefficients have kPlaceBits fractional bits, so that the position is exact to
// 2^-16 of a sample over the whole square.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

inline constexpr int kPlaceBits = 36;
inline constexpr int kDrawLatticeBits = 21;  // log2 of lattice units per side; kLeafLatticeBits + kPatchBits on the GPU
inline constexpr double kMostSamplesOfSquare = 1 << 26;  // limit along the square's side; more would overflow

// A position along columns or along rows.
struct SamplePlace
{
    int whole = 0;      // number of the sample, from 0
    float part = 0.0f;  // fraction of the way to the next sample, in [0, 1); 0 at the last
};

// Mapping from lattice coordinates to samples along one axis.
struct SampleAxis
{
    std::int64_t step = 0;    // per lattice unit, in 2^-kPlaceBits samples; < 0 for rows, which grow southwards
    std::int64_t offset = 0;  // at lattice coordinate 0, in 2^-kPlaceBits samples
    int last = 1;             // number of the last sample

    // columns() and rows() return the mapping of a raster in the middle of the square. `samples` and `extent`: the
    // raster's length along the axis in samples and in metres; `side`: side of the square (metres).
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

// Returns the place of a position given in samples of level 0; clamps to the raster.
inline SamplePlace samplePlace(double samples, int last)
{
    const double whole = std::floor(std::clamp(samples, 0.0, double(last)));
    return SampleAxis::clamped(int(whole), float(std::floor((samples - whole) * 0x1p24) * 0x1p-24), last);
}

// A position along one axis: tile, interval between samples in the tile (cell), and fraction in the cell, in [0, 1].
struct TileCell
{
    int tile = 0, cell = 0;
    float part = 0.0f;
};

// Returns the number of a level's last tile. `last`: number of the last sample of level 0.
inline int lastTile(int last, int level) { return ((last - 1) >> level) / kTileCells; }

// Returns whether the place lies on the border between two tiles.
inline bool onTileBorder(SamplePlace place, int level)
{
    return place.part == 0.0f && place.whole > 0 && (place.whole & ((kTileCells << level) - 1)) == 0;
}

// Returns the cell in the first of the tiles that touch the place: on a border, the one with the smaller number.
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

// between() interpolates linearly, heightInCell() bilinearly. Every operation is rounded once, as in the shader.
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

// Returns the finest level shown: the first with distance < reach 2^level. `ratio`: distance^2 / reach^2.
inline int shownLevel(float ratio)
{
    const int exponent = int(std::bit_cast<std::uint32_t>(ratio) >> 23) - 127;
    return ratio < 1.0f ? 0 : exponent / 2 + 1;
}

// Returns the weight of a level over the next coarser one. It is 1 near the camera, and falls to 0 over the outer
// `share` of the level's reach. `ratio`: see shownLevel(); `slope`: 1 / (1 - (1 - share)^2).
inline float distanceWeight(float ratio, int level, float slope)
{
    const float at = ratio * std::bit_cast<float>((127 - 2 * level) << 23);
    return std::clamp((1.0f - at) * slope, 0.0f, 1.0f);
}

}  // namespace orogen
