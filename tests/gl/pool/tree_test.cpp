// The pool of bisectors on the GPU: after rounds it conforms, respects its capacity, and converges.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/leb/conformity.h"
#include "tests/gl/pool/pool_support.h"

namespace orogen::app::test {
namespace {

class PoolTreeTest : public GlTest
{
protected:
    // Runs rounds until nothing changes; returns their number.
    static int settle(GpuPool& gpu, const PoolView& view, int most = 400)
    {
        for (int rounds = 1; rounds <= most; ++rounds)
        {
            gpu.round(view);
            if (gpu.tree().readState().roundChanges == 0) return rounds;
        }
        return most + 1;
    }

    static double nearestBase(const PoolTree& tree, const glm::vec3& camera)
    {
        double nearest = 1e9, length = 0;
        for (const leb::LeafId id : tree.readIds())
        {
            if (id == 0) continue;
            const leb::CubeTriangle corners = leb::cornersOf(leb::leafOfId(id));
            const glm::dvec3 l = glm::dvec3(cubePoint(corners.left)) / double(kCubeSide / 2);
            const glm::dvec3 r = glm::dvec3(cubePoint(corners.right)) / double(kCubeSide / 2);
            const double distance = glm::distance(0.5 * (l + r), glm::dvec3(camera));
            if (distance >= nearest) continue;
            nearest = distance;
            length = glm::distance(l, r);
        }
        return length;
    }
};

TEST_F(PoolTreeTest, BeginsWithTheRoots)
{
    GpuPool gpu(*context_, kNoiseMark, 58, 1024);
    EXPECT_EQ(leb::conformityFault(poolOf(gpu.tree())), "");
    EXPECT_EQ(gpu.tree().readState().leaves, leb::kCubeRoots);
}

TEST_F(PoolTreeTest, ConformsUnderNoiseInAFullPool)
{
    GpuPool gpu(*context_, kNoiseMark, 58, 1000);
    std::uint64_t refused = 0;
    for (std::uint32_t frame = 0; frame < 60; ++frame)
    {
        gpu.round({.frame = frame});
        const gpu::TreeState state = gpu.tree().readState();
        refused += state.refused;
        ASSERT_LE(state.leaves, 1000u);
        ASSERT_EQ(leb::conformityFault(poolOf(gpu.tree())), "") << "frame " << frame;
        ASSERT_TRUE(std::ranges::equal(gpu.tree().readLeaves(), poolOf(gpu.tree()).leaves));
    }
    EXPECT_GT(refused, 1000u);
}

// Runs the passes over the leaves in parts.
TEST_F(PoolTreeTest, StepsDoWhatRoundsDo)
{
    GpuPool whole(*context_, kNoiseMark, 58, 2000), parts(*context_, kNoiseMark, 58, 2000);
    for (std::uint32_t frame = 0; frame < 25; ++frame)
    {
        whole.round({.frame = frame});
        parts.look({.frame = frame});
        parts.tree().beginFrame(true);
        std::vector<std::function<void()>> steps;
        parts.tree().roundSteps(parts.tree().readState().leaves, 128, true, nullptr,
                                [&](std::function<void()> step) { steps.push_back(std::move(step)); });
        for (const auto& step : steps)
            step();
        ASSERT_EQ(whole.tree().readIds(), parts.tree().readIds());
        const leb::Pool a = poolOf(whole.tree()), b = poolOf(parts.tree());
        for (const NodeId slot : a.leaves)
            ASSERT_EQ(a.links[slot], b.links[slot]);
        ASSERT_EQ(whole.tree().readState().visible, parts.tree().readState().visible);
    }
}

// Passes whose timers ran while each program was selected, by OpenGL's name of the program.
using PassesOfPrograms = std::map<GLuint, std::set<GpuPass>>;
PassesOfPrograms passesOfPrograms;
GpuPass timedPass = GpuPass::kCount;  // kCount: none
PFNGLUSEPROGRAMPROC useProgram = nullptr;

PassesOfPrograms passesIn(GpuTimers& timers, const std::function<void()>& work)
{
    passesOfPrograms.clear();
    timers.observe([](GpuPass pass, bool begins) { timedPass = begins ? pass : GpuPass::kCount; });
    useProgram = std::exchange(glad_glUseProgram, [](GLuint program) {
        passesOfPrograms[program].insert(timedPass);
        useProgram(program);
    });
    work();
    glad_glUseProgram = useProgram;
    return passesOfPrograms;
}

// A program that runs in slices belongs to the pass that it belongs to in a whole frame.
TEST_F(PoolTreeTest, StepsAreTimedAsTheirRoundIs)
{
    GpuPool gpu(*context_, kNoiseMark, 58, 2000);
    GpuTimers timers(true);
    PoolTree& tree = gpu.tree();
    const auto now = [](const std::function<void()>& step) { step(); };
    gpu.look({.frame = 0});
    tree.beginFrame(true);
    const PassesOfPrograms round = passesIn(timers, [&] { tree.round(true, &timers); });
    const PassesOfPrograms steps = passesIn(timers, [&] { tree.roundSteps(500, 128, true, &timers, now); });
    const PassesOfPrograms cull = passesIn(timers, [&] { tree.cull(&timers); });
    const PassesOfPrograms cullSteps = passesIn(timers, [&] { tree.cullSteps(500, 128, &timers, now); });
    EXPECT_GE(round.size(), 8u);
    for (const auto& [program, passes] : round)
        EXPECT_EQ(steps.at(program), passes) << program;
    EXPECT_EQ(cull.size(), 2u);
    for (const auto& [program, passes] : cull)
        EXPECT_EQ(cullSteps.at(program), passes) << program;
}

TEST_F(PoolTreeTest, IsAsDeepAsTheLatticeAndThePatchesLet)
{
    for (const auto& [patchLevel, depth] : {std::pair{0, 58}, {3, 54}})
    {
        GpuPool gpu(*context_, kDistanceMark, 58, 1u << 15);
        PoolView view{.camera = {0.3f, 0.2f, 1.0f}, .patchLevel = patchLevel};
        EXPECT_LE(settle(gpu, view), 200);
        EXPECT_EQ(gpu.tree().readState().maxDepth, std::uint32_t(depth));
        EXPECT_EQ(leb::conformityFault(poolOf(gpu.tree())), "");
    }
}

TEST_F(PoolTreeTest, AThirdOfTheNeedLeavesTheGroundNearbyAtAQuarter)
{
    const PoolView view{.camera = {0.3f, 0.2f, 1.0001f}, .split = 30, .merge = 18};
    GpuPool plenty(*context_, kDistanceMark, 40, 1u << 16);
    ASSERT_LE(settle(plenty, view), 100);
    const std::uint32_t need = plenty.tree().readState().leaves;
    ASSERT_GT(need, 3000u);

    GpuPool scarce(*context_, kDistanceMark, 40, need / 3);
    ASSERT_LE(settle(scarce, view), 200);
    const gpu::TreeState state = scarce.tree().readState();
    EXPECT_LE(state.leaves, need / 3);
    EXPECT_GT(state.thresholdShift, 0);
    EXPECT_LE(nearestBase(scarce.tree(), view.camera), 4.0 * nearestBase(plenty.tree(), view.camera));
    for (int round = 0; round < 40; ++round)  // and the thresholds are stable
    {
        scarce.round(view);
        ASSERT_EQ(scarce.tree().readState().thresholdShift, state.thresholdShift);
    }
}

TEST_F(PoolTreeTest, StaysWithinItsCapacityWhereverTheCameraJumps)
{
    GpuPool gpu(*context_, kDistanceMark, 50, 1500);
    Random random(4);
    for (int frame = 0; frame < 120; ++frame)
    {
        PoolView view{.camera =
                          glm::normalize(glm::vec3(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5))};
        view.camera *= 1.2f;
        for (int rounds = 0; rounds < 3; ++rounds)
        {
            gpu.round(view);
            ASSERT_LE(gpu.tree().readState().leaves, 1500u);
        }
        if (frame % 20 != 0) continue;
        ASSERT_EQ(leb::conformityFault(poolOf(gpu.tree())), "");
    }
}

std::vector<leb::LeafId> leavesOf(const PoolTree& tree)
{
    std::vector<leb::LeafId> ids = tree.readIds();
    std::erase(ids, 0u);
    std::ranges::sort(ids);
    return ids;
}

TEST_F(PoolTreeTest, MoreRoomKeepsAllLeaves)
{
    GpuPool gpu(*context_, kDistanceMark, 40, 8000);
    settle(gpu, {.camera = {0.3f, 0.2f, 1.01f}, .split = 100, .merge = 60});
    const std::vector<leb::LeafId> before = leavesOf(gpu.tree());
    ASSERT_GT(before.size(), 1025u);  // some are in slots that a smaller pool lacks
    for (const auto& [depth, capacity] : {std::pair{50, 8000u}, {50, 60'000u}, {40, std::uint32_t(before.size() + 1)}})
    {
        ASSERT_TRUE(gpu.tree().resize(depth, capacity));
        EXPECT_EQ(leavesOf(gpu.tree()), before);
        EXPECT_EQ(leb::conformityFault(poolOf(gpu.tree())), "");
        EXPECT_EQ(gpu.tree().readState().leaves, before.size());
    }
}

TEST_F(PoolTreeTest, LessRoomCutsAtTheDeepestDepthThatFits)
{
    GpuPool gpu(*context_, kDistanceMark, 40, 8000);
    settle(gpu, {.camera = {0.3f, 0.2f, 1.001f}});
    const std::vector<leb::LeafId> before = leavesOf(gpu.tree());
    for (const auto& [depth, capacity] : {std::pair{20, 8000u}, {20, 400u}})
    {
        ASSERT_TRUE(gpu.tree().resize(depth, capacity));
        const std::vector<leb::LeafId> after = leavesOf(gpu.tree());
        EXPECT_EQ(leb::conformityFault(poolOf(gpu.tree())), "");
        EXPECT_LE(after.size(), capacity);
        const int deepest = leb::depthOfId(*std::ranges::max_element(after));
        EXPECT_LE(deepest, depth);
        for (const leb::LeafId id : after)  // leaves above the cut are unchanged
        {
            if (leb::depthOfId(id) >= deepest) continue;
            ASSERT_TRUE(std::ranges::binary_search(before, id));
        }
    }
}

TEST_F(PoolTreeTest, RefusesMoreLeavesThanThereCanBeSlots)
{
    const Status status = checkPoolCapacity(context_->limits(), kMostPoolLeaves + 1);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kLimit);
    EXPECT_NE(status.error().message.find("2097152"), std::string::npos);
}

}  // namespace
}  // namespace orogen::app::test
