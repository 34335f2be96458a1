#include "core/terrain/io/gdal_dataset.h"

#ifdef OROGEN_HAVE_GDAL

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <cpl_vsi_error.h>
#include <fmt/format.h>
#include <ogr_srs_api.h>

#include "core/base/terminal_text.h"
#include "core/terrain/io/virtual_raster.h"

namespace orogen {
namespace {

void setUnlessSet(const char* key, const char* value)
{
    if (!CPLGetConfigOption(key, nullptr)) CPLSetConfigOption(key, value);
}

void startGdal()
{
    static const bool started = [] {
        // Skip drivers of web services: a file must not trigger requests.
        const std::string skipped = CPLGetConfigOption("GDAL_SKIP", "");
        CPLSetConfigOption("GDAL_SKIP",
                           (skipped + " WMS WMTS WCS HTTP PLMOSAIC EEDA EEDAI DAAS OGCAPI NGW STACIT STACTA").c_str());
        setUnlessSet("GDAL_HTTP_CONNECTTIMEOUT", "10");
        setUnlessSet("GDAL_HTTP_TIMEOUT", "30");
        setUnlessSet("GDAL_HTTP_MAX_RETRY", "2");
        setUnlessSet("GDAL_HTTP_RETRY_DELAY", "0.5");
        setUnlessSet("GDAL_CACHEMAX", "256");  // MB of decoded blocks for the process
        setUnlessSet("CPL_VSIL_NETWORK_STATS_ENABLED", "YES");
        CPLSetErrorHandler(CPLQuietErrorHandler);  // for threads without a QuietGdal; also silences libtiff
        GDALAllRegister();
        return true;
    }();
    (void)started;
}

void readCrs(GDALDatasetH dataset, Raster& raster)
{
    OGRSpatialReferenceH crs = GDALGetSpatialRef(dataset);
    if (!crs) return;
    // Use the horizontal part of a compound system.
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
            fmt::format("heights in '{}', a unit that is not known: read as metres (--unit sets it)", printable(unit)));
}

// Returns the conversion from a float64 sample to a height.
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

Status checkBand(GDALDatasetH dataset, GDALRasterBandH band, std::uint64_t largestSide, Raster& raster)
{
    const std::uint64_t width = std::uint64_t(GDALGetRasterXSize(dataset));
    const std::uint64_t height = std::uint64_t(GDALGetRasterYSize(dataset));
    if (Status status = checkSides(raster.name, width, height, largestSide); !status) return status;
    const GDALDataType type = GDALGetRasterDataType(band);
    if (GDALDataTypeIsComplex(type)) return inputError(raster.name, "complex samples, expected heights");
    if (GDALGetRasterColorTable(band)) return inputError(raster.name, "a palette image, expected heights");
    raster.width = int(width);
    raster.height = int(height);
    raster.bits = GDALGetDataTypeSizeBits(type);
    if (raster.bits == 8) raster.warnings.push_back("8 bits a sample: heights come in 256 steps at most");
    if (GDALGetRasterCount(dataset) > 1)
        raster.warnings.push_back(fmt::format("{} bands: the first is read as heights", GDALGetRasterCount(dataset)));
    return Status::ok();
}

}  // namespace

QuietGdal::QuietGdal(const std::string& name)
{
    startGdal();
    CPLPushErrorHandlerEx(keep, this);
    // Avoid listing remote folders; block network access for local files.
    const char* const key = isGdalPath(name) ? "GDAL_DISABLE_READDIR_ON_OPEN" : "CPL_VSIL_CURL_ALLOWED_FILENAME";
    if (isGdalPath(name) && CPLGetConfigOption(key, nullptr)) return;
    set_ = key;
    CPLSetThreadLocalConfigOption(key, isGdalPath(name) ? "EMPTY_DIR" : "/vsicurl/none");
}

QuietGdal::~QuietGdal()
{
    if (set_) CPLSetThreadLocalConfigOption(set_, nullptr);
    CPLPopErrorHandler();
}

std::string QuietGdal::takeComplaint(const std::string& otherwise)
{
    const std::string complaint = std::exchange(complaint_, {});
    return complaint.empty() ? otherwise : complaint;
}

void CPL_STDCALL QuietGdal::keep(CPLErr kind, CPLErrorNum, const char* text)
{
    QuietGdal& self = *static_cast<QuietGdal*>(CPLGetErrorHandlerUserData());
    if (kind >= CE_Failure && self.complaint_.empty()) self.complaint_ = printable(text);
}

bool isGdalPath(const std::string& name) { return name.starts_with("/vsi"); }

Result<FileState> gdalFileState(const std::string& name)
{
    QuietGdal gdal(name);
    VSIStatBufL about;
    if (VSIStatExL(name.c_str(), &about, VSI_STAT_EXISTS_FLAG | VSI_STAT_SIZE_FLAG) != 0)
        return inputError(name, gdal.takeComplaint("cannot be found"));
    FileState state{std::uint64_t(about.st_size), fmt::format("{}", about.st_mtime)};
    char** const headers = VSIGetFileMetadata(name.c_str(), "HEADERS", nullptr);
    if (const char* tag = CSLFetchNameValue(headers, "ETag")) state.changed += fmt::format(" {}", tag);
    CSLDestroy(headers);
    return state;
}

std::vector<std::string> gdalFiles(const GdalDataset& dataset, const std::string& name)
{
    char** const list = GDALGetFileList(dataset.get());
    std::vector<std::string> files;
    for (int i = 0; i < CSLCount(list); ++i)
        files.emplace_back(list[i]);
    CSLDestroy(list);
    if (files.empty()) files.push_back(name);
    return files;
}

Result<GdalDataset> openGdal(const std::string& name, QuietGdal& gdal)
{
    VSIErrorReset();
    if (Status status = checkVirtualRaster(name); !status) return status.error();
    // Keep the server's answer of the first access: GDAL caches that the file is missing, and does not ask again.
    const std::string said = VSIGetLastErrorNo() != 0 ? printable(VSIGetLastErrorMsg()) : "GDAL does not recognise it";
    gdal.takeComplaint({});
    GdalDataset dataset(GDALOpenEx(name.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, nullptr, nullptr));
    if (!dataset) return inputError(name, "not a raster that can be read: " + gdal.takeComplaint(said));
    if (GDALGetRasterCount(dataset.get()) < 1) return inputError(name, "a data set without a raster band");
    return dataset;
}

Result<GdalHeader> describeGdal(const GdalDataset& dataset, const std::string& name, std::uint64_t largestSide)
{
    GdalHeader header;
    Raster& raster = header.raster;
    raster.name = name;
    raster.format = GDALGetDriverShortName(GDALGetDatasetDriver(dataset.get()));
    GDALRasterBandH band = GDALGetRasterBand(dataset.get(), 1);
    if (Status status = checkBand(dataset.get(), band, largestSide, raster); !status) return status.error();
    header.geo = readPlacement(dataset.get(), raster);
    header.rule = ruleOf(band, raster);
    return header;
}

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
