// The module `signed-digit`, and its operations with an exact sum or product as the result.
#include <algorithm>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "compute/job/stepped_module.h"
#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/decimal_run.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "compute/signed_digit/quotient.h"
#include "compute/signed_digit/shown_addition.h"
#include "compute/signed_digit/signed_digits.h"
#include "core/base/json.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

template <class Algorithm>
Algorithms algorithmsOf(std::string operation, std::span<const Algorithm> onCpu, std::span<const Algorithm> inKernels,
                        std::string standard)
{
    Algorithms algorithms{.operation = std::move(operation), .standardOnCpu = standard, .standardInKernels = standard};
    for (const Algorithm algorithm : onCpu)
        algorithms.cpu.emplace_back(nameOf(algorithm));
    for (const Algorithm algorithm : inKernels)
        algorithms.kernels.emplace_back(nameOf(algorithm));
    return algorithms;
}

Algorithms decimalAlgorithms(const std::string& operation)
{
    if (operation == "dft")
        return {.operation = operation,
                .cpu = {"product"},
                .kernels = {"product"},
                .standardOnCpu = "product",
                .standardInKernels = "product"};
    if (operation == "divide")  // "auto" depends on the work of the recurrence
        return algorithmsOf<QuotientAlgorithm>(operation, kQuotientAlgorithms, {}, "");
    if (operation == "show") return algorithmsOf<SumAlgorithm>(operation, kShownAlgorithms, {}, "first");
    if (operation == "sum") return algorithmsOf<SumAlgorithm>(operation, kSumAlgorithms, kSumKernels, "columns");
    if (operation == "subtract") return algorithmsOf<SumAlgorithm>(operation, kSumAlgorithms, kSumKernels, "first");
    return algorithmsOf<DotAlgorithm>(operation, kDotAlgorithms, kDotKernels, "product");
}

std::vector<Parameter> decimalParameters()
{
    constexpr std::int64_t kMost = std::int64_t(1) << 40;
    std::vector<Parameter> parameters = {
        Parameter::choice("operation", {"sum", "dot", "multiply", "divide", "subtract", "dft", "show"}, "sum",
                          "sum of a file's numbers, dot product of two files' numbers, A * B, A / B, A - B, discrete "
                          "Fourier transform, signed digits of A and of A + B"),
        Parameter::text("x", "a file with one decimal number per line; for multiply and subtract a number, or @FILE"),
        Parameter::text("y", "the second operand, like x, of operations with two"),
        Parameter::flag("float64", "a number means the double nearest to it, with its exact value"),
        Parameter::integer("count", 1, kMost, "",
                           "instead of files: generates this many numbers (1 for multiply, divide and subtract)"),
        Parameter::integer(
            "digits", 1, kMost, "50",
            "digits of each generated number; of divide, significant digits of the quotient; of show, as digit-set"),
        Parameter::integer("spread", 0, kLargestExponent, "0", "exponents of generated numbers are from -N to N"),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "seed of generated numbers"),
    };
    const Algorithms all[] = {decimalAlgorithms("sum"), decimalAlgorithms("dot"), decimalAlgorithms("divide")};
    appendPlaceParameters(
        parameters, all,
        "sum and subtract: digit-loop, first, second, regrouped, columns, base1e9, gmp, paper-threads; dot and "
        "multiply: digit-loop, paper, product, gmp, paper-threads (kernels only); divide: recurrence, gmp");
    parameters.push_back(Parameter::integer("digit-set", 6, 7, "6", "signed digits are -N to N"));
    parameters.push_back(Parameter::integer("twiddle-digits", 1, 300, "50", "decimal places of the cosines of dft"));
    parameters.push_back(Parameter::flag("inverse", "dft: the inverse transform"));
    parameters.push_back(Parameter::flag("complex", "dft: a real and an imaginary part a line"));
    parameters.push_back(Parameter::integer("mantissa-digits", 1, kLargestExponent, "",
                                            "bounded format: numbers are K 10^t with |K| below 10^N"));
    parameters.push_back(
        Parameter::integer("largest-order", 0, kLargestExponent, "", "bounded format: t is from -N to N"));
    return parameters;
}

