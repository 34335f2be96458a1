// Camera paths from flying: reduces the cameras of all frames to few keys that reproduce them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/view/camera.h"
#include "core/view/camera_path.h"

namespace orogen {

// Largest deviation of the curve from the recording.
struct PathTolerance
{
    double relative = 0.002;  // share of the height above ground: some two pixels
    double metres = 0.05;     // near the ground
    double degrees = 0.1;     // yaw, pitch and field of view
};

class PathRecorder
{
public:
    static constexpr std::size_t kMostSamples = kMostKeys;  // over an hour at 60 Hz; 17 MB

    explicit PathRecorder(const PathTolerance& tolerance = {}, World world = World::kPlane)
        : tolerance_(tolerance), world_(world)
    {
    }

    // Adds the camera of a frame; `seconds` is from a clock with any origin.  Skips frames less than 4 ms after the
    // last sample; of a camera that stands still, keeps two per second.  Returns false when full.
    bool add(double seconds, const Camera& camera, double heightAboveGround);

    bool empty() const { return samples_.empty(); }
    double duration() const { return empty() ? 0.0 : samples_.back().key.time; }  // seconds

    // Returns the path; requires at least one sample.  In metres or earth-fixed, no loop; rounded to 0.1 ms, 1 cm and
    // 0.001 degrees.  The curve is within the tolerance of every sample.  O(samples · log keys), some 50 ms per minute
    // of flying.
    CameraPath path(std::string name) const;

private:
    struct Sample
    {
        PathKey key;
        double metres;  // position tolerance
    };
    using Curve = std::function<PathKey(double)>;
    Curve curveThrough(const std::vector<PathKey>& keys) const;
    double missedBy(const Sample& sample, const Curve& curve) const;  // in tolerances
    // Returns the sample between two that the curve misses most; nothing if it misses none.
    std::optional<std::size_t> worst(std::size_t from, std::size_t to, const Curve& curve) const;

    PathTolerance tolerance_;
    World world_;
    std::vector<Sample> samples_;
    double started_ = 0;
};

}  // namespace orogen
