// Operands for tests of multiword addition, independent of the code under test: numbers as words of w bits, packed into
// 64-bit limbs, and their buffers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random.h"

namespace orogen::test {

using Limbs = std::vector<std::uint64_t>;

inline std::uint64_t bits64(Random& random) { return std::uint64_t(random.bits()) << 32 | random.bits(); }

// Words of `bits` bits, 1 to 64, the lowest first.
struct WordNumber
{
    int bits = 64;
    std::vector<std::uint64_t> words;

    WordNumber(int wordBits, std::size_t count, std::uint64_t value = 0) : bits(wordBits), words(count, value & all())
    {
    }
    std::uint64_t all() const { return ~std::uint64_t(0) >> (64 - bits); }
    std::uint64_t& operator[](std::size_t i) { return words[i]; }

    Limbs limbs() const
    {
        Limbs packed((words.size() * std::size_t(bits) + 63) / 64);
        for (std::size_t i = 0; i < words.size(); ++i)
            for (int b = 0; b < bits; ++b)
            {
                const std::size_t place = i * std::size_t(bits) + std::size_t(b);
                packed[place / 64] |= (words[i] >> b & 1) << place % 64;
            }
        return packed;
    }
};

struct OperandPair
{
    std::string name;
    Limbs a, b;
};
using TakePair = std::function<void(const OperandPair&)>;

// Test vectors of n words: zero, all ones + 1, all ones twice, 0x55.. + 0xaa.. and + 1, a generating word below ones, a
// chain that is killed (both at each of `places`), a generating top word of a group, every second group propagating,
// mostly propagating.
class MultiwordVectors
{
public:
    MultiwordVectors(int wordBits, std::size_t words, std::uint32_t seed) : bits_(wordBits), n_(words), random_(seed) {}

    void each(const TakePair& take)
    {
        simple(take);
        for (const std::size_t g : places())
        {
            generateAt(g, take);
            killedAt(g, take);
        }
        groups(take);
        propagating(take);
    }

private:
    WordNumber filled(std::uint64_t value) const { return WordNumber(bits_, n_, value); }
    void give(const std::string& name, const WordNumber& a, const WordNumber& b, const TakePair& take) const
    {
        take({name + ", " + std::to_string(n_) + " words of " + std::to_string(bits_), a.limbs(), b.limbs()});
    }
    std::string at(const std::string& name, std::size_t g) const { return name + " " + std::to_string(g); }

    std::vector<std::size_t> places()
    {
        constexpr std::size_t kAll = 70;
        std::vector<std::size_t> list;
        for (std::size_t g = 0; g < n_; ++g)
            if (n_ <= kAll || g < 2 || g + 2 >= n_ || random_.chance(kAll / 4, std::uint32_t(n_))) list.push_back(g);
        return list;
    }

    void simple(const TakePair& take) const
    {
        const std::uint64_t fives = 0x5555555555555555, ones = ~std::uint64_t(0);
        WordNumber one = filled(0), aPlus = filled(~fives);
        one[0] = 1;
        aPlus[0] |= 1;
        give("0 + 0", filled(0), filled(0), take);
        give("all ones + 1", filled(ones), one, take);
        give("1 + all ones", one, filled(ones), take);
        give("all ones twice", filled(ones), filled(ones), take);
        give("0x55.. + 0xaa..", filled(fives), filled(~fives), take);
        give("0x55.. + 0xaa.. + 1", filled(fives), aPlus, take);
    }

    void generateAt(std::size_t g, const TakePair& take) const
    {
        WordNumber a = filled(~std::uint64_t(0)), b = filled(0);
        for (std::size_t i = 0; i < g; ++i)
            a[i] = 0;
        a[g] = b[g] = std::uint64_t(1) << (bits_ - 1);
        give(at("generated at word", g), a, b, take);
    }

    void killedAt(std::size_t g, const TakePair& take) const
    {
        WordNumber a = filled(~std::uint64_t(0)), b = filled(0);
        b[0] = 1;
        if (g > 0) a[g] = a.all() - 1;
        give(at("killed at word", g), a, b, take);
    }

