#include "core/terrain/io/gdal_reader.h"

#ifdef OROGEN_HAVE_GDAL

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include "core/base/terminal_text.h"
#include "core/terrain/io/reading.h"
#include "core/terrain/raster/georeference.h"

namespace orogen {
namespace {

// A raster may claim this much for each byte of its files.
constexpr std::uint64_t kLargestRatio = 1040;

// While it lives, GDAL's messages of this thread go here.
class QuietGdal
{
public:
    QuietGdal()
    {
        static const bool registered = [] {
            // A raster is a file; nothing is fetched from a network.
            CPLSetConfigOption("GDAL_SKIP", "WMS WMTS WCS HTTP PLMOSAIC EEDA EEDAI DAAS OGCAPI NGW STACIT STACTA");
            GDALAllRegister();
            return true;
        }();
        (void)registered;
        CPLPushErrorHandlerEx(keep, this);
    }
    QuietGdal(const QuietGdal&) = delete;
    ~QuietGdal() { CPLPopErrorHandler(); }
    std::string complaint(const std::string& otherwise) const { return complaint_.empty() ? otherwise : complaint_; }

private:
    static void CPL_STDCALL keep(CPLErr kind, CPLErrorNum, const char* text)
    {
        QuietGdal& self = *static_cast<QuietGdal*>(CPLGetErrorHandlerUserData());
        if (kind >= CE_Failure && self.complaint_.empty()) self.complaint_ = printable(text);
    }
    std::string complaint_;
};

struct DatasetCloser
{
    void operator()(void* dataset) const { GDALClose(dataset); }
};
using Dataset = std::unique_ptr<void, DatasetCloser>;

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

void readCrs(GDALDatasetH dataset, Raster& raster)
{
    OGRSpatialReferenceH crs = GDALGetSpatialRef(dataset);
    if (!crs) return;
    // Of a compound one its horizontal part.
    const char* node = OSRIsProjected(crs) ? "PROJCS" : OSRIsGeographic(crs) ? "GEOGCS" : nullptr;
    const char* authority = OSRGetAuthorityName(crs, node);
    const char* code = OSRGetAuthorityCode(crs, node);
    const char* name = OSRGetName(crs);
    if (authority && code)
        raster.crs = fmt::format("{}:{}", authority, code);
    else if (name)
        raster.crs = printable(name);
    if (!raster.placement) return;
    raster.placement->geographic = OSRIsGeographic(crs) != 0;
    if (!raster.placement->geographic) raster.placement->unit = OSRGetLinearUnits(crs, nullptr);
}

Georeference readPlacement(GDALDatasetH dataset, Raster& raster)
{
    Georeference geo;
    std::array<double, 6> t{};
    if (GDALGetGeoTransform(dataset, t.data()) == CE_None)
        placeByMap({t[1], t[2], t[0], t[4], t[5], t[3]}, raster.width, raster.height, geo);
    raster.placement = geo.placement;
    raster.warnings.insert(raster.warnings.end(), geo.warnings.begin(), geo.warnings.end());
    readCrs(dataset, raster);
    return geo;
}

void readUnit(std::string_view unit, Raster& raster)
{
    if (unit.empty()) return;
    raster.heightUnit = heightUnitOfWords(unit);
    if (!raster.heightUnit)
        raster.warnings.push_back(
            fmt::format("heights in '{}', a unit that is not known: read as metres (--unit says it)", printable(unit)));
}

// How a sample, read as float64, becomes a height.
SampleRule ruleOf(GDALRasterBandH band, Raster& raster)
{
    SampleRule rule;
    rule.type = SampleType::kFloat64;
    int has = 0;
    const double nodata = GDALGetRasterNoDataValue(band, &has);
    if (has) rule.nodata = GDALGetRasterDataType(band) == GDT_Float32 ? double(float(nodata)) : nodata;
    const double scale = GDALGetRasterScale(band, &has);
    if (has && std::isfinite(scale) && scale != 0) rule.scale = scale;
    const double offset = GDALGetRasterOffset(band, &has);
    if (has && std::isfinite(offset)) rule.offset = offset;
    readUnit(GDALGetRasterUnitType(band), raster);
    describeSamples(rule, raster);
    return rule;
}

Status readRows(GDALRasterBandH band, const SampleRule& rule, const QuietGdal& gdal, const LoadProgress& callback,
                Raster& raster)
{
    Progress progress(callback, raster.name);
    std::vector<double> row(std::size_t(raster.width));
    for (int y = 0; y < raster.height; ++y)
    {
        if (!progress.at(std::uint64_t(y), std::uint64_t(raster.height))) return progress.interrupted();
        if (GDALRasterIO(band, GF_Read, 0, y, raster.width, 1, row.data(), raster.width, 1, GDT_Float64, 0, 0) !=
            CE_None)
            return inputError(raster.name, fmt::format("row {}: {}", y, gdal.complaint("cannot be read")));
        convertSamples(rule, reinterpret_cast<const std::byte*>(row.data()), sizeof(double),
                       std::span(raster.heights).subspan(std::size_t(y) * row.size(), row.size()));
    }
    return Status::ok();
}

Status checkBand(GDALDatasetH dataset, GDALRasterBandH band, Raster& raster)
{
    const std::uint64_t width = std::uint64_t(GDALGetRasterXSize(dataset));
    const std::uint64_t height = std::uint64_t(GDALGetRasterYSize(dataset));
    if (Status status = checkSides(raster.name, width, height); !status) return status;
    const GDALDataType type = GDALGetRasterDataType(band);
    if (GDALDataTypeIsComplex(type)) return inputError(raster.name, "complex samples, expected heights");
    if (GDALGetRasterColorTable(band)) return inputError(raster.name, "a palette image, expected heights");
    raster.bits = GDALGetDataTypeSizeBits(type);
    const std::uint64_t bytes = bytesOfFiles(dataset);
    if (width * height * std::uint64_t(raster.bits) / 8 / kLargestRatio > bytes)
        return inputError(raster.name,
                          fmt::format("{} x {} samples, which is more than {} bytes can hold", width, height, bytes));
    if (raster.bits == 8) raster.warnings.push_back("8 bits a sample: heights come in 256 steps at most");
    if (GDALGetRasterCount(dataset) > 1)
        raster.warnings.push_back(fmt::format("{} bands: the first is read as heights", GDALGetRasterCount(dataset)));
    return Status::ok();
}

}  // namespace

Result<Raster> readWithGdal(const ByteSource& source, const LoadProgress& progress)
{
    const QuietGdal gdal;
    Raster raster;
    raster.name = source.name();
    const Dataset dataset(
        GDALOpenEx(source.name().c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, nullptr, nullptr));
    if (!dataset)
        return inputError(raster.name, "not a raster that can be read: " + gdal.complaint("GDAL does not know it"));
    raster.format = GDALGetDriverShortName(GDALGetDatasetDriver(dataset.get()));
    GDALRasterBandH band = GDALGetRasterCount(dataset.get()) > 0 ? GDALGetRasterBand(dataset.get(), 1) : nullptr;
    if (!band) return inputError(raster.name, "a data set without a raster band");
    if (Status status = checkBand(dataset.get(), band, raster); !status) return status.error();
    Status memory = allocateHeights(raster, std::uint64_t(GDALGetRasterXSize(dataset.get())),
                                    std::uint64_t(GDALGetRasterYSize(dataset.get())));
    if (!memory) return memory.error();
    const Georeference geo = readPlacement(dataset.get(), raster);
    const SampleRule rule = ruleOf(band, raster);
    if (Status status = readRows(band, rule, gdal, progress, raster); !status) return status.error();
    unmirror(raster, geo);
    return raster;
}

bool builtWithGdal() { return true; }

}  // namespace orogen

#else

namespace orogen {

bool builtWithGdal() { return false; }

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
