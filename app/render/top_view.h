// Top view of the triangulation: a region of the ground with its leaves, in a texture for a panel.
#pragma once

#include <memory>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/drawn_frame.h"

namespace orogen::app {

// A square region, north up.  Places in it are metres east and north: of the centre of a plane, or of `origin` along
// its axes, as seen from far above it.
struct TopPicture
{
    glm::dvec3 origin{0.0};  // on the Earth; unused on a plane
    glm::dvec2 corner{0.0};  // north-western
    double step = 1;         // metres per pixel
    int side = 256;          // pixels
};

class TopView
{
public:
    virtual ~TopView() = default;

    // Draws the region; terrain uniforms and textures must be bound.  Error kLimit: out of memory; the texture is then
    // unchanged.
    Status draw(const DrawnFrame& frame, const TopPicture& region);
    GLuint texture() const { return picture_.id(); }  // 0: nothing has been drawn yet
    std::uint64_t bytes() const;

protected:
    explicit TopView(const ShaderLibrary& library) : library_(&library) {}
    virtual void fill(const DrawnFrame& frame, const TopPicture& region) = 0;

    const ShaderLibrary* library_;
    ProgramHandle program_{};
    Texture picture_;
};

// Return the view of a tree on a plane, and of the pool on the Earth.  They add their programs to `library`, which must
// outlive them and finish before draw().
//
// On a plane: one thread per pixel with some thirty dependent reads, independent of the number of leaves.
std::unique_ptr<TopView> topViewOfPlane(ShaderLibrary& library);
// On the Earth: leaves have no order, so every leaf is drawn as a triangle.
std::unique_ptr<TopView> topViewOfEarth(ShaderLibrary& library);

}  // namespace orogen::app
