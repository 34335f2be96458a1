// The matrix alone determines the groups of rows and the order of sums, so any number of threads gives the same bits.
#include "compute/linear_algebra/operators.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/vector_kernels.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

// ---- products with a symmetric matrix of which only the lower half is read ----
//
// The half is read in strips of adjacent rows, each row up to the diagonal, so that memory is read in ascending order.

void multiplyStrip(const VectorKernels& kernels, const double* strip, std::size_t width, std::size_t i,
                   std::size_t rows, const double* x, double* y)
{
    kernels.stripProducts(strip, width, i, rows, x, y);
}
void multiplyStrip(const VectorKernels& kernels, const float* strip, std::size_t width, std::size_t i, std::size_t rows,
                   const float* x, float* y)
{
    kernels.stripProductsSingle(strip, width, i, rows, x, y);
}

// Product y = A x by strips of kStripRowsOf<Real> rows.  Bands of adjacent strips, with about equally many elements
// each, are computed in parallel, and each sums into its own vector.  These vectors are then added in order, so that
// results are bit-identical for any number of threads.
template <class Real>
class StripProduct
{
public:
    static constexpr std::size_t kRows = kStripRowsOf<Real>;

    explicit StripProduct(std::size_t size) : size_(size)
    {
        constexpr std::size_t kBands = 8, kWorthBands = 256;
        const std::size_t bands = size < kWorthBands ? 1 : kBands;
        for (std::size_t band = 0; band <= bands; ++band)
            bands_.push_back(std::size_t(double(strips()) * std::sqrt(double(band) / double(bands))));
        for (std::size_t band = 0; band + 1 < bands; ++band)
            sums_.emplace_back(bands_[band + 1] * kRows);
    }

    std::size_t strips() const { return (size_ + kRows - 1) / kRows; }

    // stripAt(strip) returns the beginning of the strip's first row, widthOf(strip) the distance of its rows
    // [elements].
    template <class StripAt, class WidthOf>
    void apply(const Real* x, Real* y, ThreadPool& pool, const StripAt& stripAt, const WidthOf& widthOf) const
    {
        const std::size_t last = sums_.size();  // the last band covers all rows, and adds directly into y
        pool.forEach(last + 1, [&](std::size_t band) {
            Real* const to = band == last ? y : sums_[band].data();
            std::fill_n(to, band == last ? size_ : sums_[band].size(), Real(0));
            for (std::size_t strip = bands_[band]; strip < bands_[band + 1]; ++strip)
                multiplyStrip(kernels_, stripAt(strip), widthOf(strip), strip * kRows,
                              std::min(kRows, size_ - strip * kRows), x, to);
        });
        for (const std::vector<Real>& sums : sums_)
            for (std::size_t i = 0; i < sums.size(); ++i)
                y[i] += sums[i];
    }

private:
    std::size_t size_;
    std::vector<std::size_t> bands_;               // first strip of each band, then the number of strips
    mutable std::vector<std::vector<Real>> sums_;  // for all bands but the last
    const VectorKernels& kernels_ = vectorKernels();
};

// Copy of the lower half in strips.  A strip's rows end at the right edge of its diagonal block, with zeros above the
// diagonal.
template <class Real>
class HalfStrips
{
public:
    // copyRow(i, count, to) copies the first `count` elements of row i.
    template <class CopyRow>
    HalfStrips(std::size_t size, ThreadPool& pool, const CopyRow& copyRow) : size_(size), product_(size)
    {
        starts_.push_back(0);
        for (std::size_t strip = 0; strip < product_.strips(); ++strip)
            starts_.push_back(starts_.back() + kRows * widthOf(strip));
        elements_ = AlignedBuffer<Real>(starts_.back());
        pool.forEach(product_.strips(), [&](std::size_t strip) {
            const std::size_t width = widthOf(strip);
            for (std::size_t q = 0; q < kRows; ++q)
            {
                Real* const row = elements_.data() + starts_[strip] + q * width;
                const std::size_t i = strip * kRows + q, there = i < size_ ? i + 1 : 0;
                if (there > 0) copyRow(i, there, row);
                std::fill(row + there, row + width, Real(0));
            }
        });
    }

    std::size_t size() const { return size_; }
    const Real* row(std::size_t i) const
    {
        return elements_.data() + starts_[i / kRows] + i % kRows * widthOf(i / kRows);
    }
    void apply(const Real* x, Real* y, ThreadPool& pool) const
    {
        product_.apply(
            x, y, pool, [this](std::size_t strip) { return row(strip * kRows); },
            [](std::size_t strip) { return widthOf(strip); });
    }
    void diagonal(Real* d) const
    {
        for (std::size_t i = 0; i < size_; ++i)
            d[i] = row(i)[i];
    }

private:
    static constexpr std::size_t kRows = StripProduct<Real>::kRows;
    static std::size_t widthOf(std::size_t strip) { return (strip + 1) * kRows; }

