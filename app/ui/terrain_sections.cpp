// Sections of the Terrain panel about the open terrain: voids, source file, sun, tiles, imagery, low relief, overlays,
// and insets, which are elevation models laid into the Earth.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/model/format.h"
#include "app/model/terrain_state.h"
#include "app/ui/panels.h"
#include "app/ui/plot.h"
#include "app/ui/widgets.h"
#include "app/ui/words.h"
#include "core/base/text.h"
#include "core/planet/sky.h"

namespace orogen::app {
namespace {

// ---- voids ----

void progress(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    const float cancel = ImGui::CalcTextSize(inWords("cancel_fill").c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::ProgressBar(float(std::clamp(voids.fraction, 0.0, 1.0)), {-cancel - ImGui::GetStyle().ItemSpacing.x, 0},
                       fmt::format("{:.1f} s", voids.seconds).c_str());
    ImGui::SameLine();
    panel.actions.cancelFill |= button(panel, "cancel_fill", "Leaves the terrain as it is shown.");
    textLine(panel.theme.dim, voids.phase, true);
}

void buttons(const Panel& panel)
{
    const float half = buttonWidth(panel, 2);
    {
        const Disabled disabled(panel, panel.model.terrain->voids == 0 ? "The terrain has no voids." : "");
        panel.actions.fillVoids |= button(panel, "fill_voids",
                                          "Makes each void the mean of its neighbours, by conjugate gradients on a "
                                          "thread of its own; the terrain keeps moving.",
                                          half);
    }
    ImGui::SameLine();
    const Disabled disabled(panel, panel.model.voids.filled == 0 ? "No void is filled." : "");
    panel.actions.undoFill |= button(panel, "undo_fill", "Restores the voids.", half);
}

// Draws the row that saves filled heights.  An existing file is replaced only on a second click with the same name.
void saveRow(const Panel& panel)
{
    UiState& state = panel.state;
    const SourceState& source = panel.model.source;
    if (source.saving)
    {
        ImGui::ProgressBar(float(std::clamp(source.savingFraction, 0.0, 1.0)), {-1, 0}, "saving filled heights");
        return;
    }
    if (std::exchange(state.filledFor, source.dem) != source.dem)
    {
        state.filledFile = std::filesystem::path(source.dem).replace_extension().string() + "-filled.tif";
        state.replaceFilled = false;
    }
    const char* label = state.replaceFilled ? "replace it" : "save";
    const float width = ImGui::CalcTextSize("replace it").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::PushID("filled_file");
    ImGui::SetNextItemWidth(-width - ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::InputTextWithHint("##file", "filled.tif", &state.filledFile)) state.replaceFilled = false;
    endItem(panel, "filled_file", "The file that gets the heights with their voids filled, as GeoTIFF.");
    ImGui::SameLine();
    const Disabled disabled(panel, state.filledFile.empty() ? "The field names no file." : "");
    ImGui::PushID("save_filled");
    const bool pressed = ImGui::Button(label, {width, 0});
    endItem(panel, "save_filled",
            "Saves the heights with their voids filled: what orogen info --fill-voids writes. The source is never "
            "replaced, another file that is there only after a second click.");
    if (!pressed) return;
    std::error_code ignored;
    const bool there = std::filesystem::exists(state.filledFile, ignored);
    if (there && !state.replaceFilled)
    {
        state.replaceFilled = true;
        panel.actions.refused.push_back(state.filledFile + ": is there already; a second click replaces it");
        return;
    }
    panel.actions.source.saveFilled = SaveFilled{state.filledFile, state.replaceFilled};
    state.replaceFilled = false;
}

// ---- source ----

constexpr const char* kAsTheFileSays = "as the file says";

SourceDraft draftOf(const SourceOverrides& overrides)
{
    SourceDraft draft;
    if (overrides.nodata) draft.nodata = fmt::format("{}", *overrides.nodata);
    if (overrides.pixelSize) draft.pixelSize = fmt::format("{},{}", overrides.pixelSize->x, overrides.pixelSize->y);
    draft.crs = overrides.crs;
    if (overrides.unit) draft.unit = nameOf(*overrides.unit);
    if (overrides.encoding) draft.encoding = nameOf(*overrides.encoding);
    return draft;
}

Result<SourceOverrides> overridesOf(const SourceDraft& draft)
{
    SourceOverrides overrides;
    const auto take = [](const std::string& text, const char* name, auto parse, auto& to) -> Status {
        if (text.empty()) return Status::ok();
        const auto value = parse(text);
        if (!value) return Error{value.error().code, fmt::format("{}: {}", name, value.error().message)};
        to = *value;
        return Status::ok();
    };
    if (Status s = take(draft.nodata, "Missing", parseNodata, overrides.nodata); !s) return s.error();
    if (Status s = take(draft.pixelSize, "Pixel size", parsePixelSize, overrides.pixelSize); !s) return s.error();
    if (Status s = take(draft.crs, "Coordinates", parseCrs, overrides.crs); !s) return s.error();
    if (Status s = take(draft.unit, "Unit", parseHeightUnit, overrides.unit); !s) return s.error();
    if (Status s = take(draft.encoding, "Encoding", parseHeightEncoding, overrides.encoding); !s) return s.error();
    return overrides;
}

void fieldRow(const Panel& panel, const char* name, const char* label, std::string& text, const char* hint,
              const char* tooltip)
{
    ImGui::AlignTextToFramePadding();
    textLine(panel.theme.text, label);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.4f);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(name);
    ImGui::InputTextWithHint("##value", hint, &text);
    endItem(panel, name, tooltip);
}

// Draws a list of `names` and "as the file says".  Sets `chosen` to the name; empty: as the file says.
void choiceRow(const Panel& panel, const char* name, const char* label, std::string& chosen,
               std::initializer_list<const char*> names, const char* tooltip)
{
    ImGui::AlignTextToFramePadding();
    textLine(panel.theme.text, label);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.4f);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(name);
    if (ImGui::BeginCombo("##value", chosen.empty() ? kAsTheFileSays : chosen.c_str()))
    {
        if (ImGui::Selectable(kAsTheFileSays, chosen.empty())) chosen.clear();
        for (const char* choice : names)
        {
            if (ImGui::Selectable(choice, chosen == choice)) chosen = choice;
            panel.items.add(panel.name, fmt::format("{}/{}", name, choice));
        }
        ImGui::EndCombo();
    }
    endItem(panel, name, tooltip);
}

void reopenButton(const Panel& panel, const SourceDraft& draft)
{
    const Result<SourceOverrides> wanted = overridesOf(draft);
    if (!wanted) textLine(panel.theme.warning, wanted.error().message, true);
    const Disabled disabled(panel, !wanted                                   ? wanted.error().message
                                   : *wanted == panel.model.source.overrides ? "The fields say nothing new."
                                                                             : std::string());
    if (button(panel, "reopen", "Opens the terrain again, with what the fields say.", -1) && wanted)
        panel.actions.source.reopen = *wanted;
}

// ---- tiles ----

std::string count(int tiles) { return grouped(std::uint64_t(std::max(tiles, 0))); }

// Shows how much of the tiles' memory budget on the GPU is in use.
void budgetBar(const Panel& panel, const TileStats& tiles)
{
    const float share = tiles.budgetBytes > 0 ? float(double(tiles.residentBytes) / double(tiles.budgetBytes)) : 0.0f;
    const std::string text = fmt::format("{} of {}", bytesText(tiles.residentBytes), bytesText(tiles.budgetBytes));
    ImGui::ProgressBar(std::clamp(share, 0.0f, 1.0f), {-1, 0}, text.c_str());
    if (ImGui::IsItemHovered())
        noteHover(panel, "tiles_budget",
                  fmt::format("Memory of tiles on the GPU: {} of {} held.", count(tiles.resident),
                              counted(std::uint64_t(std::max(tiles.capacity, 0)), "tile")));
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

// Shows the sample spacing of the ground in view, and the spacing that the view needs.
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

// Shows how fast tiles arrive.  Shows a dash instead of bytes for synthetic tiles, which are generated and not read.
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
    valueRow(panel, "tiles wanted, missing", fmt::format("{}, {}", count(tiles.wanted), count(tiles.missing)),
             tiles.missing > 0 ? std::optional(panel.theme.accent) : std::nullopt,
             fmt::format("Tiles in view. Where one is missing, the next coarser one is drawn until it is there; {} are "
                         "being read. Of all that came to be wanted, {} were there already.",
                         count(tiles.loading),
                         tiles.requests > 0 ? fmt::format("{:.1f} %", 100 * double(tiles.hits) / double(tiles.requests))
                                            : panel.theme.notMeasured));
    warnings(panel, tiles);
}

// ---- insets ----

void insetRow(const Panel& panel, const Inset& inset, std::size_t number)
{
    EarthActions& actions = panel.actions.earth;
    textLine(panel.theme.text, inset.name, true);
    textLine(panel.theme.dim,
             fmt::format("{} a sample · {:.3f} to {:.3f}° E, {:.3f} to {:.3f}° N · {}", metresText(inset.spacing),
                         inset.extent.west, inset.extent.east, inset.extent.south, inset.extent.north, inset.note),
             true);
    textLine(panel.theme.dim, "heights " + inset.heights, true);
    const float half = buttonWidth(panel, 2);
    if (button(panel, fmt::format("inset_{}/show", number + 1), "Goes to it.", half, "Go to"))
        actions.showInset = number;
    ImGui::SameLine();
    if (button(panel, fmt::format("inset_{}/remove", number + 1), "Takes it out of the Earth.", half, "Remove"))
        actions.dropInset = number;
}

// ---- imagery and relief ----

// Relief (highest minus lowest height) as a share of the terrain's longer side.  Below kLowRelief a view of the whole
// terrain looks flat.  The exaggeration that drawReliefOffer() offers reaches kGoodRelief, or is 10.  The shipped
// terrains have 3 % (Jacksboro) and 6 % (Big Tujunga), a coast or a plain less than 1 %.
constexpr double kLowRelief = 0.015, kGoodRelief = 0.03;

}  // namespace

