// Pool of bisectors on the cube: places and ids, decisions of a round, and detection of defects.
#include "core/leb/pool.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/leb/conformity.h"
#include "core/leb/leb.h"
#include "tests/support/random.h"

namespace orogen::leb {
namespace {

using test::Random;

constexpr NodeId kUnlimited = 0x7fffffff;

RoundCounts runSerially(Pool& pool, NodeId capacity, const PoolCriterion& criterion, int maxDepth = kMostCubeDepth)
{
    SerialExecutor serial;
    return runRound(pool, capacity, maxDepth, criterion, serial);
}

Wish splitAll(LeafId, const CubeLeaf&) { return {.split = true}; }
Wish mergeAll(LeafId, const CubeLeaf&) { return {.merge = true}; }

bool contains(LeafId leaf, LeafId wanted)
{
    return depthOfId(leaf) <= depthOfId(wanted) && wanted >> (depthOfId(wanted) - depthOfId(leaf)) == leaf;
}
PoolCriterion onTheWayTo(LeafId wanted)
{
    return [wanted](LeafId id, const CubeLeaf&) { return Wish{.split = contains(id, wanted) && id != wanted}; };
}
bool holds(const Pool& pool, LeafId id) { return std::ranges::find(pool.ids, id) != pool.ids.end(); }

LeafId randomId(Random& random, int depth)
{
    LeafId id = idOfRoot(random.below(kCubeRoots));
    for (int level = 0; level < depth; ++level)
        id = 2 * id + random.below(2);
    return id;
}

glm::ivec3 middle(const CubePlace& a, const CubePlace& b) { return (cubePoint(a) + cubePoint(b)) / 2; }

TEST(CubeLeaf, ChildrenMeetInTheMiddleOfTheBaseAndKeepTheLegs)
{
    Random random(1);
    for (int i = 0; i < 20'000; ++i)
    {
        const LeafId id = randomId(random, random.between(0, kMostCubeDepth - 1));
        const CubeLeaf leaf = leafOfId(id);
        const CubeTriangle parent = cornersOf(leaf), first = cornersOf(childOf(leaf, 0)),
                           second = cornersOf(childOf(leaf, 1));
        ASSERT_EQ(cubePoint(first.apex), middle(parent.left, parent.right)) << std::hex << id;
        ASSERT_EQ(first, (CubeTriangle{first.apex, parent.apex, parent.left})) << std::hex << id;
        ASSERT_EQ(second, (CubeTriangle{first.apex, parent.right, parent.apex})) << std::hex << id;
        ASSERT_EQ(parentOfChild0(childOf(leaf, 0)), leaf) << std::hex << id;
        ASSERT_EQ(leafOfId(2 * id + 1), childOf(leaf, 1)) << std::hex << id;
    }
}

TEST(CubeLeaf, TheTwelveRootsAreTheCube)
{
    const Pool pool(PoolRoots::kCube, 6);
    EXPECT_EQ(conformityFault(pool), "");
    EXPECT_EQ(cornersOf(rootLeaf(0)), (CubeTriangle{{0, 0, 0}, {0, kCubeSide, 0}, {0, 0, kCubeSide}}));
    EXPECT_EQ(cornersOf(rootLeaf(7)), (CubeTriangle{{3, kCubeSide, kCubeSide}, {3, 0, kCubeSide}, {3, kCubeSide, 0}}));
    EXPECT_EQ(conformityFault(Pool(PoolRoots::kPlane, 6)), "");
}

// For a single requested split deep below coarse leaves, each round splits the leaf on the way, and all that its path
// requires.
TEST(PoolRound, ReachesALoneWishInARoundALevel)
{
    Random random(2);
    for (int i = 0; i < 8; ++i)
    {
        const LeafId wanted = randomId(random, kMostCubeDepth);
        SCOPED_TRACE(testing::Message() << "id " << std::hex << wanted);
        Pool pool(PoolRoots::kCube, 10);
        int rounds = 0;
        for (; rounds <= kMostCubeDepth && !holds(pool, wanted); ++rounds)
        {
            runSerially(pool, kUnlimited, onTheWayTo(wanted));
            ASSERT_EQ(conformityFault(pool), "") << "round " << rounds;
        }
        EXPECT_EQ(rounds, kMostCubeDepth);
    }
}

TEST(PoolRound, NeitherMergesRootsNorSplitsTheDeepest)
{
    Pool pool(PoolRoots::kCube, 12);
    EXPECT_EQ(runSerially(pool, kUnlimited, mergeAll), RoundCounts{});
    for (int level = 0; level < 5; ++level)
        runSerially(pool, kUnlimited, splitAll);
    EXPECT_EQ(runSerially(pool, kUnlimited, splitAll, 5), RoundCounts{});
    EXPECT_EQ(pool.leaves.size(), 12u << 5);
}

TEST(PoolRound, BringsAnyPoolDownToItsRootsAndBack)
{
    Pool pool(PoolRoots::kCube, 12);
    for (int level = 0; level < 8; ++level)
        EXPECT_EQ(runSerially(pool, kUnlimited, splitAll).splits, 12u << level);
    for (int level = 8; level > 0; --level)
        EXPECT_EQ(runSerially(pool, kUnlimited, mergeAll).merges, 12u << (level - 1));
    EXPECT_EQ(conformityFault(pool), "");
    for (NodeId slot = 0; slot < kCubeRoots; ++slot)
        EXPECT_EQ(pool.ids[slot], idOfRoot(slot));
}

// Assigns free slots in ascending order, by the slot that needs them: child 1, that of child 0, that of child 1.
TEST(PoolRound, HandsOutFreeSlotsByRank)
{
    Pool pool(PoolRoots::kPlane, 6);
    const auto splits = [](std::vector<LeafId> ids) {
        return [ids](LeafId id, const CubeLeaf&) { return Wish{.split = std::ranges::find(ids, id) != ids.end()}; };
    };
    runSerially(pool, kUnlimited, splits({16}));  // the two roots, a pair
    EXPECT_EQ(std::vector(pool.ids.begin(), pool.ids.begin() + 5), (std::vector<LeafId>{32, 34, 33, 35, 0}));
    runSerially(pool, kUnlimited, splits({35, 32}));  // at the border, without partners
    EXPECT_EQ(std::vector(pool.ids.begin(), pool.ids.begin() + 7), (std::vector<LeafId>{64, 34, 33, 70, 65, 71, 0}));
    // The base of 71 is a leg of 34: 34 splits, and its child with that leg.
    SerialExecutor serial;
    PoolRound round(pool, serial);
    const LeafId next = pool.ids[std::size_t(pool.links[5][2])];
    round.mark(splits({71}), kMostCubeDepth);
    round.plan(kUnlimited);
    const auto slot = std::size_t(std::ranges::find(pool.ids, next) - pool.ids.begin());
    EXPECT_TRUE(splitsLeaf(round.plans()[slot])) << next;
    EXPECT_EQ(round.newSlots(NodeId(slot))[0], slot < 5 ? 6u : 7u);
    round.apply();
    EXPECT_EQ(conformityFault(pool), "");
}

// On one face, the pool matches the square of the implicit tree: equal requests give equal triangles in every round.
using Corners = std::array<std::array<std::uint32_t, 2>, 3>;

Corners sorted(Corners corners)
{
    std::ranges::sort(corners);
    return corners;
}
Corners trianglesOf(const Triangle& t)
{
    const auto at = [](Point p) { return std::array{p.x, p.y}; };
    return sorted({at(t.apex), at(t.base0), at(t.base1)});
}
Corners trianglesOf(const CubeLeaf& leaf)
{
    constexpr int kScale = kCubeBits - kLatticeBits;
    const CubeTriangle t = cornersOf(leaf);
    const auto at = [](const CubePlace& p) {
        return std::array{std::uint32_t(p.x) >> kScale, std::uint32_t(p.y) >> kScale};
    };
    return sorted({at(t.apex), at(t.left), at(t.right)});
}

TEST(PoolRound, OnAFaceItDoesWhatTheImplicitTreeDoes)
{
    SerialExecutor serial;
    std::uint64_t changes = 0;
    for (unsigned seed = 0; seed < 8; ++seed)
    {
        Random random(seed);
        Pool pool(PoolRoots::kPlane, 14);
        Cbt tree(12, 1);
        for (int frame = 0; frame < 20; ++frame)
        {
            const std::uint64_t salt = random.bits();
            const auto wish = [&](const Corners& corners) {
                std::uint64_t h = salt;
                for (const auto& corner : corners)
                    h = (h ^ (std::uint64_t(corner[0]) << 32 | corner[1])) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
                return Wish{.split = h % 3 == 0, .merge = h % 3 == 1, .priority = std::uint32_t(h >> 40) % kPriorities};
            };
            const RoundCounts onPool = runRound(
                pool, kUnlimited, tree.maxDepth() - 1,
                [&](LeafId, const CubeLeaf& leaf) { return wish(trianglesOf(leaf)); }, serial);
            const RoundCounts onTree = runRound(
                tree, kUnlimited, [&](NodeId leaf) { return wish(trianglesOf(vertices(leaf))); }, serial);
            ASSERT_EQ(onPool, onTree) << "seed " << seed << ", frame " << frame;
            std::set<Corners> ofPool, ofTree;
            for (const NodeId slot : pool.leaves)
                ofPool.insert(trianglesOf(pool.geometry[slot]));
            for (const NodeId leaf : leavesOf(tree))
                ofTree.insert(trianglesOf(vertices(leaf)));
            ASSERT_EQ(ofPool, ofTree) << "seed " << seed << ", frame " << frame;
            changes += onPool.splits + onPool.merges;
        }
    }
    EXPECT_GT(changes, 5'000u);
}

// ---- defects that the check must find ----

Pool somePool(PoolRoots roots)
{
    Random random(5);
    Pool pool(roots, 10);
    for (int frame = 0; frame < 12; ++frame)
        runSerially(
            pool, 700,
            [&](LeafId id, const CubeLeaf&) {
                return Wish{.split = (id * 0x9e3779b97f4a7c15u >> (30 + frame)) % 3 == 0};
            },
            7);
    return pool;
}

struct Defect
{
    const char* expected;
    std::function<void(Pool&)> plant;
};

TEST(PoolConformity, EveryDefectIsFound)
{
    const Pool good = somePool(PoolRoots::kCube);
    ASSERT_EQ(conformityFault(good), "");
    ASSERT_GT(good.leaves.size(), 100u);
    const NodeId slot = good.leaves[37];
    const auto relist = [](Pool& pool) {
        SerialExecutor serial;
        pool.list(serial);
    };
    const Defect defects[] = {
        {"is linked to", [&](Pool& pool) { pool.links[slot][1] = pool.links[slot][0]; }},
        {"is linked to", [&](Pool& pool) { std::swap(pool.links[slot][0], pool.links[slot][2]); }},
        {"its bit is 0", [&](Pool& pool) { pool.live.clearBit(slot); }},
        {"its bit is 1, its id 0x0", [&](Pool& pool) { pool.live.setBit(pool.live.clearBitOf(0)); }},
        {"kept at", [&](Pool& pool) { pool.geometry[slot].x += 2; }},
        {"kept at", [&](Pool& pool) { pool.geometry[slot].shape ^= 1u << 6; }},
        {"is no id", [&](Pool& pool) { pool.ids[slot] = 28; }},
        {"kept at", [&](Pool& pool) { pool.ids[slot] ^= 1; }},
        {"not listed", [&](Pool& pool) { std::swap(pool.leaves[3], pool.leaves[4]); }},
        {"are listed", [&](Pool& pool) { pool.leaves.push_back(1); }},
        {"the areas sum to",
         [&](Pool& pool) {  // removes a leaf: a hole
             pool.ids[slot] = 0;
             pool.live.clearBit(slot);
             relist(pool);
         }},
        {"has 1 sides",
         [&](Pool& pool) {  // one leaf split without the leaf across its base
             const NodeId fresh = pool.live.clearBitOf(0);
             pool.ids[fresh] = 2 * pool.ids[slot] + 1;
             pool.ids[slot] *= 2;
             pool.geometry[fresh] = leafOfId(pool.ids[fresh]);
             pool.geometry[slot] = leafOfId(pool.ids[slot]);
             pool.live.setBit(fresh);
             relist(pool);
         }},
        {"edge",
         [&](Pool& pool) {  // a leaf twice in place of another: the areas are right
             const auto same = std::ranges::find_if(pool.leaves, [&](NodeId other) {
                 return other != slot && pool.geometry[other].depth() == pool.geometry[slot].depth();
             });
             pool.ids[*same] = pool.ids[slot];
             pool.geometry[*same] = pool.geometry[slot];
         }},
    };
    for (const Defect& defect : defects)
    {
        Pool pool = good;
        defect.plant(pool);
        EXPECT_NE(conformityFault(pool).find(defect.expected), std::string::npos)
            << "expected " << defect.expected << ", found: " << conformityFault(pool);
    }
}

TEST(PoolConformity, ALinkBeyondABorderIsFound)
{
    Pool pool = somePool(PoolRoots::kPlane);
    ASSERT_EQ(conformityFault(pool), "");
    for (const NodeId slot : pool.leaves)
        for (NodeId& link : pool.links[slot])
            if (link == kNoSlot)
            {
                link = slot;
                EXPECT_NE(conformityFault(pool).find("lies on the border"), std::string::npos);
                return;
            }
    FAIL() << "no leaf lies at the border";
}

}  // namespace
}  // namespace orogen::leb