    std::size_t size_;
    StripProduct<Real> product_;
    std::vector<std::size_t> starts_;  // offsets of strips in the buffer
    AlignedBuffer<Real> elements_;
};

// ---- operators ----

template <class Real>
void multiplyRows(const VectorKernels& kernels, const Real* a, std::size_t n, const Real* x, Real* y, ThreadPool& pool)
{
    constexpr std::size_t kRows = 32;  // per piece
    pool.forEach((n + kRows - 1) / kRows, [&](std::size_t piece) {
        const std::size_t first = piece * kRows, last = std::min(n, first + kRows);
        if constexpr (std::is_same_v<Real, float>)
            kernels.rowProductsSingle(a, n, n, x, y, first, last);
        else
            kernels.rowProducts(a, n, n, x, y, first, last);
    });
}

// Dense matrix rounded to single precision.
class DenseInSingle final : public SingleOperator
{
public:
    DenseInSingle(const Matrix& a, double scale, ThreadPool& pool) : size_(a.rows()), elements_(a.elements())
    {
        pool.forEach(size_,
                     [&](std::size_t i) { kernels_.toSingle(a.row(i), scale, elements_.data() + i * size_, size_); });
    }
    std::size_t size() const override { return size_; }
    void apply(const float* x, float* y, ThreadPool& pool) const override
    {
        multiplyRows(kernels_, elements_.data(), size_, x, y, pool);
    }
    void diagonal(float* d) const override
    {
        for (std::size_t i = 0; i < size_; ++i)
            d[i] = elements_.data()[i * size_ + i];
    }

private:
    std::size_t size_;
    AlignedBuffer<float> elements_;
    const VectorKernels& kernels_ = vectorKernels();
};

class HalfInSingle final : public SingleOperator
{
public:
    // rowOf(i) returns the beginning of row i of the matrix in double precision.
    template <class RowOf>
    HalfInSingle(std::size_t size, double scale, ThreadPool& pool, const RowOf& rowOf)
        : half_(size, pool, [&](std::size_t i, std::size_t count, float* to) {
              vectorKernels().toSingle(rowOf(i), scale, to, count);
          })
    {
    }
    std::size_t size() const override { return half_.size(); }
    void apply(const float* x, float* y, ThreadPool& pool) const override { half_.apply(x, y, pool); }
    void diagonal(float* d) const override { half_.diagonal(d); }

private:
    HalfStrips<float> half_;
};

class DenseOperator final : public LinearOperator
{
public:
    explicit DenseOperator(const Matrix& a) : a_(a) { assert(a.rows() == a.columns()); }
    std::size_t size() const override { return a_.rows(); }
    void apply(const double* x, double* y, ThreadPool& pool) const override
    {
        multiplyRows(kernels_, a_.row(0), size(), x, y, pool);
    }
    void applyAll(std::span<const double* const> x, std::span<double* const> y, ThreadPool& pool) const override
    {
        constexpr std::size_t kRows = 8;  // rows that stay in a cache while all vectors are multiplied
        const std::size_t n = size();
        pool.forEach((n + kRows - 1) / kRows, [&](std::size_t piece) {
            for (std::size_t k = 0; k < x.size(); ++k)
                kernels_.rowProducts(a_.row(0), n, n, x[k], y[k], piece * kRows, std::min(n, (piece + 1) * kRows));
        });
    }
    void diagonal(double* d) const override
    {
        for (std::size_t i = 0; i < size(); ++i)
            d[i] = a_(i, i);
    }
    std::unique_ptr<SingleOperator> inSingle(double scale, ThreadPool& pool) const override
    {
        return std::make_unique<DenseInSingle>(a_, scale, pool);
    }

private:
    const Matrix& a_;
    const VectorKernels& kernels_ = vectorKernels();
};

class DenseHalfOperator final : public LinearOperator
{
public:
    DenseHalfOperator(const Matrix& a, ThreadPool&& pool)
        : half_(a.rows(), pool, [&](std::size_t i, std::size_t count, double* to) { std::copy_n(a.row(i), count, to); })
    {
        assert(a.rows() == a.columns());
    }
    std::size_t size() const override { return half_.size(); }
    void apply(const double* x, double* y, ThreadPool& pool) const override { half_.apply(x, y, pool); }
    void diagonal(double* d) const override { half_.diagonal(d); }
    std::unique_ptr<SingleOperator> inSingle(double scale, ThreadPool& pool) const override
    {
        return std::make_unique<HalfInSingle>(size(), scale, pool, [&](std::size_t i) { return half_.row(i); });
    }

private:
    HalfStrips<double> half_;
};