void drawVoidSection(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    if (voids.filled > 0) textLine(panel.theme.dim, counted(voids.filled, "void") + " filled", true);
    voids.running ? progress(panel) : buttons(panel);
    if (voids.filled > 0 && !panel.model.source.dem.empty()) saveRow(panel);
    if (voids.history.size() >= 2)
        drawConvergence(panel, "residual",
                        {.name = "relative residual",
                         .goal = voids.tolerance,
                         .steps = voids.history.size(),
                         .values = voids.history});
}

void drawSourceSection(const Panel& panel)
{
    const SourceState& source = panel.model.source;
    if (source.dem.empty()) return;
    ImGui::PushID("source");
    const bool open =
        ImGui::TreeNodeEx("Source", ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen);
    endItem(panel, "source", "The file's units, position and missing samples, and overrides for them.");
    if (!open) return;
    valueRow(panel, "missing samples", source.nodata);
    valueRow(panel, "unit of height", source.unit);
    valueRow(panel, "coordinate system", source.crs);
    if (!source.extent.empty()) textLine(panel.theme.dim, source.extent, true);
    const auto [entry, fresh] = panel.state.sources.try_emplace(source.dem);
    SourceDraft& draft = entry->second;
    if (fresh) draft = draftOf(source.overrides);
    fieldRow(panel, "source_nodata", "Missing", draft.nodata, "none besides",
             "Samples of this value are missing, besides those that the file names: -9999, say. (--nodata)");
    fieldRow(panel, "source_pixel_size", "Pixel size", draft.pixelSize, kAsTheFileSays,
             "Metres between samples, east and north: 30,30. (--pixel-size)");
    fieldRow(panel, "source_crs", "Coordinates", draft.crs, kAsTheFileSays,
             "The coordinate system by its EPSG number: EPSG:32611. (--crs)");
    choiceRow(panel, "source_unit", "Unit", draft.unit, {"metre", "foot", "us-foot"},
              "Unit of the samples; overrides the file. (--unit)");
    choiceRow(panel, "source_encoding", "Encoding", draft.encoding, {"terrarium", "terrain-rgb"},
              "Heights in the colours of a PNG or TIFF. (--encoding)");
    reopenButton(panel, draft);
}

