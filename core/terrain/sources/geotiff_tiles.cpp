#include "core/terrain/sources/geotiff_tiles.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/terrain/io/prj_file.h"
#include "core/terrain/io/settling.h"
#include "core/terrain/io/world_file.h"
#include "core/terrain/sources/tile_glance.h"

namespace orogen {
namespace {

constexpr std::size_t kMostDirectories = 64;

std::uint32_t subfileType(const TiffFile& file)
{
    std::uint32_t type = 0;
    return TIFFGetFieldDefaulted(file.handle(), TIFFTAG_SUBFILETYPE, &type) == 1 ? type : 0;
}

}  // namespace

// A reader that opens the file at the first read, and again after a failed one.
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
        const std::uint32_t type = subfileType(file);
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
    // A side may be 1, which is a useless overview, not an error.
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

void GeoTiffTiles::warnOfSlowLevels()
{
    const TiffLayout& full = images_.front().layout;
    if (levels_.images.size() == 1 && grid().levels() > 2) raster_.warnings.push_back(kSlowWithoutOverviews);
    if (!full.tiled && full.compression.scheme != COMPRESSION_NONE && full.width > 16 * kTileCells)
        raster_.warnings.push_back("compressed in strips: whole rows are decoded for each tile, which is slow (orogen "
                                   "import makes a file in tiles)");
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
    if (Status status = settleDescription(raster, overrides); !status) return status.error();
    tiles->metres_.emplace(raster, overrides);
    tiles->warnOfSlowLevels();
    if (Status status = glanceAt(*tiles, tiles->levels_, raster); !status) return status.error();
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
