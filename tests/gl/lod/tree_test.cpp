// The tree on the GPU against core's: equal requests give the same plan and the same heap, bit for bit, pass by pass;
// and the requests follow from the criterion (reliability R7).
#include <algorithm>
#include <span>

#include "core/cbt/tree.h"
#include "core/leb/round.h"
#include "tests/gl/lod_oracle.h"
#include "tests/gl/lod_support.h"
#include "tests/support/test_scale.h"
#include "tests/support/threshold_twin.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

constexpr double kTolerance = 1e-4;  // relative to a threshold

// Follows a GPU's rounds on the CPU: takes its requests and applies core's rules to them.
class Replay
{
public:
    Replay(TreeUnderTest& gpu, const TestTerrain& terrain, glm::dvec2 slack)
        : gpu_(gpu), oracle_(terrain, slack), tree_(gpu.tree().depth(), 1)
    {
    }

    // Runs a round in single steps and compares everything after each; the last decode culls.
    void round(const LodView& view)
    {
        LodTree& tree = gpu_.tree();
        gpu_.look(view);
        tree.beginFrame(true);
        oracle_.look(inEffect(view));
        leb::Round round(tree_, serial_);
        ASSERT_TRUE(std::ranges::equal(tree.readLeaves(), round.leaves())) << "leaf list";
        ASSERT_TRUE(sameCorners(round.leaves()));

        tree.mark();
        const std::vector<std::uint32_t> wishes = tree.readPlan();
        ASSERT_NO_FATAL_FAILURE(checkWishes(round, wishes));
        round.mark([&](NodeId leaf) {
            const std::uint32_t wish = wishes[tree_.leafNumber(leaf)];
            return leb::Wish{(wish & 1) != 0, (wish & 2) != 0, wish >> 2};
        });

        tree.plan();
        counts_ = round.plan(effectiveCapacity(tree.depth(), tree.capacity()));
        ASSERT_TRUE(std::ranges::equal(tree.readPlan(), round.plans(), {}, {}, [](leb::Plan plan) {
            return std::uint32_t(plan);
        })) << "plan";
        ASSERT_TRUE(sameHeap()) << "after plan";
        round.apply();
        ASSERT_TRUE(sameChanges()) << "after plan";
        const gpu::TreeState before = tree.readState();
        raised_ = before.thresholdShift > 0 && thresholds_.target == 0;
        const bool moved = thresholds_.afterRound(before.leaves, counts_, before.culled != 0 ? before.visible : 0);
        tree.apply();
        tree.reduce(true);
        tree_.reduce();
        ASSERT_TRUE(sameHeap()) << "after reduce";
        ASSERT_TRUE(std::ranges::all_of(tree.readChanges(), [](std::uint32_t word) { return word == 0; }));
        tree.decode(true, true, true);
        checkCounters(moved, thresholds_.target != 0 && before.culled == 0);
        ASSERT_EQ(leb::conformityFault(tree_), "");
    }

    // Whether the list of leaves has the corners of these leaves.
    bool sameCorners(std::span<const NodeId> leaves) const
    {
        const std::vector<std::uint32_t> corners = gpu_.tree().readCorners();
        if (corners.size() != 3 * leaves.size()) return false;
        for (std::size_t i = 0; i < leaves.size(); ++i)
        {
            const leb::Triangle triangle = leb::vertices(leaves[i]);
            const leb::Point expected[] = {triangle.apex, triangle.base0, triangle.base1};
            for (std::size_t corner = 0; corner < 3; ++corner)
                if (corners[corner * leaves.size() + i] != (expected[corner].x | expected[corner].y << 16))
                    return false;
        }
        return true;
    }

