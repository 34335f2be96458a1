// What a GeoTIFF's tags say before any sample is read: what the readers of whole files and of tiles share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/terrain/io/reading.h"
#include "core/terrain/io/tiff_file.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

struct TiffCompression
{
    std::uint16_t scheme = COMPRESSION_NONE;
    const char* name = "none";
    std::uint64_t ratio = 1;  // bytes that one byte of it can stand for, rounded up
};

// One image of a file.  A chunk is a tile, or a strip.
struct TiffLayout
{
    std::uint32_t width = 0, height = 0;
    std::uint32_t chunkWidth = 0, chunkHeight = 0;  // of a tile; of a strip: the width and its rows
    std::uint16_t bands = 1;                        // interleaved in a chunk: 1 if they lie in planes
    TiffCompression compression;
    bool tiled = false;
    SampleRule rule;     // of whole samples, in this machine's byte order
    int packedBits = 0;  // of a sample as libtiff hands it out, where that is no whole one; 0: it is
    float missing = 0;   // height where a chunk is left out: of a sample 0, or NaN where a "no data" value is named

    std::size_t pixelBytes() const { return std::size_t(bands) * std::size_t(bytesOf(rule.type)); }
    // Of `columns` pixels side by side, as libtiff hands them out.
    std::size_t rowBytes(std::size_t columns) const
    {
        return packedBits == 0 ? columns * pixelBytes() : (columns * bands * std::size_t(packedBits) + 7) / 8;
    }
    // Rows of a chunk's width, one behind the other, become whole samples in the same way; nothing where they are.
    void unpack(std::vector<std::byte>& rows) const;
    std::uint32_t across() const { return (width - 1) / chunkWidth + 1; }  // chunks
    std::uint32_t down() const { return (height - 1) / chunkHeight + 1; }
    std::string chunkName(std::uint64_t index) const;  // "tile 7"
};

struct GeoTiffHeader
{
    Raster raster;  // without heights
    TiffLayout layout;
    Georeference geo;
};

// Of the file's present directory.  Errors, kInput: what is no band of heights that we read, sides outside 2 to
// `largestSide`.  Whether the file can hold what it claims is left to the caller.
Result<GeoTiffHeader> readGeoTiffHeader(const TiffFile& file, std::uint64_t largestSide);

struct TiffChunk
{
    std::uint32_t index = 0;
    std::uint64_t bytes = 0;              // as libtiff hands it out
    std::uint64_t offset = 0, count = 0;  // in the file
    bool missing = false;                 // left out of the file
};

// Whether the file really holds a chunk of so many rows, before anything is allocated for it.
Result<TiffChunk> locateChunk(TiffFile& file, const TiffLayout& layout, std::uint32_t index, std::uint32_t rows,
                              std::uint64_t fileSize);

}  // namespace orogen
