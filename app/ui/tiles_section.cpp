// What of a terrain that is read in tiles is resident, wanted and on its way: a part of the Terrain panel.
#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/panels.h"

namespace orogen::app {

namespace {

std::string count(int tiles) { return grouped(std::uint64_t(std::max(tiles, 0))); }

// How much of the budget holds tiles.
void budgetBar(const Panel& panel, const TileStats& tiles)
{
    const float share = tiles.budgetBytes > 0 ? float(double(tiles.residentBytes) / double(tiles.budgetBytes)) : 0.0f;
    const std::string text = fmt::format("{} of {}", bytesText(tiles.residentBytes), bytesText(tiles.budgetBytes));
    ImGui::ProgressBar(std::clamp(share, 0.0f, 1.0f), {-1, 0}, text.c_str());
    if (ImGui::IsItemHovered())
        noteHover(panel, "tiles_budget",
                  fmt::format("Memory of tiles on the GPU: {} tiles are held, {} have room.", count(tiles.resident),
                              count(tiles.capacity)));
}

void warnings(const Panel& panel, const TileStats& tiles)
{
    const Theme& theme = panel.theme;
    if (panel.model.terrain && panel.model.terrain->estimated)
        textLine(theme.dim, "Errors are estimated: the source does not bound its tiles", true);
    if (tiles.failed > 0)
        textLine(theme.warning, fmt::format("{} could not be read; they are tried again", count(tiles.failed)), true);
    if (tiles.coarser > 1.005f)
        textLine(theme.warning,
                 fmt::format("Samples {:.1f} times as far apart as asked for: the budget holds no more",
                             double(tiles.coarser)),
                 true);
}

void tileRows(const Panel& panel, const TileStats& tiles)
{
    const Theme& theme = panel.theme;
    budgetBar(panel, tiles);
    valueRow(panel, "resident, wanted", fmt::format("{}, {}", count(tiles.resident), count(tiles.wanted)));
    valueRow(panel, "missing, loading", fmt::format("{}, {}", count(tiles.missing), count(tiles.loading)),
             tiles.missing > 0 ? std::optional(theme.accent) : std::nullopt,
             "Where a tile is missing, the next coarser one is drawn until it is there.");
    valueRow(panel, "read", bytesText(tiles.bytesRead), std::nullopt,
             "From files or the network, since the terrain was opened.");
    valueRow(panel, "found resident",
             tiles.requests > 0 ? fmt::format("{:.1f} %", 100 * tiles.hitRate()) : theme.notMeasured, std::nullopt,
             "Of the tiles that came to be wanted, those that were there already.");
    warnings(panel, tiles);
}

}  // namespace

void drawTilesSection(const Panel& panel)
{
    section(panel, "tiles");
    if (panel.model.stats.tiles)
        tileRows(panel, *panel.model.stats.tiles);
    else if (panel.model.terrain)
        textLine(panel.theme.dim, "All heights are in one image", true);
    settingRow(panel, "terrain.tiles");
    settingRow(panel, "terrain.tile_budget", {.logarithmic = true, .onRelease = true});
}

}  // namespace orogen::app
