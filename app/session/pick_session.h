// Point of the ground under the cursor, and the tree leaf that contains it.
//
// The point comes from a ray cast through the heights on the CPU.  The leaf comes from the GPU some frames later.  It
// is requested only while the camera rests, with at most one query in flight.
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
    void forget();  // for another terrain

    // Sets the cursor position over the picture; empty: elsewhere.  The last result stays available to scripts.
    void pointAt(const std::optional<glm::dvec2>& cursor);

    // Updates point and leaf.  `ask`: GPU queries are allowed (not in the middle of a frame).  `wait`: waits for the
    // answer.  Errors of the first query: kShader, kLimit; they switch picking off.
    Status update(const PictureScene& scene, Renderer& renderer, double squareSide, bool ask, bool wait);
    bool pending() const { return on_ && cursor_ && stale_; }
    std::uint64_t changes() const { return changes_; }  // number of changes to state()

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
    bool stale_ = false;                  // the leaf is outdated for this point, camera and tree
    std::optional<glm::dvec2> lookedAt_;  // cursor for which found_ holds; camera and heights below
    Camera camera_;
    std::uint64_t heights_ = 0, loaded_ = 0, question_ = 0, changes_ = 0;
    bool treeMoved_ = false;
};

}  // namespace orogen::app
