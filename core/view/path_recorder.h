// Camera paths from flying: every frame's camera goes in, the fewest keys that follow it come out.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/view/camera.h"
#include "core/view/camera_path.h"

namespace orogen {

// How far the curve may be from what was recorded.
struct PathTolerance
{
    double relative = 0.002;  // of the height above ground: some two pixels
    double metres = 0.05;     // near the ground
    double degrees = 0.1;     // yaw, pitch and field of view
};

class PathRecorder
{
public:
    static constexpr std::size_t kMostSamples = kMostKeys;  // more than an hour at 60 Hz; 17 MB

    explicit PathRecorder(const PathTolerance& tolerance = {}, World world = World::kPlane)
        : tolerance_(tolerance), world_(world)
    {
    }

    // The camera of a frame, `seconds` on a clock that starts anywhere.  Frames less than 4 ms after the last sample
    // are left out; of a camera that stands still two a second are kept.
    // Returns false once no more fits.
    bool add(double seconds, const Camera& camera, double heightAboveGround);

    bool empty() const { return samples_.empty(); }
    double duration() const { return empty() ? 0.0 : samples_.back().key.time; }  // seconds

    // At least one sample must be there.  In metres, or of the Earth, without a loop, times rounded to 0.1 ms, places
    // to 1 cm, angles to 0.001 degrees: the curve is within the tolerance of every such sample.  O(samples · log keys),
    // some 50 ms a minute of flying.
    CameraPath path(std::string name) const;

private:
    struct Sample
    {
        PathKey key;
        double metres;  // the tolerance here
    };
    using Curve = std::function<PathKey(double)>;
    Curve curveThrough(const std::vector<PathKey>& keys) const;
    double missedBy(const Sample& sample, const Curve& curve) const;  // in tolerances
    // The sample between two that the curve misses most; none, if it misses none.
    std::optional<std::size_t> worst(std::size_t from, std::size_t to, const Curve& curve) const;

    PathTolerance tolerance_;
    World world_;
    std::vector<Sample> samples_;
    double started_ = 0;
};

}  // namespace orogen
