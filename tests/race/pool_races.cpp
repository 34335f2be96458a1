#include "tests/race/pool_races.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/leb/conformity.h"
#include "core/leb/pool.h"
#include "tests/support/pool_frames.h"
#include "tests/support/random.h"
#include "tests/support/shuffled_executor.h"

namespace orogen::test {
namespace {

using leb::Pool;
using leb::PoolRoots;
using leb::PoolRound;

int runProper(unsigned seed, Executor& executor)
{
    Random random(seed);
    const PoolRoots roots = seed % 4 == 0 ? PoolRoots::kPlane : PoolRoots::kCube;
    Pool pool(roots, random.between(6, 9)), alone = pool;
    SerialExecutor serial;
    const auto capacity = NodeId(random.between(30, int(pool.slots())));
    for (int scene = 0; scene < 3; ++scene)
    {
        PoolFrames frames(PoolScene((seed + unsigned(scene)) % kPoolScenes), roots, random);
        for (int frame = 0; frame < 8; ++frame)
        {
            frames.nextFrame(random);
            runRound(pool, capacity, leb::kMostCubeDepth, frames, executor);
            runRound(alone, capacity, leb::kMostCubeDepth, frames, serial);
        }
        const std::string fault = conformityFault(pool);
        if (fault.empty() && pool.ids == alone.ids) continue;
        std::fprintf(stderr, "seed %u: %s\n", seed, fault.empty() ? "other slots than alone" : fault.c_str());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

leb::Wish splitAll(leb::LeafId, const leb::CubeLeaf&) { return {.split = true}; }

Pool fourthLevel()
{
    SerialExecutor serial;
    Pool pool(PoolRoots::kCube, 10);
    for (int level = 0; level < 4; ++level)
        runRound(pool, pool.slots(), leb::kMostCubeDepth, splitAll, serial);
    return pool;
}

template <class One, class Other>
void runBoth(const One& one, const Other& other)
{
    std::jthread thread(one);
    other();
}

// Planted race: one thread writes leaves that another reads.
void checkWhileApplied()
{
    Pool pool = fourthLevel();
    SerialExecutor serial;
    PoolRound round(pool, serial);
    round.mark(splitAll, leb::kMostCubeDepth);
    round.plan(pool.slots());
    volatile std::uint64_t sum = 0;
    runBoth([&] { round.apply(); },
            [&] {
                for (const leb::LeafId id : pool.ids)
                    sum = sum + id;
            });
}

// Planted race: looks up free slots by counts and bits while the bits of slots handed out are set.
void findSlotsWhileTaken()
{
    Pool pool = fourthLevel();
    const NodeId free = pool.slots() - NodeId(pool.leaves.size());
    volatile NodeId last = 0;
    runBoth(
        [&] {
            for (NodeId slot = 0; slot < pool.slots(); ++slot)
                pool.live.setBit(slot);
        },
        [&] {
            for (NodeId rank = 0; rank < free; ++rank)
                last = pool.live.clearBitOf(rank);
        });
}

}  // namespace

int runPoolRaces(std::string_view kind, unsigned runs)
{
    ShuffledExecutor two(2, 2), four(4, 4);
    for (unsigned seed = 0; seed < runs; ++seed)
        if (kind == "pool-checked-while-applied")
            checkWhileApplied();
        else if (kind == "pool-slots-found-while-taken")
            findSlotsWhileTaken();
        else if (const int code = runProper(seed, seed % 2 == 0 ? two : four); code != EXIT_SUCCESS)
            return code;
    return EXIT_SUCCESS;
}

}  // namespace orogen::test
