// The panels.  Each draws itself at `rect` from what the model holds and puts what the user did into the actions.
#pragma once

#include "app/ui/layout.h"
#include "app/ui/widgets.h"

namespace orogen::app {

// Return the height that they took.
float drawTerrainPanel(const Panel& panel, const PanelRect& rect);
float drawViewPanel(const Panel& panel, const PanelRect& rect);
float drawPerformancePanel(const Panel& panel, const PanelRect& rect);

// Part of View.
void drawPathSection(const Panel& panel);

// What lies over the picture, between the columns.
void drawHelp(const Panel& panel, const PanelRect& rect);
void drawShaderLog(const Panel& panel, const PanelRect& rect);
void drawLoading(const Panel& panel, const PanelRect& rect);
void drawMessages(const Panel& panel, const PanelRect& rect);
void drawStatus(const Panel& panel, const PanelRect& rect);

}  // namespace orogen::app
