// Contour lines while the camera moves: which interval they have, and where their heights stand.
#pragma once

#include <functional>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/ui/cover_state.h"
#include "core/settings.h"
#include "core/terrain/raster/contours.h"
#include "core/view/camera.h"

namespace orogen::app {

class ContourSession
{
public:
    // Another terrain, or other heights of it: everything is chosen anew.  O(65,536) at most.
    void showTerrain(const HeightField& field, double relief);  // metres, lowest to highest

    // The interval in effect, metres: as set, or chosen.  `picture`: pixels.
    double update(const Settings& settings, const HeightField& field, glm::dvec2 picture);
    double interval() const { return interval_; }

    // Numbers of the lines in view.  Each stands on a point of the terrain for as long as it is in view, so that none
    // jumps while the camera moves.  At most kMostLabels; some 0.2 ms.
    std::vector<ContourLabel> labels(const Settings& settings, const HeightField& field, glm::dvec2 picture);

    static constexpr std::size_t kMostLabels = 24;

private:
    struct Anchor
    {
        ContourPoint point;
        double interval = 0;
    };
    struct View;

    void dropAnchors(const View& view);
    void addAnchors(const View& view);

    ContourChoice choice_;
    double slope_ = 0, relief_ = 0, interval_ = 100;
    std::vector<Anchor> anchors_;
};

}  // namespace orogen::app
