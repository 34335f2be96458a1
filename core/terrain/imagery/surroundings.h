// The Earth around a georeferenced terrain: heights, slopes and colours of the land that is drawn outside its raster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/status.h"
#include "core/gpu_layout.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// A point of the border in the unit square, and the direction in which columns leave it. The direction's larger
// component is 1 or -1.
struct BorderPoint
{
    glm::dvec2 place, outwards;
};
// Returns a point of a side. `along`: distance from the side's first corner, divided by the side's length, in [0, 1].
// The sides 0 to 3 follow one another counter-clockwise from the south-western corner, as in border_point.glsl.
BorderPoint borderPoint(int side, double along);

// Samples on a grid that follows the raster's border. Column c lies at the border's point 4 c / kSurroundingColumns
// (borderPoint() in border_point.glsl: 0 to 4, counter-clockwise from the south-western corner). Row r lies
// distanceOf(r) outside that point.
struct Surroundings
{
    struct Ground
    {
        float height = 0;           // metres above sea level; at sea, of the sea floor
        float east = 0, north = 0;  // slope (metres per metre)
    };
    static double distanceOf(int row);  // metres from the border

    std::vector<Ground> ground;         // row by row
    float highest = 0;                  // largest height of `ground` (metres)
    std::vector<std::uint8_t> colours;  // sRGB multiplied by alpha, and alpha: the picture's coverage; row by row
};

constexpr double kMostSurroundedDegrees = 60;
// Samples the relief and the picture around a terrain. Returns empty without a georeference that TerrainGeography
// knows, and for rasters of more than kMostSurroundedDegrees of latitude or longitude, or across the date line. Takes
// about 0.5 s. Errors: those of EarthRelief::read(), openImage(), PictureMap and reading; kInput for a
// picture of a part of the Earth.
Result<std::optional<Surroundings>> surroundingsOf(const Raster& terrain, const std::string& relief,
                                                   const std::string& picture);

}  // namespace orogen
