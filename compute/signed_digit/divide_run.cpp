// Operation `divide` of the module `signed-digit`: a quotient to a number of digits, and the exact remainder.
#include <algorithm>

#include <fmt/format.h>

#include "compute/signed_digit/decimal_run.h"
#include "compute/signed_digit/quotient.h"
#include "core/base/json.h"
#include "core/base/memory.h"

namespace orogen::compute {
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
    // Returns the algorithm of `auto`. The recurrence takes some 2 ns per product of a quotient's and an operand's
    // digit.
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

}  // namespace orogen::compute