namespace {

constexpr UtcSeconds kDay = 86'400;
constexpr const char* kNoTime = "No date and time are set.";
constexpr double kPlayedASecond = 1800;  // seconds of render.time per second of play

// Draws a slider that moves render.time within a day or a year.  `timeOf` returns the time for a value of the slider.
void timeSlider(const Panel& panel, std::string_view name, double low, double high, double value,
                const std::string& words, std::string_view tooltip, const std::function<UtcSeconds(double)>& timeOf)
{
    const bool set = panel.actions.settings.render.time.has_value();
    const Disabled disabled(panel, set ? "" : kNoTime);
    beginRow(panel, name);
    const char* const format = words.c_str();
    if (ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &low, &high, format, ImGuiSliderFlags_NoInput) &&
        set)
        panel.actions.settings.render.time = std::clamp(timeOf(value), kFirstTime, kLastTime);
    endItem(panel, name, tooltip, sliderGrab(value, low, high, false));
}

void timeRows(const Panel& panel)
{
    std::optional<UtcSeconds>& time = panel.actions.settings.render.time;
    settingRow(panel, "render.time");
    const UtcSeconds now = time.value_or(0), today = now - ((now % kDay) + kDay) % kDay;
    const std::string text = utcText(now), year = text.substr(0, 4);
    const UtcSeconds newYear = *utcIn(year + "-01-01");
    const double last = *utcIn(year + "-12-31") > newYear + 364 * kDay ? 365 : 364;
    timeSlider(panel, "time_of_day", 0, 24, double(now - today) / 3600, time ? text.substr(11, 5) + " UTC" : "none",
               "The time of day, UTC.", [&](double hours) { return today + UtcSeconds(std::lround(hours * 60)) * 60; });
    timeSlider(panel, "day_of_year", 0, last, double((today - newYear) / kDay), time ? text.substr(0, 10) : "none",
               "The day of the year.",
               [&](double day) { return newYear + UtcSeconds(std::lround(day)) * kDay + (now - today); });
    if (const Disabled disabled(panel, time ? "" : kNoTime);
        button(panel, "play_sun", "Lets half an hour pass each second, or holds the time.", buttonWidth(panel, 1),
               panel.state.sunPlays ? "Hold the time" : "Let the time pass"))
        panel.state.sunPlays = !panel.state.sunPlays;
    // A press begins a new undo step.  The time stands still while the button is held, so that stopping adds no step.
    const bool pressed = ImGui::IsItemActive();
    if (!time) panel.state.sunPlays = false;
    if (panel.state.sunPlays && !pressed)
        time = std::min(*time + UtcSeconds(std::ceil(kPlayedASecond * double(ImGui::GetIO().DeltaTime))), kLastTime);
    const std::optional<SkyAngles>& sun = panel.model.sun;
    valueRow(panel, "sun stands at",
             sun ? fmt::format("{:.1f}\u00b0, {:.1f}\u00b0 high", sun->azimuth, sun->elevation)
                 : panel.theme.notMeasured,
             {}, "Azimuth from north, clockwise, and height above the horizon, with refraction.");
}

}  // namespace

