// Roughness of an elevation model, which procedural detail continues.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/terrain/detail/roughness.h"

namespace orogen {
namespace {

HeightField noise(int width, int height, int amplitude)
{
    std::mt19937 random(3);
    HeightField field;
    field.width = width, field.height = height;
    for (int i = 0; i < width * height; ++i)
        field.codes.push_back(std::uint16_t(1000 + random() % unsigned(amplitude)));
    return field;
}

// Tiles that share a border must agree on it.
TEST(Roughness, IsTheSameFromAnyWindow)
{
    const HeightField field = noise(150, 140, 50);
    const std::vector<std::uint8_t> whole = roughnessCodes(field);
    const int left = 37, top = 61, side = 20, read = side + 2 * kTileApron;
    std::vector<float> window;
    for (int y = 0; y < read; ++y)
        for (int x = 0; x < read; ++x)
            window.push_back(field.at(left + x - kTileApron, top + y - kTileApron));
    std::vector<std::uint8_t> part(std::size_t(side * side));
    roughnessCodes(window, read, read, part);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            ASSERT_EQ(part[std::size_t(y * side + x)], whole[std::size_t((top + y) * 150 + left + x)]) << x << ' ' << y;
}

TEST(Roughness, IsNoneAtEachSampleOfAFlatCell)
{
    HeightField field = noise(60, 60, 40);
    for (int y = 20; y <= 30; ++y)
        for (int x = 20; x <= 30; ++x)
            field.codes[std::size_t(y * 60 + x)] = 77;
    const std::vector<std::uint8_t> codes = roughnessCodes(field);
    for (int y = 20; y <= 30; ++y)
        for (int x = 20; x <= 30; ++x)
            ASSERT_EQ(codes[std::size_t(y * 60 + x)], 0) << x << ' ' << y;
    EXPECT_GT(codes[std::size_t(25 * 60 + 19)], 0);
}

// Inclined planes have no second differences; in whole metres these are rounding only.
TEST(Roughness, IsNoneOfAPlane)
{
    HeightField field = noise(60, 60, 1);
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 60; ++x)
            field.codes[std::size_t(y * 60 + x)] = std::uint16_t(1000 + 3 * x + 7 * y);
    const std::vector<std::uint8_t> codes = roughnessCodes(field);
    for (int y = 8; y < 52; ++y)
        for (int x = 8; x < 52; ++x)
            ASSERT_EQ(codes[std::size_t(y * 60 + x)], 0);
}

// White noise of variance v has second differences of variance 6 v.
TEST(Roughness, MeasuresSecondDifferences)
{
    const HeightField field = noise(200, 200, 100);
    const double expected = std::sqrt(6.0 * 100 * 100 / 12);
    const std::vector<std::uint8_t> codes = roughnessCodes(field);
    double sum = 0;
    for (const std::uint8_t code : codes)
        sum += double(roughnessMetres()[code]);
    EXPECT_NEAR(sum / double(codes.size()), expected, 0.05 * expected);
    EXPECT_EQ(roughnessExponent(field), 0.5);  // the minimum: white noise has 0
}

}  // namespace
}  // namespace orogen
