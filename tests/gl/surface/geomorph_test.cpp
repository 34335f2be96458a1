// Drawn positions of vertices: compares the shader with a double-precision version that finds a vertex's edge by
// bisecting the square.  Also checks that vertices enter on that edge.
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/leb/leb.h"
#include "tests/gl/lod_oracle.h"
#include "tests/gl/lod_support.h"

namespace orogen::app::test {
namespace {

using leb::Point;

constexpr double kSide = double(leb::kDrawSide);
constexpr int kDeepestLeaf = 30;

// Corners in units of the draw lattice.
struct Bisector
{
    glm::dvec2 apex, base0, base1;
    int depth = 1;
    glm::dvec2 middle() const { return (base0 + base1) / 2.0; }
    glm::dvec2 inside() const { return (apex + base0 + base1) / 3.0; }
    bool contains(glm::dvec2 p) const
    {
        const auto turn = [](glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
            return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        };
        const double a = turn(apex, base0, p), b = turn(base0, base1, p), c = turn(base1, apex, p);
        return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
    }
    Bisector child(int which) const
    {
        return which == 0 ? Bisector{middle(), base0, apex, depth + 1} : Bisector{middle(), apex, base1, depth + 1};
    }
};

constexpr Bisector kHalves[2] = {{{0, 0}, {0, kSide}, {kSide, 0}}, {{kSide, kSide}, {kSide, 0}, {0, kSide}}};

// The first bisector with the point in the middle of its base; empty for the square's corners.
std::optional<Bisector> split(glm::dvec2 point)
{
    Bisector b = kHalves[kHalves[0].contains(point) ? 0 : 1];
    while (b.middle() != point)
    {
        if (b.depth > 42) return std::nullopt;
        b = b.child(b.child(0).contains(point) ? 0 : 1);
    }
    return b;
}

class MorphOracle
{
public:
    MorphOracle(const TestTerrain& terrain, const LodView& view, double beginPixels)
        : terrain_(terrain), view_(view), begin_(beginPixels),
          focal_(view.height / (2.0 * std::tan(view.camera.fov * std::numbers::pi / 360.0))), measures_(terrain, {0, 0})
    {
        measures_.look(view);
    }

    glm::dvec2 world(glm::dvec2 p) const { return (p / kSide - 0.5) * terrain_.side(); }
    glm::dvec3 ground(glm::dvec2 p) const
    {
        const glm::dvec2 w = world(p), half(terrain_.raster.east() / 2, terrain_.raster.north() / 2);
        const glm::dvec2 inside = glm::clamp(w, -half, half);
        return {w, heightAt(terrain_.field, inside.x, inside.y) * double(view_.heightScale)};
    }
    double weight(glm::dvec2 p) const
    {
        const std::optional<Bisector> b = split(p);
        if (!b) return 1;
        if (view_.criterion == gpu::kCriterionError) return std::clamp((byError(*b) / begin_ - 1) * 18, 0.0, 1.0);
        return std::clamp((byEdge(p, *b) / begin_ - 1) / (std::numbers::sqrt2 - 1), 0.0, 1.0);
    }
    // The leaf whose patch's split has its middle here may be smaller than leaves can be.
    bool ofALeaf(glm::dvec2 p) const
    {
        const std::optional<Bisector> b = split(p);
        return !b || b->depth - 2 * view_.patchLevel <= kDeepestLeaf;
    }
    double height(glm::dvec2 p) const
    {
        // By the criterion `edge` the ends of a vertex's base may glide, too.
        return glided(p, view_.criterion == gpu::kCriterionEdge ? 2 : 1);
    }
    // The measure of a base that the criterion `edge` compares with its threshold.
    double edgePixels(glm::dvec2 p, glm::dvec2 q) const
    {
        const glm::dvec3 a = ground(p), b = ground(q), eye = view_.camera.position;
        const double t = std::clamp(glm::dot(eye - a, b - a) / glm::dot(b - a, b - a), 0.0, 1.0);
        return glm::distance(a, b) * focal_ / glm::distance(eye, a + t * (b - a));
    }

private:
    // The height of a vertex; ends of its base glide where `levels` is more than 1.
    double glided(glm::dvec2 p, int levels) const
    {
        const std::optional<Bisector> b = levels > 0 ? split(p) : std::nullopt;
        if (!b) return ground(p).z;
        const double edge = (glided(b->base0, levels - 1) + glided(b->base1, levels - 1)) / 2, w = weight(p);
        return edge * (1 - w) + ground(p).z * w;
    }
    double byEdge(glm::dvec2 p, const Bisector& b) const
    {
        const double length = glm::distance(world(b.base0), world(b.base1));
        const double away = glm::distance(ground(p), view_.camera.position);
        return length * focal_ / (away + length * double(1 << view_.patchLevel));
    }
    // The measure of the leaf whose split inserts the vertex: a patch is finer by two depths a level.
    double byError(const Bisector& inserted) const
    {
        const int depth = inserted.depth - 2 * view_.patchLevel;
        if (depth < 1) return 1e30;
        Bisector leaf = kHalves[kHalves[0].contains(inserted.inside()) ? 0 : 1];
        while (leaf.depth < depth)
            leaf = leaf.child(leaf.child(0).contains(inserted.inside()) ? 0 : 1);
        const auto point = [](glm::dvec2 p) {
            return Point{std::uint32_t(p.x) >> gpu::kPatchBits, std::uint32_t(p.y) >> gpu::kPatchBits};
        };
        return measures_.ofBase(leb::makeEdge(point(leaf.base0), point(leaf.base1))).high;
    }

