// Overlays on the picture: help, shader log, loading, messages, status line.
#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/model/format.h"
#include "app/ui/panels.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

// ---- log ----

std::string clockText(double secondsSince1970)
{
    const std::time_t time = std::time_t(secondsSince1970);
    std::tm parts{};
    localtime_r(&time, &parts);
    return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

const char* kindText(MessageKind kind)
{
    return kind == MessageKind::kError ? "error" : kind == MessageKind::kWarning ? "warning" : "note";
}

std::string wholeLog(const Panel& panel)
{
    std::string text;
    for (const UiMessage& message : *panel.model.messageLog)
        text += logLine(message, panel.model.startedAt) + "\n";
    return text;
}

void row(const Panel& panel, const UiMessage& message)
{
    ImGui::TableNextColumn();
    textLine(panel.theme.dim, clockText(panel.model.startedAt + message.shownAt));
    ImGui::TableNextColumn();
    textLine(messageColour(panel.theme, message.kind), kindText(message.kind));
    ImGui::TableNextColumn();
    textLine(panel.theme.text,
             message.times > 1 ? fmt::format("{} (\u00d7{})", message.text, message.times) : message.text, true);
}

// ---- other overlays ----

constexpr std::pair<const char*, const char*> kHelp[] = {
    {"W A S D, arrows", "fly, or scroll the map"},
    {"E, Q, Page keys", "up and down; in the map: away and closer"},
    {"Shift, Ctrl", "held: five times as fast, as slow"},
    {"left drag", "look around; in the map, and high above the Earth: pull the ground along"},
    {"right or middle drag", "pull what is under the cursor along; high above the Earth: swing around the middle"},
    {"wheel", "towards the point under the cursor, or away; while the right button is held: how fast keys fly"},
    {"Tab", "between flying and the map, same spot"},
    {"Home", "the home view; in the map: the whole terrain"},
    {"double click", "go to that point"},
    {"1 2 3, Ctrl+1 2 3", "on the Earth: go to a bookmark; keep the view as one"},
    {"I, C", "what lies under the cursor; copy it"},
    {"M", "measure a line over the ground"},
    {"T", "the triangulation from above"},
    {"B", "paint the ground with a brush; the wheel changes its size"},
    {"N, G", "names of places; the graticule"},
    {"F1", "this help"},
    {"F2", "hide or show the panels"},
    {"F4", "wireframe"},
    {"F5", "reload the shaders"},
    {"F6", "freeze the level of detail"},
    {"F7", "colours by level of detail"},
    {"F8", "capture a frame-time report, or stop it"},
    {"F9", "record the flight as a camera path, and end it"},
    {"F10", "play the camera path, and hold it"},
    {"F11", "full screen"},
    {"F12", "screenshot"},
    {"Ctrl+O", "open a terrain"},
    {"Ctrl+Z, Ctrl+Y", "undo and redo changes of settings; Ctrl+Shift+Z redoes, too"},
    {"Ctrl+click", "on a number: type it"},
    {"right click", "on a setting: its default"},
    {"Ctrl+Q", "quit"},
};

constexpr ImGuiWindowFlags kBare = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                   ImGuiWindowFlags_NoNav;

// Returns the part of `rect` for an overlay of this size, centred horizontally.  `vertically`: 0 is the top, 1 the
// bottom.
PanelRect placed(const PanelRect& rect, float width, float height, float vertically)
{
    const float w = std::min(width, rect.width()), h = std::min(height, rect.height());
    const float x = rect.min.x + (rect.width() - w) / 2, y = rect.min.y + (rect.height() - h) * vertically;
    return {{x, y}, {x + w, y + h}};
}

// ---- columns of the help ----

constexpr float kHelpColumn = 34, kHelpGap = 1.5f;  // width of one column, gap between two (font heights)

// Columns of a table of keys and texts.
struct HelpColumns
{
    float width = 0;                // width of a column (pixels)
    std::vector<std::size_t> ends;  // index behind the last entry of each column
    float height = 0;               // height of the highest column (pixels)
    float bar = 0;                  // width of the scroll bar; 0 if the columns fit (pixels)
};

float helpKeyWidth()
{
    float width = 0;
    for (const auto& [key, text] : kHelp)
        width = std::max(width, ImGui::CalcTextSize(key).x);
    return width;
}

// Divides the help into at most `most` columns of `width` pixels, as low as possible.
HelpColumns helpColumns(std::size_t most, float width)
{
    const ImVec2 padding = ImGui::GetStyle().CellPadding;
    const float text = std::max(width - helpKeyWidth() - 4 * padding.x, 1.0f);
    std::vector<float> rows;
    for (const auto& [key, words] : kHelp)
        rows.push_back(ImGui::CalcTextSize(wrappedAtBlanks(words, text).c_str()).y + 2 * padding.y);
    HelpColumns made;
    float limit = *std::ranges::max_element(rows);
    do
    {
        made = {width, {}};
        float height = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            if (height + rows[i] > limit) made.ends.push_back(i), height = 0;
            height += rows[i];
            made.height = std::max(made.height, height);
        }
        made.ends.push_back(rows.size());
        limit += ImGui::GetFontSize();
    } while (made.ends.size() > most);
    return made;
}

