#include "compute/signed_digit/decimal_run.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/fourier_oracle.h"
#include "compute/signed_digit/quotient.h"
#include "compute/signed_digit/shown_addition.h"
#include "core/base/json.h"
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
    if (operation_ != "dft" &&
        (values().flag("inverse") || values().flag("complex") || values().given("twiddle-digits")))
        return Error{ExitCode::kUsage,
                     fmt::format("inverse, complex, twiddle-digits: expected with dft, found {}", operation_)};
    if ((operation_ == "sum" || operation_ == "dft") && values().given("y"))
        return Error{ExitCode::kUsage, fmt::format("y: expected with two operands, found {}", operation_)};
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
    // Memory (bytes) per digit of the numbers, and per column of the result, with the result's digits and text.
    constexpr std::uint64_t kBytesADigit = 8, kBytesAColumn = 14;
    const std::uint64_t each = kBytesADigit * numbers.digits + 64;
    if (numbers.count > std::numeric_limits<std::uint64_t>::max() / 4 / each)
        return checkMemory("count and digits", std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t columns = (two ? 2 : 1) * numbers.digits;
    const std::uint64_t bytes = (two ? 2 : 1) * numbers.count * each + kBytesAColumn * columns;
    if (Status status = checkMemory("count and digits", bytes); !status) return status;
    x_ = makeDecimals(numbers, stop());
    if (Status status = roundIfAsked(x_); !status || !two) return status;
    numbers.seed = ~numbers.seed;
    y_ = makeDecimals(numbers, stop());
    return roundIfAsked(y_);
}

Status DecimalRun::roundIfAsked(DecimalList& list) const
{
    if (meaning() != DecimalMeaning::kNearestDouble) return Status::ok();
    const auto bytesOf = [](const DecimalList& numbers) { return 8 * numbers.digits() + 64 * numbers.size(); };
    DecimalList rounded;
    std::uint64_t checked = 16u << 20;  // bytes; smaller lists need no check
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        if (i % kNumbersBetweenLooks == 0 && stopped()) return cancelled();
        if (bytesOf(rounded) > checked)
            if (Status status = checkMemory("count", checked = 2 * bytesOf(rounded)); !status) return status;
        const Result<double> value = nearestDouble(decimalText(list[i]), fmt::format("count, number {}", i + 1));
        if (!value) return value.error();
        rounded.add(decimalFromDouble(*value));
    }
    list = std::move(rounded);
    return checkMemory("count", bytesOf(list));
}

