// The file behind the open terrain: what the panel shows of it, and its heights saved with the voids filled.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/ui/source_state.h"
#include "core/base/background_task.h"
#include "core/terrain/raster/raster.h"

namespace orogen::app {

// What holds of an open terrain.
SourceState sourceState(const Raster& raster, const SourceOverrides& overrides);

// Saves the heights of a terrain with its voids filled, as `orogen info --fill-voids` does, bit for bit: the source is
// read again, since what is shown may be quantised.  In the background.
class FilledHeightsSaving
{
public:
    // Errors: kUsage (one is being saved), kOutput (the source itself, or a file that is there and is not to be
    // replaced), kLimit (the processor runs a compute module, or no thread can be started).
    Status start(const std::string& dem, const SourceOverrides& overrides, const SaveFilled& wanted);
    void cancel();
    bool running() const { return task_ != nullptr; }
    double fraction() const;

    // What came of it, once it is over: a line that says what was written, or the error.
    std::optional<Result<std::string>> take();

private:
    using Task = BackgroundTask<std::string>;
    std::unique_ptr<Task> task_;
};

}  // namespace orogen::app
