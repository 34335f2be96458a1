// Requests the tiles of heights and imagery that frames need, and lets new ones fade in.
#pragma once

#include <functional>
#include <optional>

#include <glm/vec3.hpp>

#include "app/render/frame_uniforms.h"
#include "app/render/terrain_gpu.h"
#include "core/frames/sample/frame_record.h"
#include "core/settings.h"
#include "core/terrain/tiles/tile_cache.h"
#include "core/view/camera.h"

namespace orogen::app {

class TileRequests
{
public:
    // Parts of the renderer.  `viewOf` returns the view of a camera in the current world; it is called only while a
    // terrain is shown.
    struct Parts
    {
        const Settings& settings;
        std::optional<TerrainGpu>& terrain;
        FrameRecord& stats;  // receives the figures of the tiles of heights
        std::function<FrameView(const Camera& camera)> viewOf;
    };
    explicit TileRequests(Parts parts) : parts_(std::move(parts)) {}

    // Waits until all tiles that the camera needs are resident: at most `seconds` for heights, then at most `seconds`
    // for imagery.  Returns false if some are still missing.
    bool settle(const Camera& camera, double seconds);
    // Returns the view by which the tiles of imagery are chosen.
    TileView imageryView(const Camera& camera) const;

    // ---- for the renderer ------------------------------------------------------------------------------------------
    // Requests the tiles of the next frame.  `fade`: progress of a new tile's fade-in per frame, in (0, 1]
    // (FrameOptions::tileFade).
    void update(const Camera& camera, float fade);
    void leavePlace() { before_.reset(); }       // the next frame shows another terrain
    void imageryReplaced() { arrives_ = true; }  // the first tiles of the new imagery do not fade in

private:
    TileView viewFrom(const Camera& camera) const;

    Parts parts_;
    std::optional<glm::dvec3> before_;  // camera position at the last request
    bool arrives_ = true;               // tiles of the view have been missing since the start, a jump or new imagery
};

}  // namespace orogen::app
