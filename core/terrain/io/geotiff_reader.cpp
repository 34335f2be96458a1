#include "core/terrain/io/geotiff_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/terminal_text.h"
#include "core/terrain/io/geotiff_layout.h"

namespace orogen {
namespace {

constexpr std::uint64_t kSparseRatio = 1040;      // decoded bytes per byte of a file with omitted tiles
constexpr std::uint64_t kLargestTile = 1u << 30;  // decoded; allocated at once
constexpr std::uint64_t kLargeChunk = 64u << 20;  // compressed; libtiff allocates a strip or tile at once

Status checkClaim(const TiffFile& file, const TiffLayout& layout, std::uint64_t fileSize)
{
    if (canHoldImage(layout, fileSize)) return Status::ok();
    return inputError(file.name(),
                      fmt::format("tags 256 and 257: {} x {} samples, which is more than {} bytes can hold",
                                  layout.width, layout.height, fileSize));
}

class Decoder
{
public:
    Decoder(TiffFile& file, const TiffLayout& layout, std::uint64_t fileSize, Raster& raster)
        : file_(file), layout_(layout), fileSize_(fileSize), raster_(raster)
    {
    }

    Status run(const LoadProgress& callback)
    {
        Progress progress(callback, file_.name());
        for (std::uint32_t row = 0; row < layout_.height; row += layout_.chunkHeight)
        {
            if (!progress.at(row, layout_.height)) return progress.interrupted();
            const std::uint32_t rows = std::min(layout_.chunkHeight, layout_.height - row);
            if (Status status = layout_.tiled ? readTiles(row, rows) : readStrip(row, rows, progress); !status)
                return status;
        }
        if (missing_ > 0)
            raster_.warnings.push_back(fmt::format(
                "{} strips or tiles are left out of the file: {}", missing_,
                std::isnan(layout_.missing) ? "voids"
                                            : fmt::format("{:g} m, since it names no nodata value", layout_.missing)));
        return Status::ok();
    }

private:
    // Resizes the heights, within reserved memory, to the rows decoded so far.
    void growTo(std::uint32_t rows)
    {
        const std::size_t count = std::size_t(rows) * layout_.width;
        if (raster_.heights.size() < count) raster_.heights.resize(count, layout_.missing);
    }
    std::span<float> samples(std::uint32_t row, std::uint32_t column, std::uint32_t count)
    {
        return std::span(raster_.heights).subspan(std::size_t(row) * layout_.width + column, count);
    }
    Result<TiffChunk> locate(std::uint32_t index, std::uint32_t rows)
    {
        Result<TiffChunk> chunk = locateChunk(file_, layout_, index, rows, fileSize_);
        if (!chunk) return chunk;
        if (chunk->missing) ++missing_;
        if (layout_.compression.scheme != COMPRESSION_NONE && chunk->count > kLargeChunk)
            if (Status status = checkMemory(printable(file_.name()), chunk->count); !status) return status.error();
        return chunk;
    }

    // Reads line by line, so that a file of one strip needs no second copy of the raster.
    Status readStrip(std::uint32_t row, std::uint32_t rows, Progress& progress)
    {
        const Result<TiffChunk> chunk = locate(row / layout_.chunkHeight, rows);
        if (!chunk) return chunk.error();
        if (chunk->missing) return growTo(row + rows), Status::ok();
        for (std::uint32_t i = row; i < row + rows; ++i)
        {
            if (!progress.at(i, layout_.height)) return progress.interrupted();
            buffer_.resize(std::max(std::size_t(TIFFScanlineSize64(file_.handle())), layout_.rowBytes(layout_.width)));
            if (TIFFReadScanline(file_.handle(), buffer_.data(), i, 0) != 1)
                return file_.error(fmt::format("row {}", i));
            buffer_.resize(layout_.rowBytes(layout_.width));
            layout_.unpack(buffer_);
            growTo(i + 1);
            convertSamples(layout_.rule, buffer_.data(), layout_.pixelBytes(), samples(i, 0, layout_.width));
        }
        return Status::ok();
    }

    Status readTiles(std::uint32_t row, std::uint32_t rows)
    {
        for (std::uint32_t column = 0; column < layout_.width; column += layout_.chunkWidth)
        {
            const Result<TiffChunk> chunk =
                locate(TIFFComputeTile(file_.handle(), column, row, 0, 0), layout_.chunkHeight);
            if (!chunk) return chunk.error();
            if (chunk->missing) continue;
            if (chunk->bytes > kLargestTile)
                return inputError(file_.name(),
                                  fmt::format("{}: {} bytes decoded, expected at most {}",
                                              layout_.chunkName(chunk->index), chunk->bytes, kLargestTile));
            buffer_.resize(std::size_t(chunk->bytes));
            const tmsize_t size = tmsize_t(chunk->bytes);
            if (TIFFReadEncodedTile(file_.handle(), chunk->index, buffer_.data(), size) != size)
                return file_.error(layout_.chunkName(chunk->index));
            layout_.unpack(buffer_);
            growTo(row + rows);
            const std::uint32_t columns = std::min(layout_.chunkWidth, layout_.width - column);
            for (std::uint32_t i = 0; i < rows; ++i)
                convertSamples(layout_.rule,
                               buffer_.data() + std::size_t(i) * layout_.chunkWidth * layout_.pixelBytes(),
                               layout_.pixelBytes(), samples(row + i, column, columns));
        }
        growTo(row + rows);
        return Status::ok();
    }

    TiffFile& file_;
    const TiffLayout& layout_;
    std::uint64_t fileSize_;
    Raster& raster_;
    std::vector<std::byte> buffer_;
    std::uint64_t missing_ = 0;
};

Result<GeoTiffHeader> readHeader(const TiffFile& file, std::uint64_t fileSize)
{
    Result<GeoTiffHeader> header = readGeoTiffHeader(file, kMaxRasterSide);
    if (!header) return header;
    if (Status status = checkClaim(file, header->layout, fileSize); !status) return status.error();
    return header;
}

}  // namespace

bool isTiff(std::span<const unsigned char> head)
{
    if (head.size() < 4) return false;
    const bool little = head[0] == 'I' && head[1] == 'I' && head[3] == 0;
    const bool big = head[0] == 'M' && head[1] == 'M' && head[2] == 0;
    const unsigned char version = little ? head[2] : head[3];
    return (little || big) && (version == 42 || version == 43);
}

bool canHoldImage(const TiffLayout& layout, std::uint64_t fileSize)
{
    const std::uint64_t bytes = std::uint64_t(layout.width) * layout.height * bytesOf(layout.rule.type);
    return bytes / std::max(layout.compression.ratio, kSparseRatio) <= fileSize;
}

Result<Raster> readGeoTiffHeader(const ByteSource& source)
{
    const Result<TiffFile> file = TiffFile::open(source);
    if (!file) return file.error();
    Result<GeoTiffHeader> header = readHeader(*file, source.size());
    if (!header) return header.error();
    return std::move(header->raster);
}

Result<Raster> readGeoTiff(const ByteSource& source, const LoadProgress& progress)
{
    Result<TiffFile> file = TiffFile::open(source);
    if (!file) return file.error();
    Result<GeoTiffHeader> header = readHeader(*file, source.size());
    if (!header) return header.error();
    Raster& raster = header->raster;
    if (Status status = reserveHeights(raster, header->layout.width, header->layout.height); !status)
        return status.error();
    if (Status status = Decoder(*file, header->layout, source.size(), raster).run(progress); !status)
        return status.error();
    unmirror(raster, header->geo);
    return std::move(raster);
}

}  // namespace orogen
