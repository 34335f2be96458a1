#include "app/ui/file_browser.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/model/format.h"
#include "app/ui/widgets.h"

namespace orogen::app {

namespace {

constexpr float kWidth = 760, kHeight = 520;  // size of the window (pixels at scale 1) if the display has room
constexpr const char* kWindow = "Files";

const std::vector<std::string>& terrainSuffixes()
{
    static const std::vector<std::string> all = {".tif", ".tiff", ".png", ".hgt", ".raw", ".asc",
                                                 ".zip", ".vrt",  ".dem", ".img", ".nc",  ".orogen",
                                                 ".jp2", ".bil",  ".cpt", ".qml", ".gpx", ".geojson"};
    return all;
}

bool folderWanted(const FileRequest& request)
{
    return request.kind == FileKind::kFolder || request.kind == FileKind::kOpenOrFolder;
}

void enter(const Panel& panel, const std::string& folder)
{
    FileBrowser& browser = panel.state.browser;
    browser.folder = folder;
    browser.replace = browser.focus = browser.scroll = true;
    browser.replaceTyped = browser.request.kind == FileKind::kSave ? browser.typed : "";
    browser.selected = 0;
    browser.confirm.clear();
    panel.actions.files.read = folder;
}

void close(FileBrowser& browser)
{
    browser.open = false;
    browser.confirm.clear();
}

void choose(const Panel& panel, const std::string& path)
{
    FileBrowser& browser = panel.state.browser;
    const auto& chosen = browser.byOther ? browser.request.otherChosen : browser.request.chosen;
    if (chosen) chosen(panel.actions, path);
    close(browser);
}

std::string joined(const std::string& folder, const std::string& name)
{
    return folder == "/" ? folder + name : folder + '/' + name;
}

// Returns the folder whose entries are listed: that of a typed path, else the browser's.
std::string listedFolder(const FileBrowser& browser)
{
    const auto slash = browser.typed.rfind('/');
    return slash == std::string::npos ? browser.folder
                                      : absolutePath(browser.typed.substr(0, slash + 1), browser.folder);
}

// Returns the sorted entries that fit the request (its suffixes, or folders) and, unless saving, the typed text.  Empty
// until the folder has been read.
std::vector<const FolderEntry*> rowsOf(const Panel& panel)
{
    const FileBrowser& browser = panel.state.browser;
    const std::optional<FoldersState>& folders = panel.model.files.folders;
    std::vector<const FolderEntry*> rows;
    if (!folders || folders->listing->folder != listedFolder(browser)) return rows;
    const std::string typed = browser.typed.substr(browser.typed.rfind('/') + 1);  // without a slash, npos + 1 is 0
    const bool filters = browser.request.kind != FileKind::kSave;
    const auto contains = [](const std::string& name, const std::string& part) {
        const auto same = [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
        };
        return std::ranges::search(name, part, same).begin() != name.end() || part.empty();
    };
    for (const FolderEntry& entry : folders->listing->entries)
    {
        const bool hidden = entry.name.starts_with('.') && !typed.starts_with('.');
        const bool named = entry.name == typed;  // listed whatever its suffix is
        const bool suits =
            entry.folder || (browser.request.kind != FileKind::kFolder &&
                             (browser.allFiles || named || hasSuffix(entry.name, browser.request.suffixes)));
        if (suits && !hidden && (!filters || contains(entry.name, typed))) rows.push_back(&entry);
    }
    const auto later = [&](const FolderEntry* a, const FolderEntry* b) {
        if (a->folder != b->folder) return a->folder;
        if (browser.descending) std::swap(a, b);
        if (browser.sortColumn == 1 && a->bytes != b->bytes) return a->bytes < b->bytes;
        if (browser.sortColumn == 2 && a->modified != b->modified) return a->modified < b->modified;
        return naturalLess(a->name, b->name);
    };
    if (browser.sortColumn != 0 || browser.descending) std::ranges::stable_sort(rows, later);
    return rows;
}

// Chooses the typed path for saving, with the default suffix if it has none of the suffixes.  If the file exists, only
// a second press chooses it.
void save(const Panel& panel, const std::vector<const FolderEntry*>& rows)
{
    FileBrowser& browser = panel.state.browser;
    if (browser.typed.empty()) return;
    std::string path = absolutePath(browser.typed, browser.folder);
    const std::vector<std::string>& suffixes = browser.request.suffixes;
    if (!suffixes.empty() && !hasSuffix(path, suffixes)) path += suffixes.front();
    const bool there = std::ranges::any_of(
        rows, [&](const FolderEntry* entry) { return joined(listedFolder(browser), entry->name) == path; });
    std::error_code none;
    if ((there || std::filesystem::exists(path, none)) && browser.confirm != path)
    {
        browser.confirm = path;
        browser.focus = true;
    }
    else
        choose(panel, path);
}

void activate(const Panel& panel, const FolderEntry& entry)
{
    FileBrowser& browser = panel.state.browser;
    const std::string path = joined(listedFolder(browser), entry.name);
    if (entry.folder)
        enter(panel, path);
    else if (browser.request.kind == FileKind::kSave)
    {
        browser.replace = browser.focus = true;
        browser.replaceTyped = entry.name;
    }
    else
        choose(panel, path);
}

// Handles Enter and the buttons FileRequest::button and FileRequest::other.
void accept(const Panel& panel, const std::vector<const FolderEntry*>& rows)
{
    FileBrowser& browser = panel.state.browser;
    const std::string& typed = browser.typed;
    browser.focus = true;
    if (browser.request.kind == FileKind::kSave) return save(panel, rows);
    const bool path = typed.find('/') != std::string::npos || typed.starts_with('~') || typed == "..";
    std::error_code none;
    if (path)
    {
        const std::string full = absolutePath(typed, browser.folder);
        return std::filesystem::is_directory(full, none) ? enter(panel, full) : choose(panel, full);
    }
    if (browser.selected >= 0 && browser.selected < int(rows.size()))
        return activate(panel, *rows[std::size_t(browser.selected)]);
    if (typed.empty() && folderWanted(browser.request)) return choose(panel, browser.folder);
    if (typed.empty()) return;
    const std::string full = absolutePath(typed, browser.folder);
    const bool text = browser.request.terrains && !std::filesystem::exists(full, none);
    choose(panel, text ? typed : full);
}

int editField(ImGuiInputTextCallbackData* data)
{
    const Panel& panel = *static_cast<const Panel*>(data->UserData);
    FileBrowser& browser = panel.state.browser;
    std::string now(data->Buf, std::size_t(data->BufTextLen));
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion)
    {
        const std::optional<FoldersState>& folders = panel.model.files.folders;
        const std::string base = now.substr(0, now.rfind('/') + 1);
        const std::string folder = base.empty() ? browser.folder : absolutePath(base, browser.folder);
        if (folders && folders->listing->folder == folder)
        {
            browser.replaceTyped = completedPath(now, folders->listing->entries);
            browser.replace = browser.replaceTyped != now;
        }
    }
    if (!browser.replace) return 0;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, browser.replaceTyped.c_str());
    browser.replace = false;
    return 0;
}