void drawSunSection(const Panel& panel)
{
    const Fold fold{panel, "air", "sun and air", false};
    if (!fold)
    {
        panel.state.sunPlays = false;
        return;
    }
    const Settings::Render& render = panel.actions.settings.render;
    const char* const timed = render.time ? "The date and time place the sun." : "";
    settingRow(panel, "render.sun_azimuth", {.disabled = timed});
    settingRow(panel, "render.sun_elevation", {.disabled = timed});
    timeRows(panel);
    settingRow(panel, "render.shadows", {.disabled = render.shading == Shading::kLit ? "" : kOnlyLit});
    settingRow(panel, "render.air");
    settingRow(panel, "render.visibility",
               {.logarithmic = true, .disabled = render.air == Air::kOff ? "The air is off." : ""});
}

void drawTilesSection(const Panel& panel)
{
    const bool tiled = panel.model.stats.tiles.has_value();
    const Fold fold{panel, "tiles", "tiles", tiled && panel.model.settings.world == World::kPlane};
    if (!fold) return;
    settingRow(panel, "terrain.tiles");
    settingRow(panel, "terrain.tile_budget", {.logarithmic = true, .onRelease = true});
    settingRow(panel, "imagery.tile_budget", {.name = "imagery_tile_budget", .logarithmic = true, .onRelease = true});
    if (tiled)
        tileRows(panel, *panel.model.stats.tiles);
    else if (panel.model.terrain)
        textLine(panel.theme.dim, "All heights are in one image", true);
}

void drawInsetsSection(const Panel& panel)
{
    const std::optional<EarthState>& earth = panel.model.tools.earth;
    if (!earth) return;
    const Fold fold{panel, "insets", "in the earth"};
    if (!fold) return;
    if (earth->insets.empty())
        textLine(panel.theme.dim, "The relief alone: drop elevation models on the window to lay them in", true);
    for (std::size_t i = 0; i < earth->insets.size(); ++i)
        insetRow(panel, earth->insets[i], i);
    settingRow(panel, "earth.heights");
}

