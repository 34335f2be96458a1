// What a view script can say: the steps, and the keys that `expect` knows besides the settings.  The parser's messages,
// `view --help-script`, the man page and the tests all come from here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orogen {

struct ScriptStepInfo
{
    std::string_view syntax;  // "set KEY VALUE": the first word is the step's name
    std::string_view text;    // what it does, one sentence
};
std::span<const ScriptStepInfo> scriptSteps();

struct ExpectKeyInfo
{
    std::string_view key;   // "leaves"; a part in capitals stands for a name: "module.NAME.state"
    std::string_view text;  // what it is, with its unit, one sentence
};
std::span<const ExpectKeyInfo> expectKeys();

// "set, click, ... or quit".
std::string scriptStepNames();

// All of it as text for a terminal: steps, keys, how a line is read.
std::string scriptHelp();

}  // namespace orogen
