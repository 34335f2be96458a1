// orogen info: describes a terrain, or this machine (OpenGL, EGL, CUDA, CPU), as text or as one JSON object.
#include <cmath>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/base/output.h"
#include "app/cli/command.h"
#include "app/gl/context.h"
#include "app/model/format.h"
#include "app/session/graphics.h"
#include "compute/device/cuda.h"
#include "compute/voids/void_filling.h"
#include "core/base/atomic_file.h"
#include "core/base/cpu.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/gdal_map.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/sources/open_source.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen::app {
namespace {

// ---- the machine: missing capabilities have a reason ----------------------------------------------------------------

struct OpenGlReport
{
    bool available = false;
    ContextInfo info;    // context that the viewer would get, if available
    std::string reason;  // why there is no context, or no window; may be empty
};

struct CpuReport
{
    std::string model;
    unsigned threads = 0;
    std::string simd;  // widest used by this program: "AVX-512", "AVX2" or "portable"
};

struct SystemReport
{
    OpenGlReport opengl;
    std::vector<EglDevice> eglDevices;
    std::string eglReason;  // why there are no devices; else empty
    compute::CudaReport cuda;
    CpuReport cpu;
};

OpenGlReport openGl()
{
    OpenGlReport report;
    ContextOptions options;
    options.window.visible = false;
    options.window.width = options.window.height = 64;
    if (const std::optional<std::string> reason = noWindowReason())
    {
        options.headless = true;
        report.reason = "no window: " + *reason;
    }
    Result<std::unique_ptr<Context>> context = Context::create(options);
    if (!context && !options.headless)
    {
        report.reason = context.error().message;
        options.headless = true;
        context = Context::create(options);
    }
    report.available = bool(context);
    if (!context)
    {
        report.reason = context.error().message;
        return report;
    }
    report.info = (*context)->info();
    compute::setPreferredGpu(gpuOf(**context));
    return report;
}

CpuReport cpu()
{
    const char* const simd = processorRuns(InstructionSet::kAvx512) ? "AVX-512"
                             : processorRuns(InstructionSet::kAvx2) ? "AVX2"
                                                                    : "portable";
    return {cpuModel().value_or("unknown"), std::thread::hardware_concurrency(), simd};
}

// Creates and destroys a context (hidden window, or headless).  Takes up to a second.
SystemReport systemReport()
{
    SystemReport report;
    report.opengl = openGl();
    report.eglDevices = eglDevices(&report.eglReason);
    report.cuda = compute::discoverCuda();
    report.cpu = cpu();
    return report;
}

// ---- text and JSON --------------------------------------------------------------------------------------------------

Json orNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json cudaJson(const compute::CudaReport& report)
{
    Json devices = Json::array();
    for (const compute::CudaDevice& device : report.devices)
        devices.push_back({{"index", device.index},
                           {"name", device.name},
                           {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                           {"uuid", orNull(device.uuid)},
                           {"memory_bytes", device.memoryBytes},
                           {"multiprocessors", device.multiprocessors},
                           {"refusal", orNull(device.refusal)}});
    return {{"built", report.built},
            {"available", report.available},
            {"reason", orNull(report.reason)},
            {"devices", std::move(devices)}};
}

std::string cudaText(const compute::CudaReport& report)
{
    if (!report.available) return fmt::format("CUDA    not available: {}\n", report.reason);
    std::string text;
    for (const compute::CudaDevice& device : report.devices)
        text += fmt::format("CUDA    device {}: {}, compute capability {}.{}, {:.1f} GiB{}\n", device.index,
                            device.name, device.major, device.minor, double(device.memoryBytes) / (1 << 30),
                            device.refusal.empty() ? "" : ": " + device.refusal);
    return text;
}

std::string dump(const Json& json) { return json.dump(2) + "\n"; }

// Returns the shortest decimal that parses to the same float: 236.1, not 236.10000610351562.
Json shortest(float value) { return Json::parse(fmt::format("{}", value)); }

std::string positionText(const Raster& raster)
{
    const std::optional<MapExtent> extent = mapExtent(raster);
    if (!extent) return "extent   unknown\n";
    std::string text =
        raster.placement->geographic
            ? fmt::format("extent   {}\n", degreesText(extent->west, extent->south, extent->east, extent->north))
            : fmt::format("extent   west {:.2f}, south {:.2f}, east {:.2f}, north {:.2f}\n", extent->west,
                          extent->south, extent->east, extent->north);
    if (const auto geography = TerrainGeography::of(raster))
        if (const auto centre = geography->place(0, 0))
            text += fmt::format("centre   {}, {}\n", latitudeText(centre->latitude), longitudeText(centre->longitude));
    return text;
}

std::uint64_t tilesOf(const TileGrid& grid)
{
    std::uint64_t tiles = 0;
    for (int level = 0; level < grid.levels(); ++level)
        tiles += grid.tiles(level);
    return tiles;
}

// Returns how the stored overviews of a tiled terrain were computed.
std::string_view overviewsOf(const TileSource& tiles)
{
    if (tiles.storedLevels().size() < 2) return "none";
    return tiles.decimated() ? "samples" : "means";
}

bool knowsAllHeights(const TileSource& tiles) { return tiles.bounds({tiles.grid().levels() - 1, 0, 0}).has_value(); }

Json tilesJson(const TileSource& tiles)
{
    return {{"levels", tiles.grid().levels()},   {"count", tilesOf(tiles.grid())},
            {"samples", {kTileSide, kTileSide}}, {"stored_levels", tiles.storedLevels()},
            {"overviews", overviewsOf(tiles)},   {"bounds_stored", knowsAllHeights(tiles)},
            {"remote", tiles.remote()}};
}

bool hasHeights(const Raster& raster, const TileSource* tiles)
{
    if (tiles) return raster.minHeight != 0 || raster.maxHeight != 0;
    return raster.voids < std::uint64_t(raster.width) * std::uint64_t(raster.height);
}

std::string systemJson(const SystemReport& report)
{
    const OpenGlReport& gl = report.opengl;
    const Json opengl = {{"available", gl.available},
                         {"version", orNull(gl.info.version)},
                         {"renderer", orNull(gl.info.renderer)},
                         {"path", orNull(gl.info.path)},
                         {"reason", orNull(gl.reason)}};
    Json egl = Json::array();
    for (const EglDevice& device : report.eglDevices)
        egl.push_back({{"index", device.index},
                       {"name", orNull(device.name)},
                       {"software", device.software},
                       {"cuda_device", device.cudaDevice < 0 ? Json(nullptr) : Json(device.cudaDevice)}});
    const Json json = {
        {"version", versionNumber()},
        {"commit", versionCommit()},
        {"opengl", opengl},
        {"egl", {{"devices", std::move(egl)}, {"reason", orNull(report.eglReason)}}},
        {"cuda", cudaJson(report.cuda)},
        {"cpu", {{"model", report.cpu.model}, {"threads", report.cpu.threads}, {"simd", report.cpu.simd}}}};
    return dump(json);
}

std::string systemText(const SystemReport& report)
{
    std::string text = versionText() + "\n";
    const OpenGlReport& gl = report.opengl;
    if (gl.available)
        text += fmt::format("OpenGL  {}\n        {} ({})\n", gl.info.version, gl.info.renderer, gl.info.path);
    else
        text += "OpenGL  not available\n";
    if (!gl.reason.empty()) text += fmt::format("        {}\n", gl.reason);
    for (const EglDevice& device : report.eglDevices)
        text += fmt::format("EGL     device {}: {}{}{}\n", device.index, device.software ? "software" : "hardware",
                            device.name.empty() ? "" : ", " + device.name,
                            device.cudaDevice >= 0 ? fmt::format(", CUDA device {}", device.cudaDevice) : "");
    if (!report.eglReason.empty()) text += fmt::format("EGL     {}\n", report.eglReason);
    text += cudaText(report.cuda);
    return text + fmt::format("CPU     {}, {}, {}\n", report.cpu.model,
                              counted(std::uint64_t(report.cpu.threads), "thread"), report.cpu.simd);
}

const char* datumOf(bool aboveEllipsoid) { return aboveEllipsoid ? "ellipsoid" : "geoid"; }

// Returns whether the Earth shows the heights above the geoid.  Heights above the ellipsoid need the geoid's grid for
// this.
bool drawnAboveGeoid(const Raster& raster) { return !raster.aboveEllipsoid.value_or(false) || geoidHeights({}); }

// `filling`: result of filling the voids; null: not filled.  `tiles`: for a tiled terrain, described by `raster`; null:
// a fully loaded image.  `onEarth`: the terrain's extent on the Earth; null: not georeferenced.
std::string rasterJson(const Raster& raster, const compute::VoidFilling* filling, const TileSource* tiles,
                       const EarthExtent* onEarth)
{
    const bool known = hasHeights(raster, tiles);
    const bool hasNodata = raster.nodata && std::isfinite(*raster.nodata);  // JSON lacks NaN, which sources may use
    Json extent, degrees;
    if (const std::optional<MapExtent> e = mapExtent(raster)) extent = {e->west, e->south, e->east, e->north};
    if (onEarth) degrees = {onEarth->west, onEarth->south, onEarth->east, onEarth->north};
    Json json = {{"format", raster.format},
                 {"width", raster.width},
                 {"height", raster.height},
                 {"min", known ? shortest(raster.minHeight) : Json(nullptr)},
                 {"max", known ? shortest(raster.maxHeight) : Json(nullptr)},
                 {"heights_of", !tiles || knowsAllHeights(*tiles) ? "all" : "some"},
                 {"nodata_count", tiles ? Json(nullptr) : Json(raster.voids)},
                 {"pixel_size", {raster.pixelWidth, raster.pixelHeight}},
                 {"crs", orNull(raster.crs)},
                 {"extent", extent},
                 {"extent_degrees", degrees},
                 {"heights_above", raster.aboveEllipsoid ? Json(datumOf(*raster.aboveEllipsoid)) : Json(nullptr)},
                 {"heights_drawn_above", onEarth ? Json(datumOf(!drawnAboveGeoid(raster))) : Json(nullptr)},
                 {"nodata", hasNodata ? Json(*raster.nodata) : Json(nullptr)},
                 {"vertical_unit", raster.heightUnit ? Json(nameOf(*raster.heightUnit)) : Json(nullptr)},
                 {"bits", raster.bits},
                 {"tiles", tiles ? tilesJson(*tiles) : Json(nullptr)},
                 {"warnings", raster.warnings}};
    if (filling)
        json["fill_voids"] = {{"unknowns", filling->heights.size()},
                              {"iterations", filling->iterations},
                              {"relative_residual", filling->relativeResidual},
                              {"history", filling->history},
                              {"algorithm", "hestenes-stiefel"},
                              {"preconditioner", "multigrid"},
                              {"backend", "cpu"},
                              {"time_ms", {{"solve", filling->solveMs}}}};
    return dump(json);
}

std::string rasterText(const Raster& raster, const compute::VoidFilling* filling, const TileSource* tiles,
                       const EarthExtent* onEarth)
{
    std::string text = fmt::format("{}\n", printable(raster.name));
    text += fmt::format("format   {}, {} bits{}\n", raster.format, raster.bits,
                        raster.synthetic && raster.format != "synthetic" ? ", synthetic" : "");
    text += fmt::format("size     {} x {} samples, {} x {}\n", raster.width, raster.height, metresText(raster.east()),
                        metresText(raster.north()));
    text += fmt::format("pixel    {:.6g} x {:.6g} m\n", raster.pixelWidth, raster.pixelHeight);
    const bool made = tiles && tiles->raster().format == "synthetic";  // synthetic bounds are wider than the heights
    if (tiles)
        text += fmt::format("tiles    {} in {}; {}; errors {}{}\n", tilesOf(tiles->grid()),
                            counted(std::uint64_t(tiles->grid().levels()), "level"),
                            made ? "made on demand" : fmt::format("overviews: {}", overviewsOf(*tiles)),
                            made                      ? "bounded"
                            : knowsAllHeights(*tiles) ? "exact"
                                                      : "estimated",
                            tiles->remote() ? "; remote" : "");
    if (hasHeights(raster, tiles))
        text += fmt::format("heights  {} to {} m{}\n", raster.minHeight, raster.maxHeight,
                            made                                ? " at most"
                            : tiles && !knowsAllHeights(*tiles) ? " in a few samples"
                                                                : "");
    text += fmt::format("unit     {}\n", raster.heightUnit ? nameOf(*raster.heightUnit) : "unknown, read as metre");
    text += fmt::format("no data  {}{}\n", tiles ? "samples not counted" : counted(raster.voids, "sample"),
                        raster.nodata ? fmt::format(" (those of {:g})", *raster.nodata) : "");
    if (filling)
        text += fmt::format("filled   {} by conjugate gradients: {}, relative residual {:.2g}, {:.1f} ms\n",
                            counted(filling->heights.size(), "sample"), counted(filling->iterations, "iteration"),
                            filling->relativeResidual, filling->solveMs);
    text += fmt::format("system   {}\n", raster.crs.empty() ? "unknown" : printable(raster.crs));
    text += positionText(raster);
    if (onEarth)
        text += fmt::format("on Earth {}\n", degreesText(onEarth->west, onEarth->south, onEarth->east, onEarth->north));
    if (!raster.aboveEllipsoid)
        text += "datum    not stated: heights are read as above the geoid (the sea); earth.heights=ellipsoid changes "
                "that\n";
    else if (!*raster.aboveEllipsoid)
        text += "datum    heights above the geoid (the sea)\n";
    else
        text += fmt::format("datum    heights above the ellipsoid, {} on the Earth\n",
                            drawnAboveGeoid(raster) ? "converted to the geoid EGM96"
                                                    : "drawn unchanged, as GDAL finds no geoid EGM96,");
    for (const std::string& warning : raster.warnings)
        text += fmt::format("warning  {}\n", printable(warning));
    return text;
}

// ---- the command ----------------------------------------------------------------------------------------------------

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
    if (Status s = checkThere(file); !s) return s.error();
    Result<OpenedTerrain> terrain = openTerrain(file, options.overrides, TerrainTiles::kAuto, show);
    line.clear();
    if (!terrain || !earth) return terrain;
    terrain->raster.name = kEarthName;
    std::erase_if(terrain->raster.warnings, isAboutPlanes);
    return terrain;
}

std::optional<EarthExtent> earthExtentOf(const Raster& raster, const SourceOverrides& overrides)
{
    const Result<InsetMap> map = InsetMap::of(raster, overrides);
    return map ? std::optional(map->extent()) : std::nullopt;
}

// Describes a picture that --imagery takes.
Result<ExitCode> describePicture(const InfoOptions& options)
{
    const Result<std::shared_ptr<const ImagerySource>> image = openImage(options.file);
    if (!image) return image.error();
    Raster raster = (*image)->raster();
    const bool sized = raster.placement && bool(setPixelSize(raster, true));
    const std::string credit = (*image)->credit();
    const std::optional<EarthExtent> place = earthExtentOf(raster, {});
    if (options.json)
    {
        Json extent, degrees, images = Json::array();
        if (const std::optional<MapExtent> e = mapExtent(raster)) extent = {e->west, e->south, e->east, e->north};
        if (place) degrees = {place->west, place->south, place->east, place->north};
        for (const ImageSize& size : (*image)->images())
            images.push_back({size.width, size.height});
        print(dump({{"kind", "picture"},
                    {"format", raster.format},
                    {"width", raster.width},
                    {"height", raster.height},
                    {"pixel_size", sized ? Json({raster.pixelWidth, raster.pixelHeight}) : Json(nullptr)},
                    {"crs", orNull(raster.crs)},
                    {"extent", extent},
                    {"extent_degrees", degrees},
                    {"images", std::move(images)},
                    {"attribution", orNull(credit)},
                    {"warnings", raster.warnings}}));
        return ExitCode::kDone;
    }
    std::string text = fmt::format("{}\npicture  {}, {} x {} pixels, {} (--imagery lays it over the ground)\n",
                                   printable(options.file), raster.format, raster.width, raster.height,
                                   counted((*image)->images().size(), "size"));
    if (sized) text += fmt::format("pixel    {:.6g} x {:.6g} m\n", raster.pixelWidth, raster.pixelHeight);
    text += fmt::format("system   {}\n", raster.crs.empty() ? "unknown" : printable(raster.crs));
    text += positionText(raster);
    if (place) text += fmt::format("on Earth {}\n", degreesText(place->west, place->south, place->east, place->north));
    text += fmt::format("credit   {}\n", credit.empty() ? "none named" : credit);
    for (const std::string& warning : raster.warnings)
        text += fmt::format("warning  {}\n", printable(warning));
    print(text);
    return ExitCode::kDone;
}

Result<ExitCode> describeRaster(const InfoOptions& options)
{
    // A service may hold heights instead of a picture.
    const bool service = options.file.starts_with("WMS:") || options.file.starts_with("WMTS:");
    if (!service && !options.overrides.any() && options.fillVoids.empty() && isPicture(options.file))
        return describePicture(options);
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
        if (const Status status = checkOut(options); !status) return status.error();  // files may have appeared since
        const Status written = writeGeoTiff(withVoidsFilled(*raster, filled->heights), options.fillVoids);
        if (!written) return written.error();
        filling = std::move(*filled);
    }
    const compute::VoidFilling* const how = filling ? &*filling : nullptr;
    const std::optional<EarthExtent> place = earthExtentOf(*raster, options.overrides);
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
        if (options->file == kEarthName) refuseForEarthAlone(options->overrides);
        chosen = [options, given] { return given ? describeRaster(*options) : describeMachine(*options); };
    });
}

}  // namespace orogen::app
