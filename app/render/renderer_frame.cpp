// One frame of the renderer: its inputs and its steps.
#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "app/render/renderer.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {
namespace {

constexpr int kSettlingRoundsPerFrame = 6;  // after a jump, so that most of the convergence takes a few frames
constexpr double kHazeScaleHeight = 1900.0;
constexpr double kKoschmieder = 3.912;          // optical depth at the visibility distance: 2 % contrast remains
constexpr double kDetailPeriod = 20480.0;       // metres: FrameUniforms::detailEast
constexpr double kStepMs = 12;                  // target for the longest step
constexpr int kLightRowsPerStep = 24;           // some 10 ms on two cores
constexpr std::uint32_t kLeavesPerStep = 8192;  // marking them is the slowest pass: some 10 ms on two cores
constexpr std::uint32_t kUnknownRangeLeaves = 4096;
constexpr std::uint32_t kUnknownVisible = 8192;  // visible leaves until the GPU has reported a count
constexpr int kUnknownSkyBands = 4, kMostSkyBands = 16;
constexpr double kFramesPerSecond = 30;  // assumed when estimating the camera's velocity
constexpr double kJump = 0.02;           // fraction of the square's side
constexpr double kJumpOnEarth = 0.5;     // fraction of the camera's height (at least kLowJump)
constexpr double kLowJump = 2000;        // metres
constexpr int kGovernedFrames = 24;      // identical frames until a tree under a frame time budget counts as stable

glm::vec3 sunDirection(const Settings::Render& render)
{
    const float azimuth = glm::radians(render.sunAzimuth), elevation = glm::radians(render.sunElevation);
    return {std::sin(azimuth) * std::cos(elevation), std::cos(azimuth) * std::cos(elevation), std::sin(elevation)};
}

// Returns the split and merge thresholds as the shaders compare them: with a leaf's base edge, or with an error.
glm::vec2 thresholds(const Settings& settings)
{
    const Settings::Lod& lod = settings.lod;
    if (lod.criterion == LodCriterion::kError)
        return {lod.errorPixels, lod.errorPixels * lod.mergePixels / lod.splitPixels};
    return glm::vec2(lod.splitPixels, lod.mergePixels) * float(1 << settings.patch.level);
}

// Returns the leg of the smallest triangles that a tree of this depth can draw (metres).  A bisection shortens by
// sqrt(2).  On planar terrain, the halves of the square have depth 1.  On the Earth the square is a face of the cube
// and its halves have depth 0; there the lattice unit is the lower limit.
float finestLeg(const Settings& settings, double squareSide, bool onEarth)
{
    const double depth = onEarth ? settings.earth.depth : settings.cbt.depth - 1;
    const double halvings = 0.5 * depth + settings.patch.level;
    return float(squareSide * std::exp2(-(onEarth ? std::min(halvings, double(kCubeBits)) : halvings)));
}

}  // namespace

double Renderer::finestLeg() const
{
    return double(orogen::app::finestLeg(settings_, terrain_->squareSide(), onEarth()));
}

float Renderer::triangleBudget() const
{
    if (settings_.budget.mode == BudgetMode::kTriangles) return float(settings_.budget.value);
    return float(governor_.triangleTarget());
}

