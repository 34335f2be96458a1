// Turns (cosines and sines of parts of a turn) in the order in which a transform needs them, packed as products.h
// takes a factor.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// Output k of the transform multiplies row j of its other factor by the turn j k mod n: rows 0 to n - 1 by those of
// `part`, rows n to 2 n - 1, where there are such, by those of the next part.
struct TurnsArguments
{
    const std::int8_t* table;  // of each part n numbers of `width` bytes
    std::uint64_t n, width, rows, part;
    std::uint64_t groups;  // of 16 rows
    std::uint64_t first, outputs;
    std::uint32_t* factor;  // of each output: groups * width vectors
};

constexpr unsigned kTurnsThreads = 256;

namespace OROGEN_TARGET {

// A thread a vector.
OROGEN_DEVICE inline void gatherTurns(const TurnsArguments& arguments)
{
    const std::uint64_t vector = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    const std::uint64_t ofOutput = arguments.groups * arguments.width;
    if (vector >= arguments.outputs * ofOutput) return;
    const std::uint64_t k = arguments.first + vector / ofOutput;
    const std::uint64_t group = vector % ofOutput / arguments.width, column = vector % arguments.width;
    std::uint64_t row = 16 * group, part = arguments.part + (row > arguments.n ? 1 : 0);
    std::uint64_t turn = row % arguments.n * k % arguments.n;
    Bytes16 bytes = {};
    OROGEN_UNROLL
    for (unsigned i = 0; i < 16; ++i, ++row)
    {
        if (row == arguments.n) ++part, turn = 0;
        if (row < arguments.rows)
        {
            const std::int8_t number = arguments.table[(part * arguments.n + turn) * arguments.width + column];
            bytes.values[i / 4] |= std::uint32_t(std::uint8_t(number)) << i % 4 * 8;
        }
        turn = turn + k < arguments.n ? turn + k : turn + k - arguments.n;
    }
    storeVector16(arguments.factor + 4 * vector, bytes);
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(gatherTurns, TurnsArguments, kTurnsThreads)

}  // namespace orogen::compute
