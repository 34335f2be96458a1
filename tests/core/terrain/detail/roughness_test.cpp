// Roughness of an elevation model, which procedural detail continues.
#include <algorithm>
#include <cmath>
#include <cstdlib>
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

// Returns the code of a sample, from its definition.
std::uint8_t expectedCode(const HeightField& field, int column, int row)
{
    const auto at = [&](int x, int y) {
        return field.at(std::clamp(x, 0, field.width - 1), std::clamp(y, 0, field.height - 1));
    };
    const auto square = [](float before, float here, float after) {
        const long long mm = std::llround(double((before - here) + (after - here)) * 1000);
        const bool whole = std::floor(before) == before && std::floor(here) == here && std::floor(after) == after;
        return double(mm * mm - (whole ? 500'000 : 0));
    };
    const auto weight = [](int d) {  // tent: two box means of radius 3
        return double(kRoughnessReach + 1 - std::abs(d));
    };
    double sum = 0;
    for (int y = row - kRoughnessReach; y <= row + kRoughnessReach; ++y)
        for (int x = column - kRoughnessReach; x <= column + kRoughnessReach; ++x)
            sum += weight(x - column) * weight(y - row) *
                   (square(at(x - 1, y), at(x, y), at(x + 1, y)) + square(at(x, y - 1), at(x, y), at(x, y + 1)));
    for (const int y : {row - 1, row})
        for (const int x : {column - 1, column})
            if (at(x, y) == at(x + 1, y) && at(x, y) == at(x, y + 1) && at(x, y) == at(x + 1, y + 1)) return 0;
    if (sum <= 0) return 0;
    const double metres = std::sqrt(sum / (2 * std::pow(7.0, 4))) / 1000;
    const long code = std::lround(1 + 12 * std::log2(metres / double(kRoughnessUnit)));
    return std::uint8_t(std::clamp(code, 0l, long(kFirstDistance) - 1));
}

TEST(Roughness, CodesFollowTheirDefinition)
{
    for (const int amplitude : {2, 3, 50, 20'000})
        for (const float scale : {1.0f, 0.25f, 0.0137f})
        {
            SCOPED_TRACE(testing::Message() << amplitude << " steps of " << scale << " m");
            HeightField field = noise(61, 150, amplitude);
            field.scale = scale;
            field.offset = scale == 1.0f ? -1200.0f : -3.7f;
            const std::vector<std::uint8_t> codes = roughnessCodes(field);
            for (int y = 0; y < field.height; ++y)
                for (int x = 0; x < field.width; ++x)
                    ASSERT_EQ(codes[std::size_t(y * field.width + x)], expectedCode(field, x, y)) << x << ' ' << y;
        }
}

// Second differences of samples two apart, over those of neighbours.
TEST(Roughness, ExponentFollowsItsDefinition)
{
    HeightField field = noise(61, 150, 35);
    for (int y = 0; y < field.height; ++y)
        for (int x = 0; x < field.width; ++x)
            field.codes[std::size_t(y * field.width + x)] =
                std::uint16_t(field.code(x, y) + int(900 + 900 * std::sin(0.13 * x) * std::cos(0.17 * y)));
    field.scale = 0.1f, field.offset = 0.05f;  // no whole metres
    const auto mean = [&](int step) {
        double sum = 0, count = 0;
        for (int y = step; y + step < field.height; ++y)
            for (int x = step; x + step < field.width; ++x, count += 2)
            {
                const double here = 2 * double(field.at(x, y));
                sum += std::pow(double(field.at(x - step, y) + field.at(x + step, y)) - here, 2) +
                       std::pow(double(field.at(x, y - step) + field.at(x, y + step)) - here, 2);
            }
        return sum / count;
    };
    EXPECT_NEAR(roughnessExponent(field), 0.5 * std::log2(mean(2) / mean(1)), 1e-3);
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
