#include "app/gl/image.h"

#include <random>

#include "app/gl/objects.h"
#include "tests/gl/support.h"
#include "tests/support/png_pictures.h"

namespace orogen::app {
namespace {

Image noise(int width, int height)
{
    std::mt19937 random(7);
    Image image{width, height, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height) * 3)};
    for (std::uint8_t& value : image.rgb)
        value = std::uint8_t(random());
    return image;
}

TEST(Png, ComesBackAsItWas)
{
    const test::TemporaryFolder folder;
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {2, 3}, {101, 57}})
    {
        SCOPED_TRACE(testing::Message() << width << "x" << height);
        const Image image = noise(width, height);
        Status status = writePng(folder / "a.png", image);
        ASSERT_TRUE(status) << status.error().message;
        const Image read = test::readPicture(folder / "a.png");
        EXPECT_EQ(read.width, width);
        EXPECT_EQ(read.height, height);
        EXPECT_EQ(read.rgb, image.rgb);
    }
}

TEST(Png, IsEightBitRgbNotInterlaced)
{
    const test::TemporaryFolder folder;
    ASSERT_TRUE(writePng(folder / "a.png", noise(5, 5)));
    std::ifstream file(folder / "a.png", std::ios::binary);
    std::string header(29, '\0');
    file.read(header.data(), 29);
    EXPECT_EQ(header[24], 8);  // bits
    EXPECT_EQ(header[25], 2);  // RGB
    EXPECT_EQ(header[28], 0);  // not interlaced
}

TEST(Png, ThatCannotBeWrittenIsOneLineAndLeavesNothing)
{
    const test::TemporaryFolder folder;
    const std::filesystem::path missing = folder / "none/a.png";
    const Status status = writePng(missing, noise(4, 4));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kOutput);
    EXPECT_NE(status.error().message.find("none/a.png"), std::string::npos) << status.error().message;
    std::filesystem::create_directory(folder / "taken");
    EXPECT_FALSE(writePng(folder / "taken", noise(4, 4)));  // a folder cannot be replaced
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Png, AThumbnailOfASmallPictureIsThePicture)
{
    for (const auto& [width, height] : {std::pair{1, 1}, {8, 8}, {15, 40}, {16, 9}})
        EXPECT_NE(thumbnailPng(noise(width, height), 320, 45'000), "") << width << "x" << height;
    EXPECT_EQ(thumbnailPng(noise(64, 64), 320, 10), "") << "no PNG is that small";
}

using FramebufferImage = test::GlTest;

TEST_F(FramebufferImage, TheTopOfThePictureIsTheFirstRow)
{
    const int width = 7, height = 5;  // rows of 21 bytes: not a multiple of four
    const Result<Texture> texture = makeTexture("colour", {.format = GL_RGBA8, .width = width, .height = height});
    const Framebuffer framebuffer = makeFramebuffer("target");
    glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, texture->id(), 0);
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < height; ++y)  // OpenGL's y counts from the bottom
        for (int x = 0; x < width; ++x)
            pixels.insert(pixels.end(), {std::uint8_t(10 * x), std::uint8_t(20 * y), std::uint8_t(x + y), 255});
    glTextureSubImage2D(texture->id(), 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    const Image image = readFramebuffer(framebuffer.id(), width, height);
    ASSERT_EQ(image.rgb.size(), std::size_t(width * height * 3));
    for (int row = 0; row < height; ++row)
        for (int x = 0; x < width; ++x)
        {
            const std::uint8_t* pixel = &image.rgb[std::size_t(row * width + x) * 3];
            const int y = height - 1 - row;
            EXPECT_EQ(int(pixel[0]), 10 * x);
            EXPECT_EQ(int(pixel[1]), 20 * y);
            EXPECT_EQ(int(pixel[2]), x + y);
        }
}

}  // namespace
}  // namespace orogen::app
