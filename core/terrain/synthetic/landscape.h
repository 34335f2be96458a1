// Generator of mountains cut by rivers: uplift against stream-power incision, coarse to fine.
//
// Source of the model: Braun and Willett, "A very efficient O(n), implicit and parallel method to solve the stream
// power equation governing fluvial incision and landscape evolution", Geomorphology 180 (2013), with n = 1 and m = 1/2,
// so that only square roots are needed. Water crosses depressions by a flood from the border (Barnes, Lehman and Mulla,
// "Priority-flood", Computers & Geosciences 62, 2014). A coarse mesh defines the large rivers. Each refinement halves
// its cells, roughens them slightly and lets smaller streams incise.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace orogen {

inline constexpr double kLandscapeSide = 40'960.0;  // width of every landscape (metres), at any resolution
inline constexpr int kLandscapeBytes = 24;          // memory for each sample, besides the result

// Returns heights (metres, about 250 to 3300) of `side` x `side` samples in the centres of square cells, row 0 north. A
// seed gives the same mountains at every size, at different resolutions. The result is the same bit for bit with any
// number of threads, and on every machine with IEEE 754 floats.
// `progress` gets the fraction done, on the calling thread; returning false stops, with an empty result.
std::vector<float> makeLandscape(int side, std::uint32_t seed, int threads,
                                 const std::function<bool(double)>& progress = {});

}  // namespace orogen
