// The brush in the picture: a drag over the ground paints, the wheel changes the brush's size, and a ring shows the
// size.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/model/terrain_state.h"

namespace orogen::app {

class Session;

class BrushTool
{
public:
    bool on() const { return on_; }
    void perform(const TerrainModelActions& asked, Session& session);
    void forget();  // resets the brush's size and strength for another terrain

    // Sets the mouse position over the picture in [-1, 1]²; empty: elsewhere.
    void pointAt(const std::optional<glm::dvec2>& cursor) { cursor_ = cursor; }
    void describe(TerrainModelState& state, const Session& session) const;  // sets the brush's members of `state`

private:
    BrushChoice inEffect(const Session& session) const;
    void paint(const BrushMove& move, Session& session);
    std::optional<glm::dvec3> groundAt(glm::dvec2 cursor, const Session& session) const;

    bool on_ = false;
    BrushChoice choice_;
    std::optional<glm::dvec2> cursor_;
    std::optional<glm::dvec2> last_;  // place of the stroke's newest dab (metres east and north)
    glm::dvec2 direction_{1, 0};      // direction of the stroke
    bool begins_ = false;             // the next dab begins a stroke
};

}  // namespace orogen::app
