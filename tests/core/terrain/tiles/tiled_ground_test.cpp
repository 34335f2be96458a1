// Ground heights from tiles: bilinear in the source; and the level that is drawn.
#include "core/terrain/tiles/tiled_ground.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace orogen {
namespace {

// Source of heights 3 east + 5 south, in samples, with a hole.
class PlaneTiles : public TileSource
{
public:
    PlaneTiles()
    {
        raster_.width = 1001;
        raster_.height = 501;
        raster_.pixelWidth = raster_.pixelHeight = 10;
    }
    const Raster& raster() const override { return raster_; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return true; }

private:
    Raster raster_;
};

class PlaneReader : public TileReader
{
public:
    Status read(const TileWindow& window, std::span<float> out) override
    {
        std::size_t i = 0;
        for (int row = window.row; row < window.row + window.height; ++row)
            for (int column = window.column; column < window.column + window.width; ++column)
                out[i++] =
                    column == 700 && row == 200 ? std::numeric_limits<float>::quiet_NaN() : float(3 * column + 5 * row);
        return Status::ok();
    }
    std::uint64_t bytesRead() const override { return 0; }
};

Result<std::unique_ptr<TileReader>> PlaneTiles::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<PlaneReader>());
}

TEST(SourceHeight, IsBilinearInTheFinestSamples)
{
    const PlaneTiles source;
    const auto at = [&](double east, double north) { return *sourceHeightAt(source, east, north); };
    EXPECT_EQ(at(0, 0), 3 * 500 + 5 * 250.0);
    EXPECT_NEAR(*at(2.5, -5), 3 * 500.25 + 5 * 250.5, 1e-9);
    EXPECT_EQ(at(-5000, 2500), 0.0);                         // north-western sample
    EXPECT_EQ(at(9e6, -9e6), 3 * 1000 + 5 * 500.0);          // outside the raster: clamped to the edge
    EXPECT_EQ(at(10 * 200, 10 * 50), std::nullopt);          // the hole
    EXPECT_EQ(at(10 * 200 - 5, 10 * 50 + 5), std::nullopt);  // beside the hole
}

TEST(FinestLevel, IsOfTheTileThatHoldsThePlace)
{
    const PlaneTiles source;
    const Raster& raster = source.raster();
    const std::vector<ActiveTile> active = {
        {.key = {3, 0, 0}, .bounds = {}}, {.key = {1, 1, 0}, .bounds = {}}, {.key = {0, 2, 1}, .bounds = {}}};
    const auto level = [&](int column, int row) {
        return finestLevelAt(active, raster, 10 * (column - 500.0), 10 * (250.0 - row));
    };
    EXPECT_EQ(level(10, 10), 3);
    EXPECT_EQ(level(300, 10), 1);
    EXPECT_EQ(level(300, 200), 0);
    EXPECT_EQ(level(256, 128), 0);  // tiles include their borders
    EXPECT_EQ(level(900, 400), 3);
}

}  // namespace
}  // namespace orogen
