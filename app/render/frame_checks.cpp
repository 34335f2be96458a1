#include "app/render/frame_checks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "app/render/frame_steps.h"
#include "app/render/ground_judge.h"
#include "core/leb/cube_leaf.h"
#include "core/leb/leb.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {
namespace {

constexpr std::uint64_t kTallyBytes = sizeof(gpu::PixelTally) + gpu::kTallyBins * sizeof(std::uint32_t);
constexpr int kGroupSide = 8;                        // local size of the measuring shaders
constexpr std::uint64_t kPatience = 60'000'000'000;  // longest wait (nanoseconds); a software rasteriser is slow

// Returns the value at the middle of a histogram bin.  Bin 0 holds values that count as zero.
double valueOf(std::size_t bin)
{
    if (bin == 0) return 0.0;
    return double(std::bit_cast<float>(std::uint32_t((gpu::kTallyFirstStep + bin - 1) << 16 | 0x8000u)));
}

// Sets the transform from positions relative to the earlier camera to those relative to the current one.
void relateThen(const PictureView& picture, const RenderWorld& world, const Camera& before, gpu::GroundView& view)
{
    const LocalAxes now = world.axesAt(picture.camera.position), then = world.axesAt(before.position);
    const glm::dvec3 offset = now.toLocal(before.position - picture.camera.position);
    const auto row = [&](const glm::dvec3& axis, double metres) {
        return glm::vec4(glm::vec3(then.toLocal(axis)), float(metres));
    };
    view.thenEast = row(now.east, offset.x);
    view.thenNorth = row(now.north, offset.y);
    view.thenUp = row(now.up, offset.z);
}

gpu::GroundView viewOf(const PictureView& picture, const RenderWorld& world, const std::optional<Camera>& before)
{
    const int width = picture.target.drawnWidth(), height = picture.target.drawnHeight();
    const Projection projection = project(picture.camera, width, height, picture.nearPlane);
    const LatticePoint place = picture.terrain.place(picture.camera.position);
    const glm::dvec2 texel = picture.terrain.texelAt(picture.camera.position);
    const glm::dvec2 whole = glm::floor(texel);
    const glm::vec2 sample = picture.target.samplePlaces().front();
    gpu::GroundView view{};
    view.relativeFromClip = projection.relativeFromClip;
    view.cameraCell = place.cell;
    view.cameraFraction = place.fraction;
    view.cameraTexel = glm::vec4(glm::dvec4(whole, texel - whole));
    view.viewport = glm::vec4(float(width), float(height), 1.0f / float(width), 1.0f / float(height));
    view.lens = glm::vec4(sample, projection.pixelsPerRadian, float(picture.nearPlane));
    relateThen(picture, world, before.value_or(picture.camera), view);
    return view;
}

// Returns the number of leaves in view.  Waits for the GPU.
std::uint32_t leavesInView(const Triangulation& tree)
{
    std::uint32_t leaves = 0;
    readBuffer(tree.state(), offsetof(gpu::TreeState, drawInstances), sizeof leaves, &leaves);
    return leaves;
}

}  // namespace

Result<PixelTally> PixelTally::create(ShaderLibrary& library, const std::string& name, const std::string& shader)
{
    PixelTally made;
    made.library_ = &library;
    made.single_ = library.add(name, {shader});
    made.multisampled_ = library.add(name + ", multisampled", {shader}, {{"OROGEN_MULTISAMPLED", "1"}});
    Result<ReadbackRing> readback = ReadbackRing::create(name, kTallyBytes);
    if (!readback) return readback.error();
    made.readback_ = std::move(*readback);
    Result<Buffer> view = makeBuffer(name + ", view", sizeof(gpu::GroundView), GL_DYNAMIC_STORAGE_BIT);
    if (!view) return view.error();
    made.view_ = std::move(*view);
    Result<Buffer> tally = makeBuffer(name + ", tally", kTallyBytes);
    if (!tally) return tally.error();
    made.tally_ = std::move(*tally);
    return made;
}

