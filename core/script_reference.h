// Reference of view scripts: the steps, and the keys of `expect` other than settings.  Source of the parser's messages,
// `view --help-script`, the man page and the tests.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orogen {

struct ScriptStepInfo
{
    std::string_view syntax;  // "set KEY VALUE": the first word is the step's name
    std::string_view text;    // effect, one sentence
};
std::span<const ScriptStepInfo> scriptSteps();

struct ExpectKeyInfo
{
    std::string_view key;   // "leaves"; a part in capitals stands for a name: "module.NAME.state"
    std::string_view text;  // meaning with its unit, one sentence
};
std::span<const ExpectKeyInfo> expectKeys();

// Returns "set, click, ... or quit".
std::string scriptStepNames();

// Returns the help for a terminal: steps, keys, the syntax of a line.
std::string scriptHelp();

}  // namespace orogen
