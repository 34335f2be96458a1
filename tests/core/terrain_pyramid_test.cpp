// Height bounds and error bounds against brute force: random triangles on the bilinear surface.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/terrain/bounds/height_pyramid.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/height_field.h"
#include "tests/support/places.h"

namespace orogen {
namespace {

struct Point
{
    double x, y;
};

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

// The definition: bilinear between the four samples around a point.
double surface(const HeightField& field, Point p)
{
    const int x = std::min(int(p.x), field.width - 2), y = std::min(int(p.y), field.height - 2);
    const double u = p.x - x, v = p.y - y;
    const auto sample = [&](int i, int j) {
        return double(field.offset) + double(field.scale) * field.codes[std::size_t(j * field.width + i)];
    };
    return sample(x, y) * (1 - u) * (1 - v) + sample(x + 1, y) * u * (1 - v) + sample(x, y + 1) * (1 - u) * v +
           sample(x + 1, y + 1) * u * v;
}

// Corners in a box of `side` whose lower corner is at `box`, one of them on each of its lower edges.
std::array<Point, 3> randomTriangle(std::mt19937& random, const HeightField& field, Point box, double side)
{
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::array<Point, 3> corners;
    for (Point& p : corners)
        p = {box.x + unit(random) * std::min(side, field.width - 1 - box.x),
             box.y + unit(random) * std::min(side, field.height - 1 - box.y)};
    corners[random() % 3].x = box.x;
    corners[random() % 3].y = box.y;
    return corners;
}

double largestDeviation(std::mt19937& random, const HeightField& field, const std::array<Point, 3>& corners)
{
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    double largest = 0;
    for (int i = 0; i < 40; ++i)
    {
        double a = unit(random), b = unit(random);
        if (a + b > 1) a = 1 - a, b = 1 - b;
        const double c = 1 - a - b;
        const Point p{a * corners[0].x + b * corners[1].x + c * corners[2].x,
                      a * corners[0].y + b * corners[1].y + c * corners[2].y};
        const double linear =
            a * surface(field, corners[0]) + b * surface(field, corners[1]) + c * surface(field, corners[2]);
        largest = std::max(largest, std::fabs(surface(field, p) - linear));
    }
    return largest;
}

constexpr std::array<std::array<int, 2>, 7> kShapes = {{{2, 2}, {3, 2}, {2, 9}, {17, 17}, {33, 20}, {50, 61}, {64, 7}}};

TEST(HeightPyramid, ErrorBoundHoldsForRandomTriangles)
{
    for (unsigned seed = 0; seed < 140; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        const auto [width, height] = kShapes[seed % kShapes.size()];
        const HeightField field = randomField(random, width, height);
        const HeightPyramid pyramid = buildPyramid(field);
        std::uniform_real_distribution<double> unit(0.0, 1.0);
        for (int i = 0; i < 400; ++i)
        {
            const std::size_t l = random() % pyramid.levels.size();
            const PyramidLevel& level = pyramid.levels[l];
            const double side = double(1 << l);
            const Point box{unit(random) * (width - 1), unit(random) * (height - 1)};
            const int cx = std::min(int(box.x / side), level.width - 1),
                      cy = std::min(int(box.y / side), level.height - 1);
            const std::array<Point, 3> corners = randomTriangle(random, field, box, side);
            ASSERT_LE(largestDeviation(random, field, corners), double(level.error[std::size_t(cy * level.width + cx)]))
                << "level " << l << " cell " << cx << ' ' << cy;
        }
    }
}

// Least range of residuals over planes, by coordinate descent: what an unlimited amount of work would find.
double tightRange(const HeightField& field, int x0, int y0, int x1, int y1)
{
    const auto rangeOf = [&](double a, double b) {
        double low = 1e30, high = -1e30;
        for (int y = y0; y <= y1; ++y)
            for (int x = x0; x <= x1; ++x)
            {
                const double r = surface(field, {double(x), double(y)}) - a * x - b * y;
                low = std::min(low, r), high = std::max(high, r);
            }
        return high - low;
    };
    double a = 0, b = 0, best = rangeOf(a, b);
    for (double step = 64; step > 0.01; step /= 2)
        for (bool better = true; better;)
        {
            better = false;
            for (const auto& [da, db] : {Point{step, 0}, Point{-step, 0}, Point{0, step}, Point{0, -step}})
                if (const double range = rangeOf(a + da, b + db); range < best)
                    best = range, a += da, b += db, better = true;
        }
    return best;
}

TEST(HeightPyramid, ErrorBoundIsNotMuchLargerThanTheBestPlanes)
{
    const Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
    ASSERT_TRUE(raster) << raster.error().message;
    const HeightField field = quantise(*raster);
    const HeightPyramid pyramid = buildPyramid(field);
    std::mt19937 random(5);
    for (std::size_t l = 0; l < pyramid.levels.size(); ++l)
    {
        const PyramidLevel& level = pyramid.levels[l];
        double ratio = 0;
        const int count = 30;
        for (int i = 0; i < count; ++i)
        {
            const int cx = int(random() % unsigned(level.width)), cy = int(random() % unsigned(level.height));
            const int s = 1 << l;
            const double tight = tightRange(field, cx * s, cy * s, std::min((cx + 2) * s, field.width - 1),
                                            std::min((cy + 2) * s, field.height - 1));
            ratio += (double(level.error[std::size_t(cy * level.width + cx)]) + 0.01) / (tight + 0.01) / count;
        }
        RecordProperty("level" + std::to_string(l), std::to_string(ratio));
        EXPECT_LT(ratio, 2.0) << "level " << l;
    }
}

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
                    float least = 1e30f, most = -1e30f;
                    for (int y = j << l; y <= std::min((j + 1) << l, height - 1); ++y)
                        for (int x = i << l; x <= std::min((i + 1) << l, width - 1); ++x)
                            least = std::min(least, field.at(x, y)), most = std::max(most, field.at(x, y));
                    const std::size_t k = std::size_t(j * pyramid.levels[l].width + i);
                    ASSERT_EQ(pyramid.levels[l].minimum[k], least);
                    ASSERT_EQ(pyramid.levels[l].maximum[k], most);
                }
    }
}

TEST(HeightPyramid, PatchErrorIsTheLargestOfTheFinerCellsInside)
{
    std::mt19937 random(3);
    const HeightField field = randomField(random, 45, 30);
    const HeightPyramid pyramid = buildPyramid(field);
    for (int patch = 0; patch <= 6; ++patch)
    {
        const std::vector<std::vector<float>> bounds = errorForPatchLevel(pyramid, patch);
        ASSERT_EQ(bounds.size(), pyramid.levels.size());
        for (int l = 0; l < int(bounds.size()); ++l)
        {
            const PyramidLevel& shape = pyramid.levels[std::size_t(l)];
            const int from = std::max(l - patch, 0);
            const PyramidLevel& fine = pyramid.levels[std::size_t(from)];
            std::vector<float> expected(shape.error.size(), 0.0f);
            for (int j = 0; j < fine.height; ++j)
                for (int i = 0; i < fine.width; ++i)
                {
                    float& cell = expected[std::size_t((j >> (l - from)) * shape.width + (i >> (l - from)))];
                    cell = std::max(cell, fine.error[std::size_t(j * fine.width + i)]);
                }
            ASSERT_EQ(bounds[std::size_t(l)], expected) << "patch " << patch << " level " << l;
        }
    }
}

}  // namespace
}  // namespace orogen
