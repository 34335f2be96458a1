// Common part of the two triangulations on the GPU: the implicit tree of a plane and the pool of bisectors of the
// Earth, both in lod_tree.h.  LeafRounds has per-leaf lists, draw arguments, and the passes of a round, which run at
// once or in steps.  A round is one update of the triangulation:
//
//     mark -> plan -> reduce -> decode, cull
//
// Mark evaluates the leaves and requests splits and merges.  Plan decides which requests to carry out.  Reduce applies
// the plan to the implicit tree and sums the leaf counts.  Decode lists the leaves, and cull lists those in view.
//
// Each pass is one dispatch, or several in steps.  The last work group does the serial work that follows
// (shaders/tree/last_group.glsl): the capacity limit, the counts above the chunks (subtrees of 2^15 bits), the
// arguments of the decode.  The implicit tree adds a dispatch after plan, which sums up how far each leaf moves in the
// list (lod_offsets.comp).  If decisions are cached, it adds one before mark, which lists the leaves that mark
// evaluates (lod_due.comp).  In both triangulations, the three dispatches between mark and plan are empty unless
// more splits are requested than the capacity allows.  The pool adds passes between plan and reduce, and lists its
// leaves before the decode.
//
// A barrier for storage and commands follows every dispatch.  It orders
//
//     mark's flags and counters                    before  plan
//     plan's changes, chunk list and chunk count   before  reduce
//     reduce's words, counts and arguments         before  decode, cull and the draw
//     decode's leaves and cleared flags            before  cull and the next mark
//     cull's list and count                        before  the draw
//
// All decisions use the snapshot of the previous decode; none needs a readback.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/gl/timers.h"
#include "app/render/triangulation.h"
#include "core/gpu_layout.h"

namespace orogen::app {

// Returns the define for cbt_reduce.comp with the threads per work group of the sum reduction on this device.
ShaderDefine reduceThreads(const ContextInfo& info);

// Programs that every triangulation runs.  `world`: additional defines.
struct RoundPrograms
{
    RoundPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads, std::vector<ShaderDefine> world);
    ProgramHandle threshold, cost, pairs, serve, plan, endRound, reduce, reduceTop, args, decode, cull, ranges,
        passRanges;
};

// Helpers for buffers of 32-bit words.
constexpr std::uint64_t words(std::uint64_t count) { return count * sizeof(std::uint32_t); }  // bytes
void zero(const Buffer& buffer);
void put(const Buffer& buffer, std::uint64_t word, std::uint32_t value);
std::vector<std::uint32_t> readWords(const Buffer& buffer, std::uint64_t first, std::uint64_t count);  // waits
// Makes the writes of passes visible to a clear, a copy or a read of a buffer.  Required before each of these, since
// the barriers between passes do not cover them.  The next pass sees the result of a clear or a copy without a barrier.
void finishShaderWrites();
inline constexpr GLbitfield kBetweenPasses = GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT;

// Leaf numbers (in the pool: slots) are < `numbers`; places in the leaf list are < `capacity`.
struct LeafCounts
{
    std::uint32_t numbers = 0, capacity = 0;
    std::uint64_t listWords = 1;  // words for each leaf of the list
};
std::uint64_t bytesOf(const LeafCounts& counts);  // size of the per-leaf lists

class LeafRounds : public Triangulation
{
public:
    int depth() const override { return depth_; }
    std::uint32_t capacity() const override { return capacity_; }

