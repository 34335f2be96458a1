// ESRI ASCII grids, NAME.asc: a header of words and numbers, then the samples as text, row by row from the north.
// Source: Esri, "Esri ASCII raster format"; dx and dy as GDAL and SAGA write them.
#pragma once

#include <string_view>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Whether a file that begins like this is one: blanks, and one of the header's words.
bool isAsciiGrid(std::string_view head);

// Header, in any order and case: ncols, nrows; cellsize, or dx and dy; xllcorner or xllcenter and yllcorner or
// yllcenter (without them the raster has no position); nodata_value (without it no sample is a void).  Blanks and ends
// of lines, also "\r\n", only separate.  Numbers as 12, -1.5, 1.5e+02, nan.  The file is read in pieces: memory is that
// of the raster and 64 KiB.  Errors, kInput: line and column of a word that is no number, a file that ends early, a
// size that the file cannot hold.  What follows the last sample is a warning.
Result<Raster> readAsciiGrid(const ByteSource& source, const LoadProgress& progress = {});

}  // namespace orogen
