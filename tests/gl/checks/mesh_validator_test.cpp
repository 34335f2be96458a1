// The mesh validator against triangles on the CPU, and with every fault planted that it detects.
#include <set>

#include <fmt/format.h>

#include "app/render/frame_checks.h"
#include "tests/gl/lod_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

class MeshValidatorTest : public GlTest
{
protected:
    void TearDown() override
    {
        validator_.reset();
        gpu_.reset();
        patch_ = PatchMesh();
        GlTest::TearDown();
    }

    // Grows a converged tree of some hundred leaves, seen from above its middle.
    void start(int patchLevel, const std::filesystem::path& root = OROGEN_ROOT,
               std::uint32_t criterion = gpu::kCriterionEdge)
    {
        TearDownTree();
        gpu_.emplace(*context_, terrain_, 14, 1u << 13, root);
        Result<MeshValidator> made = MeshValidator::create(gpu_->library());
        ASSERT_TRUE(made) << made.error().message;
        validator_.emplace(std::move(*made));
        const Status compiled = gpu_->library().finish();
        ASSERT_TRUE(compiled) << compiled.error().message;
        Result<PatchMesh> patch = PatchMesh::create(patchLevel, 0);
        ASSERT_TRUE(patch);
        patch_ = std::move(*patch);
        LodView view;
        view.patchLevel = patchLevel;
        view.geomorph = true;
        view.criterion = criterion;
        view.camera = flight(terrain_, 0.15);
        view.split = 30;
        view.merge = 13;
        gpu_->look(view);
        for (int i = 0; i < 24; ++i)
        {
            gpu_->tree().beginFrame(true);
            gpu_->tree().round(true, nullptr);
        }
    }

    void TearDownTree()
    {
        validator_.reset();
        gpu_.reset();
    }

    MeshVerdict verdict()
    {
        const Status checked = validator_->check(gpu_->tree(), patch_, 7);
        EXPECT_TRUE(checked);
        const std::optional<MeshVerdict> arrived = validator_->poll(terrain_.side(), 10'000'000'000);
        EXPECT_TRUE(arrived);
        return arrived.value_or(MeshVerdict{.faults = ~0ull, .first = "no verdict"});
    }

    // Expects at least one fault, and only of the named kinds.
    void expectFault(const std::string& kind)
    {
        const MeshVerdict found = verdict();
        EXPECT_FALSE(found.conforming());
        EXPECT_TRUE(found.first.starts_with(kind)) << found.first;
    }

    // The buffer that the tree or the patch has at a binding.
    GLuint bufferAt(gpu::uint binding)
    {
        gpu_->tree().bindForChecks();
        if (binding == gpu::kPatchIndicesBinding) patch_.bindForChecks();
        GLint buffer = 0;
        glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, binding, &buffer);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        return GLuint(buffer);
    }
    std::uint32_t word(gpu::uint binding, std::size_t place)
    {
        std::uint32_t value = 0;
        glGetNamedBufferSubData(bufferAt(binding), GLintptr(4 * place), 4, &value);
        return value;
    }
    void put(gpu::uint binding, std::size_t place, std::uint32_t value)
    {
        glClearNamedBufferSubData(bufferAt(binding), GL_R32UI, GLintptr(4 * place), 4, GL_RED_INTEGER, GL_UNSIGNED_INT,
                                  &value);
    }

    // Flips the bit that is set if a leaf starts where the right half of `node` does.
    void flipBit(NodeId node)
    {
        const std::uint64_t bit = (std::uint64_t(2 * node + 1) << (13 - depthOf(node))) - (1u << 14);
        const std::size_t place = (1u << 9) + std::size_t(bit >> 5);
        put(gpu::kTreeBinding, place, word(gpu::kTreeBinding, place) ^ 1u << (bit & 31));
    }
    void list()
    {
        gpu_->tree().relist();
        gpu_->tree().decode(false, true, true);
    }

    TestTerrain terrain_ = hills(65, 65, 32.0, 32.0);
    std::optional<TreeUnderTest> gpu_;
    std::optional<MeshValidator> validator_;
    PatchMesh patch_;
};

TEST_F(MeshValidatorTest, WholeMeshesConformAtEveryPatchLevel)
{
    for (const int level : {0, 1, 2, 3, 6})
    {
        SCOPED_TRACE(level);
        ASSERT_NO_FATAL_FAILURE(start(level));
        EXPECT_GT(gpu_->tree().readState().leaves, 200u);
        const MeshVerdict found = verdict();
        EXPECT_EQ(found.faults, 0u) << found.first;
        EXPECT_EQ(found.first, "");
        EXPECT_EQ(found.frame, 7u);
    }
}

