// Rows of digits of one length and one exponent, as the loops and kernels read them.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/multiword/limbs.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/digit_kernels.h"

namespace orogen::compute {

// Zeroed memory for row elements in a LimbBuffer, with kRowSlack bytes after the end. After a stop, some of the memory
// may not be zeroed.
template <class T>
class RowBuffer
{
public:
    RowBuffer() = default;
    explicit RowBuffer(std::size_t size, const std::stop_token& stop = {})  // throws std::bad_alloc
        : limbs_((size * sizeof(T) + kRowSlack) / sizeof(Limb) + 1), size_(size)
    {
        constexpr std::size_t kBetweenLooks = std::size_t(1) << 20;  // limbs between two stop checks
        for (std::size_t i = 0; i < limbs_.size() && !stop.stop_requested(); i += kBetweenLooks)
            std::fill_n(limbs_.data() + i, std::min(kBetweenLooks, limbs_.size() - i), 0);
    }

    std::size_t size() const { return size_; }
    T* data() { return reinterpret_cast<T*>(limbs_.data()); }
    const T* data() const { return reinterpret_cast<const T*>(limbs_.data()); }

private:
    LimbBuffer limbs_;
    std::size_t size_ = 0;
};

// `count` contiguous numbers of `width` digits, lowest first; column i has the weight 10^(exponent + i).
struct DigitRows
{
    std::size_t count = 0, width = 0;
    std::int64_t exponent = 0;
    bool negative = false;  // common sign
    RowBuffer<Digit> digits;

    const Digit* row(std::size_t i) const { return digits.data() + i * width; }
};

// Aligns the summands of a sum exactly. One element of the result, a band, has the numbers of one sign, similar length
// and neighbouring exponents. With mixed exponents a number therefore takes less than 4 times its digits (up to 31
// places for one of 8 digits or fewer), instead of the full width. Leaves out zeros. Empty after a stop.
std::vector<DigitRows> alignedRows(const DecimalList& numbers, const std::stop_token& stop = {});

// Factors of a dot product, the sum of row i of x times row i of y. alignedFactors() makes the widths even.
struct FactorRows
{
    DigitRows x, y;           // equal counts; `exponent` and `negative` of x are those of the products
    std::size_t padding = 0;  // zeros per row that made the widths even, of x and y together

    std::size_t columns() const { return x.width + y.width - 1 - padding; }  // columns that products reach
};
// Aligns the factors of a dot product, like alignedRows(). The lists have equal sizes.
std::vector<FactorRows> alignedFactors(const DecimalList& x, const DecimalList& y, const std::stop_token& stop = {});

// Return rows like those that paper 000 adds (cpu_decimals.h): numbers of one length, not negative, with random digits.
std::vector<DigitRows> randomSum(std::uint64_t count, std::uint64_t digits);
std::vector<FactorRows> randomDot(std::uint64_t count, std::uint64_t digits);

}  // namespace orogen::compute
