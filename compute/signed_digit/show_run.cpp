// Operation `show` of the module `signed-digit`: the signed digits of a number, and an addition step by step.
#include <algorithm>

#include <fmt/format.h>

#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/decimal_run.h"
#include "compute/signed_digit/shown_addition.h"
#include "core/base/json.h"

namespace orogen::compute {
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

    // Adds lines of digits in columns, for people; a panel shows the first steps.
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

}  // namespace orogen::compute
