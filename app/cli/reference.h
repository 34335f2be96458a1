// The command line described as data, taken from the parser itself, so that man pages and completions cannot say
// anything else than --help.
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
    std::string operand;               // of an operand: "DEM"
    std::string value;                 // what follows: "WxH"; empty: a flag
    std::vector<std::string> choices;  // where the values are words; empty: anything
    std::string text;
    bool isFile() const;  // whether a file's name is expected
};

struct CommandReference
{
    std::string name;  // "orogen view"
    std::string text;
    std::vector<OptionReference> options, operands;
    std::vector<CommandReference> commands;
};

CommandReference referenceOf(const CLI::App& root);

// Name and text of each man page: "orogen.1", and one for each command, "orogen-view.1".
std::vector<std::pair<std::string, std::string>> manPages(const CommandReference& program);

// A completion script for "bash", "zsh" or "fish".
std::string completion(const CommandReference& program, const std::string& shell);

}  // namespace orogen::app
