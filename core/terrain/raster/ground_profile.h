// The ground at one point, for readouts under the cursor, and heights along a line over it, sampled at the elevation
// model's resolution.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "core/terrain/raster/height_field.h"

namespace orogen {

// The ground at a point (metres, "unscaled": without vertical exaggeration; angles in degrees).
struct GroundPoint
{
    double height = 0;    // bilinear between the samples
    double slope = 0;     // from the horizontal (degrees, 0 .. 90), over one sample spacing around the point
    double aspect = 0;    // downhill direction, clockwise from north; 0 on level ground
    bool isVoid = false;  // the nearest sample has no data: the height is filled in
    bool inside = false;  // false: outside the raster; the height is that of its edge
};

// Returns the ground at a position (metres from the field's centre).
GroundPoint groundPointAt(const HeightField& field, double east, double north);

// Heights at a finer resolution than a HeightField, which is their overview over the same extent.
struct FinerGround
{
    std::function<double(double east, double north)> height;  // metres
    double spacingEast = 1, spacingNorth = 1;                 // metres between its samples at the point
};
// Returns the ground at a position from the finer heights. Voids and the raster's extent come from `field`.
GroundPoint groundPointAt(const HeightField& field, const FinerGround& finer, double east, double north);

// ---- a line over the ground ----
//
// Positions are east, north and up on a plane, and earth-fixed on the Earth (metres).

// The shortest line between two points, along the plane or the ellipsoid.
struct ProfileLeg
{
    double length = 0;                           // metres
    double azimuth = 0;                          // at its beginning, clockwise from north (degrees, [0, 360))
    std::function<glm::dvec3(double along)> at;  // position `along` metres from its beginning
};
using LegBetween = std::function<ProfileLeg(const glm::dvec3& from, const glm::dvec3& to)>;
ProfileLeg straightLeg(const glm::dvec3& from, const glm::dvec3& to);  // on a plane; at the height 0

struct ProfileHeight
{
    double height = 0;    // metres, unscaled
    bool isVoid = false;  // no data: the height is filled in
};
using ProfileHeightAt = std::function<ProfileHeight(const glm::dvec3& position)>;

// A sample of a profile (metres, unscaled).
struct ProfileSample
{
    double along = 0;  // horizontal distance from the line's beginning
    glm::dvec3 place{0.0};
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

    GroundProfile() = default;
    // Creates a profile through `points`, each of which is a sample.  Samples between them are at most `spacing` metres
    // apart, or more if that would exceed kMostSamples.
    GroundProfile(std::vector<glm::dvec3> points, double spacing, const LegBetween& legBetween);

    // Adds at most `most` samples, and before them the first point.  Returns true once the profile is complete.
    bool sample(const ProfileHeightAt& heightAt, std::size_t most);
    bool done() const { return leg_ + 1 >= points_.size(); }
    double fraction() const { return expected_ > 0 ? double(samples_.size()) / double(expected_) : 1.0; }

    double spacing() const { return spacing_; }  // actual spacing (metres)
    const std::vector<glm::dvec3>& points() const { return points_; }
    const std::vector<ProfileSample>& samples() const { return samples_; }  // so far
    const ProfileFigures& figures() const { return figures_; }              // figures of samples()
    ProfileFigures figuresFrom(std::size_t first) const;                    // from sample `first` on; O(samples)
    std::size_t lastLeg() const;  // index of the first sample of the leg sampled last
    const std::vector<ProfileLeg>& legs() const { return legs_; }

    // Returns the index of the sample nearest to a distance from the start; requires a sample. O(log samples).
    std::size_t nearest(double along) const;

private:
    std::size_t stepsOf(std::size_t leg) const;
    void add(const ProfileHeightAt& heightAt, double along, const glm::dvec3& place);

    std::vector<glm::dvec3> points_;
    std::vector<ProfileLeg> legs_;
    std::vector<std::size_t> starts_;  // index of each leg's first sample
    std::vector<ProfileSample> samples_;
    ProfileFigures figures_;
    double spacing_ = 1, behind_ = 0;  // behind_: total length of completed legs (metres)
    std::size_t leg_ = 0, step_ = 0, expected_ = 0;
};

// ---- comma-separated values ----

// A column of a profile's file: its name, and its text for a sample.
struct ProfileColumn
{
    std::string name;
    std::function<std::string(const ProfileSample&)> text;
};
// Returns a header and a row for each sample: distance_m, the columns, height_m, void.  A void's height is empty.
std::string profileCsv(const std::vector<ProfileSample>& samples, const std::vector<ProfileColumn>& columns);

}  // namespace orogen
