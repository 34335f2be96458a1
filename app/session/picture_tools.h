// Lookups and measurements in the picture: the point and leaf under the cursor, a line over the ground, and the top
// view.  They neither redraw the terrain nor, in a window, wait for the GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <glm/vec2.hpp>

#include "app/model/picture_state.h"
#include "app/session/ground_tools.h"
#include "app/session/orientation.h"
#include "app/session/overlays.h"
#include "core/terrain/raster/projection.h"
#include "core/view/camera.h"

namespace orogen::app {

// ---- top view of the triangulation: the region shown, and when it is redrawn ----

class Renderer;

class TopViewTool
{
public:
    bool open() const { return open_; }
    void toggle();
    void toggleSize() { large_ = !large_; }
    void zoom(int steps);
    void forget();  // for another terrain

    // Redraws the view if the tree or the region changed, at most four times a second (`now`: seconds).  `draw`: GPU
    // work is allowed (not in the middle of a frame).  Errors of the first drawing: kShader, kLimit; they close the
    // view.
    Status update(const PictureScene& scene, Renderer& renderer, double now, bool draw);
    bool pending() const { return open_ && stale_; }
    std::uint64_t changes() const { return changes_; }  // number of changes to state()

    TopState state(Renderer& renderer) const;

private:
    void chooseRegion(const PictureScene& scene, double squareSide);
    void findView(const PictureScene& scene);

    bool open_ = false, large_ = false, stale_ = false;
    int zoom_ = 0;
    double drawnAt_ = -1;           // seconds; below 0: not drawn yet
    std::optional<Camera> camera_;  // camera of region and view_
    bool drawnLarge_ = false;
    glm::dvec2 corner_{0.0};  // corner_, side_ and view_: see TopState
    double side_ = 0;
    std::vector<glm::dvec2> view_;
    std::uint64_t changes_ = 0;
};

// ---- picture of the Earth: place under the cursor, camera's place ----

class Session;

class EarthTools
{
public:
    void pointAt(const std::optional<glm::dvec2>& cursor) { cursor_ = cursor; }  // in [-1, 1]², y up
    void forget();
    // Updates once per drawn frame: some hundred ground lookups if the cursor, the camera or the loaded tiles changed.
    void update(const Session& session);

    std::optional<EarthState> state(const Session& session) const;  // empty: plane terrain
    std::uint64_t changes() const { return changes_; }

    // Returns the value of pick_height or pick_distance; empty for other keys.
    std::optional<std::string> value(std::string_view key) const;

private:
    struct Looked  // inputs of the newest lookups
    {
        std::optional<glm::dvec2> cursor;
        Camera camera;
        std::uint64_t tiles = 0;  // loaded so far
        bool operator==(const Looked&) const = default;
    };
    std::optional<glm::dvec2> cursor_;
    std::optional<Looked> looked_;
    std::optional<Geodetic> under_;
    double underSamples_ = 0, distance_ = 0;
    std::uint64_t changes_ = 0;
};

// ---- all tools ----

class PictureTools
{
public:
    // Performs the overlays' requests, and sets the cursor.
    void perform(const PictureToolsActions& asked, Session& session);
    // Performs those requests that move the camera, and those on overlays; after edits of the settings are taken.
    void moveCamera(const PictureToolsActions& asked, Session& session);

    // Updates the tools once per loop iteration, between frames: looks up the cursor's point, exchanges GPU queries,
    // and samples the line.  Waits for the GPU only when headless, so that scripts are repeatable.  `gpu`: queries are
    // allowed (not in the middle of a frame).
    void update(Session& session, bool gpu = true);

    PictureToolsState state(const Session& session) const;
    // Returns whether an answer or samples are pending, so that the panels will change.
    bool pending(const Session& session) const;
    bool stirred();  // whether the overlays changed since the last call

    // Returns a value for `expect`: pick_height, pick_slope, pick_distance, pick_leaf, pick_depth, pick_error_px,
    // pick_edge_px, measure_points, measure_distance, measure_ground, measure_rise, measure_slope.  "null" if there is
    // none yet; empty: another key.
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
    bool onEarth_ = false;
    Orientation orientation_;
    Overlays overlays_;
    std::uint64_t overlaysMoved_ = 0;  // Overlays::moved() of the lines that are shown
    EarthTools earth_;                 // replaces the tools above on the Earth
    std::uint64_t seen_ = 0;           // changes() of all tools at the last stirred()
    std::uint64_t terrain_ = 0;        // terrain that the tools refer to
};

}  // namespace orogen::app
