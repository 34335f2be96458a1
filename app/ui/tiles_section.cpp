// Tiles section of the Terrain panel: resident, wanted and loading tiles.
#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/fold.h"
#include "app/ui/format.h"
#include "app/ui/panels.h"

namespace orogen::app {

namespace {

std::string count(int tiles) { return grouped(std::uint64_t(std::max(tiles, 0))); }

// Shows how much of the tile budget is resident.
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

// Shows the sample spacing of the ground in view, and the spacing wanted.
void samplesRow(const Panel& panel, const TileStats& tiles)
{
    const bool known = tiles.samplesWanted > 0, rough = tiles.samplesShown > tiles.samplesWanted;
    const std::string shown = metresText(tiles.samplesShown), wanted = metresText(tiles.samplesWanted);
    valueRow(panel, "samples",
             !known  ? panel.theme.notMeasured
             : rough ? fmt::format("{} apart, {} wanted", shown, wanted)
                     : fmt::format("{} apart, as wanted", shown),
             rough ? panel.theme.accent : panel.theme.text,
             "The distance between the finest samples that the view asks for, and the one that all ground in view has "
             "so far, where it asks for as much.");
}

// Shows how fast tiles arrive.  Synthetic tiles are generated, so no bytes are read.
void ratesRow(const Panel& panel, const TileStats& tiles)
{
    const std::optional<TileRates> rates = tileRates(panel.model.history);
    const bool rests = tiles.missing == 0 && tiles.loading == 0;
    const std::string& dash = panel.theme.notMeasured;
    const std::string count = rests ? "0" : rates ? grouped(rates->tiles, 0) : dash;
    const std::string bytes = tiles.bytesRead > 0 && rests   ? "0 B"
                              : tiles.bytesRead > 0 && rates ? bytesText(std::uint64_t(rates->bytes))
                                                             : dash + " B";
    valueRow(
        panel, "arriving", fmt::format("{} tiles/s, {}/s", count, bytes), std::nullopt,
        fmt::format("Over the newest {:g} seconds. Read from files or the network since the terrain was opened: {}.",
                    kRateSeconds, tiles.bytesRead == 0 ? "nothing" : bytesText(tiles.bytesRead)));
}

void tileRows(const Panel& panel, const TileStats& tiles)
{
    budgetBar(panel, tiles);
    samplesRow(panel, tiles);
    ratesRow(panel, tiles);
    valueRow(
        panel, "tiles wanted, missing", fmt::format("{}, {}", count(tiles.wanted), count(tiles.missing)),
        tiles.missing > 0 ? std::optional(panel.theme.accent) : std::nullopt,
        fmt::format("Tiles in view. Where one is missing, the next coarser one is drawn until it is there; {} are "
                    "being read. Of all that came to be wanted, {} were there already.",
                    count(tiles.loading),
                    tiles.requests > 0 ? fmt::format("{:.1f} %", 100 * tiles.hitRate()) : panel.theme.notMeasured));
    warnings(panel, tiles);
}

}  // namespace

void drawTilesSection(const Panel& panel)
{
    const bool tiled = panel.model.stats.tiles.has_value();
    const Fold fold{panel, "tiles", "tiles", tiled && panel.model.settings.world == World::kPlane};
    if (!fold) return;
    settingRow(panel, "terrain.tiles");
    settingRow(panel, "terrain.tile_budget", {.logarithmic = true, .onRelease = true});
    if (tiled)
        tileRows(panel, *panel.model.stats.tiles);
    else if (panel.model.terrain)
        textLine(panel.theme.dim, "All heights are in one image", true);
}

}  // namespace orogen::app
