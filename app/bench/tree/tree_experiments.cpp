#include "app/bench/tree/tree_experiments.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>

#include "app/bench/tree/tree_algorithms.h"
#include "core/base/thread_pool.h"
#include "core/cbt/packed_cbt.h"
#include "core/cbt/tree.h"
#include "core/leb/conformity.h"

namespace orogen::app::bench {
namespace {

class Generator
{
public:
    explicit Generator(std::uint64_t seed) : state_(hashOfLeaf(NodeId(seed)) | 1) {}
    NodeId below(NodeId bound)
    {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return NodeId((state_ >> 33) * bound >> 31);
    }

private:
    std::uint64_t state_;
};

std::unique_ptr<Executor> executorFor(int threads)
{
    if (threads == 1) return std::make_unique<SerialExecutor>();
    return std::make_unique<ThreadPool>(threads);
}

// Wakes the pool's threads, which slept while results were checked; in a real frame they are awake. Returns once
// another thread has run, or after 5 ms.
void wake(Executor& executor)
{
    using Clock = std::chrono::steady_clock;
    if (dynamic_cast<SerialExecutor*>(&executor)) return;
    std::atomic<bool> came = false;
    const std::thread::id self = std::this_thread::get_id();
    for (const Clock::time_point end = Clock::now() + std::chrono::milliseconds(5); !came && Clock::now() < end;)
        executor.run(64, [&](std::uint32_t, std::uint32_t) {
            if (std::this_thread::get_id() != self) came = true;
            for (const Clock::time_point until = Clock::now() + std::chrono::microseconds(2); Clock::now() < until;)
                ;
        });
}

// Merges `rightChild` with its sibling if its bit is set, otherwise splits its parent.
template <class Tree>
void toggle(Tree& tree, NodeId rightChild)
{
    if (tree.bit(firstBit(rightChild, tree.maxDepth())))
        tree.merge(rightChild);
    else
        tree.split(rightChild / 2);
}

// Returns the right child that toggle() can add or remove at this leaf.
NodeId toggleAt(const Cbt& tree, NodeId leaf) { return depthOf(leaf) == tree.maxDepth() ? leaf | 1 : 2 * leaf + 1; }

// Returns one node that toggle() can change for each 64-bit pair of words in which a leaf starts.
std::vector<NodeId> togglesEverywhere(const Cbt& tree)
{
    std::vector<NodeId> toggles;
    NodeId last = ~NodeId(0);
    for (const NodeId leaf : leavesOf(tree))
        if (const NodeId pair = firstBit(leaf, tree.maxDepth()) / 64; pair != last)
        {
            last = pair;
            toggles.push_back(toggleAt(tree, leaf));
        }
    return toggles;
}

bool sameWords(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) { return std::ranges::equal(a, b); }

// Compares the counts with those of a full reduction by the portable loops.
bool isReduced(const Cbt& tree)
{
    Cbt rebuilt = tree;
    SerialExecutor serial;
    rebuilt.reduce(serial, *findWordKernels("portable"));
    return sameWords(tree.words(), rebuilt.words());
}

bool isReduced(const PackedCbt& tree)
{
    PaperTree rebuilt(tree);
    SerialExecutor serial;
    rebuilt.reduce(serial);
    return sameWords(tree.words(), rebuilt.words());
}

Result<std::vector<TreeRow>> timed(std::vector<TreeRow> rows, std::vector<Contender> contenders,
                                   const TrialOptions& options)
{
    const Result<std::vector<Timing>> timings = timeInterleaved(std::move(contenders), options);
    if (!timings) return timings.error();
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const Timing &first = timings->front(), &timing = (*timings)[i];
        rows[i].timing = timing;
        rows[i].ratio = timing.minimumMs / first.minimumMs;
        rows[i].medianRatio = timing.medianMs / first.medianMs;
    }
    return rows;
}

// ---- reduction ----

struct ReductionRun
{
    std::unique_ptr<Executor> executor;
    std::optional<Cbt> wide;
    std::optional<PackedCbt> packed;
    std::optional<PaperTree> paper;
    TreeWords counts;  // for kOnePass
};

template <class Tree>
Contender reductionContender(Tree& tree, const std::vector<NodeId>& toggles, Executor& executor,
                             std::function<void()> reduce)
{
    Contender contender;
    const auto toggleAll = [&tree, &toggles] {
        for (const NodeId node : toggles)
            toggle(tree, node);
    };
    contender.prepare = [toggleAll, reduce, &executor] {  // leaves the counts stale, as after a previous frame
        toggleAll();
        reduce();
        toggleAll();
        wake(executor);
    };
    contender.section = repeated(std::move(reduce));
    if constexpr (!std::is_same_v<Tree, PaperTree>) contender.check = [&tree] { return isReduced(tree); };
    return contender;
}

// Returns a contender that reads the field and writes one count for each pair of its words.
Contender onePass(ReductionRun& run, const std::vector<NodeId>& toggles, const WordKernels& kernels)
{
    Cbt& tree = *run.wide;
    run.counts.resize(tree.words().size() / 4);
    Contender contender = reductionContender(tree, toggles, *run.executor, [&tree, &run, &kernels] {
        kernels.countPairs(tree.words().data() + tree.words().size() / 2, run.counts.data(), run.counts.size());
    });
    contender.check = [&tree, &run] {
        Cbt rebuilt = tree;
        rebuilt.reduce();
        return sameWords(run.counts, rebuilt.words().subspan(run.counts.size(), run.counts.size()));
    };
    return contender;
}

// Returns the contender for the paper's tree. The check compares the result with the PackedCbt that the tree was made
// from, whose counts are right.
Contender paperContender(ReductionRun& run, const std::vector<NodeId>& toggles, bool byWords)
{
    Contender contender = reductionContender(*run.paper, toggles, *run.executor, [&run, byWords] {
        byWords ? run.paper->reduceByWords() : run.paper->reduce(*run.executor);
    });
    contender.check = [&run] { return sameWords(run.paper->words(), run.packed->words()); };
    return contender;
}

Contender contenderFor(const ReductionVariant& variant, const Cbt& tree, const std::vector<NodeId>& toggles,
                       ReductionRun& run)
{
    run.executor = executorFor(variant.threads);
    Executor& executor = *run.executor;
    switch (variant.reduction)
    {
    case Reduction::kWide:
        run.wide = tree;
        return reductionContender(*run.wide, toggles, executor, [wide = &*run.wide, &executor, &variant] {
            wide->reduce(executor, *variant.kernels);
        });
    case Reduction::kOnePass:
        run.wide = tree;
        return onePass(run, toggles, *variant.kernels);
    case Reduction::kPackedWords:
        run.packed = reencoded<PackedCbt>(tree, tree.maxDepth(), tree.maxDepth());
        return reductionContender(*run.packed, toggles, executor, [packed = &*run.packed] { packed->reduce(); });
    case Reduction::kPublished:
    case Reduction::kPackedCounts:
        run.packed = reencoded<PackedCbt>(tree, tree.maxDepth(), tree.maxDepth());
        run.paper.emplace(*run.packed);
        return paperContender(run, toggles, variant.reduction == Reduction::kPublished);
    }
    return {};
}

TreeRow rowOf(const ReductionVariant& variant)
{
    static constexpr const char* kNames[] = {"wide", "one pass: count and store", "libcbt's steps",
                                             "libcbt's, with fewer accesses", "paper: count by count, atomic"};
    const bool wide = variant.reduction == Reduction::kWide || variant.reduction == Reduction::kOnePass;
    return {.variant = kNames[int(variant.reduction)],
            .layout = wide ? "wide" : "packed",
            .instructionSet = wide ? variant.kernels->name : "",
            .threads = variant.threads};
}

// ---- decode ----

Contender decodeContender(const DecodeVariant& variant, const Cbt& tree, const PackedCbt* packed,
                          const PaperTree* paper, Executor& executor, std::vector<NodeId>& out,
                          const std::vector<NodeId>& expected)
{
    Contender contender;
    contender.prepare = [&out, &executor] {
        std::ranges::fill(out, ~NodeId(0));
        wake(executor);
    };
    const auto descend = [&executor, &out](const auto& from) {
        executor.run(NodeId(out.size()), [&](NodeId begin, NodeId end) {
            for (NodeId number = begin; number < end; ++number)
                out[number] = from.leaf(number);
        });
    };
    contender.section = repeated([&variant, &tree, packed, paper, &executor, &out, descend] {
        switch (variant.decode)
        {
        case Decode::kScan:
            return decodeLeaves(tree, out, executor, *variant.kernels);
        case Decode::kDescend:
            return descend(tree);
        case Decode::kPackedDescend:
            return descend(*packed);
        case Decode::kPackedScan:
            paper->scanBits(out);
        }
    });
    contender.check = [&out, &expected] { return out == expected; };
    return contender;
}

TreeRow rowOf(const DecodeVariant& variant)
{
    static constexpr const char* kNames[] = {"scan of words", "descent for each leaf", "descent for each leaf (libcbt)",
                                             "paper: bit after bit"};
    const bool wide = variant.decode == Decode::kScan || variant.decode == Decode::kDescend;
    return {.variant = kNames[int(variant.decode)],
            .layout = wide ? "wide" : "packed",
            .instructionSet = variant.decode == Decode::kScan ? variant.kernels->name : "",
            .threads = variant.threads};
}

// ---- changes ----

struct ChangeRun
{
    std::unique_ptr<Executor> executor;
    Cbt tree;
    ChangedReduction reduction;
    std::vector<NodeId> toggles = {}, bits = {};

