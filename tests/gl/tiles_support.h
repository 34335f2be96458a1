// A terrain in tiles whose residency a test chooses, and the renderer that shows it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <glm/gtc/packing.hpp>

#include "core/terrain/tiles/tile_cache.h"
#include "core/terrain/tiles/tile_place.h"
#include "tests/gl/held_tiles.h"
#include "tests/gl/renderer_support.h"

namespace orogen::app::test {

// A terrain whose tiles are all in memory; active tiles and their weights are chosen at random or by hand.
class ChosenTiles : public HeldTiles
{
public:
    // Height (metres) at a sample of a level.
    using Height = std::function<float(int level, int column, int row)>;

    ChosenTiles(const TileGrid& grid, double reach, const Height& height) : HeldTiles(grid, reach)
    {
        for (int level = grid.levels() - 1; level >= 0; --level)
            for (int y = 0; y < grid.rows(level); ++y)
                for (int x = 0; x < grid.columns(level); ++x)
                    add({level, x, y}, height);
        chooseAll();
    }

    void chooseAll()
    {
        choose([](const TileKey&) { return true; }, [](const TileKey&) { return 1.0f; });
    }
    // Activates `percent` of the children of active tiles; half of the tiles without active children are fading in.
    void chooseAtRandom(Random& random, std::uint32_t percent)
    {
        std::map<TileKey, float> weights;
        choose([&](const TileKey&) { return random.chance(percent, 100); },
               [&](const TileKey&) { return random.chance(1, 2) ? float(random.unit()) : 1.0f; });
    }
    template <class Keep, class Weight>
    void choose(const Keep& keep, const Weight& weight)
    {
        active_.clear();
        std::map<TileKey, std::size_t> places;
        for (std::size_t i = 0; i < tiles_.size(); ++i)
        {
            const TileKey& key = tiles_[i]->key;
            const auto parent = places.find(key.parent());
            const bool coarsest = key.level == grid_.levels() - 1;
            if (!coarsest && (parent == places.end() || !keep(key))) continue;
            if (!coarsest) active_[parent->second].weight = 1;
            places.emplace(key, active_.size());
            active_.push_back({key, int(i), coarsest ? 1.0f : weight(key), tiles_[i]->bounds});
        }
    }

    float highest() const override { return highest_; }
    const Tile* activeTile(const TileKey& key, float* weight = nullptr) const
    {
        for (const ActiveTile& tile : active_)
            if (tile.key == key)
            {
                if (weight) *weight = tile.weight;
                return tiles_[std::size_t(tile.slot)].get();
            }
        return nullptr;
    }

    float highest_ = 500;

private:
    void add(const TileKey& key, const Height& height)
    {
        auto tile = std::make_shared<Tile>();
        tile->key = key;
        for (int r = 0; r < kTileSide; ++r)
            for (int c = 0; c < kTileSide; ++c)
                tile->heights.push_back(height(key.level, key.x * kTileCells + c, key.y * kTileCells + r));
        tile->slopes.assign(2 * tile->heights.size(), 0);
        tile->roughness.assign(tile->heights.size(), 0);
        tile->errors = evenErrors(std::ldexp(30.0f, key.level));
        const auto [low, high] = std::minmax_element(tile->heights.begin(), tile->heights.end());
        tile->bounds = {*low, *high, key.level == 0 ? 0.0f : std::ldexp(10.0f, key.level)};
        tiles_.push_back(std::move(tile));
    }
};

// A raster description of hills, without heights.
inline Raster descriptionOf(int width, int height, double pixelWidth, double pixelHeight, float lowest, float highest)
{
    Raster raster;
    raster.width = width;
    raster.height = height;
    raster.pixelWidth = pixelWidth;
    raster.pixelHeight = pixelHeight;
    raster.minHeight = lowest;
    raster.maxHeight = highest;
    raster.name = "tiles";
    return raster;
}

// Hash of a sample in [0, 1).
inline float noiseAt(int level, int column, int row)
{
    std::uint32_t h =
        std::uint32_t(column) * 0x8da6b343u ^ std::uint32_t(row) * 0xd8163841u ^ std::uint32_t(level + 1) * 0xcb1ab31fu;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    return float((h ^ (h >> 16)) & 0xffffu) / 65536.0f;
}

class TilesTest : public RendererTest
{
protected:
    // Shows an overview of hills with tiles that match neither the overview nor each other across levels.
    void startChosen(int width, int height, double reach, const Settings& settings,
                     const std::filesystem::path& root = OROGEN_ROOT, ChosenTiles::Height heights = {})
    {
        if (!heights)
            heights = [](int level, int column, int row) { return 300.0f + 200.0f * noiseAt(level, column, row); };
        const int side = 65;
        terrain_ = hills(side, side, (width - 1) * 30.0 / (side - 1), (height - 1) * 30.0 / (side - 1), 0.02);
        ASSERT_NO_FATAL_FAILURE(start(terrain_, settings, 96, 54, root));
        raster_ = descriptionOf(width, height, 30.0, 30.0, 300.0f, 500.0f);
        tiles_ = std::make_shared<ChosenTiles>(TileGrid(width, height), reach, heights);
        const Status shown = renderer_->setTerrain(raster_, terrain_.field, terrain_.bounds, tiles_);
        ASSERT_TRUE(shown) << shown.error().message;
    }

    // A camera over a place given in shares of the extent from the middle.
    Camera over(double east, double north, double up, double yaw = 40, double pitch = -25) const
    {
        Camera camera;
        camera.position = {east * raster_.east(), north * raster_.north(), 500.0 + up};
        camera.yaw = yaw;
        camera.pitch = pitch;
        return camera;
    }

    TestTerrain terrain_;
    Raster raster_;
    std::shared_ptr<ChosenTiles> tiles_;
};

}  // namespace orogen::app::test
