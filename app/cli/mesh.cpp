// orogen mesh: writes a terrain as a triangle mesh for other programs and for printers.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/base/output.h"
#include "app/cli/command.h"
#include "compute/voids/void_filling.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/mesh/mesh_file.h"
#include "core/terrain/mesh/place_grid.h"
#include "core/terrain/mesh/terrain_mesh.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/sources/stored_source.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen::app {
namespace {

struct MeshOptions
{
    std::vector<std::string> terrain;  // one file, or earth and elevation models in it; empty: shipped
    std::string out;
    std::string name() const { return terrain.empty() ? std::string() : terrain.front(); }
    SourceOverrides overrides;
    std::optional<double> error;             // metres
    std::optional<std::uint64_t> triangles;  // exactly one of `error` and `triangles` is given
    std::vector<double> crop;                // west, south, east, north; empty: all
    std::optional<double> base;              // metres below the lowest sample; empty: no base
    bool force = false, json = false;
};

// Returns the file of a terrain name.  An empty name is the shipped terrain, `earth` the shipped relief of the Earth.
Result<std::string> fileOf(const std::string& terrain)
{
    if (!terrain.empty() && terrain != kEarthName) return terrain;
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    return (*root / (terrain.empty() ? kShippedTerrain : kEarthRelief)).string();
}

// Returns west, south, east and north of a window's outermost samples; null if the raster has no position or is
// rotated.
Json extentOf(const Raster& raster, const SampleWindow& window)
{
    if (!raster.placement || !raster.placement->positioned || !raster.placement->upright()) return nullptr;
    const Placement& place = *raster.placement;
    return {place.x + window.west * place.stepEast, place.y - window.south * place.stepSouth,
            place.x + window.east * place.stepEast, place.y - window.north * place.stepSouth};
}

std::string jsonOf(const TerrainMesh& mesh, std::uint64_t bytes, const MeshOrigin& origin, Json extent)
{
    Json json;
    json["triangles"] = mesh.triangles();
    json["vertices"] = mesh.vertices();
    json["error_allowed_m"] = mesh.allowed();
    json["error_max_m"] = mesh.error().largest;
    json["error_rmse_m"] = mesh.error().rootMeanSquare;
    json["samples"] = {mesh.samples().width, mesh.samples().height};
    json["voids"] = std::count(mesh.samples().voids.begin(), mesh.samples().voids.end(), true);
    json["extent"] = std::move(extent);
    json["crs"] = origin.crs.empty() ? Json(nullptr) : Json(origin.crs);
    json["origin"] = origin.map ? Json{origin.map->x, origin.map->y} : Json(nullptr);
    json["place"] = origin.place ? Json{origin.place->latitude, origin.place->longitude} : Json(nullptr);
    json["watertight"] = mesh.closed();
    json["bytes"] = bytes;
    return json.dump(2) + '\n';
}

std::string textOf(const MeshOptions& options, const TerrainMesh& mesh, std::uint64_t bytes)
{
    const MeshSamples& samples = mesh.samples();
    std::string text = fmt::format(
        "{}\n  {} triangles, {} vertices, {} bytes{}\n  from {} x {} samples: {:.4g} m from them at most, {:.4g} m "
        "root mean square\n",
        printable(options.out), grouped(mesh.triangles()), grouped(mesh.vertices()), grouped(bytes),
        mesh.closed() ? ", closed" : "", grouped(std::uint64_t(samples.width)), grouped(std::uint64_t(samples.height)),
        mesh.error().largest, mesh.error().rootMeanSquare);
    if (const auto voids = std::count(samples.voids.begin(), samples.voids.end(), true); voids > 0)
        text += fmt::format("  {} no data: heights between their neighbours\n",
                            voids == 1 ? "1 sample has" : grouped(std::uint64_t(voids)) + " samples have");
    return text;
}

Result<SampleWindow> windowFor(const MeshOptions& options, const Raster& raster)
{
    const std::vector<double>& crop = options.crop;
    if (!crop.empty()) return windowOf(raster, crop[0], crop[1], crop[2], crop[3]);
    return SampleWindow{0, 0, raster.width - 1, raster.height - 1};
}

struct Sampled
{
    MeshSamples samples;
    MeshOrigin origin;
    Json extent;
    std::vector<std::string> warnings;  // warnings about the source files
};

// Returns the warnings that concern a mesh.  Omits the one about missing overviews, since a mesh reads only the finest
// level, the one about rotated rasters, since the vertices lie at their map positions, and for the Earth those about
// plane terrain.
std::vector<std::string> warningsOf(const Raster& raster, const MeshOptions& options)
{
    std::vector<std::string> warnings = raster.warnings;
    const bool earth = options.name() == kEarthName;
    std::erase_if(warnings, [earth](const std::string& warning) {
        return warning == kRowsTakenAsEast || warning == kSlowWithoutOverviews || (earth && isAboutPlanes(warning));
    });
    return warnings;
}

Result<Sampled> sampleRaster(const MeshOptions& options, const std::string& file, const LoadProgress& progress)
{
    const Result<std::shared_ptr<const TileSource>> source = openSamples(file, options.overrides, progress);
    if (!source) return source.error();
    const Raster& raster = (*source)->raster();
    const Result<SampleWindow> window = windowFor(options, raster);
    if (!window) return window.error();
    Result<MeshSamples> samples = readSamples(**source, *window, progress);
    if (!samples) return samples.error();
    if (!samples->voids.empty() && std::ranges::all_of(samples->voids, [](bool isVoid) { return isVoid; }))
        return Error{ExitCode::kInput, printable(raster.name) + ": found no sample with data"};
    MeshOrigin origin =
        meshOriginOf(raster, 0.5 * (window->west + window->east), 0.5 * (window->north + window->south));
    return Sampled{std::move(*samples), std::move(origin), extentOf(raster, *window), warningsOf(raster, options)};
}

// Samples the Earth with elevation models in it, as densely as the finest of the relief and the models that meet the
// rectangle.
Result<Sampled> sampleEarth(const MeshOptions& options, const std::string& relief, const LoadProgress& progress)
{
    std::vector<InsetRequest> insets;
    for (std::size_t i = 1; i < options.terrain.size(); ++i)
    {
        if (Status s = checkThere(options.terrain[i]); !s) return s.error();
        insets.push_back({options.terrain[i], options.overrides});
    }
    const Result<std::shared_ptr<EarthSource>> earth =
        EarthSource::open(relief, std::move(insets), compute::membraneOver, progress);
    if (!earth) return earth.error();
    const double west = options.crop[0], south = options.crop[1], north = options.crop[3];
    const double east = options.crop[2] < west ? options.crop[2] + 360 : options.crop[2];
    double spacing = (*earth)->relief().spacing();
    for (const Inset& inset : (*earth)->insets())
    {
        const auto meets = [&](double turn) {
            return inset.extent.west + turn <= east && inset.extent.east + turn >= west &&
                   inset.extent.south <= north && inset.extent.north >= south;
        };
        if (meets(-360) || meets(0) || meets(360)) spacing = std::min(spacing, inset.spacing);
    }
    const Result<PlaceGrid> grid = placeGrid(west, south, east, north, spacing);
    if (!grid) return grid.error();
    Result<MeshSamples> samples = samplePlaces(
        *grid, [&](std::span<const LatLong> places, std::span<float> out) { return (*earth)->groundAt(places, out); },
        progress);
    if (!samples) return samples.error();
    MeshOrigin origin;
    origin.source = kEarthName;
    for (const Inset& inset : (*earth)->insets())
        origin.source += ", " + inset.name;
    origin.crs = "EPSG:4326";
    const double longitude = wrappedLongitude((west + east) / 2);
    origin.map = MapPoint{longitude, (south + north) / 2};
    origin.place = LatLong{(south + north) / 2, longitude};
    return Sampled{
        std::move(*samples), std::move(origin), {west, south, east, north}, warningsOf((*earth)->raster(), options)};
}

// Returns an error for several names without earth before them, and for the Earth without a rectangle or with one that
// is out of range.
Status checkTerrain(const MeshOptions& options)
{
    const bool earth = options.name() == kEarthName;
    if (options.terrain.size() > 1 && !earth)
        return Error{ExitCode::kUsage,
                     fmt::format("found {} and {}, expected one, or earth before them: several lie in "
                                 "the Earth",
                                 printable(options.terrain[0]), printable(options.terrain[1]))};
    if (earth && options.crop.empty())
        return Error{ExitCode::kUsage, "earth: --crop is missing, expected west,south,east,north in degrees"};
    if (!earth) return Status::ok();
    const double west = options.crop[0], south = options.crop[1], east = options.crop[2], north = options.crop[3];
    if (std::min(west, east) >= -180 && std::max(west, east) <= 540 && west != east && -90 <= south && south < north &&
        north <= 90)
        return Status::ok();
    return Error{ExitCode::kUsage,
                 fmt::format("earth: --crop: found {},{},{},{}, expected west,south,east,north in degrees, south below "
                             "north, within -90 to 90; longitudes within -180 to 540",
                             west, south, east, north)};
}

Result<ExitCode> runMesh(const MeshOptions& options)
{
    const std::optional<MeshFormat> format = meshFormatOf(options.out);
    if (!format)
        return Error{ExitCode::kUsage, fmt::format("--out: found {}, expected a name that ends with {}",
                                                   printable(options.out), kMeshSuffixes)};
    if (options.error.has_value() == options.triangles.has_value())
        return Error{ExitCode::kUsage, "expected one of --error-metres and --triangles"};
    if (Status s = checkTerrain(options); !s) return s.error();
    const Result<std::string> file = fileOf(options.name());
    if (!file) return file.error();
    std::vector<std::string> read = sourceFiles(*file);
    for (std::size_t i = 1; i < options.terrain.size(); ++i)
        for (std::string& inset : sourceFiles(options.terrain[i]))
            read.push_back(std::move(inset));
    const Existing existing = options.force ? Existing::kReplace : Existing::kRefuse;
    if (Status s = checkOutputFile(options.out, read, existing); !s) return s.error();

    ProgressLine line;
    const LoadProgress progress = [&line](double fraction, const std::string& what) {
        return line.show(fraction, what);
    };
    Result<Sampled> sampled =
        options.terrain.size() > 1 ? sampleEarth(options, *file, progress) : sampleRaster(options, *file, progress);
    if (!sampled) return sampled.error();
    line.clear();
    for (const std::string& warning : sampled->warnings)
        tell(warning);
    const MeshOrigin origin = std::move(sampled->origin);
    Json extent = std::move(sampled->extent);
    Result<TerrainMesh> mesh = TerrainMesh::measure(std::move(sampled->samples), progress);
    if (!mesh) return mesh.error();
    if (Status s = options.error ? mesh->choose(*options.error, options.base)
                                 : mesh->chooseMost(*options.triangles, options.base);
        !s)
        return s.error();
    const Result<std::uint64_t> bytes = writeMesh(*mesh, *format, origin, options.out, progress);
    line.clear();
    if (!bytes) return bytes.error();
    print(options.json ? jsonOf(*mesh, *bytes, origin, std::move(extent)) : textOf(options, *mesh, *bytes));
    return ExitCode::kDone;
}

}  // namespace

void addMeshCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("mesh", "a terrain as a triangle mesh: glTF, STL, OBJ or PLY");
    const auto options = std::make_shared<MeshOptions>();
    command->add_option("DEM", options->terrain,
                        "file, folder of tiles, /vsi name of GDAL, synthetic:SIZE[:SEED], or earth and what lies in it "
                        "(the shipped terrain)");
    command->add_option("--out", options->out, "output file; its suffix is the format: .glb, .stl, .obj, .ply")
        ->required()
        ->type_name("FILE");
    CLI::Option* error =
        command->add_option("--error-metres", options->error, "largest vertical distance from the samples; 0 to 100000")
            ->check(realIn(0, 1e5))
            ->type_name("E");
    command->add_option("--triangles", options->triangles, "smallest error with at most so many triangles; 1 to 10^10")
        ->check(wholeIn(1, 10'000'000'000))
        ->type_name("N")
        ->excludes(error);
    command
        ->add_option(
            "--crop", options->crop,
            "rectangle in the terrain's coordinate system; widened to samples; of earth, W > E crosses the date line")
        ->delimiter(',')
        ->expected(4)
        ->type_name("W,S,E,N");
    command
        ->add_option("--base", options->base,
                     "walls, and a floor so far below the lowest sample; 0.001 to 100000 metres")
        ->check(realIn(0.001, 1e5))
        ->type_name("METRES");
    command->add_flag("--force", options->force, "replace FILE if there is one");
    addTerrainOptions(*command, options->overrides);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] {
        if (options->terrain.size() == 1 && options->name() == kEarthName) refuseForEarthAlone(options->overrides);
        chosen = [options] { return runMesh(*options); };
    });
}

}  // namespace orogen::app
