// Passes of a round around the shader libraries, as a renderer dispatches them.
#pragma once

#include <cstdint>
#include <utility>

#include "core/base/thread_pool.h"
#include "core/leb/round.h"
#include "tests/support/glsl_twin.h"

namespace orogen::test {

template <class Twin>
void reduceTwin(Twin& twin, Executor& executor)
{
    for (uint first = twin.cbtWordCount() / 2; first >= 1; first /= 2)
        executor.run(first, [&](uint begin, uint end) {
            for (uint node = first + begin; node < first + end; ++node)
                twin.cbtReduce(node);
        });
}

template <class Twin>
void decodeTwin(Twin& twin, Executor& executor)
{
    executor.run(twin.cbtLeafCount(), [&](uint begin, uint end) {
        for (uint number = begin; number < end; ++number)
        {
            twin.leaves[number] = twin.cbtLeaf(number);
            twin.lodClear(number, number);
        }
    });
}

template <class Twin>
void markTwin(Twin& twin, uint capacity, const leb::Criterion& criterion, Executor& executor)
{
    executor.run(twin.cbtLeafCount(), [&](uint begin, uint end) {
        for (uint number = begin; number < end; ++number)
        {
            const leb::Wish wish = criterion(twin.leaves[number]);
            const uint asked = twin.lodMark(number, twin.leaves[number], wish.split, wish.merge, wish.priority);
            if (twin.lodRequest(asked, capacity)) ++twin.roundCounters[twin.kLodCutGroups];
        }
    });
}

// Runs the passes between mark and plan that apply when the capacity is the limit.
template <class Twin>
void cutTwin(Twin& twin, uint capacity, Executor& executor)
{
    executor.run(twin.cbtLeafCount(), [&](uint begin, uint end) {
        for (uint number = begin; number < end; ++number)
            twin.lodCost(number, number);
    });
    executor.run(twin.cbtLeafCount(), [&](uint begin, uint end) {
        for (uint number = begin; number < end; ++number)
            twin.lodPairs(number, number, twin.leaves[number], capacity);
    });
    uint sum = 0;
    for (uint block = 0; block < twin.lodPairBlocks(); ++block)
        sum += std::exchange(twin.pairPrefix[block], sum);
    executor.run(twin.cbtLeafCount(), [&](uint begin, uint end) {
        for (uint number = begin; number < end; ++number)
            twin.lodServe(number, twin.leaves[number]);
    });
}

template <class Twin>
void planTwin(Twin& twin, uint capacity, Executor& executor)
{
    if (twin.roundCounters[twin.kLodCutGroups] != 0) cutTwin(twin, capacity, executor);
    executor.run(twin.cbtLeafCount(), [&](uint begin, uint end) {
        for (uint number = begin; number < end; ++number)
            twin.lodApply(twin.leaves[number], twin.lodPlan(number, twin.leaves[number]));
    });
}

// Applies the changes, as the reduction does before it counts.
template <class Twin>
void applyTwin(Twin& twin, Executor& executor)
{
    executor.run(twin.cbtWordCount(), [&](uint begin, uint end) {
        for (uint word = begin; word < end; ++word)
            twin.heap[twin.cbtWordCount() + word] ^= std::exchange(twin.changes[word], 0u);
    });
}

}  // namespace orogen::test