void PixelTally::bindPicture(const PictureView& picture, const RenderWorld& world, const std::optional<Camera>& before)
{
    const gpu::GroundView view = viewOf(picture, world, before);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glNamedBufferSubData(view_.id(), 0, sizeof view, &view);
    glClearNamedBufferData(tally_.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kGroundViewBinding, view_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kTallyBinding, tally_.id());
    glTextureBarrier();  // the depth texture was just written as an attachment, and is now read
    glBindTextureUnit(gpu::kDepthTexture, picture.target.depth());
    glBindSampler(gpu::kDepthTexture, 0);
}

void PixelTally::measure(const PictureView& picture, const RenderWorld& world, std::uint64_t frame,
                         const std::optional<Camera>& before)
{
    bindPicture(picture, world, before);
    const auto groups = [](int pixels) { return GLuint((pixels + kGroupSide - 1) / kGroupSide); };
    glUseProgram(library_->program(picture.target.samples() > 1 ? multisampled_ : single_));
    glDispatchCompute(groups(picture.target.drawnWidth()), groups(picture.target.drawnHeight()), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    readback_.enqueue(tally_.id(), 0, frame);
    glBindTextureUnit(gpu::kDepthTexture, 0);
}

std::optional<PixelFigures> PixelTally::poll(std::uint64_t nanoseconds)
{
    const std::optional<Readback> arrived = readback_.poll(nanoseconds);
    if (!arrived) return std::nullopt;
    gpu::PixelTally tally;
    std::memcpy(&tally, arrived->data.data(), sizeof tally);
    std::vector<std::uint32_t> bins(gpu::kTallyBins);
    std::memcpy(bins.data(), arrived->data.data() + sizeof tally, bins.size() * sizeof bins[0]);
    PixelFigures figures = figuresOf(tally, bins.data());
    figures.frame = arrived->frame;
    return figures;
}

PixelFigures figuresOf(const gpu::PixelTally& tally, const std::uint32_t* bins)
{
    PixelFigures figures;
    figures.largest = double(std::bit_cast<float>(tally.largest));
    double sum = 0;
    for (std::size_t i = 0; i < gpu::kTallyBins; ++i)
    {
        figures.pixels += bins[i];
        sum += bins[i] * valueOf(i);
    }
    if (figures.pixels == 0) return figures;
    figures.mean = sum / double(figures.pixels);
    std::uint64_t seen = 0;
    std::size_t bin = 0;
    for (; bin + 1 < gpu::kTallyBins; ++bin)
    {
        seen += bins[bin];
        if (100 * seen >= 99 * figures.pixels) break;
    }
    figures.p99 = std::min(valueOf(bin), figures.largest);
    return figures;
}

namespace {

using gpu::MeshCheck;

constexpr std::array<const char*, gpu::kFaultKinds> kFaultNames = {"T-junction",
                                                                   "hole",
                                                                   "overlap",
                                                                   "crack",
                                                                   "leaf turned the wrong way",
                                                                   "height that is not finite",
                                                                   "drawn leaf that is not in the tree",
                                                                   "faulty patch",
                                                                   "link to a leaf that is not there"};

std::string describePlace(const MeshCheck& check)
{
    if (check.firstLeaf[0] == 0) return {};
    const leb::CubeLeaf leaf{std::int32_t(check.firstLeaf[1]), std::int32_t(check.firstLeaf[2]), check.firstLeaf[3]};
    const leb::LeafId id = check.firstLeaf[4] | leb::LeafId(check.firstLeaf[5]) << 32;
    const leb::CubeTriangle t = leb::cornersOf(leaf);
    const auto mean = [](double a, double b, double c) { return (a + b + c) / 3; };
    const FacePlace middle{leaf.face(), {mean(t.apex.x, t.left.x, t.right.x), mean(t.apex.y, t.left.y, t.right.y)}};
    const Geodetic place = geodeticOf(onEllipsoid(scaledDirection(middle)));
    return fmt::format(" at leaf {:#x} of depth {}, {:.6f} degrees north, {:.6f} east", id, leaf.depth(),
                       place.latitude, place.longitude);
}

void finishPass() { glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT); }

}  // namespace

MeshValidator::MeshValidator(ShaderLibrary& library)
    : library_(&library), visible_(library.add("mesh, drawn leaves", {"shaders/checks/mesh_visible.comp"})),
      leaves_(library.add("mesh, leaves", {"shaders/checks/mesh_leaves.comp"})),
      patch_(library.add("mesh, patch", {"shaders/checks/mesh_patch.comp"})),
      judge_(library.add("mesh, verdict", {"shaders/checks/mesh_judge.comp"})),
      locate_(library.add("mesh, places", {"shaders/checks/mesh_locate.comp"}))
{
}

