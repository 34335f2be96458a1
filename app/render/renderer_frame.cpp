// One frame of the renderer: its inputs and its steps.
#include <algorithm>
#include <utility>

#include "app/render/renderer.h"

namespace orogen::app {
namespace {

constexpr double kStepMs = 12;                  // longest wanted step of a sliced frame
constexpr int kLightRowsPerStep = 24;           // some 10 ms on two cores
constexpr std::uint32_t kLeavesPerStep = 8192;  // marking them is the slowest pass: some 10 ms on two cores
constexpr std::uint32_t kUnknownRangeLeaves = 4096;
constexpr std::uint32_t kUnknownVisible = 8192;  // visible leaves until the GPU has reported a count
constexpr int kUnknownSkyBands = 4, kMostSkyBands = 16;
constexpr double kFramesPerSecond = 30;  // assumed when estimating the camera's velocity

}  // namespace

FrameView Renderer::viewOf(const Camera& camera) const
{
    return {camera, frozen_, target_.drawnWidth(), target_.drawnHeight()};
}

void Renderer::uploadFrame(const Camera& camera)
{
    const FrameView view = viewOf(camera);
    const gpu::FrameUniforms uniforms =
        frameUniforms(view, lod_.inEffect(settings_), *terrain_, tree_->mostLeaves(), lod_.triangleBudget(settings_));
    if (onEarth())
    {
        earthBlocks_->write(earthUniforms(view, settings_), airUniforms(camera, settings_));
        earthBlocks_->bind();
        stats_.uploadBytes += sizeof(gpu::EarthUniforms) + sizeof(gpu::AirUniforms);
    }
    glNamedBufferSubData(frameUniforms_.id(), 0, sizeof uniforms, &uniforms);
    stats_.uploadBytes += sizeof uniforms;
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, frameUniforms_.id());
}

void Renderer::frame(const Camera& camera, std::uint64_t frame, int lightRows)
{
    plan(camera, frame, lightRows, false);
    steps_.runAll();
}

void Renderer::begin(const Camera& camera, std::uint64_t frame, int lightRows)
{
    const PictureInput input = inputOf(camera);
    const bool known = picture_ && picture_->sameButCamera(input);
    plan(camera, frame, lightRows, !known || frameMs_ >= options_.sliceFromMs);
}

void Renderer::advance(double ms)
{
    if (!sliced_) return steps_.runAll();
    steps_.runSlice(ms);
    if (drawing()) return;
    frameMs_ = steps_.time().wholeMs();
    rangesMs_ = steps_.time().ms[std::size_t(StepKind::kGround)];
    skyMs_ = steps_.time().ms[std::size_t(StepKind::kSky)];
}

Renderer::PictureInput Renderer::inputOf(const Camera& camera) const
{
    return {camera,
            settings_,
            target_.width(),
            target_.height(),
            lod_.scale(settings_),
            lod_.detail(settings_).coarser,
            version_,
            terrain_ && terrain_->tiles() ? terrain_->tiles()->shown() : 0,
            checks_.validating(),
            checks_.errorPeriod(),
            checks_.measuringJumps()};
}

bool Renderer::rests(const Camera& camera, int width, int height) const
{
    if (!terrain_) return true;
    if (drawing() || !picture_ || target_.width() != std::max(width, 1) || target_.height() != std::max(height, 1))
        return false;
    if (!(*picture_ == inputOf(camera)) || !stable()) return false;
    return errorRead() || (calmFrom_ && checks_.errorsInFlight() > 0);
}

bool Renderer::stable() const
{
    return !busy() && (!terrain_->tiles() || terrain_->tiles()->rests()) && lod_.calm(sameFrames_);
}

bool Renderer::errorRead() const
{
    return checks_.errorPeriod() == 0 || (calmFrom_ && stats_.error && stats_.error->frame >= *calmFrom_);
}

