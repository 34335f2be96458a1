// Appearance of the panels: fonts, colours, spacing.
#pragma once

#include <string>

#include <imgui.h>

namespace orogen::app {

struct Theme
{
    float scale = 1;
    ImFont *body = nullptr, *bold = nullptr, *mono = nullptr;
    std::string notMeasured;  // missing value: "–", or "-" if the font lacks it
    bool systemFont = false;  // false: ImGui's built-in font, because neither a shipped nor a known system font exists

    ImVec4 text{0.90f, 0.92f, 0.94f, 1};
    ImVec4 dim{0.60f, 0.65f, 0.70f, 1};
    ImVec4 accent{0.36f, 0.67f, 0.86f, 1};
    ImVec4 good{0.47f, 0.78f, 0.56f, 1};
    ImVec4 warning{0.96f, 0.73f, 0.33f, 1};
    ImVec4 error{0.98f, 0.51f, 0.45f, 1};
    ImVec4 desk{0.065f, 0.069f, 0.074f, 1};  // background of panels that hide the picture

    ImU32 colour(const ImVec4& c, float alpha = 1) const
    {
        return ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, c.w * alpha});
    }
};

// Sets the style and fonts of the current ImGui context for `scale` (1: 96 dots an inch), and returns them.  Uses
// DejaVu (Debian: fonts-dejavu-core), else another common sans-serif font, else ImGui's built-in font.  The caller
// recreates the texture of the font atlas.
Theme applyTheme(float scale);

}  // namespace orogen::app
