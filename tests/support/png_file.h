// Reads PNG files through libpng's simplified interface, which the program's writer does not use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>

namespace orogen::test {

struct Picture
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // from the upper left
    const std::uint8_t* at(int x, int y) const
    {
        return rgb.data() + 3 * (std::size_t(y) * std::size_t(width) + std::size_t(x));
    }
};

// Returns an 8-bit RGB picture. Fails the test and returns an empty one if the file is invalid.
inline Picture readPng(const std::filesystem::path& path)
{
    png_image png = {};
    png.version = PNG_IMAGE_VERSION;
    Picture picture;
    const bool begun = png_image_begin_read_from_file(&png, path.c_str());
    EXPECT_TRUE(begun) << path.string() << ": " << png.message;
    if (!begun) return picture;
    EXPECT_EQ(png.format, PNG_FORMAT_RGB);
    picture.width = int(png.width);
    picture.height = int(png.height);
    picture.rgb.resize(PNG_IMAGE_SIZE(png));
    EXPECT_TRUE(png_image_finish_read(&png, nullptr, picture.rgb.data(), 0, nullptr)) << png.message;
    return picture;
}

}  // namespace orogen::test
