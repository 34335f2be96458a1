// Memory of this machine, asked before much of it is taken: Linux grants what it has not got, and kills later.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/status.h"

namespace orogen::compute {

// Bytes that can be taken now, within the limit of this process's control group too.  0: not known.
std::uint64_t availableMemory();

// Error kLimit, with both sizes, if `bytes` are more than that.
Status checkMemory(const std::string& what, std::uint64_t bytes);

std::string bytesText(double bytes);  // "512 MiB"

}  // namespace orogen::compute