Status DecimalRun::read(bool two)
{
    if (isComplex()) return readComplex();
    const bool shown = operation_ == "show";
    if (Status status = read(x_, "x", shown ? "N" : "A"); !status) return status;
    return two ? read(y_, "y", shown ? "M" : "B") : Status::ok();
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

// Operation `show` of the module `signed-digit`: the signed digits of a number, and an addition step by step.

namespace {

class ShowRun final : public DecimalRun
{
public:
    using DecimalRun::DecimalRun;

protected:
    Status validate() override
    {
        const bool made = values().given("count"), digits = values().given("digits") && !made;
        if (digits && values().integer("digits") != 6 && values().integer("digits") != 7)
            return Error{ExitCode::kUsage,
                         fmt::format("digits: {}: expected 6 or 7 to show", values().integer("digits"))};
        if (digits && values().given("digit-set"))
            return Error{ExitCode::kUsage, "digits, digit-set: expected one of the two to show"};
        set_.largest = int(values().integer(digits ? "digits" : "digit-set"));
        return DecimalRun::validate();
    }

    Status calculate() override
    {
        constexpr std::size_t kMostPlaces = 100'000, kMostDigits = 2'000'000;
        std::int64_t low = x_[0].exponent, high = low + std::int64_t(x_[0].digits.size());
        if (y_.size() > 0)
        {
            low = std::min(low, y_[0].exponent);
            high = std::max(high, y_[0].exponent + std::int64_t(y_[0].digits.size()));
        }
        const auto places = std::uint64_t(high - low);
        const std::uint64_t rows = place().algorithm == "second" ? places : 2;
        if (places > kMostPlaces || places * rows > kMostDigits)
            return Error{ExitCode::kLimit,
                         fmt::format("show: {} places in {} rows, expected at most {} places and {} digits", places,
                                     rows, kMostPlaces, kMostDigits)};
        enterCalculation();
        const Clock::time_point start = Clock::now();
        const DecimalView second = y_.size() > 0 ? y_[0] : DecimalView{};
        shown_ = shownAddition(x_[0], second, set_, *sumAlgorithm(place().algorithm));
        addMainTime("add", millisecondsSince(start));
        countOperations("additions", y_.size() > 0 ? shown_.steps.size() : 0);
        countOperations("synchronisations", y_.size() > 0 ? shown_.steps.size() : 0);
        return Status::ok();
    }

    Status check() override
    {
        DecimalList both = x_;
        if (y_.size() > 0) both.add(y_[0]);
        answer(isSum(decimal(shown_.sum), both, stop()), "gmp");
        return Status::ok();
    }

    Status describe() override
    {
        const bool two = y_.size() > 0;
        result().valueName = two ? "sum" : "digits";
        result().value = two ? decimalText(decimal(shown_.sum)) : textOf(shown_.first.digits);
        writeNumber(json(), shown_.first);
        json()["digit_set"] = set_.largest;
        json()["steps"] = Json::array();
        json()["synchronisations"] = two ? shown_.steps.size() : 0;
        if (two)
        {
            writeNumber(json()["second"], shown_.second);
            writeNumber(json()["sum"], shown_.sum);
            json()["result"] = result().value;
            if (!shown_.columns.empty())
                json()["columns"] = std::vector<std::int64_t>(shown_.columns.rbegin(), shown_.columns.rend());
            json()["steps_exponent"] = shown_.exponent;
            json()["start"] = listOf(shown_.start);
            for (const AdditionStep& step : shown_.steps)
                json()["steps"].push_back({{"addend", listOf(step.addend)},
                                           {"transfer", listOf(step.transfers)},
                                           {"interim", listOf(step.interim)},
                                           {"digits", listOf(step.result)}});
        }
        writeOperations();
        describeSteps(two);
        return Status::ok();
    }

private:
    static std::vector<int> listOf(std::span<const SignedDigit> lowestFirst)
    {
        return {lowestFirst.rbegin(), lowestFirst.rend()};
    }

    static void writeNumber(Json& json, const SignedDigits& number)
    {
        json["digits"] = listOf(number.digits);
        json["exponent"] = number.exponent;
    }

    static std::string textOf(std::span<const SignedDigit> lowestFirst)
    {
        std::string text;
        for (const int digit : listOf(lowestFirst))
            text += fmt::format("{:>3}", digit);
        return text.empty() ? "  0" : text;
    }

    // Cuts the middle out of a long line, for people.
    std::string shortened(const std::string& line)
    {
        constexpr std::size_t kEnd = 300;  // characters that stay at each end: 100 digits
        if (line.size() <= 2 * kEnd) return line;
        isCut_ = true;
        return line.substr(0, kEnd) + " … " + line.substr(line.size() - kEnd);
    }
    std::string shortTextOf(std::span<const SignedDigit> lowestFirst) { return shortened(textOf(lowestFirst)); }

    // Writes the steps as lines of digits in columns if RunContext::readable, else adds table rows for the first steps.
    void describeSteps(bool two)
    {
        constexpr std::size_t kStepsInRows = 6, kStepsInText = 24;
        const auto numberRow = [&](const char* name, const SignedDigits& number) {
            addRow(name, fmt::format("({}), t = {}", shortTextOf(number.digits), number.exponent));
        };
        numberRow("N", shown_.first);
        std::string text;
        if (two)
        {
            numberRow("M", shown_.second);
            numberRow("N + M", shown_.sum);
            text += fmt::format("start{:<13}{}\n", "", shortTextOf(shown_.start));
        }
        for (std::size_t i = 0; two && i < std::min(shown_.steps.size(), kStepsInText); ++i)
        {
            const AdditionStep& step = shown_.steps[i];
            const std::pair<const char*, const std::vector<SignedDigit>*> lines[] = {{"addend", &step.addend},
                                                                                     {"transfers", &step.transfers},
                                                                                     {"interim", &step.interim},
                                                                                     {"digits", &step.result}};
            for (const auto& [name, digits] : lines)
            {
                text += fmt::format("step {}, {:<10}{}\n", i + 1, name, shortTextOf(*digits));
                if (i < kStepsInRows && !context().readable)
                    addRow(fmt::format("step {}, {}", i + 1, name), shortTextOf(*digits));
            }
        }
        const std::string above = shortened(result().value);
        if (shown_.steps.size() > kStepsInText)
            text += fmt::format("{} more steps; --json has all\n", shown_.steps.size() - kStepsInText);
        if (isCut_) text += "Lines of more than 200 digits are cut in the middle; --json has all digits.\n";
        if (context().readable) result().below = text.empty() ? text : "\n" + text;
        if (context().readable) result().above = above + "\n\n";
    }

    DigitSet set_;
    ShownAddition shown_;
    bool isCut_ = false;  // whether a line was shortened
};

}  // namespace

std::unique_ptr<SteppedRun> makeShowRun(const SteppedModule& module, const ParameterValues& values,
                                        const RunContext& context)
{
    return std::make_unique<ShowRun>(module, values, context);
}

// Operation `divide` of the module `signed-digit`: a quotient to a number of digits, and the exact remainder.

namespace {

class DivideRun final : public DecimalRun
{
public:
    using DecimalRun::DecimalRun;

protected:
    Status calculate() override
    {
        if (std::ranges::all_of(y_[0].digits, [](Digit digit) { return digit == 0; }))
            return Error{ExitCode::kUsage, "divide: B is 0, expected another number"};
        digits_ = values().integer("digits");
        constexpr std::int64_t kBytesADigit = 16, kMostDigits = std::int64_t(1) << 32;
        if (Status status = checkMemory("digits", std::uint64_t(kBytesADigit * std::min(digits_, kMostDigits)));
            !status)
            return status;
        if (place().algorithm == "auto") chooseAlgorithm(std::string(nameOf(standard())));
        algorithm_ = place().algorithm == nameOf(QuotientAlgorithm::kGmp) ? QuotientAlgorithm::kGmp
                                                                          : QuotientAlgorithm::kRecurrence;
        enterCalculation();
        const DigitSet set = {int(values().integer("digit-set"))};
        const Result<double> shortest = shortestOf([&]() -> Result<double> {
            const Clock::time_point start = Clock::now();
            found_ = quotient(x_[0], y_[0], digits_, algorithm_, set, stop());
            if (stopped()) return cancelled();
            return millisecondsSince(start);
        });
        if (!shortest) return shortest.error();
        addMainTime("divide", *shortest);
        countOperations("additions", found_.additions);
        countOperations("synchronisations", found_.synchronisations);
        return Status::ok();
    }

    Status check() override
    {
        context().progress.enter("checking");
        const Clock::time_point start = Clock::now();
        if (algorithm_ == QuotientAlgorithm::kGmp)
            answer(isQuotient(found_, x_[0], y_[0], digits_, stop()), "product");
        else
        {
            const DecimalQuotient expected = quotient(x_[0], y_[0], digits_, QuotientAlgorithm::kGmp, {}, stop());
            answer(found_.quotient == expected.quotient && found_.remainder == expected.remainder, "gmp");
        }
        if (stopped()) return cancelled();
        addTime("check", millisecondsSince(start));
        return Status::ok();
    }

    Status describe() override
    {
        result().valueName = "quotient";
        const std::string remainder = decimalText(found_.remainder);
        if (context().wholeResult || std::uint64_t(digits_) <= kDigitsAlwaysShown)
        {
            json()["result"] = result().value = decimalText(found_.quotient);
            json()["remainder"] = remainder;
        }
        if (context().readable) result().above = shownText(result().value) + "\n\n";
        json()["digits"] = digits_;
        json()["exact"] = found_.remainder.digits.empty();
        writeOperations();
        addRow("remainder", shortened(remainder));
        addRow("digits at most", std::to_string(digits_));
        return Status::ok();
    }

private:
    // Returns the algorithm that `auto` stands for. The recurrence takes about 2 ns times the digits of the quotient,
    // times the digits of the longer operand.
    QuotientAlgorithm standard() const
    {
        constexpr double kMostWork = 1e8;
        const double longer = double(std::max(x_[0].digits.size(), y_[0].digits.size()));
        return double(digits_) * longer <= kMostWork ? QuotientAlgorithm::kRecurrence : QuotientAlgorithm::kGmp;
    }

    std::int64_t digits_ = 0;
    QuotientAlgorithm algorithm_ = QuotientAlgorithm::kRecurrence;
    DecimalQuotient found_;
};

}  // namespace

std::unique_ptr<SteppedRun> makeDivideRun(const SteppedModule& module, const ParameterValues& values,
                                          const RunContext& context)
{
    return std::make_unique<DivideRun>(module, values, context);
}

// Operation `dft` of the module `signed-digit`: the transform and its inverse. The transform rounds its cosines. So
// the check compares the spectrum with GMP's within a bound (fourier_oracle.h), and bounds the error after both
// transforms.

namespace {

class FourierRun final : public DecimalRun
{
public:
    using DecimalRun::DecimalRun;

protected:
    Status calculate() override
    {
        if (Status status = checkCoordinates(); !status) return status;
        enterCalculation(", dft");
        const FourierOptions options = {int(values().integer("twiddle-digits")),
                                        [this](double done) {
                                            context().progress.set(done);
                                            return !stopped();
                                        },
                                        stop(),
                                        0,
                                        values().flag("inverse"),
                                        isComplex() ? &y_ : nullptr};
        if (Status status = transform(options); !status) return status;
        if (found_.stopped) return cancelled();
        addTime("turns", found_.twiddlesMs);
        if (place().inKernels())
            addTimesInKernels(found_.times);
        else
            addMainTime("kernel", found_.bothWaysMs);
        addTime("compare", found_.floatingMs);
        // Counts the products of both transforms together, for n values: 4 n^2 if coordinates are real, else 8 n^2.
        countWork({.operations = (isComplex() ? 8 : 4) * double(x_.size()) * double(x_.size())});
        return Status::ok();
    }

    Status check() override
    {
        context().progress.enter("checking");
        const Clock::time_point start = Clock::now();
        const int digits = int(values().integer("twiddle-digits"));
        distance_ = largestDistance({x_, isComplex() ? &y_ : nullptr, values().flag("inverse"), found_.spectrum},
                                    found_.unitExponent, digits, stop());
        if (stopped()) return cancelled();
        addTime("check", millisecondsSince(start));
        constexpr double kOfOracle = 0.01;  // error of largestDistance(), in units of the last place
        answer(distance_ <= found_.boundInUnits + kOfOracle && found_.signedDigitPercent <= found_.boundPercent,
               "gmp, bound");
        return Status::ok();
    }

    Status describe() override
    {
        const std::size_t digits = found_.spectrum.size() * std::size_t(values().integer("twiddle-digits"));
        if (!found_.spectrum.empty() && (context().wholeResult || digits <= kDigitsAlwaysShown))
        {
            for (const ComplexDecimal& value : found_.spectrum)
                json()["result"].push_back({decimalText(value.real), decimalText(value.imaginary)});
            result().value = json()["result"].dump();
        }
        if (context().readable)
        {
            for (const ComplexDecimal& value : found_.spectrum)
                result().above +=
                    fmt::format("{} {}\n", shownText(decimalText(value.real)), shownText(decimalText(value.imaginary)));
            result().above += "\n";
        }
        json()["count"] = found_.spectrum.size();
        json()["max_relative_error_percent"] = {{"signed_digit", found_.signedDigitPercent},
                                                {"double", found_.doublePercent},
                                                {"single", found_.singlePercent}};
        json()["bound"] = found_.boundPercent;
        json()["distance"] = {
            {"found", distance_}, {"bound", found_.boundInUnits}, {"unit", fmt::format("1e{}", found_.unitExponent)}};
        writePlace();
        writeCheck();
        for (const auto& [name, percent] :
             {std::pair{"signed-digit", found_.signedDigitPercent}, std::pair{"its bound", found_.boundPercent},
              std::pair{"double", found_.doublePercent}, std::pair{"single", found_.singlePercent}})
            addRow(fmt::format("error both ways, {}", name), fmt::format("{:.3g} %", percent));
        addRow("distance from gmp's",
               fmt::format("{:.3g} of the last place; bound {:.3g}", distance_, found_.boundInUnits));
        return Status::ok();
    }

private:
    Status transform(const FourierOptions& options)
    {
        if (!place().inKernels())
        {
            found_ = fourierTransform(x_, options);
            return Status::ok();
        }
        const Result<std::unique_ptr<KernelTarget>> target = openTarget();
        if (!target) return target.error();
        Result<FourierResult> found = fourierTransformOnTarget(**target, x_, options);
        if (!found) return found.error();
        found_ = std::move(*found);
        return countExecutor((*target)->hostLaunches().counts);
    }

    // Rejects numbers of 1e300 or more: results are compared with doubles, whose sums must not overflow.
    Status checkCoordinates() const
    {
        const auto isLarge = [](const DecimalView& part) {
            return part.exponent + std::int64_t(part.digits.size()) > 300;
        };
        for (std::size_t i = 0; i < x_.size(); ++i)
            if (isLarge(x_[i]) || (isComplex() && isLarge(y_[i])))
                return Error{ExitCode::kInput,
                             fmt::format("number {} of {}: found 1e300 or more, expected less", i + 1, x_.size())};
        return Status::ok();
    }

    FourierResult found_;
    double distance_ = 0;  // largest distance of a spectral value from GMP's, in units of the last place
};

}  // namespace

std::unique_ptr<SteppedRun> makeFourierRun(const SteppedModule& module, const ParameterValues& values,
                                           const RunContext& context)
{
    return std::make_unique<FourierRun>(module, values, context);
}

}  // namespace orogen::compute
