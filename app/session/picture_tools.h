// What is looked up in the picture and measured on it: the point and the leaf under the cursor, a line over the ground,
// the triangulation from above.  None of it draws the terrain again, and none waits for the GPU in a window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/earth_tools.h"
#include "app/session/measure_session.h"
#include "app/session/pick_session.h"
#include "app/session/top_view_session.h"
#include "app/ui/picture_tools_state.h"
#include "core/terrain/raster/projection.h"

namespace orogen::app {

class Session;

class PictureTools
{
public:
    // What the overlays ask for, and where the cursor is.
    void perform(const PictureToolsActions& asked, Session& session);

    // Once a turn of the loop, between frames: looks up what is under the cursor, asks the GPU and takes its answers,
    // and measures on.  In a window it never waits for the GPU; headless it does, so that scripts repeat.
    // `gpu`: it may be asked; not in the middle of a frame.
    void update(Session& session, bool gpu = true);

    PictureToolsState state(const Session& session) const;
    // Whether an answer is on its way, or a line is being sampled: the panels are about to look otherwise.
    bool pending(const Session& session) const;
    bool stirred();  // whether the overlays look otherwise than when this was last asked

    // Of `expect`: pick_height, pick_slope, pick_distance, pick_leaf, pick_depth, pick_error_px, pick_edge_px,
    // measure_points, measure_distance, measure_ground, measure_rise, measure_slope; none: another key.  "null" where
    // there is nothing.
    std::optional<std::string> value(std::string_view key) const;

private:
    void forgetOldTerrain(Session& session);

    PickSession pick_;
    MeasureSession measure_;
    TopViewSession top_;
    bool onEarth_ = false;
    EarthTools earth_;                           // instead of all of these on the Earth
    std::uint64_t seen_ = 0;                     // changes, when stirred() was last asked
    std::uint64_t terrain_ = 0;                  // that they are about
    std::optional<TerrainGeography> geography_;  // of that terrain
};

}  // namespace orogen::app
