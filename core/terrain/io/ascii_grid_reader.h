// Reader of ESRI ASCII grids, NAME.asc: a header, then the samples as text, row by row from the north.
// Source: Esri, "Esri ASCII raster format"; dx and dy as GDAL and SAGA write them.
#pragma once

#include <string_view>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Returns whether a file that begins with `head` is an ASCII grid: blanks, and one of the header's words.
bool isAsciiGrid(std::string_view head);

// Reads an ASCII grid. Its header has, in any order and case: ncols, nrows; cellsize, or dx and dy; xllcorner or
// xllcenter and yllcorner or yllcenter (without them the raster has no position); nodata_value (optional). Samples that
// are not finite are voids, too. Separators are blanks and line ends, also CR LF. Numbers: 12, -1.5, 1.5e+02, nan.
// Memory: the raster and 64 KiB. Errors: kInput (an invalid header or number, a truncated file, a size that
// the file cannot hold), kLimit, kInterrupted. Text after the last sample is a warning.
Result<Raster> readAsciiGrid(const ByteSource& source, const LoadProgress& progress = {});

}  // namespace orogen
