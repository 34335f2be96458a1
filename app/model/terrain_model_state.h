// State of the terrain model and its brushes as panels show it, and the actions they request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "app/model/picture_state.h"
#include "compute/terrain_model/brushes.h"
#include "core/settings.h"

namespace orogen::app {

inline constexpr std::uint32_t kTerrainModelBit = 1u << 30;  // set in FrameRecord::modules while the model works
inline constexpr std::uint64_t kMostModelSteps = 1'000'000;

// Returns whether a step would change anything.
inline bool anyRate(const Settings::Model& model)
{
    return model.creep > 0 || model.incision > 0 || model.uplift != 0 || model.repose < 90;
}

// The brush of the mouse.
struct BrushChoice
{
    compute::BrushKind kind = compute::BrushKind::kRaise;
    double radius = 0;    // metres; 0: chosen for the terrain
    double strength = 0;  // metres per second in the middle; 0: chosen for the terrain
    bool operator==(const BrushChoice&) const = default;
};

struct TerrainModelState
{
    std::string unavailable{};  // why this terrain can have no model, one sentence; empty: it can have one
    bool begun = false;         // the heights shown come from the model
    bool tiled = false;         // the terrain is in tiles, so the model changes a part of it
    std::string window{};       // describes the part that changes; empty: not chosen yet
    bool working = false;       // a step or error bounds are being computed
    bool saving = false;
    std::string phase{};          // phase of the work
    double fraction = 0;          // progress of the work, 0 to 1
    std::uint64_t stepsLeft = 0;  // requested steps; those of continuous play do not count
    compute::ModelBalance all{};  // since the terrain was opened
    compute::ModelStep last{};    // newest step
    double changePixels = 0;      // upper bound of the newest step's largest change in the picture (pixels)
    double stepMs = 0, boundsMs = 0, showMs = 0;  // newest step's times: model, error bounds, update of GPU data
    std::size_t runs = 0;                         // runs that can be undone
    std::size_t strokes = 0, undone = 0;          // strokes that can be undone, and that can be redone
    std::size_t historyBytes = 0;                 // memory of the histories of runs and strokes
    bool brushing = false;                        // the mouse paints
    BrushChoice brush{};                          // brush with the radius and strength in effect
    double leastRadius = 0, mostRadius = 0;       // metres
    std::vector<SeenPoint> ring{};                // closed line around the brush on the ground; empty: no ground there
};

// A part of a brush stroke: the movement of the mouse in one frame.
struct BrushMove
{
    glm::dvec2 cursor{0.0};  // in [-1, 1]², y up
    double seconds = 0;      // time since the previous part
    bool begins = false;     // the first part of a stroke
};

struct TerrainModelActions
{
    std::optional<std::uint64_t> run{};  // number of steps to run
    bool stop = false;                   // drops the requested steps
    bool undoRun = false, reset = false;
    bool window = false;                // makes the part in view the one that changes
    std::optional<std::string> save{};  // file
    bool toggleBrush = false;
    std::optional<BrushChoice> brush{};
    int resizeBrush = 0;  // steps of the wheel
    std::optional<BrushMove> paint{};
    bool undoStroke = false, redoStroke = false;
};

}  // namespace orogen::app