Pending Renderer::pending(const Camera& camera, int width, int height) const
{
    Pending left;
    if (!terrain_) return left;
    if (const TiledHeights* tiles = terrain_->tiles())
    {
        left.tiles = std::uint64_t(tiles->stats().missing);
        left.fades = std::uint64_t(std::max(tiles->stats().fading, tiles->fading() ? 1 : 0));
    }
    if (!stats_.settled) left.changes = std::max(lod_.roundChanges(), 1u);
    if (busy()) left.lightRows = std::uint64_t(std::max(terrain_->lightRowsLeft(), 1));
    const bool counted = stats_.workIsCurrent && stats_.work.frame >= sameFrom_ && errorRead();
    left.frames = !counted || (left.total() == 0 && !rests(camera, width, height));
    return left;
}

// Discards the figures of frames so far, which show another scene.
void Renderer::forgetFigures()
{
    figuresFrom_ = frame_ + 1;
    stats_.workIsCurrent = false;
    stats_.error.reset();
    stats_.jump.reset();
    stats_.mesh.reset();
}

void Renderer::leaveScene()
{
    picture_.reset();
    lod_.leaveScene();
    stats_.settled = false;
    forgetFigures();
}

// Decides all inputs of a frame now, on the CPU; the steps that remain are GPU work.
void Renderer::plan(const Camera& camera, std::uint64_t frame, int lightRows, bool sliced)
{
    if (drawing()) cullInput_.reset();  // the previous frame may have been abandoned before culling
    frame_ = frame;
    sliced_ = sliced;
    lod_.beginFrame(frame);
    if (target_.scale() != lod_.scale(settings_))
        (void)!resize(target_.width(), target_.height());  // on error the old target stays
    uploadedBefore_ = terrain_->uploadedBytes();
    stats_.tiles.reset();
    if (TiledHeights* tiles = terrain_->tiles())
    {
        tiles->update(tileView(camera), options_.tileFade);
        before_ = camera.position;
        stats_.tiles = tiles->stats();
    }
    const PictureInput input = inputOf(camera);
    if (!picture_ || !picture_->sameScene(input))
    {
        forgetFigures();
        figuresFrom_ = frame;
    }
    const bool same = picture_ && *picture_ == input;
    sameFrames_ = same ? sameFrames_ + 1 : 0;
    if (!same) sameFrom_ = frame;
    picture_ = input;
    if (!same || !stable())
        calmFrom_.reset();
    else if (!calmFrom_)
    {
        calmFrom_ = frame;
        checks_.measureErrorOnce();
    }
    stats_.scale = target_.scale();
    stats_.uploadBytes = 0;
    if (settings_.lod.frozen && !frozen_) frozen_ = camera;
    if (!settings_.lod.frozen) frozen_.reset();
    terrain_->setHeightScale(settings_.terrain.heightScale);
    terrain_->setPatchLevel(settings_.patch.level);
    if (!onEarth()) terrain_->setSun(sunOnPlane(settings_.render));
    uploadFrame(camera);
    steps_.begin([this] { bindAll(); });
    planLight(lightRows);
    planTree(camera);
    if (checks_.validating())
        steps_.add(StepKind::kOther, timers_, GpuPass::kValidate,
                   [this, frame] { checks_.validate(*tree_, patch_, frame); });
    planPicture(camera);
    steps_.add(StepKind::kOther, [this, frame] {
        {
            GpuTimerScope scope(timers_, GpuPass::kSky);
            target_.resolve(library_.program(sharpen_));
        }
        stats_.uploadBytes += terrain_->uploadedBytes() - uploadedBefore_;
        tree_->endFrame(frame);
    });
}

