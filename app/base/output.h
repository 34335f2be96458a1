// Standard output for results, standard error for messages.
#pragma once

#include <string_view>

#include "core/base/status.h"

namespace orogen::app {

// Must be called first in main().  Replaces closed descriptors among 0, 1 and 2 by ones on which every access fails,
// so that no file opened later becomes a standard stream.
void occupyStandardStreams();

// Writes to standard output.  outputStatus() reports write errors.
void print(std::string_view text);
Status outputStatus();  // flushes; error kOutput if any write failed

// Writes a message to standard error: "orogen: " and the text, made printable, on one line.  Ignores write errors.
void tell(std::string_view message);

}  // namespace orogen::app
