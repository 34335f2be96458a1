// Time-critical loops, compiled once for each instruction set.  All versions do the same operations in the same order,
// on vectors of 64 bytes and without fused multiply-add.  A result therefore has the same bits on any processor.
#pragma once

#include <cstddef>
#include <string_view>

namespace orogen::compute {

struct VectorKernels
{
    const char* name;

    double (*dot)(const double* a, const double* b, std::size_t count);

    double (*sum)(const double* a, std::size_t count);  // for benchmarks: reads memory at full speed

    // Computes y[i] = row i of `a` times x, for rows first ... last - 1.  Rows of `a` are `stride` elements apart.
    void (*rowProducts)(const double* a, std::size_t stride, std::size_t columns, const double* x, double* y,
                        std::size_t first, std::size_t last);

    // Multiplies a strip by x: kStripRowsOf<double> rows of the lower half of a symmetric matrix, `width` elements
    // apart.  The strip's first row is row i of the matrix, a multiple of kStripRowsOf<double>.  Only its first `rows`
    // rows belong to the matrix; the rest must be zeros.  Adds to y the products with the elements up to the diagonal
    // and with their mirror images above it.
    void (*stripProducts)(const double* strip, std::size_t width, std::size_t i, std::size_t rows, const double* x,
                          double* y);

    // Computes c -= l * p, where c is 4 x 16, l is 4 x depth and p is depth x 16.  Strides are in elements.
    void (*subtractTile)(double* c, std::size_t strideC, const double* l, std::size_t strideL, const double* p,
                         std::size_t strideP, std::size_t depth);

    // dot, rowProducts and stripProducts in single precision.
    float (*dotSingle)(const float* a, const float* b, std::size_t count);
    void (*rowProductsSingle)(const float* a, std::size_t stride, std::size_t columns, const float* x, float* y,
                              std::size_t first, std::size_t last);
    void (*stripProductsSingle)(const float* strip, std::size_t width, std::size_t i, std::size_t rows, const float* x,
                                float* y);

    void (*toSingle)(const double* from, double scale, float* to, std::size_t count);  // to[i] = from[i] * scale
};

constexpr std::size_t kTileRows = 4, kTileColumns = 16;
// Number of rows in a strip: as many as a cache line has elements.
template <class Real>
constexpr std::size_t kStripRowsOf = 64 / sizeof(Real);

const VectorKernels& vectorKernels();                       // the best for this processor
const VectorKernels* vectorKernels(std::string_view name);  // "portable", "avx2", "avx512"; null: unavailable

}  // namespace orogen::compute
