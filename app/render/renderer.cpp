#include "app/render/renderer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orogen::app {
namespace {

constexpr std::uint64_t kCheckPatience = 60'000'000'000;  // nanoseconds; a software rasteriser is slow

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

// Waits for the GPU.
std::uint32_t leavesInView(const Triangulation& tree)
{
    std::uint32_t leaves = 0;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(tree.state().id(), offsetof(gpu::TreeState, drawInstances), sizeof leaves, &leaves);
    return leaves;
}

}  // namespace

Renderer::Renderer(Context& context, const std::filesystem::path& dataRoot)
    : context_(context), root_(dataRoot), library_(dataRoot, dialectOf(context)),
      sharpen_(library_.add("sharpen", {"shaders/shading/sharpen.comp"})),
      makeTree_(implicitTree(library_, context.info())), terrainPrograms_(library_),
      drawing_(dataRoot, dialectOf(context)), timers_(context.info().software), checks_(dataRoot, dialectOf(context)),
      inspector_(dataRoot, dialectOf(context))
{
}

Result<std::unique_ptr<Renderer>> Renderer::create(Context& context, const std::filesystem::path& dataRoot,
                                                   const Settings& settings)
{
    if (Status s = checkLimits(context.limits()); !s) return s.error();
    if (Status s = checkSamples(context.limits(), settings.render.msaa); !s) return s.error();
    std::unique_ptr<Renderer> renderer(new Renderer(context, dataRoot));
    if (Status s = renderer->library_.finish(); !s) return s.error();
    if (Status s = renderer->drawing_.prepare(settings, nullptr); !s) return s.error();
    renderer->shaderHash_ = renderer->library_.sourceHash();
    Result<std::unique_ptr<Triangulation>> tree =
        renderer->makeTree_(context.limits(), settings.cbt.depth, settings.cbt.leafCapacity);
    if (!tree) return tree.error();
    renderer->tree_ = std::move(*tree);
    const gpu::FrameUniforms nothing{};  // defined values for passes before the first frame
    Result<Buffer> uniforms = makeBuffer("frame uniforms", sizeof nothing, GL_DYNAMIC_STORAGE_BIT, &nothing);
    if (!uniforms) return uniforms.error();
    renderer->frameUniforms_ = std::move(*uniforms);
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, renderer->frameUniforms_.id());
    Result<PatchMesh> patch = PatchMesh::create(settings.patch.level);
    if (!patch) return patch.error();
    renderer->patch_ = std::move(*patch);
    renderer->settings_ = settings;
    renderer->stats_.gpuTimerIsHardware = renderer->timers_.hardware();
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    return renderer;
}

void Renderer::showContoursEvery(double metres)
{
    if (std::exchange(contourInterval_, metres) != metres) ++version_;
    drawing_.setContourInterval(metres);
}

void Renderer::restart()
{
    drop();
    lod_.restart();
    tree_->reset();
    checks_.forgetFrame();
    cullInput_.reset();
    frozen_.reset();
}

// Performs all steps that can fail before it replaces anything.  The tree comes last, as its resize either succeeds or
// changes nothing.
Status Renderer::apply(const Settings& wanted)
{
    if (Status s = checkSamples(context_.limits(), wanted.render.msaa); !s) return s;
    if (Status s = applyDetail(wanted); !s) return s;
    const Status applied = applyRest(wanted);
    if (!applied) (void)applyDetail(settings_);
    return applied;
}

Status Renderer::applyDetail(const Settings& wanted)
{
    if (!terrain_) return Status::ok();
    if (wanted.detailShown())
        if (Status s = terrain_->prepareDetail(); !s) return s;
    return choosePrograms(onEarth(), terrain_->tiles(), wanted.detailShown());
}

Status Renderer::applyRest(const Settings& wanted)
{
    if (Status s = picture().prepare(wanted, terrain_ ? &*terrain_ : nullptr); !s) return s;
    Result<RenderTarget> target = RenderTarget();
    const bool other = wanted.render.scale != settings_.render.scale || !(wanted.budget == settings_.budget);
    const float scale = other ? wanted.render.scale : lod_.scale(settings_);
    const bool newTarget =
        target_.samples() != 0 && (target_.samples() != wanted.render.msaa || target_.scale() != scale);
    if (newTarget)
    {
        target = target_.resized(context_.limits(), target_.width(), target_.height(), wanted.render.msaa, scale,
                                 target_.apart());
        if (!target) return target.error();
    }
    std::optional<PatchMesh> patch;
    if (patch_.level() != wanted.patch.level)
    {
        Result<PatchMesh> made = PatchMesh::create(wanted.patch.level);
        if (!made) return made.error();
        patch.emplace(std::move(*made));
    }
    const int depth = onEarth() ? wanted.earth.depth : wanted.cbt.depth;
    const bool newTree = depth != tree_->depth() || wanted.cbt.leafCapacity != tree_->capacity();
    const bool newBudget = wanted.terrain.tileBudget != settings_.terrain.tileBudget && terrain_ && terrain_->tiles();
    if (newBudget)
        if (Status s = terrain_->tiles()->setBudget(std::uint64_t(wanted.terrain.tileBudget) << 20); !s) return s;
    if (Status s = tree_->resize(depth, wanted.cbt.leafCapacity); !s)
    {
        if (newBudget) (void)terrain_->tiles()->setBudget(std::uint64_t(settings_.terrain.tileBudget) << 20);
        return s;
    }

    lod_.apply(settings_, wanted);
    if (newTarget) target_ = std::move(*target);
    if (patch) patch_ = std::move(*patch);
    if (newTree)
    {
        lod_.treeReplaced();
        cullInput_.reset();
    }
    settings_ = wanted;
    return Status::ok();
}

