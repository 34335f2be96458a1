// Ground that the terrain model changes: a terrain that is one image, or a window of a terrain that is in tiles.
//
// New heights of the model are shown as follows.  In a background task, a GroundMaker makes a MadeGround from the
// model: the heights with the error bounds or tiles needed to show them.  ModelGround shows the result between two
// frames.  Strokes of a brush change the shown heights directly.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <glm/vec2.hpp>

#include "app/render/terrain_gpu.h"
#include "compute/terrain_model/terrain_model.h"
#include "core/base/background_task.h"
#include "core/base/status.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen::app {

class Session;

// Heights, with the error bounds or tiles needed to show them.
struct MadeGround
{
    bool ofModel = false;  // made from the model, not from the heights shown
    double boundsMs = 0;   // time for the error bounds, or for the tiles
    // For a terrain that is one image.
    std::optional<HeightField> field;  // heights; also set for a terrain in tiles: the overview, if it changed
    std::optional<ChangingBounds> bounds;
    PatchErrors patch;
    TerrainBounds original;  // bounds of the opened terrain
    // For a terrain in tiles.
    std::shared_ptr<const TileSource> tiles;
    IndexBox samples;  // box of the level-0 samples that may differ from those shown before
};

// Maker of heights in a background task.  Holds all data that the task needs.
class GroundMaker
{
public:
    virtual ~GroundMaker() = default;
    // Returns a model of the heights that the ground began with.  Errors: kInput, kLimit (memory); those of reading.
    virtual Result<compute::TerrainModel> model() const = 0;
    // Makes the ground with a model's heights.  Null (only for a terrain that is one image): makes it with the heights
    // shown now, and exact bounds.  Errors: kInterrupted, kLimit (memory).
    virtual Result<MadeGround> make(const compute::TerrainModel* model, const TaskContext& context) const = 0;
    // Makes the ground of the opened terrain.
    virtual Result<MadeGround> original(const TaskContext& context) const = 0;
    // Returns a model of the shown heights.  Errors as model().
    virtual Result<compute::TerrainModel> shownModel() const = 0;
};

class ModelGround
{
public:
    using Saver = std::function<Result<std::string>(const TaskContext&)>;  // returns a message

    virtual ~ModelGround() = default;

    // Returns a maker for one task.  `asShown`: the task may call make() without a model, or shownModel().
    virtual std::shared_ptr<const GroundMaker> maker(const Session& session, bool asShown) const = 0;
    // Returns a task that writes the model's heights.
    virtual Saver saver(const std::string& file, const compute::TerrainModel& model, const Session& session) const = 0;

    // ---- between two frames ----
    virtual Status show(MadeGround made, Session& session) = 0;
    virtual Status showOriginal(MadeGround made, Session& session) = 0;
    // Shows the heights of a box of the model's samples, with error bounds that are valid, but may be too wide.
    virtual void change(const compute::TerrainModel& model, const IndexBox& box, Session& session) = 0;
    virtual void showAgain(Session& session) = 0;  // shows the heights on a new renderer

    virtual bool begun() const = 0;                          // whether heights of a model have been shown
    virtual bool ready(const Session& session) const = 0;    // whether the last change is shown; false: wait
    virtual bool exact() const = 0;                          // false: make() would tighten the error bounds
    virtual bool refinesFromModel() const { return false; }  // whether make() needs the model to tighten the bounds

    // Returns the middle of the model's samples (metres east and north of the terrain's centre).
    virtual glm::dvec2 middle() const { return glm::dvec2(0.0); }
    // Describes the part of the terrain that changes, for panels; empty: all of it.
    virtual std::string window() const { return {}; }
};

}  // namespace orogen::app
