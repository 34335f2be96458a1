// Stars and moon, drawn as points behind the ground.
#pragma once

#include <filesystem>
#include <optional>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "core/base/status.h"
#include "core/planet/ellipsoid.h"
#include "core/planet/sky.h"

namespace orogen::app {

// Directions in the sky, along the axes of positions relative to the camera.
struct SkyView
{
    glm::mat3 fromStars{1.0f};  // rotates directions of the star catalogue to these axes
    glm::dvec3 moon{0, 0, -1};  // unit
    bool dark = false;          // stars may show: the sun is down, or there is no air around the camera
};

// Returns the sky over a place.  `axes`: those of positions relative to the camera, earth-fixed; `eye`: camera,
// earth-fixed (metres); `sun`: direction towards it, along `axes`; `height`: of the eye above the sea (metres).
// Without a time the stars stand still, and a full moon stands opposite the sun.
SkyView skyView(std::optional<UtcSeconds> time, const LocalAxes& axes, const glm::dvec3& eye, const glm::dvec3& sun,
                double height);

class NightSky
{
public:
    // Reads the star catalogue below `dataRoot`.  Errors: kInput (file, line), kLimit.
    static Result<NightSky> create(const std::filesystem::path& dataRoot);

    // Draws the sky with the program of stars.vert.  Blends over the picture; depth test as the caller set it.
    void draw(GLuint program, const SkyView& view) const;
    std::uint64_t bytes() const { return stars_.bytes(); }

private:
    Buffer stars_;
    VertexArray points_;
    int count_ = 0;
};

}  // namespace orogen::app
