// Kernels of conjugate gradients with the bits of the CPU: a product adds in the order of operators.cpp, and no
// operation is contracted.  Inner products are exact (compute/exact), so that their order is free.  The CPU passes
// scalars as arguments of a kernel.
#pragma once

#include "compute/linear_algebra/kernels/matrix_vector.h"

namespace orogen::compute {

// Arguments of y = A x.
template <class Rows>
struct OrderedMultiplyArguments
{
    Rows a;
    const double* x;
    double* y;
};

// Arguments of v = ofV v + ofW w, where v counts as 0 if ofV is 0.
struct OrderedCombineArguments
{
    double* v;
    const double* w;
    std::uint64_t size;
    double ofV, ofW;
};

// Arguments of z = inverse r, element by element.
struct ScaleArguments
{
    double* z;
    const double *inverse, *r;
    std::uint64_t size;
};

constexpr unsigned kOrderedLanes = 8;  // lanes per row of a dense A, each with a partial sum of rowProducts()
constexpr unsigned kOrderedRows = kCgThreads / kOrderedLanes;  // rows that a block takes at a time

namespace OROGEN_TARGET {

// Calls body(i) for each i < size, shared by the grid.
template <class Body>
OROGEN_DEVICE inline void eachIndex(std::uint64_t size, const Body& body)
{
    for (std::uint64_t i = std::uint64_t(blockIndex().x) * kCgThreads + threadIndex().x; i < size;
         i += std::uint64_t(gridSize().x) * kCgThreads)
        body(i);
}

OROGEN_DEVICE inline void multiplyInOrder(const OrderedMultiplyArguments<DenseRows<double>>& arguments)
{
    const DenseRows<double>& a = arguments.a;
    const std::uint64_t whole = a.size / kOrderedLanes * kOrderedLanes;
    const unsigned lane = threadIndex().x % kOrderedLanes;
    for (std::uint64_t first = std::uint64_t(blockIndex().x) * kOrderedRows; first < a.size;
         first += std::uint64_t(gridSize().x) * kOrderedRows)
    {
        const std::uint64_t i = first + threadIndex().x / kOrderedLanes;
        const double* const row = a.values + i * a.pitch;
        double sum = 0;
        if (i < a.size)
            for (std::uint64_t j = lane; j < whole; j += kOrderedLanes)
                sum += row[j] * arguments.x[j];
        OROGEN_UNROLL
        for (unsigned lanes = kOrderedLanes / 2; lanes > 0; lanes /= 2)
            sum += shuffleXor(kAllLanes, sum, lanes);
        if (i >= a.size || lane != 0) continue;
        for (std::uint64_t j = whole; j < a.size; ++j)
            sum += row[j] * arguments.x[j];
        arguments.y[i] = sum;
    }
}

OROGEN_DEVICE inline void multiplyInOrder(const OrderedMultiplyArguments<SparseRows<double>>& arguments)
{
    const SparseRows<double>& a = arguments.a;
    eachIndex(a.size, [&](std::uint64_t i) {
        double sum = 0;
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
            sum += a.values[k] * arguments.x[a.columns[k]];
        arguments.y[i] = sum;
    });
}

OROGEN_DEVICE inline void multiplyInOrder(const OrderedMultiplyArguments<PoissonRows<double>>& arguments)
{
    const std::uint64_t width = arguments.a.width, size = arguments.a.size;
    const double* const x = arguments.x;
    eachIndex(size, [&](std::uint64_t i) {
        const std::uint64_t column = i % width;
        double sum = 4 * x[i];
        if (i >= width) sum -= x[i - width];
        if (column > 0) sum -= x[i - 1];
        if (column + 1 < width) sum -= x[i + 1];
        if (i + width < size) sum -= x[i + width];
        arguments.y[i] = sum;
    });
}

OROGEN_DEVICE inline void cgOrderedDense(const OrderedMultiplyArguments<DenseRows<double>>& arguments)
{
    multiplyInOrder(arguments);
}
OROGEN_DEVICE inline void cgOrderedSparse(const OrderedMultiplyArguments<SparseRows<double>>& arguments)
{
    multiplyInOrder(arguments);
}
OROGEN_DEVICE inline void cgOrderedPoisson(const OrderedMultiplyArguments<PoissonRows<double>>& arguments)
{
    multiplyInOrder(arguments);
}

OROGEN_DEVICE inline void cgOrderedCombine(const OrderedCombineArguments& arguments)
{
    eachIndex(arguments.size, [&](std::uint64_t i) {
        const double w = arguments.ofW * arguments.w[i];
        arguments.v[i] = arguments.ofV == 0 ? w : arguments.ofV * arguments.v[i] + w;
    });
}

OROGEN_DEVICE inline void cgScale(const ScaleArguments& arguments)
{
    eachIndex(arguments.size, [&](std::uint64_t i) { arguments.z[i] = arguments.inverse[i] * arguments.r[i]; });
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(cgOrderedDense, OrderedMultiplyArguments<DenseRows<double>>, kCgThreads)
OROGEN_KERNEL_OF(cgOrderedDense, OrderedMultiplyArguments<DenseRows<double>>)
OROGEN_KERNEL(cgOrderedSparse, OrderedMultiplyArguments<SparseRows<double>>, kCgThreads)
OROGEN_KERNEL_OF(cgOrderedSparse, OrderedMultiplyArguments<SparseRows<double>>)
OROGEN_KERNEL(cgOrderedPoisson, OrderedMultiplyArguments<PoissonRows<double>>, kCgThreads)
OROGEN_KERNEL_OF(cgOrderedPoisson, OrderedMultiplyArguments<PoissonRows<double>>)
OROGEN_KERNEL(cgOrderedCombine, OrderedCombineArguments, kCgThreads)
OROGEN_KERNEL_OF(cgOrderedCombine, OrderedCombineArguments)
OROGEN_KERNEL(cgScale, ScaleArguments, kCgThreads)
OROGEN_KERNEL_OF(cgScale, ScaleArguments)

}  // namespace orogen::compute