Result<MeshValidator> MeshValidator::create(ShaderLibrary& library)
{
    MeshValidator made(library);
    Result<ReadbackRing> readback = ReadbackRing::create("mesh verdicts", sizeof(MeshCheck));
    if (!readback) return readback.error();
    made.readback_ = std::move(*readback);
    Result<Buffer> check = makeBuffer("mesh check", sizeof(MeshCheck), GL_DYNAMIC_STORAGE_BIT);
    if (!check) return check.error();
    made.check_ = std::move(*check);
    return made;
}

void MeshValidator::clear() const
{
    MeshCheck nothing{};
    std::fill(std::begin(nothing.firstNumber), std::end(nothing.firstNumber), 0xffffffffu);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glNamedBufferSubData(check_.id(), 0, sizeof nothing, &nothing);
    glClearNamedBufferData(drawnBits_.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

Status MeshValidator::check(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame)
{
    // One bit for each leaf number (< mostLeaves()) or pool slot (< the next power of two).
    const std::uint64_t bytes = 4 * (std::bit_ceil(std::uint64_t(tree.mostLeaves())) / 32 + 1);
    if (drawnBits_.bytes() != bytes)
    {
        Result<Buffer> bits = makeBuffer("drawn leaves, a bit each", bytes);
        if (!bits) return bits.error();
        drawnBits_ = std::move(*bits);
    }
    clear();
    const auto bindOwn = [&] {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kDrawnBitsBinding, drawnBits_.id());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kMeshCheckBinding, check_.id());
    };
    tree.bindForChecks();
    patch.bindForChecks();  // replaces leaf buffers at shared bindings
    bindOwn();
    use(patch_);
    glDispatchCompute(1, 1, 1);
    tree.bindForChecks();
    bindOwn();
    use(visible_);
    tree.dispatchOverLeaves();
    finishPass();
    use(leaves_);
    tree.dispatchOverLeaves();
    finishPass();
    use(judge_);
    glUniform1ui(0, 0);
    glDispatchCompute(1, 1, 1);
    finishPass();
    use(locate_);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, check_.id());
    glDispatchComputeIndirect(offsetof(MeshCheck, locateGroups));
    finishPass();
    use(judge_);
    glUniform1ui(0, 1);
    glDispatchCompute(1, 1, 1);
    finishPass();
    readback_.enqueue(check_.id(), 0, frame);
    tree.bindForChecks();  // restores the bindings for passes over the tree
    return Status::ok();
}

std::optional<MeshVerdict> MeshValidator::poll(double squareSide, std::uint64_t nanoseconds)
{
    const std::optional<Readback> arrived = readback_.poll(nanoseconds);
    if (!arrived) return std::nullopt;
    MeshCheck check;
    std::memcpy(&check, arrived->data.data(), sizeof check);
    return MeshVerdict{.frame = arrived->frame,
                       .faults = std::accumulate(std::begin(check.faults), std::end(check.faults), std::uint64_t(0)),
                       .first = describeFault(check, squareSide)};
}

std::string describeFault(const MeshCheck& check, double squareSide)
{
    const auto kind = std::size_t(std::ranges::find_if(check.faults, [](auto n) { return n > 0; }) - check.faults);
    if (kind >= gpu::kFaultKinds) return {};
    const std::string what = fmt::format("{} ({} of this kind)", kFaultNames[kind], check.faults[kind]);
    if (check.earth != 0) return what + describePlace(check);
    const NodeId node = check.firstNode[kind];
    if (node < 2) return what;
    const leb::Triangle t = leb::vertices(node);
    const auto metres = [&](double a, double b, double c) {
        return ((a + b + c) / (3.0 * leb::kSide) - 0.5) * squareSide;
    };
    return fmt::format("{} at leaf {:#x} of depth {}, {:.1f} m east, {:.1f} m north", what, node, depthOf(node),
                       metres(t.apex.x, t.base0.x, t.base1.x), metres(t.apex.y, t.base0.y, t.base1.y));
}

