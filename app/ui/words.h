// The words that a person reads for what files, options and scripts call by a name: settings, module parameters,
// choices, items.  The names stay what they are; only what stands on screen is made here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings.h"

namespace orogen::app {

// "fill_voids" is "Fill voids", "absolute-tolerance" is "Absolute tolerance".  Names that need other words than their
// own stand in a table; all others are taken apart at '_' and '-'.
std::string inWords(std::string_view name);

// The text with a capital where it begins with a lower-case word; "p99", "n" and "K_abs" stay.
std::string capitalised(std::string_view text);

// " bits" of the parameter of a compute module that has a unit; else empty.
std::string unitOf(std::string_view parameter);

// "deg" is "°"; others stay.
std::string_view shownUnit(std::string_view unit);

std::string settingLabel(const SettingInfo& info);  // "Tree depth"
std::string choiceWords(std::string_view choice);   // of a list: "hypsometric" is "Height"

// A number of this setting with its unit and as many digits as its control shows: "2,097,152 leaves", "7.90 px",
// "40.0°".
std::string numberWords(const SettingInfo& info, double value);
// A setting's value, whatever its type: numberWords(), "on", "off", a choice's words, "12.0, -3.5, 800.0 m".
std::string valueWords(const SettingInfo& info, const Settings& settings);
std::string rangeWords(const SettingInfo& info);  // "from 6 to 30"; empty where a list or a check box shows it

// The keys whose values are not the default, but for where the camera is: in the order of the table.
std::vector<std::string_view> changedSettings(const Settings& settings);
bool isChanged(const SettingInfo& info, const Settings& settings);

// The text of a setting's tooltip: what it does, `note` where there is one, range, default, key, and how to change it.
std::string settingTooltip(const SettingInfo& info, const Settings& settings = {}, const std::string& note = {});

}  // namespace orogen::app
