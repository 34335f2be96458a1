#include "app/ui/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/model/format.h"
#include "core/base/text.h"
#include "core/settings.h"
#include "core/settings_history.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen::app {

namespace {

using Word = std::pair<std::string_view, std::string_view>;

// Labels of items and parameters.  inWords() derives the labels of names that are missing here.
constexpr Word kWords[] = {
    {"undo_fill", "Undo filling"},
    {"undo_stroke", "Undo"},
    {"redo_stroke", "Redo"},
    {"cancel_fill", "Cancel"},
    {"reset", "Reset all"},
    {"file", "File"},
    {"copy", "Copy"},
    {"validate", "Validate mesh"},
    {"warmup", "Warm-up"},
    {"path", "Camera path"},
    {"ui_scale", "Size of panels"},
    {"pictures", "Picture folder"},
    {"captures", "Capture folder"},
    {"split", "Split picture"},
    {"split_at", "Divider"},
    {"split_difference", "Difference"},
    {"close_split", "Close split picture"},
    {"show_both", "Show A and B side by side"},
    {"mesh_file", "File"},
    {"write_mesh", "Write mesh in view"},
    {"cancel_mesh", "Cancel"},
    {"film_file", "Film"},
    {"film_rate", "Frames a second"},
    {"film_settled", "Settled"},
    {"film_panels", "With panels"},
    {"hold_a", "Hold as side A"},
    {"forget_a", "Forget side A"},
    {"start", "Start capture"},
    {"sweep", "Start sweep"},
    {"from_depth", "Smallest depth"},
    {"to_depth", "Largest depth"},
    {"copy_result", "Copy result"},
    {"copy_step", "Copy step"},
    {"sweep_from", "From"},
    {"sweep_to", "To"},
    {"sweep_sizes", "Sizes"},
    {"start_sweep", "Start sweep"},
    {"sweep_shows", "Shown"},
    {"save_sweep", "Save sweep and runs"},
    {"carry-in", "Carry in"},
    {"length", "Length"},
    {"backend", "Back end"},
    {"gpu", "GPU"},
    {"word-bits", "Word size"},
    {"float64", "As doubles"},
    {"digits", "Digits of each"},
    {"spread", "Exponents to \u00b1"},
    {"digit-set", "Digits to \u00b1"},
    {"twiddle-digits", "Cosines' digits"},
    {"poisson", "Poisson grid"},
    {"random", "Random matrix"},
    {"condition", "Condition"},
    {"absolute-tolerance", "Absolute goal"},
    {"tolerance", "Relative goal"},
    {"max-iterations", "Most iterations"},
    {"K_abs", "Over the digit loop"},
    {"draw_frames", "Draw frames during runs"},
};

// List choices.  Algorithms and back ends keep the names used in papers, options and reports.
constexpr Word kChoices[] = {
    {"edge", "Edge length"},
    {"error", "Error"},
    {"off", "Off"},
    {"frame_ms", "Frame time"},
    {"triangles", "Triangles"},
    {"lit", "Sunlit"},
    {"normals", "Normals"},
    {"slope", "Slope"},
    {"hypsometric", "Height"},
    {"lod", "Level of detail"},
    {"drainage", "Drained area"},
    {"fly", "Fly"},
    {"map", "Map"},
    {"open", "Open"},
    {"walls", "Walls"},
    {"ground", "Ground"},
    {"auto", "If too large"},
    {"always", "Always"},
    {"full", "Full"},
    {"haze", "Haze"},
    {"geoid", "Geoid (sea)"},
    {"ellipsoid", "Ellipsoid"},
    {"direct", "One light"},
    {"multidirectional", "Four lights"},
    {"relief", "Relief"},
    {"own", "Their own"},
    {"view", "The view"},
    {"fixed", "Fixed"},
    {"none", "None"},
};

std::optional<std::string_view> wordFor(std::span<const Word> words, std::string_view name)
{
    const auto found = std::ranges::find(words, name, &Word::first);
    return found == words.end() ? std::nullopt : std::optional(found->second);
}

int decimalsOf(const SettingInfo& info)
{
    if (info.type == SettingType::kInteger || info.unit == "%" || info.unit == "triangles" || info.unit == "a")
        return 0;
    return info.unit == "deg" || info.unit == "m" || info.unit == "km" ? 1 : 2;
}

// Formats an end of a range with all its digits.
std::string endWords(double value)
{
    const std::string digits = fmt::format("{:.15g}", std::abs(value));
    const bool whole = digits.find_first_not_of("0123456789") == std::string::npos;
    const std::string size = whole ? grouped(std::uint64_t(std::llround(std::abs(value)))) : digits;
    return (value < 0 ? "-" : "") + size;
}

std::string withUnit(std::string number, std::string_view unit)
{
    if (unit.empty()) return number;
    return fmt::format("{}{}{}", number, unit == "deg" ? "" : " ", shownUnit(unit));
}

// ---- shell commands ----

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";

// Returns the value as a command-line option needs it: a position without brackets, which are special to a shell, and
// camera values with two decimals.
std::string optionValue(const Settings& settings, const SettingInfo& info)
{
    const Settings::View& view = settings.view;
    if (info.key == "view.position")
        return fmt::format("{},{},{}", fixedText(view.position.x, 2), fixedText(view.position.y, 2),
                           fixedText(view.position.z, 2));
    if (info.key == "view.yaw") return fixedText(view.yaw, 2);
    if (info.key == "view.pitch") return fixedText(view.pitch, 2);
    if (info.key == "view.fov") return fixedText(view.fov, 2);
    return settingText(settings, info.key);
}

std::string option(const Settings& settings, const SettingInfo& info)
{
    return shellWord(fmt::format("{}={}", info.key, optionValue(settings, info)));
}

}  // namespace

