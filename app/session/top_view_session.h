// Top view of the triangulation: the region shown, and when it is redrawn.
#pragma once

#include <cstdint>
#include <optional>

#include "app/session/picture_scene.h"

namespace orogen::app {

class Renderer;

class TopViewSession
{
public:
    bool open() const { return open_; }
    void toggle();
    void toggleSize() { large_ = !large_; }
    void zoom(int steps);
    void forget();  // for another terrain

    // Redraws the view if the tree or the region changed, at most four times a second (`now`: seconds).  `draw`: GPU
    // work is allowed (not in the middle of a frame).  Errors of the first drawing: kShader, kLimit; they close the
    // view.
    Status update(const PictureScene& scene, Renderer& renderer, double now, bool draw);
    bool pending() const { return open_ && stale_; }
    std::uint64_t changes() const { return changes_; }  // number of changes to state()

    TopState state(const Renderer& renderer) const;

private:
    void chooseRegion(const PictureScene& scene, double squareSide);
    void findView(const PictureScene& scene);

    bool open_ = false, large_ = false, stale_ = false;
    int zoom_ = 0;
    double drawnAt_ = -1;  // seconds
    std::optional<Camera> camera_;
    bool drawnLarge_ = false;
    glm::dvec2 corner_{0.0};
    double side_ = 0;
    std::vector<glm::dvec2> view_;
    std::uint64_t changes_ = 0;
};

}  // namespace orogen::app