// Draws the text field; returns whether Enter was pressed.  A typed path requests the listing of its folder, for Tab.
bool field(const Panel& panel, float width)
{
    FileBrowser& browser = panel.state.browser;
    const std::string before = browser.typed;
    if (browser.replace && ImGui::GetActiveID() == 0) browser.typed = browser.replaceTyped, browser.replace = false;
    if (std::exchange(browser.focus, false)) ImGui::SetKeyboardFocusHere();
    ImGui::PushID("field");
    ImGui::SetNextItemWidth(width);
    Panel copy = panel;
    const char* hint = browser.request.kind == FileKind::kSave ? "name"
                       : browser.request.terrains              ? "name, path or synthetic:SIZE:SEED"
                                                               : "name or path";
    const bool entered =
        ImGui::InputTextWithHint("##typed", hint, &browser.typed,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways |
                                     ImGuiInputTextFlags_CallbackCompletion,
                                 editField, &copy);
    const bool active = ImGui::IsItemActive();
    endItem(panel, "field", "");
    if (before != browser.typed)
    {
        browser.selected = 0;
        browser.confirm.clear();
        const std::string folder = listedFolder(browser);
        const std::optional<FoldersState>& folders = panel.model.files.folders;
        if (folders && folders->listing->folder != folder) panel.actions.files.read = folder;
    }
    browser.wasEmpty = before.empty();
    const bool listOpen = ImGui::GetCurrentContext()->OpenPopupStack.Size > 1;
    const bool pressing = ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (!active && !entered && !listOpen && !pressing && !ImGui::IsAnyItemActive()) browser.focus = true;
    return entered;
}

