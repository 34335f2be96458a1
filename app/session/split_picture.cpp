#include "app/session/split_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/session/session.h"

namespace orogen::app {

std::optional<double> newestMs(const SideTime& onCpu, const GpuTimes& onGpu, std::uint64_t from)
{
    const bool byGpu = onGpu.wholeMs && onGpu.frame > onCpu.frame;
    if ((byGpu ? onGpu.frame : onCpu.frame) < from) return std::nullopt;
    return byGpu ? onGpu.wholeMs : onCpu.ms;
}

namespace {

// Returns the CPU time of a side's complete frame (ms).  `atOnce`: time of a frame that was not drawn in slices.
double sideMs(const Renderer& side, double atOnce)
{
    return side.steps().sliced() ? side.steps().time().wholeMs() : atOnce;
}

// Returns whether the CPU waited for a side's frame, so that sideMs() is the time of drawing it.
bool timedByCpu(const Renderer& side, const Session& session)
{
    return side.steps().sliced() || session.graphics.context().info().software;
}

}  // namespace

SplitPicture::SplitPicture(const std::filesystem::path& root, const Renderer& beside, SplitNames names,
                           SessionSettings settings)
    : names_(std::move(names)), settings_(std::move(settings)), composer_(root, beside.world().programs().dialect())
{
}

Result<std::unique_ptr<SplitPicture>> SplitPicture::create(Session& session, SplitNames names, SessionSettings settings)
{
    Graphics& graphics = session.graphics;
    std::unique_ptr<SplitPicture> split(
        new SplitPicture(session.root(), graphics.renderer(), std::move(names), std::move(settings)));
    if (Status s = split->composer_.finish(); !s) return s.error();
    Result<std::unique_ptr<Renderer>> renderer =
        Renderer::create(graphics.context(), session.root(), takenTo(World::kPlane, split->settings_.wanted()));
    if (!renderer) return renderer.error();
    split->renderer_ = std::move(*renderer);
    split->renderer_->options().awaitsErrors = graphics.renderer().options().awaitsErrors;
    return split;
}

// Begins to open the session's terrain.  Begins again if the heights have changed meanwhile, unless the terrain model
// will pass its heights on later.
Status SplitPicture::openShared(const Session& session)
{
    const OpenTerrain& terrain = session.terrain;
    if (!shared_ || shown() || !terrain.info() || terrain.loading()) return Status::ok();
    if (terrain_.loading() && (shared_->heights == terrain.heights() || session.model.begun())) return Status::ok();
    shared_->heights = terrain.heights();
    return terrain_.openSame(terrain, shared_->choices, shared_->imagery);
}

// Makes this side follow changes of the session's terrain from now on.
void SplitPicture::followShared(Session& session)
{
    if (!shared_) return;
    session.terrain.lead(OpenTerrain::Follower{&terrain_, renderer_.get()});
    if (session.model.begun()) session.model.showAgain();
}

Status SplitPicture::takeTerrain(Session& session)
{
    if (Status s = openShared(session); !s) return s;
    const Result<bool> opened = terrain_.takeLoaded(*renderer_, session.messages);
    if (!opened) return opened.error();
    if (!*opened) return Status::ok();
    timedFrom_ = session.frame + 1;  // the current frame may have begun without this side
    settings_.enter(terrain_.world());
    if (const std::optional<int> depth = renderer_->world().depthForSamples(session.graphics.context().limits(),
                                                                            renderer_->terrain(), terrain_.spacing()))
        settings_.fitDepth(*depth);
    followShared(session);
    for (const std::string& warning : terrain_.imageryWarnings())
        session.messages.report(MessageKind::kWarning, names_.left + ": " + warning);
    return Status::ok();
}

bool SplitPicture::rests(const Camera& camera) const
{
    if (!shown()) return true;
    const RenderTarget& target = renderer_->target();
    return renderer_->progress().rests(camera, target.width(), target.height());
}

Pending SplitPicture::pending(const Session& session) const
{
    if (!shown()) return {.frames = 1};
    const RenderTarget& beside = session.graphics.renderer().target();
    return renderer_->progress().pending(cameraOf(session.settings.wanted().view), beside.width(), beside.height());
}

Status SplitPicture::begin(Session& session, int lightRows, bool whole)
{
    Settings settings = settings_.wanted();
    settings.view = session.settings.wanted().view;
    settings_.want(settings);
    settings_.apply(*renderer_, session.messages);

    if (std::exchange(contoured_, terrain_.heights()) != terrain_.heights())
        contours_.showTerrain(terrain_.field(), terrain_.relief());
    const Renderer& beside = session.graphics.renderer();
    const PixelSize size{beside.target().width(), beside.target().height()};
    const FrameOptions& options = session.graphics.renderer().options();
    FrameOptions& own = renderer_->options();
    own.tileFade = options.tileFade;
    own.sliceFromMs = options.sliceFromMs;
    own.keepsPicture = options.keepsPicture;
    own.awaitsErrors = options.awaitsErrors;
    ground_.update(settings_.wanted(), terrain_, terrain_.surroundings(settings_.wanted(), {}), size, *renderer_,
                   contours_, false);
    if (Status s = renderer_->resize(size.width, size.height); !s) return s;

    if (timedByCpu(beside, session)) besideTime_ = {session.frame, sideMs(beside, besideMs_)};
    const Camera camera = cameraOf(settings.view);
    renderer_->timers().beginFrame(session.frame);
    if (whole)
        measure(session, ms_, [&] { renderer_->frame(camera, session.frame, lightRows); });
    else
        renderer_->begin(camera, session.frame, lightRows);
    return Status::ok();
}

void SplitPicture::measure(const Session& session, double& ms, const std::function<void()>& work)
{
    const double before = session.seconds();
    work();
    // A software rasteriser works on the CPU.  Without this wait, work of one side would count in the other side's
    // time.
    if (session.graphics.context().info().software) glFinish();
    ms = 1000 * (session.seconds() - before);
}

Status SplitPicture::end(Session& session)
{
    renderer_->timers().endFrame();
    const double ms = sideMs(*renderer_, ms_);
    renderer_->recordCpuTime(session.frame, ms);
    renderer_->collect();
    if (timedByCpu(*renderer_, session)) time_ = {session.frame, ms};
    return compose(session);
}

Status SplitPicture::compose(Session& session)
{
    Graphics& graphics = session.graphics;
    const RenderTarget& right = graphics.renderer().target();
    const int divider = int(std::lround(view_.divider * right.width()));
    if (Status s = composer_.compose(renderer_->target(), right, divider, view_.difference); !s) return s;
    if (composer_.framebuffer() == 0) return Status::ok();
    drawn_ = view_;
    graphics.showComposed(ShownPicture{composer_.framebuffer(), {composer_.width(), composer_.height()}});
    return Status::ok();
}

Status SplitPicture::composeAgain(Session& session)
{
    return shown() && drawn_ && !(*drawn_ == view_) ? compose(session) : Status::ok();
}

void SplitPicture::settleTiles(const Camera& camera, double seconds)
{
    if (shown()) (void)renderer_->tiles().settle(camera, seconds);
}

void SplitPicture::showLines(std::vector<ShownLine> lines, bool moved, Messages& messages)
{
    if (!shown()) return;
    if (moved) renderer_->lines().moved();
    messages.reportError(renderer_->lines().show(std::move(lines)));
}

ReloadReport SplitPicture::reloadShaders()
{
    (void)composer_.reloadShaders();
    return renderer_->reloadShaders();
}

SplitState SplitPicture::state(const Session& session) const
{
    SplitState state{.names = names_, .view = view_, .loading = !shown()};
    if (!drawn_) return state;
    // Times of frames with earlier settings, and of abandoned frames, do not count.
    const auto newest = [this](const Renderer& side, const SideTime& onCpu) {
        return newestMs(onCpu, side.stats().gpu, std::max(timedFrom_, side.progress().figuresFrom()));
    };
    state.leftMs = newest(*renderer_, time_);
    state.rightMs = newest(session.graphics.renderer(), besideTime_);
    return state;
}

}  // namespace orogen::app