Status Renderer::resize(int width, int height)
{
    return target_.resize(context_.limits(), width, height, settings_.render.msaa, lod_.scale(settings_),
                          options_.keepsPicture);
}

void Renderer::blank()
{
    const float dusk[4] = {0.055f, 0.065f, 0.085f, 1.0f};
    target_.begin();
    glClearBufferfv(GL_COLOR, 0, dusk);
    target_.resolve();
}

void Renderer::recordCpuTime(std::uint64_t frame, double ms)
{
    if (!timers_.hardware() || sliced_) lod_.recordTime(frame, ms);
    if (!sliced_) frameMs_ = ms;
}

void Renderer::collect(std::uint64_t nanoseconds)
{
    while (const std::optional<Triangulation::Record> record = tree_->poll(nanoseconds))
    {
        stats_.work = record->work;
        stats_.workIsCurrent = record->work.frame >= figuresFrom_;
        if (options_.observer) options_.observer->work(record->work);
        lod_.record(*record);
        stats_.settled = lod_.settled();
        nanoseconds = 0;
    }
    while (std::optional<MeshVerdict> verdict = terrain_ ? checks_.pollVerdict(terrain_->squareSide()) : std::nullopt)
    {
        if (options_.observer) options_.observer->mesh(*verdict);
        if (verdict->frame >= figuresFrom_) stats_.mesh = std::move(verdict);
    }
    while (const std::optional<PixelFigures> error = checks_.pollErrors())
        if (error->frame >= figuresFrom_) stats_.error = error;
    while (const std::optional<PixelFigures> jump = checks_.pollJumps())
    {
        if (jump->frame >= figuresFrom_) stats_.jump = jump;
        largestJump_ = std::max(largestJump_.value_or(0.0), jump->largest);
    }
    while (const std::optional<GpuTimes> times = timers_.poll())
    {
        stats_.gpuMs = times->ms;
        if (options_.observer) options_.observer->times(*times);
        const bool whole = times->wholeMs && !(sliced_ && times->frame == frame_);  // slices have gaps between them
        if (timers_.hardware() && whole) lod_.recordTime(times->frame, *times->wholeMs);
    }
    stats_.glErrors = context_.debug().errors();
}

Status Renderer::validateEachFrame(bool on)
{
    if (on)
        if (Status s = checks_.prepareValidation(); !s) return s;
    checks_.validateEachFrame(on);
    stats_.mesh.reset();
    return Status::ok();
}

Status Renderer::measureErrorsEvery(int frames)
{
    if (frames > 0)
        if (Status s = checks_.prepareErrors(); !s) return s;
    checks_.measureErrorsEvery(frames);
    stats_.error.reset();
    return Status::ok();
}

Result<PixelFigures> Renderer::measureErrorNow()
{
    if (Status s = checks_.prepareErrors(); !s) return s.error();
    if (drawing()) steps_.runAll();
    bindForChecks();
    drawGround();  // redrawn: other parts have written to the depth
    const PictureView view{target_, *terrain_, drawn_, FrameView::kNearPlane};
    if (Status s = checks_.measureError(view, *tree_, patch_, leavesInView(*tree_), frame_); !s) return s.error();
    bindAll();
    if (!onEarth()) picture().drawBorder(settings_, *terrain_);
    picture().drawSky();
    if (picture().hasWater(settings_, *terrain_)) picture().drawWater(settings_, *terrain_);
    if (frozen_ && !(*frozen_ == drawn_)) picture().drawFrustum(frozenFrustum(viewOf(drawn_), *terrain_));
    target_.resolve(library_.program(sharpen_));
    while (checks_.errorsInFlight() > 0)
    {
        const std::optional<PixelFigures> error = checks_.pollErrors(kCheckPatience);
        if (!error) return Error{ExitCode::kLimit, "the error could not be measured: the driver does not answer"};
        stats_.error = error;
    }
    return *stats_.error;
}

