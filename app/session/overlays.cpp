#include "app/session/overlays.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/session/session.h"
#include "core/base/text.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr glm::vec3 kColours[] = {{1.00f, 0.55f, 0.10f}, {0.25f, 0.78f, 1.00f}, {1.00f, 0.35f, 0.65f},
                                  {0.65f, 1.00f, 0.30f}, {1.00f, 0.90f, 0.25f}, {0.75f, 0.55f, 1.00f}};
constexpr float kLineWidth = 2.5f, kPointSize = 8;
constexpr std::size_t kMostVertices = 400'000;  // target for an overlay's number of vertices, with inserted ones
constexpr double kLongestPiece = 20'000;        // longest straight piece (metres); the Earth bulges 8 m over it
constexpr double kLift = 0.3;                   // height of overlays above the ground (metres)
constexpr std::size_t kMostOverlays = 64;

}  // namespace

void Overlays::add(const std::string& file, Overlay overlay)
{
    auto drawn = std::make_shared<Drawn>();
    drawn->file = file;
    drawn->overlay = std::move(overlay);
    entries_.push_back({std::move(drawn), kColours[entries_.size() % std::size(kColours)]});
}

// Shows other entries.  All are laid on the ground again, which may have changed since they were last shown.
void Overlays::show(std::vector<Entry> entries)
{
    entries_ = std::move(entries);
    for (Entry& entry : entries_)
        entry.drawn->lines.next = entry.drawn->points.next = 0;
    ++namesChanged_;
}

void Overlays::change(std::vector<Entry> entries, Session& session, std::uint64_t gesture)
{
    session.pictureSteps.did({.what = "overlays",
                              .undo = [this, before = entries_] { show(before); },
                              .redo = [this, entries] { show(entries); },
                              .settingSteps = session.settings.history().steps(),
                              .gesture = gesture});
    entries_ = std::move(entries);
    ++namesChanged_;
}

void Overlays::open(const std::string& file, Session& session)
{
    if (entries_.size() + reading_.size() >= kMostOverlays)
        return session.messages.report(MessageKind::kWarning,
                                       fmt::format("{} overlays are open: remove one first", kMostOverlays));
    auto task = BackgroundTask<Overlay>::start(file, [file](const TaskContext&) { return readOverlay(file); });
    if (!task) return session.messages.reportError(task.error());
    reading_.push_back(std::move(*task));
    readingFiles_.push_back(file);
}

void Overlays::perform(const OverlayActions& asked, Session& session, std::uint64_t gesture)
{
    for (const std::string& file : asked.open)
        open(file, session);
    if (!asked.show && !asked.colour && !asked.remove && !asked.goTo) return;  // nearly every frame ends here
    std::vector<Entry> entries = entries_;
    if (asked.show && asked.show->first < entries.size()) entries[asked.show->first].visible = asked.show->second;
    if (asked.colour && asked.colour->first < entries.size())
        entries[asked.colour->first].colour = asked.colour->second;
    if (asked.remove && *asked.remove < entries.size()) entries.erase(entries.begin() + std::ptrdiff_t(*asked.remove));
    if (entries != entries_) change(std::move(entries), session, gesture);
    if (!asked.goTo || *asked.goTo >= entries_.size() || !session.terrain.info()) return;
    // Computes the extent relative to the first place's longitude, so that a track over the date line stays whole.
    const Overlay& overlay = entries_[*asked.goTo].drawn->overlay;
    const std::vector<LatLong>& places = overlay.line.empty() ? overlay.points : overlay.line;
    double west = 0, east = 0, south = 90, north = -90;
    for (const LatLong& place : places)
    {
        const double from = wrappedLongitude(place.longitude - places.front().longitude);
        west = std::min(west, from);
        east = std::max(east, from);
        south = std::min(south, place.latitude);
        north = std::max(north, place.latitude);
    }
    const double least = 0.002;  // degrees: a single point has no extent
    const double middle = places.front().longitude;
    session.camera.path().pause();
    session.messages.reportError(
        session.places.showExtent(middle + west - least, south - least, middle + east + least, north + least));
}

