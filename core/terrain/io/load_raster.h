// Loading of elevation models by name: files, folders of tiles, and synthetic terrains.
#pragma once

#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Opens a DEM as named on the command line: a file of a format listed in assets/docs/use/formats.md, a folder of tiles
// that form one raster, "synthetic:SIZE[:SEED]", or a GDAL path, which may name the network. The content determines the
// format, except for .hgt and raw (NAME_WIDTHxHEIGHT.raw), which have no magic number. The smallest raster is 2x2. If
// the source gives no unit, heights are read as metres, for a PNG with a warning. If it gives no pixel size,
// kUnknownPixel is assumed, with a warning. `overrides` replace the source's metadata. Errors: kUsage (an invalid
// synthetic: name, or overrides for one; an encoding for a folder or GDAL path), kInput (one line: the file, the place
// in it, what was found and what was expected), kLimit (does not fit in memory), kInterrupted.
Result<Raster> loadRaster(const std::string& dem, const LoadProgress& progress = {},
                          const SourceOverrides& overrides = {});

// Like loadRaster() for one file, which may be in memory.
Result<Raster> readRaster(const ByteSource& source, const LoadProgress& progress = {},
                          const SourceOverrides& overrides = {});

// Returns whether GDAL reads the file: no built-in reader recognises it, and GDAL is available.
bool isReadByGdal(const ByteSource& source);

// ---- files that the built-in readers do not support ----

// Format recognised from a file's beginning or name.
struct ForeignFormat
{
    std::string_view name;  // "a netCDF file"; empty: not recognised
    bool gdal = false;      // GDAL can read it
};

// Returns one line, without the file's name: why this build cannot read the file, and what can.
std::string foreignMessage(const ForeignFormat& format);

}  // namespace orogen
