#include "tests/race/void_races.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "compute/voids/void_filling.h"
#include "core/base/thread_pool.h"
#include "tests/support/random.h"

namespace orogen::test {
namespace {

using compute::VoidFilling;

constexpr int kSize = 220;

// Hills with one hole that threads share at two levels of the multigrid, and random voids.
std::vector<float> raster(Random& random)
{
    constexpr int kRim = 3;
    std::vector<float> heights;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x)
        {
            const bool inHole = x >= kRim && x < kSize - kRim && y >= kRim && y < kSize - kRim;
            const bool isVoid = inHole ? !random.chance(1, 5000) : random.chance(1, 10);
            heights.push_back(isVoid ? std::numeric_limits<float>::quiet_NaN()
                                     : float(50 * std::sin(0.05 * x) * std::cos(0.03 * y)));
        }
    return heights;
}

int runProper(unsigned seed)
{
    Random random(seed);
    const std::vector<float> heights = raster(random);
    std::vector<double> expected;
    for (const int threads : {1, 2, 5})
    {
        const Result<VoidFilling> filling = compute::solveVoids(heights, kSize, kSize, {.threads = threads});
        if (filling && threads == 1) expected = filling->heights;
        if (filling && filling->heights == expected) continue;
        std::fprintf(stderr, "seed %u, %d threads: %s\n", seed, threads,
                     filling ? "other heights" : filling.error().message.c_str());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

// Planted race: pieces add to one number.
void sumInAllPieces()
{
    ThreadPool pool(4);
    double sum = 0;
    for (int round = 0; round < 200; ++round)
        pool.forEach(16, [&](std::size_t piece) {
            sum += double(piece);
            std::this_thread::yield();
        });
}

}  // namespace

int runVoidRaces(std::string_view kind, unsigned runs)
{
    for (unsigned seed = 0; seed < runs; ++seed)
        if (kind == "voids-summed-by-all-pieces")
            sumInAllPieces();
        else if (const int code = runProper(seed); code != EXIT_SUCCESS)
            return code;
    return EXIT_SUCCESS;
}

}  // namespace orogen::test
