// Filling the open terrain's voids, and undoing it.  Both run in the background, up to the data for the GPU; the
// session swaps in the result at a frame's start.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/background_task.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"

namespace orogen::app {

inline constexpr std::uint32_t kVoidFillingBit = 1u << 31;  // in FrameStats::modules, beside those of compute modules

// The open terrain with changed heights.
struct ChangedHeights
{
    HeightField field;
    TerrainBounds bounds;
    std::uint64_t filled = 0;  // voids that now have heights; 0: they are voids again
    std::uint64_t voids = 0;   // voids left
    std::uint64_t iterations = 0;
    double relativeResidual = 0, solveMs = 0;
};

// State for the panel.
struct VoidState
{
    std::uint64_t filled = 0;  // filled voids that can be undone
    bool running = false;
    double fraction = 0, seconds = 0;  // progress (0 to 1) and elapsed time of the running task
    std::string phase{};
    std::vector<double> history{};  // relative residual per iteration of the newest run, also while it runs
    double tolerance = 0;           // target of the residuals
};

class VoidFillingSession
{
public:
    // Start filling or undoing, from the field shown.  Errors: kUsage (nothing to fill or undo, or a run is under way),
    // kLimit (the CPU runs a compute module, or no thread can be started).
    Status fill(const HeightField& field);
    Status undo();
    void cancel();
    void forget();  // for another terrain; waits for a running task to stop

    bool running() const { return task_ != nullptr; }
    VoidState state() const;

    // Returns the result once it is available.  Call shown() when it has become the open terrain.
    std::optional<Result<ChangedHeights>> take();
    void shown(const ChangedHeights& changed);

private:
    using Task = BackgroundTask<ChangedHeights>;

    Status start(std::string name, Task::Work work);

    std::unique_ptr<Task> task_;
    std::shared_ptr<const HeightField> original_;  // restored by undo()
    std::vector<double> history_;                  // previous run's residuals
    std::uint64_t filled_ = 0;
};

}  // namespace orogen::app
