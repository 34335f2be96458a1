// One frame of the renderer: its inputs and its steps.
#include <algorithm>
#include <utility>

#include <glm/geometric.hpp>

#include "app/render/renderer.h"

namespace orogen::app {
namespace {

constexpr double kJumpWait = 0.25;     // seconds that the first picture of a place waits for heights, and for imagery
constexpr double kStepMs = 12;         // wanted maximum of a step's time in a sliced frame (ms)
constexpr int kLightRowsPerStep = 24;  // some 10 ms on two cores
constexpr std::uint32_t kLeavesPerStep = 8192;  // marking them is the slowest pass: some 10 ms on two cores
constexpr std::uint32_t kUnknownRangeLeaves = 4096;
constexpr std::uint32_t kUnknownVisible = 8192;  // visible leaves until the GPU has reported a count
constexpr std::uint32_t kMostSlices = 128;       // maximum number of ranges in a sliced frame, without the spare ones
constexpr int kUnknownSkyBands = 4, kMostSkyBands = 16;

}  // namespace

void Renderer::frame(const Camera& camera, std::uint64_t frame, int lightRows)
{
    plan(camera, frame, lightRows, false);
    steps_.runAll();
}

void Renderer::begin(const Camera& camera, std::uint64_t frame, int lightRows)
{
    const double grows = std::max(double(lod_.scale(settings_)) / double(target_.scale()), 1.0);
    const bool known = progress_.sameButCamera(camera);
    plan(camera, frame, lightRows, !known || frameMs_ * grows * grows >= options_.sliceFromMs);
}

void Renderer::advance(double ms)
{
    if (!sliced_) return steps_.runAll();
    steps_.runSlice(ms);
    if (steps_.waiting()) return;
    frameMs_ = steps_.time().wholeMs();
    rangesMs_ = steps_.time().ms[std::size_t(StepKind::kGround)];
    skyMs_ = steps_.time().ms[std::size_t(StepKind::kSky)];
}

namespace {

// Returns the view for choosing tiles of imagery, whose texels may be half as wide as a pixel (imagery_tiles.glsl).
TileView finerView(TileView view)
{
    view.pixelsPerRadian *= 2;
    return view;
}

}  // namespace

// Determines all inputs of a frame now, on the CPU. The steps that it lists only submit GPU work.
void Renderer::plan(const Camera& camera, std::uint64_t frame, int lightRows, bool sliced)
{
    if (steps_.waiting()) lod_.cullAgain();  // the previous frame may have been abandoned before culling
    frame_ = frame;
    sliced_ = sliced;
    if (sliced) target_.scaleUp();  // panels are drawn over the last picture between the slices
    lod_.beginFrame(frame);

    // Inputs: size, tiles, and what has changed since the last frame.
    if (target_.scale() != lod_.scale(settings_))
        (void)!resize(target_.width(), target_.height());  // on error the old target stays
    const std::uint64_t uploadedBefore = terrain_->uploadedBytes();
    stats_.tiles.reset();
    updateTiles(camera);
    progress_.begin(camera, frame);
    stats_.scale = target_.scale();
    if (settings_.lod.frozen && !frozen_) frozen_ = camera;
    if (!settings_.lod.frozen) frozen_.reset();

    // Uniforms.
    terrain_->setHeightScale(settings_.terrain.heightScale);
    terrain_->setPatchLevel(settings_.patch.level);
    picture().cover().follow(options_.contourInterval, options_.viewHeights);
    const FrameView view = viewOf(camera);
    uniforms_ =
        frameUniforms(view, lod_.inEffect(settings_), *terrain_, tree_->mostLeaves(), lod_.triangleBudget(settings_));
    // Uses the threshold of the settings, not the one in effect: where a budget raises the latter, edges may be longer,
    // too.
    if (settings_.earth.detailEdge > 0)
        uniforms_.detailPerEdge = settings_.lod.errorPixels / settings_.earth.detailEdge;
    picture().setSky(world_->skyOver(view, settings_, *terrain_));
    uniforms_.exposure = picture().lookThrough(world_->airView(view, settings_, *terrain_));
    stats_.uploadBytes = world_->begin(view, settings_, *terrain_) + sizeof uniforms_ + sizeof(gpu::AirUniforms);
    glNamedBufferSubData(frameUniforms_.id(), 0, sizeof uniforms_, &uniforms_);

    // Light map, triangulation, checks of it, picture.
    steps_.begin([this] { bindAll(); });
    const int rows = lightRows > 0 ? lightRows : 1 << 20;
    const int rowsEach = sliced_ && lightRows > 0 ? std::min(kLightRowsPerStep, rows) : rows;
    for (int row = 0; row < rows; row += rowsEach)
        steps_.add(StepKind::kLight, [this, rowsEach] {
            if (terrain_->lightRowsLeft() == 0) return;
            (void)terrain_->updateLight(rowsEach);
            terrain_->bind();
        });
    std::optional<LodController::Slices> slices;
    if (sliced_) slices = {stats_.work.leaves, options_.sliceFromMs > 0 ? kLeavesPerStep : gpu::kLeafGroupSize};
    lod_.plan({frame, camera, target_.drawnWidth(), target_.drawnHeight(), shaderHash_}, settings_, *world_, *terrain_,
              *tree_, slices, steps_, timers_);
    stats_.settled = lod_.settled();
    if (checks_.validating())
        steps_.add(StepKind::kOther, timers_, GpuPass::kValidate,
                   [this, frame] { (void)!checks_.validate(*tree_, patch_, terrain_->squareSide(), frame); });
    planPicture(camera);
    steps_.add(StepKind::kOther, [this, frame, uploadedBefore] {
        {
            GpuTimerScope scope(timers_, GpuPass::kSky);
            target_.resolve(plane_.programs().program(sharpen_));
        }
        stats_.uploadBytes += terrain_->uploadedBytes() - uploadedBefore;
        tree_->endFrame(frame);
    });
}

// In the first picture, and after a jump until the tiles of the new place have come, nothing fades: there is no picture
// of that place to fade from.  The first picture of a place waits a little for its tiles: without them a software
// rasteriser would draw a whole frame that the next one replaces.
void Renderer::updateTiles(const Camera& camera)
{
    if (before_ && glm::length(camera.position - *before_) > world_->leastJump(camera.position, *terrain_))
        before_.reset();
    arrives_ = arrives_ || !before_;
    if (!before_) (void)settleTiles(camera, kJumpWait);
    const TileView view = world_->tileView(viewOf(camera), before_, settings_.terrain.heightScale);
    before_ = camera.position;
    const float fade = arrives_ ? 1.0f : options_.tileFade;
    bool rests = true;
    if (TiledHeights* tiles = terrain_->tiles())
    {
        tiles->update(view, fade);
        stats_.tiles = tiles->stats();
        rests = tiles->rests();
    }
    if (TiledColours* imagery = terrain_->imagery())
    {
        imagery->update(finerView(view), fade);
        rests = rests && imagery->rests();
    }
    arrives_ = arrives_ && !rests;
}

FrameView Renderer::viewOf(const Camera& camera) const
{
    return {*world_, camera, frozen_, target_.drawnWidth(), target_.drawnHeight()};
}

TileView Renderer::imageryView(const Camera& camera) const
{
    return finerView(world_->tileView(viewOf(camera), std::nullopt, settings_.terrain.heightScale));
}

bool Renderer::settleTiles(const Camera& camera, double seconds)
{
    if (!terrain_) return true;
    const TileView view = world_->tileView(viewOf(camera), before_, settings_.terrain.heightScale);
    bool settled = true;
    if (TiledHeights* tiles = terrain_->tiles())
    {
        settled = tiles->settle(view, seconds);
        stats_.tiles = tiles->stats();
    }
    if (TiledColours* imagery = terrain_->imagery()) settled = imagery->settle(finerView(view), seconds) && settled;
    return settled;
}

void Renderer::bindAll() const
{
    terrain_->bind();
    world_->bind();
    picture().bindAir();
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, frameUniforms_.id());
    tree_->bindForChecks();
    target_.bind();
}

