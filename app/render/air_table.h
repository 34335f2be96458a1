// The air of a picture, as tables on the GPU.  The tables of core/planet/air.h change with the visibility.  One more
// table holds the light that the air scatters towards the camera (shaders/air/air_ray.glsl).  It changes with the
// camera and the sun.  Ground, sea and sky read this table instead of integrating along each pixel's line of sight.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "core/base/status.h"
#include "core/gpu_layout.h"
#include "core/planet/air.h"
#include "core/planet/ellipsoid.h"
#include "core/planet/sky.h"

namespace orogen::app {

// A camera in the air of a sphere, and the sun.  On the Earth, the sphere's space is the earth-fixed space with z
// stretched until the ellipsoid is a sphere.  On a plane, the sphere touches the plane below the camera.
struct AirView
{
    LocalAxes axes;           // axes of positions relative to the camera, in the sphere's space
    glm::dvec3 eye{0};        // from the sphere's centre (metres)
    glm::dvec3 sun{0};        // towards the sun, unit, in the sphere's space
    double sunSine = 0;       // sine of the sun's elevation at the place looked at
    double groundHeight = 0;  // height of a plane's ground above the sphere (metres)
    glm::dvec3 moon{0};       // towards the moon, unit, along `axes`
    double moonSine = 0;      // sine of the moon's elevation at the place looked at
    bool moonCasts = false;   // shadows are cast by the moon, not by the sun
    bool globe = false;       // moonlight on the ground is computed for full night, not for `sunSine`
};

class AirTable
{
public:
    static Result<AirTable> create();  // error kLimit

    // Computes the tables for a visibility (kilometres), unless they already hold that visibility.  Cost: that of
    // constructing an AirLight, some 50 ms.
    void setVisibility(double kilometres);
    // Sets the view.  Call setVisibility() before.  Returns the exposure (AirLight::exposure()).
    float look(const AirView& view);
    // Computes the table of light along lines of sight, if visibility or program have changed, or the camera's height
    // by about 2 %, or the sun's elevation by 0.006 degrees.  `program`: that of air.comp.
    void fill(GLuint program);
    void bind() const;  // uniforms and all tables

    std::uint64_t bytes() const;

private:
    void upload(const Texture& texture, std::span<const glm::vec3> texels) const;

    Texture light_, depth_;
    Texture transmittance_, scattered_, sky_;
    Buffer uniforms_, filledUniforms_;  // AirUniforms of the view, and those that the table was filled for
    Sampler between_;                   // interpolates between texels
    std::optional<AirLight> air_;
    gpu::AirUniforms view_{}, filled_{};
    GLuint filledBy_ = 0;  // 0: the table is outdated
};

// Stars and moon, drawn as points behind the ground.

// Directions in the sky, along the axes of positions relative to the camera.
struct SkyView
{
    glm::mat3 fromStars{1.0f};  // rotates directions of the star catalogue to these axes
    glm::dvec3 moon{0, 0, -1};  // unit
    bool dark = false;          // stars may show: the sun is down, or the air around the camera is thin
};

// Returns the sky over a place.  `axes`: those of positions relative to the camera, earth-fixed; `eye`: camera,
// earth-fixed (metres); `sun`: direction towards the sun, along `axes`; `height`: of the eye above the sea (metres).
// Without a time the stars stand still, and a full moon stands opposite the sun.
SkyView skyView(std::optional<UtcSeconds> time, const LocalAxes& axes, const glm::dvec3& eye, const glm::dvec3& sun,
                double height);

class NightSky
{
public:
    // Reads the star catalogue below `dataRoot`.  Errors: kInput, kLimit.
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