namespace {

// Draws the rows of picture `i`, and edits `layers`, the list of all pictures from bottom to top.  Returns whether the
// list was edited.
bool layerRows(const Panel& panel, std::vector<PictureLayer>& layers, std::size_t i, const std::string& credit)
{
    PictureLayer& layer = layers[i];
    const auto item = [number = i + 1](const char* part) { return fmt::format("layer_{}/{}", number, part); };
    const std::string visible = item("visible"), opacity = item("opacity");
    ImGui::PushID(visible.c_str());
    bool edited = ImGui::Checkbox("##visible", &layer.visible);
    endItem(panel, visible, "Shows the picture.");
    ImGui::SameLine();
    textLine(layer.visible ? panel.theme.text : panel.theme.dim,
             layer.name.find("://") == std::string::npos ? std::filesystem::path(layer.name).filename().string()
                                                         : layer.name,
             true);
    beginRow(panel, opacity, "Opacity");
    const auto dragged = panel.state.layerOpacity.find(layer.name);
    float shown = 100.0f * (dragged == panel.state.layerOpacity.end() ? layer.opacity : dragged->second);
    if (ImGui::SliderFloat("##value", &shown, 0, 100, "%.0f %%", ImGuiSliderFlags_AlwaysClamp))
        panel.state.layerOpacity[layer.name] = shown / 100.0f;
    if (ImGui::IsItemDeactivated() && panel.state.layerOpacity.erase(layer.name) > 0)
        layer.opacity = shown / 100.0f, edited = true;
    endItem(panel, opacity, "Weight of the picture over what lies below it. Applied on release.",
            sliderGrab(double(shown), 0, 100, false));
    const float third = buttonWidth(panel, 3);
    const auto move = [&](const char* part, const char* text, const char* label, const char* why) {
        const Disabled disabled(panel, why);
        return button(panel, item(part), text, third, label);
    };
    const bool up =
        move("up", "Lays the picture over the next one.", "Up", i + 1 == layers.size() ? "It lies on top." : "");
    ImGui::SameLine();
    const bool down = move("down", "Lays the picture under the one below.", "Down", i == 0 ? "It lies lowest." : "");
    ImGui::SameLine();
    const bool removed =
        button(panel, item("remove"), "Takes the picture away. (Ctrl+Z brings it back)", third, "Remove");
    if (!credit.empty()) textLine(panel.theme.dim, credit, true);
    if (up) std::swap(layers[i], layers[i + 1]);
    if (down) std::swap(layers[i], layers[i - 1]);
    if (removed) layers.erase(layers.begin() + std::ptrdiff_t(i));
    return edited || up || down || removed;
}

}  // namespace

void drawImagerySection(const Panel& panel)
{
    const CoverState& cover = panel.model.cover;
    const Fold fold{panel, "imagery", "imagery", !cover.layers.empty()};
    if (!fold) return;
    settingRow(panel, "imagery.opacity");
    std::vector<PictureLayer> layers;
    for (const LayerState& layer : cover.layers)
        layers.push_back(layer.layer);
    // The rows of each picture edit a copy.  So this frame still draws the rows of all pictures after a press, and the
    // panel does not scroll.
    for (std::size_t i = cover.layers.size(); i-- > 0;)
        if (std::vector<PictureLayer> edited = layers; layerRows(panel, edited, i, cover.layers[i].credit))
            panel.actions.cover.changeLayers = std::move(edited);
    if (!cover.base.empty()) textLine(panel.theme.dim, cover.base, true);
    beginRow(panel, "picture", "Picture");
    const bool entered = ImGui::InputTextWithHint("##path", "file or https://.../{z}/{x}/{y}.png",
                                                  &panel.state.imageFile, ImGuiInputTextFlags_EnterReturnsTrue);
    endItem(panel, "picture",
            "A picture to lay over the ground: GeoTIFF, PNG, JPEG, WMTS:URL, WMS:URL, or a template of tiles. "
            "On a plane a picture without coordinates is stretched over the terrain.");
    const bool adds = button(panel, "add_picture", "Lays the picture on top; if the field is empty, the file browser.",
                             buttonWidth(panel, 1), "Add");
    if (!panel.state.imageFile.empty() && (entered || adds))
        panel.actions.cover.addPicture = std::exchange(panel.state.imageFile, {});
    else if (adds)
        browse(panel.state, panel.actions,
               {.title = "Lay a picture over the ground",
                .button = "Add",
                .suffixes = {".tif", ".tiff", ".png", ".jpg", ".jpeg", ".webp", ".jp2", ".vrt"},
                .chosen = [](UiActions& then, const std::string& chosen) { then.cover.addPicture = chosen; }});
    if (cover.imageryOnItsWay)
        textLine(panel.theme.accent, fmt::format("Reading: {:.0f} %", 100 * *cover.imageryOnItsWay));
}

