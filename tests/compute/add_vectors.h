// Operands chosen for each way in which carries can go wrong, and the schoolbook method as a reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace orogen::test {

using Limbs = std::vector<std::uint64_t>;

constexpr std::uint64_t kOnes = ~std::uint64_t(0);

struct AddVector
{
    std::string name;
    Limbs x, y;
};

struct AddAnswer
{
    Limbs result;
    bool carryOut = false;

    friend bool operator==(const AddAnswer&, const AddAnswer&) = default;
};

// Adds limb by limb from the lowest, as by hand.
inline AddAnswer schoolbook(const Limbs& x, const Limbs& y, bool carryIn, bool subtract)
{
    AddAnswer answer{Limbs(x.size()), carryIn};
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        const std::uint64_t carry = answer.carryOut, a = x[i], b = y[i];
        answer.result[i] = subtract ? a - b - carry : a + b + carry;
        answer.carryOut = subtract ? a < b || (a == b && carry) : b > kOnes - a || (b == kOnes - a && carry);
    }
    return answer;
}

// Returns a limb at `at` that generates a carry, and limbs above that propagate it.
inline AddVector chainFrom(std::size_t n, std::size_t at)
{
    AddVector vector{"chain from " + std::to_string(at), Limbs(n, kOnes), Limbs(n, 0)};
    for (std::size_t i = 0; i < at; ++i)
        vector.x[i] = 0;
    vector.x[at] = vector.y[at] = std::uint64_t(1) << 63;
    return vector;
}

// Returns limbs that all propagate the carry of the lowest, except the one at `at`, which stops it.
inline AddVector chainUntil(std::size_t n, std::size_t at)
{
    AddVector vector{"chain until " + std::to_string(at), Limbs(n, kOnes), Limbs(n, 0)};
    vector.y[0] = 1;
    vector.x[at] = at == 0 ? 0 : kOnes - 1;
    return vector;
}

inline std::vector<AddVector> plainVectors(std::size_t n)
{
    std::vector<AddVector> vectors = {
        {"0 + 0", Limbs(n, 0), Limbs(n, 0)},
        {"ones + 1", Limbs(n, kOnes), Limbs(n, 0)},
        {"ones + ones", Limbs(n, kOnes), Limbs(n, kOnes)},
        {"fives + tens", Limbs(n, 0x5555555555555555), Limbs(n, 0xaaaaaaaaaaaaaaaa)},
        {"fives + tens + 1", Limbs(n, 0x5555555555555555), Limbs(n, 0xaaaaaaaaaaaaaaaa)},
    };
    vectors[1].y[0] = 1;
    vectors[4].x[0] |= 2, vectors[4].y[0] |= 1;
    return vectors;
}

// Returns vectors structured by groups of `group` limbs.
inline std::vector<AddVector> groupVectors(std::size_t n, std::size_t group)
{
    AddVector tops{"tops generate", Limbs(n, 0), Limbs(n, 0)};
    AddVector every{"every second propagates", Limbs(n, 0), Limbs(n, 0)};
    for (std::size_t i = 0; i < n; ++i)
    {
        const bool top = i % group == group - 1;
        tops.x[i] = tops.y[i] = top ? kOnes - 7 : 3;
        every.x[i] = i / group % 2 == 1 ? kOnes : top ? kOnes : 1;
        every.y[i] = i / group % 2 == 1 ? 0 : top ? 2 : 1;
    }
    return {tops, every};
}

// Returns mostly propagating limbs, mixed with random ones.
inline AddVector chainsOf(std::size_t n, std::uint64_t seed)
{
    Random random(seed);
    const auto limb = [&] { return std::uint64_t(random.bits()) << 32 | random.bits(); };
    AddVector vector{"y = ~x except 1 in 7, seed " + std::to_string(seed), Limbs(n), Limbs(n)};
    for (std::size_t i = 0; i < n; ++i)
    {
        vector.x[i] = limb();
        vector.y[i] = random.chance(1, 7) ? limb() : ~vector.x[i];
    }
    return vector;
}

}  // namespace orogen::test
