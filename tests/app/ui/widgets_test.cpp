// Rows that panels consist of, each drawn alone.
#include "app/ui/widgets.h"

#include <algorithm>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

// Window with one item, and the mouse resting over it.
class Widget : public PanelTest
{
protected:
    // Draws frames with the mouse over the item "Panel/NAME", pressed in the last but one.
    void frames(const std::string& name, const std::function<void(const Panel&)>& draw)
    {
        for (int frame = 0; frame < 8; ++frame)  // a press hides the tooltip
        {
            if (const ItemRect* item = items_.find("Panel/" + name)) ImGui::GetIO().MousePos = item->centre();
            ImGui::GetIO().MouseDown[0] = frame == 6;
            state_.hovered = "Panel/" + name;  // rests there since long
            state_.hoveredSeconds = 10;
            drawFrame(draw);
            const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
            if (frame < 6 && tooltip && tooltip->Active) tooltipHeight_ = tooltip->Size.y;
        }
    }

    float tooltipHeight_ = 0;
};

TEST_F(Widget, ADisabledItemIsNotPressedAndSaysWhy)
{
    int presses = 0;
    float heights[2] = {};
    for (const bool enabled : {true, false})
    {
        frames("act", [&](const Panel& panel) {
            const Disabled disabled(panel, enabled ? "" : "There is nothing.");
            presses += button(panel, "act", "Does it.");
        });
        heights[enabled] = tooltipHeight_;
        EXPECT_TRUE(state_.unavailable.empty());
    }
    EXPECT_EQ(presses, 1);
    EXPECT_GT(heights[1], 0);
    EXPECT_GE(heights[0], heights[1] + 2 * ImGui::GetFontSize()) << "the reason, and an empty line";
}

// Returns the width of the text that `draw` draws.
float drawnText(const std::function<void()>& draw)
{
    const ImVector<ImDrawVert>& vertices = ImGui::GetWindowDrawList()->VtxBuffer;
    const int first = vertices.Size;
    draw();
    float low = 1e9f, high = 0;
    for (int i = first; i < vertices.Size; ++i)
        if (vertices[i].col == ImGui::GetColorU32(ImGuiCol_Text))
        {
            low = std::min(low, vertices[i].pos.x);
            high = std::max(high, vertices[i].pos.x);
        }
    return high - low;
}

TEST_F(Widget, ALabelIsDrawnWholeWhereItFitsAtAll)
{
    frames("act", [](const Panel& panel) {
        const float text = ImGui::CalcTextSize("Stop painting").x;
        const auto width = [&](float wide) {
            return drawnText([&] { button(panel, "act", "Stops.", wide, "Stop painting"); });
        };
        EXPECT_NEAR(width(text + 4), width(text + 50), 1);
        EXPECT_EQ(fitting("Stop painting", text), "Stop painting");
        for (float wide = ImGui::CalcTextSize("...").x; wide < text; wide += 3)
        {
            const std::string shown = fitting("Stop painting", wide);
            EXPECT_TRUE(shown.ends_with("...")) << shown;
            EXPECT_LE(ImGui::CalcTextSize(shown.c_str()).x, wide);
        }
    });
}

TEST_F(Widget, AButtonThatHasNoRoomBeginsARow)
{
    frames("last", [](const Panel& panel) {
        float right = 0, low = 0, first = 0;
        for (const char* name : {"one", "two", "three", "four", "five", "six", "seven", "last"})
        {
            if (right > 0) sameRowIfFits(name);
            button(panel, name, "");
            right = std::max(right, ImGui::GetItemRectMax().x);
            low = ImGui::GetItemRectMin().y;
            if (first == 0) first = low;
        }
        EXPECT_LE(right, ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x);
        EXPECT_GT(low, first);
    });
}

}  // namespace
}  // namespace orogen::app
