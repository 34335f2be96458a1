// The concurrent binary tree on the GPU: its storage, and the passes of a round over it.
//
//     mark -> plan -> apply -> reduce -> args -> decode + cull
//
// Everything is decided from the snapshot that the previous decode left (leaf list, counts, bits); nothing is read back
// to decide anything.  What the passes do to the tree is defined by core/cbt and core/leb.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <glm/vec3.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/readback.h"
#include "app/gl/shader_library.h"
#include "app/gl/timers.h"
#include "app/render/triangulation.h"
#include "core/cbt/cbt.h"
#include "core/frames/sample/frame_stats.h"
#include "core/gpu_layout.h"

namespace orogen::app {

// How many threads a work group of the sum reduction has on this device, as cbt_reduce.comp is told.
ShaderDefine reduceThreads(const ContextInfo& info);

struct LodPrograms
{
    LodPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads);
    ProgramHandle mark, markByError, due, threshold, cost, pairs, prefix, serve, plan, apply, reduce, reduceTop, args,
        decode, reencode, ranges, passRanges;
};

// Bytes of all buffers that go with a leaf capacity.
std::uint64_t leafBytes(std::uint32_t capacity);
// Leaves that are ever needed: no more than the tree can have.
std::uint32_t effectiveCapacity(int depth, std::uint32_t capacity);
// The largest depth whose tree fits in one storage block of this driver.
int largestDepth(const Limits& limits);
// Error kLimit if a tree of that depth does not; names what it takes and the largest depth.
Status checkDepth(const Limits& limits, int depth);

class LodTree final : public Triangulation
{
public:
    // A tree of two leaves, the halves of the square.  Error kLimit: the driver's storage block is too small (names the
    // largest depth that it holds), or out of memory.  `library` must outlive the tree and have finished once.
    static Result<LodTree> create(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits,
                                  int depth, std::uint32_t capacity);

    int depth() const override { return depth_; }
    std::uint32_t capacity() const override { return capacity_; }
    std::uint32_t mostLeaves() const override { return effectiveCapacity(depth_, capacity_); }

    // Leaves below the new depth give way to their ancestors at it, and if more leaves remain than the capacity, the
    // tree is cut at the deepest depth that fits (this case alone reads the leaf list back and waits).
    Status resize(int depth, std::uint32_t capacity) override;
    void reset() override;  // back to the two halves

    void beginFrame(bool rounds) override;
    void inputChanged() override;  // see lod_threshold.glsl
    void round(bool last, GpuTimers* timers) override;
    void roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers, const AddStep& add) override;
    void cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add) override;
    void cull(GpuTimers* timers) override;
    void relist();  // after resize() or reset(): makes the leaf list anew, without culling
    void endFrame(std::uint64_t frame) override;

    // Verdicts of the edge criterion are kept as lod_verdicts.glsl says.  The decisions are the same as without.
    void setCriterion(gpu::uint criterion) override { criterion_ = criterion; }
    void keepVerdicts(bool keep) override { keepVerdicts_ = keep; }
    void moveTo(const glm::dvec3& position, double side) override;
    void forgetVerdicts() override;
    std::uint64_t verdictVoids() const { return verdictVoids_; }  // how often they were forgotten

    // Single passes of a round, in order, for tests that look in between.
    void mark();
    void plan();
    void apply();
    void reduce(bool everything);
    void decode(bool afterRound, bool relist, bool cull);

    std::optional<Record> poll(std::uint64_t nanoseconds = 0) override;
    int recordsInFlight() const override { return readback_.inFlight(); }
    void countRoundsAnew() override;

    void bindForDraw() const override;
    void listRanges(std::uint32_t leaves, std::uint32_t count) override;
    void bindRange(std::uint32_t range) const override;
    void bindForChecks() const override { bind(); }
    void dispatchOverLeaves() const override { dispatchLeaves(); }
    const Buffer& heap() const override { return heap_; }
    const Buffer& state() const override { return state_; }

    // What the GPU holds now; waits for it.  For checks, never in a frame that is measured.
    std::vector<std::uint32_t> readHeap() const;
    std::vector<std::uint32_t> readLeaves() const;
    std::vector<std::uint32_t> readPlan() const;  // after mark(): the wishes, bits 0, 1 and from 2 the priority
    gpu::TreeState readState() const;
    std::vector<gpu::DrawCommand> readRanges(std::uint32_t count) const;

    std::vector<BufferUse> memory() const override;

private:
    struct LeafBuffers
    {
        Buffer leaves, flags, plan, pairs, prefix, visible, verdicts;
    };
    LodTree(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits)
        : library_(&library), programs_(programs), limits_(limits)
    {
    }
    Result<Buffer> makeHeap(int depth) const;
    Result<Buffer> makeState(int depth) const;
    Result<LeafBuffers> makeLeafBuffers(std::uint32_t capacity) const;
    int deepestThatFits(std::uint32_t capacity) const;
    void reencode(const Buffer& heap, int depth, int deepest);
    void bind() const;
    void use(ProgramHandle program) const { glUseProgram(library_->program(program)); }
    void dispatchLeaves() const;
    struct PassRanges
    {
        std::uint32_t groups = 0, count = 0;  // of each but the last, which takes what is left
    };
    static PassRanges rangesFor(std::uint32_t known, std::uint32_t each);
    void listPassRanges(const PassRanges& ranges, bool overDue) const;
    void dispatchRange(const PassRanges& ranges, std::uint32_t range) const;
    void bindForMark() const;
    void arguments(bool afterRound, bool relist, bool cull) const;
    void useDecode(bool relist, bool cull) const;
    void beginDue() const;
    void cut();
    void markUniforms(bool listed) const;

    const ShaderLibrary* library_;
    LodPrograms programs_;
    Limits limits_;
    int depth_ = 0;
    std::uint32_t capacity_ = 0;
    Buffer heap_, state_, ranges_;
    std::uint32_t rangeLeaves_ = 0;  // of each range that was listed last
    LeafBuffers leaf_;
    ReadbackRing readback_;
    gpu::uint criterion_ = gpu::kCriterionEdge;
    bool keepVerdicts_ = false;
    std::optional<glm::dvec3> position_;       // empty: nothing has been kept since
    double travelled_ = 0, odometerUnit_ = 1;  // metres
    std::uint64_t verdictVoids_ = 0;
};

}  // namespace orogen::app
