// The Earth's ground on the GPU without a renderer: tiles whose residency a test chooses, the uniforms of a camera, and
// leaves that a test lists.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>

#include "app/gl/shader_library.h"
#include "app/render/tiled_heights.h"
#include "core/gpu_layout.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/tiles/tile_cache.h"
#include "core/view/camera.h"
#include "tests/gl/held_tiles.h"
#include "tests/gl/lod_support.h"
#include "tests/gl/support.h"

namespace orogen::app::test {

// A leaf as in visible[]: x, y: apex; z: depth | turn << 6 | face << 8; w: number.
using EarthLeaf = glm::uvec4;

inline glm::ivec2 quarterTurn(unsigned turn)
{
    const glm::ivec2 ways[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return ways[turn & 3u];
}

struct LeafCorners
{
    glm::ivec2 apex, left, right;
};

inline LeafCorners cornersOf(const EarthLeaf& leaf)
{
    const unsigned depth = leaf.z & 63u, turn = leaf.z >> 6 & 3u;
    const int reach = 1 << (unsigned(kCubeBits) - (depth + 1) / 2);
    const auto way = [&](unsigned t) {
        return (depth & 1u) == 0 ? quarterTurn(t) : quarterTurn(t) + quarterTurn(t + 1);
    };
    const glm::ivec2 apex(int(leaf.x), int(leaf.y));
    // Wraps: leafOf() tries turns whose corners lie outside the face.
    const auto away = [&](unsigned t) { return glm::ivec2(glm::uvec2(apex) + glm::uvec2(reach * way(t))); };
    return {apex, away(turn), away(turn + 1)};
}

// Returns the leaf with these corners, which must be those of a leaf.
inline EarthLeaf leafOf(const LeafCorners& c, unsigned depth, unsigned face)
{
    for (unsigned turn = 0; turn < 4; ++turn)
    {
        const EarthLeaf leaf(unsigned(c.apex.x), unsigned(c.apex.y), depth | turn << 6 | face << 8, 0u);
        if (cornersOf(leaf).left == c.left && cornersOf(leaf).right == c.right) return leaf;
    }
    ADD_FAILURE() << "no leaf of depth " << depth;
    return {};
}

inline EarthLeaf childOf(const EarthLeaf& leaf, bool second)
{
    const LeafCorners c = cornersOf(leaf);
    const glm::ivec2 middle((glm::i64vec2(c.left) + glm::i64vec2(c.right)) / std::int64_t(2));
    return leafOf(second ? LeafCorners{middle, c.right, c.apex} : LeafCorners{middle, c.apex, c.left},
                  (leaf.z & 63u) + 1, leaf.z >> 8);
}

inline std::vector<EarthLeaf> rootLeaves()
{
    std::vector<EarthLeaf> roots;
    for (unsigned face = 0; face < unsigned(kCubeFaces); ++face)
    {
        roots.push_back(leafOf({{0, 0}, {kCubeSide, 0}, {0, kCubeSide}}, 0, face));
        roots.push_back(leafOf({{kCubeSide, kCubeSide}, {0, kCubeSide}, {kCubeSide, 0}}, 0, face));
    }
    return roots;
}

inline CubePoint cubePointOf(unsigned face, const glm::ivec2& at) { return cubePoint({int(face), at.x, at.y}); }

// Returns all leaves that `split` rejects or that have reached the maximum depth.
template <class Split>
std::vector<EarthLeaf> refined(unsigned most, const Split& split)
{
    std::vector<EarthLeaf> open = rootLeaves(), leaves;
    while (!open.empty())
    {
        const EarthLeaf leaf = open.back();
        open.pop_back();
        if ((leaf.z & 63u) >= most || !split(leaf))
            leaves.push_back(leaf);
        else
            for (const bool second : {false, true})
                open.push_back(childOf(leaf, second));
    }
    return leaves;
}

inline glm::dvec3 middleOf(const EarthLeaf& leaf)
{
    const LeafCorners c = cornersOf(leaf);
    const glm::dvec2 at = (glm::dvec2(c.left) + glm::dvec2(c.right)) / 2.0;
    return onEllipsoid(scaledDirection(FacePlace{int(leaf.z >> 8), at}));
}

inline std::uint32_t mixed(std::uint32_t h)
{
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    return h ^ (h >> 16);
}

// Noise in [0, 1) of the cube point, so that faces agree, and of the level, so that levels differ.
inline float noiseOnCube(const CubePoint& p, int level)
{
    return float(mixed(std::uint32_t(p.x) * 0x8da6b343u ^ std::uint32_t(p.y) * 0xd8163841u ^
                       std::uint32_t(p.z) * 0xcb1ab31fu ^ std::uint32_t(level + 1) * 0x9e3779b1u) &
                 0xffffu) /
           65536.0f;
}

// Random tiles of the Earth near a place, closed under parents.  Half of those without active children are fading in.
class SomeEarthTiles : public HeldTiles
{
public:
    SomeEarthTiles(int levels, double reach, Random& random, const glm::dvec3& near, std::size_t most)
        : HeldTiles(TileGrid::onCube(levels), reach)
    {
        for (int face = 0; face < kCubeFaces; ++face)
            add({levels - 1, 0, 0, face});
        for (std::size_t i = 0; i < tiles_.size(); ++i)
            for (int child = 0; child < 4 && tiles_[i]->key.level > 0; ++child)
            {
                const TileKey parent = tiles_[i]->key;
                const TileKey key{parent.level - 1, 2 * parent.x + (child & 1), 2 * parent.y + (child >> 1),
                                  parent.face};
                if (tiles_.size() >= most || !isNear(key, near) || random.chance(3, 10)) continue;
                active_[i].weight = 1;
                add(key);
                if (random.chance(1, 2)) active_.back().weight = float(random.unit());
            }
    }

    float highest() const override { return 4000; }

private:
    glm::ivec2 sampleAt(const TileKey& key, int column, int row) const
    {
        const int step = kCubeSide / kTileCells >> (grid_.levels() - 1 - key.level);
        return glm::ivec2(key.x * kTileCells + column, key.y * kTileCells + row) * step;
    }
    bool isNear(const TileKey& key, const glm::dvec3& place) const
    {
        const glm::ivec2 low = sampleAt(key, 0, 0), high = sampleAt(key, kTileCells, kTileCells);
        const glm::dvec2 middle = (glm::dvec2(low) + glm::dvec2(high)) / 2.0;
        const double metres = double(high.x - low.x) * metresOfCubeUnit();
        return glm::distance(onEllipsoid(scaledDirection(FacePlace{key.face, middle})), place) < 2.5 * metres;
    }
    void add(const TileKey& key)
    {
        auto tile = std::make_shared<Tile>();
        tile->key = key;
        tile->heights.reserve(std::size_t(kTileSide) * kTileSide);
        for (int r = 0; r < kTileSide; ++r)
            for (int c = 0; c < kTileSide; ++c)
                tile->heights.push_back(
                    5000.0f * noiseOnCube(cubePointOf(unsigned(key.face), sampleAt(key, c, r)), key.level) - 1500.0f);
        tile->slopes.assign(2 * tile->heights.size(), 0);
        tile->roughness.assign(tile->heights.size(), 150);
        tile->errors = evenErrors(std::ldexp(40.0f, key.level));
        tile->bounds = {-1500.0f, 3500.0f, key.level == 0 ? 0.0f : std::ldexp(10.0f, key.level)};
        active_.push_back({key, int(tiles_.size()), 1.0f, tile->bounds});
        tiles_.push_back(std::move(tile));
    }
};

inline void storePoint(const glm::dvec3& p, glm::uvec4& xy, glm::uvec4& z)
{
    const auto words = [](double v) {
        const auto bits = std::bit_cast<std::uint64_t>(v);
        return glm::uvec2(std::uint32_t(bits), std::uint32_t(bits >> 32));
    };
    xy = glm::uvec4(words(p.x), words(p.y));
    z = glm::uvec4(words(p.z), glm::uvec2(0));
}

class EarthTest : public GlTest
{
protected:
    static constexpr int kWidth = 320, kHeight = 180;
    static constexpr double kNearPlane = 0.5;

    void SetUp() override
    {
        GlTest::SetUp();
        frame_.splitPixels = 16;
        frame_.mergePixels = 7;
        frame_.geomorph = 1;
        frame_.patchLevel = 2;
        terrain_.pixelSize = glm::vec4(1.0f);
        terrain_.squareSize = glm::vec4(1e7f, float(metresOfCubeUnit()), 0.0f, 0.0f);
        seaLevel_ = 0.0;
    }

    void look(const Camera& camera)
    {
        const Projection view = project(camera, kWidth, kHeight, kNearPlane);
        frame_.clipFromRelative = view.clipFromRelative;
        frame_.relativeFromClip = view.relativeFromClip;
        std::copy(view.planes.begin(), view.planes.end(), frame_.frustum);
        frame_.pixelsPerRadian = view.pixelsPerRadian;
        frame_.lodFraction.w = view.pixelsPerRadian;
        const LocalAxes axes = axesAt(camera.position);
        const Geodetic place = geodeticOf(camera.position);
        storePoint(camera.position, earth_.cameraXY, earth_.cameraZ);
        storePoint(camera.position, earth_.lodCameraXY, earth_.lodCameraZ);
        storePoint(earthFixed({place.latitude, place.longitude, 0}), earth_.footXY, earth_.footZ);
        earth_.east = earth_.lodEast = glm::vec4(glm::vec3(axes.east), 0);
        earth_.north = earth_.lodNorth = glm::vec4(glm::vec3(axes.north), 0);
        earth_.up = earth_.lodUp = glm::vec4(glm::vec3(axes.up), 0);
        earth_.lodView = glm::vec4(glm::vec3(axes.toEarthFixed(forward(camera))), 0.6f);
        const glm::dvec3 scaled =
            camera.position / glm::dvec3(kEarthEquatorRadius + kHighestGround, kEarthEquatorRadius + kHighestGround,
                                         kEarthPoleRadius + kHighestGround);
        earth_.lodScaled = glm::vec4(glm::vec3(scaled), float(glm::dot(scaled, scaled) - 1));
        earth_.sea = seaLevel_ ? glm::vec4(float(*seaLevel_), 1, 0, 0) : glm::vec4(0);
        earth_.figure =
            glm::vec4(float(metresOfCubeUnit()), float(place.height), float(kLowestGround), float(kHighestGround));
        camera_ = camera;
        send();
    }
    void send()
    {
        bindBlock(gpu::kFrameBinding, frame_, frameBlock_);
        bindBlock(gpu::kTerrainBinding, terrain_, terrainBlock_);
        bindBlock(gpu::kEarthBinding, earth_, earthBlock_);
    }

    void show(std::shared_ptr<SomeEarthTiles> tiles)
    {
        Result<std::unique_ptr<HeightStore>> made = TiledHeights::create(context_->limits(), tiles->raster(), tiles);
        ASSERT_TRUE(made) << made.error().message;
        heights_ = std::move(*made);
        TileView view;
        view.position = camera_.position;
        heights_->update(view, 1);
        heights_->bind();
    }

    static Camera above(double latitude, double longitude, double height, double yaw = 30, double pitch = -40)
    {
        Camera camera;
        camera.position = earthFixed({latitude, longitude, height});
        camera.yaw = yaw;
        camera.pitch = pitch;
        return camera;
    }

    // A program that reads binding 0 and writes binding 1, run for a number of groups.
    struct Pass
    {
        std::unique_ptr<ShaderLibrary> library;
        ProgramHandle program;
    };
    Pass compile(const ShaderCopy& copy, const char* file, std::vector<ShaderDefine> defines = {})
    {
        Pass pass;
        pass.library = std::make_unique<ShaderLibrary>(copy.root(), ShaderDialect{context_->info().glsl460});
        defines.push_back({"@world", "earth"});
        defines.push_back({"@heights", "tiles"});
        pass.library->choose(defines);
        pass.program = pass.library->add(file, {file});
        const Status compiled = pass.library->finish();
        EXPECT_TRUE(compiled) << pass.library->log();
        return pass;
    }
    template <class In, class Out>
    std::vector<Out> run(const Pass& pass, const std::vector<In>& in, std::size_t outs, std::size_t groups)
    {
        Result<Buffer> from = makeBuffer("test input", in.size() * sizeof(In), 0, in.data());
        Result<Buffer> to = makeBuffer("test output", outs * sizeof(Out));
        std::vector<Out> out(outs);
        if (!from || !to) return out;
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, from->id());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, to->id());
        glUseProgram(pass.library->program(pass.program));
        glDispatchCompute(GLuint(groups), 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        glGetNamedBufferSubData(to->id(), 0, GLsizeiptr(outs * sizeof(Out)), out.data());
        return out;
    }

    gpu::FrameUniforms frame_{};
    gpu::TerrainUniforms terrain_{};
    gpu::EarthUniforms earth_{};
    std::optional<double> seaLevel_;
    Camera camera_;
    std::unique_ptr<HeightStore> heights_;

private:
    template <class Block>
    static void bindBlock(gpu::uint binding, const Block& block, Buffer& buffer)
    {
        Result<Buffer> made = makeBuffer("test uniforms", sizeof block, 0, &block);
        ASSERT_TRUE(made);
        buffer = std::move(*made);
        glBindBufferBase(GL_UNIFORM_BUFFER, binding, buffer.id());
    }
    Buffer frameBlock_, terrainBlock_, earthBlock_;
};

}  // namespace orogen::app::test
