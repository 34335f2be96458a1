// Rounds over a pool of bisectors under any criterion: the mesh stays conforming, threads and order do not matter, and
// at capacity higher priorities are served first.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/leb/conformity.h"
#include "core/leb/pool.h"
#include "tests/support/pool_frames.h"
#include "tests/support/random.h"
#include "tests/support/shuffled_executor.h"
#include "tests/support/test_scale.h"

namespace orogen::leb {
namespace {

using test::PoolFrames;
using test::PoolScene;
using test::Random;

void expectSame(const Pool& a, const Pool& b)
{
    ASSERT_EQ(a.leaves, b.leaves);
    ASSERT_EQ(a.ids, b.ids);
    ASSERT_TRUE(std::ranges::equal(a.live.words(), b.live.words()));
    for (const NodeId slot : a.leaves)
    {
        ASSERT_EQ(a.geometry[slot], b.geometry[slot]) << "slot " << slot;
        ASSERT_EQ(a.links[slot], b.links[slot]) << "slot " << slot;
    }
}

// Expects that at capacity every priority above a limit is served, and that no needed leaf merges.
void expectCut(const PoolRound& round, const RoundCounts& counts, const Pool& pool, NodeId capacity)
{
    int lowestServed = int(kPriorities), highestRefused = -1;
    for (const NodeId slot : pool.leaves)
    {
        const std::uint32_t flags = round.flags(slot);
        const Plan plan = round.plans()[slot];
        const std::array done{splitsLeaf(plan), splitsChild(plan, 0), splitsChild(plan, 1)};
        const std::array fields{PoolRound::kPin, PoolRound::kChild0, PoolRound::kChild1};
        for (std::size_t i = 0; i < 3; ++i)
        {
            const int priority = PoolRound::highest(flags, fields[i]);
            ASSERT_TRUE(priority >= 0 || !done[i]) << "a split that nobody asked for";
            if (priority >= 0 && !done[i]) highestRefused = std::max(highestRefused, priority);
            if (done[i]) lowestServed = std::min(lowestServed, priority);
        }
        const NodeId across = pool.links[slot][2];
        ASSERT_TRUE(!done[0] || across == kNoSlot || splitsLeaf(round.plans()[across])) << "a base split from one side";
        ASSERT_TRUE(plan != Plan::kMerge || (flags & PoolRound::kWantMerge) != 0);
    }
    ASSERT_GE(lowestServed, highestRefused) << "a lower priority was served while a higher one was refused";
    ASSERT_EQ(counts.requested, counts.splits + counts.refusals);
    ASSERT_LE(pool.leaves.size() + counts.splits, std::max<std::size_t>(capacity, pool.leaves.size()));
}

struct Totals
{
    std::uint64_t splits = 0, merges = 0, refusals = 0, both = 0;
    int deepest = 0;

    void add(const RoundCounts& counts, const Pool& pool)
    {
        splits += counts.splits;
        merges += counts.merges;
        refusals += counts.refusals;
        both += counts.splits > 0 && counts.merges > 0;
        for (const NodeId slot : pool.leaves)
            deepest = std::max(deepest, pool.geometry[slot].depth());
    }
};

// Runs all scenes in turn. The scene that goes to the last level gains one level per frame until it is there.
constexpr int kFramesOfAScene = 16, kFramesOfAll = 160;

PoolScene sceneOf(int frame)
{
    return PoolScene(std::min(frame % kFramesOfAll / kFramesOfAScene, int(PoolScene::kDeep)));
}

// Runs frames on one thread, and repeats some on 2 and 4 threads in different orders.
class Frames
{
public:
    explicit Frames(std::uint64_t seed) : random_(seed), alone_(1, seed), two_(2, seed), four_(4, seed) {}

    // The capacity is the number of slots, or sometimes less.
    void begin(PoolRoots roots, int slotBits)
    {
        pool_ = std::make_unique<Pool>(roots, slotBits);
        capacity_ = random_.chance(1, 2) ? pool_->slots() : 20 + random_.below(pool_->slots() - 20);
    }

    void run(int frame, bool onThreads)
    {
        const PoolScene scene = sceneOf(frame);
        if (frame % kFramesOfAScene == 0 && (!scene_ || scene_->scene() != scene || scene != PoolScene::kDeep))
            scene_ = std::make_unique<PoolFrames>(scene, pool_->roots, random_);
        scene_->nextFrame(random_);
        const Pool before = *pool_;
        PoolRound round(*pool_, alone_);
        round.mark(*scene_, kMostCubeDepth);
        const RoundCounts counts = round.plan(capacity_);
        ASSERT_NO_FATAL_FAILURE(expectCut(round, counts, before, capacity_));
        totals_.add(counts, before);
        round.apply();
        ASSERT_EQ(conformityFault(*pool_), "");
        if (!onThreads) return;
        for (test::ShuffledExecutor* executor : {&two_, &four_})
        {
            Pool again = before;
            ASSERT_EQ(runRound(again, capacity_, kMostCubeDepth, *scene_, *executor), counts);
            ASSERT_NO_FATAL_FAILURE(expectSame(again, *pool_));
        }
    }

