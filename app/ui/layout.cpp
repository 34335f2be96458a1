#include "app/ui/layout.h"

#include <algorithm>
#include <cmath>

namespace orogen::app {

namespace {

// Lengths in pixels at scale 1.
constexpr float kMargin = 8, kGap = 6;                                // around the parts, and between stacked parts
constexpr float kColumn = 300, kWidestColumn = 340;                   // range of the automatic column width
constexpr float kLeastDraggedColumn = 220, kMostDraggedColumn = 720;  // range of a dragged column width
constexpr float kLeastCentre = 300;                                   // minimum width of the picture
constexpr float kStatus = 28, kMessages = 118, kLoading = 84;         // heights of status line, messages, loading
constexpr float kLeastWidth = 560, kLeastHeight = 340;                // smaller displays scale the panels down
// Shares of the display's width: usual column, widest left column.
constexpr float kColumnShare = 0.225f, kMostShare = 0.5f;
constexpr float kMessageShare = 0.25f, kLoadingShare = 0.2f;  // maximum heights, as shares of the centre's height

struct Widths
{
    float left = 0, right = 0;
};

// Returns the column widths.  Where the picture would get too narrow, columns shrink, the right one first.
Widths widthsFor(const LayoutRequest& request, bool narrow)
{
    const float scale = request.scale, margin = std::round(kMargin * scale);
    const float usual = std::clamp(request.display.x * kColumnShare, kColumn * scale, kWidestColumn * scale);
    const auto wanted = [&](float dragged) {
        return dragged > 0 ? std::clamp(dragged, kLeastDraggedColumn, kMostDraggedColumn) * scale : usual;
    };
    const bool onLeft = narrow ? request.left || request.right : request.left, onRight = !narrow && request.right;
    Widths widths{onLeft ? wanted(request.leftWidth) : 0, onRight ? wanted(request.rightWidth) : 0};
    const float room = request.display.x - margin * float(2 + int(onLeft) + int(onRight)) - kLeastCentre * scale;
    const float least = std::min(kLeastDraggedColumn * scale, request.display.x * kMostShare);
    const auto yield = [&](float& width) {
        if (width > 0) width = std::clamp(width - std::max(widths.left + widths.right - room, 0.0f), least, width);
    };
    yield(widths.right);
    yield(widths.left);
    widths.left = std::floor(std::min(widths.left, request.display.x * kMostShare));
    widths.right = std::floor(widths.right);
    return widths;
}

}  // namespace

float fittingScale(ImVec2 display, float wanted)
{
    return std::max(std::min({wanted, display.x / kLeastWidth, display.y / kLeastHeight}), 0.5f);
}

float barWidth(ImVec2 display, float scale) { return std::max(display.x - 2 * std::round(kMargin * scale), 0.0f); }

float columnWidth(float pixels, float scale)
{
    return std::round(std::clamp(pixels / scale, kLeastDraggedColumn, kMostDraggedColumn));
}

Layout layoutFor(const LayoutRequest& request)
{
    const float scale = request.scale, margin = std::round(kMargin * scale), gap = std::round(kGap * scale);
    const ImVec2 display = request.display;
    Layout layout;
    layout.narrow = display.x < (2 * kColumn + kLeastCentre + 4 * kMargin) * scale;
    const Widths widths = widthsFor(request, layout.narrow);
    layout.bar = {{margin, margin}, {std::max(display.x - margin, margin), margin + request.barHeight}};
    const float top = layout.bar.max.y + gap, bottom = std::max(display.y - margin, top);
    const float left = margin + (widths.left > 0 ? widths.left + margin : 0);
    const float right = std::max(display.x - margin - (widths.right > 0 ? widths.right + margin : 0), left);
    layout.left = {{margin, top}, {margin + widths.left, bottom}};
    layout.right = {{display.x - margin - widths.right, top}, {display.x - margin, bottom}};
    layout.centre = {{left, top}, {right, bottom}};
    float y = bottom;
    const auto stack = [&](float height) {
        const PanelRect rect{{left, std::max(y - height, top)}, {right, std::max(y, top)}};
        y -= height + gap;
        return rect;
    };
    layout.status = stack(kStatus * scale);
    layout.messages = stack(std::min(kMessages * scale, (bottom - top) * kMessageShare));
    layout.loading = stack(std::min(kLoading * scale, (bottom - top) * kLoadingShare));
    layout.overlay = {{left, top}, {right, std::max(y, top)}};
    return layout;
}

PanelRect pictureSpace(const Layout& layout, bool fillsLeft, bool fillsRight, ImVec2 display)
{
    const float half = std::round((layout.centre.min.y - layout.bar.max.y) / 2);  // distance from panels to the picture
    return {{fillsLeft ? layout.left.max.x + half : 0, fillsLeft || fillsRight ? layout.bar.max.y + half : 0},
            {fillsRight ? layout.right.min.x - half : display.x, display.y}};
}

}  // namespace orogen::app
