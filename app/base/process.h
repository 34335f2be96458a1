// Process: checks at program start, and a regular end after SIGINT and SIGTERM.
#pragma once

#include <optional>

#include "core/base/status.h"

namespace orogen::app {

// Checks the available memory, and touches stack pages in advance.  With a limited address space, a stack that grows
// later could end the process with a signal.  Error kLimit: too little memory to start.
//
// Linking this file also installs a stack check and a terminate handler, which end the process with one line and exit
// code 6.  The check runs before any library starts, and requires a stack limit of 256 KiB.  The handler acts on an
// uncaught std::bad_alloc or failed thread start, even before main().
Status prepareMemory();

// Lets the heap keep freed memory up to 64 MiB instead of returning it to the system.  Mesa's software rasteriser frees
// the blocks of a scene at the end of every frame.  In the next frame, the kernel would have to clear their pages
// again.  Call before any thread starts.  Has no effect without glibc.
//
// With glibc and without a sanitizer, keepFreedMemory() also asks for pages of 2 MiB for a part of the heap.  Linking
// this file then replaces operator new and posix_memalign() by functions that do so for blocks of 4 MiB and more.  Mesa
// zeroes its buffers when it creates them; with pages of 4 KiB this took a third of the start-up time.
void keepFreedMemory();

// Installs handlers of SIGINT and SIGTERM.  They only set a flag, see interruption().  The third signal restores the
// default action, so that the next one of its kind kills the process.  Writing to a closed pipe, or beyond the file
// size limit (ulimit -f), becomes an error instead of a signal.
void installSignalHandlers();

// Returns the error of the received signal, kInterrupted or kTerminated, or empty.  Long loops must poll it.
std::optional<Error> interruption();

bool interrupted();  // whether a signal was received

// While an instance lives, SIGINT and SIGTERM end the process immediately with their exit codes.  For work that may be
// inside a third-party library and has no results to keep, such as a benchmark.
class ExitAtOnce
{
public:
    ExitAtOnce();
    ~ExitAtOnce();
    ExitAtOnce(const ExitAtOnce&) = delete;
    ExitAtOnce& operator=(const ExitAtOnce&) = delete;
};

// Simulates the receipt of `signal`, and resets the count of received signals; 0: no signal was received.  For tests.
void requestInterrupt(int signal);

}  // namespace orogen::app