    const Totals& totals() const { return totals_; }

private:
    Random random_;
    test::ShuffledExecutor alone_, two_, four_;
    std::unique_ptr<Pool> pool_;
    std::unique_ptr<PoolFrames> scene_;
    NodeId capacity_ = 0;
    Totals totals_;
};

void runFrames(PoolRoots roots, std::uint64_t seed, const std::vector<int>& slotBits)
{
    const int count = test::scaled(480, 10'080), threadsEvery = test::scaled(12, 1);
    Frames frames(seed);
    for (int frame = 0; frame < count; ++frame)
    {
        SCOPED_TRACE(testing::Message() << "frame " << frame << " from seed " << seed);
        if (frame % kFramesOfAll == 0)
            frames.begin(roots, slotBits[std::size_t(frame / kFramesOfAll) % slotBits.size()]);
        ASSERT_NO_FATAL_FAILURE(frames.run(frame, frame % threadsEvery == 0));
    }
    EXPECT_GT(frames.totals().splits, std::uint64_t(count) * 4);
    EXPECT_GT(frames.totals().merges, std::uint64_t(count) * 4);
    EXPECT_GT(frames.totals().refusals, std::uint64_t(count));
    EXPECT_GT(frames.totals().both, std::uint64_t(count) / 8);
    EXPECT_GE(frames.totals().deepest, test::scaled(40, kMostCubeDepth));
}

TEST(PoolRoundsThorough, OnTheCubeStayWholeAndIdenticalInAnyOrderOnAnyThreads)
{
    runFrames(PoolRoots::kCube, 1, test::longTests() ? std::vector{9, 11, 13, 6} : std::vector{9, 6, 10});
}

TEST(PoolRoundsThorough, OnAPlaneStayWholeAndIdenticalInAnyOrderOnAnyThreads)
{
    runFrames(PoolRoots::kPlane, 2, {8, 6, 10});
}

// With two distant requested splits and room for one, priority decides, not the slot.
TEST(PoolRounds, AtCapacityPriorityDecidesAndNotTheSlot)
{
    for (const bool first : {false, true})
    {
        SerialExecutor serial;
        Pool pool(PoolRoots::kCube, 6);
        const LeafId wanted = idOfRoot(first ? 0 : 6), other = idOfRoot(first ? 6 : 0);
        const auto wish = [&](LeafId id, const CubeLeaf&) {
            return Wish{.split = id == wanted || id == other, .priority = id == wanted ? 3u : 1u};
        };
        EXPECT_EQ(runRound(pool, 14, kMostCubeDepth, wish, serial),
                  (RoundCounts{.requested = 4, .splits = 2, .refusals = 2}));
        EXPECT_EQ(std::ranges::find(pool.ids, wanted), pool.ids.end());
        EXPECT_NE(std::ranges::find(pool.ids, other), pool.ids.end());
        EXPECT_EQ(conformityFault(pool), "");
    }
}

// If not all requests of one priority fit, pairs are served by their lower slot until the room is used up.
TEST(PoolRounds, AtTheCutPairsAreServedByTheirLowerSlot)
{
    SerialExecutor serial;
    Pool before(PoolRoots::kCube, 6);
    const auto all = [](LeafId, const CubeLeaf&) { return Wish{.split = true}; };
    runRound(before, 64, kMostCubeDepth, all, serial);
    ASSERT_EQ(before.leaves.size(), 24u);  // pairs lie across the cube's edges
    for (NodeId room = 1; room <= 24; ++room)
    {
        Pool pool = before;
        EXPECT_EQ(runRound(pool, 24 + room, kMostCubeDepth, all, serial).splits, room / 2 * 2);
        std::vector<NodeId> heads;
        for (NodeId slot = 0; slot < 24; ++slot)
            if (slot < before.links[slot][2]) heads.push_back(slot);
        for (NodeId i = 0; i < 12; ++i)
            for (const NodeId slot : {heads[i], before.links[heads[i]][2]})
                EXPECT_EQ(pool.ids[slot] != before.ids[slot], i < room / 2) << "slot " << slot << ", room " << room;
    }
}

// With no free slots, merges make room for the next round, and every request is eventually served.
TEST(PoolRounds, AFullPoolMovesWithWhatIsWanted)
{
    SerialExecutor serial;
    Pool pool(PoolRoots::kCube, 8);
    const auto near = [](std::uint32_t root) {
        return [root](LeafId id, const CubeLeaf&) {
            return Wish{.split = rootOfId(id) / 2 == root / 2, .merge = rootOfId(id) / 2 != root / 2};
        };
    };
    for (int round = 0; round < 40; ++round)
        runRound(pool, pool.slots(), kMostCubeDepth, near(0), serial);
    EXPECT_GE(pool.leaves.size(), pool.slots() - 2u);
    for (int round = 0; round < 40; ++round)
        runRound(pool, pool.slots(), kMostCubeDepth, near(7), serial);
    EXPECT_EQ(conformityFault(pool), "");
    const auto there = std::ranges::count_if(pool.leaves, [&](NodeId slot) { return pool.geometry[slot].face() == 3; });
    EXPECT_GT(there, 120);
}

}  // namespace
}  // namespace orogen::leb
