// The pool of bisectors on the GPU: leaves of the cube's faces in slots (core/leb/pool.h), which makes depths possible
// that no tree of bits could hold.  What its rounds have in common with others: leaf_rounds.h.
//
// Slots are a power of two, no fewer than the capacity; 48 bytes each, and 12 for flags, plan and bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/render/leaf_rounds.h"
#include "core/leb/pool_cut.h"

namespace orogen::app {

inline constexpr std::uint32_t kMostPoolLeaves = 1u << leb::kMostPoolBits;

struct PoolPrograms : RoundPrograms
{
    // `mark`: the file of the program that decides; tests have their own.
    PoolPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads,
                 const std::string& mark = "shaders/lod_mark.comp");
    ProgramHandle mark, markByError, ranks, allot, connect, commit, list;
};

// Bytes of all buffers of a pool of that capacity, which is at most kMostPoolLeaves.
std::uint64_t poolBytes(std::uint32_t capacity);
// Error kLimit, with the largest capacity: above kMostPoolLeaves, or more than this driver's storage blocks hold.
Status checkPoolCapacity(const Limits& limits, std::uint32_t capacity);

class PoolTree final : public LeafRounds
{
public:
    // A pool of the twelve halves of the cube's faces.  depth: of leaves, 6 ... leb::kMostCubeDepth.  Error kLimit:
    // that of checkPoolCapacity(), or out of memory.  `library` must outlive the pool and have finished once.
    static Result<PoolTree> create(const ShaderLibrary& library, const PoolPrograms& programs, const Limits& limits,
                                   int depth, std::uint32_t capacity);

    std::uint32_t mostLeaves() const override { return capacity_; }

    // Leaves below the new depth give way to their ancestors at it, and if more remain than the capacity, all are cut
    // at the deepest depth that fits.  Reads the leaves back and waits, but for a depth that no leaf exceeds.
    Status resize(int depth, std::uint32_t capacity) override;
    void reset() override;  // back to the roots

    // Every leaf is looked at in every round.
    void keepVerdicts(bool) override {}
    void moveTo(const glm::dvec3&, double) override {}
    void forgetVerdicts() override {}

    // What the GPU holds now, by slot; waits for it.  Of free slots ids are 0, and the rest means nothing.
    std::vector<leb::LeafId> readIds() const;
    std::vector<leb::CubeLeaf> readGeometry() const;
    std::vector<leb::PoolLinks> readLinks() const;
    std::vector<std::uint32_t> readBits() const;  // of slots in use
    std::vector<std::uint32_t> readPlan() const;  // after mark(): the wishes; after plan(): core/leb/round.h's

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