    // Whether the GPU's recorded changes lead from its field to that of the CPU's tree.
    bool sameChanges() const
    {
        const std::vector<std::uint32_t> words = gpu_.tree().readHeap(), changes = gpu_.tree().readChanges();
        const auto field = tree_.words().subspan(changes.size());
        for (std::size_t i = 0; i < changes.size(); ++i)
            if ((words[changes.size() + i] ^ changes[i]) != field[i]) return false;
        return true;
    }
    bool sameHeap() const { return std::ranges::equal(gpu_.tree().readHeap(), tree_.words()); }
    Cbt& tree() { return tree_; }
    const LodOracle& oracle() const { return oracle_; }
    std::uint64_t splits() const { return splits_; }
    std::uint64_t merges() const { return merges_; }
    std::uint64_t refusals() const { return refusals_; }
    const leb::RoundCounts& counts() const { return counts_; }
    const orogen::test::ThresholdOracle& thresholds() const { return thresholds_; }
    void inputChanged()
    {
        gpu_.tree().inputChanged();
        thresholds_.control.turns = 0;
    }
    void restart() { thresholds_.control = {}; }  // for a new tree, or one of another size

private:
    void checkWishes(const leb::Round& round, std::span<const std::uint32_t> wishes)
    {
        ASSERT_EQ(wishes.size(), round.leaves().size());
        for (std::size_t number = 0; number < wishes.size(); ++number)
            ASSERT_EQ(oracle_.fault(round.leaves()[number], wishes[number], kTolerance), "");
    }

    // The view with the thresholds in effect, which the oracle uses.
    LodView inEffect(LodView view)
    {
        const LodTree& tree = gpu_.tree();
        const float drawnShare = view.criterion == gpu::kCriterionEdge ? 1.0f / float(1 << view.patchLevel) : 1.0f;
        thresholds_.split = view.split;
        thresholds_.merge = view.merge;
        thresholds_.drawn = view.split * drawnShare;
        thresholds_.capacity = effectiveCapacity(tree.depth(), tree.capacity());
        thresholds_.target =
            view.triangleBudget > 0 ? gpu::uint(view.triangleBudget / float(1 << 2 * view.patchLevel)) : 0;
        const gpu::TreeState state = tree.readState();
        view.split = state.splitPixels;
        view.merge = state.mergePixels;
        EXPECT_EQ(view.split, thresholds_.splitInEffect());
        EXPECT_EQ(view.merge, thresholds_.mergeInEffect());
        EXPECT_EQ(state.thresholdPixels, view.split * drawnShare);
        return view;
    }

    // `open`: the round could not compare drawn leaves with its budget, as it had no count.
    void checkCounters(bool moved, bool open)
    {
        const gpu::TreeState state = gpu_.tree().readState();
        EXPECT_EQ(state.thresholdShift, thresholds_.control.shift);
        EXPECT_EQ(state.thresholdMoves, moved ? 1u : 0u);
        EXPECT_EQ(state.thresholdTurns, thresholds_.control.turns);
        EXPECT_EQ(state.leaves, tree_.leafCount());
        EXPECT_EQ(state.splits, counts_.splits);
        EXPECT_EQ(state.merges, counts_.merges);
        if (raised_)
            EXPECT_GE(state.refused, counts_.refusals) << "and what only the thresholds that are set would split";
        else
            EXPECT_EQ(state.refused, counts_.refusals);
        EXPECT_EQ(state.roundChanges, counts_.splits + counts_.merges + moved + open);
        EXPECT_EQ(state.dirtyChunks, 0u);
        EXPECT_EQ(state.reduceGroups[0], 1u);
        EXPECT_LE(state.visible, state.leaves);
        EXPECT_EQ(state.drawInstances, state.visible);
        int deepest = 0;
        forEachLeaf(tree_, [&](NodeId leaf) { deepest = std::max(deepest, depthOf(leaf)); });
        EXPECT_EQ(int(state.maxDepth), deepest);
        splits_ += counts_.splits;
        merges_ += counts_.merges;
        refusals_ += counts_.refusals;
    }

    TreeUnderTest& gpu_;
    LodOracle oracle_;
    Cbt tree_;
    SerialExecutor serial_;
    leb::RoundCounts counts_;
    orogen::test::ThresholdOracle thresholds_;
    bool raised_ = false;
    std::uint64_t splits_ = 0, merges_ = 0, refusals_ = 0;
};

enum class Shape
{
    kSquare,
    kWide,
    kTall,  // its borders are edges of the mesh, as are those of kLow
    kLow,
};

TestTerrain terrainOf(Shape shape)
{
    if (shape == Shape::kWide) return hills(97, 54, 30.0, 25.0, 0.005);
    return hills(shape == Shape::kTall ? 33 : 65, shape == Shape::kLow ? 33 : 65, 32.0, 32.0);
}

// Lowers a camera towards the ground.
void lower(Camera& camera, const TestTerrain& terrain, double share)
{
    const double ground = heightAt(terrain.field, camera.position.x, camera.position.y);
    camera.position.z = ground + share * (camera.position.z - ground);
}

