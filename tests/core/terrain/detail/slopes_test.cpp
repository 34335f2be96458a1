// Slopes and aspects of coarse data with procedural detail, against those of the terrain that the data were made from.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <glm/common.hpp>

#include "core/planet/cube_lattice.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tile.h"
#include "tests/support/places.h"

namespace orogen {
namespace {

constexpr int kAspects = 16;  // classes of directions

struct Relief
{
    double medianSlope = 0;
    std::vector<double> aspects = std::vector<double>(kAspects);  // shares
};

// `height(x, y)`: metres at samples of `field`.  Ground of a slope below 2 % has no aspect.
template <typename Height>
Relief reliefOf(const HeightField& field, int margin, const Height& height)
{
    const int width = std::min(field.width - 2 * margin, 360), rows = std::min(field.height - 2 * margin, 360);
    std::vector<double> heights;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < width; ++x)
            heights.push_back(height(margin + x, margin + y));
    Relief relief;
    std::vector<double> slopes;
    double sloping = 0;
    for (int y = 1; y + 1 < rows; ++y)
        for (int x = 1; x + 1 < width; ++x)
        {
            const double* here = &heights[std::size_t(y) * std::size_t(width) + std::size_t(x)];
            const double east = (here[1] - here[-1]) / (2 * field.pixelWidth);
            const double south = (here[width] - here[-width]) / (2 * field.pixelHeight);
            slopes.push_back(std::hypot(east, south));
            if (slopes.back() < 0.02) continue;
            const double turn = std::atan2(south, east) / (2 * std::numbers::pi) + 0.5;
            relief.aspects[std::size_t(int(turn * kAspects) % kAspects)] += 1;
            sloping += 1;
        }
    const auto middle = slopes.begin() + std::ptrdiff_t(slopes.size() / 2);
    std::nth_element(slopes.begin(), middle, slopes.end());
    relief.medianSlope = *middle;
    for (double& share : relief.aspects)
        share /= sloping;
    return relief;
}

double totalVariation(const Relief& a, const Relief& b)
{
    double sum = 0;
    for (int i = 0; i < kAspects; ++i)
        sum += std::abs(a.aspects[std::size_t(i)] - b.aspects[std::size_t(i)]);
    return sum / 2;
}

Raster averaged(const Raster& raster, int step)
{
    Raster coarse = raster;
    coarse.width = raster.width / step;
    coarse.height = raster.height / step;
    coarse.pixelWidth *= step;
    coarse.pixelHeight *= step;
    coarse.heights.clear();
    for (int y = 0; y < coarse.height; ++y)
        for (int x = 0; x < coarse.width; ++x)
        {
            double sum = 0;
            for (int i = 0; i < step * step; ++i)
                sum += double(raster.at(x * step + i % step, y * step + i / step));
            coarse.heights.push_back(float(sum / (step * step)));
        }
    return coarse;
}

struct Compared
{
    double slope = 0;   // median with detail over that of the terrain
    double before = 0;  // without detail
    double aspects = 0;
};

Compared compare(const std::string& name, double spacing)
{
    const Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/" + name + ".tif");
    EXPECT_TRUE(raster) << (raster ? "" : raster.error().message);
    if (!raster) return {};
    const int step = int(std::lround(spacing / std::sqrt(raster->pixelWidth * raster->pixelHeight)));
    const HeightField fine = quantise(*raster), coarse = quantise(averaged(*raster, step));
    const MadeRelief made(coarse);
    const auto ground = [&](int x, int y, bool detail) {
        const double east = ((x - (step - 1) / 2.0) / step - (coarse.width - 1) / 2.0) * coarse.pixelWidth;
        const double north = ((coarse.height - 1) / 2.0 - (y - (step - 1) / 2.0) / step) * coarse.pixelHeight;
        return double(heightAt(coarse, east, north)) + (detail ? made.heightAt(coarse, east, north) : 0);
    };
    const Relief terrain = reliefOf(fine, step, [&](int x, int y) { return double(fine.at(x, y)); });
    const Relief data = reliefOf(fine, step, [&](int x, int y) { return ground(x, y, false); });
    const Relief with = reliefOf(fine, step, [&](int x, int y) { return ground(x, y, true); });
    return {with.medianSlope / terrain.medianSlope, data.medianSlope / terrain.medianSlope,
            totalVariation(with, terrain)};
}

// Jacksboro took no part in choosing the constants.
TEST(DetailSlopes, SlopesAndAspectsAreThoseOfTheTerrain)
{
    for (const char* name : {"bigtujunga", "jacksboro"})
        for (const double spacing : {270.0, 1000.0})
        {
            const Compared compared = compare(name, spacing);
            SCOPED_TRACE(std::string(name) + ", " + std::to_string(int(spacing)) + " m");
            RecordProperty(std::string(name) + std::to_string(int(spacing)),
                           std::to_string(compared.slope) + " " + std::to_string(compared.aspects));
            EXPECT_LT(compared.before, 0.8);
            EXPECT_GT(compared.slope, 0.7);
            EXPECT_LT(compared.slope, 1.3);
            EXPECT_LE(compared.aspects, 0.15);
        }
}

// The ground of the shipped relief, whose samples lie 9 km apart, where a terrain lies: without and with detail.
class GlobalGround
{
public:
    GlobalGround()
        : earth_(*EarthSource::open(OROGEN_ROOT "/assets/earth/etopo5.tif", {}, {})), reader_(earth_->openReader()),
          maker_(*earth_), detail_(detailUniformsOnCube(cubeSampleMetres(earth_->grid(), 0), kEarthExponent))
    {
    }

