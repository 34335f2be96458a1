#include "core/terrain/sources/tiff_samples.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/terminal_text.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {
namespace {

constexpr std::uint64_t kManyChunks = 1 << 22;  // beyond it, the free memory is checked
constexpr std::size_t kShortGap = 4096;         // longest gap between samples that is read rather than skipped (bytes)

// Returns the index of the first position after `from` that lies in another chunk of `chunk` samples.
std::size_t endOfChunk(std::span<const int> at, std::size_t from, std::uint32_t chunk)
{
    std::size_t to = from;
    while (to < at.size() && std::uint32_t(at[to]) / chunk == std::uint32_t(at[from]) / chunk)
        ++to;
    return to;
}

// Returns the end of the run from `from` on whose positions are at most `gap` apart.
std::size_t endOfRun(std::span<const int> at, std::size_t from, std::size_t gap)
{
    std::size_t to = from + 1;
    while (to < at.size() && std::size_t(at[to] - at[to - 1]) <= gap)
        ++to;
    return to;
}

// Returns whether chunks are decoded as a whole; otherwise single samples are read.
bool decodedWhole(const TiffLayout& layout)
{
    return layout.compression.scheme != COMPRESSION_NONE || layout.packedBits > 0;
}

bool sameImage(const TiffLayout& a, const TiffLayout& b)
{
    return a.width == b.width && a.height == b.height && a.chunkWidth == b.chunkWidth &&
           a.chunkHeight == b.chunkHeight && a.tiled == b.tiled && a.rule.type == b.rule.type &&
           a.packedBits == b.packedBits && a.bands == b.bands;
}

// `row`: the samples of a row from column `first` on.
void convertColumns(const TiffLayout& layout, const SampleRule& rule, const std::byte* row, int first,
                    std::span<const int> columns, float* out)
{
    const std::size_t pixel = layout.pixelBytes();
    for (std::size_t from = 0; from < columns.size();)
    {
        const std::size_t to = endOfRun(columns, from, 1);
        convertSamples(rule, row + std::size_t(columns[from] - first) * pixel, pixel, std::span(out + from, to - from));
        from = to;
    }
}

}  // namespace

// Columns and rows of one chunk, and the destination of their heights: out[row * stride + column].
struct TiffSamples::Part
{
    std::span<const int> columns, rows;
    float* out;
    std::size_t stride;
};

Status checkChunks(TiffFile& file, const TiffImage& image, std::uint64_t fileSize)
{
    const TiffLayout& layout = image.layout;
    const char* const kind = layout.tiled ? "tile" : "strip";
    // A chunk takes at least 4 bytes of the list of offsets and 2 of that of counts.
    const std::uint64_t chunks = std::uint64_t(layout.across()) * layout.down();
    if ((chunks > 1 && chunks > fileSize / 6) || chunks > 0xffffffffu)
        return inputError(file.name(), fmt::format("tags 256 and 257: {} x {} samples in {} {}s, which is more than {} "
                                                   "bytes can list",
                                                   layout.width, layout.height, chunks, kind, fileSize));
    // libtiff keeps both lists up to the requested chunk, here the last one.
    if (chunks > kManyChunks)
        if (Status status = checkMemory(printable(file.name()), chunks * 16); !status) return status;
    const std::uint32_t tag = layout.tiled ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS;
    const std::uint64_t listed = file.valueCount(image.directory, tag);
    if (listed < chunks)
        return inputError(file.name(), fmt::format("tag {}: {} {}s, expected {}", tag, listed, kind, chunks));
    const std::uint64_t bytes = std::uint64_t(layout.chunkWidth) * layout.chunkHeight * layout.pixelBytes();
    if (decodedWhole(layout) && bytes > kLargestChunk)
        return inputError(file.name(),
                          fmt::format("{}s of {} compressed or packed as a whole, expected {} at most to "
                                      "be read in pieces (gdal_translate -co TILED=YES makes such a file of it)",
                                      kind, bytesText(double(bytes)), bytesText(double(kLargestChunk))));
    const std::uint32_t lastRows =
        layout.tiled ? layout.chunkHeight : layout.height - (layout.down() - 1) * layout.chunkHeight;
    const Result<TiffChunk> last = locateChunk(file, layout, std::uint32_t(chunks - 1), lastRows, fileSize);
    return last ? Status::ok() : last.error();
}

TiffSamples::TiffSamples(ByteSource source, std::size_t cacheBytes)
    : source_(std::move(source)), cacheBytes_(cacheBytes)
{
}

Result<std::unique_ptr<TiffSamples>> TiffSamples::open(const std::string& path, const std::vector<TiffImage>& images,
                                                       std::size_t cacheBytes)
{
    Result<ByteSource> source = ByteSource::open(path);
    if (!source) return source.error();
    std::unique_ptr<TiffSamples> samples(new TiffSamples(std::move(*source), cacheBytes));
    for (const TiffImage& image : images)
    {
        Result<TiffFile> file = TiffFile::open(samples->source_, TiffFile::Index::kOnDemand);
        if (!file) return file.error();
        if (Status status = file->select(image.directory); !status) return status.error();
        const Result<GeoTiffHeader> header = readGeoTiffHeader(*file, kMaxTiledSide);
        if (!header) return header.error();
        if (!sameImage(header->layout, image.layout))
            return inputError(path, "the file has changed since it was opened");
        samples->images_.push_back({std::move(*file), image.layout});
    }
    return samples;
}