// Finds where an overlay lies in the open terrain.  Inserts vertices where the file's vertices are far apart.
void Overlays::place(Drawn& drawn, const Session& session)
{
    drawn.lines = drawn.points = {};
    drawn.named.clear();
    drawn.placedIn = session.terrain.opened();
    ++namesChanged_;
    const Overlay& overlay = drawn.overlay;
    std::vector<std::optional<glm::dvec3>> own;
    own.reserve(overlay.line.size());
    double length = 0;
    for (std::size_t i = 0; i < overlay.line.size(); ++i)
    {
        own.push_back(session.terrain.placeOf(overlay.line[i]));
        if (i > 0 && !overlay.begins[i] && own[i] && own[i - 1]) length += glm::distance(*own[i], *own[i - 1]);
    }
    const double spacing = session.terrain.spacing();
    const std::size_t spare = kMostVertices - std::min(own.size(), kMostVertices / 2);
    const double finest = session.terrain.insets().empty() ? spacing : 30;
    const double step = std::clamp(length / double(spare), std::min(finest, kLongestPiece), kLongestPiece);
    std::vector<glm::dvec3> places;
    std::vector<std::uint8_t> begins;
    bool broken = true;
    for (std::size_t i = 0; i < own.size(); ++i)
    {
        broken = broken || overlay.begins[i];
        if (!own[i])
        {
            broken = true;
            continue;
        }
        if (!broken)
        {
            const double way = glm::distance(*own[i], *own[i - 1]);
            const auto pieces = std::size_t(std::min(std::ceil(way / step), double(kMostVertices)));
            for (std::size_t piece = 1; piece < pieces; ++piece)
            {
                places.push_back(glm::mix(*own[i - 1], *own[i], double(piece) / double(pieces)));
                begins.push_back(0);
            }
        }
        places.push_back(*own[i]);
        begins.push_back(broken);
        broken = false;
    }
    if (places.size() > 1) drawn.lines.line = std::make_shared<GroundLine>(std::move(places), std::move(begins), false);
    std::vector<glm::dvec3> points;
    for (std::size_t i = 0; i < overlay.points.size(); ++i)
    {
        const auto at = session.terrain.placeOf(overlay.points[i]);
        if (!at) continue;
        points.push_back(*at);
        if (i < overlay.names.size() && !overlay.names[i].empty()) drawn.named.push_back({*at, overlay.names[i]});
    }
    if (!points.empty())
        drawn.points.line = std::make_shared<GroundLine>(std::move(points), std::vector<std::uint8_t>(), true);
}

// Moves the vertices of further chunks to the ground's height, until `most` vertices or more are moved.  Returns the
// number of vertices moved.
std::size_t Overlays::lay(Laid& laid, const Session& session, std::size_t most)
{
    if (!laid.line) return 0;
    const ViewSurroundings around = session.surroundings();
    const std::optional<float> sea = session.settings.wanted().terrain.waterLevel;
    const double least = sea ? double(*sea) * session.settings.wanted().terrain.heightScale : -1e9;
    std::size_t done = 0;
    for (; laid.next < laid.line->chunks() && done < most; ++laid.next)
    {
        GroundLine& line = *laid.line;
        for (std::size_t i = line.chunkFirst(laid.next); i < line.chunkEnd(laid.next); ++i)
        {
            const glm::dvec3 at = line.place(i);
            line.move(i, atHeight(around, at, std::max(groundIn(around, at), least) + kLift));
            ++done;
        }
        line.measure(laid.next);
    }
    if (done > 0) ++moved_;
    return done;
}

