// Command line: parses, runs one command, and returns its exit code.
#include <algorithm>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/base/process.h"
#include "app/cli/command.h"
#include "core/base/text.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen::app {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  orogen                                       the shipped terrain in a window\n"
    "  orogen my.tif --unit foot                    an elevation model of your own, in feet\n"
    "  orogen earth my.tif --goto 46.5,8,4000       the whole Earth, your model in it, from a place\n"
    "  orogen info my.tif                           its contents and warnings about it\n"
    "  orogen capture my.tif --out report           a frame-time report along a camera path\n"
    "  orogen record --path ridge --out ridge.mp4   a film of a flight\n"
    "  orogen view --headless --screenshot a.png    a picture without a window\n"
    "  orogen COMMAND --help                        the options of a command";

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

std::vector<const CLI::App*> commandsOf(const CLI::App& root)
{
    return root.get_subcommands([](const CLI::App*) { return true; });
}

Error unknownCommand(const CLI::App& root, const std::string& word)
{
    const std::string shown = printable(word.substr(0, 60));
    const std::vector<const CLI::App*> commands = commandsOf(root);
    const auto distance = [&shown](const CLI::App* command) { return editDistance(shown, command->get_name()); };
    const CLI::App* nearest = *std::ranges::min_element(commands, {}, distance);
    const bool close = distance(nearest) <= std::min(kCloseWord, nearest->get_name().size() / 2);
    return {ExitCode::kUsage, fmt::format("unknown command '{}', and no file of that name{} (see --help)", shown,
                                          close ? fmt::format(": expected perhaps {}", nearest->get_name()) : "")};
}

// Returns the parser's message, or for a missing subcommand the choices, which CLI11 does not name.
Error usageError(const CLI::App& root, const CLI::ParseError& error)
{
    const CLI::App* command = &root;
    while (!command->get_subcommands().empty())
        command = command->get_subcommands().front();
    std::string choices;
    for (const CLI::App* choice : commandsOf(*command))
        choices += (choices.empty() ? "" : ", ") + choice->get_name();
    if (choices.empty() || !dynamic_cast<const CLI::RequiredError*>(&error))
        return {ExitCode::kUsage, std::string(error.what()) + " (see --help)"};
    const std::vector<std::string> others = command->remaining();
    const std::string found = others.empty() ? "nothing" : fmt::format("'{}'", printableStart(others.front()));
    return {ExitCode::kUsage,
            fmt::format("{}: found {}, expected one of {} (see --help)", command->get_name(), found, choices)};
}

void addCommands(CLI::App& root, Command& chosen)
{
    root.set_help_flag("-h,--help", "print this help and exit");
    root.set_version_flag("--version", versionText());
    root.require_subcommand(0, 1);
    addViewCommand(root, chosen);
    addInfoCommand(root, chosen);
    addImportCommand(root, chosen);
    addMeshCommand(root, chosen);
    addModelCommand(root, chosen);
    addCbtCommand(root, chosen);
    addModuleCommands(root, chosen);
    addCaptureCommand(root, chosen);
    addRecordCommand(root, chosen);
    addPackSceneCommand(root, chosen);
    addSweepCommand(root, chosen);
    addBenchCommand(root, chosen);
    addReproduceCommand(root, chosen);
    addCompareCommand(root, chosen);
    addBaselineCommand(root, chosen);
    addReportCommand(root, chosen);
    addSettingsCommand(root, chosen);
    addReferenceCommands(root, chosen);
    root.footer(kExamples);  // set last, because subcommands created afterwards would inherit it
}

// Returns whether a word looks like a file name, as no command does: "my_dem.tif", "folder/tiles".
bool isFileName(const std::string& word)
{
    const std::size_t dot = word.rfind('.');
    return word.find('/') != std::string::npos || (dot != std::string::npos && dot > 0 && dot + 1 < word.size());
}

// Inserts "view" if the first word is a terrain instead of a command: an existing file, a file name, a synthetic
// terrain, or the Earth.
Result<std::vector<std::string>> argumentsOf(const CLI::App& root, int argc, char** argv)
{
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const auto isCommand = [&](const CLI::App* command) { return command->get_name() == arguments.front(); };
    if (!arguments.empty() && !arguments.front().starts_with('-') && std::ranges::none_of(commandsOf(root), isCommand))
    {
        const std::string& word = arguments.front();
        std::error_code ignored;
        if (!isFileName(word) && !isSyntheticName(word) && word != kEarthName &&
            !std::filesystem::exists(word, ignored))
            return unknownCommand(root, word);
        arguments.insert(arguments.begin(), "view");
    }
    std::ranges::reverse(arguments);  // order expected by CLI11
    return arguments;
}

}  // namespace

int runProgram(int argc, char** argv)
{
    if (Status status = prepareMemory(); !status) return fail(status.error());
    CLI::App root("Orogen, a terrain renderer and measuring instrument. Without a command: view.", "orogen");
    Command chosen;
    addCommands(root, chosen);
    Result<std::vector<std::string>> arguments = argumentsOf(root, argc, argv);
    if (!arguments) return fail(arguments.error());
    try
    {
        root.parse(*arguments);
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
        return fail(usageError(root, error));
    }
    Result<ExitCode> outcome = chosen();
    if (outcome) return finish(*outcome);
    const Error error = outcome.error();
    const std::optional<Error> signal = interruption();
    // Whether the error names the signal already, perhaps with more text after it.
    const bool saysSo = signal && error.message.starts_with(signal->message);
    return fail(error.code == ExitCode::kInterrupted && !saysSo ? signal.value_or(error) : error);
}

}  // namespace orogen::app