// Operator that reads the lower half in place; only an incomplete last strip is copied.
class DenseLowerOperator final : public LinearOperator
{
public:
    explicit DenseLowerOperator(const Matrix& a) : a_(a), product_(a.rows())
    {
        assert(a.rows() == a.columns());
        const std::size_t whole = size() / kRows * kRows;
        if (whole == size()) return;
        tail_.assign(kRows * size(), 0.0);
        std::copy(a.row(whole), a.row(0) + a.elements(), tail_.begin());
    }
    std::size_t size() const override { return a_.rows(); }
    void apply(const double* x, double* y, ThreadPool& pool) const override
    {
        const auto stripAt = [this](std::size_t strip) {
            return (strip + 1) * kRows <= size() ? a_.row(strip * kRows) : tail_.data();
        };
        product_.apply(x, y, pool, stripAt, [this](std::size_t) { return size(); });
    }
    void diagonal(double* d) const override { DenseOperator(a_).diagonal(d); }
    std::unique_ptr<SingleOperator> inSingle(double scale, ThreadPool& pool) const override
    {
        return std::make_unique<HalfInSingle>(size(), scale, pool, [this](std::size_t i) { return a_.row(i); });
    }

private:
    static constexpr std::size_t kRows = StripProduct<double>::kRows;

    const Matrix& a_;
    StripProduct<double> product_;
    std::vector<double> tail_;
};

// Multiplies several vectors by a matrix stored by rows, in single or double precision.
template <class Real>
void multiplySparse(const SparseMatrix& a, const std::vector<Real>& values, std::span<const Real* const> xs,
                    std::span<Real* const> ys, ThreadPool& pool)
{
    constexpr std::size_t kRows = 512;
    pool.forEach((a.size + kRows - 1) / kRows, [&](std::size_t piece) {
        for (std::size_t vector = 0; vector < xs.size(); ++vector)
        {
            const Real* const x = xs[vector];
            Real* const y = ys[vector];
            for (std::size_t i = piece * kRows; i < std::min(a.size, (piece + 1) * kRows); ++i)
            {
                Real sum = 0;
                for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
                    sum += values[k] * x[a.columns[k]];
                y[i] = sum;
            }
        }
    });
}

// Multiplies by a symmetric matrix of which only the lower half is stored, on one thread.
template <class Real>
void multiplySparseHalf(const SparseMatrix& half, const std::vector<Real>& values, const Real* x, Real* y)
{
    for (std::size_t i = 0; i < half.size; ++i)
    {
        Real sum = 0;
        for (std::uint64_t k = half.starts[i]; k < half.starts[i + 1]; ++k)
        {
            const std::size_t j = half.columns[k];
            sum += values[k] * x[j];
            if (j < i) y[j] += values[k] * x[i];
        }
        y[i] = sum;
    }
}

template <class Real>
void diagonalOf(const SparseMatrix& a, const std::vector<Real>& values, Real* d)
{
    for (std::size_t i = 0; i < a.size; ++i)
    {
        d[i] = 0;
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
            if (a.columns[k] == i) d[i] = values[k];
    }
}

class SparseInSingle final : public SingleOperator
{
public:
    // `half`: a has only its lower half.
    SparseInSingle(const SparseMatrix& a, bool half, double scale) : a_(a), half_(half), values_(a.values.size())
    {
        vectorKernels().toSingle(a.values.data(), scale, values_.data(), values_.size());
    }
    std::size_t size() const override { return a_.size; }
    void apply(const float* x, float* y, ThreadPool& pool) const override
    {
        if (half_)
            multiplySparseHalf(a_, values_, x, y);
        else
            multiplySparse<float>(a_, values_, {&x, 1}, {&y, 1}, pool);
    }
    void diagonal(float* d) const override { diagonalOf(a_, values_, d); }

private:
    const SparseMatrix& a_;
    bool half_;
    std::vector<float> values_;
};

class SparseOperator final : public LinearOperator
{
public:
    explicit SparseOperator(const SparseMatrix& a) : a_(a) {}
    std::size_t size() const override { return a_.size; }
    void apply(const double* x, double* y, ThreadPool& pool) const override
    {
        multiplySparse<double>(a_, a_.values, {&x, 1}, {&y, 1}, pool);
    }
    void applyAll(std::span<const double* const> x, std::span<double* const> y, ThreadPool& pool) const override
    {
        multiplySparse(a_, a_.values, x, y, pool);
    }
    void diagonal(double* d) const override { diagonalOf(a_, a_.values, d); }
    std::unique_ptr<SingleOperator> inSingle(double scale, ThreadPool&) const override
    {
        return std::make_unique<SparseInSingle>(a_, false, scale);
    }

private:
    const SparseMatrix& a_;
};