// All compute passes come before the first draw.  A software rasteriser completes all earlier draws before a compute
// pass.  Without compute passes in between, it prepares a draw while it still fills the pixels of earlier ones.
void Renderer::planPicture(const Camera& camera)
{
    steps_.add(StepKind::kOther, timers_, GpuPass::kSky, [this] { picture().fillAir(); });
    if (picture().hasBorder(settings_))
        steps_.add(StepKind::kOther, timers_, GpuPass::kBorder, [this] {
            tree_->bindForChecks();
            picture().followRim(settings_);
            bindAll();
        });
    sliced_ ? planRanges() : steps_.add(StepKind::kGround, timers_, GpuPass::kDraw, [this] { drawGround(); });
    // Measures the ground in the depth buffer before anything else is drawn into that buffer.
    steps_.add(StepKind::kOther, [this, camera, frame = frame_] {
        drawn_ = camera;
        if (!checks_.measures(frame)) return;
        GpuTimerScope scope(timers_, GpuPass::kMeasure);
        const PictureView picture{target_, *terrain_, drawn_, FrameView::kNearPlane};
        checks_.afterDraw(picture, *tree_, patch_, std::max(stats_.work.visible, kUnknownVisible), frame);
        bindAll();
    });
    planSurroundings();
    if (!lines_.empty())
    {
        const FrameView view = viewOf(camera);
        lines_.begin(camera, world_->axesAt(camera.position), view.width, view.height, FrameView::kNearPlane);
        steps_.add(StepKind::kOther, timers_, GpuPass::kSky, [this] { lines_.draw(); });
    }
    if (frozen_ && !(*frozen_ == camera))
        steps_.add(StepKind::kOther, timers_, GpuPass::kSky,
                   [this, camera] { picture().drawFrustum(frozenFrustum(viewOf(camera), *terrain_)); });
}

