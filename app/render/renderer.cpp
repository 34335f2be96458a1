#include "app/render/renderer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orogen::app {
namespace {

ShaderDialect dialectOf(const Context& context)
{
    ShaderDialect dialect;
    dialect.glsl460 = context.info().glsl460;
    return dialect;
}

// Checks the limits that the shaders assume.  OpenGL guarantees all of them except storage blocks in vertex shaders.
Status checkLimits(const Limits& limits)
{
    const struct
    {
        int has, needed;
        const char* what;
    } rows[] = {
        {limits.vertexStorageBlocks, 2, "storage blocks for vertex shaders"},
        {limits.computeStorageBlocks, int(gpu::kStorageBindings), "storage blocks for compute shaders"},
        {limits.storageBindings, int(gpu::kStorageBindings), "binding points for storage buffers"},
        {limits.workGroupInvocations, int(gpu::kReduceGroupSize), "threads for a work group"},
    };
    for (const auto& row : rows)
        if (row.has < row.needed)
            return Error{ExitCode::kLimit,
                         fmt::format("this driver has {} {}, expected at least {}", row.has, row.what, row.needed)};
    return Status::ok();
}

}  // namespace

Renderer::Renderer(Context& context, const std::filesystem::path& dataRoot)
    : context_(context), root_(dataRoot), plane_(dataRoot, dialectOf(context), context.info()),
      lines_(dataRoot, dialectOf(context)), timers_(context.info().software),
      checks_(dataRoot, plane_, stats_, [this] { return lastFrame(); }),
      inspector_(dataRoot, plane_, [this] { return lastFrame(); }),
      tiles_({settings_, terrain_, stats_, [this](const Camera& camera) { return viewOf(camera); }}),
      progress_({settings_, options_, lines_, terrain_, tree_, target_, lod_, steps_, checks_, stats_})
{
}

Result<std::unique_ptr<Renderer>> Renderer::create(Context& context, const std::filesystem::path& dataRoot,
                                                   const Settings& settings, World first)
{
    if (Status s = checkLimits(context.limits()); !s) return s.error();
    if (Status s = checkSamples(context.limits(), settings.render.msaa); !s) return s.error();
    std::unique_ptr<Renderer> renderer(new Renderer(context, dataRoot));
    if (first == World::kPlane)
    {
        renderer->plane_.compileAhead(settings);
        if (Status s = renderer->plane_.programs().finish(); !s) return s.error();
        renderer->shaderHash_ = renderer->plane_.programs().sourceHash();
        Result<std::unique_ptr<Triangulation>> tree = renderer->plane_.makeTree(context.limits(), settings);
        if (!tree) return tree.error();
        renderer->tree_ = std::move(*tree);
    }
    const gpu::FrameUniforms nothing{};  // passes before the first frame need defined values
    Result<Buffer> uniforms = makeBuffer("frame uniforms", sizeof nothing, GL_DYNAMIC_STORAGE_BIT, &nothing);
    if (!uniforms) return uniforms.error();
    renderer->frameUniforms_ = std::move(*uniforms);
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, renderer->frameUniforms_.id());
    Result<PatchMesh> patch = PatchMesh::create(settings.patch.level, settings.cbt.leafCapacity);
    if (!patch) return patch.error();
    renderer->patch_ = std::move(*patch);
    renderer->settings_ = settings;
    renderer->stats_.gpuTimerIsHardware = renderer->timers_.hardware();
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    return renderer;
}

void Renderer::restart()
{
    drop();
    lod_.restart();
    tree_->reset();
    checks_.forgetFrame();
    frozen_.reset();
}

