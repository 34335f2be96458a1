// Heights along a line over the ground, sampled as finely as the elevation model is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/terrain/raster/ground_point.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Metres, unscaled.
struct ProfileSample
{
    double along = 0;  // horizontal distance from the line's beginning
    glm::dvec2 place{0.0};
    double height = 0;
    bool isVoid = false;
};

// Of a line or of a part of it; metres, but for the slopes.
struct ProfileFigures
{
    double horizontal = 0;
    double ground = 0;           // along the ground: through all samples, heights included
    double rise = 0;             // from the first height to the last
    double climb = 0, fall = 0;  // of all rises and all falls between samples, both positive
    double lowest = 0, highest = 0;
    double steepest = 0;  // degrees, between neighbouring samples

    double slope() const;  // degrees from the first point to the last, negative downhill; 0 for a line of no length
};

// Sampled piece by piece, so that a long line holds nobody up.
class GroundProfile
{
public:
    static constexpr std::size_t kMostSamples = 1 << 20;

    // Through `points` (metres east and north of the terrain's centre), each of which is a sample; in between,
    // `spacing` metres apart or somewhat less; further apart where there were more than kMostSamples.
    GroundProfile() = default;
    GroundProfile(std::vector<glm::dvec2> points, double spacing);

    // At most `most` further samples, of this field, or of the finer ground that it is an overview of; true once all
    // are there.  O(most).
    bool sample(const HeightField& field, std::size_t most, const FinerGround* finer = nullptr);
    bool done() const { return leg_ + 1 >= points_.size(); }
    double fraction() const { return expected_ > 0 ? double(samples_.size()) / double(expected_) : 1.0; }

    double spacing() const { return spacing_; }  // that is kept
    const std::vector<glm::dvec2>& points() const { return points_; }
    const std::vector<ProfileSample>& samples() const { return samples_; }  // so far
    const ProfileFigures& figures() const { return figures_; }              // of these
    ProfileFigures figuresFrom(std::size_t first) const;                    // of samples `first` and later; O(samples)
    std::size_t lastLeg() const;  // the sample at which the last of the points' legs begins

    // The sample nearest to a distance from the beginning; there must be one.  O(log samples).
    std::size_t nearest(double along) const;

    // Comma-separated values with a line of names: distance_m,east_m,north_m,height_m,void; a void's height is empty.
    std::string csv() const;

private:
    std::size_t stepsOf(std::size_t leg) const;
    void add(const HeightField& field, const FinerGround* finer, double along, glm::dvec2 place);

    std::vector<glm::dvec2> points_;
    std::vector<std::size_t> starts_;  // the sample at which each leg begins
    std::vector<ProfileSample> samples_;
    ProfileFigures figures_;
    double spacing_ = 1, behind_ = 0;  // behind_: metres of the legs that are done
    std::size_t leg_ = 0, step_ = 0, expected_ = 0;
};

}  // namespace orogen
