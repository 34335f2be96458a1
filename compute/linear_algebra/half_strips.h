// Products with a symmetric matrix of which only the lower half is read, in contiguous strips of rows up to the
// diagonal, so that memory is read in order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/vector_kernels.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

inline void multiplyStrip(const VectorKernels& kernels, const double* strip, std::size_t width, std::size_t i,
                          std::size_t rows, const double* x, double* y)
{
    kernels.stripProducts(strip, width, i, rows, x, y);
}
inline void multiplyStrip(const VectorKernels& kernels, const float* strip, std::size_t width, std::size_t i,
                          std::size_t rows, const float* x, float* y)
{
    kernels.stripProductsSingle(strip, width, i, rows, x, y);
}

// Computes y = A x by strips of kStripRowsOf<Real> rows, one after the other.  Bands of strips with about the same
// number of elements each sum into their own vector.  These vectors are then added in order; results are bit-identical
// for any number of threads.
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

    // stripAt(strip): beginning of its first row; widthOf(strip): elements from row to row.
    template <class StripAt, class WidthOf>
    void apply(const Real* x, Real* y, ThreadPool& pool, const StripAt& stripAt, const WidthOf& widthOf) const
    {
        const std::size_t last = sums_.size();  // this band covers all rows and sums into y itself
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
    std::vector<std::size_t> bands_;               // first strip of each, and the end
    mutable std::vector<std::vector<Real>> sums_;  // for all bands but the last
    const VectorKernels& kernels_ = vectorKernels();
};

// Copy of the lower half.  Each strip is as wide as its diagonal block reaches, with zeros above the diagonal.
template <class Real>
class HalfStrips
{
public:
    // copyRow(i, count, to): copies the first elements of row i.
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

}  // namespace orogen::compute
