#include "core/terrain/io/foreign_formats.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace orogen {
namespace {

using namespace std::string_view_literals;

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
    {"{\""sv, "a JSON file, no raster", false},
    {"%PDF"sv, "a PDF file, no raster", false},
});

// Suffixes of names, for formats without a signature.
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
    {".ecw", "an ECW image", true},
    {".gpkg", "a GeoPackage", true},
});

bool hasSuffix(std::string_view path, std::string_view suffix)
{
    if (path.size() < suffix.size()) return false;
    return std::ranges::equal(path.substr(path.size() - suffix.size()), suffix, {},
                              [](char c) { return char(std::tolower(static_cast<unsigned char>(c))); });
}

}  // namespace

ForeignFormat foreignFormat(std::string_view head, std::string_view path)
{
    for (const Signature& known : kSignatures)
        if (head.starts_with(known.bytes)) return {known.name, known.gdal};
    for (const Signature& known : kSuffixes)
        if (hasSuffix(path, known.bytes)) return {known.name, known.gdal};
    return {};
}

std::string foreignMessage(const ForeignFormat& format)
{
    if (format.name.empty())
        return "not a raster that can be read: expected PNG, TIFF, .hgt, .hgt.zip, .asc, or raw named "
               "NAME_WIDTHxHEIGHT.raw";
    if (!format.gdal) return std::string(format.name);
    return fmt::format(
        "{}, which is read through GDAL, and this program was built without it (./run viewer --with-gdal "
        "builds it with GDAL; gdal_translate makes a GeoTIFF of it)",
        format.name);
}

}  // namespace orogen