    const TestTerrain& terrain_;
    LodView view_;
    double begin_, focal_;
    LodOracle measures_;
};

// A leaf whose patch has the point among its vertices, up to `age` splits (drawn_leaf.glsl) after the one that inserted
// it, as an entry of the list of drawn leaves.
glm::uvec4 leafWith(glm::dvec2 point, int patchLevel, int age)
{
    const std::optional<Bisector> inserted = split(point);
    const auto packed = [](glm::dvec2 p) {
        return std::uint32_t(p.x) >> gpu::kPatchBits | std::uint32_t(p.y) >> gpu::kPatchBits << 16;
    };
    const glm::dvec2 inside = inserted ? inserted->child(0).child(0).child(1).child(0).inside() : point;
    Bisector leaf = kHalves[kHalves[0].contains(inside) ? 0 : 1];
    const int depth = inserted ? std::min(inserted->depth - 2 * patchLevel + 1 + age, kDeepestLeaf) : 1;
    while (leaf.depth < depth)
        leaf = leaf.child(leaf.child(0).contains(inside) ? 0 : 1);
    return {packed(leaf.apex), packed(leaf.base0), packed(leaf.base1), std::uint32_t(leaf.depth)};
}

// Heights of given points of leaves by shaders/surface/drawn_leaf.glsl.
class DrawnHeights
{
public:
    explicit DrawnHeights(const Context& context, const std::filesystem::path& root)
        : library_(root, {.glsl460 = context.info().glsl460}),
          program_(library_.add("heights", {"shaders/heights.comp"}))
    {
        const Status compiled = library_.finish();
        EXPECT_TRUE(compiled) << compiled.error().message;
    }
    static void write(const ShaderCopy& copy)
    {
        copy.write("shaders/heights.comp", R"(
#include "shaders/frame.glsl"
layout(local_size_x = 1) in;
struct { float morphPixels; } state;
layout(std430, binding = 0) readonly buffer Points { ivec2 points[]; };
layout(std430, binding = 1) writeonly buffer Heights { float heights[]; };
layout(std430, binding = 2) readonly buffer Leaves { uvec4 leaves[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(location = 0) uniform float beginPixels;
#include "shaders/surface/surface_plane.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"
void main()
{
    uint i = gl_WorkGroupID.x;
    state.morphPixels = beginPixels;
    heights[i] = drawnVertexHeight(leaves[i], points[i]);
}
)");
    }
    std::vector<float> operator()(const std::vector<glm::ivec2>& points, const std::vector<glm::uvec4>& leaves,
                                  float beginPixels)
    {
        const auto bytes = GLsizeiptr(points.size() * sizeof points[0]);
        const Result<Buffer> in = makeBuffer("points", std::uint64_t(bytes), 0, points.data());
        const Result<Buffer> of = makeBuffer("leaves", leaves.size() * sizeof leaves[0], 0, leaves.data());
        const Result<Buffer> out = makeBuffer("heights", points.size() * sizeof(float));
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in->id());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out->id());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, of->id());
        glUseProgram(library_.program(program_));
        glUniform1f(0, beginPixels);
        glDispatchCompute(GLuint(points.size()), 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        std::vector<float> heights(points.size());
        glGetNamedBufferSubData(out->id(), 0, GLsizeiptr(heights.size() * sizeof(float)), heights.data());
        return heights;
    }

private:
    ShaderLibrary library_;
    ProgramHandle program_;
};

glm::ivec2 randomPoint(Random& random)
{
    const auto coordinate = [&](std::uint32_t unit) { return int(random.below(leb::kDrawSide / unit + 1) * unit); };
    const std::uint32_t unit = 1u << random.below(21);
    return {coordinate(unit), coordinate(unit)};
}

class Geomorph : public GlTest
{
protected:
    void expectOracle(const TestTerrain& terrain, const LodView& view, float begin, Random& random)
    {
        TreeUnderTest gpu(*context_, terrain, 16, 1 << 14);
        gpu.look(view);
        const MorphOracle oracle(terrain, view, double(begin));
        DrawnHeights heights(*context_, copy_.root());
        std::vector<glm::ivec2> points;
        std::vector<glm::uvec4> leaves;
        const int ages = view.patchLevel == 0 ? 3 : std::min(2 * view.patchLevel, 4);
        for (int i = 0; i < 4000; ++i)
            if (const glm::ivec2 point = randomPoint(random); oracle.ofALeaf(glm::dvec2(point)))
            {
                points.push_back(point);
                leaves.push_back(leafWith(glm::dvec2(point), view.patchLevel, int(random.below(std::uint32_t(ages)))));
            }
        const std::vector<float> found = heights(points, leaves, begin);
        double most = 0;
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            const glm::dvec2 p(points[i]);
            const double own = oracle.ground(p).z, expected = view.geomorph ? oracle.height(p) : own;
            gliding_ += view.geomorph && oracle.weight(p) > 0 && oracle.weight(p) < 1;
            most = std::max(most, std::abs(expected - double(found[i])));
        }
        EXPECT_LT(most, 2e-5 * (terrain.side() + double(terrain.raster.maxHeight))) << "metres";
    }
    void SetUp() override
    {
        GlTest::SetUp();
        DrawnHeights::write(copy_);
    }

