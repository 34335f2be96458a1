// A terrain that changes: uplift, rivers that cut into it, slopes that fail, and creep.
//
//     dh/dt = U - K A^(1/2) S + kappa laplacian(h),    slopes up to an angle of repose
//
// h is the height, A the area that drains through a cell, S the slope to its receiver; ModelRates has U, K and kappa.
// A step of duration t applies these processes one after the other:
//   uplift    adds U t to every free cell, times the cell's share (upliftShares()).
//   incision  by stream power (m = 1/2, n = 1) along the receivers (drainage.h), implicit from the outlets upstream
//             (Braun and Willett, "A very efficient O(n), implicit and parallel method to solve the stream power
//             equation", Geomorphology 180-181, 2013).  A cell below its receiver, on the floor of a lake, is not cut.
//             The cut material leaves with the river.
//   failure   moves material downhill until slopes stand, at most kFailures times a step; explicit.
//   creep     by implicit diffusion: (1 + t kappa L) h' = h for the heights h' after it, with L of diffusion.h.
//
// Border: while rivers cut, the cells at the raster's border and beside voids are outlets: they keep their heights, and
// what reaches them leaves.  Without incision nothing crosses the border, and volume is conserved.
//
// Heights are kept as two floats, a height and its remainder, of which the first is drawn.  One float alone would lose
// a change of 0.01 mm per year: at 2,000 m its steps are 0.1 mm.  Steps compute in doubles, the creep's preconditioner
// in floats.  Results have the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/terrain_model/diffusion.h"
#include "compute/terrain_model/drainage.h"
#include "compute/terrain_model/model_device.h"
#include "core/base/status.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

struct ModelRates
{
    double creep = 0;     // kappa (m^2 per year; 0 to 1e6)
    double incision = 0;  // K (per year; 0 to 1): with the area A in m^2, rivers cut K sqrt(A) S metres per year
    double uplift = 0;    // U (metres per year; -1 to 1)
    double repose = 90;   // steepest angle that stands (degrees; 1 to 90); at 90 nothing fails
};

// Sums over the steps of a model.  Volumes in m^3.
struct ModelBalance
{
    double years = 0;
    double uplifted = 0, cut = 0;  // by uplift; by rivers, which carry it away
    double crept = 0, failed = 0;  // moved from cell to cell
    double left = 0;               // moved onto outlets, and lost there
    double change = 0;             // volume after the steps minus volume before them
    double moved() const { return (uplifted < 0 ? -uplifted : uplifted) + cut + crept + failed; }
    // |change - (uplifted - cut - left)| over moved(); 0 if nothing moved.
    double imbalance() const;
};

struct ModelStep
{
    ModelBalance balance;           // this step alone
    double largestChange = 0;       // largest change of one height (metres)
    std::uint64_t iterations = 0;   // conjugate gradients' iterations, for the creep
    double residual = 0;            // relative residual of the creep's solution
    std::uint32_t depressions = 0;  // number of depressions after the uplift; 0 without incision
    std::uint64_t unstable = 0;     // cells that would still fail
};

// Heights of a model at some time, with its sums.
struct ModelHeights
{
    std::vector<float> heights, remainders;
    ModelBalance balance;
};

class TerrainModel
{
public:
    static constexpr int kFailures = 16;        // passes that move material off slopes, at most
    static constexpr double kTolerance = 1e-9;  // relative residual of the creep
    static constexpr double kStands = 1e-3;     // metres that a cell may exceed the steepest slope by without failing

    // Takes the heights of a raster (metres, row by row; NaN: void, stays void).  `alongX`, `alongY`: spacings
    // (metres). Errors: kInput (fewer than 3 x 3 samples, an infinite height, voids alone), kLimit (memory).
    static Result<TerrainModel> create(std::span<const float> heights, int width, int height, double alongX,
                                       double alongY);

    // Advances by `years` (1e-6 to 1e9).  On an error no height changes.  Errors: kUsage (a value out of range),
    // kInterrupted, kNo (the creep did not converge; the message names the residual), kLimit (memory), the device's.
    Result<ModelStep> step(const ModelRates& rates, double years, ThreadPool& pool, const std::stop_token& stop = {});

    // Computes further steps on a device instead of the CPU; null: on the CPU again.
    void setDevice(std::shared_ptr<ModelDevice> device);
    const ModelDevice* device() const { return device_.get(); }

    int width() const { return width_; }
    int height() const { return height_; }
    double alongX() const { return alongX_; }
    double alongY() const { return alongY_; }
    std::span<const float> heights() const { return heights_; }  // NaN: void
    std::span<const float> remainders() const
    {
        return remainders_;
    }                                                           // the parts that rounding to single precision dropped
    std::span<const CellKind> kinds() const { return kinds_; }  // kFixed: an outlet while rivers cut
    // Share of the uplift that each cell gets, at first 1 everywhere; row by row.
    std::span<float> upliftShares() { return shares_; }
    // Cells that drain through each cell, after the last step with incision; empty before.
    std::span<const std::uint32_t> drainage() const { return drainage_.cells(); }
    std::span<const std::uint32_t> receivers() const { return drainage_.receivers(); }  // in that step; see Drainage
    const ModelBalance& balance() const { return balance_; }                            // since the start

    // Return and set all heights and sums, so that steps can be undone.  Voids stay voids.
    ModelHeights kept() const { return {heights_, remainders_, balance_}; }
    void restore(const ModelHeights& kept);

    // Return and set a height, for brushes.  `height` is rounded to the sum of two floats.
    double heightAt(std::size_t cell) const { return double(heights_[cell]) + double(remainders_[cell]); }
    void setHeight(std::size_t cell, double height);

private:
    TerrainModel() = default;
    void cut(const ModelRates& rates, double years, std::vector<double>& h, ThreadPool& pool, ModelStep& step);
    void fail(const ModelRates& rates, bool outlets, std::vector<double>& h, ThreadPool& pool, ModelStep& step) const;
    Status creep(double t, bool outlets, const LinkedParts* parts, std::vector<double>& h, ThreadPool& pool,
                 const std::stop_token& stop, ModelStep& step);

    double area() const { return alongX_ * alongY_; }

    // The creep's system, kept while steps have equal length and rate.  `grid` refers to kinds_ or closed_.
    struct Creeping
    {
        explicit Creeping(const DiffusionGrid& of) : grid(of), matrix(of), multigrid(stencilOf(of)) {}
        DiffusionGrid grid;
        DiffusionOperator matrix;
        GridMultigrid multigrid;
    };

    int width_ = 0, height_ = 0;
    double alongX_ = 1, alongY_ = 1;
    std::vector<float> heights_, remainders_, shares_;
    std::vector<CellKind> kinds_, closed_;  // cells with outlets at the border; without outlets
    Drainage drainage_;
    std::optional<LinkedParts> parts_;  // those of closed_; set by the first long creep without outlets
    std::unique_ptr<Creeping> creeping_;
    std::shared_ptr<ModelDevice> device_;
    std::unique_ptr<DeviceSteps> deviceSteps_;  // steps on device_
    ModelBalance balance_;
};

}  // namespace orogen::compute
