#include "app/render/lod_tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <glm/geometric.hpp>

namespace orogen::app {
namespace {

using gpu::TreeState;

constexpr int kMinDepth = 6;
// shaders/lod_round.glsl: how many words come before the pair bits, and which hold the dispatch of a full tree's
// passes.
constexpr std::uint64_t kRoundCounters = 20, kCutGroups = 16;
constexpr GLint kFirstGroup = 8;                   // shaders/leaf_dispatch.glsl: the location of the uniform
constexpr double kOdometerUnitsPerSide = 1 << 18;  // 20 cm on 50 km
constexpr GLbitfield kBetweenPasses = GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT;

// Before a clear, a copy or a read of a buffer that a pass may have written: the barriers between passes do not order
// these.  What they write is seen by the next pass without a barrier.
void finishShaderWrites() { glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT); }

std::uint32_t chunkCount(int depth) { return 1u << (depth - std::min(depth, int(gpu::kChunkDepth))); }

std::uint64_t words(std::uint64_t count) { return count * sizeof(std::uint32_t); }

void zero(const Buffer& buffer)
{
    glClearNamedBufferData(buffer.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

// Sets of four entries in the table of verdicts, as a power of two: twice as many entries as leaves at most.
GLuint verdictBits(std::uint32_t capacity)
{
    return std::clamp(GLuint(std::bit_width(capacity - 1)) + 1, 16u, 22u) - 2;
}

void put(const Buffer& buffer, std::uint64_t word, std::uint32_t value)
{
    glClearNamedBufferSubData(buffer.id(), GL_R32UI, GLintptr(words(word)), sizeof value, GL_RED_INTEGER,
                              GL_UNSIGNED_INT, &value);
}

// The two halves of the square: the leaves 2 and 3.  Counts follow from the reduction.
void writeHalves(const Buffer& heap, int depth)
{
    const std::uint64_t wordCount = std::uint64_t(1) << (depth - 5);
    zero(heap);
    put(heap, 0, std::uint32_t(depth));
    put(heap, wordCount, 1u);
    put(heap, wordCount + wordCount / 2, 1u);
}

// Runs a pass between the marks of its timer, where there is one.
template <class Work>
void timed(GpuTimers* timers, GpuPass pass, const Work& work)
{
    if (timers) timers->begin(pass);
    work();
    if (timers) timers->end(pass);
}

WorkCounters workOf(const TreeState& state, std::uint64_t frame)
{
    WorkCounters work;
    work.frame = frame;
    work.leaves = state.leaves;
    work.visible = state.visible;
    work.triangles = std::uint64_t(state.visible) << (2 * state.patchLevel);
    work.splits = state.splits;
    work.merges = state.merges;
    work.refused = state.refused;
    work.maxDepth = state.maxDepth;
    work.thresholdPixels = state.thresholdPixels;
    return work;
}

}  // namespace

ShaderDefine reduceThreads(const ContextInfo& info)
{
    return {"OROGEN_REDUCE_THREADS",
            fmt::format("{}u", info.software ? gpu::kChunkThreadsSoftware : gpu::kChunkThreadsHardware)};
}

LodPrograms::LodPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads)
    : mark(library.add("mark", {"shaders/lod_mark.comp"})),
      markByError(library.add("mark by error", {"shaders/lod_mark.comp"}, {{"OROGEN_BY_ERROR", "1"}})),
      due(library.add("due", {"shaders/lod_due.comp"})),
      threshold(library.add("threshold", {"shaders/lod_threshold.comp"})),
      cost(library.add("cost", {"shaders/lod_cost.comp"})), pairs(library.add("pairs", {"shaders/lod_pairs.comp"})),
      prefix(library.add("prefix", {"shaders/lod_prefix.comp"})),
      serve(library.add("serve", {"shaders/lod_serve.comp"})), plan(library.add("plan", {"shaders/lod_plan.comp"})),
      apply(library.add("apply", {"shaders/cbt_apply.comp"})),
      reduce(library.add("reduce", {"shaders/cbt_reduce.comp"}, {reduceThreads})),
      reduceTop(library.add("reduce top", {"shaders/cbt_reduce_top.comp"})),
      args(library.add("args", {"shaders/cbt_args.comp"})), decode(library.add("decode", {"shaders/cbt_decode.comp"})),
      reencode(library.add("re-encode", {"shaders/cbt_reencode.comp"})),
      ranges(library.add("draw ranges", {"shaders/draw_ranges.comp"})),
      passRanges(library.add("pass ranges", {"shaders/group_ranges.comp"}))
{
}

std::uint64_t leafBytes(std::uint32_t capacity)
{
    const std::uint64_t n = capacity;
    return words(3 * n) + words(kRoundCounters + 2 * (n / 32 + 1)) + words(n / 32 + 1) + 16 * n +
           words(std::uint64_t(4) << verdictBits(capacity));
}

std::uint32_t effectiveCapacity(int depth, std::uint32_t capacity)
{
    return std::uint32_t(std::min<std::uint64_t>(capacity, std::uint64_t(1) << depth));
}

int largestDepth(const Limits& limits)
{
    int depth = kMinDepth;
    while (depth < 30 && treeBytes(depth + 1) <= std::uint64_t(limits.shaderStorageBytes))
        ++depth;
    return depth;
}

Status checkDepth(const Limits& limits, int depth)
{
    const int largest = largestDepth(limits);
    if (depth <= largest) return Status::ok();
    return Error{ExitCode::kLimit,
                 fmt::format("cbt.depth {}: the tree takes {} MiB, but this driver's storage blocks hold {} MiB; the "
                             "largest depth here is {}",
                             depth, treeBytes(depth) >> 20, limits.shaderStorageBytes >> 20, largest)};
}

Result<LodTree> LodTree::create(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits,
                                int depth, std::uint32_t capacity)
{
    LodTree tree(library, programs, limits);
    if (Status status = checkDepth(limits, depth); !status) return status.error();
    Result<ReadbackRing> readback = ReadbackRing::create("work counters", sizeof(TreeState));
    if (!readback) return readback.error();
    tree.readback_ = std::move(*readback);

    Result<Buffer> ranges = makeBuffer("draw ranges", kMostRanges * sizeof(gpu::DrawCommand));
    if (!ranges) return ranges.error();
    Result<Buffer> heap = tree.makeHeap(depth);
    if (!heap) return heap.error();
    Result<Buffer> state = tree.makeState(depth);
    if (!state) return state.error();
    Result<LeafBuffers> leaf = tree.makeLeafBuffers(effectiveCapacity(depth, capacity));
    if (!leaf) return leaf.error();
    tree.ranges_ = std::move(*ranges);
    tree.heap_ = std::move(*heap);
    tree.state_ = std::move(*state);
    tree.leaf_ = std::move(*leaf);
    tree.depth_ = depth;
    tree.capacity_ = capacity;
    return tree;
}

Result<Buffer> LodTree::makeHeap(int depth) const
{
    Result<Buffer> heap = makeBuffer(fmt::format("tree, depth {}", depth), treeBytes(depth));
    if (heap) writeHalves(*heap, depth);
    return heap;
}

Result<Buffer> LodTree::makeState(int depth) const
{
    Result<Buffer> state = makeBuffer("tree state", sizeof(TreeState) + words(2 * chunkCount(depth)));
    if (state) zero(*state);
    return state;
}

Result<LodTree::LeafBuffers> LodTree::makeLeafBuffers(std::uint32_t capacity) const
{
    const std::uint64_t n = capacity;
    if (16 * n > std::uint64_t(limits_.shaderStorageBytes))
        return Error{
            ExitCode::kLimit,
            fmt::format(
                "cbt.leaf_capacity {}: the list of visible leaves takes {} MiB, but this driver's storage blocks "
                "hold {} MiB; the largest capacity here is {}",
                capacity, (16 * n) >> 20, limits_.shaderStorageBytes >> 20, limits_.shaderStorageBytes / 16)};
    LeafBuffers made;
    const struct
    {
        const char* name;
        std::uint64_t bytes;
        Buffer* place;
    } parts[] = {{"leaf list", words(n), &made.leaves},
                 {"leaf flags", words(n), &made.flags},
                 {"leaf plan", words(n), &made.plan},
                 {"pair bits", words(kRoundCounters + 2 * (n / 32 + 1)), &made.pairs},
                 {"pair prefix", words(n / 32 + 1), &made.prefix},
                 {"visible leaves", 16 * n, &made.visible},
                 {"verdicts", words(std::uint64_t(4) << verdictBits(capacity)), &made.verdicts}};
    for (const auto& part : parts)
    {
        Result<Buffer> buffer = makeBuffer(part.name, part.bytes);
        if (!buffer) return buffer.error();
        *part.place = std::move(*buffer);
    }
    zero(made.verdicts);
    return made;
}

MakeTriangulation implicitTree(ShaderLibrary& library, const ContextInfo& info)
{
    return [&library, programs = LodPrograms(library, reduceThreads(info))](
               const Limits& limits, int depth, std::uint32_t capacity) -> Result<std::unique_ptr<Triangulation>> {
        Result<LodTree> tree = LodTree::create(library, programs, limits, depth, capacity);
        if (!tree) return tree.error();
        return std::unique_ptr<Triangulation>(std::make_unique<LodTree>(std::move(*tree)));
    };
}

Status LodTree::resize(int depth, std::uint32_t capacity)
{
    if (depth == depth_ && capacity == capacity_) return Status::ok();
    if (Status status = checkDepth(limits_, depth); !status) return status;
    Result<Buffer> heap = makeHeap(depth);
    if (!heap) return heap.error();
    Result<Buffer> state = makeState(depth);
    if (!state) return state.error();
    LeafBuffers leaf;
    const std::uint32_t wanted = effectiveCapacity(depth, capacity);
    const bool newLeaves = wanted != effectiveCapacity(depth_, capacity_);
    if (newLeaves)
    {
        Result<LeafBuffers> made = makeLeafBuffers(wanted);
        if (!made) return made.error();
        leaf = std::move(*made);
    }
    const int deepest = newLeaves ? std::min(depth, deepestThatFits(wanted)) : depth;
    reencode(*heap, depth, deepest);
    heap_ = std::move(*heap);
    state_ = std::move(*state);
    if (newLeaves) leaf_ = std::move(leaf);
    depth_ = depth;
    capacity_ = capacity;
    forgetVerdicts();
    relist();
    return Status::ok();
}

void LodTree::reset()
{
    finishShaderWrites();
    writeHalves(heap_, depth_);
    zero(state_);
    forgetVerdicts();
    relist();
}

// Leaves are listed from left to right, so those that share an ancestor stand side by side.
int LodTree::deepestThatFits(std::uint32_t capacity) const
{
    const std::vector<std::uint32_t> leaves = readLeaves();
    const auto depthOf = [](std::uint32_t node) { return int(std::bit_width(node)) - 1; };
    for (int depth = depth_; depth > 1; --depth)
    {
        std::uint32_t count = 0, previous = 0;
        for (std::uint32_t leaf : leaves)
        {
            const std::uint32_t node = depthOf(leaf) > depth ? leaf >> (depthOf(leaf) - depth) : leaf;
            count += node != previous;
            previous = node;
        }
        if (count <= capacity) return depth;
    }
    return 1;
}

void LodTree::reencode(const Buffer& heap, int depth, int deepest)
{
    bind();
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kTreeBinding, heap.id());
    const std::uint64_t wordCount = std::uint64_t(1) << (depth - 5);
    glClearNamedBufferSubData(heap.id(), GL_R32UI, GLintptr(words(wordCount)), GLsizeiptr(words(wordCount)),
                              GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    use(programs_.reencode);
    glUniform1ui(0, GLuint(deepest));
    dispatchLeaves();
    glMemoryBarrier(kBetweenPasses);
}

void LodTree::bind() const
{
    const struct
    {
        gpu::uint binding;
        const Buffer& buffer;
    } table[] = {{gpu::kTreeBinding, heap_},        {gpu::kLeavesBinding, leaf_.leaves},
                 {gpu::kFlagsBinding, leaf_.flags}, {gpu::kPlanBinding, leaf_.plan},
                 {gpu::kPairsBinding, leaf_.pairs}, {gpu::kPrefixBinding, leaf_.prefix},
                 {gpu::kStateBinding, state_},      {gpu::kVisibleBinding, leaf_.visible}};
    for (const auto& row : table)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, row.binding, row.buffer.id());
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, state_.id());
}

