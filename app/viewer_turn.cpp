// Interactive window loop.  Panels respond within a slice, however long a terrain frame takes.  Idle when nothing
// changes.
//
//     input -> panels -> shown over the last picture -> a slice of the next one -> input ...
//
// Frames that are not sliced draw their panels once, as in Viewer::step().
#include <algorithm>
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
constexpr int kSlicedLightRows = 768;  // light map rows per frame: takes about as long as a sliced frame
constexpr int kWholeLightRows = 96;
constexpr double kTileRetry = 2;           // seconds between retries for tiles that could not be read
constexpr double kLaboratorySliceMs = 12;  // an experiment's share of an iteration

}  // namespace

bool Viewer::interactive() const
{
    return session_.graphics.window() && !script_ && !session_.options.frames && !session_.captures.running() &&
           !session_.sweeps.running();
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
    if (!renderer.drawing()) clock_.begin(session_.frame, session_.seconds());
    session_.keepUp();
    if (Status s = session_.takeResults(); !s) return s;
    renderer.collect();
    session_.takeStats();

    // Frames that are not sliced update the panels with them.
    const bool worked = asked || panelsDue() || (flows_ && !renderer.drawing() && !renderer.sliced());
    if (worked) workPanelsNow();
    if (session_.captures.running()) return Status::ok();  // captures draw their own frames
    if (Status s = drawTurn(worked); !s) return s;
    session_.laboratory.step(kLaboratorySliceMs);
    useTools();
    return Status::ok();
}

// The next iteration shows the result.
void Viewer::useTools()
{
    session_.tools.update(session_, !session_.graphics.renderer().drawing());
    if (session_.tools.stirred()) panelsAt_ = session_.seconds();
}

Status Viewer::drawTurn(bool worked)
{
    Renderer& renderer = session_.graphics.renderer();
    if (!renderer.drawing())
    {
        if (!worked) advanceCamera(held_, heldCursor_);
        flows_ = beginPicture();
    }
    if (worked && (!flows_ || renderer.sliced()))
        if (Status s = showPanels(); !s) return s;  // before the slice, for a fast response
    if (!flows_)
    {
        clock_.rested();
        return Status::ok();
    }
    renderer.advance(sliceMs_);
    return renderer.drawing() ? Status::ok() : endPicture();
}

// Returns the seconds to wait for input when there is no other work.
double Viewer::idleSeconds() const
{
    const Renderer& renderer = session_.graphics.renderer();
    if (renderer.drawing() || flows_ || session_.laboratory.running()) return 0;
    double seconds = std::max(panelsAt_ - session_.seconds(), 0.0);
    if (renderer.framesInFlight() > 0) seconds = std::min(seconds, kAnswers);
    const CameraPathSession& path = session_.camera.path();
    if (!held_.idle() || session_.camera.moving() || path.playing() || path.recording())
        seconds = std::min(seconds, kMoves);
    if (session_.tools.pending(session_)) seconds = std::min(seconds, kToolSeconds);
    if (session_.working()) seconds = std::min(seconds, kBackground);
    const std::optional<TileStats>& tiles = renderer.stats().tiles;
    if (tiles && tiles->failed > 0) seconds = std::min(seconds, kTileRetry);
    return seconds;
}

// Returns whether the shown panels are out of date without new input.
bool Viewer::panelsDue()
{
    const int inFlight = session_.graphics.renderer().framesInFlight();
    const bool answered = inFlight == 0 && inFlight_ > 0 && !flows_;
    inFlight_ = inFlight;
    const bool told = session_.messages.shown().size() != messages_;
    return answered || told || session_.seconds() >= panelsAt_;
}

void Viewer::workPanelsNow()
{
    // If no key was held before, a newly held key was pressed since the last check, or ended the wait.
    if (held_.idle()) cameraAt_ = std::max(cameraAt_, std::min(pressedAt_, session_.seconds() - kLeastHold));
    const UiActions actions = workPanels(kLeastHold);
    if (session_.captures.running()) return;
    advanceCamera(actions.camera, actions.cursor);
    messages_ = session_.messages.shown().size();
    const double background = session_.working() || session_.laboratory.running() ? kBackground : 3600;
    panelsAt_ = session_.seconds() + std::min(session_.graphics.ui().changesIn(), background);
}

// Moves the camera by the time since its last move.  ViewController clamps long steps as hitches, so elapsed time is
// applied in pieces of kHitch.
void Viewer::advanceCamera(const CameraInput& input, glm::dvec2 cursor)
{
    const double now = session_.seconds();
    double left = std::min(now - std::exchange(cameraAt_, now), kLongestHold);
    moveCamera(input, cursor, std::min(left, kHitch));
    for (left -= kHitch; left > 0; left -= kHitch)
        moveCamera(held_, cursor, std::min(left, kHitch));
}

// Retries files that could not be read by drawing a picture, which requests them.
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
    session_.camera.follow(std::min(now - std::exchange(followedAt_, now), kLongestHold), session_.surroundings(),
                           session_.terrain.opened(), session_.settings, session_.messages);
    session_.updateContours();
    const Camera camera = cameraOf(session_.settings.wanted().view);
    const PixelSize size = session_.graphics.size();
    if (size.width <= 0 || size.height <= 0) return false;
    if (renderer.rests(camera, size.width, size.height) && !triesTiles(now) && !session_.compute.wantsFrames())
        return false;
    drawnAt_ = now;
    renderer.keepPicture(true);
    session_.messages.reportError(renderer.resize(size.width, size.height));
    ++shown_;
    renderer.timers().beginFrame(session_.frame);
    const bool software = session_.graphics.context().info().software;
    const int rows = !software ? 0 : renderer.sliced() ? kSlicedLightRows : kWholeLightRows;
    renderer.begin(camera, session_.frame, rows);
    return true;
}

// Finishes a frame: updates the panels and shows both.
Status Viewer::endPicture()
{
    Renderer& renderer = session_.graphics.renderer();
    const bool sliced = renderer.sliced();
    if (sliced)
    {
        renderer.collect();
        session_.takeStats();
        workPanelsNow();
        if (session_.captures.running()) return Status::ok();
    }
    if (Status s = session_.graphics.drawPanels(true); !s) return s;
    renderer.timers().endFrame();
    clock_.submitted();
    clock_.present(session_.graphics, session_.options.vsync ? FrameLimit::kDisplay : FrameLimit::kNone);
    ++shows_;
    if (sliced) clock_.endSliced(renderer.slicesTime());
    renderer.tookTime(session_.frame, clock_.timing().frameMs - clock_.timing().sleptMs);
    session_.recordFrame(clock_.timing());
    ++session_.frame;
    return Status::ok();
}

Status Viewer::showPanels()
{
    const double before = session_.seconds();
    if (Status s = session_.graphics.drawPanels(false); !s) return s;
    clock_.presentPanels(session_.graphics, session_.options.vsync ? FrameLimit::kDisplay : FrameLimit::kNone,
                         1000 * (session_.seconds() - before));
    ++shows_;
    return Status::ok();
}

}  // namespace orogen::app