// Random splits and merges of single leaves that ignore neighbours.  The verdict must equal that of the triangles,
// including the number of edges with one owner.
TEST_F(MeshValidatorTest, AgreesWithTrianglesOnRandomTrees)
{
    ASSERT_NO_FATAL_FAILURE(start(1));
    Random random(5);
    int broken = 0, whole = 0;
    for (int i = 0; i < scaled(60, 1000); ++i)
    {
        const std::vector<std::uint32_t> leaves = gpu_->tree().readLeaves();
        NodeId node = leaves[random.below(std::uint32_t(leaves.size()))];
        if (depthOf(node) >= 13) continue;
        flipBit(node);
        list();
        const std::vector<std::uint32_t> now = gpu_->tree().readLeaves();
        leb::ConformityCheck triangles;
        std::multiset<std::pair<std::uint64_t, std::uint64_t>> edges;
        for (const NodeId leaf : now)
        {
            const leb::Triangle t = leb::vertices(leaf);
            triangles.add(t);
            for (const auto& [a, b] :
                 {std::pair(t.apex, t.base0), std::pair(t.base0, t.base1), std::pair(t.base1, t.apex)})
            {
                const leb::Edge e = leb::makeEdge(a, b);
                const bool border = (e.low.x == e.high.x && e.low.x % leb::kSide == 0) ||
                                    (e.low.y == e.high.y && e.low.y % leb::kSide == 0);
                if (!border)
                    edges.insert({std::uint64_t(e.low.x) << 32 | e.low.y, std::uint64_t(e.high.x) << 32 | e.high.y});
            }
        }
        std::uint64_t single = 0;
        for (const auto& edge : edges)
            single += edges.count(edge) == 1;
        const MeshVerdict found = verdict();
        ASSERT_EQ(found.conforming(), triangles.finish().empty());
        ASSERT_EQ(found.faults, single);
        ++(single > 0 ? broken : whole);
        if (i % 3 == 2) continue;  // lets faults of several steps accumulate
        flipBit(node);
        list();
        ++whole;
        if (i % 7 == 0) gpu_->tree().reset();
        if (i % 7 != 0) continue;
        for (int k = 0; k < 12; ++k)
        {
            gpu_->tree().beginFrame(true);
            gpu_->tree().round(true, nullptr);
        }
        ASSERT_EQ(verdict().faults, 0u);
    }
    EXPECT_GT(broken, 20);
    EXPECT_GT(whole, 5);
}

TEST_F(MeshValidatorTest, FindsALeafThatSplitAlone)
{
    ASSERT_NO_FATAL_FAILURE(start(2));
    const std::vector<std::uint32_t> leaves = gpu_->tree().readLeaves();
    const auto inner =
        std::ranges::find_if(leaves, [](NodeId leaf) { return depthOf(leaf) < 13 && leb::neighbours(leaf).edge != 0; });
    ASSERT_NE(inner, leaves.end());
    flipBit(*inner);
    list();
    expectFault("T-junction (3 of this kind) at leaf");
}

TEST_F(MeshValidatorTest, FindsALeafThatIsListedTwiceAndTheHoleThatItLeaves)
{
    ASSERT_NO_FATAL_FAILURE(start(2));
    put(gpu::kLeavesBinding, 40, word(gpu::kLeavesBinding, 41));
    const MeshVerdict found = verdict();
    EXPECT_GE(found.faults, 2u);
    EXPECT_TRUE(found.first.starts_with("hole (")) << found.first;
    EXPECT_NE(found.first.find(fmt::format("leaf {:#x}", word(gpu::kLeavesBinding, 41))), std::string::npos)
        << found.first;
}

TEST_F(MeshValidatorTest, FindsALeafThatIsDrawnTwice)
{
    ASSERT_NO_FATAL_FAILURE(start(2));
    const gpu::TreeState state = gpu_->tree().readState();
    ASSERT_GT(state.visible, 4u);
    for (std::size_t i = 0; i < 4; ++i)
        put(gpu::kVisibleBinding, 4 * state.drawInstances + i, word(gpu::kVisibleBinding, i));
    put(gpu::kStateBinding, offsetof(gpu::TreeState, drawInstances) / 4, state.drawInstances + 1);
    expectFault("overlap");
}

