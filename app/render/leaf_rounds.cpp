#include "app/render/leaf_rounds.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace orogen::app {
namespace {

using gpu::TreeState;

// Must match shaders/lod/lod_round.glsl: words before the pair bits (kLodCounters), and the index of kLodCutGroups.
constexpr std::uint64_t kRoundCounters = 22, kCutGroups = 16;

std::uint32_t chunkCount(int bits) { return 1u << (bits - std::min(bits, int(gpu::kChunkDepth))); }

// Runs a pass between the begin and end of its timer, if there is one.
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

void finishShaderWrites() { afterDispatch(GL_BUFFER_UPDATE_BARRIER_BIT); }

void zero(const Buffer& buffer)
{
    glClearNamedBufferData(buffer.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void put(const Buffer& buffer, std::uint64_t word, std::uint32_t value)
{
    glClearNamedBufferSubData(buffer.id(), GL_R32UI, GLintptr(words(word)), sizeof value, GL_RED_INTEGER,
                              GL_UNSIGNED_INT, &value);
}

std::vector<std::uint32_t> readWords(const Buffer& buffer, std::uint64_t first, std::uint64_t count)
{
    std::vector<std::uint32_t> data(count);
    readBuffer(buffer, words(first), words(count), data.data());
    return data;
}

std::uint64_t bytesOf(const LeafCounts& counts)
{
    const std::uint64_t n = counts.numbers;
    return words(counts.listWords * counts.capacity) + words(2 * n) + words(kRoundCounters + 2 * (n / 32 + 1)) +
           16 * std::uint64_t(counts.capacity);
}

RoundPrograms::RoundPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads, std::vector<ShaderDefine> world)
{
    const auto add = [&](const char* name, const char* file) {
        return library.add(name, {fmt::format("shaders/{}.comp", file)}, world);
    };
    threshold = add("threshold", "lod/lod_threshold");
    cost = add("cost", "lod/lod_cost");
    pairs = add("pairs", "lod/lod_pairs");
    serve = add("serve", "lod/lod_serve");
    plan = add("plan", "lod/lod_plan");
    reduceTop = add("reduce top", "lod/cbt_reduce_top");
    args = add("args", "lod/cbt_args");
    ranges = add("draw ranges", "tree/draw_ranges");
    passRanges = add("pass ranges", "tree/group_ranges");
    world.push_back(reduceThreads);
    decode = add("decode", "lod/cbt_decode");
    cull = add("cull", "lod/cull");
    reduce = add("reduce", "lod/cbt_reduce");
    world.push_back({"OROGEN_ENDS_ROUND", "1"});
    endRound = add("reduce and end the round", "lod/cbt_reduce");
}

Status LeafRounds::makeCommon()
{
    Result<ReadbackRing> readback = ReadbackRing::create("work counters", sizeof(TreeState));
    if (!readback) return readback.error();
    Result<Buffer> ranges = makeBuffer("draw ranges", DrawRanges::kMost * sizeof(gpu::DrawRange));
    if (!ranges) return ranges.error();
    readback_ = std::move(*readback);
    ranges_ = std::move(*ranges);
    return Status::ok();
}

Result<Buffer> LeafRounds::makeState(int fieldBits)
{
    Result<Buffer> state = makeBuffer("tree state", sizeof(TreeState) + words(2 * chunkCount(fieldBits)));
    if (state) zero(*state);
    return state;
}

Result<LeafRounds::LeafBuffers> LeafRounds::makeLeafBuffers(const LeafCounts& counts) const
{
    const std::uint64_t visible = 16 * std::uint64_t(counts.capacity), n = counts.numbers;
    const std::uint64_t eachMost = std::max<std::uint64_t>(16, words(counts.listWords));
    if (eachMost * counts.capacity > std::uint64_t(limits_.shaderStorageBytes))
        return Error{
            ExitCode::kLimit,
            fmt::format("cbt.leaf_capacity: a list of {} leaves takes {} MiB, but this driver's storage blocks hold {} "
                        "MiB; the largest capacity here is {}",
                        counts.capacity, eachMost * counts.capacity >> 20, limits_.shaderStorageBytes >> 20,
                        std::uint64_t(limits_.shaderStorageBytes) / eachMost)};
    LeafBuffers made;
    const struct
    {
        const char* name;
        std::uint64_t bytes;
        Buffer* place;
    } parts[] = {{"leaf list", words(counts.listWords * counts.capacity), &made.leaves},
                 {"leaf flags", words(n), &made.flags},
                 {"leaf plan", words(n), &made.plan},
                 {"pair bits", words(kRoundCounters + 2 * (n / 32 + 1)), &made.pairs},
                 {"visible leaves", visible, &made.visible}};
    for (const auto& part : parts)
    {
        Result<Buffer> buffer = makeBuffer(part.name, part.bytes);
        if (!buffer) return buffer.error();
        *part.place = std::move(*buffer);
    }
    zero(made.pairs);  // sets to 0 the tickets by which the last work group is found (shaders/tree/last_group.glsl)
    return made;
}

void LeafRounds::bind() const
{
    const struct
    {
        gpu::uint binding;
        const Buffer& buffer;
    } table[] = {{gpu::kTreeBinding, heap_},           {gpu::kLeavesBinding, leaf_.leaves},
                 {gpu::kFlagsBinding, leaf_.flags},    {gpu::kPlanBinding, leaf_.plan},
                 {gpu::kPairsBinding, leaf_.pairs},    {gpu::kStateBinding, state_},
                 {gpu::kVisibleBinding, leaf_.visible}};
    for (const auto& row : table)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, row.binding, row.buffer.id());
    bindOwn();
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, state_.id());
}

