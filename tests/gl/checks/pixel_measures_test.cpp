// The measured error and the jump against brute force: all pixels' rays against all drawn triangles in doubles.
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "core/leb/leb.h"
#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

constexpr int kWidth = 96, kHeight = 54;

// The triangles that a frame draws.
class DrawnGround
{
public:
    DrawnGround(const TestTerrain& terrain, const std::vector<std::uint32_t>& leaves, const Settings& settings,
                const Camera& camera, double raised = 0)
        : terrain_(terrain), settings_(settings), camera_(camera), raised_(raised)
    {
        const int level = settings.patch.level;
        const std::int64_t parts = 1 << level, unit = 1 << (int(gpu::kPatchBits) - level);
        for (const NodeId leaf : leaves)
        {
            const leb::Triangle t = leb::vertices(leaf);
            const auto vertex = [&](leb::PatchPoint p) {
                const auto sum = [&](std::uint32_t leb::Point::*axis) {
                    return std::uint32_t(unit *
                                         (std::int64_t(t.apex.*axis) * (parts - p.towardsBase0 - p.towardsBase1) +
                                          std::int64_t(t.base0.*axis) * p.towardsBase0 +
                                          std::int64_t(t.base1.*axis) * p.towardsBase1));
                };
                return place({sum(&leb::Point::x), sum(&leb::Point::y)});
            };
            for (const leb::PatchTriangle& piece : leb::patchTriangles(level))
                triangles_.push_back({vertex(piece.apex), vertex(piece.base0), vertex(piece.base1)});
        }
    }

    // The nearest point on a ray from the camera.
    std::optional<glm::dvec3> seen(const glm::dvec3& direction) const
    {
        double nearest = std::numeric_limits<double>::infinity();
        for (const auto& [a, b, c] : triangles_)
        {
            const glm::dvec3 ab = b - a, ac = c - a, p = glm::cross(direction, ac);
            const double det = glm::dot(ab, p);
            if (det == 0) continue;
            const glm::dvec3 t = camera_.position - a, q = glm::cross(t, ab);
            const double u = glm::dot(t, p) / det, v = glm::dot(direction, q) / det, s = glm::dot(ac, q) / det;
            if (u >= 0 && v >= 0 && u + v <= 1 && s > 0) nearest = std::min(nearest, s);
        }
        if (std::isinf(nearest)) return std::nullopt;
        return camera_.position + direction * nearest;
    }

    double heightAt(const glm::dvec2& at) const
    {
        for (const auto& [a, b, c] : triangles_)
        {
            const glm::dvec2 ab(b - a), ac(c - a), ap = at - glm::dvec2(a);
            const double area = ab.x * ac.y - ab.y * ac.x;
            const double u = (ap.x * ac.y - ap.y * ac.x) / area, v = (ab.x * ap.y - ab.y * ap.x) / area;
            if (u >= -1e-9 && v >= -1e-9 && u + v <= 1 + 1e-9) return a.z + u * (b.z - a.z) + v * (c.z - a.z);
        }
        return std::nan("");
    }

private:
    // A vertex as drawn: it glides between the middle of its base and its own height, and so do the base's ends.
    glm::dvec3 place(leb::Point lattice) const { return glided(lattice, 2) + glm::dvec3(0, 0, raised_); }
    glm::dvec3 glided(leb::Point lattice, int levels) const
    {
        const glm::dvec3 own = onSurface(lattice);
        if (!settings_.lod.geomorph || levels == 0 || !leb::isDiamond(lattice)) return own;
        const leb::Edge base = leb::diamondBase(lattice);
        const double metres = glm::length(glm::dvec2(onSurface(base.high) - onSurface(base.low)));
        const double focal = kHeight / (2 * std::tan(camera_.fov * std::numbers::pi / 360));
        const double pixels =
            metres * focal / (glm::length(own - camera_.position) + metres * double(1 << settings_.patch.level));
        const double weight =
            std::clamp((pixels / double(settings_.lod.splitPixels) - 1) / (std::numbers::sqrt2 - 1), 0.0, 1.0);
        const double ends = glided(base.low, levels - 1).z + glided(base.high, levels - 1).z;
        return {own.x, own.y, weight * own.z + (1 - weight) * ends / 2};
    }
    glm::dvec3 onSurface(leb::Point lattice) const
    {
        const double unit = terrain_.side() / double(1u << (gpu::kLeafLatticeBits + gpu::kPatchBits));
        const double x = lattice.x * unit - terrain_.side() / 2, y = lattice.y * unit - terrain_.side() / 2;
        return {x, y, double(orogen::heightAt(terrain_.field, x, y)) * double(settings_.terrain.heightScale)};
    }

    const TestTerrain& terrain_;
    Settings settings_;
    Camera camera_;
    double raised_;
    std::vector<std::array<glm::dvec3, 3>> triangles_;
};

