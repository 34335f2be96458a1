// Where the program starts: what must be so before anything else is, and what it ends with when memory runs out.
#include <new>

#include "app/base/interrupt.h"
#include "app/base/output.h"
#include "app/cli/program.h"
#include "core/base/status.h"

int main(int argc, char** argv)
{
    orogen::app::occupyStandardStreams();
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
