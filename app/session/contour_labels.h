// Contour lines of the open terrain, with their labels.  Only index contours, every kIndexContours-th line, have
// labels.
#pragma once

#include <optional>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/model/terrain_state.h"
#include "core/settings.h"
#include "core/terrain/raster/contours.h"
#include "core/terrain/raster/height_field.h"
#include "core/view/camera.h"
#include "core/view/viewed_ground.h"

namespace orogen::app {

// Ground of the contour lines, on a plane or on the Earth.
struct ContourGround
{
    ViewSurroundings around;
    DataHeight height;   // heights that the lines follow (metres, without `scale`)
    double scale = 1;    // height scale
    double spacing = 0;  // between samples of `height` (metres); 0: unknown, use the size of pixels on the ground
};
ContourGround contourGround(const HeightField& field, double scale);  // `field` must outlive the result

// Contour lines for a moving camera: their interval, and the positions of their labels.
class ContourLabeler
{
public:
    // Adopts another terrain or changed heights, and resets all choices.  `relief`: metres from the lowest to the
    // highest height.
    void showTerrain(const HeightField& field, double relief);

    // Returns the interval of the lines (metres): that of the settings, else one that suits a view of a plane.
    // `picture`: size in pixels.
    double update(const Settings& settings, const HeightField& field, glm::dvec2 picture);
    double interval() const { return interval_; }

    // Returns the labels in view, at most kMostLabels, of lines `interval` metres apart.  Each label stays at its point
    // of the terrain while in view, so that labels do not jump.  Reads some thousand heights; takes about 0.2 ms on a
    // plane.
    std::vector<ContourLabel> labels(const Settings& settings, const ContourGround& ground, double interval,
                                     glm::dvec2 picture);

    static constexpr std::size_t kMostLabels = 24;

private:
    struct Anchor
    {
        glm::dvec3 place{0.0}, along{1, 0, 0};  // world position (metres), and unit vector along the line
        double height = 0;                      // height of the line (metres)
        double interval = 0, scale = 1;
    };
    struct View;

    void dropAnchors(const View& view);
    void addAnchors(const View& view);
    static std::optional<Anchor> anchorNear(const View& view, glm::dvec2 pixel);

    ContourChoice choice_;
    double slope_ = 0, relief_ = 0, interval_ = 100;
    std::vector<Anchor> anchors_;
};

}  // namespace orogen::app
