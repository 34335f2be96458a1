// The triangulation from above: which part of it, and when it is drawn anew.
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
    void forget();  // another terrain

    // Draws it anew where the tree or the part that is shown has changed, at most four times a second (`now`: seconds).
    // Errors of the first time: kShader, kLimit; it is closed after one.
    // `draw`: the GPU may be asked to; in the middle of a frame it may not.
    Status update(const PictureScene& scene, Renderer& renderer, double now, bool draw);
    bool pending() const { return open_ && stale_; }
    std::uint64_t changes() const { return changes_; }  // counts what state() has been

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
