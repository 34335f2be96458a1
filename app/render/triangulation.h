// What the renderer knows of a triangulation of the ground that follows the camera: how it is brought up to date, what
// is drawn of it, and what it tells of itself.  Its leaves lie on the GPU: nothing is read back to decide anything.
//
// What shaders are given is the same whichever it is: core/gpu_layout.h (TreeState, the visible leaves, arguments of
// draws), shaders/drawn_leaf.glsl.
#pragma once

#include <cstddef>
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
#include "core/frames/sample/frame_stats.h"
#include "core/gpu_layout.h"

namespace orogen::app {

class Triangulation
{
public:
    virtual ~Triangulation() = default;

    virtual int depth() const = 0;
    virtual std::uint32_t capacity() const = 0;    // as it was asked for
    virtual std::uint32_t mostLeaves() const = 0;  // that there can ever be
    // Another maximum depth or capacity, keeping what there is as far as it fits.  On error it is as it was.
    virtual Status resize(int depth, std::uint32_t capacity) = 0;
    virtual void reset() = 0;  // begins anew

    // ---- update: the frame's passes, with frame and terrain uniforms and the terrain's textures bound --------------
    virtual void setCriterion(gpu::uint criterion) = 0;  // as the frame's uniforms have it
    // Verdicts may be kept from round to round as long as forgetVerdicts() is called whenever anything but the camera's
    // place changes that they depend on, and moveTo() in every frame.  `side`: of the terrain's square, metres.
    virtual void keepVerdicts(bool keep) = 0;
    virtual void moveTo(const glm::dvec3& position, double side) = 0;
    virtual void forgetVerdicts() = 0;
    virtual void beginFrame(bool rounds) = 0;  // sets the work counters to 0; refusals only if rounds follow
    virtual void inputChanged() = 0;           // the thresholds in effect may go back and forth again
    virtual void round(bool last, GpuTimers* timers) = 0;  // one round; the last one of a frame also culls
    virtual void cull(GpuTimers* timers) = 0;              // for frames without a round
    // The same in steps, between which the GPU may be waited for: what looks at many leaves comes in ranges of about
    // `each`, as many as `known` leaves need and some more; what there is beyond goes into the last one.
    using AddStep = std::function<void(std::function<void()>)>;
    virtual void roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers,
                            const AddStep& add) = 0;
    virtual void cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add) = 0;
    virtual void endFrame(std::uint64_t frame) = 0;  // sends the counters on their way

    // ---- leaves and arguments ------------------------------------------------------------------------------------
    // The visible leaves, and the indirect arguments (DrawElementsIndirect at drawArguments()).
    virtual void bindForDraw() const = 0;
    static std::uint64_t drawArguments() { return offsetof(gpu::TreeState, drawCount); }
    // The visible leaves in `count` ranges (at most kMostRanges) of `leaves` each (a multiple of kRangeUnit), of which
    // the last takes what is left; some may be empty.  After the cull.  bindRange() is bindForDraw() of one of them,
    // whose arguments stand at rangeArguments(); for a shader its leaves begin at 0.
    static constexpr std::uint32_t kMostRanges = 128, kRangeUnit = 16;  // OpenGL promises offsets of 256 bytes
    virtual void listRanges(std::uint32_t leaves, std::uint32_t count) = 0;
    virtual void bindRange(std::uint32_t range) const = 0;
    static std::uint64_t rangeArguments(std::uint32_t range) { return range * sizeof(gpu::DrawCommand); }

    // For passes that look at it and change nothing: its buffers, and a thread a leaf of the program in use; and for
    // what follows after others have used the binding points.
    virtual void bindForChecks() const = 0;
    virtual void dispatchOverLeaves() const = 0;
    // What a copy takes that is to be looked at later: the structure, and gpu::TreeState with what follows it.
    virtual const Buffer& heap() const = 0;
    virtual const Buffer& state() const = 0;

    // ---- readback, memory, stats -----------------------------------------------------------------------------------
    // Counters of finished frames, oldest first; empty while none has arrived.  Never waits, unless told to.
    struct Record
    {
        WorkCounters work;
        std::uint32_t roundChanges = 0;  // splits + merges of the last round that ran
        std::uint32_t rounds = 0;        // since countRoundsAnew(), up to the last one that changed something
    };
    virtual std::optional<Record> poll(std::uint64_t nanoseconds = 0) = 0;
    virtual int recordsInFlight() const = 0;
    virtual void countRoundsAnew() = 0;  // Record::rounds from here
    virtual std::vector<BufferUse> memory() const = 0;
};

// Makes one of that depth and capacity.  Errors: kLimit, with the limit.
using MakeTriangulation =
    std::function<Result<std::unique_ptr<Triangulation>>(const Limits& limits, int depth, std::uint32_t capacity)>;

// The concurrent binary tree (lod_tree.h).  Adds its programs to `library`, which must have finished once before one is
// made, and outlive it.
MakeTriangulation implicitTree(ShaderLibrary& library, const ContextInfo& info);

// The pool of bisectors on the cube (pool_tree.h), for the Earth.  Likewise.
MakeTriangulation poolTree(ShaderLibrary& library, const ContextInfo& info);

}  // namespace orogen::app
