#include "app/session/picture_tools.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/render/renderer.h"
#include "app/session/session.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/view/earth_view.h"

namespace orogen::app {

namespace {

// ---- top view ----

constexpr double kLeastSeconds = 0.25;            // minimum time between two drawings
constexpr int kPixels = 256, kLargePixels = 512;  // sides of the two sizes of the view

// ---- all tools ----

constexpr const char* kProfileFile = "orogen-profile.csv";
constexpr double kHeadlessFrameSeconds = 1.0 / 60;  // assumed frame time of headless runs (seconds), which use no clock

std::unique_ptr<PictureScene> sceneOf(const Session& session)
{
    const Settings& settings = session.settings.wanted();
    const OpenTerrain& terrain = session.terrain;
    std::unique_ptr<PictureScene> scene = terrain.scene(session.graphics.renderer().terrain().squareSide());
    const std::optional<TileStats>& tiles = session.stats.tiles;
    scene->around = session.surroundings();
    scene->camera = cameraOf(settings.view);
    scene->heightScale = double(settings.terrain.heightScale);
    scene->heights = terrain.heights();
    scene->loaded = tiles ? tiles->loaded : 0;
    scene->tilesSettled = !tiles || tiles->settled();
    scene->syntheticBelow = terrain.syntheticBelow(settings);
    if (settings.terrain.waterLevel) scene->waterLevel = double(*settings.terrain.waterLevel);
    return scene;
}

EarthState earthState(const Session& session)
{
    const OpenTerrain& terrain = session.terrain;
    const glm::dvec3& eye = session.settings.wanted().view.position;
    EarthState state;
    state.reliefSpacing = terrain.spacing();
    state.insets.assign(terrain.insets().begin(), terrain.insets().end());
    state.camera = *terrain.placeAt(eye);
    for (std::size_t i = 0; i < state.bookmarks.size(); ++i)
        state.bookmarks[i] = session.places.bookmarks()[i].has_value();
    return state;
}

std::string csvOf(const GroundProfile& profile, const Session& session)
{
    return profileCsv(profile.samples(), sceneOf(session)->columns());
}

void saveProfile(const GroundProfile& profile, Session& session)
{
    const std::string file = freeFileName(kProfileFile);
    Status written = checkOutputFile(file, session.filesRead(), Existing::kRefuse);
    if (written) written = writeFileAtomically(file, csvOf(profile, session));
    session.messages.reportOutcome(written, "wrote " + file);
}

}  // namespace

void TopViewTool::toggle()
{
    open_ = !open_;
    stale_ = open_;
    drawnAt_ = -1;
}

void TopViewTool::zoom(int steps) { zoom_ = std::clamp(zoom_.value_or(0) + steps, 0, mostZoom_); }

void TopViewTool::forget()
{
    zoom_.reset();
    region_ = {};
    camera_.reset();
    stale_ = open_;
}

Status TopViewTool::update(const PictureScene& scene, Renderer& renderer, double now, bool draw)
{
    if (!open_) return Status::ok();
    if (!zoom_) zoom_ = scene.startZoom();
    mostZoom_ = scene.mostTopZoom();
    const TopRegion before = region_;
    const double side = std::ldexp(scene.topSide(), -*zoom_);
    if (camera_ != scene.camera || region_.side != side)
    {
        camera_ = scene.camera;
        ++changes_;
        region_ = scene.topRegion(region_, side);
        place_ = scene.onTop(region_, scene.camera.position);
        border_.clear();
        for (const glm::dvec3& place : scene.borderInView())
            border_.push_back(scene.onTop(region_, place));
    }
    stale_ |= before != region_ || drawnLarge_ != large_ || !renderer.stats().settled;
    if (!stale_ || !draw || (drawnAt_ >= 0 && now < drawnAt_ + kLeastSeconds)) return Status::ok();
    const int pixels = large_ ? kLargePixels : kPixels;
    const Status drawn =
        renderer.inspector().drawTopView({region_.origin, region_.corner, region_.side / pixels, pixels});
    open_ = bool(drawn);
    ++changes_;
    stale_ = false;
    drawnLarge_ = large_;
    drawnAt_ = now;
    return drawn;
}

TopState TopViewTool::state(const Session& session) const
{
    Renderer& renderer = session.graphics.renderer();
    TopState state;
    state.open = open_;
    state.large = large_;
    state.texture = open_ ? renderer.inspector().topView() : 0;
    state.region = region_;
    state.zoom = zoom_.value_or(0);
    state.mostZoom = mostZoom_;
    state.camera = place_;
    state.border = border_;
    state.deepest = int(renderer.stats().work.maxDepth);
    state.world = session.terrain.world();
    return state;
}

void PictureTools::forgetOldTerrain(Session& session)
{
    if (terrain_ == session.terrain.opened()) return;
    terrain_ = session.terrain.opened();
    orientation_.forget();
    pick_.forget();
    measure_.forget();
    top_.forget();
}

void PictureTools::perform(const PictureToolsActions& asked, Session& session)
{
    if (asked.toggleInfo) pick_.toggle();
    if (asked.toggleMeasure) measure_.toggle();
    if (asked.toggleTop) top_.toggle();
    if (asked.resizeTop) top_.toggleSize();
    if (asked.zoomTop != 0) top_.zoom(asked.zoomTop);
    if (asked.removePoint) measure_.removeLast();
    if (asked.endLine) measure_.toggleAdding();
    if (asked.clearLine) measure_.clear();
    if (!session.terrain.info()) return;
    forgetOldTerrain(session);
    pick_.pointAt(asked.cursor);
    measure_.pointAt(asked.along, asked.cursor);
    if (asked.clicked && measure_.adding())
    {
        const std::unique_ptr<PictureScene> scene = sceneOf(session);
        const auto met = groundMet(scene->camera, *asked.clicked, scene->around);
        if (met && scene->pointAt(*met).inside)
            measure_.add(atHeight(scene->around, *met, 0));
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
        ImGui::SetClipboardText(csvOf(measure_.profile(), session).c_str());
        session.messages.report(MessageKind::kNote, "copied " + counted(measure_.profile().samples().size(), "sample"));
    }
    if (asked.saveProfile) saveProfile(measure_.profile(), session);
}

void PictureTools::moveCamera(const PictureToolsActions& asked, Session& session, std::uint64_t gesture)
{
    overlays_.perform(asked.overlays, session, gesture);
    if (!session.terrain.info()) return;
    if (asked.northUp)
    {
        session.camera.path().pause();
        Settings::View& view = session.settings.view();
        if (view.yaw != 0) storeCamera(turnedNorth(cameraOf(view), session.surroundings()), view);
    }
    if (asked.goTo || asked.goToPlace) session.camera.path().pause();
    if (asked.goTo) session.messages.reportError(orientation_.goToName(*asked.goTo, session));
    if (asked.goToPlace) session.messages.reportError(orientation_.goToPlace(*asked.goToPlace, session));
}

void PictureTools::showLines(Session& session)
{
    std::vector<ShownLine> lines = orientation_.lines();
    for (ShownLine& line : overlays_.shown())
        lines.push_back(std::move(line));
    Renderer& renderer = session.graphics.renderer();
    const bool moved = std::exchange(overlaysMoved_, overlays_.moved()) != overlays_.moved();
    if (session.split) session.split->showLines(lines, moved, session.messages);
    if (moved) renderer.lines().moved();
    session.messages.reportError(renderer.lines().show(std::move(lines)));
}

void PictureTools::update(Session& session, bool gpu)
{
    if (!session.terrain.info()) return;
    overlays_.update(session);
    if (session.captures.running()) return showLines(session);
    forgetOldTerrain(session);
    orientation_.update(session);
    showLines(session);
    const std::unique_ptr<PictureScene> scene = sceneOf(session);
    Renderer& renderer = session.graphics.renderer();
    session.messages.reportError(pick_.update(*scene, renderer, gpu, session.headless));
    measure_.update(*scene);
    const double now = session.headless ? double(session.frame) * kHeadlessFrameSeconds : session.seconds();
    session.messages.reportError(top_.update(*scene, renderer, now, gpu));
}

PictureToolsState PictureTools::state(const Session& session) const
{
    PictureToolsState state;
    if (!session.terrain.info() || session.captures.running()) return state;
    state.camera = cameraOf(session.settings.wanted().view);
    state.overlays = overlays_.state();
    if (session.pictured) state.orientation = orientation_.state(session);
    state.findNames = [this, &session](const std::string& text, std::size_t most) {
        return orientation_.find(text, most, session);
    };
    state.world = session.terrain.world();
    if (state.world == World::kEarth) state.earth = earthState(session);
    state.pick = pick_.state();
    state.measure = measure_.state();
    state.top = top_.state(session);
    return state;
}

bool PictureTools::pending(const Session& session) const
{
    if (overlays_.pending()) return true;
    if (!session.terrain.info() || session.captures.running()) return false;
    return pick_.pending() || measure_.pending() || top_.pending();
}

bool PictureTools::stirred()
{
    const std::uint64_t changes = pick_.changes() + measure_.changes() + top_.changes() + orientation_.changes();
    return std::exchange(seen_, changes) != changes;
}

std::optional<std::string> PictureTools::value(std::string_view key) const
{
    if (std::optional<std::string> picked = pick_.value(key)) return picked;
    return measure_.value(key);
}

}  // namespace orogen::app
