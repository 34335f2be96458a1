#include "core/terrain/imagery/gdal_image.h"

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/raster.h"

#ifdef OROGEN_HAVE_GDAL

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen {
namespace {

constexpr int kMostSide = 1 << 30;        // limit on width and height (pixels); web maps have 2^27 at zoom 19
constexpr int kSmallest = 256;            // limit on the longer side of the smallest image (pixels)
constexpr std::uint64_t kFew = 1u << 24;  // limit of pixels up to which a picture needs no overviews

// Bands of a data set as red, green, blue and coverage.
struct Bands
{
    std::array<GDALRasterBandH, 3> colour{};
    GDALRasterBandH cover = nullptr;  // null: all pixels are valid
    GDALColorTableH palette = nullptr;

    static Result<Bands> of(const GdalDataset& dataset, const std::string& name)
    {
        Bands bands;
        const int count = GDALGetRasterCount(dataset.get());
        std::optional<GDALRasterBandH> alpha;
        std::vector<GDALRasterBandH> others;
        for (int i = 1; i <= count; ++i)
        {
            GDALRasterBandH band = GDALGetRasterBand(dataset.get(), i);
            if (GDALGetRasterColorInterpretation(band) == GCI_AlphaBand)
                alpha = band;
            else
                others.push_back(band);
            if (i <= 4 && GDALGetRasterDataType(band) != GDT_Byte)
                return inputError(name, fmt::format("band {}: samples of type {}, expected 8 bits of a picture", i,
                                                    GDALGetDataTypeName(GDALGetRasterDataType(band))));
        }
        if (others.empty()) return inputError(name, "a data set without a colour");
        for (std::size_t c = 0; c < 3; ++c)
            bands.colour[c] = others.size() >= 3 ? others[c] : others[0];
        if (others.size() == 1) bands.palette = GDALGetRasterColorTable(others[0]);
        if (alpha)
            bands.cover = *alpha;
        else if ((GDALGetMaskFlags(others[0]) & GMF_ALL_VALID) == 0)
            bands.cover = GDALGetMaskBand(others[0]);
        return bands;
    }
};

// Removes the tags of HTML, which attributions of MBTiles have.
std::string withoutTags(std::string_view text)
{
    std::string plain;
    bool tag = false;
    for (const char c : text)
    {
        if (c == '<' || c == '>')
            tag = c == '<';
        else if (!tag)
            plain += c;
    }
    return printable(plain);
}

std::string creditOf(const GdalDataset& dataset)
{
    for (const char* key : {"TIFFTAG_COPYRIGHT", "attribution", "COPYRIGHT", "Copyright", "EXIF_Copyright"})
        if (const char* text = GDALGetMetadataItem(dataset.get(), key, nullptr); text && *text)
            return withoutTags(text);
    return {};
}

class GdalImage final : public ImagerySource
{
public:
    static Result<std::shared_ptr<const ImagerySource>> open(const std::string& name)
    {
        const auto image = std::make_shared<GdalImage>();
        Raster& raster = image->raster_;
        QuietGdal gdal(name);
        const Result<GdalDataset> dataset = openGdal(name, gdal);
        if (!dataset) return dataset.error();
        raster.name = name;
        raster.format = GDALGetDriverShortName(GDALGetDatasetDriver(dataset->get()));
        raster.width = GDALGetRasterXSize(dataset->get()), raster.height = GDALGetRasterYSize(dataset->get());
        if (std::max(raster.width, raster.height) > kMostSide)
            return inputError(name, fmt::format("{} x {} pixels, expected at most {} a side", raster.width,
                                                raster.height, kMostSide));
        const Result<Bands> bands = Bands::of(*dataset, name);
        if (!bands) return bands.error();
        const bool few = std::uint64_t(raster.width) * std::uint64_t(raster.height) <= kFew;
        if (!few && raster.format != "VRT" && GDALGetOverviewCount(bands->colour[0]) == 0)
            raster.warnings.push_back("has no overviews, so that distant ground is read slowly (gdaladdo makes them)");
        const Georeference geo = readPlacement(*dataset, raster);
        image->southUp_ = geo.southUp, image->eastLeft_ = geo.eastLeft;
        image->credit_ = creditOf(*dataset);
        for (ImageSize size{raster.width, raster.height};; size = {(size.width + 1) / 2, (size.height + 1) / 2})
        {
            image->images_.push_back(size);
            if (std::max(size.width, size.height) <= kSmallest) break;
        }
        return std::shared_ptr<const ImagerySource>(image);
    }

    const Raster& raster() const override { return raster_; }
    std::span<const ImageSize> images() const override { return images_; }
    Result<std::unique_ptr<ImageryReader>> openReader() const override;
    std::string credit() const override { return credit_; }
    bool remote() const override { return isGdalPath(raster_.name); }
    bool sparse() const override { return isTileTemplate(raster_.name); }

private:
    friend class GdalImageReader;
    Raster raster_;
    std::vector<ImageSize> images_;
    std::string credit_;
    bool southUp_ = false, eastLeft_ = false;
};

// A reader with its own data set, which is opened again after a failed read.
class GdalImageReader final : public ImageryReader
{
public:
    explicit GdalImageReader(const GdalImage& image) : image_(image) {}

    Status open(QuietGdal& gdal)
    {
        Result<GdalDataset> dataset = openGdal(image_.raster_.name, gdal);
        if (!dataset) return dataset.error();
        const Result<Bands> bands = Bands::of(*dataset, image_.raster_.name);
        if (!bands) return bands.error();
        if (GDALGetRasterXSize(dataset->get()) != image_.raster_.width ||
            GDALGetRasterYSize(dataset->get()) != image_.raster_.height)
            return inputError(image_.raster_.name, "the file has changed since it was opened");
        dataset_ = std::move(*dataset);
        bands_ = *bands;
        return Status::ok();
    }

    Status read(std::size_t image, const ImageBox& box, std::span<std::uint8_t> rgba) override
    {
        QuietGdal gdal(image_.raster_.name);
        if (!dataset_)
            if (Status s = open(gdal); !s) return s;
        gdal.takeComplaint({});
        const Status status = readBands(image, box, rgba, gdal);
        if (!status)
        {
            dataset_.reset();  // also drops what GDAL has cached of the failure
            if (image_.remote()) VSICurlClearCache();
            return status;
        }
        bytes_ += rgba.size();
        if (bands_.palette) expandPalette(rgba);
        for (std::size_t i = 0; i < rgba.size(); i += 4)
            for (std::size_t c = 0; c < 3 && rgba[i + 3] != 255; ++c)
                rgba[i + c] = std::uint8_t((rgba[i + c] * rgba[i + 3] + 127) / 255);
        return Status::ok();
    }
    std::uint64_t bytesRead() const override { return bytes_; }

private:
    Status readBands(std::size_t image, const ImageBox& box, std::span<std::uint8_t> rgba, QuietGdal& gdal)
    {
        const ImageSize size = image_.images_[image];
        const int column = image_.eastLeft_ ? size.width - box.column - box.width : box.column;
        const int row = image_.southUp_ ? size.height - box.row - box.height : box.row;
        const double x = double(image_.raster_.width) / size.width, y = double(image_.raster_.height) / size.height;
        GDALRasterIOExtraArg extra;
        INIT_RASTERIO_EXTRA_ARG(extra);
        extra.bFloatingPointWindowValidity = TRUE;
        extra.dfXOff = column * x, extra.dfYOff = row * y;
        extra.dfXSize = box.width * x, extra.dfYSize = box.height * y;
        if (image > 0 && !bands_.palette) extra.eResampleAlg = GRIORA_Average;
        const int left = int(extra.dfXOff), top = int(extra.dfYOff);
        const int width = std::clamp(int(extra.dfXSize + 0.999), 1, image_.raster_.width - left);
        const int height = std::clamp(int(extra.dfYSize + 0.999), 1, image_.raster_.height - top);
        // A mirrored row or column is written backwards.
        const GSpacing line = 4 * GSpacing(box.width);
        const GSpacing stepX = image_.eastLeft_ ? -4 : 4, stepY = image_.southUp_ ? -line : line;
        std::uint8_t* first =
            rgba.data() + (image_.eastLeft_ ? line - 4 : 0) + (image_.southUp_ ? line * (box.height - 1) : 0);
        const auto readBand = [&](GDALRasterBandH band, std::uint8_t* out) {
            return GDALRasterIOEx(band, GF_Read, left, top, width, height, out, box.width, box.height, GDT_Byte, stepX,
                                  stepY, &extra) == CE_None;
        };
        bool done = true;
        for (std::size_t c = 0; c < 3 && done; ++c)
        {
            if (c > 0 && bands_.colour[c] == bands_.colour[0])
                for (std::size_t i = 0; i < rgba.size(); i += 4)
                    rgba[i + c] = rgba[i];
            else
                done = readBand(bands_.colour[c], first + c);
        }
        if (!bands_.cover)
            for (std::size_t i = 3; i < rgba.size(); i += 4)
                rgba[i] = 255;
        else
            done = done && readBand(bands_.cover, first + 3);
        return done ? Status::ok()
                    : inputError(image_.raster_.name,
                                 fmt::format("column {}, row {}: {}", left, top, gdal.takeComplaint("cannot be read")));
    }

    void expandPalette(std::span<std::uint8_t> rgba) const
    {
        for (std::size_t i = 0; i < rgba.size(); i += 4)
        {
            GDALColorEntry entry{};
            if (!GDALGetColorEntryAsRGB(bands_.palette, rgba[i], &entry)) continue;
            rgba[i] = std::uint8_t(entry.c1), rgba[i + 1] = std::uint8_t(entry.c2);
            rgba[i + 2] = std::uint8_t(entry.c3);
            if (!bands_.cover) rgba[i + 3] = std::uint8_t(entry.c4);
        }
    }

    const GdalImage& image_;
    GdalDataset dataset_;
    Bands bands_;
    std::uint64_t bytes_ = 0;
};

Result<std::unique_ptr<ImageryReader>> GdalImage::openReader() const
{
    auto reader = std::make_unique<GdalImageReader>(*this);
    QuietGdal gdal(raster_.name);
    if (Status s = reader->open(gdal); !s) return s.error();
    return std::unique_ptr<ImageryReader>(std::move(reader));
}

}  // namespace

Result<std::shared_ptr<const ImagerySource>> openGdalImage(const std::string& name) { return GdalImage::open(name); }

bool isGdalPicture(const std::string& name)
{
    QuietGdal gdal(name);
    const Result<GdalDataset> dataset = openGdal(name, gdal);
    if (!dataset || GDALGetRasterCount(dataset->get()) < 3) return false;
    return GDALGetRasterDataType(GDALGetRasterBand(dataset->get(), 1)) == GDT_Byte;
}

}  // namespace orogen

#else

namespace orogen {

Result<std::shared_ptr<const ImagerySource>> openGdalImage(const std::string& name)
{
    return inputError(name, "not a PNG or TIFF, and this program was built without GDAL, which reads other pictures "
                            "(./run viewer builds it with GDAL)");
}

bool isGdalPicture(const std::string&) { return false; }

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
