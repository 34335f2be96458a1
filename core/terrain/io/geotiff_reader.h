// GeoTIFF, BigTIFF and plain TIFF: one band of heights, through libtiff.
#pragma once

#include <cstdint>
#include <span>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_layout.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

bool isTiff(std::span<const unsigned char> head);  // what the file begins with

// Samples of 8, 16, 32, 64 bits (whole), of 9 to 15 and 24 bits (unsigned) and of 16, 32, 64 bits (floating), in strips
// or tiles, uncompressed or compressed with Deflate, LZW, PackBits, Zstandard or LERC, any predictor.  Of several bands
// the first is read, with a warning; colour is an error.  Tiles that the file leaves out (GDAL's sparse files) are
// voids where it names a "no data" value, else samples of 0.  Tags read: 33550, 33922, 34264, 34735
// to 34737 (see georeference.h), 42112 (scale and offset), 42113 (nodata).
// Memory: the raster, a row or a tile, and what one strip or tile is compressed to.  The pixel size in metres is left
// to setPixelSize().
Result<Raster> readGeoTiff(const ByteSource& source, const LoadProgress& progress = {});

// Whether readGeoTiff() takes a file of so many bytes for one that can hold its image: not a small one whose claim lies
// beyond any compression, a damaged one or one that leaves most of its tiles out.
bool canHoldImage(const TiffLayout& layout, std::uint64_t fileSize);

// What readGeoTiff() reads, without the samples: size, placement, coordinate system.
Result<Raster> readGeoTiffHeader(const ByteSource& source);

}  // namespace orogen
