// Hash over leaves, triangles and splits of every measured frame: equal for runs that did equal work.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

// Returns 16 hexadecimal digits: the first 8 bytes of the SHA-256 of the three counters of each measured frame, as
// 64-bit little-endian numbers.  Nothing if no frame was measured or one lacks a counter.
std::optional<std::string> workHash(std::span<const FrameSample> run);

}  // namespace orogen
