// Columns are carried twice where the sum is negative: its sign is known only after the first time.
#include "compute/signed_digit/column_total.h"

namespace orogen::compute {
namespace {

// Digits of sign * sum_i columns[i] 10^i, and what is carried out: not below 0 if that number is not.
std::int64_t carry(std::span<const std::int64_t> columns, int sign, std::vector<Digit>& digits)
{
    std::int64_t carry = 0;
    digits.clear();
    for (const std::int64_t column : columns)
    {
        const std::int64_t sum = sign * column + carry;
        const auto digit = int((sum % 10 + 10) % 10);
        digits.push_back(Digit(digit));
        carry = (sum - digit) / 10;
    }
    return carry;
}

}  // namespace

Decimal ColumnTotal::number() const
{
    Decimal number{{}, exponent_, false};
    std::int64_t rest = carry(columns_, 1, number.digits);
    if (rest < 0)
    {
        number.negative = true;
        rest = carry(columns_, -1, number.digits);
    }
    for (; rest > 0; rest /= 10)
        number.digits.push_back(Digit(rest % 10));
    return canonical(std::move(number));
}

}  // namespace orogen::compute
