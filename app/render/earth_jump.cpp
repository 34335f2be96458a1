#include "app/render/earth_jump.h"

#include <cstddef>

#include "app/render/buffer_copy.h"

namespace orogen::app {
namespace {

GLuint boundAt(GLenum points, GLuint index)
{
    GLint buffer = 0;
    glGetIntegeri_v(points, index, &buffer);
    return GLuint(buffer);
}

std::uint64_t bytesOf(GLuint buffer)
{
    GLint64 bytes = 0;
    glGetNamedBufferParameteri64v(buffer, GL_BUFFER_SIZE, &bytes);
    return std::uint64_t(bytes);
}

void overwrite(GLuint from, const Buffer& to, std::size_t first, std::size_t bytes)
{
    glCopyNamedBufferSubData(from, to.id(), GLintptr(first), GLintptr(first), GLsizeiptr(bytes));
}

}  // namespace

EarthJump::EarthJump(ShaderLibrary& library)
    : library_(&library),
      program_(library.add("ground of the frame before", {"shaders/terrain.vert", "shaders/depth_only.frag"}))
{
}

Status EarthJump::keep(const Triangulation& tree, const Buffer& frameUniforms)
{
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    tree.bindForDraw();
    const GLuint visible = boundAt(GL_SHADER_STORAGE_BUFFER_BINDING, gpu::kVisibleBinding);
    const GLuint earth = boundAt(GL_UNIFORM_BUFFER_BINDING, gpu::kEarthBinding);
    const struct
    {
        const char* label;
        GLuint from;
        std::uint64_t bytes;
        Buffer& to;
    } parts[] = {{"leaves of the frame before", visible, bytesOf(visible), visible_},
                 {"state of the frame before", tree.state().id(), sizeof(gpu::TreeState), state_},
                 {"uniforms of the frame before", frameUniforms.id(), frameUniforms.bytes(), frame_},
                 {"Earth of the frame before", earth, sizeof(gpu::EarthUniforms), earth_}};
    for (const auto& part : parts)
        if (Status s = copyBuffer(part.label, part.from, part.bytes, part.to); !s) return s;
    return Status::ok();
}

Status EarthJump::prepareDepth(const RenderTarget& target)
{
    const TextureShape shape{.target = GLenum(target.samples() > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D),
                             .format = GL_DEPTH_COMPONENT32F,
                             .width = target.drawnWidth(),
                             .height = target.drawnHeight(),
                             .samples = target.samples()};
    const TextureShape& now = depth_.shape();
    if (depth_.id() != 0 && now.target == shape.target && now.width == shape.width && now.height == shape.height &&
        now.samples == shape.samples)
        return Status::ok();
    Result<Texture> made = makeTexture("depth of the frame before", shape);
    if (!made) return made.error();
    depth_ = std::move(*made);
    framebuffer_ = makeFramebuffer("frame before");
    glNamedFramebufferTexture(framebuffer_.id(), GL_DEPTH_ATTACHMENT, depth_.id(), 0);
    glNamedFramebufferDrawBuffer(framebuffer_.id(), GL_NONE);
    return Status::ok();
}

Status EarthJump::drawBefore(const PictureView& picture, const PatchMesh& patch, const Buffer& frameUniforms)
{
    if (Status s = prepareDepth(picture.target); !s) return s;
    const GLuint earth = boundAt(GL_UNIFORM_BUFFER_BINDING, gpu::kEarthBinding);
    overwrite(frameUniforms.id(), frame_, offsetof(gpu::FrameUniforms, clipFromRelative), sizeof(glm::mat4));
    overwrite(earth, earth_, offsetof(gpu::EarthUniforms, cameraXY), 2 * sizeof(glm::uvec4));
    overwrite(earth, earth_, offsetof(gpu::EarthUniforms, east), 3 * sizeof(glm::vec4));
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, frame_.id());
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kEarthBinding, earth_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kVisibleBinding, visible_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kStateBinding, state_.id());
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, state_.id());
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    const float sky = 0;
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glClearNamedFramebufferfv(framebuffer_.id(), GL_DEPTH, 0, &sky);
    glUseProgram(library_->program(program_));
    patch.bind();
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT,
                           reinterpret_cast<const void*>(Triangulation::drawArguments()));
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, frameUniforms.id());
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kEarthBinding, earth);
    picture.target.bind();
    glBindTextureUnit(gpu::kDepthThenTexture, depth_.id());
    glBindSampler(gpu::kDepthThenTexture, 0);
    return Status::ok();
}

std::uint64_t EarthJump::bytes() const
{
    const TextureShape& shape = depth_.shape();
    const std::uint64_t pixels = depth_.id() == 0 ? 0 : std::uint64_t(shape.width) * std::uint64_t(shape.height);
    return visible_.bytes() + state_.bytes() + frame_.bytes() + earth_.bytes() +
           4 * pixels * std::uint64_t(shape.samples);
}

}  // namespace orogen::app