// Depends on camera and settings only, never on time, so that the same path gives the same work.
int Renderer::roundsNow(const Camera& camera)
{
    const float budget = triangleBudget();
    const LodInput input{camera.position,
                         camera.fov,
                         camera.shift,
                         target_.drawnHeight(),
                         tree_->depth(),
                         settings_.cbt.leafCapacity,
                         settings_.lod,
                         settings_.patch.level,
                         settings_.terrain.heightScale,
                         shaderHash_,
                         budget,
                         budget > 0 || onEarth() ? glm::dvec3(camera.yaw, camera.pitch, target_.drawnWidth())
                                                 : glm::dvec3(0.0),
                         residency(),
                         onEarth() ? settings_.terrain.waterLevel : std::nullopt};
    if (settings_.lod.frozen)
    {
        stats_.settled = true;
        if (lodInput_) lodInput_->lod.frozen = true;  // unfreezing is a change
        return 0;
    }
    const bool changed = !lodInput_ || !(*lodInput_ == input);
    if (changed)
    {
        LodInput still = input;  // input if only camera, budget and tiles had changed
        if (lodInput_)
        {
            still.position = lodInput_->position;
            still.triangleBudget = lodInput_->triangleBudget;
            still.aim = lodInput_->aim;
            still.residency = lodInput_->residency;
            if (still.residency != input.residency) tree_->forgetVerdicts();  // heights changed in places
        }
        // All inputs of cached verdicts except the camera position.
        if (!lodInput_ || !(*lodInput_ == still)) tree_->forgetVerdicts();
        if (!lodInput_ || !(*lodInput_ == still) || jumped(input)) settlingRounds_ = tree_->depth() + 8;
        stats_.settled = false;
        inputFrame_ = frame_;
        tree_->inputChanged();
    }
    const bool first = !lodInput_.has_value();
    lodInput_ = input;
    if (stats_.settled) return 0;
    const int burst = first ? settlingRounds_ : std::min(settlingRounds_, kSettlingRoundsPerFrame);
    settlingRounds_ -= burst;
    return std::max(settings_.lod.rounds, burst);
}

// Returns whether the camera moved farther than it normally does between frames, so that the tree needs many rounds.
bool Renderer::jumped(const LodInput& input) const
{
    const double moved = glm::length(input.position - lodInput_->position);
    if (!onEarth()) return moved > kJump * terrain_->squareSide();
    return moved > kJumpOnEarth * std::max(geodeticOf(input.position).height, kLowJump);
}

// Planar terrain only.
void Renderer::describeCamera(const Camera& camera, gpu::FrameUniforms& u)
{
    if (frozen_)
    {
        const Projection then = project(*frozen_, target_.drawnWidth(), target_.drawnHeight(), kNearPlane);
        const glm::vec3 shift(camera.position - frozen_->position);
        for (std::size_t i = 0; i < then.planes.size(); ++i)
            u.frozenFrustum[i] = then.planes[i] + glm::vec4(0, 0, 0, glm::dot(glm::vec3(then.planes[i]), shift));
    }
    const LatticePoint place = terrain_->place(camera.position);
    u.cameraCell = place.cell;
    u.cameraFraction = place.fraction;
    const LatticePoint lodPlace = frozen_ ? terrain_->place(frozen_->position) : place;
    u.lodCell = lodPlace.cell;
    u.lodFraction = lodPlace.fraction;
    u.sunDirection = glm::vec4(sunDirection(settings_.render), 0.0f);
    const auto detail = [](double metres) {
        return float(metres - std::floor(metres / kDetailPeriod) * kDetailPeriod);
    };
    u.detailEast = detail(camera.position.x);
    u.detailNorth = detail(camera.position.y);
}

void Renderer::uploadFrame(const Camera& camera)
{
    const Projection view = project(camera, target_.drawnWidth(), target_.drawnHeight(), kNearPlane);
    gpu::FrameUniforms u{};
    u.clipFromRelative = view.clipFromRelative;
    u.relativeFromClip = view.relativeFromClip;
    std::copy(view.planes.begin(), view.planes.end(), u.frustum);
    onEarth() ? describeOnEarth(camera, u) : describeCamera(camera, u);
    u.cameraCell.w = float(finestLeg());
    u.viewport = glm::vec4(float(target_.drawnWidth()), float(target_.drawnHeight()),
                           1.0f / float(target_.drawnWidth()), 1.0f / float(target_.drawnHeight()));
    u.pixelsPerRadian = view.pixelsPerRadian;
    const glm::vec2 limits = thresholds(settings_);
    u.splitPixels = limits.x;
    u.mergePixels = limits.y;
    u.criterion = settings_.lod.criterion == LodCriterion::kError ? gpu::kCriterionError : gpu::kCriterionEdge;
    u.shading = gpu::uint(settings_.render.shading);
    u.wireframe = settings_.render.wireframe;
    u.frozen = frozen_.has_value();
    u.patchLevel = gpu::uint(settings_.patch.level);
    u.leafCapacity = tree_->mostLeaves();
    u.hazePerMetre = float(kKoschmieder / (1000.0 * double(settings_.render.visibility)));
    u.hazeScaleHeight = float(kHazeScaleHeight);
    u.triangleBudget = triangleBudget();
    u.geomorph = settings_.lod.geomorph;
    const Camera& lodCamera = frozen_ ? *frozen_ : camera;
    u.lodFraction.w = project(lodCamera, target_.drawnWidth(), target_.drawnHeight(), kNearPlane).pixelsPerRadian;
    glNamedBufferSubData(frameUniforms_.id(), 0, sizeof u, &u);
    stats_.uploadBytes += sizeof u;
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
    plan(camera, frame, lightRows, !known || frameMs_ >= sliceFrom_);
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
            scaleInEffect(),
            version_,
            terrain_ && terrain_->tiles() ? terrain_->tiles()->shown() : 0,
            validating(),
            errorPeriod(),
            measuringJumps()};
}

