// The seam rule on the cube: for any resident tiles, no two triangles disagree on a vertex, on any faces.
#include <cstring>

#include "app/gl/objects.h"
#include "tests/gl/earth_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

// Lists every drawn point of every leaf: its cube point, and its drawn position.
constexpr const char* kPoints = R"(
#include "shaders/frame.glsl"
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer LeavesBlock { uvec4 leaves[]; };
layout(std430, binding = 1) writeonly buffer PointsBlock { uvec4 points[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
struct { float morphPixels; } state = { 8.0 };
#include "shaders/surface/drawn_leaf.glsl"
void main()
{
    uint number = gl_GlobalInvocationID.x;
    if (number >= uint(leaves.length())) return;
    uvec4 leaf = leaves[number];
    int side = 1 << frame.patchLevel;
    uint at = 2u * number * uint((side + 1) * (side + 2) / 2);
    for (int y = 0; y <= side; ++y)
        for (int x = 0; x + y <= side; ++x)
        {
            Lattice lattice = drawnLattice(leaf, ivec2(x, y));
            float height = drawnVertexHeight(leaf, lattice);
            vec3 relative = surfaceRelative(lattice, height);
            points[at++] = uvec4(uvec3(cubePoint(lattice)), floatBitsToUint(height));
            points[at++] = uvec4(floatBitsToUint(relative), floatBitsToUint(dataHeight(lattice)));
        }
}
)";

struct Point
{
    glm::uvec4 cubeAndHeight, place;
};

struct Points
{
    std::size_t distinct = 0, shared = 0, torn = 0, onEdges = 0;
    Points& operator+=(const Points& p)
    {
        distinct += p.distinct;
        shared += p.shared;
        torn += p.torn;
        onEdges += p.onEdges;
        return *this;
    }
};

bool isOnEdge(const glm::ivec3& p)
{
    int sides = 0;
    for (int axis = 0; axis < 3; ++axis)
        sides += std::abs(p[axis]) == kCubeSide / 2;
    return sides > 1;
}

Points compared(std::vector<Point>& all)
{
    const auto key = [](const Point& p) { return std::array{p.cubeAndHeight.x, p.cubeAndHeight.y, p.cubeAndHeight.z}; };
    std::ranges::sort(all, {}, key);
    Points points;
    for (std::size_t i = 0; i < all.size();)
    {
        std::size_t j = i;
        bool torn = false;
        for (; j < all.size() && key(all[j]) == key(all[i]); ++j)
            torn |= std::memcmp(&all[j], &all[i], sizeof(Point)) != 0;
        ++points.distinct;
        points.shared += j > i + 1;
        points.torn += torn;
        points.onEdges += isOnEdge(glm::ivec3(glm::uvec3(all[i].cubeAndHeight)));
        i = j;
    }
    return points;
}

// Places at corners of the cube, poles, the date line, edges and elsewhere; heights from 2 m to orbit.
Camera sceneCamera(int scene, Random& random)
{
    const double corner = 35.2643897;  // latitude of the cube's corners on a sphere: close enough
    const double places[][2] = {{corner, 45}, {90, 0},     {-corner, 135}, {12, 180}, {-90, 0},      {corner, -45},
                                {0, 45},      {-40, -180}, {corner, -135}, {30, -45}, {-corner, 45}, {0, 0}};
    const double heights[] = {3e6, 4e5, 6e4, 1.2e7, 6000, 4500};
    const auto& at = places[scene % 12];
    const bool anywhere = scene >= 12 && scene % 3 == 0;
    const double latitude = anywhere ? 180 * random.unit() - 90 : at[0] + 0.2 * (random.unit() - 0.5);
    return Camera{
        earthFixed({std::clamp(latitude, -90.0, 90.0), anywhere ? 360 * random.unit() : at[1], heights[scene % 6]}),
        360 * random.unit(), -70 + 40 * random.unit()};
}

class EarthSeam : public EarthTest
{
protected:
    EarthSeam() { copy_.write("shaders/points.comp", kPoints); }

    // Disables the rule: every leaf takes the finest tile that contains its own middle.
    void makeNaive() const
    {
        copy_.replace("shaders/heights/heights_tiles_earth.glsl",
                      "TileEntry touchingTiles(Lattice point, int level, out float weight)\n{\n",
                      R"(Lattice leafMiddle;
TileEntry touchingTiles(Lattice point, int level, out float weight)
{
    SamplePlace middle = latticePlace(leafMiddle);
    TileEntry own = findTile(level, firstCell(middle, level).tile, middle.face);
    weight = own.slot >= 0 ? tileFacts(own).x : 0.0;
    return own;
)");
        copy_.replace("shaders/heights/heights_tiles.glsl", "return latticePlace(canonicalPlace(point)); }",
                      "return latticePlace(point); }");
        copy_.replace("shaders/surface/drawn_leaf.glsl", "{ return morphedHeight(", R"({
    CubeLeaf own;
    own.apex = ivec2(leaf.xy);
    own.shape = leaf.z;
    leafMiddle = ivec3((cubeLeft(own) - own.apex) / 4 + (cubeRight(own) - own.apex) / 4 + own.apex, cubeLeafFace(leaf.z));
    return morphedHeight()");
    }

    // Leaves that are small near the camera.  They need not conform, since the rule depends on places alone.
    static std::vector<EarthLeaf> leavesFor(const Camera& camera, double pixels)
    {
        return refined(44, [&](const EarthLeaf& leaf) {
            const double base = 1.42e7 * std::exp2(-0.5 * (leaf.z & 63u));
            return (leaf.z & 63u) < 6 || base / std::max(glm::distance(middleOf(leaf), camera.position), 1.0) > pixels;
        });
    }

    Points tryAll(int scenes, gpu::uint criterion)
    {
        Points all;
        Random random(11);
        const Pass pass = compile(copy_, "shaders/points.comp");
        frame_.criterion = criterion;
        const std::size_t perLeaf = std::size_t((1 << frame_.patchLevel) + 1) * ((1 << frame_.patchLevel) + 2) / 2;
        for (int scene = 0; scene < scenes && !HasFatalFailure(); ++scene)
        {
            const Camera camera = sceneCamera(scene, random);
            const double height = std::max(geodeticOf(camera.position).height, 1e4);
            look(camera);
            auto tiles = std::make_shared<SomeEarthTiles>(6 + scene % 5, height / 2, random, camera.position, 110);
            show(tiles);
            const std::vector<EarthLeaf> leaves = leavesFor(camera, longTests() ? 0.1 : 0.4);
            std::vector<Point> points =
                run<EarthLeaf, Point>(pass, leaves, leaves.size() * perLeaf, leaves.size() / 32 + 1);
            all += compared(points);
        }
        return all;
    }
    static bool longTests() { return orogen::test::longTests(); }

    ShaderCopy copy_;
};

TEST_F(EarthSeam, NoVertexIsTornWhateverIsResident)
{
    const Points points = tryAll(scaled(12, 60), gpu::kCriterionEdge);
    RecordProperty("vertices", int(points.distinct));
    EXPECT_GT(points.shared, 10'000u);
    EXPECT_GT(points.onEdges, 300u);
    EXPECT_EQ(points.torn, 0u) << "of " << points.distinct;
}

TEST_F(EarthSeam, NoVertexIsTornWhereErrorsDecide)
{
    const Points points = tryAll(scaled(6, 36), gpu::kCriterionError);
    EXPECT_GT(points.onEdges, 100u);
    EXPECT_EQ(points.torn, 0u) << "of " << points.distinct;
}

TEST_F(EarthSeam, TheRuleOfTheOwnMiddleTearsVertices)
{
    makeNaive();
    const Points points = tryAll(2, gpu::kCriterionEdge);
    EXPECT_GT(points.torn, 100u) << "of " << points.distinct;
}

}  // namespace
}  // namespace orogen::app::test
