// Lookups in a picture of the Earth: the place under the cursor, the camera's place, and the scale bar.
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
    // Updates once per drawn frame: some hundred ground lookups if the cursor, the camera or the loaded tiles changed.
    void update(const Session& session);

    std::optional<EarthState> state(const Session& session) const;  // empty: plane terrain
    std::uint64_t changes() const { return changes_; }

    // Returns the value of pick_height or pick_distance; empty for other keys.
    std::optional<std::string> value(std::string_view key) const;

private:
    struct Looked
    {
        std::optional<glm::dvec2> cursor;
        Camera camera;
        std::uint64_t tiles = 0;  // loaded so far
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
