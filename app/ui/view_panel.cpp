// The View panel: camera, places, camera path, mesh export, and the interface itself.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/model/format.h"
#include "app/ui/file_browser.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"
#include "app/ui/words.h"
#include "core/planet/ellipsoid.h"
#include "core/view/earth_view.h"

namespace orogen::app {

namespace {

// ---- places ----

// Draws a list of places whose names match `text`, below the text field.  `field`: rectangle of that field.  The list
// covers the panel, so that no row moves.
void drawSuggestions(const Panel& panel, const std::string& text, const PanelRect& field)
{
    constexpr std::size_t kMost = 6;
    std::vector<FoundPlace> found;
    if (panel.model.tools.findNames) found = panel.model.tools.findNames(text, kMost);
    ImGui::SetNextWindowPos({field.min.x, field.max.y + 1});
    ImGui::SetNextWindowSize({field.width(), 0});
    ImGui::Begin("##suggestions", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_Tooltip);
    for (const FoundPlace& place : found)
    {
        ImGui::PushID(int(place.index));
        ImGui::Selectable(place.text.c_str());
        if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
            panel.actions.tools.goToPlace = place.index;
        ImGui::PopID();
    }
    if (found.empty()) textLine(panel.theme.dim, "no place of this name");
    ImGui::End();
}

// Draws the field for "LAT,LON,HEIGHT" or a name; Enter or the button goes there.
void goToRow(const Panel& panel)
{
    std::string& text = panel.state.goTo;
    const float go = ImGui::CalcTextSize("Go").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::PushID("goto");
    ImGui::SetNextItemWidth(-go - ImGui::GetStyle().ItemSpacing.x);
    const bool entered = ImGui::InputTextWithHint("##place", "name, or latitude, longitude, height", &text,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    // If no place matches the text, the field keeps the keyboard: the text can be corrected, and letters are not taken
    // as shortcuts.
    const auto& findNames = panel.model.tools.findNames;
    if (entered && !text.empty() && (isCoordinates(text) ? !placeIn(text) : findNames && findNames(text, 1).empty()))
        ImGui::SetKeyboardFocusHere(-1);
    const PanelRect field{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
    // A press on the list takes the keyboard from the field, so the list stays until the mouse button is released.
    const bool held = panel.state.suggesting && ImGui::IsMouseDown(ImGuiMouseButton_Left);
    const bool typing = (ImGui::IsItemActive() || held) && text.size() > 1 && !isCoordinates(text);
    panel.state.suggesting = typing;
    endItem(panel, "goto",
            "The name of a country, sea, city or peak; or degrees north and east, metres above the sea: "
            "46.55,7.98,4000. North up; straight down from 100 km on. (--goto)");
    ImGui::SameLine();
    const bool pressed = [&] {
        const Disabled disabled(panel, text.empty() ? "The field names no place." : "");
        return button(panel, "go", "Goes there.", go, "Go");
    }();
    if (typing) drawSuggestions(panel, text, field);
    if ((!entered && !pressed) || text.empty()) return;
    if (!isCoordinates(text))
        panel.actions.tools.goTo = text;
    else if (const Result<Geodetic> place = placeIn(text))
        panel.actions.earth.goTo = *place;
    else
        panel.actions.refused.push_back(place.error().message);
}

void bookmarkRow(const Panel& panel, const EarthState& earth)
{
    const float width = buttonWidth(panel, 2 * kBookmarks);
    for (int number = 1; number <= kBookmarks; ++number)
    {
        if (number > 1) ImGui::SameLine();
        const bool kept = earth.bookmarks[std::size_t(number - 1)];
        ImGui::BeginDisabled(!kept);
        if (button(panel, fmt::format("bookmark_{}", number),
                   kept ? fmt::format("Goes to bookmark {0}. ({0})", number)
                        : fmt::format("Bookmark {0} keeps no view yet: Ctrl+{0} keeps this one.", number),
                   width, fmt::format("{}", number)))
            panel.actions.earth.goToBookmark = number;
        ImGui::EndDisabled();
        ImGui::SameLine();
        if (button(panel, fmt::format("keep_{}", number),
                   fmt::format("Keeps this view as bookmark {0}. (Ctrl+{0})", number), width, "Keep"))
            panel.actions.earth.setBookmark = number;
    }
}

void drawPlaceSection(const Panel& panel)
{
    const Fold fold{panel, "places", "places", panel.model.tools.earth.has_value()};
    if (!fold) return;
    goToRow(panel);
    settingRow(panel, "marks.names");
    settingRow(panel, "marks.graticule");
    settingRow(panel, "marks.compass");
    const std::optional<EarthState>& earth = panel.model.tools.earth;
    if (!earth) return;
    bookmarkRow(panel, *earth);
}

// ---- camera path ----

float widthOf(const char* name)
{
    return ImGui::CalcTextSize(inWords(name).c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
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
    const Disabled disabled(panel, path.recorded  ? "A recording is being made."
                                   : path.present ? ""
                                                  : "There is no path.");
    ImGui::PushID("place");
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderScalar("##value", ImGuiDataType_Double, &fraction, &low, &high, timeText(path).c_str(),
                            ImGuiSliderFlags_NoInput))
        panel.actions.path.scrub = fraction;
    endItem(panel, "place", "The place in the path. Dragging it moves the camera along the path and holds it there.",
            sliderGrab(fraction, low, high, false));
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

// Adds the suffix .path to a bare name.  Without the suffix, loading the name would look among the shipped paths.
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
    const Disabled unnamed(panel, file.empty() ? "The field names no file." : "");
    if (button(panel, "load", "Loads the path that the field names. A recording that is being made is lost."))
        panel.actions.path.load = file;
    ImGui::SameLine();
    const bool none = !panel.model.path.present && !panel.model.path.recorded;
    const Disabled disabled(panel, none ? "There is no path." : "");
    if (button(panel, "save", "Saves the path in the file that the field names. Ends a recording first."))
    {
        file = withSuffix(file);
        panel.actions.path.save = file;
    }
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

namespace {

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

void drawMeshSection(const Panel& panel)
{
    const Fold fold{panel, "mesh", "triangle mesh", false};
    if (!fold) return;
    std::string& file = panel.state.meshFile;
    if (panel.model.meshWritten)
    {
        ImGui::ProgressBar(float(*panel.model.meshWritten), {-1, 0}, "writing the mesh");
        panel.actions.cancelMesh |= button(panel, "cancel_mesh", "Leaves no file.", buttonWidth(panel, 1));
        return;
    }
    beginRow(panel, "mesh_file");
    ImGui::InputTextWithHint("##mesh", "terrain.glb", &file);
    endItem(
        panel, "mesh_file",
        "Its suffix is the format: .glb, .stl, .obj, .ply. It goes where pictures go, and does not replace a file.");
    const Disabled disabled(panel, !panel.model.terrain ? "No terrain is open."
                                   : file.empty()       ? "The field names no file."
                                                        : "");
    if (button(panel, "write_mesh",
               "Writes the triangles in view as they are drawn. orogen mesh writes whole terrains, by error.",
               buttonWidth(panel, 1)))
        panel.actions.writeMesh = file;
}

// ---- interface ----

// Applies the scale when the mouse button is released.  If the scale applied at once, the slider would move away
// from the cursor.
void uiScaleRow(const Panel& panel)
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
    std::string text = shown;  // shortened at the front, because the end of a path tells folders apart
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

void drawInterfaceSection(const Panel& panel)
{
    const Fold fold{panel, "interface", "interface", false};
    if (!fold) return;
    uiScaleRow(panel);
    const FilesState& files = panel.model.files;
    folderRow(panel, "pictures", files.pictures, "Where pictures go. (F12)", &FilesActions::pictures);
    folderRow(panel, "captures", files.captures, "Where captures, sweeps and figures go.", &FilesActions::captures);
}

// ---- camera ----

// Draws one coordinate of view.position: drag it, or Ctrl+click and type.
void positionRow(const Panel& panel, int axis, std::string_view name, double metresPerPixel)
{
    Settings& settings = panel.actions.settings;
    const auto pending = panel.state.pending.find(name);
    double value = pending != panel.state.pending.end() ? pending->second : settings.view.position[axis];
    const auto apply = [&] {
        glm::dvec3 position = settings.view.position;
        position[axis] = value;
        applySetting(panel, "view.position", fmt::format("{},{},{}", position.x, position.y, position.z));
    };
    beginRow(panel, name);
    const bool changed = withText(
        [&] {
            return ImGui::DragScalar("##value", ImGuiDataType_Double, &value, float(metresPerPixel), nullptr, nullptr,
                                     "%.1f");
        },
        [&] { return grouped(value, 1) + " m"; });
    if (changed && ImGui::GetIO().WantTextInput)
        panel.state.pending.insert_or_assign(std::string(name), value);
    else if (changed)
        apply();
    if (pending != panel.state.pending.end() && !ImGui::IsItemActive())
    {
        apply();
        panel.state.pending.erase(pending);
    }
    endItem(panel, name,
            axis == 2 ? "Metres above the sea.\n\nview.position\nCtrl+click: type a value."
                      : "Metres from the terrain's centre.\n\nview.position\nCtrl+click: type a value.");
}

// Shows the camera's place on the Earth; dashes until the Earth is loaded.
void earthRows(const Panel& panel, const std::optional<EarthState>& earth)
{
    const std::string& dash = panel.theme.notMeasured;
    valueRow(panel, "place", earth ? placeWords(earth->camera, earth->camera.height) : dash, {},
             "Latitude and longitude of the camera.");
    valueRow(panel, "height", earth ? metresText(earth->camera.height) : dash, {},
             "Above the sea, which is the ellipsoid here.");
}

}  // namespace

float drawViewPanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    const UiModel& model = panel.model;
    const char* const inMap =
        panel.actions.settings.view.mode == ViewMode::kMap ? "The map looks straight down, north up." : "";
    const double metresPerPixel = std::max(model.heightAboveGround.value_or(1000.0), 10.0) * 0.002;

    const std::optional<EarthState>& earth = model.tools.earth;
    const bool onEarth = panel.actions.settings.world == World::kEarth;
    settingRow(panel, "view.mode");
    if (onEarth) earthRows(panel, earth);
    const std::string& dash = panel.theme.notMeasured;
    const std::string above = model.heightAboveGround ? metresText(*model.heightAboveGround) + ' ' : std::string();
    valueRow(panel, above + "above ground", model.speed ? metresText(*model.speed) + "/s" : dash, {},
             "Above the ground as drawn, and the speed that a held key reaches. A dash: no terrain is open yet.");
    valueRow(panel, "synthetic below", model.syntheticBelow ? metresText(*model.syntheticBelow) : dash, {},
             "Ground detail below this size is procedural, not measured.");
    const float third = buttonWidth(panel, 3);
    panel.actions.home |=
        button(panel, "home", earth ? "The whole Earth in view. (Home)" : "The whole terrain in view. (Home)", third);
    ImGui::SameLine();
    if (button(panel, "copy", "Copies this view as options of the command line.", third))
        copyText(panel, viewAsOptions(panel.actions.settings), "the view as options of the command line");
    ImGui::SameLine();
    panel.actions.screenshot |= button(panel, "screenshot", "Writes the picture into a PNG file. (F12)", third);
    if (const Fold fold{panel, "position", "position and direction", false})
    {
        if (!onEarth)
        {
            positionRow(panel, 0, "east", metresPerPixel);
            positionRow(panel, 1, "north", metresPerPixel);
            positionRow(panel, 2, "up", metresPerPixel);
        }
        settingRow(panel, "view.yaw", {.lowest = 0.0, .highest = 360.0, .disabled = inMap});
        settingRow(panel, "view.pitch", {.disabled = inMap});
        settingRow(panel, "view.fov", {.lowest = 20.0, .highest = 120.0});
        settingRow(panel, "input.invert_drag");
    }
    drawPlaceSection(panel);
    drawPathSection(panel);
    drawSplitSection(panel);
    drawFilmSection(panel);
    drawMeshSection(panel);
    drawInterfaceSection(panel);
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