bool Renderer::rests(const Camera& camera, int width, int height) const
{
    if (!terrain_) return true;
    if (drawing() || !picture_ || target_.width() != std::max(width, 1) || target_.height() != std::max(height, 1))
        return false;
    if (!(*picture_ == inputOf(camera)) || busy() || !tilesRest() || !calm()) return false;
    return errorRead() || (calmFrom_ && checks_.errorsInFlight() > 0);
}

bool Renderer::tilesRest() const { return !terrain_->tiles() || terrain_->tiles()->rests(); }

bool Renderer::calm() const
{
    if (governor_.targetMs() == 0) return stats_.settled;
    const bool settling = governor_.state() == GovernorState::kSettling;
    return sameFrames_ > (settling ? int(kGovernorSettling) : kGovernedFrames);
}

bool Renderer::errorRead() const
{
    return errorPeriod() == 0 || (calmFrom_ && stats_.error && stats_.error->frame >= *calmFrom_);
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
    if (!stats_.settled) left.changes = std::max(roundChanges_, 1u);
    if (busy()) left.lightRows = std::uint64_t(std::max(terrain_->lightRowsLeft(), 1));
    const bool counted = stats_.workIsCurrent && stats_.work.frame >= sameFrom_ && errorRead();
    left.frames = !counted || (left.total() == 0 && !rests(camera, width, height));
    return left;
}

// Marks the newest figures as those of another scene.
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
    stats_.settled = false;
    forgetFigures();
}

// Decides all inputs of a frame now, on the CPU; the steps that remain are GPU work.
void Renderer::plan(const Camera& camera, std::uint64_t frame, int lightRows, bool sliced)
{
    if (drawing()) cullInput_.reset();  // the previous frame may have been abandoned before culling
    frame_ = frame;
    sliced_ = sliced;
    if (target_.scale() != scaleInEffect()) (void)!resize(target_.width(), target_.height());  // on error it stays
    uploadedBefore_ = terrain_->uploadedBytes();
    updateTiles(camera);
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
    if (!same || busy() || !tilesRest() || !calm())
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
    if (!onEarth()) terrain_->setSun(sunDirection(settings_.render));
    uploadFrame(camera);
    steps_.begin([this] { bindAll(); });
    planLight(lightRows);
    planTree(camera);
    if (checks_.validating())
        steps_.add(StepKind::kOther, [this, frame] {
            GpuTimerScope scope(timers_, GpuPass::kValidate);
            checks_.validate(*tree_, patch_, frame);
        });
    planPicture(camera);
    steps_.add(StepKind::kOther, [this, frame] { finish(frame); });
}

std::uint64_t Renderer::residency() const { return terrain_->tiles() ? terrain_->tiles()->residency() : 0; }

