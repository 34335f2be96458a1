// Checks barriers between shader writes and later reads in the renderer, the read-back and the laboratory, and that the
// checker finds a missing one.
#include "app/base/installation.h"
#include "app/bench/tree/gpu_tree.h"
#include "core/cbt/packed_cbt.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/buffer_hazards.h"

namespace orogen::app::test {
namespace {

using orogen::test::BufferHazards;

// ---- the finder itself ----

class BufferHazardsTest : public GlTest
{
protected:
    void SetUp() override
    {
        GlTest::SetUp();
        folder_.write("shaders/count.comp", "layout(local_size_x = 1) in;\n"
                                            "layout(std430, binding = 0) buffer C { uint n[4]; };\n"
                                            "void main() { n[0] += 1u; }\n");
        shaders_.emplace(folder_.path(), ShaderDialect{context_->info().glsl460});
        const ProgramHandle program = shaders_->add("count", {"shaders/count.comp"});
        ASSERT_TRUE(shaders_->finish());
        Result<Buffer> made = makeBuffer("counters", 16, GL_DYNAMIC_STORAGE_BIT);
        ASSERT_TRUE(made);
        buffer_ = std::move(*made);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer_.id());
        glUseProgram(shaders_->program(program));
    }
    void TearDown() override
    {
        buffer_.reset();
        shaders_.reset();
        GlTest::TearDown();
    }
    void clear() const { glClearNamedBufferData(buffer_.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr); }

    TemporaryFolder folder_;
    std::optional<ShaderLibrary> shaders_;
    Buffer buffer_;
};

TEST_F(BufferHazardsTest, EveryAccessNeedsTheBitOfItsKind)
{
    constexpr GLbitfield kFollowed =
        GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT;
    std::uint32_t words[4] = {1, 1, 1, 1};
    const Result<Buffer> other = makeBuffer("other", 16, GL_DYNAMIC_STORAGE_BIT);
    const struct
    {
        const char* call;
        GLbitfield bit;
        std::function<void()> access;
    } rows[] = {
        {"glClearNamedBufferData", GL_BUFFER_UPDATE_BARRIER_BIT, [&] { clear(); }},
        {"glClearNamedBufferSubData", GL_BUFFER_UPDATE_BARRIER_BIT,
         [&] { glClearNamedBufferSubData(buffer_.id(), GL_R32UI, 0, 4, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr); }},
        {"glCopyNamedBufferSubData", GL_BUFFER_UPDATE_BARRIER_BIT,
         [&] { glCopyNamedBufferSubData(buffer_.id(), other->id(), 0, 0, 16); }},
        {"glNamedBufferSubData", GL_BUFFER_UPDATE_BARRIER_BIT,
         [&] { glNamedBufferSubData(buffer_.id(), 0, 16, words); }},
        {"glGetNamedBufferSubData", GL_BUFFER_UPDATE_BARRIER_BIT,
         [&] { glGetNamedBufferSubData(buffer_.id(), 0, 16, words); }},
        {"glDispatchCompute", GL_SHADER_STORAGE_BARRIER_BIT, [&] { glDispatchCompute(1, 1, 1); }},
        {"glDispatchComputeIndirect", GL_COMMAND_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT,
         [&] {
             glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer_.id());
             glDispatchComputeIndirect(0);
         }},
    };
    for (const auto& row : rows)
        for (const GLbitfield bit : {GLbitfield(GL_BUFFER_UPDATE_BARRIER_BIT),
                                     GLbitfield(GL_SHADER_STORAGE_BARRIER_BIT), GLbitfield(GL_COMMAND_BARRIER_BIT)})
        {
            if ((row.bit & bit) == 0) continue;
            for (const bool missing : {false, true})
            {
                glMemoryBarrier(GL_ALL_BARRIER_BITS);
                clear();
                BufferHazards hazards;
                glDispatchCompute(1, 1, 1);
                glMemoryBarrier(missing ? kFollowed & ~bit : row.bit);
                row.access();
                EXPECT_EQ(hazards.found().size(), missing ? 1u : 0u) << row.call << "\n" << hazards.text();
                EXPECT_EQ(hazards.text().starts_with(std::string(row.call) + ": \"counters\""), missing);
            }
        }
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

TEST_F(BufferHazardsTest, AChangeFromOutsideNeedsNoBarrierBehindIt)
{
    BufferHazards hazards;
    clear();
    glDispatchCompute(1, 1, 1);
    EXPECT_EQ(hazards.text(), "");
    EXPECT_EQ(hazards.calls("glDispatchCompute"), 1);
    EXPECT_EQ(hazards.calls("glClearNamedBufferData"), 1);
}

TEST_F(BufferHazardsTest, ANameThatIsUsedAgainIsAnotherBuffer)
{
    BufferHazards hazards;
    glDispatchCompute(1, 1, 1);
    buffer_.reset();
    Result<Buffer> made = makeBuffer("counters", 16);
    buffer_ = std::move(*made);
    clear();
    EXPECT_EQ(hazards.text(), "");
}

// ---- what runs ----

class Barriers : public RendererTest
{
};

TEST_F(Barriers, StandBetweenAllThatAFrameDoes)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    BufferHazards hazards;
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    for (int i = 0; i < 6; ++i)
        frame(flight(terrain, 0.02 * i));
    ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.1)));
    Camera turned = flight(terrain, 0.1);
    turned.yaw += 20;
    frame(turned);
    EXPECT_EQ(hazards.text(), "");
    EXPECT_GT(hazards.calls("glDispatchComputeIndirect"), 100);
    EXPECT_GT(hazards.calls("glDrawElementsIndirect"), 6);
}

