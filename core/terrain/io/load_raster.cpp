#include "core/terrain/io/load_raster.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/io/ascii_grid_reader.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/geotiff_reader.h"
#include "core/terrain/io/hgt_reader.h"
#include "core/terrain/io/picture_reader.h"
#include "core/terrain/io/raw_reader.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/io/tiles.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen {
namespace {

using namespace std::string_view_literals;

// Format that no built-in reader supports: recognised by the first bytes of a file or the suffix of its name.
struct Signature
{
    std::string_view bytes, name;
    bool gdal;
};

constexpr auto kSignatures = std::to_array<Signature>({
    {"<VRTDataset"sv, "a GDAL virtual raster (VRT)", true},
    {"CDF\1"sv, "a netCDF file", true},
    {"CDF\2"sv, "a netCDF file", true},
    {"CDF\5"sv, "a netCDF file", true},
    {"\211HDF\r\n"sv, "a netCDF or HDF5 file", true},
    {"\016\003\023\001"sv, "an HDF4 file", true},
    {"EHFA_HEADER_TAG"sv, "an Erdas Imagine raster (.img)", true},
    {"DSAA"sv, "a Surfer grid", true},
    {"DSBB"sv, "a Surfer grid", true},
    {"DSRB"sv, "a Surfer grid", true},
    {"TERRAGENTERRAIN"sv, "a Terragen heightfield", true},
    {"binterr"sv, "a VTP binary terrain (.bt)", true},
    {"GRIB"sv, "a GRIB file", true},
    {"UHL1"sv, "a DTED raster", true},
    {"\0\0\0\014jP  "sv, "a JPEG 2000 image", true},
    {"\377\117\377\121"sv, "a JPEG 2000 code stream", true},
    {"\377\330\377"sv, "a JPEG picture: no heights without loss", false},
    {"PK\003\004"sv, "a zip archive", true},
    {"PK\005\006"sv, "an empty zip archive", false},
    {"\037\213"sv, "a gzip file: unpack it first", false},
    {"LASF"sv, "a LAS point cloud, no raster", false},
    {"{\n \"format\": \"orogen.scene/"sv, "a scene, which orogen view, capture and record open", false},
    {"{\""sv, "a JSON file, no raster", false},
    {"%PDF"sv, "a PDF file, no raster", false},
});

// Suffixes of names, for files that begin with none of these signatures.
constexpr auto kSuffixes = std::to_array<Signature>({
    {".vrt", "a GDAL virtual raster (VRT)", true},
    {".dem", "a USGS DEM or another .dem file", true},
    {".img", "an .img raster", true},
    {".nc", "a netCDF file", true},
    {".adf", "an Arc/Info binary grid", true},
    {".bil", "an Esri .bil raster", true},
    {".flt", "an Esri .flt grid", true},
    {".dt0", "a DTED raster", true},
    {".dt1", "a DTED raster", true},
    {".dt2", "a DTED raster", true},
    {".grd", "a grid file", true},
    {".sdat", "a SAGA grid", true},
    {".xyz", "a table of points", true},
    {".jp2", "a JPEG 2000 image", true},
    {".ecw", "an ECW image, which is not supported", false},
    {".gpkg", "a GeoPackage, which is not supported", false},
});

// Recognises a format by `head`, the beginning of the file, or by its `path` if the content has no signature.
[[maybe_unused]] ForeignFormat foreignFormat(std::string_view head, std::string_view path)
{
    for (const Signature& known : kSignatures)
        if (head.starts_with(known.bytes)) return {known.name, known.gdal};
    for (const Signature& known : kSuffixes)
    {
        const std::string_view suffix = known.bytes;
        const auto lower = [](char c) { return char(std::tolower(static_cast<unsigned char>(c))); };
        if (path.size() >= suffix.size() &&
            std::ranges::equal(path.substr(path.size() - suffix.size()), suffix, {}, lower))
            return {known.name, known.gdal};
    }
    return {};
}

}  // namespace

