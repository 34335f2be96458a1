// The whole command line: parses, runs one command, and turns its outcome into the exit code.
#pragma once

namespace orogen::app {

// Throws std::bad_alloc where memory runs out.
int runProgram(int argc, char** argv);

}  // namespace orogen::app
