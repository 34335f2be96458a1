// Work of the terrain model in the background: a step, or a return to earlier heights, with the error bounds of the
// heights that it leaves.
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

// Lowers the priority of the calling thread and of those that it starts.  While frames are drawn on the CPU, too, the
// work gets about a quarter of it.
void lowerPriority();

// A model with the history of its runs.  One thread at a time uses it.
struct LivingTerrain
{
    static constexpr std::size_t kMostRunBytes = std::size_t(256) << 20;

    explicit LivingTerrain(compute::TerrainModel made) : model(std::move(made)), brushes(model) {}
    LivingTerrain(const LivingTerrain&) = delete;
    LivingTerrain& operator=(const LivingTerrain&) = delete;

    void keep(compute::ModelHeights heights);  // for undo; forgets the oldest ones beyond kMostRunBytes
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
    std::optional<MadeGround> ground;    // heights, with the data that shows them
    std::vector<std::uint32_t> drained;  // samples that drain through each; empty: not asked for
    compute::ModelStep step;
    double changePixels = 0, stepMs = 0;
    std::optional<Error> error;
};

// Inputs of a task.
struct ModelOrder
{
    ModelWork work = ModelWork::kBegin;
    std::shared_ptr<LivingTerrain> living;  // null: to be made
    std::shared_ptr<const GroundMaker> ground;
    bool asShown = false;  // kRefine, kDrain: works on the heights that are shown, without the model
    bool firstOfRun = false, beside = true;
    bool drains = false;  // finds the drained area of new heights, too
    ModelBackend backend = ModelBackend::kCpu;
    std::shared_ptr<compute::ModelDevice> gpu;  // kOpenGl
    compute::ModelRates rates;
    double years = 0;
    glm::dvec3 eye{0.0};     // from the middle of the model
    double focalLength = 0;  // pixels per radian
    std::stop_token stopsStep;

    // Does the work, in the background.
    ModelOutcome outcome(const TaskContext& context) const;

private:
    bool makeLiving(ModelOutcome& outcome) const;
    Status chooseDevice(compute::TerrainModel& model) const;
    std::vector<std::uint32_t> drainedCells(const compute::TerrainModel& model) const;
    bool step(ModelOutcome& outcome, const TaskContext& context) const;
    double pixelsOf(std::span<const float> before, const compute::TerrainModel& after) const;
};

}  // namespace orogen::app
