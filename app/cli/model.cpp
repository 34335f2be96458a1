// orogen model: runs the terrain model on an elevation model, and writes the terrain that it leaves.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/base/output.h"
#include "app/cli/command.h"
#include "app/session/terrain_model/model_gpu.h"
#include "compute/device/kernel_target.h"
#include "compute/terrain_model/terrain_model.h"
#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {
namespace {

// Largest ModelBalance::imbalance() (fraction of the volume moved) that gives no warning.
constexpr double kLargestImbalance = 1e-6;
// Remainder (years) below which the run ends without another step: TerrainModel::step() takes at least 1e-6 years.
constexpr double kLeastRemainder = 2e-6;

struct ModelOptions
{
    std::string terrain, out;
    SourceOverrides overrides;
    compute::ModelRates rates;
    double uplift = 0;  // millimetres per year
    double years = 100'000, stepYears = 1000;
    std::string backend = "cpu";
    std::optional<int> gpu;
    bool force = false, json = false;
};

struct ModelRun
{
    compute::ModelBalance balance;
    compute::ModelStep last;
    std::uint64_t steps = 0;
    double largestChange = 0;  // largest change of a height in one step (metres)
    double milliseconds = 0;
};

double stepsOf(const ModelOptions& options) { return std::ceil((options.years - kLeastRemainder) / options.stepYears); }

// Adds the unit to a number as shown: a sum of steps may round to 1 in the text alone.
std::string yearsText(const std::string& number) { return number + (number == "1" ? " year" : " years"); }

Result<ModelRun> run(compute::TerrainModel& model, const ModelOptions& options, const LoadProgress& progress)
{
    ThreadPool pool(int(std::max(1u, std::thread::hardware_concurrency())));
    const Clock::time_point begin = Clock::now();
    const double steps = stepsOf(options);
    ModelRun run;
    for (double done = 0; done < steps; ++done, ++run.steps)
    {
        const std::string what =
            fmt::format("{} of {}", std::lround(model.balance().years), yearsText(fmt::format("{}", options.years)));
        if (!progress(done / steps, what)) return Error{ExitCode::kInterrupted, "terrain model: interrupted"};
        const double years = std::min(options.stepYears, options.years - done * options.stepYears);
        const Result<compute::ModelStep> step = model.step(options.rates, years, pool);
        if (!step) return step.error();
        run.last = *step;
        run.largestChange = std::max(run.largestChange, step->largestChange);
    }
    run.balance = model.balance();
    run.milliseconds = millisecondsSince(begin);
    return run;
}

void setHeights(Raster& raster, std::span<const float> heights)
{
    raster.heights.assign(heights.begin(), heights.end());
    raster.fractional = true;
    raster.minHeight = std::numeric_limits<float>::infinity();
    raster.maxHeight = -std::numeric_limits<float>::infinity();
    for (const float height : heights)
        if (!std::isnan(height))
        {
            raster.minHeight = std::min(raster.minHeight, height);
            raster.maxHeight = std::max(raster.maxHeight, height);
        }
}

std::string jsonOf(const ModelOptions& options, const ModelRun& run, const Raster& raster)
{
    Json json;
    json["backend"] = options.backend;
    json["years"] = run.balance.years;
    json["steps"] = run.steps;
    json["samples"] = {raster.width, raster.height};
    json["lowest_m"] = raster.minHeight;
    json["highest_m"] = raster.maxHeight;
    json["largest_change_m"] = run.largestChange;
    json["volumes_m3"] = {{"uplifted", run.balance.uplifted}, {"cut", run.balance.cut},
                          {"crept", run.balance.crept},       {"failed", run.balance.failed},
                          {"left", run.balance.left},         {"change", run.balance.change}};
    json["imbalance"] = run.balance.imbalance();
    json["depressions"] = run.last.depressions;
    json["unstable"] = run.last.unstable;
    json["iterations"] = run.last.iterations;
    json["residual"] = run.last.residual;
    json["time_ms"] = {{"run", run.milliseconds}, {"step", run.milliseconds / double(run.steps)}};
    return json.dump(2) + '\n';
}

std::string textOf(const ModelOptions& options, const ModelRun& run, const Raster& raster)
{
    const auto cubicKilometres = [](double volume) { return volume * 1e-9; };
    return fmt::format("{}\n  {} in {}, {:.0f} ms; heights {:.0f} to {:.0f} m\n"
                       "  uplifted {:.4g} km^3, carried away by rivers {:.4g}, crept {:.4g}, failed {:.4g}, lost at "
                       "outlets {:.4g}\n  imbalance {:.1e} of what moved\n",
                       printable(options.out), yearsText(fmt::format("{:.7g}", run.balance.years)),
                       counted(run.steps, "step"), run.milliseconds, raster.minHeight, raster.maxHeight,
                       cubicKilometres(run.balance.uplifted), cubicKilometres(run.balance.cut),
                       cubicKilometres(run.balance.crept), cubicKilometres(run.balance.failed),
                       cubicKilometres(run.balance.left), run.balance.imbalance());
}

// A device for the steps, and the OpenGL context that must outlive the device.
struct Place
{
    std::unique_ptr<Context> context;
    std::shared_ptr<compute::ModelDevice> device;  // null: the CPU
};

Result<Place> placeOf(const ModelOptions& options, const std::filesystem::path& root)
{
    Place place;
    if (options.backend == "host-kernel") place.device = compute::makeKernelDevice(compute::makeHostTarget({}));
    if (options.backend == "cuda")
    {
        Result<std::unique_ptr<compute::ModelDevice>> made = compute::makeCudaDevice(options.gpu);
        if (!made) return made.error();
        place.device = std::move(*made);
    }
    if (options.backend == "opengl")
    {
        Result<std::unique_ptr<Context>> context = Context::create({.headless = true, .gpu = options.gpu.value_or(-1)});
        if (!context) return context.error();
        place.context = std::move(*context);
        Result<std::shared_ptr<ModelGpu>> made = ModelGpu::create(root, *place.context);
        if (!made) return made.error();
        place.device = std::move(*made);
    }
    return place;
}

Result<ExitCode> runModel(ModelOptions options)
{
    if (options.rates.creep == 0 && options.rates.incision == 0 && options.uplift == 0 && options.rates.repose == 90)
        return Error{ExitCode::kUsage, "nothing would change, expected one of --creep, --incision, --uplift, --repose"};
    if (stepsOf(options) > 1e6)
        return Error{ExitCode::kUsage,
                     fmt::format("--step-years: found {:g} for {:g} years, expected at most 10^6 steps",
                                 options.stepYears, options.years)};
    if (options.gpu && (options.backend == "cpu" || options.backend == "host-kernel"))
        return Error{ExitCode::kUsage,
                     fmt::format("--gpu: --backend {} takes none, expected cuda or opengl", options.backend)};
    options.rates.uplift = options.uplift / 1000;
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    const std::string file = options.terrain.empty() ? (*root / kShippedTerrain).string() : options.terrain;
    const Existing existing = options.force ? Existing::kReplace : Existing::kRefuse;
    if (Status s = checkOutputFile(options.out, sourceFiles(file), existing); !s) return s.error();

    ProgressLine line;
    const LoadProgress progress = [&line](double fraction, const std::string& what) {
        return line.show(fraction, what);
    };
    if (Status s = refuseEarth(file, "model"); !s) return s.error();
    if (Status s = checkThere(file); !s) return s.error();
    Result<Raster> raster = loadRaster(file, progress, options.overrides);
    if (!raster) return raster.error();
    line.clear();
    for (const std::string& warning : raster->warnings)
        tell(warning);
    Result<compute::TerrainModel> model = compute::TerrainModel::create(raster->heights, raster->width, raster->height,
                                                                        raster->pixelWidth, raster->pixelHeight);
    if (!model) return model.error();
    const Result<Place> place = placeOf(options, *root);
    if (!place) return place.error();
    model->setDevice(place->device);
    const Result<ModelRun> done = run(*model, options, progress);
    line.clear();
    model->setDevice(nullptr);
    if (!done) return done.error();
    setHeights(*raster, model->heights());
    if (Status s = writeGeoTiff(*raster, options.out); !s) return s.error();
    print(options.json ? jsonOf(options, *done, *raster) : textOf(options, *done, *raster));
    if (!(done->balance.imbalance() <= kLargestImbalance))
        tell(
            fmt::format("the volumes are uncertain: found an imbalance of {:.1e} of what moved, expected at most {:g}; "
                        "shorter steps (--step-years) have less",
                        done->balance.imbalance(), kLargestImbalance));
    return ExitCode::kDone;
}

}  // namespace

void addModelCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("model", "a terrain that changes: uplift, rivers, failing slopes, creep");
    const auto options = std::make_shared<ModelOptions>();
    command->add_option("DEM", options->terrain,
                        "file, folder of tiles, /vsi name of GDAL or synthetic:SIZE[:SEED] (the shipped terrain)");
    command->add_option("--out", options->out, "output file, a GeoTIFF")->required()->type_name("FILE");
    command->add_option("--years", options->years, "duration; 1 to 10^9 (100000)")
        ->check(realIn(1, 1e9))
        ->type_name("Y");
    command->add_option("--step-years", options->stepYears, "length of a step; 0.01 to 10^7 (1000)")
        ->check(realIn(0.01, 1e7))
        ->type_name("Y");
    command->add_option("--creep", options->rates.creep, "diffusion of the ground, m^2 a year; 0 to 10^6 (0)")
        ->check(realIn(0, 1e6))
        ->type_name("K");
    command->add_option("--incision", options->rates.incision, "erodibility of stream power, 1 / a year; 0 to 1 (0)")
        ->check(realIn(0, 1))
        ->type_name("K");
    command->add_option("--uplift", options->uplift, "millimetres a year; -1000 to 1000 (0)")
        ->check(realIn(-1000, 1000))
        ->type_name("U");
    command->add_option("--repose", options->rates.repose, "steepest slope that stands, degrees; 1 to 90 (90: any)")
        ->check(realIn(1, 90))
        ->type_name("A");
    command->add_option("--backend", options->backend, "where steps are computed: cpu, opengl, cuda, host-kernel (cpu)")
        ->check(CLI::IsMember({"cpu", "opengl", "cuda", "host-kernel"}))
        ->type_name("NAME");
    command->add_option("--gpu", options->gpu, "number of the GPU for cuda or opengl; from 0")
        ->check(CLI::Range(0, 2147483647))
        ->type_name("N");
    command->add_flag("--force", options->force, "replace FILE if there is one");
    addTerrainOptions(*command, options->overrides);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runModel(*options); }; });
}

}  // namespace orogen::app
