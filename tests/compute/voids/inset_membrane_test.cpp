// Membranes around insets on the Earth, with the solver that the program uses.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "compute/voids/void_filling.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/earth/inset_membrane.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/earth_fixtures.h"
#include "tests/support/places.h"

namespace orogen::compute {
namespace {

using namespace test;

// The finest ground in and around a raster, up to `margin` metres beside it.
class Surroundings
{
public:
    Surroundings(const EarthSource& earth, const Raster& raster, double margin, int level)
        : map_(mapOf(raster)), level_(level)
    {
        step_ = std::ldexp(double(kCubeSide) / kTileCells, level + 1 - earth.grid().levels());
        const glm::dvec2 out(margin / map_.metresOfColumn(), margin / map_.metresOfRow());
        glm::dvec2 low(1e300), high(-1e300);
        for (int i = 0; i < 16; ++i)
        {
            const glm::dvec2 part(i % 4 / 3.0, i / 4 / 3.0);
            const LatLong place = map_.placeOf(glm::mix(-out, glm::dvec2(map_.columns(), map_.rows()) + out, part));
            const FacePlace at = facePlaceOf(scaledDirectionOf(place.latitude, place.longitude));
            low = glm::min(low, at.at / step_), high = glm::max(high, at.at / step_);
            window_.face = at.face;
        }
        window_.level = level_;
        window_.column = int(low.x), window_.row = int(low.y);
        window_.width = int(high.x - low.x) + 2, window_.height = int(high.y - low.y) + 2;
        heights_ = heightsOf(earth);
    }

    std::vector<float> heightsOf(const EarthSource& earth) const
    {
        std::vector<float> heights(std::size_t(window_.width) * std::size_t(window_.height));
        TileWindow window = window_;
        // In an Earth with fewer levels, these samples belong to another level.
        const double step = std::ldexp(double(kCubeSide) / kTileCells, 1 - earth.grid().levels());
        window.level = int(std::lround(std::log2(step_ / step)));
        const auto reader = earth.openReader();
        EXPECT_TRUE(reader && (*reader)->read(window, heights));
        return heights;
    }

    // Calls visit(index, metres) for samples outside the raster, with their distance from it.
    template <class Visit>
    void outside(double from, double to, const Visit& visit) const
    {
        for (int row = 0; row + 1 < window_.height; ++row)
            for (int column = 0; column + 1 < window_.width; ++column)
            {
                const Geodetic where = geodeticOf(position(column, row));
                const glm::dvec2 at = map_.sampleOf({where.latitude, where.longitude});
                const glm::dvec2 rim = glm::clamp(at, glm::dvec2(0), glm::dvec2(map_.columns() - 1, map_.rows() - 1));
                const double metres =
                    std::hypot((at.x - rim.x) * map_.metresOfColumn(), (at.y - rim.y) * map_.metresOfRow());
                if (metres > 0 && metres >= from && metres <= to) visit(column, row, metres);
            }
    }

    // Returns the slope of the triangle of a sample and its next ones (metres per metre).
    double slope(const std::vector<float>& heights, int column, int row) const
    {
        const glm::dvec3 own = position(column, row);
        const glm::dvec3 a = position(column + 1, row) - own, b = position(column, row + 1) - own;
        const double da = heights[index(column + 1, row)] - heights[index(column, row)];
        const double db = heights[index(column, row + 1)] - heights[index(column, row)];
        const double aa = glm::dot(a, a), ab = glm::dot(a, b), bb = glm::dot(b, b), area = aa * bb - ab * ab;
        return std::sqrt(std::max((da * da * bb - 2 * da * db * ab + db * db * aa) / area, 0.0));
    }

    std::size_t index(int column, int row) const
    {
        return std::size_t(row) * std::size_t(window_.width) + std::size_t(column);
    }
    const std::vector<float>& heights() const { return heights_; }

private:
    static InsetMap mapOf(const Raster& raster)
    {
        Result<InsetMap> map = InsetMap::of(raster);
        EXPECT_TRUE(map);
        return std::move(*map);
    }
    glm::dvec3 position(int column, int row) const
    {
        return onEllipsoid(
            scaledDirection(FacePlace{window_.face, glm::dvec2(window_.column + column, window_.row + row) * step_}));
    }

