// Writes the triangles of the last frame, as they are drawn, into a mesh file, in the background.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/background_task.h"
#include "core/base/status.h"

namespace orogen::app {

class Session;

class DrawnMeshWriting
{
public:
    // Reads the triangles in view, and starts measuring and writing them.  Positions are metres from the terrain's
    // middle, with heights as drawn.  On the Earth they are metres along the east, north and up axes of the camera's
    // place, with z = 0 at sea level there.  Errors: kUsage (suffix; no terrain; a mesh is being written), kOutput (an
    // existing file), kLimit (memory, or no thread can be started), and those of the renderer.
    Status start(const Session& session, const std::string& file);
    void cancel();
    bool running() const { return task_ != nullptr; }
    double fraction() const { return task_ ? task_->progress().fraction() : 0.0; }

    // Returns the result once it is available: a line about the file and its distances to all samples under the
    // triangles, or the error.
    std::optional<Result<std::string>> take();

private:
    using Task = BackgroundTask<std::string>;
    std::unique_ptr<Task> task_;
};

}  // namespace orogen::app
