// State of the open terrain as panels show it, and the actions they request: terrain model, description, source file
// and overrides, filled voids, contour lines and imagery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "app/model/picture_state.h"
#include "compute/terrain_model/brushes.h"
#include "core/colour/colour_ramp.h"
#include "core/settings.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/io/source_overrides.h"

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
    double strength = 0;  // metres per second in the middle; 0: chosen for the terrain; kSmooth, kFlatten ignore it
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
    std::uint64_t stepsLeft = 0;  // requested steps that have not run; steps of model.play are not counted
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

struct TerrainInfo
{
    std::string name, format, crs;
    int width = 0, height = 0;
    double pixelWidth = 0, pixelHeight = 0;  // metres
    double minHeight = 0, maxHeight = 0;     // metres, without height exaggeration
    std::uint64_t voids = 0;
    bool synthetic = false;
    bool estimated = false;  // error bounds are estimates: the source is tiled and stores no bounds
    std::vector<std::string> warnings;
};

struct LoadingState
{
    std::optional<double> fraction;  // share loaded so far, 0 to 1; empty: unknown, and loading cannot be cancelled
    std::string text;
};

// The file's metadata and the user's overrides.
struct SourceState
{
    std::string dem{};  // file or folder as opened; empty: none is open, or the terrain is synthetic
    std::string nodata{}, unit{}, crs{}, extent{};  // values in effect, as text
    SourceOverrides overrides{};                    // overrides in effect
    bool saving = false;                            // filled heights are being written
    double savingFraction = 0;                      // 0 to 1
};

struct SaveFilled
{
    std::string file{};
    bool replace = false;  // may overwrite an existing file, but never the source
};

struct SourceActions
{
    std::optional<SourceOverrides> reopen;
    std::optional<SaveFilled> saveFilled;
    bool cancelSaving = false;
};

inline constexpr std::uint32_t kVoidFillingBit = 1u << 31;  // set in FrameRecord::modules while voids are filled

struct VoidState
{
    std::uint64_t filled = 0;  // filled voids that can be undone
    bool running = false;
    double fraction = 0, seconds = 0;  // progress (0 to 1) and elapsed time of the running task
    std::string phase{};
    std::vector<double> history{};  // relative residual per iteration of the newest run, also while it runs
    double tolerance = 0;           // residual at which the iteration stops
};

// A contour line's height label in the picture.
struct ContourLabel
{
    glm::dvec2 place{0.0};  // position as fractions of the picture's width and height, (0, 0) at the top left
    double turn = 0;        // the line's direction (radians, clockwise from level, -pi/2 to pi/2)
    std::string text;
};

// A picture over the ground, and its attribution.
struct LayerState
{
    PictureLayer layer;
    std::string credit;  // empty: the picture names none, or is not open yet
};

struct CoverState
{
    double contourInterval = 0;        // interval in effect (metres); 0: unknown
    std::vector<ContourLabel> labels;  // empty unless contour lines are shown

    std::shared_ptr<const ColourRamp> ramp;  // colours by height from a file; null: none
    std::optional<HeightRange> viewHeights;  // range in view that the colours span; empty: colours ignore the view

    std::vector<LayerState> layers;         // the user's pictures, the lowest first
    std::string base;                       // imagery below the layers; empty: the ground's own colours
    std::string credit;                     // attribution of the imagery shown; empty: none is shown
    std::optional<double> imageryOnItsWay;  // loading progress, 0 to 1; empty: not loading
};

struct CoverActions
{
    std::optional<std::vector<PictureLayer>> changeLayers;
    std::optional<std::string> addPicture;
};

}  // namespace orogen::app