ModuleDescription decimalDescription()
{
    const std::string_view file = "a file with one decimal number per line", number = "a decimal number, or @FILE";
    return {.name = "signed-digit",
            .summary = "exact decimal sums and products of any magnitude",
            .panel = "Signed-digit",
            .title = "Signed-digit decimals",
            .size = "count",
            .firstSize = "10000",
            .given = {"x", "y"},
            .rare = {"float64", "spread", "digit-set", "twiddle-digits", "inverse", "complex", "mantissa-digits",
                     "largest-order"},
            .operations = {{"sum", "the sum of the numbers in a file", {{"FILE", "x", file}}},
                           {"dot",
                            "the dot product of two files' numbers",
                            {{"X", "x", file}, {"Y", "y", "another with as many numbers"}}},
                           {"multiply", "A times B", {{"A", "x", number}, {"B", "y", "the second number, or @FILE"}}},
                           {"divide",
                            "A / B to a number of digits, and the exact remainder",
                            {{"A", "x", number}, {"B", "y", "the divisor, or @FILE"}}},
                           {"dft",
                            "the discrete Fourier transform of a file's numbers: a real and an imaginary part a line",
                            {{"FILE", "x", "a file with a number a line, or two with --complex and --inverse"}}},
                           {"subtract", "A - B", {{"A", "x", number}, {"B", "y", "the second number, or @FILE"}}},
                           {"show",
                            "the signed digits of N, and N + M step by step",
                            {{"N", "x", number}, {"M", "y", "the second number, or @FILE"}}}},
            .parameters = decimalParameters()};
}

constexpr double kNoDigitRightPercent = 100;  // an error as large as the result itself

// Exact sums and products.
class ExactDecimalRun final : public DecimalRun
{
public:
    using DecimalRun::DecimalRun;

protected:
    Status calculate() override
    {
        if (operation_ == "subtract")
        {
            const DecimalView b = y_[0];
            x_.add({b.digits, b.exponent, !b.negative});
        }
        context().progress.enter("aligning");
        const Clock::time_point start = Clock::now();
        if (pairs_)
            factors_ = alignedFactors(x_, y_, stop());
        else
            rows_ = alignedRows(x_, stop());
        return place().inKernels() ? calculateInKernels(start) : calculateOnCpu(start);
    }

    Status check() override
    {
        context().progress.enter("checking");
        const Clock::time_point start = Clock::now();
        if (place().algorithm == nameOf(SumAlgorithm::kGmp))
        {
            const CpuDecimalOptions options = {.threads = int(values().integer("threads"))};
            CpuDecimals other = pairs_ ? CpuDecimals(DotAlgorithm::kProduct, factors_, options, stop())
                                       : CpuDecimals(SumAlgorithm::kColumns, rows_, options, stop());
            answer(number_ == other.run(stop()), pairs_ ? "product" : "columns");
        }
        else
            answer(pairs_ ? isDotProduct(number_, x_, y_, stop()) : isSum(number_, x_, stop()), "gmp");
        addTime("check", millisecondsSince(start));
        return Status::ok();
    }

    // Compares with single and double precision, with the digit loop and, unless GMP computed the result, with GMP.
    Status compare() override
    {
        context().progress.enter("comparing");
        const Clock::time_point start = Clock::now();
        const double found = pairs_ ? floatingDot<double>(x_, y_, stop()) : floatingSum<double>(x_, stop());
        const float single = pairs_ ? floatingDot<float>(x_, y_, stop()) : floatingSum<float>(x_, stop());
        if (stopped()) return cancelled();
        doublePercent_ = errorPercent(found, number_);
        singlePercent_ = errorPercent(double(single), number_);
        const std::span<const FactorRows> factors = factors_;
        const std::span<const DigitRows> rows = rows_;
        loop_ = pairs_ ? timeDigitLoop(factors, stop()) : timeDigitLoop(rows, stop());
        if (place().algorithm != nameOf(SumAlgorithm::kGmp))
            gmp_ = pairs_ ? timeGmp(factors, stop()) : timeGmp(rows, stop());
        if (stopped()) return cancelled();
        addTime("compare", millisecondsSince(start));
        return Status::ok();
    }