// Estimates the camera's velocity as if frames had a fixed rate, since the requested tiles must not depend on time.
TileView Renderer::tileView(const Camera& camera) const
{
    const Projection view = project(camera, target_.drawnWidth(), target_.drawnHeight(), FrameView::kNearPlane);
    TileView tiles;
    tiles.position = camera.position;
    if (before_) tiles.velocity = (camera.position - *before_) * kFramesPerSecond;
    std::ranges::transform(view.planes, tiles.planes.begin(),
                           [&](const glm::vec4& plane) { return onEarth() ? inEarthAxes(plane, camera) : plane; });
    tiles.pixelsPerRadian = double(view.pixelsPerRadian);
    tiles.heightScale = double(settings_.terrain.heightScale);
    return tiles;
}

bool Renderer::settleTiles(const Camera& camera, double seconds)
{
    if (!terrain_ || !terrain_->tiles()) return true;
    const bool settled = terrain_->tiles()->settle(tileView(camera), seconds);
    stats_.tiles = terrain_->tiles()->stats();
    return settled;
}

void Renderer::bindAll() const
{
    bindForChecks();
    tree_->bindForChecks();
    target_.bind();
}

void Renderer::planLight(int rows)
{
    const int all = rows > 0 ? rows : 1 << 20, each = sliced_ && rows > 0 ? std::min(kLightRowsPerStep, rows) : all;
    lightDone_ = false;
    for (int row = 0; row < all; row += each)
        steps_.add(StepKind::kLight, [this, each] {
            if (lightDone_) return;
            lightDone_ = terrain_->updateLight(each);
            terrain_->bind();
        });
}

void Renderer::planTree(const Camera& camera)
{
    const int width = target_.drawnWidth(), height = target_.drawnHeight();
    const int rounds = lod_.rounds({frame_, camera, width, height, shaderHash_}, settings_, *terrain_, *tree_);
    stats_.settled = lod_.settled();
    const TiledHeights* tiles = terrain_->tiles();
    const CullInput input{camera, width, height, settings_.patch.level, settings_.terrain.heightScale, shaderHash_,
                          tiles ? tiles->residency() : 0,
                          // Procedural detail fades in with its tiles and extends the bounds for culling.
                          settings_.detailShown() && tiles ? tiles->shown() : 0,
                          onEarth() ? settings_.terrain.waterLevel : std::nullopt};
    tree_->moveTo(camera.position, terrain_->squareSide());
    const bool byError = settings_.lod.criterion == LodCriterion::kError;
    tree_->setCriterion(byError ? gpu::kCriterionError : gpu::kCriterionEdge);
    tree_->keepVerdicts(lod_.triangleBudget(settings_) <= 0 && !onEarth());
    steps_.add(StepKind::kTree, [this, rounds] { tree_->beginFrame(rounds > 0); });
    const bool culls = rounds == 0 && !(cullInput_ && *cullInput_ == input);
    const Triangulation::AddStep add = [this](std::function<void()> work) {
        steps_.add(StepKind::kTree, std::move(work));
    };
    const std::uint32_t known = stats_.work.leaves,
                        each = options_.sliceFromMs > 0 ? kLeavesPerStep : gpu::kLeafGroupSize;
    for (int i = 0; i < rounds; ++i)
    {
        const bool last = i + 1 == rounds;
        if (sliced_)
            tree_->roundSteps(known, each, last, &timers_, add);
        else
            add([this, last] { tree_->round(last, &timers_); });
    }
    if (culls && sliced_) tree_->cullSteps(known, each, &timers_, add);
    if (culls && !sliced_) add([this] { tree_->cull(&timers_); });
    cullInput_ = input;
}

