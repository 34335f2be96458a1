// Files of decimal numbers: any content is either refused in one line that names the file, or each number is written as
// text that reads back as the same decimal and as the double nearest to it.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "compute/signed_digit/decimal.h"

namespace {

using namespace orogen;
using namespace orogen::compute;

void expect(bool holds, const char* what)
{
    if (holds) return;
    std::fprintf(stderr, "decimals: %s\n", what);
    std::abort();
}

void expectOneLine(const Error& error)
{
    expect(error.code == ExitCode::kInput, "an error of the input");
    expect(error.message.starts_with("fuzz:"), "an error names the file");
    for (const char c : error.message)
        expect(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "an error is one line of what can be shown");
}

Decimal ownOf(const DecimalView& number)
{
    return canonical({{number.digits.begin(), number.digits.end()}, number.exponent, number.negative});
}

void expectReadsBack(const DecimalView& number)
{
    for (const Digit digit : number.digits)
        expect(digit <= 9, "a digit");
    const Result<Decimal> again = parseDecimal(decimalText(number), "again");
    // A number with a point may exceed the largest exponent once its text is written without one.
    if (!again)
        return expect(std::abs(number.exponent) + std::int64_t(number.digits.size()) > kLargestExponent, "reads");
    expect(canonical(*again) == ownOf(number), "reads back as the same number");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<DecimalList> exact = decimalsInText(text, DecimalMeaning::kItself, "fuzz");
    const Result<DecimalList> doubles = decimalsInText(text, DecimalMeaning::kNearestDouble, "fuzz");
    if (!doubles) expectOneLine(doubles.error());
    if (!exact)
    {
        expectOneLine(exact.error());
        expect(!doubles, "what is no number is no double");
        return 0;
    }
    for (std::size_t i = 0; i < exact->size(); ++i)
        expectReadsBack((*exact)[i]);
    if (!doubles) return 0;
    expect(doubles->size() == exact->size(), "as many");
    for (std::size_t i = 0; i < doubles->size(); ++i)
    {
        expectReadsBack((*doubles)[i]);
        const std::string written = decimalText((*doubles)[i]);
        const Result<double> value = nearestDouble(written, "again");
        expect(value && decimalFromDouble(*value) == ownOf((*doubles)[i]), "a double's exact value is that double");
    }
    return 0;
}