    Status describe() override
    {
        const Clock::time_point start = Clock::now();
        result().valueName = "result";
        if (context().wholeResult || number_.digits.size() <= kDigitsAlwaysShown)
            json()["result"] = result().value = decimalText(number_);
        if (context().readable) result().above = shownText(result().value) + "\n\n";
        addTime("format", millisecondsSince(start));
        json()["digits"] = std::max<std::size_t>(1, number_.digits.size());
        json()["count"] = x_.size() - (operation_ == "subtract");
        describeFormat();
        writeOperations();
        json()["relative_error_percent"] = {{"double", jsonOf(doublePercent_)}, {"single", jsonOf(singlePercent_)}};
        addRow("digits", std::to_string(std::max<std::size_t>(1, number_.digits.size())));
        addRow("error, double", errorText(doublePercent_));
        addRow("error, single", errorText(singlePercent_));
        describeSpeed();
        writeCheck();
        writePlace();
        if (!place().inKernels()) json()["instruction_set"] = bestDigitKernels().name;
        return Status::ok();
    }

private:
    // `conversion`: time at which the alignment of the numbers began.
    Status calculateOnCpu(Clock::time_point conversion)
    {
        const CpuDecimalOptions options = {int(values().integer("threads")), nullptr,
                                           DigitSet{int(values().integer("digit-set"))}};
        addTime("convert", millisecondsSince(conversion));
        context().progress.enter("packing");
        const Clock::time_point packing = Clock::now();
        CpuDecimals decimals = pairs_ ? CpuDecimals(*dotAlgorithm(place().algorithm), factors_, options, stop())
                                      : CpuDecimals(*sumAlgorithm(place().algorithm), rows_, options, stop());
        if (stopped()) return cancelled();
        addTime("pack", millisecondsSince(packing));
        enterCalculation();
        const Result<double> shortest = shortestOf([&]() -> Result<double> {
            const Clock::time_point start = Clock::now();
            number_ = decimals.run(stop());
            return millisecondsSince(start);
        });
        if (!shortest) return shortest.error();
        kernelMs_ = *shortest;
        count(decimals.operations());
        addKernelTimes(0, *shortest, 0);
        return Status::ok();
    }

    Result<DecimalKernelRun> runKernels() const
    {
        const Result<std::unique_ptr<KernelTarget>> target = openTarget();
        if (!target) return target.error();
        const DecimalKernelOptions options = {DigitSet{int(values().integer("digit-set"))}, stop()};
        return pairs_ ? dotOnTarget(**target, *dotAlgorithm(place().algorithm), factors_, options)
                      : sumOnTarget(**target, *sumAlgorithm(place().algorithm), rows_, options);
    }

    Status calculateInKernels(Clock::time_point conversion)
    {
        addTime("convert", millisecondsSince(conversion));
        enterCalculation();
        DecimalKernelRun best;
        best.kernelMs = std::numeric_limits<double>::infinity();
        const Result<double> shortest = shortestOf([&]() -> Result<double> {
            Result<DecimalKernelRun> run = runKernels();
            if (!run) return run.error();
            const double ms = run->kernelMs;
            if (ms < best.kernelMs) best = std::move(*run);
            return ms;
        });
        if (!shortest) return shortest.error();
        if (Status status = countExecutor(best.executor, !rows_.empty() || !factors_.empty()); !status) return status;
        kernelMs_ = best.kernelMs;
        count(best.operations);
        addTimesInKernels(best);
        number_ = std::move(best.number);
        return Status::ok();
    }

    // Reports whether the bounded format holds the result, and how many digits a sum may have.
    void describeFormat()
    {
        if (!format_) return;
        const FormatFit fit = format_->fit(number_);
        auto& format = json()["format"];
        format = {{"mantissa_digits", format_->mantissaDigits},
                  {"largest_order", format_->largestOrder},
                  {"largest", format_->largest()},
                  {"smallest", format_->smallest()}};
        if (!pairs_) format["digits_of_sum"] = format_->digitsOfSum(x_.size());
        format["result"] = textOf(fit);
        addRow("in the bounded format", std::string(textOf(fit)));
    }