// Replaces target, patch and settings only after all steps that can fail.  An error restores programs, colour ramp, air
// and tile budgets.  The tree comes last, as its resize either succeeds or changes nothing.
Status Renderer::apply(const Settings& asked)
{
    Settings wanted = asked;
    if (Status s = checkSamples(context_.limits(), wanted.render.msaa); !s) return s;
    HeightStore* const heights = terrain_ ? &terrain_->heights() : nullptr;
    if (terrain_)
        if (Status s = prepareErrors(*terrain_, options_.awaitsErrors, wanted); !s) return s;
    if (terrain_ && wanted.detailShown())
        if (Status s = terrain_->prepareDetail(); !s) return s;
    if (terrain_)
        if (Status s = choosePrograms(*world_, *heights, wanted.detailShown()); !s) return s;
    const auto undone = [&](const Status& error) {
        if (!terrain_) return error;
        (void)choosePrograms(*world_, *heights, settings_.detailShown());
        (void)world_->picture().prepare(settings_, *terrain_);
        return error;
    };
    if (terrain_)
        if (Status s = world_->picture().prepare(wanted, *terrain_); !s) return undone(s);
    Result<RenderTarget> target = RenderTarget();
    const bool other = wanted.render.scale != settings_.render.scale || !(wanted.budget == settings_.budget);
    const float scale = other ? wanted.render.scale : lod_.scale(settings_);
    const bool newTarget =
        target_.samples() != 0 && (target_.samples() != wanted.render.msaa || target_.scale() != scale);
    if (newTarget)
    {
        target = target_.resized(context_.limits(), target_.width(), target_.height(), wanted.render.msaa, scale,
                                 target_.apart());
        if (!target) return undone(target.error());
    }
    std::optional<PatchMesh> patch;
    if (patch_.level() != wanted.patch.level || patch_.leaves() != wanted.cbt.leafCapacity)
    {
        Result<PatchMesh> made = PatchMesh::create(wanted.patch.level, wanted.cbt.leafCapacity);
        if (!made) return undone(made.error());
        patch.emplace(std::move(*made));
    }
    const int depth = world_->depth(wanted);
    const bool newTree = tree_ && (depth != tree_->depth() || wanted.cbt.leafCapacity != tree_->capacity());
    const bool newBudget = wanted.terrain.tileBudget != settings_.terrain.tileBudget && heights;
    if (newBudget)
        if (Status s = heights->setBudget(std::uint64_t(wanted.terrain.tileBudget) << 20); !s) return undone(s);
    const auto backToOldBudget = [&] {
        if (newBudget) (void)heights->setBudget(std::uint64_t(settings_.terrain.tileBudget) << 20);
    };
    TiledColours* const imagery = terrain_ ? terrain_->imagery() : nullptr;
    if (imagery && wanted.imagery.tileBudget != settings_.imagery.tileBudget)
        if (Status s = imagery->setBudget(std::uint64_t(wanted.imagery.tileBudget) << 20); !s)
        {
            backToOldBudget();
            return undone(s);
        }
    if (Status s = tree_ ? tree_->resize(depth, wanted.cbt.leafCapacity) : Status::ok(); !s)
    {
        backToOldBudget();
        if (imagery) (void)imagery->setBudget(std::uint64_t(settings_.imagery.tileBudget) << 20);
        return undone(s);
    }

    lod_.apply(settings_, wanted);
    if (newTarget) target_ = std::move(*target);
    if (patch) patch_ = std::move(*patch);
    if (newTree) lod_.treeReplaced();
    settings_ = wanted;
    return Status::ok();
}

Status Renderer::resize(int width, int height)
{
    return target_.resize(context_.limits(), width, height, settings_.render.msaa, lod_.scale(settings_),
                          options_.keepsPicture);
}

void Renderer::recordCpuTime(std::uint64_t frame, double ms)
{
    if (!timers_.hardware() || steps_.sliced()) lod_.recordTime(frame, ms);
    if (!steps_.sliced()) steps_.recordFrame(ms);
}

void Renderer::collect(std::uint64_t nanoseconds)
{
    const auto recordOf = [this](std::uint64_t frame) {
        return options_.history ? options_.history->find(frame) : nullptr;
    };
    while (const std::optional<Triangulation::Record> record = tree_ ? tree_->poll(nanoseconds) : std::nullopt)
    {
        stats_.work = record->work;
        stats_.workIsCurrent = record->work.frame >= progress_.figuresFrom();
        if (FrameRecord* late = recordOf(record->work.frame)) late->work = record->work;
        lod_.record(*record);
        stats_.settled = lod_.settled();
        nanoseconds = 0;
    }
    checks_.collect(options_.history);
    while (const std::optional<GpuTimes> times = timers_.poll())
    {
        stats_.gpu = *times;
        if (FrameRecord* late = recordOf(times->frame)) late->gpu = *times;
        const bool whole =
            times->wholeMs && !(steps_.sliced() && times->frame == frame_);  // time would include gaps between slices
        if (timers_.hardware() && whole) lod_.recordTime(times->frame, *times->wholeMs);
    }
    stats_.glErrors = context_.debug().errors();
}

