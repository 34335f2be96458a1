// Preconditioner for symmetric five-point stencils on a grid: one V-cycle of multigrid in single precision.
//
// A row of the matrix is (identity + fixed + sum of the four weights) on the diagonal and minus a weight for each
// neighbour; all parts are >= 0.  A coarser level joins blocks of 2 x 2 cells.  Identities are added.  Weights between
// two blocks are added and halved, because the blocks' centres are twice as far apart.  Levels end where the weights of
// every cell are below a quarter of its identity, or at 64 cells.  The smoother is red-black Gauss-Seidel, in the
// opposite order on the way up: the cycle is symmetric and positive definite, and its bits do not depend on the number
// of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

// A level of the grid.  Arrays have a guard of a row and a cell at both ends: reads beyond the border are valid.
struct GridLevel
{
    GridLevel(int w, int h);

    // Weights and diagonal that all cells of a row share, except its first and last cell.  Valid only if `isPlain`;
    // sweeps then need not read the arrays of weights.
    struct Row
    {
        bool isPlain = false;
        float across = 0, above = 0, below = 0, diagonal = 1, inverse = 1;
    };

    int width, height;
    std::vector<Row> rows = {};
    std::vector<float> east, south;            // weight between a cell and its neighbour in that direction; 0 if none
    std::vector<float> diagonal, inverse;      // inverse: 1 / diagonal; both 1 in cells that are no unknowns
    mutable std::vector<float> right, answer;  // right-hand side and solution of a cycle

    std::size_t at(int x, int y) const { return std::size_t(y + 1) * std::size_t(width) + std::size_t(x) + 1; }
};

// A level, and the parts of its diagonal besides the weights, indexed as the level's arrays.  A cell whose parts
// and weights are all 0 is no unknown.
struct GridStencil
{
    explicit GridStencil(int width, int height);

    GridLevel level;
    std::vector<float> identity, fixed;  // fixed: weights to neighbours that are known
    double scale = 1;                    // the matrix is this number times that of the stencil
};

// Parses "NxM", the size of a grid; empty if N or M is no number of at least 1.
std::optional<std::pair<std::uint64_t, std::uint64_t>> gridOf(std::string_view text);

// Returns the grid of Poisson's equation, with the matrix of poissonOperator().
GridStencil poissonStencil(int width, int height);
// Returns the grid of a symmetric sparse matrix.  Divides by a power of two if elements may exceed the range of single
// precision.  Empty if the matrix is not that of a grid: wrong neighbours, positive elements off the diagonal, a
// diagonal that is not positive, or a row whose sum is negative.
std::optional<GridStencil> stencilOf(const SparseMatrix& a);

class GridMultigrid final : public Preconditioner
{
public:
    // Takes about 32 bytes per cell.
    explicit GridMultigrid(GridStencil stencil);
    void apply(const double* r, double* z, ThreadPool& pool) const override;  // one caller at a time
    int levels() const { return int(levels_.size()); }
    std::span<const GridLevel> grids() const { return levels_; }  // finest first
    // Returns how often the smoother visits both colours of a level, on the way down and on the way up.
    int sweeps(std::size_t depth) const;

private:
    void cycle(std::size_t depth, ThreadPool& pool) const;

    std::vector<GridLevel> levels_;
    double scale_;  // scale of the stencil
};

}  // namespace orogen::compute