void LodTree::dispatchLeaves() const { glDispatchComputeIndirect(offsetof(TreeState, leafGroups)); }

void LodTree::beginFrame(bool rounds)
{
    bind();
    finishShaderWrites();
    // splits, merges; then refused, roundChanges: at capacity the tree rests, and the refusals of its last round stand.
    const std::uint32_t nothing = 0;
    glClearNamedBufferSubData(state_.id(), GL_R32UI, offsetof(TreeState, splits), GLsizeiptr(words(rounds ? 4 : 2)),
                              GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
    use(programs_.threshold);
    glUniform1ui(0, rounds);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(kBetweenPasses);
}

void LodTree::inputChanged()
{
    finishShaderWrites();
    put(state_, offsetof(TreeState, thresholdTurns) / sizeof(std::uint32_t), 0);
}

void LodTree::countRoundsAnew()
{
    finishShaderWrites();
    const std::uint32_t nothing = 0;
    glClearNamedBufferSubData(state_.id(), GL_R32UI, offsetof(TreeState, rounds), GLsizeiptr(words(2)), GL_RED_INTEGER,
                              GL_UNSIGNED_INT, &nothing);
}

void LodTree::moveTo(const glm::dvec3& position, double side)
{
    if (position_) travelled_ += glm::distance(*position_, position);
    odometerUnit_ = side / kOdometerUnitsPerSide;
    // A verdict that was kept last is due at the odometer's last reading.
    const double last = double((1u << (verdictBits(effectiveCapacity(depth_, capacity_)) - 2)) - 1);
    if (travelled_ / odometerUnit_ > last - 2) forgetVerdicts();
    position_ = position;
}

void LodTree::forgetVerdicts()
{
    finishShaderWrites();
    zero(leaf_.verdicts);
    travelled_ = 0;
    ++verdictVoids_;
}

void LodTree::markUniforms(bool listed) const
{
    const double reading = travelled_ / odometerUnit_;
    glUniform1ui(0, listed);
    glUniform1ui(1, verdictBits(effectiveCapacity(depth_, capacity_)));
    glUniform1ui(2, GLuint(std::floor(reading)));
    glUniform1ui(3, GLuint(std::ceil(reading)));
    glUniform1f(4, float(odometerUnit_));
}

// The list of leaves in view is made anew after the round: until then its storage holds those that are due.
void LodTree::bindForMark() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kVerdictsBinding, leaf_.verdicts.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kDueBinding, leaf_.visible.id());
}

