// The terrain model on the open terrain: its heights change while they are shown.
//
// Requests are taken in order by update(), between two frames.  Steps run in the background, with the error bounds of
// the new heights, and are shown when both are complete.  Strokes change the shown heights at once; their exact bounds
// follow in the background once the brush rests.  So heights and bounds always agree.
//
// The model begins with the drawn heights when it is first used, and needs about 170 bytes per sample then.  A terrain
// in tiles is changed in a window, which is chosen by the view then, or by chooseWindow().
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

#include "app/model/terrain_model_state.h"
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
    // Errors kUsage: this terrain has no model, no rate is set, or nothing to undo.
    Status run(std::uint64_t steps, const Session& session);
    void stop();  // drops requested steps; also the one that runs
    // Return to the heights before the newest run, and to those of the opened terrain.  They stop a run.
    Status undoRun(const Session& session);
    Status reset(const Session& session);
    // Chooses another window of a terrain in tiles, by the view if `place` is empty; the changes so far stay.  Errors
    // kUsage: no window can be there, or kMostWindows lie over each other.
    Status chooseWindow(const std::optional<ModelPlace>& place, const Session& session);
    // Writes the heights as a GeoTIFF.  Errors kOutput: an input file, or not writable.
    Status save(const std::string& file, const Session& session);
    // A stroke: one dab, or the first one of several.
    Status paint(const compute::Dab& dab, bool begins, const Session& session);
    Status undoStroke(const Session& session);
    Status redoStroke(const Session& session);

    // ---- session ----
    // Takes results and starts work, between two frames.  Headless scripts wait for each piece of work, so that they
    // are repeatable; captures do not.
    void update(Session& session);
    // Computes and shows one step now, for a film whose frames show one each.  No-op unless model.play is on.
    void stepForFilm(Session& session);
    void forget();                          // another terrain was opened
    void showAgain() { lost_ = true; }      // the renderer is new
    void heightsReplaced() { ++heights_; }  // by others
    void dropGpu();                         // before the context goes: interrupts a step there

    bool begun() const { return living_ != nullptr; }
    bool working() const { return task_ != nullptr || saving_ != nullptr; }
    // Returns the number of steps, strokes and other changes that are still to be shown.
    std::uint64_t pending(const Session& session) const;
    TerrainModelState state(const Session& session) const;
    // Returns a value for `expect`: model.years, model.moved_m3, model.imbalance, model.residual, model.change_px;
    // empty: another key.
    std::optional<std::string> value(std::string_view key) const;

private:
    // Requests.
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
    static constexpr int kMostWindows = 16;  // over each other

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
    void finishTask();
    void fail(const Error& error, Session& session);
    Status chooseGpu(const Session& session);
    Status showDrained(ModelOutcome& outcome, Session& session);
    bool drainageShown(const Session& session) const;
    void forgetModel();
    Result<ChangeWindow> windowIn(const std::optional<ModelPlace>& place, const Session& session) const;
    bool waits(const Session& session) const;
    bool plays(const Session& session) const;

    std::deque<Request> requests_;
    std::shared_ptr<LivingTerrain> living_;  // while a task runs that uses it: the task's
    std::unique_ptr<ModelGround> ground_;    // null: to be chosen
    OpenedTiles opened_;                     // terrain in tiles before any change
    int windows_ = 0;                        // chosen since then
    std::unique_ptr<Task> task_;
    Work work_ = Work::kBegin;
    std::stop_source stopsStep_;
    std::unique_ptr<BackgroundTask<std::string>> saving_;
    std::shared_ptr<ModelGpuQueue> gpu_;            // for model.backend=opengl; null: not used yet
    std::uint64_t heights_ = 1;                     // counts heights shown, and renderers
    std::uint64_t drainedAsked_ = 0, drained_ = 0;  // heights_ of the drained area being found, and of that shown
    bool inRun_ = false;                            // the next step goes on with a run
    bool lost_ = false;                             // see showAgain()
    std::uint64_t changes_ = 0;                     // by strokes
    std::uint64_t refinedChanges_ = 0;              // changes_ when the running refinement began
    std::uint64_t strokeFrame_ = 0;                 // first one that shows the last stroke
    std::optional<Clock::time_point> strokeShownAt_{Clock::time_point{}};  // empty: not shown yet
    compute::ModelStep last_;
    compute::ModelBalance all_;
    double changePixels_ = 0, stepMs_ = 0, boundsMs_ = 0, showMs_ = 0;
    std::size_t runs_ = 0, strokes_ = 0, undone_ = 0, historyBytes_ = 0;
};

}  // namespace orogen::app
