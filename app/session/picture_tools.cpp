#include "app/session/picture_tools.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <imgui.h>

#include "app/render/renderer.h"
#include "app/session/session.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/view/earth_view.h"

namespace orogen::app {

namespace {

// ---- top view ----

constexpr int kMostZoom = 10;
constexpr double kLeastSeconds = 0.25;  // between two drawings
constexpr int kPixels = 256, kLargePixels = 512;

// ---- all tools ----

constexpr const char* kProfileFile = "orogen-profile.csv";
constexpr double kHeadlessFrameSeconds = 1.0 / 60;  // assumed frame time of headless runs (seconds), which use no clock

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
            .syntheticBelow = session.terrain.syntheticBelow(session.settings.wanted())};
}

// Returns latitude and longitude to a decimetre, or metres east and north without a georeference.
std::string coordinatesText(const glm::dvec2& place, const std::optional<TerrainGeography>& geography)
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

void TopViewTool::toggle()
{
    open_ = !open_;
    stale_ = open_;
    drawnAt_ = -1;
}

void TopViewTool::zoom(int steps) { zoom_ = std::clamp(zoom_ + steps, 0, kMostZoom); }

void TopViewTool::forget()
{
    zoom_ = 0;
    side_ = 0;
    stale_ = open_;
}

Status TopViewTool::update(const PictureScene& scene, Renderer& renderer, double now, bool draw)
{
    if (!open_) return Status::ok();
    const double squareSide = renderer.terrain().squareSide();
    const glm::dvec2 corner = corner_;
    const double side = side_;
    if (!camera_ || *camera_ != scene.camera || side_ == 0 || side_ != squareSide / double(1 << zoom_))
    {
        camera_ = scene.camera;
        ++changes_;
        chooseRegion(scene, squareSide);
        findView(scene);
    }
    stale_ |= corner != corner_ || side != side_ || drawnLarge_ != large_ || !renderer.stats().settled;
    if (!stale_ || !draw || (drawnAt_ >= 0 && now < drawnAt_ + kLeastSeconds)) return Status::ok();
    const int pixels = large_ ? kLargePixels : kPixels;
    const Status drawn = renderer.inspector().drawTopView(corner_, side_ / pixels, pixels);
    open_ = bool(drawn);
    ++changes_;
    stale_ = false;
    drawnLarge_ = large_;
    drawnAt_ = now;
    return drawn;
}

// Chooses the region that the top view shows: the whole square, or a part around the camera.
void TopViewTool::chooseRegion(const PictureScene& scene, double squareSide)
{
    side_ = squareSide / double(1 << zoom_);
    const double reach = (squareSide - side_) / 2;
    const glm::dvec2 middle = glm::clamp(glm::dvec2(scene.camera.position), glm::dvec2(-reach), glm::dvec2(reach));
    // Snaps to a hundredth of the side, so that small camera movements do not cause a redraw.
    const double step = side_ / 100;
    corner_ = glm::round(glm::dvec2(middle.x - side_ / 2, middle.y + side_ / 2) / step) * step;
}

// Computes the camera's place and its footprint's corners, on the horizontal plane through the ground below it; corners
// above the horizon are placed far away.
void TopViewTool::findView(const PictureScene& scene)
{
    const Camera& camera = scene.camera;
    const double ground = scene.around.ground(camera.position.x, camera.position.y);
    const double far = 3 * std::max(scene.around.terrain.size.x, scene.around.terrain.size.y);
    view_ = {glm::dvec2(camera.position)};
    for (const glm::dvec2 corner : {glm::dvec2(-1, -1), glm::dvec2(-1, 1), glm::dvec2(1, 1), glm::dvec2(1, -1)})
    {
        const glm::dvec3 ray = rayAt(camera, corner, scene.around.viewport);
        const double across = std::max(glm::length(glm::dvec2(ray)), 1e-9);
        const double reach = ray.z < 0 ? std::min((ground - camera.position.z) / ray.z, far / across) : far / across;
        view_.push_back(glm::dvec2(camera.position) + glm::dvec2(ray) * reach);
    }
}

TopState TopViewTool::state(Renderer& renderer) const
{
    TopState state;
    state.open = open_;
    state.large = large_;
    state.texture = open_ ? renderer.inspector().topView() : 0;
    state.corner = corner_;
    state.side = side_;
    state.zoom = zoom_;
    state.view = view_;
    state.deepest = int(renderer.stats().work.maxDepth);
    return state;
}