    InsetMap map_;
    int level_;
    double step_ = 1;
    TileWindow window_;
    std::vector<float> heights_;
};

struct Slopes
{
    double ground = 0, base = 0, farthest = 0;  // steepest from 1 to 3 km; metres changed beyond the reach
};

// Compares the ground around an inset with that of the Earth without it.
Slopes slopesAround(const EarthSource& earth, const EarthSource& bare, const Raster& raster, double reach, int level)
{
    const Surroundings around(earth, raster, 12'000, level);
    const std::vector<float> base = around.heightsOf(bare);
    Slopes slopes;
    around.outside(1'000, 3'000, [&](int column, int row, double) {
        slopes.base = std::max(slopes.base, around.slope(base, column, row));
        slopes.ground = std::max(slopes.ground, around.slope(around.heights(), column, row));
    });
    around.outside(0, 11'000, [&](int column, int row, double metres) {
        const std::size_t i = around.index(column, row);
        if (metres < reach) return;
        slopes.farthest = std::max(slopes.farthest, double(std::abs(around.heights()[i] - base[i])));
    });
    return slopes;
}

TEST(InsetMembrane, CarriesTheDifferenceOutwardsWithoutCurtains)
{
    const std::string relief = OROGEN_ROOT "/assets/earth/etopo5.tif";
    const std::string file = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
    const auto earth = EarthSource::open(relief, {InsetRequest{file, {}}}, membraneOver);
    const auto bare = EarthSource::open(relief, {}, {});
    ASSERT_TRUE(earth && bare);
    const Result<Raster> raster = loadRaster(file);
    ASSERT_TRUE(raster);
    const double reach = membraneReach(**EarthInset::open({file, {}}));
    const Slopes slopes = slopesAround(**earth, **bare, *raster, reach, 1);
    EXPECT_LE(slopes.ground, 1.3 * slopes.base);
    EXPECT_EQ(slopes.farthest, 0.0);
}

EarthFiles filesWithMembranes()
{
    return EarthFiles([](int, int) { return 500.0f; }, membraneOver);
}

constexpr float kVoidHeight = std::numeric_limits<float>::quiet_NaN();

// The inset lies 160 m to 285 m above its surroundings, a wall unless it is blended. Neighbouring 30 m samples differ
// by up to 10.3 m; those of the cube are at most 19 m apart.
TEST(InsetMembrane, LeavesNoStepAtTheRim)
{
    const EarthFiles files = filesWithMembranes();
    const Raster raster = placedRaster(300, 300, "EPSG:32611", inMetres(381'000, 3'808'000, 30), hills);
    const auto earth = files.open({files.write("utm.tif", raster)});
    ASSERT_TRUE(earth);
    float own = 0;
    for (int row = 0; row < 300; ++row)
        for (int column = 0; column < 299; ++column)
            own = std::max(own, std::abs(raster.at(column + 1, row) - raster.at(column, row)));
    const double half = 299 * 15.0;
    for (const auto& [east, north] : {std::pair(-half, 0.0), std::pair(half, 0.0), std::pair(0.0, half),
                                      std::pair(0.0, -half), std::pair(half, half), std::pair(-half, -half)})
    {
        const Ground ground = groundAround(*earth, placeIn(raster, east, north));
        // Around a corner the membrane falls twice as steeply as beside a side.
        EXPECT_LE(largestStep(ground), (east * north != 0 ? 2 : 1) * own) << east << ' ' << north;
        const auto [lowest, highest] = std::ranges::minmax(ground.heights);
        EXPECT_GT(highest - lowest, 60.0f);  // both sides are in the window
    }
}

TEST(InsetMembrane, LeavesNoStepBetweenNeighbours)
{
    const EarthFiles files = filesWithMembranes();
    // The second begins a pixel after the first one's last, as with tiles whose pixels are areas.
    const auto joined = [](int from) { return [from](int column, int row) { return hills(column + from, row); }; };
    const auto west =
        files.write("a.tif", placedRaster(150, 300, "EPSG:32611", inMetres(381'000, 3'808'000, 30), hills));
    const auto east = files.write(
        "b.tif", placedRaster(150, 300, "EPSG:32611", inMetres(381'000 + 4'500, 3'808'000, 30), joined(150)));
    const auto earth = files.open({west, east});
    ASSERT_TRUE(earth);
    const auto whole = files.open(
        {files.write("c.tif", placedRaster(300, 300, "EPSG:32611", inMetres(381'000, 3'808'000, 30), hills))});
    const LatLong seam{34.37, -118.245};
    const Ground two = groundAround(*earth, seam), one = groundAround(*whole, seam);
    EXPECT_LE(largestStep(two), largestStep(one) + 1.0f);
}

TEST(InsetMembrane, FillsVoidsTowardsTheRelief)
{
    const EarthFiles files = filesWithMembranes();
    const auto holed = [](int column, int row) {
        return std::hypot(column - 150, row - 150) < 40 || column < 60 ? kVoidHeight : 560.0f + 0.05f * float(column);
    };
    const auto earth = files.open(
        {files.write("holed.tif", placedRaster(300, 300, "EPSG:4326", inDegrees(10, 50, 1 / 3600.0), holed))});
    ASSERT_TRUE(earth);
    EXPECT_EQ(groundOf(*earth, 50 - 150 / 3600.0, 10 + 150 / 3600.0), 500.0);
    EXPECT_EQ(groundOf(*earth, 50 - 150 / 3600.0, 10 + 30 / 3600.0), 500.0);
    EXPECT_NEAR(groundOf(*earth, 50 - 150 / 3600.0, 10 + 200 / 3600.0), 570.0, 0.01);
    // A step of 65 m would be a wall; the membrane falls over hundreds of metres.
    const Ground ground = groundAround(*earth, {50 - 150 / 3600.0, 10 + 111 / 3600.0}, 0, 120);
    EXPECT_LE(largestStep(ground), 8.0f);
    for (const float height : ground.heights)
        ASSERT_TRUE(std::isfinite(height));
}

// The grids of a long inset are coarse, and 16 of their nodes are farther than the reach. With samples of 300 m, one
// cell of the coarsest grid is longer than the reach.
TEST(InsetMembrane, OfALongInsetEndsAtTheReach)
{
    const EarthFiles files = filesWithMembranes();
    for (const auto& [spacing, lastRow] : {std::pair(30.0, 40), std::pair(300.0, 20)})
    {
        SCOPED_TRACE(spacing);
        const Raster raster = placedRaster(4000, lastRow + 1, "EPSG:32611", inMetres(400'000, 3'800'000, spacing),
                                           [](int, int) { return 600.0f; });
        const auto inset = EarthInset::open({files.write("long.tif", raster), {}});
        ASSERT_TRUE(inset) << inset.error().message;
        const auto reader = InsetReader::open(*inset);
        ASSERT_TRUE(reader);
        const double reach = membraneReach(**inset);
        const auto base = [](LatLong, double) -> Result<BaseGround> { return BaseGround{500, 0}; };
        const Result<InsetMembrane> membrane = InsetMembrane::make(**reader, base, true, membraneOver);
        ASSERT_TRUE(membrane) << membrane.error().message;
        const InsetMap& map = (*reader)->map();
        EXPECT_NEAR(membrane->at({2000, 0}), 100, 10);
        for (double metres = 1.0001 * reach; metres < 2.5 * reach; metres += 0.02 * reach)
            for (const double along : {-0.6, 0.0, 0.31, 0.5, 1.0})
            {
                EXPECT_EQ(membrane->at({4000 * along, -metres / map.metresOfRow()}), 0) << along << ", " << metres;
                EXPECT_EQ(membrane->at({4000 * along, lastRow + metres / map.metresOfRow()}), 0)
                    << along << ", " << metres;
                EXPECT_EQ(membrane->at({-metres / map.metresOfColumn(), lastRow * along}), 0)
                    << along << ", " << metres;
            }
        double last = membrane->at({1240, 0});
        for (double metres = 0; metres < 1.1 * reach; metres += 30)
        {
            const double now = membrane->at({1240, -metres / map.metresOfRow()});
            EXPECT_LE(std::abs(now - last), 5) << metres;
            last = now;
        }
    }
}

}  // namespace
}  // namespace orogen::compute
