// Operators reuse the memory of moved operands.  Matrices are counted, so that tests can check how many exist at once.
#include "compute/linear_algebra/matrix.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>

#include "compute/linear_algebra/vector_kernels.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

std::atomic<int> aliveNow{0}, aliveMost{0};

void countOne()
{
    const int now = ++aliveNow;
    int most = aliveMost.load();
    while (most < now && !aliveMost.compare_exchange_weak(most, now))
    {
    }
}

Status checkShapes(const char* what, const Matrix& a, const Matrix& b, bool fit, const char* expected)
{
    if (fit) return Status::ok();
    return Error{ExitCode::kInput, fmt::format("{}: {} x {} and {} x {}, expected {}", what, a.rows(), a.columns(),
                                               b.rows(), b.columns(), expected)};
}

Status checkSameShape(const char* what, const Matrix& a, const Matrix& b)
{
    return checkShapes(what, a, b, a.rows() == b.rows() && a.columns() == b.columns(), "the same shape twice");
}

template <class Operation>
void combine(double* out, const double* a, const double* b, std::size_t count, const Operation& operation)
{
    for (std::size_t i = 0; i < count; ++i)
        out[i] = operation(a[i], b[i]);
}

template <class Operation>
Result<Matrix> combined(const char* what, const Matrix& a, const Matrix& b, const Operation& operation)
{
    if (Status status = checkSameShape(what, a, b); !status) return status.error();
    Result<Matrix> out = Matrix::allocate(a.rows(), a.columns());
    if (out) combine(out->values().data(), a.values().data(), b.values().data(), a.elements(), operation);
    return out;
}

template <class Operation>
Result<Matrix> combined(const char* what, Matrix&& a, const Matrix& b, const Operation& operation)
{
    if (Status status = checkSameShape(what, a, b); !status) return status.error();
    combine(a.values().data(), a.values().data(), b.values().data(), a.elements(), operation);
    return std::move(a);
}

Matrix taken(Result<Matrix> result)
{
    assert(result);
    return std::move(*result);
}

constexpr std::size_t kLine = 64, kLargePage = std::size_t(2) << 20;

}  // namespace

void* allocateAligned(std::size_t bytes)
{
    const std::size_t alignment = bytes >= kLargePage ? kLargePage : kLine;
    const std::size_t rounded = (bytes + alignment) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, rounded);
    if (!memory) throw std::bad_alloc();
    if (alignment == kLargePage) madvise(memory, rounded, MADV_HUGEPAGE);  // optional: failure is ignored
    return memory;
}

Matrix::Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), buffer_(rows * columns)
{
    countOne();
}

Matrix::Matrix(std::size_t rows, std::size_t columns, double value) : Matrix(rows, columns)
{
    std::ranges::fill(values(), value);
}

Matrix::Matrix(Matrix&& other) noexcept
    : rows_(std::exchange(other.rows_, 0)), columns_(std::exchange(other.columns_, 0)),
      buffer_(std::move(other.buffer_))
{
}

Matrix& Matrix::operator=(Matrix&& other) noexcept
{
    if (this == &other) return *this;
    forget();
    rows_ = std::exchange(other.rows_, 0);
    columns_ = std::exchange(other.columns_, 0);
    buffer_ = std::move(other.buffer_);
    return *this;
}

Matrix::~Matrix() { forget(); }

void Matrix::forget()
{
    if (buffer_.data()) --aliveNow;
}

Result<Matrix> Matrix::allocate(std::uint64_t rows, std::uint64_t columns)
{
    const std::string what = fmt::format("a matrix of {} x {}", rows, columns);
    const std::optional<std::uint64_t> bytes = matrixBytes(rows, columns);
    if (!bytes) return Error{ExitCode::kLimit, what + ": more bytes than 64 bits can count"};
    if (const Status status = checkMemory(what, *bytes); !status) return status.error();
    return Matrix(rows, columns);
}

Matrix Matrix::copy() const
{
    Matrix other(rows_, columns_);
    std::ranges::copy(values(), other.values().begin());
    return other;
}

int Matrix::alive() { return aliveNow; }
int Matrix::mostAlive() { return aliveMost; }
void Matrix::resetMostAlive() { aliveMost = aliveNow.load(); }

Result<Matrix> sum(const Matrix& a, const Matrix& b) { return combined("sum", a, b, std::plus<>()); }
Result<Matrix> sum(Matrix&& a, const Matrix& b) { return combined("sum", std::move(a), b, std::plus<>()); }
Result<Matrix> difference(const Matrix& a, const Matrix& b) { return combined("difference", a, b, std::minus<>()); }
Result<Matrix> difference(Matrix&& a, const Matrix& b)
{
    return combined("difference", std::move(a), b, std::minus<>());
}

Result<Matrix> product(const Matrix& a, const Matrix& b)
{
    constexpr const char* kExpected = "as many columns as the second has rows";
    if (Status status = checkShapes("product", a, b, a.columns() == b.rows(), kExpected); !status)
        return status.error();
    Result<Matrix> out = Matrix::allocate(a.rows(), b.columns());
    if (!out) return out;
    if (Status status = productInto(*out, a, b); !status) return status.error();
    return out;
}

Status sumInto(Matrix& out, const Matrix& a, const Matrix& b)
{
    assert(checkSameShape("sum", a, b) && checkSameShape("sum", a, out));
    combine(out.values().data(), a.values().data(), b.values().data(), a.elements(), std::plus<>());
    return Status::ok();
}

Status productInto(Matrix& out, const Matrix& a, const Matrix& b, const std::stop_token& stop)
{
    assert(a.columns() == b.rows() && out.rows() == a.rows() && out.columns() == b.columns());
    std::ranges::fill(out.values(), 0.0);
    constexpr std::size_t kBlock = 64;  // rows of b that stay in the caches while all of a passes
    for (std::size_t first = 0; first < a.columns(); first += kBlock)
        for (std::size_t i = 0; i < a.rows(); ++i)
        {
            if (stop.stop_requested()) return Error{ExitCode::kInterrupted, "matrix: cancelled"};
            for (std::size_t d = first; d < std::min(first + kBlock, a.columns()); ++d)
            {
                const double factor = a(i, d);
                double* const to = out.row(i);
                const double* const from = b.row(d);
                for (std::size_t j = 0; j < b.columns(); ++j)
                    to[j] += factor * from[j];
            }
        }
    return Status::ok();
}

Matrix operator+(const Matrix& a, const Matrix& b) { return taken(sum(a, b)); }
Matrix operator+(Matrix&& a, const Matrix& b) { return taken(sum(std::move(a), b)); }
Matrix operator-(const Matrix& a, const Matrix& b) { return taken(difference(a, b)); }
Matrix operator-(Matrix&& a, const Matrix& b) { return taken(difference(std::move(a), b)); }
Matrix operator*(const Matrix& a, const Matrix& b) { return taken(product(a, b)); }
Matrix operator*(const Matrix& a, double factor) { return a.copy() * factor; }
Matrix operator*(Matrix&& a, double factor)
{
    for (double& value : a.values())
        value *= factor;
    return std::move(a);
}

// ---- generated matrices ----

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
