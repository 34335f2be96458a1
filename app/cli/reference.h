// Command line as data, taken from the parser, so that man pages and completions match --help.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace orogen::app {

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

CommandReference referenceOf(const CLI::App& root);

// Returns name and text of each man page: "orogen.1", and one per command, "orogen-view.1".
std::vector<std::pair<std::string, std::string>> manPages(const CommandReference& program);

// Returns a completion script for "bash", "zsh" or "fish".
std::string completion(const CommandReference& program, const std::string& shell);

}  // namespace orogen::app
