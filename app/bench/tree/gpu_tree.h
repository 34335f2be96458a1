// A tree in GPU buffers without a renderer around it, for measuring what its parts cost: in the wide layout with the
// renderer's own reduction, or in the packed one with the paper's (Grachev and Ushakov 2023).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "app/bench/harness/interleaved_trials.h"
#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"

namespace orogen::app {

struct GpuTreePrograms
{
    GpuTreePrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads);  // see app/render/lod_tree.h
    ProgramHandle plainPass, scan, reduce, reduceTop, decode, update, endUpdate, args,
        list;  // wide (scan: either layout)
    ProgramHandle packedReduce, packedDecode, packedArgs, packedUpdate;
};

// Dispatches that together do a thing.  None takes long on a GPU (some 2^20 threads, or 2^15 bits for the one thread of
// the scan), so that one that is measured in a window need not hold up the picture.
using bench::Slices;

class GpuTree
{
public:
    enum class Layout
    {
        kWide,
        kPacked,
    };
    static constexpr std::uint32_t kMostListed = 1u << 24;  // leaves of more go round in the list

    // Holds the words of a reduced tree.  Error kLimit: the driver's storage block or memory is too small.  `library`
    // must outlive it and have finished.
    static Result<GpuTree> create(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                                  const Cbt& tree);
    static Result<GpuTree> create(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                                  const PackedCbt& tree);
    static std::uint64_t bytes(Layout layout, int depth);

    Layout layout() const { return layout_; }
    int depth() const { return depth_; }

    // Each binds what it needs; a barrier stands behind every dispatch.  They refer to this tree, which must stay where
    // it is.
    Slices plainPass() const;  // wide: count all bits, store the last stored level; the floor of a reduction
    Slices reduce() const;     // of everything: 2 dispatches (1 up to D = 15) wide, a dispatch a level packed
    Slices decode() const;     // all leaves, by descending
    Slices scan() const;       // all leaves, by one thread that looks at every bit
    // A use of the tree, where about a 32nd of the leaves splits, or merges: update, reduction, decoded leaves.  Wide:
    // from the list of leaves, which prepare() makes first, and with the incremental reduction.  Packed: each thread
    // decodes and changes its leaf at once, and there is no list (the paper's way).  depth() <= 24.
    void prepare() const;
    Slices cycle(bool merging) const;
    Slices cycleAtRest() const;  // the cycle where it is known that nothing changes: the leaves are decoded

    void spoilCounts() const;  // so that a reduction that does not happen shows
    std::vector<std::uint32_t> readHeap() const;
    std::vector<std::uint32_t> readList(std::uint32_t count) const;  // count <= kMostListed
    std::uint32_t readFound() const;                                 // leaves that the last scan found

private:
    GpuTree(const ShaderLibrary& library, const GpuTreePrograms& programs) : library_(&library), programs_(programs) {}
    static Result<GpuTree> make(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                                Layout layout, int depth, std::uint32_t leaves, std::span<const std::uint32_t> words);
    void bind() const;
    void restartScan() const;
    void use(ProgramHandle program) const { glUseProgram(library_->program(program)); }
    // A dispatch a slice of at most 2^20 of [first, first + count), with `first`, `count` and `more` as uniforms 0,
    // 1, 2.
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

}  // namespace orogen::app
