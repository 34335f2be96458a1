// The seam rule: for any resident tiles, no two triangles disagree on a vertex.
#include <cstring>

#include <fmt/format.h>

#include "tests/gl/tiles_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

// Lists every drawn point of every leaf, with its drawn height.
constexpr const char* kPoints = R"(
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kFlagsBinding) writeonly buffer PointsBlock { uvec4 points[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface_plane.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"
void main()
{
    uint number = leafNumber();
    if (number >= state.leaves) return;
    uvec4 leaf = drawnLeaf(lebVertices(leaves[number]), lebDepth(leaves[number]), number);
    int side = 1 << frame.patchLevel;
    uint at = number * uint((side + 1) * (side + 2) / 2);
    for (int y = 0; y <= side; ++y)
        for (int x = 0; x + y <= side; ++x)
        {
            ivec2 lattice = drawnLattice(leaf, ivec2(x, y));
            points[at++] = uvec4(uvec2(lattice), floatBitsToUint(drawnVertexHeight(leaf, lattice)), 0u);
        }
}
)";

struct Points
{
    std::size_t distinct = 0, torn = 0;
};

class TilesSeam : public TilesTest
{
protected:
    TilesSeam() { write(copy_); }
    static void write(const ShaderCopy& copy) { copy.write("shaders/points.comp", kPoints); }

    // Disables the rule: every leaf takes the finest tile that contains its own middle.
    static void makeNaive(const ShaderCopy& copy)
    {
        const std::string world = "shaders/heights/heights_tiles_plane.glsl";
        copy.replace(world, "TileEntry touchingTiles(Lattice point, int level, out float weight)\n{\n",
                     R"(Lattice leafMiddle;
TileEntry touchingTiles(Lattice point, int level, out float weight)
{
    TileEntry own = findTile(level, firstCell(latticePlace(leafMiddle), level).tile, 0);
    weight = own.slot >= 0 ? tileFacts(own).x : 0.0;
    return own;
)");
        const std::string file = "shaders/heights/heights_tiles.glsl";
        std::string text = copy.text(file);
        // uses the place in the middle's tile, not in its own
        const std::string own = "firstCell(place, level))";
        for (std::size_t at; (at = text.find("heightInSlot(entry.slot, " + own)) != std::string::npos;)
            text.replace(at, std::string("heightInSlot(entry.slot, " + own).size(),
                         "heightInSlot(entry.slot, naiveCell(place, level))");
        const std::string other = "heightInSlot(entry.parent, firstCell(place, level + 1))";
        const std::size_t parent = text.find(other);
        ASSERT_NE(parent, std::string::npos);
        text.replace(parent, other.size(), "heightInSlot(entry.parent, naiveCell(place, level + 1))");
        copy.write(file, text);
        text = copy.text(world);
        const std::string declared = "Lattice leafMiddle;\n";
        text.insert(text.find(declared) + declared.size(), R"(TileCell naiveCell(SamplePlace place, int level)
{
    TileCell c = firstCell(place, level);
    ivec2 tile = firstCell(latticePlace(leafMiddle), level).tile;
    c.cell = clamp(c.cell + (c.tile - tile) * 128, ivec2(0), ivec2(127));
    c.tile = tile;
    return c;
}
)");
        copy.write(world, text);
        copy.replace("shaders/surface/drawn_leaf.glsl", "{ return morphedHeight(", R"({
#ifdef OROGEN_HEIGHTS_TILES_GLSL
    ivec2 apex = unpackCorner(leaf.x), base0 = unpackCorner(leaf.y), base1 = unpackCorner(leaf.z);
    leafMiddle = (2 * apex + base0 + base1) * (1 << int(kPatchBits)) / 4;
#endif
    return morphedHeight()");
    }

    Points points()
    {
        ShaderLibrary library(copy_.root(), {context_->info().glsl460});
        library.choose({{"@heights", "tiles"}});
        const ProgramHandle program = library.add("points", {"shaders/points.comp"});
        const Status compiled = library.finish();
        EXPECT_TRUE(compiled) << library.log();
        const int side = 1 << renderer_->settings().patch.level;
        const std::size_t count = tree().readState().leaves * std::size_t((side + 1) * (side + 2) / 2);
        Result<Buffer> buffer = makeBuffer("points", 16 * count);
        tree().bindForChecks();
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kFlagsBinding, buffer->id());
        glUseProgram(library.program(program));
        tree().dispatchOverLeaves();
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        std::vector<glm::uvec4> all(count);
        glGetNamedBufferSubData(buffer->id(), 0, GLsizeiptr(16 * count), all.data());
        tree().bindForChecks();
        return compared(all);
    }

    static Points compared(std::vector<glm::uvec4>& all)
    {
        std::ranges::sort(all, {}, [](const glm::uvec4& p) { return std::uint64_t(p.x) << 32 | p.y; });
        Points points;
        for (std::size_t i = 0; i < all.size();)
        {
            std::size_t j = i;
            bool torn = false;
            for (; j < all.size() && all[j].x == all[i].x && all[j].y == all[i].y; ++j)
                torn |= all[j].z != all[i].z;
            ++points.distinct;
            points.torn += torn;
            i = j;
        }
        return points;
    }

    // Tries trees of some thousand leaves with several cameras and residencies; returns torn vertices and faults.
    std::pair<Points, std::uint64_t> tryAll(int scenes, LodCriterion criterion)
    {
        Points all;
        std::uint64_t faults = 0;
        Random random(7);
        Settings settings = smallSettings();
        settings.lod.criterion = criterion;
        settings.lod.errorPixels = 2;
        settings.lod.splitPixels = 16;
        settings.lod.mergePixels = 7;
        settings.render.msaa = 1;
        startChosen(700, 520, 2500.0, settings, copy_.root());
        if (HasFatalFailure()) return {};
        for (int scene = 0; scene < scenes; ++scene)
        {
            tiles_->chooseAtRandom(random, 55 + 10 * std::uint32_t(scene % 4));
            const Camera camera =
                over(random.unit() - 0.5, random.unit() - 0.5, 20 + 2000 * random.unit(), 360 * random.unit());
            for (int i = 0; i < 6; ++i)
                frame(camera);
            const Points now = points();
            all.distinct += now.distinct;
            all.torn += now.torn;
            const Result<MeshVerdict> verdict = renderer_->checks().validateNow();
            EXPECT_TRUE(verdict);
            if (verdict) faults += verdict->faults;
        }
        return {all, faults};
    }

    ShaderCopy copy_;
};

using TilesSeamThorough = TilesSeam;

TEST_F(TilesSeamThorough, NoVertexIsTornWhateverIsResident)
{
    const auto [points, faults] = tryAll(scaled(4, 60), LodCriterion::kEdge);
    EXPECT_GT(points.distinct, 1000u);
    RecordProperty("vertices", int(points.distinct));
    EXPECT_EQ(points.torn, 0u);
    EXPECT_EQ(faults, 0u);
}

using TilesSeamLong = TilesSeam;

TEST_F(TilesSeamLong, NoVertexIsTornWhereErrorsDecide)
{
    const auto [points, faults] = tryAll(scaled(2, 40), LodCriterion::kError);
    EXPECT_GT(points.distinct, 1000u);
    EXPECT_EQ(points.torn, 0u);
    EXPECT_EQ(faults, 0u);
}

TEST_F(TilesSeamThorough, TheRuleOfTheOwnMiddleTearsVertices)
{
    ASSERT_NO_FATAL_FAILURE(makeNaive(copy_));
    const auto [points, faults] = tryAll(2, LodCriterion::kEdge);
    EXPECT_GT(points.torn, 20u);
    EXPECT_GT(faults, 0u);
}

}  // namespace
}  // namespace orogen::app::test
