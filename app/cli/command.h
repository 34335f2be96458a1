// How a subcommand joins the program: it adds itself to the parser and, if it is the one asked for, leaves its body in
// `chosen`.  main() runs the body after parsing and turns what it returns into the exit code.
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

// Returns kDone, or kNo where the answer is "no"; everything else is an Error.
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
void addModuleCommands(CLI::App& root, Command& chosen);  // of all compute modules
void addBenchCommand(CLI::App& root, Command& chosen);
void addSettingsCommand(CLI::App& root, Command& chosen);
// What packages install: pages and completions of the commands that `root` has.
void addReferenceCommands(CLI::App& root, Command& chosen);
void addReproduceCommand(CLI::App& root, Command& chosen);

// Adds "--size WxH" (each 16 ... 16384), written to `width` and `height` when given.
CLI::Option* addSizeOption(CLI::App& command, int& width, int& height);

// "WxH" with decimal digits only; empty if it is anything else or out of range.
struct Extent
{
    int width = 0, height = 0;
};
std::optional<Extent> parseExtent(std::string_view text);

}  // namespace orogen::app
