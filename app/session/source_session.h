// Source file of the open terrain: its metadata for the panel, and saving heights with voids filled.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/ui/source_state.h"
#include "core/base/background_task.h"
#include "core/terrain/raster/raster.h"

namespace orogen::app {

// Returns the metadata in effect for an open terrain.
SourceState sourceState(const Raster& raster, const SourceOverrides& overrides);

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
