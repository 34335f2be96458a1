// Elevation data at one point, for readouts under the cursor.
#pragma once

#include <functional>

#include "core/terrain/raster/height_field.h"

namespace orogen {

// The ground at a point (metres, unscaled; angles in degrees).
struct GroundPoint
{
    double height = 0;    // bilinear between the samples
    double slope = 0;     // from the horizontal (degrees, 0 .. 90), over one sample spacing around the point
    double aspect = 0;    // downhill direction, clockwise from north; 0 on level ground
    bool isVoid = false;  // the nearest sample has no data: the height is filled in
    bool inside = false;  // false: outside the raster; the height is that of its edge
};

GroundPoint groundPointAt(const HeightField& field, double east, double north);

// Heights at a finer resolution than a field that is an overview of them, over the same extent.
struct FinerGround
{
    std::function<double(double east, double north)> height;  // metres
    double spacingEast = 1, spacingNorth = 1;                 // metres between its samples at the point
};
// Returns the point from the finer heights. Voids and the raster's extent come from `field`.
GroundPoint groundPointAt(const HeightField& field, const FinerGround& finer, double east, double north);

}  // namespace orogen