Result<RenderTarget> Renderer::scaledSample() const
{
    constexpr int kSide = 21;  // pixels; no power of two when scaled, as no common size of a window is one
    Result<RenderTarget> sample =
        RenderTarget::create(context_.limits(), kSide, kSide, 1, float(kMiddleScale), target_.apart());
    if (!sample) return sample;
    world_->picture().scaleUp(*sample);
    sample->scaleUp();
    return sample;
}

DrawnFrame Renderer::lastFrame()
{
    steps_.runAll();
    bindAll();
    const auto drawRest = [this] {
        const TerrainPicture& picture = world_->picture();
        if (picture.hasLand(settings_)) picture.drawLand(settings_, *terrain_, uniforms_, target_);
        picture.findEdges(target_);
        bindAll();
        picture.shadeGround(settings_, *terrain_, target_, {0, target_.drawnHeight()});
        if (picture.hasWalls(settings_)) picture.drawWalls(settings_, *terrain_);
        picture.drawSky();
        if (picture.hasWater(settings_, *terrain_)) picture.drawWater(settings_, *terrain_);
        if (!lines_.empty()) lines_.draw();
        if (frozen_ && !(*frozen_ == drawn_)) picture.drawFrustum(frozenFrustum(viewOf(drawn_), *terrain_));
        picture.scaleUp(target_);
        glDisable(GL_SCISSOR_TEST);
    };
    return {.number = frame_,
            .view = {target_, *terrain_, drawn_, FrameView::kNearPlane},
            .tree = *tree_,
            .patch = patch_,
            .settings = settings_,
            .history = options_.history,
            .drawGround = [this] { drawGround(); },
            .drawRest = drawRest};
}

// A changed shaderHash_ makes the next frame run rounds and cull again.  Gradients and light map need deriveAgain().
ReloadReport Renderer::reloadShaders()
{
    ReloadReport report = plane_.reloadShaders();
    const auto with = [&report](const ReloadReport& other) {
        report.replaced += other.replaced;
        report.failed += other.failed;
        report.log += other.log;
    };
    if (earth_) with(earth_->reloadShaders());
    with(checks_.reloadShaders());
    with(inspector_.reloadShaders());
    with(lines_.reloadShaders());
    const std::uint64_t hash = world_->programs().sourceHash();
    if (steps_.waiting()) drop();
    progress_.forget();  // redraws; leaves are culled again if their programs changed
    if (std::exchange(shaderHash_, hash) != hash && terrain_) terrain_->deriveAgain();
    return report;
}

std::uint64_t Renderer::sourceHash() const
{
    const std::uint64_t picture = world_->picture().sourceHash(settings_, terrain_ ? &*terrain_ : nullptr);
    return (shaderHash_ * 31 + picture) * 31 + lines_.sourceHash();
}

std::vector<BufferUse> Renderer::memory() const
{
    std::vector<BufferUse> uses;
    if (tree_) uses = tree_->memory();
    if (terrain_)
        for (BufferUse& use : terrain_->memory())
            uses.push_back(std::move(use));
    if (const std::uint64_t bytes = world_->picture().bytes(); bytes > 0) uses.push_back({"border", bytes});
    uses.push_back({"heights of vertices", patch_.bytes()});
    uses.push_back({"frame", target_.bytes()});
    if (checks_.bytes() > 0) uses.push_back({"checks", checks_.bytes()});
    if (lines_.bytes() > 0) uses.push_back({"lines on the ground", lines_.bytes()});
    if (inspector_.bytes() > 0) uses.push_back({"view from above", inspector_.bytes()});
    return uses;
}

std::uint64_t totalBytes(const std::vector<BufferUse>& uses)
{
    std::uint64_t bytes = 0;
    for (const BufferUse& use : uses)
        bytes += use.bytes;
    return bytes;
}

}  // namespace orogen::app