void LeafRounds::dispatchLeaves() const { glDispatchComputeIndirect(offsetof(TreeState, leafGroups)); }

LeafRounds::Pass LeafRounds::pass(Pass::Over over, ProgramHandle program) const
{
    return {over, [this, program] { use(program); }};
}

// Clears dispatch arguments and count of the listed leaves.  The list lies in the buffer of visible leaves, which is
// rewritten only after the round.
void LeafRounds::beginDue() const
{
    finishShaderWrites();
    const std::uint32_t none[4] = {0, 1, 1, 0};
    glClearNamedBufferSubData(leaf_.visible.id(), GL_RGBA32UI, 0, sizeof none, GL_RGBA_INTEGER, GL_UNSIGNED_INT, none);
}

void LeafRounds::beginFrame(bool rounds)
{
    bind();
    finishShaderWrites();
    // Clears the counts of splits and merges; with rounds also those of refused requests and changes.  A stable tree at
    // capacity keeps the refusals of its last round.
    const std::uint32_t nothing = 0;
    glClearNamedBufferSubData(state_.id(), GL_R32UI, offsetof(TreeState, splits), GLsizeiptr(words(rounds ? 4 : 2)),
                              GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
    use(rounds_.threshold);
    glUniform1ui(0, rounds);
    glDispatchCompute(1, 1, 1);
    afterDispatch(kBetweenPasses);
}

void LeafRounds::inputChanged()
{
    finishShaderWrites();
    put(state_, offsetof(TreeState, thresholdTurns) / sizeof(std::uint32_t), 0);
}

void LeafRounds::countRoundsAnew()
{
    finishShaderWrites();
    const std::uint32_t nothing = 0;
    glClearNamedBufferSubData(state_.id(), GL_R32UI, offsetof(TreeState, rounds), GLsizeiptr(words(2)), GL_RED_INTEGER,
                              GL_UNSIGNED_INT, &nothing);
}

void LeafRounds::run(const Passes& passes)
{
    for (const Pass& pass : passes)
    {
        pass.work();
        if (pass.over == Pass::Over::kOnce) continue;
        if (pass.over == Pass::Over::kDue)
        {
            glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, leaf_.visible.id());
            glDispatchComputeIndirect(0);
            glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, state_.id());
        }
        else if (pass.over == Pass::Over::kList)
            glDispatchComputeIndirect(offsetof(TreeState, listGroups));
        else
            dispatchLeaves();
        afterDispatch(kBetweenPasses);
    }
}

void LeafRounds::mark()
{
    run(markPasses());
    cut();
}
void LeafRounds::plan() { run(planPasses()); }
void LeafRounds::apply() { run(applyPasses()); }

// Limits the splits to the free capacity.  Its dispatches are empty while the requests fit.
void LeafRounds::cut()
{
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, leaf_.pairs.id());
    for (const ProgramHandle program : {rounds_.cost, rounds_.pairs, rounds_.serve})
    {
        use(program);
        glDispatchComputeIndirect(GLintptr(words(kCutGroups)));
        afterDispatch(kBetweenPasses);
    }
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, state_.id());
}

void LeafRounds::reduce(bool cull)
{
    bindChanges();
    use(rounds_.endRound);
    glUniform1ui(0, cull);
    glDispatchComputeIndirect(offsetof(TreeState, reduceGroups));
    afterDispatch(kBetweenPasses);
}

void LeafRounds::reduceEverything() const
{
    const std::uint32_t chunks = chunkCount(fieldBits());
    use(rounds_.reduce);
    glDispatchCompute(chunks, 1, 1);
    afterDispatch(kBetweenPasses);
    if (chunks == 1) return;
    use(rounds_.reduceTop);
    glDispatchCompute(1, 1, 1);
    afterDispatch(kBetweenPasses);
}

