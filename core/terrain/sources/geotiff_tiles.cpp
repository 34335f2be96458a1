#include "core/terrain/sources/geotiff_tiles.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/sources/stored_source.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {
namespace {

constexpr std::uint64_t kManyChunks = 1 << 22;  // for more chunks, the free memory is checked first
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

// Converts samples of one row of a chunk. `row` begins at column `first`.
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
    // Each chunk takes at least 4 bytes in the list of offsets and 2 in that of counts.
    const std::uint64_t chunks = std::uint64_t(layout.across()) * layout.down();
    if ((chunks > 1 && chunks > fileSize / 6) || chunks > 0xffffffffu)
        return inputError(file.name(), fmt::format("tags 256 and 257: {} x {} samples in {} {}s, which is more than {} "
                                                   "bytes can list",
                                                   layout.width, layout.height, chunks, kind, fileSize));
    // libtiff reads both lists up to the requested chunk, here the last, and keeps them in memory.
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

namespace {

constexpr std::size_t kMostDirectories = 64;

}  // namespace

// A reader with its own handle of the file. openReader() opens the file, and the read after a failed read opens it
// again.
class GeoTiffTileReader : public TileReader
{
public:
    explicit GeoTiffTileReader(const GeoTiffTiles& source) : source_(source) {}

    Status open()
    {
        Result<std::unique_ptr<TiffSamples>> samples = TiffSamples::open(source_.raster_.name, source_.images_);
        if (!samples) return samples.error();
        samples_ = std::move(*samples);
        return Status::ok();
    }

    Status read(const TileWindow& window, std::span<float> out) override
    {
        if (!samples_)
            if (Status status = open(); !status) return status;
        const Status status =
            readLevel(source_.levels_, window, out, [this](auto&&... what) { return gather(what...); });
        if (status) return status;
        closedBytes_ += samples_->bytesRead();
        samples_.reset();
        return status;
    }

    std::uint64_t bytesRead() const override { return closedBytes_ + (samples_ ? samples_->bytesRead() : 0); }

private:
    Status gather(std::size_t image, std::span<const int> columns, std::span<const int> rows, std::span<float> out)
    {
        if (Status status = samples_->gather(image, columns, rows, out); !status) return status;
        source_.metres_->apply(out);
        return Status::ok();
    }

