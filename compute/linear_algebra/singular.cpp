// Floating-point elimination is inconclusive: rounding makes a determinant of 0 small, or a small one 0.  Elements are
// integers times powers of two, so that the determinant modulo a prime is exact: if it is not 0, the matrix is regular.
// If it is 0, which happens by chance for 1 of 2^61 matrices, elimination of integers decides.
#include "compute/linear_algebra/singular.h"

#include <cassert>
#include <cmath>
#include <vector>

#include <gmp.h>

namespace orogen::compute {
namespace {

constexpr int kMantissaBits = 53;

// value = mantissa 2^exponent
struct Parts
{
    std::int64_t mantissa = 0;
    int exponent = 0;
};

Parts partsOf(double value)
{
    Parts parts;
    parts.mantissa = std::int64_t(std::scalbn(std::frexp(value, &parts.exponent), kMantissaBits));
    parts.exponent -= kMantissaBits;
    return parts;
}

// ---- modulo 2^61 - 1, where 2^61 is 1 ----

constexpr int kPrimeBits = 61;
constexpr std::uint64_t kPrime = (std::uint64_t(1) << kPrimeBits) - 1;

std::uint64_t multiplied(std::uint64_t a, std::uint64_t b)
{
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide(a) * b;
    const std::uint64_t sum = (std::uint64_t(product) & kPrime) + std::uint64_t(product >> kPrimeBits);
    return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t inverse(std::uint64_t a)  // a^(p - 2)
{
    std::uint64_t result = 1;
    for (std::uint64_t power = kPrime - 2; power > 0; power >>= 1, a = multiplied(a, a))
        if (power & 1) result = multiplied(result, a);
    return result;
}

std::uint64_t residueOf(double value)
{
    const Parts parts = partsOf(value);
    const int shift = (parts.exponent % kPrimeBits + kPrimeBits) % kPrimeBits;
    const std::uint64_t size = multiplied(std::uint64_t(std::abs(parts.mantissa)), std::uint64_t(1) << shift);
    return parts.mantissa < 0 && size > 0 ? kPrime - size : size;
}

bool isRegularModuloPrime(const Matrix& a)
{
    const std::size_t n = a.rows();
    std::vector<std::vector<std::uint64_t>> m(n, std::vector<std::uint64_t>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            m[i][j] = residueOf(a(i, j));
    for (std::size_t k = 0; k < n; ++k)
    {
        std::size_t pivot = k;
        while (pivot < n && m[pivot][k] == 0)
            ++pivot;
        if (pivot == n) return false;
        std::swap(m[k], m[pivot]);
        const std::uint64_t reciprocal = inverse(m[k][k]);
        for (std::size_t i = k + 1; i < n; ++i)
        {
            const std::uint64_t factor = kPrime - multiplied(m[i][k], reciprocal);
            for (std::size_t j = k + 1; j < n; ++j)
            {
                const std::uint64_t sum = m[i][j] + multiplied(factor, m[k][j]);
                m[i][j] = sum >= kPrime ? sum - kPrime : sum;
            }
        }
    }
    return true;
}

// ---- integers ----

class Integers
{
public:
    // Multiplies each row by a power of two of its own, which does not change whether the determinant is 0.
    explicit Integers(const Matrix& a) : size_(a.rows()), values_(a.elements())
    {
        for (std::size_t i = 0; i < size_; ++i)
        {
            int least = 0;
            bool any = false;
            for (std::size_t j = 0; j < size_; ++j)
                if (const Parts parts = partsOf(a(i, j)); parts.mantissa != 0)
                {
                    least = any ? std::min(least, parts.exponent) : parts.exponent;
                    any = true;
                }
            for (std::size_t j = 0; j < size_; ++j)
            {
                const Parts parts = partsOf(a(i, j));
                mpz_init_set_si(at(i, j), parts.mantissa);
                if (parts.mantissa != 0) mpz_mul_2exp(at(i, j), at(i, j), mp_bitcnt_t(parts.exponent - least));
            }
        }
    }
    ~Integers()
    {
        for (__mpz_struct& value : values_)
            mpz_clear(&value);
    }
    Integers(const Integers&) = delete;
    Integers& operator=(const Integers&) = delete;

    mpz_ptr at(std::size_t i, std::size_t j) { return &values_[elementIndex(i, j, size_)]; }
    void swapRows(std::size_t a, std::size_t b)
    {
        for (std::size_t j = 0; j < size_; ++j)
            mpz_swap(at(a, j), at(b, j));
    }

private:
    std::size_t size_;
    std::vector<__mpz_struct> values_;
};

// Applies Bareiss's elimination: every element stays a minor of A, so that each division is exact.
bool isSingularInIntegers(const Matrix& a)
{
    const std::size_t n = a.rows();
    Integers m(a);
    for (std::size_t k = 0; k < n; ++k)
    {
        std::size_t pivot = k;
        while (pivot < n && mpz_sgn(m.at(pivot, k)) == 0)
            ++pivot;
        if (pivot == n) return true;
        if (pivot != k) m.swapRows(k, pivot);
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = k + 1; j < n; ++j)
            {
                mpz_mul(m.at(i, j), m.at(i, j), m.at(k, k));
                mpz_submul(m.at(i, j), m.at(i, k), m.at(k, j));
                if (k > 0) mpz_divexact(m.at(i, j), m.at(i, j), m.at(k - 1, k - 1));
            }
    }
    return false;
}

}  // namespace

bool isSingular(const Matrix& a)
{
    assert(a.rows() == a.columns());
    return !isRegularModuloPrime(a) && isSingularInIntegers(a);
}

}  // namespace orogen::compute
