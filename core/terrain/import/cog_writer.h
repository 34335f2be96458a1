// The finished file of an import: a Cloud Optimized GeoTIFF with the bounds of its tiles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/import/block_store.h"

namespace orogen {

struct FinishedImport
{
    std::uint64_t bytes = 0;
    std::vector<float> deviations;  // metres, the largest of each level
};

// Joins all parts, which are complete, as `path`, atomically: while it is written it is `path`.joining, which the next
// try replaces.  Laid out as GDAL's driver does: header, GDAL's note of the layout, directories from the finest level
// to the coarsest, their lists of blocks, then the blocks from the coarsest level to the finest, row by row; the bounds
// are last (see stored_bounds.h).  BigTIFF from `bigFrom` bytes on.  Memory: a record.  Errors: kOutput; kInput, a part
// is damaged; kInterrupted.
Result<FinishedImport> writeCog(const BlockStore& store, const std::string& path, const LoadProgress& progress,
                                std::uint64_t bigFrom);

}  // namespace orogen