void placesList(const Panel& panel)
{
    const std::optional<FoldersState>& folders = panel.model.files.folders;
    ImGui::PushID("places");
    ImGui::SetNextItemWidth(7.5f * ImGui::GetFontSize());
    if (ImGui::BeginCombo("##list", "Places", ImGuiComboFlags_HeightLargest))
    {
        std::vector<NamedFolder> places = folders ? *folders->places : std::vector<NamedFolder>();
        places.push_back({"Everything", "/"});
        for (const std::string& dem : panel.model.bundled)
            if (dem.starts_with('/') && panel.state.browser.request.terrains)
            {
                places.push_back({"Shipped terrains", std::filesystem::path(dem).parent_path().string()});
                break;
            }
        for (const NamedFolder& place : places)
        {
            if (ImGui::Selectable(place.name.c_str())) enter(panel, place.path);
            panel.items.add(panel.name, "places/" + place.name);
        }
        ImGui::EndCombo();
    }
    endItem(panel, "places", "Folders to begin with.");
}

void recentList(const Panel& panel)
{
    const FilesState& files = panel.model.files;
    ImGui::SameLine();
    ImGui::PushID("recent");
    ImGui::SetNextItemWidth(7.5f * ImGui::GetFontSize());
    const Disabled disabled(panel, files.recent.empty() ? "There are none yet." : "");
    if (ImGui::BeginCombo("##list", "Recent", ImGuiComboFlags_HeightLargest))
    {
        for (const std::string& file : files.recent)
        {
            const bool missing = files.folders && files.folders->missing->contains(file);
            const std::string name = std::filesystem::path(file).filename().string();
            if (ImGui::Selectable(fmt::format("{}{}##{}", name, missing ? "  (missing)" : "", file).c_str(), false,
                                  missing ? ImGuiSelectableFlags_Disabled : 0))
            {
                FileBrowser& browser = panel.state.browser;
                if (browser.request.other.empty())
                    choose(panel, file);
                else
                    browser.replaceTyped = file, browser.replace = browser.focus = true;
            }
            panel.items.add(panel.name, "recent/" + name);
            if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", file.c_str());
        }
        ImGui::EndCombo();
    }
    endItem(panel, "recent", "Recently opened terrains.");
}

void topRow(const Panel& panel)
{
    FileBrowser& browser = panel.state.browser;
    placesList(panel);
    if (browser.request.terrains) recentList(panel);
    ImGui::SameLine();
    if (button(panel, "up", "The folder above. (Backspace in an empty field)"))
        enter(panel, std::filesystem::path(browser.folder).parent_path().string());
    ImGui::SameLine();
    // A long path is shortened at its beginning.
    std::string shown = browser.folder;
    const float room = ImGui::GetContentRegionAvail().x;
    while (shown.size() > 4 && ImGui::CalcTextSize(shown.c_str()).x > room)
        shown = "..." + shown.substr(std::min(shown.find('/', 4), shown.size() - 1));
    ImGui::AlignTextToFramePadding();
    textLine(panel.theme.dim, shown);
}

std::string dateText(std::int64_t seconds)
{
    if (seconds == 0) return "";
    const std::time_t time = std::time_t(seconds);
    std::tm local{};
    if (!localtime_r(&time, &local)) return "";
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
                       local.tm_hour, local.tm_min);
}

