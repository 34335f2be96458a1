// Parts of the Terrain panel: the draped image, and the offer to exaggerate low relief.
#pragma once

#include <optional>

#include "app/ui/widgets.h"

namespace orogen::app {

void drawImageSection(const Panel& panel);

// By how much heights of terrain this flat are worth exaggerating: 2, 3, 5 or 10; empty where the relief shows as it
// is, or where there is none.
std::optional<int> exaggerationFor(const TerrainInfo& terrain);
void drawReliefOffer(const Panel& panel);

}  // namespace orogen::app
