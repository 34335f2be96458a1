#include "app/session/earth_tools.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/session/session.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr double kWidestBar = 160;  // pixels

}  // namespace

void EarthTools::forget()
{
    looked_.reset();
    under_.reset();
    ++changes_;
}

void EarthTools::update(const Session& session)
{
    const std::optional<TileStats>& tiles = session.stats.tiles;
    const Settings& settings = session.settings.wanted();
    const Looked now{cursor_, cameraOf(settings.view), tiles ? tiles->loaded : 0};
    if (looked_ == now) return;
    looked_ = now;
    ++changes_;
    const ViewSurroundings around = session.surroundings();
    under_.reset();
    if (const auto met = cursor_ ? earthGroundUnder(now.camera, *cursor_, around) : std::nullopt)
    {
        under_ = geodeticOf(*met);
        const double scale = settings.terrain.heightScale;
        if (scale > 0) under_->height /= scale;
        underSamples_ = session.terrain.spacingAt(*met);
        distance_ = glm::distance(*met, now.camera.position);
    }
    bar_ = {};
    if (const auto spot = earthGroundUnder(now.camera, now.camera.shift, around))
    {
        const double tangent = std::tan(0.5 * now.camera.fov * std::numbers::pi / 180);
        bar_ = scaleBarFor(glm::distance(*spot, now.camera.position) * 2 * tangent / around.viewport.y, kWidestBar);
    }
}

std::optional<EarthState> EarthTools::state(const Session& session) const
{
    if (!session.terrain.earth()) return std::nullopt;
    EarthState state;
    state.reliefSpacing = session.terrain.earth()->relief().spacing();
    const auto insets = session.terrain.earth()->insets();
    state.insets.assign(insets.begin(), insets.end());
    state.camera = *session.cameraPlace();
    state.under = cursor_ ? under_ : std::nullopt;
    state.underSamples = underSamples_;
    state.distance = distance_;
    state.bar = bar_;
    for (std::size_t i = 0; i < state.bookmarks.size(); ++i)
        state.bookmarks[i] = session.bookmarks[i].has_value();
    return state;
}

std::optional<std::string> EarthTools::value(std::string_view key) const
{
    if (key == "pick_height") return under_ ? fmt::format("{:.6f}", under_->height) : "null";
    if (key == "pick_distance") return under_ ? fmt::format("{:.6f}", distance_) : "null";
    return std::nullopt;
}

}  // namespace orogen::app
