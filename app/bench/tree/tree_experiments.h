// The tree at its limit, measured: each experiment is a function of its parameters that returns rows of figures, for a
// table, a plot or a panel.  The first row is ours; the others are what it is compared with, in the
// same interleaved trials.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/harness/interleaved_trials.h"
#include "app/bench/tree/updates.h"
#include "core/cbt/cbt.h"
#include "core/cbt/changed_reduction.h"
#include "core/cbt/word_kernels.h"

namespace orogen::app::bench {

enum class Fill
{
    kFull,     // 2^D leaves
    kQuarter,  // 2^(D - 2) leaves of depth D - 2: the paper's 25 %
    kRandom,   // leaves of all the deepest levels, about 35 % of 2^D
};
const char* nameOf(Fill fill);

// A reduced tree; the same for the same seed.
Cbt makeTree(int depth, Fill fill, std::uint64_t seed = 1);

enum class Reduction
{
    kWide,          // Cbt::reduce
    kOnePass,       // counts the bits for the deepest stored level alone: what any reduction has to read and write
    kPublished,     // PaperTree::reduceByWords: packed, in libcbt's steps
    kPackedWords,   // PackedCbt::reduce: packed, with fewer accesses
    kPackedCounts,  // PaperTree::reduce: count by count from the bits on, by atomics
};
enum class Decode
{
    kScan,           // decodeLeaves: the words of the field
    kDescend,        // Cbt::leaf for each number
    kPackedDescend,  // PackedCbt::leaf for each number: libcbt's and the paper's (figure 8)
    kPackedScan,     // PaperTree::scanBits, bit after bit (figure 5)
};

// A contender: who does it, and with what.
struct ReductionVariant
{
    Reduction reduction = Reduction::kWide;
    int threads = 1;
    const WordKernels* kernels = &bestWordKernels();  // wide layout alone
};
struct DecodeVariant
{
    Decode decode = Decode::kScan;
    int threads = 1;  // the scan of bits takes one
    const WordKernels* kernels = &bestWordKernels();
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
    std::string variant;         // its name: "scan of words", "paper: bit after bit", ...
    std::string layout;          // "wide" or "packed"
    std::string instructionSet;  // "" where there is none to choose
    int threads = 1, depth = 0;
    std::string fill = {};     // or what is done
    std::uint64_t amount = 0;  // leaves, changes or frames
    Timing timing = {};
    double ratio = 1, medianRatio = 1;  // its time over that of the first row; of minima and of medians
};

struct TreeParameters
{
    int depth = 24;
    Fill fill = Fill::kFull;
    std::uint64_t seed = 1;
    TrialOptions trials = {};
};

// Error kInterrupted: trials.shouldStop() said so.  Checks: every count of the heap, or every leaf of the list, after
// each timed section, against a full rebuild by the portable loops on one thread (packed: by the other packed
// algorithm).

// Before each section the tree is reduced by the same contender, as in a frame before, and then one bit in each pair of
// words changes, so that no count is right by itself.
Result<std::vector<TreeRow>> measureReductions(const TreeParameters& parameters,
                                               const std::vector<ReductionVariant>& variants);

Result<std::vector<TreeRow>> measureDecodes(const TreeParameters& parameters,
                                            const std::vector<DecodeVariant>& variants);

// A section is the reduction after `changes` scattered bits, others each time; another such frame went before.
Result<std::vector<TreeRow>> measureChanges(const TreeParameters& parameters, std::size_t changes,
                                            const std::vector<ChangeVariant>& variants);

// A section is what it takes to settle after the point that the tree is fine around has moved.  `amount` is the number
// of frames.  Checks also that the mesh conforms and that all ways end in the same leaves.  Fill is ignored.
Result<std::vector<TreeRow>> measureUpdates(const TreeParameters& parameters,
                                            const std::vector<UpdateVariant>& variants);

}  // namespace orogen::app::bench
