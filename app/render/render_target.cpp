#include "app/render/render_target.h"

#include <algorithm>

namespace orogen::app {

Status RenderTarget::resize(int width, int height, int samples)
{
    width = std::max(width, 1);
    height = std::max(height, 1);
    if (width == width_ && height == height_ && samples == samples_) return Status::ok();
    const GLenum target = samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    const auto make = [&](const char* label, GLenum kind, GLenum format, int count) {
        return makeTexture(label,
                           {.target = kind, .format = format, .width = width, .height = height, .samples = count});
    };
    Result<Texture> colour = make("frame colour", target, GL_RGBA8, samples);
    if (!colour) return colour.error();
    Result<Texture> depth = make("frame depth", target, GL_DEPTH_COMPONENT32F, samples);
    if (!depth) return depth.error();
    Result<Texture> single =
        samples > 1 ? make("frame, resolved", GL_TEXTURE_2D, GL_RGBA8, 1) : Result<Texture>(Texture());
    if (!single) return single.error();

    framebuffer_ = makeFramebuffer("frame");
    glNamedFramebufferTexture(framebuffer_.id(), GL_COLOR_ATTACHMENT0, colour->id(), 0);
    glNamedFramebufferTexture(framebuffer_.id(), GL_DEPTH_ATTACHMENT, depth->id(), 0);
    if (samples > 1)
    {
        resolvedFramebuffer_ = makeFramebuffer("frame, resolved");
        glNamedFramebufferTexture(resolvedFramebuffer_.id(), GL_COLOR_ATTACHMENT0, single->id(), 0);
    }
    colour_ = std::move(*colour);
    depth_ = std::move(*depth);
    resolvedColour_ = std::move(*single);
    width_ = width;
    height_ = height;
    samples_ = samples;
    return Status::ok();
}

void RenderTarget::begin() const
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, width_, height_);
    const float nothing = 0.0f;
    glDepthMask(GL_TRUE);
    glClearNamedFramebufferfv(framebuffer_.id(), GL_DEPTH, 0, &nothing);
}

void RenderTarget::resolve() const
{
    if (samples_ <= 1) return;
    glBlitNamedFramebuffer(framebuffer_.id(), resolvedFramebuffer_.id(), 0, 0, width_, height_, 0, 0, width_, height_,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

std::uint64_t RenderTarget::bytes() const
{
    const std::uint64_t pixels = std::uint64_t(width_) * std::uint64_t(height_);
    return pixels * 8 * std::uint64_t(std::max(samples_, 1)) + (samples_ > 1 ? pixels * 4 : 0);
}

}  // namespace orogen::app
