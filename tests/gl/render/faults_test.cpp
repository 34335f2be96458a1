// Robustness of the renderer: every allocation refused in turn, settings that change at random, and long runs.
#include <fstream>
#include <limits>
#include <random>

#include <malloc.h>

#include <fmt/format.h>

#include "tests/gl/renderer_support.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

class RendererFaults : public RendererTest
{
protected:
    void TearDown() override
    {
        allocationFaults() = {};
        RendererTest::TearDown();
    }

    // Refuses the k-th allocation from now on.
    static void refuse(int k) { allocationFaults() = {.count = 0, .failAt = k}; }

    Status startAll(const TestTerrain& terrain, const std::filesystem::path& root = OROGEN_ROOT)
    {
        renderer_.reset();
        Result<std::unique_ptr<Renderer>> made = Renderer::create(*context_, root, smallSettings());
        if (!made) return made.error();
        renderer_ = std::move(*made);
        if (Status s = renderer_->resize(96, 54); !s) return s;
        return renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds);
    }
};

using RendererFaultsThorough = RendererFaults;

TEST_F(RendererFaultsThorough, EveryAllocationOfTheStartMayFail)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    int k = 1;
    for (;; ++k)
    {
        SCOPED_TRACE(k);
        refuse(k);
        const Status status = startAll(terrain);
        const int asked = allocationFaults().count;
        refuse(0);
        if (status)
        {
            EXPECT_LT(asked, k) << "an allocation failed and nobody noticed";
            break;
        }
        EXPECT_EQ(status.error().code, ExitCode::kLimit);
        EXPECT_FALSE(status.error().message.empty());
        ASSERT_LT(k, 200);
    }
    EXPECT_GT(k, 15);  // buffers of the tree, textures of the terrain, the frame
    settle(flight(terrain, 0.1));
    EXPECT_TRUE(checkedTree(tree()));
}

// OpenGL's guaranteed limits suffice for the compute passes, but guarantee no storage block in vertex shaders.
TEST_F(RendererFaultsThorough, ADriverThatPromisesTooLittleIsNamedInOneLine)
{
    const Limits real = context_->limits();
    const struct
    {
        int Limits::*limit;
        int promised;
        const char* message;
    } rows[] = {
        {&Limits::vertexStorageBlocks, 0, "this driver has 0 storage blocks for vertex shaders, expected at least 2"},
        {&Limits::computeStorageBlocks, 7, "this driver has 7 storage blocks for compute shaders, expected at least 8"},
        {&Limits::storageBindings, 4, "this driver has 4 binding points for storage buffers, expected at least 8"},
        {&Limits::workGroupInvocations, 128, "this driver has 128 threads for a work group, expected at least 256"},
    };
    for (const auto& row : rows)
    {
        Limits less = real;
        less.*row.limit = row.promised;
        context_->injectLimits(less);
        const auto made = Renderer::create(*context_, OROGEN_ROOT, smallSettings());
        ASSERT_FALSE(made) << row.message;
        EXPECT_EQ(made.error().code, ExitCode::kLimit);
        EXPECT_EQ(made.error().message, row.message);
    }
    Limits least = real;
    least.vertexStorageBlocks = 2;
    least.computeStorageBlocks = 8;
    least.storageBindings = 8;
    least.workGroupInvocations = 256;
    context_->injectLimits(least);
    EXPECT_TRUE(Renderer::create(*context_, OROGEN_ROOT, smallSettings()));
}

// A change of all settings that use memory, to more or to less of it.
struct Change
{
    const char* name;
    Settings::Cbt cbt;
    int msaa, patchLevel;
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class RendererChanges : public RendererFaults, public testing::WithParamInterface<Change>
{
protected:
    Settings wanted() const
    {
        Settings settings = smallSettings();
        settings.cbt = GetParam().cbt;
        settings.render.msaa = GetParam().msaa;
        settings.patch.level = GetParam().patchLevel;
        return settings;
    }
};

TEST_P(RendererChanges, EveryAllocationMayFailAndNothingChanges)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain));
    const Camera camera = flight(terrain, 0.1);
    const Settings first = renderer_->settings();
    set(wanted());  // programs are kept
    set(first);
    settle(camera);
    for (int i = 0; i < 8; ++i)
        frame(camera);  // timers create their queries on demand
    const Settings before = renderer_->settings();
    const std::vector<std::uint32_t> heap = tree().readHeap();
    const std::vector<std::uint8_t> picture = this->picture().rgb;
    const int objects = liveGlObjects;
    int k = 1;
    for (;; ++k)
    {
        SCOPED_TRACE(k);
        refuse(k);
        const Status status = renderer_->apply(wanted());
        refuse(0);
        if (status) break;
        EXPECT_EQ(status.error().code, ExitCode::kLimit);
        EXPECT_EQ(renderer_->settings(), before);
        EXPECT_EQ(tree().depth(), before.cbt.depth);
        EXPECT_EQ(tree().capacity(), before.cbt.leafCapacity);
        EXPECT_EQ(tree().readHeap(), heap);  // immediately, not by growing again
        EXPECT_EQ(liveGlObjects, objects);
        frame(camera);
        EXPECT_FALSE(ran(GpuPass::kUpdate));  // the tree is still converged
        EXPECT_EQ(this->picture().rgb, picture);
        ASSERT_LT(k, 100);
    }
    // Four textures and a buffer of the picture, three of the patch, eleven of the tree; the next is not needed.
    EXPECT_EQ(k, 20);
    EXPECT_EQ(renderer_->settings(), wanted());
    settle(camera);
    EXPECT_TRUE(checkedTree(tree()));
}

