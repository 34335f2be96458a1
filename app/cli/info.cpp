#include <memory>
#include <optional>
#include <stop_token>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/base/progress.h"
#include "app/cli/command.h"
#include "app/cli/info_text.h"
#include "app/cli/terrain_options.h"
#include "compute/voids/filled_voids.h"
#include "compute/voids/void_filling.h"
#include "core/base/output_file.h"
#include "core/base/terminal_text.h"
#include "core/base/threads.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/reading.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/sources/open_source.h"

namespace orogen::app {
namespace {

struct InfoOptions
{
    std::string file;       // empty: describe the machine
    std::string fillVoids;  // output file for the raster with filled voids; empty: none
    SourceOverrides overrides;
    bool force = false;  // replaces existing files, but never the source
    bool json = false;
};

Status checkOut(const InfoOptions& options)
{
    if (options.fillVoids.empty()) return Status::ok();
    const Existing existing = options.force ? Existing::kReplace : Existing::kRefuse;
    return checkOutputFile(options.fillVoids, sourceFiles(options.file), existing);
}

Result<compute::VoidFilling> fillVoids(const Raster& raster)
{
    ProgressLine line;
    std::stop_source stop;
    compute::VoidFillingOptions options = {.threads = usableThreads(), .stop = stop.get_token()};
    double first = 0;
    options.watch = [&](std::uint64_t iteration, double residual) {
        if (iteration == 0) first = residual;
        if (!line.show(compute::progressOf(residual, first, options.tolerance), "filling voids")) stop.request_stop();
    };
    Result<compute::VoidFilling> filling = compute::solveVoids(raster.heights, raster.width, raster.height, options);
    if (!filling) return Error{filling.error().code, printable(raster.name) + ": " + filling.error().message};
    return filling;
}

// Opens a terrain; `earth` opens the shipped relief under that name.
Result<OpenedTerrain> openNamed(const InfoOptions& options)
{
    ProgressLine line;
    const auto show = [&](double fraction, const std::string& what) { return line.show(fraction, what); };
    std::string file = options.file;
    const bool earth = file == kEarthName;
    if (earth)
    {
        const Result<std::filesystem::path> root = dataDirectory();
        if (!root) return root.error();
        file = (*root / kEarthRelief).string();
    }
    Result<OpenedTerrain> terrain = openTerrain(file, options.overrides, TerrainTiles::kAuto, show);
    line.clear();
    if (!terrain || !earth) return terrain;
    terrain->raster.name = kEarthName;
    std::erase_if(terrain->raster.warnings, isAboutPlanes);
    return terrain;
}

std::optional<EarthExtent> onEarth(const Raster& raster, const SourceOverrides& overrides)
{
    const Result<InsetMap> map = InsetMap::of(raster, overrides);
    return map ? std::optional(map->extent()) : std::nullopt;
}

Result<ExitCode> describeRaster(const InfoOptions& options)
{
    if (const Status status = checkOut(options); !status) return status.error();
    const Result<OpenedTerrain> terrain = openNamed(options);
    if (!terrain) return terrain.error();
    const Raster* const raster = &terrain->raster;
    const TileSource* const tiles = terrain->tiles.get();
    std::optional<compute::VoidFilling> filling;
    if (!options.fillVoids.empty())
    {
        if (tiles)
            return Error{ExitCode::kLimit,
                         fmt::format("{}: {} x {} samples, which are read by tiles: voids are filled "
                                     "in terrains that are one image, of at most {} a side",
                                     printable(raster->name), raster->width, raster->height, kLargestImageSide)};
        Result<compute::VoidFilling> filled = fillVoids(*raster);
        if (!filled) return filled.error();
        if (const Status status = checkOut(options); !status) return status.error();  // files may have appeared
        const Status written = writeGeoTiff(withVoidsFilled(*raster, filled->heights), options.fillVoids);
        if (!written) return written.error();
        filling = std::move(*filled);
    }
    const compute::VoidFilling* const how = filling ? &*filling : nullptr;
    const std::optional<EarthExtent> place = onEarth(*raster, options.overrides);
    const EarthExtent* const where = place ? &*place : nullptr;
    print(options.json ? rasterJson(*raster, how, tiles, where) : rasterText(*raster, how, tiles, where));
    return ExitCode::kDone;
}

Result<ExitCode> describeMachine(const InfoOptions& options)
{
    const SystemReport report = systemReport();
    print(options.json ? systemJson(report) : systemText(report));
    return ExitCode::kDone;
}

}  // namespace

void addInfoCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("info", "describe a terrain, or without one, this machine");
    const auto options = std::make_shared<InfoOptions>();
    CLI::Option* file =
        command->add_option("DEM", options->file, "file, folder of tiles, synthetic:SIZE[:SEED] or earth");
    CLI::Option* out = command
                           ->add_option("--fill-voids", options->fillVoids,
                                        "write it with its voids filled by conjugate gradients, as GeoTIFF")
                           ->type_name("OUT.tif")
                           ->needs(file);
    command->add_flag("--force", options->force, "replace OUT.tif if there is one")->needs(out);
    addTerrainOptions(*command, options->overrides);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, file, &chosen] {
        const bool given = file->count() > 0;
        if (!given && options->overrides.any()) throw CLI::RequiresError("DEM", "of" + optionsOf(options->overrides));
        chosen = [options, given] { return given ? describeRaster(*options) : describeMachine(*options); };
    });
}

}  // namespace orogen::app
