// A matrix on a target, in one of the forms that kernels read, and its product with a vector.
#pragma once

#include <stop_token>
#include <variant>

#include "compute/linear_algebra/kernels/cg_device.h"
#include "compute/linear_algebra/kernels/cg_memory.h"
#include "compute/linear_algebra/kernels/cg_shapes.h"
#include "compute/linear_algebra/kernels/cg_steps.h"

namespace orogen::compute {

template <class T>
using MatrixView = std::variant<DenseRows<T>, HalfRows<T>, SparseRows<T>, PoissonRows<T>>;

// How many lanes share a row of so many elements on the average: none is without work in most rows.
unsigned lanesOfRows(std::uint64_t elements, std::uint64_t rows);

template <class T>
class TargetMatrix
{
public:
    TargetMatrix(const KernelSystem& system, CgMemory& memory) : system_(system), memory_(memory) {}

    // A, of doubles.  Errors: of the target; kInterrupted after a stop, which is looked at every few milliseconds.
    Status place(const std::stop_token& stop);
    // Of floats: the same as `other`, which must outlive it where both are sparse, times a power of two, which is 1 of
    // a grid.
    Status placeNarrowed(const TargetMatrix<double>& other, double scale);

    std::uint64_t size() const;
    const MatrixView<T>& view() const { return view_; }
    Status multiply(const T* x, T* y, std::uint64_t mostBlocks, const CgState* state);

private:
    template <class Other>
    friend class TargetMatrix;

    Status placeRows(const std::stop_token& stop);  // these three of doubles
    Status placeHalf(const std::stop_token& stop);
    Status placeSparse();
    // Sets the view, from memory that is there.
    void setView(const std::uint64_t* starts, const std::uint32_t* columns);
    std::uint64_t elements() const;  // of values_

    const KernelSystem& system_;
    CgMemory& memory_;
    MatrixView<T> view_;
    TargetMemory values_, starts_, columns_;  // values: rows, or tiles of the half
    TargetMemory shares_;
};

}  // namespace orogen::compute