TEST_F(MeshValidatorTest, FindsALeafInViewThatIsNotDrawn)
{
    ASSERT_NO_FATAL_FAILURE(start(2));
    const gpu::TreeState state = gpu_->tree().readState();
    put(gpu::kStateBinding, offsetof(gpu::TreeState, drawInstances) / 4, state.drawInstances / 2);
    expectFault("hole");
}

TEST_F(MeshValidatorTest, FindsADrawnLeafThatIsNone)
{
    ASSERT_NO_FATAL_FAILURE(start(2));
    const std::uint32_t base0 = word(gpu::kVisibleBinding, 1), base1 = word(gpu::kVisibleBinding, 2);
    put(gpu::kVisibleBinding, 1, base1);  // reverses the triangle
    put(gpu::kVisibleBinding, 2, base0);
    const MeshVerdict found = verdict();
    EXPECT_EQ(found.faults, 2u) << found.first;  // its place is empty
    EXPECT_TRUE(found.first.starts_with("hole"));
}

TEST_F(MeshValidatorTest, FindsAFlippedTriangleOfThePatch)
{
    for (const int level : {1, 3})
    {
        ASSERT_NO_FATAL_FAILURE(start(level));
        const std::uint32_t pair = word(gpu::kPatchIndicesBinding, 0);
        put(gpu::kPatchIndicesBinding, 0, pair << 16 | pair >> 16);
        expectFault("faulty patch");
        put(gpu::kPatchIndicesBinding, 0, pair);
        EXPECT_EQ(verdict().faults, 0u);
    }
}

TEST_F(MeshValidatorTest, FindsAPatchWithAPieceMissing)
{
    ASSERT_NO_FATAL_FAILURE(start(2));
    put(gpu::kStateBinding, offsetof(gpu::TreeState, drawCount) / 4, 3 * 15);
    expectFault("faulty patch");
}

using MeshValidatorTestThorough = MeshValidatorTest;

// Plants heights that depend on more than the vertex: by a rule that all leaves share, and at one leaf.
TEST_F(MeshValidatorTestThorough, FindsHeightsThatDependOnTheLeaf)
{
    const std::string rule = "{ return morphedHeight(lattice, glideIn(leaf, lattice), morphView(state.morphPixels)); }";
    for (const std::string planted : {"{ return morphedHeight(lattice, glideIn(leaf, lattice), "
                                      "morphView(state.morphPixels)) + 0.001 * float(drawnLeafDepth(leaf)); }",
                                      "{ return morphedHeight(lattice, glideIn(leaf, lattice), "
                                      "morphView(state.morphPixels)) + (drawnLeafNumber(leaf) == 33u ? 0.01 : "
                                      "0.0); }"})
    {
        const ShaderCopy shaders;
        ASSERT_NO_FATAL_FAILURE(shaders.replace("shaders/surface/drawn_leaf.glsl", rule, planted));
        ASSERT_NO_FATAL_FAILURE(start(2, shaders.root()));
        expectFault("crack");
    }
}

TEST_F(MeshValidatorTest, FindsHeightsThatAreNone)
{
    const ShaderCopy shaders;
    ASSERT_NO_FATAL_FAILURE(
        shaders.replace("shaders/surface/drawn_leaf.glsl",
                        "{ return morphedHeight(lattice, glideIn(leaf, lattice), morphView(state.morphPixels)); }",
                        "{ return uintBitsToFloat(0x7fc00000u); }"));
    ASSERT_NO_FATAL_FAILURE(start(2, shaders.root()));
    expectFault("height that is not finite");
}

TEST_F(MeshValidatorTest, FindsALeafTurnedTheWrongWay)
{
    const ShaderCopy shaders;
    ASSERT_NO_FATAL_FAILURE(
        shaders.replace("shaders/tree/leb.glsl", "        t = lebChild(t, (node >> bit) & 1u);\n",
                        "        t = lebChild(t, (node >> bit) & 1u);\n"
                        "        if (node == 0x15u && bit == 0u) t = LebTriangle(t.apex, t.base1, t.base0);\n"));
    ASSERT_NO_FATAL_FAILURE(start(2, shaders.root()));
    flipBit(0x15);  // makes it a leaf, or no longer one
    list();
    EXPECT_FALSE(verdict().conforming());
}

}  // namespace
}  // namespace orogen::app::test
