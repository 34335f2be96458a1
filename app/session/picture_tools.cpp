#include "app/session/picture_tools.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/session/session.h"
#include "app/ui/picture_tools.h"
#include "core/base/atomic_file.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/planet/place_text.h"

namespace orogen::app {
namespace {

constexpr const char* kProfileFile = "orogen-profile.csv";
constexpr double kHeadlessFrameSeconds = 1.0 / 60;  // frame time without a clock

PictureScene sceneOf(const Session& session)
{
    const Settings& settings = session.settings.wanted();
    const std::optional<TileStats>& tiles = session.stats.tiles;
    return {.field = session.terrain.field(),
            .around = session.surroundings(),
            .camera = cameraOf(settings.view),
            .heightScale = double(settings.terrain.heightScale),
            .heights = session.terrain.heights(),
            .loaded = tiles ? tiles->loaded : 0,
            .tilesSettled = !tiles || tiles->settled(),
            .tiles = session.terrain.cache(),
            .raster = &session.terrain.raster(),
            .syntheticBelow = session.syntheticBelow()};
}

// Returns latitude and longitude to a decimetre, or metres east and north without a georeference.
std::string placeText(const glm::dvec2& place, const std::optional<TerrainGeography>& geography)
{
    const std::optional<LatLong> at = geography ? geography->place(place.x, place.y) : std::nullopt;
    if (!at) return fmt::format("{} m east, {} m north", grouped(place.x, 1), grouped(place.y, 1));
    return orogen::placeText(at->latitude, at->longitude, 6);
}

void saveProfile(const GroundProfile& profile, Session& session)
{
    const std::string file = freeFileName(kProfileFile);
    Status written = checkOutputFile(file, session.filesRead(), Existing::kRefuse);
    if (written) written = writeFileAtomically(file, profile.csv());
    session.messages.reportOutcome(written, "wrote " + file);
}

}  // namespace

void PictureTools::forgetOldTerrain(Session& session)
{
    if (terrain_ == session.terrain.opened()) return;
    terrain_ = session.terrain.opened();
    geography_ = session.terrain.earth() ? std::nullopt : TerrainGeography::of(session.terrain.raster());
    onEarth_ = session.terrain.earth() != nullptr;
    earth_.forget();
    if (session.terrain.earth() && measure_.open()) measure_.toggle();  // neither works on the Earth
    if (session.terrain.earth() && top_.open()) top_.toggle();
    pick_.forget();
    measure_.forget();
    top_.forget();
}

void PictureTools::perform(const PictureToolsActions& asked, Session& session)
{
    if (asked.toggleInfo) pick_.toggle();
    if (session.terrain.earth() && (asked.toggleMeasure || asked.toggleTop))
        session.messages.report(MessageKind::kNote, asked.toggleMeasure
                                                        ? "lines are measured on a plane terrain, not on the Earth yet"
                                                        : "the top view shows a plane terrain, not the Earth");
    else if (asked.toggleMeasure)
        measure_.toggle();
    else if (asked.toggleTop)
        top_.toggle();
    if (asked.resizeTop) top_.toggleSize();
    if (asked.zoomTop != 0) top_.zoom(asked.zoomTop);
    if (asked.removePoint) measure_.removeLast();
    if (asked.endLine) measure_.toggleAdding();
    if (asked.clearLine) measure_.clear();
    if (!session.terrain.info()) return;
    forgetOldTerrain(session);
    if (session.terrain.earth()) return earth_.pointAt(asked.cursor);
    pick_.pointAt(asked.cursor);
    measure_.pointAt(asked.along, asked.cursor);
    if (asked.clicked && measure_.adding())
    {
        const ViewSurroundings around = session.surroundings();
        const auto met = groundUnder(cameraOf(session.settings.wanted().view), *asked.clicked, around);
        if (met && groundPointAt(session.terrain.field(), met->x, met->y).inside)
            measure_.add(glm::dvec2(*met));
        else
            session.messages.report(MessageKind::kNote, "no ground there to measure");
    }
    if (const PickState pick = asked.copyInfo ? state(session).pick : PickState(); pick.place)
    {
        std::string text;
        for (const std::string& line : pickLines(pick))
            text += line + "\n";
        ImGui::SetClipboardText(text.c_str());
        session.messages.report(MessageKind::kNote, "copied what lies under the cursor");
    }
    if (asked.copyProfile)
    {
        ImGui::SetClipboardText(measure_.profile().csv().c_str());
        session.messages.report(MessageKind::kNote,
                                fmt::format("copied {} samples", measure_.profile().samples().size()));
    }
    if (asked.saveProfile) saveProfile(measure_.profile(), session);
}

void PictureTools::update(Session& session, bool gpu)
{
    if (!session.terrain.info() || session.captures.running()) return;
    forgetOldTerrain(session);
    if (session.terrain.earth()) return earth_.update(session);
    const PictureScene scene = sceneOf(session);
    Renderer& renderer = session.graphics.renderer();
    session.messages.reportError(pick_.update(scene, renderer, renderer.terrain().squareSide(), gpu, session.headless));
    measure_.update(scene);
    const double now = session.headless ? double(session.frame) * kHeadlessFrameSeconds : session.seconds();
    session.messages.reportError(top_.update(scene, renderer, now, gpu));
}

PictureToolsState PictureTools::state(const Session& session) const
{
    PictureToolsState state;
    if (!session.terrain.info() || session.captures.running()) return state;
    state.camera = cameraOf(session.settings.wanted().view);
    state.earth = earth_.state(session);
    if (state.earth) return state;
    state.pick = pick_.state();
    if (state.pick.place) state.pick.coordinates = placeText(glm::dvec2(*state.pick.place), geography_);
    state.measure = measure_.state();
    state.top = top_.state(session.graphics.renderer());
    return state;
}

bool PictureTools::pending(const Session& session) const
{
    if (!session.terrain.info() || session.captures.running() || session.terrain.earth()) return false;
    return pick_.pending() || measure_.pending() || top_.pending();
}

bool PictureTools::stirred()
{
    const std::uint64_t changes = pick_.changes() + measure_.changes() + top_.changes() + earth_.changes();
    return std::exchange(seen_, changes) != changes;
}

std::optional<std::string> PictureTools::value(std::string_view key) const
{
    if (std::optional<std::string> picked = onEarth_ ? earth_.value(key) : std::nullopt) return picked;
    if (std::optional<std::string> picked = pick_.value(key)) return picked;
    return measure_.value(key);
}

}  // namespace orogen::app
