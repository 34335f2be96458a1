#include "app/ui/picture_marks.h"

#include <algorithm>
#include <cmath>

namespace orogen::app {

namespace {

constexpr float kHalo = 1.5f;          // pixels at scale 1
constexpr float kHaloOpacity = 0.75f;  // relative to the core's

}  // namespace

float haloWidth(const Theme& theme) { return kHalo * theme.scale; }

ImU32 haloOf(ImU32 core)
{
    const auto opacity = float(core >> IM_COL32_A_SHIFT & 0xff);
    return IM_COL32(8, 12, 18, int(kHaloOpacity * opacity));
}

void markText(const Theme& theme, ImVec2 at, const std::string& text, ImU32 colour, float size, float wrapWidth)
{
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    ImFont* const font = ImGui::GetFont();
    const float letters = size > 0 ? size : ImGui::GetFontSize();
    const float step = std::max(std::round(theme.scale), 1.0f);
    for (int i = 0; i < 9; ++i)
        if (i != 4)
            list.AddText(font, letters, {at.x + step * float(i % 3 - 1), at.y + step * float(i / 3 - 1)},
                         haloOf(colour), text.c_str(), nullptr, wrapWidth);
    list.AddText(font, letters, at, colour, text.c_str(), nullptr, wrapWidth);
}

void markDot(const Theme& theme, ImVec2 at, float radius, ImU32 colour)
{
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddCircleFilled(at, radius + haloWidth(theme), haloOf(colour));
    list.AddCircleFilled(at, radius, colour);
}

}  // namespace orogen::app
