// A folder of tiles as one raster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Tiles are the .hgt files, or .zip files with one .hgt in them, whose names tell their position, or the .tif and .tiff
// files with a georeference; other files are passed over.  They must lie on one grid: the same pixel size and
// coordinate system, positions a whole number of pixels apart.  Where tiles overlap a height wins over a void, and the
// later name over the earlier.  What no tile covers is void.  Errors (kInput) name both files that do not fit each
// other. Memory: the whole raster and the largest tile.
Result<Raster> readTiles(const std::string& folder, const LoadProgress& progress = {},
                         const SourceOverrides& overrides = {});

bool isTiffName(const std::string& path);  // ends in .tif or .tiff, in any case

struct FolderTile
{
    std::string path;
    Raster header;                     // without heights
    std::int64_t column = 0, row = 0;  // of its first sample, in the folder's raster
};

struct TileFolder
{
    Raster raster;  // the rectangle around all tiles, without heights
    std::vector<FolderTile> tiles;
};

// What the files' headers say; errors as of readTiles(), and sides outside 2 to `largestSide`.
Result<TileFolder> lookAtFolder(const std::string& folder, std::uint64_t largestSide = kMaxRasterSide);

}  // namespace orogen
