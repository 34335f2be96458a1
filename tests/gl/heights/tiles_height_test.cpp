// Heights, errors and fades of a terrain in tiles as computed by the GPU.
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "app/render/tile_textures.h"
#include "app/render/tiled_heights.h"
#include "tests/gl/tiles_support.h"

namespace orogen::app::test {
namespace {

constexpr std::uint32_t kLatticeSide = 1u << kDrawLatticeBits;

// The height of a vertex for one camera, by the same rule on the CPU.
class SeamTwin
{
public:
    SeamTwin(const ChosenTiles& tiles, const Raster& raster, const TerrainGpu& terrain, const glm::dvec3& camera)
        : tiles_(tiles), place_(terrain.place(camera)), unit_(terrain.uniforms().squareSize.y)
    {
        const double side = std::max(raster.east(), raster.north());
        columns_ = SampleAxis::columns(raster.width, raster.east(), side);
        rows_ = SampleAxis::rows(raster.height, raster.north(), side);
        const double above = std::max(camera.z - double(raster.maxHeight), 0.0), reach = tiles.reach();
        above2_ = float(above * above);
        inverse_ = float(1.0 / (reach * reach));
        slope_ = float(1.0 / (1.0 - 0.75 * 0.75));
    }

    float height(const glm::ivec2& lattice) const
    {
        const SamplePlace column = columns_.at(std::uint32_t(lattice.x)), row = rows_.at(std::uint32_t(lattice.y));
        const float ratio = ratioAt(lattice);
        const int coarsest = tiles_.grid().levels() - 1;
        for (int level = std::min(shownLevel(ratio), coarsest);; ++level)
        {
            float weight = 1;
            const Tile* first = touching(column, row, level, weight);
            if (!first && level < coarsest) continue;
            const float height = in(*first, column, row, level);
            weight = std::min(weight, distanceWeight(ratio, level, slope_));
            if (weight >= 1 || level == coarsest) return height;
            const Tile* parent = tiles_.activeTile(first->key.parent());
            return between(in(*parent, column, row, level + 1), height, weight);
        }
    }

private:
    float ratioAt(const glm::ivec2& lattice) const
    {
        const float x = float(lattice.x - int(place_.cell.x)) * unit_ - place_.fraction.x;
        const float y = float(lattice.y - int(place_.cell.y)) * unit_ - place_.fraction.y;
        return (x * x + y * y + above2_) * inverse_;
    }
    const Tile* touching(SamplePlace column, SamplePlace row, int level, float& weight) const
    {
        const int x = firstCell(column, level, columns_.last).tile, y = firstCell(row, level, rows_.last).tile;
        const int right = onTileBorder(column, level) && x < lastTile(columns_.last, level);
        const int down = onTileBorder(row, level) && y < lastTile(rows_.last, level);
        const Tile* first = nullptr;
        for (int j = 0; j <= down; ++j)
            for (int i = 0; i <= right; ++i)
            {
                float own = 0;
                const Tile* tile = tiles_.activeTile({level, x + i, y + j}, &own);
                if (!tile) return nullptr;
                if (!first) first = tile;
                weight = std::min(weight, own);
            }
        return first;
    }
    float in(const Tile& tile, SamplePlace column, SamplePlace row, int level) const
    {
        return heightInCell(tile.heights.data(), firstCell(column, level, columns_.last),
                            firstCell(row, level, rows_.last));
    }

