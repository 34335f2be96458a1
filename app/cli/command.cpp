#include "app/cli/command.h"

#include <cmath>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/session/session_options.h"
#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/script.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/import/import_run.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/sources/open_source.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr int kMinSide = 16, kMaxSide = 16384;  // pixels

struct Extent
{
    int width = 0, height = 0;
};

// Parses "WxH" with decimal digits only; empty if malformed or out of range.
std::optional<Extent> parseExtent(std::string_view text)
{
    const std::size_t separator = text.find('x');
    if (separator == std::string_view::npos) return std::nullopt;
    const std::optional<int> width = numberIn<int>(text.substr(0, separator), kMinSide, kMaxSide);
    const std::optional<int> height = numberIn<int>(text.substr(separator + 1), kMinSide, kMaxSide);
    if (!width || !height) return std::nullopt;
    return Extent{*width, *height};
}

// Adds an option that `parse` converts to a Result, whose value goes to `take`.
template <class Parse, class Take>
void addParsed(CLI::App& command, const char* name, const char* help, const char* typeName, Parse parse, Take take)
{
    const auto read = [name, parse, take](const std::string& text) {
        const auto value = parse(text);
        if (!value) throw CLI::ValidationError(name, value.error().message);
        take(*value);
    };
    command.add_option_function<std::string>(name, read, help)->type_name(typeName);
}

}  // namespace

CLI::Validator realIn(double low, double high)
{
    const auto check = [low, high](const std::string& text) -> std::string {
        if (numberIn<double>(text, low, high)) return {};
        return fmt::format("{}: expected a number from {} to {}", text, low, high);
    };
    return CLI::Validator(check, "");
}

CLI::Validator wholeIn(double low, double high)
{
    const auto check = [low, high](const std::string& text) -> std::string {
        if (numberIn<std::int64_t>(text, low, high)) return {};
        return fmt::format("{}: expected a whole number from {} to {}", text, low, high);
    };
    return CLI::Validator(check, "");
}

CLI::Option* addSizeOption(CLI::App& command, int& width, int& height, const std::string& byDefault)
{
    const auto set = [&width, &height](const std::string& text) {
        const std::optional<Extent> extent = parseExtent(text);
        if (!extent)
            throw CLI::ValidationError("--size",
                                       fmt::format("{}: expected WxH, each {} to {}", text, kMinSide, kMaxSide));
        width = extent->width;
        height = extent->height;
    };
    return command.add_option_function<std::string>("--size", set, fmt::format("pixels ({})", byDefault))
        ->type_name("WxH");
}

void addTerrainOptions(CLI::App& command, SourceOverrides& overrides)
{
    addParsed(command, "--nodata", "samples of this value are voids, in addition to the file's own", "V", parseNodata,
              [&overrides](double value) { overrides.nodata = value; });
    addParsed(command, "--pixel-size", "metres between samples, overrides the file; 0.001 to 1000000", "X,Y",
              parsePixelSize, [&overrides](const orogen::PixelSize& size) { overrides.pixelSize = size; });
    addParsed(command, "--crs", "coordinate system, overrides the file; for example EPSG:32611", "C", parseCrs,
              [&overrides](const std::string& crs) { overrides.crs = crs; });
    addParsed(command, "--unit", "unit of the samples, overrides the file", "metre/foot/us-foot", parseHeightUnit,
              [&overrides](HeightUnit unit) { overrides.unit = unit; });
    addParsed(command, "--encoding", "heights in the colours of a PNG or TIFF", "terrarium/terrain-rgb",
              parseHeightEncoding, [&overrides](HeightEncoding encoding) { overrides.encoding = encoding; });
}

void refuseForEarthAlone(const SourceOverrides& overrides)
{
    if (overrides.any())
        throw CLI::ValidationError(
            kEarthName, fmt::format("the Earth alone takes no{}, only elevation models do", optionsOf(overrides)));
}

void addTerrainNames(CLI::App& command, SessionOptions& options, const char* what)
{
    const auto take = [&command, &options](const std::vector<std::string>& names) {
        options.dem = names.front();
        options.insets.assign(names.begin() + 1, names.end());
        // Values of an unknown option are read as names; the parser refuses that option later.
        if (!options.insets.empty() && options.world() != World::kEarth && command.remaining_size() == 0)
            throw CLI::ValidationError("DEM",
                                       fmt::format("found {} and {}, expected one, or earth before them: several "
                                                   "lie in the Earth",
                                                   printable(names[0]), printable(names[1])));
    };
    command.add_option_function<std::vector<std::string>>("DEM", take, what)->type_name("");
}

void addImageryOption(CLI::App& command, SessionOptions& options)
{
    command
        .add_option(
            "--imagery,--texture", options.imagery,
            "lay a picture over the ground: a file, WMTS:URL, WMS:URL or https://.../{z}/{x}/{y}.png; may be repeated")
        ->allow_extra_args(false)
        ->type_name("FILE");
}

