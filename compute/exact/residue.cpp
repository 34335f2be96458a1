#include "compute/exact/residue.h"

#include <array>
#include <bit>
#include <cstring>

#include "core/base/half_float.h"

namespace orogen::compute {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kBits = 61;
constexpr std::uint64_t kModulus = (std::uint64_t(1) << kBits) - 1;

// A term: its sign, and a number congruent to its absolute value modulo kModulus.
struct Residue
{
    std::uint64_t size = 0;
    bool negative = false, finite = true;
};

std::uint64_t reduced(Wide value)
{
    const std::uint64_t once =
        std::uint64_t(value & kModulus) + std::uint64_t(value >> kBits & kModulus) + std::uint64_t(value >> 2 * kBits);
    const std::uint64_t twice = (once & kModulus) + (once >> kBits);
    return twice >= kModulus ? twice - kModulus : twice;
}

// Rotations (bits) by the stored exponent e of a double: 2^(e - 1075) equals 2^((e - 1075) mod 61) modulo kModulus.
constexpr std::array<std::uint8_t, 2048> kRotations = [] {
    std::array<std::uint8_t, 2048> rotations{};
    for (int e = 0; e < 2048; ++e)
        rotations[std::size_t(e)] = std::uint8_t(((e == 0 ? 1 : e) + 18 * kBits - 1075) % kBits);
    return rotations;
}();

Residue residueOf(double value)
{
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const unsigned exponent = unsigned(bits >> 52) & 0x7ffu;
    const std::uint64_t fraction = bits & ((std::uint64_t(1) << 52) - 1);
    const std::uint64_t mantissa = fraction | std::uint64_t(exponent > 0) << 52;
    const unsigned rotation = kRotations[exponent];
    return {((mantissa << rotation) & kModulus) + (mantissa >> (kBits - rotation)), bits >> 63 != 0, exponent < 0x7ffu};
}

Residue residueOf(std::int64_t value)
{
    const std::uint64_t size = value < 0 ? 0 - std::uint64_t(value) : std::uint64_t(value);
    return {(size & kModulus) + (size >> kBits), value < 0, true};
}

struct Half
{
    std::uint16_t bits;
};
Residue residueOf(Half half)
{
    if ((half.bits & 0x7c00u) == 0x7c00u) return {.finite = false};
    return residueOf(double(floatOfHalf(half.bits)));
}

Residue operator*(const Residue& a, const Residue& b)
{
    return {reduced(Wide(a.size) * b.size), a.negative != b.negative, a.finite && b.finite};
}

template <class T>
T at(const std::byte* values, std::size_t i)
{
    T value;
    std::memcpy(&value, values + i * sizeof(T), sizeof(T));
    return value;
}

template <class T>
Residue sumOf(const std::byte* x, const std::byte* y, std::size_t count)
{
    Wide sums[2] = {};
    bool finite = true;
    for (std::size_t i = 0; i < count; ++i)
    {
        Residue term = residueOf(at<T>(x, i));
        if (y) term = term * residueOf(at<T>(y, i));
        finite = finite && term.finite;
        sums[term.negative] += term.finite ? term.size : 0;
    }
    return {reduced(Wide(reduced(sums[0])) + (kModulus - reduced(sums[1]))), false, finite};
}

}  // namespace

void ResidueSum::add(ValueType type, const std::byte* x, const std::byte* y, std::size_t count)
{
    y = terms_ == ExactTerms::kValues ? nullptr : terms_ == ExactTerms::kSquares ? x : y;
    const Residue sum = type == ValueType::kFloat64   ? sumOf<double>(x, y, count)
                        : type == ValueType::kFloat32 ? sumOf<float>(x, y, count)
                        : type == ValueType::kFloat16 ? sumOf<Half>(x, y, count)
                                                      : sumOf<std::int64_t>(x, y, count);
    sum_ = reduced(Wide(sum_) + sum.size);
    finite_ = finite_ && sum.finite;
}

void ResidueSum::add(const ResidueSum& other)
{
    sum_ = reduced(Wide(sum_) + other.sum_);
    finite_ = finite_ && other.finite_;
}

bool ResidueSum::agrees(ExactTotal total) const
{
    if (!finite_ || !total.isFinite()) return finite_ == total.isFinite();
    return total.residue() == sum_;
}

}  // namespace orogen::compute
