// One frame of the renderer: its inputs and its steps.
#include <algorithm>
#include <utility>

#include <glm/geometric.hpp>

#include "app/render/renderer.h"

namespace orogen::app {
namespace {

constexpr int kLightRowsPerStep = 24;                // some 10 ms on two CPU cores
constexpr std::uint32_t kLeavesPerStep = 8192;       // marking them is the slowest pass: some 10 ms on two CPU cores
constexpr std::uint32_t kUnknownRangeLeaves = 4096;  // leaves of a range until ranges have been timed
constexpr std::uint32_t kUnknownVisible = 8192;      // minimum number of visible leaves that measurements expect
// Maximum of DrawRanges::count in a sliced frame, unless PatchMesh::leavesAtOnce() requires more ranges.
constexpr std::uint32_t kMostSlices = 128;

// Returns `seen` with the drawn pixels around it that scaling and sharpening mix into visible ones.
PicturePart withMixed(const PicturePart& seen, const RenderTarget& target)
{
    constexpr double kMixed = 3;  // pixels
    const double across = kMixed / target.drawnWidth(), up = kMixed / target.drawnHeight();
    return {std::max(seen.left - across, 0.0), std::max(seen.bottom - up, 0.0), std::min(seen.right + across, 1.0),
            std::min(seen.top + up, 1.0)};
}

}  // namespace

void Renderer::frame(const Camera& camera, std::uint64_t frame, int lightRows)
{
    begin(camera, frame, lightRows, Slicing::kNever);
    steps_.runAll();
}

// Determines all inputs of a frame now, on the CPU.  The added steps submit the GPU work.
void Renderer::begin(const Camera& camera, std::uint64_t frame, int lightRows, Slicing slicing)
{
    const double grows = std::max(double(lod_.scale(settings_)) / double(target_.scale()), 1.0);
    const bool known = progress_.sameButCamera(camera);
    const bool sliced =
        slicing == Slicing::kIfSlow && (!known || steps_.frameMs() * grows * grows >= options_.sliceFromMs);
    if (steps_.waiting()) lod_.cullAgain();  // the previous frame may have been abandoned before culling
    frame_ = frame;
    if (sliced) target_.scaleUp();  // panels are drawn over the last picture between the slices
    lod_.beginFrame(frame);

    // Inputs: size, tiles, and what has changed since the last frame.
    if (target_.scale() != lod_.scale(settings_))
        (void)!resize(target_.width(), target_.height());  // on error the old target stays
    const std::uint64_t uploadedBefore = terrain_->uploadedBytes();
    target_.see(withMixed(options_.seen, target_));
    tiles_.update(camera, options_.tileFade);
    progress_.begin(camera, frame);
    stats_.scale = target_.scale();
    if (settings_.lod.frozen && (!frozen_ || options_.followsFrozen)) frozen_ = camera;
    if (!settings_.lod.frozen) frozen_.reset();

    // Uniforms.
    terrain_->setHeightScale(settings_.terrain.heightScale);
    terrain_->heights().setPatchLevel(settings_.patch.level);
    TerrainPicture& picture = world_->picture();
    picture.cover().follow(options_.contourInterval, options_.viewHeights);
    const FrameView view = viewOf(camera);
    uniforms_ =
        frameUniforms(view, lod_.inEffect(settings_), *terrain_, tree_->mostLeaves(), lod_.triangleBudget(settings_));
    // Uses the threshold of the settings, not the one in effect: where a budget raises the threshold in effect, edges
    // may be longer, too.
    if (settings_.earth.detailEdge > 0)
        uniforms_.detailPerEdge = settings_.lod.errorPixels / settings_.earth.detailEdge;
    picture.setSky(world_->skyOver(view, settings_, *terrain_));
    uniforms_.exposure = picture.lookThrough(world_->airView(view, settings_, *terrain_));
    stats_.uploadBytes = world_->begin(view, settings_, *terrain_) + sizeof uniforms_ + sizeof(gpu::AirUniforms);
    glNamedBufferSubData(frameUniforms_.id(), 0, sizeof uniforms_, &uniforms_);

    // Light map, triangulation, validation of the mesh, picture.
    const auto enter = [this] {
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);  // earlier draws may still read maps that are written now
        bindAll();
        target_.clip();
    };
    steps_.begin(sliced, enter, [] { glDisable(GL_SCISSOR_TEST); });
    const int rows = lightRows > 0 ? lightRows : 1 << 20;
    const int rowsEach = sliced && lightRows > 0 ? std::min(kLightRowsPerStep, rows) : rows;
    for (int row = 0; row < rows; row += rowsEach)
        steps_.add(StepKind::kLight, [this, rowsEach] {
            if (terrain_->lightRowsLeft() == 0) return;
            (void)terrain_->updateLight(rowsEach);
            terrain_->bind();
        });
    std::optional<LodController::Slices> slices;
    if (sliced) slices = {stats_.work.leaves, options_.sliceFromMs > 0 ? kLeavesPerStep : gpu::kLeafGroupSize};
    lod_.plan({frame, camera, target_.drawnWidth(), target_.drawnHeight(), view.seen, shaderHash_}, settings_, *world_,
              *terrain_, *tree_, slices, steps_, timers_);
    stats_.settled = lod_.settled();
    if (checks_.validating())
        steps_.add(StepKind::kOther, timers_, GpuPass::kValidate,
                   [this, frame] { (void)!checks_.validate(*tree_, patch_, terrain_->squareSide(), frame); });
    planPicture(camera);
    steps_.add(StepKind::kOther, [this, frame, uploadedBefore] {
        {
            GpuTimerScope scope(timers_, GpuPass::kSky);
            world_->picture().scaleUp(target_);
        }
        stats_.uploadBytes += terrain_->uploadedBytes() - uploadedBefore;
        tree_->endFrame(frame);
    });
}

