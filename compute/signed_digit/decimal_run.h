// Base class of the runs of the module `signed-digit`: operand x, and y if there are two. Operands come from files or
// the command line, or are generated.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compute/job/stepped_module.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "compute/signed_digit/signed_digits.h"

namespace orogen::compute {

class DecimalRun : public SteppedRun
{
public:
    DecimalRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context);

protected:
    Status validate() override;
    Status obtainInput() override;
    void addTimesInKernels(const KernelTimes& times);
    // Returns the text of a number for people: results of generated numbers are shortened to their two ends.
    std::string shownText(const std::string& number) const;
    // Returns whether x and y are the real and imaginary parts of the coordinates that "dft" transforms.
    bool isComplex() const { return operation_ == "dft" && (values().flag("complex") || values().flag("inverse")); }

    const std::string operation_;
    const bool pairs_;    // the result is a sum of products: "dot", "multiply", "dft"
    const bool ofFiles_;  // an operand is a file with any count of numbers; otherwise it is one number
    DecimalList x_, y_;
    std::optional<BoundedFormat> format_;  // format that all numbers must fit

private:
    // Rejects numbers outside the bounded format, and those that it could only hold rounded.
    Status checkFormat(const DecimalList& list, const char* parameter) const;
    Status generate(bool two);
    // With `float64`, replaces generated numbers by the nearest doubles.
    Status roundIfAsked(DecimalList& list) const;
    Status read(bool two);
    Status readComplex();
    DecimalMeaning meaning() const;
    Status read(DecimalList& list, const char* parameter, const char* name);
};

inline constexpr std::size_t kDigitsAlwaysShown = 20'000;  // longer results are shown only on request

std::unique_ptr<SteppedRun> makeShowRun(const SteppedModule& module, const ParameterValues& values,
                                        const RunContext& context);
std::unique_ptr<SteppedRun> makeDivideRun(const SteppedModule& module, const ParameterValues& values,
                                          const RunContext& context);
std::unique_ptr<SteppedRun> makeFourierRun(const SteppedModule& module, const ParameterValues& values,
                                           const RunContext& context);

}  // namespace orogen::compute