std::optional<int> exaggerationFor(const TerrainInfo& terrain)
{
    const double side = std::max((terrain.width - 1) * terrain.pixelWidth, (terrain.height - 1) * terrain.pixelHeight);
    const double relief = terrain.maxHeight - terrain.minHeight;
    if (!(relief > 0) || !(side > 0) || relief >= kLowRelief * side) return std::nullopt;
    for (const int factor : {2, 3, 5})
        if (relief * factor >= kGoodRelief * side) return factor;
    return 10;
}

void drawReliefOffer(const Panel& panel)
{
    if (!panel.model.terrain || panel.actions.settings.terrain.heightScale != 1.0f) return;
    const std::optional<int> factor = exaggerationFor(*panel.model.terrain);
    if (!factor) return;
    textLine(panel.theme.dim, fmt::format("Low relief: {} times as high it would show.", *factor), true);
    if (button(panel, "exaggerate_heights",
               fmt::format("Draws every height {} times as high. The setting terrain.height_scale shows and resets it.",
                           *factor),
               buttonWidth(panel, 1)))
        applySetting(panel, "terrain.height_scale", std::to_string(*factor));
}

// Section of the Terrain panel: overlays on the ground.

void drawOverlaySection(const Panel& panel)
{
    const Fold fold{panel, "overlays", "tracks and points", false};
    if (!fold) return;
    OverlayActions& actions = panel.actions.tools.overlays;
    beginRow(panel, "overlay_file");
    const bool entered = ImGui::InputTextWithHint("##path", "GPX or GeoJSON", &panel.state.overlayFile,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    endItem(
        panel, "overlay_file",
        "A file of tracks, lines, polygons or points to draw on the ground; Enter opens it. Files can be dropped on "
        "the window. (--overlay)");
    if (entered && !panel.state.overlayFile.empty()) actions.open.push_back(panel.state.overlayFile);
    const std::vector<OverlayState>& overlays = panel.model.tools.overlays;
    if (overlays.empty()) textLine(panel.theme.dim, "none is open");
    for (std::size_t i = 0; i < overlays.size(); ++i)
    {
        const OverlayState& overlay = overlays[i];
        const auto item = [i](const char* name) { return fmt::format("overlay_{}/{}", i + 1, name); };
        ImGui::PushID(int(i));
        bool visible = overlay.visible;
        ImGui::PushID("visible");
        if (ImGui::Checkbox("##visible", &visible)) actions.show = {i, visible};
        endItem(panel, item("visible"), "Shows this overlay.");
        ImGui::SameLine();
        glm::vec3 colour = overlay.colour;
        ImGui::PushID("colour");
        if (ImGui::ColorEdit3("##colour", &colour.x, ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoTooltip))
            actions.colour = {i, colour};
        endItem(panel, item("colour"), "Its colour.");
        ImGui::SameLine();
        textLine(visible ? panel.theme.text : panel.theme.dim, overlay.name, true);
        std::string holds;
        if (overlay.lines > 0)
            holds = fmt::format("{} of {} vertices", counted(overlay.lines, "line"),
                                grouped(std::uint64_t(overlay.vertices)));
        if (overlay.points > 0) holds += (holds.empty() ? "" : ", ") + counted(overlay.points, "point");
        textLine(panel.theme.dim, holds, true);
        const float half = buttonWidth(panel, 2);
        if (button(panel, item("show"), "Moves the camera to it.", half, "Go to")) actions.goTo = i;
        ImGui::SameLine();
        if (button(panel, item("remove"), "Closes it; the file stays.", half, "Remove")) actions.remove = i;
        ImGui::PopID();
    }
}

}  // namespace orogen::app
