// Flights over the Earth, frame by frame: from 20,000 km down into an elevation model, and once around through both
// poles and over the date line.  Ground covers the Earth's disc, the mesh is closed, and the camera does not roll;
// jumps are recorded.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "compute/voids/void_filling.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/tiles/tiled_ground.h"
#include "core/view/camera_flight.h"
#include "core/view/earth_view.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/earth_fixtures.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::longTests;

constexpr double kFlightStep = 1.0 / 60;  // seconds
constexpr std::uint64_t kFlightBudget = 256u << 20;

// Results of a flight; places are frame numbers.
struct Flown
{
    int frames = 0, checked = 0;
    double jump = 0;
    std::uint64_t jumpFrame = 0, faults = 0, withoutGround = 0, mostLeaves = 0;
    std::string firstFault;
    double mostTurn = 0, mostRoll = 0;  // degrees a frame; sine
};

constexpr double kMostJump = 0.2;  // pixels; 0.7 if the ends of edges are taken for finished

class EarthFlight : public RendererTest
{
protected:
    static Settings flightSettings()
    {
        Settings settings = takenTo(World::kEarth, Settings());
        settings.cbt.leafCapacity = 1u << 16;
        return settings;
    }

    void startOnEarth(const std::vector<std::string>& insets)
    {
        ASSERT_NO_FATAL_FAILURE(start(hills(33, 33, 30.0, 30.0), smallSettings(), 160, 90));
        std::vector<InsetRequest> requests;
        for (const std::string& inset : insets)
            requests.push_back({inset, {}});
        Result<std::shared_ptr<EarthSource>> source =
            EarthSource::open(OROGEN_ROOT "/assets/earth/etopo5.tif", requests, compute::membraneOver);
        ASSERT_TRUE(source) << source.error().message;
        source_ = *source;
        Result<std::unique_ptr<TileCache>> cache = TileCache::create(source_, kFlightBudget);
        ASSERT_TRUE(cache) << cache.error().message;
        cache_ = std::move(*cache);
        const Status shown = renderer_->setEarth(cache_);
        ASSERT_TRUE(shown) << shown.error().message;
        ASSERT_NO_FATAL_FAILURE(set(flightSettings()));
        ASSERT_TRUE(renderer_->checks().measureJumps(true));
    }

    CameraFlight flightAlong(const CameraPath& path) const
    {
        ViewSurroundings around;
        around.earthGround = [cache = cache_](const glm::dvec3& position) {
            return drawnGroundUnder(*cache, position, {.heightScale = 1, .sea = 0.0, .detail = nullptr});
        };
        around.terrain.maxHeight = 8000;
        return {path, around};
    }

    // Counts pixels whose rays meet the ellipsoid: all must show ground, as none is drawn below the sea.  The limb may
    // lie a fraction of a pixel lower, where triangles are chords.
    std::uint64_t pixelsOfTheEarth(const Camera& camera) const
    {
        const EarthPose pose = poseOf(camera);
        const int width = renderer_->target().width(), height = renderer_->target().height();
        const double limb = std::sqrt(pose.height * (pose.height + 1.28e7));
        const double edge = 14 * limb * 2 * std::tan(0.5 * pose.fov / kDegreesARadian) / height;
        const double chords = 10 + edge * edge / 5.1e7;
        std::uint64_t count = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
            {
                const glm::dvec2 cursor((2.0 * x + 1) / width - 1, (2.0 * y + 1) / height - 1);
                count += onRaisedEllipsoid(camera.position, earthRay(pose, cursor, {width, height}), -chords) ? 1 : 0;
            }
        return count;
    }

    void check(const Camera& camera, Flown& flown)
    {
        const Result<MeshVerdict> mesh = renderer_->checks().validateNow();
        ASSERT_TRUE(mesh) << mesh.error().message;
        flown.faults += mesh->faults;
        if (flown.firstFault.empty()) flown.firstFault = mesh->first;
        const Result<PixelFigures> ground = renderer_->checks().measureErrorNow();
        ASSERT_TRUE(ground) << ground.error().message;
        flown.withoutGround += ground->pixels < pixelsOfTheEarth(camera) ? 1 : 0;
        ++flown.checked;
    }

    void turned(const Camera& before, const Camera& camera, Flown& flown) const
    {
        const double ahead = glm::dot(earthForward(before), earthForward(camera));
        const double right = glm::dot(earthRight(before), earthRight(camera));
        flown.mostTurn = std::max(flown.mostTurn, kDegreesARadian * std::acos(std::clamp(ahead, -1.0, 1.0)));
        flown.mostTurn = std::max(flown.mostTurn, kDegreesARadian * std::acos(std::clamp(right, -1.0, 1.0)));
        flown.mostRoll = std::max(flown.mostRoll, std::abs(glm::dot(earthRight(camera), upThrough(camera.position))));
    }