void LeafRounds::arguments(bool relist, bool cull) const
{
    use(rounds_.args);
    glUniform1ui(0, relist);
    glUniform1ui(1, cull);
    glDispatchCompute(1, 1, 1);
    afterDispatch(kBetweenPasses);
}

LeafRounds::Pass LeafRounds::decodePass() const
{
    return {Pass::Over::kList, [this] {
                bindList();
                use(rounds_.decode);
            }};
}

LeafRounds::Pass LeafRounds::cullPass() const { return pass(Pass::Over::kLeaves, rounds_.cull); }

void LeafRounds::decode(bool afterRound, bool relist, bool cull)
{
    if (!afterRound) arguments(relist, cull);
    if (relist)
    {
        listLeaves(!afterRound);
        run({decodePass()});
        takeList();
    }
    bind();
    if (cull) run({cullPass()});
}

void LeafRounds::round(bool last, GpuTimers* timers)
{
    timed(timers, GpuPass::kUpdate, [&] {
        mark();
        plan();
        apply();
    });
    timed(timers, GpuPass::kReduce, [&] { reduce(last); });
    timed(timers, GpuPass::kDecode, [&] { decode(true, true, last); });
}

void LeafRounds::cull(GpuTimers* timers)
{
    timed(timers, GpuPass::kDecode, [&] { decode(false, false, true); });
}

void LeafRounds::relist()
{
    bind();
    reduceEverything();
    decode(false, true, false);
}

void LeafRounds::endFrame(std::uint64_t frame) { readback_.enqueue(state_.id(), 0, frame); }

std::optional<LeafRounds::Record> LeafRounds::poll(std::uint64_t nanoseconds)
{
    const std::optional<Readback> arrived = readback_.poll(nanoseconds);
    if (!arrived) return std::nullopt;
    TreeState state;
    std::memcpy(&state, arrived->data.data(), sizeof state);
    return Record{workOf(state, arrived->frame), state.roundChanges, state.roundsToRest};
}

void LeafRounds::bindForDraw() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kVisibleBinding, leaf_.visible.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kStateBinding, state_.id());
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, state_.id());
}

void LeafRounds::listRanges(const DrawRanges& ranges)
{
    assert(ranges.leaves % DrawRanges::kUnit == 0 && ranges.restLeaves % DrawRanges::kUnit == 0);
    assert(ranges.all() > 0 && ranges.all() <= DrawRanges::kMost);
    drawRanges_ = ranges;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kStateBinding, state_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRangesBinding, ranges_.id());
    use(rounds_.ranges);
    glUniform1ui(0, ranges.leaves);
    glUniform1ui(1, ranges.count);
    glUniform1ui(2, ranges.restLeaves);
    glUniform1ui(3, ranges.restCount);
    glDispatchCompute((ranges.all() + gpu::kRangeGroupSize - 1) / gpu::kRangeGroupSize, 1, 1);
    afterDispatch(kBetweenPasses);
    bind();
}

// Clamps the offset to the end of the list: a range that begins beyond it is empty and draws nothing.
void LeafRounds::bindRange(std::uint32_t range) const
{
    bindForDraw();
    const std::uint64_t bytes = leaf_.visible.bytes(), unit = 16 * DrawRanges::kUnit;
    const std::uint64_t first = std::min(16 * drawRanges_.first(range), (bytes - 1) / unit * unit);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, gpu::kVisibleBinding, leaf_.visible.id(), GLintptr(first),
                      GLsizeiptr(bytes - first));
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, ranges_.id());
}

void LeafRounds::dispatchRange(std::uint32_t range) const
{
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, ranges_.id());
    glDispatchComputeIndirect(GLintptr(rangeArguments(range) + offsetof(gpu::DrawRange, groupsX)));
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, state_.id());
}

std::vector<std::uint32_t> LeafRounds::readHeap() const { return readWords(heap_, 0, heap_.bytes() / words(1)); }

std::vector<std::uint32_t> LeafRounds::readLeaves() const { return readWords(leaf_.leaves, 0, readState().leaves); }

TreeState LeafRounds::readState() const
{
    TreeState state;
    readBuffer(state_, 0, sizeof state, &state);
    return state;
}

std::vector<gpu::DrawRange> LeafRounds::readRanges(std::uint32_t count) const
{
    std::vector<gpu::DrawRange> ranges(count);
    readBuffer(ranges_, 0, count * sizeof(gpu::DrawRange), ranges.data());
    return ranges;
}

std::vector<BufferUse> LeafRounds::commonMemory() const
{
    return {{"tree state", state_.bytes() + ranges_.bytes()},
            {"leaf list", leaf_.leaves.bytes()},
            {"leaf flags, plan", leaf_.flags.bytes() + leaf_.plan.bytes()},
            {"visible leaves", leaf_.visible.bytes()}};
}