// Returns the fewest columns that fit into `rect`; if none fit, the lowest ones, with room for a scroll bar.
HelpColumns helpColumns(const PanelRect& rect)
{
    const ImGuiStyle& style = ImGui::GetStyle();
    const float em = ImGui::GetFontSize(), least = helpKeyWidth() + 8 * em;  // the texts need some width
    const float width = rect.width() - 2 * style.WindowPadding.x;
    const float height =
        rect.height() - 2 * (style.WindowPadding.y + style.ItemSpacing.y) - em - ImGui::GetFrameHeight();
    HelpColumns lowest;
    for (const auto& [count, widest] :
         {std::pair(1.0f, kHelpColumn * em), std::pair(1.0f, width), std::pair(2.0f, width), std::pair(3.0f, width)})
    {
        const float share = std::floor((width + kHelpGap * em) / count - kHelpGap * em);
        if (count > 1 && share < least) break;
        const HelpColumns columns = helpColumns(std::size_t(count), std::min(share, widest));
        if (columns.height <= height) return columns;
        if (lowest.ends.empty() || columns.height < lowest.height) lowest = columns;
    }
    lowest = helpColumns(lowest.ends.size(), std::max(lowest.width - style.ScrollbarSize, 1.0f));
    lowest.bar = style.ScrollbarSize;
    return lowest;
}

struct StatusPart
{
    ImVec4 colour;
    std::string text;
    std::string shorter = {};  // used if `text` has no room; empty: the part is left out
    bool detailed = false;     // details, which follow a comma or colon, are dropped first
};

