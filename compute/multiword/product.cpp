#include "compute/multiword/product.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <utility>

#include <gmp.h>

namespace orogen::compute {
namespace {

__extension__ using Wide = unsigned __int128;

mp_limb_t* mpn(Limb* limbs) { return reinterpret_cast<mp_limb_t*>(limbs); }
const mp_limb_t* mpn(const Limb* limbs) { return reinterpret_cast<const mp_limb_t*>(limbs); }

constexpr std::size_t kLeastKaratsuba = 32, kLeastToom3 = 192;  // limbs from which these methods were measured faster
constexpr std::size_t kMostOwn = 4096;                          // limbs; GMP is faster for longer operands

constexpr std::pair<ProductAlgorithm, std::string_view> kProductNames[] = {
    {ProductAlgorithm::kSchoolbook, "schoolbook"},
    {ProductAlgorithm::kKaratsuba, "karatsuba"},
    {ProductAlgorithm::kToom3, "toom-3"},
    {ProductAlgorithm::kGmp, "gmp"}};

// Adds `by` to `to`; the sum must fit into `to`.
void addAt(std::span<Limb> to, std::span<const Limb> by)
{
    bool carry = addLimbs(to.data(), to.data(), by.data(), by.size());
    for (std::size_t i = by.size(); carry && i < to.size(); ++i)
        carry = ++to[i] == 0;
    assert(!carry);
}

// Subtracts `by` from `from`, which is at least as large.
void subtractFrom(std::span<Limb> from, std::span<const Limb> by)
{
    bool borrow = bestLimbKernels().forLength(by.size(), true)(from.data(), from.data(), by.data(), by.size(), false);
    for (std::size_t i = by.size(); borrow && i < from.size(); ++i)
        borrow = from[i]-- == 0;
    assert(!borrow);
}

void shiftRight(std::span<Limb> number)  // by one bit
{
    for (std::size_t i = 0; i < number.size(); ++i)
        number[i] = number[i] >> 1 | (i + 1 < number.size() ? number[i + 1] << 63 : 0);
}

void shiftLeft(std::span<Limb> number)  // by one bit; the highest bit must be 0
{
    for (std::size_t i = number.size(); i-- > 0;)
        number[i] = number[i] << 1 | (i > 0 ? number[i - 1] >> 63 : 0);
}

// Divides a multiple of 3, from the lowest limb on, by multiplications with the inverse of 3 modulo 2^64.
void divideBy3(std::span<Limb> number)
{
    constexpr Limb kInverse = 0xaaaa'aaaa'aaaa'aaab;
    Limb borrow = 0;
    for (Limb& limb : number)
    {
        const Limb value = limb - borrow;
        const bool below = limb < borrow;
        limb = value * kInverse;
        borrow = Limb(Wide(limb) * 3 >> 64) + below;
    }
}

int compare(std::span<const Limb> a, std::span<const Limb> b)  // equal lengths
{
    for (std::size_t i = a.size(); i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

// Multiplication whose levels of recursion share one scratch memory.
class Multiplier
{
public:
    // `limbs`: length of the shorter operand.
    Multiplier(ProductAlgorithm algorithm, std::size_t limbs)
        : algorithm_(algorithm), scratch_(algorithm == ProductAlgorithm::kSchoolbook ? 0 : 16 * limbs + 4096)
    {
    }

    // Multiplies `a`, the longer operand, in pieces of the length of `b`.  A shorter last piece uses the schoolbook
    // method or, from 2 kLeastKaratsuba limbs on, becomes the shorter operand of a recursive call.
    void multiplyInPieces(std::span<Limb> product, std::span<const Limb> a, std::span<const Limb> b)
    {
        if (algorithm_ == ProductAlgorithm::kSchoolbook || b.size() < kLeastKaratsuba)
            return schoolbook(product.data(), a.data(), a.size(), b.data(), b.size());
        if (a.size() == b.size()) return multiply(product.data(), a.data(), b.data(), b.size());
        LimbBuffer buffer(2 * b.size());
        std::ranges::fill(product, 0);
        for (std::size_t i = 0; i < a.size(); i += b.size())
        {
            const std::size_t some = std::min(b.size(), a.size() - i);
            const std::span<Limb> part(buffer.data(), some + b.size());
            if (some == b.size())
                multiply(part.data(), a.data() + i, b.data(), some);
            else if (some < 2 * kLeastKaratsuba)
                schoolbook(part.data(), b.data(), b.size(), a.data() + i, some);
            else
                multiplyInPieces(part, b, a.subspan(i));
            addAt(product.subspan(i), part);
        }
    }

    // Multiplies operands of one length.
    void multiply(Limb* product, const Limb* a, const Limb* b, std::size_t limbs)
    {
        operations_.levels = std::max(operations_.levels, depth_);
        ++depth_;
        if (algorithm_ == ProductAlgorithm::kToom3 && limbs >= kLeastToom3)
            toom3(product, a, b, limbs);
        else if (algorithm_ != ProductAlgorithm::kSchoolbook && limbs >= kLeastKaratsuba)
            karatsuba(product, a, b, limbs);
        else
            schoolbook(product, a, limbs, b, limbs);
        --depth_;
    }

    // Multiplies operands of any lengths (> 0).
    void schoolbook(Limb* product, const Limb* a, std::size_t aLimbs, const Limb* b, std::size_t bLimbs)
    {
        operations_.products += std::uint64_t(aLimbs) * bLimbs;
        std::fill_n(product, aLimbs, 0);
        std::size_t j = 0;
        for (; j + 2 <= bLimbs; j += 2)
            product[j + aLimbs] = 0, addTwoRows(product + j, a, aLimbs, b[j], b[j + 1]);
        if (j == bLimbs) return;
        Limb carry = 0;
        for (std::size_t i = 0; i < aLimbs; ++i)
        {
            const Wide sum = Wide(a[i]) * b[j] + product[j + i] + carry;
            product[j + i] = Limb(sum);
            carry = Limb(sum >> 64);
        }
        product[j + aLimbs] = carry;
    }

    const ProductOperations& operations() const { return operations_; }

private:
    // Adds a (low + high 2^64) to the `limbs` + 1 limbs at `to`, and writes the limb above.  With two rows at once, the
    // product is read and written half as often.
    static void addTwoRows(Limb* to, const Limb* a, std::size_t limbs, Limb low, Limb high)
    {
        Limb lowCarry = 0, highCarry = 0, last = 0;
        for (std::size_t i = 0; i < limbs; ++i)
        {
            const Wide first = Wide(a[i]) * low + to[i] + lowCarry;
            const Wide second = Wide(last) * high + Limb(first) + highCarry;
            to[i] = Limb(second);
            lowCarry = Limb(first >> 64);
            highCarry = Limb(second >> 64);
            last = a[i];
        }
        const Wide end = Wide(last) * high + lowCarry + highCarry;
        const Wide top = end + to[limbs];
        to[limbs] = Limb(top);
        to[limbs + 1] = Limb(top >> 64);
    }

    std::span<Limb> take(std::size_t limbs)
    {
        assert(used_ + limbs <= scratch_.size());
        used_ += limbs;
        return {scratch_.data() + used_ - limbs, limbs};
    }

    bool add(std::span<Limb> sum, std::span<const Limb> a, std::span<const Limb> b)
    {
        ++operations_.additions;
        return addLimbs(sum.data(), a.data(), b.data(), sum.size());
    }
    void addInto(std::span<Limb> to, std::span<const Limb> by)
    {
        ++operations_.additions;
        addAt(to, by);
    }
    void subtract(std::span<Limb> from, std::span<const Limb> by)
    {
        ++operations_.additions;
        subtractFrom(from, by);
    }

    // Uses (a0 + a1)(b0 + b1) - a0 b0 - a1 b1 = a0 b1 + a1 b0.
    void karatsuba(Limb* product, const Limb* a, const Limb* b, std::size_t limbs)
    {
        const std::size_t k = (limbs + 1) / 2, h = limbs - k, before = used_;
        const std::span<Limb> sumA = take(k), sumB = take(k), middle = take(2 * k + 2);
        multiply(product, a, b, k);
        multiply(product + 2 * k, a + k, b + k, h);
        const auto sumHalves = [&](std::span<Limb> sum, const Limb* x) {
            std::copy_n(x, k, sum.begin());
            ++operations_.additions;
            bool carry = addLimbs(sum.data(), sum.data(), x + k, h);
            for (std::size_t i = h; carry && i < k; ++i)
                carry = ++sum[i] == 0;
            return carry;
        };
        const bool carryA = sumHalves(sumA, a), carryB = sumHalves(sumB, b);
        multiply(middle.data(), sumA.data(), sumB.data(), k);
        middle[2 * k] = middle[2 * k + 1] = 0;
        if (carryA) addInto(middle.subspan(k), sumB);
        if (carryB) addInto(middle.subspan(k), sumA);
        if (carryA && carryB) ++middle[2 * k];
        subtract(middle, {product, 2 * k});
        subtract(middle, {product + 2 * k, 2 * h});
        const std::span<Limb> rest(product + k, 2 * limbs - k);
        addInto(rest, std::span<const Limb>(middle).first(std::min(middle.size(), rest.size())));
        used_ = before;
    }

    // Values of the polynomial a0 + x a1 + x^2 a2 at x = 1, -1 and 2, in k + 1 limbs each.  a0 and a1 have k limbs, a2
    // has `high`.
    struct Values
    {
        std::span<Limb> one, minusOne, two;
        bool negative = false;  // the value at -1 is negative; minusOne is its magnitude
    };
    Values valuesOf(const Limb* a, std::size_t k, std::size_t high)
    {
        Values values = {.one = take(k + 1), .minusOne = take(k + 1), .two = take(k + 1)};
        const std::size_t before = used_;
        const std::span<Limb> even = take(k + 1), odd = take(k + 1);
        std::copy_n(a, k, even.begin());
        even[k] = 0;
        addInto(even, {a + 2 * k, high});
        std::copy_n(a + k, k, odd.begin());
        odd[k] = 0;
        add(values.one, even, odd);
        values.negative = compare(even, odd) < 0;
        std::ranges::copy(values.negative ? odd : even, values.minusOne.begin());
        subtract(values.minusOne, values.negative ? even : odd);
        // a0 + 2 (a1 + 2 a2), which is below 7 2^(64 k).
        std::ranges::fill(values.two, 0);
        std::copy_n(a + 2 * k, high, values.two.begin());
        shiftLeft(values.two);
        addInto(values.two, {a + k, k});
        shiftLeft(values.two);
        addInto(values.two, {a, k});
        used_ = before;
        return values;
    }

    void toom3(Limb* product, const Limb* a, const Limb* b, std::size_t limbs)
    {
        const std::size_t k = (limbs + 2) / 3, high = limbs - 2 * k, size = 2 * k + 2, before = used_;
        const std::span<Limb> one = take(size), minusOne = take(size), two = take(size);
        const std::size_t kept = used_;
        const Values x = valuesOf(a, k, high), y = valuesOf(b, k, high);
        multiply(one.data(), x.one.data(), y.one.data(), k + 1);
        multiply(minusOne.data(), x.minusOne.data(), y.minusOne.data(), k + 1);
        multiply(two.data(), x.two.data(), y.two.data(), k + 1);
        used_ = kept;
        multiply(product, a, b, k);
        multiply(product + 4 * k, a + 2 * k, b + 2 * k, high);
        const std::span<const Limb> zero(product, 2 * k), infinity(product + 4 * k, 2 * high);
        // c0 ... c4 are the coefficients of the product.  No step makes a value negative.  The comment behind a step
        // states the value that the step has computed.
        if (x.negative != y.negative)  // minusOne is the magnitude of a negative number
        {
            addInto(two, minusOne);
            divideBy3(two);
            add(minusOne, one, minusOne);
        }
        else
        {
            subtract(two, minusOne);
            divideBy3(two);  // c1 + c2 + 3 c3 + 5 c4
            ++operations_.additions;
            bestLimbKernels().forLength(size, true)(minusOne.data(), one.data(), minusOne.data(), size, false);
        }
        shiftRight(minusOne);  // c1 + c3
        subtract(one, zero);   // c1 + c2 + c3 + c4
        subtract(two, one);
        shiftRight(two);  // c3 + 2 c4
        subtract(one, minusOne);
        subtract(one, infinity);  // c2
        subtract(two, infinity);
        subtract(two, infinity);  // c3
        subtract(minusOne, two);  // c1
        std::fill(product + 2 * k, product + 4 * k, 0);
        const auto addCoefficient = [&](std::span<const Limb> value, std::size_t at) {
            const std::span<Limb> to(product + at, 2 * limbs - at);
            addInto(to, value.first(std::min(value.size(), to.size())));
        };
        addCoefficient(minusOne, k);
        addCoefficient(one, 2 * k);
        addCoefficient(two, 3 * k);
        used_ = before;
    }

    const ProductAlgorithm algorithm_;
    LimbBuffer scratch_;
    std::size_t used_ = 0;
    std::uint64_t depth_ = 0;
    ProductOperations operations_;
};

}  // namespace

std::string_view nameOf(ProductAlgorithm algorithm) { return kProductNames[std::size_t(algorithm)].second; }

std::optional<ProductAlgorithm> productAlgorithm(std::string_view name)
{
    const auto* const entry =
        std::ranges::find(kProductNames, name, &std::pair<ProductAlgorithm, std::string_view>::second);
    return entry == std::end(kProductNames) ? std::nullopt : std::optional(entry->first);
}

ProductAlgorithm productAlgorithmFor(std::size_t limbs)
{
    if (limbs < kLeastKaratsuba) return ProductAlgorithm::kSchoolbook;
    if (limbs < kLeastToom3) return ProductAlgorithm::kKaratsuba;
    return limbs <= kMostOwn ? ProductAlgorithm::kToom3 : ProductAlgorithm::kGmp;
}

ProductOperations multiplyLimbs(std::span<Limb> product, std::span<const Limb> a, std::span<const Limb> b,
                                ProductAlgorithm algorithm)
{
    assert(!a.empty() && !b.empty() && product.size() == a.size() + b.size());
    if (a.size() < b.size()) std::swap(a, b);
    if (algorithm != ProductAlgorithm::kGmp)
    {
        Multiplier multiplier(algorithm, b.size());
        multiplier.multiplyInPieces(product, a, b);
        return multiplier.operations();
    }
    mpn_mul(mpn(product.data()), mpn(a.data()), mp_size_t(a.size()), mpn(b.data()), mp_size_t(b.size()));
    return {};
}

Limb divideLimbs(std::span<Limb> quotient, std::span<const Limb> a, Limb word)
{
    assert(word > 0 && quotient.size() == a.size());
    // Shifts divisor and dividend left until the divisor's highest bit is set.
    const int shift = std::countl_zero(word);
    const Limb divisor = word << shift;
    const auto reciprocal = Limb((~Wide(0)) / divisor - (Wide(1) << 64));  // floor((2^128 - 1) / d) - 2^64
    Limb rest = shift > 0 && !a.empty() ? a.back() >> (64 - shift) : 0;
    for (std::size_t i = a.size(); i-- > 0;)
    {
        const Limb low = shift > 0 ? a[i] << shift | (i > 0 ? a[i - 1] >> (64 - shift) : 0) : a[i];
        const Wide estimate = Wide(reciprocal) * rest + (Wide(rest) << 64 | low);
        Limb digit = Limb(estimate >> 64) + 1;
        Limb remainder = low - digit * divisor;
        if (remainder > Limb(estimate)) --digit, remainder += divisor;
        if (remainder >= divisor) [[unlikely]]
            ++digit, remainder -= divisor;
        quotient[i] = digit;
        rest = remainder;
    }
    return rest >> shift;
}

Limb divideLimbsByGmp(std::span<Limb> quotient, std::span<const Limb> a, Limb word)
{
    return mpn_divrem_1(mpn(quotient.data()), 0, mpn(a.data()), mp_size_t(a.size()), word);
}

bool addLimbsByGmp(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool subtract)
{
    return (subtract ? mpn_sub_n : mpn_add_n)(mpn(sum), mpn(a), mpn(b), mp_size_t(limbs)) != 0;
}

}  // namespace orogen::compute
