#include "core/terrain/io/gdal_reader.h"

#ifdef OROGEN_HAVE_GDAL

#include <filesystem>

#include <cpl_string.h>
#include <fmt/format.h>

#include "core/terrain/io/gdal_dataset.h"

namespace orogen {
namespace {

// Bytes of samples that a raster may claim for each byte of its files.
constexpr std::uint64_t kLargestRatio = 1040;

std::uint64_t bytesOfFiles(GDALDatasetH dataset)
{
    std::uint64_t bytes = 0;
    char** files = GDALGetFileList(dataset);
    for (char** file = files; file && *file; ++file)
    {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(*file, error);
        if (!error) bytes += size;
    }
    CSLDestroy(files);
    return bytes;
}

Status checkClaim(GDALDatasetH dataset, const Raster& raster)
{
    const std::uint64_t samples = std::uint64_t(raster.width) * std::uint64_t(raster.height);
    const std::uint64_t bytes = bytesOfFiles(dataset);
    if (samples * std::uint64_t(raster.bits) / 8 / kLargestRatio <= bytes) return Status::ok();
    return inputError(raster.name, fmt::format("{} x {} samples, which is more than {} bytes can hold", raster.width,
                                               raster.height, bytes));
}

Status readRows(GDALRasterBandH band, const SampleRule& rule, QuietGdal& gdal, const LoadProgress& callback,
                Raster& raster)
{
    Progress progress(callback, raster.name);
    std::vector<double> row(std::size_t(raster.width));
    for (int y = 0; y < raster.height; ++y)
    {
        if (!progress.at(std::uint64_t(y), std::uint64_t(raster.height))) return progress.interrupted();
        if (GDALRasterIO(band, GF_Read, 0, y, raster.width, 1, row.data(), raster.width, 1, GDT_Float64, 0, 0) !=
            CE_None)
            return inputError(raster.name, fmt::format("row {}: {}", y, gdal.takeComplaint("cannot be read")));
        convertSamples(rule, reinterpret_cast<const std::byte*>(row.data()), sizeof(double),
                       std::span(raster.heights).subspan(std::size_t(y) * row.size(), row.size()));
    }
    return Status::ok();
}

}  // namespace

Result<Raster> readGdalHeader(const std::string& name, std::uint64_t largestSide)
{
    QuietGdal gdal(name);
    const Result<GdalDataset> dataset = openGdal(name, gdal);
    if (!dataset) return dataset.error();
    Result<GdalHeader> header = describeGdal(*dataset, name, largestSide);
    if (!header) return header.error();
    return std::move(header->raster);
}

Result<Raster> readWithGdal(const ByteSource& source, const LoadProgress& progress)
{
    QuietGdal gdal(source.name());
    const Result<GdalDataset> dataset = openGdal(source.name(), gdal);
    if (!dataset) return dataset.error();
    Result<GdalHeader> header = describeGdal(*dataset, source.name(), kMaxRasterSide);
    if (!header) return header.error();
    Raster& raster = header->raster;
    if (Status status = checkClaim(dataset->get(), raster); !status) return status.error();
    Status memory = allocateHeights(raster, std::uint64_t(raster.width), std::uint64_t(raster.height));
    if (!memory) return memory.error();
    GDALRasterBandH band = GDALGetRasterBand(dataset->get(), 1);
    if (Status status = readRows(band, header->rule, gdal, progress, raster); !status) return status.error();
    unmirror(raster, header->geo);
    return std::move(raster);
}

bool builtWithGdal() { return true; }

}  // namespace orogen

#else

#include "core/terrain/io/reading.h"

namespace orogen {

Result<Raster> readGdalHeader(const std::string& name, std::uint64_t)
{
    return inputError(name, "the program was built without GDAL");
}

bool builtWithGdal() { return false; }

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
