// Interface of a view-dependent triangulation of the ground: update, drawing and statistics.  A round is one update,
// which splits and merges leaves; a frame runs none or several.  Leaves stay on the GPU; no decision needs a readback.
//
// All implementations give shaders the same data: TreeState, visible leaves and draw arguments as in core/gpu_layout.h,
// read through shaders/surface/drawn_leaf.glsl.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <glm/vec3.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/gl/timers.h"
#include "core/base/status.h"
#include "core/frames/sample/frame_record.h"
#include "core/gpu_layout.h"

namespace orogen::app {

// Ranges of the list of visible leaves, drawn one after another: `count` ranges of `leaves` leaves each, then
// `restCount` ranges of `restLeaves` leaves each.  Only the GPU knows how many leaves the list has, so ranges beyond
// its end are empty.
struct DrawRanges
{
    static constexpr std::uint32_t kMost = 16'384;  // largest all()
    // Leaves in 256 bytes of the list, the largest alignment that OpenGL may require of a buffer binding's offset.
    // `leaves` and `restLeaves` must be multiples of it.
    static constexpr std::uint32_t kUnit = 16;

    std::uint32_t leaves = kUnit, count = 0;
    std::uint32_t restLeaves = kUnit, restCount = 1;

    // Sets the ranges after the first `count`: `atOnce` leaves each, and as many as all ranges need to hold `most`
    // leaves.
    void coverRest(std::uint64_t most, std::uint32_t atOnce)
    {
        const std::uint64_t listed = std::min(most, std::uint64_t(count) * leaves);
        restLeaves = atOnce;
        restCount = std::uint32_t((most - listed + atOnce - 1) / atOnce);
    }
    std::uint32_t all() const { return count + restCount; }
    std::uint32_t size(std::uint32_t range) const { return range < count ? leaves : restLeaves; }
    std::uint64_t first(std::uint32_t range) const  // index of the range's first leaf
    {
        return range < count ? std::uint64_t(range) * leaves
                             : std::uint64_t(count) * leaves + std::uint64_t(range - count) * restLeaves;
    }
};

class Triangulation
{
public:
    virtual ~Triangulation() = default;

    virtual int depth() const = 0;
    virtual std::uint32_t capacity() const = 0;    // number of leaves as requested in the settings
    virtual std::uint32_t mostLeaves() const = 0;  // upper limit of the number of leaves
    // Changes maximum depth or capacity and keeps as much of the tree as fits.  On error nothing changes.
    virtual Status resize(int depth, std::uint32_t capacity) = 0;
    virtual void reset() = 0;  // back to the coarsest tree

    // ---- update: the frame's passes, with frame and terrain uniforms and the terrain's textures bound --------------
    virtual void setCriterion(gpu::uint criterion) = 0;  // must match the frame's uniforms
    // Allows verdicts (the decisions whether a leaf splits or merges) to be cached between rounds.  Then every frame
    // must call moveTo(), and forgetVerdicts() if an input other than the camera position changed.  `side`: side of the
    // terrain's square (metres).
    virtual void keepVerdicts(bool keep) = 0;
    virtual void moveTo(const glm::dvec3& position, double side) = 0;
    virtual void forgetVerdicts() = 0;
    // Clears the work counters; that of refused splits only if the frame has `rounds`.
    virtual void beginFrame(bool rounds) = 0;
    virtual void inputChanged() = 0;                       // restarts the control of thresholds (lod_threshold.glsl)
    virtual void round(bool last, GpuTimers* timers) = 0;  // the last round of a frame also culls
    virtual void cull(GpuTimers* timers) = 0;              // for frames without a round
    // roundSteps() and cullSteps() add the passes of round() and cull() as steps, between which the caller may wait for
    // the GPU.  A pass over leaves is split into ranges of about `each` leaves, enough for `known` leaves and a margin.
    // The last range takes all remaining leaves.
    using AddStep = std::function<void(std::function<void()>)>;
    virtual void roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers,
                            const AddStep& add) = 0;
    virtual void cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add) = 0;
    virtual void endFrame(std::uint64_t frame) = 0;  // queues the readback of the counters

    // ---- leaves and arguments ------------------------------------------------------------------------------------
    virtual void bindForDraw() const = 0;  // binds the visible leaves and the tree's state
    // Splits the visible leaves into ranges, which together must hold mostLeaves().  Call after the cull.
    virtual void listRanges(const DrawRanges& ranges) = 0;
    // Binds the leaves of one range like bindForDraw(); shaders see its first leaf at index 0.  Also binds the indirect
    // draw arguments: those of the range (DrawElementsIndirect) begin at rangeArguments().
    virtual void bindRange(std::uint32_t range) const = 0;
    virtual void dispatchRange(std::uint32_t range) const = 0;  // runs the current program, a thread per leaf in range
    static std::uint64_t rangeArguments(std::uint32_t range) { return std::uint64_t(range) * sizeof(gpu::DrawRange); }

    // For passes that only read the tree.  bindForChecks() binds its buffers, also to restore bindings that other
    // passes changed.  dispatchOverLeaves() runs the current program with one thread per leaf.
    virtual void bindForChecks() const = 0;
    virtual void dispatchOverLeaves() const = 0;
    // Buffers to copy for later inspection: the tree itself, and gpu::TreeState with the lists that follow it in the
    // same buffer.
    virtual const Buffer& heap() const = 0;
    virtual const Buffer& state() const = 0;

    // ---- readback, memory, stats -----------------------------------------------------------------------------------
    // Counters of a finished frame.
    struct Record
    {
        WorkCounters work;
        std::uint32_t roundChanges = 0;  // TreeState::roundChanges of the last round that ran; 0: converged
        std::uint32_t rounds = 0;        // rounds from countRoundsAnew() to the last with a change
    };
    // Returns the counters of the oldest frame that have arrived, or nothing.  Waits at most `nanoseconds`.
    virtual std::optional<Record> poll(std::uint64_t nanoseconds = 0) = 0;
    virtual int recordsInFlight() const = 0;
    virtual void countRoundsAnew() = 0;  // resets Record::rounds
    virtual std::vector<BufferUse> memory() const = 0;
};

// Factory of a triangulation with a maximum depth and a capacity (leaves).  Error kLimit; its message names the limit.
using MakeTriangulation =
    std::function<Result<std::unique_ptr<Triangulation>>(const Limits& limits, int depth, std::uint32_t capacity)>;

// Returns the factory of the concurrent binary tree (lod_tree.h).  Adds its programs to `library`, which must have
// finished once before a tree is created, and outlive it.
MakeTriangulation implicitTree(ShaderLibrary& library, const ContextInfo& info);

// Returns the factory of the pool of bisectors on the cube (lod_tree.h), for the Earth.  Requirements as
// implicitTree().
MakeTriangulation poolTree(ShaderLibrary& library, const ContextInfo& info);

}  // namespace orogen::app