    ChangeRun(const ChangeVariant& variant, const Cbt& start)
        : executor(executorFor(variant.threads)), tree(start), reduction(*executor, *variant.kernels)
    {
    }
};

// Chooses up to `changes` different nodes at random.
void chooseToggles(ChangeRun& run, const Cbt& start, std::size_t changes, Generator& generator)
{
    run.toggles.resize(changes);
    for (NodeId& node : run.toggles)
        node = toggleAt(start, start.leaf(generator.below(start.leafCount())));
    std::ranges::sort(run.toggles);
    run.toggles.erase(std::ranges::unique(run.toggles).begin(), run.toggles.end());
    for (std::size_t i = run.toggles.size(); i > 1; --i)
        std::swap(run.toggles[i - 1], run.toggles[generator.below(NodeId(i))]);
    run.bits.clear();
    for (const NodeId node : run.toggles)
        run.bits.push_back(firstBit(node, start.maxDepth()));
}

Contender changeContender(const ChangeVariant& variant, const Cbt& start, std::size_t changes, ChangeRun& run,
                          Generator& generator)
{
    Contender contender;
    const auto change = [&start, changes, &run, &generator] {
        chooseToggles(run, start, changes, generator);
        for (const NodeId node : run.toggles)
            toggle(run.tree, node);
    };
    const auto reduce = [&run, way = variant.way] { run.reduction.reduce(run.tree, run.bits, way); };
    contender.prepare = [change, reduce, &run] {  // changes other nodes and reduces, as the previous frame would
        change();
        reduce();
        change();
        wake(*run.executor);
    };
    contender.section = repeated(reduce);
    contender.check = [&run] { return isReduced(run.tree); };
    return contender;
}

TreeRow rowOf(const ChangeVariant& variant)
{
    static constexpr const char* kNames[] = {"chosen", "purely incremental", "full"};
    return {.variant = kNames[int(variant.way)],
            .layout = "wide",
            .instructionSet = variant.kernels->name,
            .threads = variant.threads};
}

// ---- updates ----

constexpr double kFrom = 0.3, kTo = 0.35;  // x of the refinement's focus, before and after its move

Focus focusAt(double position, int depth) { return {.x = position, .y = 0.4, .depth = depth, .share = 0.05}; }

TreeRow rowOf(const UpdateVariant& variant)
{
    static constexpr const char* kNames[] = {"mark, plan, apply", "mark, plan, apply; changes reduced",
                                             "peers: whole chains, then merges"};
    return {.variant = kNames[int(variant.way)],
            .layout = "wide",
            .instructionSet = bestWordKernels().name,
            .threads = variant.threads,
            .fill = "settle"};
}

}  // namespace

