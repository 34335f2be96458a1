#include "app/render/renderer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace orogen::app {
namespace {

constexpr int kAnisotropy = 8;                            // hardware only; a software rasteriser pays for every tap
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

}  // namespace

ShaderDialect Renderer::dialect() const { return dialectOf(context_); }

bool Renderer::sameNames(const std::vector<ShaderDefine>& a, const std::vector<ShaderDefine>& b)
{
    const auto name = [](const ShaderDefine& define) { return define.name; };
    return std::ranges::equal(a, b, {}, name, name);
}

Renderer::Renderer(Context& context, const std::filesystem::path& dataRoot)
    : context_(context), root_(dataRoot), library_(dataRoot, dialectOf(context)),
      makeTree_(implicitTree(library_, context.info())), terrainPrograms_(library_),
      drawing_(dataRoot, dialectOf(context)), timers_(context.info().software), checks_(dataRoot, dialectOf(context)),
      looks_(dataRoot, dialectOf(context))
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

Status Renderer::setTerrain(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                            std::shared_ptr<TileCache> tiles)
{
    if (Status s = upload(raster, field, std::move(bounds), std::move(tiles), false); !s) return s;
    before_.reset();
    restart();
    return Status::ok();
}

Status Renderer::changeHeights(const Raster& raster, const HeightField& field, TerrainBounds bounds)
{
    if (Status s = upload(raster, field, std::move(bounds), nullptr, true); !s) return s;
    if (settings_.lod.frozen)
        cullInput_.reset();
    else
        restart();
    return Status::ok();
}

// Selects the variants of the programs that inspect the drawn frame.
Status Renderer::chooseForChecks(const std::vector<ShaderDefine>& choice)
{
    const Status checks = checks_.choose(choice), looks = looks_.choose(choice);
    return checks ? looks : checks;
}

// Selects the variants of all plane programs that read heights: tiles or image, with or without procedural detail.  On
// error the previous variants stay.
Status Renderer::choosePrograms(bool tiled, bool detail)
{
    const std::vector<ShaderDefine> before = library_.choice();
    std::vector<ShaderDefine> wanted;
    if (tiled) wanted.push_back({"OROGEN_TILES", "1"});
    if (detail) wanted.push_back({"OROGEN_DETAIL", "1"});
    if (sameNames(before, wanted) && !onEarth()) return Status::ok();
    const auto choose = [this](const std::vector<ShaderDefine>& choice) {
        library_.choose(choice);
        drawing_.choose(choice);
        const Status made = library_.finish(), checks = chooseForChecks(choice);
        return made ? checks : made;
    };
    const Status made = choose(wanted);
    if (!made) (void)choose(before);
    if (!made && onEarth()) (void)chooseForChecks(earthLibrary_->choice());
    shaderHash_ = programs().sourceHash();
    return made;
}

Status Renderer::upload(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                        std::shared_ptr<TileCache> tiles, bool keepsImage)
{
    Result<TerrainGpu> made =
        TerrainGpu::create(library_, terrainPrograms_, context_.limits(), raster, field, std::move(bounds));
    if (!made) return made.error();
    const bool tiled = tiles != nullptr, before = terrain_ && terrain_->tiles();
    if (tiled)
    {
        Result<TiledHeights> heights = TiledHeights::create(context_.limits(), raster, std::move(tiles));
        if (!heights) return heights.error();
        made->setTiles(std::make_unique<TiledHeights>(std::move(*heights)));
    }
    if (keepsImage && terrain_) made->setImage(terrain_->image());
    const bool detail = settings_.detailShown();
    Status ready = detail ? made->prepareDetail() : Status::ok();
    if (ready) ready = choosePrograms(tiled, detail);
    if (ready) ready = drawing_.prepare(settings_, &*made);
    if (ready) ready = drawing_.setBorder(field);
    if (ready && onEarth()) ready = takeTree(false);
    if (!ready)
    {
        if (onEarth())
            (void)chooseForChecks(earthLibrary_->choice());
        else
            (void)choosePrograms(before, terrain_ && detail);
        return ready;
    }
    if (!context_.info().software) made->setAnisotropy(kAnisotropy);
    drop();
    terrain_.emplace(std::move(*made));
    shaderHash_ = library_.sourceHash();
    checks_.forgetFrame();
    lightDone_ = false;
    return Status::ok();
}