// Returns the error of sample coordinates (samples): these are dyadic except in the rows of the wide terrain.
glm::dvec2 slackOf(Shape shape) { return {0.0, shape == Shape::kWide ? 2e-5 : 0.0}; }

struct Flight
{
    const char* name;
    int depth, deepest;  // depth of the tree, and minimum depth that the flight must reach
    Shape shape;
    std::uint32_t criterion;
    float split, merge;
    int patchLevel;
    std::uint32_t capacity;
};

void PrintTo(const Flight& flight, std::ostream* out) { *out << flight.name; }

class LodTreeFlight : public GlTest, public testing::WithParamInterface<Flight>
{
};

using LodTreeFlightThorough = LodTreeFlight;

TEST_P(LodTreeFlightThorough, EveryPassDoesWhatCoreDoes)
{
    const Flight& p = GetParam();
    const int frames = scaled(500, 6'700);
    const TestTerrain terrain = terrainOf(p.shape);
    TreeUnderTest gpu(*context_, terrain, p.depth, p.capacity);
    Replay replay(gpu, terrain, slackOf(p.shape));
    LodView view{.criterion = p.criterion, .split = p.split, .merge = p.merge, .patchLevel = p.patchLevel};
    std::uint32_t most = 0;
    int deepest = 0;
    for (int frame = 0; frame < frames; ++frame)
    {
        SCOPED_TRACE(testing::Message() << "frame " << frame);
        view.camera = flight(terrain, double(frame) / frames);
        if (p.split > 100.0f) lower(view.camera, terrain, 0.2);
        view.heightScale = frame < frames * 3 / 4 ? 1.0f : 2.5f;
        ASSERT_NO_FATAL_FAILURE(replay.round(view));
        ASSERT_LE(replay.tree().leafCount(), p.capacity);
        most = std::max(most, replay.tree().leafCount());
        deepest = std::max(deepest, int(gpu.tree().readState().maxDepth));
    }
    EXPECT_GT(replay.splits(), 500u);
    EXPECT_GT(replay.merges(), 200u);
    EXPECT_EQ(replay.refusals() > 0, p.capacity < kAmple);
    EXPECT_GT(most, 100u);
    EXPECT_GE(deepest, p.deepest);
    // Few verdicts may be open, or the check of the requests would be void.
    EXPECT_LT(replay.oracle().open() * 50, replay.oracle().verdicts());
    RecordProperty("leaves", int(most));
    RecordProperty("open_verdicts", int(replay.oracle().open()));
}

constexpr Flight kFlights[] = {
    {"edge_12", 12, 12, Shape::kSquare, gpu::kCriterionEdge, 48.0f, 20.0f, 0, kAmple},
    {"edge_16_wide", 16, 16, Shape::kWide, gpu::kCriterionEdge, 48.0f, 20.0f, 2, kAmple},
    {"edge_16_tall", 16, 16, Shape::kTall, gpu::kCriterionEdge, 48.0f, 20.0f, 0, kAmple},
    {"error_16", 16, 16, Shape::kSquare, gpu::kCriterionError, 12.0f, 6.0f, 3, kAmple},
    {"error_20_wide", 20, 18, Shape::kWide, gpu::kCriterionError, 24.0f, 12.0f, 0, kAmple},
    {"edge_20_near", 20, 19, Shape::kSquare, gpu::kCriterionEdge, 150.0f, 66.0f, 0, kAmple},
    {"edge_20_low_full", 20, 12, Shape::kLow, gpu::kCriterionEdge, 64.0f, 44.0f, 0, 340},
    {"edge_24_near", 24, 22, Shape::kSquare, gpu::kCriterionEdge, 101.0f, 44.0f, 0, kAmple},
};
INSTANTIATE_TEST_SUITE_P(, LodTreeFlightThorough, testing::ValuesIn(kFlights),
                         [](const auto& flight) { return flight.param.name; });

class LodTreeTest : public GlTest
{
protected:
    // Grows a tree of some hundred leaves, and its copy in core.
    void settle(Replay& replay, const TestTerrain& terrain, double t, int rounds = 24)
    {
        LodView view;
        view.camera = flight(terrain, t);
        for (int i = 0; i < rounds; ++i)
        {
            ASSERT_NO_FATAL_FAILURE(replay.round(view));
            if (replay.counts().splits + replay.counts().merges == 0) return;
        }
    }
};

TEST_F(LodTreeTest, StartsWithTheTwoHalves)
{
    const TestTerrain terrain = terrainOf(Shape::kWide);
    for (const int depth : {6, 15, 16, 24})
    {
        TreeUnderTest gpu(*context_, terrain, depth, kAmple);
        EXPECT_EQ(gpu.tree().readLeaves(), (std::vector<std::uint32_t>{2, 3}));
        EXPECT_TRUE(std::ranges::equal(gpu.tree().readHeap(), Cbt(depth, 1).words())) << depth;
    }
}

TEST_F(LodTreeTest, AnotherDepthKeepsTheTriangulation)
{
    const TestTerrain terrain = terrainOf(Shape::kWide);
    TreeUnderTest gpu(*context_, terrain, 16, kAmple);
    Replay replay(gpu, terrain, slackOf(Shape::kWide));
    double t = 0.15;
    for (const int depth : {20, 9, 17, 6, 24, 15, 14, 16})
    {
        SCOPED_TRACE(testing::Message() << "to depth " << depth);
        ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, t));
        const std::vector<NodeId> before = leavesOf(replay.tree());
        ASSERT_TRUE(gpu.tree().resize(depth, kAmple));
        replay.restart();
        replay.tree() = reencoded(replay.tree(), depth);
        ASSERT_TRUE(replay.sameHeap());
        EXPECT_TRUE(std::ranges::equal(gpu.tree().readLeaves(), leavesOf(replay.tree())));
        const bool fitted = std::ranges::all_of(before, [&](NodeId leaf) { return depthOf(leaf) <= depth; });
        EXPECT_EQ(leavesOf(replay.tree()) == before, fitted);
        t += 0.02;
    }
    ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, t));
}

