// The Earth in the renderer: its programs, its triangulation, and switching between it and planar terrain.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/render/renderer.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {
namespace {

std::vector<ShaderDefine> earthChoice(bool detail)
{
    std::vector<ShaderDefine> choice = {{"OROGEN_EARTH", "1"}, {"OROGEN_TILES", "1"}, {"OROGEN_POOL", "1"}};
    if (detail) choice.push_back({"OROGEN_DETAIL", "1"});
    return choice;
}

}  // namespace

// Creates the programs and uniform buffers of the Earth on first use.
Status Renderer::prepareEarth()
{
    if (!earthBlocks_)
    {
        Result<EarthBlocks> blocks = EarthBlocks::create();
        if (!blocks) return blocks.error();
        earthBlocks_.emplace(std::move(*blocks));
    }
    if (earthLibrary_) return Status::ok();
    earthLibrary_.emplace(root_, dialect());
    earthLibrary_->choose(earthChoice(false));
    makePool_ = poolTree(*earthLibrary_, context_.info());
    earthDrawing_.emplace(root_, dialect(), World::kEarth);
    earthDrawing_->choose(earthChoice(false));
    return Status::ok();
}

Status Renderer::chooseOnEarth(bool detail)
{
    const std::vector<ShaderDefine> before = earthLibrary_->choice(), wanted = earthChoice(detail);
    if (sameNames(before, wanted) && onEarth()) return Status::ok();
    const auto choose = [this](const std::vector<ShaderDefine>& choice) {
        earthLibrary_->choose(choice);
        earthDrawing_->choose(choice);
        const Status made = earthLibrary_->finish(), checks = chooseForChecks(choice);
        return made ? checks : made;
    };
    const Status made = choose(wanted);
    if (!made) (void)choose(before);
    if (!made && !onEarth()) (void)chooseForChecks(library_.choice());
    shaderHash_ = programs().sourceHash();
    return made;
}

// Replaces the triangulation by that of the other world, with the current settings.
Status Renderer::takeTree(bool earth)
{
    const int depth = earth ? settings_.earth.depth : settings_.cbt.depth;
    const MakeTriangulation& make = earth ? makePool_ : makeTree_;
    Result<std::unique_ptr<Triangulation>> tree = make(context_.limits(), depth, settings_.cbt.leafCapacity);
    if (!tree) return tree.error();
    drop();
    tree_ = std::move(*tree);
    return Status::ok();
}

Status Renderer::setEarth(std::shared_ptr<TileCache> tiles)
{
    if (Status s = prepareEarth(); !s) return s;
    Result<TiledHeights> heights = TiledHeights::createOnEarth(context_.limits(), std::move(tiles));
    if (!heights) return heights.error();
    Result<TerrainGpu> made = TerrainGpu::createOnEarth(std::make_unique<TiledHeights>(std::move(*heights)));
    if (!made) return made.error();
    const bool before = onEarth(), detail = settings_.detailShown();
    Status ready = detail ? made->prepareDetail() : Status::ok();
    if (ready) ready = chooseOnEarth(detail);
    if (ready) ready = earthDrawing_->prepare(settings_, &*made);
    if (ready && !before) ready = takeTree(true);
    if (!ready)
    {
        if (!before) (void)chooseForChecks(library_.choice());
        shaderHash_ = programs().sourceHash();
        return ready;
    }
    drop();
    terrain_.emplace(std::move(*made));
    drawing_.clearBorder();
    checks_.forgetFrame();
    lightDone_ = true;
    shaderHash_ = programs().sourceHash();
    before_.reset();
    restart();
    return Status::ok();
}

// The camera position is in EarthUniforms; only its height above the ellipsoid goes here.
void Renderer::describeOnEarth(const Camera& camera, gpu::FrameUniforms& u)
{
    if (frozen_)
    {
        const Projection then = project(*frozen_, target_.drawnWidth(), target_.drawnHeight(), kNearPlane);
        for (std::size_t i = 0; i < then.planes.size(); ++i)
            u.frozenFrustum[i] = seenFrom(then.planes[i], *frozen_, camera);
    }
    const auto height = [](const Camera& of) {
        const double metres = geodeticOf(of.position).height;
        const float whole = float(std::floor(metres));
        return std::pair(whole, float(metres - double(whole)));
    };
    std::tie(u.cameraCell.z, u.cameraFraction.z) = height(camera);
    std::tie(u.lodCell.z, u.lodFraction.z) = height(frozen_ ? *frozen_ : camera);
    const glm::dvec3 sun = sunOnEarth(settings_.render, camera);
    u.sunDirection = glm::vec4(glm::vec3(axesAt(camera.position).toLocal(sun)), 0.0f);
    earthBlocks_->write(earthUniforms({camera, frozen_, target_.drawnWidth(), target_.drawnHeight()}, settings_),
                        airUniforms(camera, settings_));
    earthBlocks_->bind();
    stats_.uploadBytes += sizeof(gpu::EarthUniforms) + sizeof(gpu::AirUniforms);
}

}  // namespace orogen::app
