// Culling by the decode: lists every visible leaf once, and no leaf outside the raster.
#include <algorithm>
#include <map>

#include <glm/mat4x4.hpp>

#include "core/cbt/tree.h"
#include "core/leb/leb.h"
#include "tests/gl/lod_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

// Corners and depth of a leaf, as the draw receives them.
struct DrawnLeaf
{
    std::uint32_t apex, base0, base1, depth;
    auto operator<=>(const DrawnLeaf&) const = default;
};
static_assert(sizeof(DrawnLeaf) == 16);

DrawnLeaf drawn(NodeId leaf)
{
    const leb::Triangle t = leb::vertices(leaf);
    const auto pack = [](leb::Point p) { return p.x | p.y << 16; };
    return {pack(t.apex), pack(t.base0), pack(t.base1), std::uint32_t(depthOf(leaf))};
}

std::vector<DrawnLeaf> readVisible(const LodTree& tree)
{
    tree.bindForDraw();
    GLint buffer = 0;
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, gpu::kVisibleBinding, &buffer);
    std::vector<DrawnLeaf> visible(tree.readState().visible);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    if (!visible.empty())
        glGetNamedBufferSubData(GLuint(buffer), 0, GLsizeiptr(visible.size() * sizeof(DrawnLeaf)), visible.data());
    for (DrawnLeaf& leaf : visible)
        leaf.depth &= 31u;  // bits above the depth hold the leaf's number
    return visible;
}

// Counts the points of a leaf that a camera sees, for a patch of level 3; only points over the raster.
class SightOracle
{
public:
    SightOracle(const TestTerrain& terrain, const LodView& view)
        : terrain_(terrain), view_(view), clip_(project(view.camera, view.width, view.height, 0.2).clipFromRelative)
    {
    }

    int pointsInView(NodeId leaf) const
    {
        const leb::Triangle t = leb::vertices(leaf);
        const auto at = [](leb::Point p) { return glm::dvec2(p.x, p.y) / double(leb::kSide) - 0.5; };
        int seen = 0;
        for (int i = 0; i <= 8; ++i)
            for (int j = 0; i + j <= 8; ++j)
                seen +=
                    sees((at(t.apex) * double(8 - i - j) + at(t.base0) * double(i) + at(t.base1) * double(j)) / 8.0);
        return seen;
    }

    bool overRaster(NodeId leaf) const
    {
        const leb::Triangle t = leb::vertices(leaf);
        const glm::dvec2 a(t.apex.x, t.apex.y), b(t.base0.x, t.base0.y), c(t.base1.x, t.base1.y);
        const glm::dvec2 low = (glm::min(a, glm::min(b, c)) / double(leb::kSide) - 0.5) * terrain_.side();
        const glm::dvec2 high = (glm::max(a, glm::max(b, c)) / double(leb::kSide) - 0.5) * terrain_.side();
        return low.x < terrain_.raster.east() / 2 && high.x > -terrain_.raster.east() / 2 &&
               low.y < terrain_.raster.north() / 2 && high.y > -terrain_.raster.north() / 2;
    }

private:
    bool sees(glm::dvec2 place) const
    {
        const glm::dvec2 w = place * terrain_.side();
        if (std::abs(w.x) > terrain_.raster.east() / 2 || std::abs(w.y) > terrain_.raster.north() / 2) return false;
        const double z = double(heightAt(terrain_.field, w.x, w.y)) * double(view_.heightScale);
        const glm::dvec4 p = clip_ * glm::dvec4(glm::dvec3(w, z) - view_.camera.position, 1.0);
        constexpr double kMargin = 0.999;  // single precision may disagree at the border
        return p.w > 0.21 && std::abs(p.x) < kMargin * p.w && std::abs(p.y) < kMargin * p.w;
    }

    const TestTerrain& terrain_;
    LodView view_;
    glm::dmat4 clip_;
};