Status TiffSamples::gather(std::size_t image, std::span<const int> columns, std::span<const int> rows,
                           std::span<float> out)
{
    const TiffLayout& layout = images_[image].layout;
    for (std::size_t row = 0; row < rows.size();)
    {
        const std::size_t rowEnd = endOfChunk(rows, row, layout.chunkHeight);
        for (std::size_t column = 0; column < columns.size();)
        {
            const std::size_t columnEnd = endOfChunk(columns, column, layout.chunkWidth);
            const Part part{columns.subspan(column, columnEnd - column), rows.subspan(row, rowEnd - row),
                            out.data() + row * columns.size() + column, columns.size()};
            if (Status status = gatherChunk(image, part); !status) return status;
            column = columnEnd;
        }
        row = rowEnd;
    }
    return Status::ok();
}

Status TiffSamples::gatherChunk(std::size_t image, const Part& part)
{
    Image& from = images_[image];
    const TiffLayout& layout = from.layout;
    const std::uint32_t x = std::uint32_t(part.columns[0]) / layout.chunkWidth;
    const std::uint32_t y = std::uint32_t(part.rows[0]) / layout.chunkHeight;
    const std::uint32_t rows =
        layout.tiled ? layout.chunkHeight : std::min(layout.chunkHeight, layout.height - y * layout.chunkHeight);
    const Result<TiffChunk> chunk = locateChunk(from.file, layout, y * layout.across() + x, rows, source_.size());
    if (!chunk) return chunk.error();
    if (chunk->missing)
    {
        for (std::size_t row = 0; row < part.rows.size(); ++row)
            std::fill_n(part.out + row * part.stride, part.columns.size(), layout.missing);
        return Status::ok();
    }
    if (!decodedWhole(layout)) return readPlain(from, *chunk, part);
    const Result<std::span<const std::byte>> bytes = decoded(image, *chunk);
    if (!bytes) return bytes.error();
    for (std::size_t row = 0; row < part.rows.size(); ++row)
    {
        const std::size_t inChunk = std::uint32_t(part.rows[row]) - y * layout.chunkHeight;
        convertColumns(layout, layout.rule, bytes->data() + inChunk * layout.chunkWidth * layout.pixelBytes(),
                       int(x * layout.chunkWidth), part.columns, part.out + row * part.stride);
    }
    return Status::ok();
}

Status TiffSamples::readPlain(Image& image, const TiffChunk& chunk, const Part& part)
{
    const TiffLayout& layout = image.layout;
    const std::size_t pixel = layout.pixelBytes();
    SampleRule rule = layout.rule;
    rule.bigEndian = TIFFIsBigEndian(image.file.handle()) != 0;
    for (std::size_t row = 0; row < part.rows.size(); ++row)
        for (std::size_t from = 0; from < part.columns.size();)
        {
            const std::size_t to = endOfRun(part.columns, from, std::max<std::size_t>(kShortGap / pixel, 1));
            const int first = part.columns[from];
            plain_.resize(std::size_t(part.columns[to - 1] - first + 1) * pixel);
            const std::uint64_t inChunk =
                std::uint32_t(part.rows[row]) % layout.chunkHeight * std::uint64_t(layout.chunkWidth) +
                std::uint32_t(first) % layout.chunkWidth;
            const std::uint64_t at = inChunk * pixel;
            if (at + plain_.size() > chunk.count)
                return inputError(source_.name(), fmt::format("{}: {} bytes, expected {}",
                                                              layout.chunkName(chunk.index), chunk.count, chunk.bytes));
            const std::size_t count = source_.read(chunk.offset + at, plain_.data(), plain_.size());
            plainBytes_ += count;
            if (count != plain_.size())
                return inputError(source_.name(),
                                  fmt::format("{}: {} bytes at offset {}, expected {}", layout.chunkName(chunk.index),
                                              count, chunk.offset + at, plain_.size()));
            convertColumns(layout, rule, plain_.data(), first, part.columns.subspan(from, to - from),
                           part.out + row * part.stride + from);
            from = to;
        }
    return Status::ok();
}

Result<std::span<const std::byte>> TiffSamples::decoded(std::size_t image, const TiffChunk& chunk)
{
    const Key key{image, chunk.index};
    if (const auto known = where_.find(key); known != where_.end())
    {
        decoded_.splice(decoded_.begin(), decoded_, known->second);
        return std::span<const std::byte>(decoded_.front().bytes);
    }
    while (!decoded_.empty() && decodedBytes_ + chunk.bytes > cacheBytes_)
    {
        decodedBytes_ -= decoded_.back().bytes.size();
        where_.erase(decoded_.back().key);
        decoded_.pop_back();
    }
    Image& from = images_[image];
    std::vector<std::byte> bytes(std::size_t(chunk.bytes));
    TIFF* const handle = from.file.handle();
    const tmsize_t size = tmsize_t(bytes.size());
    const tmsize_t done = from.layout.tiled ? TIFFReadEncodedTile(handle, chunk.index, bytes.data(), size)
                                            : TIFFReadEncodedStrip(handle, chunk.index, bytes.data(), size);
    if (done != size) return from.file.error(from.layout.chunkName(chunk.index));
    from.layout.unpack(bytes);
    decodedBytes_ += bytes.size();
    decoded_.push_front({key, std::move(bytes)});
    where_[key] = decoded_.begin();
    return std::span<const std::byte>(decoded_.front().bytes);
}

std::uint64_t TiffSamples::bytesRead() const
{
    std::uint64_t bytes = plainBytes_;
    for (const Image& image : images_)
        bytes += image.file.bytesRead();
    return bytes;
}

}  // namespace orogen