// Computes the figures over the pixels' centres; reference(x, y) is the height to compare with.
PixelFigures bruteForce(const DrawnGround& drawn, const Camera& camera,
                        const std::function<double(glm::dvec2)>& reference)
{
    const double tan = std::tan(camera.fov * std::numbers::pi / 360), focal = kHeight / (2 * tan);
    std::vector<double> pixels;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
        {
            const double across = (2 * (x + 0.5) / kWidth - 1) * tan * kWidth / kHeight;
            const double upwards = (2 * (y + 0.5) / kHeight - 1) * tan;
            const std::optional<glm::dvec3> at =
                drawn.seen(forward(camera) + right(camera) * across + up(camera) * upwards);
            if (!at) continue;
            const glm::dvec3 from = *at - camera.position;
            const double sine = glm::length(glm::dvec2(from)) / glm::length(from);
            pixels.push_back(std::abs(at->z - reference(glm::dvec2(*at))) * sine * focal / glm::length(from));
        }
    std::ranges::sort(pixels);
    PixelFigures figures;
    figures.pixels = pixels.size();
    if (pixels.empty()) return figures;
    figures.largest = pixels.back();
    figures.p99 = pixels[(99 * pixels.size() + 99) / 100 - 1];
    for (const double pixel : pixels)
        figures.mean += pixel / double(pixels.size());
    return figures;
}

class PixelMeasures : public RendererTest
{
protected:
    void begin(const Settings& settings, const std::filesystem::path& root = OROGEN_ROOT)
    {
        start(terrain_, settings, kWidth, kHeight, root);
        camera_.position = {-300, -500, double(terrain_.raster.maxHeight) + 500};
        camera_.yaw = 35;
        camera_.pitch = -50;
    }
    static Settings settings(bool geomorph)
    {
        Settings wanted = smallSettings();
        wanted.lod.geomorph = geomorph;
        wanted.lod.splitPixels = 9;
        wanted.lod.mergePixels = 4;
        return wanted;
    }
    DrawnGround drawn(const Settings& settings, double raised = 0)
    {
        return DrawnGround(terrain_, tree().readLeaves(), settings, camera_, raised);
    }
    double model(const glm::dvec2& at) const { return double(heightAt(terrain_.field, at.x, at.y)); }

    // Expects agreement to 1 %, plus a thousandth of a pixel for the precision of float depth.
    static void expectAgrees(const PixelFigures& gpu, const PixelFigures& cpu)
    {
        EXPECT_NEAR(double(gpu.pixels), double(cpu.pixels), 0.005 * double(cpu.pixels));
        EXPECT_NEAR(gpu.largest, cpu.largest, 0.01 * cpu.largest + 1e-3);
        EXPECT_NEAR(gpu.p99, cpu.p99, 0.01 * cpu.p99 + 1e-3);
        EXPECT_NEAR(gpu.mean, cpu.mean, 0.01 * cpu.mean + 1e-3);
    }

    TestTerrain terrain_ = hills(129, 129, 32.0, 32.0);
    Camera camera_;
};

TEST_F(PixelMeasures, TheErrorIsThatOfEveryPixelsRay)
{
    for (const bool geomorph : {false, true})
    {
        SCOPED_TRACE(geomorph);
        const Settings wanted = settings(geomorph);
        ASSERT_NO_FATAL_FAILURE(begin(wanted));
        ASSERT_NO_FATAL_FAILURE(settle(camera_));
        const Result<PixelFigures> measured = renderer_->checks().measureErrorNow();
        ASSERT_TRUE(measured) << measured.error().message;
        const PixelFigures expected = bruteForce(drawn(wanted), camera_, [&](glm::dvec2 at) { return model(at); });
        EXPECT_GT(expected.largest, 0.5);
        EXPECT_GT(expected.pixels, 2000u);
        expectAgrees(*measured, expected);
    }
}

// Ground drawn thirty metres too high must be measured as that much more.
TEST_F(PixelMeasures, SeesGroundThatIsDrawnTooHigh)
{
    const ShaderCopy shaders;
    ASSERT_NO_FATAL_FAILURE(shaders.replace("shaders/surface/drawn_leaf.glsl",
                                            "lattice), morphView(state.morphPixels));",
                                            "lattice), morphView(state.morphPixels)) + 30.0;"));
    ASSERT_NO_FATAL_FAILURE(shaders.replace("shaders/surface/terrain.vert", "surfaceRelative(lattice, height)",
                                            "surfaceRelative(lattice, height + 30.0)"));
    const Settings wanted = settings(false);
    ASSERT_NO_FATAL_FAILURE(begin(wanted, shaders.root()));
    ASSERT_NO_FATAL_FAILURE(settle(camera_));
    const Result<PixelFigures> measured = renderer_->checks().measureErrorNow();
    ASSERT_TRUE(measured);
    const auto reference = [&](glm::dvec2 at) { return model(at); };
    expectAgrees(*measured, bruteForce(drawn(wanted, 30.0), camera_, reference));
    EXPECT_GT(measured->mean, 2 * bruteForce(drawn(wanted), camera_, reference).mean);
}

