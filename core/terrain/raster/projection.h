// Between coordinates of a map and latitude and longitude, and between a terrain's metres and both.
//
// Sources: C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", Journal of Geodesy 85 (2011),
// with Krueger's series to the sixth order of the third flattening: errors below 10 nm within 35 degrees of the central
// meridian; IOGP Guidance Note 7-2 for what the parameters mean and for "Popular Visualisation Pseudo Mercator".
//
// Latitudes and longitudes are those of the map's own datum: no shift from one datum to another is made.  ETRS89, NAD83
// and GDA lie within 2 m of WGS 84, older ones (NAD27, ED50, OSGB36, DHDN) within 300 m.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <variant>

namespace orogen {

struct Raster;

struct LatLong
{
    double latitude = 0, longitude = 0;  // degrees; north and east positive
};

// A map's coordinates: east and north in metres, or longitude and latitude in degrees where the map is geographic.
struct MapPoint
{
    double x = 0, y = 0;
};

struct Ellipsoid
{
    double major = 6'378'137.0;  // metres
    double inverseFlattening = 298.257223563;
    bool operator==(const Ellipsoid&) const = default;
};
inline constexpr Ellipsoid kWgs84{};
inline constexpr Ellipsoid kGrs80{6'378'137.0, 298.257222101};

// Of the EPSG's number of an ellipsoid (7030), or of the geographic system that uses it (4326); empty: not known here.
std::optional<Ellipsoid> ellipsoidOfEpsg(int code);
std::optional<Ellipsoid> ellipsoidOfGeographic(int code);

struct TransverseMercator
{
    Ellipsoid ellipsoid;
    double latitude = 0, longitude = 0;    // of the natural origin, degrees
    double scale = 1.0;                    // there
    double falseEast = 0, falseNorth = 0;  // metres
};

// Metres on the ground of one unit of the map, to the east and to the north.
struct GroundScale
{
    double east = 1.0, north = 1.0;
};

class MapProjection
{
public:
    static MapProjection geographic() { return MapProjection(Geographic{}); }
    static MapProjection webMercator() { return MapProjection(WebMercator{}); }
    static MapProjection transverseMercator(const TransverseMercator& parameters);
    // Of a geographic or projected coordinate system of the EPSG's registry: the usual geographic ones, Web Mercator
    // (3857 and its other numbers) and the transverse Mercator ones of epsg_codes.cpp; empty for all others.
    static std::optional<MapProjection> ofEpsg(int code);
    // The same for "EPSG:32611".
    static std::optional<MapProjection> ofCrs(std::string_view crs);

    bool isGeographic() const { return std::holds_alternative<Geographic>(map_); }
    bool isWebMercator() const { return std::holds_alternative<WebMercator>(map_); }

    // Empty: a pole on Web Mercator, more than 80 degrees from the central meridian of a transverse Mercator, or what
    // is no place.  The longitude of inverse() lies in [-180, 180).  About 0.3 microseconds each.
    std::optional<MapPoint> forward(LatLong place) const;
    std::optional<LatLong> inverse(MapPoint point) const;

    // On WGS 84.  Of a transverse Mercator 1, which it is within 0.1 % in a zone.
    GroundScale groundScale(LatLong place) const;

private:
    struct Geographic
    {
    };
    struct WebMercator
    {
    };
    struct KruegerSeries
    {
        double eccentricity = 0, radius = 0;  // radius: of the rectifying sphere times the scale, metres
        double longitude = 0;                 // of the central meridian, degrees
        double falseEast = 0, falseNorth = 0;
        std::array<double, 6> forward{}, inverse{};
    };
    using Map = std::variant<Geographic, WebMercator, KruegerSeries>;
    explicit MapProjection(Map map) : map_(map) {}

    static MapPoint forward(const KruegerSeries& series, double latitude, double longitude);

    Map map_;
};

// Where the metres of a terrain lie on the globe.  Copies share nothing with the raster.
class TerrainGeography
{
public:
    // Empty where the raster says no position, or one in a coordinate system that MapProjection does not know.
    static std::optional<TerrainGeography> of(const Raster& raster);

    // `east` and `north`: metres from the terrain's centre, as view.position has them; also beyond its border.  Empty
    // where MapProjection has no such point.  About 0.3 microseconds.
    std::optional<LatLong> place(double east, double north) const;
    // The way back.  A geographic terrain gets the longitude that is nearest to its centre.
    struct Metres
    {
        double east = 0, north = 0;
    };
    std::optional<Metres> metres(LatLong place) const;

private:
    explicit TerrainGeography(const MapProjection& projection) : projection_(projection) {}

    MapProjection projection_;
    MapPoint centre_;            // in the map's coordinates
    MapPoint ofEast_, ofNorth_;  // of the map's coordinates, for a metre of the terrain to the east and to the north
};

}  // namespace orogen
