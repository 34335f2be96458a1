// Bounds of a field that changes in a box: as a new build has them where they are measured, and never below it.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/bounds/diamond_deviations.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {
namespace {

HeightField changingField(int width, int height, double pixelHeight, std::mt19937& random)
{
    HeightField field;
    field.width = width;
    field.height = height;
    field.pixelWidth = 10;
    field.pixelHeight = pixelHeight;
    field.scale = 0.02f;
    field.exact = false;
    const double phase = std::uniform_real_distribution<>(0, 6)(random);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            field.codes.push_back(std::uint16_t(30'000 + 4'000 * std::sin(0.05 * x + phase) * std::cos(0.08 * y) +
                                                double(random() % 200)));
    return field;
}

// Raises a round hill; returns its box.
IndexBox raiseHill(HeightField& field, int x, int y, int radius, int steps)
{
    const IndexBox box = clipped({x - radius, y - radius, x + radius + 1, y + radius + 1}, field.width, field.height);
    for (int v = box.y0; v < box.y1; ++v)
        for (int u = box.x0; u < box.x1; ++u)
        {
            const double d = std::hypot(u - x, v - y) / radius;
            std::uint16_t& code = field.codes[std::size_t(v) * std::size_t(field.width) + std::size_t(u)];
            if (d < 1) code = std::uint16_t(code + steps * (1 - d * d) * (1 - d * d));
        }
    return box;
}

bool isExact(const DiamondErrors& errors, const HeightField& field, int level)
{
    const SurfaceLattice lattice(field);
    const double unit = double(1u << (errors.finestBits + level));
    return level == 0 || unit * std::max(lattice.columns, lattice.rows) <= kExactSamples;
}

void expectBounds(const DiamondErrors& changed, const DiamondErrors& built, const HeightField& field)
{
    ASSERT_EQ(changed.codes.size(), built.codes.size());
    ASSERT_EQ(changed.metres, built.metres);
    EXPECT_EQ(changed.fineScale, built.fineScale);
    EXPECT_EQ(changed.secondPatch, built.secondPatch);
    for (int level = 0; level <= int(built.levels.size()); ++level)
    {
        const bool fine = level == int(built.levels.size());
        const DiamondGrid& grid = fine ? built.fine : built.levels[std::size_t(level)];
        std::size_t below = 0, other = 0;
        for (std::size_t i = grid.offset; i < grid.offset + (fine ? 1 : 3) * std::size_t(grid.entries()); ++i)
        {
            below += changed.codes[i] < built.codes[i];
            other += changed.codes[i] != built.codes[i];
        }
        EXPECT_EQ(below, 0u) << "level " << level;
        if (!fine && !isExact(built, field, level)) continue;
        EXPECT_EQ(other, 0u) << "level " << level;
    }
}

TEST(ChangedBounds, AreThoseOfANewBuildWhereTheyAreMeasured)
{
    std::mt19937 random(7);
    for (const auto& [width, height, pixelHeight] :
         {std::tuple(301, 301, 10.0), std::tuple(257, 140, 10.0), std::tuple(97, 233, 17.0)})
    {
        HeightField field = changingField(width, height, pixelHeight, random);
        ChangingBounds bounds(*buildBounds(field, {}, ErrorRange::kAllCodes), field);
        EXPECT_TRUE(bounds.exact());
        for (const int patchLevel : {1, 2, 3})
        {
            std::vector<std::uint8_t> patch = patchErrors(*bounds.errors(), patchLevel);
            for (int dab = 0; dab < 4; ++dab)
            {
                const int radius = 2 + int(random() % 30);
                const IndexBox box = raiseHill(field, int(random() % unsigned(width)), int(random() % unsigned(height)),
                                               radius, int(random() % 2'000));
                const BoundsChange change = bounds.update(field, box);
                updatePatchErrors(*bounds.errors(), patchLevel, change.errors, patch);
            }
            const TerrainBounds built = *buildBounds(field, {}, ErrorRange::kAllCodes);
            expectBounds(*bounds.errors(), built.errors, field);
            EXPECT_EQ(patch, patchErrors(*bounds.errors(), patchLevel)) << "patch level " << patchLevel;
            for (std::size_t level = 0; level < built.heights.levels.size(); ++level)
                EXPECT_EQ(bounds.heights().levels[level].cells, built.heights.levels[level].cells);
        }
    }
}

}  // namespace
}  // namespace orogen