// ---- passes of a round as steps, each over a part of the leaves -----------------------------------------------------

namespace {

constexpr std::uint32_t kMostPassRanges = 128;
constexpr GLint kFirstGroup = 8;                  // uniform location in shaders/tree/leaf_dispatch.glsl
constexpr std::uint64_t kRangeArguments = 4 * 4;  // bytes, as in shaders/tree/group_ranges.comp

}  // namespace

// Returns ranges of about `each` leaves for `known` leaves plus a margin, because only the GPU knows the current
// number.
LeafRounds::PassRanges LeafRounds::rangesFor(std::uint32_t known, std::uint32_t each)
{
    const std::uint32_t expected = known + known / 4;
    const std::uint32_t least = expected / (kMostPassRanges - 2) + 1;
    const std::uint32_t groups = (std::max(each, least) + gpu::kLeafGroupSize - 1) / gpu::kLeafGroupSize;
    return {groups, expected / (groups * gpu::kLeafGroupSize) + 2};
}

void LeafRounds::listPassRanges(const PassRanges& ranges, Pass::Over over) const
{
    static_assert(int(Pass::Over::kLeaves) == 1 && int(Pass::Over::kDue) == 2 && int(Pass::Over::kList) == 3,
                  "shaders/tree/group_ranges.comp compares with these values");
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kDueBinding, leaf_.visible.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRangesBinding, ranges_.id());
    use(rounds_.passRanges);
    glUniform1ui(0, ranges.groups);
    glUniform1ui(1, ranges.count);
    glUniform1ui(2, GLuint(over));
    glDispatchCompute((ranges.count + gpu::kRangeGroupSize - 1) / gpu::kRangeGroupSize, 1, 1);
    afterDispatch(kBetweenPasses);
    bind();
}

// Requires that the program of the pass is in use.
void LeafRounds::dispatchRange(const PassRanges& ranges, std::uint32_t range) const
{
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, ranges_.id());
    glUniform1ui(kFirstGroup, range * ranges.groups);
    glDispatchComputeIndirect(GLintptr(range * kRangeArguments));
    glUniform1ui(kFirstGroup, 0);
    afterDispatch(kBetweenPasses);
    bind();
}

// Appends the passes to a list of steps, each over a range of leaves, for frames drawn in slices.
class LeafRounds::Steps
{
public:
    Steps(LeafRounds& rounds, PassRanges ranges, GpuTimers* timers, const AddStep& add)
        : rounds_(rounds), ranges_(ranges), timers_(timers), add_(add)
    {
    }

    void once(GpuPass pass, std::function<void()> work) const
    {
        add_([timers = timers_, pass, work = std::move(work)] {
            if (timers) timers->begin(pass);
            work();
            if (timers) timers->end(pass);
        });
    }

    void all(GpuPass timer, const Passes& passes) const
    {
        for (const Pass& pass : passes)
            if (pass.over == Pass::Over::kOnce)
                once(timer, pass.work);
            else
                ranged(timer, pass);
    }

private:
    void ranged(GpuPass timer, const Pass& pass) const
    {
        for (std::uint32_t range = 0; range < ranges_.count; ++range)
            once(timer, [&rounds = rounds_, ranges = ranges_, pass, range] {
                if (range == 0) rounds.listPassRanges(ranges, pass.over);
                pass.work();
                rounds.dispatchRange(ranges, range);
            });
    }

    LeafRounds& rounds_;
    PassRanges ranges_;
    GpuTimers* timers_;
    const AddStep& add_;
};

void LeafRounds::roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers, const AddStep& add)
{
    const Steps steps(*this, rangesFor(known, each), timers, add);
    steps.all(GpuPass::kUpdate, markPasses());
    steps.once(GpuPass::kUpdate, [this] { cut(); });
    steps.all(GpuPass::kUpdate, planPasses());
    steps.all(GpuPass::kUpdate, applyPasses());
    steps.once(GpuPass::kReduce, [this, last] { reduce(last); });
    steps.all(GpuPass::kDecode, {{Pass::Over::kOnce, [this] { listLeaves(false); }},
                                 decodePass(),
                                 {Pass::Over::kOnce, [this] { takeList(), bind(); }}});
    if (last) steps.all(GpuPass::kDecode, {cullPass()});
}

void LeafRounds::cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add)
{
    const Steps steps(*this, rangesFor(known, each), timers, add);
    steps.all(GpuPass::kDecode, {{Pass::Over::kOnce, [this] { arguments(false, true); }}, cullPass()});
}

}  // namespace orogen::app