TEST_F(PixelMeasures, TheErrorOfAMultisampledPictureIsThatOfOneSample)
{
    Settings wanted = settings(false);
    ASSERT_NO_FATAL_FAILURE(begin(wanted));
    ASSERT_NO_FATAL_FAILURE(settle(camera_));
    const Result<PixelFigures> single = renderer_->checks().measureErrorNow();
    ASSERT_TRUE(single);
    wanted.render.msaa = 4;
    set(wanted);
    frame(camera_);
    const Result<PixelFigures> several = renderer_->checks().measureErrorNow();
    ASSERT_TRUE(several);
    EXPECT_NEAR(several->mean, single->mean, 0.03 * single->mean);
    EXPECT_NEAR(several->p99, single->p99, 0.1 * single->p99);
}

// Without collect(), the checks of the first eight frames stay in flight, and those of the next ones are dropped.
TEST_F(PixelMeasures, ChecksAreOfTheLastFrameWhileOthersAreInFlight)
{
    ASSERT_NO_FATAL_FAILURE(begin(settings(false)));
    FrameHistory history;
    renderer_->options().history = &history;
    FrameChecks& checks = renderer_->checks();
    ASSERT_TRUE(checks.validateEachFrame(true));
    ASSERT_TRUE(checks.measureErrorsEvery(1));
    const auto drawTen = [&] {
        for (int i = 0; i < 10; ++i)
        {
            renderer_->frame(camera_, frame_, 0);
            FrameRecord record;
            record.frame = frame_++;
            history.push(record);
        }
    };
    drawTen();
    const Result<MeshVerdict> verdict = checks.validateNow();
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_EQ(verdict->frame, frame_ - 1);
    for (std::uint64_t i = 0; i < 8; ++i)
    {
        const std::optional<MeshVerdict>& stored = history.find(i)->mesh;
        ASSERT_TRUE(stored) << i;
        EXPECT_EQ(stored->frame, i);
    }
    drawTen();
    const Result<PixelFigures> error = checks.measureErrorNow();
    ASSERT_TRUE(error) << error.error().message;
    EXPECT_EQ(error->frame, frame_ - 1);
    EXPECT_EQ(renderer_->stats().error->frame, frame_ - 1);
}

using PixelMeasuresThorough = PixelMeasures;

// The thresholds change between two frames while the camera rests: whole leaves appear and vanish.
TEST_F(PixelMeasuresThorough, TheJumpIsThatOfEveryPixelsRay)
{
    for (const bool geomorph : {false, true})
    {
        SCOPED_TRACE(geomorph);
        Settings wanted = settings(geomorph);
        ASSERT_NO_FATAL_FAILURE(begin(wanted));
        ASSERT_TRUE(renderer_->checks().measureJumps(true));
        ASSERT_NO_FATAL_FAILURE(settle(camera_));
        const DrawnGround before = drawn(wanted);
        (void)renderer_->checks().takeLargestJump();
        frame(camera_);
        EXPECT_LT(renderer_->checks().takeLargestJump().value_or(1), 0.003);  // a converged tree does not jump
        wanted.lod.splitPixels = 5;
        wanted.lod.mergePixels = 2;
        set(wanted);
        frame(camera_);
        const PixelFigures expected =
            bruteForce(drawn(wanted), camera_, [&](glm::dvec2 at) { return before.heightAt(at); });
        ASSERT_TRUE(renderer_->stats().jump);
        const PixelFigures measured = *renderer_->stats().jump;
        EXPECT_GT(expected.largest, 0.5);
        expectAgrees(measured, expected);
        EXPECT_EQ(renderer_->checks().takeLargestJump(), measured.largest);
        EXPECT_EQ(renderer_->checks().takeLargestJump(), std::nullopt);
    }
}

// A moving camera: vertices morph, and the frame before used another view for them.
TEST_F(PixelMeasures, TheJumpOfGlidingVerticesIsThatOfEveryPixelsRay)
{
    const Settings wanted = settings(true);
    ASSERT_NO_FATAL_FAILURE(begin(wanted));
    ASSERT_TRUE(renderer_->checks().measureJumps(true));
    ASSERT_NO_FATAL_FAILURE(settle(camera_));
    const DrawnGround before = drawn(wanted);
    camera_.position += glm::dvec3(40, 30, -40);
    frame(camera_);
    const PixelFigures expected =
        bruteForce(drawn(wanted), camera_, [&](glm::dvec2 at) { return before.heightAt(at); });
    ASSERT_TRUE(renderer_->stats().jump);
    EXPECT_GT(expected.largest, 0.05);
    expectAgrees(*renderer_->stats().jump, expected);
}

}  // namespace
}  // namespace orogen::app::test