FrameView Renderer::viewOf(const Camera& camera) const
{
    return {*world_, camera, frozen_, target_.drawnWidth(), target_.drawnHeight(), withMixed(options_.seen, target_)};
}

void Renderer::bindAll() const
{
    terrain_->bind();
    world_->bind();
    world_->picture().bindAir();
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, frameUniforms_.id());
    tree_->bindForChecks();
    target_.bind();
}

// The compute passes for air and border come before the first draw.  A software rasteriser completes all earlier draws
// before a compute pass.  Without compute passes in between, it prepares a draw while it still fills the pixels of
// earlier ones.
void Renderer::planPicture(const Camera& camera)
{
    TerrainPicture& picture = world_->picture();
    steps_.add(StepKind::kOther, timers_, GpuPass::kSky, [&picture] { picture.fillAir(); });
    if (picture.hasBorder(settings_))
        steps_.add(StepKind::kOther, timers_, GpuPass::kBorder, [this, &picture] {
            tree_->bindForChecks();
            picture.followRim(settings_, *terrain_, uniforms_);
            bindAll();
        });
    steps_.sliced() ? planRanges() : steps_.add(StepKind::kGround, timers_, GpuPass::kDraw, [this] { drawGround(); });
    // Measures the ground in the depth buffer before anything else is drawn into that buffer.
    steps_.add(StepKind::kOther, [this, camera, frame = frame_] {
        drawn_ = camera;
        if (!checks_.measures(frame)) return;
        GpuTimerScope scope(timers_, GpuPass::kMeasure);
        const PictureView view{target_, *terrain_, drawn_, FrameView::kNearPlane};
        checks_.afterDraw(view, *tree_, patch_, std::max(stats_.work.visible, kUnknownVisible), frame);
        bindAll();
    });

    // Draws the land around the ground, then shades the pixels of both surfaces.
    const auto banded = [this](GpuPass pass, const std::function<void(Rows)>& work) {
        steps_.addBanded(timers_, pass, target_.drawnHeight(), [this, work](Rows rows) {
            target_.clip(rows.first, rows.end);
            work(rows);
            target_.clip();
        });
    };
    if (picture.hasLand(settings_))
        banded(GpuPass::kBorder,
               [this, &picture](Rows) { picture.drawLand(settings_, *terrain_, uniforms_, target_); });
    if (target_.samples() > 1)
        steps_.add(StepKind::kOther, timers_, GpuPass::kShade, [this, &picture] { picture.findEdges(target_); });
    banded(GpuPass::kShade, [this, &picture](Rows rows) {
        target_.bind();
        picture.shadeGround(settings_, *terrain_, target_, rows);
    });
    if (picture.hasWalls(settings_))
        banded(GpuPass::kBorder, [this, &picture](Rows) { picture.drawWalls(settings_, *terrain_); });
    banded(GpuPass::kSky, [&picture](Rows) { picture.drawSky(); });
    if (picture.hasWater(settings_, *terrain_))
        banded(GpuPass::kWater, [this, &picture](Rows) { picture.drawWater(settings_, *terrain_); });

    if (!lines_.empty())
    {
        const FrameView view = viewOf(camera);
        lines_.begin(camera, world_->axesAt(camera.position), view.width, view.height, FrameView::kNearPlane);
        steps_.add(StepKind::kOther, timers_, GpuPass::kSky, [this] { lines_.draw(); });
    }
    if (frozen_ && !(*frozen_ == camera))
        steps_.add(StepKind::kOther, timers_, GpuPass::kSky,
                   [this, &picture, camera] { picture.drawFrustum(frozenFrustum(viewOf(camera), *terrain_)); });
}

