#include "app/render/render_target.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

Status checkSize(const Limits& limits, int width, int height)
{
    if (std::max(width, height) <= limits.textureSize) return Status::ok();
    return Error{ExitCode::kLimit, fmt::format("a picture of {}x{}: this driver's largest side is {}", width, height,
                                               limits.textureSize)};
}

constexpr std::uint64_t kEdgeArgumentBytes = 16;

int drawnSide(int side, float scale) { return std::max(int(std::lround(double(side) * double(scale) / 100)), 1); }

Framebuffer framebufferOf(const char* label, const Texture& colour)
{
    Framebuffer framebuffer = makeFramebuffer(label);
    glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, colour.id(), 0);
    return framebuffer;
}

}  // namespace

Status checkSamples(const Limits& limits, int samples)
{
    const int largest = std::max(limits.samples, 1);
    if (samples <= largest) return Status::ok();
    return Error{ExitCode::kLimit,
                 fmt::format("render.msaa {}: the largest that this driver has is {}", samples, largest)};
}

Result<RenderTarget> RenderTarget::create(const Limits& limits, int width, int height, int samples, float scale,
                                          bool apart)
{
    RenderTarget made;
    made.width_ = std::max(width, 1);
    made.height_ = std::max(height, 1);
    made.drawnWidth_ = drawnSide(made.width_, scale);
    made.drawnHeight_ = drawnSide(made.height_, scale);
    made.samples_ = samples;
    made.scale_ = scale;
    made.apart_ = apart;
    if (Status s = checkSize(limits, made.width_, made.height_); !s) return s.error();
    if (Status s = checkSamples(limits, samples); !s) return s.error();
    const GLenum target = samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    const auto make = [](const char* label, GLenum kind, GLenum format, int w, int h, int count) {
        return makeTexture(label, {.target = kind, .format = format, .width = w, .height = h, .samples = count});
    };
    const int w = made.drawnWidth_, h = made.drawnHeight_;
    Result<Texture> colour = make("frame colour", target, GL_RGBA8, w, h, samples);
    if (!colour) return colour.error();
    Result<Texture> depth = make("frame depth", target, GL_DEPTH32F_STENCIL8, w, h, samples);
    if (!depth) return depth.error();
    Result<Texture> marks = make("ground marks", target, GL_RG8, w, h, samples);
    if (!marks) return marks.error();
    Result<Buffer> edges =
        samples > 1 ? makeBuffer("edge pixels", kEdgeArgumentBytes + std::uint64_t(w) * std::uint64_t(h) * 4, 0)
                    : Result<Buffer>(Buffer());
    if (!edges) return edges.error();
    Result<Texture> single =
        samples > 1 ? make("frame, resolved", GL_TEXTURE_2D, GL_RGBA8, w, h, 1) : Result<Texture>(Texture());
    if (!single) return single.error();
    Result<Texture> shown = made.hasShown()
                                ? make("frame, shown", GL_TEXTURE_2D, GL_RGBA8, made.width_, made.height_, 1)
                                : Result<Texture>(Texture());
    if (!shown) return shown.error();

    Result<Texture> sharp = made.scaled() ? make("frame, sharpened", GL_TEXTURE_2D, GL_RGBA8, w, h, 1) : Texture();
    if (!sharp) return sharp.error();

    made.framebuffer_ = framebufferOf("frame", *colour);
    made.groundFramebuffer_ = makeFramebuffer("ground");
    glNamedFramebufferDrawBuffer(made.groundFramebuffer_.id(), GL_NONE);
    glNamedFramebufferReadBuffer(made.groundFramebuffer_.id(), GL_NONE);
    made.marksFramebuffer_ = framebufferOf("ground with marks", *marks);
    for (const Framebuffer* framebuffer : {&made.framebuffer_, &made.groundFramebuffer_, &made.marksFramebuffer_})
        glNamedFramebufferTexture(framebuffer->id(), GL_DEPTH_STENCIL_ATTACHMENT, depth->id(), 0);
    if (samples > 1) made.resolvedFramebuffer_ = framebufferOf("frame, resolved", *single);
    if (made.hasShown()) made.shownFramebuffer_ = framebufferOf("frame, shown", *shown);
    if (made.scaled())
    {
        made.sharpFramebuffer_ = framebufferOf("frame, sharpened", *sharp);
        made.noAttributes_ = makeVertexArray("sharpening");
    }
    made.sharpColour_ = std::move(*sharp);
    made.colour_ = std::move(*colour);
    made.depth_ = std::move(*depth);
    made.marks_ = std::move(*marks);
    made.edges_ = std::move(*edges);
    made.resolvedColour_ = std::move(*single);
    made.shownColour_ = std::move(*shown);
    made.findSamples();
    return made;
}

