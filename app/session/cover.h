// Cover of the open terrain: contour lines with their labels, and the draped image.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/model/terrain_state.h"
#include "app/session/messages.h"
#include "core/base/background_task.h"
#include "core/settings.h"
#include "core/terrain/io/drape.h"
#include "core/terrain/raster/contours.h"
#include "core/view/camera.h"

namespace orogen::app {

// ---- contour lines for a moving camera: their interval, and the positions of their labels ----

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

// ---- draped image: read in the background and warped to the terrain's coordinate system ----

class Renderer;

class DrapeLoader
{
public:
    // Starts reading an image as soon as a terrain is open; the current one stays until the new one is ready.
    void open(std::string file);
    void drop(Renderer& renderer);  // drops the current image and any pending one
    void forget();                  // drops both without the renderer: their terrain is gone

    // Takes a finished image; call at a frame's start.  `terrain`: the open raster without heights, or null.  Errors:
    // those of readPicture(), drape() and the renderer; then the current image stays.
    Status take(const Raster* terrain, Renderer& renderer, Messages& messages);
    // Reads the image again after a lost context.
    void readAgain();

    const std::string& file() const { return wanted_.empty() ? shown_ : wanted_; }  // empty: none
    const std::string& shown() const { return shown_; }                             // empty: none
    bool pending() const { return !wanted_.empty(); }
    std::optional<double> fraction() const;  // progress of the pending image, 0 to 1

private:
    using Task = BackgroundTask<DrapedPicture>;

    std::string wanted_, shown_;
    std::unique_ptr<Task> task_;
};

}  // namespace orogen::app
