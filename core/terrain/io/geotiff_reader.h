// Reader of GeoTIFF, BigTIFF and plain TIFF with one band of heights, through libtiff. The layout of an image from its
// tags is shared with the reader of tiles (core/terrain/sources/geotiff_tiles.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/tiff_file.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

struct TiffCompression
{
    std::uint16_t scheme = COMPRESSION_NONE;
    const char* name = "none";
    std::uint64_t ratio = 1;  // upper bound of decoded bytes per compressed byte
};

// Layout of one image of a file. A chunk is a tile or a strip.
struct TiffLayout
{
    std::uint32_t width = 0, height = 0;
    std::uint32_t chunkWidth = 0, chunkHeight = 0;  // tile size; strip: image width and rows per strip
    std::uint16_t bands = 1;                        // interleaved in a chunk; 1 if stored in separate planes
    TiffCompression compression;
    bool tiled = false;
    SampleRule rule;     // for unpacked samples, in native byte order
    int packedBits = 0;  // bits of a sample in libtiff's output if it is packed; 0: not packed
    float missing = 0;   // height of omitted chunks: that of the sample value 0; NaN if the file states a nodata value

    std::size_t pixelBytes() const { return std::size_t(bands) * std::size_t(bytesOf(rule.type)); }
    // Returns the bytes of `columns` adjacent pixels in libtiff's output.
    std::size_t rowBytes(std::size_t columns) const
    {
        return packedBits == 0 ? columns * pixelBytes() : (columns * bands * std::size_t(packedBits) + 7) / 8;
    }
    // Unpacks consecutive rows of a chunk's width to whole samples; does nothing if they are not packed.
    void unpack(std::vector<std::byte>& rows) const;
    std::uint32_t across() const { return (width - 1) / chunkWidth + 1; }  // chunks
    std::uint32_t down() const { return (height - 1) / chunkHeight + 1; }
    std::string chunkName(std::uint64_t index) const;  // for messages: "tile 7"
};

struct GeoTiffHeader
{
    Raster raster;  // without heights
    TiffLayout layout;
    Georeference geo;
};

// Reads the header of the file's current directory. Errors, kInput: the image is not a supported band of heights, has
// sides outside 2 to `largestSide`, or a position that is not finite. Does not check canHoldImage().
Result<GeoTiffHeader> readGeoTiffHeader(const TiffFile& file, std::uint64_t largestSide);

// Place of a chunk in the file.
struct TiffChunk
{
    std::uint32_t index = 0;
    std::uint64_t bytes = 0;              // in libtiff's output
    std::uint64_t offset = 0, count = 0;  // in the file
    bool missing = false;                 // omitted from the file
};

// Returns a chunk's place. Checks that the file can hold a chunk of `rows` rows before memory is allocated for it.
Result<TiffChunk> locateChunk(TiffFile& file, const TiffLayout& layout, std::uint32_t index, std::uint32_t rows,
                              std::uint64_t fileSize);

// Returns whether a file that begins with `head` (4 bytes or more) is a TIFF or BigTIFF.
bool isTiff(std::span<const unsigned char> head);

// Reads samples of 8, 16, 32, 64 bits (integer), 9 to 15 and 24 bits (unsigned), or 16, 32, 64 bits (floating-point).
// They are in strips or tiles, uncompressed or compressed with Deflate, LZW, PackBits, Zstandard or LERC, with any
// predictor. Only the first of several bands is read, with a warning; 8-bit RGB, palettes and other colours are errors.
// Tiles omitted from the file (GDAL's sparse files) are voids if it states a "no data" value, otherwise samples of 0.
// Private tags read: 33550, 33922, 34264, 34735 to 34737 (georeference.h), 42112 (scale, offset, unit), 42113 (nodata).
// Memory: the raster, a row or a tile, and the compressed bytes of a strip or tile. The caller calls setPixelSize().
Result<Raster> readGeoTiff(const ByteSource& source, const LoadProgress& progress = {});

// Returns whether a file of this size can hold its image, at the compression's highest ratio or 1040, the larger of
// the two. A truncated file may be too small, and so may a file that omits most of its tiles.
bool canHoldImage(const TiffLayout& layout, std::uint64_t fileSize);

// Reads the metadata as readGeoTiff() does, without the samples: size, placement, coordinate system.
Result<Raster> readGeoTiffHeader(const ByteSource& source);

}  // namespace orogen