    const ChosenTiles& tiles_;
    LatticePoint place_;
    float unit_, above2_, inverse_, slope_;
    SampleAxis columns_, rows_;
};

class TilesHeight : public TilesTest
{
protected:
    // dataHeight() of points of the draw lattice, with the bindings of the last frame.
    std::vector<float> heights(const std::vector<glm::ivec2>& points)
    {
        const ShaderCopy copy;
        copy.write("shaders/heights.comp", R"(
#include "shaders/frame.glsl"
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Points { ivec2 points[]; };
layout(std430, binding = 1) writeonly buffer Heights { float heights[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
#include "shaders/surface/surface_plane.glsl"
#include "shaders/heights/heights.glsl"
void main() { heights[gl_WorkGroupID.x] = dataHeight(points[gl_WorkGroupID.x]); }
)");
        ShaderLibrary library(copy.root(), {context_->info().glsl460});
        library.choose({{"@heights", "tiles"}});
        const ProgramHandle program = library.add("heights", {"shaders/heights.comp"});
        const Status compiled = library.finish();
        EXPECT_TRUE(compiled) << library.log();
        Result<Buffer> in = makeBuffer("points", 8 * points.size(), 0, points.data());
        Result<Buffer> out = makeBuffer("heights", 4 * points.size());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in->id());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out->id());
        glUseProgram(library.program(program));
        glDispatchCompute(GLuint(points.size()), 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        std::vector<float> made(points.size());
        glGetNamedBufferSubData(out->id(), 0, GLsizeiptr(4 * made.size()), made.data());
        return made;
    }

    // Random points, and points on the borders of tiles of all levels, where several tiles touch.
    std::vector<glm::ivec2> somePoints(Random& random, int count) const
    {
        std::vector<glm::ivec2> points;
        const double side = std::max(raster_.east(), raster_.north());
        for (int i = 0; i < count; ++i)
        {
            glm::dvec2 metres((random.unit() - 0.5) * side, (random.unit() - 0.5) * side);
            const double step = 30.0 * kTileCells * (1 << random.below(3));
            if (random.chance(1, 2))
                metres.x = std::round((metres.x + raster_.east() / 2) / step) * step - raster_.east() / 2;
            if (random.chance(1, 2))
                metres.y = raster_.north() / 2 - std::round((raster_.north() / 2 - metres.y) / step) * step;
            const glm::dvec2 at = (metres / side + 0.5) * double(kLatticeSide);
            points.push_back(glm::clamp(glm::ivec2(glm::round(at)), 0, int(kLatticeSide)));
        }
        return points;
    }
};

TEST_F(TilesHeight, IsThatOfTheTwinOnTheCpuBitForBit)
{
    // A power of two plus one: lattice points lie on tile borders.
    ASSERT_NO_FATAL_FAILURE(startChosen(513, 385, 1500.0, smallSettings()));
    Random random(3);
    std::size_t different = 0, blended = 0;
    for (int scene = 0; scene < 4; ++scene)
    {
        tiles_->chooseAtRandom(random, 70);
        const Camera camera = over(random.unit() - 0.5, random.unit() - 0.5, scene == 0 ? -100 : 3000 * random.unit());
        frame(camera);
        const std::vector<glm::ivec2> points = somePoints(random, 2000);
        const std::vector<float> made = heights(points);
        const SeamTwin twin(*tiles_, raster_, renderer_->terrain(), camera.position);
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            const float wanted = twin.height(points[i]);
            different += std::bit_cast<std::uint32_t>(made[i]) != std::bit_cast<std::uint32_t>(wanted);
            blended += wanted != std::round(wanted);
        }
    }
    EXPECT_EQ(different, 0u);
    EXPECT_GT(blended, 1000u);
}

double samples(const SamplePlace& place) { return place.whole + double(place.part); }

TEST(TilePlace, OfTheSquaresCornersAreTheRastersWhereItFillsTheSquare)
{
    const SampleAxis columns = SampleAxis::columns(131'072, 131'071 * 30.0, 131'071 * 30.0);
    const SampleAxis rows = SampleAxis::rows(131'072, 131'071 * 30.0, 131'071 * 30.0);
    EXPECT_EQ(columns.at(0).whole, 0);
    EXPECT_NEAR(samples(columns.at(kLatticeSide)), 131'071, 1e-4);
    EXPECT_NEAR(samples(rows.at(0)), 131'071, 1e-4);
    EXPECT_EQ(rows.at(kLatticeSide).whole, 0);
    const double middle = samples(columns.at(kLatticeSide / 2));
    EXPECT_NEAR(middle, 131'071 / 2.0, 1e-4);
}

TEST(TilePlace, LevelsFollowTheDistanceAndTheirWeightsFallToNothingAtTheirReach)
{
    EXPECT_EQ(shownLevel(0.0f), 0);
    EXPECT_EQ(shownLevel(0.999f), 0);
    EXPECT_EQ(shownLevel(1.0f), 1);  // at the reach of level 0
    EXPECT_EQ(shownLevel(3.99f), 1);
    EXPECT_EQ(shownLevel(4.0f), 2);
    const float slope = 1.0f / (1.0f - 0.75f * 0.75f);
    EXPECT_NEAR(distanceWeight(0.999999f, 0, slope), 0.0f, 1e-5f) << "just within";
    EXPECT_EQ(distanceWeight(1.0f, 0, slope), 0.0f);
    EXPECT_EQ(distanceWeight(1.0f, 1, slope), 1.0f) << "the next one takes over whole";
    EXPECT_EQ(distanceWeight(0.5f, 0, slope), 1.0f);
}

TEST(TileTable, FindsEveryTileAndItsParentAndTakesTheWorstOfNeighboursForTheirError)
{
    const TileGrid grid(4097, 2049);
    std::vector<ActiveTile> active;
    int slot = 0;
    for (int level = grid.levels() - 1; level >= 0; --level)
        for (int y = 0; y < grid.rows(level); ++y)
            for (int x = 0; x < grid.columns(level); ++x)
                if (level > 0 || (x + y) % 3 != 0)
                    active.push_back(
                        {{level, x, y}, slot++, 1.0f, {0, 9, level == 0 && x == 5 && y == 6 ? 7.0f : float(level)}});
    TileTable table(slot, grid);
    const std::vector<float> bases(std::size_t(slot), -4.0f);
    EXPECT_TRUE(table.set(active, bases));
    for (const ActiveTile& tile : active)
    {
        const int place = table.find(tile.key);
        ASSERT_GE(place, 0);
        const glm::uvec4 entry = table.texels()[2 * std::size_t(place)];
        EXPECT_EQ(int(entry.z), tile.slot);
        const int parent = table.find(tile.key.parent());
        const glm::uvec4 above = parent >= 0 ? table.texels()[2 * std::size_t(parent)] : entry;
        EXPECT_EQ(entry.w, above.z);
    }
    EXPECT_EQ(table.find({0, 0, 0}), -1);
    const auto errorOf = [&](TileKey key) {
        return std::bit_cast<float>(table.texels()[2 * std::size_t(table.find(key)) + 1].w);
    };
    EXPECT_EQ(std::bit_cast<float>(table.texels()[2 * std::size_t(table.find({1, 1, 1})) + 1].y), 2.0f) << "its own";
    EXPECT_EQ(errorOf({0, 4, 6}), 14.0f) << "beside the worst tile";
    EXPECT_EQ(errorOf({0, 1, 0}), 2.0f) << "beside one that is not there: its parent's";
    EXPECT_FALSE(table.set(active, bases));
    EXPECT_EQ(table.firstChanged(), table.height()) << "nothing to send";
    active.back().weight = 0.5f;
    EXPECT_FALSE(table.set(active, bases)) << "a weight alone";
    EXPECT_EQ(table.endOfChanged(), table.firstChanged() + 1);
}

TEST(TileStaging, CellsBoundTheirSamplesAndMipmapsTheirCells)
{
    Tile tile;
    for (int i = 0; i < kTileSide * kTileSide; ++i)
        tile.heights.push_back(1000.0f + 300.0f * noiseAt(0, i, 1));
    std::vector<std::byte> out(8 * 341);
    writeCells(tile, 1000.0f, out.data());
    const auto at = [&](int level, int x, int y, int channel) {
        std::uint16_t half = 0;
        const std::size_t texel =
            (StagedTile::cellOffset(level) - StagedTile::kCells) / 8 + std::size_t(y * StagedTile::cellSide(level) + x);
        std::memcpy(&half, out.data() + 8 * texel + 2 * std::size_t(channel), 2);
        return glm::unpackHalf1x16(half);
    };
    for (int level = 0; level < StagedTile::kCellLevels; ++level)
        for (int r = 0; r < kTileSide; ++r)
            for (int c = 0; c < kTileSide; ++c)
            {
                const int x = std::min(c >> (3 + level), StagedTile::cellSide(level) - 1);
                const int y = std::min(r >> (3 + level), StagedTile::cellSide(level) - 1);
                const float height = tile.heights[std::size_t(r * kTileSide + c)] - 1000.0f;
                ASSERT_LE(at(level, x, y, 1), height);
                ASSERT_GE(at(level, x, y, 2), height);
            }
    float most = 0;
    for (int r = 0; r < kTileCells; r += 2)
        for (int c = 0; c < kTileCells; c += 2)
        {
            float low = 1e9f, high = -1e9f;
            for (int i = 0; i < 9; ++i)
            {
                const float height = tile.heights[std::size_t((r + i / 3) * kTileSide + c + i % 3)];
                low = std::min(low, height), high = std::max(high, height);
            }
            ASSERT_GE(at(0, c / kRangeCell, r / kRangeCell, 0), high - low);
            most = std::max(most, high - low);
        }
    EXPECT_NEAR(at(4, 0, 0, 0), most, 0.001f * most);
    EXPECT_LT(at(4, 0, 0, 2), 301.0f);
}

// Files may contain any bounds: invalid bounds cover everything, and staging them must terminate quickly.
TEST(TileStaging, CellsEndWhateverTheirBase)
{
    Tile tile;
    tile.heights.assign(std::size_t(kTileSide) * kTileSide, 100.0f);
    std::vector<std::byte> out(8 * 341);
    for (const float base : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(), 3e38f, -3e38f, 1e7f, 0.0f, 100.0f})
    {
        writeCells(tile, base, out.data());
        std::array<std::uint16_t, 4> texel{};
        std::memcpy(texel.data(), out.data(), sizeof texel);
        const float lowest = glm::unpackHalf1x16(texel[1]), highest = glm::unpackHalf1x16(texel[2]);
        EXPECT_FALSE(lowest > 100.0f - base) << base;
        EXPECT_FALSE(highest < 100.0f - base) << base;
        EXPECT_FALSE(std::isnan(lowest) || std::isnan(highest)) << base;
    }
}

}  // namespace
}  // namespace orogen::app::test
