// Ground that a camera sees: its range of heights and its slope, to which colours and contour lines adapt.
#pragma once

#include <cstdint>
#include <optional>

#include "app/gl/window.h"
#include "app/session/contour_labels.h"
#include "core/settings.h"
#include "core/terrain/raster/contours.h"
#include "core/view/camera.h"
#include "core/view/navigation.h"
#include "core/view/viewed_ground.h"

namespace orogen::app {

class OpenTerrain;
class Renderer;

// Returns the ground that contour lines of the open terrain lie on, seen in a picture of that size.  `terrain` must
// outlive the result.
ContourGround contourGround(const OpenTerrain& terrain, ViewSurroundings around, PixelSize size, double heightScale);

class GroundInView
{
public:
    // Samples the ground in view if colours adapt to it, or the Earth shows contour lines.  Sets the renderer's options
    // for colours and contour lines.  `size`: picture size (pixels).  `labeler` chooses the interval on a plane.
    // `flown`: colours adapt to a new range of heights over some frames, else at once.  Returns whether labels of
    // contour lines may have moved.
    bool update(const Settings& settings, const OpenTerrain& terrain, ViewSurroundings around, PixelSize size,
                Renderer& renderer, ContourLabeler& labeler, bool flown);

private:
    // Inputs for which `ground_` was sampled.
    struct Viewed
    {
        Camera camera;
        PixelSize size;
        float heightScale = 1;
        std::uint64_t heights = 0, loaded = 0;  // version of the terrain's heights, and number of tiles loaded so far
        bool operator==(const Viewed&) const = default;
    };
    std::optional<Viewed> viewed_;
    std::optional<ViewedGround> ground_;
    FollowedHeights followed_;
    ContourChoice contours_;
};

}  // namespace orogen::app
