// The loop of an interactive window.
//
// A terrain frame that takes long is drawn in slices of about sliceMs_.  Panels therefore respond within a slice,
// however long the frame takes.  The loop idles when nothing changes.
//
//     input -> panels -> shown over the last picture -> a slice of the next one -> input ...
//
// Frames that are not sliced draw their panels once, as in Viewer::step().
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/viewer.h"

namespace orogen::app {
namespace {

constexpr double kBackground = 0.2;                          // seconds between checks of background work
constexpr double kAnswers = 0.005;                           // seconds between checks for GPU results
constexpr double kToolSeconds = 0.03;                        // seconds between queries of the place under the cursor
constexpr double kMoves = 1.0 / 120;                         // seconds between steps of a moving camera
constexpr double kLeastHold = 1.0 / 60, kLongestHold = 1.0;  // seconds: range of the time that a key press counts for
constexpr double kHitch = 0.25;                              // seconds: longest single camera step
constexpr double kRests = 0.2;                               // seconds without movement until a picture in full detail
// Frame time (ms) from which a click or key press shows the panels before the next frame that is not sliced.
constexpr double kLongFrame = 40;
// Light map rows per frame on a software rasteriser.
constexpr int kSlicedLightRows = 768;      // in a sliced frame: takes about as long as the rest of the frame
constexpr int kWholeLightRows = 96;        // in a frame without slices
constexpr int kFlightLightRows = 32;       // while the camera moves: some 10 ms on two cores with procedural detail
constexpr double kTileRetry = 2;           // seconds between retries for tiles that could not be read
constexpr double kLaboratorySliceMs = 12;  // time of an experiment per iteration (ms)

}  // namespace

bool Viewer::interactive() const
{
    return session_.graphics.window() && !script_ && !session_.options.frames && !session_.steered() &&
           !session_.sweeps.running();
}

// Returns the split picture that the current frame draws; null: it draws one picture.  Between two slices the user may
// replace the split picture by another one, which has no terrain yet.
SplitPicture* Viewer::split() const
{
    return splits_ && session_.split && session_.split->shown() ? session_.split.get() : nullptr;
}

// Returns whether a frame is being drawn in slices.
bool Viewer::drawing() const
{
    return session_.graphics.renderer().steps().waiting() || (split() && split()->waiting());
}

// Advances the frame that beginPicture() began; of a split picture, the right side first.
Status Viewer::advancePicture()
{
    Renderer& renderer = session_.graphics.renderer();
    SplitPicture* const both = split();
    if (!both)
        renderer.advance(sliceMs_);
    else if (renderer.steps().waiting())
    {
        both->drawBeside(session_, [&] { renderer.advance(sliceMs_); });
        if (renderer.steps().waiting()) return Status::ok();
        renderer.timers().endFrame();
        return both->begin(session_, lightRows_, false);
    }
    else
        both->advance(session_, sliceMs_);
    return Status::ok();
}

Status Viewer::turn(double longestWait)
{
    if (session_.graphics.context().resetStatus() != ResetStatus::kNone)
        if (Status s = session_.recover(); !s) return s;
    const double wait = std::min(idleSeconds(), longestWait);
    const bool asked = takeEvents(wait);
    const double lastLook = std::exchange(lookedAt_, session_.seconds());
    pressedAt_ = wait > 0 ? lookedAt_ : lastLook;
    Renderer& renderer = session_.graphics.renderer();
    if (!drawing()) clock_.begin(session_.seconds());
    renderer.options().awaitsErrors = session_.steered();  // captures need the chosen criterion from the first frame on
    session_.keepUp();
    if (Status s = session_.takeResults(); !s) return s;
    renderer.collect();
    if (session_.split) session_.split->collect();
    session_.takeStats();

    // An unsliced frame updates the panels once, before it is drawn.  Between slices, panels without input update every
    // kBackground seconds only, because the end of the frame updates them, too.
    const bool due = panelsDue() && (!drawing() || session_.seconds() >= shownAt_ + kBackground);
    const bool worked = asked || due || (flows_ && !drawing() && !renderer.steps().sliced());
    if (worked) workPanelsNow();
    if (session_.steered()) return Status::ok();  // captures and films draw their own frames
    if (Status s = drawTurn(worked); !s) return s;
    session_.laboratory.step(kLaboratorySliceMs);
    useTools();
    return Status::ok();
}

// Updates the tools over the picture (info, measure, top view); the next iteration shows their result.
void Viewer::useTools()
{
    session_.tools.update(session_, !drawing());
    if (session_.tools.stirred()) panelsAt_ = session_.seconds();
}

Status Viewer::drawTurn(bool worked)
{
    Renderer& renderer = session_.graphics.renderer();
    if (!drawing())
    {
        if (!worked) advanceCamera(held_, heldCursor_);
        session_.model.update(session_);
        flows_ = beginPicture();
    }
    // Shows the panels before a slice, for a fast response.  After a click or a key, also before a long unsliced frame.
    if (worked && (!flows_ || renderer.steps().sliced() || (pressed_ && renderer.steps().frameMs() >= kLongFrame)))
        if (Status s = showPanels(); !s) return s;
    if (!flows_)
    {
        clock_.rested();
        if (session_.terrain.info() && !std::exchange(scales_, true)) session_.graphics.prepareScaling();
        return Status::ok();
    }
    if (Status s = advancePicture(); !s) return s;
    return drawing() ? Status::ok() : endPicture();
}

// Returns the seconds to wait for input when there is no other work.
double Viewer::idleSeconds() const
{
    const Renderer& renderer = session_.graphics.renderer();
    if (drawing() || flows_ || session_.laboratory.running()) return 0;
    double seconds = std::max(panelsAt_ - session_.seconds(), 0.0);
    if (framesInFlight() > 0) seconds = std::min(seconds, kAnswers);
    const PathControl& path = session_.camera.path();
    if (!held_.idle() || session_.camera.moving() || path.playing() || path.recording())
        seconds = std::min(seconds, kMoves);
    if (session_.tools.pending(session_)) seconds = std::min(seconds, kToolSeconds);
    if (session_.working()) seconds = std::min(seconds, kBackground);
    const std::optional<TileStats>& tiles = renderer.stats().tiles;
    if (tiles && tiles->failed > 0) seconds = std::min(seconds, kTileRetry);
    return seconds;
}

// Returns the number of frames of which the GPU has not reported all results; a split picture counts each side.
int Viewer::framesInFlight() const
{
    const int left = session_.split ? session_.split->framesInFlight() : 0;
    return session_.graphics.renderer().progress().framesInFlight() + left;
}

// Returns whether the shown panels are out of date without new input.
bool Viewer::panelsDue()
{
    // `answered`: the GPU's results of all frames so far have arrived, and the panels do not show them yet.
    const bool answered =
        framesInFlight() == 0 && !flows_ && std::exchange(answered_, session_.frame) != session_.frame;
    const bool told = session_.messages.shown().size() != messages_;
    return answered || told || session_.seconds() >= panelsAt_;
}

void Viewer::workPanelsNow()
{
    // If no key was held before, the camera must not move for the time before the new key can have been pressed.
    if (held_.idle()) cameraAt_ = std::max(cameraAt_, std::min(pressedAt_, session_.seconds() - kLeastHold));
    const UiActions actions = workPanels(kLeastHold);
    if (session_.steered()) return;
    advanceCamera(actions.camera, actions.cursor);
    messages_ = session_.messages.shown().size();
    const double background = session_.working() || session_.laboratory.running() ? kBackground : 3600;
    panelsAt_ = session_.seconds() + std::min(session_.graphics.ui().changesIn(), background);
}

// Moves the camera by the time since its last move, at most kLongestHold.  The view controllers clamp a longer step to
// kHitch, so the time is applied in pieces of kHitch: `input` in the first piece, the held keys in the others.
void Viewer::advanceCamera(const CameraInput& input, glm::dvec2 cursor)
{
    const double now = session_.seconds();
    double left = std::min(now - std::exchange(cameraAt_, now), kLongestHold);
    moveCamera(input, cursor, std::min(left, kHitch));
    for (left -= kHitch; left > 0; left -= kHitch)
        moveCamera(held_, cursor, std::min(left, kHitch));
}

// Returns whether to retry files that could not be read: drawing a picture requests their tiles again.
bool Viewer::triesTiles(double now) const
{
    const std::optional<TileStats>& tiles = session_.graphics.renderer().stats().tiles;
    return tiles && tiles->failed > 0 && now - drawnAt_ > kTileRetry;
}

bool Viewer::beginPicture()
{
    Renderer& renderer = session_.graphics.renderer();
    if (!session_.terrain.info()) return false;
    session_.settings.apply(renderer, session_.messages);
    const double now = session_.seconds();
    session_.camera.follow(std::min(now - std::exchange(followedAt_, now), kLongestHold), session_.flownSurroundings(),
                           session_.flownGround(), session_.settings, session_.messages);
    session_.updateContours();
    const Camera camera = cameraOf(session_.settings.wanted().view);
    const PixelSize size = session_.graphics.size();
    if (size.width <= 0 || size.height <= 0) return false;
    if (!(std::exchange(lastCamera_, camera) == camera)) movedAt_ = drawnAt_ > 0 ? now : movedAt_;
    renderer.options().seen = session_.split ? PicturePart{} : session_.graphics.ui().uncovered();
    const bool rests = now - movedAt_ >= kRests;
    renderer.lod().rest(rests);
    if (session_.split) session_.split->rest(rests);
    if (renderer.progress().rests(camera, size.width, size.height) && !triesTiles(now) &&
        !session_.compute.wantsFrames() && (!session_.split || session_.split->rests(camera)))
        return false;
    drawnAt_ = now;
    renderer.options().keepsPicture = true;
    session_.messages.reportError(renderer.resize(size.width, size.height));
    ++shown_;
    renderer.timers().beginFrame(session_.frame);
    const bool software = session_.graphics.context().info().software;
    lightRows_ = !software                   ? 0
                 : !rests                    ? kFlightLightRows
                 : renderer.steps().sliced() ? kSlicedLightRows
                                             : kWholeLightRows;
    splits_ = session_.split && session_.split->shown();
    renderer.begin(camera, session_.frame, lightRows_);
    return true;
}

// Finishes a frame: updates the panels after slices, and shows them over the new picture.
Status Viewer::endPicture()
{
    Renderer& renderer = session_.graphics.renderer();
    session_.pictured = true;
    if (renderer.steps().sliced())
    {
        renderer.collect();
        session_.takeStats();
        workPanelsNow();
        if (session_.steered()) return Status::ok();
    }
    SplitPicture* const both = split();
    if (both)
        if (Status s = both->end(session_); !s) return s;
    if (Status s = session_.graphics.drawPanels(!both, true); !s) return s;
    if (!both) renderer.timers().endFrame();
    present();
    ++shows_;
    ++session_.frame;
    return Status::ok();
}

Status Viewer::showPanels()
{
    const double before = session_.seconds();
    if (session_.split)
        if (Status s = session_.split->composeAgain(session_); !s) return s;
    if (Status s = session_.graphics.drawPanels(false, true); !s) return s;
    clock_.presentPanels(session_.graphics, session_.options.vsync ? FrameLimit::kDisplay : FrameLimit::kNone,
                         1000 * (session_.seconds() - before));
    ++shows_;
    shownAt_ = session_.seconds();
    return Status::ok();
}

}  // namespace orogen::app
