#include "app/session/terrain_model/live_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stop_token>
#include <utility>

#include <fmt/format.h>

#include "app/session/session.h"
#include "core/base/text.h"

namespace orogen::app {
namespace {

// Delay (ms) from the frame that shows the last dab of a brush to the computation of exact error bounds.  Headless
// scripts have no delay.  A brush that paints in every frame postpones the computation, however long a frame takes.
constexpr double kBrushRestsMs = 300;
constexpr double kServedMs = 6;        // time per frame (ms) for the model's compute shaders
constexpr double kLongestChange = 60;  // seconds that a frame of a film waits for changed tiles
const std::string kName = "terrain model";

compute::ModelRates ratesOf(const Settings::Model& model)
{
    return {.creep = model.creep, .incision = model.incision, .uplift = model.uplift / 1000, .repose = model.repose};
}

}  // namespace

// ---- work in the background ----

void LiveModel::start(Work work, bool firstOfRun, Session& session)
{
    const Settings& settings = session.settings.wanted();
    if (!ground_)
        if (const Status s = chooseGround({}, session); !s) return failToBegin(s.error(), session);
    if (work == Work::kStep)
        if (const Status s = chooseGpu(session); !s) return fail(s.error(), session);
    const bool asShown = work == Work::kDrain || (work == Work::kRefine && !ground_->refinesFromModel());
    ModelOrder order{.work = work,
                     .living = asShown ? nullptr : living_,
                     .ground = ground_->maker(session, asShown),
                     .asShown = asShown,
                     .firstOfRun = firstOfRun,
                     .beside = !waits(session),
                     .drains = work != Work::kRefine && drainageShown(session),
                     .backend = settings.model.backend,
                     .gpu = gpu_,
                     .rates = ratesOf(settings.model),
                     .years = settings.model.stepYears,
                     .eye = settings.view.position - glm::dvec3(ground_->middle(), 0.0),
                     .focalLength = session.graphics.size().height /
                                    (2 * std::tan(0.5 * settings.view.fov * std::numbers::pi / 180)),
                     .stopsStep = {}};
    stopsStep_ = std::stop_source();
    order.stopsStep = stopsStep_.get_token();
    refinedChanges_ = changes_;
    workHeights_ = heights_;
    work_ = work;
    firstOfRun_ = firstOfRun;
    Result<std::unique_ptr<Task>> task =
        Task::start(kName, [order = std::move(order)](const TaskContext& context) -> Result<ModelOutcome> {
            return order.outcome(context);
        });
    if (!task) return endWork(task.error(), session);
    task_ = std::move(*task);
}

// ---- between two frames ----

bool LiveModel::waits(const Session& session) const { return session.headless && !session.captures.running(); }

bool LiveModel::plays(const Session& session) const
{
    return session.settings.wanted().model.play && whyNoModel(session.terrain).empty();
}

void LiveModel::dropGpu()
{
    if (gpu_) gpu_->close();
    gpu_.reset();
}

void LiveModel::forget()
{
    stop();
    dropGpu();
    task_.reset();  // waits for the task
    ++heights_;
    requests_.clear();
    opened_ = {};
    windows_ = 0;
    forgetModel();
}

// Forgets the model, with its history and figures.
void LiveModel::forgetModel()
{
    living_.reset();
    ground_.reset();
    inRun_ = false;
    last_ = {};
    all_ = {};
    changePixels_ = stepMs_ = boundsMs_ = showMs_ = 0;
    runs_ = strokes_ = undone_ = historyBytes_ = 0;
}

void LiveModel::update(Session& session)
{
    if (saving_ && !saving_->running())
    {
        const Result<std::string> saved = std::exchange(saving_, nullptr)->take();
        session.messages.reportOutcome(saved ? Status::ok() : Status(saved.error()), saved ? *saved : "");
    }
    if (!session.terrain.info()) return;
    if (!strokeShownAt_ && session.frame > strokeFrame_) strokeShownAt_ = Clock::now();
    Settings::Model model = session.settings.wanted().model;
    if (model.play && (!plays(session) || !anyRate(model)))
    {
        const Status why = run(0, session);
        session.messages.report(MessageKind::kWarning, why ? "model: cannot play" : why.error().message);
        Settings settings = session.settings.wanted();
        settings.model.play = false;
        session.settings.want(settings);
    }
    if (session.graphics.renderer().steps().waiting()) return;
    if (gpu_ && task_) gpu_->serve(kServedMs);
    if (std::exchange(lost_, false))
    {
        ++heights_;
        if (ground_) ground_->showAgain(session);
    }
    take(session);
    if (!session.records.running()) advance(session);
}

void LiveModel::stepForFilm(Session& session)
{
    if (!task_ && undrained(session))
    {
        start(Work::kDrain, false, session);
        finishTask();
        take(session);
    }
    if (!plays(session)) return;
    for (bool shown = false; !shown;)
    {
        if (!task_) start(living_ ? Work::kStep : Work::kBegin, !std::exchange(inRun_, living_ != nullptr), session);
        if (!task_) return;
        finishTask();
        shown = work_ == Work::kStep;
        take(session);
        if (ground_ && !ground_->ready(session))
        {
            (void)session.graphics.renderer().tiles().settle(cameraOf(session.settings.wanted().view), kLongestChange);
            (void)session.terrain.takeTiles(session.graphics.renderer(), session.messages);
        }
        if (!plays(session)) return;
    }
}

void LiveModel::take(Session& session)
{
    if (!task_) return;
    if (waits(session)) finishTask();
    if (task_->running()) return;
    Result<ModelOutcome> taken = std::exchange(task_, nullptr)->take();
    const bool readsOnly = work_ == Work::kRefine || work_ == Work::kDrain;  // the model is as before the task
    if (!taken && readsOnly) return endWork(taken.error(), session);
    if (!taken)
    {
        forget();
        drained_ = heights_;
        return fail(taken.error(), session);
    }
    show(*taken, session);
}

void LiveModel::show(ModelOutcome& outcome, Session& session)
{
    if (outcome.living) living_ = outcome.living;
    if (outcome.error)
    {
        inRun_ = false;
        if (work_ == Work::kDrain) drained_ = workHeights_;
        if (work_ == Work::kRefine) unrefinable_ = workHeights_;
        if (work_ == Work::kStep && firstOfRun_)
        {
            // The run has changed nothing, so a request to take it back is done.
            const auto undoes = std::ranges::find_if(requests_, [](const Request& request) {
                const auto* plain = std::get_if<Plain>(&request);
                return plain && *plain == Plain::kUndoRun;
            });
            if (undoes != requests_.end()) requests_.erase(undoes);
        }
        if (outcome.error->code == ExitCode::kInterrupted) return;
        // These read the model only, so that requested steps still run.
        if (work_ == Work::kRefine || work_ == Work::kDrain) return session.messages.reportError(*outcome.error);
        work_ == Work::kBegin ? failToBegin(*outcome.error, session) : fail(*outcome.error, session);
        return;
    }
    if (work_ == Work::kDrain)
    {
        if (const Status s = showDrained(outcome, session); !s) session.messages.reportError(s);
        return;
    }
    const Clock::time_point begin = Clock::now();
    if (work_ == Work::kReset)
    {
        session.messages.reportError(ground_->showOriginal(std::move(*outcome.ground), session));
        forget();
        session.contours.showTerrain(session.terrain.field(), session.terrain.relief());
        return;
    }
    if (work_ == Work::kRefine && refinedChanges_ != changes_) return;  // outdated by a stroke: refined again later
    const double boundsMs = outcome.ground->boundsMs;
    if (Status s = ground_->show(std::move(*outcome.ground), session); !s) session.messages.reportError(s);
    if (work_ != Work::kRefine && work_ != Work::kBegin) workHeights_ = ++heights_;
    if (!outcome.drained.empty())
        if (const Status s = showDrained(outcome, session); !s) session.messages.reportError(s);
    session.contours.showTerrain(session.terrain.field(), session.terrain.relief());
    showMs_ = millisecondsSince(begin);
    boundsMs_ = boundsMs;
    if (work_ == Work::kStep)
    {
        last_ = outcome.step;
        changePixels_ = outcome.changePixels;
        stepMs_ = outcome.stepMs;
    }
    all_ = living_->model.balance();
    runs_ = living_->runs.size();
    strokes_ = living_->brushes.undoable();
    undone_ = living_->brushes.redoable();
    historyBytes_ = living_->runBytes() + living_->brushes.bytes();
}

// Starts the next work: requests in order, then steps of continuous play, then exact bounds after strokes, then drained
// area.
void LiveModel::advance(Session& session)
{
    // Requests other than steps, such as strokes, do not wait for a step of continuous play.  That step is interrupted
    // and starts again after them.
    const bool played =
        task_ && work_ == Work::kStep && !requests_.empty() && !std::holds_alternative<Steps>(requests_.front());
    if (played && plays(session)) stopsStep_.request_stop();
    if (ground_ && !ground_->ready(session)) return;
    while (!requests_.empty() && perform(session))
    {
    }
    if (task_ || !requests_.empty()) return take(session);
    if (ground_ && !ground_->ready(session)) return;
    if (plays(session))
    {
        if (!living_) return start(Work::kBegin, false, session);
        start(Work::kStep, !std::exchange(inRun_, true), session);
        return take(session);
    }
    inRun_ = false;
    refine(session);
    if (task_ || !undrained(session) || !rests(session)) return;
    start(Work::kDrain, false, session);
    take(session);
}

// Performs or begins the first request.  Returns whether the next request can follow at once: false if this one must
// wait, if it began work in the background on the model, or if a stroke's heights are not shown yet.
bool LiveModel::perform(Session& session)
{
    const bool refining = task_ && ((work_ == Work::kRefine && !ground_->refinesFromModel()) || work_ == Work::kDrain);
    Request& next = requests_.front();
    const bool strokes = std::holds_alternative<Paint>(next) ||
                         (std::holds_alternative<Plain>(next) && std::get<Plain>(next) >= Plain::kUndoStroke);
    if (task_ && !(strokes && refining && living_)) return false;
    if (std::holds_alternative<Plain>(next) && std::get<Plain>(next) == Plain::kReset)
    {
        requests_.pop_front();
        start(Work::kReset, false, session);
        return false;
    }
    if (const auto* window = std::get_if<Window>(&next))
    {
        const std::optional<ModelPlace> place = window->place;
        requests_.pop_front();
        dropGpu();  // its arrays belong to the previous window
        forgetModel();
        if (const Status s = chooseGround(place, session); !s) fail(s.error(), session);
        return true;
    }
    if (!begunGround())
    {
        start(Work::kBegin, false, session);
        return false;
    }
    if (strokes)
    {
        changeNow(session);
        return ground_->ready(session);
    }
    if (auto* steps = std::get_if<Steps>(&next))
    {
        const bool first = std::exchange(steps->first, false);
        if (--steps->left == 0) requests_.pop_front();
        start(Work::kStep, first, session);
        return false;
    }
    if (const auto* saved = std::get_if<Save>(&next))
    {
        if (saving_) return false;
        const std::string file = saved->file;
        requests_.pop_front();
        startSaving(file, session);
        return true;
    }
    requests_.pop_front();
    if (living_->runs.empty()) return true;
    start(Work::kUndoRun, false, session);
    return false;
}

// Performs all strokes, undone and repeated ones included, at the front of the queue of requests.  Shows the changed
// heights.
void LiveModel::changeNow(Session& session)
{
    compute::Brushes& brushes = living_->brushes;
    IndexBox box;
    bool beside = false;  // a stroke began outside the window
    while (!requests_.empty())
    {
        if (auto* paint = std::get_if<Paint>(&requests_.front()))
        {
            if (paint->begins) brushes.begin();
            paint->dab.middle -= ground_->middle();
            const IndexBox painted = brushes.apply(paint->dab);
            beside |= paint->begins && painted.empty();
            box = joined(box, painted);
        }
        else if (const auto* plain = std::get_if<Plain>(&requests_.front()); plain && *plain >= Plain::kUndoStroke)
        {
            const bool undoes = *plain == Plain::kUndoStroke;
            const std::optional<IndexBox> changed = undoes ? brushes.undo() : brushes.redo();
            if (changed)
                box = joined(box, *changed);
            else
                session.messages.report(MessageKind::kNote, undoes ? "no stroke to undo" : "no stroke to do again");
        }
        else
            break;
        requests_.pop_front();
    }
    inRun_ = false;
    strokes_ = brushes.undoable();
    undone_ = brushes.redoable();
    historyBytes_ = living_->runBytes() + brushes.bytes();
    if (beside && !ground_->window().empty())
        session.messages.report(MessageKind::kNote, "the brush is outside the window that the model changes");
    if (box.empty()) return;
    ++changes_;
    ++heights_;
    ground_->change(living_->model, box, session);
    strokeShownAt_.reset();
    strokeFrame_ = session.frame;
}

// Computes exact bounds once the brush rests.
void LiveModel::refine(Session& session)
{
    if (task_ || !unrefined() || !rests(session)) return;
    start(Work::kRefine, false, session);
    take(session);
}

// Returns whether exact bounds are still to be computed.  If that failed, the bounds stay until the heights change.
bool LiveModel::unrefined() const { return begunGround() && !ground_->exact() && unrefinable_ != heights_; }

// Returns whether the last stroke has been shown for long enough.
bool LiveModel::rests(const Session& session) const
{
    if (waits(session)) return session.frame > strokeFrame_ || strokeFrame_ == 0;
    return strokeShownAt_ && millisecondsSince(*strokeShownAt_) >= kBrushRestsMs;
}

// Returns whether colours show drained area.  A terrain in tiles does not show it, since a window's drained area would
// end at the window's border.
bool LiveModel::drainageShown(const Session& session) const
{
    return session.settings.wanted().render.shading == Shading::kDrainage && !session.terrain.tiles();
}

// Returns whether colours should show drained area, but the drained area shown belongs to earlier heights.
bool LiveModel::undrained(const Session& session) const
{
    return drainageShown(session) && drained_ != heights_ && allowed(session);
}

Status LiveModel::showDrained(ModelOutcome& outcome, Session& session)
{
    drained_ = workHeights_;
    return session.terrain.showDrainage(session.graphics.renderer(), outcome.drained);
}

// Waits for the task.  Meanwhile this thread, which has the OpenGL context, performs the task's OpenGL calls.
void LiveModel::finishTask()
{
    constexpr double kTurnMs = 50;
    while (task_ && task_->running())
        gpu_ ? gpu_->serve(kTurnMs) : task_->wait();
}

// Ends the work that was started last, which has made nothing.
void LiveModel::endWork(const Error& error, Session& session)
{
    ModelOutcome nothing;
    nothing.error = error;
    show(nothing, session);
}

// Reports an error, and ends runs and continuous play.
void LiveModel::fail(const Error& error, Session& session)
{
    session.messages.reportError(error);
    stop();
    Settings settings = session.settings.wanted();
    settings.model.play = false;
    session.settings.want(settings);
}

// Reports why there is no model.  Drops the requests that need it, which are those before the next reset or choice of a
// window, so that they do not begin the model again in every frame.
void LiveModel::failToBegin(const Error& error, Session& session)
{
    const auto kept = std::ranges::find_if(requests_, [](const Request& request) {
        const auto* plain = std::get_if<Plain>(&request);
        return std::holds_alternative<Window>(request) || (plain && *plain == Plain::kReset);
    });
    requests_.erase(requests_.begin(), kept);
    fail(error, session);
}

// Prepares OpenGL for steps, or frees its data if another back end computes them.
Status LiveModel::chooseGpu(const Session& session)
{
    if (session.settings.wanted().model.backend != ModelBackend::kOpenGl)
        dropGpu();
    else if (!gpu_)
    {
        Result<std::shared_ptr<ModelGpu>> made = ModelGpu::create(session.root(), session.graphics.context());
        if (!made) return made.error();
        gpu_ = std::make_shared<ModelGpuQueue>(std::move(*made));
    }
    return Status::ok();
}

void LiveModel::startSaving(const std::string& file, Session& session)
{
    Result<std::unique_ptr<BackgroundTask<std::string>>> task =
        BackgroundTask<std::string>::start(kName, ground_->saver(file, living_->model, session));
    if (task)
        saving_ = std::move(*task);
    else
        session.messages.reportError(task.error());
    if (waits(session) && saving_) saving_->wait();
}

// ---- state ----

std::uint64_t LiveModel::pending(const Session& session) const
{
    std::uint64_t left = std::uint64_t(task_ != nullptr) + std::uint64_t(saving_ != nullptr);
    for (const Request& request : requests_)
        left += std::holds_alternative<Steps>(request) ? std::get<Steps>(request).left : 1;
    if (plays(session)) ++left;
    if (!task_ && unrefined()) ++left;
    if (ground_ && !ground_->ready(session)) ++left;
    if (!task_ && undrained(session)) ++left;
    return left;
}

TerrainModelState LiveModel::state(const Session& session) const
{
    TerrainModelState state;
    state.unavailable = whyNoModel(session.terrain);
    state.begun = begun() || windows_ > 1;
    state.tiled = session.terrain.tiles() != nullptr;
    state.window = ground_ ? ground_->window() : std::string();
    state.working = task_ != nullptr;
    state.saving = saving_ != nullptr;
    if (task_)
    {
        state.phase = task_->progress().phase();
        state.fraction = task_->progress().fraction();
    }
    for (const Request& request : requests_)
        if (const auto* steps = std::get_if<Steps>(&request)) state.stepsLeft += steps->left;
    state.all = all_;
    state.last = last_;
    state.changePixels = changePixels_;
    state.stepMs = stepMs_;
    state.boundsMs = boundsMs_;
    state.showMs = showMs_;
    state.runs = runs_;
    state.strokes = strokes_;
    state.undone = undone_;
    state.historyBytes = historyBytes_;
    return state;
}

std::optional<std::string> LiveModel::value(std::string_view key) const
{
    if (key == "model.years") return fmt::format("{:.10g}", all_.years);
    if (key == "model.moved_m3") return fmt::format("{:.10g}", all_.moved());
    if (key == "model.imbalance") return fmt::format("{:.6g}", all_.imbalance());
    if (key == "model.residual") return fmt::format("{:.6g}", last_.residual);
    if (key == "model.change_px") return fmt::format("{:.6g}", changePixels_);
    return std::nullopt;
}

}  // namespace orogen::app