    void setCriterion(gpu::uint criterion) override { criterion_ = criterion; }
    void beginFrame(bool rounds) override;
    void inputChanged() override;  // restarts the control of thresholds, see lod_threshold.glsl
    void round(bool last, GpuTimers* timers) override;
    void roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers, const AddStep& add) override;
    void cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add) override;
    void cull(GpuTimers* timers) override;
    void relist();  // after resize() or reset(): rebuilds the leaf list without culling
    void endFrame(std::uint64_t frame) override;

    // Single passes of a round, in order, for tests and benchmarks.
    void mark();
    void plan();
    void apply();            // implicit tree: only sums up list changes, because reduce() applies the plan
    void reduce(bool cull);  // sums the changed chunks and writes the arguments of the decode; `cull`: culling follows
    // Runs the decode.  `afterRound`: arguments are ready.  `relist`: rebuild the leaf list.  `cull`: list visible
    // leaves.
    void decode(bool afterRound, bool relist, bool cull);

    std::optional<Record> poll(std::uint64_t nanoseconds = 0) override;
    int recordsInFlight() const override { return readback_.inFlight(); }
    void countRoundsAnew() override;

    void bindForDraw() const override;
    void listRanges(const DrawRanges& ranges) override;
    void bindRange(std::uint32_t range) const override;
    void dispatchRange(std::uint32_t range) const override;
    void bindForChecks() const override { bind(); }
    void dispatchOverLeaves() const override { dispatchLeaves(); }
    const Buffer& heap() const override { return heap_; }
    const Buffer& state() const override { return state_; }

    // Read back GPU contents and wait.  For checks and resize(), never in a measured frame.
    std::vector<std::uint32_t> readHeap() const;
    std::vector<std::uint32_t> readLeaves() const;
    gpu::TreeState readState() const;
    std::vector<gpu::DrawRange> readRanges(std::uint32_t count) const;

protected:
    // See core/gpu_layout.h for the contents.
    struct LeafBuffers
    {
        Buffer leaves, flags, plan, pairs, visible;
    };
    // One pass of a round or of culling.
    struct Pass
    {
        enum class Over
        {
            kOnce,    // `work` includes the dispatch
            kLeaves,  // `work` selects a program, to be dispatched over all leaves
            // As kLeaves, over the leaves that an earlier pass listed: DueBlock (lod_verdicts.glsl) or ChangedBlock
            // (pool_change.glsl).  Both lie in the memory of the list of visible leaves.
            kDue,
            kList,  // as kLeaves, over the list that the next decode reads: TreeState::listed leaves
        };
        Over over;
        std::function<void()> work;
    };
    using Passes = std::vector<Pass>;

    LeafRounds(const ShaderLibrary& library, const RoundPrograms& programs, const Limits& limits)
        : library_(&library), rounds_(programs), limits_(limits)
    {
    }

    // Passes that differ between the triangulations.  Their functions are stored and run later, perhaps repeatedly.
    virtual Passes markPasses() = 0;
    virtual Passes planPasses() = 0;
    virtual Passes applyPasses() = 0;
    // Runs the passes, if any, between the arguments and the decode.  They are not split into ranges.  `everything`:
    // lists all leaves anew, even if the last round changed none.
    virtual void listLeaves(bool everything) = 0;
    virtual void bindList() const {}     // binds the buffers with which the decode writes the next list
    virtual void takeList() {}           // makes the next list current; called after the decode
    virtual void bindOwn() const = 0;    // buffers of the derived class
    virtual int fieldBits() const = 0;   // log2 of the bits of the heap's bit field
    virtual void bindChanges() const {}  // binds changes[] for plan and reduce, where other passes bind other buffers

    Status makeCommon();  // call once
    static Result<Buffer> makeState(int fieldBits);
    Result<LeafBuffers> makeLeafBuffers(const LeafCounts& counts) const;

    void bind() const;
    void use(ProgramHandle program) const { glUseProgram(library_->program(program)); }
    void dispatchLeaves() const;
    void beginDue() const;  // clears the list of Pass::Over::kDue
    Pass pass(Pass::Over over, ProgramHandle program) const;
    std::vector<BufferUse> commonMemory() const;
    const ShaderLibrary* library_;
    RoundPrograms rounds_;
    Limits limits_;
    int depth_ = 0;
    std::uint32_t capacity_ = 0;
    Buffer heap_, state_;
    LeafBuffers leaf_;
    gpu::uint criterion_ = gpu::kCriterionEdge;

private:
    struct PassRanges
    {
        // `groups`: work groups of each range except the last, which takes all the rest.  `count`: number of ranges.
        std::uint32_t groups = 0, count = 0;
    };
    class Steps;
    static PassRanges rangesFor(std::uint32_t known, std::uint32_t each);
    void listPassRanges(const PassRanges& ranges, Pass::Over over) const;
    void dispatchRange(const PassRanges& ranges, std::uint32_t range) const;
    void run(const Passes& passes);
    void cut();
    void reduceEverything() const;
    void arguments(bool relist, bool cull) const;
    Pass decodePass() const;
    Pass cullPass() const;

    Buffer ranges_;
    DrawRanges drawRanges_;  // as last given to listRanges()
    ReadbackRing readback_;
};

}  // namespace orogen::app