    double heightAt(LatLong place, bool detail)
    {
        const FacePlace on = facePlaceOf(scaledDirectionOf(place.latitude, place.longitude));
        const glm::dvec2 sample = on.at / std::ldexp(double(kCubeSide) / kTileCells, 1 - earth_->grid().levels());
        const glm::ivec2 key(sample / double(kTileCells));
        const Tile& tile = *tileOf({0, key.x, key.y, on.face});
        const glm::dvec2 within = sample - glm::dvec2(key * kTileCells), cell = glm::floor(within),
                         part = within - cell;
        const auto across = [&](const auto& of) {
            const auto at = [&](int i, int j) {
                return double(of(std::size_t((int(cell.y) + j) * kTileSide + int(cell.x) + i)));
            };
            return (at(0, 0) * (1 - part.x) + at(1, 0) * part.x) * (1 - part.y) +
                   (at(0, 1) * (1 - part.x) + at(1, 1) * part.x) * part.y;
        };
        const double height = across([&](std::size_t i) { return tile.heights[i]; });
        if (!detail) return height;
        DataRelief data;
        data.roughness = float(across([&](std::size_t i) { return roughnessMetres()[tile.roughness[i]]; }));
        data.slope.x = float(across([&](std::size_t i) { return floatOfHalf(tile.slopes[2 * i]); }));
        data.slope.y = float(across([&](std::size_t i) { return floatOfHalf(tile.slopes[2 * i + 1]); }));
        data.betweenSamples = betweenSamples(glm::vec2(part));
        return height + madeHeightOnCube(detail_, on, 0, data, height);
    }

private:
    std::shared_ptr<const Tile> tileOf(const TileKey& key)
    {
        for (const auto& tile : tiles_)
            if (tile->key == key) return tile;
        const auto parent = key.level + 1 < earth_->grid().levels() ? tileOf(key.parent()) : nullptr;
        return tiles_.emplace_back(*(*reader_)->make(maker_, key, parent.get()));
    }

    std::shared_ptr<EarthSource> earth_;
    Result<std::unique_ptr<TileReader>> reader_;
    TileMaker maker_;
    gpu::DetailUniforms detail_;
    std::vector<std::shared_ptr<const Tile>> tiles_;
};

// Jacksboro took no part in choosing the waves, but in choosing the amplitude below 9 km.
TEST(DetailSlopes, SlopesOfTheEarthsReliefAreWithinAFactorOfTwo)
{
    GlobalGround global;
    for (const char* name : {"bigtujunga", "jacksboro"})
    {
        const Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/" + std::string(name) + ".tif");
        ASSERT_TRUE(raster);
        const Result<InsetMap> map = InsetMap::of(*raster);
        ASSERT_TRUE(map);
        const HeightField fine = quantise(*raster);
        const auto ground = [&](int x, int y, bool detail) { return global.heightAt(map->placeOf({x, y}), detail); };
        const Relief terrain = reliefOf(fine, 20, [&](int x, int y) { return double(fine.at(x, y)); });
        const Relief data = reliefOf(fine, 20, [&](int x, int y) { return ground(x, y, false); });
        const Relief with = reliefOf(fine, 20, [&](int x, int y) { return ground(x, y, true); });
        RecordProperty(name, std::to_string(with.medianSlope / terrain.medianSlope));
        EXPECT_LT(data.medianSlope, 0.25 * terrain.medianSlope) << name;
        EXPECT_GT(with.medianSlope, 0.5 * terrain.medianSlope) << name;
        EXPECT_LT(with.medianSlope, 2.0 * terrain.medianSlope) << name;
    }
}

// Averages over more leave too few samples.
TEST(DetailSlopes, SlopesBelowTwoKilometresAreWithinAFactorOfTwo)
{
    for (const char* name : {"bigtujunga", "jacksboro"})
    {
        const Compared compared = compare(name, 2000);
        RecordProperty(name, std::to_string(compared.slope));
        EXPECT_LT(compared.before, 0.4) << name;
        EXPECT_GT(compared.slope, 0.5) << name;
        EXPECT_LT(compared.slope, 2.0) << name;
    }
}

}  // namespace
}  // namespace orogen
