#include "app/session/drawn_mesh_file.h"

#include <limits>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/session/session.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/mesh/mesh_file.h"
#include "core/terrain/mesh/welded_mesh.h"

namespace orogen::app {

namespace {

constexpr double kFarBelow = 1e9;  // metres

MeshOrigin originOf(const Session& session, const Camera& camera)
{
    const Raster& raster = session.terrain.raster();
    MeshOrigin origin;
    origin.source = raster.name;
    if (session.terrain.earth())
    {
        const Geodetic place = geodeticOf(camera.position);
        origin.place = LatLong{place.latitude, place.longitude};
        return origin;
    }
    if (!raster.placement || !raster.placement->positioned) return origin;
    const Placement& at = *raster.placement;
    const double column = 0.5 * (raster.width - 1), row = 0.5 * (raster.height - 1);
    origin.crs = raster.crs;
    origin.map =
        MapPoint{at.x + column * at.column().x + row * at.row().x, at.y + column * at.column().y + row * at.row().y};
    if (raster.projection) origin.place = raster.projection->inverse(*origin.map);
    return origin;
}

}  // namespace

Result<std::string> writeDrawnMesh(const Session& session, const std::string& file)
{
    const std::optional<MeshFormat> format = meshFormatOf(file);
    if (!format)
        return Error{ExitCode::kUsage,
                     fmt::format("{}: expected a name that ends with {}", printable(file), kMeshSuffixes)};
    if (!session.terrain.info()) return Error{ExitCode::kUsage, "no terrain is open"};
    if (Status s = checkOutputFile(file, session.filesRead(), Existing::kRefuse); !s) return s.error();
    Result<DrawnTriangles> drawn = session.graphics.renderer().checks().drawnTriangles();
    if (!drawn) return drawn.error();
    const Camera& camera = drawn->camera;
    const bool earth = session.terrain.earth() != nullptr;
    const glm::dvec3 origin = earth ? glm::dvec3(0, 0, geodeticOf(camera.position).height) : camera.position;
    const glm::dvec3 below(0, 0, earth ? -glm::length(camera.position) : -kFarBelow);
    WeldedMesh mesh(drawn->triangles, origin, below);
    if (!earth && !session.terrain.cache())
        mesh.measure(session.terrain.field(), double(session.settings.wanted().terrain.heightScale));
    const Result<std::uint64_t> bytes = writeMesh(mesh, *format, originOf(session, camera), file, {});
    if (!bytes) return bytes.error();
    std::string text =
        fmt::format("wrote {}: {} triangles, {} bytes", printable(file), grouped(mesh.triangles()), grouped(*bytes));
    if (mesh.error())
        text += fmt::format("; {:.4g} m from the {} samples under them at most, {:.4g} m root mean square",
                            mesh.error()->largest, grouped(mesh.samplesMeasured()), mesh.error()->rootMeanSquare);
    return text;
}

}  // namespace orogen::app
