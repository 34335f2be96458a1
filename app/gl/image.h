// Reads framebuffers and writes PNG images.
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

// Reads the colour of a complete, single-sample framebuffer (0: the window's back buffer).  Waits for the GPU.
Image readFramebuffer(GLuint framebuffer, int width, int height);

// Returns a PNG of the image, scaled down by averaging until its width is <= `width` and its size <= `mostBytes`.
// Empty if not even one pixel fits, or if libpng fails.
std::string thumbnailPng(const Image& image, int width, std::size_t mostBytes);

// Writes a PNG, not interlaced, atomically: renames a temporary file beside it.  Error kOutput.
Status writePng(const std::filesystem::path& path, const Image& image);

}  // namespace orogen::app
