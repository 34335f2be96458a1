// Addition and subtraction of integers of any length: the faithful algorithms of paper 001 (Tereshchenko, Zadiraka),
// what it compares itself with, what its criterion words C and T become on a processor with mask registers, and GMP.
//
//   paper.h          Algorithms 1 to 3, mended, with their operations counted
//   carry_trees.h    carry lookahead, and the paper's recursion
//   limb_kernels.h   limbs of 64 bits by AVX-512, AVX2 or neither: the algorithm `simd`, and the loops of the trees
//   kernels/         the same on a GPU, and the GPU's source on the host
//   module.h         all of it as something that a command or a panel runs
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/multiword/limb_kernels.h"
#include "compute/multiword/paper.h"

namespace orogen {
class ThreadPool;
}

namespace orogen::compute {

enum class CpuAlgorithm
{
    kPaper12,
    kLookahead,
    kRecursive,
    kSimd,
    kGmp,
};
inline constexpr CpuAlgorithm kCpuAlgorithms[] = {CpuAlgorithm::kPaper12, CpuAlgorithm::kLookahead,
                                                  CpuAlgorithm::kRecursive, CpuAlgorithm::kSimd, CpuAlgorithm::kGmp};
std::string_view nameOf(CpuAlgorithm algorithm);  // "paper-1-2", "lookahead", ...
std::optional<CpuAlgorithm> cpuAlgorithm(std::string_view name);

// Limbs of 64 bits, the lowest first; the three have one length, at least 1.  `sum` may be `a` or `b` itself, and
// overlaps them in no other way.
struct MultiwordOperands
{
    std::span<const Limb> a, b;
    std::span<Limb> sum;
    bool carry = false;     // in; of a subtraction, the borrow
    bool subtract = false;  // a - b - borrow instead of a + b + carry
};

struct CpuAdderOptions
{
    CpuAlgorithm algorithm = CpuAlgorithm::kSimd;
    int threads = 1;                       // at most; short numbers take fewer
    int wordBits = kPaperWordBits;         // of paper-1-2
    const LimbKernels* kernels = nullptr;  // null: the fastest here
    // A thread gets so many limbs at least: waking one takes 10 to 50 us, in which this one adds half as many.
    std::size_t limbsPerThread = std::size_t(1) << 18;
};

// Adds on the processor.  Keeps its threads from one addition to the next.  Not for two threads at once.
class CpuAdder
{
public:
    explicit CpuAdder(const CpuAdderOptions& options);
    ~CpuAdder();

    // Returns the carry (borrow) out.  Several threads each take a slice of its own.  A carry into a slice changes but
    // its lowest limbs: those that propagate, and the next one.  They are left out, and added when the slices below are
    // done; no limb is read or written more often for it.  paper-1-2, whose groups stay whole, looks for the carries
    // first.  After a stop the sum and the result are undefined.
    bool add(const MultiwordOperands& operands, const std::stop_token& stop = {});

    // Of paper-1-2, in the last addition.
    const PaperOperations& operations() const { return operations_; }

    // The largest number of limbs beside the operands that an addition of so many takes.
    std::size_t scratchLimbs(std::size_t limbs) const;

private:
    struct Slice
    {
        LimbAddition addition = {};
        bool carryKnown = false, carryOut = false;
        std::size_t run = 0;  // lowest limbs that propagate, where the carry into them is not known
        PaperOperations operations = {};
    };

    std::size_t sliceCount(std::size_t limbs) const;
    std::vector<Slice> slicesOf(const LimbAddition& whole) const;
    bool addSlice(const LimbAddition& slice, PaperOperations& operations, const std::stop_token& stop) const;
    void addUpperPart(Slice& slice, const std::stop_token& stop) const;
    void addLowestRuns(const std::vector<Slice>& slices, const std::stop_token& stop) const;
    static void findCarries(std::vector<Slice>& slices, const std::stop_token& stop);
    static bool passCarries(std::vector<Slice>& slices);

    CpuAdderOptions options_;
    std::size_t unit_;        // limbs of which a slice takes a multiple
    std::size_t leastSlice_;  // limbs
    std::unique_ptr<ThreadPool> pool_;
    PaperOperations operations_;
};

// Whether the slice [0, limbs) carries: what a + b + carry carries out of it.  Looks down from its top, at a few limbs
// except where long runs of limbs propagate.  After a stop, anything.
bool carryOutOf(const LimbAddition& slice, const std::stop_token& stop = {});

}  // namespace orogen::compute
