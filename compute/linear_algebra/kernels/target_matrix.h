// Memory on a target (a GPU or the host executor) with the times of its use, and shapes of launches.  Also a matrix on
// a target, in one of the forms that kernels read, and its product with a vector.
#pragma once

#include <algorithm>
#include <span>
#include <stop_token>
#include <variant>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/kernels/cg_persistent.h"
#include "compute/linear_algebra/kernels/cg_steps.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "core/base/clock.h"

namespace orogen::compute {

struct CgTimes
{
    double allocateMs = 0, uploadMs = 0, kernelMs = 0, downloadMs = 0;
};

// Allocations, transfers and launches on a target, with the sums of their times.
class CgMemory
{
public:
    explicit CgMemory(KernelTarget& target) : target_(target) {}

    KernelTarget& target() const { return target_; }
    const CgTimes& times() const { return times_; }

    Status allocate(TargetMemory& memory, std::size_t bytes)
    {
        const Clock::time_point start = Clock::now();
        Result<TargetMemory> made = target_.allocate(std::max<std::size_t>(bytes, 1));
        times_.allocateMs += millisecondsSince(start);
        if (!made) return made.error();
        memory = std::move(*made);
        return Status::ok();
    }
    Status allocateZeros(TargetMemory& memory, std::size_t bytes)
    {
        if (Status status = allocate(memory, bytes); !status) return status;
        return target_.fill(memory, 0);
    }

    Status upload(void* to, const void* from, std::size_t bytes)
    {
        if (Status status = pauseKernels(); !status) return status;
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.upload(to, from, bytes); !status) return status;
        return stopClock(times_.uploadMs);
    }
    template <class T>
    Status place(TargetMemory& memory, std::span<const T> values)
    {
        if (Status status = allocate(memory, values.size_bytes()); !status) return status;
        return upload(memory.as<void>(), values.data(), values.size_bytes());
    }

    // Launches the kernel that takes these arguments.
    template <class Arguments>
    Status launch(const LaunchShape& shape, const Arguments& arguments)
    {
        if (Status status = startKernels(); !status) return status;
        return target_.launch(kernelOf(&arguments), shape, arguments);
    }
    Status copy(void* to, const void* from, std::size_t bytes)
    {
        if (Status status = startKernels(); !status) return status;
        return target_.copy(to, from, bytes);
    }
    template <class T>
    Status download(std::span<T> to, const void* from)
    {
        if (Status status = pauseKernels(); !status) return status;
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.download(to.data(), from, to.size_bytes()); !status) return status;
        return stopClock(times_.downloadMs);
    }

    // Stops the clock of kernels before calls that measure their own time.
    Status pauseKernels()
    {
        if (!running_) return Status::ok();
        running_ = false;
        return stopClock(times_.kernelMs);
    }

private:
    Status startKernels()
    {
        if (running_) return Status::ok();
        running_ = true;
        return target_.startClock();
    }
    Status stopClock(double& sum)
    {
        const Result<double> took = target_.stopClock();
        if (!took) return took.error();
        sum += *took;
        return Status::ok();
    }

    KernelTarget& target_;
    CgTimes times_;
    bool running_ = false;  // whether the clock is timing kernels
};

// ---- shapes of launches, determined by sizes and by limits of the number of blocks ----

// Returns the number of work units that blocks share: groups of rows, tiles, or pieces of a vector.
template <class T>
std::uint64_t unitsOf(const DenseRows<T>& a)
{
    return quotientUp(a.size, kRowsTogether);
}
template <class T>
std::uint64_t unitsOf(const HalfRows<T>& a)
{
    return tilesBefore(a.groups);
}
template <class Rows>
std::uint64_t unitsOf(const Rows& a)
{
    return piecesOf(a).count();
}

// Returns the number of partial sums of (A d, d).
template <class Matrix>
std::uint64_t curvaturesOf(const Matrix& a)
{
    return unitsOf(a);
}
template <class T>
std::uint64_t curvaturesOf(const HalfRows<T>& a)
{
    return a.groups;
}

// Returns a number of blocks, at most `most` (or 1 if that is 0), that gives each block about equally many units, so
// that few blocks are idle at the end.
inline unsigned evenBlocks(std::uint64_t units, std::uint64_t most)
{
    const std::uint64_t some = std::max<std::uint64_t>(units, 1);
    return unsigned(quotientUp(some, quotientUp(some, std::max<std::uint64_t>(most, 1))));
}

// Returns the shape of a persistent launch: all blocks are resident at once.
template <class Matrix>
LaunchShape iterateShape(const Matrix& a, unsigned resident)
{
    return {{evenBlocks(std::max(unitsOf(a), piecesOf(a.size, kPieceStep).count()), resident)}, {kCgThreads}, true};
}

// Returns the shape of a launch whose blocks share the units in strides of the grid.
inline LaunchShape stridingShape(std::uint64_t units, std::uint64_t mostBlocks, unsigned y = 1)
{
    constexpr std::uint64_t kMostBlocks = 65'536;
    return {{evenBlocks(units, std::min(kMostBlocks, mostBlocks)), y}, {kCgThreads}};
}

// Returns the shape of a launch that adds the sums of pieces.
inline LaunchShape oneBlock() { return {{1}, {kCgThreads}}; }

// ---- matrix ----

template <class T>
using MatrixView = std::variant<DenseRows<T>, HalfRows<T>, SparseRows<T>, PoissonRows<T>>;

// Returns how many lanes share a row: the mean number of elements per row, rounded up to an integer, then down to a
// power of two, at most 32.
unsigned lanesOfRows(std::uint64_t elements, std::uint64_t rows);

template <class T>
class TargetMatrix
{
public:
    TargetMatrix(const KernelSystem& system, CgMemory& memory) : system_(system), memory_(memory) {}

    // Allocates A on the target and uploads it in doubles.  Errors: the target's; kInterrupted after a stop, which is
    // polled before each strip of a dense A.
    Status place(const std::stop_token& stop);
    // Allocates and computes `other` times `scale` (a power of two; 1 for a grid), rounded to floats.  A sparse `other`
    // must outlive this object, which uses its starts and columns.
    Status placeNarrowed(const TargetMatrix<double>& other, double scale);

    std::uint64_t size() const;
    const MatrixView<T>& view() const { return view_; }
    // Launches y = A x.  The kernels do nothing if `state` is given and its `end` is not kGoOn.
    Status multiply(const T* x, T* y, std::uint64_t mostBlocks, const CgState* state);

private:
    template <class Other>
    friend class TargetMatrix;

    Status placeRows(const std::stop_token& stop);  // this and the next two require T = double
    Status placeHalf(const std::stop_token& stop);
    Status placeSparse();
    // Sets the view from the allocated memory.
    void setView(const std::uint64_t* starts, const std::uint32_t* columns);
    std::uint64_t elements() const;  // elements in values_

    const KernelSystem& system_;
    CgMemory& memory_;
    MatrixView<T> view_;
    TargetMemory values_, starts_, columns_;  // values_: rows, or tiles of the half
    TargetMemory shares_;                     // HalfRows::shares
};

template <>
Status TargetMatrix<double>::place(const std::stop_token& stop);
template <>
Status TargetMatrix<float>::placeNarrowed(const TargetMatrix<double>& other, double scale);

}  // namespace orogen::compute
