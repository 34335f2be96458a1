#include "app/session/contour_labels.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/base/text.h"

namespace orogen::app {

namespace {

constexpr double kLeastSlope = 0.002;         // gradient that flatter ground is assumed to have
constexpr double kLeastHeight = 2.0;          // camera height above ground that is assumed at least (metres)
constexpr double kShallowest = 12.0;          // pitch that is assumed at least (degrees below the horizon)
constexpr double kNearPlane = 0.2;            // metres; any value gives the same projected positions
constexpr int kColumns = 7, kRows = 5;        // grid of candidate label positions in the picture
constexpr double kApart = 130, kMerged = 60;  // least distance between labels (pixels): for new ones, for existing ones
constexpr double kMargin = 30;                // pixels to the picture's edge
constexpr double kLeastSpacing = 26;          // least distance between numbered lines at a label (pixels)
constexpr int kMarchSteps = 56;               // steps of the search for the ground along a ray
constexpr int kHalvings = 7;                  // bisections of the step that crosses the ground

}  // namespace

// Projection of the current camera, and the heights below it.
struct ContourLabeler::View
{
    const HeightField& field;
    double scale;  // height scale
    Camera camera;
    Projection projection;
    glm::dvec2 picture;  // pixels
    double interval;     // metres, unscaled

