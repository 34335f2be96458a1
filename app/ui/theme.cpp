#include "app/ui/theme.h"

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <string>

#include "app/base/installation.h"

namespace orogen::app {

namespace {

constexpr float kBodyPixels = 14, kMonoPixels = 13;  // at scale 1

// Ranges of code points: western European letters, dashes, quotes, bullet to ellipsis, arrows, minus, comparison signs,
// a dot and the warning sign.
constexpr ImWchar kGlyphs[] = {0x20,   0xff,   0x2010, 0x2015, 0x2018, 0x201f, 0x2022, 0x2026, 0x2190, 0x2193, 0x2212,
                               0x2212, 0x2248, 0x2248, 0x2264, 0x2265, 0x25cf, 0x25cf, 0x26a0, 0x26a0, 0};
// kGlyphs with further Latin letters and Cyrillic, for names of places and files.  Only the body font loads these,
// because they are about four times as many.
constexpr ImWchar kLetters[] = {0x20,   0x24f,  0x259,  0x259,  0x300,  0x331,  0x400,  0x45f,  0x1e00, 0x1eff,
                                0x2010, 0x2015, 0x2018, 0x201f, 0x2022, 0x2026, 0x2190, 0x2193, 0x2212, 0x2212,
                                0x2248, 0x2248, 0x2264, 0x2265, 0x25cf, 0x25cf, 0x26a0, 0x26a0, 0};

ImFont* firstOf(std::initializer_list<const char*> files, float pixels, const ImWchar* glyphs = kGlyphs)
{
    ImFontConfig config;
    config.OversampleH = 3;  // stb_truetype does not hint: oversampling keeps stems even
    config.OversampleV = 1;
    config.PixelSnapH = true;
    config.RasterizerMultiply = 1.15f;
    for (const char* file : files)
    {
        std::error_code error;
        if (std::filesystem::is_regular_file(file, error))
            return ImGui::GetIO().Fonts->AddFontFromFileTTF(file, pixels, &config, glyphs);
    }
    return nullptr;
}

// Returns the folder of the fonts that a tarball of the program contains, ending in a slash.
std::string shippedFonts()
{
    const Result<std::filesystem::path> data = dataDirectory();
    return (data ? *data : std::filesystem::path("/nonexistent")).string() + "/fonts/";
}

void loadFonts(Theme& theme)
{
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    const float body = std::round(kBodyPixels * theme.scale), mono = std::round(kMonoPixels * theme.scale);
    const std::string shipped = shippedFonts(), sans = shipped + "DejaVuSans.ttf",
                      bold = shipped + "DejaVuSans-Bold.ttf", monospaced = shipped + "DejaVuSansMono.ttf";
    theme.body = firstOf({sans.c_str(), "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                          "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                          "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"},
                         body, kLetters);
    theme.systemFont = theme.body != nullptr;
    if (!theme.body)
    {
        ImFontConfig config;
        config.SizePixels = std::round(13 * theme.scale);  // design size of the built-in font
        theme.body = atlas.AddFontDefault(&config);
    }
    theme.bold = firstOf({bold.c_str(), "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
                          "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
                          "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf"},
                         body);
    theme.mono = firstOf({monospaced.c_str(), "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
                          "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf"},
                         mono);
    theme.bold = theme.bold ? theme.bold : theme.body;
    theme.mono = theme.mono ? theme.mono : theme.body;
    atlas.Build();
    theme.notMeasured = theme.body->FindGlyphNoFallback(0x2013) ? "\u2013" : "-";
}

void setSizes(ImGuiStyle& style, float scale)
{
    style.WindowPadding = {10, 8};
    style.FramePadding = {6, 3};
    style.ItemSpacing = {6, 4};
    style.ItemInnerSpacing = {5, 4};
    style.WindowRounding = 5;
    style.FrameRounding = 3;
    style.GrabRounding = 2;
    style.PopupRounding = 4;
    style.ScrollbarRounding = 4;
    style.ScrollbarSize = 10;
    style.GrabMinSize = 9;
    style.CellPadding = {4, 1};
    style.WindowMinSize = {16, 16};
    style.ScaleAllSizes(scale);
    style.WindowBorderSize = 1;
    style.FrameBorderSize = 0;
}

void setColours(ImGuiStyle& style, const Theme& theme)
{
    const auto grey = [](float level, float alpha) { return ImVec4(level, level * 1.06f, level * 1.14f, alpha); };
    const auto tint = [&](float alpha) { return ImVec4(theme.accent.x, theme.accent.y, theme.accent.z, alpha); };
    ImVec4* c = style.Colors;
    c[ImGuiCol_Text] = theme.text;
    c[ImGuiCol_TextDisabled] = theme.dim;
    c[ImGuiCol_WindowBg] = grey(0.065f, 0.86f);
    c[ImGuiCol_TitleBg] = grey(0.13f, 0.92f);
    c[ImGuiCol_PopupBg] = grey(0.085f, 0.97f);
    c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
    c[ImGuiCol_Border] = grey(0.45f, 0.25f);
    c[ImGuiCol_FrameBg] = grey(0.24f, 0.75f);
    c[ImGuiCol_FrameBgHovered] = grey(0.31f, 0.85f);
    c[ImGuiCol_FrameBgActive] = grey(0.34f, 0.95f);
    c[ImGuiCol_SliderGrab] = {0.22f, 0.45f, 0.60f, 1};  // dark enough for the value drawn over it
    c[ImGuiCol_SliderGrabActive] = {0.28f, 0.55f, 0.72f, 1};
    c[ImGuiCol_CheckMark] = tint(1.0f);
    c[ImGuiCol_Button] = grey(0.25f, 0.85f);
    c[ImGuiCol_ButtonHovered] = tint(0.45f);
    c[ImGuiCol_ButtonActive] = tint(0.70f);
    c[ImGuiCol_Header] = tint(0.28f);
    c[ImGuiCol_HeaderHovered] = tint(0.42f);
    c[ImGuiCol_HeaderActive] = tint(0.60f);
    c[ImGuiCol_Separator] = grey(0.45f, 0.30f);
    c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
    c[ImGuiCol_ScrollbarGrab] = grey(0.40f, 0.55f);
    c[ImGuiCol_ScrollbarGrabHovered] = grey(0.50f, 0.70f);
    c[ImGuiCol_ScrollbarGrabActive] = tint(0.80f);
    c[ImGuiCol_TextSelectedBg] = tint(0.35f);
    c[ImGuiCol_PlotHistogram] = tint(0.85f);
    c[ImGuiCol_TableBorderLight] = grey(0.45f, 0.20f);
    c[ImGuiCol_ModalWindowDimBg] = c[ImGuiCol_NavWindowingDimBg] = {0, 0, 0, 0.55f};
    c[ImGuiCol_NavHighlight] = tint(0.80f);
}

}  // namespace

Theme applyTheme(float scale)
{
    Theme theme;
    theme.scale = scale;
    ImGui::GetStyle() = ImGuiStyle();
    setSizes(ImGui::GetStyle(), scale);
    setColours(ImGui::GetStyle(), theme);
    loadFonts(theme);
    return theme;
}

}  // namespace orogen::app
