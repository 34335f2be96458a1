// Membrane around an inset (an elevation model laid over coarser ground): heights added to the ground below the inset.
//
// That ground is called the base: the Earth's relief with the insets named earlier. The rim is the border of the
// inset's data. At the rim the membrane is the difference between inset and base, so that there is no step. Outside the
// data the membrane solves Laplace's equation, like a soap film, and fades to 0 at the reach, membraneReach().
//
// Within 900 m of the raster the membrane changes to a smoothed copy of itself. Hills and valleys that the rim cuts end
// there, and only their mean is carried on. If there may be data of earlier insets within the reach, there is no
// smoothed copy. Over these data the membrane ends kHaloSamples samples away from the inset's own data, counted in
// samples of the coarser of the two insets.
//
// The membrane is a pyramid of grids in the inset's samples. The coarsest grid covers the whole reach. Each finer grid,
// with half the step, covers a band of 16 nodes around the data, or fewer, so that the band lies within the reach. It
// takes its outer border from the coarser grid.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/status.h"
#include "core/terrain/earth/earth_inset.h"

namespace orogen {

// Solves Laplace's equation over the voids (NaN) of a raster: one height per void, row by row. Known heights are
// boundary values, and no flux crosses the raster's border. compute::membraneOver() is such a solver.
using SolveVoids = std::function<Result<std::vector<double>>(std::span<const float> heights, int width, int height)>;

inline constexpr double kHaloSamples = 8.0;  // width of a transition beside an inset's data, in samples

// Ground below an inset.
struct BaseGround
{
    float height = 0;    // metres
    double spacing = 0;  // metres between samples of an earlier inset with data there; 0: no inset has data there
};

// Returns the distance (metres) from an inset at which its membrane ends: half its shorter side, within 2.5 ... 20 km.
double membraneReach(const EarthInset& inset);

class InsetMembrane
{
public:
    // Returns the ground of the base at a place, read with samples about `metres` apart.
    using BaseAt = std::function<Result<BaseGround>(LatLong place, double metres)>;

    // Makes the membrane of an inset. `overData`: the base may have data of earlier insets within the reach. Takes
    // 0.1 to 0.5 s. Errors: those of reading, and of the solver.
    static Result<InsetMembrane> make(InsetReader& inset, const BaseAt& base, bool overData, const SolveVoids& solve);

    // Returns the height to add to the base (metres) at a position in the inset's samples, outside its data. Returns 0
    // at the reach and farther beside the raster.
    float at(glm::dvec2 sample) const;

    // Returns the longer step of the finest grid, in samples. If it is at most 1, every sample of the rim is a node.
    double finestStep() const;

private:
    struct Nodes  // a grid: node (x, y) lies at sample (first + (x, y)) * step
    {
        glm::dvec2 step{1.0};
        glm::ivec2 first{0};
        int width = 0, height = 0;

        glm::dvec2 sampleOf(int x, int y) const { return glm::dvec2(first.x + x, first.y + y) * step; }
        std::size_t at(int x, int y) const { return std::size_t(y) * std::size_t(width) + std::size_t(x); }
    };
    // Values of a grid's nodes, stored in blocks; NaN where a node has no value.
    class Level
    {
    public:
        Level(const Nodes& nodes, std::span<const float> values);
        float at(glm::dvec2 sample) const;  // bilinear
        const Nodes& nodes() const { return nodes_; }

    private:
        static constexpr int kBits = 4;  // log2 of nodes along a block's side
        float value(int x, int y) const;

        Nodes nodes_;
        int blocksAcross_ = 0;
        std::vector<std::int32_t> blocks_;  // index among the stored blocks; -1: all nodes are NaN
        std::vector<float> values_;
    };
    class Maker;
    float hilly(glm::dvec2 sample) const;  // the nodes' values, without the smoothed copy and `end_`

    std::vector<Level> levels_;    // coarsest first
    std::vector<Level> smoothed_;  // the coarsest level, smoothed; empty: none
    glm::dvec2 last_{0.0};         // last column and row
    glm::dvec2 metres_{1.0};       // size of a column and of a row
    // Distance from the raster at which at() has faded to 0 (metres). Infinite unless the coarsest grid's cells are so
    // large that its nodes' own shares do not end at the reach.
    double end_ = std::numeric_limits<double>::infinity();
};

}  // namespace orogen
