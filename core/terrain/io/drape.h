// A picture, such as an aerial photograph or a scanned map, and its placement on a terrain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <glm/mat2x2.hpp>
#include <glm/vec2.hpp>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// An image; row 0 is the northern one. Four bytes a pixel: red, green and blue in sRGB, and alpha.
struct Picture
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    std::optional<Placement> placement;  // refers to pixel centres; empty: not in the source
    std::string name, crs;               // as in Raster
    std::vector<std::string> warnings;
    bool grey = false;   // in the source; red, green and blue are equal
    bool lossy = false;  // decoded from JPEG
};

// A picture with an affine map from the terrain to the picture.
struct DrapedPicture
{
    Picture picture;
    // Map from sample coordinates of the terrain, (0, 0) at its north-western sample, to those of the picture: (0, 0)
    // at its north-western corner, (1, 1) at the south-eastern one.
    glm::dmat2 turn{1.0};
    glm::dvec2 offset{0.0};
    bool stretched = false;             // over the whole terrain, because its position is unknown
    std::vector<std::string> warnings;  // one line each

    glm::dvec2 at(glm::dvec2 sample) const { return turn * sample + offset; }
};

// Lays a picture on a terrain. A picture in the terrain's coordinate system keeps its pixels. GDAL
// resamples one in another system bilinearly, with pixels of about the same size. One without
// a position is stretched over the terrain, with a warning. The terrain's heights are not used. `goOn`: as in
// findStillWater(). Errors: kInput (a coordinate system that cannot be converted to the terrain's, any other system
// than the terrain's in a program built without GDAL, a picture outside the terrain), kLimit (memory), kInterrupted.
Result<DrapedPicture> drape(Picture picture, const Raster& terrain, const std::function<bool()>& goOn = {});

}  // namespace orogen
