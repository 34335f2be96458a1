#include "app/render/air_table.h"

#include <utility>

#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

constexpr GLuint kAirGroupSide = 8;  // local size in air.comp

TextureShape shapeOf(GLenum format)
{
    return {.target = GL_TEXTURE_3D,
            .format = format,
            .width = gpu::kAirTableSize.x,
            .height = 2 * gpu::kAirTableSize.y,
            .depth = gpu::kAirTableSize.z};
}

}  // namespace

Result<AirTable> AirTable::create()
{
    AirTable table;
    Result<Texture> light = makeTexture("light of the air", shapeOf(GL_RGBA16F));
    if (!light) return light.error();
    Result<Texture> depth = makeTexture("depth of the air", shapeOf(GL_R16F));
    if (!depth) return depth.error();
    table.light_ = std::move(*light);
    table.depth_ = std::move(*depth);
    table.between_ = makeSampler("between air texels");
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glSamplerParameteri(table.between_.id(), filter, GL_LINEAR);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glSamplerParameteri(table.between_.id(), axis, GL_CLAMP_TO_EDGE);
    return table;
}

void AirTable::fill(GLuint program) const
{
    glUseProgram(program);
    glBindImageTexture(0, light_.id(), 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glBindImageTexture(1, depth_.id(), 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_R16F);
    glDispatchCompute(GLuint(light_.shape().width) / kAirGroupSide, GLuint(light_.shape().height) / kAirGroupSide, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void AirTable::bind() const
{
    glBindTextureUnit(gpu::kAirLightTexture, light_.id());
    glBindTextureUnit(gpu::kAirDepthTexture, depth_.id());
    glBindSampler(gpu::kAirLightTexture, between_.id());
    glBindSampler(gpu::kAirDepthTexture, between_.id());
}

std::uint64_t AirTable::bytes() const
{
    const TextureShape& s = light_.shape();
    return std::uint64_t(s.width) * std::uint64_t(s.height) * std::uint64_t(s.depth) * 10;
}

}  // namespace orogen::app
