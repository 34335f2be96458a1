// How a view moves in time, over a plane and over the Earth alike.
#pragma once

#include <cmath>
#include <numbers>

namespace orogen::motion {

inline constexpr double kLongestFrame = 0.25;   // seconds: a hitch must not become a leap
inline constexpr double kStep = 1.0 / 120;      // seconds: how often the ground is looked at
inline constexpr double kDriveSeconds = 0.12;   // time constant of gathering and losing speed
inline constexpr double kHeightSeconds = 0.35;  // of what the speed goes by, when the ground falls away or rises
inline constexpr double kZoomSeconds = 0.07;    // of the wheel
inline constexpr double kLeastDrive = 0.002;    // of full speed: slower than this is at rest
inline constexpr double kLeastZoom = 0.01;      // notches
inline constexpr double kPacePerNotch = std::numbers::sqrt2, kMostPace = 16;
inline constexpr double kHoldReach = 20;  // heights above ground: what lies further away is pulled as if it lay there

// What is left after `seconds` of a fall with this time constant.
inline double remaining(double seconds, double timeConstant) { return std::exp(-seconds / timeConstant); }

inline double eased(double t) { return t * t * t * (10 + t * (6 * t - 15)); }

}  // namespace orogen::motion