// Returns the parts of the status line, most important first.
std::vector<StatusPart> statusParts(const Panel& panel)
{
    const FrameRecord& stats = panel.model.stats;
    const Theme& theme = panel.theme;
    std::vector<StatusPart> parts;
    if (const std::optional<double> recorded = panel.model.path.recorded)
        parts.push_back({theme.error, fmt::format("Recording {:.1f} s", *recorded)});
    if (const std::optional<RecordProgress>& film = panel.model.film)
        parts.push_back({theme.error, fmt::format("Film, frame {} of {}", film->frame + 1, film->frames)});
    if (panel.model.settings.lod.frozen)
        parts.push_back({theme.warning, "Frozen"});
    else if (panel.model.loading)
        parts.push_back({theme.accent, "Loading"});
    else
        parts.push_back(panel.model.pending.total() == 0
                            ? StatusPart{theme.good, "Settled"}
                            : StatusPart{theme.accent, "Refining: " + panel.model.pending.text(), {}, true});
    if (!panel.model.depthLimit.empty()) parts.push_back({theme.warning, panel.model.depthLimit});
    const std::optional<GovernorReport>& governor = panel.model.governor;
    if (governor && governor->state == GovernorState::kUnreachable)
        parts.push_back(
            {theme.warning, fmt::format("Frames take {} ms at least, not {}",
                                        governor->reachedMs ? msText(*governor->reachedMs) : theme.notMeasured,
                                        msText(governor->targetMs))});
    if (stats.workIsCurrent && stats.work.refused > 0) parts.push_back({theme.warning, "At capacity"});
    if (const std::optional<EarthState>& earth = panel.model.tools.earth)
    {
        const double height = std::max(panel.model.heightAboveGround.value_or(earth->camera.height), 1.0);
        const std::string up = metresText(earth->camera.height);
        parts.push_back({theme.dim, fmt::format("camera {}, {}", placeWords(earth->camera, height), up),
                         fmt::format("camera {}", up)});
    }
    const auto spread = intervalSpread(panel.model.history);
    const std::string& dash = theme.notMeasured;
    parts.push_back({theme.text, (spread && spread->median ? msText(*spread->median) : dash) + " ms"});
    parts.push_back({theme.text, (stats.workIsCurrent ? compact(stats.work.triangles) : dash) + " triangles"});
    parts.push_back({theme.dim, "F1 help"});
    return parts;
}

// Returns the width of all parts up to the last warning (pixels); 0 without a warning.
float widthOfWarnings(const Panel& panel, const std::vector<StatusPart>& parts, float gap)
{
    float width = 0, upToWarning = 0;
    const ImVec4 warning = panel.theme.warning;
    for (const StatusPart& part : parts)
    {
        width += ImGui::CalcTextSize(part.text.c_str()).x + gap;
        const ImVec4& colour = part.colour;
        if (colour.x == warning.x && colour.y == warning.y && colour.z == warning.z) upToWarning = width;
    }
    return upToWarning;
}

// Returns "3 messages"; empty if there are none.
std::string messagesLabel(const Panel& panel)
{
    const std::size_t count = panel.model.messageLog ? panel.model.messageLog->size() : 0;
    return count == 0 ? std::string() : fmt::format("{} message{}", grouped(count), count == 1 ? "" : "s");
}

// Returns the label of settings kept from the last session (SessionSettings::kept()); empty if there are none.
std::string keptLabel(const Panel& panel)
{
    const std::size_t count = panel.model.settingsState.kept.size();
    return count == 0 ? std::string()
                      : fmt::format("{} setting{} kept from last time {} Reset", count, count == 1 ? "" : "s",
                                    panel.theme.notMeasured);
}

std::string keptTooltip(const Panel& panel)
{
    std::string labels;
    for (const std::string& key : panel.model.settingsState.kept)
        labels += (labels.empty() ? "" : ", ") + settingLabel(*findSetting(key));
    return "Resets these to first-start values; Ctrl+Z undoes it: " + labels + ".";
}

}  // namespace

ImVec4 messageColour(const Theme& theme, MessageKind kind)
{
    return kind == MessageKind::kError ? theme.error : kind == MessageKind::kWarning ? theme.warning : theme.text;
}

std::string logLine(const UiMessage& message, double startedAt)
{
    const std::string times = message.times > 1 ? fmt::format(" (\u00d7{})", message.times) : "";
    return fmt::format("{}  {:<7}  {}{}", clockText(startedAt + message.shownAt), kindText(message.kind), message.text,
                       times);
}