Status RenderTarget::resize(const Limits& limits, int width, int height, int samples, float scale, bool apart)
{
    const bool same = std::max(width, 1) == width_ && std::max(height, 1) == height_ && samples == samples_ &&
                      scale == scale_ && apart == apart_;
    if (same) return Status::ok();
    Result<RenderTarget> made = resized(limits, width, height, samples, scale, apart);
    if (!made) return made.error();
    *this = std::move(*made);
    return Status::ok();
}

Result<RenderTarget> RenderTarget::resized(const Limits& limits, int width, int height, int samples, float scale,
                                           bool apart) const
{
    Result<RenderTarget> made = create(limits, width, height, samples, scale, apart);
    if (made && apart && samples_ > 0) made->takePicture(*this);
    return made;
}

void RenderTarget::takePicture(const RenderTarget& from) const
{
    const bool whole = hasShown();
    glBlitNamedFramebuffer(from.resolved(), resolved(), 0, 0, from.hasShown() ? from.width_ : from.drawnWidth_,
                           from.hasShown() ? from.height_ : from.drawnHeight_, 0, 0, whole ? width_ : drawnWidth_,
                           whole ? height_ : drawnHeight_, GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

void RenderTarget::findSamples()
{
    samplePlaces_.assign(1, glm::vec2(0.5f));
    if (samples_ <= 1) return;
    glBindFramebuffer(GL_FRAMEBUFFER, groundFramebuffer_.id());
    GLint allocated = 0;  // a driver may allocate more samples than requested
    glGetTextureLevelParameteriv(depth_.id(), 0, GL_TEXTURE_SAMPLES, &allocated);
    samplePlaces_.assign(std::size_t(std::clamp(allocated, 1, int(gpu::kMostSamples))), glm::vec2(0.5f));
    for (std::size_t i = 0; i < samplePlaces_.size(); ++i)
        glGetMultisamplefv(GL_SAMPLE_POSITION, GLuint(i), &samplePlaces_[i].x);
}

void RenderTarget::bind() const
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, drawnWidth_, drawnHeight_);
}

void RenderTarget::bindGround(bool marks) const
{
    glBindFramebuffer(GL_FRAMEBUFFER, marks ? marksFramebuffer_.id() : groundFramebuffer_.id());
    glViewport(0, 0, drawnWidth_, drawnHeight_);
}

PixelBox RenderTarget::seenBox(int first, int end) const
{
    const int left = int(std::floor(seen_.left * drawnWidth_)), right = int(std::ceil(seen_.right * drawnWidth_));
    const int bottom = std::max(int(std::floor(seen_.bottom * drawnHeight_)), first);
    const int top = std::min(int(std::ceil(seen_.top * drawnHeight_)), end);
    return {left, bottom, std::max(right - left, 0), std::max(top - bottom, 0)};
}

void RenderTarget::clip(int first, int end) const
{
    const PixelBox box = seenBox(first, end);
    glEnable(GL_SCISSOR_TEST);
    glScissor(box.x, box.y, box.width, box.height);
}

void RenderTarget::beginGround(bool marks) const
{
    bindGround(marks);
    const float nothing[4] = {};
    glDepthMask(GL_TRUE);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 0, 0);
    if (marks) glClearBufferfv(GL_COLOR, 0, nothing);
}

