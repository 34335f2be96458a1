// Numbers side by side: rows of digits of one length and one exponent, as the loops and the kernels want them.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/multiword/limb_buffer.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/digit_kernels.h"

namespace orogen::compute {

// Memory as LimbBuffer has it, for a row's elements, all 0 unless a stop came before; the loops may read a little
// beyond.
template <class T>
class RowBuffer
{
public:
    RowBuffer() = default;
    explicit RowBuffer(std::size_t size, const std::stop_token& stop = {})  // throws std::bad_alloc
        : limbs_((size * sizeof(T) + kRowSlack) / sizeof(Limb) + 1), size_(size)
    {
        constexpr std::size_t kBetweenLooks = std::size_t(1) << 20;  // limbs: their pages come from the system here
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

// Any number of decimal numbers of any length.
class DecimalList
{
public:
    void add(const DecimalView& number)
    {
        entries_.push_back({digits_.size(), number.exponent, number.negative});
        digits_.insert(digits_.end(), number.digits.begin(), number.digits.end());
    }
    std::size_t size() const { return entries_.size(); }
    std::size_t digits() const { return digits_.size(); }  // of all of them
    std::uint64_t bytes() const { return digits_.size() + entries_.size() * sizeof(Entry); }
    DecimalView operator[](std::size_t i) const
    {
        const std::size_t end = i + 1 < entries_.size() ? entries_[i + 1].begin : digits_.size();
        return {std::span(digits_).subspan(entries_[i].begin, end - entries_[i].begin), entries_[i].exponent,
                entries_[i].negative};
    }

private:
    struct Entry
    {
        std::size_t begin;
        std::int64_t exponent;
        bool negative;
    };
    std::vector<Digit> digits_;
    std::vector<Entry> entries_;
};

// `count` numbers of `width` digits, the lowest first, each behind the one before; column i counts 10^(exponent + i).
struct DigitRows
{
    std::size_t count = 0, width = 0;
    std::int64_t exponent = 0;
    bool negative = false;  // all of them
    RowBuffer<Digit> digits;

    const Digit* row(std::size_t i) const { return digits.data() + i * width; }
};

// The summands of a sum, aligned exactly.  Numbers of one sign, of similar length and in neighbouring places share
// rows, so that mixed exponents take at most some 8 times the memory of the digits themselves: not each the whole
// width.  After a stop there are none.
std::vector<DigitRows> alignedRows(const DecimalList& numbers, const std::stop_token& stop = {});

// The factors of a dot product: row i of x times row i of y, added from 10^exponent on.  Of even widths.
struct FactorRows
{
    DigitRows x, y;           // of one count; `exponent` and `negative` of x are those of the products
    std::size_t padding = 0;  // zeros that made the widths even, of both

    std::size_t columns() const { return x.width + y.width - 1 - padding; }  // that partial products reach
};
std::vector<FactorRows> alignedFactors(const DecimalList& x, const DecimalList& y, const std::stop_token& stop = {});

}  // namespace orogen::compute