ShaderLibrary& FrameChecks::library()
{
    if (library_) return *library_;
    library_ = std::make_unique<ShaderLibrary>(root_, world_->programs().dialect());
    library_->choose(world_->programs().choice());
    return *library_;
}

Status FrameChecks::choose(const RenderWorld& world)
{
    world_ = &world;
    if (!library_) return Status::ok();
    library_->choose(world.programs().choice());
    return library_->finish();
}

Status FrameChecks::prepareValidation()
{
    if (validator_) return Status::ok();
    Result<MeshValidator> made = MeshValidator::create(library());
    if (!made) return made.error();
    if (Status s = library().finish(); !s) return s;
    validator_.emplace(std::move(*made));
    return Status::ok();
}

Status FrameChecks::prepare(std::optional<PixelTally>& tally, const char* name, const char* shader)
{
    if (tally) return Status::ok();
    Result<PixelTally> made = PixelTally::create(library(), name, shader);
    if (!made) return made.error();
    if (!mesh_) mesh_.emplace(library());
    if (Status s = library().finish(); !s) return s;
    tally.emplace(std::move(*made));
    return Status::ok();
}

Status FrameChecks::prepareErrors() { return prepare(errors_, "measured error", "shaders/checks/error_measure.comp"); }

// ---- mesh -----------------------------------------------------------------------------------------------------------

Status FrameChecks::validateEachFrame(bool on)
{
    if (on)
        if (Status s = prepareValidation(); !s) return s;
    validating_ = on;
    stats_.mesh.reset();
    return Status::ok();
}

Status FrameChecks::validate(const Triangulation& tree, const PatchMesh& patch, double squareSide, std::uint64_t frame)
{
    squareSide_ = squareSide;
    const Status checked = validator_->check(tree, patch, frame);
    if (!checked) validating_ = false;
    return checked;
}

Result<MeshVerdict> FrameChecks::validateNow()
{
    if (Status s = prepareValidation(); !s) return s.error();
    const DrawnFrame frame = lastFrame_();
    collect(frame.history, kPatience);  // empties the readback ring, so that the next verdict is that of this frame
    if (Status s = validate(frame.tree, frame.patch, frame.view.terrain.squareSide(), frame.number); !s)
        return s.error();
    const std::optional<MeshVerdict> verdict = validator_->poll(squareSide_, kPatience);
    if (!verdict || verdict->frame != frame.number)
        return Error{ExitCode::kLimit, "the mesh could not be validated: the driver does not answer"};
    return *verdict;
}

// ---- error and jump -------------------------------------------------------------------------------------------------

Status FrameChecks::measureErrorsEvery(int frames)
{
    if (frames > 0)
        if (Status s = prepareErrors(); !s) return s;
    errorPeriod_ = frames;
    stats_.error.reset();
    return Status::ok();
}

Status FrameChecks::measureJumps(bool on)
{
    if (on)
        if (Status s = prepare(jumps_, "jump", "shaders/checks/jump_measure.comp"); !s) return s;
    measuringJumps_ = on;
    forgetFrame();
    stats_.jump.reset();
    largestJump_.reset();
    return Status::ok();
}

bool FrameChecks::measuresError(std::uint64_t frame) const
{
    return errorPeriod_ > 0 && (errorOnce_ || frame % std::uint64_t(errorPeriod_) == 0);
}

bool FrameChecks::measures(std::uint64_t frame) const { return measuringJumps_ || measuresError(frame); }

void FrameChecks::afterDraw(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                            std::uint64_t leaves, std::uint64_t frame)
{
    const auto parts = measuringJumps_ ? DrawnMesh::Parts::kVertices : DrawnMesh::Parts::kLeaves;
    if (!mesh_->list(tree, patch, leaves, parts))
    {
        errorPeriod_ = 0;
        measuringJumps_ = errorOnce_ = false;
        return;
    }
    if (measuresError(frame)) errors_->measure(picture, *world_, frame);
    errorOnce_ = false;
    if (!measuringJumps_) return;
    if (before_)
    {
        mesh_->bindBefore();
        jumps_->measure(picture, *world_, frame, *before_);
    }
    mesh_->keep();
    before_ = picture.camera;
}

