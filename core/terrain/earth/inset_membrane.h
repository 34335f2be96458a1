// Membrane around an inset: heights added to its base, so that both meet at the inset's rim without a step.
//
// At the rim the membrane is the difference between the inset and its base. Outside it solves Laplace's equation, like
// a soap film, and fades to 0 at the reach. Within 900 m of the raster it changes to a smoothed copy of itself: hills
// and valleys that the rim cuts end there, and only their mean is carried on. Over data of an earlier inset, the
// membrane ends kHaloSamples samples away from the inset's own data, counted in samples of the coarser one.
//
// The membrane is a pyramid of grids in the inset's samples. The coarsest grid covers the whole reach; each finer one,
// with half the step, covers a band of kBand nodes around the data, and takes its outer border from the coarser one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/status.h"
#include "core/terrain/earth/earth_inset.h"

namespace orogen {

// Solves Laplace's equation over the voids (NaN) of a raster: one height per void, row by row. Known heights are
// boundary values, and no flux crosses the raster's border. compute::membraneOver() is such a solver.
using SolveVoids = std::function<Result<std::vector<double>>(std::span<const float> heights, int width, int height)>;

inline constexpr double kHaloSamples = 8.0;

// Ground below an inset.
struct BaseGround
{
    float height = 0;    // metres
    double spacing = 0;  // metres between samples of an earlier inset with data there; 0: the relief's height
};

// Returns the distance from an inset at which its membrane ends: half its shorter side, from 2.5 to 20 km.
double membraneReach(const EarthInset& inset);

class InsetMembrane
{
public:
    // Returns the ground of the base at a place, read with samples about `metres` apart.
    using BaseAt = std::function<Result<BaseGround>(LatLong place, double metres)>;

    // Makes the membrane of an inset. `overData`: the base may have data of earlier insets within the reach. Takes
    // 0.1 to 0.5 s. Errors: those of reading, and of the solver.
    static Result<InsetMembrane> make(InsetReader& inset, const BaseAt& base, bool overData, const SolveVoids& solve);

    // Returns the height to add to the base at a place outside the data (metres); 0 from the reach on. Continuous.
    float at(glm::dvec2 sample) const;

    // Returns the step of the finest grid, in samples; at most 1 if it has every sample of the rim.
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
    float hilly(glm::dvec2 sample) const;  // the membrane without its smoothed copy

    std::vector<Level> levels_;    // coarsest first
    std::vector<Level> smoothed_;  // the coarsest level, smoothed; empty: none
    glm::dvec2 last_{0.0};         // last column and row
    glm::dvec2 metres_{1.0};       // size of a column and of a row
};

}  // namespace orogen
