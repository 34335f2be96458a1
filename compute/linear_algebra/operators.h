// What conjugate gradients need of a matrix: its product with a vector.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/sparse.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

// Symmetric.  Products have the same bits for any number of threads.
template <class Real>
class OperatorOf
{
public:
    virtual ~OperatorOf() = default;
    virtual std::size_t size() const = 0;
    virtual void apply(const Real* x, Real* y, ThreadPool& pool) const = 0;  // y = A x; x and y apart
    virtual void diagonal(Real* d) const = 0;
};
using SingleOperator = OperatorOf<float>;

class LinearOperator : public OperatorOf<double>
{
public:
    // A times `scale`, each element rounded to single precision: a copy where A has elements, of a half of them where
    // this operator reads a half.  Null where an operator offers none.  The operator must outlive it.
    virtual std::unique_ptr<SingleOperator> inSingle(double, ThreadPool&) const { return nullptr; }
};

// Reads all of the matrix.  It must outlive the operator, here and below, unless it says otherwise.
std::unique_ptr<LinearOperator> denseOperator(const Matrix& a);
std::unique_ptr<LinearOperator> sparseOperator(const SparseMatrix& a);

// Reads only its lower half, where it lies.
std::unique_ptr<LinearOperator> denseLowerOperator(const Matrix& a);

// Reads only its lower half, of which it makes a copy: half the memory traffic of a product.
std::unique_ptr<LinearOperator> denseHalfOperator(const Matrix& a);
std::unique_ptr<LinearOperator> sparseHalfOperator(const SparseMatrix& a);  // on one thread

// Poisson's equation on a grid of width x height inner points: 4 on the diagonal, -1 for each neighbour; matrix-free.
std::unique_ptr<LinearOperator> poissonOperator(std::size_t width, std::size_t height);

// For methods that need its elements.
SparseMatrix poissonMatrix(std::size_t width, std::size_t height);
Matrix denseOf(const SparseMatrix& a);

}  // namespace orogen::compute
