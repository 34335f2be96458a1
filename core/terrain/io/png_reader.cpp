#include "core/terrain/io/png_reader.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>

#include <fmt/format.h>
#include <png.h>

#include "core/terrain/io/reading.h"

namespace orogen {
namespace {

// Deflate makes at most 1032 bytes of one.
constexpr std::uint64_t kLargestRatio = 1040;

// libpng with its errors caught.  It leaves a failing call by longjmp(); here that never crosses a C++ object.
class PngFile
{
public:
    explicit PngFile(const ByteSource& source) : source_(source)
    {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {});
        info_ = png_ ? png_create_info_struct(png_) : nullptr;
    }
    PngFile(const PngFile&) = delete;
    ~PngFile() { png_destroy_read_struct(&png_, &info_, nullptr); }

    // False if libpng gave up; message() says why.
    bool readHeader()
    {
        if (!png_ || !info_) return false;
        if (setjmp(png_jmpbuf(png_))) return false;
        png_set_read_fn(png_, this, read);
        png_set_user_limits(png_, kMaxRasterSide, kMaxRasterSide);
        png_set_chunk_malloc_max(png_, 1 << 20);  // of texts and profiles, which nobody reads
        png_set_benign_errors(png_, 1);
        png_read_info(png_, info_);
        bits_ = png_get_bit_depth(png_, info_);
        png_set_packing(png_);  // codes of 1, 2 and 4 bits become bytes, unchanged
        passes_ = png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
        return true;
    }
    bool readRow(std::byte* to)
    {
        if (setjmp(png_jmpbuf(png_))) return false;
        png_read_row(png_, reinterpret_cast<png_bytep>(to), nullptr);
        return true;
    }

    std::uint64_t width() const { return png_get_image_width(png_, info_); }
    std::uint64_t height() const { return png_get_image_height(png_, info_); }
    int bits() const { return bits_; }  // in the file
    int colour() const { return png_get_color_type(png_, info_); }
    int channels() const { return png_get_channels(png_, info_); }
    int passes() const { return passes_; }
    std::size_t rowBytes() const { return png_get_rowbytes(png_, info_); }
    std::optional<double> transparentGrey() const
    {
        png_color_16p value = nullptr;
        const bool grey = colour() == PNG_COLOR_TYPE_GRAY;
        if (!grey || !png_get_tRNS(png_, info_, nullptr, nullptr, &value) || !value) return std::nullopt;
        return double(value->gray);
    }
    std::string message() const { return message_[0] ? message_ : "libpng cannot be set up"; }

private:
    static void fail(png_structp png, png_const_charp text)
    {
        PngFile& self = *static_cast<PngFile*>(png_get_error_ptr(png));
        std::strncpy(self.message_, text, sizeof self.message_ - 1);
        png_longjmp(png, 1);
    }
    static void read(png_structp png, png_bytep to, std::size_t count)
    {
        PngFile& self = *static_cast<PngFile*>(png_get_io_ptr(png));
        const std::size_t done = self.source_.read(self.offset_, to, count);
        self.offset_ += done;
        if (done != count) png_error(png, "the file ends in the middle of a chunk");
    }

    const ByteSource& source_;
    std::uint64_t offset_ = 0;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int bits_ = 0, passes_ = 1;
    char message_[160] = {};
};

Status checkHeader(const PngFile& file, const ByteSource& source, Raster& raster)
{
    if (Status status = checkSides(source.name(), file.width(), file.height()); !status) return status;
    if (file.colour() == PNG_COLOR_TYPE_PALETTE)
        return inputError(source.name(), "IHDR: a palette image, expected 16-bit grey");
    const std::uint64_t bytes = std::uint64_t(file.rowBytes()) * file.height();
    if (bytes / kLargestRatio > source.size())
        return inputError(source.name(), fmt::format("IHDR: {} x {} samples, which is more than {} bytes can hold",
                                                     file.width(), file.height(), source.size()));
    raster.warnings.push_back("PNG holds no units: a code is read as a metre");
    if (file.bits() < 16)
        raster.warnings.push_back(
            fmt::format("{} bits a sample: heights come in {} steps at most", file.bits(), 1 << file.bits()));
    if (file.colour() & PNG_COLOR_MASK_COLOR)
        raster.warnings.push_back("a colour image with three equal channels: read as grey");
    return Status::ok();
}

// One row of the file into one of the raster.
class RowReader
{
public:
    explicit RowReader(const PngFile& file)
        : sampleBytes_(file.bits() == 16 ? 2 : 1), channels_(std::size_t(file.channels())),
          colour_(file.colour() & PNG_COLOR_MASK_COLOR), alpha_(file.colour() & PNG_COLOR_MASK_ALPHA)
    {
        rule_.type = sampleBytes_ == 2 ? SampleType::kUint16 : SampleType::kUint8;
        rule_.bigEndian = true;
        rule_.nodata = file.transparentGrey();
    }

    // The column where the channels differ, or empty.
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
    const RowReader reader(file);
    const std::size_t width = std::size_t(raster.width), height = std::size_t(raster.height);
    // An interlaced image is whole only after its last pass.
    std::vector<std::byte> buffer(file.rowBytes() * (file.passes() > 1 ? height : 1));
    for (int pass = 0; pass < file.passes(); ++pass)
        for (std::size_t y = 0; y < height; ++y)
        {
            if (!progress.at(std::size_t(pass) * height + y, std::size_t(file.passes()) * height))
                return progress.interrupted();
            std::byte* row = buffer.data() + (file.passes() > 1 ? y * file.rowBytes() : 0);
            if (!file.readRow(row)) return inputError(raster.name, fmt::format("IDAT, row {}: {}", y, file.message()));
            if (pass + 1 < file.passes()) continue;
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
    if (!file.readHeader()) return inputError(source.name(), "PNG header: " + file.message());
    Raster raster;
    raster.name = source.name();
    raster.format = "PNG";
    raster.bits = file.bits();
    if (Status status = checkHeader(file, source, raster); !status) return status.error();
    const std::uint64_t extra = file.passes() > 1 ? file.rowBytes() * file.height() : 0;
    if (Status status = allocateHeights(raster, file.width(), file.height(), extra); !status) return status.error();
    if (Status status = readRows(file, progress, raster); !status) return status.error();
    finishRaster(raster, source.name());
    return raster;
}

}  // namespace orogen
