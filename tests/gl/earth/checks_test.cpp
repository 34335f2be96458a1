// Inspection of the Earth's triangulation: the mesh validator, with every possible fault of a pool planted, and the
// leaf under a point.
#include <algorithm>

#include "app/render/frame_checks.h"
#include "app/render/lod_tree.h"
#include "app/render/tree_inspector.h"
#include "core/leb/pool.h"
#include "tests/gl/earth_support.h"

namespace orogen::app::test {
namespace {

class EarthChecks : public EarthTest
{
protected:
    void TearDown() override
    {
        validator_.reset();
        pick_.reset();
        tree_.reset();
        library_.reset();
        patch_ = PatchMesh();
        heights_.reset();
        EarthTest::TearDown();
    }

    // Lets the pool converge above a place where only some tiles are active.
    void start(int patchLevel, double height = 20'000, const std::filesystem::path& root = OROGEN_ROOT)
    {
        frame_.patchLevel = gpu::uint(patchLevel);
        frame_.splitPixels = 40;
        frame_.mergePixels = 18;
        frame_.leafCapacity = 4096;
        look(above(46.5, 8.0, height));
        Random random(3);
        ASSERT_NO_FATAL_FAILURE(
            show(std::make_shared<SomeEarthTiles>(6, 100'000.0, random, camera_.position, std::size_t(60))));
        library_.emplace(root, ShaderDialect{context_->info().glsl460});
        library_->choose({{"@world", "earth"}, {"@heights", "tiles"}, {"OROGEN_POOL", "1"}});
        const PoolPrograms programs(*library_, reduceThreads(context_->info()));
        Result<MeshValidator> validator = MeshValidator::create(*library_);
        Result<LeafPick> pick = LeafPick::create(*library_);
        ASSERT_TRUE(validator && pick);
        validator_.emplace(std::move(*validator));
        pick_.emplace(std::move(*pick));
        const Status compiled = library_->finish();
        ASSERT_TRUE(compiled) << library_->log();
        Result<PoolTree> tree = PoolTree::create(*library_, programs, context_->limits(), 50, frame_.leafCapacity);
        ASSERT_TRUE(tree) << tree.error().message;
        tree_.emplace(std::move(*tree));
        tree_->setCriterion(gpu::kCriterionEdge);
        Result<PatchMesh> patch = PatchMesh::create(patchLevel, 0);
        ASSERT_TRUE(patch);
        patch_ = std::move(*patch);
        tree_->reset();
        for (int i = 0; i < 40; ++i)
        {
            tree_->beginFrame(true);
            tree_->round(true, nullptr);
        }
    }

    MeshVerdict verdict()
    {
        EXPECT_TRUE(validator_->check(*tree_, patch_, 7));
        return validator_->poll(0.0, 10'000'000'000).value_or(MeshVerdict{.faults = ~0ull, .first = "no verdict"});
    }

    GLuint bufferAt(gpu::uint binding)
    {
        tree_->bindForChecks();
        tree_->bindForDraw();
        GLint buffer = 0;
        glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, binding, &buffer);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        return GLuint(buffer);
    }
    // Adds `change` to a word of a buffer, validates, and restores the word.
    std::string faultOf(gpu::uint binding, std::size_t place, std::uint32_t change)
    {
        const GLuint buffer = bufferAt(binding);
        std::uint32_t value = 0;
        glGetNamedBufferSubData(buffer, GLintptr(4 * place), 4, &value);
        const auto put = [&](std::uint32_t word) {
            glClearNamedBufferSubData(buffer, GL_R32UI, GLintptr(4 * place), 4, GL_RED_INTEGER, GL_UNSIGNED_INT, &word);
        };
        put(value ^ change);
        const MeshVerdict found = verdict();
        put(value);
        EXPECT_FALSE(found.conforming());
        return found.first;
    }

    std::optional<ShaderLibrary> library_;
    std::optional<PoolTree> tree_;
    std::optional<MeshValidator> validator_;
    std::optional<LeafPick> pick_;
    PatchMesh patch_;
};

using EarthChecksThorough = EarthChecks;

TEST_F(EarthChecksThorough, WholeMeshesConformWhateverIsThere)
{
    for (const int level : {0, 2})
        for (const double height : {500.0, 8.0e6})
        {
            SCOPED_TRACE(testing::Message() << "patch level " << level << ", " << height << " m");
            ASSERT_NO_FATAL_FAILURE(start(level, height));
            EXPECT_GT(tree_->readState().leaves, 100u);
            EXPECT_GT(tree_->readState().visible, 10u);
            const MeshVerdict found = verdict();
            EXPECT_EQ(found.faults, 0u) << found.first;
        }
}

TEST_F(EarthChecksThorough, EveryFaultOfThePoolIsFoundAndItsPlaceIsTold)
{
    ASSERT_NO_FATAL_FAILURE(start(1));
    ASSERT_EQ(verdict().first, "");
    constexpr std::size_t kFacts = 4;
    const std::vector<std::uint32_t> leaves = tree_->readLeaves();
    const std::size_t slot = leaves[leaves.size() / 2], words = kFacts + 8 * slot;
    const std::string link = faultOf(gpu::kPoolBinding, words + 1, 1);
    EXPECT_TRUE(link.starts_with("link to a leaf that is not there")) << link;
    EXPECT_NE(link.find("degrees north"), std::string::npos) << link;
    EXPECT_NE(faultOf(gpu::kPoolBinding, words + 3, 2), "") << "x of a leaf";
    EXPECT_NE(faultOf(gpu::kPoolBinding, words + 5, 64), "") << "shape of a leaf";
    const std::string id = faultOf(gpu::kPoolBinding, words + 6, 1);
    EXPECT_TRUE(id.starts_with("leaf turned the wrong way")) << id;
    const std::size_t field = tree_->readHeap().size() / 2;
    EXPECT_NE(faultOf(gpu::kTreeBinding, field + slot / 32, 1u << slot % 32), "") << "a missing bit";
    EXPECT_NE(faultOf(gpu::kLeavesBinding, leaves.size() / 2, leaves[3] ^ std::uint32_t(slot)), "") << "listed twice";
    EXPECT_NE(faultOf(gpu::kVisibleBinding, 4 * 5, 2), "")
        << "a drawn leaf that is not in the tree, and one in view that is not drawn";
    EXPECT_EQ(verdict().first, "");
}

using EarthChecksLong = EarthChecks;

TEST_F(EarthChecksLong, HeightsThatDependOnTheLeafAreACrack)
{
    const ShaderCopy copy;
    copy.replace("shaders/surface/drawn_leaf.glsl", "Lattice lattice) { return morphedHeight(",
                 "Lattice lattice) { return float(leaf.w & 1u) + morphedHeight(");
    ASSERT_NO_FATAL_FAILURE(start(1, 20'000, copy.root()));
    const std::string first = verdict().first;
    EXPECT_TRUE(first.starts_with("crack")) << first;
}

TEST_F(EarthChecks, TheLeafUnderAPointHoldsIt)
{
    ASSERT_NO_FATAL_FAILURE(start(1));
    const std::vector<leb::LeafId> ids = tree_->readIds();
    Random random(9);
    for (int i = 0; i < 60; ++i)
    {
        const bool near = i % 2 == 0;
        const Geodetic at{near ? 46.5 + 0.2 * random.unit() : 180 * random.unit() - 90,
                          near ? 8.0 + 0.2 * random.unit() : 360 * random.unit() - 180, 0};
        const FacePlace place = facePlaceOf(scaledDirectionOf(at.latitude, at.longitude));
        const CubePlace whole{place.face, std::int32_t(place.at.x), std::int32_t(place.at.y)};
        pick_->ask(*tree_, whole, 1);
        const std::optional<LeafAnswer> answer = pick_->poll(10'000'000'000);
        ASSERT_TRUE(answer);
        ASSERT_NE(std::ranges::find(ids, answer->id), ids.end()) << std::hex << answer->id;
        const leb::CubeTriangle t = leb::cornersOf(leb::leafOfId(answer->id));
        EXPECT_EQ(answer->depth, leb::depthOfId(answer->id));
        EXPECT_EQ(t.apex.face, whole.face);
        const auto side = [&](const CubePlace& a, const CubePlace& b) {
            return double(b.x - a.x) * double(whole.y - a.y) - double(b.y - a.y) * double(whole.x - a.x);
        };
        EXPECT_GE(std::min({side(t.apex, t.left), side(t.left, t.right), side(t.right, t.apex)}), 0.0);
        EXPECT_GT(answer->edgePixels, 0.0);
    }
}

// Programs of pixel measures compile for the Earth, with and without detail, multisampled or not.
TEST_F(EarthChecks, MeasuresOfPixelsCompile)
{
    for (const bool detail : {false, true})
    {
        ShaderLibrary library(OROGEN_ROOT, ShaderDialect{context_->info().glsl460});
        std::vector<ShaderDefine> choice = {{"@world", "earth"}, {"@heights", "tiles"}, {"OROGEN_POOL", "1"}};
        if (detail) choice.push_back({"OROGEN_DETAIL", "1"});
        library.choose(choice);
        EXPECT_TRUE(PixelTally::create(library, "measured error", "shaders/checks/error_measure.comp"));
        EXPECT_TRUE(PixelTally::create(library, "jump", "shaders/checks/jump_measure.comp"));
        library.add("drawn mesh", {"shaders/surface/drawn_mesh.comp"});
        const Status compiled = library.finish();
        EXPECT_TRUE(compiled) << library.log();
    }
}

}  // namespace
}  // namespace orogen::app::test
