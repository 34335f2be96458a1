// Types of the values that are summed, and generated values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace orogen::compute {

enum class ValueType
{
    kFloat64,
    kFloat32,
    kFloat16,
    kInt64,
};
inline constexpr ValueType kValueTypes[] = {ValueType::kFloat64, ValueType::kFloat32, ValueType::kFloat16,
                                            ValueType::kInt64};
std::string_view textOf(ValueType type);  // "float64"
std::optional<ValueType> valueTypeNamed(std::string_view name);
std::size_t bytesOf(ValueType type);

using Bytes = std::vector<std::byte>;

// Appends the values as doubles; integers are rounded.
void appendDoubles(std::vector<double>& to, ValueType type, std::span<const std::byte> values);

// Generated values: functions of the seed and the index, equal on all machines.
enum class ValuePattern
{
    kUniform,     // multiples of 2^-53 in [0, 1)
    kSigned,      // in (-1, 1)
    kExponents,   // any sign, exponent and mantissa of finite normal doubles
    kCancelling,  // large pairs that cancel, among small values
};
inline constexpr ValuePattern kValuePatterns[] = {ValuePattern::kUniform, ValuePattern::kSigned,
                                                  ValuePattern::kExponents, ValuePattern::kCancelling};
std::string_view textOf(ValuePattern pattern);
std::optional<ValuePattern> valuePatternNamed(std::string_view name);

// Returns `count` values.  A stop leaves the remaining values 0.
std::vector<double> makeValues(ValuePattern pattern, std::size_t count, std::uint64_t seed,
                               const std::stop_token& stop = {});

}  // namespace orogen::compute
