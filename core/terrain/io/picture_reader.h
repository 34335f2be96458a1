// Reader of pictures: aerial photographs and scanned maps, which are laid over a terrain, and heights encoded as
// colours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// An image; row 0 is the northern one. Four bytes per pixel: red, green and blue in sRGB, and alpha.
struct Picture
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    std::optional<Placement> placement;  // refers to pixel centres; empty: not in the source
    std::string name, format, crs;       // as in Raster
    std::vector<std::string> warnings;
    std::string credit;  // the file's own copyright; empty: it names none
    bool grey = false;   // in the source; red, green and blue are equal
    bool lossy = false;  // decoded from JPEG
};

// Reads PNG with at most 8 bits per sample, also with a palette, and TIFF of 8-bit grey, RGB, RGBA or JPEG's YCbCr.
// TIFF may be in strips or tiles, in any compression that libtiff was built to decode. The position comes from GeoTIFF
// tags or a world file. Errors: kInput (one line: file, place, found, expected; also for more than kMaxRasterSide a
// side), kLimit (does not fit in memory), kInterrupted. Memory: 4 bytes per pixel.
Result<Picture> readPicture(const ByteSource& source, const LoadProgress& progress = {});
Result<Picture> loadPicture(const std::string& path, const LoadProgress& progress = {});

// Reads heights (metres) from the colours of such a picture, as SourceOverrides::encoding says; transparent pixels are
// voids. The caller takes the further steps of readRaster(): overrides, nodata values and pixel size. Errors: those of
// readPicture(); kInput for a picture that is grey or compressed by JPEG. Memory: 8 bytes per pixel while it reads.
Result<Raster> readColourHeights(const ByteSource& source, HeightEncoding encoding, const LoadProgress& progress = {});

}  // namespace orogen
