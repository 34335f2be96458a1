// The panels.  Each draws itself at `rect` from what the model holds and puts what the user did into the actions.
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

// Parts of Terrain, View and Capture.
void drawSettingsSection(const Panel& panel);
void drawVoidSection(const Panel& panel);
void drawSourceSection(const Panel& panel);
void drawTilesSection(const Panel& panel);
void drawPathSection(const Panel& panel);
void drawInsetsSection(const Panel& panel);  // of the Earth
void drawPlaceSection(const Panel& panel);   // latitude, longitude, bookmarks
void drawInterfaceSection(const Panel& panel);
void drawSweepSection(const Panel& panel);

// Begins the capture that the panel's fields describe, or stops the one that runs; opens the panel.
void toggleCapture(UiState& state, const UiModel& model, UiActions& actions);
// "1,260 frames, about 10 min 30 s at 2.0 fps", by the median of the frames that were drawn last, or the shortest where
// they are few; without the time where there is none.
std::string estimateText(const UiModel& model, std::uint64_t frames);
float drawCapturePanel(const Panel& panel, const PanelRect& rect);
float drawModulePanel(const Panel& panel, const PanelRect& rect);  // of the module with that panel
float drawLaboratoryPanel(const Panel& panel, const PanelRect& rect);

// What lies over the picture, between the columns.
void drawHelp(const Panel& panel, const PanelRect& rect);
void drawPathChoice(const Panel& panel, const PanelRect& rect);  // F10 without a path
void drawShaderLog(const Panel& panel, const PanelRect& rect);
void drawLoading(const Panel& panel, const PanelRect& rect);
void drawMessages(const Panel& panel, const PanelRect& rect);
void drawMessageLog(const Panel& panel, const PanelRect& rect);
void drawScaleBar(const Panel& panel, const PanelRect& rect);  // at the lower right
void drawStatus(const Panel& panel, const PanelRect& rect);

}  // namespace orogen::app
