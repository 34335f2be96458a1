// A tree and a terrain on the GPU without the renderer, for tests of the passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/render/lod_tree.h"
#include "app/render/terrain_gpu.h"
#include "core/cbt/cbt.h"
#include "core/leb/conformity.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/height_field.h"
#include "core/view/camera.h"
#include "tests/gl/support.h"
#include "tests/support/places.h"
#include "tests/support/random.h"

namespace orogen::app::test {

using orogen::test::Random;

struct TestTerrain
{
    Raster raster;
    HeightField field;
    TerrainBounds bounds;

    double side() const { return std::max(raster.east(), raster.north()); }
};

// Loads the terrain of the golden pictures.
inline void loadJacksboro(TestTerrain& terrain)
{
    Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
    ASSERT_TRUE(raster) << raster.error().message;
    terrain.raster = std::move(*raster);
    terrain.field = quantise(terrain.raster);
    Result<TerrainBounds> bounds = buildBounds(terrain.field);
    ASSERT_TRUE(bounds);
    terrain.bounds = std::move(*bounds);
}

// Hills of several sizes and a cliff; `relief`: height of the largest hill over the side of the terrain.
inline TestTerrain hills(int width, int height, double pixelWidth, double pixelHeight, double relief = 0.04)
{
    TestTerrain terrain;
    Raster& raster = terrain.raster;
    const Status made = allocateHeights(raster, std::uint64_t(width), std::uint64_t(height));
    EXPECT_TRUE(made);
    raster.pixelWidth = pixelWidth;
    raster.pixelHeight = pixelHeight;
    Random random(1);
    const double phase = random.unit() * 6.0, amplitude = relief * std::max(width * pixelWidth, height * pixelHeight);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
        {
            const double u = double(x) / (width - 1), v = double(y) / (height - 1);
            double h = std::sin(5 * u + phase) * std::cos(4 * v) + 0.5 * std::sin(17 * u * v + phase) +
                       0.2 * std::cos(31 * v - 23 * u) + 0.1 * random.unit();
            if (u + 0.4 * v > 0.8) h += 0.8;
            raster.heights[std::size_t(y) * std::size_t(width) + std::size_t(x)] = float(amplitude * h);
        }
    finishRaster(raster, "hills");
    terrain.field = quantise(raster);
    Result<TerrainBounds> bounds = buildBounds(terrain.field);
    EXPECT_TRUE(bounds);
    terrain.bounds = std::move(*bounds);
    return terrain;
}
inline TestTerrain squareHills() { return hills(65, 65, 32.0, 32.0); }

// Inputs of the passes in a frame.  Thresholds are those that the shaders compare.
struct LodView
{
    Camera camera{};
    int width = 320, height = 180;
    std::uint32_t criterion = gpu::kCriterionEdge;
    float split = 48.0f, merge = 20.0f;
    int patchLevel = 0;
    float heightScale = 1.0f;
    float triangleBudget = 0.0f;
    bool geomorph = false;
};

inline constexpr std::uint32_t kAmple = 1u << 14;  // leaves that no small tree reaches

class TreeUnderTest
{
public:
    // `root`: the folder whose shaders/ are used.
    TreeUnderTest(Context& context, const TestTerrain& terrain, int depth, std::uint32_t capacity,
                  const std::filesystem::path& root = OROGEN_ROOT)
        : TreeUnderTest(context, terrain, depth, capacity, root, reduceThreads(context.info()))
    {
    }
    TreeUnderTest(Context& context, const TestTerrain& terrain, int depth, std::uint32_t capacity,
                  const std::filesystem::path& root, const ShaderDefine& threads)
        : library_(root, {.glsl460 = context.info().glsl460}), lodPrograms_(library_, threads),
          terrainPrograms_(library_)
    {
        const Status compiled = library_.finish();
        if (!compiled) throw std::runtime_error(compiled.error().message);
        tree_.emplace(take(LodTree::create(library_, lodPrograms_, context.limits(), depth, capacity)));
        terrain_.emplace(
            take(TerrainGpu::create(context, terrainPrograms_, terrain.raster, terrain.field, terrain.bounds)));
        const gpu::FrameUniforms nothing{};
        uniforms_ = take(makeBuffer("frame uniforms", sizeof nothing, GL_DYNAMIC_STORAGE_BIT, &nothing));
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, uniforms_.id());
        terrain_->bind();
        tree_->reset();
    }

