// The incremental reduction: after every round, counts equal those of a full reduction of the same bits.
#include <algorithm>
#include <bit>

#include "core/cbt/tree.h"
#include "tests/gl/lod_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

// Parametrised by workgroup size: that of software rasterisers, a warp, and that of GPUs.
class LodReduction : public GlTest, public testing::WithParamInterface<std::uint32_t>
{
protected:
    ShaderDefine threads() const { return {"OROGEN_REDUCE_THREADS", std::to_string(GetParam()) + "u"}; }
    TreeUnderTest treeOf(const TestTerrain& terrain, int depth, std::uint32_t capacity)
    {
        return {*context_, terrain, depth, capacity, OROGEN_ROOT, threads()};
    }

    // Runs rounds under a camera that jumps every few rounds, with random thresholds.
    void fly(TreeUnderTest& gpu, const TestTerrain& terrain, int rounds, float finest, std::uint64_t seed)
    {
        Random random(seed);
        LodView view;
        for (int i = 0; i < rounds; ++i)
        {
            SCOPED_TRACE(testing::Message() << "depth " << gpu.tree().depth() << ", seed " << seed << ", round " << i);
            if (i % 4 == 0)
            {
                view.camera = flight(terrain, random.unit());
                view.split = finest * float(1 + 4 * random.unit());
                view.merge = 0.42f * view.split;
            }
            gpu.look(view);
            gpu.tree().beginFrame(true);
            gpu.tree().mark();
            gpu.tree().plan();
            gpu.tree().apply();
            gpu.tree().reduce(true);
            ASSERT_NO_FATAL_FAILURE(expectReduced(gpu.tree().readHeap()));
            gpu.tree().decode(true, true, true);
            const gpu::TreeState state = gpu.tree().readState();
            changes_ += state.roundChanges;
            leaves_ = std::max(leaves_, state.leaves);
        }
    }

    // Checks counts against the bits: each is the number of set bits below it.
    void expectReduced(const std::vector<std::uint32_t>& words)
    {
        const std::size_t half = words.size() / 2;
        ASSERT_EQ(std::size_t(1) << (words[0] - 5), half);
        std::vector<std::uint32_t> counts(words.size());
        for (std::size_t i = half; i < words.size(); ++i)
            counts[i] = std::uint32_t(std::popcount(words[i]));
        for (std::size_t i = half - 1; i >= 1; --i)
            counts[i] = counts[2 * i] + counts[2 * i + 1];
        for (std::size_t i = 1; i < half; ++i)
            ASSERT_EQ(words[i], counts[i]) << "node " << i;
    }

    std::uint64_t changes_ = 0;
    std::uint32_t leaves_ = 0;
};

// Up to depth 15 the tree is one chunk; at 20 it has 32.
TEST_P(LodReduction, CountsAreThoseOfTheBitsAfterEveryRound)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    for (const int depth : {6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20})
    {
        TreeUnderTest gpu = treeOf(terrain, depth, 1u << 16);
        changes_ = 0;
        ASSERT_NO_FATAL_FAILURE(
            fly(gpu, terrain, scaled(100, 4'000), depth < 10 ? 150.0f : 24.0f, std::uint64_t(depth)));
        EXPECT_GT(changes_, depth < 10 ? 100u : 2'500u) << "depth " << depth;
    }
}

// Enough leaves that a round touches most of the 512 chunks.
TEST_P(LodReduction, ManyChunksAtDepth24)
{
    const TestTerrain terrain = hills(129, 129, 32.0, 32.0);
    TreeUnderTest gpu = treeOf(terrain, 24, 1u << 17);
    ASSERT_NO_FATAL_FAILURE(fly(gpu, terrain, scaled(24, 400), 3.0f, 24));
    EXPECT_GT(leaves_, 30'000u);
    EXPECT_GT(changes_, 30'000u);
}

// A full reduction does not depend on the list of chunks.
TEST_P(LodReduction, EverythingIsTheSameAsIncremental)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    for (const int depth : {12, 15, 16, 19})
    {
        TreeUnderTest gpu = treeOf(terrain, depth, 1u << 16);
        ASSERT_NO_FATAL_FAILURE(fly(gpu, terrain, 20, 24.0f, 1));
        const std::vector<std::uint32_t> incremental = gpu.tree().readHeap();
        gpu.tree().relist();
        EXPECT_EQ(gpu.tree().readHeap(), incremental);
        EXPECT_EQ(gpu.tree().readLeaves(), leavesOf(*Cbt::fromWords(incremental)));
    }
}

INSTANTIATE_TEST_SUITE_P(, LodReduction, testing::Values(gpu::kChunkThreadsSoftware, 32u, gpu::kChunkThreadsHardware),
                         [](const auto& threads) { return std::to_string(threads.param) + "Threads"; });

TEST(LodReductionThreads, AreThoseOfTheDevice)
{
    ContextInfo info;
    info.software = true;
    EXPECT_EQ(reduceThreads(info).value, "16u");
    info.software = false;
    EXPECT_EQ(reduceThreads(info).value, "64u");
}

}  // namespace
}  // namespace orogen::app::test
