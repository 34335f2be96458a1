#include "core/terrain/sources/gdal_tiles.h"

#ifdef OROGEN_HAVE_GDAL

#include <algorithm>
#include <atomic>
#include <string_view>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/terrain/sources/stored_source.h"

namespace orogen {
namespace {

// Returns the bytes that GDAL has fetched from networks since the last call in any thread. GDAL counts one total for
// the process. Each byte is returned by one call only.
std::uint64_t takeBytesFetched()
{
    static std::atomic<std::uint64_t> counted = 0;
    char* const text = VSINetworkStatsGetAsSerializedJSON(nullptr);
    const Json* value = nullptr;
    const std::optional<Json> json = Json::parsed(text ? text : "{}");
    VSIFree(text);
    if (json) value = &*json;
    for (const char* key : {"methods", "GET", "downloaded_bytes"})
        value = value ? value->find(key) : nullptr;
    const std::uint64_t now = value && value->isUnsigned() ? value->get<std::uint64_t>() : 0;
    const std::uint64_t before = counted.exchange(now);
    return now > before ? now - before : 0;
}

// Checks that the first byte of a file can be read, which fails for a folder. Also used before a data set is reopened:
// if a server does not answer, reopening would make dozens of requests that each wait.
Status checkAnswers(const std::string& name, QuietGdal& gdal)
{
    char byte = 0;
    gdal.takeComplaint({});
    VSILFILE* const file = VSIFOpenL(name.c_str(), "rb");
    const bool answered = file && VSIFReadL(&byte, 1, 1, file) == 1;
    if (file) VSIFCloseL(file);
    return answered ? Status::ok() : inputError(name, gdal.takeComplaint("cannot be read"));
}

// Columns or rows at equal distances: first, first + step, ... The first of them has index `begin` in the request.
struct Steps
{
    std::size_t begin = 0, count = 0;
    int first = 0, step = 1;

    // Window that GDAL's nearest-neighbour sampling reduces to `count` samples; steps are centred on the requested
    // samples.
    double windowBegin() const { return count == 1 ? first : first - step / 2.0 + 0.5; }
    double windowSize() const { return count == 1 ? 1 : double(count) * step; }
};

// Splits positions into runs of equal steps. Edge samples may form their own run: a run's window must lie in the image.
std::vector<Steps> stepsOf(std::span<const int> at, int side)
{
    std::vector<Steps> result;
    for (std::size_t i = 0; i < at.size();)
    {
        Steps steps{i, 1, at[i], i + 1 < at.size() ? at[i + 1] - at[i] : 1};
        const int before = (steps.step + 1) / 2;
        while (at[i] >= before && i + steps.count < at.size() &&
               at[i + steps.count] - at[i + steps.count - 1] == steps.step && at[i + steps.count] + before < side)
            ++steps.count;
        i += steps.count;
        result.push_back(steps);
    }
    return result;
}

}  // namespace

// A reader with its own data set. openReader() opens it, and the read after a failed read opens it again.
class GdalTileReader : public TileReader
{
public:
    explicit GdalTileReader(const GdalTiles& source) : source_(source) {}

    Status open()
    {
        QuietGdal gdal(source_.raster_.name);
        return open(gdal);
    }

    Status read(const TileWindow& window, std::span<float> out) override
    {
        QuietGdal gdal(source_.raster_.name);
        if (!dataset_)
            if (Status status = openAgain(gdal); !status) return failed(status);
        const Status status =
            readLevel(source_.levels_, window, out,
                      [this, &gdal](std::size_t image, std::span<const int> columns, std::span<const int> rows,
                                    std::span<float> heights) { return gather(gdal, image, columns, rows, heights); });
        if (source_.countsBytes()) bytes_ += takeBytesFetched();
        return status ? status : failed(status);
    }

