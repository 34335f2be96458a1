#include "core/terrain/io/gdal_reader.h"

#ifdef OROGEN_HAVE_GDAL

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/io/source_files.h"

namespace orogen {
namespace {

constexpr std::size_t kDeepestVirtual = 32;  // levels of nested VRTs

struct TreeDeleter
{
    void operator()(CPLXMLNode* tree) const { CPLDestroyXMLNode(tree); }
};

bool isVirtual(const std::string& name)
{
    std::error_code unknown;
    if (!isGdalPath(name) && !std::filesystem::is_regular_file(name, unknown)) return false;  // a pipe would block
    VSILFILE* const file = VSIFOpenExL(name.c_str(), "rb", TRUE);
    if (!file) return false;
    std::array<char, 1024> head{};
    const std::size_t count = VSIFReadL(head.data(), 1, head.size(), file);
    VSIFCloseL(file);
    return std::string_view(head.data(), count).find("<VRTDataset") != std::string_view::npos;
}

bool namesNetwork(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text.find("/vsi") != std::string::npos || text.find("://") != std::string::npos;
}

// Search through a VRT, and the VRTs that it names, for the references that checkVirtualRaster() forbids.
class Looking
{
public:
    explicit Looking(const std::string& name) : name_(name), mayNameNetwork_(isGdalPath(name)) {}

    Status file(const std::string& name)
    {
        std::error_code unknown;
        const std::string canonical =
            isGdalPath(name) ? name : std::filesystem::weakly_canonical(name, unknown).string();
        const std::string path = unknown ? name : canonical;
        if (std::ranges::find(open_, path) != open_.end())
            return inputError(name_, open_.size() == 1 ? "a virtual raster that names itself"
                                                       : fmt::format("a virtual raster that names itself by way of {}",
                                                                     printable(open_.back())));
        if (open_.size() == kDeepestVirtual)
            return inputError(name_, fmt::format("virtual rasters in each other, more than {} deep", kDeepestVirtual));
        if (!seen_.insert(path).second || !isVirtual(path)) return Status::ok();
        open_.push_back(path);
        const std::unique_ptr<CPLXMLNode, TreeDeleter> tree(CPLParseXMLFile(path.c_str()));
        const Status status = nodes(tree.get(), path);
        open_.pop_back();
        return status;
    }

private:
    Status nodes(const CPLXMLNode* node, const std::string& path)
    {
        for (; node; node = node->psNext)
        {
            const std::string_view value = node->pszValue ? node->pszValue : "";
            if (node->eType == CXT_Element && (value == "Metadata" || value == "SRS" || value == "Description"))
                continue;
            if (node->eType == CXT_Text && !mayNameNetwork_ && namesNetwork(std::string(value)))
                return inputError(name_, fmt::format("a virtual raster that names '{}': a file may not send "
                                                     "the program to a network or into an archive",
                                                     printable(value)));
            if (node->eType == CXT_Element && (value == "SourceFilename" || value == "SourceDataset"))
                if (Status status = source(node, path); !status) return status;
            if (Status status = nodes(node->psChild, path); !status) return status;
        }
        return Status::ok();
    }

    Status source(const CPLXMLNode* node, const std::string& path)
    {
        const std::string name = CPLGetXMLValue(node, "", "");
        if (name.empty() || isGdalPath(name) != isGdalPath(path)) return Status::ok();
        const bool relative = CPLGetXMLValue(node, "relativeToVRT", "0") == std::string_view("1");
        const std::filesystem::path from(path);
        return file(relative ? (from.parent_path() / name).string() : name);
    }