TEST_F(LodTreeTest, ALowerCapacityCutsAtTheDeepestDepthThatFits)
{
    const TestTerrain terrain = terrainOf(Shape::kSquare);
    for (const std::uint32_t capacity : {2u, 3u, 17u, 64u, 150u, 299u})
    {
        SCOPED_TRACE(testing::Message() << "capacity " << capacity);
        TreeUnderTest gpu(*context_, terrain, 18, kAmple);
        Replay replay(gpu, terrain, slackOf(Shape::kSquare));
        ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, 0.15));
        ASSERT_GT(replay.tree().leafCount(), 300u);
        int deepest = 18;
        while (truncated(replay.tree(), deepest).leafCount() > capacity)
            --deepest;
        ASSERT_TRUE(gpu.tree().resize(18, capacity));
        replay.restart();
        replay.tree() = truncated(replay.tree(), deepest);
        ASSERT_TRUE(replay.sameHeap());
        EXPECT_EQ(gpu.tree().readState().leaves, replay.tree().leafCount());
        // A full tree must still change: leaves merge, and others then fit.
        ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, 0.16));
        EXPECT_LE(replay.tree().leafCount(), capacity);
    }
}

TEST_F(LodTreeTest, DepthAndCapacityChangeAtOnce)
{
    const TestTerrain terrain = terrainOf(Shape::kSquare);
    TreeUnderTest gpu(*context_, terrain, 18, kAmple);
    Replay replay(gpu, terrain, slackOf(Shape::kSquare));
    ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, 0.15));
    const int deepest = depthThatFits(replay.tree(), 40);
    ASSERT_LT(deepest, 18);
    ASSERT_TRUE(gpu.tree().resize(24, 40));
    replay.restart();
    replay.tree() = reencoded<Cbt>(replay.tree(), 24, deepest);
    ASSERT_TRUE(replay.sameHeap());
    ASSERT_TRUE(gpu.tree().resize(20, 200));
    replay.restart();
    replay.tree() = reencoded(replay.tree(), 20);
    ASSERT_TRUE(replay.sameHeap());
    ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, 0.15));
}

