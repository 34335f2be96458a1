#include "app/ui/message_log.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/panels.h"

namespace orogen::app {

namespace {

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

}  // namespace orogen::app
