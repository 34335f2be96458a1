// Statistics of tile streaming, for panels, reports and scripts.
#pragma once

#include <cstdint>

namespace orogen {

struct TileStats
{
    int resident = 0;                      // tiles in memory
    int capacity = 0;                      // tiles that the budget holds
    int wanted = 0;                        // always-resident tiles, and tiles in view
    int missing = 0;                       // wanted, but not in memory (an ancestor is drawn), or to be replaced
    int fading = 0;                        // wanted and in memory, but not faded in fully
    int loading = 0;                       // tiles being read
    int failed = 0;                        // wanted or to be replaced, and the last read failed
    std::uint64_t loaded = 0;              // tiles loaded since the terrain was opened
    std::uint64_t evicted = 0;             // tiles evicted since the terrain was opened
    std::uint64_t bytesRead = 0;           // from files or the network, since the terrain was opened
    std::uint64_t requests = 0, hits = 0;  // tiles that became wanted, and how many of them were in memory
    std::uint64_t budgetBytes = 0, residentBytes = 0;
    float coarser = 1;  // factor by which the budget coarsens the requested sample spacing
    // Sample spacing (metres) of the finest tile counted in `wanted`, and the spacing reached in all of these tiles.
    // They are equal if all of these are in memory, and 0 before the first update.
    double samplesWanted = 0, samplesShown = 0;

    bool settled() const { return missing == 0; }
};

}  // namespace orogen