void LodTree::beginDue() const
{
    finishShaderWrites();
    for (const GLuint word : {0u, 1u, 2u, 3u})
        put(leaf_.visible, word, word == 1 || word == 2);
}

void LodTree::mark()
{
    const bool byError = criterion_ == gpu::kCriterionError;
    const bool listed = keepVerdicts_ && position_ && !byError;
    bindForMark();
    if (listed)
    {
        beginDue();
        use(programs_.due);
        markUniforms(true);
        dispatchLeaves();
        glMemoryBarrier(kBetweenPasses);
        glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, leaf_.visible.id());
    }
    use(byError ? programs_.markByError : programs_.mark);
    markUniforms(listed);
    listed ? glDispatchComputeIndirect(0) : dispatchLeaves();
    glMemoryBarrier(kBetweenPasses);
    bind();
    cut();
}

// Empty dispatches but where the capacity binds.
void LodTree::cut()
{
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, leaf_.pairs.id());
    for (const ProgramHandle program : {programs_.cost, programs_.pairs, programs_.prefix, programs_.serve})
    {
        use(program);
        if (program == programs_.prefix)
            glDispatchCompute(1, 1, 1);
        else
            glDispatchComputeIndirect(GLintptr(words(kCutGroups)));
        glMemoryBarrier(kBetweenPasses);
    }
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, state_.id());
}