// Shows the newest message first: users mostly look for one that just disappeared.
void drawMessageLog(const Panel& panel, const PanelRect& rect)
{
    const float em = ImGui::GetFontSize(), width = std::min(52 * em, rect.width());
    const float left = rect.min.x + (rect.width() - width) / 2;
    beginPanel(panel, {{left, rect.min.y}, {left + width, rect.max.y}}, 0, "Messages of this session");
    if (button(panel, "copy", "Copies all of it as text.")) copyText(panel, wholeLog(panel), "all messages");
    ImGui::SameLine();
    panel.state.messageLogOpen &= !button(panel, "close", "Escape, too.");
    if (ImGui::BeginTable("messages", 3))
    {
        ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed);
        ImGui::TableSetupColumn("kind", ImGuiTableColumnFlags_WidthFixed);
        ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
        for (auto message = panel.model.messageLog->rbegin(); message != panel.model.messageLog->rend(); ++message)
            row(panel, *message);
        ImGui::EndTable();
    }
    endPanel(panel);
}

void drawHelp(const Panel& panel, const PanelRect& rect)
{
    const HelpColumns columns = helpColumns(rect);
    const float gap = kHelpGap * ImGui::GetFontSize(), count = float(columns.ends.size());
    const float width = count * (columns.width + gap) - gap + 2 * ImGui::GetStyle().WindowPadding.x + columns.bar;
    beginPanel(panel, placed(rect, width, rect.height(), 0), 0, "Help: keys and mouse");
    std::size_t begin = 0;
    for (const std::size_t end : columns.ends)
    {
        if (begin > 0) ImGui::SameLine(0, gap);
        ImGui::BeginGroup();
        if (ImGui::BeginTable(fmt::format("keys {}", end).c_str(), 2, 0, {columns.width, 0}))
        {
            ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, helpKeyWidth());
            for (std::size_t entry = begin; entry < end; ++entry)
            {
                ImGui::TableNextColumn();
                textLine(panel.theme.accent, kHelp[entry].first);
                ImGui::TableNextColumn();
                textLine(panel.theme.text, kHelp[entry].second, true);
            }
            ImGui::EndTable();
        }
        ImGui::EndGroup();
        begin = end;
    }
    panel.state.helpOpen &= !button(panel, "close", "F1 or Escape, too.");
    endPanel(panel);
}