void Overlays::update(Session& session)
{
    for (std::size_t i = 0; i < reading_.size();)
    {
        if (reading_[i]->running())
        {
            ++i;
            continue;
        }
        Result<Overlay> read = reading_[i]->take();
        const std::string file = readingFiles_[i];
        reading_.erase(reading_.begin() + std::ptrdiff_t(i));
        readingFiles_.erase(readingFiles_.begin() + std::ptrdiff_t(i));
        if (!read)
        {
            session.messages.reportError(read.error());
            continue;
        }
        const std::vector<Entry> before = entries_;
        add(file, std::move(*read));
        change(std::exchange(entries_, before), session, 0);
        OverlayActions there;
        there.goTo = entries_.size() - 1;
        perform(there, session);
    }
    if (entries_.empty() || !session.terrain.info()) return;
    const std::optional<TileStats>& tiles = session.stats.tiles;
    const double scale = session.settings.wanted().terrain.heightScale;
    const std::uint64_t loaded = tiles ? tiles->loaded : 0, heights = session.terrain.heights();
    for (Entry& entry : entries_)
    {
        if (entry.drawn->placedIn == session.terrain.opened()) continue;
        place(*entry.drawn, session);
        if (entry.drawn->lines.line || entry.drawn->points.line) continue;
        const Status placed = session.terrain.checkGeoreferenced();
        session.messages.report(
            MessageKind::kWarning,
            fmt::format("{}: {}", printable(entry.drawn->file),
                        placed ? fmt::format("nothing of it lies on {}", printable(session.terrain.info()->name))
                               : placed.error().message));
    }
    const bool finer = loaded_ != loaded && (!tiles || tiles->settled());
    if (finer || heights_ != heights || heightScale_ != scale)
        for (Entry& entry : entries_)
            entry.drawn->lines.next = entry.drawn->points.next = 0;
    if (finer) loaded_ = loaded;
    heights_ = heights;
    heightScale_ = scale;
    std::size_t left = session.headless ? SIZE_MAX : kPiece;
    for (Entry& entry : entries_)
        for (Laid* laid : {&entry.drawn->lines, &entry.drawn->points})
            left -= std::min(left, left > 0 ? lay(*laid, session, left) : 0);
}

bool Overlays::pending() const
{
    const auto unlaid = [](const Laid& laid) { return laid.line && laid.next < laid.line->chunks(); };
    return !reading_.empty() || std::ranges::any_of(entries_, [&](const Entry& entry) {
        return unlaid(entry.drawn->lines) || unlaid(entry.drawn->points);
    });
}

std::vector<ShownLine> Overlays::shown() const
{
    std::vector<ShownLine> lines;
    for (const Entry& entry : entries_)
    {
        if (!entry.visible) continue;
        const Drawn& drawn = *entry.drawn;
        if (drawn.lines.line) lines.push_back({drawn.lines.line, glm::vec4(entry.colour, 1), kLineWidth});
        if (drawn.points.line) lines.push_back({drawn.points.line, glm::vec4(entry.colour, 1), kPointSize});
    }
    return lines;
}

std::vector<NamedPoint> Overlays::namedPoints() const
{
    std::vector<NamedPoint> named;
    for (const Entry& entry : entries_)
        if (entry.visible) named.insert(named.end(), entry.drawn->named.begin(), entry.drawn->named.end());
    return named;
}

std::vector<OverlayState> Overlays::state() const
{
    std::vector<OverlayState> states;
    for (const Entry& entry : entries_)
    {
        const Overlay& overlay = entry.drawn->overlay;
        states.push_back({std::filesystem::path(entry.drawn->file).filename().string(), entry.colour, entry.visible,
                          overlay.lines(), overlay.line.size(), overlay.points.size()});
    }
    return states;
}

std::vector<std::string> Overlays::files() const
{
    std::vector<std::string> files;
    for (const Entry& entry : entries_)
        files.push_back(entry.drawn->file);
    return files;
}

}  // namespace orogen::app
