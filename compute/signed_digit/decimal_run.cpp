#include "compute/signed_digit/decimal_run.h"

#include <limits>

#include <fmt/format.h>

#include "core/base/memory.h"

namespace orogen::compute {

DecimalRun::DecimalRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
    : SteppedRun(module, values, context), operation_(values.text("operation")),
      pairs_(operation_ == "dot" || operation_ == "multiply" || operation_ == "dft"),
      ofFiles_(operation_ == "sum" || operation_ == "dot" || operation_ == "dft")
{
}

Status DecimalRun::validate()
{
    const bool mantissa = values().given("mantissa-digits"), order = values().given("largest-order");
    if (mantissa != order)
        return Error{ExitCode::kUsage, "mantissa-digits and largest-order: expected both or neither"};
    if (operation_ != "dft" && (values().flag("inverse") || values().flag("complex")))
        return Error{ExitCode::kUsage, fmt::format("inverse, complex: expected with dft, found {}", operation_)};
    if (mantissa) format_ = BoundedFormat{values().integer("mantissa-digits"), values().integer("largest-order")};
    return Status::ok();
}

Status DecimalRun::obtainInput()
{
    const Clock::time_point start = Clock::now();
    const bool made = values().given("count");
    const bool two = operation_ == "show"  ? made || values().given("y")
                     : operation_ == "dft" ? isComplex()
                                           : operation_ != "sum";
    const bool missing = !values().given("x") || (two && !isComplex() && !values().given("y"));
    const bool digitsMeanMore = operation_ == "show" || operation_ == "divide";
    if (made && (values().given("x") || values().given("y")))
        return Error{ExitCode::kUsage, "count: expected either numbers or a count"};
    if (!made && ((values().given("digits") && !digitsMeanMore) || values().given("spread") || values().given("seed")))
        return Error{ExitCode::kUsage, "digits, spread, seed: expected with a count"};
    if (!made && missing)
        return Error{ExitCode::kUsage, fmt::format("{}: expected {}, or --count K", operation_,
                                                   !ofFiles_             ? "two numbers"
                                                   : two && !isComplex() ? "two files"
                                                                         : "a file")};
    context().progress.enter(made ? "making numbers" : "reading numbers");
    if (Status status = made ? generate(two) : read(two); !status) return status;
    if (two && x_.size() != y_.size())
        return Error{ExitCode::kInput, fmt::format("{}: {} numbers, and {}: {}, expected as many", values().text("x"),
                                                   x_.size(), values().text("y"), y_.size())};
    addTime(made ? "generate" : "read", millisecondsSince(start));
    if (Status status = checkFormat(x_, "x"); !status) return status;
    return two ? checkFormat(y_, "y") : Status::ok();
}

void DecimalRun::addTimesInKernels(const KernelTimes& times)
{
    addTime("pack", times.packMs);
    addTime("allocate", times.allocateMs);
    addKernelTimes(times.uploadMs, times.kernelMs, times.downloadMs);
}

std::string DecimalRun::shownText(const std::string& number) const
{
    return values().given("count") ? shortened(number) : number;
}

Status DecimalRun::checkFormat(const DecimalList& list, const char* parameter) const
{
    if (!format_) return Status::ok();
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        if (i % kNumbersBetweenLooks == 0 && stopped()) return cancelled();
        const FormatFit fit = format_->fit(list[i]);
        if (fit == FormatFit::kFits) continue;
        return Error{ExitCode::kInput,
                     fmt::format("{}, number {}: {}: found {}, expected at most {} digits, at most {}, multiples "
                                 "of {}",
                                 ofFiles_ && values().given(parameter) ? values().text(parameter) : parameter, i + 1,
                                 textOf(fit), shortened(decimalText(list[i])), format_->mantissaDigits,
                                 format_->largest(), format_->smallest())};
    }
    return Status::ok();
}

Status DecimalRun::generate(bool two)
{
    RandomDecimals numbers{std::uint64_t(values().integer("count")), std::uint64_t(values().integer("digits")),
                           values().integer("spread"), std::uint64_t(values().integer("seed"))};
    if (!ofFiles_ && numbers.count != 1)
        return Error{ExitCode::kUsage, fmt::format("count: {}: expected 1 to {}", numbers.count, operation_)};
    // Memory (bytes) per digit of the numbers, and per column of the result, including its digits and its text.
    constexpr std::uint64_t kBytesADigit = 8, kBytesAColumn = 14;
    const std::uint64_t each = kBytesADigit * numbers.digits + 64;
    if (numbers.count > std::numeric_limits<std::uint64_t>::max() / 4 / each)
        return checkMemory("count and digits", std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t columns = (two ? 2 : 1) * numbers.digits;
    const std::uint64_t bytes = (two ? 2 : 1) * numbers.count * each + kBytesAColumn * columns;
    if (Status status = checkMemory("count and digits", bytes); !status) return status;
    x_ = makeDecimals(numbers, stop());
    numbers.seed = ~numbers.seed;
    if (two) y_ = makeDecimals(numbers, stop());
    return Status::ok();
}

Status DecimalRun::read(bool two)
{
    if (isComplex()) return readComplex();
    if (Status status = read(x_, "x", "A"); !status) return status;
    return two ? read(y_, "y", "B") : Status::ok();
}

Status DecimalRun::readComplex()
{
    Result<ComplexDecimals> read = readComplexDecimals(values().text("x"), meaning(), stop());
    if (!read) return read.error();
    x_ = std::move(read->real);
    y_ = std::move(read->imaginary);
    return checkMemory("x", 8 * (x_.digits() + y_.digits()) + 128 * x_.size());
}

DecimalMeaning DecimalRun::meaning() const
{
    return values().flag("float64") ? DecimalMeaning::kNearestDouble : DecimalMeaning::kItself;
}

Status DecimalRun::read(DecimalList& list, const char* parameter, const char* name)
{
    const std::string& text = values().text(parameter);
    Result<DecimalList> read =
        ofFiles_ ? readDecimals(text, meaning(), stop()) : decimalOperand(text, meaning(), name, stop());
    if (!read) return read.error();
    list = std::move(*read);
    return checkMemory(parameter, 8 * list.digits() + 64 * list.size());
}

}  // namespace orogen::compute
