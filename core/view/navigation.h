// How keys, the wheel and drags move a camera over a ground: single steps, without a memory of their own.  What lasts
// longer than a frame (speeding up, slowing down, a drag, a flight to a point) is view_controller.h's.
#pragma once

#include <optional>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/view/camera.h"

namespace orogen {

// Held keys and mouse motion of one frame, already mapped; keys in [-1, 1].
struct CameraInput
{
    double forward = 0, right = 0, up = 0;
    double turnX = 0, turnY = 0;  // pixels dragged with the look button; y downwards
    double panX = 0, panY = 0;    // pixels dragged with the pan button; y downwards
    double zoom = 0;              // wheel notches, away from the user is positive
    double pace = 0;              // wheel notches that change how fast keys fly
    bool fast = false, slow = false;
    bool holding = false;                  // a button that drags is held, moved or not
    std::optional<glm::dvec2> flyTo = {};  // in [-1, 1]², y up: where the picture was double-clicked

    bool idle() const;  // asks for no movement
};

// Height of the drawn ground above the ellipsoid, metres, below an earth-fixed position.
using EarthGround = std::function<double(const glm::dvec3& position)>;

// What a view moves over and is seen through.
struct ViewSurroundings
{
    GroundHeight ground;  // of a plane
    TerrainExtent terrain;
    glm::dvec2 viewport{1280, 720};      // in the units in which the mouse moves
    glm::dvec2 freeLow{0}, freeHigh{1};  // what no panel covers: upper left and lower right, as shares of the viewport
    EarthGround earthGround = {};        // the world is the Earth: `ground` is empty, and `terrain` only bounds heights
    std::optional<Camera> home = {};     // where a session over a plane starts, if its terrain says so

    bool onEarth() const { return bool(earthGround); }
};

// Five times as fast with `fast`, a fifth with `slow`.
double paceOf(const CameraInput& input);

// Height above ground, metres, never less than kEyeHeight: the measure of all steps.
double heightAbove(const Camera& camera, double groundHeight);

// Metres a second at full key: as much as the height above ground, so that one key serves 2 m and 20 km.
double flySpeed(const Camera& camera, double groundHeight, const CameraInput& input);

// The camera, lifted to kEyeHeight above `groundHeight` if it is below: for after a move, with the ground of the new
// place.
Camera aboveGround(Camera camera, double groundHeight);

// The way from `from` to `to`, with the ground in between: in steps of a tenth of the height above ground, each of
// which ends at least kEyeHeight above it.  A step into a slope goes on along it, no further than it would have gone
// through the air; so a cliff is climbed and not leapt.  At most 256 steps: whoever wants more beside the ground stays
// behind.  Nor does it lead further from the terrain than four of its sizes, unless `from` is there.
glm::dvec3 movedOverGround(const glm::dvec3& from, const glm::dvec3& to, const ViewSurroundings& around);

// Metres above the sea: as high as keys and the wheel lead.
double ceilingOver(const TerrainExtent& terrain);

// The direction that appears at `cursor` (in [-1, 1]², y up); its component along the view is 1.
glm::dvec3 rayAt(const Camera& camera, glm::dvec2 cursor, glm::dvec2 viewport);

// The first point of the ground that a ray meets, to about a ten-thousandth of its distance; none within a few sizes of
// the terrain.  Beyond the terrain the ground goes on at the height of its edge.  Slopes steeper than 75 degrees that
// are thinner than what is left to them may be passed.  Some hundred looks at the ground.
std::optional<glm::dvec3> groundAlong(const glm::dvec3& origin, const glm::dvec3& direction, const GroundHeight& ground,
                                      const TerrainExtent& terrain);
std::optional<glm::dvec3> groundUnder(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around);

// Turned by dragging: 0.15 degrees a pixel at 60 degrees of view, less in narrower ones; pitch stays within ±90.
Camera turned(Camera camera, double pixelsRight, double pixelsDown);

// Towards `target` by wheel notches, 15 % of the distance each, or away from it: the target stays where it is in the
// picture.
glm::dvec3 zoomed(const glm::dvec3& position, const glm::dvec3& target, double notches);

// What the wheel goes towards: the ground under the cursor, or a point on its ray where that is far away or none.
glm::dvec3 zoomTarget(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around);

// Where a double click on `spot` leads: flying, to look down at it from a third of the distance; in the map, above it
// at half the height.
Camera closeTo(const glm::dvec3& spot, const Camera& camera, bool map);

}  // namespace orogen
