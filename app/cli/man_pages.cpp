#include <fmt/format.h>

#include "app/base/version.h"
#include "app/cli/reference.h"
#include "core/script_reference.h"
#include "core/settings.h"

namespace orogen::app {
namespace {

struct ExitMeaning
{
    const char *code, *text;
};
constexpr ExitMeaning kExitCodes[] = {{"0", "done"},
                                      {"1", "the answer is no: slower, not converged, a difference was found"},
                                      {"2", "wrong call: an unknown option or key, a value out of range"},
                                      {"3", "a shader does not compile or link"},
                                      {"4", "no usable OpenGL context"},
                                      {"5", "input missing, unreadable, malformed"},
                                      {"6", "memory, or a limit of this driver or machine"},
                                      {"7", "CUDA asked for by name and not usable"},
                                      {"8", "output could not be written, or would have replaced what it must not"},
                                      {"10", "a script's expectation failed"},
                                      {"130, 143", "interrupted by SIGINT, by SIGTERM; what was captured is kept"}};

// Escapes text for roff: control characters at line starts, backslashes and dashes.
std::string roff(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        if ((c == '.' || c == '\'') && (i == 0 || text[i - 1] == '\n')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

std::string pageName(const CommandReference& command)
{
    std::string name = command.name;
    for (char& c : name)
        if (c == ' ') c = '-';
    return name;
}

std::string optionEntry(const OptionReference& option)
{
    std::string names;
    for (const std::string& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    if (option.names.empty())
        names = fmt::format("\\fI{}\\fR", roff(option.operand));
    else if (!option.value.empty())
        names += fmt::format(" \\fI{}\\fR", roff(option.value));
    return fmt::format(".TP\n{}\n{}\n", names, roff(option.text));
}

std::string synopsis(const CommandReference& command)
{
    std::string text = fmt::format(".SH SYNOPSIS\n\\fB{}\\fR [\\fIoptions\\fR]", roff(command.name));
    for (const OptionReference& operand : command.operands)
        text += fmt::format(" \\fI{}\\fR", roff(operand.operand));
    return text + (command.commands.empty() ? "\n" : " \\fIcommand\\fR\n");
}

std::string commandList(const CommandReference& command)
{
    std::string text = command.commands.empty() ? "" : ".SH COMMANDS\n";
    for (const CommandReference& sub : command.commands)
        text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(pageName(sub)), roff(sub.text));
    return text;
}

std::string settingsSection()
{
    std::string text =
        ".SH SETTINGS\nGiven as \\fB\\-\\-set\\fR \\fIkey=value\\fR, in a file, in the panels, in scripts.\n";
    for (const SettingInfo& info : settingTable())
        text += fmt::format(".TP\n\\fB{}\\fR ({})\n{}\n", roff(info.key), roff(settingText(Settings{}, info.key)),
                            roff(info.text));
    return text;
}

std::string scriptSection()
{
    std::string text = ".SH SCRIPTS\nOne step a line; # begins a comment.\n";
    for (const ScriptStepInfo& step : scriptSteps())
        text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(step.syntax), roff(step.text));
    text += ".PP\nKeys for \\fBexpect\\fR: every setting, and\n";
    for (const ExpectKeyInfo& key : expectKeys())
        text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(key.key), roff(key.text));
    return text;
}

std::string exitSection()
{
    std::string text = ".SH EXIT STATUS\n";
    for (const ExitMeaning& row : kExitCodes)
        text += fmt::format(".TP\n{}\n{}\n", row.code, roff(row.text));
    return text;
}

std::string page(const CommandReference& command, const CommandReference* program)
{
    std::string text =
        fmt::format(".TH {} 1 \"\" \"orogen {}\" \"Orogen\"\n.SH NAME\n{} \\- {}\n", roff(pageName(command)),
                    roff(versionNumber()), roff(pageName(command)), roff(command.text));
    text += synopsis(command);
    text += commandList(command);
    if (!command.operands.empty() || !command.options.empty()) text += ".SH OPTIONS\n";
    for (const OptionReference& operand : command.operands)
        text += optionEntry(operand);
    for (const OptionReference& option : command.options)
        text += optionEntry(option);
    if (command.name == "orogen view") text += settingsSection() + scriptSection();
    text += exitSection();
    if (program) text += fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", roff(pageName(*program)));
    return text;
}

void addPages(std::vector<std::pair<std::string, std::string>>& pages, const CommandReference& command,
              const CommandReference* program)
{
    pages.emplace_back(pageName(command) + ".1", page(command, program));
    for (const CommandReference& sub : command.commands)
        addPages(pages, sub, program ? program : &command);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> manPages(const CommandReference& program)
{
    std::vector<std::pair<std::string, std::string>> pages;
    addPages(pages, program, nullptr);
    return pages;
}

}  // namespace orogen::app
