// Where a picture lies on a terrain.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <glm/mat2x2.hpp>
#include <glm/vec2.hpp>

#include "core/base/status.h"
#include "core/terrain/raster/picture.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// A picture that an affine map takes to a terrain.
struct DrapedPicture
{
    Picture picture;
    // From sample coordinates of the terrain, (0, 0) its north-western sample, to the picture's: (0, 0) its north-
    // western corner, (1, 1) the south-eastern one.
    glm::dmat2 turn{1.0};
    glm::dvec2 offset{0.0};
    bool stretched = false;             // from border to border of the terrain: nobody says where it lies
    std::vector<std::string> warnings;  // one line each

    glm::dvec2 at(glm::dvec2 sample) const { return turn * sample + offset; }
};

// Lays a picture on a terrain.  One in the terrain's coordinate system stays as it is, pixel for pixel; one in another
// that core/terrain/raster/projection.h knows is resampled bilinearly, with pixels of its own size; one without a
// position is stretched over the terrain, with a warning.  The terrain's heights are not looked at.  `goOn`: as in
// findStillWater().  Errors: kInput (a coordinate system that cannot be led into the terrain's, a picture beside the
// terrain), kLimit (memory), kInterrupted.
Result<DrapedPicture> drape(Picture picture, const Raster& terrain, const std::function<bool()>& goOn = {});

}  // namespace orogen
