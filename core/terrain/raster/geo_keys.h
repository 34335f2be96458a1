// The GeoKeys of a GeoTIFF: coded, numeric and textual values by their numbers, and what they say together.
// Source: OGC 19-008r4, GeoTIFF 1.1; keys and codes are quoted by their numbers there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/terrain/raster/height_unit.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

// The tags as they stand in the file; empty where it has none.
struct GeoTags
{
    std::vector<double> pixelScale;        // 33550: x, y, z
    std::vector<double> tiePoints;         // 33922: column, row, 0, x, y, z of each
    std::vector<double> transformation;    // 34264: 4x4, row-major
    std::vector<std::uint16_t> directory;  // 34735
    std::vector<double> doubles;           // 34736
    std::string ascii;                     // 34737
};

enum GeoKey : std::uint16_t
{
    kModelType = 1024,   // 1 projected, 2 geographic
    kRasterType = 1025,  // 1 pixel is area, 2 pixel is point
    kCitation = 1026,
    kGeographicCrs = 2048,
    kGeographicCitation = 2049,
    kAngularUnits = 2054,
    kAngularUnitSize = 2055,  // radians
    kEllipsoidKey = 2056,
    kMajorAxis = 2057,
    kMinorAxis = 2058,
    kInverseFlattening = 2059,
    kProjectedCrs = 3072,
    kProjectedCitation = 3073,
    kProjectionCode = 3074,  // 160zz and 161zz: UTM
    kMethod = 3075,          // 1 transverse Mercator
    kLinearUnits = 3076,
    kLinearUnitSize = 3077,
    kOriginLongitude = 3080,
    kOriginLatitude = 3081,
    kFalseEasting = 3082,
    kFalseNorthing = 3083,
    kScaleAtOrigin = 3092,
    kVerticalCrs = 4096,
    kVerticalUnits = 4099,
};

class GeoKeys
{
public:
    explicit GeoKeys(const GeoTags& tags) : tags_(tags) {}

    std::optional<std::uint16_t> code(GeoKey key) const;
    std::optional<double> number(GeoKey key) const;  // finite
    std::string text(GeoKey key) const;              // printable; empty if it is not there

private:
    // {key, location, count, value} in the directory; null if it is not there.
    const std::uint16_t* find(GeoKey key) const;

    const GeoTags& tags_;
};

// "EPSG:32611" for words that name a UTM zone, such as "WGS 84 / UTM zone 11N" or "NAD_1983_UTM_Zone_11N"; else empty.
std::string epsgOfCitation(const std::string& citation);

// "EPSG:32611", the words of a citation, or what kind it is.
std::string crsName(const GeoKeys& keys, bool geographic);

// Degrees of the unit that angles are in; empty: the keys name one that is not known.
std::optional<double> angularUnit(const GeoKeys& keys);

// A transverse Mercator that the keys spell out instead of naming it, with `linearUnit` metres in its lengths; empty:
// it is another, or parts are missing.
std::optional<MapProjection> spelledProjection(const GeoKeys& keys, double linearUnit);

// What the vertical keys say; what they say without being understood becomes a warning.
std::optional<HeightUnit> verticalUnit(const GeoKeys& keys, std::vector<std::string>& warnings);

}  // namespace orogen
