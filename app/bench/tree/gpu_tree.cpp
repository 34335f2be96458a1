#include "app/bench/tree/gpu_tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "core/cbt/tree.h"
#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

constexpr std::uint64_t kWord = sizeof(std::uint32_t);
constexpr GLbitfield kPassBarrier = GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT;
constexpr std::uint64_t kSlice = 1u << 20;  // threads per dispatch
// Bits per dispatch of the scan's one thread; llvmpipe leaves any loop after 65535 iterations.
constexpr std::uint64_t kScanSlice = 1u << 15;
constexpr std::uint64_t kCounters = 22;  // must equal kLodCounters in shaders/lod/lod_round.glsl

std::uint32_t chunkCount(int depth) { return 1u << (depth - std::min(depth, int(gpu::kChunkDepth))); }

void dispatch(std::uint64_t threads, std::uint32_t group)
{
    glDispatchCompute(GLuint((threads + group - 1) / group), 1, 1);
    glMemoryBarrier(kPassBarrier);
}

std::vector<std::uint32_t> readBack(const Buffer& buffer, std::size_t count)
{
    std::vector<std::uint32_t> words(count);
    readBuffer(buffer, 0, count * kWord, words.data());
    return words;
}

}  // namespace

GpuTreePrograms::GpuTreePrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads)
    : plainPass(library.add("plain pass", {"shaders/lab/lab_plain_pass.comp"})),
      scan(library.add("scan of bits", {"shaders/lab/lab_scan.comp"})),
      reduce(library.add("reduce", {"shaders/lod/cbt_reduce.comp"}, {reduceThreads})),
      reduceTop(library.add("reduce top", {"shaders/lod/cbt_reduce_top.comp"})),
      decode(library.add("decode all", {"shaders/lab/lab_decode.comp"})),
      update(library.add("update", {"shaders/lab/lab_update.comp"})),
      endUpdate(library.add("end of update", {"shaders/lod/cbt_reduce.comp"},
                            {reduceThreads, {"OROGEN_ENDS_ROUND", "1"}, {"OROGEN_LABORATORY", "1"}})),
      args(library.add("args", {"shaders/lab/lab_args.comp"})),
      list(library.add("list", {"shaders/lab/lab_list.comp"})),
      packedReduce(library.add("packed reduce", {"shaders/lab/lab_packed_reduce.comp"})),
      packedDecode(library.add("packed decode", {"shaders/lab/lab_packed_decode.comp"})),
      packedArgs(library.add("packed args", {"shaders/lab/lab_packed_args.comp"})),
      packedUpdate(library.add("packed update", {"shaders/lab/lab_packed_update.comp"}))
{
}

std::uint64_t GpuTree::bytes(Layout layout, int depth)
{
    return layout == Layout::kWide ? treeBytes(depth) : std::uint64_t(1) << (depth - 1);
}

Result<GpuTree> GpuTree::create(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                                const Cbt& tree)
{
    return make(library, programs, limits, Layout::kWide, tree.maxDepth(), tree.leafCount(), tree.words());
}

Result<GpuTree> GpuTree::create(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                                const PackedCbt& tree)
{
    return make(library, programs, limits, Layout::kPacked, tree.maxDepth(), tree.leafCount(), tree.words());
}

