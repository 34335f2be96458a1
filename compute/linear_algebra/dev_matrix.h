// Dense matrix of doubles on a GPU or on the host executor: devMatrix of paper 003 (Ustyuzhanin, Pitskhelauri,
// Nekrasov, Table 1), row by row like Matrix.  Copies are explicit, so that `a = std::move(a) + b` needs two matrices
// on the GPU, not three.
//
// Errors propagate: a matrix computed from one with an error holds that error, which status() and toMatrix() return.
// So expressions can be written as in the paper and checked once, at their end.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/kernels/matrix_kernels.h"
#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

enum class ProductKernel
{
    kPaper,     // one thread per element
    kByTerms,   // threads share an element's terms and add them atomically: the last bits vary between runs
    kByBlocks,  // one block per element
    kTiled,     // our own: tiles of 64 x 64 in shared memory, each element summed as in kPaper
    kTensor,    // our own: tiles of 64 x 64 by matrix instructions; the last bits may depend on the GPU
};
std::string_view textOf(ProductKernel kernel);  // "paper", "by-terms", "by-blocks", "tiled", "tensor"

constexpr ProductKernel kProductKernels[] = {ProductKernel::kPaper, ProductKernel::kByTerms, ProductKernel::kByBlocks,
                                             ProductKernel::kTiled, ProductKernel::kTensor};

class DevMatrix
{
public:
    DevMatrix() = default;
    // Leaves the elements undefined.  The target must outlive the matrix.  If memory does not suffice, status() is the
    // error kLimit, which names the bytes needed.
    DevMatrix(KernelTarget& target, std::uint64_t rows, std::uint64_t columns);
    DevMatrix(KernelTarget& target, std::uint64_t rows, std::uint64_t columns, double value);
    DevMatrix(KernelTarget& target, const Matrix& matrix);
    DevMatrix(DevMatrix&& other) noexcept;
    DevMatrix& operator=(DevMatrix&& other) noexcept;

    DevMatrix copy() const;
    Result<Matrix> toMatrix() const;  // waits for the matrix to be computed

    // Separate steps for timing, which store their result in the existing memory of this matrix.  Shapes must fit
    // (otherwise a programming error).  Launches are of bounded time; error kInterrupted after a stop.
    Status assign(const Matrix& matrix);
    Status assignSum(const DevMatrix& a, const DevMatrix& b, const std::stop_token& stop,
                     LaunchPacer pacer = LaunchPacer());
    Status assignProduct(const DevMatrix& a, const DevMatrix& b, ProductKernel kernel, const std::stop_token& stop,
                         LaunchPacer pacer = LaunchPacer());

    const Status& status() const { return status_; }
    std::uint64_t rows() const { return rows_; }
    std::uint64_t columns() const { return columns_; }

    // Shapes that do not fit are errors (kInput) that name both shapes.  The result takes the memory of an rvalue, so
    // that there is no third matrix.
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
    ProductArguments productOf(const DevMatrix& a, const DevMatrix& b);  // for this = a b

    KernelTarget* target_ = nullptr;
    std::uint64_t rows_ = 0, columns_ = 0;
    TargetMemory memory_;
    Status status_;
};

DevMatrix product(const DevMatrix& a, const DevMatrix& b, ProductKernel kernel);
inline DevMatrix operator*(const DevMatrix& a, const DevMatrix& b) { return product(a, b, ProductKernel::kTiled); }

// ---- for launches and their tests ----

// Launch that covers a part of a matrix: the part's first element and the grid of blocks.
struct GridPart
{
    MatrixPlace first;
    Dim3 grid;
};

// Divides a matrix among as many launches as CUDA's limits require, if a block covers tileRows x tileColumns elements.
std::vector<GridPart> gridParts(std::uint64_t rows, std::uint64_t columns, unsigned tileRows, unsigned tileColumns);

}  // namespace orogen::compute
