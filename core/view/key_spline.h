// A smooth curve through cameras at given times.
#pragma once

#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace orogen {

// What a camera path holds at one time.  Units of the position are the path's; angles in degrees as in Camera.
struct PathKey
{
    double time = 0;  // seconds
    glm::dvec3 position{0.0};
    double yaw = 0, pitch = 0, fov = 60;

    bool operator==(const PathKey&) const = default;
};

// Cubic Hermite in time, so once continuously differentiable, and local: a key moves the curve in the two spans on
// either side of it.  The rate at a key is that of the parabola through it and its neighbours (Catmull-Rom for uneven
// times), but in size at most three times that of the slower span beside it: between two equal keys nothing moves, and
// next to a leap nothing overshoots far.  Yaw goes the shorter way from key to key.
class KeySpline
{
public:
    // `keys`: at least one, times strictly increasing from 0.  `loopSeconds`: 0, or more than the last time: then the
    // curve goes on from the last key to the first and repeats.
    explicit KeySpline(std::vector<PathKey> keys, double loopSeconds = 0);

    double duration() const;  // seconds: of a round, or up to the last key
    bool loops() const { return loopSeconds_ > 0; }

    // A loop is taken modulo its duration; otherwise the curve stands still before 0 and after the last key.  Yaw is
    // not wrapped: it goes on from 0 to 370 degrees.  O(log keys).
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

    std::vector<PathKey> keys_;  // a loop's first key again at its end, a round later
    std::vector<Rates> rates_;
    double loopSeconds_;
};

}  // namespace orogen