    std::string name_;
    bool mayNameNetwork_;
    std::vector<std::string> open_;  // files being checked; each is named by the one before it
    std::set<std::string> seen_;
};

// Checks a VRT; returns ok for other files. Errors, kInput: a VRT that refers to itself, directly or through others, or
// nests others too deep; a VRT in a local file that refers to a GDAL path (/vsi...) or a URL, which only the user may
// give. Reads all VRTs that it finds, and the first bytes of the other files that they name.
Status checkVirtualRaster(const std::string& name) { return Looking(name).file(name); }

// Drivers to open files with: formats of elevation and pictures, and containers of these. WebServices has the drivers
// of web services. Vector drivers except SQLite's, which startGdal() registers, are left out, so that no content of a
// file causes a network request. The first driver that accepts a file opens it, so the order is that of
// GDALAllRegister(), which would register all drivers. Formats with a signature come first. BT to BYN, and then USGSDEM
// to SIGDEM, recognise a file less surely. ENVI and EHdr, the last, accept any file with an .hdr file beside it.
constexpr auto kDrivers = std::to_array<const char*>({
    "VRT",     "Derived", "GTiff",    "COG",      "HFA",    "AIGrid",      "AAIGrid",   "GRASSASCIIGrid",
    "ISG",     "SDTS",    "DTED",     "PNG",      "JPEG",   "MEM",         "PCRaster",  "ILWIS",
    "WEBP",    "SRTMHGT", "Leveller", "Terragen", "netCDF", "HDF4",        "HDF4Image", "ISIS3",
    "ISIS2",   "PDS",     "PDS4",     "VICAR",    "ERS",    "JP2OpenJPEG", "GRIB",      "RMF",
    "IDRISI",  "GSAG",    "GSBG",     "GS7BG",    "BT",     "GTX",         "ACE2",      "SNODAS",
    "RRASTER", "BYN",     "USGSDEM",  "GXF",      "BAG",    "HDF5",        "HDF5Image", "NWT_GRD",
    "SAGA",    "XYZ",     "HF2",      "ZMap",     "SIGDEM", "MBTiles",     "ENVI",      "EHdr",
});

void setUnlessSet(const char* key, const char* value)
{
    if (!CPLGetConfigOption(key, nullptr)) CPLSetConfigOption(key, value);
}

void startGdal()
{
    static const bool started = [] {
        setUnlessSet("GDAL_HTTP_CONNECTTIMEOUT", "10");
        setUnlessSet("GDAL_HTTP_TIMEOUT", "30");
        setUnlessSet("GDAL_HTTP_MAX_RETRY", "2");
        setUnlessSet("GDAL_HTTP_RETRY_DELAY", "0.5");
        setUnlessSet("GDAL_CACHEMAX", "256");  // MB of decoded blocks for the process
        setUnlessSet("CPL_VSIL_NETWORK_STATS_ENABLED", "YES");
        CPLSetErrorHandler(CPLQuietErrorHandler);  // for threads without a QuietGdal; also silences libtiff
        for (const char* const driver : kDrivers)
            reinterpret_cast<void (*)()>(gdalSymbol((std::string("GDALRegister_") + driver).c_str()))();
        reinterpret_cast<void (*)()>(gdalSymbol("RegisterOGRSQLite"))();                // the MBTiles driver needs it
        char** const skipped = CSLTokenizeString(CPLGetConfigOption("GDAL_SKIP", ""));  // as GDALAllRegister() does
        for (int i = 0; i < CSLCount(skipped); ++i)
            if (const GDALDriverH driver = GDALGetDriverByName(skipped[i])) GDALDeregisterDriver(driver);
        CSLDestroy(skipped);
        return true;
    }();
    (void)started;
}

// Returns a code such as "EPSG:32611" if the system has one or matches a system of the registry, otherwise its name.
// PROJ calls a system without a name "unknown". That system is named by the projection's method, in words: "unnamed
// (Albers Equal Area)".
std::string nameOfCrs(OGRSpatialReferenceH crs)
{
    const char* const node = OSRIsProjected(crs) ? "PROJCS" : "GEOGCS";
    const char* const authority = OSRGetAuthorityName(crs, node);
    const char* const code = OSRGetAuthorityCode(crs, node);
    if (authority && code) return fmt::format("{}:{}", authority, code);
    const char* const name = OSRGetAttrValue(crs, node, 0);
    const std::string epsg = OSRIsProjected(crs) ? epsgOfCitation(name ? name : "") : std::string();
    if (!epsg.empty()) return epsg;
    int* sure = nullptr;  // confidence in each match (percent)
    int count = 0;
    OGRSpatialReferenceH horizontal = OSRClone(crs);
    OSRStripVertical(horizontal);
    OGRSpatialReferenceH* const matches = OSRFindMatches(horizontal, nullptr, &count, &sure);
    OSRDestroySpatialReference(horizontal);
    const char* const found = count > 0 && sure[0] >= 90 ? OSRGetAuthorityCode(matches[0], nullptr) : nullptr;
    const std::string match = found ? fmt::format("{}:{}", OSRGetAuthorityName(matches[0], nullptr), found) : "";
    OSRFreeSRSArray(matches);
    CPLFree(sure);
    if (!match.empty()) return match;
    const char* const method = OSRGetAttrValue(crs, "PROJECTION", 0);
    if (!name || name != std::string_view("unknown")) return printable(name ? name : "");
    if (!method) return OSRIsProjected(crs) ? "projected" : "geographic";
    std::string words = method;  // "Albers_Conic_Equal_Area"
    std::ranges::replace(words, '_', ' ');
    if (words == "Albers Conic Equal Area") words = "Albers Equal Area";  // as the keys of a GeoTIFF call it
    if (words.ends_with(" 1SP") || words.ends_with(" 2SP")) words.resize(words.size() - 4);
    return fmt::format("unnamed ({})", printable(words));
}

// Applies the horizontal part of a system, the vertical unit of a compound one, and whether heights count from the
// ellipsoid. Returns false and changes nothing for a system that is not one of the Earth's surface.
bool applyCrs(OGRSpatialReferenceH crs, Raster& raster)
{
    const bool geographic = OSRIsGeographic(crs) != 0;
    if (!geographic && !OSRIsProjected(crs)) return false;
    raster.crs = nameOfCrs(crs);
    raster.projection = MapProjection::ofCrs(raster.crs);
    if (!raster.projection) raster.projection = MapProjection::ofSystem(crs);
    if (raster.placement)
    {
        raster.placement->geographic = geographic;
        raster.placement->guessed = false;
        if (!geographic) raster.placement->unit = OSRGetLinearUnits(crs, nullptr);
    }
    if (OSRIsCompound(crs))
        raster.aboveEllipsoid = false;
    else if (OSRGetAxesCount(crs) == 3)  // a compound system with heights above the ellipsoid becomes one of three axes
        raster.aboveEllipsoid = true;
    if (!OSRIsCompound(crs) || raster.heightUnit) return true;
    const double metres = OSRGetTargetLinearUnits(crs, "VERT_CS", nullptr);
    for (const HeightUnit known : {HeightUnit::kMetre, HeightUnit::kFoot, HeightUnit::kUsFoot})
        if (std::fabs(metres - metresOf(known)) < 1e-9) raster.heightUnit = known;
    return true;
}

}  // namespace

Georeference readPlacement(const GdalDataset& from, Raster& raster)
{
    GDALDatasetH dataset = from.get();
    Georeference geo;
    std::array<double, 6> t{};
    if (GDALGetGeoTransform(dataset, t.data()) == CE_None)
        placeByMap({t[1], t[2], t[0], t[4], t[5], t[3]}, raster.width, raster.height, geo);
    raster.placement = geo.placement;
    raster.warnings.insert(raster.warnings.end(), geo.warnings.begin(), geo.warnings.end());
    if (OGRSpatialReferenceH crs = GDALGetSpatialRef(dataset); crs && !applyCrs(crs, raster))
        raster.crs = printable(OSRGetName(crs) ? OSRGetName(crs) : "");
    return geo;
}

namespace {

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

// Returns the name by which GDAL opens a data set. A template of tiles is a URL with {z}, {x} and {y}. It becomes a
// description of the service: a square of Web Mercator, whose tiles have 256 pixels per side. "#17" at the end of the
// URL says the largest {z}, at most 21; the default is kMostZoom.
std::string nameForGdal(const std::string& name)
{
    constexpr int kMostZoom = 19;
    constexpr double kEdge = 20'037'508.342789244;  // half the side of Web Mercator's square (metres)
    if (!isTileTemplate(name)) return name;
    std::string url = name;
    int zoom = kMostZoom;
    if (const std::size_t hash = url.rfind('#'); hash != std::string::npos)
    {
        const std::string digits = url.substr(hash + 1);
        if (!digits.empty() && digits.size() <= 2 &&
            std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
            zoom = std::min(std::stoi(digits), 21);
        url.resize(hash);
    }
    const bool fromSouth = url.find("{-y}") != std::string::npos;
    const auto replaceAll = [&url](std::string_view from, std::string_view to) {
        for (std::size_t at = 0; (at = url.find(from, at)) != std::string::npos; at += to.size())
            url.replace(at, from.size(), to);
    };
    for (const auto& [from, to] : {std::pair{"&", "&amp;"},
                                   {"<", "&lt;"},
                                   {">", "&gt;"},
                                   {"{z}", "${z}"},
                                   {"{x}", "${x}"},
                                   {"{y}", "${y}"},
                                   {"{-y}", "${y}"}})
        replaceAll(from, to);
    return fmt::format(
        "<GDAL_WMS><Service name=\"TMS\"><ServerUrl>{}</ServerUrl></Service><DataWindow><UpperLeftX>{}</UpperLeftX>"
        "<UpperLeftY>{}</UpperLeftY><LowerRightX>{}</LowerRightX><LowerRightY>{}</LowerRightY><TileLevel>{}</TileLevel>"
        "<TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>{}</YOrigin></DataWindow>"
        "<Projection>EPSG:3857</Projection><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY>"
        "<BandsCount>4</BandsCount><Timeout>30</Timeout><MaxConnections>2</MaxConnections>"
        "<ZeroBlockHttpCodes>204,404</ZeroBlockHttpCodes></GDAL_WMS>",
        url, -kEdge, kEdge, kEdge, -kEdge, zoom, fromSouth ? "bottom" : "top");
}

// Number of this thread's QuietGdal objects for local files. While there are any, the thread holds a shared lock on
// webServices. So drivers of web services are not registered while GDAL works on a local file, which may name such a
// service.
thread_local int localWork = 0;
std::shared_mutex webServices;

// Registration of the drivers of web services during the object's lifetime, to open a name that the user typed.
class WebServices
{
public:
    WebServices()
    {
        for (const GDALDriverH driver : drivers())
            GDALRegisterDriver(driver);
    }
    WebServices(const WebServices&) = delete;
    ~WebServices()
    {
        for (const GDALDriverH driver : drivers())
            GDALDeregisterDriver(driver);
    }

private:
    // Drivers, created once. WMTS opens its images through WMS.
    static const std::array<GDALDriverH, 2>& drivers()
    {
        static const std::array<GDALDriverH, 2> both = [] {
            GDALRegister_WMS();
            GDALRegister_WMTS();
            return std::array{GDALGetDriverByName("WMS"), GDALGetDriverByName("WMTS")};
        }();
        return both;
    }

    const std::unique_lock<std::shared_mutex> lock_{webServices};
};

// Returns a hint, after a space, how to open a local file that is no raster: a zip archive or a scene. Else empty.
std::string hintFor(const std::string& name)
{
    if (isGdalPath(name)) return {};
    const Result<ByteSource> file = ByteSource::open(name);
    if (!file) return {};
    std::array<char, 128> head{};
    const std::string_view text(head.data(), file->read(0, head.data(), head.size()));
    if (text.starts_with("PK\3\4")) return fmt::format(" (a raster in a zip archive is named /vsizip/{}/FILE)", name);
    if (text.find("\"orogen.scene/") != text.npos) return " (a scene, which orogen view, capture and record open)";
    return {};
}

}  // namespace

QuietGdal::QuietGdal(const std::string& name) : local_(!isGdalPath(name))
{
    if (!loadGdal())
    {
        complaint_ = OROGEN_GDAL_LIBRARY " cannot be loaded";
        return;
    }
    startGdal();
    if (local_ && localWork++ == 0) webServices.lock_shared();
    CPLPushErrorHandlerEx(keep, this);
    // Avoid listing remote folders; block network access for local files.
    const char* const key = local_ ? "CPL_VSIL_CURL_ALLOWED_FILENAME" : "GDAL_DISABLE_READDIR_ON_OPEN";
    if (!local_ && CPLGetConfigOption(key, nullptr)) return;
    set_ = key;
    CPLSetThreadLocalConfigOption(key, local_ ? "/vsicurl/none" : "EMPTY_DIR");
}

QuietGdal::~QuietGdal()
{
    if (!loadGdal()) return;
    if (set_) CPLSetThreadLocalConfigOption(set_, nullptr);
    CPLPopErrorHandler();
    if (local_ && --localWork == 0) webServices.unlock_shared();
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

Result<FileState> gdalFileState(const std::string& name)
{
    if (isWebService(name)) return FileState{};
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

bool applyWellKnownText(const std::string& text, Raster& raster)
{
    if (!loadGdal()) return false;
    const QuietGdal gdal("");
    OGRSpatialReferenceH crs = OSRNewSpatialReference(nullptr);
    std::string copy = text;
    char* begin = copy.data();
    const bool applied = OSRImportFromWkt(crs, &begin) == OGRERR_NONE && applyCrs(crs, raster);
    OSRDestroySpatialReference(crs);
    return applied;
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
    if (!loadGdal()) return inputError(name, gdal.takeComplaint({}));
    VSIErrorReset();
    if (Status status = checkVirtualRaster(name); !status) return status.error();
    // Keep the server's first answer: GDAL caches that the file is missing and does not ask again.
    const std::string said = VSIGetLastErrorNo() != 0 ? printable(VSIGetLastErrorMsg()) : "GDAL does not recognise it";
    gdal.takeComplaint({});
    std::optional<WebServices> services;
    if (isWebService(name)) services.emplace();
    GdalDataset dataset(
        GDALOpenEx(nameForGdal(name).c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, nullptr, nullptr));
    services.reset();
    if (!dataset) return inputError(name, "not a raster that can be read: " + gdal.takeComplaint(said) + hintFor(name));
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
    header.geo = readPlacement(dataset, raster);
    header.rule = ruleOf(band, raster);
    return header;
}

namespace {

// Most bytes of samples that a raster may claim for each byte of its files.
constexpr std::uint64_t kMostBytesPerByte = 1040;

std::uint64_t bytesOfFiles(GDALDatasetH dataset)
{
    std::uint64_t bytes = 0;
    char** files = GDALGetFileList(dataset);
    for (char** file = files; file && *file; ++file)
    {
        VSIStatBufL about;
        if (VSIStatExL(*file, &about, VSI_STAT_EXISTS_FLAG | VSI_STAT_SIZE_FLAG) == 0)
            bytes += std::uint64_t(about.st_size);
    }
    CSLDestroy(files);
    return bytes;
}

Status checkClaim(GDALDatasetH dataset, const Raster& raster)
{
    const std::uint64_t samples = std::uint64_t(raster.width) * std::uint64_t(raster.height);
    const std::uint64_t bytes = bytesOfFiles(dataset);
    if (samples * std::uint64_t(raster.bits) / 8 / kMostBytesPerByte <= bytes) return Status::ok();
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

Result<Raster> readWithGdal(const std::string& name, const LoadProgress& progress)
{
    QuietGdal gdal(name);
    const Result<GdalDataset> dataset = openGdal(name, gdal);
    if (!dataset) return dataset.error();
    Result<GdalHeader> header = describeGdal(*dataset, name, kMaxRasterSide);
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

bool hasGdal() { return loadGdal(); }

}  // namespace orogen

#else

#include "core/terrain/io/load_raster.h"

namespace orogen {

Result<Raster> readWithGdal(const std::string& name, const LoadProgress&)
{
    return inputError(name, foreignMessage({"a path of GDAL's", true}));
}

Result<Raster> readGdalHeader(const std::string& name, std::uint64_t)
{
    return inputError(name, "the program was built without GDAL");
}

bool hasGdal() { return false; }

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