Result<GpuTree> GpuTree::make(const ShaderLibrary& library, const GpuTreePrograms& programs, const Limits& limits,
                              Layout layout, int depth, std::uint32_t leaves, std::span<const std::uint32_t> words)
{
    if (words.size_bytes() > std::uint64_t(limits.shaderStorageBytes))
        return Error{ExitCode::kLimit,
                     fmt::format("a tree of depth {} takes {} MiB, but this driver's storage blocks hold {} MiB", depth,
                                 words.size_bytes() >> 20, limits.shaderStorageBytes >> 20)};
    GpuTree tree(library, programs);
    tree.layout_ = layout;
    tree.depth_ = depth;
    tree.leaves_ = leaves;
    const std::uint64_t listed = std::min(std::uint64_t(kMostListed), std::uint64_t(1) << depth);
    const std::uint64_t state = sizeof(gpu::TreeState) + 2 * chunkCount(depth) * kWord;
    const struct
    {
        const char* name;
        std::uint64_t bytes;
        const void* data;
        Buffer* place;
    } parts[] = {{"laboratory tree", words.size_bytes(), words.data(), &tree.heap_},
                 {"laboratory leaves", listed * kWord, nullptr, &tree.list_},
                 {"laboratory state", state, nullptr, &tree.state_},
                 {"laboratory scan", 2 * kWord, nullptr, &tree.scan_},
                 {"laboratory counters", kCounters * kWord, nullptr, &tree.counters_}};
    for (const auto& part : parts)
    {
        Result<Buffer> buffer = makeBuffer(part.name, part.bytes, GL_DYNAMIC_STORAGE_BIT, part.data);
        if (!buffer) return buffer.error();
        *part.place = std::move(*buffer);
    }
    for (const Buffer* buffer : {&tree.state_, &tree.counters_})
        glClearNamedBufferData(buffer->id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    return tree;
}

void GpuTree::bind() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kTreeBinding, heap_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kLeavesBinding, list_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kLabScanBinding, scan_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPairsBinding, counters_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kStateBinding, state_.id());
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, state_.id());
}

void GpuTree::slicesOver(Slices& slices, ProgramHandle program, std::uint32_t group, std::uint64_t first,
                         std::uint64_t count, std::optional<std::uint32_t> more) const
{
    for (std::uint64_t done = 0; done < count; done += kSlice)
        slices.push_back([=, this, begin = GLuint(first + done), threads = std::min(kSlice, count - done)] {
            bind();
            use(program);
            glUniform1ui(0, begin);
            glUniform1ui(1, GLuint(threads));
            if (more) glUniform1ui(2, *more);
            dispatch(threads, group);
        });
}

Slices GpuTree::plainPass() const
{
    Slices slices;
    const std::uint64_t nodes = std::uint64_t(1) << (depth_ - 6);
    slicesOver(slices, programs_.plainPass, gpu::kReduceGroupSize, nodes, nodes);
    return slices;
}

Slices GpuTree::reduce() const
{
    Slices slices;
    if (layout_ == Layout::kPacked)
    {
        for (int level = depth_ - 1; level >= 0; --level)
            slicesOver(slices, programs_.packedReduce, gpu::kReduceGroupSize, std::uint64_t(1) << level,
                       std::uint64_t(1) << level);
        return slices;
    }
    slices.push_back([this] {
        bind();
        use(programs_.reduce);
        glDispatchCompute(chunkCount(depth_), 1, 1);
        glMemoryBarrier(kPassBarrier);
        if (chunkCount(depth_) == 1) return;
        use(programs_.reduceTop);
        dispatch(1, 1);
    });
    return slices;
}

Slices GpuTree::decode() const
{
    Slices slices;
    slicesOver(slices, layout_ == Layout::kWide ? programs_.decode : programs_.packedDecode, gpu::kLeafGroupSize, 0,
               leaves_, listMask());
    return slices;
}

Slices GpuTree::scan() const
{
    Slices slices;
    const std::uint64_t bits = std::uint64_t(1) << depth_;
    const std::uint64_t fieldWord = layout_ == Layout::kWide ? bits / 32 : 3 * bits / 32;
    for (std::uint64_t first = 0; first < bits; first += kScanSlice)
        slices.push_back([=, this] {
            bind();
            if (first == 0) restartScan();
            use(programs_.scan);
            glUniform1ui(0, GLuint(depth_));
            glUniform1ui(1, GLuint(fieldWord));
            glUniform1ui(2, GLuint(first));
            glUniform1ui(3, GLuint(std::min(kScanSlice, bits - first)));
            glUniform1ui(4, listMask());
            dispatch(1, 1);
        });
    return slices;
}