void row(const Panel& panel, const FolderEntry& entry, int index)
{
    FileBrowser& browser = panel.state.browser;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, entry.folder ? panel.theme.accent : panel.theme.text);
    const std::string label = fmt::format("{}{}##{}", entry.name, entry.folder ? "/" : "", index);
    const bool pressed = ImGui::Selectable(label.c_str(), index == browser.selected,
                                           ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick);
    ImGui::PopStyleColor();
    panel.items.add(panel.name, "list/" + entry.name);
    if (pressed)
    {
        browser.selected = index;
        browser.focus = true;
        if (entry.folder || ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) activate(panel, entry);
    }
    if (index == browser.selected && std::exchange(browser.scroll, false)) ImGui::SetScrollHereY(0.5f);
    ImGui::TableNextColumn();
    textLine(panel.theme.dim, entry.folder ? "" : bytesText(entry.bytes));
    if (ImGui::TableGetColumnCount() < 3) return;
    ImGui::TableNextColumn();
    textLine(panel.theme.dim, dateText(entry.modified));
}

void takeSorting(FileBrowser& browser)
{
    ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
    if (!specs || !specs->SpecsDirty || specs->SpecsCount == 0) return;
    browser.sortColumn = specs->Specs[0].ColumnIndex;
    browser.descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    specs->SpecsDirty = false;
}

void table(const Panel& panel, const std::vector<const FolderEntry*>& rows, float height)
{
    FileBrowser& browser = panel.state.browser;
    const float em = ImGui::GetFontSize();
    const bool dates = ImGui::GetContentRegionAvail().x > 34 * em;
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable | ImGuiTableFlags_RowBg;
    if (!ImGui::BeginTable(dates ? "files" : "files without dates", dates ? 3 : 2, kFlags, {0, height})) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, 6 * em);
    if (dates) ImGui::TableSetupColumn("changed", ImGuiTableColumnFlags_WidthFixed, 9.5f * em);
    ImGui::TableHeadersRow();
    takeSorting(browser);
    ImGuiListClipper clipper;
    clipper.Begin(int(rows.size()));
    if (browser.scroll && browser.selected < int(rows.size()))
        clipper.ForceDisplayRangeByIndices(browser.selected, browser.selected + 1);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            row(panel, *rows[std::size_t(i)], i);
    ImGui::EndTable();
}

// Returns why there are no rows, or that the list is incomplete.
std::string remark(const Panel& panel, std::size_t rows)
{
    const FileBrowser& browser = panel.state.browser;
    const std::optional<FoldersState>& folders = panel.model.files.folders;
    if (!folders) return "";
    if (!folders->error.empty()) return folders->error;
    if (folders->reading && folders->listing->folder != listedFolder(browser)) return "reading ...";
    if (folders->listing->cut) return fmt::format("only the first {} entries", FolderListing::kMost);
    if (rows > 0) return "";
    if (browser.typed.empty() || browser.typed.ends_with('/'))
        return browser.allFiles ? "nothing in here" : "no file of a kind that fits";
    return "no name like this";
}

void keys(const Panel& panel, const std::vector<const FolderEntry*>& rows)
{
    FileBrowser& browser = panel.state.browser;
    const int last = int(rows.size()) - 1, before = browser.selected;
    const auto pressed = [](int key) { return ImGui::IsKeyPressed(key, true); };
    if (pressed(GLFW_KEY_DOWN)) ++browser.selected;
    if (pressed(GLFW_KEY_UP)) --browser.selected;
    if (pressed(GLFW_KEY_PAGE_DOWN)) browser.selected += 12;
    if (pressed(GLFW_KEY_PAGE_UP)) browser.selected -= 12;
    browser.selected = std::clamp(browser.selected, 0, std::max(last, 0));
    browser.scroll |= browser.selected != before;
    const bool saves = browser.request.kind == FileKind::kSave;
    if (pressed(GLFW_KEY_BACKSPACE) && browser.wasEmpty && !saves && !browser.replace)
        enter(panel, std::filesystem::path(browser.folder).parent_path().string());
    if (ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false)) close(browser);
}