void RenderTarget::resolve(GLuint sharpen) const
{
    if (samples_ > 1)
        glBlitNamedFramebuffer(framebuffer_.id(), resolvedFramebuffer_.id(), 0, 0, drawnWidth_, drawnHeight_, 0, 0,
                               drawnWidth_, drawnHeight_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    finished_ = samples_ > 1 ? resolvedFramebuffer_.id() : framebuffer_.id();
    copyOwed_ = hasShown();
    if (sharpen != 0 && scaled())
    {
        const Texture& drawn = samples_ > 1 ? resolvedColour_ : colour_;
        glBindFramebuffer(GL_FRAMEBUFFER, sharpFramebuffer_.id());
        glViewport(0, 0, drawnWidth_, drawnHeight_);
        glDisable(GL_DEPTH_TEST);
        glDisable(GL_BLEND);
        glUseProgram(sharpen);
        glBindTextureUnit(gpu::kDrawnTexture, drawn.id());
        glBindSampler(gpu::kDrawnTexture, 0);
        glBindVertexArray(noAttributes_.id());
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glBindTextureUnit(gpu::kDrawnTexture, 0);
        finished_ = sharpFramebuffer_.id();
    }
}

void RenderTarget::scaleUp() const
{
    if (!std::exchange(copyOwed_, false)) return;
    glBlitNamedFramebuffer(finished_, shownFramebuffer_.id(), 0, 0, drawnWidth_, drawnHeight_, 0, 0, width_, height_,
                           GL_COLOR_BUFFER_BIT, scaled() ? GL_LINEAR : GL_NEAREST);
}

RenderTarget::Finished RenderTarget::finished() const
{
    return copyOwed_ ? Finished{finished_, drawnWidth_, drawnHeight_} : Finished{resolved(), width_, height_};
}

GLuint RenderTarget::resolved() const
{
    scaleUp();
    if (hasShown()) return shownFramebuffer_.id();
    return samples_ > 1 ? resolvedFramebuffer_.id() : framebuffer_.id();
}

GLuint RenderTarget::resolvedTexture() const
{
    scaleUp();
    if (hasShown()) return shownColour_.id();
    return samples_ > 1 ? resolvedColour_.id() : colour_.id();
}

std::uint64_t RenderTarget::bytes() const
{
    const std::uint64_t drawn = std::uint64_t(drawnWidth_) * std::uint64_t(drawnHeight_);
    const std::uint64_t shown = std::uint64_t(width_) * std::uint64_t(height_);
    return drawn * 14 * std::uint64_t(std::max(samples_, 1)) + edges_.bytes() + (samples_ > 1 ? drawn * 4 : 0) +
           (scaled() ? drawn * 4 : 0) + (hasShown() ? shown * 4 : 0);
}

SplitComposer::SplitComposer(const std::filesystem::path& dataRoot, ShaderDialect dialect)
    : library_(dataRoot, std::move(dialect)), split_(library_.add("split picture", {"shaders/shading/split.comp"}))
{
}

Status SplitComposer::compose(const RenderTarget& left, const RenderTarget& right, int divider, bool difference)
{
    if (left.width() != right.width() || left.height() != right.height()) return Status::ok();
    if (left.width() != width_ || left.height() != height_)
    {
        Result<Texture> picture = makeTexture("split picture", {.width = left.width(), .height = left.height()});
        if (!picture) return picture.error();
        picture_ = std::move(*picture);
        framebuffer_ = makeFramebuffer("split picture");
        glNamedFramebufferTexture(framebuffer_.id(), GL_COLOR_ATTACHMENT0, picture_.id(), 0);
        width_ = left.width();
        height_ = left.height();
    }
    glTextureBarrier();  // the pictures were written as render targets, and are now read
    glUseProgram(library_.program(split_));
    glBindImageTexture(0, left.resolvedTexture(), 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
    glBindImageTexture(1, right.resolvedTexture(), 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
    glBindImageTexture(2, picture_.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glUniform1i(0, divider);
    glUniform1i(1, difference ? 1 : 0);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
    glDispatchCompute(GLuint(width_ + 7) / 8, GLuint(height_ + 7) / 8, 1);
    glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
    return Status::ok();
}

}  // namespace orogen::app
