// Standard output, where results go.
#pragma once

#include <string_view>

#include "core/base/status.h"

namespace orogen::app {

// Writes to standard output, where results go.  What could not be written is found by outputStatus().
void print(std::string_view text);
Status outputStatus();  // flushes; kOutput if anything was lost

}  // namespace orogen::app
