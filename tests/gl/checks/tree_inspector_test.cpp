// The leaf under a point, and the triangulation from above, against a search through all leaves.
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "tests/gl/lod_oracle.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

constexpr std::uint64_t kPatience = 20'000'000'000;

class TreeInspectorTest : public RendererTest
{
protected:
    std::optional<LeafAnswer> leafAt(glm::dvec2 place)
    {
        const Status asked = renderer_->inspector().askLeaf(glm::dvec3(place, 0), ++question_);
        EXPECT_TRUE(asked) << asked.error().message;
        return renderer_->inspector().takeLeaf(kPatience);
    }

    std::uint64_t question_ = 0;
};

// Twice the area of the triangle a, b, (x, y) on the draw lattice; positive if counter-clockwise.
std::int64_t turn(leb::Point a, leb::Point b, std::int64_t x, std::int64_t y)
{
    const std::int64_t unit = 1 << gpu::kPatchBits;
    const std::int64_t ax = a.x * unit, ay = a.y * unit, bx = b.x * unit, by = b.y * unit;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

// Whether the point lies inside the leaf, or on its border.
bool contains(NodeId leaf, std::int64_t x, std::int64_t y)
{
    const leb::Triangle t = leb::vertices(leaf);
    const std::array<std::int64_t, 3> sides = {turn(t.apex, t.base0, x, y), turn(t.base0, t.base1, x, y),
                                               turn(t.base1, t.apex, x, y)};
    return std::ranges::all_of(sides, [](std::int64_t s) { return s >= 0; }) ||
           std::ranges::all_of(sides, [](std::int64_t s) { return s <= 0; });
}

TEST_F(TreeInspectorTest, TheLeafUnderAPointIsTheOneThatContainsIt)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    Settings settings = smallSettings();
    settings.terrain.heightScale = 1.5f;
    start(terrain, settings);
    const Camera camera{{120, -700, 500}, 10, -30, 60};
    settle(camera);
    const std::vector<std::uint32_t> leaves = tree().readLeaves();
    LodOracle errors(terrain, {0, 0}), edges(terrain, {0, 0});
    LodView view{.camera = camera, .width = 96, .height = 54, .patchLevel = settings.patch.level, .heightScale = 1.5f};
    edges.look(view);
    view.criterion = gpu::kCriterionError;
    errors.look(view);

    Random random(4);
    const double lattice = double(leb::kSide) * (1 << gpu::kPatchBits);
    int checked = 0;
    for (int i = 0; i < ::orogen::test::scaled(250, 5'000); ++i)
    {
        const glm::dvec2 part(random.unit(), random.unit());
        const std::optional<LeafAnswer> answer = leafAt((part - 0.5) * terrain.side());
        ASSERT_TRUE(answer);
        ASSERT_EQ(answer->question, question_);
        const auto x = std::int64_t(part.x * lattice), y = std::int64_t(part.y * lattice);
        std::vector<std::uint32_t> over;
        for (const std::uint32_t leaf : leaves)
            if (contains(leaf, x, y)) over.push_back(leaf);
        ASSERT_FALSE(over.empty());
        ASSERT_TRUE(std::ranges::find(over, NodeId(answer->id)) != over.end()) << "leaf " << NodeId(answer->id);
        EXPECT_EQ(answer->depth, depthOf(NodeId(answer->id)));
        const double edge = edges.ofLeaf(NodeId(answer->id)).high / (1 << settings.patch.level);
        EXPECT_NEAR(answer->edgePixels, edge, 1e-3 * edge);
        const MeasureRange error = errors.ofLeaf(NodeId(answer->id));
        if (!error.certain()) continue;
        EXPECT_NEAR(answer->errorPixels, error.high, 2e-3 * error.high + 1e-4);
        ++checked;
    }
    EXPECT_GT(checked, ::orogen::test::scaled(100, 2'000));
}

TEST_F(TreeInspectorTest, ATreeOfTwoLeavesHasThem)
{
    const TestTerrain terrain = hills(33, 17, 30.0, 30.0);
    start(terrain, smallSettings());
    EXPECT_EQ(leafAt({-300, -100})->id, 2u);
    EXPECT_EQ(leafAt({300, 100})->id, 3u);
    EXPECT_EQ(leafAt({-1e9, -1e9})->id, 2u);  // outside the square: its nearest corner
}

TEST_F(TreeInspectorTest, AskingChangesNeitherTreeNorPicture)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    start(terrain, smallSettings());
    const Camera camera{{120, -700, 500}, 10, -30, 60};
    settle(camera);
    frame(camera);
    const std::uint64_t picture = hashOf(this->picture().rgb);
    const std::vector<std::uint32_t> heap = tree().readHeap();
    ASSERT_TRUE(leafAt({10, 20}));
    ASSERT_TRUE(renderer_->inspector().drawTopView({{}, {-1024, 1024}, 32, 64}));
    EXPECT_EQ(tree().readHeap(), heap);
    frame(camera);
    EXPECT_EQ(hashOf(this->picture().rgb), picture);
    EXPECT_EQ(renderer_->stats().glErrors, 0u);
}

// In a leaf of many pixels, the middle pixel has the colour of its depth, up to shading.
TEST_F(TreeInspectorTest, FromAboveEachPixelHasTheColourOfItsLeaf)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0, 0.0);  // level ground: shading is 1
    start(terrain, smallSettings());
    settle({{120, -300, 300}, 10, -30, 60});
    const int side = 256;
    ASSERT_TRUE(renderer_->inspector().drawTopView(
        {{}, {-terrain.side() / 2, terrain.side() / 2}, terrain.side() / side, side}));
    std::vector<std::uint8_t> pixels(4 * side * side);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTextureImage(renderer_->inspector().topView(), 0, GL_RGBA, GL_UNSIGNED_BYTE, GLsizei(pixels.size()),
                      pixels.data());
    std::map<int, std::array<int, 3>> colourOf;
    int compared = 0;
    for (const std::uint32_t leaf : tree().readLeaves())
    {
        const int depth = depthOf(leaf);
        if (depth > 9) continue;  // a few pixels: lines only
        const leb::Triangle t = leb::vertices(leaf);
        const double x = double(t.apex.x + t.base0.x + t.base1.x) / (3.0 * leb::kSide);
        const double y = double(t.apex.y + t.base0.y + t.base1.y) / (3.0 * leb::kSide);
        const std::size_t at = 4 * (std::size_t((1 - y) * side) * side + std::size_t(x * side));
        const std::array<int, 3> found = {pixels[at], pixels[at + 1], pixels[at + 2]};
        const auto [known, isNew] = colourOf.try_emplace(depth, found);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(found[i], known->second[i], 2) << "leaf " << leaf << " of depth " << depth;
        ++compared;
    }
    EXPECT_GT(compared, 20);
    EXPECT_GE(colourOf.size(), 2u);
    std::set<std::array<int, 3>> different;
    for (const auto& [depth, colour] : colourOf)
        different.insert(colour);
    EXPECT_EQ(different.size(), colourOf.size());
}

}  // namespace
}  // namespace orogen::app::test