INSTANTIATE_TEST_SUITE_P(, RendererChanges,
                         testing::Values(Change{"ToMore", {.depth = 20, .leafCapacity = 1u << 15}, 4, 3},
                                         Change{"ToLess", {.depth = 8, .leafCapacity = 1u << 10}, 2, 0}),
                         [](const auto& change) { return change.param.name; });

TEST_F(RendererFaults, ARefusedChangeLeavesColoursAndAirAsTheyWere)
{
    const orogen::test::TemporaryFolder folder;
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain));
    Settings settings = smallSettings();
    settings.render.shading = Shading::kHypsometric;
    set(settings);
    const Camera camera = flight(terrain, 0.1);
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    const std::vector<std::uint8_t> picture = this->picture().rgb;
    settings.render.ramp = folder.write("red.cpt", "-9000 255/0/0 9000 200/0/0\n");
    settings.render.visibility = 5;
    settings.cbt.leafCapacity *= 2;
    refuse(2);  // the first allocation is the ramp's
    const Status status = renderer_->apply(settings);
    refuse(0);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kLimit);
    EXPECT_EQ(renderer_->world().picture().cover().ramp(), nullptr);
    frame(camera);
    EXPECT_EQ(this->picture().rgb, picture);
    ASSERT_NO_FATAL_FAILURE(set(settings));
    frame(camera);
    EXPECT_NE(this->picture().rgb, picture);
}

TEST_F(RendererFaultsThorough, EverySampleCountIsTakenOrRefusedWithTheLargest)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain));
    const int largest = context_->limits().samples;
    for (const int samples : {1, 2, 4, 8, 2 * largest, 1})
    {
        SCOPED_TRACE(samples);
        Settings wanted = renderer_->settings();
        wanted.render.msaa = samples;
        const Status status = renderer_->apply(wanted);
        EXPECT_EQ(bool(status), samples <= largest);
        if (!status)
        {
            EXPECT_EQ(status.error().code, ExitCode::kLimit);
            EXPECT_TRUE(status.error().message.ends_with(fmt::format(" {}", largest))) << status.error().message;
            EXPECT_NE(renderer_->settings().render.msaa, samples);
        }
        frame(flight(terrain, 0.1));
    }
    Settings tooMany = smallSettings();
    tooMany.render.msaa = 2 * largest;
    const Result<std::unique_ptr<Renderer>> made = Renderer::create(*context_, OROGEN_ROOT, tooMany);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ExitCode::kLimit);
}  // and GlTest checks that no OpenGL error was raised

TEST_F(RendererFaultsThorough, ATooLargePictureIsRefusedAndTheOldOneStays)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain));
    const Status status = renderer_->resize(context_->limits().textureSize + 1, 10);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kLimit);
    EXPECT_EQ(renderer_->target().width(), 96);
    frame(flight(terrain, 0.1));
}

// Data that a pass reads before the first frame exist, and are zeros.
TEST_F(RendererFaultsThorough, TheFrameBlockIsBoundFromTheStart)
{
    Buffer ones;
    {
        const std::vector<std::uint8_t> poison(sizeof(gpu::FrameUniforms), 0xff);
        Result<Buffer> made = makeBuffer("poison", poison.size(), 0, poison.data());
        ASSERT_TRUE(made);
        ones = std::move(*made);
    }
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, ones.id());
    Result<std::unique_ptr<Renderer>> made = Renderer::create(*context_, OROGEN_ROOT, smallSettings());
    ASSERT_TRUE(made) << made.error().message;
    renderer_ = std::move(*made);
    GLint bound = 0;
    glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, gpu::kFrameBinding, &bound);
    ASSERT_NE(bound, 0);
    EXPECT_NE(GLuint(bound), ones.id());
    std::vector<std::uint8_t> content(sizeof(gpu::FrameUniforms), 0xff);
    glGetNamedBufferSubData(GLuint(bound), 0, GLsizeiptr(content.size()), content.data());
    EXPECT_EQ(content, std::vector<std::uint8_t>(content.size(), 0));
}

