#include "app/cli/info_text.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/version.h"
#include "app/ui/format.h"
#include "core/base/terminal_text.h"
#include "core/planet/place_text.h"
#include "core/terrain/raster/georeference.h"

namespace orogen::app {
namespace {

using Json = nlohmann::ordered_json;

Json orNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json openGlJson(const OpenGlReport& report)
{
    return {{"available", report.available},
            {"version", orNull(report.info.version)},
            {"renderer", orNull(report.info.renderer)},
            {"path", orNull(report.info.path)},
            {"reason", orNull(report.reason)}};
}

Json eglJson(const SystemReport& report)
{
    Json devices = Json::array();
    for (const EglDevice& device : report.eglDevices)
        devices.push_back({{"index", device.index},
                           {"name", orNull(device.name)},
                           {"software", device.software},
                           {"cuda_device", device.cudaDevice < 0 ? Json(nullptr) : Json(device.cudaDevice)}});
    return {{"devices", std::move(devices)}, {"reason", orNull(report.eglReason)}};
}

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

std::string eglText(const EglDevice& device)
{
    std::string text = fmt::format("EGL     device {}: {}", device.index, device.software ? "software" : "hardware");
    if (!device.name.empty()) text += ", " + device.name;
    if (device.cudaDevice >= 0) text += fmt::format(", CUDA device {}", device.cudaDevice);
    return text + "\n";
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

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

// Returns the shortest decimal that parses to the same float: 236.1, not 236.10000610351562.
Json shortest(float value) { return Json::parse(fmt::format("{}", value)); }

Json fillingJson(const compute::VoidFilling& filling)
{
    return {{"unknowns", filling.heights.size()},
            {"iterations", filling.iterations},
            {"relative_residual", filling.relativeResidual},
            {"history", filling.history},
            {"algorithm", "hestenes-stiefel"},
            {"preconditioner", "multigrid"},
            {"backend", "cpu"},
            {"time_ms", {{"solve", filling.solveMs}}}};
}

std::string fillingText(const compute::VoidFilling& filling)
{
    return fmt::format(
        "filled   {} samples by conjugate gradients: {} iterations, relative residual {:.2g}, {:.1f} ms\n",
        filling.heights.size(), filling.iterations, filling.relativeResidual, filling.solveMs);
}

Json extentJson(const Raster& raster)
{
    const std::optional<MapExtent> extent = mapExtent(raster);
    if (!extent) return nullptr;
    return {extent->west, extent->south, extent->east, extent->north};
}

// Returns null for NaN, which JSON lacks and sources may use as "no data".
Json nodataJson(const Raster& raster)
{
    return raster.nodata && std::isfinite(*raster.nodata) ? Json(*raster.nodata) : Json(nullptr);
}

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

Json earthJson(const EarthExtent* onEarth)
{
    if (!onEarth) return nullptr;
    return {onEarth->west, onEarth->south, onEarth->east, onEarth->north};
}

std::string earthText(const EarthExtent* onEarth)
{
    if (!onEarth) return {};
    return fmt::format("on Earth {}\n"
                       "datum    heights are drawn unchanged, as above the ellipsoid; most models count from "
                       "the geoid, up to 100 m apart\n",
                       degreesText(onEarth->west, onEarth->south, onEarth->east, onEarth->north));
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

std::string tilesText(const TileSource& tiles)
{
    const bool made = tiles.raster().format == "synthetic";
    return fmt::format("tiles    {} in {} levels; {}; errors {}{}\n", tilesOf(tiles.grid()), tiles.grid().levels(),
                       made ? "made on demand" : fmt::format("overviews: {}", overviewsOf(tiles)),
                       knowsAllHeights(tiles) ? "exact" : "estimated", tiles.remote() ? "; remote" : "");
}

bool hasHeights(const Raster& raster, const TileSource* tiles)
{
    if (tiles) return raster.minHeight != 0 || raster.maxHeight != 0;
    return raster.voids < std::uint64_t(raster.width) * std::uint64_t(raster.height);
}

}  // namespace

std::string systemJson(const SystemReport& report)
{
    const Json json = {
        {"version", versionNumber()},
        {"commit", versionCommit()},
        {"opengl", openGlJson(report.opengl)},
        {"egl", eglJson(report)},
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
        text += eglText(device);
    if (!report.eglReason.empty()) text += fmt::format("EGL     {}\n", report.eglReason);
    text += cudaText(report.cuda);
    return text + fmt::format("CPU     {}, {} threads, {}\n", report.cpu.model, report.cpu.threads, report.cpu.simd);
}

std::string rasterJson(const Raster& raster, const compute::VoidFilling* filling, const TileSource* tiles,
                       const EarthExtent* onEarth)
{
    const bool known = hasHeights(raster, tiles);
    Json json = {{"format", raster.format},
                 {"width", raster.width},
                 {"height", raster.height},
                 {"min", known ? shortest(raster.minHeight) : Json(nullptr)},
                 {"max", known ? shortest(raster.maxHeight) : Json(nullptr)},
                 {"heights_of", !tiles || knowsAllHeights(*tiles) ? "all" : "some"},
                 {"nodata_count", tiles ? Json(nullptr) : Json(raster.voids)},
                 {"pixel_size", {raster.pixelWidth, raster.pixelHeight}},
                 {"crs", orNull(raster.crs)},
                 {"extent", extentJson(raster)},
                 {"extent_degrees", earthJson(onEarth)},
                 {"heights_drawn_above", onEarth ? Json("ellipsoid") : Json(nullptr)},
                 {"nodata", nodataJson(raster)},
                 {"vertical_unit", raster.heightUnit ? Json(nameOf(*raster.heightUnit)) : Json(nullptr)},
                 {"bits", raster.bits},
                 {"tiles", tiles ? tilesJson(*tiles) : Json(nullptr)},
                 {"warnings", raster.warnings}};
    if (filling) json["fill_voids"] = fillingJson(*filling);
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
    if (tiles) text += tilesText(*tiles);
    if (hasHeights(raster, tiles))
        text += fmt::format("heights  {} to {} m{}\n", raster.minHeight, raster.maxHeight,
                            tiles && !knowsAllHeights(*tiles) ? " in a few samples" : "");
    text += fmt::format("unit     {}\n", raster.heightUnit ? nameOf(*raster.heightUnit) : "unknown, read as metre");
    text += fmt::format("no data  {}{}\n", tiles ? "samples not counted" : fmt::format("{} samples", raster.voids),
                        raster.nodata ? fmt::format(" (those of {:g})", *raster.nodata) : "");
    if (filling) text += fillingText(*filling);
    text += fmt::format("system   {}\n", raster.crs.empty() ? "unknown" : printable(raster.crs));
    text += positionText(raster);
    text += earthText(onEarth);
    for (const std::string& warning : raster.warnings)
        text += fmt::format("warning  {}\n", printable(warning));
    return text;
}

}  // namespace orogen::app
