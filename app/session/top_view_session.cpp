#include "app/session/top_view_session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>

#include "app/render/renderer.h"

namespace orogen::app {
namespace {

constexpr int kMostZoom = 10;
constexpr double kLeastSeconds = 0.25;  // between two drawings
constexpr int kPixels = 256, kLargePixels = 512;

}  // namespace

void TopViewSession::toggle()
{
    open_ = !open_;
    stale_ = open_;
    drawnAt_ = -1;
}

void TopViewSession::zoom(int steps) { zoom_ = std::clamp(zoom_ + steps, 0, kMostZoom); }

void TopViewSession::forget()
{
    zoom_ = 0;
    side_ = 0;
    stale_ = open_;
}

Status TopViewSession::update(const PictureScene& scene, Renderer& renderer, double now, bool draw)
{
    if (!open_) return Status::ok();
    const double squareSide = renderer.terrain().squareSide();
    const glm::dvec2 corner = corner_;
    const double side = side_;
    if (!camera_ || *camera_ != scene.camera || side_ == 0 || side_ != squareSide / double(1 << zoom_))
    {
        camera_ = scene.camera;
        ++changes_;
        chooseRegion(scene, squareSide);
        findView(scene);
    }
    stale_ |= corner != corner_ || side != side_ || drawnLarge_ != large_ || !renderer.settled();
    if (!stale_ || !draw || (drawnAt_ >= 0 && now < drawnAt_ + kLeastSeconds)) return Status::ok();
    const int pixels = large_ ? kLargePixels : kPixels;
    const Status drawn = renderer.drawTopView(corner_, side_ / pixels, pixels);
    open_ = bool(drawn);
    ++changes_;
    stale_ = false;
    drawnLarge_ = large_;
    drawnAt_ = now;
    return drawn;
}

// Chooses the whole square, or a part around the camera.
void TopViewSession::chooseRegion(const PictureScene& scene, double squareSide)
{
    side_ = squareSide / double(1 << zoom_);
    const double reach = (squareSide - side_) / 2;
    const glm::dvec2 middle = glm::clamp(glm::dvec2(scene.camera.position), glm::dvec2(-reach), glm::dvec2(reach));
    // Snapped to a hundredth of the side, so that small camera movements do not cause a redraw.
    const double step = side_ / 100;
    corner_ = glm::round(glm::dvec2(middle.x - side_ / 2, middle.y + side_ / 2) / step) * step;
}

// Computes the camera's place and its footprint's corners, on the horizontal plane through the ground below it; corners
// above the horizon are placed far away.
void TopViewSession::findView(const PictureScene& scene)
{
    const Camera& camera = scene.camera;
    const double ground = scene.around.ground(camera.position.x, camera.position.y);
    const double far = 3 * std::max(scene.around.terrain.size.x, scene.around.terrain.size.y);
    view_ = {glm::dvec2(camera.position)};
    for (const glm::dvec2 corner : {glm::dvec2(-1, -1), glm::dvec2(-1, 1), glm::dvec2(1, 1), glm::dvec2(1, -1)})
    {
        const glm::dvec3 ray = rayAt(camera, corner, scene.around.viewport);
        const double across = std::max(glm::length(glm::dvec2(ray)), 1e-9);
        const double reach = ray.z < 0 ? std::min((ground - camera.position.z) / ray.z, far / across) : far / across;
        view_.push_back(glm::dvec2(camera.position) + glm::dvec2(ray) * reach);
    }
}

TopState TopViewSession::state(const Renderer& renderer) const
{
    TopState state;
    state.open = open_;
    state.large = large_;
    state.texture = open_ ? renderer.topView() : 0;
    state.corner = corner_;
    state.side = side_;
    state.zoom = zoom_;
    state.view = view_;
    state.deepest = int(renderer.stats().work.maxDepth);
    return state;
}

}  // namespace orogen::app
