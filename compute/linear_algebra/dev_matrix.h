// A dense matrix of doubles on a GPU, or on the host executor: the paper's devMatrix (Ustyuzhanin, Pitskhelauri,
// Nekrasov, Table 1), row by row as Matrix is.  It moves and is not copied by accident, so that `a = std::move(a) + b`
// has two of them alive on the GPU, not three.
//
// Errors travel with the matrix: what is made of a matrix that holds an error holds that error, and status() and
// toMatrix() give it.  So expressions can be written as in the paper, and be judged once, at their end.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/device/launch_slices.h"
#include "compute/device/planned_launch.h"
#include "compute/linear_algebra/kernels/matrix_place.h"
#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

struct ProductArguments;

enum class ProductKernel
{
    kPaper,     // a thread an element
    kByTerms,   // a thread a term of an element's sum, added atomically: the last bits are not the same each time
    kByBlocks,  // a block an element
    kTiled,     // ours: tiles of 64 x 64 in shared memory, each element summed as in kPaper
    kTensor,    // ours: such tiles by matrix instructions; the last bits may be other ones on another GPU
};
std::string_view textOf(ProductKernel kernel);  // "paper", "by-terms", "by-blocks", "tiled", "tensor"

constexpr ProductKernel kProductKernels[] = {ProductKernel::kPaper, ProductKernel::kByTerms, ProductKernel::kByBlocks,
                                             ProductKernel::kTiled, ProductKernel::kTensor};

class DevMatrix
{
public:
    DevMatrix() = default;
    // The target must outlive the matrix.  Not filled.  kLimit, with what it would need, where it does not fit.
    DevMatrix(KernelTarget& target, std::uint64_t rows, std::uint64_t columns);
    DevMatrix(KernelTarget& target, std::uint64_t rows, std::uint64_t columns, double value);
    DevMatrix(KernelTarget& target, const Matrix& matrix);
    DevMatrix(DevMatrix&& other) noexcept;
    DevMatrix& operator=(DevMatrix&& other) noexcept;

    DevMatrix copy() const;
    Result<Matrix> toMatrix() const;  // waits until it has been made

    // The same in steps of their own, for what is timed: memory that is there takes up what is made.  Shapes have to
    // fit (a programmer's error).  In launches of bounded time, kInterrupted after a stop; a pacer of its own is for
    // tests.
    Status assign(const Matrix& matrix);
    Status assignSum(const DevMatrix& a, const DevMatrix& b, const std::stop_token& stop,
                     LaunchPacer pacer = LaunchPacer());
    Status assignProduct(const DevMatrix& a, const DevMatrix& b, ProductKernel kernel, const std::stop_token& stop,
                         LaunchPacer pacer = LaunchPacer());

    const Status& status() const { return status_; }
    std::uint64_t rows() const { return rows_; }
    std::uint64_t columns() const { return columns_; }

    // Shapes that do not fit are errors (kInput) that name both.  An rvalue is used up: no third matrix.
    friend DevMatrix operator+(const DevMatrix& a, const DevMatrix& b);
    friend DevMatrix operator+(DevMatrix&& a, const DevMatrix& b);
    friend DevMatrix operator-(const DevMatrix& a, const DevMatrix& b);
    friend DevMatrix operator-(DevMatrix&& a, const DevMatrix& b);
    friend DevMatrix operator*(const DevMatrix& a, double factor);
    friend DevMatrix operator*(DevMatrix&& a, double factor);
    friend DevMatrix product(const DevMatrix& a, const DevMatrix& b, ProductKernel kernel);

private:
    static DevMatrix failed(Error error);
    static DevMatrix combined(const char* what, const DevMatrix& a, const DevMatrix& b, double beta);
    static DevMatrix combined(const char* what, DevMatrix&& a, const DevMatrix& b, double beta);
    void combine(const DevMatrix& a, double alpha, const DevMatrix* b, double beta);
    void note(Status status);
    ProductArguments productOf(const DevMatrix& a, const DevMatrix& b);  // this is a b

    KernelTarget* target_ = nullptr;
    std::uint64_t rows_ = 0, columns_ = 0;
    TargetMemory memory_;
    Status status_;
};

DevMatrix product(const DevMatrix& a, const DevMatrix& b, ProductKernel kernel);
inline DevMatrix operator*(const DevMatrix& a, const DevMatrix& b) { return product(a, b, ProductKernel::kTiled); }

// ---- for launches and their tests ----

// Products of 8192 x 8192 matrices by the kernels that keep tiles in shared memory, each in one launch (a real one is
// cut into launches of bounded time).
std::vector<PlannedLaunch> plannedProducts(const ResidentBlocks& resident);

// A launch that covers a part of a matrix.
struct GridPart
{
    MatrixPlace first;
    Dim3 grid;
};

// Blocks of tileRows x tileColumns elements, in as many launches as CUDA's limits ask for.
std::vector<GridPart> gridParts(std::uint64_t rows, std::uint64_t columns, unsigned tileRows, unsigned tileColumns);

}  // namespace orogen::compute
