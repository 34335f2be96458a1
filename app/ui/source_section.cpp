// Source section of the Terrain panel: the open file's metadata, and overrides for it.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/ui/panels.h"
#include "app/ui/source_state.h"

namespace orogen::app {

namespace {

constexpr const char* kAsTheFileSays = "as the file says";

void fieldRow(const Panel& panel, const char* name, const char* label, std::string& text, const char* hint,
              const char* tooltip)
{
    ImGui::AlignTextToFramePadding();
    textLine(panel.theme.text, label);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.4f);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(name);
    ImGui::InputTextWithHint("##value", hint, &text);
    endItem(panel, name, tooltip);
}

void unitRow(const Panel& panel, std::string& unit)
{
    ImGui::AlignTextToFramePadding();
    textLine(panel.theme.text, "Unit");
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.4f);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID("source_unit");
    if (ImGui::BeginCombo("##value", unit.empty() ? kAsTheFileSays : unit.c_str()))
    {
        if (ImGui::Selectable(kAsTheFileSays, unit.empty())) unit.clear();
        for (const char* name : {"metre", "foot", "us-foot"})
        {
            if (ImGui::Selectable(name, unit == name)) unit = name;
            panel.items.add(panel.name, fmt::format("source_unit/{}", name));
        }
        ImGui::EndCombo();
    }
    endItem(panel, "source_unit", "Unit of the samples; overrides the file. (--unit)");
}

void reopenButton(const Panel& panel, const SourceDraft& draft)
{
    const Result<SourceOverrides> wanted = overridesOf(draft);
    if (!wanted) textLine(panel.theme.warning, wanted.error().message, true);
    ImGui::BeginDisabled(!wanted || *wanted == panel.model.source.overrides);
    if (button(panel, "reopen", "Opens the terrain again, with what the fields say.", -1) && wanted)
        panel.actions.source.reopen = *wanted;
    ImGui::EndDisabled();
}

}  // namespace

void drawSourceSection(const Panel& panel)
{
    const SourceState& source = panel.model.source;
    if (source.dem.empty()) return;
    ImGui::PushID("source");
    const bool open =
        ImGui::TreeNodeEx("Source", ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen);
    endItem(panel, "source", "The file's units, position and missing samples, and overrides for them.");
    if (!open) return;
    valueRow(panel, "missing samples", source.nodata);
    valueRow(panel, "unit of height", source.unit);
    valueRow(panel, "coordinate system", source.crs);
    if (!source.extent.empty()) textLine(panel.theme.dim, source.extent, true);
    const auto [entry, fresh] = panel.state.sources.try_emplace(source.dem);
    SourceDraft& draft = entry->second;
    if (fresh) draft = draftOf(source.overrides);
    fieldRow(panel, "source_nodata", "Missing", draft.nodata, "none besides",
             "Samples of this value are missing, besides those that the file names: -9999, say. (--nodata)");
    fieldRow(panel, "source_pixel_size", "Pixel size", draft.pixelSize, kAsTheFileSays,
             "Metres between samples, east and north: 30,30. (--pixel-size)");
    fieldRow(panel, "source_crs", "Coordinates", draft.crs, kAsTheFileSays,
             "The coordinate system by its EPSG number: EPSG:32611. (--crs)");
    unitRow(panel, draft.unit);
    reopenButton(panel, draft);
}

SourceDraft draftOf(const SourceOverrides& overrides)
{
    SourceDraft draft;
    if (overrides.nodata) draft.nodata = fmt::format("{}", *overrides.nodata);
    if (overrides.pixelSize) draft.pixelSize = fmt::format("{},{}", overrides.pixelSize->x, overrides.pixelSize->y);
    draft.crs = overrides.crs;
    if (overrides.unit) draft.unit = nameOf(*overrides.unit);
    return draft;
}

Result<SourceOverrides> overridesOf(const SourceDraft& draft)
{
    SourceOverrides overrides;
    const auto take = [](const std::string& text, const char* name, auto parse, auto& to) -> Status {
        if (text.empty()) return Status::ok();
        const auto value = parse(text);
        if (!value) return Error{value.error().code, fmt::format("{}: {}", name, value.error().message)};
        to = *value;
        return Status::ok();
    };
    if (Status s = take(draft.nodata, "Missing", parseNodata, overrides.nodata); !s) return s.error();
    if (Status s = take(draft.pixelSize, "Pixel size", parsePixelSize, overrides.pixelSize); !s) return s.error();
    if (Status s = take(draft.crs, "Coordinates", parseCrs, overrides.crs); !s) return s.error();
    if (Status s = take(draft.unit, "Unit", parseHeightUnit, overrides.unit); !s) return s.error();
    return overrides;
}

}  // namespace orogen::app
