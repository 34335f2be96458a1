// Still water in an elevation model.  Surveys level lakes, reservoirs and the sea: their cells have exactly equal
// heights, and the land around them rises.
//
// A cell lies between four neighbouring samples; it is flat where these are exactly equal.  Flat cells that share an
// edge form a body.  Whether it is water, its size and its shore decide:
//   size     Heights that are rounded to whole metres make level ground everywhere, by chance and in small pieces.
//   shore    Level ground on a plain is a step of a stair: it falls away on one side.  Water lies below what surrounds
//            it, but for an outlet.  Nothing around it (a raster that is all level) is no shore at all.
//   bank     A constant that was written over a void (0 among mountains, -9999) has cliffs for a shore.  And the floor
//            of a hollow in rounded heights ends where they round up: the land around it is one step higher
//            everywhere, while the land around water rises.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

struct StillWaterRule
{
    std::uint64_t leastCells = 16;
    double leastArea = 20'000;     // square metres
    double mostLowerShore = 0.08;  // share of the shore's samples that lie lower than the water
    double leastBank = 1.5;        // mean rise of the shore's higher samples, in steps of the heights
    double steepestBank = 1.0;     // the same, in metres a metre of spacing
};

// One body: its level, and the first and last of its cells' columns and rows.
struct WaterBody
{
    float level = 0;  // metres
    int west = 0, north = 0, east = 0, south = 0;

    bool operator==(const WaterBody&) const = default;
};

struct StillWater
{
    std::vector<WaterBody> bodies;  // by their northernmost rows
    std::uint64_t cells = 0;        // of all of them
    // Row-major, (width - 1) x (height - 1) cells: 255 where there is water, else 0; empty where there is none at all.
    std::vector<std::uint8_t> mask;
};

// O(samples) on all processors, and memory of 12 bytes a run of flat cells in a row besides the mask.  `goOn` is asked
// now and then, from any thread; once it says no the result is an error kInterrupted.  `step`: all heights are
// multiples of so many metres; 0: of none.
Result<StillWater> findStillWater(const Raster& raster, double step, const StillWaterRule& rule = {},
                                  const std::function<bool()>& goOn = {});

}  // namespace orogen
