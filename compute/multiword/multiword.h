// Addition and subtraction of integers of any length, by the algorithms of paper 001 (Tereshchenko, Zadiraka) and by
// their baselines. Faster algorithms build on the paper's criterion words (bit masks C and T, defined in limbs.h). GMP
// serves as a comparison and as a check.
//
//   paper.cpp        Algorithms 1 to 3, corrected, with counted operations
//   multiword.cpp    carry lookahead, the paper's recursion, threads, and the check of a sum
//   limbs.h          loops over limbs (64-bit words) for AVX-512, AVX2 or plain C++, used by all but paper-1-2 and gmp
//   kernels/         kernels for a GPU, which also run on the host
//   module.cpp       the module for the command line and panels
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/multiword/limbs.h"

namespace orogen {
class ThreadPool;
}

namespace orogen::compute {

class Module;
const Module& multiwordModule();  // `orogen multiword --help` lists its parameters

// Input of every algorithm on the CPU: sum = a + b + carry, or a - b - carry if `subtract`. `sum` may be `a` or `b`.
struct LimbAddition
{
    Limb* sum;
    const Limb* a;
    const Limb* b;
    std::size_t limbs;
    bool carry, subtract;
};

// Length of an addition, counted in sequential steps. Adding all words of two numbers at once is one step, however many
// words there are.
struct AdditionSteps
{
    std::uint64_t additions = 0;         // numbers or criterion words added, one after another
    std::uint64_t synchronisations = 0;  // how often all workers of the addition wait for each other
    std::uint64_t levels = 0;            // depth of the recursion; 0 for other algorithms
    std::uint64_t lookaheadSteps = 0;    // passes over a level of the carry-lookahead tree, up and down
};

// ---- algorithms of the paper (paper.cpp) ----

inline constexpr int kMinWordBits = 1, kMaxWordBits = 64, kPaperWordBits = 16;

// Executed operations: additions mod 2^m, comparisons, bitwise operations and shifts of one word, as in the theorems.
struct PaperOperations
{
    std::uint64_t words = 0, groups = 0;  // the theorems' n and k, including padding
    std::uint64_t algorithm1 = 0, algorithm2 = 0;

    PaperOperations& operator+=(const PaperOperations& other);
};

// Adds by Algorithms 1 and 2, one group of `wordBits` words after another. Returns the carry out; undefined after a
// stop.
bool addPaper12(const LimbAddition& addition, int wordBits, PaperOperations& operations, const std::stop_token& stop);

// ---- addition on the CPU ----

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
std::string_view nameOf(CpuAlgorithm algorithm);                  // "paper-1-2", "lookahead", ...
std::optional<CpuAlgorithm> cpuAlgorithm(std::string_view name);  // nullopt: no such algorithm

// Operands in limbs of 64 bits, least significant first. The three spans have the same length (>= 1). `sum` may be `a`
// or `b` itself but may not partly overlap them.
struct MultiwordOperands
{
    std::span<const Limb> a, b;
    std::span<Limb> sum;
    bool carry = false;     // carry in, or borrow in if `subtract`
    bool subtract = false;  // a - b - borrow instead of a + b + carry
};

struct CpuAdderOptions
{
    CpuAlgorithm algorithm = CpuAlgorithm::kSimd;
    int threads = 1;                       // maximum; short numbers use fewer
    int wordBits = kPaperWordBits;         // word size of paper-1-2 (1 to 64)
    const LimbKernels* kernels = nullptr;  // null: the fastest available
    // Minimum number of limbs per thread. Waking a thread takes 10 to 50 us, in which the calling thread adds half of
    // this minimum.
    std::size_t limbsPerThread = std::size_t(1) << 18;
};

// Adder on the CPU, which keeps its threads between additions. Not thread-safe.
class CpuAdder
{
public:
    explicit CpuAdder(const CpuAdderOptions& options);
    ~CpuAdder();

    // Returns the carry (borrow) out. Each thread adds a slice. A carry into a slice changes only its lowest limbs:
    // those that propagate, and the next one. The slice's thread skips these limbs. They are added when all threads are
    // done, with no further pass over the other limbs. paper-1-2, whose groups must stay whole, finds the carries
    // first. After a stop the sum and the result are undefined.
    bool add(const MultiwordOperands& operands, const std::stop_token& stop = {});

    // Returns the counts of the last addition; all 0 except with paper-1-2.
    const PaperOperations& operations() const { return operations_; }
    const AdditionSteps& steps() const { return steps_; }  // steps of the last addition

private:
    struct Slice
    {
        LimbAddition addition = {};
        bool carryKnown = false, carryOut = false;
        std::size_t run = 0;  // propagating limbs at the low end, if the carry in is unknown
        PaperOperations operations = {};
    };

    std::size_t sliceCount(std::size_t limbs) const;
    std::uint64_t additionsFor(std::size_t limbs) const;
    std::uint64_t levelsFor(std::size_t limbs) const;
    std::uint64_t lookaheadStepsFor(std::size_t limbs) const;
    std::vector<Slice> slicesOf(const LimbAddition& whole) const;
    bool addSlice(const LimbAddition& slice, PaperOperations& operations, const std::stop_token& stop) const;
    void addUpperPart(Slice& slice, const std::stop_token& stop) const;
    void addLowestRuns(const std::vector<Slice>& slices, const std::stop_token& stop);
    static void findCarries(std::vector<Slice>& slices, const std::stop_token& stop);
    static bool passCarries(std::vector<Slice>& slices);

    CpuAdderOptions options_;
    std::size_t unit_;        // all slice lengths but the last are multiples of this (limbs)
    std::size_t leastSlice_;  // minimum slice length (limbs)
    std::unique_ptr<ThreadPool> pool_;
    PaperOperations operations_;
    AdditionSteps steps_;
};

// ---- check ----

// Independent code that checks a sum. It adds again, in pieces of 4096 limbs, and so needs no large memory.
enum class Oracle
{
    kGmp,         // mpn_add_n, mpn_sub_n
    kSchoolbook,  // limb by limb in 128 bits; checks results of GMP itself
};
const char* nameOf(Oracle oracle);

// Returns whether `sum` and `carryOut` are correct. `sum` must not be an operand. Undefined after a stop.
bool isSum(const MultiwordOperands& operands, bool carryOut, Oracle oracle, const std::stop_token& stop = {});

// ---- Algorithm 3 as a counting model (paper.cpp); its kernel is in kernels/ ----

inline constexpr int kVectorWords = 16;
using WordVector = std::array<std::uint16_t, kVectorWords>;

struct Algorithm3Operations
{
    std::uint64_t vector = 0, word = 0;  // per processor
    std::uint64_t barriers = 0;          // passed by all processors
};

// Adds with k processors in lockstep, one per vector. z and x may be the same. Time O(k^2). Returns the carry out.
bool addAlgorithm3(std::span<const WordVector> x, std::span<const WordVector> y, std::span<WordVector> z,
                   Algorithm3Operations& operations);

// Returns the operations of each of `processors` processors, by simulating one of them. Time O(processors).
Algorithm3Operations countAlgorithm3(std::uint64_t processors);

}  // namespace orogen::compute
