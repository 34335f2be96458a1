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

class LodTree
{
public:
    // A tree of two leaves, the halves of the square.  Error kLimit: the driver's storage block is too small (names the
    // largest depth that it holds), or out of memory.  `library` must outlive the tree and have finished once.
    static Result<LodTree> create(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits,
                                  int depth, std::uint32_t capacity);

    int depth() const { return depth_; }
    std::uint32_t capacity() const { return capacity_; }

    // Another maximum depth or capacity, keeping the triangulation: leaves below the new depth give way to their
    // ancestors at it, and if more leaves remain than the capacity, the tree is cut at the deepest depth that fits
    // (this case alone reads the leaf list back and waits).  On error the tree is as it was.
    Status resize(int depth, std::uint32_t capacity);
    void reset();  // back to the two halves

    // The frame's passes.  Frame and terrain uniforms and the terrain's textures must be bound.
    void beginFrame(bool rounds);  // sets the work counters to 0; refusals only if rounds follow
    void inputChanged();           // the thresholds in effect may go back and forth again: see lod_threshold.glsl
    void round(bool last, GpuTimers* timers);  // one round; the last one of a frame also culls
    // The same in steps, between which the GPU may be waited for: what looks at many leaves comes in ranges of about
    // `each`, as many as `known` leaves need and some more; what the tree has beyond goes into the last one.
    using AddStep = std::function<void(std::function<void()>)>;
    void roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers, const AddStep& add);
    void cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add);
    void cull(GpuTimers* timers);        // for frames without a round
    void relist();                       // after resize() or reset(): makes the leaf list anew, without culling
    void endFrame(std::uint64_t frame);  // sends the counters on their way

    // Verdicts of the edge criterion are kept from round to round (lod_verdicts.glsl) as long as forgetVerdicts() is
    // called whenever anything but the camera's place changes that they depend on, and moveTo() in every frame.  The
    // decisions are the same as without.  `side`: of the terrain's square, metres.
    void setCriterion(gpu::uint criterion) { criterion_ = criterion; }  // as the frame's uniforms have it
    void keepVerdicts(bool keep) { keepVerdicts_ = keep; }
    void moveTo(const glm::dvec3& position, double side);
    void forgetVerdicts();
    std::uint64_t verdictVoids() const { return verdictVoids_; }  // how often they were forgotten

    // Single passes of a round, in order, for tests that look in between.
    void mark();
    void plan();
    void apply();
    void reduce(bool everything);
    void decode(bool afterRound, bool relist, bool cull);

    // Counters of finished frames, oldest first; empty while none has arrived.  Never waits, unless told to.
    struct Record
    {
        WorkCounters work;
        std::uint32_t roundChanges = 0;  // splits + merges of the last round that ran
        std::uint32_t rounds = 0;        // since countRoundsAnew(), up to the last one that changed something
    };
    std::optional<Record> poll(std::uint64_t nanoseconds = 0);
    int recordsInFlight() const { return readback_.inFlight(); }

    void
    bindForDraw() const;  // the visible leaves, and the indirect arguments (DrawElementsIndirect at drawArguments())
    static std::uint64_t drawArguments() { return offsetof(gpu::TreeState, drawCount); }

    // The visible leaves in `count` ranges (at most kMostRanges) of `leaves` each (a multiple of kRangeUnit), of which
    // the last takes what is left; some may be empty.  After the cull.  bindRange() is bindForDraw() of one of them,
    // whose arguments stand at rangeArguments(); for a shader its leaves begin at 0.
    static constexpr std::uint32_t kMostRanges = 128, kRangeUnit = 16;  // OpenGL promises offsets of 256 bytes
    void listRanges(std::uint32_t leaves, std::uint32_t count);
    void bindRange(std::uint32_t range) const;
    static std::uint64_t rangeArguments(std::uint32_t range) { return range * sizeof(gpu::DrawCommand); }

    // For what follows after others have used the binding points; and for passes that look at the tree and change
    // nothing: its buffers, and a thread a leaf of the program in use.
    void bindForChecks() const { bind(); }
    void dispatchOverLeaves() const { dispatchLeaves(); }
    const Buffer& heap() const { return heap_; }
    const Buffer& state() const { return state_; }  // gpu::TreeState, and what follows it

    void countRoundsAnew();  // Record::rounds from here

    // What the GPU holds now; waits for it.  For checks, never in a frame that is measured.
    std::vector<std::uint32_t> readHeap() const;
    std::vector<std::uint32_t> readLeaves() const;
    std::vector<std::uint32_t> readPlan() const;  // after mark(): the wishes, bits 0, 1 and from 2 the priority
    gpu::TreeState readState() const;
    std::vector<gpu::DrawCommand> readRanges(std::uint32_t count) const;

    std::vector<BufferUse> memory() const;

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
