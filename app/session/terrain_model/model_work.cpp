#include "app/session/terrain_model/model_work.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <sys/resource.h>

#include "compute/device/kernel_target.h"
#include "core/base/clock.h"
#include "core/base/thread_pool.h"

namespace orogen::app {
namespace {

// Returns the number of threads for a task (>= 1).  `beside`: frames are drawn meanwhile, so one processor stays free.
int modelThreads(bool beside) { return std::max(1, usableThreads() - int(beside)); }

}  // namespace

// On Linux each thread has a priority of its own, and 0 stands for the calling thread.
void lowerPriority()
{
    constexpr int kNice = 5;
    (void)setpriority(PRIO_PROCESS, 0, kNice);  // an error leaves the priority as it is
}

void LivingTerrain::keep(compute::ModelHeights heights)
{
    runs.push_back(std::move(heights));
    while (runs.size() > 1 && runBytes() > kMostRunBytes)
        runs.pop_front();
}

std::size_t LivingTerrain::runBytes() const { return runs.size() * model.heights().size() * 2 * sizeof(float); }

bool ModelOrder::makeLiving(ModelOutcome& outcome) const
{
    if (outcome.living) return true;
    Result<compute::TerrainModel> made = ground->model();
    if (made)
        outcome.living = std::make_shared<LivingTerrain>(std::move(*made));
    else
        outcome.error = made.error();
    return bool(made);
}

// Estimates the largest change in the picture (pixels), as if the camera saw every change of height from the side.
double ModelOrder::pixelsOf(std::span<const float> before, const compute::TerrainModel& after) const
{
    double most = 0;
    const std::size_t width = std::size_t(after.width());
    const glm::dvec2 centre(0.5 * (after.width() - 1), 0.5 * (after.height() - 1));
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        const double height = double(after.heights()[i]), change = std::abs(height - double(before[i]));
        if (!(change > 0)) continue;
        const glm::dvec2 sample(double(i % width), double(i / width));
        const glm::dvec2 place = (sample - centre) * glm::dvec2(after.alongX(), -after.alongY());
        most = std::max(most, change / std::max(glm::length(glm::dvec3(place, height) - eye), 1.0));
    }
    return most * focalLength;
}

// Makes the model compute its steps with the back end of the settings.
Status ModelOrder::chooseDevice(compute::TerrainModel& model) const
{
    const compute::ModelDevice* const present = model.device();
    if (backend == ModelBackend::kCpu || backend == ModelBackend::kOpenGl)
    {
        if (present != gpu.get()) model.setDevice(gpu);
        return Status::ok();
    }
    const bool cuda = backend == ModelBackend::kCuda;
    if (present && present->name() == (cuda ? "cuda" : "host-kernel")) return Status::ok();
    Result<std::unique_ptr<compute::ModelDevice>> made =
        cuda ? compute::makeCudaDevice() : compute::makeKernelDevice(compute::makeHostTarget({}));
    if (!made) return made.error();
    model.setDevice(std::move(*made));
    return Status::ok();
}

// Returns the number of cells that drain through each cell.  Takes the numbers from the step that was computed, if that
// had rivers (incision > 0), else computes them from the model's heights.
std::vector<std::uint32_t> ModelOrder::drainedCells(const compute::TerrainModel& model) const
{
    if (work == ModelWork::kStep && rates.incision > 0) return {model.drainage().begin(), model.drainage().end()};
    std::vector<double> heights(model.heights().size());
    for (std::size_t i = 0; i < heights.size(); ++i)
        heights[i] = model.kinds()[i] == compute::CellKind::kOutside ? 0 : model.heightAt(i);
    compute::Drainage drainage;
    ThreadPool pool(modelThreads(beside));
    drainage.route({heights, model.kinds(), model.width(), model.height(), model.alongX(), model.alongY()}, pool);
    return {drainage.cells().begin(), drainage.cells().end()};
}

bool ModelOrder::step(ModelOutcome& outcome, const TaskContext& context) const
{
    LivingTerrain& stepped = *outcome.living;
    std::stop_source stop;
    const std::stop_callback asked(stopsStep, [&stop] { stop.request_stop(); });
    const std::stop_callback ends(context.stop, [&stop] { stop.request_stop(); });
    const std::vector<float> before(stepped.model.heights().begin(), stepped.model.heights().end());
    std::optional<compute::ModelHeights> kept;
    if (firstOfRun) kept = stepped.model.kept();
    if (Status s = chooseDevice(stepped.model); !s)
    {
        outcome.error = s.error();
        return false;
    }
    ThreadPool pool(modelThreads(beside));
    const Clock::time_point begin = Clock::now();
    const Result<compute::ModelStep> done = stepped.model.step(rates, years, pool, stop.get_token());
    if (!done)
    {
        outcome.error = done.error();
        return false;
    }
    outcome.stepMs = millisecondsSince(begin);
    outcome.step = *done;
    outcome.changePixels = pixelsOf(before, stepped.model);
    stepped.brushes.forget();
    if (kept) stepped.keep(std::move(*kept));
    return true;
}

ModelOutcome ModelOrder::outcome(const TaskContext& context) const
{
    if (beside) lowerPriority();
    ModelOutcome outcome;
    outcome.living = living;
    const auto enter = [&context](const char* phase, double fraction) { context.progress.enter(phase, fraction); };
    constexpr double kStepShare = 0.6;
    const auto made = [&outcome](Result<MadeGround> result) {
        if (result)
            outcome.ground = std::move(*result);
        else
            outcome.error = result.error();
    };
    if (work == ModelWork::kReset)
    {
        outcome.living.reset();
        made(ground->original(context));
        return outcome;
    }
    if (work == ModelWork::kDrain)
    {
        enter("drained area", 0);
        const Result<compute::TerrainModel> shown = ground->shownModel();
        if (shown)
            outcome.drained = drainedCells(*shown);
        else
            outcome.error = shown.error();
        return outcome;
    }
    if (!asShown)
    {
        enter("beginning", 0);
        if (!makeLiving(outcome)) return outcome;
        if (work == ModelWork::kUndoRun && !outcome.living->runs.empty())
        {
            outcome.living->model.restore(outcome.living->runs.back());
            outcome.living->runs.pop_back();
            outcome.living->brushes.forget();
        }
        enter("computing a step", 0);
        if (work == ModelWork::kStep && !step(outcome, context)) return outcome;
        if (drains) outcome.drained = drainedCells(outcome.living->model);
    }
    enter("error bounds", kStepShare);
    made(ground->make(asShown ? nullptr : &outcome.living->model, context));
    return outcome;
}

}  // namespace orogen::app
