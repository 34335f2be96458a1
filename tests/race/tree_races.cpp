#include "tests/race/tree_races.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cbt/cbt.h"
#include "core/cbt/tree.h"
#include "tests/support/random.h"
#include "tests/support/random_tree.h"
#include "tests/support/shuffled_executor.h"

namespace orogen::test {
namespace {

// Edits every leaf at random, all at once; returns the written bits.
std::vector<NodeId> editAll(Cbt& tree, const std::vector<NodeId>& leaves, Random& random, Executor& executor)
{
    std::vector<std::uint8_t> lots(leaves.size());
    std::vector<NodeId> bits(leaves.size());
    for (std::uint8_t& lot : lots)
        lot = std::uint8_t(random.below(4));
    executor.run(NodeId(leaves.size()), [&](NodeId begin, NodeId end) {
        for (NodeId i = begin; i < end; ++i)
            if (lots[i] == 0 && depthOf(leaves[i]) < tree.maxDepth())
            {
                tree.split(leaves[i]);
                bits[i] = firstBit(2 * leaves[i] + 1, tree.maxDepth());
            }
    });
    std::erase(bits, NodeId(0));
    return bits;
}

int fail(unsigned seed, const char* what)
{
    std::fprintf(stderr, "seed %u: %s\n", seed, what);
    return EXIT_FAILURE;
}

// Small trees, and trees large enough that threads share levels and leaves.
Cbt anyTree(unsigned seed, Random& random)
{
    if (seed % 10 == 0) return randomTree<Cbt>(random, random.between(18, 19), 12, 60);
    return randomTree<Cbt>(random, random.between(6, 16), random.between(0, 6), 60);
}

int runProper(unsigned seed, Random& random, Executor& executor)
{
    Cbt tree = anyTree(seed, random);
    ChangedReduction reduction(executor, *availableWordKernels()[seed % availableWordKernels().size()]);
    for (int pass = 0; pass < 4; ++pass)
    {
        std::vector<NodeId> leaves(tree.leafCount());
        decodeLeaves(tree, leaves, executor);
        if (leaves != leavesByBits(tree)) return fail(seed, "other leaves");
        std::vector<NodeId> bits = editAll(tree, leaves, random, executor);
        if (pass % 2 == 1)  // enough for the threads to share them
            for (std::size_t size = bits.size(); size > 0 && bits.size() < 3000;)
                bits.push_back(bits[bits.size() - size]);
        Cbt expected = tree;
        expected.reduce();
        reduction.reduce(tree, bits, ReductionWay((seed + unsigned(pass)) % 3));
        if (!std::ranges::equal(tree.words(), expected.words())) return fail(seed, "other counts");
    }
    return EXIT_SUCCESS;
}

// Runs two functions on a thread each.
template <class First, class Second>
void runBoth(const First& first, const Second& second)
{
    const std::jthread other(second);
    first();
}

// Planted race: one thread sums the words that another writes.
void reduceWhileSplit()
{
    Cbt tree(8, 4);
    for (int pass = 0; pass < 50; ++pass)
        runBoth([&] { tree.reduce(); },
                [&] {
                    for (NodeId leaf = 16; leaf < 32; ++leaf)
                        tree.split(leaf);
                });
}

// Planted race: one thread looks up leaves by the counts that another updates.
void decodeWhileChanged()
{
    SerialExecutor serial;
    Cbt tree(12, 10);
    ChangedReduction reduction(serial);
    const NodeId bits[] = {0, 1000, 2000};
    for (int pass = 0; pass < 50; ++pass)
    {
        std::vector<NodeId> leaves(tree.leafCount());
        runBoth([&] { decodeLeaves(tree, leaves, serial); },
                [&] { reduction.reduce(tree, bits, ReductionWay::kPaths); });
    }
}

// Planted race: all claimed pieces write the same counts.
void reduceFromAllPieces()
{
    ThreadPool executor(4);
    Cbt tree(12, 10);
    for (int pass = 0; pass < 200; ++pass)
        executor.run(16, [&](NodeId, NodeId) {
            tree.reduce();
            std::this_thread::yield();
        });
}

}  // namespace

int runTreeRaces(std::string_view kind, unsigned runs)
{
    std::vector<std::unique_ptr<Executor>> executors;
    for (int threads = 2; threads <= 8; ++threads)
    {
        executors.push_back(std::make_unique<ShuffledExecutor>(threads, threads));
        executors.push_back(std::make_unique<ThreadPool>(threads));
    }
    for (unsigned seed = 0; seed < runs; ++seed)
    {
        Random random(seed);
        Executor& executor = *executors[seed % executors.size()];
        if (kind == "tree-reduced-while-split")
            reduceWhileSplit();
        else if (kind == "tree-decoded-while-changed")
            decodeWhileChanged();
        else if (kind == "tree-reduced-by-all-pieces")
            reduceFromAllPieces();
        else if (const int code = runProper(seed, random, executor); code != EXIT_SUCCESS)
            return code;
    }
    return EXIT_SUCCESS;
}

}  // namespace orogen::test
