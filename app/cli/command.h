// Subcommands of the program.  Each adds itself to the parser; the selected one stores its body in `chosen`.
// runProgram() calls the body after parsing and converts its result to the exit code.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/output.h"
#include "core/base/status.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace orogen::app {

// Body of a command.  Returns kDone, kNo if the answer is "no", or an Error.
using Command = std::function<Result<ExitCode>()>;

void addViewCommand(CLI::App& root, Command& chosen);
void addInfoCommand(CLI::App& root, Command& chosen);
void addImportCommand(CLI::App& root, Command& chosen);
void addCbtCommand(CLI::App& root, Command& chosen);
void addCaptureCommand(CLI::App& root, Command& chosen);
void addPackSceneCommand(CLI::App& root, Command& chosen);
void addSweepCommand(CLI::App& root, Command& chosen);
void addCompareCommand(CLI::App& root, Command& chosen);
void addReportCommand(CLI::App& root, Command& chosen);
void addModuleCommands(CLI::App& root, Command& chosen);  // for all compute modules
void addBenchCommand(CLI::App& root, Command& chosen);
void addSettingsCommand(CLI::App& root, Command& chosen);
// Adds the commands for packagers: man pages and completions for the commands of `root`.
void addReferenceCommands(CLI::App& root, Command& chosen);
void addReproduceCommand(CLI::App& root, Command& chosen);

// Adds "--size WxH" (each 16 ... 16384), stored in `width` and `height` when given.
CLI::Option* addSizeOption(CLI::App& command, int& width, int& height);

// Parses "WxH" with decimal digits only; empty if malformed or out of range.
struct Extent
{
    int width = 0, height = 0;
};
std::optional<Extent> parseExtent(std::string_view text);

}  // namespace orogen::app
