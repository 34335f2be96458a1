// Fills the voids of an elevation model by Laplace's equation.
//
//   solveVoids()       heights for the voids of a raster
//   withVoidsFilled()  inserts these heights into a raster or a height field
//
// Every void cell becomes the mean of its neighbours (the five-point stencil), like a soap film over the hole.  The
// fill has no step at the hole's edge, and stays within the range of the surrounding heights.  Each void cell has one
// equation:
//   (number of neighbours) x - sum of neighbours that are voids = sum of neighbours that are known.
// Boundary conditions: known cells keep their heights (Dirichlet); the flux across the raster's border is 0 (Neumann).
// Cells count as squares, whatever their size on the ground.  Heights are returned in the unit of the known ones.  All
// holes form one system, never stored as a matrix.  The system is positive definite: every hole has a known neighbour.
//
// The solver is the conjugate gradient method after Hestenes and Stiefel (conjugate_gradients.h) in doubles,
// preconditioned by one multigrid cycle.  It takes 15 to 30 iterations for a hole of any size; without the multigrid a
// hole of n x n cells takes 2.5 n.  Memory: about 210 bytes per void.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "core/base/status.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"

namespace orogen::compute {

// Unknown of the finest level: one void cell of the raster.
struct VoidCell
{
    std::uint32_t x = 0, y = 0;
    std::uint32_t to[4] = {};  // indices of the neighbouring unknowns; its own index where there is none
    // Number of neighbours within the raster, unknown or known.  Each hole has a cell with a known neighbour.
    std::uint8_t neighbours = 0;
};

// One V-cycle of multigrid.  Each coarser level joins blocks of 2 x 2 cells.
class VoidMultigrid final : public Preconditioner
{
public:
    // `cells`: row by row.  Takes about 80 bytes per cell.  After a stop, levels are missing: do not use the object.
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
        std::vector<std::uint32_t> parents;         // on the next level; kNoNode for an isolated node
        std::vector<std::uint32_t> children;        // on the previous level, four each; kNoNode where fewer
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

struct VoidFillingOptions
{
    double tolerance = 1e-8;          // residual relative to the right-hand side
    std::uint64_t maxIterations = 0;  // 0: 10 times the number of voids
    bool multigrid = true;            // precondition the solver by multigrid
    int threads = 1;                  // does not change the bits of the result
    std::stop_token stop = {};        // polled every iteration
    std::function<void(std::uint64_t iteration, double relativeResidual)> watch = {};  // called from iteration 0 on
};

struct VoidFilling
{
    std::vector<double> heights;  // one per void, row by row; in the unit of the known heights
    std::uint64_t iterations = 0;
    // ||A x - b|| / ||b||, recomputed from the heights; 0 for b = 0.  Heights are relative to a level that makes ||b||
    // about minimal, so that the residual does not depend on the terrain's altitude.
    double relativeResidual = 0;
    std::vector<double> history;  // relative residuals as the algorithm computes them, from the start on
    double solveMs = 0;           // includes building the multigrid, excludes building the system
};

// Computes heights for the voids of `heights` (width x height, row by row; NaN is a void).  Without voids the result is
// empty.  Errors: kInput (no height is known, or a known one is infinite), kLimit (memory), kInterrupted, kNo (not
// converged; the message names the residual reached).
Result<VoidFilling> solveVoids(std::span<const float> heights, int width, int height,
                               const VoidFillingOptions& options = {});

// Solves as solveVoids(), to a tolerance of 1e-5 in one thread, and returns the heights alone. Membranes around insets
// on the Earth use this function (core/terrain/earth/inset_membrane.h).
Result<std::vector<double>> membraneOver(std::span<const float> heights, int width, int height);

// Returns how far a solve has progressed from the residual `first` to `tolerance`, in [0, 1], on a logarithmic scale.
double progressOf(double residual, double first, double tolerance);

}  // namespace orogen::compute

namespace orogen {

// Both functions fill voids with `heights`, one per void, row by row (metres).  Known heights stay equal bit for bit.

// Rounds to whole metres if all known heights are whole numbers, and clamps to the range of known heights.
Raster withVoidsFilled(const Raster& raster, std::span<const double> heights);

// Removes the void mask.  Halves the step of exact 16-bit codes, down to 1/16 m while they fit: whole metres would form
// a staircase.
HeightField withVoidsFilled(const HeightField& field, std::span<const double> heights);

// Returns the heights of a field (metres), NaN where the source has no data.
std::vector<float> knownHeights(const HeightField& field);

}  // namespace orogen
