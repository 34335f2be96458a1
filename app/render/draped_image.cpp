#include "app/render/draped_image.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

constexpr float kAnisotropy = 8;  // hardware only; a software rasteriser pays for every tap
constexpr int kUploadRows = 256;  // rows per upload call

}  // namespace

Result<DrapedImage> DrapedImage::create(const Context& context, const DrapedPicture& draped)
{
    const Picture& picture = draped.picture;
    const int largest = context.limits().textureSize;
    if (std::max(picture.width, picture.height) > largest)
        return Error{ExitCode::kLimit, fmt::format("{}: {} x {} pixels, but this driver's textures hold {} a side",
                                                   printable(picture.name), picture.width, picture.height, largest)};
    DrapedImage image;
    image.turn_ = draped.turn;
    image.offset_ = draped.offset;
    const unsigned side = unsigned(std::max(picture.width, picture.height));
    Result<Texture> texture = makeTexture("draped image", {.format = GL_SRGB8_ALPHA8,
                                                           .width = picture.width,
                                                           .height = picture.height,
                                                           .levels = int(std::bit_width(side))});
    if (!texture) return texture.error();
    image.texture_ = std::move(*texture);
    for (int row = 0; row < picture.height; row += kUploadRows)
        glTextureSubImage2D(image.texture_.id(), 0, 0, row, picture.width, std::min(kUploadRows, picture.height - row),
                            GL_RGBA, GL_UNSIGNED_BYTE,
                            picture.rgba.data() + 4 * std::size_t(row) * std::size_t(picture.width));
    glGenerateTextureMipmap(image.texture_.id());

    image.sampler_ = makeSampler("draped image");
    const GLuint sampler = image.sampler_.id();
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (const GLenum way : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glSamplerParameteri(sampler, way, draped.stretched ? GL_CLAMP_TO_EDGE : GL_CLAMP_TO_BORDER);
    const float nothing[4] = {0, 0, 0, 0};
    glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, nothing);
    if (!context.info().software) glSamplerParameterf(sampler, GL_TEXTURE_MAX_ANISOTROPY, kAnisotropy);
    return image;
}

void DrapedImage::bind() const
{
    glBindTextureUnit(gpu::kDrapeTexture, texture_.id());
    glBindSampler(gpu::kDrapeTexture, sampler_.id());
}

std::uint64_t DrapedImage::bytes() const
{
    const TextureShape& shape = texture_.shape();
    return std::uint64_t(shape.width) * std::uint64_t(shape.height) * 4 * 4 / 3;
}

}  // namespace orogen::app
