// Reader of a folder of tiles as one raster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Reads the tiles of a folder: .hgt files, or .zip files with one .hgt in them, whose names give their position, or
// .tif and .tiff files with a georeference. Other files are ignored. Tiles must share one grid: the same pixel size and
// coordinate system, and offsets of whole pixels. Where they overlap, heights replace voids, and the tile with the
// later name wins. Places without a tile are voids. Errors: kInput, with both files in a conflict; kLimit;
// kInterrupted. Memory: the raster and the largest tile.
Result<Raster> readTiles(const std::string& folder, const LoadProgress& progress = {},
                         const SourceOverrides& overrides = {});

bool isTiffName(const std::string& path);  // ends in .tif or .tiff, in any case

struct FolderTile
{
    std::string path;
    Raster header;                     // without heights
    std::int64_t column = 0, row = 0;  // position of its first sample in the folder's raster
};

struct TileFolder
{
    Raster raster;  // bounding rectangle of all tiles, without heights
    std::vector<FolderTile> tiles;
};

// Reads the headers of the files. Errors: those of readTiles(), and sides outside 2 to `largestSide`.
Result<TileFolder> lookAtFolder(const std::string& folder, std::uint64_t largestSide = kMaxRasterSide);

}  // namespace orogen