    void groups(const TakePair& take) const
    {
        const std::size_t group = std::size_t(bits_);
        for (std::size_t p = 0; p * group < n_; ++p)
        {
            WordNumber a = filled(0), b = filled(0);
            const std::size_t top = std::min(n_, (p + 1) * group) - 1;
            a[top] = b[top] = a.all();
            give(at("generated at the top of group", p), a, b, take);
        }
        WordNumber a = filled(0), b = filled(0);
        for (std::size_t i = 0; i < n_; ++i)
            if (i / group % 2 == 0)
                a[i] = a.all();
            else if (i % group == 0)
                a[i] = b[i] = a.all();
        b[0] |= 1;
        give("every second group propagates", a, b, take);
    }

    void propagating(const TakePair& take)
    {
        for (int i = 0; i < 4; ++i)
        {
            WordNumber a = filled(0), b = filled(0);
            for (std::size_t w = 0; w < n_; ++w)
            {
                a[w] = bits64(random_) & a.all();
                b[w] = (random_.chance(1, 7) ? bits64(random_) : ~a[w]) & a.all();
            }
            give("y = ~x except 1 in 7", a, b, take);
        }
    }

    int bits_;
    std::size_t n_;
    Random random_;
};

// Returns runs of ones and zeros of random lengths, as GMP's tests do: uniform bits rarely produce long carries.
inline Limbs runsOfBits(Random& random, std::size_t limbs)
{
    Limbs value(limbs);
    const std::uint32_t longest = 1 + random.below(200);
    bool ones = random.chance(1, 2);
    for (std::size_t bit = 0; bit < limbs * 64;)
    {
        const std::size_t end = std::min(limbs * 64, bit + 1 + random.below(longest));
        for (; bit < end; ++bit)
            if (ones) value[bit / 64] |= std::uint64_t(1) << bit % 64;
        ones = !ones;
    }
    return value;
}

// Returns pairs in which carries often start, propagate and stop.
inline std::pair<Limbs, Limbs> structuredPair(Random& random, std::size_t limbs)
{
    Limbs a = runsOfBits(random, limbs), b = runsOfBits(random, limbs);
    const std::uint32_t kind = random.below(4);
    for (std::size_t i = 0; i < limbs; ++i)
    {
        if (kind == 1 && !random.chance(1, 7)) b[i] = ~a[i];
        if (kind == 2 && !random.chance(1, 7)) b[i] = a[i];
        if (kind == 3) a[i] = bits64(random), b[i] = random.chance(1, 3) ? ~a[i] : bits64(random);
    }
    return {std::move(a), std::move(b)};
}

// Limbs between guard zones, at any alignment.
class GuardedLimbs
{
public:
    explicit GuardedLimbs(std::size_t limbs, std::size_t offset = 0)
        : size_(limbs), offset_(offset), memory_(limbs + 2 * kZone + offset, kRed)
    {
    }
    std::uint64_t* data() { return memory_.data() + kZone + offset_; }
    std::size_t size() const { return size_; }
    void poison() { std::fill_n(data(), size_, 0xbadc0ffee0ddf00d); }
    void fill(const Limbs& value) { std::copy(value.begin(), value.end(), data()); }
    bool holds(const Limbs& value) { return std::equal(value.begin(), value.end(), data()); }
    bool zonesAreWhole() const
    {
        const auto red = [](std::uint64_t limb) { return limb == kRed; };
        return std::all_of(memory_.begin(), memory_.begin() + std::ptrdiff_t(kZone + offset_), red) &&
               std::all_of(memory_.end() - std::ptrdiff_t(kZone), memory_.end(), red);
    }

private:
    static constexpr std::size_t kZone = 80;  // more than a block of 64
    static constexpr std::uint64_t kRed = 0x5ed0ce5ed0ce5ed0;
    std::size_t size_, offset_;
    Limbs memory_;
};

}  // namespace orogen::test
