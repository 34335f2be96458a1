#include "core/terrain/io/picture_reader.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/io/tiff_file.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

// Deflate expands by a factor of at most 1032; a larger claim is false.
constexpr std::uint64_t kLargestRatio = 1040;

Status checkHeader(const PngFile& file, const ByteSource& source, Raster& raster)
{
    if (Status status = checkSides(source.name(), file.width(), file.height()); !status) return status;
    if (file.colour() == PNG_COLOR_TYPE_PALETTE)
        return inputError(source.name(), "IHDR: a palette image, expected 16-bit grey");
    const std::uint64_t bytes = std::uint64_t(file.rowBytes()) * file.height();
    if (bytes / kLargestRatio > source.size())
        return inputError(source.name(), fmt::format("IHDR: {} x {} samples, which is more than {} bytes can hold",
                                                     file.width(), file.height(), source.size()));
    if (file.bits() < 16)
        raster.warnings.push_back(
            fmt::format("{} bits a sample: heights come in {} steps at most", file.bits(), 1 << file.bits()));
    if (file.colour() & PNG_COLOR_MASK_COLOR)
        raster.warnings.push_back("a colour image with three equal channels: read as grey");
    return Status::ok();
}

// Converter of a row of the file to a row of the raster.
class PngRowReader
{
public:
    explicit PngRowReader(const PngFile& file)
        : sampleBytes_(file.bits() == 16 ? 2 : 1), channels_(std::size_t(file.channels())),
          colour_(file.colour() & PNG_COLOR_MASK_COLOR), alpha_(file.colour() & PNG_COLOR_MASK_ALPHA)
    {
        rule_.type = sampleBytes_ == 2 ? SampleType::kUint16 : SampleType::kUint8;
        rule_.bigEndian = true;
        rule_.nodata = file.transparentGrey();
    }

    const SampleRule& rule() const { return rule_; }

    // Converts a row. If its colour channels differ, does not convert it, and returns the first such column.
    std::optional<std::size_t> read(const std::byte* row, std::span<float> to) const
    {
        const std::size_t stride = channels_ * sampleBytes_;
        for (std::size_t x = 0; colour_ && x < to.size(); ++x)
        {
            const std::byte* pixel = row + x * stride;
            if (std::memcmp(pixel, pixel + sampleBytes_, sampleBytes_) != 0 ||
                std::memcmp(pixel, pixel + 2 * sampleBytes_, sampleBytes_) != 0)
                return x;
        }
        convertSamples(rule_, row, stride, to);
        for (std::size_t x = 0; alpha_ && x < to.size(); ++x)
        {
            const std::byte* alpha = row + (x + 1) * stride - sampleBytes_;
            if (alpha[0] == std::byte{0} && alpha[sampleBytes_ - 1] == std::byte{0}) to[x] = kVoid;
        }
        return std::nullopt;
    }

private:
    std::size_t sampleBytes_, channels_;
    bool colour_, alpha_;
    SampleRule rule_;
};

Status readRows(PngFile& file, const LoadProgress& callback, Raster& raster)
{
    Progress progress(callback, raster.name);
    const PngRowReader reader(file);
    describeSamples(reader.rule(), raster);
    const std::size_t width = std::size_t(raster.width), height = std::size_t(raster.height);
    // An interlaced image is complete only after its last pass.
    std::vector<std::byte> buffer(file.rowBytes() * (file.passes() > 1 ? height : 1));
    for (int pass = 0; pass < file.passes(); ++pass)
        for (std::size_t y = 0; y < height; ++y)
        {
            if (!progress.at(std::size_t(pass) * height + y, std::size_t(file.passes()) * height))
                return progress.interrupted();
            std::byte* row = buffer.data() + (file.passes() > 1 ? y * file.rowBytes() : 0);
            if (!file.readRow(row)) return inputError(raster.name, fmt::format("IDAT, row {}: {}", y, file.message()));
            if (pass + 1 < file.passes()) continue;
            raster.heights.resize((y + 1) * width);
            const auto differs = reader.read(row, std::span(raster.heights).subspan(y * width, width));
            if (differs)
                return inputError(
                    raster.name, fmt::format("row {}, column {}: a coloured pixel, expected 16-bit grey", y, *differs));
        }
    return Status::ok();
}

}  // namespace

