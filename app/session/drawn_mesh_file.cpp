#include "app/session/drawn_mesh_file.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/session/session.h"
#include "core/base/atomic_file.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/mesh/mesh_distances.h"
#include "core/terrain/mesh/mesh_file.h"
#include "core/terrain/mesh/welded_mesh.h"

namespace orogen::app {

namespace {

constexpr double kFarBelow = 1e9;  // depth of the point `below` of WeldedMesh under the triangles of a plane (metres)

MeshOrigin originOf(const Session& session, const Camera& camera)
{
    const Raster& raster = session.terrain.raster();
    if (!session.terrain.earth()) return meshOriginOf(raster, 0.5 * (raster.width - 1), 0.5 * (raster.height - 1));
    MeshOrigin origin;
    origin.source = raster.name;
    const Geodetic place = geodeticOf(camera.position);
    origin.place = LatLong{place.latitude, place.longitude};
    return origin;
}

// Removes triangles that the Earth hides.  Triangles below the horizon are coarse and lie deep under the ground.
// The region hidden by an ellipsoid is convex, so a triangle is hidden if all of its corners are hidden.
void removeHidden(DrawnTriangles& drawn, const Settings& settings)
{
    constexpr double kUnderGround = 500;  // metres that distant visible triangles may lie under the lowest ground
    const double lowest = settings.terrain.waterLevel ? double(*settings.terrain.waterLevel) : kLowestGround;
    const double lower = lowest * double(settings.terrain.heightScale) - kUnderGround;
    const glm::dvec3 axes = glm::dvec3(kEarthEquatorRadius, kEarthEquatorRadius, kEarthPoleRadius) + lower;
    const LocalAxes local = axesAt(drawn.camera.position);
    const glm::dvec3 eye = drawn.camera.position / axes;  // coordinates in which the ellipsoid is the unit sphere
    const double above = glm::dot(eye, eye) - 1;
    if (!(above > 0)) return;
    std::erase_if(drawn.triangles, [&](const DrawnTriangle& triangle) {
        return std::ranges::all_of(triangle, [&](const glm::vec3& corner) {
            const glm::dvec3 sight = local.toEarthFixed(glm::dvec3(corner)) / axes;
            const double inwards = -glm::dot(sight, eye);
            return inwards > above && inwards * inwards > above * glm::dot(sight, sight);
        });
    });
}

// Function that measures the distances of a mesh to the samples of the open terrain.
using Measure = std::function<Result<MeshDistances>(const WeldedMesh& mesh, const LoadProgress& progress)>;

// Returns a function that measures a mesh against the open terrain.  The function owns the data that it needs.  The
// error tells why this terrain cannot be measured.
Result<Measure> measureOf(const Session& session, const glm::dvec3& camera)
{
    const OpenTerrain& terrain = session.terrain;
    const Settings& settings = session.settings.wanted();
    const double heightScale = double(settings.terrain.heightScale);
    if (terrain.tiles() && terrain.tiles()->remote())
        return Error{ExitCode::kLimit, "samples that lie in a network are not read for it"};
    if (terrain.earth())
    {
        DrawnEarth drawn{.camera = camera, .heightScale = heightScale, .sea = {}};
        if (settings.terrain.waterLevel) drawn.sea = double(*settings.terrain.waterLevel);
        return Measure([earth = terrain.sharedEarth(), drawn](const WeldedMesh& mesh, const LoadProgress& progress) {
            return distancesOnEarth(mesh, *earth, drawn, progress);
        });
    }
    PlaneSamples samples;
    samples.width = terrain.raster().width, samples.height = terrain.raster().height;
    samples.pixelWidth = terrain.raster().pixelWidth, samples.pixelHeight = terrain.raster().pixelHeight;
    if (const std::shared_ptr<const TileSource> tiles = terrain.sharedTiles())
    {
        Result<std::unique_ptr<TileReader>> reader = tiles->openReader();
        if (!reader) return reader.error();
        samples.read = [tiles, reader = std::shared_ptr<TileReader>(std::move(*reader))](
                           const TileWindow& window, std::span<float> out) { return reader->read(window, out); };
    }
    else
    {
        const HeightField& shown = terrain.field();
        if (Status s = checkMemory("mesh", shown.codes.size() * 3); !s) return s.error();
        samples.read = [field = std::make_shared<const HeightField>(shown)](const TileWindow& window,
                                                                            std::span<float> out) {
            for (int row = 0, next = 0; row < window.height; ++row)
                for (int column = 0; column < window.width; ++column, ++next)
                {
                    const int x = window.column + column, y = window.row + row;
                    const bool known =
                        field->voidMask.empty() ||
                        field->voidMask[std::size_t(y) * std::size_t(field->width) + std::size_t(x)] == 0;
                    out[std::size_t(next)] = known ? field->at(x, y) : std::numeric_limits<float>::quiet_NaN();
                }
            return Status::ok();
        };
    }
    return Measure([samples, heightScale](const WeldedMesh& mesh, const LoadProgress& progress) {
        return distancesOnPlane(mesh, samples, heightScale, progress);
    });
}

// A mesh to write.
struct DrawnWork
{
    DrawnTriangles drawn;
    glm::dvec3 origin{0}, below{0};
    MeshFormat format = MeshFormat::kGlb;
    MeshOrigin place;
    std::string file;
    Result<Measure> measure;
};

Result<std::string> write(const DrawnWork& work, const TaskContext& context)
{
    const LoadProgress progress = [&context](double fraction, const std::string&) {
        context.progress.set(fraction);
        return !context.stop.stop_requested();
    };
    WeldedMesh mesh(work.drawn.triangles, work.origin, work.below);
    const Result<MeshDistances> distances =
        work.measure ? (*work.measure)(mesh, progress) : Result<MeshDistances>(work.measure.error());
    if (!distances && distances.error().code == ExitCode::kInterrupted) return distances.error();
    if (distances) mesh.state(*distances);
    const Result<std::uint64_t> bytes = writeMesh(mesh, work.format, work.place, work.file, progress);
    if (!bytes) return bytes.error();
    const std::string text = fmt::format("wrote {}: {} triangles, {} bytes; ", printable(work.file),
                                         grouped(mesh.triangles()), grouped(*bytes));
    if (!distances) return text + "its error is not known: " + distances.error().message;
    if (distances->samples == 0) return text + "no sample lies under it";
    return text + fmt::format("{:.4g} m from the {} under it at most, {:.4g} m root mean square",
                              distances->error.largest, counted(distances->samples, "sample"),
                              distances->error.rootMeanSquare);
}

}  // namespace

Status DrawnMeshWriting::start(const Session& session, const std::string& file)
{
    if (running()) return Error{ExitCode::kUsage, "a mesh is being written"};
    const std::optional<MeshFormat> format = meshFormatOf(file);
    if (!format)
        return Error{ExitCode::kUsage,
                     fmt::format("{}: expected a name that ends with {}", printable(file), kMeshSuffixes)};
    if (!session.terrain.info()) return Error{ExitCode::kUsage, "no terrain is open"};
    if (Status s = checkOutputFile(file, session.filesRead(), Existing::kRefuse); !s) return s;
    Result<DrawnTriangles> drawn = session.graphics.renderer().checks().drawnTriangles();
    if (!drawn) return drawn.error();
    const Camera camera = drawn->camera;
    const bool earth = session.terrain.earth() != nullptr;
    if (earth)
        removeHidden(*drawn, session.settings.wanted());
    else
    {
        // Triangles reach beyond a terrain that is no square; the picture ends at its border.
        const Raster& raster = session.terrain.raster();
        const glm::dvec2 middle(camera.position),
            half(0.5 * (raster.width - 1) * raster.pixelWidth, 0.5 * (raster.height - 1) * raster.pixelHeight);
        drawn->triangles = cutToRectangle(drawn->triangles, glm::vec2(-half - middle), glm::vec2(half - middle));
    }
    const glm::dvec3 origin = earth ? glm::dvec3(0, 0, geodeticOf(camera.position).height) : camera.position;
    const glm::dvec3 below(0, 0, earth ? -glm::length(camera.position) : -kFarBelow);
    const auto work = std::make_shared<DrawnWork>(DrawnWork{.drawn = std::move(*drawn),
                                                            .origin = origin,
                                                            .below = below,
                                                            .format = *format,
                                                            .place = originOf(session, camera),
                                                            .file = file,
                                                            .measure = measureOf(session, camera.position)});
    Result<std::unique_ptr<Task>> task =
        Task::start("mesh", [work](const TaskContext& context) { return write(*work, context); });
    if (!task) return task.error();
    task_ = std::move(*task);
    return Status::ok();
}

void DrawnMeshWriting::cancel()
{
    if (task_) task_->cancel();
}

std::optional<Result<std::string>> DrawnMeshWriting::take()
{
    if (!task_ || task_->running()) return std::nullopt;
    const std::unique_ptr<Task> task = std::move(task_);
    if (task->state() == TaskState::kCancelled) return Error{ExitCode::kInterrupted, "mesh: cancelled"};
    return task->take();
}

}  // namespace orogen::app
