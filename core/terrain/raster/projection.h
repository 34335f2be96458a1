// Conversion between map coordinates and latitude and longitude, and between these and a terrain's metres.
//
// Sources: C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", Journal of Geodesy 85 (2011).
// Krueger's series to the sixth order of the third flattening has errors below 10 nm within 35 degrees of the central
// meridian. IOGP Guidance Note 7-2 for the parameters and "Popular Visualisation Pseudo Mercator".
//
// Latitudes and longitudes are those of the map's own datum, without a datum shift. ETRS89, NAD83 and GDA are within 2
// m of WGS 84, older ones (NAD27, ED50, OSGB36, DHDN) within 300 m.
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

// Map coordinates: east and north (metres), or longitude and latitude (degrees) if the map is geographic.
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

// Return the ellipsoid with an EPSG code (7030), or of a geographic system (4326); empty if unknown here.
std::optional<Ellipsoid> ellipsoidOfEpsg(int code);
std::optional<Ellipsoid> ellipsoidOfGeographic(int code);

struct TransverseMercator
{
    Ellipsoid ellipsoid;
    double latitude = 0, longitude = 0;    // natural origin (degrees)
    double scale = 1.0;                    // at the origin
    double falseEast = 0, falseNorth = 0;  // metres
};

// Metres on the ground for one unit of the map, to the east and to the north.
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
    // Returns the projection of a system in the EPSG registry. Known are geographic systems in degrees from Greenwich,
    // Web Mercator (3857 and its aliases), and transverse Mercator in metres. Empty for others. A program built without
    // GDAL knows Web Mercator, 4326, 4269, 4258, and UTM on these three. Takes milliseconds through GDAL.
    static std::optional<MapProjection> ofEpsg(int code);
    // Returns the projection of a system of GDAL's (OGRSpatialReferenceH) from Greenwich: geographic in degrees, or a
    // transverse Mercator in any unit; else empty. Defined only with OROGEN_HAVE_GDAL.
    static std::optional<MapProjection> ofSystem(void* crs);
    // Returns ofEpsg() for a text such as "EPSG:32611".
    static std::optional<MapProjection> ofCrs(std::string_view crs);

    bool isGeographic() const { return std::holds_alternative<Geographic>(map_); }
    bool isWebMercator() const { return std::holds_alternative<WebMercator>(map_); }

    // Convert between map and globe. Empty: invalid numbers; latitudes above 89.99 in Web Mercator; over 80 degrees
    // from a transverse Mercator's central meridian. inverse() gives longitudes in [-180, 180). Take 0.3 microseconds.
    std::optional<MapPoint> forward(LatLong place) const;
    std::optional<LatLong> inverse(MapPoint point) const;

    // Returns the scale on WGS 84; 1 for a transverse Mercator, where it is correct within 0.1 % in a zone.
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
        double eccentricity = 0, radius = 0;  // radius: of the rectifying sphere times the scale (metres)
        double longitude = 0;                 // central meridian (degrees)
        double falseEast = 0, falseNorth = 0;
        std::array<double, 6> forward{}, inverse{};
    };
    using Map = std::variant<Geographic, WebMercator, KruegerSeries>;
    explicit MapProjection(Map map) : map_(map) {}

    static MapPoint forward(const KruegerSeries& series, double latitude, double longitude);

    Map map_;
};

// Mapping between the metres of a terrain and the globe. Independent of the raster's lifetime.
class TerrainGeography
{
public:
    // Returns empty if the raster has no position, or one in a coordinate system that MapProjection does not know.
    static std::optional<TerrainGeography> of(const Raster& raster);

    // Returns the place of a point, which may lie outside the terrain. `east` and `north`: metres from the terrain's
    // centre, as in the setting view.position. Empty where the projection is undefined. Takes about 0.3 microseconds.
    std::optional<LatLong> place(double east, double north) const;
    struct Metres
    {
        double east = 0, north = 0;
    };
    // Inverts place(). On a geographic or Web Mercator terrain, takes the longitude nearest to the centre.
    std::optional<Metres> metres(LatLong place) const;

private:
    explicit TerrainGeography(const MapProjection& projection) : projection_(projection) {}

    MapProjection projection_;
    MapPoint centre_;            // in map coordinates
    MapPoint ofEast_, ofNorth_;  // change of map coordinates per metre of the terrain to the east and to the north
};

}  // namespace orogen