    std::uint64_t bytesRead() const override { return bytes_; }

private:
    Status open(QuietGdal& gdal)
    {
        Result<GdalDataset> dataset = openGdal(source_.raster_.name, gdal);
        if (!dataset) return dataset.error();
        GDALRasterBandH band = GDALGetRasterBand(dataset->get(), 1);
        std::vector<GDALRasterBandH> bands = {band};
        for (const int overview : source_.overviews_)
            bands.push_back(overview < GDALGetOverviewCount(band) ? GDALGetOverview(band, overview) : nullptr);
        for (std::size_t i = 0; i < bands.size(); ++i)
            if (const StoredImage& image = source_.levels_.images[i]; !bands[i] ||
                                                                      GDALGetRasterBandXSize(bands[i]) != image.width ||
                                                                      GDALGetRasterBandYSize(bands[i]) != image.height)
                return inputError(source_.raster_.name, "the file has changed since it was opened");
        dataset_ = std::move(*dataset);
        bands_ = std::move(bands);
        return Status::ok();
    }

    // Reopens the data set. Without an answer it returns the previous failure, so that one outage gives one message.
    Status openAgain(QuietGdal& gdal)
    {
        if (source_.file_ && !checkAnswers(source_.raster_.name, gdal)) return failure_;
        return open(gdal);
    }

    // Closes the data set and clears GDAL's cache, which would otherwise keep the failure.
    Status failed(const Status& status)
    {
        failure_ = status;
        dataset_.reset();
        bands_.clear();
        if (source_.remote()) VSICurlClearCache();
        return status;
    }

    Status gather(QuietGdal& gdal, std::size_t image, std::span<const int> columns, std::span<const int> rows,
                  std::span<float> out)
    {
        for (const Steps& y : stepsOf(rows, source_.levels_.images[image].height))
            for (const Steps& x : stepsOf(columns, source_.levels_.images[image].width))
                if (Status status =
                        gatherSteps(gdal, image, x, y, out.data() + y.begin * columns.size() + x.begin, columns.size());
                    !status)
                    return status;
        source_.metres_->apply(out);
        return Status::ok();
    }

    Status gatherSteps(QuietGdal& gdal, std::size_t image, const Steps& x, const Steps& y, float* out,
                       std::size_t stride)
    {
        samples_.resize(x.count * y.count);
        GDALRasterIOExtraArg extra;
        INIT_RASTERIO_EXTRA_ARG(extra);
        extra.bFloatingPointWindowValidity = TRUE;
        extra.dfXOff = x.windowBegin(), extra.dfYOff = y.windowBegin();
        extra.dfXSize = x.windowSize(), extra.dfYSize = y.windowSize();
        gdal.takeComplaint({});
        const auto begin = [](double at) { return int(std::floor(at)); };
        const CPLErr error = GDALRasterIOEx(bands_[image], GF_Read, begin(extra.dfXOff), begin(extra.dfYOff),
                                            int(std::ceil(extra.dfXSize)), int(std::ceil(extra.dfYSize)),
                                            samples_.data(), int(x.count), int(y.count), GDT_Float64, 0, 0, &extra);
        if (error != CE_None)
            return inputError(source_.raster_.name, fmt::format("column {}, row {}: {}", x.first, y.first,
                                                                gdal.takeComplaint("cannot be read")));
        if (!source_.countsBytes()) bytes_ += samples_.size() * std::uint64_t(source_.raster_.bits / 8);
        for (std::size_t row = 0; row < y.count; ++row)
            convertSamples(source_.rule_, reinterpret_cast<const std::byte*>(samples_.data() + row * x.count),
                           sizeof(double), std::span(out + row * stride, x.count));
        return Status::ok();
    }

