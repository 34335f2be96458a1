#include "core/terrain/io/png_reader.h"

#include <algorithm>
#include <cstring>

#include "core/terrain/io/byte_source.h"
#include <fmt/format.h>

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

    // Returns the first column where the channels differ, or empty.
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

}  // namespace orogen
