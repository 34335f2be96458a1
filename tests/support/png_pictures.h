// Reads PNG files through libpng's simplified interface, which the program's writer does not use.
#pragma once

#include <filesystem>

#include <gtest/gtest.h>
#include <png.h>

#include "app/gl/image.h"

namespace orogen::app::test {

// Returns an 8-bit RGB image. Fails the test and returns an empty one if the file is invalid.
inline Image readPicture(const std::filesystem::path& path)
{
    png_image png = {};
    png.version = PNG_IMAGE_VERSION;
    Image image;
    const bool begun = png_image_begin_read_from_file(&png, path.c_str());
    EXPECT_TRUE(begun) << path.string() << ": " << png.message;
    if (!begun) return image;
    EXPECT_EQ(png.format, PNG_FORMAT_RGB);
    image.width = int(png.width);
    image.height = int(png.height);
    image.rgb.resize(PNG_IMAGE_SIZE(png));
    EXPECT_TRUE(png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr)) << png.message;
    return image;
}

}  // namespace orogen::app::test