class LodCulling : public GlTest
{
protected:
    // Compares the leaves listed by the last decode with the camera's view of each leaf.
    void expectCulled(TreeUnderTest& gpu, const TestTerrain& terrain, const LodView& view)
    {
        std::map<DrawnLeaf, int> visible;
        for (const DrawnLeaf& leaf : readVisible(gpu.tree()))
            ++visible[leaf];
        const SightOracle oracle(terrain, view);
        for (const NodeId leaf : gpu.tree().readLeaves())
        {
            const auto found = visible.find(drawn(leaf));
            const bool inView = oracle.pointsInView(leaf) > 0;
            inView_ += inView;
            all_ += 1;
            if (found == visible.end())
            {
                ASSERT_FALSE(inView) << "leaf " << leaf;
                continue;
            }
            ASSERT_EQ(found->second, 1) << "leaf " << leaf;
            ASSERT_TRUE(oracle.overRaster(leaf)) << "leaf " << leaf;
            visible.erase(found);
            kept_ += 1;
        }
        ASSERT_TRUE(visible.empty()) << "drawn, but no leaf";
    }

    void turn(LodView& view, Random& random)
    {
        view.camera.yaw = 360 * random.unit();
        view.camera.pitch = -90 + 180 * random.unit();
        view.camera.fov = 20 + 80 * random.unit();
    }

    std::uint64_t all_ = 0, inView_ = 0, kept_ = 0;
};

using LodCullingThorough = LodCulling;

TEST_F(LodCullingThorough, KeepsEveryLeafInViewOnce)
{
    const TestTerrain terrain = hills(97, 54, 30.0, 25.0);
    TreeUnderTest gpu(*context_, terrain, 18, 1u << 14);
    Random random(1);
    LodView view;
    for (int i = 0; i < scaled(150, 2'000); ++i)
    {
        SCOPED_TRACE(testing::Message() << "camera " << i);
        view.camera = flight(terrain, random.unit());
        turn(view, random);
        view.heightScale = i % 3 == 0 ? 2.5f : 1.0f;
        view.patchLevel = i % 4;
        gpu.look(view);
        gpu.tree().beginFrame(true);
        for (int round = 0; round < 4; ++round)
            gpu.tree().round(round == 3, nullptr);
        ASSERT_NO_FATAL_FAILURE(expectCulled(gpu, terrain, view));

        turn(view, random);
        gpu.look(view);
        gpu.tree().beginFrame(false);
        gpu.tree().cull(nullptr);
        ASSERT_NO_FATAL_FAILURE(expectCulled(gpu, terrain, view));
    }
    EXPECT_GT(inView_, all_ / 50);
    EXPECT_LT(double(kept_), 1.6 * double(inView_));  // boxes exceed their contents, but only by so much
}

// GPUs count leaves in view by workgroup, software rasterisers by thread (cbt_decode.comp).
TEST_F(LodCulling, IsTheSameCountedByWorkGroupsAndByThreads)
{
    const TestTerrain terrain = hills(97, 54, 30.0, 25.0);
    const auto treeOf = [&](std::uint32_t threads) {
        return TreeUnderTest(*context_, terrain, 18, 1u << 14, OROGEN_ROOT,
                             ShaderDefine{"OROGEN_REDUCE_THREADS", std::to_string(threads) + "u"});
    };
    TreeUnderTest byThread = treeOf(gpu::kChunkThreadsSoftware), byGroup = treeOf(gpu::kChunkThreadsHardware);
    LodView view;
    std::size_t mostSeen = 0;
    for (int i = 0; i < 12; ++i)
    {
        view.camera = flight(terrain, i / 12.0);
        std::vector<std::vector<DrawnLeaf>> seen;
        std::vector<gpu::TreeState> states;
        for (TreeUnderTest* gpu : {&byThread, &byGroup})
        {
            gpu->look(view);
            gpu->tree().beginFrame(true);
            for (int round = 0; round < 4; ++round)
                gpu->tree().round(round == 3, nullptr);
            seen.push_back(readVisible(gpu->tree()));
            std::ranges::sort(seen.back());
            states.push_back(gpu->tree().readState());
        }
        EXPECT_EQ(byThread.tree().readLeaves(), byGroup.tree().readLeaves());
        EXPECT_EQ(seen[0], seen[1]);
        EXPECT_EQ(states[0].drawInstances, states[1].drawInstances);
        EXPECT_EQ(states[1].drawInstances, seen[1].size());
        EXPECT_EQ(states[0].maxDepth, states[1].maxDepth);
        mostSeen = std::max(mostSeen, seen[1].size());
    }
    EXPECT_GT(mostSeen, 200u);
}

}  // namespace
}  // namespace orogen::app::test
