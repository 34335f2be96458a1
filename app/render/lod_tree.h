// The concurrent binary tree on the GPU: its storage, and what its rounds have that others have not (leaf_rounds.h).
// What the passes do to the tree is defined by core/cbt and core/leb.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <glm/vec3.hpp>

#include "app/render/leaf_rounds.h"
#include "core/cbt/cbt.h"

namespace orogen::app {

struct LodPrograms : RoundPrograms
{
    LodPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads);
    ProgramHandle mark, markByError, due, reencode;
};

// Bytes of all buffers that go with a leaf capacity.
std::uint64_t leafBytes(std::uint32_t capacity);
// Leaves that are ever needed: no more than the tree can have.
std::uint32_t effectiveCapacity(int depth, std::uint32_t capacity);
// The largest depth whose tree fits in one storage block of this driver.
int largestDepth(const Limits& limits);
// Error kLimit if a tree of that depth does not; names what it takes and the largest depth.
Status checkDepth(const Limits& limits, int depth);

class LodTree final : public LeafRounds
{
public:
    // A tree of two leaves, the halves of the square.  Error kLimit: the driver's storage block is too small (names the
    // largest depth that it holds), or out of memory.  `library` must outlive the tree and have finished once.
    static Result<LodTree> create(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits,
                                  int depth, std::uint32_t capacity);

    std::uint32_t mostLeaves() const override { return effectiveCapacity(depth_, capacity_); }

    // Leaves below the new depth give way to their ancestors at it, and if more leaves remain than the capacity, the
    // tree is cut at the deepest depth that fits (this case alone reads the leaf list back and waits).
    Status resize(int depth, std::uint32_t capacity) override;
    void reset() override;  // back to the two halves

    // Verdicts of the edge criterion are kept as lod_verdicts.glsl says.  The decisions are the same as without.
    void keepVerdicts(bool keep) override { keepVerdicts_ = keep; }
    void moveTo(const glm::dvec3& position, double side) override;
    void forgetVerdicts() override;
    std::uint64_t verdictVoids() const { return verdictVoids_; }  // how often they were forgotten

    std::vector<std::uint32_t> readPlan() const;     // after mark(): the wishes, bits 0, 1 and from 2 the priority
    std::vector<std::uint32_t> readChanges() const;  // after plan(): the bits of the field that reduce() turns

    std::vector<BufferUse> memory() const override;

private:
    struct OwnBuffers
    {
        Buffer prefix, verdicts;
    };
    LodTree(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits)
        : LeafRounds(library, programs, limits), programs_(programs)
    {
    }
    Passes markPasses() override;
    Passes planPasses() override;
    Passes applyPasses() override { return {}; }
    void bindChanges() const override;
    void listLeaves(bool) override {}  // the decode does
    void bindOwn() const override;
    int fieldBits() const override { return depth_; }

    Result<Buffer> makeHeap(int depth) const;
    static Result<Buffer> makeChanges(int depth);
    static Result<OwnBuffers> makeOwnBuffers(std::uint32_t capacity);
    int deepestThatFits(std::uint32_t capacity) const;
    void reencode(const Buffer& heap, int depth, int deepest);
    void bindForMark() const;
    void markUniforms(bool listed) const;

    LodPrograms programs_;
    OwnBuffers own_;
    Buffer changes_;  // a bit for every one of the heap's field: those that a round turns, on its way
    bool keepVerdicts_ = false;
    std::optional<glm::dvec3> position_;       // empty: nothing has been kept since
    double travelled_ = 0, odometerUnit_ = 1;  // metres
    std::uint64_t verdictVoids_ = 0;
};

}  // namespace orogen::app
