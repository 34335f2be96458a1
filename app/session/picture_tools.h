// Lookups and measurements in the picture: the point and leaf under the cursor, a line over the ground, and the top
// view.  They neither redraw the terrain nor, in a window, wait for the GPU.
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
    // Performs the overlays' requests, and sets the cursor.
    void perform(const PictureToolsActions& asked, Session& session);

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

private:
    void forgetOldTerrain(Session& session);

    PickSession pick_;
    MeasureSession measure_;
    TopViewSession top_;
    bool onEarth_ = false;
    EarthTools earth_;                           // replaces the others on the Earth
    std::uint64_t seen_ = 0;                     // total of changes at the last stirred()
    std::uint64_t terrain_ = 0;                  // terrain that the tools refer to
    std::optional<TerrainGeography> geography_;  // that terrain's georeference
};

}  // namespace orogen::app
