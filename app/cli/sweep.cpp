// orogen sweep: error against time over a grid of depths and thresholds.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/output.h"
#include "app/cli/command.h"
#include "app/session/captures/sweep_controller.h"
#include "app/viewer.h"
#include "core/base/text.h"
#include "core/settings.h"

namespace orogen::app {
namespace {

struct SweepOptions
{
    SessionOptions view;
    SweepRequest request;
    bool json = false;
};

std::string cell(const std::optional<double>& value, int decimals)
{
    return value ? fmt::format("{:.{}f}", *value, decimals) : std::string("–");
}

std::string textOf(const SweepController& sweeps)
{
    if (sweeps.missing() > 0)
        return fmt::format("{}: {} of {} still missing\n", printable(sweeps.folder()), sweeps.missing(),
                           counted(sweeps.points().size(), "point"));
    std::string text = printable(sweeps.folder()) + "/sweep.html\n";
    text += fmt::format("  {:>5} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "depth", keyOf(sweeps.plan().threshold),
                        "p50 ms", "triangles", "p99 px", "max px");
    for (const SweepPoint& point : sweeps.points())
        text += fmt::format("  {:>5} {:>12} {:>12} {:>12} {:>12} {:>12}{}\n", point.depth, point.pixels,
                            cell(point.frameMsP50, 3), cell(point.trianglesMean, 0), cell(point.errorPxP99, 3),
                            cell(point.errorPxMax, 3), point.pareto == true ? "  Pareto" : "");
    return text;
}

Result<ExitCode> runSweep(const SweepOptions& options)
{
    if (options.request.pixels.empty())
        return Error{ExitCode::kUsage, "sweep: expected --split-pixels or --error-pixels (see --help)"};
    for (const int depth : options.request.depths)
    {
        Settings settings = defaultSettings(options.view.world());
        if (Status s = setSetting(settings, depthKey(settings.world), std::to_string(depth)); !s)
            return Error{s.error().code, "--depths: " + s.error().message};
    }
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options.view);
    if (!viewer) return viewer.error();
    if (const Status s = (*viewer)->sweep(options.request); !s) return s.error();
    const SweepController& sweeps = (*viewer)->sweeps();
    print(options.json ? sweepToJson(sweeps.plan(), sweeps.points()) : textOf(sweeps));
    return ExitCode::kDone;
}

// Adds an option for comma-separated numbers, each in the range of the setting `key`.  `text`: what they are, and their
// range.
template <class T>
CLI::Option* addList(CLI::App& command, const char* name, std::vector<T>& values, const char* key, const char* text)
{
    const SettingInfo info = infoIn(*findSetting(key), World::kEarth);  // widest range: the terrain is not known yet
    const auto read = [&values, info, name, text](const std::string& list) {
        values.clear();
        for (std::size_t begin = 0; begin <= list.size();)
        {
            const std::size_t end = std::min(list.find(',', begin), list.size());
            const std::string item = list.substr(begin, end - begin);
            const auto value = numberIn<T>(item, T(info.minimum), T(info.maximum));
            if (!value)
                throw CLI::ValidationError(
                    name, fmt::format("found '{}', expected {}, with commas between them", printable(item), text));
            values.push_back(*value);
            begin = end + 1;
        }
    };
    return command.add_option_function<std::string>(name, read, text)->type_name("A,B,...");
}

void addGridOptions(CLI::App& command, SweepRequest& request)
{
    addList(command, "--depths", request.depths, "earth.depth", "maximum depths of the tree, 6 to 30 (on the Earth 58)")
        ->required();
    CLI::Option* split = addList(command, "--split-pixels", request.pixels, "lod.split_pixels",
                                 "thresholds of criterion edge, 0.5 to 64");
    const auto byError = [&request](const std::string&) {
        request.threshold = SweptThreshold::kErrorPixels;
        return std::string();
    };
    addList(command, "--error-pixels", request.pixels, "lod.error_pixels", "thresholds of criterion error, 0.1 to 32")
        ->excludes(split)
        ->check(CLI::Validator(byError, ""));
    command.add_option("--out", request.folder, "folder that gets the points and the result")
        ->type_name("DIR")
        ->required();
    command
        .add_option("--path", request.path,
                    "camera path: overview, ridge, spot or a file (overview; of the Earth: around)")
        ->type_name("FILE");
    command.add_option("--frames", request.frames, "measured frames a point (60)")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(10'000'000)))
        ->type_name("N");
    const auto shard = [&request](const std::string& text) {
        const std::size_t slash = text.find('/');
        const auto i = numberIn<std::uint64_t>(text.substr(0, slash), 0, kMostSweepShards - 1);
        const auto n =
            slash == text.npos ? std::nullopt : numberIn<std::uint64_t>(text.substr(slash + 1), 1, kMostSweepShards);
        if (!i || !n || *i >= *n)
            throw CLI::ValidationError("--shard", fmt::format("found '{}', expected i/n with i below n, n at most {}",
                                                              printable(text), kMostSweepShards));
        request.shard = *i;
        request.shards = *n;
    };
    command.add_option_function<std::string>("--shard", shard, "only the points whose number is i modulo n")
        ->type_name("i/n");
}

}  // namespace

void addSweepCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("sweep", "error against time over a grid of depths and thresholds");
    const auto options = std::make_shared<SweepOptions>();
    SessionOptions& view = options->view;
    view.capture = view.headless = true;
    view.vsync = false;
    view.width = 640;
    view.height = 360;
    addGridOptions(*command, options->request);
    addTerrainNames(*command, view,
                    "file, folder of tiles, /vsi name of GDAL, synthetic:SIZE[:SEED], or earth and what lies in it "
                    "(the shipped terrain)");
    addSizeOption(*command, view.width, view.height, "640x360");
    command->add_option("--set", view.assignments, "change a setting of all points; may be repeated")
        ->allow_extra_args(false)
        ->type_name("key=value");
    command->add_option("--settings", view.settingsFile, "settings to start with (JSON)")->type_name("FILE");
    command->add_option("--gpu", view.gpu, "graphics device, as numbered by orogen info (the first that works)")
        ->check(CLI::Range(0, 63))
        ->type_name("N");
    command->add_flag("--json", options->json, "one JSON object: what sweep.json holds");
    command->callback([options, command, &chosen] {
        if (command->count("--path") == 0 && options->view.world() == World::kEarth) options->request.path = kEarthPath;
        chosen = [options] { return runSweep(*options); };
    });
}

}  // namespace orogen::app