void drawShaderLog(const Panel& panel, const PanelRect& rect)
{
    beginPanel(panel, placed(rect, 64 * ImGui::GetFontSize(), rect.height(), 0));
    textLine(panel.theme.error, "The shaders do not compile; the old ones are still in use. Fix them and press F5.",
             true);
    const float buttons = ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().ItemSpacing.y;
    const float room = rect.height() - ImGui::GetCursorPosY() - buttons - ImGui::GetStyle().WindowPadding.y;
    ImGui::PushFont(panel.theme.mono);
    const float lines =
        float(std::ranges::count(panel.model.shaderLog, '\n') + 2) * ImGui::GetTextLineHeightWithSpacing();
    ImGui::BeginChild("log", {0, std::min(lines, std::max(room, 2 * ImGui::GetFontSize()))}, false,
                      ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::TextUnformatted(panel.model.shaderLog.c_str());
    ImGui::EndChild();
    ImGui::PopFont();
    if (button(panel, "copy", "Copies the log.")) copyText(panel, panel.model.shaderLog, "the shaders' log");
    ImGui::SameLine();
    panel.actions.dismissShaderLog |= button(panel, "close", "Escape, too.");
    endPanel(panel);
}

void drawLoading(const Panel& panel, const PanelRect& rect)
{
    const LoadingState& loading = *panel.model.loading;
    beginPanel(panel, placed(rect, 28 * ImGui::GetFontSize(), rect.height(), 1), ImGuiWindowFlags_NoScrollbar);
    textLine(panel.theme.dim, capitalised(loading.text));
    if (!loading.fraction) return endPanel(panel);
    const float cancel = ImGui::CalcTextSize(inWords("cancel").c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    percentBar(*loading.fraction, -cancel - ImGui::GetStyle().ItemSpacing.x);
    ImGui::SameLine();
    panel.actions.cancelLoading |= button(panel, "cancel", "Keeps the terrain that was open.");
    endPanel(panel);
}

void drawMessages(const Panel& panel, const PanelRect& rect)
{
    const auto& messages = panel.model.messages;
    if (messages.empty()) return;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float wrap = std::min(rect.width(), 52 * ImGui::GetFontSize()) - 2 * style.WindowPadding.x;
    float height = 2 * style.WindowPadding.y - style.ItemSpacing.y, width = 0;
    std::size_t first = messages.size();
    std::vector<std::string> lines(messages.size());
    while (first > 0)  // as many messages as fit, newest first
    {
        const UiMessage& message = messages[first - 1];
        std::string& line = lines[first - 1];
        line = message.times > 1 ? fmt::format("{} (\u00d7{})", message.text, message.times) : message.text;
        line = wrappedAtBlanks(line, wrap);
        const ImVec2 size = ImGui::CalcTextSize(line.c_str(), nullptr, false, wrap);
        if (height + size.y + style.ItemSpacing.y > rect.height() && first < messages.size()) break;
        width = std::max(width, size.x + 2 * style.WindowPadding.x + 1);
        height += size.y + style.ItemSpacing.y;
        --first;
    }
    const PanelRect place = placed(rect, width, height, 1);
    ImGui::SetNextWindowPos(place.min);
    ImGui::SetNextWindowSize({place.width(), place.height()});
    ImGui::Begin("Messages", nullptr, kBare | ImGuiWindowFlags_NoInputs);
    for (std::size_t i = first; i < messages.size(); ++i)
        textLine(messageColour(panel.theme, messages[i].kind), lines[i], true);
    ImGui::End();
}

void drawStatus(const Panel& panel, const PanelRect& rect)
{
    std::vector<StatusPart> parts = statusParts(panel);
    const float gap = 1.2f * ImGui::GetFontSize();
    const std::string log = messagesLabel(panel);
    const float logWidth = ImGui::CalcTextSize(log.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    std::string kept = keptLabel(panel);
    const float keptWidth = ImGui::CalcTextSize(kept.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    float width = 2 * ImGui::GetStyle().WindowPadding.x - gap + (log.empty() ? 0 : logWidth + gap);
    // If the warnings and the label of kept settings do not fit together, the label is left out.
    if (width + widthOfWarnings(panel, parts, gap) + keptWidth + gap > rect.width()) kept.clear();
    if (!kept.empty()) width += keptWidth + gap;
    std::erase_if(parts, [&](StatusPart& part) {
        const auto with = [&](const std::string& text) { return width + ImGui::CalcTextSize(text.c_str()).x + gap; };
        while (part.detailed && with(part.text) > rect.width() && part.text.find_first_of(",:") != part.text.npos)
            part.text.resize(part.text.find_last_of(",:"));
        if (with(part.text) > rect.width()) part.text = std::exchange(part.shorter, {});
        if (part.text.empty() || with(part.text) > rect.width()) return true;
        width = with(part.text);
        return false;
    });
    const PanelRect place = placed(rect, width, rect.height(), 1);
    ImGui::SetNextWindowPos(place.min);
    ImGui::SetNextWindowSize({place.width(), place.height()});
    ImGui::Begin("Status", nullptr, kBare);
    const float middle = (place.height() - ImGui::GetFrameHeight()) / 2;
    if (!kept.empty())
    {
        ImGui::SetCursorPosY(middle);
        panel.actions.settingsActions.resetKept |= button(panel, "reset_kept", keptTooltip(panel), keptWidth, kept);
        ImGui::SameLine(0, gap);
    }
    else
        ImGui::SetCursorPosY((place.height() - ImGui::GetFontSize()) / 2);
    for (const StatusPart& part : parts)
    {
        textLine(part.colour, part.text);
        ImGui::SameLine(0, gap);
    }
    if (!log.empty())
    {
        ImGui::SetCursorPosY(middle);
        if (button(panel, "messages", "Shows the messages of this session.", logWidth, log))
            panel.state.messageLogOpen = !panel.state.messageLogOpen;
    }
    ImGui::End();
}

}  // namespace orogen::app
