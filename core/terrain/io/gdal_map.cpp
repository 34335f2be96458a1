#include "core/terrain/io/gdal_map.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/raster/raster.h"

#ifdef OROGEN_HAVE_GDAL

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/terrain/io/gdal_reader.h"

namespace orogen {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

struct CrsCloser
{
    void operator()(void* crs) const { OSRDestroySpatialReference(crs); }
};
using Crs = std::unique_ptr<void, CrsCloser>;

// Returns whether the text is a code, "EPSG:3034" or "ESRI:54009". GDAL could read other texts as file names or URLs.
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

// Creates a system whose x is longitude or easting, regardless of the axis order in its definition; null on an error.
Crs crsOf(const std::string& text)
{
    if (!loadGdal()) return nullptr;
    Crs crs(OSRNewSpatialReference(nullptr));
    std::string wkt = text;
    char* begin = wkt.data();
    const OGRErr error =
        isCode(text) ? OSRSetFromUserInput(crs.get(), text.c_str()) : OSRImportFromWkt(crs.get(), &begin);
    if (error != OGRERR_NONE) return nullptr;
    OSRSetAxisMappingStrategy(crs.get(), OAMS_TRADITIONAL_GIS_ORDER);
    return crs;
}

}  // namespace

Result<std::unique_ptr<GdalMap>> GdalMap::open(const std::string& name, const std::string& crs)
{
    return between(name, "EPSG:4326", crs);
}

Result<std::unique_ptr<GdalMap>> GdalMap::between(const std::string& name, const std::string& from,
                                                  const std::string& to)
{
    QuietGdal quiet(name);
    Crs systems[2];
    for (const std::string* crs : {&from, &to})
    {
        Crs& system = systems[crs == &from ? 0 : 1];
        system = crsOf(*crs);
        if (!system)
            return inputError(
                name, fmt::format("a coordinate system that cannot be read: {}", quiet.takeComplaint(printable(*crs))));
        if (OSRIsCompound(system.get())) OSRStripVertical(system.get());
        if (!OSRIsProjected(system.get()) && !OSRIsGeographic(system.get()))
            return inputError(name, fmt::format("coordinate system {}: not one of the Earth's surface",
                                                printable(OSRGetName(system.get()) ? OSRGetName(system.get()) : *crs)));
    }
    auto result = std::make_unique<GdalMap>();
    result->forward_ = OCTNewCoordinateTransformation(systems[0].get(), systems[1].get());
    result->inverse_ = OCTNewCoordinateTransformation(systems[1].get(), systems[0].get());
    if (!result->forward_ || !result->inverse_)
        return inputError(name,
                          fmt::format("a projection that cannot be computed: {}", quiet.takeComplaint(printable(to))));
    return result;
}

GdalMap::~GdalMap()
{
    if (forward_) OCTDestroyCoordinateTransformation(forward_);
    if (inverse_) OCTDestroyCoordinateTransformation(inverse_);
}

void GdalMap::forward(std::span<const LatLong> places, std::span<MapPoint> out) const
{
    for (std::size_t i = 0; i < places.size(); ++i)
        out[i] = {places[i].longitude, places[i].latitude};
    convert(out.first(places.size()), false);
}

void GdalMap::inverse(std::span<const MapPoint> points, std::span<LatLong> out) const
{
    std::vector<MapPoint> places(points.begin(), points.end());
    convert(places, true);
    for (std::size_t i = 0; i < places.size(); ++i)
        out[i] = {places[i].y, places[i].x};
}

// Ignores heights, as only the horizontal part of a compound system counts.
void GdalMap::convert(std::span<MapPoint> points, bool back) const
{
    std::vector<double> x, y;
    for (const MapPoint& point : points)
        x.push_back(point.x), y.push_back(point.y);
    std::vector<int> done(x.size());
    QuietGdal quiet("");
    OCTTransformEx(back ? inverse_ : forward_, int(x.size()), x.data(), y.data(), nullptr, done.data());
    for (std::size_t i = 0; i < x.size(); ++i)
        points[i] =
            done[i] && std::isfinite(x[i]) && std::isfinite(y[i]) ? MapPoint{x[i], y[i]} : MapPoint{kNowhere, kNowhere};
}

std::optional<std::vector<double>> geoidHeights(std::span<const LatLong> places)
{
    QuietGdal quiet("");
    const Crs above = crsOf("EPSG:4979"), sea = crsOf("EPSG:9707");  // heights above the ellipsoid; above EGM96
    if (!above || !sea) return std::nullopt;
    OGRCoordinateTransformationH shift = OCTNewCoordinateTransformation(above.get(), sea.get());
    if (!shift) return std::nullopt;
    // Without the geoid's grid, PROJ returns heights unchanged. So (0, 0) is appended, where the geoid is at 17 m: a
    // result of 0 there means that the grid is missing.
    std::vector<double> x, y;
    for (const LatLong& place : places)
        x.push_back(place.longitude), y.push_back(place.latitude);
    x.push_back(0), y.push_back(0);
    std::vector<double> heights(x.size(), 0.0);
    std::vector<int> done(x.size());
    OCTTransformEx(shift, int(x.size()), x.data(), y.data(), heights.data(), done.data());
    OCTDestroyCoordinateTransformation(shift);
    const bool known = done.back() && std::fabs(heights.back()) > 1.0;
    heights.pop_back(), done.pop_back();
    if (!known || !std::ranges::all_of(done, [](int one) { return one != 0; })) return std::nullopt;
    for (double& height : heights)
        height = -height;
    return heights;
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

Result<std::unique_ptr<GdalMap>> GdalMap::between(const std::string& name, const std::string&, const std::string& to)
{
    return open(name, to);
}

GdalMap::~GdalMap() = default;
void GdalMap::forward(std::span<const LatLong>, std::span<MapPoint>) const {}
void GdalMap::inverse(std::span<const MapPoint>, std::span<LatLong>) const {}
void GdalMap::convert(std::span<MapPoint>, bool) const {}
std::optional<std::vector<double>> geoidHeights(std::span<const LatLong>) { return std::nullopt; }
std::string wktOfFile(const std::string&) { return {}; }

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