const char* nameOf(Fill fill)
{
    static constexpr const char* kNames[] = {"full", "25 %", "random"};
    return kNames[int(fill)];
}

Cbt makeTree(int depth, Fill fill, std::uint64_t seed)
{
    if (fill == Fill::kFull) return Cbt(depth, depth);
    if (fill == Fill::kQuarter) return Cbt(depth, depth - 2);
    Cbt tree(depth, depth - 6);
    Generator generator(seed);
    for (NodeId node = NodeId(1) << (depth - 6); node < NodeId(1) << depth; ++node)
        if (isLeafNow(tree, node) && generator.below(100) < 80) tree.split(node);
    tree.reduce();
    return tree;
}

Result<std::vector<TreeRow>> measureReductions(const TreeParameters& parameters,
                                               const std::vector<ReductionVariant>& variants)
{
    const Cbt tree = makeTree(parameters.depth, parameters.fill, parameters.seed);
    const std::vector<NodeId> toggles = togglesEverywhere(tree);
    std::vector<ReductionRun> runs(variants.size());
    std::vector<Contender> contenders;
    std::vector<TreeRow> rows;
    for (std::size_t i = 0; i < variants.size(); ++i)
    {
        contenders.push_back(contenderFor(variants[i], tree, toggles, runs[i]));
        rows.push_back(rowOf(variants[i]));
        rows.back().depth = parameters.depth;
        rows.back().fill = nameOf(parameters.fill);
        rows.back().amount = tree.leafCount();
    }
    return timed(std::move(rows), std::move(contenders), parameters.trials);
}

