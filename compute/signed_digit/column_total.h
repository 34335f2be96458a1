// What every method of summation ends in: columns of any size and sign, one a power of ten, that become one number.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/signed_digits.h"

namespace orogen::compute {

class ColumnTotal
{
public:
    ColumnTotal() = default;
    // Columns for 10^low up to 10^(high - 1).  After a stop anything, as number() is.
    ColumnTotal(std::int64_t low, std::int64_t high, const std::stop_token& stop = {});

    // Adds sums[i] 10^(exponent + i step), subtracts it if negative.
    template <class T>
    void add(std::int64_t exponent, std::span<const T> sums, std::size_t step = 1, bool negative = false)
    {
        if (sums.empty()) return;
        std::int64_t* const to = columns_.data() + (exponent - exponent_);
        reach(std::size_t(exponent - exponent_), (sums.size() - 1) * step + 1);
        for (std::size_t i = 0; i < sums.size(); ++i)
            to[i * step] += negative ? -std::int64_t(sums[i]) : std::int64_t(sums[i]);
    }

    std::int64_t exponent() const { return exponent_; }
    std::span<const std::int64_t> columns() const { return columns_; }
    std::vector<ColumnRun> reached() const;  // the columns that anything was added to, ascending, none adjacent

    Decimal number(const std::stop_token& stop = {}) const;  // by carries from the lowest column up

private:
    void reach(std::size_t begin, std::size_t count);

    std::int64_t exponent_ = 0;
    std::vector<std::int64_t> columns_;
    std::vector<ColumnRun> added_;  // a run for each addition, unless it is that of the one before
};

}  // namespace orogen::compute
