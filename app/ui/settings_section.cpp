// Settings section of the Terrain panel: undo, redo, reset, presets, changed settings, and copying them as a command.
#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/ui/command_text.h"
#include "app/ui/fold.h"
#include "app/ui/panels.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

// Returns a list such as "Tree depth, leaves at most and 3 more".
std::string labelsOf(const std::vector<std::string>& keys)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(keys.size(), kShown); ++i)
        text += (i == 0 ? "" : ", ") + settingLabel(*findSetting(keys[i]));
    return keys.size() > kShown ? fmt::format("{} and {} more", text, keys.size() - kShown) : text;
}

bool stepButton(const Panel& panel, const char* name, const char* keys, const std::vector<std::string>& changes,
                float width)
{
    ImGui::BeginDisabled(changes.empty());
    const std::string what = changes.empty() ? fmt::format("Nothing to {}.", name)
                                             : fmt::format("{}: {}.", inWords(name), labelsOf(changes));
    const bool pressed = button(panel, name, fmt::format("{} ({})", what, keys), width);
    ImGui::EndDisabled();
    return pressed;
}

// Resets all settings except the view's.
void reset(Settings& settings)
{
    const Settings::View view = settings.view;
    settings = defaultsFor(settings);
    settings.view = view;
}

void steps(const Panel& panel)
{
    const SettingsState& state = panel.model.settingsState;
    SettingsActions& actions = panel.actions.settingsActions;
    const float third = buttonWidth(panel, 3);
    actions.undo |= stepButton(panel, "undo", "Ctrl+Z", state.undoes, third);
    ImGui::SameLine();
    actions.redo |= stepButton(panel, "redo", "Ctrl+Shift+Z or Ctrl+Y", state.redoes, third);
    ImGui::SameLine();
    if (button(panel, "reset", "Puts every setting but the view's back to its default.", third))
        reset(panel.actions.settings);
}

// Returns true at the second consecutive press: actions that cannot be undone need two.
bool confirmed(const Panel& panel, const std::string& what)
{
    std::string& pressed = panel.state.settings.confirmed;
    const bool again = pressed == what;
    pressed = again ? std::string() : what;
    return again;
}

void presetList(const Panel& panel)
{
    const std::vector<PresetChoice>& presets = panel.model.settingsState.presets;
    beginRow(panel, "preset");
    if (ImGui::BeginCombo("##value", "Choose ...", ImGuiComboFlags_HeightLargest))
    {
        for (const PresetChoice& preset : presets)
        {
            const std::string shown = preset.own ? preset.name + " (own)" : inWords(preset.name);
            if (ImGui::Selectable(shown.c_str()))
            {
                panel.actions.settingsActions.loadPreset = preset.name;
                panel.state.settings.presetName = preset.own ? preset.name : panel.state.settings.presetName;
            }
            panel.items.add(panel.name, "preset/" + preset.name);
        }
        ImGui::EndCombo();
    }
    endItem(panel, "preset",
            "Settings for a look or a purpose, those that come with the program and your own. One step for Undo.");
}

void presetFile(const Panel& panel)
{
    SettingsDraft& draft = panel.state.settings;
    const std::vector<PresetChoice>& presets = panel.model.settingsState.presets;
    const auto known = std::ranges::find(presets, draft.presetName, &PresetChoice::name);
    const bool own = known != presets.end() && known->own, shipped = known != presets.end() && !known->own;
    const std::string& name = draft.presetName;
    const bool saves = draft.confirmed == "save " + name, deletes = draft.confirmed == "delete " + name;
    const float third = buttonWidth(panel, 3);
    ImGui::PushID("preset_name");
    ImGui::SetNextItemWidth(third);
    ImGui::InputTextWithHint("##name", "name", &draft.presetName);
    endItem(panel, "preset_name", "The name of a preset of your own: to save the settings under, or to delete.");
    ImGui::SameLine();
    ImGui::BeginDisabled(name.empty() || shipped);
    if (button(panel, "save_preset",
               own       ? "A preset of this name is there: press twice to replace it."
               : shipped ? "A preset of this name comes with the program."
                         : "Saves the settings, but for the view's, under the name in the field.",
               third, saves && own ? "Replace?" : "Save") &&
        (!own || confirmed(panel, "save " + name)))
        panel.actions.settingsActions.savePreset = name;
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(!own);
    if (button(panel, "delete_preset", "Deletes your preset of this name: press twice.", third,
               deletes ? "Delete?" : "Delete") &&
        confirmed(panel, "delete " + name))
        panel.actions.settingsActions.deletePreset = name;
    ImGui::EndDisabled();
}

void changedRow(const Panel& panel, std::string_view key)
{
    const SettingInfo& info = *findSetting(key);
    valueRow(panel, settingLabel(info), valueWords(info, panel.actions.settings), panel.theme.accent,
             fmt::format("{}\nDefault {}.", key, valueWords(info, defaultsFor(panel.actions.settings))));
}

void changes(const Panel& panel)
{
    const std::vector<std::string_view> changed = changedSettings(panel.actions.settings);
    const float half = buttonWidth(panel, 2);
    bool& shown = panel.state.settings.changedShown;
    ImGui::BeginDisabled(changed.empty());
    if (button(panel, "changed", "Lists the settings that differ from the defaults.", half,
               changed.empty() ? "All defaults"
                               : fmt::format("{} {} changed", shown ? "\u2193" : "\u2192", changed.size())))
        shown = !shown;
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (button(panel, "copy_command",
               "Copies the command that shows this: orogen view with the terrain, the view, and what differs from the "
               "defaults.",
               half))
    {
        const std::string dem = panel.model.terrain ? panel.model.terrain->name : std::string();
        copyText(panel, viewCommand(dem, panel.actions.settings),
                 fmt::format("the command: orogen view with {} setting{} changed", changed.size(),
                             changed.size() == 1 ? "" : "s"));
    }
    if (!shown) return;
    for (const std::string_view key : changed)
        changedRow(panel, key);
}

}  // namespace

void drawSettingsSection(const Panel& panel)
{
    const Fold fold{panel, "settings", "settings and presets", false};
    if (!fold) return;
    steps(panel);
    presetList(panel);
    presetFile(panel);
    changes(panel);
}

}  // namespace orogen::app
