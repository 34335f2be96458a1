// Diamonds as lattice points, against the vertices and neighbours of tree nodes, with the shader's twin.
#include "core/leb/leb.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/gpu_layout.h"
#include "tests/support/random.h"

namespace orogen::leb {
namespace {

static_assert(kDrawLatticeBits == int(gpu::kLeafLatticeBits + gpu::kPatchBits));

struct Shader
{
    using uint = gpu::uint;
    using uvec2 = gpu::uvec2;
    using ivec2 = gpu::ivec2;
    static int findMSB(uint v) { return gpu::findMSB(v); }
    static int findLSB(uint v) { return gpu::findLSB(v); }
    static uvec2 min(uvec2 a, uvec2 b) { return glm::min(a, b); }
    static uint min(uint a, uint b) { return a < b ? a : b; }
    static uint max(uint a, uint b) { return a < b ? b : a; }
    static constexpr uint kLeafLatticeBits = gpu::kLeafLatticeBits, kPatchBits = gpu::kPatchBits;
#define const static constexpr
#include "shaders/tree/leb.glsl"

#include "shaders/tree/lattice_plane.glsl"

#include "shaders/tree/diamond.glsl"
#undef const
};

// Returns a node's triangle on the finer lattice.
Triangle fine(NodeId node)
{
    const Triangle t = vertices(node);
    const auto scaled = [](Point p) { return Point{p.x << 6, p.y << 6}; };
    return {scaled(t.apex), scaled(t.base0), scaled(t.base1)};
}

void expectDiamondOf(NodeId node)
{
    const Edge base = baseEdge(fine(node));
    const Point middle{(base.low.x + base.high.x) / 2, (base.low.y + base.high.y) / 2};
    ASSERT_TRUE(isDiamond(middle)) << node;
    ASSERT_EQ(diamondDepth(middle), depthOf(node)) << node;
    ASSERT_EQ(diamondBase(middle), base) << node;
    Shader shader;
    const gpu::uvec2 point(middle.x, middle.y);
    ASSERT_TRUE(shader.isDiamond(point));
    ASSERT_EQ(shader.diamondDepth(point), gpu::uint(depthOf(node)));
    const auto edge = shader.diamondBase(point);
    ASSERT_EQ((Edge{{edge.low.x, edge.low.y}, {edge.high.x, edge.high.y}}), base) << node;
}

TEST(Diamond, IsTheMiddleOfEveryNodesBase)
{
    for (NodeId node = 2; node < 1u << 13; ++node)
        expectDiamondOf(node);
    test::Random random(3);
    for (int i = 0; i < 100'000; ++i)
    {
        const int depth = int(random.between(13, 30));
        expectDiamondOf((NodeId(1) << depth) | (random.bits() & ((NodeId(1) << depth) - 1)));
        if (HasFatalFailure()) return;
    }
}

TEST(Diamond, IsNoneAtTheSquaresCorners)
{
    for (const Point corner : {Point{0, 0}, {kDrawSide, 0}, {0, kDrawSide}, {kDrawSide, kDrawSide}})
    {
        EXPECT_FALSE(isDiamond(corner));
        EXPECT_FALSE(Shader{}.isDiamond({corner.x, corner.y}));
    }
}

// Below the finest leaf, bisection halves the base further.
TEST(Diamond, GoesOnBelowTheFinestLeaf)
{
    test::Random random(4);
    for (int i = 0; i < 20'000; ++i)
    {
        const Point p{random.bits() & (kDrawSide - 1), random.bits() & (kDrawSide - 1)};
        if (!isDiamond(p)) continue;
        const Edge base = diamondBase(p);
        EXPECT_EQ((Point{(base.low.x + base.high.x) / 2, (base.low.y + base.high.y) / 2}), p);
        // Both ends already existed: they are corners of the square, or of an earlier split.
        for (const Point end : {base.low, base.high})
            EXPECT_TRUE(!isDiamond(end) || diamondDepth(end) < diamondDepth(p));
    }
}

}  // namespace
}  // namespace orogen::leb
