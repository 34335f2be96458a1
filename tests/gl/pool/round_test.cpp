// The pool of bisectors on the GPU against core's: equal requests give the same plan, slots, links and bits, round by
// round, under a random criterion.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/render/lod_tree.h"
#include "core/leb/conformity.h"
#include "core/leb/pool.h"
#include "tests/gl/lod_support.h"
#include "tests/support/random.h"

namespace orogen::app::test {
namespace {

using leb::Pool;
using leb::PoolRoots;
using leb::PoolRound;

// Decides randomly by slot id and salt down to a depth; splits all leaves that contain a point of a face.
constexpr const char* kNoiseOnPlane = R"(
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/lod_wish.glsl"

layout(location = 0) uniform uvec4 lot;    // salt, rarity of splits, rarity of staying, depth
layout(location = 1) uniform ivec3 towards;  // x, y, face; face 6: none

uint hashOf(uint a, uint b)
{
    uint h = a * 0x9e3779b1u ^ (b * 0x85ebca6bu + lot.x);
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return h ^ (h >> 15);
}

void main()
{
    if (leafNumber() >= cbtLeafCount()) return;
    uint slot = leaves[leafNumber()];
    CubeLeaf leaf = poolLeaf(slot);
    uint h = hashOf(pool[8u * slot + kPoolId], pool[8u * slot + kPoolId + 1u]);
    ivec2 away = abs(leaf.apex - towards.xy);
    bool holds = cubeLeafFace(leaf.shape) == towards.z && max(away.x, away.y) <= cubeReach(cubeLeafDepth(leaf.shape));
    Verdict verdict;
    verdict.split = holds || (h % lot.y == 0u && cubeLeafDepth(leaf.shape) < lot.w);
    verdict.merge = h / 64u % lot.z != 0u;
    verdict.pixels = state.splitPixels * exp2(float(h >> 20u & 15u));
    takeVerdict(slot, slot, verdict);
}
)";

class PoolRoundTest : public GlTest
{
protected:
    void TearDown() override
    {
        tree_.reset();
        uniforms_ = Buffer();
        library_.reset();
        GlTest::TearDown();
    }

    void start(std::uint32_t capacity)
    {
        shaders_.write("shaders/noise_mark.comp", kNoiseOnPlane);
        library_.emplace(shaders_.root(), ShaderDialect{.glsl460 = context_->info().glsl460});
        library_->choose(writeBareWorld(shaders_));
        const PoolPrograms programs(*library_, reduceThreads(context_->info()), "shaders/noise_mark.comp");
        mark_ = programs.mark;
        const Status compiled = library_->finish();
        ASSERT_TRUE(compiled) << compiled.error().message;
        Result<PoolTree> tree =
            PoolTree::create(*library_, programs, context_->limits(), leb::kMostCubeDepth, capacity);
        ASSERT_TRUE(tree) << tree.error().message;
        tree_.emplace(std::move(*tree));
        gpu::FrameUniforms frame{};
        frame.splitPixels = 8;
        frame.mergePixels = 4;
        frame.leafCapacity = capacity;
        Result<Buffer> uniforms = makeBuffer("frame uniforms", sizeof frame, GL_DYNAMIC_STORAGE_BIT, &frame);
        ASSERT_TRUE(uniforms);
        uniforms_ = std::move(*uniforms);
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, uniforms_.id());
        tree_->reset();
    }

    // Draws parameters for each frame.  Out of 120 frames 60 descend to a point; others fill the pool, then empty it.
    void drawLots(int frame)
    {
        const bool deep = frame % 120 < 60;
        const int scene = deep ? 3 : frame % 60 / 20;
        const std::uint32_t rarely[] = {3, 9, 2, 40}, stays[] = {3, 40, 2, 3}, depth[] = {30, 12, 9, 20};
        const GLuint program = library_->program(mark_);
        glProgramUniform4ui(program, 0, random_.bits(), rarely[scene], stays[scene], depth[scene]);
        if (frame % 120 == 0)
            focus_ = {std::int32_t(random_.below(kCubeSide)), std::int32_t(random_.below(kCubeSide)),
                      std::int32_t(random_.below(6))};
        glProgramUniform3i(program, 1, focus_.x, focus_.y, deep ? focus_.z : 6);
    }

