// What the streaming of a tiled terrain tells of itself, for panels, reports and scripts.
#pragma once

#include <cstdint>

namespace orogen {

struct TileStats
{
    int resident = 0;                      // tiles in the budget
    int capacity = 0;                      // tiles that the budget holds
    int wanted = 0;                        // by the present view, and in it
    int missing = 0;                       // wanted, and not resident: an ancestor is drawn instead
    int fading = 0;                        // wanted and resident, and not drawn in full yet
    int loading = 0;                       // being read now
    int failed = 0;                        // wanted, and not readable at the last try
    std::uint64_t loaded = 0;              // since the terrain was opened
    std::uint64_t evicted = 0;             // likewise
    std::uint64_t bytesRead = 0;           // likewise, from files or the network
    std::uint64_t requests = 0, hits = 0;  // tiles that came to be wanted, and those that were resident already
    std::uint64_t budgetBytes = 0, residentBytes = 0;
    float coarser = 1;  // samples are this many times as far apart as asked for, because the budget is too small
    // Metres between samples: as the finest tile in view has them once all are there, and as all that is in view has at
    // least where it wants them; equal where no tile is missing.  0: nothing is in view.
    double samplesWanted = 0, samplesShown = 0;

    double hitRate() const { return requests == 0 ? 1.0 : double(hits) / double(requests); }
    bool settled() const { return missing == 0; }
};

}  // namespace orogen
