// Pictures: out of a framebuffer and into a PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <glad/gl.h>

#include "core/base/status.h"

namespace orogen::app {

// 8-bit RGB, row-major, row 0 at the top.
struct Image
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

// The colour of a complete, not multisampled framebuffer (0: the window's back buffer).  Waits for the GPU.
Image readFramebuffer(GLuint framebuffer, int width, int height);

// The picture in the bytes of a PNG, scaled down (means of its pixels) until it is no wider than `width` and takes no
// more than `mostBytes`; empty where memory runs out.
std::string thumbnailPng(const Image& image, int width, std::size_t mostBytes);

// Not interlaced.  The file appears whole or not at all: a temporary file beside it is renamed.  Error: kOutput.
Status writePng(const std::filesystem::path& path, const Image& image);

}  // namespace orogen::app
