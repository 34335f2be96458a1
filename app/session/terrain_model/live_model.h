// The terrain model (compute/terrain_model/) applied to the open terrain, whose heights change while they are shown.
//
// A step simulates erosion and uplift over some years; a run is a series of steps.  A stroke is one drag of a brush,
// and consists of dabs.  The drained area counts the samples that drain through each sample.
//
// update() takes requests in order, between two frames.  A step runs in the background, followed by the error bounds of
// the new heights.  Heights and bounds are then shown together.  A stroke changes the shown heights at once, with
// bounds that are valid but may be too wide.  The exact bounds follow in the background once the brush rests.
//
// On its first use, the model starts from the drawn heights; from then on it needs about 170 bytes per sample.  A
// terrain in tiles is changed in a window: the part in view at the first use, or the window of chooseWindow().
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/model/terrain_state.h"
#include "app/session/terrain_model/model_gpu.h"
#include "app/session/terrain_model/model_ground.h"
#include "app/session/terrain_model/model_work.h"
#include "app/session/terrain_model/window_ground.h"
#include "core/base/background_task.h"
#include "core/base/clock.h"

namespace orogen::app {

class OpenTerrain;
class Session;

// Returns why a terrain has no model, as a sentence; empty if it can have one.
std::string whyNoModel(const OpenTerrain& terrain);

class LiveModel
{
public:
    // ---- requests ----
    // Each request fails with kUsage if this terrain has no model, or if voids are being filled.

    // Requests a run of `steps` steps; 0: only checks.  Error kUsage also if no rate of the settings is set.
    Status run(std::uint64_t steps, const Session& session);
    void stop();  // drops requested steps, and interrupts a running step
    // Stops a run in progress, and returns to the heights before the newest run, even if that has not completed a step.
    // Error kUsage also without a run.
    Status undoRun(const Session& session);
    // Drops all requests, interrupts a running step, and returns to the heights of the opened terrain.
    Status reset(const Session& session);
    // Chooses another window of a terrain in tiles: at `place`, or the part in view if `place` is empty.  The changes
    // so far stay.  Errors kUsage: the terrain is one image, windowAt() finds no window, or kMostWindows were chosen.
    Status chooseWindow(const std::optional<ModelPlace>& place, const Session& session);
    // Writes the heights as a GeoTIFF.  Errors kOutput: `file` is an input file, or cannot be written.
    Status save(const std::string& file, const Session& session);
    // Paints a dab of the brush.  `begins`: the dab is the first of a stroke.
    Status paint(const compute::Dab& dab, bool begins, const Session& session);
    Status undoStroke(const Session& session);
    Status redoStroke(const Session& session);

    // ---- session ----
    // Takes results and starts work, between two frames.  Headless scripts wait for each piece of work, so that they
    // are repeatable; captures do not.
    void update(Session& session);
    // For a film: computes and shows one step now if model.play is on, and the drained area if it is shown.
    void stepForFilm(Session& session);
    void forget();                          // call after another terrain was opened
    void showAgain() { lost_ = true; }      // shows the heights on a new renderer
    void heightsReplaced() { ++heights_; }  // call after other code changed the heights
    void dropGpu();                         // call before the OpenGL context ends; interrupts a step on the GPU

    bool begun() const { return living_ != nullptr; }
    bool working() const { return task_ != nullptr || saving_ != nullptr; }
    // Returns the number of requests, tasks and changes of the picture that are not complete.
    std::uint64_t pending(const Session& session) const;
    TerrainModelState state(const Session& session) const;
    // Returns a value for `expect`: model.years, model.moved_m3, model.imbalance, model.residual, model.change_px;
    // empty: another key.
    std::optional<std::string> value(std::string_view key) const;

private:
    // Kinds of requests.  Plain has those without data.
    struct Steps
    {
        std::uint64_t left = 1;
        bool first = true;
    };
    struct Paint
    {
        compute::Dab dab;
        bool begins = false;
    };
    enum class Plain
    {
        kUndoRun,
        kReset,
        kUndoStroke,
        kRedoStroke,
    };
    struct Save
    {
        std::string file;
    };
    struct Window
    {
        std::optional<ModelPlace> place;
    };
    using Request = std::variant<Steps, Paint, Plain, Save, Window>;
    static constexpr int kMostWindows = 16;  // each window's source of tiles reads through those of earlier windows

    using Work = ModelWork;
    using Task = BackgroundTask<ModelOutcome>;

    Status allowed(const Session& session) const;
    Status chooseGround(const std::optional<ModelPlace>& place, const Session& session);
    bool begunGround() const { return living_ && ground_ && ground_->begun(); }
    void take(Session& session);
    void show(ModelOutcome& outcome, Session& session);
    void advance(Session& session);
    bool perform(Session& session);
    void start(Work work, bool firstOfRun, Session& session);
    void changeNow(Session& session);
    void startSaving(const std::string& file, Session& session);
    void refine(Session& session);
    bool rests(const Session& session) const;
    bool undrained(const Session& session) const;
    bool unrefined() const;
    void finishTask();
    void endWork(const Error& error, Session& session);
    void fail(const Error& error, Session& session);
    void failToBegin(const Error& error, Session& session);
    Status chooseGpu(const Session& session);
    Status showDrained(ModelOutcome& outcome, Session& session);
    bool drainageShown(const Session& session) const;
    void forgetModel();
    Result<ChangeWindow> windowIn(const std::optional<ModelPlace>& place, const Session& session) const;
    bool waits(const Session& session) const;
    bool plays(const Session& session) const;

    std::deque<Request> requests_;
    std::shared_ptr<LivingTerrain> living_;  // while a task uses this, only the task may access it
    std::unique_ptr<ModelGround> ground_;    // null: not chosen yet
    OpenedTiles opened_;                     // the terrain in tiles before any change
    int windows_ = 0;                        // number of windows chosen since opened_ was set
    std::unique_ptr<Task> task_;
    Work work_ = Work::kBegin;
    std::stop_source stopsStep_;
    std::unique_ptr<BackgroundTask<std::string>> saving_;
    std::shared_ptr<ModelGpuQueue> gpu_;  // for model.backend=opengl; null: not used yet
    std::uint64_t heights_ = 1;           // number of changes of the heights shown or of the renderer
    // Values of heights_ for the last started work, for the drained area shown, and for the last failed refinement.
    std::uint64_t workHeights_ = 0, drained_ = 0, unrefinable_ = 0;
    bool firstOfRun_ = false;           // the running step begins a run
    bool inRun_ = false;                // the next step continues a run
    bool lost_ = false;                 // see showAgain()
    std::uint64_t changes_ = 0;         // number of changes by strokes
    std::uint64_t refinedChanges_ = 0;  // changes_ when the running refinement began
    std::uint64_t strokeFrame_ = 0;     // first frame that shows the last stroke
    // Time at which the last stroke was first shown; empty: not shown yet.
    std::optional<Clock::time_point> strokeShownAt_{Clock::time_point{}};
    compute::ModelStep last_;
    compute::ModelBalance all_;
    double changePixels_ = 0, stepMs_ = 0, boundsMs_ = 0, showMs_ = 0;
    std::size_t runs_ = 0, strokes_ = 0, undone_ = 0, historyBytes_ = 0;
};

}  // namespace orogen::app
