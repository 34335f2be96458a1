// Checks at program start that prevent silent failures later.
#pragma once

#include "core/base/status.h"

namespace orogen::app {

// Checks the memory and touches the pages of the stack: with a limited address space, a stack that grows later would
// end the process with a signal.  Error kLimit: too little memory to start.
//
// Linking this file also installs two handlers.  A stack limit below 256 KiB ends the process with one line and exit
// code 6 before any library starts.  So do an uncaught std::bad_alloc and a thread that cannot be started, on any
// thread, even before main().  Other uncaught exceptions abort as usual.
Status prepareMemory();

}  // namespace orogen::app
