// What is looked up in a picture of the Earth: the place under the cursor, that of the camera, and the scale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <glm/vec2.hpp>

#include "app/ui/earth_state.h"
#include "core/view/camera.h"

namespace orogen::app {

class Session;

class EarthTools
{
public:
    void pointAt(const std::optional<glm::dvec2>& cursor) { cursor_ = cursor; }  // in [-1, 1]², y up
    void forget();
    // Once a frame that is drawn: some hundred looks at the ground, where the cursor or the camera have moved.
    void update(const Session& session);

    std::optional<EarthState> state(const Session& session) const;  // empty: a plane is shown
    std::uint64_t changes() const { return changes_; }

    // pick_height, pick_distance; none: another key.
    std::optional<std::string> value(std::string_view key) const;

private:
    struct Looked
    {
        std::optional<glm::dvec2> cursor;
        Camera camera;
        std::uint64_t tiles = 0;  // loaded until then
        bool operator==(const Looked&) const = default;
    };
    std::optional<glm::dvec2> cursor_;
    std::optional<Looked> looked_;
    std::optional<Geodetic> under_;
    double underSamples_ = 0, distance_ = 0;
    ScaleBar bar_;
    std::uint64_t changes_ = 0;
};

}  // namespace orogen::app