    const GdalTiles& source_;
    GdalDataset dataset_;
    Status failure_ = Status::ok();       // the last failure
    std::vector<GDALRasterBandH> bands_;  // for each of the source's images
    std::vector<double> samples_;
    std::uint64_t bytes_ = 0;
};

Status GdalTiles::addOverviews(GDALRasterBandH band)
{
    for (int i = 0; i < GDALGetOverviewCount(band); ++i)
    {
        GDALRasterBandH overview = GDALGetOverview(band, i);
        const int width = overview ? GDALGetRasterBandXSize(overview) : 0;
        const int height = overview ? GDALGetRasterBandYSize(overview) : 0;
        if (width < 2 || height < 2) continue;
        const Result<std::optional<int>> level =
            imported_ ? std::optional(i + 1)
                      : overviewLevel(raster_.name, raster_.width, raster_.height, width, height);
        if (!level) return level.error();
        if (imported_ && (width != TileGrid::samplesOf(raster_.width, i + 1) ||
                          height != TileGrid::samplesOf(raster_.height, i + 1)))
            return inputError(raster_.name, fmt::format("level {} has {} x {} samples", i + 1, width, height));
        if (!*level) continue;
        levels_.images.push_back({width, height, **level});
        overviews_.push_back(i);
    }
    levels_.means = overviews_.size() > 0 && !imported_;
    // At coarse levels the files of a virtual raster may return their own overviews, which can be means.
    samples_ = !levels_.means && raster_.format != "VRT";
    return Status::ok();
}

void GdalTiles::readStoredBounds(const SourceOverrides& overrides)
{
    if (raster_.format != "GTiff" && raster_.format != "COG") return;
    const std::string name = raster_.name;
    const auto read = [name](std::uint64_t offset, std::span<std::byte> to) {
        QuietGdal gdal(name);
        VSILFILE* const file = VSIFOpenL(name.c_str(), "rb");
        if (!file) return false;
        const bool done =
            VSIFSeekL(file, offset, SEEK_SET) == 0 && VSIFReadL(to.data(), 1, to.size(), file) == to.size();
        VSIFCloseL(file);
        return done;
    };
    VSIStatBufL about;
    if (VSIStatExL(name.c_str(), &about, VSI_STAT_SIZE_FLAG) != 0) return;
    Result<std::unique_ptr<const StoredBounds>> bounds =
        StoredBounds::open(name, std::uint64_t(about.st_size), grid(), read);
    if (!bounds)
        raster_.warnings.push_back(bounds.error().message + ": its bounds of tiles are not used");
    else
        bounds_ = std::move(*bounds);
    imported_ = bounds_ != nullptr;
    if (overrides.nodata || overrides.unit) bounds_.reset();
}

Result<std::shared_ptr<const GdalTiles>> GdalTiles::open(const std::string& name, const SourceOverrides& overrides)
{
    const std::shared_ptr<GdalTiles> tiles(new GdalTiles);
    Raster& raster = tiles->raster_;
    {
        QuietGdal gdal(name);
        const Result<GdalDataset> dataset = openGdal(name, gdal);
        if (!dataset) return dataset.error();
        Result<GdalHeader> header = describeGdal(*dataset, name, kMaxTiledSide);
        if (!header) return header.error();
        raster = std::move(header->raster);
        tiles->files_ = gdalFiles(*dataset, name);
        tiles->file_ = tiles->remote() && checkAnswers(name, gdal);
        tiles->rule_ = header->rule;
        tiles->levels_.eastLeft = header->geo.eastLeft;
        tiles->levels_.southUp = header->geo.southUp;
        tiles->levels_.images.push_back({raster.width, raster.height, 0});
        tiles->readStoredBounds(overrides);
        if (Status status = tiles->addOverviews(GDALGetRasterBand(dataset->get(), 1)); !status) return status.error();
    }
    if (Status status = finalizeDescription(raster, overrides); !status) return status.error();
    tiles->metres_.emplace(raster, overrides);
    if (tiles->overviews_.empty() && raster.format != "VRT" && tiles->grid().levels() > 2)
        raster.warnings.push_back(kSlowWithoutOverviews);
    if (Status status = estimateHeightRange(*tiles, tiles->levels_, raster); !status) return status.error();
    return std::shared_ptr<const GdalTiles>(tiles);
}

Result<std::unique_ptr<TileReader>> GdalTiles::openReader() const
{
    auto reader = std::make_unique<GdalTileReader>(*this);
    if (Status status = reader->open(); !status) return status.error();
    return std::unique_ptr<TileReader>(std::move(reader));
}

std::optional<TileBounds> GdalTiles::bounds(const TileKey& key) const
{
    if (!bounds_) return std::nullopt;
    const Result<TileBounds> known = bounds_->at(key);
    return known ? std::optional(*known) : std::nullopt;
}

Result<std::shared_ptr<const TileSource>> openGdalTiles(const std::string& name, const SourceOverrides& overrides)
{
    const auto tiles = GdalTiles::open(name, overrides);
    if (!tiles) return tiles.error();
    return std::shared_ptr<const TileSource>(*tiles);
}

}  // namespace orogen

#else

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/load_raster.h"

namespace orogen {

Result<std::shared_ptr<const TileSource>> openGdalTiles(const std::string& name, const SourceOverrides&)
{
    return inputError(name, foreignMessage({"a path of GDAL's", true}));
}

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
