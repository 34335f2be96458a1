#include "core/view/name_labels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <set>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/view/earth_view.h"

namespace orogen {
namespace {

constexpr glm::dvec2 kViewport(1280, 720);

// Names around the Alps: many small ones and few of great reach, as cities are.
std::vector<WorldName> names()
{
    std::mt19937 random(29);
    std::uniform_real_distribution<double> latitude(42, 51), longitude(2, 18), size(0, 1);
    std::vector<WorldName> all;
    for (std::uint32_t id = 0; id < 4000; ++id)
    {
        const double reach = 45'000 * std::sqrt(15 / std::pow(std::max(size(random), 1e-4), 1.1));
        all.push_back({id, earthFixed({latitude(random), longitude(random), 0}), 0, reach});
    }
    return all;
}

LabelBox boxAt(const NameInView& name)
{
    const double width = 40 + 7.0 * (name.id % 11);
    return {{name.at.x - 3, name.at.y - 8}, {name.at.x + width, name.at.y + 8}};
}

// A flight of 60 frames from 1,200 km to 60 km above the Alps, turning and tilting.
Camera flightAt(int frame)
{
    const double t = frame / 59.0, height = 1.2e6 * std::pow(0.05, t);
    Camera camera{earthFixed({46.5 - 0.6 * t, 8 + 2.0 * t, height}), 20 * t, -90 + 35 * t, 60};
    return camera;
}

TEST(NameLabels, SixtyFramesOfAFlightShowNoLabelThatJumpsOverlapsOrFlickers)
{
    const std::vector<WorldName> all = names();
    LabelLayout layout;
    std::map<std::uint32_t, LabelBox> before;
    std::map<std::uint32_t, int> appeared;  // times that a label came
    int shown = 0;
    for (int frame = 0; frame < 60; ++frame)
    {
        const Camera camera = flightAt(frame);
        const std::vector<NameInView> seen =
            namesInView(all, camera, {.world = World::kEarth, .viewport = kViewport, .lifted = {}, .hidden = {}}, 90);
        std::vector<WantedLabel> wanted;
        for (const NameInView& name : seen)
            wanted.push_back({name.id, name.importance, boxAt(name)});
        std::map<std::uint32_t, LabelBox> now;
        for (const std::size_t chosen : layout.choose(wanted, {}))
            now.emplace(wanted[chosen].id, wanted[chosen].box);
        shown += int(now.size());
        for (auto a = now.begin(); a != now.end(); ++a)
            for (auto b = std::next(a); b != now.end(); ++b)
                ASSERT_FALSE(a->second.overlaps(b->second, 0)) << "frame " << frame;
        // A label moves as the ground under it does: by what its place moved, and by no more than the camera does.
        const PictureProjection picture(camera, World::kEarth, kViewport);
        const PictureProjection last(flightAt(std::max(frame - 1, 0)), World::kEarth, kViewport);
        for (const auto& [id, box] : now)
        {
            appeared[id] += !before.contains(id);
            if (!before.contains(id)) continue;
            const glm::dvec2 moved = box.low - before.at(id).low;
            const glm::dvec2 ground = *picture.at(all[id].place, 500) - *last.at(all[id].place, 500);
            EXPECT_LT(glm::distance(moved, ground), 1e-6);
            EXPECT_LT(glm::length(moved), 80) << "frame " << frame;
        }
        before = std::move(now);
    }
    EXPECT_GT(shown, 60 * 10);
    for (const auto& [id, times] : appeared)
        EXPECT_LE(times, 2) << "label " << id << " flickers";
    const auto twice = std::ranges::count_if(appeared, [](const auto& label) { return label.second > 1; });
    EXPECT_LE(twice * 20, std::ptrdiff_t(appeared.size())) << "labels that came twice";
}

TEST(NameLabels, NamesBehindTheGlobeAreNotInView)
{
    const Camera camera{earthFixed({0, 0, 8e6}), 0, -90, 60};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> latitude(-90, 90), longitude(-180, 180);
    const double horizon = kDegreesARadian * std::acos(kEarthEquatorRadius / (kEarthEquatorRadius + 8e6));
    int front = 0, behind = 0;
    for (int i = 0; i < 5000; ++i)
    {
        const Geodetic place{latitude(random), longitude(random), 0};
        const glm::dvec3 at = earthFixed(place);
        const double angle = kDegreesARadian * std::acos(glm::dot(glm::normalize(at), glm::normalize(camera.position)));
        if (std::abs(angle - horizon) < 0.6) continue;  // the ellipsoid is no sphere
        EXPECT_EQ(behindGlobe(camera.position, at), angle > horizon) << place.latitude << ' ' << place.longitude;
        ++(angle > horizon ? behind : front);
    }
    EXPECT_GT(front, 500);
    EXPECT_GT(behind, 500);
}

TEST(NameLabels, AShownLabelGivesWayOnlyToAMuchMoreImportantOne)
{
    LabelLayout layout;
    const LabelBox box{{0, 0}, {50, 16}}, over{{30, 4}, {90, 20}};
    const std::vector<WantedLabel> first = {{1, 10, box}};
    EXPECT_EQ(layout.choose(first, {}).size(), 1u);
    const std::vector<WantedLabel> twice = {{2, 20, over}, {1, 10, box}};
    EXPECT_EQ(twice[layout.choose(twice, {}).front()].id, 1u);
    const std::vector<WantedLabel> far = {{2, 50, over}, {1, 10, box}};
    EXPECT_EQ(far[layout.choose(far, {}).front()].id, 2u);
    const LabelBox compass{{0, 0}, {400, 400}};
    EXPECT_TRUE(layout.choose(far, {&compass, 1}).empty());
}

// A camera that sways moves two labels towards each other and apart: the new one waits for room and then stays.
TEST(NameLabels, ANewLabelNeedsRoomThatAShownOneDoesNot)
{
    LabelLayout layout;
    const auto shows = [&](double apart) {
        const std::vector<WantedLabel> both = {{1, 10, {{0, 0}, {50, 16}}},
                                               {2, 5, {{50 + apart, 0}, {90 + apart, 16}}}};
        return layout.choose(both, {}).size() == 2;
    };
    EXPECT_FALSE(shows(1));  // free, but too near for a new label
    int changes = 0;
    bool before = false;
    for (int frame = 0; frame < 60; ++frame)
    {
        const bool now = shows(9 + 8 * std::sin(0.9 * frame));
        changes += now != before;
        before = now;
    }
    EXPECT_EQ(changes, 1);
    EXPECT_FALSE(shows(-1));
    EXPECT_FALSE(shows(1));  // it has gone, and is new again
}

// The picture's own projection, in both worlds, with a shifted lens.
TEST(NameLabels, PicturePlacesAreThoseOfTheRenderersProjection)
{
    for (const World world : {World::kPlane, World::kEarth})
    {
        Camera camera{world == World::kEarth ? earthFixed({46, 8, 30'000}) : glm::dvec3(100, -50, 3000), 30, -40, 50};
        camera.shift = {0.2, -0.1};
        const LocalAxes axes = world == World::kEarth ? axesAt(camera.position) : LocalAxes{};
        const Projection projection = project(camera, int(kViewport.x), int(kViewport.y), 0.2);
        const PictureProjection picture(camera, world, kViewport);
        for (const glm::dvec2 off : {glm::dvec2(0, 0), glm::dvec2(900, 2000), glm::dvec2(-1500, 4000)})
        {
            const glm::dvec3 relative(off, -2500);
            const glm::dvec4 clip = glm::dmat4(projection.clipFromRelative) * glm::dvec4(relative, 1);
            const auto at = picture.at(camera.position + axes.toEarthFixed(relative), 1e9);
            if (clip.w < 1) continue;
            ASSERT_TRUE(at);
            EXPECT_NEAR(at->x, (clip.x / clip.w + 1) / 2 * kViewport.x, 1e-2);
            EXPECT_NEAR(at->y, (1 - clip.y / clip.w) / 2 * kViewport.y, 1e-2);
        }
    }
}

}  // namespace
}  // namespace orogen
