// Camera path section: record, play, hold, scrub, load, save.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/ui/fold.h"
#include "app/ui/panels.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

float widthOf(const char* name)
{
    return ImGui::CalcTextSize(inWords(name).c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

// Returns `text`, shortened at the end to fit `width` pixels.
std::string fitting(std::string text, float width)
{
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    const auto wide = [&] { return ImGui::CalcTextSize((text + "...").c_str()).x > width; };
    const auto insideLetter = [&] { return (static_cast<unsigned char>(text.back()) & 0xc0u) == 0x80u; };
    while (!text.empty() && wide())
    {
        while (insideLetter())
            text.pop_back();
        text.pop_back();
    }
    return text + "...";
}

std::string heading(const Panel& panel)
{
    const PathState& path = panel.model.path;
    const float room = ImGui::GetContentRegionAvail().x - 2 * ImGui::GetFontSize();
    const std::string title = path.recorded       ? "camera path: recording"
                              : !path.present     ? "camera path"
                              : path.name.empty() ? "camera path: without a name"
                                                  : "camera path: " + path.name;
    return fitting(title, room);
}

// Draws a button that toggles between two labels; its width fits the longer one, so that the row does not shift.
bool toggle(const Panel& panel, bool on, const char* begin, const char* end, const ImVec4& colour, const char* tooltip)
{
    if (on) ImGui::PushStyleColor(ImGuiCol_Text, colour);
    const bool pressed = button(panel, on ? end : begin, tooltip, std::ceil(std::max(widthOf(begin), widthOf(end))));
    if (on) ImGui::PopStyleColor();
    return pressed;
}

std::string timeText(const PathState& path)
{
    if (path.recorded) return fmt::format("{:.1f} s", *path.recorded);
    return path.present ? fmt::format("{:.1f} of {:.1f} s", path.fraction * path.duration, path.duration) : "no path";
}

void placeSlider(const Panel& panel)
{
    const PathState& path = panel.model.path;
    const double low = 0, high = 1;
    double fraction = path.recorded ? 0.0 : path.fraction;
    ImGui::BeginDisabled(!path.present || path.recorded);
    ImGui::PushID("place");
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderScalar("##value", ImGuiDataType_Double, &fraction, &low, &high, timeText(path).c_str(),
                            ImGuiSliderFlags_NoInput))
        panel.actions.path.scrub = fraction;
    endItem(panel, "place", "The place in the path. Dragging it moves the camera along the path and holds it there.",
            sliderGrab(fraction, low, high, false));
    ImGui::EndDisabled();
}

void pathList(const Panel& panel)
{
    ImGui::PushID("paths");
    if (ImGui::BeginCombo("##list", nullptr,
                          ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft))
    {
        for (const std::string& name : panel.model.path.shipped)
        {
            if (ImGui::Selectable(inWords(name).c_str())) panel.actions.path.load = name;
            panel.items.add(panel.name, "paths/" + name);
        }
        for (const std::string& file : panel.model.path.own)
        {
            const std::string name = file.substr(file.rfind('/') + 1);
            if (ImGui::Selectable(name.c_str())) panel.actions.path.load = file;
            panel.items.add(panel.name, "paths/" + name);
        }
        ImGui::EndCombo();
    }
    endItem(panel, "paths", "Camera paths that come with the program, and recordings that were kept when it was quit.");
}

// Adds a suffix to a bare name, which would otherwise be looked up among the shipped paths when loaded.
std::string withSuffix(const std::string& file)
{
    return file.find_first_of("./") == std::string::npos ? file + ".path" : file;
}

void fileRow(const Panel& panel)
{
    std::string& file = panel.state.pathFile;
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float list = panel.model.path.shipped.empty() ? 0.0f : ImGui::GetFrameHeight() + spacing;
    ImGui::PushID("path_file");
    ImGui::SetNextItemWidth(-(widthOf("load") + widthOf("save") + 2 * spacing + list));
    ImGui::InputTextWithHint("##path", "name or file", &file);
    endItem(panel, "path_file", "A file to save the path in or to load one from, or the name of a shipped path.");
    ImGui::SameLine();
    if (list > 0)
    {
        pathList(panel);
        ImGui::SameLine();
    }
    ImGui::BeginDisabled(file.empty());
    if (button(panel, "load", "Loads the path that the field names. A recording that is being made is lost."))
        panel.actions.path.load = file;
    ImGui::SameLine();
    ImGui::BeginDisabled(!panel.model.path.present && !panel.model.path.recorded);
    if (button(panel, "save", "Saves the path in the file that the field names. Ends a recording first."))
    {
        file = withSuffix(file);
        panel.actions.path.save = file;
    }
    ImGui::EndDisabled();
    ImGui::EndDisabled();
}

}  // namespace

void drawPathChoice(const Panel& panel, const PanelRect& rect)
{
    const PathState& path = panel.model.path;
    const float width = std::min(22 * ImGui::GetFontSize(), rect.width());
    const float left = rect.min.x + std::floor((rect.width() - width) / 2);
    beginPanel(panel, {{left, rect.min.y}, {left + width, rect.max.y}}, 0, "Play a camera path");
    const auto choice = [&](const std::string& name, const std::string& shown, const char* tooltip) {
        if (!button(panel, name.c_str(), tooltip, -1, shown)) return;
        panel.actions.path.load = name;
        panel.actions.path.play = true;
        panel.state.pathsOffered = false;
    };
    for (const std::string& name : path.shipped)
        choice(name, inWords(name), "Loads this path and flies along it. (F10 holds it)");
    for (const std::string& file : path.own)
        choice(file, file.substr(file.rfind('/') + 1), "A recording that was kept when the program was quit.");
    textLine(panel.theme.dim, "F9 records one of your own", true);
    panel.state.pathsOffered &= !button(panel, "close", "F10 or Escape, too.");
    endPanel(panel);
}

void drawPathSection(const Panel& panel)
{
    const PathState& path = panel.model.path;
    PathActions& actions = panel.actions.path;
    const Fold fold{panel, "path", heading(panel), false};
    if (!fold) return;
    actions.record |= toggle(panel, path.recorded.has_value(), "record", "stop", panel.theme.error,
                             "Records the camera while you fly; pressed again, that is the path. (F9)");
    ImGui::SameLine();
    const bool play = toggle(panel, path.playing, "play", "pause", panel.theme.accent,
                             "Flies along the path, or holds it. Any movement of yours holds it, too. (F10)");
    (offersPaths(path) ? panel.state.pathsOffered : actions.play) |= play;
    ImGui::SameLine();
    placeSlider(panel);
    fileRow(panel);
}

}  // namespace orogen::app
