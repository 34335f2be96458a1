// Matrix on a target, in one of the forms that kernels read, and its product with a vector.
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

// Returns how many lanes share a row, by the mean number of elements per row: in most rows all lanes have work.
unsigned lanesOfRows(std::uint64_t elements, std::uint64_t rows);

template <class T>
class TargetMatrix
{
public:
    TargetMatrix(const KernelSystem& system, CgMemory& memory) : system_(system), memory_(memory) {}

    // Places A in doubles.  Errors: the target's; kInterrupted after a stop, which is polled every few milliseconds.
    Status place(const std::stop_token& stop);
    // Places `other` times a power of two in floats; the power is 1 for a grid.  `other` must outlive this if sparse.
    Status placeNarrowed(const TargetMatrix<double>& other, double scale);

    std::uint64_t size() const;
    const MatrixView<T>& view() const { return view_; }
    Status multiply(const T* x, T* y, std::uint64_t mostBlocks, const CgState* state);

private:
    template <class Other>
    friend class TargetMatrix;

    Status placeRows(const std::stop_token& stop);  // these three are for doubles
    Status placeHalf(const std::stop_token& stop);
    Status placeSparse();
    // Sets the view from the allocated memory.
    void setView(const std::uint64_t* starts, const std::uint32_t* columns);
    std::uint64_t elements() const;  // elements in values_

    const KernelSystem& system_;
    CgMemory& memory_;
    MatrixView<T> view_;
    TargetMemory values_, starts_, columns_;  // values_: rows, or tiles of the half
    TargetMemory shares_;
};

}  // namespace orogen::compute
