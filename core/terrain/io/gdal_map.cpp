#include "core/terrain/io/gdal_map.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/raster/raster_making.h"

#ifdef OROGEN_HAVE_GDAL

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <cpl_conv.h>
#include <ogr_srs_api.h>

#include "core/terrain/io/gdal_reader.h"

namespace orogen {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

struct CrsCloser
{
    void operator()(void* crs) const { OSRDestroySpatialReference(crs); }
};
using Crs = std::unique_ptr<void, CrsCloser>;

// Returns whether the text is a code, "EPSG:3034" or "ESRI:54009". GDAL would treat other texts as file names or URLs.
bool isCode(const std::string& text)
{
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    const std::size_t colon = text.find(':');
    return colon != std::string::npos && colon > 0 && colon + 1 < text.size() &&
           std::all_of(text.begin(), text.begin() + std::ptrdiff_t(colon), plain) &&
           std::all_of(text.begin() + std::ptrdiff_t(colon) + 1, text.end(), plain);
}

// Creates a system whose x is longitude or easting, regardless of the axis order in its definition.
Crs crsOf(const std::string& text)
{
    Crs crs(OSRNewSpatialReference(nullptr));
    std::string wkt = text;
    char* begin = wkt.data();
    const OGRErr error =
        isCode(text) ? OSRSetFromUserInput(crs.get(), text.c_str()) : OSRImportFromWkt(crs.get(), &begin);
    if (error != OGRERR_NONE) return nullptr;
    OSRSetAxisMappingStrategy(crs.get(), OAMS_TRADITIONAL_GIS_ORDER);
    return crs;
}

// Transforms points in place. Heights are ignored, as only the horizontal part of a compound system counts.
void transform(void* with, std::vector<double>& x, std::vector<double>& y)
{
    std::vector<int> done(x.size());
    QuietGdal quiet("");
    OCTTransformEx(with, int(x.size()), x.data(), y.data(), nullptr, done.data());
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!done[i] || !std::isfinite(x[i]) || !std::isfinite(y[i])) x[i] = y[i] = kNowhere;
}

}  // namespace

Result<std::unique_ptr<GdalMap>> GdalMap::open(const std::string& name, const std::string& crs)
{
    QuietGdal quiet(name);
    const Crs map = crsOf(crs), earth = crsOf("EPSG:4326");
    if (!map || !earth)
        return inputError(
            name, fmt::format("a coordinate system that cannot be read: {}", quiet.takeComplaint(printable(crs))));
    if (OSRIsCompound(map.get())) OSRStripVertical(map.get());
    if (!OSRIsProjected(map.get()) && !OSRIsGeographic(map.get()))
        return inputError(name, fmt::format("coordinate system {}: not one of the Earth's surface",
                                            printable(OSRGetName(map.get()) ? OSRGetName(map.get()) : crs)));
    auto result = std::make_unique<GdalMap>();
    result->forward_ = OCTNewCoordinateTransformation(earth.get(), map.get());
    result->inverse_ = OCTNewCoordinateTransformation(map.get(), earth.get());
    if (!result->forward_ || !result->inverse_)
        return inputError(name,
                          fmt::format("a projection that cannot be computed: {}", quiet.takeComplaint(printable(crs))));
    return result;
}

GdalMap::~GdalMap()
{
    if (forward_) OCTDestroyCoordinateTransformation(forward_);
    if (inverse_) OCTDestroyCoordinateTransformation(inverse_);
}

void GdalMap::forward(std::span<const LatLong> places, std::span<MapPoint> out) const
{
    std::vector<double> x(places.size()), y(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        x[i] = places[i].longitude, y[i] = places[i].latitude;
    transform(forward_, x, y);
    for (std::size_t i = 0; i < places.size(); ++i)
        out[i] = {x[i], y[i]};
}

void GdalMap::inverse(std::span<const MapPoint> points, std::span<LatLong> out) const
{
    std::vector<double> x(points.size()), y(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        x[i] = points[i].x, y[i] = points[i].y;
    transform(inverse_, x, y);
    for (std::size_t i = 0; i < points.size(); ++i)
        out[i] = {y[i], x[i]};
}

std::string wktOfFile(const std::string& name)
{
    QuietGdal gdal(name);
    const Result<GdalDataset> dataset = openGdal(name, gdal);
    OGRSpatialReferenceH crs = dataset ? GDALGetSpatialRef(dataset->get()) : nullptr;
    char* text = nullptr;
    if (!crs || OSRExportToWkt(crs, &text) != OGRERR_NONE) return {};
    const std::string wkt = text;
    CPLFree(text);
    return wkt;
}

}  // namespace orogen

#else

namespace orogen {

Result<std::unique_ptr<GdalMap>> GdalMap::open(const std::string& name, const std::string& crs)
{
    return inputError(name,
                      fmt::format("coordinate system {}: its projection is computed by GDAL, and this program was "
                                  "built without it (./run viewer builds it with GDAL)",
                                  printable(crs)));
}

GdalMap::~GdalMap() = default;
void GdalMap::forward(std::span<const LatLong>, std::span<MapPoint>) const {}
void GdalMap::inverse(std::span<const MapPoint>, std::span<LatLong>) const {}
std::string wktOfFile(const std::string&) { return {}; }

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
