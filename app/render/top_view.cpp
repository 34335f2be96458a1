#include "app/render/top_view.h"

namespace orogen::app {

TopView TopView::create(ShaderLibrary& library)
{
    TopView made;
    made.library_ = &library;
    made.program_ = library.add("view from above", {"shaders/top_view.comp"});
    return made;
}

Status TopView::draw(const Triangulation& tree, const TopRegion& region)
{
    if (!picture_ || picture_.shape().width != region.side)
    {
        Result<Texture> made = makeTexture("view from above", {.width = region.side, .height = region.side});
        if (!made) return made.error();
        picture_ = std::move(*made);
        glTextureParameteri(picture_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTextureParameteri(picture_.id(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTextureParameteri(picture_.id(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTextureParameteri(picture_.id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    tree.bindForChecks();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glBindImageTexture(0, picture_.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glUseProgram(library_->program(program_));
    glUniform3f(0, float(region.corner.x), float(region.corner.y), float(region.step));
    const GLuint groups = GLuint(region.side + 7) / 8;
    glDispatchCompute(groups, groups, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    return Status::ok();
}

std::uint64_t TopView::bytes() const
{
    return picture_ ? 4 * std::uint64_t(picture_.shape().width) * std::uint64_t(picture_.shape().height) : 0;
}

}  // namespace orogen::app
