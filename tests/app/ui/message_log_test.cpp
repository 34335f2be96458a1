// Messages of a session, and the status line that opens them.
#include "app/ui/panels.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include "app/session/messages.h"
#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

TEST(MessageLogOfAll, KeepsWhatIsNoLongerShownAndCountsRepeats)
{
    MessageLog log;
    log.push(MessageKind::kNote, "first", 1);
    log.push(MessageKind::kError, "same", 2);
    log.push(MessageKind::kError, "same", 3);
    log.push(MessageKind::kNote, "first", 4);
    log.update(100);
    EXPECT_TRUE(log.shown().empty());
    ASSERT_EQ(log.all().size(), 3u);
    EXPECT_EQ(log.all()[1].times, 2);
    EXPECT_EQ(log.all()[1].shownAt, 3);
    EXPECT_EQ(log.all()[2].text, "first");
}

TEST(MessageLogOfAll, ForgetsTheOldest)
{
    MessageLog log;
    for (std::size_t i = 0; i < MessageLog::kMostKept + 5; ++i)
        log.push(MessageKind::kNote, std::to_string(i), 0);
    ASSERT_EQ(log.all().size(), MessageLog::kMostKept);
    EXPECT_EQ(log.all().front().text, "5");
}

TEST(MessageLogOfAll, ALineSaysTimeKindTextAndHowOften)
{
    setenv("TZ", "UTC0", 1);
    tzset();
    const UiMessage message{MessageKind::kWarning, "no room", 52, 3};
    EXPECT_EQ(logLine(message, 14 * 3600 + 3 * 60), "14:03:52  warning  no room (\u00d73)");
}

TEST(StatusLine, WarningsPrecedeSettingsKeptFromTheLastSession)
{
    for (const auto& [width, warning, shown] :
         {std::tuple(1280, "", true),
          {1280, "Depth 24 is the limit here: triangles of 22.6 m, samples 2.00 m apart", false},
          {1920, "Depth 24 is the limit here: triangles of 22.6 m, samples 2.00 m apart", true}})
    {
        HeadlessUi headless(width);
        headless.model.settingsState.kept = {"lod.criterion"};
        headless.model.depthLimit = warning;
        headless.frames(3);
        EXPECT_EQ(headless.ui->items().find("Status/reset_kept") != nullptr, shown) << width << ' ' << warning;
    }
}

// In a narrow window, a state loses its details before it gives way, also while a path is recorded.
TEST(StatusLine, AStateIsShortenedBesideARecording)
{
    const auto shows = [](const ImVec4& colour) {
        const ImU32 wanted = ImGui::ColorConvertFloat4ToU32(colour);
        const ImGuiWindow* status = ImGui::FindWindowByName("Status");
        return status && std::ranges::any_of(status->DrawList->VtxBuffer,
                                             [wanted](const ImDrawVert& vertex) { return vertex.col == wanted; });
    };
    for (const int width : {800, 1000, 1920})
    {
        HeadlessUi headless(width, 700);
        const Theme& theme = headless.ui->theme();
        headless.frames(3);
        EXPECT_FALSE(shows(theme.accent) || shows(theme.error)) << width;
        headless.model.pending = {.tiles = 28, .fades = 3, .changes = 1'296, .lightRows = 512, .model = 4};
        headless.model.path.recorded = 12.0;
        headless.frames(3);
        EXPECT_TRUE(shows(theme.error)) << width << ", the recording";
        EXPECT_TRUE(shows(theme.accent)) << width << ", the state";
    }
}

TEST(MessageLogPanel, OpensFromTheStatusLineAndIsCopied)
{
    MessageLog log;
    log.push(MessageKind::kNote, "wrote a.png", 1);
    log.push(MessageKind::kError, "b.tif: not a raster", 2);
    HeadlessUi headless;
    std::vector<std::string> copied;
    headless.onPass = [&](const UiActions& actions) {
        copied.insert(copied.end(), actions.copied.begin(), actions.copied.end());
    };
    headless.frames(2);
    EXPECT_EQ(headless.ui->items().find("Status/messages"), nullptr);
    headless.model.messageLog = &log.all();
    headless.frames(2);
    headless.click("Status/messages");
    headless.frames(2);
    headless.click("Log/copy");
    const std::string text = ImGui::GetClipboardText();
    EXPECT_NE(text.find("note     wrote a.png\n"), text.npos) << text;
    EXPECT_NE(text.find("error    b.tif: not a raster\n"), text.npos) << text;
    EXPECT_EQ(copied, std::vector<std::string>{"copied all messages"});
    headless.click("Log/close");
    headless.frames(2);
    EXPECT_EQ(headless.ui->items().find("Log/copy"), nullptr);
}

}  // namespace
}  // namespace orogen::app
