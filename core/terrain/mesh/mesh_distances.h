// Vertical distances between the triangles of a picture and the samples of the terrain under them.
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
    std::optional<double> sea;  // lowest drawn ground, unscaled (metres); empty: none
};

// Measure a mesh at all samples under its triangles, except voids. A height in the mesh is that of the triangle over or
// under the sample, along the vertical; where there are several, the farthest counts for the largest distance, and one
// of them for the mean. Read blocks of samples one after the other, so that memory grows only with the triangles: some
// 16 bytes each. O(triangles + samples under them), 20 to 500 ns per sample. Errors: those of reading; kLimit (more
// than kMostMeasured samples); kInterrupted.
constexpr std::uint64_t kMostMeasured = std::uint64_t(1) << 28;

// Positions of the mesh: metres from the middle of the samples, heights multiplied by `heightScale`.
Result<MeshDistances> distancesOnPlane(const WeldedMesh& mesh, const PlaneSamples& samples, double heightScale,
                                       const LoadProgress& progress);

// Positions of the mesh: metres east and north of the camera in the plane through it, z above the ellipsoid there.
// Samples are those of the relief and of all insets. Their heights are those of EarthSource::groundAt(), raised to the
// sea level.
Result<MeshDistances> distancesOnEarth(const WeldedMesh& mesh, const EarthSource& earth, const DrawnEarth& drawn,
                                       const LoadProgress& progress);

}  // namespace orogen