SparseMatrix lowerHalf(const SparseMatrix& a)
{
    SparseMatrix half{.size = a.size, .starts = {0}};
    for (std::size_t i = 0; i < a.size; ++i)
    {
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1] && a.columns[k] <= i; ++k)
        {
            half.columns.push_back(a.columns[k]);
            half.values.push_back(a.values[k]);
        }
        half.starts.push_back(half.values.size());
    }
    return half;
}

class SparseHalfOperator final : public LinearOperator
{
public:
    explicit SparseHalfOperator(const SparseMatrix& a) : half_(lowerHalf(a)) {}
    std::size_t size() const override { return half_.size; }
    void apply(const double* x, double* y, ThreadPool&) const override
    {
        multiplySparseHalf(half_, half_.values, x, y);
    }
    void diagonal(double* d) const override { diagonalOf(half_, half_.values, d); }
    std::unique_ptr<SingleOperator> inSingle(double scale, ThreadPool&) const override
    {
        return std::make_unique<SparseInSingle>(half_, true, scale);
    }

private:
    SparseMatrix half_;
};

// Five-point stencil times a scale: 1, or in single precision any power of two.
template <class Real, class Base>
class Stencil : public Base
{
public:
    Stencil(std::size_t width, std::size_t height, Real scale) : width_(width), height_(height), scale_(scale) {}
    std::size_t size() const override { return width_ * height_; }

    void apply(const Real* x, Real* y, ThreadPool& pool) const override
    {
        constexpr std::size_t kRows = 16;
        pool.forEach((height_ + kRows - 1) / kRows, [&](std::size_t piece) {
            for (std::size_t v = piece * kRows; v < std::min(height_, (piece + 1) * kRows); ++v)
                applyRow(v, x + v * width_, y + v * width_);
        });
    }
    void diagonal(Real* d) const override { std::fill_n(d, size(), 4 * scale_); }

protected:
    void applyRow(std::size_t v, const Real* x, Real* y) const
    {
        for (std::size_t u = 0; u < width_; ++u)
        {
            Real sum = 4 * x[u];
            if (v > 0) sum -= *(x + u - width_);
            if (u > 0) sum -= x[u - 1];
            if (u + 1 < width_) sum -= x[u + 1];
            if (v + 1 < height_) sum -= x[u + width_];
            y[u] = sum * scale_;
        }
    }

    std::size_t width_, height_;
    Real scale_;
};

class PoissonOperator final : public Stencil<double, LinearOperator>
{
public:
    PoissonOperator(std::size_t width, std::size_t height) : Stencil(width, height, 1) {}
    std::unique_ptr<SingleOperator> inSingle(double scale, ThreadPool&) const override
    {
        return std::make_unique<Stencil<float, SingleOperator>>(width_, height_, float(scale));
    }
};

}  // namespace

std::unique_ptr<LinearOperator> denseOperator(const Matrix& a) { return std::make_unique<DenseOperator>(a); }
std::unique_ptr<LinearOperator> denseHalfOperator(const Matrix& a)
{
    return std::make_unique<DenseHalfOperator>(a, ThreadPool(1));
}
std::unique_ptr<LinearOperator> denseLowerOperator(const Matrix& a) { return std::make_unique<DenseLowerOperator>(a); }
std::unique_ptr<LinearOperator> sparseOperator(const SparseMatrix& a) { return std::make_unique<SparseOperator>(a); }
std::unique_ptr<LinearOperator> sparseHalfOperator(const SparseMatrix& a)
{
    return std::make_unique<SparseHalfOperator>(a);
}
std::unique_ptr<LinearOperator> poissonOperator(std::size_t width, std::size_t height)
{
    return std::make_unique<PoissonOperator>(width, height);
}

SparseMatrix poissonMatrix(std::size_t width, std::size_t height)
{
    SparseMatrix a{.size = width * height, .starts = {0}};
    const auto add = [&](bool there, std::size_t column, double value) {
        if (!there) return;
        a.columns.push_back(std::uint32_t(column));
        a.values.push_back(value);
    };
    for (std::size_t i = 0; i < a.size; ++i)
    {
        const std::size_t u = i % width, v = i / width;
        add(v > 0, i - width, -1);
        add(u > 0, i - 1, -1);
        add(true, i, 4);
        add(u + 1 < width, i + 1, -1);
        add(v + 1 < height, i + width, -1);
        a.starts.push_back(a.values.size());
    }
    return a;
}

Matrix denseOf(const SparseMatrix& a)
{
    Matrix dense(a.size, a.size, 0.0);
    for (std::size_t i = 0; i < a.size; ++i)
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
            dense(i, a.columns[k]) = a.values[k];
    return dense;
}

}  // namespace orogen::compute
