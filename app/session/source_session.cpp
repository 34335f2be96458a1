#include "app/session/source_session.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "compute/job/job.h"
#include "compute/voids/filled_voids.h"
#include "compute/voids/void_filling.h"
#include "core/base/output_file.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/planet/place_text.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/georeference.h"

namespace orogen::app {
namespace {

constexpr double kReadingPart = 0.2;  // share of the progress
const std::string kSolver = "cpu";

struct HeldSolver
{
    ~HeldSolver() { compute::processJobDevices().release(kSolver); }
};

Status checkSaving(const std::string& dem, const SaveFilled& wanted)
{
    return checkOutputFile(wanted.file, sourceFiles(dem), wanted.replace ? Existing::kReplace : Existing::kRefuse);
}

Result<std::string> save(const std::string& dem, const SourceOverrides& overrides, const SaveFilled& wanted,
                         const TaskContext& context)
{
    const auto reading = [&context](double fraction, const std::string& what) {
        context.progress.enter(what, kReadingPart * fraction);
        return !context.stop.stop_requested();
    };
    const Result<Raster> raster = loadRaster(dem, reading, overrides);
    if (!raster) return raster.error();
    context.progress.enter("filling voids", kReadingPart);
    compute::VoidFillingOptions options = {.threads = std::max(1, int(std::thread::hardware_concurrency()) - 1),
                                           .stop = context.stop};
    double first = 0;
    options.watch = [&](std::uint64_t iteration, double residual) {
        if (iteration == 0) first = residual;
        const double done = compute::progressOf(residual, first, options.tolerance);
        context.progress.set(kReadingPart + (1 - kReadingPart) * done);
    };
    const Result<compute::VoidFilling> filling =
        compute::solveVoids(raster->heights, raster->width, raster->height, options);
    if (!filling) return filling.error();
    if (Status status = checkSaving(dem, wanted); !status) return status.error();  // a file may have appeared
    if (Status status = writeGeoTiff(withVoidsFilled(*raster, filling->heights), wanted.file); !status)
        return status.error();
    return fmt::format("wrote {}: {} voids filled", printable(wanted.file), filling->heights.size());
}

std::string extentText(const Raster& raster)
{
    const std::optional<MapExtent> extent = mapExtent(raster);
    if (!extent) return {};
    if (raster.placement->geographic) return degreesText(extent->west, extent->south, extent->east, extent->north, 4);
    return fmt::format("west {}, south {}, east {}, north {}", fixedText(extent->west, 0), fixedText(extent->south, 0),
                       fixedText(extent->east, 0), fixedText(extent->north, 0));
}

}  // namespace

SourceState sourceState(const Raster& raster, const SourceOverrides& overrides)
{
    SourceState state;
    if (raster.synthetic) return state;
    state.dem = raster.name;
    state.nodata = raster.nodata ? fmt::format("{:g}", *raster.nodata) : "none named";
    state.unit = raster.heightUnit ? std::string(nameOf(*raster.heightUnit)) : "not said: metre";
    state.crs = raster.crs.empty() ? "unknown" : printable(raster.crs);
    state.extent = extentText(raster);
    state.overrides = overrides;
    return state;
}

Status FilledHeightsSaving::start(const std::string& dem, const SourceOverrides& overrides, const SaveFilled& wanted)
{
    if (running()) return Error{ExitCode::kUsage, "save-filled: a file is being written"};
    if (Status status = checkSaving(dem, wanted); !status) return status;
    if (!compute::processJobDevices().take(kSolver))
        return Error{ExitCode::kLimit, "save-filled: cpu is running another job"};
    const auto held = std::make_shared<HeldSolver>();
    Result<std::unique_ptr<Task>> task =
        Task::start("save-filled", [dem, overrides, wanted, held](const TaskContext& context) {
            return save(dem, overrides, wanted, context);
        });
    if (!task) return task.error();
    task_ = std::move(*task);
    return Status::ok();
}

void FilledHeightsSaving::cancel()
{
    if (task_) task_->cancel();
}

double FilledHeightsSaving::fraction() const { return task_ ? task_->progress().fraction() : 0.0; }

std::optional<Result<std::string>> FilledHeightsSaving::take()
{
    if (!task_ || task_->running()) return std::nullopt;
    const std::unique_ptr<Task> task = std::move(task_);
    if (task->state() == TaskState::kCancelled) return Error{ExitCode::kInterrupted, "save-filled: cancelled"};
    return task->take();
}

}  // namespace orogen::app
