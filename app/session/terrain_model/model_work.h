// Background work of the terrain model: new heights with their error bounds (or tiles), or the drained area.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "app/session/terrain_model/model_ground.h"
#include "compute/terrain_model/brushes.h"
#include "compute/terrain_model/terrain_model.h"
#include "core/base/background_task.h"
#include "core/settings.h"

namespace orogen::app {

// Lowers the priority of the calling thread and of the threads that it starts.  If the CPU also draws the frames, these
// threads get about a quarter of its time.
void lowerPriority();

// A model with the history of its runs; a run is a series of steps.  Only one thread at a time may use it.
struct LivingTerrain
{
    static constexpr std::size_t kMostRunBytes = std::size_t(256) << 20;

    explicit LivingTerrain(compute::TerrainModel made) : model(std::move(made)), brushes(model) {}
    LivingTerrain(const LivingTerrain&) = delete;
    LivingTerrain& operator=(const LivingTerrain&) = delete;

    void keep(compute::ModelHeights heights);  // adds to `runs`; drops the oldest while several exceed kMostRunBytes
    std::size_t runBytes() const;

    compute::TerrainModel model;
    compute::Brushes brushes;
    std::deque<compute::ModelHeights> runs;  // heights before each run, newest last
};

enum class ModelWork
{
    kBegin,
    kStep,
    kUndoRun,
    kRefine,  // exact bounds of the heights shown
    kDrain,   // drained area of the heights shown
    kReset,
};

struct ModelOutcome
{
    std::shared_ptr<LivingTerrain> living;
    std::optional<MadeGround> ground;    // new heights; empty: the work made none
    std::vector<std::uint32_t> drained;  // number of samples that drain through each sample; empty: not requested
    compute::ModelStep step;
    double changePixels = 0, stepMs = 0;
    std::optional<Error> error;
};

// Inputs of a task.
struct ModelOrder
{
    ModelWork work = ModelWork::kBegin;
    std::shared_ptr<LivingTerrain> living;  // null: the task makes the model if needed
    std::shared_ptr<const GroundMaker> ground;
    bool asShown = false;  // kRefine, kDrain: works on the heights that are shown, without the model
    // firstOfRun: keeps the heights before the step for undo.  beside: frames are drawn while the task runs, so the
    // task lowers its priority and leaves one processor free.
    bool firstOfRun = false, beside = true;
    bool drains = false;  // also computes the drained area of the new heights
    ModelBackend backend = ModelBackend::kCpu;
    std::shared_ptr<compute::ModelDevice> gpu;  // for ModelBackend::kOpenGl
    compute::ModelRates rates;
    double years = 0;
    glm::dvec3 eye{0.0};     // camera's position east and north of the model's middle, and height (metres)
    double focalLength = 0;  // pixels per radian
    std::stop_token stopsStep;

    // Does the work; called by the background task.
    ModelOutcome outcome(const TaskContext& context) const;

private:
    bool makeLiving(ModelOutcome& outcome) const;
    Status chooseDevice(compute::TerrainModel& model) const;
    std::vector<std::uint32_t> drainedCells(const compute::TerrainModel& model) const;
    bool step(ModelOutcome& outcome, const TaskContext& context) const;
    double pixelsOf(std::span<const float> before, const compute::TerrainModel& after) const;
};

}  // namespace orogen::app
