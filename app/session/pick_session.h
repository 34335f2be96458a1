// The point of the ground under the cursor, and the leaf of the tree that it lies in.
//
// The point comes from the heights on the CPU: a ray.  The leaf comes from the GPU, some frames later; it is asked for
// only while the camera rests, with one question on its way at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/picture_scene.h"
#include "core/terrain/raster/raster.h"

namespace orogen::app {

class Renderer;

class PickSession
{
public:
    bool on() const { return on_; }
    void toggle();
    void forget();  // another terrain

    // Where the cursor is over the picture; empty: elsewhere, and what was found last stays for scripts.
    void pointAt(const std::optional<glm::dvec2>& cursor);

    // `ask`: the GPU may be asked; in the middle of a frame it may not.  `wait`: for its answer.  Errors of the first
    // question: kShader, kLimit; it is off after one.
    Status update(const PictureScene& scene, Renderer& renderer, double squareSide, bool ask, bool wait);
    bool pending() const { return on_ && cursor_ && stale_; }
    std::uint64_t changes() const { return changes_; }  // counts what state() has been

    PickState state() const;
    std::optional<std::string> value(std::string_view key) const;

private:
    void findPoint(const PictureScene& scene);
    Status askLeaf(Renderer& renderer);
    bool holds(NodeId node, double squareSide) const;
    void outline(const PictureScene& scene, double squareSide, int patchLevel);

    bool on_ = true;
    std::optional<glm::dvec2> cursor_;
    PickState found_;
    bool stale_ = false;                  // what is known of the leaf is not of this point, camera and tree
    std::optional<glm::dvec2> lookedAt_;  // cursor, camera and heights of found_
    Camera camera_;
    std::uint64_t heights_ = 0, loaded_ = 0, question_ = 0, changes_ = 0;
    bool treeMoved_ = false;
};

}  // namespace orogen::app