TEST_F(Barriers, StandAroundTheListOfEdges)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    BufferHazards hazards;
    Settings settings = smallSettings();
    settings.render.msaa = 4;
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings));
    for (int i = 0; i < 3; ++i)
        frame(flight(terrain, 0.02 * i));
    EXPECT_EQ(hazards.text(), "");
    EXPECT_EQ(hazards.calls("glDrawArraysIndirect"), 3);
}

TEST_F(Barriers, StandWhereCountersAreNotCollected)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    BufferHazards hazards;
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    for (int i = 0; i < 20; ++i)  // more than the read-back's capacity
        renderer_->frame(flight(terrain, 0.02 * i), frame_++, 0);
    EXPECT_EQ(hazards.text(), "");
}

TEST_F(Barriers, StandAroundEveryNewBeginning)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    BufferHazards hazards;
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    Settings settings = smallSettings();
    const Camera camera = flight(terrain, 0.1);
    const auto twoFrames = [&](const char* what) {
        frame(camera);
        frame(camera);
        EXPECT_EQ(hazards.text(), "") << what;
    };
    twoFrames("start");
    renderer_->restart();
    renderer_->restart();
    twoFrames("restart");
    ASSERT_TRUE(renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds));
    twoFrames("terrain");
    ASSERT_TRUE(renderer_->changeHeights(terrain.raster, terrain.field, terrain.bounds));
    twoFrames("heights");
    for (const int depth : {20, 12})
    {
        settings.cbt.depth = depth;
        ASSERT_NO_FATAL_FAILURE(set(settings));
        twoFrames("depth");
    }
    settings.cbt.leafCapacity = 100;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    twoFrames("capacity");
    renderer_->reloadShaders();
    twoFrames("reload");
}

TEST_F(Barriers, StandBetweenTheLaboratorysExperiments)
{
    const Result<std::filesystem::path> root = dataDirectory();
    ASSERT_TRUE(root);
    ShaderLibrary library(*root, ShaderDialect{context_->info().glsl460});
    const GpuTreePrograms programs(library, reduceThreads(context_->info()));
    ASSERT_TRUE(library.finish()) << library.log();
    BufferHazards hazards;
    const Cbt wide(16, 8);
    const Result<app::GpuTree> trees[] = {
        app::GpuTree::create(library, programs, context_->limits(), wide),
        app::GpuTree::create(library, programs, context_->limits(), PackedCbt(16, 8))};
    for (const Result<app::GpuTree>& tree : trees)
    {
        ASSERT_TRUE(tree) << tree.error().message;
        tree->prepare();
        for (int turn = 0; turn < 2; ++turn)
        {
            std::vector<Slices> all = {tree->reduce(),     tree->decode(),    tree->scan(),
                                       tree->cycle(false), tree->cycle(true), tree->cycleAtRest()};
            if (tree->layout() == app::GpuTree::Layout::kWide) all.push_back(tree->plainPass());
            for (const Slices& slices : all)
                for (const auto& slice : slices)
                    slice();
            tree->spoilCounts();
        }
    }
    EXPECT_EQ(hazards.text(), "");
}

// ---- work that is done once ----

TEST_F(Barriers, ANewTerrainBeginsTheTreeOnce)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    frame(flight(terrain, 0.1));
    const auto dispatchesOf = [&](const auto& work) {
        const BufferHazards calls;
        work();
        return calls.calls("glDispatchCompute");
    };
    const int restart = dispatchesOf([&] { renderer_->restart(); });
    const int terrainOnly = dispatchesOf([&] {
        Settings settings = smallSettings();
        settings.lod.frozen = true;  // a frozen tree stays as it is
        ASSERT_NO_FATAL_FAILURE(set(settings));
        ASSERT_TRUE(renderer_->changeHeights(terrain.raster, terrain.field, terrain.bounds));
        ASSERT_NO_FATAL_FAILURE(set(smallSettings()));
    });
    EXPECT_GT(restart, 0);
    EXPECT_EQ(dispatchesOf([&] { ASSERT_TRUE(renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds)); }),
              terrainOnly + restart);
}

}  // namespace
}  // namespace orogen::app::test
