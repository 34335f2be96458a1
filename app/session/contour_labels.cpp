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
#include "core/view/earth_view.h"
#include "core/view/name_labels.h"

namespace orogen::app {

namespace {

constexpr double kLeastSlope = 0.002;         // minimum gradient assumed: flatter ground counts as having it
constexpr double kLeastHeight = 2.0;          // minimum camera height above ground assumed (metres)
constexpr double kShallowest = 12.0;          // minimum angle of sight below the horizon assumed (degrees)
constexpr int kColumns = 7, kRows = 5;        // grid of candidate label positions in the picture
constexpr double kApart = 130, kMerged = 60;  // minimum distance between labels when added, and when kept (pixels)
constexpr double kMargin = 30;                // minimum distance of labels from the picture's edge (pixels)
constexpr double kLeastSpacing = 26;          // minimum distance between index contours at a label (pixels)
constexpr int kMarchSteps = 56;               // steps of the search for the ground along a ray
constexpr int kHalvings = 7;                  // bisections of the step that crosses the ground
constexpr int kLevelSteps = 5;                // iterations for the height at which a ray meets the Earth's ground
constexpr double kOffOfDistance = 0.01;       // allowed error of that height (share of the distance to the camera)
constexpr double kSlopePixels = 3;            // a slope is measured over this many pixels to either side

}  // namespace

ContourGround contourGround(const HeightField& field, double scale)
{
    ContourGround ground;
    ground.height = [&field](const glm::dvec3& at) { return double(heightAt(field, at.x, at.y)); };
    ground.around.ground = [&field, scale](double east, double north) {
        return scale * double(heightAt(field, east, north));
    };
    ground.around.terrain.size = {(field.width - 1) * field.pixelWidth, (field.height - 1) * field.pixelHeight};
    ground.scale = scale;
    ground.spacing = std::max(field.pixelWidth, field.pixelHeight);
    return ground;
}

// Projection of the current camera, and the ground below it.
struct ContourLabeler::View
{
    const ContourGround& ground;
    Camera camera;
    PictureProjection projection;
    glm::dvec2 picture;      // pixels
    double pixelsPerRadian;  // in the middle of the picture
    double interval;         // interval of the contour lines (metres, unscaled)

    View(const ContourGround& on, const Camera& by, double lines, glm::dvec2 size)
        : ground(on), camera(by), projection(by, on.around.world(), size), picture(size),
          pixelsPerRadian(size.y / (2 * std::tan(glm::radians(by.fov) / 2))), interval(lines)
    {
    }

    bool onEarth() const { return ground.around.onEarth(); }
    glm::dvec3 drawn(const glm::dvec3& place, double metres) const
    {
        return atHeight(ground.around, place, metres * ground.scale);
    }
    bool inside(const glm::dvec3& place) const
    {
        const glm::dvec2 half = 0.5 * ground.around.terrain.size;
        return onEarth() || (std::abs(place.x) < half.x && std::abs(place.y) < half.y);
    }
    std::optional<glm::dvec2> seenAt(const glm::dvec3& point) const { return projection.at(point, picture.x); }
    bool onPicture(glm::dvec2 pixel) const
    {
        return pixel.x > kMargin && pixel.y > kMargin && pixel.x < picture.x - kMargin && pixel.y < picture.y - kMargin;
    }
    glm::dvec3 ray(glm::dvec2 pixel) const
    {
        const glm::dvec2 cursor(pixel.x / picture.x * 2 - 1, 1 - pixel.y / picture.y * 2);
        return glm::normalize(rayIn(ground.around, camera, cursor, picture));
    }

