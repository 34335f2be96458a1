// The two triangulations on the GPU: the implicit concurrent binary tree of a plane, and the pool of bisectors of the
// Earth. Each has its storage and its parts of a round; leaf_rounds.h has what both share. The passes have the effect
// that core/cbt (bit field with counts) and core/leb (bisection, pool) define.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "app/render/leaf_rounds.h"
#include "core/cbt/cbt.h"
#include "core/leb/pool.h"

namespace orogen::app {

// Programs of a round.  The program `due` lists the leaves without a valid cached decision (a verdict, see
// lod_verdicts.glsl); `mark` evaluates these.  `offsets` sums up the changes of the leaf list; `list` lists the leaves
// by a search of the tree.
struct LodPrograms : RoundPrograms
{
    LodPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads);
    ProgramHandle mark, markByError, due, offsets, list, reencode;
};

// Returns the bytes of all buffers of a LodTree whose size depends on the leaf capacity.
std::uint64_t leafBytes(std::uint32_t capacity);
// Returns the capacity, limited to the number of leaves that a tree of this depth can have.
std::uint32_t effectiveCapacity(int depth, std::uint32_t capacity);
// Returns the largest depth whose tree fits in one storage block of this driver (6 to 30).
int largestDepth(const Limits& limits);
// Checks that a tree of that depth fits.  Error kLimit names its size and the largest depth.
Status checkDepth(const Limits& limits, int depth);

class LodTree final : public LeafRounds
{
public:
    // Creates a tree of two leaves, the halves of the square.  Error kLimit: the driver's storage block is too small
    // (the message has the largest depth), or out of memory.  `library` must outlive the tree, and must have finished
    // once (ShaderLibrary::finish()).
    static Result<LodTree> create(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits,
                                  int depth, std::uint32_t capacity);

    std::uint32_t mostLeaves() const override { return effectiveCapacity(depth_, capacity_); }

    // Replaces leaves deeper than `depth` by their ancestors.  If more leaves than `capacity` remain, cuts the tree at
    // the deepest depth that fits.  A change of mostLeaves() reads the leaf list back and waits.
    Status resize(int depth, std::uint32_t capacity) override;
    void reset() override;  // back to the two halves

    // Sets whether the criterion's decisions are cached (verdicts, see lod_verdicts.glsl).  The cache does not change
    // the decisions.
    void keepVerdicts(bool keep) override { keepVerdicts_ = keep; }
    void moveTo(const glm::dvec3& position, double side) override;
    void forgetVerdicts() override;
    std::uint64_t verdictVoids() const { return verdictVoids_; }  // how often the cache of verdicts was cleared

    std::vector<std::uint32_t> readPlan() const;     // after mark(): requests (split 1, merge 2, priority << 2)
    std::vector<std::uint32_t> readChanges() const;  // after plan(): bits of the field that reduce() flips
    std::vector<std::uint32_t> readCorners() const;  // apexes, base0 and base1 of all leaves, packed as in leb.glsl

    std::vector<BufferUse> memory() const override;

private:
    struct OwnBuffers
    {
        Buffer prefix, nextLeaves, leafChanges;
    };
    LodTree(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits)
        : LeafRounds(library, programs, limits), programs_(programs)
    {
    }
    Passes markPasses() override;
    Passes planPasses() override;
    Passes applyPasses() override;
    void bindChanges() const override;
    void listLeaves(bool everything) override;
    void bindList() const override;
    void takeList() override;
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
    Buffer changes_;  // one bit per bit of the heap's field, set if the round flips it; 0 between rounds
    bool keepVerdicts_ = false;
    std::optional<glm::dvec3> position_;  // camera at the last moveTo()
    // Length of the camera's path since forgetVerdicts(), and the unit in which verdicts store it (both in metres).
    double travelled_ = 0, odometerUnit_ = 1;
    std::uint64_t verdictVoids_ = 0;
};

// PoolTree is a pool of bisectors (triangles of the longest-edge bisection) on the GPU, for the six faces of the
// Earth's cube.  Every leaf occupies a slot (core/leb/pool.h).  A pool reaches depths at which a bit-field tree would
// not fit into memory.  LeafRounds (leaf_rounds.h) has the part of a round that pool and bit-field tree share.
//
// The number of slots is a power of two >= the capacity, and at least 1,024.  A slot takes 49 bytes in the pool's
// buffer, and about 9 bytes in the buffers of flags, plans and bit fields.

inline constexpr std::uint32_t kMostPoolLeaves = 1u << leb::kMostPoolBits;

// Programs of a round.  The last five are shaders/lod/pool_NAME.comp, in the order in which they run.
struct PoolPrograms : RoundPrograms
{
    // Adds the programs.  `mark`: file of the program that requests splits and merges; tests use their own.
    PoolPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads,
                 const std::string& mark = "shaders/lod/lod_mark.comp");
    ProgramHandle mark, markByError, ranks, allot, connect, commit, list;
};

// Checks the capacity.  Error kLimit, with the largest capacity: above kMostPoolLeaves, or too large for this driver's
// storage blocks.
Status checkPoolCapacity(const Limits& limits, std::uint32_t capacity);

class PoolTree final : public LeafRounds
{
public:
    // Creates a pool of twelve leaves, the halves of the cube's faces.  depth: maximum, 6 ... leb::kMostCubeDepth.
    // Error kLimit: as checkPoolCapacity(), or out of memory.  `library`: as for LodTree::create().
    static Result<PoolTree> create(const ShaderLibrary& library, const PoolPrograms& programs, const Limits& limits,
                                   int depth, std::uint32_t capacity);

    std::uint32_t mostLeaves() const override { return capacity_; }

    // Replaces leaves deeper than `depth` by their ancestors.  If more leaves than `capacity` remain, cuts all leaves
    // at the deepest depth that fits.  Reads the leaves back and waits.
    Status resize(int depth, std::uint32_t capacity) override;
    void reset() override;  // back to the twelve halves

    // No-ops: every round examines every leaf.
    void keepVerdicts(bool) override {}
    void moveTo(const glm::dvec3&, double) override {}
    void forgetVerdicts() override {}

    // Read back the GPU contents by slot, and wait.  Free slots have id 0; their other values are undefined.
    std::vector<leb::LeafId> readIds() const;
    std::vector<leb::CubeLeaf> readGeometry() const;
    std::vector<leb::PoolLinks> readLinks() const;
    std::vector<std::uint32_t> readBits() const;  // bit field of the slots in use
    std::vector<std::uint32_t> readPlan() const;  // after mark(): requests; after plan(): as in core/leb/round.h

    std::vector<BufferUse> memory() const override;

private:
    PoolTree(const ShaderLibrary& library, const PoolPrograms& programs, const Limits& limits)
        : LeafRounds(library, programs, limits), programs_(programs)
    {
    }
    Passes markPasses() override;
    Passes planPasses() override;
    Passes applyPasses() override;
    void listLeaves(bool everything) override;
    void bindOwn() const override;
    int fieldBits() const override { return slotBits_; }

    struct Storage;
    Result<Storage> makeStorage(int depth, std::uint32_t capacity) const;
    void take(Storage storage);
    static void write(const Storage& storage, const leb::PoolLeaves& leaves);
    std::vector<std::uint32_t> readSlots() const;
    std::uint32_t slots() const { return 1u << slotBits_; }

    PoolPrograms programs_;
    int slotBits_ = 0;
    Buffer pool_;
};

}  // namespace orogen::app
