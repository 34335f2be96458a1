// Entry point: sets up streams and signals, runs the command line, handles out-of-memory.
#include <new>

#include "app/base/output.h"
#include "app/base/process.h"
#include "app/cli/command.h"
#include "core/base/status.h"

int main(int argc, char** argv)
{
    orogen::app::occupyStandardStreams();
    orogen::app::keepFreedMemory();
    orogen::app::installSignalHandlers();
    try
    {
        return orogen::app::runProgram(argc, argv);
    }
    catch (const std::bad_alloc&)
    {
        orogen::app::tell("out of memory");
        return int(orogen::ExitCode::kLimit);
    }
}
