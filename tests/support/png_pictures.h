// Reads PNG files as the program's images.
#pragma once

#include <filesystem>
#include <utility>

#include "app/gl/image.h"
#include "tests/support/png_file.h"

namespace orogen::app::test {

// As orogen::test::readPng().
inline Image readPicture(const std::filesystem::path& path)
{
    orogen::test::Picture picture = orogen::test::readPng(path);
    Image image;
    image.width = picture.width;
    image.height = picture.height;
    image.rgb = std::move(picture.rgb);
    return image;
}

}  // namespace orogen::app::test
