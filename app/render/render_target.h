// Where a frame is drawn before it is shown: colour and reversed depth, multisampled or not, in the size that is shown
// or smaller, and the picture of the size that is shown.
#pragma once

#include <glm/vec2.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"

namespace orogen::app {

// Error kLimit, naming the largest: render.msaa beyond what this driver has for colour and depth.
Status checkSamples(const Limits& limits, int samples);

class RenderTarget
{
public:
    RenderTarget() = default;  // without a size: resize() it, or put another in its place

    // `width`, `height`: of the picture; `scale`: percent of them that is drawn, 25 ... 100; `apart`: what is drawn
    // never shows in the picture before resolve(). Error kLimit: a side beyond limits.textureSize, or out of memory.
    static Result<RenderTarget> create(const Limits& limits, int width, int height, int samples, float scale = 100,
                                       bool apart = false);

    // Does nothing if all is as it was.  On error, as of create(), the target is as it was.  Where what is drawn is
    // kept apart, the picture stays, stretched to the new size, until another one is resolved.
    Status resize(const Limits& limits, int width, int height, int samples, float scale = 100, bool apart = false);

    // A target of another size that takes the place of this one; keeps its picture likewise.
    Result<RenderTarget> resized(const Limits& limits, int width, int height, int samples, float scale,
                                 bool apart) const;

    void begin() const;    // binds and clears depth (to 0: reversed); every pixel of colour is drawn
    void bind() const;     // again, after others have been bound
    void resolve() const;  // makes the picture in resolved(); where less is drawn, by linear filtering

    GLuint resolved() const;
    int width() const { return width_; }  // of the picture
    int height() const { return height_; }
    int drawnWidth() const { return drawnWidth_; }  // of what is drawn
    int drawnHeight() const { return drawnHeight_; }
    int samples() const { return samples_; }
    float scale() const { return scale_; }
    bool apart() const { return apart_; }
    GLuint depth() const { return depth_.id(); }  // a texture, multisampled as the target is
    glm::vec2 samplePlace() const;                // where in a pixel, from its lower left, sample 0 of the depth lies
    std::uint64_t bytes() const;

private:
    bool scaled() const { return drawnWidth_ != width_ || drawnHeight_ != height_; }
    bool hasShown() const { return scaled() || (apart_ && samples_ <= 1); }
    void takePicture(const RenderTarget& from) const;

    Texture colour_, depth_, resolvedColour_, shownColour_;
    Framebuffer framebuffer_, resolvedFramebuffer_, shownFramebuffer_;  // the latter two only where they are needed
    int width_ = 0, height_ = 0, drawnWidth_ = 0, drawnHeight_ = 0, samples_ = 0;
    float scale_ = 100;
    bool apart_ = false;
};

}  // namespace orogen::app
