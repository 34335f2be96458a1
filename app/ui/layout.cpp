#include "app/ui/layout.h"

#include <algorithm>
#include <cmath>

#include "app/ui/panels.h"

namespace orogen::app {

namespace {

// Pixels at scale 1.
constexpr float kMargin = 8, kGap = 6;
constexpr float kColumn = 300, kWidestColumn = 340;
constexpr float kLeastCentre = 300;                                  // of the picture, beside an open tool
constexpr float kToolWidth = 112, kToolRow = 26, kMostToolRows = 3;  // of a button, on average; of a further row
constexpr float kToolBar = 30, kStatus = 28, kMessages = 118, kLoading = 84;
constexpr float kLeastWidth = 853, kLeastHeight = 480;  // of a display that the panels are made for
constexpr float kColumnShare = 0.225f, kMostShare = 0.35f;

}  // namespace

float fittingScale(ImVec2 display, float wanted)
{
    return std::max(std::min({wanted, display.x / kLeastWidth, display.y / kLeastHeight}), 0.5f);
}

Layout layoutFor(ImVec2 display, float scale, bool toolOpen)
{
    const float margin = kMargin * scale, gap = kGap * scale;
    const float column =
        std::min(std::clamp(display.x * kColumnShare, kColumn * scale, kWidestColumn * scale), display.x * kMostShare);
    const float top = margin, bottom = std::max(display.y - margin, top);
    float left = margin + column + margin, right = display.x - left;

    Layout layout;
    layout.left = layout.tool = {{margin, top}, {margin + column, bottom}};
    layout.leftShown = !toolOpen || right - left - column - margin >= kLeastCentre * scale;
    if (toolOpen && layout.leftShown)
    {
        layout.tool = {{right - column, top}, {right, bottom}};
        right -= column + margin;
    }
    layout.performance = {{display.x - margin - column, top}, {display.x - margin, bottom}};
    layout.centre = {{left, top}, {right, bottom}};
    float y = bottom;
    const auto stack = [&](float height) {
        const PanelRect rect{{left, y - height}, {right, y}};
        y -= height + gap;
        return rect;
    };
    layout.status = stack(kStatus * scale);
    layout.messages = stack(kMessages * scale);
    layout.loading = stack(kLoading * scale);
    const float toolsWidth = kToolWidth * float(tools().size()) * scale;
    const float rows = std::clamp(std::ceil(toolsWidth / std::max(right - left, 1.0f)), 1.0f, kMostToolRows);
    layout.tools = {{left, top}, {right, top + (kToolBar + (rows - 1) * kToolRow) * scale}};
    const float under = layout.tools.max.y + gap;
    layout.overlay = {{left, under}, {right, std::max(y, under)}};
    return layout;
}

}  // namespace orogen::app
