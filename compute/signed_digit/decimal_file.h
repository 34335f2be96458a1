// Decimal numbers from files and from the command line, and numbers that are made here.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "compute/signed_digit/digit_rows.h"
#include "core/base/status.h"

namespace orogen::compute {

// What a number as text stands for.
enum class DecimalMeaning
{
    kItself,
    kNearestDouble,  // the exact value of the double next to it
};

// One number a line; '#' starts a comment; at least one.  Errors: kInput, naming file, line and character; kLimit.
Result<DecimalList> readDecimals(const std::string& path, DecimalMeaning meaning, const std::stop_token& stop = {});

// The same of a text; `name` stands for the file's in errors.
Result<DecimalList> decimalsInText(std::string_view text, DecimalMeaning meaning, const std::string& name,
                                   const std::stop_token& stop = {});

// `operand` as on the command line: a number, or @FILE with one.
Result<DecimalList> decimalOperand(std::string_view operand, DecimalMeaning meaning, const std::string& name,
                                   const std::stop_token& stop = {});

// Numbers of `digits` digits, the first not 0, of either sign, with exponents from -spread to spread: a function of
// these, the seed and the place.
struct RandomDecimals
{
    std::uint64_t count = 1, digits = 1;
    std::int64_t spread = 0;
    std::uint64_t seed = 1;
};
DecimalList makeDecimals(const RandomDecimals& numbers, const std::stop_token& stop = {});

}  // namespace orogen::compute
