// Four rows at a time become words by the vectors of this processor; four of those words become 16 bytes.
#include "compute/signed_digit/kernels/packed_factors.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "compute/signed_digit/digit_kernels.h"
#include "compute/signed_digit/kernels/decimal_shapes.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kRowsOfVector = 16, kWord = kRowsInGroup;

// `words` are those of up to 16 rows, four groups of `width`, one behind the other.
void interleave(std::uint8_t* to, const std::uint8_t* words, std::size_t width)
{
    for (std::size_t i = 0; i < width; ++i)
        for (std::size_t group = 0; group < kRowsOfVector / kRowsInGroup; ++group)
            std::memcpy(to + kRowsOfVector * i + kWord * group, words + kWord * (group * width + i), kWord);
}

}  // namespace

PackedFactor packedFactor(const DigitRows& rows, const std::stop_token& stop)
{
    assert(rows.width % 2 == 0);
    const std::size_t width = rows.width / 2, groups = groupsOfRows(rows.count);
    PackedFactor packed{groups, width, RowBuffer<std::uint8_t>(groups * width * kRowsOfVector, stop)};
    RowBuffer<std::uint8_t> words(kRowsOfVector * width + kGroupSlack);
    for (std::size_t row = 0; row < rows.count && !stop.stop_requested(); row += kRowsOfVector)
    {
        const std::size_t count = std::min(kRowsOfVector, rows.count - row);
        bestDigitKernels().packGroups(words.data(), {rows.row(row), rows.width, rows.width}, count);
        const std::size_t packedRows = (count + kRowsInGroup - 1) / kRowsInGroup * kRowsInGroup;
        std::fill(words.data() + packedRows * width, words.data() + kRowsOfVector * width, std::uint8_t(0));
        interleave(packed.bytes.data() + row * width, words.data(), width);
    }
    return packed;
}

}  // namespace orogen::compute
