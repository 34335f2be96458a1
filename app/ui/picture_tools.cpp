#include "app/ui/picture_tools.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/picture_lines.h"
#include "app/ui/shortcuts.h"

namespace orogen::app {

namespace {

constexpr float kPickLines = 4;
constexpr float kClickReach = 4;  // pixels; a longer movement is a drag
constexpr ImGuiWindowFlags kOverPicture = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                          ImGuiWindowFlags_NoNav;

bool typed(int key) { return ImGui::IsKeyPressed(key, false); }

// Returns whether this letter was typed.  Matches the character, not the key, because tools are known by their letters;
// on layouts without Latin letters it matches the key.
bool typedLetter(int key)
{
    const int letter = key - GLFW_KEY_A + 'a';
    const ImVector<ImWchar>& typedNow = ImGui::GetIO().InputQueueCharacters;
    const auto latin = [](ImWchar c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (std::any_of(typedNow.begin(), typedNow.end(), latin))
        return std::any_of(typedNow.begin(), typedNow.end(), [letter](ImWchar c) { return (c | 32) == letter; });
    return typed(key);
}

void readMouse(PictureToolsActions& tools)
{
    const ImGuiIO& io = ImGui::GetIO();
    const bool held = std::ranges::any_of(io.MouseDown, [](bool down) { return down; });
    if (!io.WantCaptureMouse && !held && ImGui::IsMousePosValid()) tools.cursor = cursorPosition();
    const bool ours = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !io.MouseDownOwned[ImGuiMouseButton_Left];
    if (ours && io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kClickReach * kClickReach)
        tools.clicked = cursorPosition();
}

bool liesNear(const PanelRect& rect, ImVec2 point, float margin)
{
    return point.x > rect.min.x - margin && point.x < rect.max.x + margin && point.y > rect.min.y - margin &&
           point.y < rect.max.y + margin;
}

constexpr float kPickWidth = 27;  // in font heights; nearly the widest the text gets

// Returns the height of the point information, whether it is shown or not.
float pickHeight()
{
    return kPickLines * ImGui::GetTextLineHeightWithSpacing() + 2 * ImGui::GetStyle().WindowPadding.y;
}

// Draws the point information at the lower left of `rect`, or at the upper left if the cursor is near.
void drawPick(const Panel& panel, const PanelRect& rect)
{
    const PickState& pick = panel.model.tools.pick;
    if (!pick.on || !pick.place) return;
    const float height = pickHeight();
    if (rect.height() < height) return;
    const std::vector<std::string> words = pickLines(pick);
    float width = 0;
    for (const std::string& line : words)
        width = std::max(width, ImGui::CalcTextSize(line.c_str()).x);
    width = std::min(width + 2 * ImGui::GetStyle().WindowPadding.x + 1, rect.width());
    PanelRect place{{rect.min.x, rect.max.y - height}, {rect.min.x + width, rect.max.y}};
    if (liesNear(place, ImGui::GetIO().MousePos, 2 * ImGui::GetFontSize()))
        place = {rect.min, {rect.min.x + width, rect.min.y + height}};
    ImGui::SetNextWindowPos(place.min);
    ImGui::SetNextWindowSize({place.width(), place.height()});
    ImGui::Begin("Under the cursor", nullptr, kOverPicture | ImGuiWindowFlags_NoInputs);
    for (std::size_t i = 0; i < words.size(); ++i)
        textLine(i == 0 ? panel.theme.text : panel.theme.dim, words[i]);
    ImGui::End();
}

const char* compassPoint(double degrees)
{
    constexpr std::array<const char*, 8> kNames = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
    return kNames[std::size_t(std::lround(degrees / 45)) % kNames.size()];
}

}  // namespace

namespace {

bool coarse(const PickState& pick) { return pick.samplesApart && coarseSamples(*pick.samplesApart); }

std::string heightWords(const PickState& pick)
{
    return coarse(pick) ? heightText(pick.ground.height, *pick.samplesApart) + samplesNote(*pick.samplesApart)
                        : grouped(pick.ground.height, 1) + " m";
}

// Returns the sample spacing at the point, if it is known and not already part of the height.
std::string samplesWords(const PickState& pick)
{
    return pick.samplesApart && !coarse(pick) ? fmt::format("   samples {} apart", metresText(*pick.samplesApart))
                                              : std::string();
}

// Returns the size below which terrain detail is procedural, if any is.
std::string syntheticWords(const PickState& pick)
{
    return pick.syntheticBelow ? fmt::format("   synthetic below {}", metresText(*pick.syntheticBelow)) : std::string();
}

}  // namespace

std::vector<std::string> pickLines(const PickState& pick)
{
    const GroundPoint& ground = pick.ground;
    const double percent = 100 * std::tan(ground.slope * (std::numbers::pi / 180.0));
    std::vector<std::string> lines;
    lines.push_back(ground.isVoid ? std::string("no data") : "height " + heightWords(pick));
    if (!ground.isVoid)
        lines.back() +=
            fmt::format("   slope {:.1f}° ({:.0f} %){}", ground.slope, percent,
                        ground.slope < 0.5 ? std::string() : fmt::format(" to {}", compassPoint(ground.aspect)));
    lines.push_back(pick.coordinates + samplesWords(pick));
    lines.push_back("distance " + metresText(pick.distance) + syntheticWords(pick));
    if (pick.leaf)
        lines.push_back(fmt::format("leaf {:#x}   depth {}   error {:.{}f} px   edge {:.1f} px", pick.leaf->node,
                                    pick.leaf->depth, pick.leaf->errorPixels, pick.leaf->errorPixels < 10 ? 2 : 0,
                                    pick.leaf->edgePixels));
    else
        lines.push_back("leaf …");
    return lines;
}

void readPictureTools(const UiModel& model, UiActions& actions)
{
    const ImGuiIO& io = ImGui::GetIO();
    PictureToolsActions& tools = actions.tools;
    readMouse(tools);
    if (io.WantTextInput || io.KeyCtrl) return;
    tools.toggleInfo |= typedLetter(GLFW_KEY_I);
    tools.toggleMeasure |= typedLetter(GLFW_KEY_M);
    tools.toggleTop |= typedLetter(GLFW_KEY_T);
    tools.copyInfo |= typedLetter(GLFW_KEY_C) && model.tools.pick.on;
    if (!model.tools.measure.open) return;
    tools.removePoint |= typed(GLFW_KEY_BACKSPACE);
    if (typed(GLFW_KEY_ESCAPE)) (model.tools.measure.adding ? tools.endLine : tools.toggleMeasure) = true;
}

void drawPictureTools(const Panel& panel, const PanelRect& rect)
{
    if (!panel.model.terrain || panel.state.helpOpen || !panel.model.shaderLog.empty()) return;
    const float gap = 6 * panel.theme.scale;
    PanelRect room = rect;
    if (panel.model.tools.measure.open) room.min.y = drawMeasure(panel, rect).max.y + gap;
    const PickState& pick = panel.model.tools.pick;
    const PictureLines lines(panel.model.tools.camera, ImGui::GetIO().DisplaySize);
    if (pick.on && pick.place) lines.line(pick.outline, panel.theme.warning, 1.6f * panel.theme.scale);
    if (!panel.model.tools.top.open) return drawPick(panel, room);
    // The top view goes beside the point information, or above it if the width is too small for both.
    const bool narrow = room.width() < kPickWidth * ImGui::GetFontSize() + topViewWidth(panel) + gap;
    const bool both = !narrow || room.height() >= pickHeight() + gap + topViewLeastHeight();
    if (both) drawPick(panel, room);
    if (pick.on && narrow && both) room.max.y -= pickHeight() + gap;
    drawTopView(panel, room);
}

}  // namespace orogen::app