    ShaderCopy copy_;
    int gliding_ = 0;
};

TEST_F(Geomorph, PutsVerticesWhereItsDefinitionDoes)
{
    Random random(5);
    const TestTerrain terrains[] = {hills(97, 97, 30, 30), hills(120, 61, 24, 31)};
    int byCriterion[2] = {};
    for (const TestTerrain& terrain : terrains)
        for (int i = 0; i < 6; ++i)
        {
            LodView view;
            view.camera = flight(terrain, random.unit());
            view.patchLevel = int(random.below(4));
            view.heightScale = 1.0f + float(random.unit());
            view.geomorph = i > 0;
            view.criterion = i % 2 == 0 ? gpu::kCriterionEdge : gpu::kCriterionError;
            const int before = gliding_;
            expectOracle(terrain, view, float(random.between(2, 30)), random);
            byCriterion[view.criterion] += gliding_ - before;
        }
    EXPECT_GT(byCriterion[gpu::kCriterionEdge], 100);
    EXPECT_GT(byCriterion[gpu::kCriterionError], 25);  // their glide is short
}

// If a leaf need not split yet, the vertices of its split would enter with weight 0, at any patch level.
TEST(GeomorphWeights, AreNothingForVerticesThatAreNotThereYet)
{
    Random random(6);
    const TestTerrain terrain = hills(97, 97, 300, 300, 0.01);
    int close = 0;
    for (int i = 0; i < 3000; ++i)
    {
        LodView view;
        view.camera = flight(terrain, random.unit());
        view.patchLevel = int(random.below(4));
        Bisector leaf = kHalves[random.below(2)];
        for (std::uint32_t depth = 1 + random.below(12); depth > 0; --depth)
            leaf = leaf.child(int(random.below(2)));
        const int side = 1 << view.patchLevel;
        const MorphOracle measure(terrain, view, 1.0);
        const double pixels = measure.edgePixels(leaf.base0, leaf.base1) / side;
        const MorphOracle oracle(terrain, view, pixels);  // the least threshold at which the leaf does not split
        Bisector drawn = leaf;
        for (int level = 0; level < 2 * view.patchLevel; ++level)
            drawn = drawn.child(int(random.below(2)));
        EXPECT_EQ(oracle.weight(drawn.middle()), 0.0) << "depth " << leaf.depth << ", patch level " << view.patchLevel;
        const MorphOracle later(terrain, view, pixels * 0.8);
        close += later.weight(drawn.middle()) > 0;
    }
    EXPECT_GT(close, 800);  // weights are not 0 throughout
}

}  // namespace
}  // namespace orogen::app::test
