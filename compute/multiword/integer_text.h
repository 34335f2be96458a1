// Conversion between integers of any length and text, and generation of test operands.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "compute/multiword/limbs.h"
#include "core/base/status.h"

namespace orogen::compute {

enum class Radix
{
    kHexadecimal,  // optional prefix "0x"
    kDecimal,
};

// Parses a non-negative integer that consists of digits only. Returns at least one limb; the highest is 0 only if it is
// the only one. Error kInput, with `where`: there is no digit, or a character (the message has its position) is no
// digit. Error kLimit: memory does not suffice. Error kInterrupted: soon after a stop, unless no thread can be started.
Result<LimbBuffer> parseInteger(std::string_view digits, Radix radix, const std::string& where,
                                const std::stop_token& stop = {});

// Like parseInteger(), but writes to existing memory of at least limbsOfDigits() limbs. Clears the limbs above the
// number. `column` is the position of the first character, for messages. Checks memory only for a long decimal number.
// After a stop the limbs are undefined and the status may be ok.
Status parseIntegerTo(std::span<Limb> limbs, std::string_view digits, Radix radix, const std::string& where,
                      std::size_t column, const std::stop_token& stop = {});
std::size_t limbsOfDigits(std::size_t digits, Radix radix);  // upper bound of the limbs that so many digits take

// Reads the integer from a file that holds it on one line; '#' starts a comment. Errors: as parseInteger(), and if the
// file is unreadable or does not hold exactly one number.
Result<LimbBuffer> readInteger(const std::string& path, Radix radix, const std::stop_token& stop = {});

// Parses an operand of the command line: digits, or @FILE for readInteger(). Messages call the operand `name`.
Result<LimbBuffer> integerOperand(std::string_view operand, Radix radix, const std::string& name,
                                  const std::stop_token& stop = {});

// Returns the digits without prefix and leading zeros, or "0". `carry` is a bit above the limbs. Returns soon after a
// stop; the text is then undefined.
std::string integerText(std::span<const Limb> limbs, bool carry, Radix radix, const std::stop_token& stop = {});

std::uint64_t bitLength(std::span<const Limb> limbs);  // 0 for the number 0

// Bits of generated operands.
enum class Pattern
{
    kRandom,       // the highest bit of the larger operand is 1
    kOnes,         // larger: all bits 1; smaller: the number 1
    kAlternating,  // 0xaa.. and 0x55..; the larger is the one whose highest bit, of `bits` bits, is 1
};
struct GeneratedPair
{
    LimbBuffer larger, smaller;  // equal limb counts; the larger has exactly `bits` bits (>= 1)
};
// Returns a pair of operands; after a stop its limbs are undefined.
GeneratedPair generatePair(Pattern pattern, std::uint64_t bits, std::uint64_t seed, const std::stop_token& stop);

}  // namespace orogen::compute
