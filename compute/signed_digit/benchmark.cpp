#include "compute/signed_digit/benchmark.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "compute/memory.h"
#include "compute/signed_digit/decimal_file.h"
#include "compute/signed_digit/signed_digit.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;

struct Size
{
    std::uint64_t count, digits;
    bool quick;
};
constexpr Size kSums[] = {{100'000, 50, true}, {100'000, 900, false}, {1'000'000, 50, false}, {1'000'000, 900, false}};
constexpr Size kDots[] = {{10'000, 50, true}, {100'000, 50, false}, {1'000'000, 50, false}};

// Rows as the paper has them: of one length, not below 0, of random digits.
DigitRows randomRows(const Size& size, std::uint64_t seed)
{
    DigitRows rows{size.count, size.digits, 0, false, RowBuffer<Digit>(size.count * size.digits)};
    const DecimalList one = makeDecimals({1, size.count * size.digits, 0, seed});
    std::ranges::copy(one[0].digits, rows.digits.data());
    return rows;
}

std::vector<DigitRows> oneOf(DigitRows rows)
{
    std::vector<DigitRows> all;
    all.push_back(std::move(rows));
    return all;
}

class Bench
{
public:
    explicit Bench(const SignedDigitBenchOptions& options) : options_(options) {}

    SignedDigitBench run()
    {
        for (const Size& size : kSums)
            if (isWanted(size, 1)) addRows("sum", size, oneOf(randomRows(size, 1)), std::span(kSumAlgorithms));
        for (const Size& size : kDots)
        {
            if (!isWanted(size, 2)) continue;
            std::vector<FactorRows> factors;
            factors.push_back({randomRows(size, 1), randomRows(size, 2)});
            addRows("dot", size, factors, std::span(kDotAlgorithms));
        }
        return std::move(bench_);
    }

private:
    bool isWanted(const Size& size, std::uint64_t factors)
    {
        if (bench_.stopped || (options_.quick && !size.quick)) return false;
        const std::string name = fmt::format("{} x {}", size.count, size.digits);
        const Status fits = checkMemory(name, 4 * factors * size.count * (size.digits + 16));
        if (!fits) bench_.leftOut.push_back(fits.error().message);
        return bool(fits);
    }

    template <class Rows, class Algorithms>
    void addRows(const char* operation, const Size& size, const Rows& rows, const Algorithms& algorithms)
    {
        using Algorithm = typename Algorithms::value_type;
        CpuDecimals gmp(Algorithm::kGmp, rows);
        for (const Algorithm algorithm : algorithms)
        {
            if (algorithm == Algorithm::kGmp) continue;
            SignedDigitBenchRow row{operation, size.count, size.digits, std::string(nameOf(algorithm)), 0, {}, false};
            const std::string next = fmt::format("{} {} x {}, {}", operation, size.count, size.digits, row.algorithm);
            if (options_.progress && !options_.progress(int(bench_.rows.size()), options_.quick ? 9 : 33, next))
            {
                bench_.stopped = true;
                return;
            }
            const Clock::time_point start = Clock::now();
            CpuDecimals decimals(algorithm, rows);
            row.convertMs = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
            Decimal found, expected;
            const auto repeat = [](CpuDecimals& which, Decimal& number) {
                return [&](std::int64_t times) {
                    for (; times > 0; --times)
                        number = which.run();
                };
            };
            row.timing =
                timePair(repeat(decimals, found), repeat(gmp, expected), {.seconds = options_.quick ? 0.3 : 2});
            row.equal = found == expected;
            bench_.rows.push_back(std::move(row));
        }
    }

    const SignedDigitBenchOptions& options_;
    SignedDigitBench bench_;
};

}  // namespace

SignedDigitBench benchSignedDigit(const SignedDigitBenchOptions& options) { return Bench(options).run(); }

}  // namespace orogen::compute
