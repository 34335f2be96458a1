// Numbers on contour lines, on a plane and on the Earth.
#include <cmath>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "app/session/contour_labels.h"
#include "core/planet/ellipsoid.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr glm::dvec2 kPicture(1280, 720);
constexpr double kInterval = 100;

Settings contoured(const Camera& camera)
{
    Settings settings;
    settings.render.contours = true;
    storeCamera(camera, settings.view);
    return settings;
}

// Ground whose height depends on a position alone, and that hides nothing from high above.
ContourGround groundOf(World world, const DataHeight& height)
{
    ContourGround ground;
    ground.height = height;
    ground.around.viewport = kPicture;
    ground.around.terrain = {{400'000, 400'000}, -3000, 3000};
    if (world == World::kEarth)
        ground.around.earthGround = height;
    else
        ground.around.ground = [height](double east, double north) { return height({east, north, 0}); };
    return ground;
}

// Height of the data under a label, where its line of sight meets ground of the height that it names.
double heightUnder(const ContourLabel& label, const Camera& camera, const ContourGround& ground)
{
    const glm::dvec2 cursor(2 * label.place.x - 1, 1 - 2 * label.place.y);
    const double named = std::stod(label.text);
    if (ground.around.onEarth())
    {
        const auto place = onRaisedEllipsoid(camera.position, earthRay(poseOf(camera), cursor, kPicture), named);
        return place ? ground.height(*place) : 1e9;
    }
    const glm::dvec3 ray = rayAt(camera, cursor, kPicture);
    return ground.height(camera.position + ray * ((named - camera.position.z) / ray.z));
}

class ContourNumbers : public testing::TestWithParam<World>
{
protected:
    Camera cameraAt(double share) const
    {
        if (GetParam() == World::kEarth)
            return {earthFixed({46 + 0.2 * share, 8 + 0.3 * share, 90'000}), 10 * share, -75, 60};
        return {{20'000 * share, 30'000 * share, 90'000}, 10 * share, -75, 60};
    }
    DataHeight height() const
    {
        if (GetParam() == World::kPlane)
            return [](const glm::dvec3& at) { return 900 + 800 * std::sin(at.x / 9'000) * std::cos(at.y / 11'000); };
        return [](const glm::dvec3& at) {
            const Geodetic place = geodeticOf(at);
            return 900 + 800 * std::sin(place.longitude * 9) * std::cos(place.latitude * 11);
        };
    }
};

TEST_P(ContourNumbers, StandOnNumberedLinesAndStayThere)
{
    const ContourGround ground = groundOf(GetParam(), height());
    ContourLabeler labeler;
    std::size_t shown = 0, kept = 0;
    std::vector<ContourLabel> before;
    for (int frame = 0; frame < 20; ++frame)
    {
        const Camera camera = cameraAt(frame / 20.0);
        const std::vector<ContourLabel> labels = labeler.labels(contoured(camera), ground, kInterval, kPicture);
        shown += labels.size();
        for (std::size_t i = 0; i < labels.size(); ++i)
        {
            EXPECT_EQ(std::fmod(std::stod(labels[i].text), kInterval * kIndexContours), 0) << labels[i].text;
            EXPECT_NEAR(heightUnder(labels[i], camera, ground), std::stod(labels[i].text), 0.1 * kInterval) << frame;
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GT(glm::distance(labels[i].place * kPicture, labels[j].place * kPicture), 59) << frame;
            for (const ContourLabel& other : before)
                kept += other.text == labels[i].text &&
                        glm::distance(other.place * kPicture, labels[i].place * kPicture) < 60;
        }
        before = labels;
    }
    EXPECT_GT(shown, 20u * 5);
    EXPECT_GT(kept, shown * 7 / 10) << "labels move with the ground";
    Settings without = contoured(cameraAt(0));
    without.render.contours = false;
    EXPECT_TRUE(labeler.labels(without, ground, kInterval, kPicture).empty());
}

INSTANTIATE_TEST_SUITE_P(Worlds, ContourNumbers, testing::Values(World::kPlane, World::kEarth));

// A number's direction is that of its line.
TEST(ContourNumbersOnTheEarth, RunAlongTheirLines)
{
    const DataHeight rises = [](const glm::dvec3& at) { return 2'000 * (geodeticOf(at).latitude - 45); };
    const ContourGround ground = groundOf(World::kEarth, rises);
    const Camera camera{earthFixed({46, 8, 90'000}), 0, -90, 60};
    ContourLabeler labeler;
    const std::vector<ContourLabel> labels = labeler.labels(contoured(camera), ground, 20, kPicture);
    EXPECT_GT(labels.size(), 5u);
    for (const ContourLabel& label : labels)
        EXPECT_NEAR(std::remainder(label.turn, 3.14159265), 0, 0.05) << label.text;
}

// The far half of the globe has none, nor has space.
TEST(ContourNumbersOnTheEarth, StandOnTheVisibleGlobe)
{
    const DataHeight waves = [](const glm::dvec3& at) { return 3'000 * std::sin(geodeticOf(at).latitude * 0.06); };
    const ContourGround ground = groundOf(World::kEarth, waves);
    const Camera camera{earthFixed({20, 8, 2e7}), 0, -90, 60};
    ContourLabeler labeler;
    const double focal = kPicture.y / 2 / std::tan(30 / kDegreesARadian);
    const double disc = focal * std::tan(std::asin(kEarthEquatorRadius / (kEarthEquatorRadius + 2e7)));
    const std::vector<ContourLabel> labels = labeler.labels(contoured(camera), ground, 500, kPicture);
    EXPECT_GT(labels.size(), 2u);
    for (const ContourLabel& label : labels)
        EXPECT_LT(glm::distance(label.place * kPicture, 0.5 * kPicture), disc);
}

}  // namespace
}  // namespace orogen::app
