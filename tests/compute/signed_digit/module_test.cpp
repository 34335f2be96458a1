// Decimals as a module: bounded formats, and the report of a run.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compute/job/module.h"
#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/signed_digits.h"
#include "tests/support/assign.h"
#include "tests/support/signed_digit_oracle.h"

namespace orogen::compute {
namespace {

using Assignments = std::vector<std::string>;

Result<JobResult> runWith(const Assignments& assignments, std::stop_token stop = {})
{
    ParameterValues values(signedDigitModule().parameters());
    for (const std::string& assignment : assignments)
        if (const Status status = assign(values, assignment); !status) return status.error();
    Progress progress;
    return runModule(signedDigitModule(), values, {progress, std::move(stop), true});
}

std::string messageOf(const Assignments& assignments)
{
    const Result<JobResult> result = runWith(assignments);
    return result ? "" : result.error().message;
}

std::int64_t powerOf10(int exponent) { return exponent == 0 ? 1 : 10 * powerOf10(exponent - 1); }

Decimal number(const std::string& text) { return *parseDecimal(text, "test"); }

// ---- the bounded format ----

TEST(SignedDigitFormat, BoundsAreWhatFits)
{
    const BoundedFormat format = {3, 5};
    for (const char* text : {"0", "99900000", "-99900000", "0.00001", "1", "-0.00999", "12300000", "1000.00e3", "999"})
        EXPECT_EQ(format.fit(number(text)), FormatFit::kFits) << text;
    for (const char* text : {"100000000", "-1e8", "1e9", "99900001e1"})
        EXPECT_EQ(format.fit(number(text)), FormatFit::kOverflow) << text;
    for (const char* text : {"0.000001", "-9.99e-6", "1e-300"})
        EXPECT_EQ(format.fit(number(text)), FormatFit::kUnderflow) << text;
    for (const char* text : {"1234", "99900001", "0.000011", "1000.00001"})
        EXPECT_EQ(format.fit(number(text)), FormatFit::kInexact) << text;
    EXPECT_EQ(format.largest(), "(10^3 - 1) 10^5");
    EXPECT_EQ(format.smallest(), "10^-5");
}

// Checks every number of a few digits against the definition: K 10^t with |K| < 10^f, |t| <= k.
TEST(SignedDigitFormat, FitsExactlyWhatTheDefinitionHas)
{
    for (int f = 1; f <= 3; ++f)
        for (int k = 0; k <= 3; ++k)
            for (int digits = 1; digits < 2000; digits += digits < 100 ? 1 : 37)
                for (int exponent = -5; exponent <= 5; ++exponent)
                {
                    const std::int64_t scaled = digits * powerOf10(exponent + 5);  // times 10^5
                    bool has = false;
                    for (int t = -k; t <= k; ++t)
                        has = has || (scaled % powerOf10(t + 5) == 0 && scaled / powerOf10(t + 5) < powerOf10(f));
                    const std::string text = std::to_string(digits) + "e" + std::to_string(exponent);
                    ASSERT_EQ((BoundedFormat{f, k}.fit(number(text)) == FormatFit::kFits), has)
                        << text << " in f = " << f << ", k = " << k;
                }
}

// Erratum 4, against the sum of n largest numbers.
TEST(SignedDigitFormat, DigitsOfASum)
{
    for (const std::int64_t f : {1, 2, 5, 18, 19, 30})
        for (const std::int64_t k : {0, 1, 7})
            for (const int n : {1, 2, 9, 10, 11, 99, 100, 101, 112, 1000})
            {
                DecimalList largest;
                for (int i = 0; i < n; ++i)
                    largest.add(Decimal{std::vector<Digit>(std::size_t(f), 9), 2 * k, false});
                const std::vector<DigitRows> rows = alignedRows(largest);
                const Decimal sum = CpuDecimals(SumAlgorithm::kColumns, rows).run();
                EXPECT_EQ((BoundedFormat{f, k}.digitsOfSum(std::uint64_t(n))),
                          std::int64_t(sum.digits.size()) + sum.exponent)
                    << n << " numbers, f = " << f << ", k = " << k;
            }
}

TEST(SignedDigitModule, RefusesWhatABoundedFormatLacks)
{
    const auto subtract = [](const std::string& a, const std::string& b) {
        return Assignments{"operation=subtract", "x=" + a, "y=" + b, "mantissa-digits=3", "largest-order=2"};
    };
    EXPECT_EQ(messageOf(subtract("1e6", "1")),
              "x, number 1: overflow: found 1000000, expected at most 3 digits, at most (10^3 - 1) 10^2, multiples of "
              "10^-2");
    EXPECT_EQ(messageOf(subtract("1", "0.001")),
              "y, number 1: underflow: found 0.001, expected at most 3 digits, at most (10^3 - 1) 10^2, multiples of "
              "10^-2");
    EXPECT_NE(messageOf(subtract("1234", "1")).find("inexact"), std::string::npos);
    EXPECT_EQ(messageOf({"operation=subtract", "x=1", "y=1", "mantissa-digits=3"}),
              "mantissa-digits and largest-order: expected both or neither");
    const std::pair<const char*, const char*> results[] = {
        {"1", "inexact"}, {"-99900", "overflow"}, {"99800", "fits"}, {"99900", "fits"}};
    for (const auto& [y, expected] : results)
    {
        const Result<JobResult> result = runWith(subtract("99900", y));
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->json.at("format").at("result"), expected) << y;
        EXPECT_EQ(result->json.at("format").at("digits_of_sum"), 8);
    }
}

TEST(SignedDigitModule, RefusesWhatAnOperationDoesNotTake)
{
    for (const std::string operation : {"sum", "dft"})
        EXPECT_EQ(messageOf({"operation=" + operation, "x=a", "y=b"}),
                  "y: expected with two operands, found " + operation);
    EXPECT_EQ(messageOf({"operation=sum", "count=3", "twiddle-digits=50"}),
              "inverse, complex, twiddle-digits: expected with dft, found sum");
    EXPECT_EQ(messageOf({"operation=show", "x=1", "digits=7", "digit-set=6"}),
              "digits, digit-set: expected one of the two to show");
}

TEST(SignedDigitModule, RoundsMadeNumbersToDoublesIfAsked)
{
    const Result<JobResult> made = runWith({"count=1", "digits=30"}),
                            rounded = runWith({"count=1", "digits=30", "float64"});
    ASSERT_TRUE(made && rounded);
    EXPECT_NE(rounded->value, made->value);
    EXPECT_EQ(rounded->value, decimalText(decimalFromDouble(*nearestDouble(made->value, "test"))));
    EXPECT_EQ(messageOf({"count=1", "digits=400", "float64"}),
              "count, number 1: the number at character 1 is beyond the largest double");
}

// ---- report of a run ----

TEST(SignedDigitModule, TellsItsTimesAndItsWork)
{
    for (const char* backend : {"cpu", "host-kernel"})
        for (const auto& [operation, algorithm, bytes, operations] : {std::tuple{"sum", "columns", 2000.0, 2000.0},
                                                                      {"sum", "second", 2000.0, 2000.0},
                                                                      {"dot", "product", 2000.0, 40000.0},
                                                                      {"dot", "paper", 4000.0, 40000.0}})
        {
            const Result<JobResult> result =
                runWith({std::string("operation=") + operation, std::string("algorithm=") + algorithm, "count=100",
                         "digits=20", std::string("backend=") + backend});
            ASSERT_TRUE(result) << result.error().message;
            std::vector<std::string> times;
            for (const Timing& time : result->times)
                times.push_back(time.name);
            EXPECT_NE(std::ranges::find(times, "pack"), times.end());
            EXPECT_EQ(std::ranges::find(times, "allocate") != times.end(), std::string(backend) != "cpu");
            EXPECT_EQ(result->mainTime, "kernel");
            EXPECT_LE(std::abs(result->work.bytes - bytes), 1.1 * bytes) << algorithm;  // numbers of either sign
            EXPECT_GE(result->work.operations, operations) << algorithm;
            ASSERT_TRUE(result->speedup) << algorithm;
            EXPECT_EQ(result->speedup->name, "gmp");
            EXPECT_GT(result->json.at("gmp").at("ms").get<double>(), 0);
            EXPECT_EQ(result->check, CheckAnswer::kEqual);
        }
}

TEST(SignedDigitModule, TransformsInKernels)
{
    const Assignments transform = {"operation=dft", "count=20", "digits=5", "twiddle-digits=30"};
    Assignments kernels = transform;
    kernels.emplace_back("backend=host-kernel");
    const Result<JobResult> expected = runWith(transform), found = runWith(kernels);
    ASSERT_TRUE(expected) << expected.error().message;
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->json.at("result"), expected->json.at("result"));
    EXPECT_EQ(found->json.at("backend"), "host-kernel");
    EXPECT_GT(found->json.at("executor").at("blocks").get<int>(), 0);
    EXPECT_EQ(found->check, CheckAnswer::kEqual);
}

TEST(SignedDigitModule, CountsTwiceTheProductsForComplexCoordinates)
{
    const Assignments transform = {"operation=dft", "count=20", "digits=5", "twiddle-digits=30"};
    const auto operations = [&](const char* flag) {
        Assignments all = transform;
        if (flag) all.emplace_back(flag);
        const Result<JobResult> result = runWith(all);
        EXPECT_TRUE(result) << (result ? "" : result.error().message);
        return result ? result->work.operations : 0.0;
    };
    EXPECT_EQ(operations(nullptr), 4.0 * 20 * 20);
    EXPECT_EQ(operations("complex=true"), 8.0 * 20 * 20);
    EXPECT_EQ(operations("inverse=true"), 8.0 * 20 * 20);
}

}  // namespace
}  // namespace orogen::compute
