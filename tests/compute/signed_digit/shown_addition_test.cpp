// The addition that `show` prints: digits of the set, the paper's rule in every place, sums and counts as the CPU's.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/shown_addition.h"
#include "tests/support/random.h"

namespace orogen::test {
namespace {

using namespace compute;

Decimal parsed(const std::string& text) { return *parseDecimal(text, "test"); }

DecimalList listOf(const Decimal& a, const Decimal& b)
{
    DecimalList list;
    list.add(a);
    list.add(b);
    return list;
}

void expectSteps(const ShownAddition& shown, const Decimal& a, const Decimal& b, SumAlgorithm algorithm, DigitSet set)
{
    EXPECT_TRUE(isSum(decimal(shown.sum), listOf(a, b)));
    EXPECT_EQ(decimal(shown.first), canonical(a));
    EXPECT_EQ(decimal(shown.second), canonical(b));
    const AdditionStep* before = nullptr;
    for (const AdditionStep& step : shown.steps)
    {
        for (std::size_t i = 0; i < step.result.size(); ++i)
        {
            EXPECT_TRUE(set.holds(step.result[i]));
            EXPECT_LE(std::abs(step.transfers[i]), 1);
            EXPECT_LE(std::abs(step.interim[i]), set.largest - 1);
            EXPECT_EQ(step.result[i], step.interim[i] + (i > 0 ? step.transfers[i - 1] : 0));
            const int sum = (before ? before->result : shown.start)[i] + step.addend[i];
            EXPECT_EQ(sum, step.interim[i] + 10 * step.transfers[i]);
        }
        EXPECT_EQ(step.transfers.back(), 0);  // no place is missing at the top
        before = &step;
    }
    if (a.digits.empty() || b.digits.empty()) return;
    const std::vector<DigitRows> rows = alignedRows(listOf(a, b));
    CpuDecimals sum(algorithm, rows, {1, nullptr, set});
    sum.run();
    EXPECT_EQ(shown.steps.size(), sum.operations().synchronisations);
}

TEST(ShownAddition, FollowsTheRuleInEveryPlace)
{
    const std::string numbers[] = {"0",      "1",     "-1",        "36",   "31",      "666666", "999999", "-999999",
                                   "555555", "12.75", "-0.000456", "1e12", "123e-20", "66e3",   "77"};
    for (const int largest : {6, 7})
        for (const SumAlgorithm algorithm : kShownAlgorithms)
            for (const std::string& a : numbers)
                for (const std::string& b : numbers)
                {
                    SCOPED_TRACE(fmt::format("{} + {}, {}, {}", a, b, nameOf(algorithm), largest));
                    expectSteps(shownAddition(parsed(a), parsed(b), {largest}, algorithm), parsed(a), parsed(b),
                                algorithm, {largest});
                }
}

TEST(ShownAddition, FollowsTheRuleForRandomNumbers)
{
    Random random(31);
    for (int round = 0; round < 300; ++round)
    {
        const auto number = [&] {
            std::string text = random.chance(1, 2) ? "-" : "";
            for (std::uint32_t i = 1 + random.below(30); i > 0; --i)
                text += char('0' + (random.chance(1, 2) ? 5 + random.below(5) : random.below(10)));
            return parsed(text + "e" + std::to_string(random.between(-9, 9)));
        };
        const Decimal a = number(), b = number();
        const DigitSet set = {6 + int(random.below(2))};
        for (const SumAlgorithm algorithm : kShownAlgorithms)
            expectSteps(shownAddition(a, b, set, algorithm), a, b, algorithm, set);
    }
}

}  // namespace
}  // namespace orogen::test