std::string capitalised(std::string_view text)
{
    const auto lower = [&](std::size_t i) { return i < text.size() && text[i] >= 'a' && text[i] <= 'z'; };
    std::string changed(text);
    if (lower(0) && lower(1)) changed[0] = char(changed[0] - 'a' + 'A');
    return changed;
}

std::string inWords(std::string_view name)
{
    if (const auto word = wordFor(kWords, name)) return std::string(*word);
    if (name.size() == 1 && name[0] >= 'a' && name[0] <= 'z') return std::string(1, char(name[0] - 'a' + 'A'));
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    std::ranges::replace(words, '-', ' ');
    return capitalised(words);
}

std::string unitOf(std::string_view parameter)
{
    constexpr Word kUnits[] = {{"length", " bits"}, {"word-bits", " bits"}, {"count", " numbers"}, {"random", " rows"}};
    return std::string(wordFor(kUnits, parameter).value_or(""));
}

std::string_view shownUnit(std::string_view unit)
{
    return unit == "deg" ? "\u00b0" : unit == "x" ? "\u00d7" : unit == "m2/a" ? "m\u00b2/a" : unit;
}

std::string settingLabel(const SettingInfo& info) { return std::string(info.label); }

std::string choiceWords(std::string_view choice) { return std::string(wordFor(kChoices, choice).value_or(choice)); }

std::string numberWords(const SettingInfo& info, double value)
{
    if (info.unit == "1/a") return withUnit(fmt::format("{:.3g}", value), info.unit);
    const std::string number = grouped(value, std::abs(value) >= 1e5 ? 0 : decimalsOf(info));
    return withUnit(info.key == "view.yaw" && number == "360.0" ? "0.0" : number, info.unit);  // north is 0
}

std::string valueWords(const SettingInfo& info, const Settings& settings)
{
    if (info.type == SettingType::kBool) return settingNumber(settings, info.key) != 0 ? "on" : "off";
    const std::string text = settingText(settings, info.key);
    if (info.type == SettingType::kChoice) return choiceWords(text);
    if (info.type == SettingType::kPosition)
    {
        const glm::dvec3& p = settings.view.position;
        return fmt::format("{}, {}, {} m", grouped(p.x, 1), grouped(p.y, 1), grouped(p.z, 1));
    }
    if (info.type == SettingType::kTime || info.type == SettingType::kText) return text.empty() ? "none" : text;
    const std::optional<double> number = numberIn<double>(text);
    return number ? numberWords(info, *number) : text;  // "none": the setting has no value
}

