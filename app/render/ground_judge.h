// Reference for the screen-space error measured on the GPU: brute force on the CPU in double precision.
//
// Error of a pixel: cast a ray from the camera through the pixel's depth sample (the centre, unless multisampled).
// Take its first intersection with the drawn triangles.  The error is the vertical distance of that point to the finest
// surface (GroundMiss::metres), times f sin(angle between ray and vertical) / distance.  Here f is the focal length in
// pixels.  Pixels whose rays hit no triangle beyond the near plane do not count.  See also
// assets/docs/understand/lod.md.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/render/drawn_mesh.h"
#include "app/render/height_store.h"
#include "core/frames/sample/frame_record.h"
#include "core/settings.h"
#include "core/terrain/raster/height_field.h"
#include "core/view/camera.h"

namespace orogen::app {

struct JudgedPicture
{
    Camera camera;
    int width = 0, height = 0;
    double nearPlane = 0;              // metres
    glm::vec2 samplePlace{0.5f};       // depth sample in a pixel: 0 to 1 from the pixel's lower left corner
    std::optional<glm::dvec2> raster;  // size in metres, planar terrain only; no ground is drawn outside it
    std::span<const DrawnTriangle> triangles;
};

// Returns maximum, percentile and mean of the pixels' errors.  Casts rays on several threads; calls `finest` on the
// calling thread only.  Takes some 0.2 s for 320x180 pixels and 100,000 triangles.
PixelFigures judgeError(const JudgedPicture& picture, const FinestGround& finest);

}  // namespace orogen::app
