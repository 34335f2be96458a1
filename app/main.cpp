// Entry point: sets up streams and signals, runs the command line, handles out-of-memory.
#include <cstdio>
#include <cstdlib>
#include <new>

#include <sys/resource.h>

#include "app/base/output.h"
#include "app/base/process.h"
#include "app/cli/command.h"
#include "core/base/status.h"

int main(int argc, char** argv)
{
    orogen::app::occupyStandardStreams();
    orogen::app::keepFreedMemory();
    orogen::app::installSignalHandlers();
    int code = int(orogen::ExitCode::kLimit);
    try
    {
        code = orogen::app::runProgram(argc, argv);
    }
    catch (const std::bad_alloc&)
    {
        orogen::app::tell("out of memory");
    }
    // With limited memory, exit handlers of libraries can hang: OpenBLAS waits for a thread that tries to allocate. So
    // the process then ends without them.
    rlimit memory = {};
    if (getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) return code;
    std::fflush(nullptr);
    std::_Exit(code);
}
