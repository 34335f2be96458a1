// Framebuffers of a frame: colour and reversed depth at the drawn size, optionally multisampled and smaller than the
// picture, and the resolved picture at full size.
#pragma once

#include <glm/vec2.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"

namespace orogen::app {

// Checks render.msaa against the driver's limit for colour and depth.  Error kLimit names the largest.
Status checkSamples(const Limits& limits, int samples);

class RenderTarget
{
public:
    RenderTarget() = default;  // without a size: resize() or assign before use

    // `width`, `height`: pixels of the picture.  `scale`: drawn size in percent of it, 25 ... 100.  `apart`: drawing
    // does not change the picture before resolve().  Error kLimit: a side above limits.textureSize, or out of memory.
    static Result<RenderTarget> create(const Limits& limits, int width, int height, int samples, float scale = 100,
                                       bool apart = false);

    // No-op if nothing changes.  Errors as create(); the target is then unchanged.  With `apart`, the picture is kept,
    // stretched to the new size, until the next resolve().
    Status resize(const Limits& limits, int width, int height, int samples, float scale = 100, bool apart = false);

    // Returns a target of another size to replace this one; keeps the picture like resize().
    Result<RenderTarget> resized(const Limits& limits, int width, int height, int samples, float scale,
                                 bool apart) const;

    void begin() const;  // binds, clears depth to 0 (reversed); colour is not cleared
    void bind() const;   // binds again
    // Updates resolved().  A smaller picture is scaled up with linear filtering, after the compute program `sharpen`
    // (shaders/shading/sharpen.comp; 0: none) has sharpened it.
    void resolve(GLuint sharpen = 0) const;

    GLuint resolved() const;
    int width() const { return width_; }  // picture
    int height() const { return height_; }
    int drawnWidth() const { return drawnWidth_; }  // drawn size
    int drawnHeight() const { return drawnHeight_; }
    int samples() const { return samples_; }
    float scale() const { return scale_; }
    bool apart() const { return apart_; }
    GLuint depth() const { return depth_.id(); }  // texture, multisampled if samples() > 1
    glm::vec2 samplePlace() const;                // sample 0 of the depth within a pixel, from its lower left
    std::uint64_t bytes() const;

private:
    bool scaled() const { return drawnWidth_ != width_ || drawnHeight_ != height_; }
    bool hasShown() const { return scaled() || (apart_ && samples_ <= 1); }
    void takePicture(const RenderTarget& from) const;

    Texture colour_, depth_, resolvedColour_, sharpColour_, shownColour_;
    Framebuffer framebuffer_, resolvedFramebuffer_, sharpFramebuffer_,
        shownFramebuffer_;  // all but the first if needed
    int width_ = 0, height_ = 0, drawnWidth_ = 0, drawnHeight_ = 0, samples_ = 0;
    float scale_ = 100;
    bool apart_ = false;
};

}  // namespace orogen::app