    // Reports paper 000's ratio: the digit loop's time over that of transfers and arithmetic. Also reports GMP's time,
    // on numbers already in binary, over the kernel's, without and with transfers.
    void describeSpeed()
    {
        double ms = 0;
        for (const Timing& time : result().times)
            if (time.name == "upload" || time.name == "kernel" || time.name == "download") ms += time.ms;
        if (loop_ && ms > 0)
        {
            json()["k_abs"] = loop_->ms / ms;
            json()["digit_loop"] = {{"ms", loop_->ms}, {"rows_timed", loop_->timed}, {"rows", loop_->rows}};
            addRow("K_abs", fmt::format("{:.3g}", loop_->ms / ms));
            addRow("digit loop", partText(*loop_));
        }
        if (gmp_ && kernelMs_ > 0)
        {
            result().speedup = {"gmp", gmp_->ms / kernelMs_};
            json()["gmp"] = {{"ms", gmp_->ms},
                             {"rows_timed", gmp_->timed},
                             {"rows", gmp_->rows},
                             {"ratio", gmp_->ms / kernelMs_},
                             {"ratio_end_to_end", gmp_->ms / ms}};
            addRow("times as fast as gmp",
                   fmt::format("{:.3g}; with transfers {:.3g}", gmp_->ms / kernelMs_, gmp_->ms / ms));
            addRow("gmp, on one thread", partText(*gmp_));
        }
    }

    static std::string partText(const RowsTime& time)
    {
        return fmt::format("{:.3g} ms{}", time.ms, time.timed < time.rows ? ", by a part" : "");
    }

    // Reports the numbers of additions for sums, and for products whose last step is the second method.
    void count(const DigitOperations& operations)
    {
        if (!pairs_ || place().algorithm.starts_with("paper"))
        {
            countOperations("additions", operations.additions);
            countOperations("synchronisations", operations.synchronisations);
        }
        countDigits(operations.synchronisations);
    }

    // Counts the bytes of all digits as stored in memory, and the additions or products of digits.
    void countDigits(std::uint64_t iterations)
    {
        const std::string& algorithm = place().algorithm;
        const double ofDigit = algorithm == nameOf(SumAlgorithm::kGmp) ? std::numbers::ln10 / std::numbers::ln2 / 8
                               : algorithm == nameOf(SumAlgorithm::kBase1e9) ? 4.0 / 9
                               : algorithm == nameOf(DotAlgorithm::kProduct) ? 0.5
                                                                             : 1;
        Work work;
        for (const DigitRows& band : rows_)
        {
            work.bytes += ofDigit * double(band.count) * double(band.width);
            work.operations += double(band.count) * double(band.width);
        }
        for (const FactorRows& band : factors_)
        {
            work.bytes += ofDigit * double(band.x.count) * double(band.x.width + band.y.width);
            work.operations += double(band.x.count) * double(band.x.width) * double(band.y.width);
        }
        work.iterations = double(iterations);
        countWork(work);
    }

    static Json jsonOf(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

    std::string errorText(const std::optional<double>& percent) const
    {
        if (percent && *percent > kNoDigitRightPercent)
            return fmt::format("{:.3g} % of the result: the terms cancel, no digit is right", *percent);
        if (percent) return fmt::format("{:.3g} %", *percent);
        return number_.digits.empty() ? "without bound: the sum is 0" : "out of its range";
    }

    std::vector<DigitRows> rows_;      // operands of sums
    std::vector<FactorRows> factors_;  // operands of products
    Decimal number_;
    // Errors of floating point. Empty: the error is unbounded, or the floating-point result is not finite.
    std::optional<double> doublePercent_, singlePercent_;
    std::optional<RowsTime> loop_, gmp_;
    double kernelMs_ = 0;
};

class SignedDigitModule final : public SteppedModule
{
public:
    SignedDigitModule() : SteppedModule(decimalDescription()) {}

    Algorithms algorithms(const ParameterValues& values) const override
    {
        return decimalAlgorithms(values.text("operation"));
    }

protected:
    std::unique_ptr<SteppedRun> makeRun(const ParameterValues& values, const RunContext& context) const override
    {
        const std::string& operation = values.text("operation");
        if (operation == "dft") return makeFourierRun(*this, values, context);
        if (operation == "divide") return makeDivideRun(*this, values, context);
        if (operation == "show") return makeShowRun(*this, values, context);
        return std::make_unique<ExactDecimalRun>(*this, values, context);
    }
};

}  // namespace

const Module& signedDigitModule()
{
    static const SignedDigitModule module;
    return module;
}

}  // namespace orogen::compute
