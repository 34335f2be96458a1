// Fills the open terrain's voids, undoes that, and saves the filled heights, all in the background.  Filling and
// undoing also prepare the GPU's data there.  The session shows changed heights from the start of a frame on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/model/terrain_state.h"
#include "core/base/background_task.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"

namespace orogen::app {

// The open terrain with changed heights.
struct ChangedHeights
{
    HeightField field;
    TerrainBounds bounds;
    std::uint64_t filled = 0;  // voids that now have heights; 0 after an undo
    std::uint64_t voids = 0;   // voids left
    std::uint64_t iterations = 0;
    double relativeResidual = 0, solveMs = 0;
};

class VoidFiller
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
    std::shared_ptr<const HeightField> original_;  // heights before filling; undo() restores them
    std::vector<double> history_;                  // residuals of the previous run
    std::uint64_t filled_ = 0;
};

// ---- saving ----

// Saves the terrain's heights with voids filled, in the background; bit-identical to `orogen info --fill-voids`.  Reads
// the source again, because the heights shown may be quantised.
class FilledHeightsSaving
{
public:
    // Errors: kUsage (a save is running), kOutput (the source itself, or an existing file without permission to
    // replace), kLimit (the CPU runs a compute module, or no thread can be started).
    Status start(const std::string& dem, const SourceOverrides& overrides, const SaveFilled& wanted);
    void cancel();
    bool running() const { return task_ != nullptr; }
    double fraction() const;

    // Returns the result once it is available: a line about the written file, or the error.
    std::optional<Result<std::string>> take();

private:
    using Task = BackgroundTask<std::string>;
    std::unique_ptr<Task> task_;
};

}  // namespace orogen::app