std::string foreignMessage(const ForeignFormat& format)
{
    if (format.name.empty())
        return "not a raster that can be read: expected PNG, TIFF, .hgt, .hgt.zip, .asc, or raw named "
               "NAME_WIDTHxHEIGHT.raw";
    if (!format.gdal) return std::string(format.name);
    return fmt::format("{}, which is read through GDAL, and this program was built without it (./run viewer "
                       "builds it with GDAL; gdal_translate makes a GeoTIFF of it)",
                       format.name);
}

namespace {

using Reader = Result<Raster> (*)(const ByteSource&, const LoadProgress&);

// Returns null if no built-in reader recognises the file.
Reader readerOf(const ByteSource& source)
{
    if (isHgtName(source.name())) return readHgt;
    if (isRawName(source.name())) return readRaw;
    std::array<unsigned char, 64> bytes{};
    const std::span head(bytes.data(), source.read(0, bytes.data(), bytes.size()));
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (isTiff(head)) return readGeoTiff;
    if (text.starts_with("\x89PNG\r\n\x1a\n")) return readPng;
    if (isAsciiGrid(text)) return readAsciiGrid;
    if (isHgtZip(source)) return readHgtZip;
    return nullptr;
}

Result<Raster> readSamples(const ByteSource& source, const LoadProgress& progress, const SourceOverrides& overrides)
{
    if (overrides.encoding) return readColourHeights(source, *overrides.encoding, progress);
    if (const Reader reader = readerOf(source)) return reader(source, progress);
    if (source.size() == 0) return inputError(source.name(), "an empty file");
#ifdef OROGEN_HAVE_GDAL
    return readWithGdal(source.name(), progress);
#else
    std::array<char, 64> head{};
    const std::size_t count = source.read(0, head.data(), head.size());
    return inputError(source.name(), foreignMessage(foreignFormat({head.data(), count}, source.name())));
#endif
}

}  // namespace

bool isReadByGdal(const ByteSource& source) { return source.size() > 0 && !readerOf(source) && hasGdal(); }

namespace {

// Completes the metadata of a raster whose samples were read from `name`.
Result<Raster> completed(Result<Raster> raster, const std::string& name, const SourceOverrides& overrides)
{
    if (!raster) return raster;
    if (!raster->placement) readWorldFile(name, *raster);
    if (raster->placement && raster->placement->guessed) readPrjFile(name, *raster);
    takeMetres(*raster, overrides);
    if (!raster->heightUnit && raster->format == "PNG")
        raster->warnings.push_back("PNG holds no units: a code is read as a metre (--unit sets it)");
    if (Status status = finalizeRaster(*raster, overrides); !status) return status.error();
    return raster;
}

}  // namespace

Result<Raster> readRaster(const ByteSource& source, const LoadProgress& progress, const SourceOverrides& overrides)
{
    try
    {
        return completed(readSamples(source, progress, overrides), source.name(), overrides);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, printable(source.name()) + ": does not fit in memory"};
    }
}

Result<Raster> loadRaster(const std::string& dem, const LoadProgress& progress, const SourceOverrides& overrides)
{
    try
    {
        if (isSyntheticName(dem) && overrides.any())
            return Error{ExitCode::kUsage, printable(dem) + ": a synthetic terrain takes no" + optionsOf(overrides)};
        if (isSyntheticName(dem)) return makeSynthetic(dem, progress);
        std::error_code ignored;
        const bool folder = std::filesystem::is_directory(dem, ignored);
        if ((folder || isGdalPath(dem)) && overrides.encoding)
            return Error{ExitCode::kUsage,
                         fmt::format("{}: found {}, expected a picture for --encoding {}", printable(dem),
                                     folder ? "a folder" : "a name of GDAL", nameOf(*overrides.encoding))};
        if (folder) return readTiles(dem, progress, overrides);
        if (isGdalPath(dem)) return completed(readWithGdal(dem, progress), dem, overrides);
        if (Status s = checkNoUrl(dem); !s) return s.error();
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, printable(dem) + ": does not fit in memory"};
    }
    const Result<ByteSource> source = ByteSource::open(dem);
    if (!source) return source.error();
    return readRaster(*source, progress, overrides);
}

}  // namespace orogen