    // Runs a round in single steps and compares everything after it.
    void round(Pool& pool)
    {
        PoolRound round(pool, serial_);
        ASSERT_TRUE(std::ranges::equal(tree_->readLeaves(), pool.leaves)) << "leaf list";
        tree_->beginFrame(true);
        tree_->mark();
        const std::vector<std::uint32_t> wishes = tree_->readPlan();
        std::size_t next = 0;
        round.mark(
            [&](leb::LeafId, const leb::CubeLeaf&) {
                const std::uint32_t wish = wishes[pool.leaves[next++]];
                return leb::Wish{(wish & 1) != 0, (wish & 2) != 0, wish >> 2};
            },
            leb::kMostCubeDepth);
        tree_->plan();
        counts_ = round.plan(tree_->capacity());
        const std::vector<std::uint32_t> plans = tree_->readPlan();
        for (const NodeId slot : pool.leaves)
            ASSERT_EQ(plans[slot], std::uint32_t(round.plans()[slot])) << "plan of slot " << slot;
        tree_->apply();
        round.apply();
        tree_->reduce(false);
        tree_->decode(true, true, false);
        ASSERT_NO_FATAL_FAILURE(expectSame(pool));
    }

    void expectSame(const Pool& pool)
    {
        ASSERT_EQ(tree_->readIds(), pool.ids);
        ASSERT_TRUE(std::ranges::equal(tree_->readBits(), pool.live.field())) << "bits of slots in use";
        ASSERT_TRUE(std::ranges::equal(tree_->readHeap(), pool.live.words())) << "counts of slots in use";
        const std::vector<leb::PoolLinks> links = tree_->readLinks();
        const std::vector<leb::CubeLeaf> geometry = tree_->readGeometry();
        for (const NodeId slot : pool.leaves)
        {
            ASSERT_EQ(links[slot], pool.links[slot]) << "links of slot " << slot;
            ASSERT_EQ(geometry[slot], pool.geometry[slot]) << "place of slot " << slot;
        }
    }

    void expectSameForFrames(std::uint32_t capacity, int slotBits, int frames)
    {
        ASSERT_NO_FATAL_FAILURE(start(capacity));
        Pool pool(PoolRoots::kCube, slotBits);
        std::uint64_t splits = 0, merges = 0, refusals = 0;
        int deepest = 0;
        for (int frame = 0; frame < frames; ++frame)
        {
            SCOPED_TRACE(testing::Message() << "frame " << frame);
            drawLots(frame);
            ASSERT_NO_FATAL_FAILURE(round(pool));
            splits += counts_.splits;
            merges += counts_.merges;
            refusals += counts_.refusals;
            for (const NodeId slot : pool.leaves)
                deepest = std::max(deepest, pool.geometry[slot].depth());
        }
        EXPECT_EQ(conformityFault(pool), "");
        EXPECT_GT(splits, 10u * std::uint64_t(frames));
        EXPECT_GT(merges, 10u * std::uint64_t(frames));
        EXPECT_GT(refusals, 0u);
        EXPECT_GT(deepest, 30);
    }

    ShaderCopy shaders_;
    std::optional<ShaderLibrary> library_;
    ProgramHandle mark_{};
    std::optional<PoolTree> tree_;
    Buffer uniforms_;
    SerialExecutor serial_;
    Random random_{7};
    struct
    {
        std::int32_t x = 0, y = 0, z = 0;
    } focus_;
    leb::RoundCounts counts_;
};

TEST_F(PoolRoundTest, OfAThousandSlotsDoesWhatCoreDoes) { expectSameForFrames(1024, 10, 300); }

// Two blocks of kSumBlock words.
TEST_F(PoolRoundTest, OfSixteenThousandSlotsDoesWhatCoreDoes) { expectSameForFrames(16384, 14, 300); }

TEST_F(PoolRoundTest, BelowItsSlotsDoesWhatCoreDoes) { expectSameForFrames(1500, 11, 300); }

}  // namespace
}  // namespace orogen::app::test
