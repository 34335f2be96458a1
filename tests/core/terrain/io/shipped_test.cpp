// Shipped terrain, as the renderer opens it.
#include <gtest/gtest.h>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "tests/support/places.h"

namespace orogen {
namespace {

TEST(ShippedTerrain, IsTheJacksboroFault)
{
    const Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->width, 403);
    EXPECT_EQ(raster->height, 344);
    EXPECT_EQ(raster->minHeight, 236.0f);
    EXPECT_EQ(raster->maxHeight, 1076.0f);
    EXPECT_EQ(raster->voids, 0u);
    EXPECT_EQ(raster->format, "GeoTIFF");
    EXPECT_EQ(raster->crs, "EPSG:4326");
    EXPECT_TRUE(raster->warnings.empty()) << raster->warnings.front();
    // Three arc seconds at 36.59 degrees north; tables of the WGS 84 ellipsoid give 89.49 and 110.97 km per degree.
    EXPECT_NEAR(raster->pixelWidth, 74.6, 0.1);
    EXPECT_NEAR(raster->pixelHeight, 92.47, 0.05);
}

TEST(ShippedTerrain, SurvivesQuantisationExactly)
{
    const Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
    ASSERT_TRUE(raster) << raster.error().message;
    const HeightField field = quantise(*raster);
    for (int y = 0; y < raster->height; ++y)
        for (int x = 0; x < raster->width; ++x)
            ASSERT_EQ(field.at(x, y), raster->at(x, y)) << x << ' ' << y;
    EXPECT_EQ(field.maxQuantisationError(), 0.0f);
    EXPECT_TRUE(field.voidMask.empty());
}

}  // namespace
}  // namespace orogen
