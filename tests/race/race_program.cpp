// Runs the shader libraries, the wide tree, the pool of bisectors and the filling of voids on real threads, always
// compiled with ThreadSanitizer.
//     orogen_race_tests proper|clear-then-set|read-while-write|KIND RUNS        KIND as in tree_races.h, pool_races.h,
//                                                                               void_races.h
// tests/shaders/race_test.cpp runs it and expects silence of "proper", "tree", "pool" and "voids", and reports of
// planted races.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cbt/cbt.h"
#include "core/leb/conformity.h"
#include "tests/race/pool_races.h"
#include "tests/race/tree_races.h"
#include "tests/race/void_races.h"
#include "tests/support/glsl_round.h"
#include "tests/support/glsl_twin.h"
#include "tests/support/lod_frames.h"
#include "tests/support/random.h"
#include "tests/support/shuffled_executor.h"

namespace orogen::test {
namespace {

// Planted race: updates a leaf in two writes.  In between, the bits of the live leaf are missing.
uint clearThenSet(uint& word, uint bits)
{
    const uint before = word;
    word = before & ~bits;
    word = before | bits;
    return before;
}

struct ClearThenSetTwin
{
    std::vector<uint> heap, leaves, leafFlags, leafPlan, pairBits, pairPrefix, roundCounters, changes;
    void touchChunk(uint) {}

#define OROGEN_CHANGES 1
#undef OROGEN_CBT_GLSL
#undef OROGEN_LEB_GLSL
#undef OROGEN_LOD_ROUND_GLSL
#undef OROGEN_TREE_LEAVES_GLSL
#define const static constexpr
#define atomicOr clearThenSet
#include "shaders/tree/cbt.glsl"
#undef atomicOr
#include "shaders/lod/lod_round.glsl"
#include "shaders/tree/leb.glsl"
#undef const
#undef OROGEN_CHANGES

    explicit ClearThenSetTwin(const GlslTwin& twin)
        : heap(twin.heap), leaves(twin.leaves), leafFlags(twin.leafFlags), leafPlan(twin.leafPlan),
          pairBits(twin.pairBits), pairPrefix(twin.pairPrefix), roundCounters(twin.roundCounters), changes(twin.changes)
    {
    }
};

// Planted race: decodes leaves from the field while other threads apply the changes.
template <class Twin>
void applyAndDecode(Twin& twin, Executor& executor)
{
    const uint leaves = twin.cbtLeafCount(), words = twin.cbtWordCount();
    std::vector<uint> seen(leaves);
    executor.run(leaves, [&](uint begin, uint end) {
        for (uint number = begin; number < end; ++number)
        {
            for (uint word = number; word < words; word += leaves)
                twin.heap[words + word] ^= std::exchange(twin.changes[word], 0u);
            seen[number] = twin.cbtLeaf(number);
        }
    });
}

// A tree so shallow that most leaves lie in the last five levels, several in a word of the field.
template <class Twin>
void run(Twin& twin, LodScene scene, Executor& executor, Random& random, bool readWhileWrite)
{
    for (int frame = 0; frame < 6; ++frame)
    {
        if (frame % 2 == 0) scene = LodScene(random, int(twin.cbtMaxDepth()));
        scene.nextFrame();
        decodeTwin(twin, executor);
        const uint capacity = twin.cbtLeafCount() + random.below(60);
        markTwin(twin, capacity, scene, executor);
        planTwin(twin, capacity, executor);
        readWhileWrite ? applyAndDecode(twin, executor) : applyTwin(twin, executor);
        reduceTwin(twin, executor);
    }
}

int runAll(std::string_view kind, unsigned runs)
{
    std::vector<std::unique_ptr<ShuffledExecutor>> executors;
    for (int threads = 2; threads <= 8; ++threads)
        executors.push_back(std::make_unique<ShuffledExecutor>(threads, threads));
    for (unsigned seed = 0; seed < runs; ++seed)
    {
        Random random(seed);
        const Cbt tree(random.between(6, 8), random.between(2, 6));
        GlslTwin twin({tree.words().begin(), tree.words().end()}, std::size_t(1) << tree.maxDepth());
        Executor& executor = *executors[seed % executors.size()];
        const LodScene scene(random, tree.maxDepth());
        if (kind == "clear-then-set")
        {
            ClearThenSetTwin planted(twin);
            run(planted, scene, executor, random, false);
            continue;
        }
        run(twin, scene, executor, random, kind == "read-while-write");
        const Result<Cbt> result = Cbt::fromWords(twin.heap);
        if (kind == "proper" && (!result || !leb::conformityFault(*result).empty()))
        {
            std::fprintf(stderr, "seed %u: the mesh does not conform\n", seed);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace orogen::test

int main(int argc, char** argv)
{
    if (argc != 3) return EXIT_FAILURE;
    const std::string_view kind = argv[1];
    const unsigned runs = unsigned(std::strtoul(argv[2], nullptr, 10));
    if (kind.starts_with("pool")) return orogen::test::runPoolRaces(kind, runs);
    if (kind.starts_with("voids")) return orogen::test::runVoidRaces(kind, runs);
    return kind.starts_with("tree") ? orogen::test::runTreeRaces(kind, runs) : orogen::test::runAll(kind, runs);
}
