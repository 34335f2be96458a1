// The voids of the open terrain: filling them, and taking that back.  Either is done in the background, down to what
// the GPU gets; the terrain that is shown stays until the session puts the other in its place, at a frame's start.
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

// The open terrain with other heights.
struct ChangedHeights
{
    HeightField field;
    TerrainBounds bounds;
    std::uint64_t filled = 0;  // voids that have heights now; 0: these are voids again
    std::uint64_t voids = 0;   // that are left
    std::uint64_t iterations = 0;
    double relativeResidual = 0, solveMs = 0;
};

// What a panel shows.
struct VoidState
{
    std::uint64_t filled = 0;  // voids that have heights now, and can have them taken back
    bool running = false;
    double fraction = 0, seconds = 0;  // of what runs
    std::string phase{};
    std::vector<double> history{};  // relative residuals of the newest run, one an iteration, while it runs too
    double tolerance = 0;           // that they have to come down to
};

class VoidFillingSession
{
public:
    // Begin, with the field that is shown.  Errors: kUsage (there is nothing to fill or to take back, or a run is under
    // way), kLimit (the processor runs a compute module, or no thread can be started).
    Status fill(const HeightField& field);
    Status undo();
    void cancel();
    void forget();  // another terrain is open; returns when nothing runs any more

    bool running() const { return task_ != nullptr; }
    VoidState state() const;

    // What came of it, once it is over; shown() says that this is the open terrain now.
    std::optional<Result<ChangedHeights>> take();
    void shown(const ChangedHeights& changed);

private:
    using Task = BackgroundTask<ChangedHeights>;

    Status start(std::string name, Task::Work work);

    std::unique_ptr<Task> task_;
    std::shared_ptr<const HeightField> original_;  // what undo() brings back, once it was filled
    std::vector<double> history_;                  // of the run before
    std::uint64_t filled_ = 0;
};

}  // namespace orogen::app
