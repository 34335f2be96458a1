// Motion parameters of a view, for a plane and for the Earth.
#pragma once

#include <cmath>
#include <numbers>

namespace orogen::motion {

inline constexpr double kLongestFrame = 0.25;   // seconds: limits a leap after a hitch
inline constexpr double kStep = 1.0 / 120;      // seconds between samples of the ground
inline constexpr double kDriveSeconds = 0.12;   // time constant of acceleration
inline constexpr double kHeightSeconds = 0.35;  // time constant of the speed's reference height
inline constexpr double kZoomSeconds = 0.07;    // time constant of the wheel
inline constexpr double kLeastDrive = 0.002;    // share of full speed below which the camera stops
inline constexpr double kLeastZoom = 0.01;      // notches
inline constexpr double kPacePerNotch = std::numbers::sqrt2, kMostPace = 16;
inline constexpr double kHoldReach = 20;  // heights above ground: limits the distance of a held point

// Returns the remainder of an exponential decay after `seconds`.
inline double remaining(double seconds, double timeConstant) { return std::exp(-seconds / timeConstant); }

inline double eased(double t) { return t * t * t * (10 + t * (6 * t - 15)); }

}  // namespace orogen::motion