    double ground(double east, double north) const { return scale * double(heightAt(field, east, north)); }
    bool inside(glm::dvec2 place) const
    {
        return std::abs(place.x) < (field.width - 1) * field.pixelWidth / 2 &&
               std::abs(place.y) < (field.height - 1) * field.pixelHeight / 2;
    }
    // Projects to pixels from the top left, and depth (metres); empty behind the camera.
    std::optional<glm::dvec3> seenAt(glm::dvec3 point) const
    {
        const glm::vec4 clip = projection.clipFromRelative * glm::vec4(glm::vec3(point - camera.position), 1.0f);
        if (clip.w < kNearPlane) return std::nullopt;
        return glm::dvec3((clip.x / clip.w * 0.5 + 0.5) * picture.x, (0.5 - clip.y / clip.w * 0.5) * picture.y, clip.w);
    }
    bool onPicture(glm::dvec2 pixel) const
    {
        return pixel.x > kMargin && pixel.y > kMargin && pixel.x < picture.x - kMargin && pixel.y < picture.y - kMargin;
    }
    glm::dvec3 ray(glm::dvec2 pixel) const
    {
        const glm::dvec2 ndc(pixel.x / picture.x * 2 - 1, 1 - pixel.y / picture.y * 2);
        const glm::vec4 a = projection.relativeFromClip * glm::vec4(glm::vec2(ndc), 1.0f, 1.0f);
        const glm::vec4 b = projection.relativeFromClip * glm::vec4(glm::vec2(ndc), 0.5f, 1.0f);
        return glm::normalize(glm::dvec3(b) / double(b.w) - glm::dvec3(a) / double(a.w));
    }
    // Returns the distance to the first ground hit within `reach` metres, by growing steps and then bisection.
    std::optional<double> hit(glm::dvec3 direction, double reach) const
    {
        double low = 0, t = reach * 0.002;
        const double growth = std::pow(reach / t, 1.0 / kMarchSteps);
        for (int i = 0; i < kMarchSteps; ++i, low = t, t *= growth)
            if (const glm::dvec3 p = camera.position + direction * t; p.z < ground(p.x, p.y))
            {
                double high = t;
                for (int k = 0; k < kHalvings; ++k)
                {
                    const double middle = (low + high) / 2;
                    const glm::dvec3 m = camera.position + direction * middle;
                    (m.z < ground(m.x, m.y) ? high : low) = middle;
                }
                return high;
            }
        return std::nullopt;
    }
};

void ContourLabeler::showTerrain(const HeightField& field, double relief)
{
    relief_ = relief;
    slope_ = std::max(meanSlope(field), kLeastSlope);
    choice_.forget();
    anchors_.clear();
}

double ContourLabeler::update(const Settings& settings, const HeightField& field, glm::dvec2 picture)
{
    if (settings.render.contourInterval > 0) return interval_ = double(settings.render.contourInterval);
    const Camera camera = cameraOf(settings.view);
    const double scale = double(settings.terrain.heightScale);
    const double ground = scale * double(heightAt(field, camera.position.x, camera.position.y));
    const double above = std::max(camera.position.z - ground, kLeastHeight);
    const double down = settings.view.mode == ViewMode::kMap ? 90.0 : std::max(-camera.pitch, kShallowest);
    const double metresPerPixel =
        above / std::sin(glm::radians(down)) * 2 * std::tan(glm::radians(camera.fov) / 2) / std::max(picture.y, 1.0);
    return interval_ = choice_.choose(slope_, metresPerPixel, relief_);
}

std::vector<ContourLabel> ContourLabeler::labels(const Settings& settings, const HeightField& field, glm::dvec2 picture)
{
    if (!settings.render.contours || picture.x < 2 || picture.y < 2) return {};
    const Camera camera = cameraOf(settings.view);
    const View view{field,   double(settings.terrain.heightScale),
                    camera,  project(camera, int(picture.x), int(picture.y), kNearPlane),
                    picture, interval_};
    dropAnchors(view);
    addAnchors(view);
    std::vector<ContourLabel> labels;
    for (const Anchor& anchor : anchors_)
    {
        const ContourPoint& point = anchor.point;
        const glm::dvec3 here(point.place, point.height * view.scale);
        const auto seen = view.seenAt(here);
        const auto further = view.seenAt(here + glm::dvec3(point.along, 0) * (seen ? 0.01 * seen->z : 1.0));
        if (!seen || !further) continue;
        double turn = std::atan2(further->y - seen->y, further->x - seen->x);
        if (turn > std::numbers::pi / 2) turn -= std::numbers::pi;
        if (turn < -std::numbers::pi / 2) turn += std::numbers::pi;
        const double index = interval_ * kIndexContours;
        labels.push_back({glm::dvec2(*seen) / picture, turn, fixedText(point.height, index >= 1 ? 0 : 1)});
    }
    return labels;
}

// Drops labels that are out of view, hidden by terrain, of another interval, or too close to an older label.
void ContourLabeler::dropAnchors(const View& view)
{
    std::vector<glm::dvec2> kept;
    std::erase_if(anchors_, [&](const Anchor& anchor) {
        const glm::dvec3 point(anchor.point.place, anchor.point.height * view.scale);
        const auto seen = view.seenAt(point);
        if (anchor.interval != view.interval || !seen || !view.onPicture(*seen)) return true;
        const glm::dvec3 offset = point - view.camera.position;
        const double distance = glm::length(offset);
        const std::optional<double> hit = view.hit(offset / distance, distance * 0.97);
        const auto tooClose = [&](glm::dvec2 other) { return glm::length(other - glm::dvec2(*seen)) < kMerged; };
        if (hit || std::ranges::any_of(kept, tooClose)) return true;
        kept.emplace_back(*seen);
        return false;
    });
}

void ContourLabeler::addAnchors(const View& view)
{
    std::vector<glm::dvec2> taken;
    for (const Anchor& anchor : anchors_)
        if (const auto seen = view.seenAt({anchor.point.place, anchor.point.height * view.scale}))
            taken.emplace_back(*seen);
    const auto isFree = [&](glm::dvec2 pixel) {
        return std::ranges::none_of(taken, [&](glm::dvec2 other) { return glm::length(other - pixel) < kApart; });
    };
    const double reach =
        3 * std::max((view.field.width - 1) * view.field.pixelWidth, (view.field.height - 1) * view.field.pixelHeight);
    const double spacing = std::max(view.field.pixelWidth, view.field.pixelHeight) / 2;
    const auto height = [&](double east, double north) { return double(heightAt(view.field, east, north)); };
    for (int cell = 0; cell < kColumns * kRows && anchors_.size() < kMostLabels; ++cell)
    {
        // Odd rows are shifted, so that labels do not line up in columns.
        const int row = cell / kColumns;
        const glm::dvec2 pixel(view.picture.x * (cell % kColumns + (row % 2 ? 0.65 : 0.35)) / kColumns,
                               view.picture.y * (row + 0.5) / kRows);
        if (!isFree(pixel)) continue;
        const glm::dvec3 direction = view.ray(pixel);
        const std::optional<double> hit = view.hit(direction, reach);
        if (!hit) continue;
        const glm::dvec3 start = view.camera.position + direction * *hit;
        const double metresPerPixel = *hit / double(view.projection.pixelsPerRadian);
        const auto point =
            nearestIndexContour(height, glm::dvec2(start), view.interval, spacing, kApart * metresPerPixel);
        if (!point || !view.inside(point->place)) continue;
        const glm::dvec3 place(point->place, point->height * view.scale);
        const auto seen = view.seenAt(place);
        if (!seen || !view.onPicture(*seen) || !isFree(*seen)) continue;
        // Skips places where numbered lines are too close on the screen.
        const auto next = view.seenAt(place + glm::dvec3(-point->along.y, point->along.x, 0) * metresPerPixel);
        const double steep = std::abs(height(place.x - point->along.y * spacing, place.y + point->along.x * spacing) -
                                      height(place.x + point->along.y * spacing, place.y - point->along.x * spacing)) /
                             (2 * spacing);
        const double pixels = next ? glm::length(glm::dvec2(*next) - glm::dvec2(*seen)) : 0.0;
        if (pixels * view.interval * kIndexContours / (std::max(steep, 1e-6) * metresPerPixel) < kLeastSpacing)
            continue;
        anchors_.push_back({*point, view.interval});
        taken.emplace_back(*seen);
    }
}

}  // namespace orogen::app
