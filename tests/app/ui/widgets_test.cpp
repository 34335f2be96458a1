// Rows that panels consist of, each drawn alone.
#include "app/ui/widgets.h"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

namespace orogen::app {
namespace {

// Window with one item, and the mouse resting over it.
class Widget : public testing::Test
{
protected:
    void SetUp() override
    {
        IMGUI_CHECKVERSION();
        context_ = ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DisplaySize = {900, 600};
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    }
    void TearDown() override { ImGui::DestroyContext(context_); }

    // Draws frames with the mouse over the item "Panel/NAME", pressed in the last but one.
    void frames(const std::string& name, const std::function<void(const Panel&)>& draw)
    {
        for (int frame = 0; frame < 8; ++frame)  // a press hides the tooltip
        {
            if (const ItemRect* item = items_.find("Panel/" + name)) ImGui::GetIO().MousePos = item->centre();
            ImGui::GetIO().MouseDown[0] = frame == 6;
            state_.hovered = "Panel/" + name;  // rests there since long
            state_.hoveredSeconds = 10;
            ImGui::NewFrame();
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize({300, 250});
            ImGui::Begin("Panel");
            draw({"Panel", model_, actions_, state_, items_, theme_});
            ImGui::End();
            ImGui::Render();
            items_.beginFrame();
            const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
            if (frame < 6 && tooltip && tooltip->Active) tooltipHeight_ = tooltip->Size.y;
        }
    }

    ImGuiContext* context_ = nullptr;
    UiModel model_;
    UiActions actions_;
    UiState state_;
    ItemRegistry items_;
    Theme theme_;
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

}  // namespace
}  // namespace orogen::app
