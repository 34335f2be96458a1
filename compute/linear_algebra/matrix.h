// Matrices on the CPU.  Matrix is dense: doubles row by row, with the interface of paper 003 (Ustyuzhanin,
// Pitskhelauri, Nekrasov, 2024), Table 1.  Element (i, j) has the 64-bit index i * columns + j.  A Matrix is movable
// and only copied explicitly, so that `a = std::move(a) + b` needs two matrices, not three.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/status.h"

namespace orogen::compute {

constexpr std::size_t elementIndex(std::size_t i, std::size_t j, std::size_t columns) { return i * columns + j; }

// Returns the size in bytes; nullopt if it exceeds 64 bits.
constexpr std::optional<std::uint64_t> matrixBytes(std::uint64_t rows, std::uint64_t columns)
{
    constexpr std::uint64_t kMost = ~std::uint64_t(0) / sizeof(double);
    if (columns != 0 && rows > kMost / columns) return std::nullopt;
    return rows * columns * sizeof(double);
}

// Allocates uninitialised memory aligned to cache lines; asks for large pages from 2 MiB on.  Throws std::bad_alloc.
void* allocateAligned(std::size_t bytes);

// Array of numbers in memory of allocateAligned().
template <class Element>
class AlignedBuffer
{
public:
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t count) : values_(static_cast<Element*>(allocateAligned(count * sizeof(Element))))
    {
    }

    Element* data() { return values_.get(); }
    const Element* data() const { return values_.get(); }

private:
    struct Free
    {
        void operator()(Element* values) const { std::free(values); }
    };
    std::unique_ptr<Element, Free> values_;
};
using DoubleBuffer = AlignedBuffer<double>;

class Matrix
{
public:
    Matrix() = default;
    Matrix(std::size_t rows, std::size_t columns);  // uninitialised; throws std::bad_alloc
    Matrix(std::size_t rows, std::size_t columns, double value);
    Matrix(Matrix&& other) noexcept;
    Matrix& operator=(Matrix&& other) noexcept;
    ~Matrix();

    // Like Matrix(rows, columns), but a size that does not fit is an error (kLimit) that names the memory needed.
    static Result<Matrix> allocate(std::uint64_t rows, std::uint64_t columns);
    Matrix copy() const;

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    std::size_t elements() const { return rows_ * columns_; }
    double& operator()(std::size_t i, std::size_t j) { return buffer_.data()[elementIndex(i, j, columns_)]; }
    double operator()(std::size_t i, std::size_t j) const { return buffer_.data()[elementIndex(i, j, columns_)]; }
    double* row(std::size_t i) { return buffer_.data() + elementIndex(i, 0, columns_); }
    const double* row(std::size_t i) const { return buffer_.data() + elementIndex(i, 0, columns_); }
    std::span<double> values() { return {buffer_.data(), elements()}; }
    std::span<const double> values() const { return {buffer_.data(), elements()}; }

    // Return the number of matrices with memory in this process: now, and the maximum since resetMostAlive().
    static int alive();
    static int mostAlive();
    static void resetMostAlive();

private:
    void forget();

    std::size_t rows_ = 0, columns_ = 0;
    DoubleBuffer buffer_;
};

// Return new matrices.  An rvalue `a` gives its memory to the result, so that no third matrix is needed.  Errors:
// kInput with both shapes if they do not fit; kLimit if the memory for a new matrix does not suffice.
Result<Matrix> sum(const Matrix& a, const Matrix& b);
Result<Matrix> sum(Matrix&& a, const Matrix& b);
Result<Matrix> difference(const Matrix& a, const Matrix& b);
Result<Matrix> difference(Matrix&& a, const Matrix& b);
// Sums each element in the order of the inner index (eq. 4 of paper 003).
Result<Matrix> product(const Matrix& a, const Matrix& b);

// Store the result in existing memory.  Shapes must fit (otherwise a programming error).  The product polls `stop` once
// in 64 b.columns() multiplications; error kInterrupted.
Status sumInto(Matrix& out, const Matrix& a, const Matrix& b);
Status productInto(Matrix& out, const Matrix& a, const Matrix& b, const std::stop_token& stop = {});

// Operators for shapes and sizes that are known to fit; otherwise a programming error.
Matrix operator+(const Matrix& a, const Matrix& b);
Matrix operator+(Matrix&& a, const Matrix& b);
Matrix operator-(const Matrix& a, const Matrix& b);
Matrix operator-(Matrix&& a, const Matrix& b);
Matrix operator*(const Matrix& a, const Matrix& b);
Matrix operator*(const Matrix& a, double factor);
Matrix operator*(Matrix&& a, double factor);

// Square sparse matrix in compressed rows.  All solvers but Cramer's rule need it to be symmetric.
struct SparseMatrix
{
    std::size_t size = 0;                     // rows and columns
    std::vector<std::uint64_t> starts = {};   // by row: first entry in both arrays below; then their length
    std::vector<std::uint32_t> columns = {};  // ascending in each row
    std::vector<double> values = {};
};

// ---- generated matrices ----

// Returns a symmetric positive definite matrix.  Its eigenvalues go from 1 down to 1 / condition, spaced evenly on a
// logarithmic scale.  Three reflections chosen by the seed transform their diagonal matrix.  Bit-identical on all
// machines on which std::pow() gives the same bits; unspecified after a stop.
Matrix randomSpd(std::size_t size, double condition, std::uint64_t seed, const std::stop_token& stop = {});

// Returns exp(-|i - j| / 50), plus 1 on the diagonal: well conditioned, without zeros.
Matrix correlationMatrix(std::size_t size);

}  // namespace orogen::compute
