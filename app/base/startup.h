// The first thing the program does: what must not fail later without a word is made sure of.
#pragma once

#include "core/base/status.h"

namespace orogen::app {

// Error kLimit: too little memory to start with.  Otherwise the stack has its pages: where the address space
// is limited, a stack that grows later ends the program with a signal.
//
// A program that is linked with this ends with one line and exit code 6 where its stack may not have 256 KiB, before
// anything else is done, and where nothing else catches that memory or a thread was refused, also before main and on
// any thread.  Whatever else is not caught aborts, as ever.
Status prepareMemory();

}  // namespace orogen::app
