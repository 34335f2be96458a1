// Self-description of the program: settings, script steps, items, man pages and completions agree with --help.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/script.h"
#include "core/settings.h"
#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;
using test::runProgram;

Finished answerTo(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), OROGEN_PROGRAM);
    return runProgram(arguments);
}

// Returns the long options that `orogen COMMAND --help` lists.
std::set<std::string> optionsOf(const std::vector<std::string>& command)
{
    std::vector<std::string> call = command;
    call.push_back("--help");
    const std::string help = answerTo(call).out;
    std::set<std::string> options;
    const std::regex name("(^|[ ,])(--[a-z][a-z0-9-]*)");
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);)
    {
        std::smatch found;
        if (line.starts_with("  -") && std::regex_search(line, found, name)) options.insert(found[2]);
    }
    return options;
}

TEST(SettingsCommand, ListsEverySettingAsJson)
{
    const Finished run = answerTo({"settings", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto rows = nlohmann::json::parse(run.out);
    ASSERT_EQ(rows.size(), settingTable().size());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const SettingInfo& info = settingTable()[i];
        for (const char* key : {"key", "type", "default", "lowest", "highest", "choices", "unit", "help"})
            EXPECT_TRUE(rows[i].contains(key)) << key;
        EXPECT_EQ(rows[i]["key"], info.key);
        EXPECT_EQ(rows[i]["help"], info.text);
        EXPECT_EQ(rows[i]["choices"].size(), info.choices.size());
    }
    EXPECT_EQ(rows[0]["lowest"], 6);
    EXPECT_EQ(rows[0]["highest"], 30);
    EXPECT_EQ(rows[0]["default"], 24);
}

TEST(SettingsCommand, ListsAPartOfThemAndRefusesAnUnknownOne)
{
    const Finished part = answerTo({"settings", "sun_"});
    EXPECT_EQ(part.code, 0);
    EXPECT_NE(part.out.find("render.sun_azimuth"), std::string::npos);
    EXPECT_EQ(part.out.find("cbt.depth"), std::string::npos);
    const Finished unknown = answerTo({"settings", "nothing\n"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_EQ(test::lineCount(unknown.err), 1) << unknown.err;
}

// Each step's syntax, with values for its placeholders, must parse as a step.
TEST(ScriptReference, EveryStepIsReadAndNoneIsMissing)
{
    const std::pair<const char*, const char*> places[] = {{"KEY VALUE", "cbt.depth 20"},
                                                          {"LAT LON HEIGHT", "46.5 8 4000"},
                                                          {"ITEM", "Terrain/depth"},
                                                          {"NAME", "F1"},
                                                          {"DX DY", "3 4"},
                                                          {"FILE", "a.tif"},
                                                          {"DIR FRAMES", "out 3"},
                                                          {"MODULE key=value ...", "cg a=b"},
                                                          {"KEY OP VALUE", "leaves > 3"},
                                                          {"KIND X Y RADIUS AMOUNT", "raise 0 0 5 1"},
                                                          {"[X Y SIZE]", "0 0 500"},
                                                          {" N", " 3"}};
    std::set<std::size_t> kinds;
    for (const ScriptStepInfo& step : scriptSteps())
    {
        std::string line(step.syntax);
        for (const auto& [place, value] : places)
            if (const std::size_t at = line.find(place); at != line.npos)
                line.replace(at, std::string(place).size(), value);
        const Result<Script> script = parseScript(line, "script");
        ASSERT_TRUE(script) << line << ": " << script.error().message;
        kinds.insert(script->steps.at(0).action.index());
    }
    EXPECT_EQ(kinds.size(), std::variant_size_v<decltype(ScriptStep::action)>);
}

TEST(ViewReference, HelpOfScriptsAndItemsNeedsNoWindow)
{
    const Finished script = answerTo({"view", "--help-script"});
    EXPECT_EQ(script.code, 0) << script.err;
    for (const ExpectKeyInfo& key : expectKeys())
        EXPECT_NE(script.out.find("  " + std::string(key.key) + " "), std::string::npos) << key.key;
    const Finished items = answerTo({"view", "--list-items"});
    EXPECT_EQ(items.code, 0) << items.err;
    for (const char* item : {"Terrain/depth\n", "Terrain/shading/...\n", "Multiword/algorithm\n", "Tools/Capture\n"})
        EXPECT_NE(items.out.find(item), std::string::npos) << item;
}

TEST(ManPages, NameEveryOptionThatHelpNames)
{
    const test::TemporaryFolder folder;
    ASSERT_EQ(answerTo({"man-pages", folder.path()}).code, 0);
    const std::vector<std::vector<std::string>> commands = {{},       {"view"},          {"capture"},     {"compare"},
                                                            {"info"}, {"cbt", "replay"}, {"cg", "solve"}, {"settings"}};
    for (const std::vector<std::string>& command : commands)
    {
        std::string file = "orogen";
        for (const std::string& word : command)
            file += "-" + word;
        std::string page = test::contentOf(folder / (file + ".1"));
        ASSERT_FALSE(page.empty()) << file;
        for (std::size_t at = 0; (at = page.find("\\-", at)) != page.npos;)
            page.erase(at, 1);
        EXPECT_EQ(page.rfind(".TH ", 0), 0u) << file;
        const std::set<std::string> options = optionsOf(command);
        EXPECT_GE(options.size(), 1u) << file;
        for (const std::string& option : options)
            EXPECT_NE(page.find("\\fB" + option + "\\fR"), std::string::npos) << file << " " << option;
    }
}

TEST(ManPages, AFolderThatCannotBeMadeIsAnOutputError)
{
    const Finished run = answerTo({"man-pages", "/dev/null/pages"});
    EXPECT_EQ(run.code, 8);
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
}

// Calls the completion script's function as the shell would.
std::string completed(const std::string& line)
{
    const test::TemporaryFolder folder;
    const std::filesystem::path script = std::filesystem::path(folder.path()) / "ask.bash";
    std::ofstream(script) << answerTo({"completion", "bash"}).out << "\nCOMP_LINE=" << '"' << line << '"'
                          << "\nCOMP_POINT=${#COMP_LINE}\nread -ra COMP_WORDS <<<\"$COMP_LINE\"\n"
                             "[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                             "compopt() { :; }\n_orogen\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return runProgram({"/bin/bash", script.string()}).out;
}

TEST(Completion, OfBashKnowsCommandsOptionsAndValues)
{
    EXPECT_EQ(completed("orogen cap"), "capture\n");
    EXPECT_EQ(completed("orogen view --scr"), "--script\n--screenshot\n");
    EXPECT_EQ(completed("orogen view --vsync o"), "on\noff\n");
    EXPECT_EQ(completed("orogen cbt rep"), "replay\n");
    EXPECT_EQ(completed("orogen view --set cbt.d"), "cbt.depth=\n");
    EXPECT_NE(completed("orogen view --set render.shading=").find("slope"), std::string::npos);
    EXPECT_NE(completed("orogen cg solve --back").find("--backend"), std::string::npos);
    for (const std::string name : {"--imagery", "--texture"})
        EXPECT_EQ(completed("orogen view " + name + " --scr"), "\n") << name << ": a file, not an option";
}

TEST(Completion, OfEveryShellNamesEveryOptionOfView)
{
    const std::set<std::string> options = optionsOf({"view"});
    ASSERT_GT(options.size(), 8u);
    for (const char* shell : {"bash", "zsh", "fish"})
    {
        const Finished script = answerTo({"completion", shell});
        ASSERT_EQ(script.code, 0) << script.err;
        for (const std::string& option : options)
        {
            const std::string shown = std::string(shell) == "fish" ? "-l " + option.substr(2) : option;
            EXPECT_NE(script.out.find(shown), std::string::npos) << shell << " " << option;
        }
    }
    EXPECT_EQ(answerTo({"completion", "csh"}).code, 2);
}

}  // namespace
}  // namespace orogen
