// Marks over the picture: a light core with a dark halo, so that they can be seen on snow as on woods and water.
#pragma once

#include <string>

#include <imgui.h>

#include "app/ui/theme.h"

namespace orogen::app {

// Returns how far the halo of a dot or a line reaches beyond its core (pixels).
float haloWidth(const Theme& theme);
// Returns the halo's colour: dark, and three quarters as opaque as the core.
ImU32 haloOf(ImU32 core);

// The functions below draw on ImGui's background list: over the picture, below all panels.

// `size`: height of the letters (pixels; 0: the font's).  `wrapWidth`: see ImDrawList::AddText().
void markText(const Theme& theme, ImVec2 at, const std::string& text, ImU32 colour, float size = 0,
              float wrapWidth = 0);
void markDot(const Theme& theme, ImVec2 at, float radius, ImU32 colour);

}  // namespace orogen::app