    // Sets uniforms and textures for the following passes.
    void look(const LodView& view)
    {
        const Projection projection = project(view.camera, view.width, view.height, 0.2);
        gpu::FrameUniforms u{};
        std::copy(projection.planes.begin(), projection.planes.end(), u.frustum);
        const LatticePoint place = terrain_->place(view.camera.position);
        u.cameraCell = place.cell;
        u.cameraFraction = place.fraction;
        u.pixelsPerRadian = projection.pixelsPerRadian;
        u.lodCell = u.cameraCell;
        u.lodFraction = u.cameraFraction;
        u.lodFraction.w = projection.pixelsPerRadian;
        u.geomorph = view.geomorph;
        u.splitPixels = view.split;
        u.mergePixels = view.merge;
        u.criterion = view.criterion;
        u.patchLevel = gpu::uint(view.patchLevel);
        u.triangleBudget = view.triangleBudget;
        u.leafCapacity = effectiveCapacity(tree_->depth(), tree_->capacity());
        terrain_->setHeightScale(view.heightScale);
        terrain_->heights().setPatchLevel(view.patchLevel);
        tree_->setCriterion(view.criterion);
        glNamedBufferSubData(uniforms_.id(), 0, sizeof u, &u);
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, uniforms_.id());
        terrain_->bind();
    }

    LodTree& tree() { return *tree_; }
    TerrainGpu& terrain() { return *terrain_; }
    ShaderLibrary& library() { return library_; }

private:
    template <class T>
    static T take(Result<T> made)
    {
        if (!made) throw std::runtime_error(made.error().message);
        return std::move(*made);
    }

    ShaderLibrary library_;
    LodPrograms lodPrograms_;
    TerrainPrograms terrainPrograms_;
    std::optional<LodTree> tree_;
    std::optional<TerrainGpu> terrain_;
    Buffer uniforms_;
};

// A copy of the shaders that a test may modify.
class ShaderCopy
{
public:
    ShaderCopy()
    {
        namespace fs = std::filesystem;
        fs::copy(fs::path(OROGEN_ROOT) / "shaders", folder_ / "shaders", fs::copy_options::recursive);
        fs::create_directories(folder_ / "core");
        fs::copy_file(fs::path(OROGEN_ROOT) / "core/gpu_layout.h", folder_ / "core/gpu_layout.h");
        fs::create_directory_symlink(fs::path(OROGEN_ROOT) / "assets", folder_ / "assets");
    }
    std::filesystem::path root() const { return folder_.path(); }

    std::string text(const std::string& file) const
    {
        std::stringstream text;
        text << std::ifstream(root() / file, std::ios::binary).rdbuf();
        return text.str();
    }
    void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }
    void replace(const std::string& file, const std::string& from, const std::string& to) const
    {
        std::string all = text(file);
        const std::size_t place = all.find(from);
        ASSERT_NE(place, std::string::npos) << file << " has no " << from;
        write(file, all.replace(place, from.size(), to));
    }

private:
    TemporaryFolder folder_;
};

// Adds a world without ground, in which every leaf of a pool is in view; returns the choice that selects it.
inline std::vector<ShaderDefine> writeBareWorld(const ShaderCopy& shaders)
{
    shaders.write("shaders/lod/seen_bare.glsl", R"(
#define OROGEN_LEAVES_PER_THREAD 1u
uint viewOfLeaves(uint first, uint end) { return kSomeSeen; }
uvec4 drawnEntry(uint place)
{
    CubeLeaf shape = poolLeaf(leaves[place]);
    return uvec4(uvec2(shape.apex), shape.shape, leaves[place]);
}
bool leafIsSeen(uint place, out uvec4 entry)
{
    entry = drawnEntry(place);
    return true;
}
)");
    return {{"@world", "bare"}};
}

// A camera that circles a terrain, dives close to the ground and climbs again; `t` in [0, 1).
inline Camera flight(const TestTerrain& terrain, double t)
{
    const double turn = 2 * std::numbers::pi * t, radius = 0.35 * (1 - 0.5 * t);
    Camera camera;
    camera.position.x = radius * std::cos(1.5 * turn) * terrain.raster.east();
    camera.position.y = radius * std::sin(1.5 * turn) * terrain.raster.north();
    const double ground = heightAt(terrain.field, camera.position.x, camera.position.y);
    camera.position.z = ground + terrain.side() * 0.7 * std::exp2(-9.0 * (0.5 - 0.5 * std::cos(3 * turn)));
    camera.yaw = 360 * t;
    camera.pitch = -40 + 30 * std::sin(5 * turn);
    return camera;
}

// Reads the GPU's tree and checks its counts against its bits; fails the test if it is invalid or does not conform.
inline std::optional<Cbt> checkedTree(const LodTree& tree)
{
    Result<Cbt> read = Cbt::fromWords(tree.readHeap());
    EXPECT_TRUE(read) << read.error().message;
    if (!read) return std::nullopt;
    EXPECT_EQ(leb::conformityFault(*read), "");
    return std::move(*read);
}

}  // namespace orogen::app::test
