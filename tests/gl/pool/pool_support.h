// A pool of bisectors on the GPU without a renderer and ground; programs of the test make the verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <glm/vec3.hpp>

#include "app/render/lod_tree.h"
#include "core/base/thread_pool.h"
#include "tests/gl/lod_support.h"

namespace orogen::app::test {

// Inputs of the mark programs below.
struct PoolView
{
    std::uint32_t frame = 0;    // seed of the noise, below 2^24: a float of the frame block
    glm::vec3 camera{0, 0, 2};  // camera of kDistanceMark, in half sides of the cube
    float pixelsPerRadian = 1000;
    float split = 48, merge = 30;
    int patchLevel = 0;
};

// Requests by a hash of id and frame: splits, stays or merges with equal shares; maximum depth 30.
inline constexpr const char* kNoiseMark = R"(
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/lod_wish.glsl"

uint mixed(uint x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

void main()
{
    uint place = leafNumber();
    if (place >= cbtLeafCount()) return;
    uint slot = leaves[place];
    uint hash = mixed(pool[8u * slot + kPoolId] ^ mixed(pool[8u * slot + kPoolId + 1u] ^ mixed(uint(frame.cameraCell.w))));
    bool deep = cubeLeafDepth(poolShape(slot)) >= 30u;
    Verdict verdict;
    verdict.split = !deep && hash % 3u == 2u;
    verdict.merge = deep || hash % 3u == 0u;
    verdict.pixels = state.splitPixels * exp2(float((hash >> 8u) % 10u));
    takeVerdict(slot, slot, verdict);
}
)";

// Length of the base over its distance from a camera, both on the cube: no ellipsoid, no heights.
inline constexpr const char* kDistanceMark = R"(
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/lod_wish.glsl"
#include "shaders/tree/lattice_earth.glsl"

float measure(ivec3 p, ivec3 q)
{
    vec3 a = vec3(cubePoint(p)) * exp2(-29.0), b = vec3(cubePoint(q)) * exp2(-29.0);
    return frame.pixelsPerRadian * length(vec3(cubePoint(p) - cubePoint(q)) * exp2(-29.0)) /
           max(length(0.5 * (a + b) - frame.cameraCell.xyz), 1.0e-9);
}

void main()
{
    uint place = leafNumber();
    if (place >= cbtLeafCount()) return;
    uint slot = leaves[place];
    CubeLeaf leaf = poolLeaf(slot);
    int face = cubeLeafFace(leaf.shape);
    ivec2 kept = poolIsChild1(slot) ? cubeLeft(leaf) : cubeRight(leaf);
    Verdict verdict;
    verdict.pixels = measure(ivec3(cubeLeft(leaf), face), ivec3(cubeRight(leaf), face));
    verdict.split = verdict.pixels > state.splitPixels;
    verdict.merge = measure(ivec3(kept, face), ivec3(2 * leaf.apex - kept, face)) < state.mergePixels;
    takeVerdict(slot, slot, verdict);
}
)";

class GpuPool
{
public:
    GpuPool(Context& context, const char* mark, int depth, std::uint32_t capacity)
        : library_(withMark(shaders_, mark), {.glsl460 = context.info().glsl460}),
          programs_(bare(), reduceThreads(context.info()), "shaders/test_mark.comp")
    {
        const Status compiled = library_.finish();
        if (!compiled) throw std::runtime_error(library_.log());
        Result<PoolTree> tree = PoolTree::create(library_, programs_, context.limits(), depth, capacity);
        if (!tree) throw std::runtime_error(tree.error().message);
        tree_.emplace(std::move(*tree));
        const gpu::FrameUniforms nothing{};
        Result<Buffer> uniforms = makeBuffer("frame uniforms", sizeof nothing, GL_DYNAMIC_STORAGE_BIT, &nothing);
        if (!uniforms) throw std::runtime_error(uniforms.error().message);
        uniforms_ = std::move(*uniforms);
        look({});
        tree_->reset();
    }

    void look(const PoolView& view)
    {
        gpu::FrameUniforms u{};
        u.cameraCell = {view.camera, float(view.frame)};
        u.pixelsPerRadian = view.pixelsPerRadian;
        u.splitPixels = view.split;
        u.mergePixels = view.merge;
        u.patchLevel = gpu::uint(view.patchLevel);
        u.leafCapacity = tree_->mostLeaves();
        glNamedBufferSubData(uniforms_.id(), 0, sizeof u, &u);
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, uniforms_.id());
    }

    // Runs a frame of one round.
    void round(const PoolView& view)
    {
        look(view);
        tree_->beginFrame(true);
        tree_->round(true, nullptr);
    }

    PoolTree& tree() { return *tree_; }

private:
    static std::filesystem::path withMark(const ShaderCopy& shaders, const char* mark)
    {
        shaders.write("shaders/test_mark.comp", mark);
        return shaders.root();
    }

    ShaderLibrary& bare()
    {
        library_.choose(writeBareWorld(shaders_));
        return library_;
    }

    ShaderCopy shaders_;
    ShaderLibrary library_;
    PoolPrograms programs_;
    std::optional<PoolTree> tree_;
    Buffer uniforms_;
};

// Reads the GPU's pool into a CPU pool.
inline leb::Pool poolOf(const PoolTree& tree)
{
    const std::vector<std::uint32_t> bits = tree.readBits();
    leb::Pool pool(leb::PoolRoots::kCube, int(std::bit_width(bits.size() * 32)) - 1);
    pool.ids = tree.readIds();
    pool.geometry = tree.readGeometry();
    pool.links = tree.readLinks();
    for (NodeId slot = 0; slot < pool.slots(); ++slot)
        if ((bits[slot / 32] >> slot % 32 & 1) != 0)
            pool.live.setBit(slot);
        else
            pool.live.clearBit(slot);
    SerialExecutor serial;
    pool.list(serial);
    return pool;
}

}  // namespace orogen::app::test
