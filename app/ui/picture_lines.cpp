#include "app/ui/picture_lines.h"

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace orogen::app {

namespace {

constexpr double kNearest = 0.1;        // metres ahead of the camera
constexpr double kFarthestPixel = 1e5;  // from the middle, where a float still resolves pixels
constexpr float kHiddenAlpha = 0.28f;

ImU32 faded(const ImVec4& colour, float alpha)
{
    return ImGui::ColorConvertFloat4ToU32({colour.x, colour.y, colour.z, colour.w * alpha});
}

}  // namespace

PictureLines::PictureLines(const Camera& camera, ImVec2 display)
    : camera_(camera), display_(display), right_(right(camera)), up_(up(camera)), forward_(forward(camera))
{
    const double focal = 0.5 * double(display.y) / std::tan(camera.fov * (std::numbers::pi / 360.0));
    focal_ = {focal, focal};
}

std::optional<ImVec2> PictureLines::at(const glm::dvec3& place) const
{
    const glm::dvec3 relative = place - camera_.position;
    const double ahead = glm::dot(relative, forward_);
    if (ahead < kNearest) return std::nullopt;
    const double x = glm::dot(relative, right_) / ahead * focal_.x, y = glm::dot(relative, up_) / ahead * focal_.y;
    if (std::abs(x) > kFarthestPixel || std::abs(y) > kFarthestPixel) return std::nullopt;
    return ImVec2(display_.x / 2 + float(x), display_.y / 2 - float(y));
}

void PictureLines::line(std::span<const SeenPoint> points, const ImVec4& colour, float width) const
{
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const bool shadow : {true, false})  // the dark rim keeps the line visible on snow
        for (std::size_t i = 1; i < points.size(); ++i)
        {
            const auto a = at(points[i - 1].place), b = at(points[i].place);
            if (!a || !b) continue;
            const bool hidden = points[i - 1].hidden || points[i].hidden;
            if (shadow && hidden) continue;
            list.AddLine(*a, *b, shadow ? IM_COL32(0, 0, 0, 120) : faded(colour, hidden ? kHiddenAlpha : 1.0f),
                         shadow ? width + 2 : width);
        }
}

void PictureLines::dot(const SeenPoint& point, const ImVec4& colour, float radius) const
{
    const std::optional<ImVec2> place = at(point.place);
    if (!place) return;
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddCircleFilled(*place, radius + 1.5f, IM_COL32(0, 0, 0, point.hidden ? 50 : 160));
    list.AddCircleFilled(*place, radius, faded(colour, point.hidden ? kHiddenAlpha : 1.0f));
}

}  // namespace orogen::app
