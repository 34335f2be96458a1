// The drawn ground beside insets: membrane and procedural detail together, all along the rim.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "compute/voids/void_filling.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tile_cache.h"
#include "core/terrain/tiles/tiled_ground.h"

namespace orogen::compute {
namespace {

constexpr double kStep = 60;      // metres between the places whose slope is taken
constexpr double kPiece = 4'000;  // metres of the rim that are seen from one place

// The Earth as drawn from near a place.
class DrawnEarth
{
public:
    explicit DrawnEarth(const std::vector<InsetRequest>& insets)
    {
        const auto earth = EarthSource::open(OROGEN_ROOT "/assets/earth/etopo5.tif", insets, membraneOver);
        EXPECT_TRUE(earth);
        cache_ = std::move(*TileCache::create(*earth, std::uint64_t(256) << 20));
        detail_ = detailUniformsOnCube(cubeSampleMetres(cache_->grid(), 0), kEarthExponent, cache_->baseLevel());
    }

    bool goTo(LatLong place)
    {
        TileView view;
        view.position = earthFixed({place.latitude, place.longitude, 2'500.0});
        return cache_->settle(view, 300, [] {});
    }

    double heightAt(LatLong place) const
    {
        return drawnGroundUnder(*cache_, earthFixed({place.latitude, place.longitude, 0.0}),
                                {.heightScale = 1, .sea = 0.0, .detail = &detail_});
    }

    // Returns the steepest slope 1 to 3 km beside a piece of a raster's rim.
    double steepest(const InsetMap& map, glm::dvec2 middle, glm::dvec2 outwards)
    {
        const glm::dvec2 metres(map.metresOfColumn(), map.metresOfRow()), along(outwards.y, outwards.x);
        EXPECT_TRUE(goTo(map.placeOf(middle)));
        const auto height = [&](double out, double across) {
            return heightAt(map.placeOf(middle + (outwards * out + along * across) / metres));
        };
        std::vector<double> before, row;  // heights at a distance, and at the previous one
        double most = 0;
        for (double out = 1'000; out <= 3'000; out += kStep)
        {
            for (double across = -kPiece / 2; across <= kPiece / 2; across += kStep)
                row.push_back(height(out, across));
            for (std::size_t i = 0; i + 1 < before.size(); ++i)
                most = std::max(most, std::hypot(row[i] - before[i], before[i + 1] - before[i]));
            before.swap(row), row.clear();
        }
        return most / kStep;
    }

private:
    std::shared_ptr<TileCache> cache_;
    gpu::DetailUniforms detail_{};
};

TEST(MembraneWithDetailThorough, TheGroundBesideAnInsetIsNoSteeperThanThatOfTheBase)
{
    DrawnEarth bare({});
    for (const char* name : {"bigtujunga", "jacksboro"})
    {
        const std::string file = OROGEN_ROOT "/assets/heightmaps/" + std::string(name) + ".tif";
        const Result<Raster> raster = loadRaster(file);
        ASSERT_TRUE(raster);
        const Result<InsetMap> map = InsetMap::of(*raster);
        ASSERT_TRUE(map);
        DrawnEarth with({InsetRequest{file, {}}});
        const glm::dvec2 last(map->columns() - 1, map->rows() - 1);
        const glm::dvec2 metres(map->metresOfColumn(), map->metresOfRow());
        double ground = 0, base = 0;
        const auto side = [&](glm::dvec2 from, glm::dvec2 to, glm::dvec2 outwards) {
            const int pieces = int(glm::distance(from * metres, to * metres) / kPiece);
            for (int i = 0; i < pieces; ++i)
            {
                const glm::dvec2 middle = glm::mix(from, to, (i + 0.5) / pieces);
                ground = std::max(ground, with.steepest(*map, middle, outwards));
                base = std::max(base, bare.steepest(*map, middle, outwards));
            }
        };
        side({0, 0}, {last.x, 0}, {0, -1});
        side({0, last.y}, last, {0, 1});
        side({0, 0}, {0, last.y}, {-1, 0});
        side({last.x, 0}, last, {1, 0});
        RecordProperty(name, std::to_string(ground) + " " + std::to_string(base));
        EXPECT_GT(base, 0.1) << name;  // the base has detail
        EXPECT_LE(ground, 1.3 * base) << name;
    }
}

}  // namespace
}  // namespace orogen::compute
