// Products are cut into pieces that depend on the matrix alone, and each is summed in a fixed order: the same bits for
// any number of threads.
#include "compute/linear_algebra/operators.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "compute/linear_algebra/vector_kernels.h"

namespace orogen::compute {
namespace {

class DenseOperator final : public LinearOperator
{
public:
    explicit DenseOperator(const Matrix& a) : a_(a) { assert(a.rows() == a.columns()); }
    std::size_t size() const override { return a_.rows(); }

    void apply(const double* x, double* y, ThreadPool& pool) const override
    {
        constexpr std::size_t kRows = 32;  // of a piece
        const std::size_t n = size();
        pool.forEach((n + kRows - 1) / kRows, [&](std::size_t piece) {
            kernels_.rowProducts(a_.row(0), n, n, x, y, piece * kRows, std::min(n, (piece + 1) * kRows));
        });
    }
    void diagonal(double* d) const override
    {
        for (std::size_t i = 0; i < size(); ++i)
            d[i] = a_(i, i);
    }

private:
    const Matrix& a_;
    const VectorKernels& kernels_ = vectorKernels();
};

// Strips of kStripRows rows up to the diagonal, one after the other.  Bands of strips of about the same number of
// elements each sum into a vector of their own; these are then added in order.
class DenseHalfOperator final : public LinearOperator
{
public:
    explicit DenseHalfOperator(const Matrix& a) : size_(a.rows())
    {
        assert(a.rows() == a.columns());
        starts_.push_back(0);
        for (std::size_t i = 0; i < size_; i += kStripRows)
            starts_.push_back(starts_.back() + kStripRows * widthAt(i));
        strips_ = DoubleBuffer(starts_.back());
        for (std::size_t i = 0; i < size_; ++i)
        {
            double* const row = strips_.data() + starts_[i / kStripRows] + i % kStripRows * widthAt(i);
            std::copy_n(a.row(i), i + 1, row);
            std::fill(row + i + 1, row + widthAt(i), 0.0);
        }
        fillMissingRows();
        const std::size_t bands = size_ < kWorthBands ? 1 : kBands;
        for (std::size_t band = 0; band <= bands; ++band)
            bands_.push_back(std::size_t(double(strips()) * std::sqrt(double(band) / double(bands))));
        for (std::size_t band = 0; band + 1 < bands; ++band)
            sums_.emplace_back(bands_[band + 1] * kStripRows);
    }
    std::size_t size() const override { return size_; }

    void apply(const double* x, double* y, ThreadPool& pool) const override
    {
        const std::size_t last = sums_.size();  // the band that reaches all rows sums into y itself
        pool.forEach(last + 1, [&](std::size_t band) {
            double* const to = band == last ? y : sums_[band].data();
            std::fill_n(to, band == last ? size_ : sums_[band].size(), 0.0);
            for (std::size_t strip = bands_[band]; strip < bands_[band + 1]; ++strip)
                multiplyStrip(strip, x, to);
        });
        for (const std::vector<double>& sums : sums_)
            for (std::size_t i = 0; i < sums.size(); ++i)
                y[i] += sums[i];
    }
    void diagonal(double* d) const override
    {
        for (std::size_t i = 0; i < size_; ++i)
            d[i] = strips_.data()[starts_[i / kStripRows] + i % kStripRows * widthAt(i) + i];
    }

private:
    static constexpr std::size_t kBands = 8, kWorthBands = 256;

    std::size_t strips() const { return starts_.size() - 1; }
    static std::size_t widthAt(std::size_t i) { return i / kStripRows * kStripRows + kStripRows; }
    void fillMissingRows()
    {
        for (std::size_t i = size_; i < strips() * kStripRows; ++i)
            std::fill_n(strips_.data() + starts_[i / kStripRows] + i % kStripRows * widthAt(i), widthAt(i), 0.0);
    }
    void multiplyStrip(std::size_t strip, const double* x, double* y) const
    {
        const std::size_t i = strip * kStripRows;
        kernels_.stripProducts(strips_.data() + starts_[strip], widthAt(i), i, std::min(kStripRows, size_ - i), x, y);
    }

    std::size_t size_;
    std::vector<std::size_t> starts_;  // of strips in the buffer
    DoubleBuffer strips_;
    std::vector<std::size_t> bands_;                 // their first strips, and the end
    mutable std::vector<std::vector<double>> sums_;  // of all bands but the last
    const VectorKernels& kernels_ = vectorKernels();
};

class SparseOperator final : public LinearOperator
{
public:
    explicit SparseOperator(const SparseMatrix& a) : a_(a) {}
    std::size_t size() const override { return a_.size; }

    void apply(const double* x, double* y, ThreadPool& pool) const override
    {
        constexpr std::size_t kRows = 512;
        pool.forEach((a_.size + kRows - 1) / kRows, [&](std::size_t piece) {
            for (std::size_t i = piece * kRows; i < std::min(a_.size, (piece + 1) * kRows); ++i)
            {
                double sum = 0;
                for (std::uint64_t k = a_.starts[i]; k < a_.starts[i + 1]; ++k)
                    sum += a_.values[k] * x[a_.columns[k]];
                y[i] = sum;
            }
        });
    }
    void diagonal(double* d) const override
    {
        for (std::size_t i = 0; i < a_.size; ++i)
        {
            d[i] = 0;
            for (std::uint64_t k = a_.starts[i]; k < a_.starts[i + 1]; ++k)
                if (a_.columns[k] == i) d[i] = a_.values[k];
        }
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
        for (std::size_t i = 0; i < half_.size; ++i)
        {
            double sum = 0;
            for (std::uint64_t k = half_.starts[i]; k < half_.starts[i + 1]; ++k)
            {
                const std::size_t j = half_.columns[k];
                sum += half_.values[k] * x[j];
                if (j < i) y[j] += half_.values[k] * x[i];
            }
            y[i] = sum;
        }
    }
    void diagonal(double* d) const override { SparseOperator(half_).diagonal(d); }

private:
    SparseMatrix half_;
};

class PoissonOperator final : public LinearOperator
{
public:
    PoissonOperator(std::size_t width, std::size_t height) : width_(width), height_(height) {}
    std::size_t size() const override { return width_ * height_; }

    void apply(const double* x, double* y, ThreadPool& pool) const override
    {
        constexpr std::size_t kRows = 16;
        pool.forEach((height_ + kRows - 1) / kRows, [&](std::size_t piece) {
            for (std::size_t v = piece * kRows; v < std::min(height_, (piece + 1) * kRows); ++v)
                applyRow(v, x + v * width_, y + v * width_);
        });
    }
    void diagonal(double* d) const override { std::fill_n(d, size(), 4.0); }

private:
    void applyRow(std::size_t v, const double* x, double* y) const
    {
        for (std::size_t u = 0; u < width_; ++u)
        {
            double sum = 4 * x[u];
            if (v > 0) sum -= *(x + u - width_);
            if (u > 0) sum -= x[u - 1];
            if (u + 1 < width_) sum -= x[u + 1];
            if (v + 1 < height_) sum -= x[u + width_];
            y[u] = sum;
        }
    }

    std::size_t width_, height_;
};

}  // namespace

std::unique_ptr<LinearOperator> denseOperator(const Matrix& a) { return std::make_unique<DenseOperator>(a); }
std::unique_ptr<LinearOperator> denseHalfOperator(const Matrix& a) { return std::make_unique<DenseHalfOperator>(a); }
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
