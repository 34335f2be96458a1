// What triangulations on the GPU have in common (lod_tree.h, pool_tree.h): the lists by leaf, the passes of a round and
// what comes before and after it, in one piece or in steps, and what is drawn of it.
//
//     mark -> plan -> reduce -> decode, cull
//
// A dispatch each: what is done once after a pass (where the capacity ends; the counts above the chunks; the arguments
// of the decode) is done by its last work group (shaders/last_group.glsl).  Three more between mark and plan are empty
// but in a full tree; the pool of bisectors has its own between plan and reduce, and lists before it decodes.
//
// A barrier for storage and commands stands behind every dispatch.  It orders: mark's flags and counters before plan;
// plan's changes and list of chunks before reduce, and how many chunks there are before its dispatch; reduce's words,
// counts and arguments before decode and the draw; decode's leaves and cleared flags before the next mark.
//
// Everything is decided from the snapshot that the previous decode left; nothing is read back to decide anything.
// Passes read the structure that the leaves lie in through shaders/lod_round.glsl alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/readback.h"
#include "app/gl/shader_library.h"
#include "app/gl/timers.h"
#include "app/render/triangulation.h"
#include "core/gpu_layout.h"

namespace orogen::app {

// How many threads a work group of the sum reduction has on this device, as cbt_reduce.comp is told.
ShaderDefine reduceThreads(const ContextInfo& info);

// Programs that every triangulation runs.  `world`: what they are compiled with beside.
struct RoundPrograms
{
    RoundPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads, std::vector<ShaderDefine> world);
    ProgramHandle threshold, cost, pairs, serve, plan, endRound, reduce, reduceTop, args, decode, ranges, passRanges;
};

// Buffers of words.
constexpr std::uint64_t words(std::uint64_t count) { return count * sizeof(std::uint32_t); }  // bytes
void zero(const Buffer& buffer);
void put(const Buffer& buffer, std::uint64_t word, std::uint32_t value);
std::vector<std::uint32_t> readWords(const Buffer& buffer, std::uint64_t first, std::uint64_t count);  // waits
// Before a clear, a copy or a read of a buffer that a pass may have written: the barriers between passes do not order
// these.  What they write is seen by the next pass without a barrier.
void finishShaderWrites();
inline constexpr GLbitfield kBetweenPasses = GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT;

// Leaf numbers are below `numbers`, places below `capacity`.
struct LeafCounts
{
    std::uint32_t numbers = 0, capacity = 0;
};
std::uint64_t bytesOf(const LeafCounts& counts);  // of the lists by leaf

class LeafRounds : public Triangulation
{
public:
    int depth() const override { return depth_; }
    std::uint32_t capacity() const override { return capacity_; }

    void setCriterion(gpu::uint criterion) override { criterion_ = criterion; }
    void beginFrame(bool rounds) override;
    void inputChanged() override;  // see lod_threshold.glsl
    void round(bool last, GpuTimers* timers) override;
    void roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers, const AddStep& add) override;
    void cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add) override;
    void cull(GpuTimers* timers) override;
    void relist();  // after resize() or reset(): makes the leaf list anew, without culling
    void endFrame(std::uint64_t frame) override;

    // Single passes of a round, in order, for tests that look in between.
    void mark();
    void plan();
    void apply();            // of the implicit tree nothing: reduce() carries out what plan() has noted
    void reduce(bool cull);  // of what the round changed; and the arguments of the decode after it, which culls or not
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
    gpu::TreeState readState() const;
    std::vector<gpu::DrawCommand> readRanges(std::uint32_t count) const;

protected:
    // See core/gpu_layout.h.
    struct LeafBuffers
    {
        Buffer leaves, flags, plan, pairs, visible;
    };
    // A part of the passes before decode.
    struct Pass
    {
        enum class Over
        {
            kOnce,    // `work` does it all
            kLeaves,  // `work` puts a program in use, which is dispatched over the leaves,
            kListed,  // or over those in the list that begins the storage of visible leaves (DueBlock)
        };
        Over over;
        std::function<void()> work;
    };
    using Passes = std::vector<Pass>;

    LeafRounds(const ShaderLibrary& library, const RoundPrograms& programs, const Limits& limits)
        : library_(&library), rounds_(programs), limits_(limits)
    {
    }

    // The passes that differ.  Their functions run later, and may run more than once.
    virtual Passes markPasses() = 0;
    virtual Passes planPasses() = 0;
    virtual Passes applyPasses() = 0;
    virtual void listLeaves(bool everything) = 0;  // between args and decode, in one
    virtual void bindOwn() const = 0;              // what stands at points that the world decides on
    virtual int fieldBits() const = 0;             // log2 of the bits of the heap's field
    virtual void bindChanges() const {}            // for plan and reduction, where the leaves in view are listed later

    Status makeCommon();  // once
    static Result<Buffer> makeState(int fieldBits);
    Result<LeafBuffers> makeLeafBuffers(const LeafCounts& counts) const;

    void bind() const;
    void use(ProgramHandle program) const { glUseProgram(library_->program(program)); }
    void dispatchLeaves() const;
    void beginListed() const;  // empties the list of Pass::Over::kListed
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
        std::uint32_t groups = 0, count = 0;  // of each but the last, which takes what is left
    };
    class Steps;
    static PassRanges rangesFor(std::uint32_t known, std::uint32_t each);
    void listPassRanges(const PassRanges& ranges, bool overListed) const;
    void dispatchRange(const PassRanges& ranges, std::uint32_t range) const;
    void run(const Passes& passes);
    void cut();
    void reduceEverything() const;
    void bindVisible() const;
    void arguments(bool relist, bool cull) const;
    void useDecode(bool relist, bool cull) const;

    Buffer ranges_;
    std::uint32_t rangeLeaves_ = 0;  // of each range that was listed last
    ReadbackRing readback_;
};

}  // namespace orogen::app
