// Writes the triangles of the last frame, as they are drawn, into a mesh file.
#pragma once

#include <string>

#include "core/base/status.h"

namespace orogen::app {

class Session;

// Writes the triangles in view.  Positions: metres from the terrain's middle, heights as drawn; on the Earth, metres
// east and north of the camera in the plane through it, and z above the sea there.  On a plane in memory, the message
// states the distances to all samples under the triangles.  Returns that message for the user.
// Errors: kUsage (suffix; no terrain; the Earth and plane alike), kLimit (memory), and those of writeMesh().
Result<std::string> writeDrawnMesh(const Session& session, const std::string& file);

}  // namespace orogen::app
