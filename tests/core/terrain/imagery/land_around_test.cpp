// The land around a terrain: it meets the terrain, sinks along a sphere, and reaches the horizon.
#include "core/terrain/imagery/land_around.h"

#include <cmath>
#include <memory>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/terrain/raster/raster.h"
#include "tests/support/random.h"

namespace orogen::test {
namespace {

constexpr double kRadius = double(gpu::kAirRadius);

// A field of 65 x 49 samples, 30 x 40 m apart, with heights from 100 to 300 m.
HeightField hillyField()
{
    Raster raster;
    raster.width = 65;
    raster.height = 49;
    raster.pixelWidth = 30;
    raster.pixelHeight = 40;
    for (int i = 0; i < raster.width * raster.height; ++i)
        raster.heights.push_back(200.0f + 100.0f * std::sin(0.13f * float(i % 65)) * std::cos(0.17f * float(i / 65)));
    raster.minHeight = 100;
    raster.maxHeight = 300;
    return quantise(raster);
}

std::shared_ptr<const Surroundings> level(float height)
{
    auto around = std::make_shared<Surroundings>();
    around->ground.assign(std::size_t(gpu::kSurroundingColumns * gpu::kSurroundingRows), {height, 0, 0});
    return around;
}

TEST(LandAround, SinksAlongASphere)
{
    for (double distance = 1; distance < 1.2e7; distance *= 1.7)
    {
        const glm::dvec2 point = sunkAt(distance);
        EXPECT_NEAR(glm::length(glm::dvec2(point.x, kRadius - point.y)), kRadius, 1e-6 * kRadius) << distance;
        EXPECT_NEAR(distanceAlong(point.x).x, distance, 1e-6 * distance);
        EXPECT_NEAR(distanceAlong(point.x).y, point.y, 1e-6 * point.y + 1e-9);
    }
    EXPECT_NEAR(sunkAt(1000).x, 1000, 0.1) << "metres near by";
    EXPECT_NEAR(sunkAt(1e9).x, kRadius, 1) << "ends where it is vertical";
}

// Between two rows the land is straight.  The sphere rises above that line by less than what a camera resolves that
// stands above the rows.
TEST(LandAround, RingsFollowTheSphereToTheHorizon)
{
    for (const bool surroundings : {false, true})
    {
        const LandShape shape = landShape(hillyField(), surroundings);
        double last = shape.spacing;
        for (const LandRing& ring : shape.rings)
        {
            EXPECT_EQ(ring.inner, last) << "no gap";
            last = ring.outer;
            const double half = 0.5 * (ring.outer - ring.inner);
            EXPECT_LT(half * half / (2 * kRadius) / ring.outer, 0.0004) << ring.inner;
        }
        EXPECT_GT(2 * std::atan(last / (2 * kRadius)), 1.5) << "radians: the horizon of a camera 85,000 km up";
        EXPECT_LT(shape.rings.size(), 90u);
    }
}

TEST(LandAround, MeetsTheGroundAtTheBorder)
{
    const HeightField field = hillyField();
    const double east = 0.5 * 64 * 30, north = 0.5 * 48 * 40;
    Random random(3);
    for (const std::shared_ptr<const Surroundings>& known : {level(900), std::shared_ptr<const Surroundings>()})
    {
        const LandAround land(field, known);
        for (const double scale : {1.0, 2.5})
        {
            // Ground that differs from the field, as tiles differ from their overview.
            const auto ground = [&](double x, double y) { return scale * (heightAt(field, x, y) + 7.0); };
            for (int i = 0; i < 80; ++i)
            {
                const double t = 2 * random.unit() - 1;
                const glm::dvec2 at = i % 4 == 0   ? glm::dvec2(t * east, -north)
                                      : i % 4 == 1 ? glm::dvec2(east, t * north)
                                      : i % 4 == 2 ? glm::dvec2(t * east, north)
                                                   : glm::dvec2(-east, t * north);
                const auto outwards = [&](double factor) {
                    return land.heightAt(at.x * factor, at.y * factor, scale, ground);
                };
                EXPECT_NEAR(outwards(1 + 1e-9), ground(at.x, at.y), 1e-3);
                double before = outwards(1.0);
                for (double factor = 1; factor < 3; factor += 0.01)
                {
                    const double now = outwards(factor);
                    ASSERT_LT(std::abs(now - before), 60.0) << "a leap at " << factor;
                    before = now;
                }
            }
        }
    }
}

TEST(LandAround, IsTheReliefFarAway)
{
    const auto ground = [](double, double) { return 200.0; };
    const LandAround land(hillyField(), level(900)), sea(hillyField(), level(-4000));
    for (const double metres : {20e3, 300e3, 2000e3, 6000e3})
        for (const glm::dvec2 way : {glm::dvec2(0, 1), glm::dvec2(-1, 0), glm::dvec2(0.6, -0.8)})
        {
            SCOPED_TRACE(metres);
            const glm::dvec2 at = metres * way;
            const double sunk = kRadius - std::sqrt(kRadius * kRadius - metres * metres);
            // The sphere touches the plane at the border, not at the centre, and triangles lie below it.
            const double far = 30 + 0.0005 * metres + 1500 * metres / std::sqrt(kRadius * kRadius - metres * metres);
            EXPECT_NEAR(land.heightAt(at.x, at.y, 2, ground), 1800 - sunk, far);
            EXPECT_NEAR(sea.heightAt(at.x, at.y, 1, ground), -20 - sunk, far) << "the sea's surface";
        }
}

TEST(LandAround, IsTheTerrainInside)
{
    const LandAround land(hillyField(), level(900));
    EXPECT_EQ(land.heightAt(10, 20, 1, [](double x, double y) { return x + y; }), 30);
}

}  // namespace
}  // namespace orogen::test
