#include "app/gl/image.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <csetjmp>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

namespace orogen::app {
namespace {

Error cannotWrite(const std::filesystem::path& path, const std::string& why)
{
    return {ExitCode::kOutput, fmt::format("{}: cannot be written: {}", path.string(), why)};
}

// Encodes in memory, so that the disk is the only thing that can fail half way.
bool encode(const Image& image, std::vector<std::uint8_t>& out)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, [](png_structp, const char*) {});
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    if (!info || setjmp(png_jmpbuf(png)))
    {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(
        png, &out,
        [](png_structp p, png_bytep data, png_size_t size) {
            auto& bytes = *static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(p));
            bytes.insert(bytes.end(), data, data + size);
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

bool writeAll(int file, const std::vector<std::uint8_t>& bytes)
{
    for (std::size_t done = 0; done < bytes.size();)
    {
        const ssize_t n = write(file, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += std::size_t(n);
    }
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS;  // not every file can be synchronised
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

Status writePng(const std::filesystem::path& path, const Image& image)
{
    assert(image.width > 0 && image.height > 0 &&
           image.rgb.size() == std::size_t(image.width) * std::size_t(image.height) * 3);
    std::vector<std::uint8_t> bytes;
    if (!encode(image, bytes)) return cannotWrite(path, "libpng failed");
    const std::string temporary = fmt::format("{}.{}.partial", path.string(), getpid());
    const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return cannotWrite(path, std::strerror(errno));
    int failure = writeAll(file, bytes) ? 0 : errno;
    if (close(file) != 0 && failure == 0) failure = errno;
    if (failure == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) failure = errno;
    if (failure == 0) return Status::ok();
    unlink(temporary.c_str());
    return cannotWrite(path, std::strerror(failure));
}

}  // namespace orogen::app