void Renderer::planPicture(const Camera& camera)
{
    sliced_ ? planRanges() : steps_.add(StepKind::kGround, timers_, GpuPass::kDraw, [this] { drawGround(); });
    // Measures the depth of the ground before anything else is drawn into it.
    steps_.add(StepKind::kOther, [this, camera, frame = frame_] {
        drawn_ = camera;
        if (!checks_.measures(frame)) return;
        GpuTimerScope scope(timers_, GpuPass::kMeasure);
        const PictureView picture{target_, *terrain_, drawn_, FrameView::kNearPlane};
        checks_.afterDraw(picture, *tree_, patch_, std::max(stats_.work.visible, kUnknownVisible), frame);
        bindAll();
    });
    planSurroundings();
    if (frozen_ && !(*frozen_ == camera))
        steps_.add(StepKind::kOther, timers_, GpuPass::kSky,
                   [this, camera] { picture().drawFrustum(frozenFrustum(viewOf(camera), *terrain_)); });
}

void Renderer::drawGround()
{
    target_.begin();
    tree_->bindForDraw();
    picture().drawGround(settings_, *terrain_, patch_, Triangulation::drawArguments());
}

// Chooses ranges of as many leaves as took kStepMs in the last sliced frame.  Only the GPU knows the current number of
// visible leaves, so there are some spare ranges, and the last one is unbounded.
void Renderer::planRanges()
{
    const double visible = std::max(double(stats_.work.visible), 1.0);
    const bool known = rangesMs_ > 0 && stats_.work.visible > 0;
    const double most = known ? visible * kStepMs / rangesMs_ : kUnknownRangeLeaves;
    const double wanted = options_.sliceFromMs > 0 ? most : 1.0;
    const double least = 1.25 * visible / (Triangulation::kMostRanges - 2);
    const auto units = std::uint32_t(std::max(wanted, least) / Triangulation::kRangeUnit) + 1;
    const std::uint32_t leaves = units * Triangulation::kRangeUnit;
    const auto count = known ? std::uint32_t(1.25 * visible / leaves) + 2 : Triangulation::kMostRanges;
    steps_.add(StepKind::kOther, timers_, GpuPass::kDraw, [this] { target_.begin(); });
    steps_.add(StepKind::kGround, [this, leaves, count] { tree_->listRanges(leaves, count); });
    for (std::uint32_t range = 0; range < count; ++range)
        steps_.add(StepKind::kGround, timers_, GpuPass::kDraw, [this, range] {
            tree_->bindRange(range);
            picture().drawGround(settings_, *terrain_, patch_, Triangulation::rangeArguments(range));
        });
}

void Renderer::planSurroundings()
{
    const int bands = skyMs_ > 0 ? std::clamp(int(skyMs_ / kStepMs) + 1, 1, kMostSkyBands) : kUnknownSkyBands;
    // Adds draws that may cover the whole picture, in bands from the bottom up.
    const auto banded = [this, bands](GpuPass pass, const std::function<void()>& work) {
        if (!sliced_) return steps_.add(StepKind::kSky, timers_, pass, work);
        const int height = target_.drawnHeight();
        for (int band = 0; band < bands; ++band)
            steps_.add(StepKind::kSky, timers_, pass,
                       [this, work, from = height * band / bands, to = height * (band + 1) / bands] {
                           glEnable(GL_SCISSOR_TEST);
                           glScissor(0, from, target_.drawnWidth(), to - from);
                           work();
                           glDisable(GL_SCISSOR_TEST);
                       });
    };
    if (!onEarth() && picture().hasBorder(settings_))
    {
        steps_.add(StepKind::kOther, timers_, GpuPass::kBorder, [this] {
            tree_->bindForChecks();
            picture().followRim(settings_);
            bindAll();
        });
        banded(GpuPass::kBorder, [this] { picture().drawBorder(settings_, *terrain_); });
    }
    banded(GpuPass::kSky, [this] { picture().drawSky(); });
    if (picture().hasWater(settings_, *terrain_))
        banded(GpuPass::kSky, [this] { picture().drawWater(settings_, *terrain_); });
}

// Discards the remaining steps; their picture would be outdated.
void Renderer::drop()
{
    steps_.drop();
    picture_.reset();
    forgetFigures();
    cullInput_.reset();
    ++version_;
}

}  // namespace orogen::app