// More leaves than the prefix sum has threads for words of 32.
TEST_F(LodTreeTest, ServesPairsInOrderInALargeFullTree)
{
    const TestTerrain terrain = terrainOf(Shape::kSquare);
    constexpr std::uint32_t kCapacity = 20'000;
    TreeUnderTest gpu(*context_, terrain, 20, kCapacity);
    Replay replay(gpu, terrain, slackOf(Shape::kSquare));
    LodView view{.split = 4.0f, .merge = 2.8f};
    for (int round = 0; round < 30; ++round)
    {
        view.camera = flight(terrain, 0.01 * round);
        ASSERT_NO_FATAL_FAILURE(replay.round(view));
    }
    EXPECT_GT(replay.refusals(), 10'000u);
}

// With a full tree, and with a budget: the thresholds in effect move alike on GPU and CPU, and converge.
TEST_F(LodTreeTest, ThresholdsMoveAsTheyDoOnTheCpu)
{
    const TestTerrain terrain = terrainOf(Shape::kSquare);
    for (const float budget : {0.0f, 3'000.0f, 400.0f})
    {
        SCOPED_TRACE(testing::Message() << "budget " << budget);
        const std::uint32_t capacity = budget > 0 ? kAmple : 700;
        TreeUnderTest gpu(*context_, terrain, 20, capacity);
        Replay replay(gpu, terrain, slackOf(Shape::kSquare));
        LodView view{.split = 12.0f, .merge = 5.0f, .patchLevel = budget > 0 ? 1 : 0, .triangleBudget = budget};
        for (const double t : {0.1, 0.3})
        {
            view.camera = flight(terrain, t);
            view.camera.pitch = -60;
            replay.inputChanged();
            bool settled = false;
            for (int frame = 0; frame < 120 && !settled; ++frame)
            {
                ASSERT_NO_FATAL_FAILURE(replay.round(view));
                settled = frame > 0 && gpu.tree().readState().roundChanges == 0;
            }
            EXPECT_TRUE(settled);
            const gpu::TreeState state = gpu.tree().readState();
            EXPECT_NE(state.thresholdShift, 0);
            if (budget > 0)
                EXPECT_NEAR(float(state.visible) * 4, budget, 0.03 * budget + 8);
            else
            {
                EXPECT_GT(state.leaves, capacity * 9 / 10);
                EXPECT_GT(state.refused, 100u);
                EXPECT_EQ(replay.counts().refusals, 0u);
            }
        }
    }
}

// Dispatches over leaves wrap into a second dimension; here one holds 3 groups instead of 32768.
TEST_F(LodTreeTest, DispatchesWrapIntoTheSecondDimension)
{
    const ShaderCopy shaders;
    ASSERT_NO_FATAL_FAILURE(shaders.replace("core/gpu_layout.h", "kMaxGroupsX = 32768u", "kMaxGroupsX = 3u"));
    const TestTerrain terrain = terrainOf(Shape::kSquare);
    TreeUnderTest gpu(*context_, terrain, 16, kAmple, shaders.root());
    Replay replay(gpu, terrain, slackOf(Shape::kSquare));
    ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, 0.15));
    const gpu::TreeState state = gpu.tree().readState();
    EXPECT_EQ(state.leafGroups[0], 3u);
    EXPECT_GT(state.leafGroups[1], 2u);
}

TEST_F(LodTreeTest, ResetGoesBackToTheTwoHalves)
{
    const TestTerrain terrain = terrainOf(Shape::kSquare);
    TreeUnderTest gpu(*context_, terrain, 17, kAmple);
    Replay replay(gpu, terrain, slackOf(Shape::kSquare));
    ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, 0.15));
    const std::vector<NodeId> settled = leavesOf(replay.tree());
    gpu.tree().reset();
    replay.restart();
    replay.tree() = Cbt(17, 1);
    EXPECT_TRUE(replay.sameHeap());
    EXPECT_EQ(gpu.tree().readLeaves(), (std::vector<std::uint32_t>{2, 3}));
    ASSERT_NO_FATAL_FAILURE(settle(replay, terrain, 0.15, 40));
    EXPECT_EQ(leavesOf(replay.tree()), settled);
}

TEST_F(LodTreeTest, RefusesDepthsThatTheDriverCannotHold)
{
    const TestTerrain terrain = terrainOf(Shape::kSquare);
    TreeUnderTest gpu(*context_, terrain, 12, kAmple);
    const int largest = largestDepth(context_->limits());
    ASSERT_GE(largest, 29);
    if (largest == 30) GTEST_SKIP() << "this driver holds every depth";
    const Status refused = gpu.tree().resize(largest + 1, kAmple);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kLimit);
    EXPECT_NE(refused.error().message.find(std::to_string(largest)), std::string::npos) << refused.error().message;
    EXPECT_EQ(gpu.tree().depth(), 12);
    EXPECT_TRUE(std::ranges::equal(gpu.tree().readHeap(), Cbt(12, 1).words()));
}

}  // namespace
}  // namespace orogen::app::test
