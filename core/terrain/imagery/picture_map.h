// Position of a picture on the ground: where each texel of a tile lies among the picture's pixels.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/status.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Places of texels, in one of two vectors; the other one is empty. `earth`: latitudes and longitudes. `plane`: metres
// east and south of the terrain's north-western sample.
struct TexelPlaces
{
    std::vector<LatLong> earth;
    std::vector<glm::dvec2> plane;
};

// Map from places on the ground to pixels of a picture. Not thread-safe; another thread uses a copy from another().
class PictureMap
{
public:
    // Places a picture on the Earth. Errors: those of InsetMap::of().
    static Result<std::unique_ptr<PictureMap>> onEarth(const Raster& picture);
    // Places a picture on a terrain. Pictures in another coordinate system are reprojected by GDAL. If the picture or
    // the terrain has no position, the picture is stretched over the terrain, with a warning. Errors, kInput: a
    // coordinate system that cannot be converted to the terrain's, any other system than the terrain's in a program
    // without GDAL, a picture beside the terrain.
    static Result<std::unique_ptr<PictureMap>> onPlane(const Raster& picture, const Raster& terrain);
    virtual ~PictureMap() = default;
    virtual Result<std::unique_ptr<PictureMap>> another() const = 0;

    // Writes the position of each place in pixels to `out`, (0, 0) at the centre of the north-western pixel. A position
    // may lie outside the picture; NaN: the place has no position.
    virtual void pixelsOf(const TexelPlaces& places, std::span<glm::dvec2> out) const = 0;
    // Returns whether the picture may lie in a box. The box is on a face of the cube, or in TexelPlaces::plane.
    virtual bool meets(const FaceBox& box) const = 0;
    // Return whether columns continue around the Earth, and whether the picture covers the whole Earth with its poles.
    virtual bool around() const { return false; }
    virtual bool everywhere() const { return false; }
    // Returns the size of a pixel on the ground (metres): along a row and along a column.
    virtual glm::dvec2 pixelMetres() const = 0;
    // Returns what a user should know about the position, one line each.
    virtual std::vector<std::string> warnings() const { return {}; }
};

}  // namespace orogen
