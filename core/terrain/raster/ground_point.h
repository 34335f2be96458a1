// What an elevation model says of one point: for whoever asks what lies under a cursor.
#pragma once

#include <functional>

#include "core/terrain/raster/height_field.h"

namespace orogen {

// Metres, unscaled; angles in degrees.
struct GroundPoint
{
    double height = 0;    // bilinear between the samples
    double slope = 0;     // from the horizontal, 0 .. 90: of the differences over one sample spacing around the point
    double aspect = 0;    // where the ground falls to, from north clockwise; 0 where it is level
    bool isVoid = false;  // the nearest sample has no data: the height is a filling
    bool inside = false;  // false: beyond the raster, whose edge's height is given
};

GroundPoint groundPointAt(const HeightField& field, double east, double north);

// Heights with the extent of a field that is an overview of them.
struct FinerGround
{
    std::function<double(double east, double north)> height;  // metres
    double spacingEast = 1, spacingNorth = 1;                 // metres between its samples, where the point lies
};
// The same of these; what has no data, and where the raster ends, is the field's to say.
GroundPoint groundPointAt(const HeightField& field, const FinerGround& finer, double east, double north);

}  // namespace orogen
