// Products of integers of any length, and division by a word.
//
// Karatsuba's method and Toom-3 add and subtract by the loops of limbs.h, and multiply short operands by the schoolbook
// method.  Interpolation of Toom-3 at 0, 1, -1, 2 and infinity: M. Bodrato, "Towards optimal Toom-Cook multiplication
// for univariate and multivariate polynomials in characteristic 2 and 0", WAIFI 2007.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "compute/multiword/limbs.h"

namespace orogen::compute {

enum class ProductAlgorithm
{
    kSchoolbook,
    kKaratsuba,
    kToom3,
    kGmp,  // mpn_mul
};
inline constexpr ProductAlgorithm kProductAlgorithms[] = {ProductAlgorithm::kSchoolbook, ProductAlgorithm::kKaratsuba,
                                                          ProductAlgorithm::kToom3, ProductAlgorithm::kGmp};
std::string_view nameOf(ProductAlgorithm algorithm);  // "schoolbook", "karatsuba", "toom-3", "gmp"
std::optional<ProductAlgorithm> productAlgorithm(std::string_view name);

// Returns the fastest algorithm if the shorter operand has this many limbs: kGmp beyond 4,096 limbs.
ProductAlgorithm productAlgorithmFor(std::size_t limbs);

// Operations that the computation of a product executed.
struct ProductOperations
{
    std::uint64_t products = 0;   // products of two words
    std::uint64_t additions = 0;  // additions and subtractions of multiword numbers
    std::uint64_t levels = 0;     // depth of the recursion
};

// Computes product = a b and returns the operations (0 by GMP).  `product` has a.size() + b.size() limbs and overlaps
// neither operand.  Each operand has at least one limb.  The cost for two operands of n limbs is n^2 products of words
// by the schoolbook method, about n^1.58 by Karatsuba's, n^1.46 by Toom-3.  Throws std::bad_alloc.
ProductOperations multiplyLimbs(std::span<Limb> product, std::span<const Limb> a, std::span<const Limb> b,
                                ProductAlgorithm algorithm);

// Computes quotient = a / word and returns the remainder; word > 0.  `quotient` may be `a`.  Takes one multiplication
// by a reciprocal per limb: N. Möller and T. Granlund, "Improved division by invariant integers", IEEE Transactions on
// Computers 60, 2011.
Limb divideLimbs(std::span<Limb> quotient, std::span<const Limb> a, Limb word);

// Calls GMP's mpn_divrem_1.  Returns the remainder.
Limb divideLimbsByGmp(std::span<Limb> quotient, std::span<const Limb> a, Limb word);
// Calls GMP's mpn_add_n or mpn_sub_n.  Returns the carry or borrow out.
bool addLimbsByGmp(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool subtract);

}  // namespace orogen::compute