void Renderer::drawGround()
{
    DrawRanges ranges;
    ranges.coverRest(tree_->mostLeaves(), patch_.leavesAtOnce());
    tree_->listRanges(ranges);
    for (std::uint32_t range = 0; range < ranges.all(); ++range)
        drawRange(ranges, range);
}

void Renderer::drawRange(const DrawRanges& ranges, std::uint32_t range)
{
    const bool marks = TerrainPicture::marksGround(settings_);
    world_->picture().listHeights(settings_, *tree_, patch_, ranges, range);
    range == 0 ? target_.beginGround(marks) : target_.bindGround(marks);
    world_->picture().drawGround(settings_, *terrain_, *tree_, patch_, range);
    bindAll();
}

// Chooses ranges of as many leaves as took kStepMs in the last sliced frame.  Only the GPU knows the current number of
// visible leaves, so some ranges are spare, and further ranges cover all leaves beyond these.
void Renderer::planRanges()
{
    const double visible = std::max(double(stats_.work.visible), 1.0);
    const double rangesMs = steps_.wholeTime().ms[std::size_t(StepKind::kGround)];
    const bool known = rangesMs > 0 && stats_.work.visible > 0;
    const double most = known ? visible * FrameSteps::kStepMs / rangesMs : kUnknownRangeLeaves;
    const double wanted = options_.sliceFromMs > 0 ? most : 1.0;
    const double least = 1.25 * visible / (kMostSlices - 2);
    const auto units = std::uint32_t(std::max(wanted, least) / DrawRanges::kUnit) + 1;
    DrawRanges ranges;
    ranges.leaves = std::min(units * DrawRanges::kUnit, patch_.leavesAtOnce());
    ranges.count = known ? std::uint32_t(1.25 * visible / ranges.leaves) + 2 : kMostSlices;
    ranges.coverRest(tree_->mostLeaves(), patch_.leavesAtOnce());
    steps_.add(StepKind::kGround, [this, ranges] { tree_->listRanges(ranges); });
    for (std::uint32_t range = 0; range < ranges.all(); ++range)
        steps_.add(StepKind::kGround, timers_, GpuPass::kDraw, [this, ranges, range] { drawRange(ranges, range); });
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

// Changes of the terrain, and of the world (plane or Earth) that it belongs to.

Status Renderer::setTerrain(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                            std::shared_ptr<TileCache> tiles, std::shared_ptr<TileCache> imagery,
                            std::shared_ptr<const Surroundings> surroundings)
{
    if (Status s = plane_.programs().finish(); !s) return s;
    Result<TerrainGpu> made =
        TerrainGpu::create(context_, plane_.terrainPrograms(), raster, field, std::move(bounds), std::move(tiles));
    if (!made) return made.error();
    if (Status s = made->showImagery(context_.limits(), std::move(imagery)); !s) return s;
    const std::shared_ptr<const Surroundings> before = std::exchange(surroundings_, std::move(surroundings));
    if (Status s = show(plane_, std::move(made), &field); !s)
    {
        surroundings_ = before;
        return s;
    }
    tiles_.leavePlace();
    restart();
    return Status::ok();
}

Status Renderer::setEarth(std::shared_ptr<TileCache> tiles, std::shared_ptr<TileCache> imagery)
{
    if (!earth_)
    {
        Result<std::unique_ptr<EarthWorld>> made =
            EarthWorld::create(root_, plane_.programs().dialect(), context_.info());
        if (!made) return made.error();
        earth_ = std::move(*made);
    }
    Result<TerrainGpu> made = earth_->makeTerrain(context_.limits(), std::move(tiles));
    if (!made) return made.error();
    if (Status s = made->showImagery(context_.limits(), std::move(imagery)); !s) return s;
    if (Status s = show(*earth_, std::move(made), nullptr); !s) return s;
    tiles_.leavePlace();
    restart();
    return Status::ok();
}

Status Renderer::changeHeights(const Raster& raster, const HeightField& field, TerrainBounds bounds)
{
    Result<TerrainGpu> made = TerrainGpu::create(context_, plane_.terrainPrograms(), raster, field, std::move(bounds));
    if (made && terrain_) made->setImagery(terrain_->sharedImagery());
    if (Status s = show(plane_, std::move(made), &field); !s) return s;
    if (!settings_.lod.frozen) restart();
    return Status::ok();
}

// Shows a terrain in its world.  Creates a triangulation if there is none, or if another world was shown until now.
// `border`: height field whose size the border gets; null: no border.
Status Renderer::show(RenderWorld& world, Result<TerrainGpu> made, const HeightField* border)
{
    if (!made) return made.error();
    const bool enters = &world != world_ || !tree_, detail = settings_.detailShown();
    std::unique_ptr<Triangulation> newTree;
    Status ready = detail ? made->prepareDetail() : Status::ok();
    if (ready) ready = prepareErrors(*made, options_.awaitsErrors, settings_);
    if (ready) ready = choosePrograms(world, made->heights(), detail);
    if (ready) ready = world.picture().prepare(settings_, *made);
    if (ready && border) ready = world.picture().setBorder(*border, surroundings_.get());
    if (ready && enters)
    {
        Result<std::unique_ptr<Triangulation>> tree = world.makeTree(context_.limits(), settings_);
        if (tree)
            newTree = std::move(*tree);
        else
            ready = tree.error();
    }
    if (!ready)
    {
        if (terrain_) (void)choosePrograms(*world_, terrain_->heights(), detail);
        return ready;
    }
    drop();
    if (enters)
    {
        if (world_ != &world) world_->picture().clearBorder();
        world_ = &world;
        tree_ = std::move(newTree);
    }
    terrain_.emplace(std::move(*made));
    shaderHash_ = world_->programs().sourceHash();
    checks_.forgetFrame();
    return Status::ok();
}

// Selects the variants of all programs of a world that read heights, including the programs that inspect the drawn
// frame.  On error the previous variants stay.
Status Renderer::choosePrograms(RenderWorld& world, const HeightStore& heights, bool detail)
{
    const std::vector<ShaderDefine> before = world.programs().choice();
    const std::vector<ShaderDefine> wanted = world.choice(heights.choice(), detail);
    if (before == wanted && &world == &checks_.world()) return Status::ok();
    const auto choose = [&](RenderWorld& of, const std::vector<ShaderDefine>& choice) {
        const Status made = of.choose(choice), checks = checks_.choose(of), inspector = inspector_.choose(of);
        return !made ? made : !checks ? checks : inspector;
    };
    const Status made = choose(world, wanted);
    if (!made)
    {
        (void)choose(world, before);
        if (&world != world_) (void)choose(*world_, world_->programs().choice());
    }
    shaderHash_ = world_->programs().sourceHash();
    return made;
}

Status Renderer::setImagery(std::shared_ptr<TileCache> imagery)
{
    const std::shared_ptr<TiledColours> before = terrain_->sharedImagery();
    if (Status s = terrain_->showImagery(context_.limits(), std::move(imagery)); !s) return s;
    const Status prepared = world_->picture().prepare(settings_, *terrain_);
    if (!prepared) terrain_->setImagery(before);
    tiles_.imageryReplaced();
    drop();
    return prepared;
}

}  // namespace orogen::app
