// Implicit diffusion on a raster: solves (1 + t L) x = b, where (L x)_i sums (x_i - x_j) / d_ij^2 over the four
// neighbours j of cell i at distance d_ij.
//
// No flux crosses the raster's border, nor the border of cells that are outside (Neumann).  Fixed cells keep x = 0
// (Dirichlet), so that a solution is a change of heights.  The matrix is never stored.
//
// The solver is the conjugate gradient method (conjugate_gradients.h), preconditioned by one V-cycle of multigrid in
// single precision.  A coarser level joins 2 x 2 cells: identities add up, and weights count half, which over squares
// is the five-point stencil again (as in void_multigrid.h).  Levels end where the identity outweighs the diffusion, so
// short steps need none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/operators.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

enum class CellKind : std::uint8_t
{
    kOutside,  // no data
    kFree,
    kFixed,
};

// A raster's cells, row by row, and the diffusion between neighbours in a step.
struct DiffusionGrid
{
    std::span<const CellKind> kinds;
    int width = 0, height = 0;
    double alongX = 0, alongY = 0;  // t over the squared spacing (>= 0)
};

// The matrix 1 + t L.  Takes a byte a cell; a product reads 17 bytes a cell.
class DiffusionOperator final : public LinearOperator
{
public:
    explicit DiffusionOperator(const DiffusionGrid& grid);

    std::size_t size() const override { return links_.size(); }
    void apply(const double* x, double* y, ThreadPool& pool) const override;  // x is 0 in cells that are not free
    void diagonal(double* d) const override;

    // Computes t L h for heights that fixed cells have, too; 0 in cells that are not free.
    void laplacian(const double* h, double* out, ThreadPool& pool) const;
    // Returns the sum of t (h_i - h_j) / d_ij^2 over neighbours i, free, and j, fixed.
    double fluxToFixed(const double* h) const;

private:
    template <bool kIdentity>
    void product(const double* x, double* y, ThreadPool& pool) const;

    DiffusionGrid grid_;
    std::vector<std::uint8_t> links_;      // a bit for each neighbour that the cell exchanges material with
    std::vector<std::uint8_t> plainRows_;  // 1: all links exist, but for the first and the last cell
};

// Its preconditioner.  Takes about 32 bytes a cell.
class DiffusionMultigrid final : public Preconditioner
{
public:
    explicit DiffusionMultigrid(const DiffusionGrid& grid);
    void apply(const double* r, double* z, ThreadPool& pool) const override;  // one caller at a time
    int levels() const { return int(levels_.size()); }

private:
    // Arrays have a guard of a row and a cell at both ends, so that sweeps need not test for the border.
    struct Level
    {
        Level(int w, int h);

        int width, height;
        std::vector<float> east, south;        // weight between a cell and the next one; 0 where there is no flux
        std::vector<float> diagonal, inverse;  // 1 in cells that are not free
        mutable std::vector<float> right, answer;

        std::size_t at(int x, int y) const { return std::size_t(y + 1) * std::size_t(width) + std::size_t(x) + 1; }
    };
    // Parts of the diagonals: identity, and flux to fixed cells.
    struct Parts
    {
        std::vector<float> identity, fixed;
    };

    static Level finest(const DiffusionGrid& grid, Parts& parts);
    static Level coarser(const Level& fine, Parts& parts);
    static void sweep(const Level& level, int colour, ThreadPool& pool);
    static void restrictResidual(const Level& fine, const Level& coarse, ThreadPool& pool);
    static void prolong(const Level& fine, const Level& coarse, ThreadPool& pool);
    void cycle(std::size_t depth, ThreadPool& pool) const;

    std::vector<Level> levels_;
};

}  // namespace orogen::compute
