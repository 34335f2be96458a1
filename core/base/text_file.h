// Whole files of text, read with a limit.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/status.h"

namespace orogen {

// Errors (kInput) name the file and the system's reason; also where it holds more than `limit` bytes or is a folder.
Result<std::string> readTextFile(const std::string& path, std::uint64_t limit);

}  // namespace orogen
