// Standard output, where results go, and standard error, where messages go.
#pragma once

#include <string_view>

#include "core/base/status.h"

namespace orogen::app {

// First thing in main(): of the descriptors 0, 1 and 2, those that are closed become ones on which every read or write
// fails, so that no file that is opened later takes the place of a standard stream.
void occupyStandardStreams();

// Writes to standard output, where results go.  What could not be written is found by outputStatus().
void print(std::string_view text);
Status outputStatus();  // flushes; kOutput if anything was lost

// A message on standard error: "orogen: ", then the text, printable, on one line.  Where nothing can be written there,
// nothing is.
void tell(std::string_view message);

}  // namespace orogen::app
