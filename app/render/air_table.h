// The air of a picture, as tables on the GPU.  The tables of core/planet/air.h change with the visibility.  One more
// table holds the light that the air scatters towards the camera (shaders/air/air_ray.glsl).  It changes with the
// camera and the sun.  Ground, sea and sky read it instead of integrating along the line of sight of each pixel.
#pragma once

#include <cstdint>
#include <optional>

#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "core/base/status.h"
#include "core/gpu_layout.h"
#include "core/planet/air.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {

// A camera in the air of a sphere, and the sun.
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
    bool globe = false;       // moonlight is computed for places with the sun far down, not for the camera's place
};

class AirTable
{
public:
    static Result<AirTable> create();  // error kLimit

    // Computes the tables for a visibility (kilometres), unless they already hold that visibility.  Cost: that of an
    // AirLight.
    void setVisibility(double kilometres);
    // Sets the camera.  setVisibility() comes first.  Returns the exposure (AirLight::exposure()).
    float look(const AirView& view);
    // Computes the table of lines of sight if the camera, the sun or the visibility has changed.  `program`: air.comp.
    void fill(GLuint program);
    void bind() const;  // uniforms and all tables

    std::uint64_t bytes() const;

private:
    void upload(const Texture& texture, std::span<const glm::vec3> texels) const;

    Texture light_, depth_;
    Texture transmittance_, scattered_, sky_;
    Buffer uniforms_;  // AirUniforms
    Sampler between_;  // interpolates between texels
    std::optional<AirLight> air_;
    gpu::AirUniforms view_{};
    GLuint filledBy_ = 0;  // 0: the table is outdated
};

}  // namespace orogen::app
