// What a method does with a slice of rows, whatever the method: made once from all rows, used by any number of threads.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>

#include "compute/signed_digit/signed_digit.h"

namespace orogen::compute {

// The total that threads add to.
class SharedTotal
{
public:
    SharedTotal(std::int64_t low, std::int64_t high, const std::stop_token& stop) : total_(low, high, stop) {}

    template <class T>
    void add(std::int64_t exponent, std::span<const T> sums, std::size_t step, bool negative)
    {
        const std::lock_guard lock(mutex_);
        total_.add(exponent, sums, step, negative);
    }
    // Numbers that were added one after another: to a sum of their slice, which is then added to the others.
    void countAddends(std::uint64_t addends)
    {
        const std::lock_guard lock(mutex_);
        addends_ += addends;
    }
    const ColumnTotal& total() const { return total_; }
    std::uint64_t addends() const { return addends_; }

private:
    std::mutex mutex_;
    ColumnTotal total_;
    std::uint64_t addends_ = 0;
};

class DecimalMethod
{
public:
    struct Band
    {
        std::size_t rows = 0;
        std::size_t work = 0;            // of a row, in digits or products of digits
        std::int64_t low = 0, high = 0;  // places that its columns reach
        std::size_t multiple = 1;        // slices begin at such rows
    };

    virtual ~DecimalMethod() = default;
    virtual std::vector<Band> bands() const = 0;
    virtual void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                          const std::stop_token& stop) const = 0;
};

std::unique_ptr<DecimalMethod> makeSumMethod(SumAlgorithm algorithm, std::span<const DigitRows> rows,
                                             const CpuDecimalOptions& options, const std::stop_token& stop);
std::unique_ptr<DecimalMethod> makeDotMethod(DotAlgorithm algorithm, std::span<const FactorRows> rows,
                                             const CpuDecimalOptions& options, const std::stop_token& stop);

}  // namespace orogen::compute
