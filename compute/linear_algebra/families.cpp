// A random matrix is a diagonal of the requested eigenvalues, transformed by reflections, so its condition is exact.
#include "compute/linear_algebra/families.h"

#include <cmath>
#include <vector>

#include "compute/linear_algebra/vector_kernels.h"

namespace orogen::compute {
namespace {

// Returns a number in [-1, 1): SplitMix64 of place and seed (Steele, Lea, Flood 2014).
double randomAt(std::uint64_t seed, std::uint64_t place)
{
    std::uint64_t z = seed * 0xd1342543de82ef95 + (place + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return double(std::int64_t(z) >> 11) * 0x1p-52;
}

// Replaces A by H A H with H = I - 2 v v^T / (v, v).
void reflect(Matrix& a, const std::vector<double>& v)
{
    const VectorKernels& kernels = vectorKernels();
    const std::size_t n = a.rows();
    const double factor = 2 / kernels.dot(v.data(), v.data(), n);
    std::vector<double> w(n);
    kernels.rowProducts(a.row(0), n, n, v.data(), w.data(), 0, n);
    const double vw = kernels.dot(v.data(), w.data(), n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            a(i, j) -= factor * (v[i] * w[j] + w[i] * v[j] - factor * vw * v[i] * v[j]);
}

}  // namespace

Matrix randomSpd(std::size_t size, double condition, std::uint64_t seed, const std::stop_token& stop)
{
    constexpr std::uint64_t kReflections = 3;
    Matrix a(size, size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
        a(i, i) = size == 1 ? 1 : std::pow(condition, -double(i) / double(size - 1));
    std::vector<double> v(size);
    for (std::uint64_t k = 0; k < kReflections && !stop.stop_requested(); ++k)
    {
        for (std::size_t i = 0; i < size; ++i)
            v[i] = randomAt(seed, k * size + i);
        reflect(a, v);
    }
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < i; ++j)
            a(i, j) = a(j, i) = 0.5 * (a(i, j) + a(j, i));
    return a;
}

Matrix correlationMatrix(std::size_t size)
{
    std::vector<double> of(size);  // element by distance from the diagonal
    for (std::size_t i = 0; i < size; ++i)
        of[i] = std::exp(-double(i) / 50) + (i == 0 ? 1 : 0);
    Matrix a(size, size);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            a(i, j) = of[i < j ? j - i : i - j];
    return a;
}

}  // namespace orogen::compute