void LodTree::plan()
{
    use(programs_.plan);
    dispatchLeaves();
    glMemoryBarrier(kBetweenPasses);
}

void LodTree::apply()
{
    use(programs_.apply);
    dispatchLeaves();
    glMemoryBarrier(kBetweenPasses);
}

void LodTree::reduce(bool everything)
{
    use(programs_.reduce);
    glUniform1ui(0, everything);
    if (everything)
        glDispatchCompute(chunkCount(depth_), 1, 1);
    else
        glDispatchComputeIndirect(offsetof(TreeState, reduceGroups));
    glMemoryBarrier(kBetweenPasses);
    if (chunkCount(depth_) == 1) return;
    use(programs_.reduceTop);
    glUniform1ui(0, everything);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(kBetweenPasses);
}

void LodTree::arguments(bool afterRound, bool relist, bool cull) const
{
    use(programs_.args);
    glUniform1ui(0, afterRound);
    glUniform1ui(1, relist);
    glUniform1ui(2, cull);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(kBetweenPasses);
}

void LodTree::useDecode(bool relist, bool cull) const
{
    use(programs_.decode);
    glUniform1ui(0, relist);
    glUniform1ui(1, cull);
}

void LodTree::decode(bool afterRound, bool relist, bool cull)
{
    arguments(afterRound, relist, cull);
    useDecode(relist, cull);
    dispatchLeaves();
    glMemoryBarrier(kBetweenPasses);
}

