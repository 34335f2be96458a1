// Command line: parses, runs one command, and returns its exit code.
#pragma once

namespace orogen::app {

// Throws std::bad_alloc if out of memory.
int runProgram(int argc, char** argv);

}  // namespace orogen::app
