// Table of the light that the Earth's air scatters towards the camera (shaders/earth/air_ray.glsl), filled once a
// frame. Ground, sea and sky read it instead of integrating along the line of sight of each pixel.
#pragma once

#include <cstdint>

#include "app/gl/objects.h"
#include "core/base/status.h"

namespace orogen::app {

class AirTable
{
public:
    static Result<AirTable> create();  // error kLimit

    // Computes the table for the bound AirUniforms.  `program`: air.comp.
    void fill(GLuint program) const;
    void bind() const;

    std::uint64_t bytes() const;

private:
    Texture light_, depth_;
    Sampler between_;  // texels
};

}  // namespace orogen::app
