// Preconditioner for Laplace's equation over the voids of a raster: one V-cycle of multigrid.
//
// A coarser level joins blocks of 2 x 2 cells.  An entry of its matrix is half the sum of the blocks' entries.  Over a
// grid of squares that is the five-point stencil again.  Braess scales similarly ("Towards algebraic multigrid for
// elliptic problems of second order", Computing 55, 1995).  The smoother is red-black Gauss-Seidel, in the opposite
// order on the way up.  So the cycle is symmetric, positive definite whatever the scale, and independent of the number
// of threads.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"

namespace orogen::compute {

// Unknown of the finest level: one void cell of the raster.
struct VoidCell
{
    std::uint32_t x = 0, y = 0;
    std::uint32_t to[4] = {};  // indices of the neighbouring unknowns; its own index where there is none
    // Number of neighbours within the raster, unknown or known.  Each hole has a cell with a known neighbour.
    std::uint8_t neighbours = 0;
};

class VoidMultigrid final : public Preconditioner
{
public:
    // `cells`: row by row.  Takes about 80 bytes per cell.  After a stop it has fewer levels and must not be used.
    explicit VoidMultigrid(std::span<const VoidCell> cells, const std::stop_token& stop = {});
    void apply(const double* r, double* z, ThreadPool& pool) const override;  // one caller at a time

private:
    struct Node
    {
        std::uint32_t to[4];  // neighbours; the node itself, with weight 0, where there is none
        float weight[4];
        float diagonal, inverse;
    };
    struct Place
    {
        std::uint32_t x, y;
        std::uint32_t colour() const { return (x ^ y) & 1; }
    };
    struct Level
    {
        std::vector<Node> nodes;
        std::vector<Place> places;
        std::vector<std::uint32_t> parents;         // on the next level; kNone for an isolated node
        std::vector<std::uint32_t> children;        // on the previous level, four each; kNone where fewer
        mutable std::vector<double> right, answer;  // right-hand side and solution; unused on the finest
    };

    static Level finest(std::span<const VoidCell> cells);
    static void join(Level& fine, Level& coarse);
    static void sumUp(const Level& fine, Level& coarse);

    static void sweep(const Level& level, std::uint32_t colour, const double* r, double* z, ThreadPool& pool);
    static void restrictResidual(const Level& fine, const Level& coarse, const double* r, const double* z,
                                 ThreadPool& pool);
    void cycle(std::size_t depth, const double* r, double* z, ThreadPool& pool) const;

    std::vector<Level> levels_;
};

}  // namespace orogen::compute
