// A concurrent binary tree in GPU buffers without a renderer, to measure its parts. It has the wide layout
// (core/cbt/cbt.h) with the renderer's reduction, or the packed layout (core/cbt/packed_cbt.h) with the reduction of
// paper 002 (Grachev and Ushakov 2023). The contenders below time its parts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "app/bench/harness/interleaved_trials.h"
#include "app/bench/tree/tree_experiments.h"
#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"

namespace orogen::app {

struct GpuTreePrograms
{
    GpuTreePrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads);  // see app/render/leaf_rounds.h
    ProgramHandle plainPass, scan, reduce, reduceTop, decode, update, endUpdate, args,
        list;  // wide layout; `scan` handles both layouts
    ProgramHandle packedReduce, packedDecode, packedArgs, packedUpdate;
};

// Dispatches that together do one task. Tasks are split, so that measuring in a window does not delay the picture: into
// dispatches of at most 2^20 threads, or of 2^15 bits for the one thread of the scan. The reduction and the cycle of
// the wide layout, and the update in a cycle of the packed layout, are not split.
using bench::Slices;

class GpuTree
{
public:
    enum class Layout
    {
        kWide,
        kPacked,
    };
    static constexpr std::uint32_t kMostListed = 1u << 24;  // entries of the leaf list; longer lists wrap around

    // Uploads the words of a reduced tree. Error kLimit: the driver's storage block or memory is too small. `library`
    // must outlive the tree and have finished.
    static Result<GpuTree> create(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                                  const Cbt& tree);
    static Result<GpuTree> create(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                                  const PackedCbt& tree);
    static std::uint64_t bytes(Layout layout, int depth);

    Layout layout() const { return layout_; }
    int depth() const { return depth_; }

    // Each slice binds its buffers and ends with a barrier. Slices refer to this tree, which must not be moved.
    Slices plainPass() const;  // wide only: counts all bits for the deepest stored level; lower bound of a reduction
    Slices reduce() const;     // all counts; dispatches: wide 2 (1 if depth <= 15), packed 1 per 2^20 nodes of a level
    Slices decode() const;     // lists all leaves, by a descent for each
    Slices scan() const;       // lists all leaves, by one thread that tests every bit
    // One cycle as in a frame: about 1/32 of the leaves split, or merge if `merging`; then the counts are reduced. Wide
    // layout: updates the listed leaves, reduces incrementally and lists the leaves; prepare() makes the first list.
    // Packed layout, as in paper 002: without a list, each thread finds its leaf and changes it at once. depth() <= 24.
    void prepare() const;
    Slices cycle(bool merging) const;
    Slices cycleAtRest() const;  // cycle without a changed leaf: only lists the leaves

    void spoilCounts() const;  // corrupts the counts, so that a missing reduction shows
    std::vector<std::uint32_t> readHeap() const;
    std::vector<std::uint32_t> readList(std::uint32_t count) const;  // count <= kMostListed
    std::uint32_t readFound() const;                                 // leaves found by the last scan

private:
    GpuTree(const ShaderLibrary& library, const GpuTreePrograms& programs) : library_(&library), programs_(programs) {}
    static Result<GpuTree> make(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                                Layout layout, int depth, std::uint32_t leaves, std::span<const std::uint32_t> words);
    void bind() const;
    void restartScan() const;
    void use(ProgramHandle program) const { glUseProgram(library_->program(program)); }
    // Appends dispatches of at most 2^20 threads over [first, first + count). Uniforms 0 and 1 are first index and
    // count of the dispatch, uniform 2 is `more`.
    void slicesOver(Slices& slices, ProgramHandle program, std::uint32_t group, std::uint64_t first,
                    std::uint64_t count, std::optional<std::uint32_t> more = {}) const;
    std::uint32_t listMask() const { return std::uint32_t(list_.bytes() / sizeof(std::uint32_t)) - 1; }

    const ShaderLibrary* library_;
    GpuTreePrograms programs_;
    Layout layout_ = Layout::kWide;
    int depth_ = 0;
    std::uint32_t leaves_ = 0;
    Buffer heap_, list_, state_, scan_, counters_;
};

// ---- contenders with a check of their result; the tree must be uniform and not be moved ----

// Returns options for timing by the CPU's clock, between two moments at which the GPU is idle. Timers of a software
// rasteriser are unreliable, and a batch is long enough to make the waits negligible.
bench::TrialOptions gpuTrialOptions(int rounds = 9, double seconds = 1e9);

// Returns the tree for all variants of an experiment: kFull or kQuarter, with leaves of one depth.
template <class Tree>
Tree uniformTree(bench::Fill fill, int depth)
{
    return Tree(depth, fill == bench::Fill::kFull ? depth : depth - 2);
}

bench::Contender gpuReduction(const GpuTree& tree, bench::Fill fill);  // from corrupted counts
bench::Contender gpuPlainPass(const GpuTree& tree, bench::Fill fill);  // wide layout only
bench::Contender gpuScan(const GpuTree& tree, bench::Fill fill);
bench::Contender gpuDecode(const GpuTree& tree, bench::Fill fill);
bench::Contender gpuReductionAndDecode(const GpuTree& tree, bench::Fill fill);
// Time a hundred cycles. gpuCycle() splits and merges alternately, depth <= 24; gpuCycleAtRest() changes no leaf.
bench::Contender gpuCycle(const GpuTree& tree, bench::Fill fill);
bench::Contender gpuCycleAtRest(const GpuTree& tree, bench::Fill fill);

}  // namespace orogen::app
