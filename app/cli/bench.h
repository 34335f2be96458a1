// orogen bench: one subcommand a subject, each in a file of its own.
#pragma once

#include "app/cli/command.h"

namespace orogen::app {

void addTreeBench(CLI::App& bench, Command& chosen);
void addMultiwordBench(CLI::App& bench, Command& chosen);
void addSignedDigitBench(CLI::App& bench, Command& chosen);
void addCgBench(CLI::App& bench, Command& chosen);

}  // namespace orogen::app