    const GeoTiffTiles& source_;
    std::unique_ptr<TiffSamples> samples_;
    std::uint64_t closedBytes_ = 0;
};

Status GeoTiffTiles::readStoredBounds(const SourceOverrides& overrides, std::size_t directories)
{
    Result<ByteSource> file = ByteSource::open(raster_.name);
    if (!file) return file.error();
    boundsFile_ = std::make_unique<const ByteSource>(std::move(*file));
    const auto read = [this](std::uint64_t offset, std::span<std::byte> to) {
        return boundsFile_->read(offset, to.data(), to.size()) == to.size();
    };
    Result<std::unique_ptr<const StoredBounds>> bounds =
        StoredBounds::open(raster_.name, boundsFile_->size(), grid(), read);
    if (!bounds)
        raster_.warnings.push_back(bounds.error().message + ": its bounds of tiles are not used");
    else if (*bounds && directories < std::size_t(grid().levels()))
        return inputError(raster_.name, fmt::format("{} images, expected {} in what orogen import wrote", directories,
                                                    grid().levels()));
    else
        bounds_ = std::move(*bounds);
    imported_ = bounds_ != nullptr;
    if (overrides.nodata || overrides.unit) bounds_.reset();
    return Status::ok();
}

Status GeoTiffTiles::addOverviews(TiffFile& file, const std::vector<std::uint64_t>& directories)
{
    for (std::size_t i = 1; i < directories.size(); ++i)
    {
        if (Status status = file.select(directories[i]); !status) return status;
        std::uint32_t type = 0;
        if (TIFFGetFieldDefaulted(file.handle(), TIFFTAG_SUBFILETYPE, &type) != 1) type = 0;
        if ((type & FILETYPE_MASK) != 0)
            raster_.warnings.push_back("tag 254: a mask of valid samples is not read");
        else if ((type & FILETYPE_REDUCEDIMAGE) != 0)
            if (Status status = addOverview(file, {directories[i], {}}); !status) return status;
    }
    return Status::ok();
}

Result<std::optional<int>> GeoTiffTiles::levelOf(const TiffLayout& overview) const
{
    if (!imported_)
        return overviewLevel(raster_.name, raster_.width, raster_.height, int(overview.width), int(overview.height));
    const int level = int(images_.size());
    const int width = TileGrid::samplesOf(raster_.width, level), height = TileGrid::samplesOf(raster_.height, level);
    if (int(overview.width) == width && int(overview.height) == height) return std::optional(level);
    return inputError(raster_.name, fmt::format("level {} has {} x {} samples, expected {} x {}", level, overview.width,
                                                overview.height, width, height));
}

Status GeoTiffTiles::addOverview(const TiffFile& file, const TiffImage& image)
{
    // An overview with a side of 1 sample is no error: it is ignored.
    std::uint32_t width = 0, height = 0;
    TIFFGetField(file.handle(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file.handle(), TIFFTAG_IMAGELENGTH, &height);
    if (width < 2 || height < 2) return Status::ok();
    const Result<GeoTiffHeader> header = readGeoTiffHeader(file, kMaxTiledSide);
    if (!header) return header.error();
    const TiffLayout& full = images_.front().layout;
    TiffLayout layout = header->layout;
    if (layout.rule.type != full.rule.type || layout.packedBits != full.packedBits)
        return inputError(raster_.name, fmt::format("an overview of {} samples, expected {} as in the full image",
                                                    nameOf(layout.rule.type), nameOf(full.rule.type)));
    const Result<std::optional<int>> level = levelOf(layout);
    if (!level) return level.error();
    if (!*level) return Status::ok();
    layout.rule = full.rule;
    layout.missing = full.missing;
    images_.push_back({image.directory, layout});
    levels_.images.push_back({int(layout.width), int(layout.height), **level});
    levels_.means = !imported_;
    return Status::ok();
}

Result<std::shared_ptr<const GeoTiffTiles>> GeoTiffTiles::open(const std::string& path,
                                                               const SourceOverrides& overrides)
{
    const Result<ByteSource> source = ByteSource::open(path);
    if (!source) return source.error();
    Result<TiffFile> file = TiffFile::open(*source, TiffFile::Index::kOnDemand);
    if (!file) return file.error();
    Result<std::vector<std::uint64_t>> directories = file->directories(kMostDirectories);
    if (!directories) return directories.error();
    Result<GeoTiffHeader> header = readGeoTiffHeader(*file, kMaxTiledSide);
    if (!header) return header.error();
    const std::shared_ptr<GeoTiffTiles> tiles(new GeoTiffTiles);
    tiles->raster_ = std::move(header->raster);
    Raster& raster = tiles->raster_;
    tiles->levels_.eastLeft = header->geo.eastLeft;
    tiles->levels_.southUp = header->geo.southUp;
    tiles->levels_.images.push_back({raster.width, raster.height, 0});
    tiles->images_.push_back({directories->front(), header->layout});
    if (Status status = tiles->readStoredBounds(overrides, directories->size()); !status) return status.error();
    if (Status status = tiles->addOverviews(*file, *directories); !status) return status.error();
    for (const TiffImage& image : tiles->images_)
    {
        if (Status status = file->select(image.directory); !status) return status.error();
        if (Status status = checkChunks(*file, image, source->size()); !status) return status.error();
    }
    if (!raster.placement) readWorldFile(path, raster);
    if (raster.placement && raster.placement->guessed) readPrjFile(path, raster);
    if (Status status = finalizeDescription(raster, overrides); !status) return status.error();
    tiles->metres_.emplace(raster, overrides);
    const TiffLayout& full = tiles->images_.front().layout;
    if (tiles->levels_.images.size() == 1 && tiles->grid().levels() > 2)
        raster.warnings.push_back(kSlowWithoutOverviews);
    if (!full.tiled && full.compression.scheme != COMPRESSION_NONE && full.width > 16 * kTileCells)
        raster.warnings.push_back("compressed in strips: whole rows are decoded for each tile, which is slow (orogen "
                                  "import makes a file in tiles)");
    if (Status status = estimateHeightRange(*tiles, tiles->levels_, raster); !status) return status.error();
    return std::shared_ptr<const GeoTiffTiles>(tiles);
}

Result<std::unique_ptr<TileReader>> GeoTiffTiles::openReader() const
{
    auto reader = std::make_unique<GeoTiffTileReader>(*this);
    if (Status status = reader->open(); !status) return status.error();
    return std::unique_ptr<TileReader>(std::move(reader));
}

std::optional<TileBounds> GeoTiffTiles::bounds(const TileKey& key) const
{
    if (!bounds_) return std::nullopt;
    const Result<TileBounds> known = bounds_->at(key);
    return known ? std::optional(*known) : std::nullopt;
}

}  // namespace orogen