std::string rangeWords(const SettingInfo& info)
{
    if (!info.choices.empty() || info.type == SettingType::kBool || info.type == SettingType::kChoice ||
        info.type == SettingType::kTime || info.type == SettingType::kText)
        return {};
    return fmt::format("from {} to {}", endWords(info.minimum), withUnit(endWords(info.maximum), info.unit));
}

bool isChanged(const SettingInfo& info, const Settings& settings)
{
    return settingText(settings, info.key) != settingText(defaultsFor(settings), info.key);
}

std::vector<std::string_view> changedSettings(const Settings& settings)
{
    std::vector<std::string_view> keys;
    for (const SettingInfo& info : settingTable())
        if (!placesCamera(info.key) && isChanged(info, settings)) keys.push_back(info.key);
    return keys;
}

std::string settingTooltip(const SettingInfo& info, const Settings& settings, const std::string& note)
{
    const std::string range = rangeWords(info);
    const std::string byDefault = valueWords(info, defaultsFor(settings));
    const std::string values = range.empty() ? fmt::format("Default {}.", byDefault)
                                             : fmt::format("{}; default {}.", capitalised(range), byDefault);
    const char* typed = range.empty() ? "" : "Ctrl+click: type a value. ";
    return fmt::format("{}{}{}\n\n{}\n{}Right click: the default.\n{}", info.text, note.empty() ? "" : "\n\n", note,
                       values, typed, info.key);
}

std::string linesOfParts(std::string_view text, float width, const std::function<float(std::string_view)>& widthOf,
                         std::string_view gap)
{
    std::string lines;
    std::size_t line = 0;  // where the last line begins
    while (!text.empty())
    {
        const std::string_view part = text.substr(0, text.find(gap));
        text.remove_prefix(std::min(part.size() + gap.size(), text.size()));
        const std::string longer = lines.substr(line) + std::string(line < lines.size() ? gap : "") + std::string(part);
        if (line < lines.size() && widthOf(longer) > width)
        {
            lines += '\n';
            line = lines.size();
            lines += part;
        }
        else
            lines.replace(line, lines.npos, longer);
    }
    return lines;
}

std::string shellWord(std::string_view text)
{
    const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos;
    if (plain) return std::string(text);
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

std::string absoluteDem(const std::string& dem)
{
    if (dem.empty() || isSyntheticName(dem) || dem == kEarthName) return dem;
    if (isGdalPath(dem) || dem.find("://") != dem.npos) return dem;
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::absolute(dem, failed);
    return failed ? dem : path.lexically_normal().string();
}

std::string changedAsOptions(const Settings& settings)
{
    const auto changed = [&](std::string_view key) {
        return settingText(settings, key) != settingText(defaultsFor(settings), key);
    };
    std::string text;
    // Setting lod.split_pixels also moves lod.merge_pixels, so a changed split_pixels needs both options.
    for (const SettingInfo& info : settingTable())
        if (changed(info.key) || (info.key == "lod.merge_pixels" && changed("lod.split_pixels")))
            text += (text.empty() ? "--set " : " --set ") + option(settings, info);
    return text;
}

std::string viewAsOptions(const Settings& settings)
{
    std::string text;
    for (const SettingInfo& info : settingTable())
        if (info.key.starts_with("view.")) text += (text.empty() ? "--set " : " --set ") + option(settings, info);
    return text;
}

std::string viewCommand(const OpenedFiles& files, const Settings& settings)
{
    std::string command = "orogen view";
    if (const std::string file = absoluteDem(files.dem); !file.empty()) command += ' ' + shellWord(file);
    for (const std::string& inset : files.insets)
        command += ' ' + shellWord(absoluteDem(inset));
    command += optionsOf(files.overrides);
    for (const std::string& picture : files.pictures)
        command += " --imagery " + shellWord(absoluteDem(picture));
    if (const std::string changed = changedAsOptions(settings); !changed.empty()) command += ' ' + changed;
    return command;
}

}  // namespace orogen::app
