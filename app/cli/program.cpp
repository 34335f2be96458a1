// The command line: parses, runs one command, and turns its outcome into the exit code.
#include <new>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>

#include "app/base/interrupt.h"
#include "app/base/startup.h"
#include "app/base/version.h"
#include "app/cli/command.h"
#include "app/cli/program.h"

namespace orogen::app {
namespace {

int fail(const Error& error)
{
    tell(error.message);
    return int(error.code);
}

int finish(ExitCode code)
{
    if (Status status = outputStatus(); !status) return fail(status.error());
    return int(code);
}

void addCommands(CLI::App& root, Command& chosen)
{
    root.set_help_flag("-h,--help", "what can be asked, and leave");
    root.set_version_flag("--version", versionText());
    root.require_subcommand(0, 1);
    addViewCommand(root, chosen);
    addInfoCommand(root, chosen);
    addCbtCommand(root, chosen);
    addModuleCommands(root, chosen);
    addCaptureCommand(root, chosen);
    addPackSceneCommand(root, chosen);
    addSweepCommand(root, chosen);
    addBenchCommand(root, chosen);
    addReproduceCommand(root, chosen);
    addCompareCommand(root, chosen);
    addReportCommand(root, chosen);
    addSettingsCommand(root, chosen);
    addReferenceCommands(root, chosen);
}

}  // namespace

int runProgram(int argc, char** argv)
{
    if (Status status = prepareMemory(); !status) return fail(status.error());
    CLI::App root("Orogen, a terrain renderer and measuring instrument. Without a command: view.", "orogen");
    Command chosen;
    addCommands(root, chosen);
    try
    {
        root.parse(argc, argv);
        if (!chosen) root.parse("view", false);
    }
    catch (const CLI::Success& answer)  // --help, --version
    {
        std::ostringstream text;
        root.exit(answer, text, text);
        print(text.str());
        return finish(ExitCode::kDone);
    }
    catch (const CLI::ParseError& error)
    {
        return fail({ExitCode::kUsage, std::string(error.what()) + " (see --help)"});
    }
    Result<ExitCode> outcome = chosen();
    if (outcome) return finish(*outcome);
    const Error error = outcome.error();
    const std::optional<Error> signal = interruption();
    const bool saysSo = signal && error.message.starts_with(signal->message);  // and maybe where what was kept lies
    return fail(error.code == ExitCode::kInterrupted && !saysSo ? signal.value_or(error) : error);
}

}  // namespace orogen::app
