// Top view of the triangulation, in a texture for a panel.
#pragma once

#include <cstdint>

#include <glm/vec2.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/triangulation.h"

namespace orogen::app {

// A square region of the ground, north up.
struct TopRegion
{
    glm::dvec2 corner{0.0};  // north-western corner, on the draw lattice
    double step = 1;         // lattice units per pixel
    int side = 256;          // pixels
    bool operator==(const TopRegion&) const = default;
};

class TopView
{
public:
    // `library` must outlive this object and finish before draw().
    static TopView create(ShaderLibrary& library);

    // Draws the region; terrain uniforms and textures must be bound.  Costs one thread per pixel with some thirty
    // dependent reads, independent of the number of leaves.  Error kLimit: out of memory; the texture is then
    // unchanged.
    Status draw(const Triangulation& tree, const TopRegion& region);
    GLuint texture() const { return picture_.id(); }  // 0: nothing has been drawn yet
    std::uint64_t bytes() const;

private:
    const ShaderLibrary* library_ = nullptr;
    ProgramHandle program_{};
    Texture picture_;
};

}  // namespace orogen::app
