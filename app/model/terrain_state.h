// State of the open terrain as panels show it, and the actions they request: description, source file and overrides,
// filled voids, contour lines and imagery.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/colour/colour_ramp.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/io/source_overrides.h"

namespace orogen::app {

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

// State of void filling.
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
    glm::dvec2 place{0.0};  // position as a share of the picture, (0, 0) at the top left
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
    std::optional<HeightRange> viewHeights;  // range in view that the colours span; empty: they do not follow the view

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
