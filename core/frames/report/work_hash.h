// Proof that two runs did the same work: a hash over leaves, triangles and splits of every measured frame, in order.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

// 16 hexadecimal digits: the first 8 bytes of the SHA-256 of the three counters of each measured frame as 64-bit
// little-endian numbers.  Empty where there is no measured frame, or one of them lacks a counter.
std::optional<std::string> workHash(std::span<const FrameSample> run);

}  // namespace orogen