void bottomRow(const Panel& panel, const std::vector<const FolderEntry*>& rows)
{
    FileBrowser& browser = panel.state.browser;
    const FileRequest& request = browser.request;
    if (!browser.confirm.empty())
        textLine(panel.theme.warning, "is there already: press again to replace it", true);
    else
        textLine(panel.theme.dim, remark(panel, rows.size()), true);
    if (!request.suffixes.empty())
    {
        ImGui::PushID("all");
        ImGui::Checkbox("All files", &browser.allFiles);
        endItem(panel, "all", "Also lists files with other suffixes.");
        ImGui::SameLine();
    }
    ImGui::PushID("accept");
    const bool pressed = ImGui::Button(browser.confirm.empty() ? request.button.c_str() : "Replace");
    endItem(panel, "accept", "Enter, too.");
    if (pressed) accept(panel, rows);
    if (!request.other.empty())
    {
        ImGui::SameLine();
        ImGui::PushID("other");
        browser.byOther = ImGui::Button(request.other.c_str());
        endItem(panel, "other", "Opens the terrain alone, on a plane.");
        if (browser.byOther) accept(panel, rows);
        browser.byOther = false;
    }
    if (folderWanted(request))
    {
        ImGui::SameLine();
        if (button(panel, "this folder",
                   request.kind == FileKind::kFolder ? "Takes the folder that is shown."
                                                     : "Opens the folder that is shown as one terrain of tiles."))
            choose(panel, browser.folder);
    }
    ImGui::SameLine();
    if (button(panel, "cancel", "Escape, too.")) close(browser);
}

}  // namespace

void browse(UiState& state, UiActions& actions, FileRequest request)
{
    FileBrowser& browser = state.browser;
    if (request.folder.empty()) request.folder = browser.folder;
    std::error_code none;
    if (request.folder.empty()) request.folder = std::filesystem::current_path(none).string();
    browser.request = std::move(request);
    browser.open = browser.focus = browser.replace = true;
    browser.folder = browser.request.folder;
    browser.typed = browser.replaceTyped = browser.request.name;
    browser.selected = 0;
    browser.confirm.clear();
    actions.files.read = browser.folder;
}

void browseTerrains(UiState& state, UiActions& actions, const std::string& path)
{
    FileRequest request{.title = "Open a terrain",
                        .kind = FileKind::kOpenOrFolder,
                        .suffixes = terrainSuffixes(),
                        .name = path,
                        .terrains = true,
                        .chosen = [](UiActions& then, const std::string& chosen) { then.open = chosen; }};
    if (actions.settings.world == World::kEarth)
    {
        request.title = "Lay a terrain in the Earth, or open it";
        request.button = "Lay in";
        request.other = "Open";
        request.otherChosen = std::exchange(
            request.chosen, [](UiActions& then, const std::string& chosen) { then.earth.layIn = chosen; });
    }
    browse(state, actions, std::move(request));
}

void drawFileBrowser(const Panel& panel)
{
    FileBrowser& browser = panel.state.browser;
    if (!browser.open) return;
    const float scale = panel.theme.scale;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size{std::min(kWidth * scale, display.x - 16 * scale),
                      std::min(kHeight * scale, display.y - 16 * scale)};
    if (!ImGui::IsPopupOpen(kWindow)) ImGui::OpenPopup(kWindow);
    ImGui::SetNextWindowPos({std::floor((display.x - size.x) / 2), std::floor((display.y - size.y) / 2)});
    ImGui::SetNextWindowSize({std::max(size.x, 40.0f), std::max(size.y, 40.0f)});
    if (!ImGui::BeginPopupModal(kWindow, nullptr,
                                ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                                    ImGuiWindowFlags_NoSavedSettings))
        return;
    ImGui::PushFont(panel.theme.bold);
    ImGui::TextUnformatted(browser.request.title.c_str());
    ImGui::PopFont();
    topRow(panel);
    const bool entered = field(panel, -1);
    const std::vector<const FolderEntry*> rows = rowsOf(panel);
    const float below = 2 * ImGui::GetFrameHeightWithSpacing();
    table(panel, rows, std::max(ImGui::GetContentRegionAvail().y - below, 3 * ImGui::GetFrameHeight()));
    bottomRow(panel, rows);
    if (browser.open && entered) accept(panel, rows);
    if (browser.open) keys(panel, rows);
    if (!browser.open) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace orogen::app
