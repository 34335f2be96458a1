#include "app/cli/bench.h"

#include <CLI/CLI.hpp>

#include "app/cli/command.h"

namespace orogen::app {

void addBenchCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command =
        root.add_subcommand("bench", "side by side: ours, a paper's, and what a user would take instead");
    command->require_subcommand(1);
    addTreeBench(*command, chosen);
    addMultiwordBench(*command, chosen);
    addSignedDigitBench(*command, chosen);
    addCgBench(*command, chosen);
}

}  // namespace orogen::app