    // Returns the distance at which a ray meets the ground of a plane, if within `reach` metres.  Searches by growing
    // steps, then by bisection, so it may pass a ridge that is narrower than a step.
    std::optional<double> hitOnPlane(const glm::dvec3& direction, double reach) const
    {
        const auto below = [&](double distance) {
            const glm::dvec3 p = camera.position + direction * distance;
            return p.z < ground.around.ground(p.x, p.y);
        };
        double low = 0, t = reach * 0.002;
        const double growth = std::pow(reach / t, 1.0 / kMarchSteps);
        for (int i = 0; i < kMarchSteps; ++i, low = t, t *= growth)
            if (below(t))
            {
                double high = t;
                for (int k = 0; k < kHalvings; ++k)
                {
                    const double middle = (low + high) / 2;
                    (below(middle) ? high : low) = middle;
                }
                return high;
            }
        return std::nullopt;
    }
    // Returns the point where a ray meets the Earth's ground; nothing if the ray misses or grazes the ground, or if
    // terrain hides the point.
    std::optional<glm::dvec3> hitOnEarth(const glm::dvec3& direction) const
    {
        std::optional<glm::dvec3> place;
        double metres = 0, before = 0;
        for (int i = 0; i < kLevelSteps; ++i)
        {
            place = onRaisedEllipsoid(camera.position, direction, metres * ground.scale);
            if (!place) return std::nullopt;
            before = std::exchange(metres, ground.height(*place));
        }
        const double off = std::abs(metres - before) * ground.scale;
        if (off > kOffOfDistance * glm::distance(*place, camera.position) || hides(*place)) return std::nullopt;
        return place;
    }
    std::optional<glm::dvec3> hit(const glm::dvec3& direction) const
    {
        if (onEarth()) return hitOnEarth(direction);
        const glm::dvec2 size = ground.around.terrain.size;
        const std::optional<double> distance = hitOnPlane(direction, 3 * std::max(size.x, size.y));
        return distance ? std::optional(camera.position + direction * *distance) : std::nullopt;
    }
    bool hides(const glm::dvec3& place) const
    {
        if (onEarth())
            return behindGlobe(camera.position, place) || (geodeticOf(camera.position).height < kGroundHidesBelow &&
                                                           groundHides(ground.around, camera.position, place));
        const glm::dvec3 offset = place - camera.position;
        const double distance = glm::length(offset);
        return hitOnPlane(offset / distance, distance * 0.97).has_value();
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

std::vector<ContourLabel> ContourLabeler::labels(const Settings& settings, const ContourGround& ground, double interval,
                                                 glm::dvec2 picture)
{
    if (!settings.render.contours || picture.x < 2 || picture.y < 2) return {};
    const View view(ground, cameraOf(settings.view), interval, picture);
    dropAnchors(view);
    addAnchors(view);
    std::vector<ContourLabel> labels;
    for (const Anchor& anchor : anchors_)
    {
        const auto seen = view.seenAt(anchor.place);
        const auto further =
            view.seenAt(anchor.place + anchor.along * (0.01 * glm::distance(anchor.place, view.camera.position)));
        if (!seen || !further) continue;
        double turn = std::atan2(further->y - seen->y, further->x - seen->x);
        if (turn > std::numbers::pi / 2) turn -= std::numbers::pi;
        if (turn < -std::numbers::pi / 2) turn += std::numbers::pi;
        const double index = interval * kIndexContours;
        labels.push_back({*seen / picture, turn, fixedText(anchor.height, index >= 1 ? 0 : 1)});
    }
    return labels;
}

// Drops labels that are out of view, hidden by terrain, too close to an older label, or made for another interval or
// height scale.
void ContourLabeler::dropAnchors(const View& view)
{
    std::vector<glm::dvec2> kept;
    std::erase_if(anchors_, [&](const Anchor& anchor) {
        const auto seen = view.seenAt(anchor.place);
        if (anchor.interval != view.interval || anchor.scale != view.ground.scale || !seen || !view.onPicture(*seen))
            return true;
        const auto tooClose = [&](glm::dvec2 other) { return glm::length(other - *seen) < kMerged; };
        if (view.hides(anchor.place) || std::ranges::any_of(kept, tooClose)) return true;
        kept.push_back(*seen);
        return false;
    });
}

void ContourLabeler::addAnchors(const View& view)
{
    std::vector<glm::dvec2> taken;
    for (const Anchor& anchor : anchors_)
        if (const auto seen = view.seenAt(anchor.place)) taken.push_back(*seen);
    const auto isFree = [&](glm::dvec2 pixel) {
        return std::ranges::none_of(taken, [&](glm::dvec2 other) { return glm::length(other - pixel) < kApart; });
    };
    for (int cell = 0; cell < kColumns * kRows && anchors_.size() < kMostLabels; ++cell)
    {
        // Odd rows are shifted, so that labels do not line up in columns.
        const int row = cell / kColumns;
        const glm::dvec2 pixel(view.picture.x * (cell % kColumns + (row % 2 ? 0.65 : 0.35)) / kColumns,
                               view.picture.y * (row + 0.5) / kRows);
        if (!isFree(pixel)) continue;
        const std::optional<Anchor> anchor = anchorNear(view, pixel);
        if (!anchor) continue;
        const auto seen = view.seenAt(anchor->place);
        if (!seen || !view.onPicture(*seen) || !isFree(*seen)) continue;
        anchors_.push_back(*anchor);
        taken.push_back(*seen);
    }
}

// Returns a point of an index contour near a pixel; nothing if no index contour is near, or if the index contours are
// too close together there.
std::optional<ContourLabeler::Anchor> ContourLabeler::anchorNear(const View& view, glm::dvec2 pixel)
{
    const std::optional<glm::dvec3> start = view.hit(view.ray(pixel));
    if (!start) return std::nullopt;
    const LocalAxes axes = axesIn(view.ground.around, *start);
    const auto at = [&](glm::dvec2 off) { return *start + axes.toEarthFixed(glm::dvec3(off, 0)); };
    const auto height = [&](double east, double north) { return view.ground.height(at({east, north})); };
    const double metresPerPixel = glm::distance(*start, view.camera.position) / view.pixelsPerRadian;
    const double spacing = view.ground.spacing > 0 ? view.ground.spacing / 2 : kSlopePixels * metresPerPixel;
    const auto point = nearestIndexContour(height, glm::dvec2(0), view.interval, spacing, kApart * metresPerPixel);
    if (!point || !view.inside(at(point->place))) return std::nullopt;
    const glm::dvec3 place = view.drawn(at(point->place), point->height);
    const glm::dvec2 across(-point->along.y, point->along.x);
    const auto seen = view.seenAt(place),
               next = view.seenAt(place + axes.toEarthFixed(glm::dvec3(across, 0)) * metresPerPixel);
    const auto beside = [&](double metres) {
        return height(point->place.x + across.x * metres, point->place.y + across.y * metres);
    };
    const double steep = std::abs(beside(spacing) - beside(-spacing)) / (2 * spacing);
    const double pixels = seen && next ? glm::length(*next - *seen) : 0.0;
    if (pixels * view.interval * kIndexContours / (std::max(steep, 1e-6) * metresPerPixel) < kLeastSpacing)
        return std::nullopt;
    return Anchor{place, axes.toEarthFixed(glm::dvec3(point->along, 0)), point->height, view.interval,
                  view.ground.scale};
}

}  // namespace orogen::app
