// Where a frame is drawn before it is shown: colour and reversed depth, multisampled or not, and what it resolves to.
#pragma once

#include "app/gl/context.h"
#include "app/gl/objects.h"

namespace orogen::app {

// Error kLimit, naming the largest: render.msaa beyond what this driver has for colour and depth.
Status checkSamples(const Limits& limits, int samples);

class RenderTarget
{
public:
    RenderTarget() = default;  // without a size: resize() it, or put another in its place

    // Error kLimit: a side beyond limits.textureSize, or out of memory.
    static Result<RenderTarget> create(const Limits& limits, int width, int height, int samples);

    // Does nothing if size and samples are as they were.  On error, as of create(), the target is as it was.
    Status resize(const Limits& limits, int width, int height, int samples);

    void begin() const;    // binds and clears depth (to 0: reversed); every pixel of colour is drawn
    void resolve() const;  // makes the picture in resolved()

    GLuint resolved() const { return samples_ > 1 ? resolvedFramebuffer_.id() : framebuffer_.id(); }
    int width() const { return width_; }
    int height() const { return height_; }
    int samples() const { return samples_; }
    std::uint64_t bytes() const;

private:
    Texture colour_, depth_, resolvedColour_;
    Framebuffer framebuffer_, resolvedFramebuffer_;
    int width_ = 0, height_ = 0, samples_ = 0;
};

}  // namespace orogen::app
