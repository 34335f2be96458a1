// Numbers as paper 000 has them: of one length, not below 0, of random digits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/signed_digit/decimal_file.h"
#include "compute/signed_digit/signed_digit.h"

namespace orogen::app::bench {

inline compute::DigitRows randomRows(std::uint64_t count, std::uint64_t digits, std::uint64_t seed)
{
    const std::size_t size = count * digits;
    compute::DigitRows rows{count, digits, 0, false, compute::RowBuffer<compute::Digit>(size)};
    const compute::DecimalList one = compute::makeDecimals({1, size, 0, seed});
    std::ranges::copy(one[0].digits, rows.digits.data());
    return rows;
}

// As CpuDecimals takes them.
inline std::vector<compute::DigitRows> randomSum(std::uint64_t count, std::uint64_t digits)
{
    std::vector<compute::DigitRows> rows;
    rows.push_back(randomRows(count, digits, 1));
    return rows;
}

inline std::vector<compute::FactorRows> randomDot(std::uint64_t count, std::uint64_t digits)
{
    std::vector<compute::FactorRows> rows;
    rows.push_back({randomRows(count, digits, 1), randomRows(count, digits, 2)});
    return rows;
}

}  // namespace orogen::app::bench
