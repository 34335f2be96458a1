#include "compute/exact/values.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "compute/exact/sum_kernels.h"

namespace orogen::compute {
namespace {

constexpr std::string_view kTypeNames[] = {"float64", "float32", "float16", "int64"};
constexpr std::string_view kPatternNames[] = {"uniform", "signed", "exponents", "cancelling"};

// Returns the random number at index `place` of the seed's sequence: SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t randomAt(std::uint64_t seed, std::uint64_t place)
{
    std::uint64_t z = seed * 0xd1342543de82ef95 + (place + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

double uniform(std::uint64_t random) { return double(random >> 11) * 0x1p-53; }

double valueAt(ValuePattern pattern, std::uint64_t seed, std::size_t i)
{
    const std::uint64_t random = randomAt(seed, i);
    switch (pattern)
    {
    case ValuePattern::kUniform:
        return uniform(random);
    case ValuePattern::kSigned:
        return random & 1 ? -uniform(random) : uniform(random);
    case ValuePattern::kExponents: {
        const std::uint64_t exponent = 1 + randomAt(~seed, i) % 2046;
        return std::bit_cast<double>((random & ~(std::uint64_t(kExponentMask) << 52)) | exponent << 52);
    }
    case ValuePattern::kCancelling: {
        // Values 4k and 4k + 2 cancel.
        const double large = (1 + uniform(randomAt(seed, i - i % 4))) * 0x1p60;
        return i % 4 == 0 ? large : i % 4 == 2 ? -large : uniform(random);
    }
    }
    return 0;
}

template <class T>
const T* as(const std::byte* from)
{
    return reinterpret_cast<const T*>(from);
}

}  // namespace

std::string_view textOf(ValueType type) { return kTypeNames[int(type)]; }
std::string_view textOf(ValuePattern pattern) { return kPatternNames[int(pattern)]; }

std::optional<ValueType> valueTypeNamed(std::string_view name)
{
    const auto found = std::ranges::find(kTypeNames, name);
    if (found == std::end(kTypeNames)) return std::nullopt;
    return kValueTypes[found - kTypeNames];
}

std::optional<ValuePattern> valuePatternNamed(std::string_view name)
{
    const auto found = std::ranges::find(kPatternNames, name);
    if (found == std::end(kPatternNames)) return std::nullopt;
    return kValuePatterns[found - kPatternNames];
}

std::size_t bytesOf(ValueType type)
{
    constexpr std::size_t kBytes[] = {8, 4, 2, 8};
    return kBytes[int(type)];
}

void appendDoubles(std::vector<double>& to, ValueType type, std::span<const std::byte> values)
{
    const std::size_t count = values.size() / bytesOf(type), before = to.size();
    to.resize(before + count);
    double* const at = to.data() + before;
    switch (type)
    {
    case ValueType::kFloat64:
        if (count > 0) std::memcpy(at, values.data(), values.size());
        break;
    case ValueType::kFloat32:
        exactKernels().widenSingles(as<float>(values.data()), at, count);
        break;
    case ValueType::kFloat16:
        exactKernels().widenHalves(as<std::uint16_t>(values.data()), at, count);
        break;
    case ValueType::kInt64:
        for (std::size_t i = 0; i < count; ++i)
            at[i] = double(as<std::int64_t>(values.data())[i]);
        break;
    }
}

std::vector<double> makeValues(ValuePattern pattern, std::size_t count, std::uint64_t seed, const std::stop_token& stop)
{
    constexpr std::size_t kBetweenLooks = 1 << 20;
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        if (i % kBetweenLooks == 0 && stop.stop_requested()) break;
        values[i] = valueAt(pattern, seed, i);
    }
    return values;
}

}  // namespace orogen::compute
