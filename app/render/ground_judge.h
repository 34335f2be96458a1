// The measured error by brute force, on the CPU and in double precision: what the meter on the GPU is held against.
//
// Error of a pixel: the ray from the camera through the place in the pixel that its depth is taken at (its middle, but
// for multisampled pictures) meets the drawn triangles first at a point; how far that lies above or below the finest
// surface, along the vertical of the point, times f sin(angle between ray and vertical) / distance.  Pixels whose rays
// meet no triangle, or none beyond the near plane, do not count.  assets/docs/lod.md says the same.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/render/drawn_mesh.h"
#include "app/render/terrain_gpu.h"
#include "core/frames/sample/frame_stats.h"
#include "core/settings.h"
#include "core/terrain/raster/height_field.h"
#include "core/view/camera.h"

namespace orogen::app {

// At a point of the drawn ground, in metres from the camera along the axes of `relative` (terrain.vert).
struct GroundMiss
{
    double metres = 0;  // from the finest surface, scaled; with what that may lie from the data where tiles are coarser
    glm::dvec3 up{0.0};  // the vertical there, unit
};
using FinestGround = std::function<GroundMiss(const glm::dvec3& relative)>;

// The finest surface: bilinear between the samples of the image, or of the finest active tile at a place, and made
// relief down to its finest octave where the settings show it; on the Earth no lower than the sea.  Of tiles that are
// fading in, by their own weight alone.  `field`: of a terrain in one image.  What it is given must outlive it.
FinestGround finestGround(const TerrainGpu& terrain, const Camera& camera, const Settings& settings,
                          const HeightField& field);

struct JudgedPicture
{
    Camera camera;
    int width = 0, height = 0;
    double nearPlane = 0;              // metres
    glm::vec2 samplePlace{0.5f};       // in a pixel, from its lower left
    std::optional<glm::dvec2> raster;  // metres, of a plane: beyond it triangles are not drawn
    std::span<const DrawnTriangle> triangles;
};

// Rays on as many threads as there are processors; `finest` on the caller's.  A picture of 320x180 with 100,000
// triangles takes some 0.2 s.
PixelFigures judgeError(const JudgedPicture& picture, const FinestGround& finest);

}  // namespace orogen::app
