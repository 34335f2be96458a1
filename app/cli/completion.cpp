#include <fmt/format.h>

#include "app/cli/reference.h"
#include "core/settings.h"

namespace orogen::app {
namespace {

// Appends all commands in preorder, the program first.
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

// Returns the words that complete an option's value; empty for file names.
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

// The script finds the current command as the longest known one spelled by the words without a dash.
std::string bash(const CommandReference& program)
{
    std::string known, words, values;
    for (const CommandReference* command : commandsOf(program))
    {
        known += fmt::format("{}{}", known.empty() ? "" : " | ", single(command->name));
        words += fmt::format("        {}) words={} ;;\n", single(command->name), single(wordsAfter(*command)));
        for (const OptionReference& option : command->options)
            if (!option.value.empty())
                values += fmt::format("        {}) COMPREPLY=($(compgen -W {} -- \"$current\")); values=yes ;;\n",
                                      single(command->name + " " + option.names.back()), single(valuesOf(option)));
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

// Returns the fish condition that the command is on the line.
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

// Returns an option in the syntax of zsh's _arguments: '--size[pixels]:WxH:'.
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

}  // namespace

std::string completion(const CommandReference& program, const std::string& shell)
{
    return shell == "bash" ? bash(program) : shell == "zsh" ? zsh(program) : fish(program);
}

}  // namespace orogen::app
