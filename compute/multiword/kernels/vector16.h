// What a processor of the paper's Algorithm 3 calculates with: vectors of 16 words of 16 bits, and single words.  Every
// operation counts itself, so that what is reported is what was done; a compiler for a GPU folds the counts of a
// straight line into one number.
#pragma once

#include "compute/multiword/kernels/summands.h"

namespace orogen::compute::OROGEN_TARGET {

struct Vector16
{
    static constexpr unsigned kWords = 16;

    std::uint16_t word[kWords];
};

struct PaperProcessor
{
    std::uint64_t words = 0, vectors = 0;  // operations so far

    OROGEN_DEVICE std::uint32_t word(std::uint32_t result) { return ++words, result; }

    // Step 3, and step 27: modulo 2^16.
    OROGEN_DEVICE Vector16 sum(const Vector16& a, const Vector16& b)
    {
        return vector([&](unsigned i) { return std::uint32_t(a.word[i]) + b.word[i]; });
    }
    // Step 4: a vector of 0 and 1.
    OROGEN_DEVICE Vector16 less(const Vector16& a, const Vector16& b)
    {
        return vector([&](unsigned i) { return std::uint32_t(a.word[i] < b.word[i]); });
    }
    OROGEN_DEVICE Vector16 either(const Vector16& a, const Vector16& b)
    {
        return vector([&](unsigned i) { return std::uint32_t(a.word[i] | b.word[i]); });
    }
    // Step 6: each word in the place of the next one; the lowest stays where it was, too.
    OROGEN_DEVICE Vector16 movedUp(const Vector16& a)
    {
        return vector([&](unsigned i) { return std::uint32_t(a.word[i > 0 ? i - 1 : 0]); });
    }
    // Steps 8 and 9: 2^i where word i is `wanted`, else 0.
    OROGEN_DEVICE Vector16 weighted(const Vector16& a, std::uint32_t wanted)
    {
        return vector([&](unsigned i) { return a.word[i] == wanted ? 1u << i : 0u; });
    }
    // Step 26: word i is bit i.
    OROGEN_DEVICE Vector16 unpacked(std::uint32_t bits)
    {
        return vector([&](unsigned i) { return std::uint32_t((bits & 1u << i) != 0); });
    }

    // Steps 10 and 12, or 11 and 13: all words of a weighted vector in one, its quarters in three additions of vectors,
    // what is left of them in three of words.
    OROGEN_DEVICE std::uint32_t packed(const Vector16& a)
    {
        constexpr unsigned kQuarter = Vector16::kWords / 4;
        std::uint32_t quarter[kQuarter] = {a.word[0], a.word[1], a.word[2], a.word[3]};
        OROGEN_UNROLL
        for (unsigned part = 1; part < 4; ++part, ++vectors)
            OROGEN_UNROLL
        for (unsigned i = 0; i < kQuarter; ++i)
            quarter[i] += a.word[part * kQuarter + i];
        return word(word(word(quarter[0] + quarter[1]) + quarter[2]) + quarter[3]);
    }

private:
    // One operation on vectors, word by word.
    template <class Lane>
    OROGEN_DEVICE Vector16 vector(Lane lane)
    {
        ++vectors;
        Vector16 result;
        OROGEN_UNROLL
        for (unsigned i = 0; i < Vector16::kWords; ++i)
            result.word[i] = std::uint16_t(lane(i));
        return result;
    }
};

}  // namespace orogen::compute::OROGEN_TARGET
