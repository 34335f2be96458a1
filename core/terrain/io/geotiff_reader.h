// Reader of GeoTIFF, BigTIFF and plain TIFF with one band of heights, through libtiff.
#pragma once

#include <cstdint>
#include <span>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_layout.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

bool isTiff(std::span<const unsigned char> head);  // `head`: the beginning of the file

// Reads samples of 8, 16, 32, 64 bits (integer), 9 to 15 and 24 bits (unsigned), or 16, 32, 64 bits (floating-point).
// They are in strips or tiles, uncompressed or compressed with Deflate, LZW, PackBits, Zstandard or LERC, with any
// predictor. Only the first of several bands is read, with a warning; colour is an error. Tiles omitted from the file
// (GDAL's sparse files) are voids if it has a "no data" value, otherwise samples of 0. Tags read: 33550, 33922, 34264,
// 34735 to 34737 (see georeference.h), 42112 (scale and offset), 42113 (nodata).
// Memory: the raster, a row or a tile, and the compressed bytes of a strip or tile. The caller calls setPixelSize().
Result<Raster> readGeoTiff(const ByteSource& source, const LoadProgress& progress = {});

// Returns whether a file of this size can hold its image. Rejects small files whose image exceeds any compression,
// damaged ones, and ones with most of their tiles omitted.
bool canHoldImage(const TiffLayout& layout, std::uint64_t fileSize);

// Reads the metadata as readGeoTiff() does, without the samples: size, placement, coordinate system.
Result<Raster> readGeoTiffHeader(const ByteSource& source);

}  // namespace orogen
