// Top view of the triangulation: a region of the ground with its leaves, in a texture for a panel.
#pragma once

#include <memory>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/drawn_frame.h"

namespace orogen::app {

// Square region of the ground, north up.  Its places are metres east and north of the terrain's centre on a plane.  On
// the Earth they are metres east and north of `origin`, along the axes there, as seen from far above.
struct TopPicture
{
    glm::dvec3 origin{0.0};  // earth-fixed position (metres); unused on a plane
    glm::dvec2 corner{0.0};  // north-western corner (metres)
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

// Returns the view of the tree on a plane.  Costs one thread per pixel with some thirty dependent reads, whatever the
// number of leaves.  Adds its program to `library`, which must outlive the view and finish before draw().
std::unique_ptr<TopView> topViewOfPlane(ShaderLibrary& library);
// Returns the view of the pool on the Earth.  Its leaves have no order, so every leaf is drawn as a triangle.  Requires
// of `library` what topViewOfPlane() requires.
std::unique_ptr<TopView> topViewOfEarth(ShaderLibrary& library);

}  // namespace orogen::app
