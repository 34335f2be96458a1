#include "app/gl/image.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <csetjmp>
#include <string>

#include <fmt/format.h>
#include <png.h>

#include "core/base/atomic_file.h"

namespace orogen::app {
namespace {

// Encodes in memory, so that writing the file can only fail because of the disk.
bool encode(const Image& image, std::string& out)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, [](png_structp, const char*) {});
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    if (!info || setjmp(png_jmpbuf(png)))
    {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    // No exception may pass through libpng (C).  Data that cannot be compressed grow by less than 1 / 500.
    out.reserve(image.rgb.size() + image.rgb.size() / 256 + std::size_t(image.height) + 65536);
    png_set_write_fn(
        png, &out,
        [](png_structp p, png_bytep data, png_size_t size) {
            static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<const char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, png_uint_32(image.width), png_uint_32(image.height), 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 3);
    png_write_info(png, info);
    for (int y = 0; y < image.height; ++y)
        png_write_row(png, image.rgb.data() + std::size_t(y) * std::size_t(image.width) * 3);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

}  // namespace

Image readFramebuffer(GLuint framebuffer, int width, int height)
{
    assert(width > 0 && height > 0);
    Image image{width, height, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height) * 3)};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    const std::size_t row = std::size_t(width) * 3;
    for (std::size_t top = 0, bottom = std::size_t(height) - 1; top < bottom; ++top, --bottom)
        std::swap_ranges(image.rgb.begin() + std::ptrdiff_t(top * row),
                         image.rgb.begin() + std::ptrdiff_t(top * row + row),
                         image.rgb.begin() + std::ptrdiff_t(bottom * row));
    return image;
}

Image scaledDown(const Image& image, int width)
{
    if (width >= image.width) return image;
    const int height = std::max(1, int(std::int64_t(image.height) * width / image.width));
    Image small{width, height, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height) * 3)};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
        {
            const auto first = [](int at, int all, int of) { return int(std::int64_t(at) * all / of); };
            const int left = first(x, image.width, width), top = first(y, image.height, height);
            const int right = std::max(left + 1, first(x + 1, image.width, width));
            const int bottom = std::max(top + 1, first(y + 1, image.height, height));
            std::array<std::uint64_t, 3> sum = {};
            for (int v = top; v < bottom; ++v)
                for (int u = left; u < right; ++u)
                    for (std::size_t c = 0; c < 3; ++c)
                        sum[c] += image.rgb[(std::size_t(v) * std::size_t(image.width) + std::size_t(u)) * 3 + c];
            const auto count = std::uint64_t(right - left) * std::uint64_t(bottom - top);
            for (std::size_t c = 0; c < 3; ++c)
                small.rgb[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * 3 + c] =
                    std::uint8_t((sum[c] + count / 2) / count);
        }
    return small;
}

std::string thumbnailPng(const Image& image, int width, std::size_t mostBytes)
{
    for (int wide = std::min(width, image.width); wide > 0; wide = wide * 7 / 8)
    {
        std::string png;
        if (!encode(scaledDown(image, wide), png)) return {};
        if (png.size() <= mostBytes) return png;
    }
    return {};
}

Status writePng(const std::filesystem::path& path, const Image& image)
{
    assert(image.width > 0 && image.height > 0 &&
           image.rgb.size() == std::size_t(image.width) * std::size_t(image.height) * 3);
    std::string bytes;
    if (!encode(image, bytes))
        return Error{ExitCode::kOutput, fmt::format("{}: libpng could not encode it", path.string())};
    return writeFileAtomically(path.string(), bytes);
}

}  // namespace orogen::app
