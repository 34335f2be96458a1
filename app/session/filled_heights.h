// Fills the open terrain's voids, undoes that, and saves the filled heights, all in the background.  Filling and
// undoing also compute the bounds of the heights that the GPU needs (boundsWithoutErrors()).  The session adopts
// changed heights at the start of a frame.
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
    // Starts to fill the voids of the field shown.  Errors: kUsage (no voids, or a run is under way), kLimit (the CPU
    // runs a compute module, or no thread can be started).
    Status fill(const HeightField& field);
    // Starts to restore the heights before the filling.  Errors: kUsage (nothing was filled, or a run is under way),
    // kLimit (no thread can be started).
    Status undo();
    void cancel();
    void forget();  // for another terrain; waits for a running task to stop

    bool running() const { return task_ != nullptr; }
    VoidState state() const;

    // Returns the result once it is available.  Call shown() when the result has become the open terrain.
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

// Saves the terrain's heights with voids filled, in the background.  The file is bit-identical to that of
// `orogen info --fill-voids`.  Reads the source again, because the heights shown may be quantised.
class FilledHeightsSaving
{
public:
    // Starts to save.  `dem`: name of the source.  Errors: kUsage (a save is running), kOutput (the output file is the
    // source itself, or exists without permission to replace it), kLimit (the CPU runs a compute module, or no thread
    // can be started).
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