Result<PixelFigures> FrameChecks::measureErrorNow()
{
    if (Status s = prepareErrors(); !s) return s.error();
    const DrawnFrame frame = lastFrame_();
    collect(frame.history, kPatience);  // empties the readback ring, so that the next figures are those of this frame
    frame.drawGround();
    const std::uint32_t leaves = leavesInView(frame.tree);
    if (Status s = mesh_->list(frame.tree, frame.patch, leaves, DrawnMesh::Parts::kLeaves); !s) return s.error();
    errors_->measure(frame.view, *world_, frame.number);
    frame.drawRest();
    const std::optional<PixelFigures> error = errors_->poll(kPatience);
    if (!error || error->frame != frame.number)
        return Error{ExitCode::kLimit, "the error could not be measured: the driver does not answer"};
    stats_.error = error;
    return *error;
}

Result<DrawnTriangles> FrameChecks::drawnTriangles()
{
    if (Status s = prepareErrors(); !s) return s.error();
    const DrawnFrame frame = lastFrame_();
    const std::uint32_t leaves = leavesInView(frame.tree);
    if (Status s = mesh_->list(frame.tree, frame.patch, leaves, DrawnMesh::Parts::kVertices); !s) return s.error();
    return DrawnTriangles{frame.view.camera, mesh_->read()};
}

Result<PixelFigures> FrameChecks::judgeErrorNow(const HeightField& field)
{
    if (Status s = prepareErrors(); !s) return s.error();
    Result<DrawnTriangles> drawn = drawnTriangles();
    if (!drawn) return drawn.error();
    const DrawnFrame frame = lastFrame_();
    const auto& [target, terrain, camera, nearPlane] = frame.view;
    const JudgedPicture picture{.camera = camera,
                                .width = target.drawnWidth(),
                                .height = target.drawnHeight(),
                                .nearPlane = nearPlane,
                                .samplePlace = target.samplePlaces().front(),
                                .raster = world_->planeSize(terrain),
                                .triangles = drawn->triangles};
    PixelFigures figures = judgeError(picture, terrain.heights().finestGround(terrain, camera, frame.settings, field));
    figures.frame = frame.number;
    return figures;
}

std::optional<double> FrameChecks::takeLargestJump()
{
    while (jumps_ && jumps_->inFlight() > 0)
    {
        const std::optional<PixelFigures> jump = jumps_->poll(kPatience);
        if (!jump) break;
        stats_.jump = jump;
        largestJump_ = std::max(largestJump_.value_or(0.0), jump->largest);
    }
    return std::exchange(largestJump_, std::nullopt);
}

// ---- figures --------------------------------------------------------------------------------------------------------

void FrameChecks::collect(FrameHistory* history, std::uint64_t nanoseconds)
{
    while (std::optional<MeshVerdict> verdict = validator_ ? validator_->poll(squareSide_, nanoseconds) : std::nullopt)
    {
        if (FrameRecord* record = history ? history->find(verdict->frame) : nullptr) record->mesh = verdict;
        if (verdict->frame >= figuresFrom_) stats_.mesh = std::move(verdict);
    }
    while (const std::optional<PixelFigures> error = errors_ ? errors_->poll(nanoseconds) : std::nullopt)
        if (error->frame >= figuresFrom_) stats_.error = error;
    while (const std::optional<PixelFigures> jump = jumps_ ? jumps_->poll(nanoseconds) : std::nullopt)
    {
        if (jump->frame >= figuresFrom_) stats_.jump = jump;
        largestJump_ = std::max(largestJump_.value_or(0.0), jump->largest);
    }
}

void FrameChecks::forgetFigures(std::uint64_t from)
{
    figuresFrom_ = from;
    stats_.error.reset();
    stats_.jump.reset();
    stats_.mesh.reset();
}

int FrameChecks::inFlight() const
{
    return std::max({validator_ ? validator_->inFlight() : 0, errorsInFlight(), jumps_ ? jumps_->inFlight() : 0});
}

std::uint64_t FrameChecks::bytes() const
{
    return (validator_ ? validator_->bytes() : 0) + (errors_ ? errors_->bytes() : 0) + (jumps_ ? jumps_->bytes() : 0) +
           (mesh_ ? mesh_->bytes() : 0);
}

}  // namespace orogen::app
