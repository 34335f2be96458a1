// Screen texts for names in files, options and scripts (settings, module parameters, choices, items), and shell
// commands that repeat what is on screen.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings.h"
#include "core/terrain/io/source_overrides.h"

namespace orogen::app {

// Returns "Fill voids" for "fill_voids".  A table has labels for names that need other words.  In all other names,
// blanks replace '_' and '-', and the first letter is capitalised (see capitalised()).
std::string inWords(std::string_view name);

// Capitalises a text that begins with a lower-case word; "p99", "n" and "K_abs" stay.
std::string capitalised(std::string_view text);

// Returns the unit of a compute module's parameter, as in " bits"; empty if it has none.
std::string unitOf(std::string_view parameter);

// Returns the unit as shown: "°" for "deg", "×" for "x", "m²/a" for "m2/a", others unchanged.
std::string_view shownUnit(std::string_view unit);

std::string settingLabel(const SettingInfo& info);  // "Tree depth"
std::string choiceWords(std::string_view choice);   // words of a list choice: "Height" for "hypsometric"

// Formats a number with its unit, and with decimals by the unit: "2,097,152 leaves", "7.90 px", "40.0°".
std::string numberWords(const SettingInfo& info, double value);
// Formats a setting of any type: numberWords(), "on", "off", a choice's words, "12.0, -3.5, 800.0 m", a text or "none".
std::string valueWords(const SettingInfo& info, const Settings& settings);
std::string rangeWords(const SettingInfo& info);  // "from 6 to 30"; empty for a list, check box, time or text

// Returns the keys that differ from their defaults, except the camera's mode, position and direction, in the order of
// the settings table.
std::vector<std::string_view> changedSettings(const Settings& settings);
bool isChanged(const SettingInfo& info, const Settings& settings);

// Returns the tooltip of a setting: purpose, `note` if any, range, default, key, and how to change it.
std::string settingTooltip(const SettingInfo& info, const Settings& settings = {}, const std::string& note = {});

// Breaks a text into lines of at most `width`.  Lines break only between the text's parts, which `gap` separates, so a
// wider part makes its line wider.  `widthOf` returns the width of a text as drawn, in the unit of `width`.
std::string linesOfParts(std::string_view text, float width, const std::function<float(std::string_view)>& widthOf,
                         std::string_view gap = "   ");

// ---- shell commands ----

// Returns `text` as one POSIX shell word: unchanged if a shell takes every character literally, else in single quotes.
std::string shellWord(std::string_view text);

// Returns the absolute path of a file or folder; names that are not files ("synthetic:...", "/vsicurl/...", URLs) stay
// unchanged.
std::string absoluteDem(const std::string& dem);

// Returns the settings that differ from their defaults, camera included, as "--set key=value --set ...".
std::string changedAsOptions(const Settings& settings);

// Returns the camera settings as options, including those at their defaults.
std::string viewAsOptions(const Settings& settings);

// Files of an open terrain, as the command line names them.
struct OpenedFiles
{
    std::string dem{};                    // empty: the shipped terrain
    std::vector<std::string> insets{};    // elevation models in the Earth
    SourceOverrides overrides{};          // for the elevation model, or for the insets
    std::vector<std::string> pictures{};  // over the ground, the lowest first
};

// Returns "orogen view DEM --set ...": opens these files with these settings.
std::string viewCommand(const OpenedFiles& files, const Settings& settings);

}  // namespace orogen::app
