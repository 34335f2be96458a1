// Tereshchenko and Zadiraka, "Parallel addition based on vector operations" (paper 001), as its own baseline.  Words
// have m bits and stand in k groups of m, n = k m.  M_i = X_i + Y_i mod 2^m; bit b of the criterion word C_p is the
// carry into word pm + b, and bit b of T_p says that M of that word is 2^m - 1.
//
// Mended against what is printed (the counter-examples are in tests/compute/multiword_paper_test.cpp):
//   Algorithm 1  step 5 takes c_0 from outside; step 6 runs to p = k - 2 and includes it
//   Algorithm 2  both loops run to p = k - 1, the correction in m - 1 steps, the unpacking over all m words
//   Algorithm 3  a barrier before anything is read from C, one before the loop and one after step 19; k iterations
//   Theorems     6n + 3k + 1, 6km - 2k and 5k + 59, not 6n + 3k - 2, 6km + k and 4k + 59
// Numbers that are no multiple of m words are padded with words that propagate, X = 2^m - 1 and Y = 0: zeros would lose
// the carry out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>

#include "compute/multiword/carry_trees.h"

namespace orogen::compute {

inline constexpr int kMinWordBits = 1, kMaxWordBits = 64, kPaperWordBits = 16;

// Counted as they are carried out, with the theorems' idea of an operation: an addition mod 2^m, a comparison, a
// bitwise operation or a shift of one word.
struct PaperOperations
{
    std::uint64_t words = 0, groups = 0;  // n and k, padding included
    std::uint64_t algorithm1 = 0, algorithm2 = 0;

    PaperOperations& operator+=(const PaperOperations& other);
};

// Algorithms 1 and 2, group by group.  Returns the carry out; after a stop, anything.
bool addPaper12(const LimbAddition& addition, int wordBits, PaperOperations& operations, const std::stop_token& stop);

// ---- Algorithm 3, as a model that counts; the kernel stands in kernels/ ----

inline constexpr int kVectorWords = 16;
using WordVector = std::array<std::uint16_t, kVectorWords>;

struct Algorithm3Operations
{
    std::uint64_t vector = 0, word = 0;  // of each processor
    std::uint64_t barriers = 0;          // that all processors pass
};

// All processors in lockstep, one a vector.  z and x may be the same.  Time O(k^2).  Returns C_k.
bool addAlgorithm3(std::span<const WordVector> x, std::span<const WordVector> y, std::span<WordVector> z,
                   Algorithm3Operations& operations);

// What each of `processors` does, by having one of them do it: time O(processors).
Algorithm3Operations countAlgorithm3(std::uint64_t processors);

}  // namespace orogen::compute
