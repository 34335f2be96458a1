// Mountains that rivers have cut: uplift against stream-power incision, coarse to fine.
//
// Source of the model: Braun and Willett, "A very efficient O(n), implicit and parallel method to solve the stream
// power equation governing fluvial incision and landscape evolution", Geomorphology 180 (2013), with n = 1 and m = 1/2,
// so that only square roots are needed; water crosses depressions by a flood from the border (Barnes, Lehman and Mulla,
// "Priority-flood", Computers & Geosciences 62, 2014).  The rivers are laid out on a coarse mesh; each refinement
// halves its cells, roughens it a little and lets the smaller streams cut.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace orogen {

inline constexpr double kLandscapeSide = 40'960.0;  // metres: every landscape is this wide, however fine its grid
inline constexpr int kLandscapeBytes = 24;          // of memory for each sample, besides the result

// Heights in metres, about 250 to 3300, of a square of `side` x `side` samples in the middles of square cells, row 0
// north.  The same seed gives the same mountains at every size, seen more or less finely.  Bit for bit the same for any
// number of threads, and on every machine with IEEE 754 floats.
// `progress` gets the fraction done, on the calling thread; false stops: the result is then empty.
std::vector<float> makeLandscape(int side, std::uint32_t seed, int threads,
                                 const std::function<bool(double)>& progress = {});

}  // namespace orogen
