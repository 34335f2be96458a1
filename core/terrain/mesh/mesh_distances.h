// Vertical distances between the triangles drawn in a picture and the samples of the terrain under them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include <glm/vec3.hpp>

#include "core/base/status.h"
#include "core/terrain/mesh/welded_mesh.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

class EarthSource;

// Finest samples of a terrain on a plane, read window by window.
struct PlaneSamples
{
    int width = 0, height = 0;
    double pixelWidth = 1, pixelHeight = 1;  // metres between samples
    // Reads heights (metres) of a window of level 0 inside the raster; NaN: no data.
    std::function<Status(const TileWindow& window, std::span<float> out)> read;
};

// Parameters that a mesh of the Earth was drawn with.
struct DrawnEarth
{
    glm::dvec3 camera{0};       // earth-fixed (metres)
    double heightScale = 1;     // factor of heights
    std::optional<double> sea;  // lowest drawn ground (metres, before scaling); empty: none
};

constexpr std::uint64_t kMostMeasured = std::uint64_t(1) << 28;  // limit on samples read for a mesh

// The two functions below measure a mesh at all samples under its triangles, except voids. The mesh's height at a
// sample is that of the triangle over or under the sample, along the vertical. Where there are several triangles, the
// farthest counts for the largest distance, and any one for the root mean square. The functions read blocks of 128 x
// 128 samples. Memory: 8 to 16 bytes for each pair of a triangle and a block that it may touch. Cost: O(triangles +
// samples read), 20 to 500 ns per sample. Errors: those of reading; kLimit (more than kMostMeasured samples);
// kInterrupted.

// Measures on a plane. Positions of the mesh: metres from the middle of the samples, heights times `heightScale`.
Result<MeshDistances> distancesOnPlane(const WeldedMesh& mesh, const PlaneSamples& samples, double heightScale,
                                       const LoadProgress& progress);

// Measures on the Earth. Positions of the mesh: metres east and north of the camera in the camera's horizontal plane; z
// counts from the ellipsoid below the camera. Samples are those of the relief and of all insets. Their heights are
// those of EarthSource::groundAt(), raised to `drawn.sea` where they are lower, and scaled.
Result<MeshDistances> distancesOnEarth(const WeldedMesh& mesh, const EarthSource& earth, const DrawnEarth& drawn,
                                       const LoadProgress& progress);

}  // namespace orogen
