// The panels and overlays, the tool bar, and input outside the panels.  Draw functions read the model and record user
// input in the actions.  A draw function that returns a float returns the height used (pixels).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/model/ui_model.h"
#include "app/ui/layout.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace orogen::app {

float drawTerrainPanel(const Panel& panel, const PanelRect& rect);
float drawViewPanel(const Panel& panel, const PanelRect& rect);
float drawPerformancePanel(const Panel& panel, const PanelRect& rect);

// Why a setting is disabled that only the shading lit uses.
inline constexpr const char* kOnlyLit = "Only with the shading Sunlit.";

// Sections of the Terrain panel.
void drawVoidSection(const Panel& panel);
void drawSourceSection(const Panel& panel);
void drawTilesSection(const Panel& panel);
void drawSunSection(const Panel& panel);
void drawInsetsSection(const Panel& panel);   // the Earth's insets
void drawImagerySection(const Panel& panel);  // pictures over the ground
void drawOverlaySection(const Panel& panel);
void drawReliefOffer(const Panel& panel);  // offers to exaggerate low relief
// Returns the factor (2, 3, 5 or 10) by which the heights of flat terrain should be exaggerated.  Empty if the relief
// is high enough, or zero.
std::optional<int> exaggerationFor(const TerrainInfo& terrain);

void drawFilmSection(const Panel& panel);   // films, in the View panel
void drawSplitSection(const Panel& panel);  // split pictures, in the View panel
// Draws the divider of a split picture over the height of `rect`, and the labels of its sides at the top.
void drawSplit(const Panel& panel, const PanelRect& rect);

// Returns why nothing can be done with a terrain yet; empty if one is open.
std::string_view whyNoTerrain(const UiModel& model);

// Opens the Capture panel.  Starts the capture that its fields describe, or stops the running one.
void toggleCapture(UiState& state, const UiModel& model, UiActions& actions);
// Returns "1,260 frames, about 10 min 30 s at 2.0 fps".  The estimate uses the median time of the last frames.  If
// there are too few for a median, the text says that the time is not known yet.
std::string estimateText(const UiModel& model, std::uint64_t frames);
float drawCapturePanel(const Panel& panel, const PanelRect& rect);
float drawModulePanel(const Panel& panel, const PanelRect& rect);  // panel.name selects the module
float drawLaboratoryPanel(const Panel& panel, const PanelRect& rect);
float drawModelPanel(const Panel& panel, const PanelRect& rect);

// ---- overlays ----

// These functions draw over the picture, between the columns.
void drawHelp(const Panel& panel, const PanelRect& rect);
void drawPathChoice(const Panel& panel, const PanelRect& rect);  // F10 without a path
void drawShaderLog(const Panel& panel, const PanelRect& rect);
void drawLoading(const Panel& panel, const PanelRect& rect);
void drawMessages(const Panel& panel, const PanelRect& rect);
void drawMessageLog(const Panel& panel, const PanelRect& rect);
// Room that the tools leave for drawOrientation().
struct PictureRoom
{
    PanelRect rect;
    float footLeft = 0;  // x where the free part of the lowest row in `rect` begins (pixels)
};
// Draws names, the graticule's labels, the compass (upper right), and the scale bar with the imagery's credit (lower
// right).
void drawOrientation(const Panel& panel, const PictureRoom& room);
// Draws only the credit, which stays visible while the panels are hidden.
void drawCreditAlone(const Panel& panel, const PanelRect& rect);
void drawStatus(const Panel& panel, const PanelRect& rect);

ImVec4 messageColour(const Theme& theme, MessageKind kind);

// Returns "14:03:52  warning  no room (×3)", in local time.  `startedAt` is the origin of the messages' clock (seconds
// since 1970).
std::string logLine(const UiMessage& message, double startedAt);

// ---- tools over the picture ----

// Reads the keys I, M, T, C, N, G, Escape and Backspace, the cursor, and clicks on the picture.  Call before drawing
// the panels.
void readPictureTools(const UiModel& model, UiActions& actions);

// Reads the key B and, while the brush is on, Escape and the mouse over the picture.  Call before drawing the panels.
void readBrush(const UiModel& model, UiActions& actions);
// Removes the mouse input that the brush uses from the camera's input.
void leaveMouseToBrush(const UiModel& model, UiActions& actions);

// Draws all tools within `rect`, the space between the columns.  Returns the room for drawOrientation(): below the
// panel Measure, beside the top view, and beside the point information.  If the scale bar does not fit beside the point
// information, the room lies above the point information.
PictureRoom drawPictureTools(const Panel& panel, const PanelRect& rect);

// ---- tool bar ----

// Returns the height of a bar `width` pixels wide, with as many rows as its buttons need.
float toolBarHeight(const Panel& panel, float width);

void drawToolBar(const Panel& panel, const PanelRect& rect);

// ---- input outside the panels ----

// Applies shortcuts from ImGui's device state (real or injected) unless the file browser is open.  While a text field
// has the keyboard, applies only function keys and Ctrl+Q, Ctrl+O, Ctrl+Z and Ctrl+Y.
void applyShortcuts(UiState& state, const UiModel& model, UiActions& actions);

// Returns the camera input of held keys, the wheel, double clicks, and drags that began over the picture.
CameraInput cameraInput();

// Returns the mouse position, within the window in [-1, 1]², y up; (0, 0) if the mouse has left the window.
glm::dvec2 cursorPosition();

}  // namespace orogen::app