    // Flies frames from..to with all tiles loaded, as `capture --settled` does; the tree converges at the first one.
    void fly(const CameraFlight& flight, std::uint64_t from, std::uint64_t to, std::uint64_t checkEvery, Flown& flown)
    {
        Camera before = flight.at(from, kFlightStep);
        ASSERT_TRUE(renderer_->tiles().settle(before, 60));
        for (int i = 0; i < 12; ++i)  // until tiles have faded in
            frame(before);
        ASSERT_NO_FATAL_FAILURE(settle(before, 200));
        (void)renderer_->checks().takeLargestJump();
        for (std::uint64_t i = from + 1; i <= to; ++i)
        {
            const Camera camera = flight.at(i, kFlightStep);
            ASSERT_TRUE(renderer_->tiles().settle(camera, 60));
            flown.mostLeaves = std::max(flown.mostLeaves, std::uint64_t(frame(camera).work.leaves));
            const double jump = renderer_->checks().takeLargestJump().value_or(0);
            if (jump > flown.jump) flown.jumpFrame = i;
            flown.jump = std::max(flown.jump, jump);
            turned(before, camera, flown);
            before = camera;
            ++flown.frames;
            if (i % checkEvery != 0 && i != to) continue;
            ASSERT_NO_FATAL_FAILURE(check(camera, flown));
        }
    }

    // Flies the whole path, or eight short pieces of it.
    void flyAlong(const CameraPath& path, Flown& flown)
    {
        const CameraFlight flight = flightAlong(path);
        const std::uint64_t last = std::uint64_t(std::lround(flight.duration() / kFlightStep)) - 1;
        constexpr std::uint64_t kPieces = 8;
        if (longTests())
            fly(flight, 0, last, 10, flown);
        else
            for (std::uint64_t piece = 0; piece < kPieces; ++piece)
            {
                const std::uint64_t from = piece * (last - 3) / (kPieces - 1);
                ASSERT_NO_FATAL_FAILURE(fly(flight, from, from + 3, 3, flown));
            }
    }

    void expectGood(const Flown& flown, double mostTurn)
    {
        RecordProperty("jump", fmt::format("{:.4f} px in frame {}", flown.jump, flown.jumpFrame));
        RecordProperty("frames", flown.frames);
        EXPECT_EQ(flown.faults, 0u) << flown.firstFault;
        EXPECT_EQ(flown.withoutGround, 0u) << "of " << flown.checked << " frames";
        EXPECT_GT(flown.jump, 0) << "something is measured";
        EXPECT_LT(flown.jump, kMostJump) << flown.jumpFrame;
        EXPECT_LE(flown.mostLeaves, flightSettings().cbt.leafCapacity);
        EXPECT_LT(flown.mostTurn, mostTurn);
        EXPECT_LT(flown.mostRoll, 1e-9);
        EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
    }

    std::shared_ptr<EarthSource> source_;
    std::shared_ptr<TileCache> cache_;
};

constexpr double kDescentLatitude = 34.32, kDescentLongitude = -118.15;  // middle of the inset, 11 zone north

// Writes an inset of 24 by 18 km with 30 m samples.
std::string writeInset(const orogen::test::TemporaryFolder& folder)
{
    const std::string file = folder / "inset.tif";
    const Status written =
        writeGeoTiff(orogen::test::placedRaster(800, 600, "EPSG:32611", orogen::test::inMetres(382'200, 3'807'600, 30),
                                                orogen::test::hills),
                     file);
    EXPECT_TRUE(written) << written.error().message;
    return file;
}

// Descends from 20,000 km to 2 m by a constant factor a second; from 30 km on the horizon comes into view.
CameraPath descent(double ground)
{
    CameraPath path;
    path.name = "descent";
    path.units = PathUnits::kEarth;
    for (int second = 0; second <= 20; ++second)
    {
        const double above = std::min(2e7 * std::pow(1e-7, second / 20.0), kMostEarthHeight - ground - 1);
        const double near = std::clamp(std::log(3e4 / above) / std::log(1.5e4), 0.0, 1.0);
        const Geodetic place{kDescentLatitude - 1e-6 * above * near, kDescentLongitude, ground + above};
        path.keys.push_back({double(second), earthFixed(place), 20.0, -90 + 78 * near, 60});
    }
    return path;
}

using EarthFlightLong = EarthFlight;

TEST_F(EarthFlightLong, FromOrbitToTheGroundHasGroundAndNoCrack)
{
    const orogen::test::TemporaryFolder folder;
    ASSERT_NO_FATAL_FAILURE(startOnEarth({writeInset(folder)}));
    const Result<std::optional<double>> ground = source_->heightAt(kDescentLatitude, kDescentLongitude);
    ASSERT_TRUE(ground && *ground);
    Flown flown;
    ASSERT_NO_FATAL_FAILURE(flyAlong(descent(**ground), flown));
    expectGood(flown, 1.0);
}

TEST_F(EarthFlightLong, OnceAroundThroughBothPolesHasGroundAndNoCrack)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth({}));
    const Result<CameraPath> path = readCameraPath(OROGEN_ROOT "/assets/camera_paths/around.path");
    ASSERT_TRUE(path) << path.error().message;
    Flown flown;
    ASSERT_NO_FATAL_FAILURE(flyAlong(*path, flown));
    expectGood(flown, 1.0);
}

}  // namespace
}  // namespace orogen::app::test
