// orogen man-pages and orogen completion: the command line as data, taken from the parser, so that man pages and
// completions match --help.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/script.h"
#include "core/settings.h"

namespace orogen::app {
namespace {

struct OptionReference
{
    std::vector<std::string> names;    // "--size", with dashes; empty: an operand
    std::string operand;               // operands only: "DEM"
    std::string value;                 // value name: "WxH"; empty: a flag
    std::vector<std::string> choices;  // allowed words; empty: any value
    std::string text;
    bool isFile() const;  // expects a file name
};

struct CommandReference
{
    std::string name;  // "orogen view"
    std::string text;
    std::vector<OptionReference> options, operands;
    std::vector<CommandReference> commands;
};

bool OptionReference::isFile() const
{
    constexpr std::string_view kFiles[] = {"FILE", "DIR", "DEM", "TEXT"};
    const auto named = [&](std::string_view place) { return value.starts_with(place) || operand.starts_with(place); };
    return std::ranges::any_of(kFiles, named);
}

std::vector<std::string> splitAt(std::string_view text, char separator)
{
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= text.size();)
    {
        const std::size_t end = std::min(text.find(separator, from), text.size());
        words.emplace_back(text.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

// Returns the allowed words in CLI11's type name; empty if there are none.  The name contains checked choices after a
// colon: "NAME:{bash,zsh}".  "on/off" also lists choices; upper case ("FILE", "W/H") is a placeholder.
std::vector<std::string> choicesIn(const std::string& named)
{
    const std::size_t opening = named.find(":{"), closing = named.find('}', opening);
    if (opening != named.npos && closing != named.npos)
        return splitAt(std::string_view(named).substr(opening + 2, closing - opening - 2), ',');
    if (named.find('/') == named.npos) return {};
    const std::vector<std::string> words = splitAt(std::string_view(named).substr(0, named.find(':')), '/');
    const bool allWords = std::ranges::all_of(words, [](const std::string& word) {
        return !word.empty() && std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
    });
    return allWords ? words : std::vector<std::string>{};
}

OptionReference optionReference(const CLI::Option& option)
{
    OptionReference reference;
    for (const std::string& name : option.get_snames())
        reference.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        reference.names.push_back("--" + name);
    if (option.get_positional()) reference.operand = option.get_name(true);
    const std::string named = option.get_type_size() != 0 ? option.get_type_name() : std::string();
    reference.value = named.substr(0, named.find(':'));
    reference.choices = choicesIn(named);
    reference.text = option.get_description();
    return reference;
}

CommandReference commandReference(const CLI::App& app, const std::string& name)
{
    CommandReference reference{name, app.get_description(), {}, {}, {}};
    for (const CLI::Option* option : app.get_options())
    {
        OptionReference described = optionReference(*option);
        (described.names.empty() ? reference.operands : reference.options).push_back(std::move(described));
    }
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        reference.commands.push_back(commandReference(*command, name + " " + command->get_name()));
    return reference;
}

CommandReference referenceOf(const CLI::App& root) { return commandReference(root, root.get_name()); }

// ---- man pages ------------------------------------------------------------------------------------------------------

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

std::string page(const CommandReference& command, const CommandReference* program)
{
    std::string text =
        fmt::format(".TH {} 1 \"\" \"orogen {}\" \"Orogen\"\n.SH NAME\n{} \\- {}\n", roff(pageName(command)),
                    roff(versionNumber()), roff(pageName(command)), roff(command.text));
    text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR [\\fIoptions\\fR]", roff(command.name));
    for (const OptionReference& operand : command.operands)
        text += fmt::format(" \\fI{}\\fR", roff(operand.operand));
    text += command.commands.empty() ? "\n" : " \\fIcommand\\fR\n.SH COMMANDS\n";
    for (const CommandReference& sub : command.commands)
        text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(pageName(sub)), roff(sub.text));
    if (!command.operands.empty() || !command.options.empty()) text += ".SH OPTIONS\n";
    for (const OptionReference& operand : command.operands)
        text += optionEntry(operand);
    for (const OptionReference& option : command.options)
        text += optionEntry(option);
    if (command.name == "orogen view") text += settingsSection() + scriptSection();
    text += ".SH EXIT STATUS\n";
    for (const ExitMeaning& row : kExitCodes)
        text += fmt::format(".TP\n{}\n{}\n", row.code, roff(row.text));
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

// Returns name and text of each man page: "orogen.1", and one per command, "orogen-view.1".
std::vector<std::pair<std::string, std::string>> manPages(const CommandReference& program)
{
    std::vector<std::pair<std::string, std::string>> pages;
    addPages(pages, program, nullptr);
    return pages;
}

// ---- completion -----------------------------------------------------------------------------------------------------

void flatten(const CommandReference& command, std::vector<const CommandReference*>& all)
{
    all.push_back(&command);
    for (const CommandReference& sub : command.commands)
        flatten(sub, all);
}

std::vector<const CommandReference*> commandsOf(const CommandReference& program)
{
    std::vector<const CommandReference*> all;
    flatten(program, all);
    return all;
}

std::string lastWord(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

// Returns the words that may follow `command`: its subcommands and options.
std::string wordsAfter(const CommandReference& command)
{
    std::string words;
    const auto add = [&words](const std::string& word) { words += (words.empty() ? "" : " ") + word; };
    for (const CommandReference& sub : command.commands)
        add(lastWord(sub.name));
    for (const OptionReference& option : command.options)
        for (const std::string& name : option.names)
            add(name);
    return words;
}

// Returns "key=" for every setting, or "key=choice" where it has choices.
std::string assignments()
{
    std::string words;
    for (const SettingInfo& info : settingTable())
    {
        const std::string before = words.empty() ? "" : " ";
        if (info.type == SettingType::kBool)
            words += fmt::format("{}{}=true {}=false", before, info.key, info.key);
        else if (info.choices.empty())
            words += fmt::format("{}{}=", before, info.key);
        else
            for (const std::string_view choice : info.choices)
                words += fmt::format("{}{}={}", words.empty() ? "" : " ", info.key, choice);
    }
    return words;
}

// Returns the words that complete an option's value; empty for values without choices, such as file names.
std::string valuesOf(const OptionReference& option)
{
    return option.names.back() == "--set" ? assignments() : fmt::format("{}", fmt::join(option.choices, " "));
}

std::string single(std::string_view text)  // in single quotes, for a shell
{
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

// Returns the completion script for bash.  To find the current command, the script appends each word before the cursor
// if the result is a known command, and skips other words.
std::string bash(const CommandReference& program)
{
    std::string known, words, values;
    for (const CommandReference* command : commandsOf(program))
    {
        known += fmt::format("{}{}", known.empty() ? "" : " | ", single(command->name));
        words += fmt::format("        {}) words={} ;;\n", single(command->name), single(wordsAfter(*command)));
        for (const OptionReference& option : command->options)
            if (!option.value.empty())
                for (const std::string& name : option.names)
                    values += fmt::format("        {}) COMPREPLY=($(compgen -W {} -- \"$current\")); values=yes ;;\n",
                                          single(command->name + " " + name), single(valuesOf(option)));
    }
    return fmt::format(R"(# Completion of orogen for bash, printed by: orogen completion bash
_orogen() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local line=${{COMP_LINE:0:COMP_POINT}} command=orogen word words values=
    # '=' parts words: key=value is taken from the line itself.
    if [[ $line =~ [[:space:]]--set[[:space:]]+([^[:space:]]*)$ ]]; then
        before=--set
        current=${{BASH_REMATCH[1]}}
    fi
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$command $word" in
            {}) command="$command $word" ;;
        esac
    done
    COMPREPLY=()
    case "$command $before" in
{}    esac
    if [[ $values ]]; then
        if [[ $before == --set && $current == *=* ]]; then COMPREPLY=("${{COMPREPLY[@]#*=}}"); fi
        [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace
        ((${{#COMPREPLY[@]}})) || COMPREPLY=($(compgen -f -- "$current"))
        return
    fi
    case "$command" in
{}    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ $current == -* ]] || COMPREPLY+=($(compgen -f -- "$current"))
}}
complete -o filenames -F _orogen orogen
)",
                       known, values, words);
}

// Returns a condition of fish that holds if the command line contains the command.
std::string fishCondition(const CommandReference& command)
{
    std::string condition;
    std::string rest = command.name.substr(std::min(command.name.find(' '), command.name.size()));
    while (!rest.empty())
    {
        rest.erase(0, 1);
        const std::string word = rest.substr(0, rest.find(' '));
        condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
        rest.erase(0, word.size());
    }
    return condition.empty() ? "__fish_use_subcommand" : condition;
}

std::string fish(const CommandReference& program)
{
    std::string text = "# Completion of orogen for fish, printed by: orogen completion fish\n";
    for (const CommandReference* command : commandsOf(program))
    {
        const std::string condition = single(fishCondition(*command));
        for (const CommandReference& sub : command->commands)
            text += fmt::format("complete -c orogen -n {} -a {} -d {}\n", condition, single(lastWord(sub.name)),
                                single(sub.text));
        for (const OptionReference& option : command->options)
        {
            text += fmt::format("complete -c orogen -n {}", condition);
            for (const std::string& name : option.names)
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!option.value.empty()) text += option.isFile() ? " -r -F" : " -x";
            if (const std::string values = option.value.empty() ? "" : valuesOf(option); !values.empty())
                text += " -a " + single(values);
            text += " -d " + single(option.text) + "\n";
        }
    }
    return text;
}

// Returns an option in the syntax of zsh's _arguments: '*--size[pixels]: :'.
std::string zshSpec(const OptionReference& option)
{
    std::string text;
    for (const char c : option.text)
        text += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
    std::string action;
    if (!option.value.empty())
    {
        const std::string values = valuesOf(option);
        action = ": :" + (!values.empty()   ? "(" + values + ")"
                          : option.isFile() ? std::string("_files")
                                            : std::string());
    }
    std::string specs;
    for (const std::string& name : option.names)
        specs += fmt::format(" {}", single(fmt::format("*{}[{}]{}", name, text, action)));
    return specs;
}

std::string zsh(const CommandReference& program)
{
    std::string cases, known;
    for (const CommandReference* command : commandsOf(program))
    {
        known += fmt::format("{}{}", known.empty() ? "" : " | ", single(command->name));
        std::string specs;
        for (const OptionReference& option : command->options)
            specs += zshSpec(option);
        std::string words;
        for (const CommandReference& sub : command->commands)
            words += fmt::format(" {}", single(lastWord(sub.name) + ":" + sub.text));
        cases += fmt::format("    {})\n", single(command->name));
        if (!words.empty()) cases += fmt::format("        names=({})\n        _describe command names\n", words);
        cases += fmt::format("        _arguments{} '*: :_files' ;;\n", specs);
    }
    return fmt::format(R"(#compdef orogen
# Completion of orogen for zsh, printed by: orogen completion zsh
_orogen() {{
    local command=orogen word
    local -a names
    for word in ${{words[2,CURRENT-1]}}; do
        case "$command $word" in
            {}) command="$command $word" ;;
        esac
    done
    case "$command" in
{}    esac
}}
_orogen "$@"
)",
                       known, cases);
}

// Returns a completion script for "bash", "zsh" or "fish".
std::string completion(const CommandReference& program, const std::string& shell)
{
    return shell == "bash" ? bash(program) : shell == "zsh" ? zsh(program) : fish(program);
}

// ---- commands -------------------------------------------------------------------------------------------------------

Result<ExitCode> writeManPages(const CommandReference& program, const std::string& folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error{ExitCode::kOutput, fmt::format("{}: cannot be made: {}", folder, failed.message())};
    for (const auto& [name, text] : manPages(program))
        if (Status s = writeFileAtomically((std::filesystem::path(folder) / name).string(), text); !s) return s.error();
    return ExitCode::kDone;
}

}  // namespace

void addReferenceCommands(CLI::App& root, Command& chosen)
{
    CLI::App* pages = root.add_subcommand("man-pages", "write a man page for each command into a folder");
    const auto folder = std::make_shared<std::string>();
    pages->add_option("DIR", *folder, "where they go: made if it is missing, pages in it are replaced")->required();
    pages->callback(
        [&root, folder, &chosen] { chosen = [&root, folder] { return writeManPages(referenceOf(root), *folder); }; });

    CLI::App* completions = root.add_subcommand("completion", "print a shell's completion script");
    const auto shell = std::make_shared<std::string>();
    completions->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completions->callback([&root, shell, &chosen] {
        chosen = [&root, shell]() -> Result<ExitCode> {
            print(completion(referenceOf(root), *shell));
            return ExitCode::kDone;
        };
    });
}

}  // namespace orogen::app
