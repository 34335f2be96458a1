// View scripts: the steps that `view --script FILE` performs on the running program, one per line.  The tables
// scriptSteps() and expectKeys() are the source of `view --help-script` and the man page.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/status.h"
#include "core/planet/ellipsoid.h"
#include "core/settings.h"

namespace orogen {

// ---- reference: the steps, and the keys of `expect` other than settings ----

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

enum class Relation
{
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
};
std::string_view textOf(Relation relation);  // "==", ...

inline constexpr std::size_t kLongestSection = 64;  // bytes of a section's name

namespace step {

struct Set  // set KEY VALUE
{
    std::string key, value;
};
struct Click  // click ITEM
{
    std::string item;
};
struct Key  // key NAME: pressed and released; modifiers before it, as in Ctrl+Q
{
    std::string name;
};
struct Drag  // drag ITEM DX DY: pixels, to the right and down
{
    std::string item;
    double dx = 0, dy = 0;
};
struct Open  // open FILE
{
    std::string file;
};
struct GoTo  // goto LAT LON HEIGHT: degrees, and metres above the sea; goto NAME
{
    Geodetic place;
    std::string name{};  // not empty: a place by name
};
struct Bookmark  // bookmark set N, bookmark go N
{
    int number = 1;  // 1 ... kBookmarks
    bool set = false;
};
struct WaitFrames  // wait N
{
    int frames = 0;
};
struct WaitSettled  // wait settled
{
};
struct Screenshot  // screenshot FILE
{
    std::string file;
};
struct Capture  // capture DIR FRAMES: writes a frame-time report before the next step
{
    std::string folder;
    int frames = 0;  // number of measured frames
};
struct Mark  // mark NAME: the section of the captures that follow
{
    std::string name;
};
struct Run  // run MODULE key=value ...: starts the module
{
    std::string module;
    std::vector<std::pair<std::string, std::string>> assignments;
};
struct Model  // model run N, play, pause, undo, reset, window [X Y SIZE], save FILE
{
    std::string verb;
    std::uint64_t steps = 0;                        // run
    std::string file{};                             // save
    std::optional<std::array<double, 3>> window{};  // window: X, Y (metres from the terrain's centre), SIZE (metres)
};
struct Brush  // brush KIND X Y RADIUS AMOUNT: one application, one step of undo; AMOUNT as in scriptSteps()
{
    std::string kind;
    double x = 0, y = 0, radius = 0, amount = 0;  // x, y: metres east and north of the terrain's centre
};
struct Undo  // undo, redo: the last stroke
{
    bool again = false;  // redo
};
struct Expect  // expect KEY OP VALUE
{
    std::string key;
    Relation relation = Relation::kEqual;
    std::string value;
};
struct Quit  // quit
{
};

}  // namespace step

struct ScriptStep
{
    int line = 0;  // from 1
    std::variant<step::Set, step::Click, step::Key, step::Drag, step::Open, step::GoTo, step::Bookmark,
                 step::WaitFrames, step::WaitSettled, step::Screenshot, step::Capture, step::Mark, step::Run,
                 step::Model, step::Brush, step::Undo, step::Expect, step::Quit>
        action;
};

struct Script
{
    std::string file;
    std::vector<ScriptStep> steps;
};

// Parses a script.  Skips blank lines and comments, which start with a '#' at the start of a word.  The last argument
// of set, goto NAME, open, screenshot, mark, model save and expect reaches to the end of the line; double quotes around
// it protect blanks and '#'.  Errors name file and line: an unknown step or setting, or a bad value of a setting or
// place (kUsage); any other malformed step (kInput).
Result<Script> parseScript(std::string_view text, const std::string& file);

// Reads and parses a file.  Errors: those of parseScript(); kInput if it cannot be read or is larger than 1 MiB.
Result<Script> readScript(const std::string& file);

// Returns whether "found OP expected" holds.  Two decimal numbers of any length are compared by value, exactly.  Lists
// of numbers ("[1, 2]", brackets optional) are equal element by element; true/on and false/off are equal; other values
// are compared as text.  Error kUsage: an ordering of operands that are not both numbers.
Result<bool> compare(std::string_view found, Relation relation, std::string_view expected);

}  // namespace orogen