Status Renderer::setImage(const DrapedPicture* draped)
{
    assert(!onEarth() && "images are draped over a plane");
    const std::shared_ptr<const DrapedImage> before = terrain_->image();
    std::shared_ptr<const DrapedImage> image;
    if (draped)
    {
        Result<DrapedImage> made = DrapedImage::create(context_, *draped);
        if (!made) return made.error();
        image = std::make_shared<const DrapedImage>(std::move(*made));
    }
    terrain_->setImage(std::move(image));
    const Status prepared = drawing_.prepare(settings_, &*terrain_);
    if (!prepared) terrain_->setImage(before);
    drop();
    return prepared;
}

void Renderer::showContoursEvery(double metres)
{
    if (std::exchange(contourInterval_, metres) != metres) ++version_;
    drawing_.setContourInterval(metres);
}

void Renderer::restart()
{
    drop();
    governor_.forget();
    tree_->reset();
    checks_.forgetFrame();
    lodInput_.reset();
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
    return onEarth() ? chooseOnEarth(wanted.detailShown()) : choosePrograms(terrain_->tiles(), wanted.detailShown());
}

Status Renderer::applyRest(const Settings& wanted)
{
    if (Status s = picture().prepare(wanted, terrain_ ? &*terrain_ : nullptr); !s) return s;
    Result<RenderTarget> target = RenderTarget();
    const bool other = wanted.render.scale != settings_.render.scale || !(wanted.budget == settings_.budget);
    const float scale = other ? wanted.render.scale : scaleInEffect();
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

    govern(wanted);
    if (newTarget) target_ = std::move(*target);
    if (patch) patch_ = std::move(*patch);
    if (newTree)
    {
        lodInput_.reset();  // the lists, culling and stable state are void
        cullInput_.reset();
    }
    settings_ = wanted;
    return Status::ok();
}

Status Renderer::resize(int width, int height)
{
    return target_.resize(context_.limits(), width, height, settings_.render.msaa, scaleInEffect(), keepsPicture_);
}

float Renderer::scaleInEffect() const
{
    return governor_.scaleLowered() ? float(governor_.scale()) : settings_.render.scale;
}

void Renderer::blank()
{
    const float dusk[4] = {0.055f, 0.065f, 0.085f, 1.0f};
    target_.begin();
    glClearBufferfv(GL_COLOR, 0, dusk);
    target_.resolve();
}

// Changed render settings change both the fixed and the per-triangle cost, so the governor starts over.  LOD settings
// only change the number of triangles.
void Renderer::govern(const Settings& wanted)
{
    const bool other = !(wanted.render == settings_.render) || wanted.patch.level != settings_.patch.level;
    if (other) governor_.forget();
    const bool byTime = wanted.budget.mode == BudgetMode::kFrameMs;
    governor_.setScale(byTime ? wanted.render.scale : 0.0);
    governor_.setTarget(byTime ? wanted.budget.value : 0.0);
}

void Renderer::tookTime(std::uint64_t frame, double ms)
{
    if (!timers_.hardware() || sliced_) paired_.time(frame, ms, governor_);
    if (!sliced_) frameMs_ = ms;
}

