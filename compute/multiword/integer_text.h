// Integers of any length as text, and numbers that are made here.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "compute/multiword/limb_buffer.h"
#include "core/base/status.h"

namespace orogen::compute {

enum class Radix
{
    kHexadecimal,  // "0x" before it is optional
    kDecimal,
};

// A non-negative integer: digits, and nothing else.  At least one limb; the highest is not 0 unless it is the only one.
// Error kInput, naming `where` and the place of what is no digit; kLimit if memory does not suffice; kInterrupted
// within 100 ms after a stop, however long the number.
Result<LimbBuffer> parseInteger(std::string_view digits, Radix radix, const std::string& where,
                                const std::stop_token& stop = {});

// The same from the one line of a file that holds a number; '#' starts a comment.
Result<LimbBuffer> readInteger(const std::string& path, Radix radix, const std::stop_token& stop = {});

// `operand` as on the command line: digits, or @FILE.
Result<LimbBuffer> integerOperand(std::string_view operand, Radix radix, const std::string& name,
                                  const std::stop_token& stop = {});

// Without prefix and leading zeros; "0".  `carry` is a bit above the limbs.  After a stop, within 100 ms, any text.
std::string integerText(std::span<const Limb> limbs, bool carry, Radix radix, const std::stop_token& stop = {});

std::uint64_t bitLength(std::span<const Limb> limbs);  // of 0: 0

// Exactly `bits` long, at least 1.  Random: every bit below the highest, a function of seed and place.
enum class Pattern
{
    kRandom,
    kOnes,         // all ones, and 1
    kAlternating,  // 0xaa.. and 0x55..
};
struct GeneratedPair
{
    LimbBuffer larger, smaller;  // of one length
};
GeneratedPair generatePair(Pattern pattern, std::uint64_t bits, std::uint64_t seed, const std::stop_token& stop);

}  // namespace orogen::compute
