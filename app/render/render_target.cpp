#include "app/render/render_target.h"

#include <algorithm>

#include <fmt/format.h>

namespace orogen::app {

namespace {

Status checkSize(const Limits& limits, int width, int height)
{
    if (std::max(width, height) <= limits.textureSize) return Status::ok();
    return Error{ExitCode::kLimit, fmt::format("a picture of {}x{}: this driver's largest side is {}", width, height,
                                               limits.textureSize)};
}

}  // namespace

Status checkSamples(const Limits& limits, int samples)
{
    const int largest = std::max(limits.samples, 1);
    if (samples <= largest) return Status::ok();
    return Error{ExitCode::kLimit,
                 fmt::format("render.msaa {}: the largest that this driver has is {}", samples, largest)};
}

Result<RenderTarget> RenderTarget::create(const Limits& limits, int width, int height, int samples)
{
    RenderTarget made;
    made.width_ = std::max(width, 1);
    made.height_ = std::max(height, 1);
    made.samples_ = samples;
    if (Status s = checkSize(limits, made.width_, made.height_); !s) return s.error();
    if (Status s = checkSamples(limits, samples); !s) return s.error();
    const GLenum target = samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    const auto make = [&](const char* label, GLenum kind, GLenum format, int count) {
        return makeTexture(
            label, {.target = kind, .format = format, .width = made.width_, .height = made.height_, .samples = count});
    };
    Result<Texture> colour = make("frame colour", target, GL_RGBA8, samples);
    if (!colour) return colour.error();
    Result<Texture> depth = make("frame depth", target, GL_DEPTH_COMPONENT32F, samples);
    if (!depth) return depth.error();
    Result<Texture> single =
        samples > 1 ? make("frame, resolved", GL_TEXTURE_2D, GL_RGBA8, 1) : Result<Texture>(Texture());
    if (!single) return single.error();

    made.framebuffer_ = makeFramebuffer("frame");
    glNamedFramebufferTexture(made.framebuffer_.id(), GL_COLOR_ATTACHMENT0, colour->id(), 0);
    glNamedFramebufferTexture(made.framebuffer_.id(), GL_DEPTH_ATTACHMENT, depth->id(), 0);
    if (samples > 1)
    {
        made.resolvedFramebuffer_ = makeFramebuffer("frame, resolved");
        glNamedFramebufferTexture(made.resolvedFramebuffer_.id(), GL_COLOR_ATTACHMENT0, single->id(), 0);
    }
    made.colour_ = std::move(*colour);
    made.depth_ = std::move(*depth);
    made.resolvedColour_ = std::move(*single);
    return made;
}

Status RenderTarget::resize(const Limits& limits, int width, int height, int samples)
{
    if (std::max(width, 1) == width_ && std::max(height, 1) == height_ && samples == samples_) return Status::ok();
    Result<RenderTarget> made = create(limits, width, height, samples);
    if (!made) return made.error();
    *this = std::move(*made);
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
