// A raster as uploaded to the GPU: 16-bit heights with scale and offset, voids filled and marked.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// ---- still water ----
//
// Still water in an elevation model. Surveys level lakes, reservoirs and the sea: their cells have exactly equal
// heights, and the land around them rises.
//
// A cell lies between four neighbouring samples; it is flat if these are equal. Flat cells that share an edge form a
// body. Three criteria decide whether it is water:
//   size     Heights rounded to whole metres produce small level pieces everywhere, by chance.
//   shore    A step on a plain falls away on one side. Water lies below its surroundings, except at an outlet. A
//            raster that is all level has no shore.
//   bank     A constant written over a void (0 among mountains, -9999) has cliffs as its shore. The floor of a
//            hollow in rounded heights has land one step higher all around. The land around water keeps rising.

struct StillWaterRule
{
    std::uint64_t leastCells = 16;
    double leastArea = 20'000;     // square metres
    double mostLowerShore = 0.08;  // largest part of the shore's samples that may be lower than the water
    double leastBank = 1.5;        // mean rise of the shore's higher samples, in steps of the heights
    double steepestBank = 1.0;     // mean rise of the shore's higher samples (metres per metre of spacing)
};

// A body of water: its level, and the range of its cells' columns and rows (inclusive).
struct WaterBody
{
    float level = 0;  // metres
    int west = 0, north = 0, east = 0, south = 0;

    bool operator==(const WaterBody&) const = default;
};

struct StillWater
{
    std::vector<WaterBody> bodies;  // ordered by northernmost row
    std::uint64_t cells = 0;        // in all bodies
    // Row-major, (width - 1) x (height - 1) cells: 255 for water, else 0; empty if there is no water.
    std::vector<std::uint8_t> mask;
};

// Finds still water. O(samples) on all processors; needs 24 bytes for each run of flat cells in a row, besides the
// mask. Calls `goOn` occasionally, from any thread; if it returns false, the result is an error kInterrupted. `step`:
// all heights are multiples of it (metres); 0: not quantised.
Result<StillWater> findStillWater(const Raster& raster, double step, const StillWaterRule& rule = {},
                                  const std::function<bool()>& goOn = {});

// ---- height field ----

// Quantised heights: height = offset + scale * code. quantise() makes them exact if all samples are equal, or multiples
// of a step of 1, 1/2 ... 1/16 m that span at most 65535 steps. `scale` is then 1 or the step. Otherwise quantise()
// chooses the step (max - min) / 65535. encodedField() makes inexact fields with other steps.
struct HeightField
{
    int width = 0, height = 0;
    double pixelWidth = 1.0, pixelHeight = 1.0;  // metres, the raster's
    float scale = 1.0f, offset = 0.0f;
    bool exact = true;
    std::vector<std::uint16_t> codes;    // row-major from the north; voids have heights interpolated from around them
    std::vector<std::uint8_t> voidMask;  // 255 where the source has no data; empty if there is no void
    StillWater water;                    // empty until findStillWater() fills it

    float maxQuantisationError() const { return exact ? 0.0f : 0.5f * scale; }
    std::uint16_t code(int x, int y) const { return codes[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    float at(int x, int y) const { return offset + scale * float(code(x, y)); }
};

// Converts a raster. A raster that has only voids becomes a flat field at height 0. O(samples).
HeightField quantise(const Raster& raster);

// Replaces every void by a height, for display and bounds. Interpolates from ever coarser means of the known heights,
// with a fixed, small number of relaxation sweeps at each size. The result has no spikes or seams, and lies within the
// range of the known heights. It approximates Laplace's equation; compute/voids/void_filling.h solves it to a small
// residual. If all are voids, all become 0. O(samples); `heights` are row-major, NaN is a void.
void fillVoids(std::vector<float>& heights, int width, int height);

// Returns the drawn height (metres) at a point, bilinearly; never NaN, since voids are filled. `east`, `north`: metres
// from the field's centre. A point outside gets the height of the nearest edge.
float heightAt(const HeightField& field, double east, double north);

// Height fields whose heights change: codes with room above and below.

// Encodes heights (metres, row by row; NaN: void) as a field of the size, spacing and voids of `like`, without still
// water. Keeps the scale and offset of `shown` if all heights fit. Otherwise, or if `shown` is null, chooses codes with
// room above and below: half the range of heights, at least 100 m. Voids get heights interpolated from around them.
HeightField encodedField(std::span<const float> heights, const HeightField& like, const HeightField* shown);

// Encodes the heights of a box again (`heights`: of the whole field). Voids keep their codes. Heights beyond the range
// of codes get the nearest code; returns whether there are none.
bool encodeBox(HeightField& field, std::span<const float> heights, const IndexBox& box);

struct LowHigh
{
    float low = 0, high = 0;
};
// Returns the lowest and the highest height of the samples that are not voids (metres); 0 and 0 if all are voids.
LowHigh rangeOf(const HeightField& field);

}  // namespace orogen
