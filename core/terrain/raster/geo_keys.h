// GeoKeys of a GeoTIFF: codes, numbers and texts by key, and their combined meaning.
// Source: OGC 19-008r4, GeoTIFF 1.1; keys and codes have the numbers given there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/terrain/raster/height_unit.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

// Tags as stored in the file; absent ones are empty.
struct GeoTags
{
    std::vector<double> pixelScale;        // 33550: x, y, z
    std::vector<double> tiePoints;         // column, row, 0, x, y, z for each
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
    std::string text(GeoKey key) const;              // printable; empty if absent

private:
    // Returns {key, location, count, value} in the directory; null if absent.
    const std::uint16_t* find(GeoKey key) const;

    const GeoTags& tags_;
};

// Returns "EPSG:32611" for a citation of a UTM zone ("WGS 84 / UTM zone 11N", "NAD_1983_UTM_Zone_11N"), or empty.
std::string epsgOfCitation(const std::string& citation);

// Returns "EPSG:32611", the text of a citation, or "geographic" or "projected".
std::string crsName(const GeoKeys& keys, bool geographic);

// Returns the angular unit (degrees); empty if the keys name an unknown one.
std::optional<double> angularUnit(const GeoKeys& keys);

// Returns the transverse Mercator projection given by its parameters instead of a code. `linearUnit`: metres per unit
// of its lengths. Empty if it is another projection, or parameters are missing.
std::optional<MapProjection> spelledProjection(const GeoKeys& keys, double linearUnit);

// Returns the unit of the vertical keys; adds a warning if it is not understood.
std::optional<HeightUnit> verticalUnit(const GeoKeys& keys, std::vector<std::string>& warnings);

}  // namespace orogen
