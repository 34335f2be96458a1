// Exact sums and products by GMP from the numbers themselves, so that the check shares no code with what it checks.
#include "compute/signed_digit/decimal_oracle.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "compute/signed_digit/gmp_numbers.h"

namespace orogen::compute {
namespace {

struct Scaled
{
    GmpNumber value;
    std::int64_t exponent = 0;
};

void lowerExponent(Scaled& number, std::int64_t exponent)
{
    if (number.exponent <= exponent) return;
    GmpNumber power;
    mpz_ui_pow_ui(power, 10, static_cast<unsigned long>(number.exponent - exponent));
    mpz_mul(number.value, number.value, power);
    number.exponent = exponent;
}

// Terms in the order of their exponents, added by halves, so that few of them are ever as long as the whole sum.
class TermSum
{
public:
    using AddTerm = std::function<void(GmpNumber& sum, std::size_t i)>;

    TermSum(std::vector<std::int64_t> exponents, AddTerm addTerm, const std::stop_token& stop)
        : exponents_(std::move(exponents)), addTerm_(std::move(addTerm)), stop_(stop), order_(exponents_.size())
    {
        std::iota(order_.begin(), order_.end(), std::size_t(0));
        std::ranges::stable_sort(order_, {}, [this](std::size_t i) { return exponents_[i]; });
    }

    bool is(const DecimalView& number)
    {
        Scaled expected = order_.empty() ? Scaled() : sum(0, order_.size());
        Scaled found;
        found.value.setDigits(number.digits);
        found.exponent = number.exponent;
        if (number.negative) mpz_neg(found.value, found.value);
        const std::int64_t exponent = std::min(expected.exponent, found.exponent);
        lowerExponent(expected, exponent);
        lowerExponent(found, exponent);
        return mpz_cmp(expected.value, found.value) == 0;
    }

private:
    Scaled sum(std::size_t begin, std::size_t end)
    {
        const std::int64_t low = exponents_[order_[begin]];
        if (low == exponents_[order_[end - 1]])
        {
            Scaled total{{}, low};
            for (std::size_t i = begin; i < end && !stop_.stop_requested(); ++i)
                addTerm_(total.value, order_[i]);
            return total;
        }
        const std::size_t middle = begin + (end - begin) / 2;
        Scaled total = sum(begin, middle), upper = sum(middle, end);
        if (stop_.stop_requested()) return total;
        lowerExponent(upper, total.exponent);
        mpz_add(total.value, total.value, upper.value);
        return total;
    }

    const std::vector<std::int64_t> exponents_;
    const AddTerm addTerm_;
    const std::stop_token stop_;
    std::vector<std::size_t> order_;
};

}  // namespace

bool isSum(const DecimalView& sum, const DecimalList& numbers, const std::stop_token& stop)
{
    std::vector<std::int64_t> exponents;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        exponents.push_back(numbers[i].exponent);
    GmpNumber term;
    const auto add = [&](GmpNumber& total, std::size_t i) {
        term.setDigits(numbers[i].digits);
        (numbers[i].negative ? mpz_sub : mpz_add)(total, total, term);
    };
    return TermSum(std::move(exponents), add, stop).is(sum);
}

bool isDotProduct(const DecimalView& product, const DecimalList& x, const DecimalList& y, const std::stop_token& stop)
{
    std::vector<std::int64_t> exponents;
    for (std::size_t i = 0; i < x.size(); ++i)
        exponents.push_back(x[i].exponent + y[i].exponent);
    GmpNumber a, b;
    const auto add = [&](GmpNumber& total, std::size_t i) {
        a.setDigits(x[i].digits);
        b.setDigits(y[i].digits);
        (x[i].negative != y[i].negative ? mpz_submul : mpz_addmul)(total, a, b);
    };
    return TermSum(std::move(exponents), add, stop).is(product);
}

}  // namespace orogen::compute
