// Measures of level of detail on the Earth, and the ground with detail: equal from every face.
#include <array>
#include <cstring>

#include "core/terrain/detail/detail.h"
#include "tests/gl/earth_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

constexpr const char* kMeasures = R"(
#include "shaders/frame.glsl"
layout(local_size_x = 32) in;
struct Base { ivec4 p, q; };
layout(std430, binding = 0) readonly buffer BasesBlock { Base bases[]; };
layout(std430, binding = 1) writeonly buffer OutBlock { vec4 measures[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/lod/lod.glsl"
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= uint(bases.length())) return;
    Lattice p = bases[i].p.xyz, q = bases[i].q.xyz;
    measures[2u * i] = vec4(edgeMeasure(p, q), errorPixels(p, q), groundHeight(latticeMiddle(p, q)));
    uint units = longerSide(p, q);
    float end = lodHeight(lodBase(p, q).low, units);
    float endOfData = max(edgeHeight(lodBase(p, q).low, int(units)), seaLevel()) * terrain.pixelSize.z;
    measures[2u * i + 1u] = vec4(dataHeight(latticeMiddle(p, q)), end, endOfData, 0.0);
}
)";

struct Base
{
    glm::ivec4 p, q;
};
struct Measures
{
    float edge, distance, error, ground, data, end, endOfData, unused;
};

glm::ivec4 wordsOf(const CubePlace& place) { return {place.x, place.y, place.face, 0}; }

class EarthMeasures : public EarthTest
{
protected:
    EarthMeasures() { copy_.write("shaders/measures.comp", kMeasures); }

    // A base on an edge of the cube, given on one of its faces.
    static std::array<CubePlace, 2> baseOnEdge(Random& random)
    {
        const unsigned bits = 12 + random.below(17);
        const std::int32_t from = std::int32_t(random.below((1u << (30 - bits)))) << bits, to = from + (1 << bits);
        const std::int32_t side = random.chance(1, 2) ? 0 : kCubeSide;
        const int face = int(random.below(6));
        return random.chance(1, 2) ? std::array<CubePlace, 2>{CubePlace{face, from, side}, CubePlace{face, to, side}}
                                   : std::array<CubePlace, 2>{CubePlace{face, side, from}, CubePlace{face, side, to}};
    }
    static int otherFace(const std::array<CubePlace, 2>& base)
    {
        for (int face = 0; face < kCubeFaces; ++face)
            if (face != base[0].face && isOnFace(cubePoint(base[0]), face) && isOnFace(cubePoint(base[1]), face))
                return face;
        ADD_FAILURE() << "no other face";
        return 0;
    }
    void withDetail(int levels)
    {
        gpu::DetailUniforms detail = detailUniforms(1e7, 1e7 / (128 << (levels - 1)), 1.2);
        detail.octaves.y = gpu::uint(23 - (levels - 1)) + 2u;
        Result<Buffer> buffer = makeBuffer("detail", sizeof detail, 0, &detail);
        ASSERT_TRUE(buffer);
        detail_ = std::move(*buffer);
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kDetailBinding, detail_.id());
    }

    ShaderCopy copy_;
    Buffer detail_;
};

TEST_F(EarthMeasures, OfABaseOnAnEdgeOfTheCubeAreThoseOfBothFacesBitForBit)
{
    const Pass pass = compile(copy_, "shaders/measures.comp", {{"OROGEN_DETAIL", "1"}});
    Random random(31);
    std::size_t different = 0, rough = 0, detailed = 0, all = 0;
    for (int scene = 0; scene < scaled(2, 40); ++scene)
    {
        const int levels = 6;
        withDetail(levels);
        look(above(90 * random.unit() - 45, 45 + 90 * int(random.below(4)), 4500 + 1e6 * random.unit()));
        show(std::make_shared<SomeEarthTiles>(levels, 3e5, random, camera_.position, 90));
        std::vector<Base> bases;
        for (int i = 0; i < 1000; ++i)
        {
            const auto base = baseOnEdge(random);
            const int other = otherFace(base);
            const CubePlace p = placeOnFace(cubePoint(base[0]), other), q = placeOnFace(cubePoint(base[1]), other);
            bases.push_back({wordsOf(base[0]), wordsOf(base[1])});
            bases.push_back({wordsOf(q), wordsOf(p)});
        }
        const auto made = run<Base, Measures>(pass, bases, bases.size(), bases.size() / 32 + 1);
        for (std::size_t i = 0; i < made.size(); i += 2)
        {
            ++all;
            different += std::memcmp(&made[i], &made[i + 1], sizeof(Measures)) != 0;
            rough += made[i].ground != std::max(made[i].data, 0.0f);
            detailed += made[i].end != made[i].endOfData;
            EXPECT_GE(made[i].ground, 0.0f) << "below the sea";
        }
    }
    EXPECT_EQ(different, 0u) << "of " << all;
    EXPECT_GT(rough, all / 20) << "made relief is there";
    EXPECT_GT(detailed, all / 20) << "edges end on made relief";
}

}  // namespace
}  // namespace orogen::app::test