void GpuTree::restartScan() const
{
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);  // an earlier scan may have written the buffer
    glClearNamedBufferData(scan_.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void GpuTree::prepare() const
{
    if (layout_ == Layout::kPacked) return;
    bind();
    use(programs_.args);
    dispatch(1, 1);
    for (const auto& slice : cycleAtRest())
        slice();
}

Slices GpuTree::cycle(bool merging) const
{
    if (layout_ == Layout::kPacked)
    {
        Slices slices{[=, this] {
            bind();
            use(programs_.packedArgs);
            dispatch(1, 1);
            use(programs_.packedUpdate);
            glUniform1ui(0, merging);
            glDispatchComputeIndirect(offsetof(gpu::TreeState, leafGroups));
            glMemoryBarrier(kPassBarrier);
        }};
        for (std::function<void()>& slice : reduce())
            slices.push_back(std::move(slice));
        return slices;
    }
    return {[=, this] {
        bind();
        use(programs_.update);
        glUniform1ui(0, merging);
        glDispatchComputeIndirect(offsetof(gpu::TreeState, leafGroups));
        glMemoryBarrier(kPassBarrier);
        use(programs_.endUpdate);
        glDispatchComputeIndirect(offsetof(gpu::TreeState, reduceGroups));
        glMemoryBarrier(kPassBarrier);
        use(programs_.list);
        glDispatchComputeIndirect(offsetof(gpu::TreeState, leafGroups));
        glMemoryBarrier(kPassBarrier);
    }};
}

Slices GpuTree::cycleAtRest() const
{
    if (layout_ == Layout::kPacked) return decode();
    return {[this] {
        bind();
        use(programs_.list);
        glDispatchComputeIndirect(offsetof(gpu::TreeState, leafGroups));
        glMemoryBarrier(kPassBarrier);
    }};
}

void GpuTree::spoilCounts() const
{
    const std::vector<std::uint32_t> words = readHeap();
    std::vector<std::uint32_t> spoilt = words;
    const std::size_t field = layout_ == Layout::kWide ? words.size() / 2 : words.size() / 4 * 3;
    // Keeps the header: words[0] of the wide layout, the lowest D + 3 bits (at most two words) of the packed one.
    const std::size_t header = layout_ == Layout::kWide ? 1 : 2;
    for (std::size_t i = header; i < field; ++i)
        spoilt[i] ^= 0x5a5a5a5au;
    glNamedBufferSubData(heap_.id(), 0, GLsizeiptr(spoilt.size() * kWord), spoilt.data());
}

std::vector<std::uint32_t> GpuTree::readHeap() const { return readBack(heap_, std::size_t(heap_.bytes() / kWord)); }

std::vector<std::uint32_t> GpuTree::readList(std::uint32_t count) const { return readBack(list_, count); }

std::uint32_t GpuTree::readFound() const { return readBack(scan_, 2)[1]; }

// ---- contenders ----

namespace {

constexpr int kUses = 100;  // cycles per measurement, since a single cycle is too short to be timed

std::vector<std::uint32_t> wordsOf(const GpuTree& gpu, bench::Fill fill)
{
    const auto copy = [](const auto& tree) {
        return std::vector<std::uint32_t>(tree.words().begin(), tree.words().end());
    };
    if (gpu.layout() == GpuTree::Layout::kWide) return copy(uniformTree<Cbt>(fill, gpu.depth()));
    return copy(uniformTree<PackedCbt>(fill, gpu.depth()));
}

// Returns whether the leaf list is that of a uniform tree, whose leaves are consecutive nodes. A list longer than its
// buffer wraps around.
bool listIsThat(const GpuTree& gpu, bench::Fill fill)
{
    const std::uint32_t count = fill == bench::Fill::kFull ? 1u << gpu.depth() : 1u << (gpu.depth() - 2);
    const std::uint32_t listed = std::min(count, GpuTree::kMostListed);
    const std::vector<std::uint32_t> list = gpu.readList(listed);
    for (std::uint32_t number = count - listed; number < count; ++number)
        if (list[number % listed] != count + number) return false;
    return true;
}

// Selects about every 32nd node for splitting and merging; must match shaders/lab/lab_choice.glsl.
bool chosen(NodeId node)
{
    std::uint32_t x = node * 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    return ((x ^ (x >> 13)) & 31u) == 0;
}

void cycleOnCpu(Cbt& tree, bool merging)
{
    const Cbt snapshot = tree;  // at the deepest levels, isLeaf() reads bits that the loop changes
    for (const NodeId leaf : leavesOf(snapshot))
    {
        if (!merging && chosen(leaf)) tree.split(leaf);
        if (merging && leaf % 2 == 1 && leaf > 1 && chosen(leaf / 2) && snapshot.isLeaf(leaf - 1)) tree.merge(leaf);
    }
    tree.reduce();
}

// Returns whether the heap is as after one splitting and one merging cycle; further pairs restore that state.
bool heapIsCycled(const GpuTree& gpu, bench::Fill fill)
{
    Cbt tree = uniformTree<Cbt>(fill, gpu.depth());
    cycleOnCpu(tree, false);
    cycleOnCpu(tree, true);
    if (gpu.layout() == GpuTree::Layout::kWide) return std::ranges::equal(gpu.readHeap(), tree.words());
    return std::ranges::equal(gpu.readHeap(), reencoded<PackedCbt>(tree, gpu.depth(), gpu.depth()).words());
}

void append(Slices& slices, Slices more)
{
    for (auto& slice : more)
        slices.push_back(std::move(slice));
}

// The check reads the result back from the GPU, so it runs once, after all sections.
bench::Contender contender(Slices slices, std::function<bool()> check, int uses = 1)
{
    return {.section = std::move(slices), .finalCheck = std::move(check), .uses = uses};
}

}  // namespace

bench::TrialOptions gpuTrialOptions(int rounds, double seconds)
{
    return {
        .leastRounds = 1, .mostRounds = rounds, .seconds = seconds, .batchMs = 2, .synchronise = [] { glFinish(); }};
}

bench::Contender gpuReduction(const GpuTree& tree, bench::Fill fill)
{
    tree.spoilCounts();
    return contender(tree.reduce(), [&tree, fill] { return tree.readHeap() == wordsOf(tree, fill); });
}

bench::Contender gpuPlainPass(const GpuTree& tree, bench::Fill fill)
{
    return contender(tree.plainPass(), [&tree, fill] { return tree.readHeap() == wordsOf(tree, fill); });
}

bench::Contender gpuScan(const GpuTree& tree, bench::Fill fill)
{
    const std::uint32_t count = fill == bench::Fill::kFull ? 1u << tree.depth() : 1u << (tree.depth() - 2);
    return contender(tree.scan(), [=, &tree] { return tree.readFound() == count && listIsThat(tree, fill); });
}

bench::Contender gpuDecode(const GpuTree& tree, bench::Fill fill)
{
    return contender(tree.decode(), [&tree, fill] { return listIsThat(tree, fill); });
}

bench::Contender gpuReductionAndDecode(const GpuTree& tree, bench::Fill fill)
{
    tree.spoilCounts();
    Slices slices = tree.reduce();
    append(slices, tree.decode());
    return contender(std::move(slices),
                     [&tree, fill] { return listIsThat(tree, fill) && tree.readHeap() == wordsOf(tree, fill); });
}

bench::Contender gpuCycle(const GpuTree& tree, bench::Fill fill)
{
    assert(tree.depth() <= 24);
    tree.prepare();
    Slices slices;
    for (int use = 0; use < kUses; ++use)
        append(slices, tree.cycle(use % 2 == 1));
    return contender(
        std::move(slices), [&tree, fill] { return heapIsCycled(tree, fill); }, kUses);
}

bench::Contender gpuCycleAtRest(const GpuTree& tree, bench::Fill fill)
{
    tree.prepare();
    Slices slices;
    for (int use = 0; use < kUses; ++use)
        append(slices, tree.cycleAtRest());
    return contender(
        std::move(slices), [&tree, fill] { return listIsThat(tree, fill); }, kUses);
}

}  // namespace orogen::app
