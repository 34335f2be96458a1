#include "app/render/split_composer.h"

#include <utility>

namespace orogen::app {

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
