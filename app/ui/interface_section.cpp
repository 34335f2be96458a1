// Interface section of the View panel: interface scale and output folders.
#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/file_browser.h"
#include "app/ui/fold.h"
#include "app/ui/panels.h"

namespace orogen::app {

namespace {

// Applies the scale when the mouse button is released: otherwise the slider would move away under the cursor.
void scaleRow(const Panel& panel)
{
    constexpr std::string_view kPending = "ui_scale";
    const auto pending = panel.state.pending.find(kPending);
    const double now = double(panel.state.chosenScale.value_or(panel.state.wantedScale));
    double percent = pending != panel.state.pending.end() ? pending->second : std::round(100 * now);
    const double low = 50, high = 400;
    beginRow(panel, "ui_scale");
    if (ImGui::SliderScalar("##value", ImGuiDataType_Double, &percent, &low, &high, "%.0f %%",
                            ImGuiSliderFlags_AlwaysClamp))
        panel.state.pending.insert_or_assign(std::string(kPending), std::round(percent / 5) * 5);
    else if (pending != panel.state.pending.end() && !ImGui::IsItemActive())
    {
        panel.state.chosenScale = float(pending->second / 100);
        panel.state.pending.erase(pending);
    }
    endItem(panel, "ui_scale",
            "The size of text and panels, as far as the display has room for it.\n\n--ui-scale, from 50 to 400 % of 96 "
            "dots an inch. Applies when the mouse lets go.",
            sliderGrab(percent, low, high, false));
}

void folderRow(const Panel& panel, std::string_view name, const std::string& folder, std::string_view tooltip,
               std::optional<std::string> FilesActions::*answer)
{
    beginRow(panel, name);
    const std::string shown = folder.empty() ? "where it was started" : folder;
    const float width = ImGui::CalcItemWidth() - 2 * ImGui::GetStyle().FramePadding.x;
    std::string text = shown;  // shortened at the front: the end says most
    while (text.size() > 4 && ImGui::CalcTextSize(text.c_str()).x > width)
        text = "..." + text.substr(4);
    if (ImGui::Button((text + "##folder").c_str(), {ImGui::CalcItemWidth(), 0}))
        browse(panel.state, panel.actions,
               {.title = fmt::format("A folder for {}", name),
                .button = "Enter",
                .kind = FileKind::kFolder,
                .folder = folder,
                .chosen = [answer](UiActions& then, const std::string& path) { then.files.*answer = path; }});
    endItem(panel, name, fmt::format("{}\n\n{}", tooltip, shown));
}

}  // namespace

void drawInterfaceSection(const Panel& panel)
{
    const Fold fold{panel, "interface", "interface", false};
    if (!fold) return;
    scaleRow(panel);
    const FilesState& files = panel.model.files;
    folderRow(panel, "pictures", files.pictures, "Where pictures go. (F12)", &FilesActions::pictures);
    folderRow(panel, "captures", files.captures, "Where captures, sweeps and figures go.", &FilesActions::captures);
}

}  // namespace orogen::app
