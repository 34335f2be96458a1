// Tools in the picture: the point and leaf under the cursor, a measured line, the top view, names of places, the
// graticule, and overlays.  The tools do not redraw the terrain.  In a window they do not wait for the GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <glm/vec2.hpp>

#include "app/model/picture_state.h"
#include "app/session/ground_tools.h"
#include "app/session/orientation.h"
#include "app/session/overlays.h"
#include "core/view/camera.h"

namespace orogen::app {

class Renderer;
class Session;

// ---- top view of the triangulation: the region shown, and when it is redrawn ----

class TopViewTool
{
public:
    bool open() const { return open_; }
    void toggle();
    void toggleSize() { large_ = !large_; }
    void zoom(int steps);
    void forget();  // for another terrain

    // Redraws the view if the tree or the region changed, at most four times a second (`now`: seconds).  `draw`: GPU
    // work is allowed (not in the middle of a frame).  Errors: those of TreeInspector; an error closes the view.
    Status update(const PictureScene& scene, Renderer& renderer, double now, bool draw);
    bool pending() const { return open_ && stale_; }
    std::uint64_t changes() const { return changes_; }  // number of changes to state()

    TopState state(const Session& session) const;

private:
    std::optional<int> zoom_;  // empty: chosen by the next update
    bool open_ = false, large_ = false, stale_ = false;
    double drawnAt_ = -1;           // seconds; below 0: not drawn yet
    std::optional<Camera> camera_;  // camera of region_ and border_
    bool drawnLarge_ = false;
    TopRegion region_;
    int mostZoom_ = 0;
    glm::dvec2 place_{0.0};  // place_ and border_: see TopState::camera and border
    std::vector<glm::dvec2> border_;
    std::uint64_t changes_ = 0;
};

// ---- all tools ----

class PictureTools
{
public:
    // Sets the cursor, and performs all requests except those that moveCamera() performs.
    void perform(const PictureToolsActions& asked, Session& session);
    // Performs the requests that move the camera, and those on overlays.  Call it after the panels' edits of settings
    // have been applied.  `gesture`: see PictureSteps::Step.
    void moveCamera(const PictureToolsActions& asked, Session& session, std::uint64_t gesture);

    // Updates the tools once per loop iteration; during a capture, only the overlays.  Waits for the GPU only when
    // headless, so that scripts are repeatable.  `gpu`: queries are allowed (not in the middle of a frame).
    void update(Session& session, bool gpu = true);

    PictureToolsState state(const Session& session) const;
    // Returns whether overlays, an answer, samples or the top view are pending.
    bool pending(const Session& session) const;
    bool stirred();  // whether state() has changed since the last call

    // Returns a value for the script step `expect`: pick_height, pick_slope, pick_distance, pick_leaf, pick_depth,
    // pick_error_px, pick_edge_px, measure_points, measure_distance, measure_ground, measure_rise, measure_climb,
    // measure_fall, measure_slope, measure_bearing.  "null" if there is none yet; empty: another key.
    std::optional<std::string> value(std::string_view key) const;

    Orientation& orientation() { return orientation_; }
    Overlays& overlays() { return overlays_; }
    const Overlays& overlays() const { return overlays_; }

private:
    void forgetOldTerrain(Session& session);
    void showLines(Session& session);

    PickTool pick_;
    MeasureTool measure_;
    TopViewTool top_;
    Orientation orientation_;
    Overlays overlays_;
    std::uint64_t overlaysMoved_ = 0;  // Overlays::moved() of the lines that are shown
    std::uint64_t seen_ = 0;           // changes() of all tools at the last stirred()
    std::uint64_t terrain_ = 0;        // OpenTerrain::opened() of the terrain that the tools refer to
};

}  // namespace orogen::app
