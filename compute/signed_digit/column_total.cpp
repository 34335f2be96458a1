// Columns are carried twice where the sum is negative: its sign is known only after the first time.
#include "compute/signed_digit/column_total.h"

#include <algorithm>

namespace orogen::compute {
namespace {

constexpr std::size_t kBetweenLooks = std::size_t(1) << 20;  // columns, between two looks at the stop

// Digits of sign * sum_i columns[i] 10^i, and what is carried out: not below 0 if that number is not.
std::int64_t carry(std::span<const std::int64_t> columns, int sign, std::vector<Digit>& digits,
                   const std::stop_token& stop)
{
    std::int64_t carry = 0;
    digits.clear();
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        if (i % kBetweenLooks == kBetweenLooks - 1 && stop.stop_requested()) break;
        const std::int64_t sum = sign * columns[i] + carry;
        const auto digit = int((sum % 10 + 10) % 10);
        digits.push_back(Digit(digit));
        carry = (sum - digit) / 10;
    }
    return carry;
}

}  // namespace

ColumnTotal::ColumnTotal(std::int64_t low, std::int64_t high, const std::stop_token& stop) : exponent_(low)
{
    const auto size = std::size_t(high - low);
    columns_.reserve(size);
    while (columns_.size() < size && !stop.stop_requested())
        columns_.resize(std::min(size, columns_.size() + kBetweenLooks));
}

void ColumnTotal::reach(std::size_t begin, std::size_t count)
{
    const ColumnRun run = {begin, begin + count};
    if (added_.empty() || added_.back() != run) added_.push_back(run);
}

std::vector<ColumnRun> ColumnTotal::reached() const
{
    std::vector<ColumnRun> runs = added_, merged;
    std::ranges::sort(runs, {}, &ColumnRun::begin);
    for (const ColumnRun& run : runs)
        if (merged.empty() || run.begin > merged.back().end)
            merged.push_back(run);
        else
            merged.back().end = std::max(merged.back().end, run.end);
    return merged;
}

Decimal ColumnTotal::number(const std::stop_token& stop) const
{
    Decimal number{{}, exponent_, false};
    std::int64_t rest = carry(columns_, 1, number.digits, stop);
    if (rest < 0)
    {
        number.negative = true;
        rest = carry(columns_, -1, number.digits, stop);
    }
    if (stop.stop_requested()) return {};
    for (; rest > 0; rest /= 10)
        number.digits.push_back(Digit(rest % 10));
    return canonical(std::move(number));
}

}  // namespace orogen::compute