void Renderer::collect(std::uint64_t nanoseconds)
{
    while (const std::optional<Triangulation::Record> record = tree_->poll(nanoseconds))
    {
        stats_.work = record->work;
        stats_.workIsCurrent = record->work.frame >= figuresFrom_;
        roundChanges_ = record->roundChanges;
        if (observer_) observer_->work(record->work);
        paired_.triangles(record->work.frame, double(record->work.triangles), governor_);
        if (record->work.frame >= roundsFrom_) rounds_ = record->rounds;
        if (record->work.frame >= inputFrame_ && record->roundChanges == 0 && lodInput_) stats_.settled = true;
        nanoseconds = 0;
    }
    collectChecks();
    while (const std::optional<GpuTimes> times = timers_.poll())
    {
        stats_.gpuMs = times->ms;
        if (observer_) observer_->times(*times);
        const bool whole = times->wholeMs && !(sliced_ && times->frame == frame_);  // slices have gaps between them
        if (timers_.hardware() && whole) paired_.time(times->frame, *times->wholeMs, governor_);
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

void Renderer::collectChecks()
{
    while (std::optional<MeshVerdict> verdict = terrain_ ? checks_.pollVerdict(terrain_->squareSide()) : std::nullopt)
    {
        if (observer_) observer_->mesh(*verdict);
        if (verdict->frame >= figuresFrom_) stats_.mesh = std::move(verdict);
    }
    while (const std::optional<PixelFigures> error = checks_.pollErrors())
        if (error->frame >= figuresFrom_) stats_.error = error;
    while (const std::optional<PixelFigures> jump = checks_.pollJumps())
    {
        if (jump->frame >= figuresFrom_) stats_.jump = jump;
        largestJump_ = std::max(largestJump_.value_or(0.0), jump->largest);
    }
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
    if (Status s = checks_.measureError(drawnPicture(), *tree_, patch_, leavesInView(), frame_); !s) return s.error();
    bindAll();
    drawAround(drawn_);
    while (checks_.errorsInFlight() > 0)
    {
        const std::optional<PixelFigures> error = checks_.pollErrors(kCheckPatience);
        if (!error) return Error{ExitCode::kLimit, "the error could not be measured: the driver does not answer"};
        stats_.error = error;
    }
    return *stats_.error;
}

// Waits for the GPU.
std::uint32_t Renderer::leavesInView() const
{
    std::uint32_t leaves = 0;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(tree_->state().id(), offsetof(gpu::TreeState, drawInstances), sizeof leaves, &leaves);
    return leaves;
}

Result<PixelFigures> Renderer::judgeErrorNow(const HeightField& field)
{
    if (Status s = checks_.prepareErrors(); !s) return s.error();
    if (drawing()) steps_.runAll();
    bindForChecks();
    Result<std::vector<DrawnTriangle>> triangles = checks_.readMesh(*tree_, patch_, leavesInView());
    if (!triangles) return triangles.error();
    bindAll();
    JudgedPicture picture;
    picture.camera = drawn_;
    picture.width = target_.drawnWidth();
    picture.height = target_.drawnHeight();
    picture.nearPlane = kNearPlane;
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
    rounds_ = 0;
    roundsFrom_ = lodInput_ ? frame_ + 1 : frame_;
}

PictureView Renderer::drawnPicture() const { return {target_, *terrain_, drawn_, kNearPlane}; }

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
    return looks_.askLeaf(*tree_, *terrain_, place, question);
}

Status Renderer::askLeafOnEarth(const glm::dvec3& position, std::uint64_t question)
{
    bindForChecks();
    return looks_.askLeafOnEarth(*tree_, position, question);
}

Status Renderer::drawTopView(glm::dvec2 corner, double step, int side)
{
    if (onEarth()) return Error{ExitCode::kUsage, "earth: the view from above needs planar terrain"};
    bindForChecks();
    return looks_.drawTopView(*tree_, *terrain_, corner, step, side);
}

void Renderer::bindForChecks() const
{
    terrain_->bind();
    if (onEarth()) earthBlocks_->bind();
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, frameUniforms_.id());
}

// The hash triggers new rounds and culling; gradients and light map must be requested.
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
    with(looks_.reloadShaders());
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
    if (looks_.bytes() > 0) uses.push_back({"view from above", looks_.bytes()});
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
