// Labels of named places in a picture: which names a view shows, and where their boxes stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen {

// Mapping from world positions to pixels of a picture, from its upper left.  On the Earth it uses the camera's east,
// north and up.
class PictureProjection
{
public:
    PictureProjection(const Camera& camera, World world, glm::dvec2 viewport);

    // Returns the pixel of a place; nothing if it is behind the camera or more than `margin` pixels outside the
    // picture.
    std::optional<glm::dvec2> at(const glm::dvec3& place, double margin) const;

private:
    glm::dvec3 eye_, right_, up_, forward_;
    glm::dvec2 shift_, viewport_;
    double focal_ = 1;  // pixels
};

// Returns whether the ellipsoid lies between a camera and a place on or above its surface.
bool behindGlobe(const glm::dvec3& eye, const glm::dvec3& place);

// A name at its world position.
struct WorldName
{
    std::uint32_t id = 0;
    glm::dvec3 place{0.0};
    double nearest = 0, farthest = 0;  // distances from the camera within which it is shown (metres)
};

struct NameInView
{
    std::uint32_t id = 0;
    glm::dvec2 at{0.0};     // pixels from the upper left
    double importance = 0;  // WorldName::farthest
};

struct NameSurroundings
{
    World world = World::kPlane;
    glm::dvec2 viewport{0.0};
    std::function<glm::dvec3(const glm::dvec3&)> lifted;  // moves a place onto the drawn ground; called for few places
    std::function<bool(const glm::dvec3&)> hidden;        // whether the ground hides a place; called for few, too
};

// Returns the names in the picture, most important first, at most `most`.  Names behind the globe or the ground are
// left out.  Cost: about 5 ns per name, and at most 3 `most` calls of lifted() and hidden().
std::vector<NameInView> namesInView(std::span<const WorldName> names, const Camera& camera,
                                    const NameSurroundings& around, std::size_t most);

// ---- boxes ----

struct LabelBox
{
    glm::dvec2 low{0.0}, high{0.0};  // pixels; upper left and lower right

    bool overlaps(const LabelBox& other, double margin) const
    {
        return low.x < other.high.x + margin && other.low.x < high.x + margin && low.y < other.high.y + margin &&
               other.low.y < high.y + margin;
    }
};

struct WantedLabel
{
    std::uint32_t id = 0;
    double importance = 0;
    LabelBox box;  // at a fixed offset from the place, so that labels move with the ground
};

// Choice of labels that do not overlap and do not flicker.  A shown label gives way to a new one only if that is more
// than four times as important.  A new label needs free space around it.
class LabelLayout
{
public:
    // Returns the indices in `wanted` of the labels to show.  `taken`: boxes that labels must not cover.
    std::vector<std::size_t> choose(std::span<const WantedLabel> wanted, std::span<const LabelBox> taken);

private:
    std::unordered_set<std::uint32_t> shown_;  // ids of the last picture
};

}  // namespace orogen
