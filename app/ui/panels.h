// The panels and overlays.  Each draws itself at `rect` from the model, and records user input in the actions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/layout.h"
#include "app/ui/widgets.h"

namespace orogen::app {

float drawTerrainPanel(const Panel& panel, const PanelRect& rect);
float drawViewPanel(const Panel& panel, const PanelRect& rect);
float drawPerformancePanel(const Panel& panel, const PanelRect& rect);

// Sections of the panels Terrain, View and Capture.
void drawSettingsSection(const Panel& panel);
void drawVoidSection(const Panel& panel);
void drawSourceSection(const Panel& panel);
void drawTilesSection(const Panel& panel);
void drawPathSection(const Panel& panel);
void drawInsetsSection(const Panel& panel);  // the Earth's insets
void drawPlaceSection(const Panel& panel);   // latitude, longitude, bookmarks
void drawInterfaceSection(const Panel& panel);
void drawSweepSection(const Panel& panel);

// Starts the capture that the panel's fields describe, or stops the running one; opens the panel.
void toggleCapture(UiState& state, const UiModel& model, UiActions& actions);
// Returns "1,260 frames, about 10 min 30 s at 2.0 fps", based on the median of the last frames, or their minimum if
// they are few.  Without frames the time is left out.
std::string estimateText(const UiModel& model, std::uint64_t frames);
float drawCapturePanel(const Panel& panel, const PanelRect& rect);
float drawModulePanel(const Panel& panel, const PanelRect& rect);  // the module whose panel has that name
float drawLaboratoryPanel(const Panel& panel, const PanelRect& rect);

// Overlays on the picture, between the columns.
void drawHelp(const Panel& panel, const PanelRect& rect);
void drawPathChoice(const Panel& panel, const PanelRect& rect);  // F10 without a path
void drawShaderLog(const Panel& panel, const PanelRect& rect);
void drawLoading(const Panel& panel, const PanelRect& rect);
void drawMessages(const Panel& panel, const PanelRect& rect);
void drawMessageLog(const Panel& panel, const PanelRect& rect);
void drawScaleBar(const Panel& panel, const PanelRect& rect);  // at the lower right
void drawStatus(const Panel& panel, const PanelRect& rect);

}  // namespace orogen::app
