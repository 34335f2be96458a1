#include "core/view/name_labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <glm/geometric.hpp>

#include "core/view/earth_view.h"

namespace orogen {
namespace {

constexpr double kNearPlane = 0.1;      // minimum distance ahead of the camera (metres)
constexpr double kOutside = 40;         // pixels beyond the picture's border at which a label's place may lie
constexpr double kShownWeight = 4;      // factor on the importance of labels that are shown already
constexpr double kNewMargin = 10;       // free pixels around a new label
constexpr std::size_t kSpareNames = 3;  // candidates examined for each name that may be shown

}  // namespace

PictureProjection::PictureProjection(const Camera& camera, World world, glm::dvec2 viewport)
    : eye_(camera.position), right_(world == World::kEarth ? earthRight(camera) : right(camera)),
      up_(world == World::kEarth ? earthUp(camera) : up(camera)),
      forward_(world == World::kEarth ? earthForward(camera) : forward(camera)), shift_(camera.shift),
      viewport_(viewport), focal_(0.5 * viewport.y / std::tan(0.5 * camera.fov / kDegreesARadian))
{
}

std::optional<glm::dvec2> PictureProjection::at(const glm::dvec3& place, double margin) const
{
    const glm::dvec3 relative = place - eye_;
    const double ahead = glm::dot(relative, forward_);
    if (ahead < kNearPlane) return std::nullopt;
    const glm::dvec2 off(glm::dot(relative, right_) / ahead * focal_, glm::dot(relative, up_) / ahead * focal_);
    const glm::dvec2 pixel(0.5 * viewport_.x * (1 + shift_.x) + off.x, 0.5 * viewport_.y * (1 - shift_.y) - off.y);
    const bool inside =
        pixel.x > -margin && pixel.y > -margin && pixel.x < viewport_.x + margin && pixel.y < viewport_.y + margin;
    return inside ? std::optional(pixel) : std::nullopt;
}

// Computes in the space where the ellipsoid is the unit sphere.
bool behindGlobe(const glm::dvec3& eye, const glm::dvec3& place)
{
    const glm::dvec3 radii(kEarthEquatorRadius, kEarthEquatorRadius, kEarthPoleRadius);
    const glm::dvec3 from = eye / radii, way = place / radii - from;
    const double along = -glm::dot(from, way) / glm::dot(way, way);
    if (along <= 0 || along >= 1) return false;
    return glm::length(from + way * along) < 1 - 1e-9;
}

std::vector<NameInView> namesInView(std::span<const WorldName> names, const Camera& camera,
                                    const NameSurroundings& around, std::size_t most)
{
    const PictureProjection picture(camera, around.world, around.viewport);
    const bool earth = around.world == World::kEarth;
    std::vector<const WorldName*> near;
    for (const WorldName& name : names)
    {
        const glm::dvec3 way = name.place - camera.position;
        const double square = glm::dot(way, way);
        if (square > name.farthest * name.farthest || square < name.nearest * name.nearest) continue;
        if (earth && behindGlobe(camera.position, name.place)) continue;
        if (picture.at(name.place, 4 * kOutside)) near.push_back(&name);
    }
    std::ranges::stable_sort(near, std::greater<>(), &WorldName::farthest);
    if (near.size() > kSpareNames * most) near.resize(kSpareNames * most);
    std::vector<NameInView> seen;
    for (const WorldName* name : near)
    {
        if (seen.size() == most) break;
        const glm::dvec3 place = around.lifted ? around.lifted(name->place) : name->place;
        const std::optional<glm::dvec2> at = picture.at(place, kOutside);
        if (!at || (around.hidden && around.hidden(place))) continue;
        seen.push_back({name->id, *at, name->farthest});
    }
    return seen;
}

std::vector<std::size_t> LabelLayout::choose(std::span<const WantedLabel> wanted, std::span<const LabelBox> taken)
{
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto weight = [&](std::size_t i) {
        return wanted[i].importance * (shown_.contains(wanted[i].id) ? kShownWeight : 1);
    };
    std::ranges::stable_sort(order, std::greater<>(), weight);
    std::vector<std::size_t> chosen;
    std::unordered_set<std::uint32_t> shown;
    for (const std::size_t i : order)
    {
        const double margin = shown_.contains(wanted[i].id) ? 0 : kNewMargin;
        const LabelBox& box = wanted[i].box;
        const auto blocks = [&](const LabelBox& other) { return box.overlaps(other, margin); };
        if (std::ranges::any_of(taken, [&](const LabelBox& other) { return box.overlaps(other, 0); }) ||
            std::ranges::any_of(chosen, [&](std::size_t other) { return blocks(wanted[other].box); }))
            continue;
        chosen.push_back(i);
        shown.insert(wanted[i].id);
    }
    shown_ = std::move(shown);
    return chosen;
}

}  // namespace orogen