void EarthTools::forget()
{
    looked_.reset();
    under_.reset();
    ++changes_;
}

void EarthTools::update(const Session& session)
{
    const std::optional<TileStats>& tiles = session.stats.tiles;
    const Settings& settings = session.settings.wanted();
    const Looked now{cursor_, cameraOf(settings.view), tiles ? tiles->loaded : 0};
    if (looked_ == now) return;
    looked_ = now;
    ++changes_;
    const ViewSurroundings around = session.surroundings();
    under_.reset();
    if (const auto met = cursor_ ? earthGroundUnder(now.camera, *cursor_, around) : std::nullopt)
    {
        under_ = geodeticOf(*met);
        const double scale = settings.terrain.heightScale;
        if (scale > 0) under_->height /= scale;
        underSamples_ = session.terrain.dataSpacingAt(*met);
        distance_ = glm::distance(*met, now.camera.position);
    }
}

std::optional<EarthState> EarthTools::state(const Session& session) const
{
    if (!session.terrain.earth()) return std::nullopt;
    EarthState state;
    state.reliefSpacing = session.terrain.earth()->relief().spacing();
    const auto insets = session.terrain.insets();
    state.insets.assign(insets.begin(), insets.end());
    state.camera = *session.terrain.placeAt(session.settings.wanted().view.position);
    state.under = cursor_ ? under_ : std::nullopt;
    state.underSamples = underSamples_;
    state.cameraSamples = session.terrain.dataSpacingAt(session.settings.wanted().view.position);
    state.distance = distance_;
    for (std::size_t i = 0; i < state.bookmarks.size(); ++i)
        state.bookmarks[i] = session.bookmarks[i].has_value();
    return state;
}

std::optional<std::string> EarthTools::value(std::string_view key) const
{
    if (key == "pick_height") return under_ ? fmt::format("{:.6f}", under_->height) : "null";
    if (key == "pick_distance") return under_ ? fmt::format("{:.6f}", distance_) : "null";
    return std::nullopt;
}

void PictureTools::forgetOldTerrain(Session& session)
{
    if (terrain_ == session.terrain.opened()) return;
    terrain_ = session.terrain.opened();
    onEarth_ = session.terrain.earth() != nullptr;
    earth_.forget();
    orientation_.forget();
    if (session.terrain.earth() && measure_.open()) measure_.toggle();  // neither tool works on the Earth
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

void PictureTools::moveCamera(const PictureToolsActions& asked, Session& session)
{
    overlays_.perform(asked.overlays, session);
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
    if (std::exchange(overlaysMoved_, overlays_.moved()) != overlays_.moved()) renderer.linesMoved();
    session.messages.reportError(renderer.showLines(std::move(lines)));
}

void PictureTools::update(Session& session, bool gpu)
{
    if (!session.terrain.info()) return;
    overlays_.update(session);
    if (session.captures.running()) return showLines(session);
    forgetOldTerrain(session);
    orientation_.update(session);
    showLines(session);
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
    state.overlays = overlays_.state();
    state.orientation = orientation_.state(session);
    state.findNames = [this, &session](const std::string& text, std::size_t most) {
        return orientation_.find(text, most, session);
    };
    state.earth = earth_.state(session);
    if (state.earth) return state;
    state.pick = pick_.state();
    if (state.pick.place)
        state.pick.coordinates = coordinatesText(glm::dvec2(*state.pick.place), session.terrain.geography());
    state.measure = measure_.state();
    state.top = top_.state(session.graphics.renderer());
    return state;
}

bool PictureTools::pending(const Session& session) const
{
    if (overlays_.pending()) return true;
    if (!session.terrain.info() || session.captures.running() || session.terrain.earth()) return false;
    return pick_.pending() || measure_.pending() || top_.pending();
}

bool PictureTools::stirred()
{
    const std::uint64_t changes =
        pick_.changes() + measure_.changes() + top_.changes() + earth_.changes() + orientation_.changes();
    return std::exchange(seen_, changes) != changes;
}

std::optional<std::string> PictureTools::value(std::string_view key) const
{
    if (std::optional<std::string> picked = onEarth_ ? earth_.value(key) : std::nullopt) return picked;
    if (std::optional<std::string> picked = pick_.value(key)) return picked;
    return measure_.value(key);
}

}  // namespace orogen::app
