// Smooth curves through cameras at given times, on a plane and on the Earth.
#pragma once

#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace orogen {

// Camera of a path at one time.  Position in the path's units; angles in degrees as in Camera.
struct PathKey
{
    double time = 0;  // seconds
    glm::dvec3 position{0.0};
    double yaw = 0, pitch = 0, fov = 60;

    bool operator==(const PathKey&) const = default;
};

// Cubic Hermite spline in time: continuously differentiable and local, since a key affects only the two spans on either
// side.  The rate at a key is that of the parabola through the key and its neighbours (Catmull-Rom for uneven times).
// The rate is limited to three times that of the slower adjacent span.  So the curve rests between equal keys and
// hardly overshoots next to a jump.  Yaw goes the shorter way from key to key.
class KeySpline
{
public:
    // `keys`: at least one, times strictly increasing from 0.  `loopSeconds`: 0 for no loop, or more than the last
    // time.  In a loop the curve continues from the last key to the first and repeats.
    explicit KeySpline(std::vector<PathKey> keys, double loopSeconds = 0);

    double duration() const;  // seconds: length of the loop, or else time of the last key
    bool loops() const { return loopSeconds_ > 0; }

    // Returns the camera at a time, which is clamped to the path; in a loop it wraps, and below 0 it counts as 0.  Yaw
    // is continuous and may leave [0, 360), but where a loop starts again it may jump by whole turns.  O(log keys).
    PathKey at(double seconds) const;

private:
    struct Rates
    {
        glm::dvec2 across{0.0};  // east, north
        double up = 0, yaw = 0, pitch = 0, fov = 0;
    };
    static Rates slope(const PathKey& from, const PathKey& to);
    static Rates rateBetween(const Rates& before, double beforeSeconds, const Rates& after, double afterSeconds);
    Rates endRate(std::size_t end, std::size_t next, std::size_t afterNext) const;
    void findRates();

    std::vector<PathKey> keys_;  // in a loop, the first key is repeated at the end, at the time loopSeconds_
    std::vector<Rates> rates_;
    double loopSeconds_;
};

// KeySpline on the globe.
//
// Key positions are earth-fixed metres; yaw and pitch are relative to east, north and up at the position.  Interpolates
// the ellipsoid's normal and the camera's right vector in space, so that poles and the date line are not special.  The
// height is interpolated linearly near the ellipsoid, logarithmically high up.  From key to key the curve takes the
// shorter way around the Earth, and the heading the shorter turn relative to that way.  For keys on opposite sides of
// the Earth the curve takes one of the equally short ways.  It is continuously differentiable, like KeySpline.
class EarthSpline
{
public:
    explicit EarthSpline(const std::vector<PathKey>& keys, double loopSeconds = 0);

    double duration() const { return place_.duration(); }
    bool loops() const { return place_.loops(); }

    PathKey at(double seconds) const;  // yaw within [0, 360).  O(log keys)

private:
    struct Knots
    {
        std::vector<PathKey> place, look;
    };
    static Knots knotsOf(const std::vector<PathKey>& keys, double loopSeconds);
    EarthSpline(const Knots& knots, double loopSeconds);

    KeySpline place_;  // position: the ellipsoid's normal; pitch and field of view as in the keys
    KeySpline look_;   // position: the camera's right vector; pitch: measureOf() the height, see key_spline.cpp
};

}  // namespace orogen