Result<PixelFigures> Renderer::judgeErrorNow(const HeightField& field)
{
    if (Status s = checks_.prepareErrors(); !s) return s.error();
    if (drawing()) steps_.runAll();
    bindForChecks();
    Result<std::vector<DrawnTriangle>> triangles = checks_.readMesh(*tree_, patch_, leavesInView(*tree_));
    if (!triangles) return triangles.error();
    bindAll();
    JudgedPicture picture;
    picture.camera = drawn_;
    picture.width = target_.drawnWidth();
    picture.height = target_.drawnHeight();
    picture.nearPlane = FrameView::kNearPlane;
    picture.samplePlace = target_.samplePlace();
    if (!onEarth()) picture.raster = terrain_->extent().size;
    picture.triangles = *triangles;
    PixelFigures figures = judgeError(picture, finestGround(*terrain_, drawn_, settings_, field));
    figures.frame = frame_;
    return figures;
}

Status Renderer::measureJumps(bool on)
{
    if (on)
        if (Status s = checks_.prepareJumps(); !s) return s;
    checks_.measureJumps(on);
    stats_.jump.reset();
    largestJump_.reset();
    return Status::ok();
}

std::optional<double> Renderer::takeLargestJump()
{
    while (checks_.jumpsInFlight() > 0)
    {
        const std::optional<PixelFigures> jump = checks_.pollJumps(kCheckPatience);
        if (!jump) break;
        stats_.jump = jump;
        largestJump_ = std::max(largestJump_.value_or(0.0), jump->largest);
    }
    return std::exchange(largestJump_, std::nullopt);
}

void Renderer::countRoundsAnew()
{
    tree_->countRoundsAnew();
    lod_.countRoundsAnew(frame_);
}

Result<MeshVerdict> Renderer::validateNow()
{
    if (Status s = checks_.prepareValidation(); !s) return s.error();
    collect();
    bindForChecks();
    checks_.validate(*tree_, patch_, frame_);
    if (const std::optional<Error> error = checks_.takeError()) return *error;
    std::optional<MeshVerdict> newest;
    while (checks_.verdictsInFlight() > 0)
    {
        std::optional<MeshVerdict> verdict = checks_.pollVerdict(terrain_->squareSide(), kCheckPatience);
        if (!verdict) return Error{ExitCode::kLimit, "the mesh could not be validated: the driver does not answer"};
        newest = std::move(verdict);
    }
    if (!newest) return Error{ExitCode::kLimit, "the mesh could not be validated: too many checks in flight"};
    return *newest;
}

Status Renderer::askLeaf(glm::dvec2 place, std::uint64_t question)
{
    if (onEarth()) return Status::ok();  // use askLeafOnEarth() there
    bindForChecks();
    return inspector_.askLeaf(*tree_, *terrain_, place, question);
}

Status Renderer::askLeafOnEarth(const glm::dvec3& position, std::uint64_t question)
{
    bindForChecks();
    return inspector_.askLeafOnEarth(*tree_, position, question);
}

Status Renderer::drawTopView(glm::dvec2 corner, double step, int side)
{
    if (onEarth()) return Error{ExitCode::kUsage, "earth: the view from above needs planar terrain"};
    bindForChecks();
    return inspector_.drawTopView(*tree_, *terrain_, corner, step, side);
}

void Renderer::bindForChecks() const
{
    terrain_->bind();
    if (onEarth()) earthBlocks_->bind();
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, frameUniforms_.id());
}

// A changed hash triggers new rounds and culling.  Gradients and light map are recomputed explicitly.
ReloadReport Renderer::reloadShaders()
{
    ReloadReport report = library_.reload();
    const auto with = [&report](const ReloadReport& other) {
        report.replaced += other.replaced;
        report.failed += other.failed;
        report.log += other.log;
    };
    with(drawing_.reloadShaders());
    if (earthLibrary_) with(earthLibrary_->reload());
    if (earthDrawing_) with(earthDrawing_->reloadShaders());
    with(checks_.reloadShaders());
    with(inspector_.reloadShaders());
    const std::uint64_t hash = programs().sourceHash();
    if (drawing()) drop();
    picture_.reset();  // redraws; leaves are culled again if their programs changed
    ++version_;
    if (std::exchange(shaderHash_, hash) != hash && terrain_)
    {
        terrain_->deriveAgain();
        lightDone_ = false;
    }
    return report;
}

std::uint64_t Renderer::sourceHash() const
{
    return shaderHash_ * 31 + picture().sourceHash(settings_, terrain_ ? &*terrain_ : nullptr);
}

std::vector<BufferUse> Renderer::memory() const
{
    std::vector<BufferUse> uses = tree_->memory();
    if (terrain_)
        for (BufferUse& use : terrain_->memory())
            uses.push_back(std::move(use));
    if (drawing_.bytes() > 0) uses.push_back({"border", drawing_.bytes()});
    uses.push_back({"frame", target_.bytes()});
    if (checks_.bytes() > 0) uses.push_back({"checks", checks_.bytes()});
    if (inspector_.bytes() > 0) uses.push_back({"view from above", inspector_.bytes()});
    return uses;
}

std::uint64_t Renderer::memoryBytes() const
{
    std::uint64_t bytes = 0;
    for (const BufferUse& use : memory())
        bytes += use.bytes;
    return bytes;
}

}  // namespace orogen::app
