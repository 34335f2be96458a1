// Files of triangle meshes: glTF 2.0 (binary), STL (binary), Wavefront OBJ, PLY (binary, little endian).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <glm/mat2x2.hpp>

#include "core/base/status.h"
#include "core/terrain/mesh/triangle_mesh.h"
#include "core/terrain/raster/projection.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

enum class MeshFormat
{
    kGlb,
    kStl,
    kObj,
    kPly,
};

inline constexpr std::string_view kMeshSuffixes = ".glb, .stl, .obj, .ply";
std::optional<MeshFormat> meshFormatOf(std::string_view path);  // by its suffix, in any case

// Where a mesh's position (0, 0) lies: the middle of the samples, or the camera for a mesh drawn on the Earth.
struct MeshOrigin
{
    std::string source;            // name of the elevation model
    std::string crs;               // empty: unknown
    std::optional<MapPoint> map;   // in `crs`
    std::optional<LatLong> place;  // degrees
    // Columns: metres east and north for a metre of the mesh along a row, and for a metre across the rows, northwards.
    // Not the identity for a raster that is rotated or sheared in its map.
    glm::dmat2 axes{1.0};
};

// Returns the origin of a mesh of a raster, whose (0, 0) is at a column and a row of its samples.
MeshOrigin meshOriginOf(const Raster& raster, double column, double row);

// Writes the mesh, triangle by triangle: the memory does not grow with the mesh. Lengths are metres, x east, y north, z
// up, by the axes of `origin`; in glTF, whose y is up, a node rotates the mesh. All four formats state the origin: in
// glTF's `asset.extras`, in comments of OBJ and PLY, in the header of STL, rounded, as far as 80 bytes hold it. Only
// glTF has the mesh's normals at vertices. Returns the size of the file (bytes). Errors: those of AtomicFile; kInput
// for parallel axes; kOutput for a mesh too large for the format (glTF: 4 GiB); kInterrupted.
Result<std::uint64_t> writeMesh(const TriangleMesh& mesh, MeshFormat format, const MeshOrigin& origin,
                                const std::string& path, const LoadProgress& progress);

}  // namespace orogen