void Renderer::drawGround()
{
    const DrawRanges ranges = restRanges({});
    tree_->listRanges(ranges);
    for (std::uint32_t range = 0; range < ranges.all(); ++range)
        drawRange(ranges, range);
}

// Appends spare ranges, enough for the largest number of leaves that the tree can have.
DrawRanges Renderer::restRanges(DrawRanges ranges) const
{
    const std::uint64_t most = tree_->mostLeaves(), listed = std::uint64_t(ranges.count) * ranges.leaves;
    ranges.restLeaves = patch_.leavesAtOnce();
    ranges.restCount = std::uint32_t((most - std::min(most, listed) + ranges.restLeaves - 1) / ranges.restLeaves);
    return ranges;
}

void Renderer::drawRange(const DrawRanges& ranges, std::uint32_t range)
{
    const bool marks = TerrainPicture::marksGround(settings_);
    picture().listHeights(settings_, *tree_, patch_, ranges, range);
    range == 0 ? target_.beginGround(marks) : target_.bindGround(marks);
    picture().drawGround(settings_, *terrain_, *tree_, patch_, range);
    bindAll();
}

// Chooses ranges of as many leaves as took kStepMs in the last sliced frame.  Only the GPU knows the current number of
// visible leaves, so some ranges are spare, and those after them take all the rest.
void Renderer::planRanges()
{
    const double visible = std::max(double(stats_.work.visible), 1.0);
    const bool known = rangesMs_ > 0 && stats_.work.visible > 0;
    const double most = known ? visible * kStepMs / rangesMs_ : kUnknownRangeLeaves;
    const double wanted = options_.sliceFromMs > 0 ? most : 1.0;
    const double least = 1.25 * visible / (kMostSlices - 2);
    const auto units = std::uint32_t(std::max(wanted, least) / DrawRanges::kUnit) + 1;
    DrawRanges ranges;
    ranges.leaves = std::min(units * DrawRanges::kUnit, patch_.leavesAtOnce());
    ranges.count = known ? std::uint32_t(1.25 * visible / ranges.leaves) + 2 : kMostSlices;
    ranges = restRanges(ranges);
    steps_.add(StepKind::kGround, [this, ranges] { tree_->listRanges(ranges); });
    for (std::uint32_t range = 0; range < ranges.all(); ++range)
        steps_.add(StepKind::kGround, timers_, GpuPass::kDraw, [this, ranges, range] { drawRange(ranges, range); });
}

void Renderer::planSurroundings()
{
    const int bands = skyMs_ > 0 ? std::clamp(int(skyMs_ / kStepMs) + 1, 1, kMostSkyBands) : kUnknownSkyBands;
    // Adds a draw that may cover the whole picture as one step per band of rows, from the bottom up.
    const auto banded = [this, bands](GpuPass pass, const std::function<void()>& work) {
        if (!sliced_) return steps_.add(StepKind::kSky, timers_, pass, work);
        // Bands begin at even rows, because shaders take differences within squares of 2 x 2 pixels.
        const auto start = [height = target_.drawnHeight(), bands](int band) {
            return band < bands ? height * band / bands & ~1 : height;
        };
        for (int band = 0; band < bands; ++band)
            steps_.add(StepKind::kSky, timers_, pass, [this, work, from = start(band), to = start(band + 1)] {
                glEnable(GL_SCISSOR_TEST);
                glScissor(0, from, target_.drawnWidth(), to - from);
                work();
                glDisable(GL_SCISSOR_TEST);
            });
    };
    if (target_.samples() > 1)
        steps_.add(StepKind::kOther, timers_, GpuPass::kShade, [this] { picture().findEdges(target_); });
    banded(GpuPass::kShade, [this] {
        target_.bind();
        picture().shadeGround(settings_, *terrain_, target_);
    });
    if (picture().hasBorder(settings_))
        banded(GpuPass::kBorder, [this] { picture().drawBorder(settings_, *terrain_, uniforms_); });
    banded(GpuPass::kSky, [this] { picture().drawSky(); });
    if (picture().hasWater(settings_, *terrain_))
        banded(GpuPass::kWater, [this] { picture().drawWater(settings_, *terrain_); });
}

std::optional<SkyAngles> Renderer::sun() const
{
    const glm::dvec3 sun(uniforms_.sunDirection);
    return glm::length(sun) > 0 ? std::optional(anglesOf(sun, {})) : std::nullopt;
}

// Discards the remaining steps; their picture would be outdated.
void Renderer::drop()
{
    steps_.drop();
    progress_.leaveScene();
    lod_.cullAgain();
}

void Renderer::leaveScene()
{
    progress_.leaveScene();
    lod_.leaveScene();
    stats_.settled = false;
}

}  // namespace orogen::app
