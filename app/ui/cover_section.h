// Sections of the Terrain panel: the draped image, and the offer to exaggerate low relief.
#pragma once

#include <optional>

#include "app/ui/widgets.h"

namespace orogen::app {

void drawImageSection(const Panel& panel);

// Returns the factor (2, 3, 5 or 10) by which heights of flat terrain should be exaggerated.  Empty if the relief is
// high enough, or zero.
std::optional<int> exaggerationFor(const TerrainInfo& terrain);
void drawReliefOffer(const Panel& panel);

}  // namespace orogen::app