void addReliefOption(CLI::App& command, SessionOptions& options)
{
    command
        .add_option("--relief", options.relief,
                    "with earth: an elevation model in place of the shipped relief (GeoTIFF, VRT, /vsi name of GDAL)")
        ->type_name("FILE");
    command.parse_complete_callback([&options] {
        const bool earth = options.world() == World::kEarth;
        if (!options.relief.empty() && !earth)
            throw CLI::ValidationError("--relief", "found without earth, expected: earth --relief FILE");
        if (earth && options.insets.empty() && options.relief.empty()) refuseForEarthAlone(options.overrides);
    });
}

void addOverlayOption(CLI::App& command, SessionOptions& options)
{
    command
        .add_option("--overlay", options.overlays,
                    "draw the tracks, lines and points of a GPX or GeoJSON file on the ground; may be repeated")
        ->allow_extra_args(false)
        ->type_name("FILE");
}

void addRampOption(CLI::App& command, SessionOptions& options)
{
    command
        .add_option("--ramp", options.ramp,
                    "colours by height: a .cpt file of GMT or a .qml file of QGIS; the same as --set "
                    "render.ramp=FILE --set render.shading=hypsometric")
        ->type_name("FILE");
}

void addGoTo(CLI::App& command, SessionOptions& options)
{
    const auto read = [](std::string_view text) -> Result<step::GoTo> {
        if (!trimmed(text).empty() && !isCoordinates(text)) return step::GoTo{{}, std::string(trimmed(text))};
        const Result<Geodetic> place = placeIn(text);
        return place ? Result<step::GoTo>(step::GoTo{*place}) : Result<step::GoTo>(place.error());
    };
    addParsed(command, "--goto",
              "initial place: degrees, metres above the sea; north up, straight down from 100 km on; or a name",
              "LAT,LON,HEIGHT|NAME", read, [&options](const step::GoTo& to) {
                  options.goToName = to.name;
                  options.goTo = to.name.empty() ? std::optional(to.place) : std::nullopt;
              });
}

void addTime(CLI::App& command, SessionOptions& options)
{
    command
        .add_option_function<std::string>(
            "--time", [&options](const std::string& time) { options.assignments.push_back("render.time=" + time); },
            "date and time that place the sun, as 2026-06-21T12:00Z (UTC); also --set render.time=")
        ->type_name("TIME");
}

void addCompare(CLI::App& command, SessionOptions& options)
{
    CLI::Option* compare =
        command
            .add_option("--compare", options.compare,
                        "split picture: A at the left, B at the right; settings files (.json), presets, scenes or "
                        "terrains")
            ->expected(2)
            ->type_name("A B");
    command
        .add_option("--divider", options.split.divider, "with --compare: share of the width that shows A, 0 to 1 (0.5)")
        ->check(realIn(0, 1))
        ->needs(compare)
        ->type_name("SHARE");
    command.add_flag("--difference", options.split.difference, "with --compare: show where both differ, in colours")
        ->needs(compare);
}

void addSceneInputs(CLI::App& command, SessionOptions& options)
{
    addTerrainNames(command, options,
                    "file, folder of tiles, /vsi name of GDAL, synthetic:SIZE[:SEED], a scene, or earth and what lies "
                    "in it (the shipped terrain)");
    command.add_option("--terrain", options.terrainAt, "where the terrain of a scene lies now")->type_name("FILE");
    addImageryOption(command, options);
    addReliefOption(command, options);
    addOverlayOption(command, options);
    addRampOption(command, options);
    addTime(command, options);
    addTerrainOptions(command, options.overrides);
}

void addFlightInputs(CLI::App& command, SessionOptions& options)
{
    addSceneInputs(command, options);
    addSizeOption(command, options.width, options.height, "the scene's, else 1280x720");
    command.add_option("--set", options.assignments, "change a setting; may be repeated")
        ->allow_extra_args(false)
        ->type_name("key=value");
    command.add_option("--settings", options.settingsFile, "settings to start with (JSON)")->type_name("FILE");
    command.add_option("--gpu", options.gpu, "graphics device, as numbered by orogen info (the first that works)")
        ->check(CLI::Range(0, 63))
        ->type_name("N");
}

Status refuseEarth(const std::string& dem, std::string_view command)
{
    if (dem != kEarthName) return Status::ok();
    return Error{ExitCode::kInput, fmt::format("earth: {} takes no Earth, expected an elevation model", command)};
}

Result<std::shared_ptr<const TileSource>> openSamples(const std::string& dem, const SourceOverrides& overrides,
                                                      const LoadProgress& progress)
{
    if (Status s = checkThere(dem); !s) return s.error();
    Result<OpenedTerrain> opened = openTerrain(dem, overrides, TerrainTiles::kAuto, progress);
    if (!opened) return opened.error();
    if (opened->tiles) return std::move(opened->tiles);
    return std::shared_ptr<const TileSource>(std::make_shared<ImageSource>(std::move(opened->raster)));
}

}  // namespace orogen::app
