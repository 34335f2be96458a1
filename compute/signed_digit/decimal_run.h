// Part that all operations of the module `signed-digit` share: operand x, and y if there are two, from files, from the
// command, or generated.
#pragma once

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

    const std::string operation_;
    const bool pairs_;    // x times y
    const bool ofFiles_;  // operands are files of any count; otherwise one number each
    DecimalList x_, y_;
    std::optional<BoundedFormat> format_;  // the numbers must fit it

private:
    // Rejects numbers outside the bounded format, and those that it could only hold rounded.
    Status checkFormat(const DecimalList& list, const char* parameter) const;
    Status generate(bool two);
    Status read(bool two);
    Status read(DecimalList& list, const char* parameter, const char* name);
};

}  // namespace orogen::compute
