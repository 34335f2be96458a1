// Operation `dft` of the module `signed-digit`: the transform and its inverse. The transform rounds its cosines, so a
// check compares its values with another calculation's within a bound, and the inverse's values with the coordinates.
#include <fmt/format.h>

#include "compute/signed_digit/decimal_run.h"
#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/fourier_oracle.h"
#include "core/base/json.h"

namespace orogen::compute {
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
        countWork({.operations = 4 * double(x_.size()) * double(x_.size())});  // products of decimals, both ways
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
        constexpr double kOfOracle = 0.01;  // error of largestDistance()
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

    // Rejects numbers too large for a double, since results are compared with doubles.
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
    double distance_ = 0;  // from the spectrum to GMP's, in units of its last place
};

}  // namespace

std::unique_ptr<SteppedRun> makeFourierRun(const SteppedModule& module, const ParameterValues& values,
                                           const RunContext& context)
{
    return std::make_unique<FourierRun>(module, values, context);
}

}  // namespace orogen::compute
