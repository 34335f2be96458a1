// A preconditioner for Laplace's equation over the voids of a raster: one V-cycle of multigrid.
//
// A coarser level joins the cells of 2 x 2 to one.  Its matrix is the sum of theirs, halved: over a grid of squares
// that is the five-point stencil again (Braess, "Towards algebraic multigrid for elliptic problems of second order",
// Computing 55, 1995, scales likewise).  Smoothed by Gauss and Seidel's sweep over one colour of a chessboard and then
// the other, on the way up in the opposite order: so the cycle is symmetric, positive definite whatever that scale, and
// the same for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"

namespace orogen::compute {

// An unknown of the finest level.
struct VoidCell
{
    std::uint32_t x = 0, y = 0;
    std::uint32_t to[4] = {};  // the unknowns around it; itself where there is none
    std::uint8_t neighbours =
        0;  // within the raster, unknown or not; more than the unknown ones somewhere in each hole
};

class VoidMultigrid final : public Preconditioner
{
public:
    // `cells` row by row.  About 80 bytes a cell.  After a stop it has fewer levels and is not worth using.
    explicit VoidMultigrid(std::span<const VoidCell> cells, const std::stop_token& stop = {});
    void apply(const double* r, double* z, ThreadPool& pool) const override;  // by one thread at a time

private:
    struct Node
    {
        std::uint32_t to[4];  // neighbours; itself, with the weight 0, where there is none
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
        std::vector<std::uint32_t> parents;         // on the next level; kNone where a node stands alone
        std::vector<std::uint32_t> children;        // on the level before, four each; kNone where there are fewer
        mutable std::vector<double> right, answer;  // of its system, but for the finest
    };

    static Level finest(std::span<const VoidCell> cells);
    static Level coarser(Level& fine);
    static void join(Level& fine, Level& coarse);
    static void sumUp(const Level& fine, Level& coarse);

    static void sweep(const Level& level, std::uint32_t colour, const double* r, double* z, ThreadPool& pool);
    static void restrictResidual(const Level& fine, const Level& coarse, const double* r, const double* z,
                                 ThreadPool& pool);
    void cycle(std::size_t depth, const double* r, double* z, ThreadPool& pool) const;

    std::vector<Level> levels_;
};

}  // namespace orogen::compute
