// Benchmarks of the tree on the CPU. Each measure function returns one row per variant, compared in the same
// interleaved trials. Ratios are to the first variant, which callers choose as this program's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/harness/interleaved_trials.h"
#include "app/bench/tree/tree_algorithms.h"
#include "core/cbt/cbt.h"
#include "core/cbt/word_kernels.h"

namespace orogen::app::bench {

// Leaves of a tree of maximum depth D.
enum class Fill
{
    kFull,     // 2^D leaves
    kQuarter,  // 2^(D - 2) leaves of depth D - 2: the 25 % of paper 002
    kRandom,   // leaves of the deepest levels, about 35 % of 2^D
};
const char* nameOf(Fill fill);

// Returns a reduced tree of maximum depth `depth` (>= 6). The seed selects a random tree; equal seeds give equal trees.
Cbt makeTree(int depth, Fill fill, std::uint64_t seed = 1);

enum class Reduction
{
    kWide,          // Cbt::reduce
    kOnePass,       // counts bits for the deepest stored level only: the minimum that any reduction reads and writes
    kPublished,     // PaperTree::reduceByWords: packed, in libcbt's steps
    kPackedWords,   // PackedCbt::reduce: packed, with fewer accesses
    kPackedCounts,  // PaperTree::reduce: paper 002, count by count with atomics
};
enum class Decode
{
    kScan,           // decodeLeaves: scans the words of the bit field
    kDescend,        // Cbt::leaf for each number
    kPackedDescend,  // PackedCbt::leaf for each number: libcbt and paper 002 (figure 8)
    kPackedScan,     // PaperTree::scanBits, bit after bit: paper 002 (figure 5)
};

// Variants of an operation: algorithm, threads and CPU kernels.
struct ReductionVariant
{
    Reduction reduction = Reduction::kWide;
    int threads = 1;                                  // only kWide and kPackedCounts use several
    const WordKernels* kernels = &bestWordKernels();  // wide layout only
};
struct DecodeVariant
{
    Decode decode = Decode::kScan;
    int threads = 1;                                  // kPackedScan always uses one
    const WordKernels* kernels = &bestWordKernels();  // kScan only
};
struct ChangeVariant
{
    ReductionWay way = ReductionWay::kChosen;
    int threads = 1;
    const WordKernels* kernels = &bestWordKernels();
};
struct UpdateVariant
{
    UpdateWay way = UpdateWay::kRound;
    int threads = 1;
};

struct TreeRow
{
    std::string variant;         // name: "scan of words", "paper: bit after bit", ...
    std::string layout;          // "wide" or "packed"
    std::string instructionSet;  // empty if there is no choice
    int threads = 1, depth = 0;  // threads 0: GPU
    std::string fill = {};       // name of the Fill; for updates, the action
    std::uint64_t amount = 0;    // leaves, changes or frames
    Timing timing = {};
    double ratio = 1, medianRatio = 1;  // this row's time over the first row's: minima, medians
};

struct TreeParameters
{
    int depth = 24;
    Fill fill = Fill::kFull;
    std::uint64_t seed = 1;
    TrialOptions trials = {};
};

// Error of all functions below: kInterrupted if trials.shouldStop() returned true. After each timed section, a check
// compares every count or every listed leaf with the result of a separate computation.

// Measures reductions. Before each section, the same contender reduces the tree, as in a previous frame. Then one bit
// in each 64-bit pair of words changes, which leaves the counts stale.
Result<std::vector<TreeRow>> measureReductions(const TreeParameters& parameters,
                                               const std::vector<ReductionVariant>& variants);

// Measures how long it takes to list all leaves.
Result<std::vector<TreeRow>> measureDecodes(const TreeParameters& parameters,
                                            const std::vector<DecodeVariant>& variants);

// Measures the reduction after `changes` scattered bit changes, which differ from section to section. Before each
// section, the contender reduces another frame of such changes.
Result<std::vector<TreeRow>> measureChanges(const TreeParameters& parameters, std::size_t changes,
                                            const std::vector<ChangeVariant>& variants);

// Measures the updates until the tree converges after its focus has moved. `amount` is the number of frames. Also
// checks that the mesh conforms and that all ways end in the same leaves. Ignores `fill`.
Result<std::vector<TreeRow>> measureUpdates(const TreeParameters& parameters,
                                            const std::vector<UpdateVariant>& variants);

}  // namespace orogen::app::bench
