// Elevation models from files, from folders of tiles, and made ones, by their names.
#pragma once

#include <string>

#include "core/base/status.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Opens what the command line calls a DEM: a file (PNG, GeoTIFF, .hgt, .hgt.zip, .asc, raw named NAME_WIDTHxHEIGHT.raw,
// what GDAL reads where it was built in), a folder of tiles that form one raster, or "synthetic:SIZE[:SEED]".  What a
// file is, is told by its content; only .hgt and raw, which have no magic number, go by their names. The least raster
// is 2x2.  A source without units is read as metres, one without a pixel size as kUnknownPixel metres a pixel, each
// with a warning; `overrides` take the place of what the source says.  Errors: kUsage (a synthetic: that is none, or
// overrides of one), kInput (one line: file, place, found, expected), kLimit (does not fit in memory), kInterrupted.
Result<Raster> loadRaster(const std::string& dem, const LoadProgress& progress = {},
                          const SourceOverrides& overrides = {});

// The same for one file, by its name and content, which may lie in memory.
Result<Raster> readRaster(const ByteSource& source, const LoadProgress& progress = {},
                          const SourceOverrides& overrides = {});

// Whether that would ask GDAL: no reader of ours knows the file.
bool isReadByGdal(const ByteSource& source);

}  // namespace orogen