TEST_F(RendererFaultsThorough, AnySettingMayChangeInAnyFrame)
{
    const ShaderCopy shaders;
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain, shaders.root()));
    const std::string good = shaders.text("shaders/shading/terrain.frag");
    const unsigned seed = 20261120;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return unsigned(random() % n); };
    const auto real = [&] {
        const float extremes[] = {0.0f, -1.0f, 1e9f, std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN()};
        return below(6) == 0 ? extremes[below(5)] : float(below(1000)) / 25.0f;
    };
    Settings wanted = smallSettings();
    for (int i = 0; i < scaled(500, 20'000); ++i)
    {
        SCOPED_TRACE(i);
        if (i % 50 == 20 || i % 50 == 40)  // broken while settings change, then repaired
        {
            const bool broken = i % 50 == 20;
            shaders.write("shaders/shading/terrain.frag", broken ? good.substr(0, good.size() / 2) : good);
            ASSERT_EQ(renderer_->reloadShaders().failed > 0, broken);
        }
        switch (below(10))
        {
        case 0:
            wanted.cbt.depth = 8 + int(below(13));
            break;
        case 1:
            wanted.cbt.leafCapacity = 1024u << below(5);
            break;
        case 2:
            wanted.lod.criterion = LodCriterion(below(2));
            break;
        case 3:
            wanted.lod.splitPixels = real(), wanted.lod.mergePixels = real();
            break;
        case 4:
            wanted.lod.errorPixels = real();
            break;
        case 5:
            wanted.patch.level = int(below(4));
            break;
        case 6:
            wanted.terrain.heightScale = real();
            break;
        case 7:
            wanted.render.shading = Shading(below(6)), wanted.render.wireframe = below(2);
            break;
        case 8:
            wanted.render.msaa = 1 << below(3), wanted.render.sunElevation = real();
            break;
        default:
            wanted.lod.frozen = below(4) == 0, wanted.lod.rounds = 1 + int(below(4));
            break;
        }
        wanted = sanitized(wanted);
        // Variants not shown before must be compiled.  That fails while the text is broken, and changes nothing.
        const bool broken = i % 50 >= 20 && i % 50 < 40;
        const Settings before = renderer_->settings();
        if (const Status applied = renderer_->apply(wanted); !applied)
        {
            ASSERT_TRUE(broken && applied.error().code == ExitCode::kShader) << applied.error().message;
            ASSERT_EQ(renderer_->settings(), before);
            wanted = before;
        }
        if (below(8) == 0)
        {
            ASSERT_TRUE(renderer_->resize(int(1 + below(120)), int(1 + below(80))));
        }
        const FrameRecord& stats = frame(flight(terrain, double(below(100)) / 100.0));
        ASSERT_LE(stats.work.leaves, wanted.cbt.leafCapacity);
        ASSERT_EQ(stats.glErrors, 0u);
        if (i % 50 == 49)
        {
            EXPECT_TRUE(checkedTree(tree()));
        }
    }
}

// Resident memory of this process without shared pages.
std::int64_t residentBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssAnon:")) return 1024 * std::stoll(line.substr(8));
    ADD_FAILURE() << "no RssAnon in /proc/self/status";
    return 0;
}

// Memory that the heap has given out; 0 under a sanitizer.
std::int64_t allocatedBytes()
{
    const struct mallinfo2 heap = mallinfo2();
    return std::int64_t(heap.uordblks + heap.hblkhd);
}

TEST_F(RendererFaultsThorough, ALongRunKeepsNothingBehind)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain));
    ASSERT_TRUE(renderer_->resize(64, 36));
    const auto fly = [&](int frames) {
        for (int i = 0; i < frames; ++i)
        {
            Settings settings = smallSettings();  // as a session does occasionally
            // Five modes, not all: depth, samples and place repeat after 200 frames, too.
            settings.render.shading = Shading(i / 40 % 5);
            settings.cbt.depth = i % 200 < 100 ? 16 : 14;
            settings.render.msaa = i % 200 < 150 ? 1 : 4;
            ASSERT_TRUE(renderer_->apply(settings));
            frame(flight(terrain, double(i % 200) / 200.0));
        }
    };
    fly(600);
    const int objects = liveGlObjects, fences = liveGlFences;
    // A leak grows in every round; the driver and the allocator take memory in one or the other.  Resident memory alone
    // does not show a leak that fits into freed memory.
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int round = 0; round < 3; ++round)
    {
        const std::int64_t resident = residentBytes(), allocated = allocatedBytes();
        fly(scaled(400, 33'000));
        least = std::min(least, std::max(residentBytes() - resident, allocatedBytes() - allocated));
    }
    EXPECT_EQ(liveGlObjects, objects);
    EXPECT_NEAR(liveGlFences, fences, 40);  // those of frames in flight come and go
    EXPECT_LT(least, 32 << 10);
}

}  // namespace
}  // namespace orogen::app::test