// Estimates the velocity from the previous frame at a fixed frame rate, as the result must not depend on time.
TileView Renderer::tileView(const Camera& camera) const
{
    const Projection view = project(camera, target_.drawnWidth(), target_.drawnHeight(), kNearPlane);
    TileView tiles;
    tiles.position = camera.position;
    if (before_) tiles.velocity = (camera.position - *before_) * kFramesPerSecond;
    std::ranges::transform(view.planes, tiles.planes.begin(),
                           [&](const glm::vec4& plane) { return onEarth() ? inEarthAxes(plane, camera) : plane; });
    tiles.pixelsPerRadian = double(view.pixelsPerRadian);
    tiles.heightScale = double(settings_.terrain.heightScale);
    return tiles;
}

void Renderer::updateTiles(const Camera& camera)
{
    stats_.tiles.reset();
    if (!terrain_->tiles()) return;
    terrain_->tiles()->update(tileView(camera), tileFade_);
    before_ = camera.position;
    stats_.tiles = terrain_->tiles()->stats();
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
    const int rounds = roundsNow(camera);
    const CullInput input{camera, target_.drawnWidth(), target_.drawnHeight(), settings_.patch.level,
                          settings_.terrain.heightScale, shaderHash_, residency(),
                          // Procedural detail fades in with its tiles and extends the bounds for culling.
                          settings_.detailShown() && terrain_->tiles() ? terrain_->tiles()->shown() : 0,
                          onEarth() ? settings_.terrain.waterLevel : std::nullopt};
    tree_->moveTo(camera.position, terrain_->squareSide());
    const bool byError = settings_.lod.criterion == LodCriterion::kError;
    tree_->setCriterion(byError ? gpu::kCriterionError : gpu::kCriterionEdge);
    tree_->keepVerdicts(triangleBudget() <= 0 && !onEarth());
    steps_.add(StepKind::kTree, [this, rounds] { tree_->beginFrame(rounds > 0); });
    const bool culls = rounds == 0 && !(cullInput_ && *cullInput_ == input);
    const Triangulation::AddStep add = [this](std::function<void()> work) {
        steps_.add(StepKind::kTree, std::move(work));
    };
    const std::uint32_t known = stats_.work.leaves, each = sliceFrom_ > 0 ? kLeavesPerStep : gpu::kLeafGroupSize;
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

// Adds a part of the picture: a step under the timer of its pass.
void Renderer::drawn(GpuPass pass, StepKind kind, std::function<void()> work)
{
    steps_.add(kind, [this, pass, work = std::move(work)] {
        GpuTimerScope scope(timers_, pass);
        work();
    });
}

void Renderer::planPicture(const Camera& camera)
{
    sliced_ ? planRanges() : drawn(GpuPass::kDraw, StepKind::kGround, [this] { drawGround(); });
    planMeasuring(camera);
    planSurroundings();
    if (frozen_ && !(*frozen_ == camera))
        drawn(GpuPass::kSky, StepKind::kOther, [this, camera] { picture().drawFrustum(frozenFrustum(camera)); });
}

void Renderer::drawGround()
{
    target_.begin();
    tree_->bindForDraw();
    picture().drawGround(settings_, *terrain_, patch_, Triangulation::drawArguments());
}

// Draws all that follows the ground, at once.
void Renderer::drawAround(const Camera& camera)
{
    if (!onEarth()) picture().drawBorder(settings_, *terrain_);
    picture().drawSky();
    if (picture().hasWater(settings_, *terrain_)) picture().drawWater(settings_, *terrain_);
    if (frozen_ && !(*frozen_ == camera)) picture().drawFrustum(frozenFrustum(camera));
    target_.resolve();
}

// Measures the depth of the ground before anything else is drawn into it.
void Renderer::planMeasuring(const Camera& camera)
{
    steps_.add(StepKind::kOther, [this, camera, frame = frame_] {
        drawn_ = camera;
        if (!checks_.measures(frame)) return;
        GpuTimerScope scope(timers_, GpuPass::kMeasure);
        checks_.afterDraw(drawnPicture(), *tree_, patch_, std::max(stats_.work.visible, kUnknownVisible), frame);
        bindAll();
    });
}

// Chooses ranges of as many leaves as took kStepMs in the last sliced frame.  Only the GPU knows the current number of
// visible leaves, so there are some spare ranges, and the last one is unbounded.
void Renderer::planRanges()
{
    const double visible = std::max(double(stats_.work.visible), 1.0);
    const bool known = rangesMs_ > 0 && stats_.work.visible > 0;
    const double most = known ? visible * kStepMs / rangesMs_ : kUnknownRangeLeaves;
    const double wanted = sliceFrom_ > 0 ? most : 1.0;
    const double least = 1.25 * visible / (Triangulation::kMostRanges - 2);
    const auto units = std::uint32_t(std::max(wanted, least) / Triangulation::kRangeUnit) + 1;
    const std::uint32_t leaves = units * Triangulation::kRangeUnit;
    const auto count = known ? std::uint32_t(1.25 * visible / leaves) + 2 : Triangulation::kMostRanges;
    drawn(GpuPass::kDraw, StepKind::kOther, [this] { target_.begin(); });
    steps_.add(StepKind::kGround, [this, leaves, count] { tree_->listRanges(leaves, count); });
    for (std::uint32_t range = 0; range < count; ++range)
        drawn(GpuPass::kDraw, StepKind::kGround, [this, range] {
            tree_->bindRange(range);
            picture().drawGround(settings_, *terrain_, patch_, Triangulation::rangeArguments(range));
        });
}

// Adds draws that may cover the whole picture, in bands from the bottom up.
void Renderer::banded(GpuPass pass, int bands, const std::function<void()>& work)
{
    if (!sliced_) return drawn(pass, StepKind::kSky, work);
    const int height = target_.drawnHeight();
    for (int band = 0; band < bands; ++band)
        drawn(pass, StepKind::kSky, [this, work, from = height * band / bands, to = height * (band + 1) / bands] {
            glEnable(GL_SCISSOR_TEST);
            glScissor(0, from, target_.drawnWidth(), to - from);
            work();
            glDisable(GL_SCISSOR_TEST);
        });
}

void Renderer::planSurroundings()
{
    const int bands = skyMs_ > 0 ? std::clamp(int(skyMs_ / kStepMs) + 1, 1, kMostSkyBands) : kUnknownSkyBands;
    if (!onEarth() && picture().hasBorder(settings_))
    {
        drawn(GpuPass::kBorder, StepKind::kOther, [this] {
            tree_->bindForChecks();
            picture().followRim(settings_);
            bindAll();
        });
        banded(GpuPass::kBorder, bands, [this] { picture().drawBorder(settings_, *terrain_); });
    }
    banded(GpuPass::kSky, bands, [this] { picture().drawSky(); });
    if (picture().hasWater(settings_, *terrain_))
        banded(GpuPass::kSky, bands, [this] { picture().drawWater(settings_, *terrain_); });
}

void Renderer::finish(std::uint64_t frame)
{
    {
        GpuTimerScope scope(timers_, GpuPass::kSky);
        target_.resolve();
    }
    stats_.uploadBytes += terrain_->uploadedBytes() - uploadedBefore_;
    tree_->endFrame(frame);
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

FrustumCorners Renderer::frozenFrustum(const Camera& camera) const
{
    const Projection then = project(*frozen_, target_.drawnWidth(), target_.drawnHeight(), kNearPlane);
    const LocalAxes axes = onEarth() ? axesAt(frozen_->position) : LocalAxes(),
                    now = onEarth() ? axesAt(camera.position) : LocalAxes();
    const auto seen = [&](const glm::dvec3& offset) { return glm::vec3(now.toLocal(offset)); };
    const glm::vec3 eye = seen(frozen_->position - camera.position);
    const double reach =
        0.3 * (onEarth() ? std::max(geodeticOf(frozen_->position).height, kLowJump) : terrain_->squareSide());
    const glm::vec2 ndc[4] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    FrustumCorners corners = {eye};
    for (std::size_t i = 0; i < 4; ++i)
    {
        const glm::vec4 p = then.relativeFromClip * glm::vec4(ndc[i], 1.0f, 1.0f);
        corners[i + 1] = eye + seen(axes.toEarthFixed(glm::normalize(glm::dvec3(p) / double(p.w)) * reach));
    }
    return corners;
}

}  // namespace orogen::app
