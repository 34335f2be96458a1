// Matrices as conjugate gradients use them: by their product with a vector.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "compute/linear_algebra/matrix.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

// Square matrix, symmetric for all solvers but Cramer's rule.  Products have the same bits for any number of threads.
template <class Real>
class OperatorOf
{
public:
    virtual ~OperatorOf() = default;
    virtual std::size_t size() const = 0;
    virtual void apply(const Real* x, Real* y, ThreadPool& pool) const = 0;  // y = A x; x and y do not overlap
    virtual void diagonal(Real* d) const = 0;

    // Multiplies several vectors, with the bits of apply().  Operators that read all of A read it once for all vectors.
    virtual void applyAll(std::span<const Real* const> x, std::span<Real* const> y, ThreadPool& pool) const
    {
        for (std::size_t i = 0; i < x.size(); ++i)
            apply(x[i], y[i], pool);
    }
};
using SingleOperator = OperatorOf<float>;

class LinearOperator : public OperatorOf<double>
{
public:
    // Returns A times a scale (the first argument) with elements rounded to single precision; null if unsupported.
    // Copies the elements of A, or of its half if this operator reads a half.  This operator must outlive the copy.
    virtual std::unique_ptr<SingleOperator> inSingle(double, ThreadPool&) const { return nullptr; }
};

// Return operators that read all of the matrix.  The matrix must outlive the operators, here and below, unless stated
// otherwise.
std::unique_ptr<LinearOperator> denseOperator(const Matrix& a);
std::unique_ptr<LinearOperator> sparseOperator(const SparseMatrix& a);

// Reads only the lower half, in place.
std::unique_ptr<LinearOperator> denseLowerOperator(const Matrix& a);

// Copies the lower half, so the matrix need not outlive the operator, and a product has half the memory traffic.
std::unique_ptr<LinearOperator> denseHalfOperator(const Matrix& a);
std::unique_ptr<LinearOperator> sparseHalfOperator(const SparseMatrix& a);  // products on one thread

// Poisson's equation on a grid of width x height inner points: 4 on the diagonal, -1 for each neighbour; matrix-free.
std::unique_ptr<LinearOperator> poissonOperator(std::size_t width, std::size_t height);

// Return explicit elements, for methods that need them: the matrix of poissonOperator(), and a dense copy.
SparseMatrix poissonMatrix(std::size_t width, std::size_t height);
Matrix denseOf(const SparseMatrix& a);

}  // namespace orogen::compute
