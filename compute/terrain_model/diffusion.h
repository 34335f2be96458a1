// Implicit diffusion on a raster: solves (1 + t L) x = b.  (L x)_i sums (x_i - x_j) / d_ij^2 over the four neighbours j
// of cell i at distance d_ij.  t is the diffusivity times the duration of a step (m^2).
//
// No flux crosses the raster's border, nor the border of cells that are outside (Neumann).  Fixed cells keep x = 0
// (Dirichlet), so that a solution is a change of heights.  DiffusionOperator does not store the matrix.
//
// The solver is the conjugate gradient method (conjugate_gradients.h), preconditioned by GridMultigrid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/grid_multigrid.h"
#include "compute/linear_algebra/operators.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

enum class CellKind : std::uint8_t
{
    kOutside,  // no data
    kFree,     // its height changes
    kFixed,    // keeps its height
};

// A raster's cells, row by row, and the diffusion between neighbours in a step.
struct DiffusionGrid
{
    std::span<const CellKind> kinds;
    int width = 0, height = 0;
    double alongX = 0, alongY = 0;  // t over the squared spacing (>= 0)
};

// Neighbours that a cell exchanges material with, as bits.
enum Link : std::uint8_t
{
    kWest = 1,
    kEast = 2,
    kNorth = 4,
    kSouth = 8,
    kAllLinks = 15,
};
// Returns the links of a cell; 0 if the cell is not free.
std::uint8_t linksOf(const DiffusionGrid& grid, int x, int y);

// The matrix 1 + t L.  Takes a byte per cell; a product reads and writes 17 bytes per cell.
class DiffusionOperator final : public LinearOperator
{
public:
    explicit DiffusionOperator(const DiffusionGrid& grid);

    std::size_t size() const override { return links_.size(); }
    void apply(const double* x, double* y, ThreadPool& pool) const override;  // x is 0 in cells that are not free
    void diagonal(double* d) const override;

    // Computes t L h, where fixed cells have heights, too.  The result is 0 in cells that are not free.
    void laplacian(const double* h, double* out, ThreadPool& pool) const;
    // Returns the sum of t (h_i - h_j) / d_ij^2 over all pairs of a free cell i and a fixed neighbour j.
    double fluxToFixed(const double* h) const;

private:
    template <bool kIdentity>
    void product(const double* x, double* y, ThreadPool& pool) const;

    DiffusionGrid grid_;
    std::vector<std::uint8_t> links_;      // a bit for each neighbour that the cell exchanges material with
    std::vector<std::uint8_t> plainRows_;  // 1: all links exist, except at the first and the last cell
};

// Returns the stencil of 1 + t L for GridMultigrid.
GridStencil stencilOf(const DiffusionGrid& grid);

// Connected parts of a raster, whose cells links join, for grids without fixed cells.  Diffusion keeps the mean height
// of each part.
class LinkedParts
{
public:
    explicit LinkedParts(const DiffusionGrid& grid);
    void removeMeans(std::span<double> x) const;  // subtracts from each cell the mean over its part

private:
    static constexpr std::uint32_t kNoPart = ~std::uint32_t(0);

    std::vector<std::uint32_t> parts_;  // part of each cell; kNoPart: outside
    std::uint32_t count_ = 0;
};

}  // namespace orogen::compute
