// The triangulation seen from straight above, in a texture that a panel shows.
#pragma once

#include <cstdint>

#include <glm/vec2.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/triangulation.h"

namespace orogen::app {

// A square of the ground, north up.
struct TopRegion
{
    glm::dvec2 corner{0.0};  // its north-western one, on the draw lattice
    double step = 1;         // lattice units a pixel
    int side = 256;          // pixels
    bool operator==(const TopRegion&) const = default;
};

class TopView
{
public:
    // `library` must outlive it and finish before draw().
    static TopView create(ShaderLibrary& library);

    // Terrain uniforms and textures must be bound.  A thread a pixel, some thirty dependent reads each, whatever the
    // number of leaves.  Error kLimit: out of memory; the texture is as it was.
    Status draw(const Triangulation& tree, const TopRegion& region);
    GLuint texture() const { return picture_.id(); }  // 0: nothing has been drawn yet
    std::uint64_t bytes() const;

private:
    const ShaderLibrary* library_ = nullptr;
    ProgramHandle program_{};
    Texture picture_;
};

}  // namespace orogen::app
