// Rows of digits as the matrix instructions take them: see ProductsArguments.
#pragma once

#include <stop_token>

#include "compute/signed_digit/digit_rows.h"

namespace orogen::compute {

struct PackedFactor
{
    std::size_t groups = 0, width = 0;  // of 16 rows; pairs of digits
    RowBuffer<std::uint8_t> bytes;      // 16 width of a group

    std::size_t size() const { return 16 * groups * width; }
};

// Of rows of an even width, on this thread.  After a stop, anything.
PackedFactor packedFactor(const DigitRows& rows, const std::stop_token& stop = {});

}  // namespace orogen::compute