Result<Raster> readPng(const ByteSource& source, const LoadProgress& progress)
{
    PngFile file(source);
    if (!file.readHeader(PngFile::Samples::kAsStored))
        return inputError(source.name(), "PNG header: " + file.message());
    Raster raster;
    raster.name = source.name();
    raster.format = "PNG";
    raster.bits = file.bits();
    if (Status status = checkHeader(file, source, raster); !status) return status.error();
    const std::uint64_t extra = file.passes() > 1 ? file.rowBytes() * file.height() : 0;
    if (Status status = reserveHeights(raster, file.width(), file.height(), extra); !status) return status.error();
    if (Status status = readRows(file, progress, raster); !status) return status.error();
    return raster;
}

namespace {

constexpr std::uint64_t kSmallPicture = 64u << 20;  // bytes above which the free memory is checked first

Status checkSize(const std::string& name, std::uint64_t width, std::uint64_t height)
{
    const auto fits = [](std::uint64_t side) { return side >= 1 && side <= std::uint64_t(kMaxRasterSide); };
    if (!fits(width) || !fits(height))
        return inputError(name, fmt::format("{} x {} pixels, expected 1 to {} a side", width, height, kMaxRasterSide));
    const std::uint64_t bytes = 4 * width * height;
    return bytes > kSmallPicture ? checkMemory(printable(name), 2 * bytes)
                                 : Status::ok();  // twice, because a growing vector copies
}

// ---- PNG ------------------------------------------------------------------------------------------------------------

Status readPngRows(PngFile& file, const LoadProgress& callback, Picture& picture)
{
    Progress progress(callback, picture.name);
    const std::size_t stride = file.rowBytes(), rows = std::size_t(picture.height);
    const std::size_t all = rows * std::size_t(file.passes());
    for (std::size_t done = 0; done < all; ++done)
    {
        if (!progress.at(done, all)) return progress.interrupted();
        const std::size_t row = done % rows;
        // Grow with the decoded rows, because a damaged header may claim any size.
        if (picture.rgba.size() < (row + 1) * stride) picture.rgba.resize((row + 1) * stride);
        if (!file.readRow(reinterpret_cast<std::byte*>(&picture.rgba[row * stride])))
            return inputError(picture.name, fmt::format("IDAT, row {}: {}", row, file.message()));
    }
    return Status::ok();
}

Result<Picture> readPngPicture(const ByteSource& source, const LoadProgress& callback)
{
    Picture picture;
    picture.name = source.name(), picture.format = "PNG";
    PngFile file(source);
    if (!file.readHeader(PngFile::Samples::kRgba)) return inputError(source.name(), "PNG header: " + file.message());
    if (file.bits() > 8)
        return inputError(source.name(), fmt::format("IHDR: {} bits a sample, expected 8", file.bits()));
    if (Status s = checkSize(source.name(), file.width(), file.height()); !s) return s.error();
    picture.width = int(file.width());
    picture.height = int(file.height());
    picture.grey = (file.colour() & PNG_COLOR_MASK_COLOR) == 0;
    if (Status s = readPngRows(file, callback, picture); !s) return s.error();
    (void)file.readEnd();  // a file that is cut off here has all its pixels
    picture.credit = printable(file.text("Copyright"));
    return picture;
}

// ---- TIFF -----------------------------------------------------------------------------------------------------------

template <class T>
T tagOf(const TiffFile& file, std::uint32_t tag, T otherwise)
{
    T value = otherwise;
    TIFFGetFieldDefaulted(file.handle(), tag, &value);
    return value;
}

// Layout of a TIFF's pixels, and how their samples become red, green, blue and alpha.
struct PixelForm
{
    std::uint32_t width = 0, height = 0;
    std::size_t samples = 1;  // per pixel in the file
    bool grey = true, whiteIsZero = false, lossy = false;
    std::optional<std::size_t> cover;  // index of the alpha sample
    bool multiplied = false;           // the colours are stored multiplied by alpha
    bool tiled = false;
    std::uint32_t chunkWidth = 0, chunkHeight = 0;
};

Status checkSamples(const TiffFile& file, PixelForm& form)
{
    const auto bits = tagOf<std::uint16_t>(file, TIFFTAG_BITSPERSAMPLE, 1);
    const auto format = tagOf<std::uint16_t>(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    if (bits != 8 || (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID))
        return inputError(file.name(), fmt::format("tags 258 and 339: {} bits of sample format {}, expected 8 bits of "
                                                   "format 1",
                                                   bits, format));
    const auto photometric = tagOf<std::uint16_t>(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    const auto compression = tagOf<std::uint16_t>(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    if (!TIFFIsCODECConfigured(compression))
        return inputError(file.name(),
                          fmt::format("tag 259: compression {}, which libtiff does not decode here", compression));
    const bool jpegColours = photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG;
    if (jpegColours) TIFFSetField(file.handle(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    form.lossy = compression == COMPRESSION_JPEG;
    form.grey = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
    form.whiteIsZero = photometric == PHOTOMETRIC_MINISWHITE;
    if (!form.grey && photometric != PHOTOMETRIC_RGB && !jpegColours)
        return inputError(file.name(), fmt::format("tag 262: photometric interpretation {}, expected 0 or 1 (grey), 2 "
                                                   "(RGB), or 6 (YCbCr) with JPEG",
                                                   photometric));
    form.samples = tagOf<std::uint16_t>(file, TIFFTAG_SAMPLESPERPIXEL, 1);
    const std::size_t colours = form.grey ? 1 : 3;
    if (form.samples < colours || form.samples > 16)
        return inputError(file.name(),
                          fmt::format("tag 277: {} samples a pixel, expected {} to 16", form.samples, colours));
    if (tagOf<std::uint16_t>(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) != PLANARCONFIG_CONTIG &&
        form.samples > 1)
        return inputError(file.name(), "tag 284: a plane for each colour, expected pixels in one piece");
    std::uint16_t extras = 0, *kinds = nullptr;
    if (TIFFGetField(file.handle(), TIFFTAG_EXTRASAMPLES, &extras, &kinds) == 1 && extras > 0 &&
        (kinds[0] == EXTRASAMPLE_ASSOCALPHA || kinds[0] == EXTRASAMPLE_UNASSALPHA) && form.samples > colours)
        form.cover = colours;
    form.multiplied = form.cover && kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    return Status::ok();
}

Result<PixelForm> pixelForm(const TiffFile& file)
{
    PixelForm form;
    form.width = tagOf<std::uint32_t>(file, TIFFTAG_IMAGEWIDTH, 0);
    form.height = tagOf<std::uint32_t>(file, TIFFTAG_IMAGELENGTH, 0);
    if (Status s = checkSize(file.name(), form.width, form.height); !s) return s.error();
    if (Status s = checkSamples(file, form); !s) return s.error();
    form.tiled = TIFFIsTiled(file.handle()) != 0;
    form.chunkWidth = form.tiled ? tagOf<std::uint32_t>(file, TIFFTAG_TILEWIDTH, 0) : form.width;
    form.chunkHeight = form.tiled ? tagOf<std::uint32_t>(file, TIFFTAG_TILELENGTH, 0) : 1;
    if (form.chunkWidth < 1 || form.chunkHeight < 1 || form.chunkWidth > 65'536 || form.chunkHeight > 65'536)
        return inputError(file.name(), fmt::format("tiles of {} x {} pixels, expected 1 to 65536 a side",
                                                   form.chunkWidth, form.chunkHeight));
    return form;
}

void convertPixels(const PixelForm& form, const std::uint8_t* from, std::size_t count, std::uint8_t* to)
{
    for (std::size_t i = 0; i < count; ++i, from += form.samples, to += 4)
    {
        for (std::size_t c = 0; c < 3; ++c)
        {
            const std::uint8_t value = from[form.grey ? 0 : c];
            to[c] = form.whiteIsZero ? std::uint8_t(255 - value) : value;
        }
        to[3] = form.cover ? from[*form.cover] : std::uint8_t(255);
        for (std::size_t c = 0; c < 3 && form.multiplied && to[3] > 0; ++c)
            to[c] = std::uint8_t(std::min((255 * to[c] + to[3] / 2) / to[3], 255));
    }
}

class PictureDecoder
{
public:
    PictureDecoder(TiffFile& file, const PixelForm& form, Picture& picture)
        : file_(file), form_(form), picture_(picture)
    {
    }

    Status run(const LoadProgress& callback)
    {
        Progress progress(callback, file_.name());
        for (std::uint32_t row = 0; row < form_.height; row += form_.chunkHeight)
        {
            if (!progress.at(row, form_.height)) return progress.interrupted();
            const std::uint32_t rows = std::min(form_.chunkHeight, form_.height - row);
            if (Status s = form_.tiled ? readTiles(row, rows) : readLine(row); !s) return s;
        }
        return Status::ok();
    }

private:
    std::uint8_t* pixel(std::uint32_t row, std::uint32_t column)
    {
        const std::size_t end = 4 * std::size_t(form_.width) * (row + 1);
        if (picture_.rgba.size() < end) picture_.rgba.resize(end);  // grow with the decoded rows
        return &picture_.rgba[4 * (std::size_t(form_.width) * row + column)];
    }

    Status readLine(std::uint32_t row)
    {
        buffer_.resize(std::max(std::size_t(TIFFScanlineSize64(file_.handle())), form_.width * form_.samples));
        if (TIFFReadScanline(file_.handle(), buffer_.data(), row, 0) != 1)
            return file_.error(fmt::format("row {}", row));
        convertPixels(form_, buffer_.data(), form_.width, pixel(row, 0));
        return Status::ok();
    }

    Status readTiles(std::uint32_t row, std::uint32_t rows)
    {
        const std::size_t stride = form_.chunkWidth * form_.samples;
        const std::size_t size = stride * form_.chunkHeight;
        if (size > kSmallPicture)
            if (Status s = checkMemory(printable(file_.name()), size); !s) return s;
        buffer_.resize(size);
        for (std::uint32_t column = 0; column < form_.width; column += form_.chunkWidth)
        {
            const std::uint32_t tile = TIFFComputeTile(file_.handle(), column, row, 0, 0);
            if (TIFFReadEncodedTile(file_.handle(), tile, buffer_.data(), tmsize_t(size)) != tmsize_t(size))
                return file_.error(fmt::format("tile {}", tile));
            const std::uint32_t columns = std::min(form_.chunkWidth, form_.width - column);
            for (std::uint32_t i = 0; i < rows; ++i)
                convertPixels(form_, &buffer_[i * stride], columns, pixel(row + i, column));
        }
        return Status::ok();
    }

    TiffFile& file_;
    const PixelForm& form_;
    Picture& picture_;
    std::vector<std::uint8_t> buffer_;
};

void mirror(Picture& picture, bool rows, bool columns)
{
    const std::ptrdiff_t stride = 4 * std::ptrdiff_t(picture.width);
    const auto row = [&](int y) { return picture.rgba.begin() + y * stride; };
    if (rows)
        for (int y = 0; y < picture.height / 2; ++y)
            std::swap_ranges(row(y), row(y + 1), row(picture.height - 1 - y));
    if (columns)
        for (int y = 0; y < picture.height; ++y)
            for (int x = 0; x < picture.width / 2; ++x)
                std::swap_ranges(row(y) + 4 * x, row(y) + 4 * x + 4, row(y) + 4 * (picture.width - 1 - x));
}

Result<Picture> readTiffPicture(const ByteSource& source, const LoadProgress& callback)
{
    Result<TiffFile> file = TiffFile::open(source);
    if (!file) return file.error();
    const Result<PixelForm> form = pixelForm(*file);
    if (!form) return form.error();
    Picture picture;
    picture.name = source.name(), picture.format = "TIFF";
    picture.width = int(form->width);
    picture.height = int(form->height);
    picture.grey = form->grey;
    picture.lossy = form->lossy;
    const Result<Georeference> geo = georeference(source.name(), file->geoTags(), picture.width, picture.height);
    if (!geo) return geo.error();
    if (Status s = PictureDecoder(*file, *form, picture).run(callback); !s) return s.error();
    mirror(picture, geo->southUp, geo->eastLeft);
    picture.placement = geo->placement;
    picture.crs = geo->crs;
    picture.warnings = geo->warnings;
    const char* credit = nullptr;
    if (TIFFGetField(file->handle(), TIFFTAG_COPYRIGHT, &credit) == 1 && credit) picture.credit = printable(credit);
    return picture;
}

// Reads a world file by the same rules as for a terrain.
void placeByWorldFile(Picture& picture)
{
    Raster place;
    place.width = picture.width;
    place.height = picture.height;
    readWorldFile(picture.name, place);
    picture.placement = place.placement;
    picture.crs = place.crs;
    picture.warnings.insert(picture.warnings.end(), place.warnings.begin(), place.warnings.end());
}

}  // namespace

Result<Picture> readPicture(const ByteSource& source, const LoadProgress& progress)
{
    try
    {
        unsigned char head[8] = {};
        const std::size_t count = source.read(0, head, sizeof head);
        const bool png = count == 8 && std::memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0;
        const bool tiff = count >= 4 && ((head[0] == 'I' && head[1] == 'I') || (head[0] == 'M' && head[1] == 'M'));
        if (!png && !tiff)
            return inputError(source.name(),
                              count == 0 ? "an empty file" : "a file of another format, expected PNG or TIFF");
        Result<Picture> picture = png ? readPngPicture(source, progress) : readTiffPicture(source, progress);
        if (picture && !picture->placement) placeByWorldFile(*picture);
        return picture;
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, printable(source.name()) + ": does not fit in memory"};
    }
}

Result<Picture> loadPicture(const std::string& path, const LoadProgress& progress)
{
    const Result<ByteSource> source = ByteSource::open(path);
    if (!source) return source.error();
    return readPicture(*source, progress);
}

Result<Raster> readColourHeights(const ByteSource& source, HeightEncoding encoding, const LoadProgress& progress)
{
    const Result<Picture> picture = readPicture(source, progress);
    if (!picture) return picture.error();
    if (picture->grey || picture->lossy)
        return inputError(source.name(),
                          fmt::format("{}, expected red, green and blue without loss that hold heights ({})",
                                      picture->grey ? "a grey picture" : "a picture compressed by JPEG",
                                      nameOf(encoding)));
    Raster raster;
    raster.name = source.name();
    raster.format = fmt::format("{} picture", nameOf(encoding));
    raster.bits = 24;
    raster.fractional = true;
    raster.heightUnit = HeightUnit::kMetre;
    raster.placement = picture->placement;
    raster.crs = picture->crs;
    raster.projection = MapProjection::ofCrs(picture->crs);
    raster.warnings = picture->warnings;
    const auto width = std::uint64_t(picture->width), height = std::uint64_t(picture->height);
    if (Status s = checkSides(source.name(), width, height); !s) return s.error();
    if (Status s = allocateHeights(raster, width, height); !s) return s.error();
    const bool terrarium = encoding == HeightEncoding::kTerrarium;
    const std::uint8_t* pixel = picture->rgba.data();
    for (float& metres : raster.heights)
    {
        const int code = pixel[0] << 16 | pixel[1] << 8 | pixel[2];
        if (pixel[3] != 0) metres = float(terrarium ? code / 256.0 - 32'768.0 : code * 0.1 - 10'000.0);
        pixel += 4;
    }
    return raster;
}

}  // namespace orogen
