// The ground at one point, for readouts under the cursor, and heights along a line over it, sampled at the elevation
// model's resolution.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/terrain/raster/height_field.h"

namespace orogen {

// The ground at a point (metres, unscaled; angles in degrees).
struct GroundPoint
{
    double height = 0;    // bilinear between the samples
    double slope = 0;     // from the horizontal (degrees, 0 .. 90), over one sample spacing around the point
    double aspect = 0;    // downhill direction, clockwise from north; 0 on level ground
    bool isVoid = false;  // the nearest sample has no data: the height is filled in
    bool inside = false;  // false: outside the raster; the height is that of its edge
};

GroundPoint groundPointAt(const HeightField& field, double east, double north);

// Heights at a finer resolution than a HeightField, which is their overview over the same extent.
struct FinerGround
{
    std::function<double(double east, double north)> height;  // metres
    double spacingEast = 1, spacingNorth = 1;                 // metres between its samples at the point
};
// Returns the point from the finer heights. Voids and the raster's extent come from `field`.
GroundPoint groundPointAt(const HeightField& field, const FinerGround& finer, double east, double north);

// A sample of a profile (metres, unscaled).
struct ProfileSample
{
    double along = 0;  // horizontal distance from the line's beginning
    glm::dvec2 place{0.0};
    double height = 0;
    bool isVoid = false;
};

// Figures of a line or a part of it (metres; slopes in degrees).
struct ProfileFigures
{
    double horizontal = 0;
    double ground = 0;           // length through all samples, including height differences
    double rise = 0;             // from the first height to the last
    double climb = 0, fall = 0;  // sums of the rises and of the falls between samples, both >= 0
    double lowest = 0, highest = 0;
    double steepest = 0;  // degrees, between neighbouring samples

    double slope() const;  // from the first point to the last (degrees), < 0 downhill; 0 for a line without length
};

// A height profile, sampled in pieces so that a long line does not block the caller.
class GroundProfile
{
public:
    static constexpr std::size_t kMostSamples = 1 << 20;

    // Creates a profile through `points` (metres east and north of the terrain's centre), each of which is a sample.
    // Samples between them are at most `spacing` metres apart, or more if that would exceed kMostSamples.
    GroundProfile() = default;
    GroundProfile(std::vector<glm::dvec2> points, double spacing);

    // Adds at most `most` samples, from the field or from the finer ground that it is an overview of. Returns true once
    // the profile is complete. O(most).
    bool sample(const HeightField& field, std::size_t most, const FinerGround* finer = nullptr);
    bool done() const { return leg_ + 1 >= points_.size(); }
    double fraction() const { return expected_ > 0 ? double(samples_.size()) / double(expected_) : 1.0; }

    double spacing() const { return spacing_; }  // actual spacing (metres)
    const std::vector<glm::dvec2>& points() const { return points_; }
    const std::vector<ProfileSample>& samples() const { return samples_; }  // so far
    const ProfileFigures& figures() const { return figures_; }              // figures of samples()
    ProfileFigures figuresFrom(std::size_t first) const;                    // from sample `first` on; O(samples)
    std::size_t lastLeg() const;  // index of the first sample of the last leg, from one of points() to the next

    // Returns the sample nearest to a distance from the start; there must be one. O(log samples).
    std::size_t nearest(double along) const;

    // Returns comma-separated values with a header: distance_m,east_m,north_m,height_m,void. A void's height is empty.
    std::string csv() const;

private:
    std::size_t stepsOf(std::size_t leg) const;
    void add(const HeightField& field, const FinerGround* finer, double along, glm::dvec2 place);

    std::vector<glm::dvec2> points_;
    std::vector<std::size_t> starts_;  // index of each leg's first sample
    std::vector<ProfileSample> samples_;
    ProfileFigures figures_;
    double spacing_ = 1, behind_ = 0;  // behind_: total length of completed legs (metres)
    std::size_t leg_ = 0, step_ = 0, expected_ = 0;
};

}  // namespace orogen
