// Unpacking of gzip files (RFC 1952) in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/base/text_file.h"

namespace orogen {

// Returns the unpacked bytes of all members.  `name` starts messages.  Errors: kInput for bytes that are not gzip, are
// damaged or end early; kLimit for more than `limit` bytes; kInterrupted after a stop.
Result<std::string> unpackGzip(std::string_view packed, const std::string& name, std::uint64_t limit,
                               const StopReading& stop = {});

}  // namespace orogen
