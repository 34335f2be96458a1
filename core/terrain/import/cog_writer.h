// Writer of the final file of an import: a Cloud Optimized GeoTIFF with the bounds of its tiles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/import/block_store.h"

namespace orogen {

struct FinishedImport
{
    std::uint64_t bytes = 0;        // size of the file
    std::vector<float> deviations;  // largest TileBounds::deviation of each level (metres)
};

// Joins all parts, which must be complete, into the file `path`, atomically. The intermediate file is `path`.joining,
// which a retry replaces. The layout is that of GDAL's driver: header, a text that describes the layout, directories
// from the finest level to the coarsest and their lists of blocks. Blocks follow from the coarsest level to the finest,
// row by row; bounds are last (see stored_bounds.h). Writes a BigTIFF from `bigFrom` bytes on. Keeps one record in
// memory. Errors: kOutput; kInput, a part is damaged; kInterrupted, `progress` returned false.
Result<FinishedImport> writeCog(const BlockStore& store, const std::string& path, const LoadProgress& progress,
                                std::uint64_t bigFrom);

}  // namespace orogen
