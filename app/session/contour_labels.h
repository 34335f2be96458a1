// Contour lines of the open terrain, with their labels.
#pragma once

#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/model/terrain_state.h"
#include "core/settings.h"
#include "core/terrain/raster/contours.h"
#include "core/terrain/raster/height_field.h"
#include "core/view/camera.h"

namespace orogen::app {

// Contour lines for a moving camera: their interval, and the positions of their labels.
class ContourLabeler
{
public:
    // Adopts another terrain or changed heights, and resets all choices.  Reads at most 510 x 510 places.
    void showTerrain(const HeightField& field, double relief);  // metres from lowest to highest

    // Returns the interval in effect (metres), as set or chosen.  `picture`: size in pixels.
    double update(const Settings& settings, const HeightField& field, glm::dvec2 picture);
    double interval() const { return interval_; }

    // Returns the labels in view.  Each stays at its point of the terrain while in view, so that labels do not jump.
    // At most kMostLabels; about 0.2 ms.
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