void LodTree::round(bool last, GpuTimers* timers)
{
    timed(timers, GpuPass::kUpdate, [&] {
        mark();
        plan();
        apply();
    });
    timed(timers, GpuPass::kReduce, [&] { reduce(false); });
    timed(timers, GpuPass::kDecode, [&] { decode(true, true, last); });
}

void LodTree::cull(GpuTimers* timers)
{
    timed(timers, GpuPass::kDecode, [&] { decode(false, false, true); });
}

void LodTree::relist()
{
    bind();
    reduce(true);
    decode(false, true, false);
}

void LodTree::endFrame(std::uint64_t frame) { readback_.enqueue(state_.id(), 0, frame); }

std::optional<LodTree::Record> LodTree::poll(std::uint64_t nanoseconds)
{
    const std::optional<Readback> arrived = readback_.poll(nanoseconds);
    if (!arrived) return std::nullopt;
    TreeState state;
    std::memcpy(&state, arrived->data.data(), sizeof state);
    return Record{workOf(state, arrived->frame), state.roundChanges, state.roundsToRest};
}

void LodTree::bindForDraw() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kVisibleBinding, leaf_.visible.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kStateBinding, state_.id());
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, state_.id());
}

void LodTree::listRanges(std::uint32_t leaves, std::uint32_t count)
{
    assert(leaves % kRangeUnit == 0 && leaves > 0 && count > 0 && count <= kMostRanges);
    rangeLeaves_ = leaves;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kStateBinding, state_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRangesBinding, ranges_.id());
    use(programs_.ranges);
    glUniform1ui(0, leaves);
    glUniform1ui(1, count);
    glDispatchCompute((count + gpu::kRangeGroupSize - 1) / gpu::kRangeGroupSize, 1, 1);
    glMemoryBarrier(kBetweenPasses);
    bind();
}

// Never beyond the end of the list: a range that begins there has no leaves, and nothing of it is drawn.
void LodTree::bindRange(std::uint32_t range) const
{
    bindForDraw();
    const std::uint64_t bytes = leaf_.visible.bytes(), unit = 16 * kRangeUnit;
    const std::uint64_t first = std::min(16 * std::uint64_t(range) * rangeLeaves_, (bytes - 1) / unit * unit);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, gpu::kVisibleBinding, leaf_.visible.id(), GLintptr(first),
                      GLsizeiptr(bytes - first));
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, ranges_.id());
}

}  // namespace orogen::app