Result<std::vector<TreeRow>> measureDecodes(const TreeParameters& parameters,
                                            const std::vector<DecodeVariant>& variants)
{
    const Cbt tree = makeTree(parameters.depth, parameters.fill, parameters.seed);
    std::optional<PackedCbt> packed;
    std::optional<PaperTree> paper;
    std::vector<NodeId> out(tree.leafCount()), expected;
    expected.reserve(tree.leafCount());
    forEachLeaf(tree, [&](NodeId leaf) { expected.push_back(leaf); });  // forEachLeaf() finds leaves by the counts
    std::vector<std::unique_ptr<Executor>> executors;
    std::vector<Contender> contenders;
    std::vector<TreeRow> rows;
    for (const DecodeVariant& variant : variants)
    {
        const bool wide = variant.decode == Decode::kScan || variant.decode == Decode::kDescend;
        if (!wide && !packed) packed = reencoded<PackedCbt>(tree, tree.maxDepth(), tree.maxDepth());
        if (variant.decode == Decode::kPackedScan && !paper) paper.emplace(*packed);
        executors.push_back(executorFor(variant.threads));
        rows.push_back(rowOf(variant));
        rows.back().depth = parameters.depth;
        rows.back().fill = nameOf(parameters.fill);
        rows.back().amount = tree.leafCount();
    }
    for (std::size_t i = 0; i < variants.size(); ++i)
        contenders.push_back(decodeContender(variants[i], tree, packed ? &*packed : nullptr, paper ? &*paper : nullptr,
                                             *executors[i], out, expected));
    return timed(std::move(rows), std::move(contenders), parameters.trials);
}

Result<std::vector<TreeRow>> measureChanges(const TreeParameters& parameters, std::size_t changes,
                                            const std::vector<ChangeVariant>& variants)
{
    const Cbt start = makeTree(parameters.depth, parameters.fill, parameters.seed);
    Generator generator(parameters.seed);
    std::vector<std::unique_ptr<ChangeRun>> runs;
    std::vector<Contender> contenders;
    std::vector<TreeRow> rows;
    for (const ChangeVariant& variant : variants)
    {
        runs.push_back(std::make_unique<ChangeRun>(variant, start));
        contenders.push_back(changeContender(variant, start, changes, *runs.back(), generator));
        rows.push_back(rowOf(variant));
        rows.back().depth = parameters.depth;
        rows.back().fill = nameOf(parameters.fill);
        rows.back().amount = changes;
    }
    return timed(std::move(rows), std::move(contenders), parameters.trials);
}

Result<std::vector<TreeRow>> measureUpdates(const TreeParameters& parameters,
                                            const std::vector<UpdateVariant>& variants)
{
    SerialExecutor serial;
    Cbt start(parameters.depth, 6);
    settle(start, UpdateWay::kRound, focusAt(kFrom, parameters.depth), serial);
    Cbt expected = start;
    settle(expected, UpdateWay::kRound, focusAt(kTo, parameters.depth), serial);
    std::vector<Cbt> trees(variants.size(), start);
    std::vector<int> frames(variants.size());
    std::vector<std::unique_ptr<Executor>> executors;
    std::vector<Contender> contenders;
    std::vector<TreeRow> rows;
    for (std::size_t i = 0; i < variants.size(); ++i)
    {
        executors.push_back(executorFor(variants[i].threads));
        Contender contender;
        contender.prepare = [&, i] {
            trees[i] = start;
            wake(*executors[i]);
        };
        contender.section = repeated(
            [&, i] { frames[i] = settle(trees[i], variants[i].way, focusAt(kTo, parameters.depth), *executors[i]); });
        contender.check = [&, i] {
            return sameWords(trees[i].words(), expected.words()) && isReduced(trees[i]) &&
                   leb::conformityFault(trees[i]).empty();
        };
        contenders.push_back(std::move(contender));
        rows.push_back(rowOf(variants[i]));
        rows.back().depth = parameters.depth;
    }
    Result<std::vector<TreeRow>> measured = timed(std::move(rows), std::move(contenders), parameters.trials);
    for (std::size_t i = 0; measured && i < measured->size(); ++i)
        (*measured)[i].amount = std::uint64_t(frames[i]);
    return measured;
}

}  // namespace orogen::app::bench
