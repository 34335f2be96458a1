// Height bounds against brute force.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {
namespace {

HeightField randomField(std::mt19937& random, int width, int height)
{
    HeightField field;
    field.width = width;
    field.height = height;
    field.offset = -40.0f;
    field.scale = random() % 2 ? 1.0f : 0.37f;
    const double fx = 1.0 + double(random() % 5), fy = 1.0 + double(random() % 5), rough = random() % 3 ? 3.0 : 60.0;
    std::uniform_real_distribution<double> noise(0.0, rough);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            field.codes.push_back(
                std::uint16_t(400 + 200 * std::sin(x * fx / width) + 150 * std::cos(y * fy / height) + noise(random)));
    return field;
}

constexpr std::array<std::array<int, 2>, 7> kShapes = {{{2, 2}, {3, 2}, {2, 9}, {17, 17}, {33, 20}, {50, 61}, {64, 7}}};

TEST(HeightPyramid, ExtremesAreThoseOfEachCell)
{
    for (unsigned seed = 0; seed < 28; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        const auto [width, height] = kShapes[seed % kShapes.size()];
        const HeightField field = randomField(random, width, height);
        const HeightPyramid pyramid = buildPyramid(field);
        ASSERT_EQ(pyramid.levels.back().width, 1);
        ASSERT_EQ(pyramid.levels.back().height, 1);
        for (std::size_t l = 0; l < pyramid.levels.size(); ++l)
            for (int j = 0; j < pyramid.levels[l].height; ++j)
                for (int i = 0; i < pyramid.levels[l].width; ++i)
                {
                    std::uint16_t least = 65'535, most = 0;
                    for (int y = j * (2 << l); y <= std::min((j + 1) * (2 << l), height - 1); ++y)
                        for (int x = i * (2 << l); x <= std::min((i + 1) * (2 << l), width - 1); ++x)
                            least = std::min(least, field.code(x, y)), most = std::max(most, field.code(x, y));
                    const PyramidLevel::Cell& cell =
                        pyramid.levels[l].cells[std::size_t(j * pyramid.levels[l].width + i)];
                    ASSERT_EQ(cell.lowest, least);
                    ASSERT_EQ(cell.highest, most);
                }
    }
}

}  // namespace
}  // namespace orogen
