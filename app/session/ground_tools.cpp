#include "app/session/ground_tools.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/model/format.h"
#include "app/render/renderer.h"
#include "core/view/earth_view.h"
#include "core/view/name_labels.h"

namespace orogen::app {

namespace {

// ---- point under the cursor ----

constexpr std::uint64_t kLeafPatience = 2'000'000'000;  // longest wait of a script for an answer (nanoseconds)

double cross(glm::dvec2 a, glm::dvec2 b) { return a.x * b.y - a.y * b.x; }

// ---- measured line ----

// Samples per update(): of a terrain in one image, and of a terrain in tiles.
constexpr std::size_t kSamplesAPiece = 1 << 16, kTiledSamplesAPiece = 1 << 12;
constexpr std::size_t kFinenessPoints = 64;  // points of a line at which the tile level is read
constexpr std::size_t kPlotColumns = 600;    // columns of the profile plot, each with its lowest and highest sample
constexpr std::size_t kPathPoints = 256;     // points at which the line is placed on the drawn ground
constexpr double kReach = 0.015;             // distance within which the cursor selects the line (picture heights)

// Returns places along a line: its points, and others at even distances on each leg.
std::vector<glm::dvec3> placesAlong(const GroundProfile& line)
{
    std::vector<glm::dvec3> places = line.points();
    const std::vector<ProfileLeg>& legs = line.legs();
    double length = 0;
    for (const ProfileLeg& leg : legs)
        length += leg.length;
    for (const ProfileLeg& leg : legs)
    {
        const auto parts = std::size_t(std::ceil(kFinenessPoints * leg.length / std::max(length, 1e-9)));
        for (std::size_t i = 1; i < parts; ++i)
            places.push_back(leg.at(double(i) / double(parts) * leg.length));
    }
    return places;
}

}  // namespace

void PickTool::toggle()
{
    on_ = !on_;
    forget();
}

void PickTool::pointAt(const std::optional<glm::dvec2>& cursor)
{
    changes_ += cursor_.has_value() != cursor.has_value();
    cursor_ = cursor;
}

void PickTool::forget()
{
    ++changes_;
    found_ = {};
    lookedAt_.reset();
    stale_ = false;
}

Status PickTool::update(const PictureScene& scene, Renderer& renderer, bool ask, bool wait)
{
    if (!on_) return Status::ok();
    const bool rests = camera_ == scene.camera;
    if (cursor_ &&
        (!lookedAt_ || *lookedAt_ != *cursor_ || !rests || heights_ != scene.heights || loaded_ != scene.loaded))
    {
        camera_ = scene.camera;
        heights_ = scene.heights;
        loaded_ = scene.loaded;
        lookedAt_ = cursor_;
        findPoint(scene);
        ++changes_;
        if (found_.leaf && !(found_.place && rests && holds(scene, *found_.leaf)))
        {
            found_.leaf.reset();
            found_.outline.clear();
        }
        stale_ = found_.place.has_value();
    }
    // Any frame may change the tree, and the scale of the picture, on which the leaf's sizes in pixels depend.
    if (found_.place && renderer.progress().frame() != askedAt_) stale_ = true;
    if (cursor_ && rests && stale_ && ask)
        if (Status s = askLeaf(renderer, wait); !s)
        {
            on_ = false;
            return s;
        }
    while (const std::optional<LeafAnswer> answer = renderer.inspector().takeLeaf(wait ? kLeafPatience : 0))
    {
        const PickedLeaf leaf{answer->id, answer->depth, answer->errorPixels, answer->edgePixels};
        // No leaf was found, or the answer belongs to an earlier point.
        if (leaf.id == 0 || !found_.place || !holds(scene, leaf)) continue;
        ++changes_;
        found_.leaf = leaf;
        outline(scene, renderer.settings().patch.level);
        if (answer->question == question_) stale_ = false;
        if (wait && !renderer.inspector().leafAsked()) break;
    }
    return Status::ok();
}

void PickTool::findPoint(const PictureScene& scene)
{
    found_.place = groundMet(scene.camera, *cursor_, scene.around);
    if (!found_.place) return;
    const glm::dvec3& at = *found_.place;
    found_.ground = scene.pointAt(at);
    const double apart = scene.samplesAt(at);
    found_.samplesApart = scene.tiled() || coarseSamples(apart) ? std::optional(apart) : std::nullopt;
    found_.syntheticBelow = scene.syntheticBelow;
    found_.waterAbove.reset();
    if (scene.waterLevel && !found_.ground.isVoid && *scene.waterLevel > found_.ground.height)
        found_.waterAbove = *scene.waterLevel - found_.ground.height;
    found_.distance = glm::distance(at, scene.camera.position);
    found_.coordinates = scene.coordinates(at, scene.pixelMetres(found_.distance));
    if (!found_.ground.inside) found_.place.reset();
}

// Asks the GPU for the leaf, unless an earlier query is unanswered or the terrain's errors are being measured; a later
// update() then asks again.
Status PickTool::askLeaf(Renderer& renderer, bool wait)
{
    if (renderer.inspector().leafAsked()) return Status::ok();
    const Result<bool> errors = renderer.terrain().prepareErrors(wait);
    if (!errors) return errors.error();
    if (!*errors) return Status::ok();
    askedAt_ = renderer.progress().frame();
    return renderer.inspector().askLeaf(*found_.place, ++question_);
}

// Returns whether the leaf contains the point, with a tolerance for rounding at its border.  True for the tree's root.
bool PickTool::holds(const PictureScene& scene, const PickedLeaf& leaf) const
{
    const std::optional<LeafShape> shape = scene.shapeOf(leaf);
    if (!shape) return true;
    const std::optional<glm::dvec2> at = scene.onLattice(*found_.place, shape->face);
    if (!at) return false;
    const std::array<glm::dvec2, 3>& corners = shape->corners;
    const double turn = cross(corners[1] - corners[0], corners[2] - corners[0]) < 0 ? -1 : 1;
    for (std::size_t i = 0; i < 3; ++i)
    {
        const glm::dvec2 edge = corners[(i + 1) % 3] - corners[i];
        if (turn * cross(edge, *at - corners[i]) < -shape->slack * glm::length(edge)) return false;
    }
    return true;
}

// Traces the leaf's outline through drawn vertices on its edges.
void PickTool::outline(const PictureScene& scene, int patchLevel)
{
    found_.outline.clear();
    const std::optional<LeafShape> shape = scene.shapeOf(*found_.leaf);
    if (!shape) return;
    const int parts = 1 << std::min(patchLevel, 5);
    for (std::size_t i = 0; i < 3; ++i)
        for (int j = 0; j < parts; ++j)
            found_.outline.push_back(scene.seen(scene.offLattice(
                glm::mix(shape->corners[i], shape->corners[(i + 1) % 3], double(j) / parts), shape->face)));
    found_.outline.push_back(found_.outline.front());
}

PickState PickTool::state() const
{
    PickState state = found_;
    state.on = on_;
    if (!cursor_) state.place.reset();
    return state;
}

std::optional<std::string> PickTool::value(std::string_view key) const
{
    const auto number = [](bool known, double value) {
        return known ? fmt::format("{:.6f}", value) : std::string("null");
    };
    const bool place = found_.place.has_value(), leaf = found_.leaf.has_value();
    if (key == "pick_height") return number(place && !found_.ground.isVoid, found_.ground.height);
    if (key == "pick_slope") return number(place && !found_.ground.isVoid, found_.ground.slope);
    if (key == "pick_distance") return number(place, found_.distance);
    if (key == "pick_leaf") return leaf ? std::to_string(found_.leaf->id) : "null";
    if (key == "pick_depth") return leaf ? std::to_string(found_.leaf->depth) : "null";
    if (key == "pick_error_px") return number(leaf, leaf ? found_.leaf->errorPixels : 0);
    if (key == "pick_edge_px") return number(leaf, leaf ? found_.leaf->edgePixels : 0);
    return std::nullopt;
}

void MeasureTool::toggle()
{
    open_ = !open_;
    adding_ = true;
    if (!open_) clear();
}

void MeasureTool::clear()
{
    points_.clear();
    adding_ = true;
    changed_ = true;
}

void MeasureTool::forget()
{
    if (!points_.empty()) clear();
}

void MeasureTool::add(const glm::dvec3& place)
{
    if (!adding() || (!points_.empty() && points_.back() == place)) return;
    points_.push_back(place);
    changed_ = true;
}

void MeasureTool::removeLast()
{
    if (points_.empty()) return;
    points_.pop_back();
    adding_ = changed_ = true;
}

void MeasureTool::pointAt(const std::optional<double>& along, const std::optional<glm::dvec2>& cursor)
{
    along_ = along;
    cursor_ = cursor;
}

void MeasureTool::update(const PictureScene& scene)
{
    if (!open_) return;
    // Samples again once finer tiles have arrived and no more tiles are pending.
    const bool finer = scene.tilesSettled && loaded_ != scene.loaded && profile_.done();
    if (changed_ || heights_ != scene.heights || finer)
    {
        heights_ = scene.heights;
        loaded_ = scene.loaded;
        resample(scene);
    }
    if (!profile_.done())
    {
        sample(scene, scene.tiled() ? kTiledSamplesAPiece : kSamplesAPiece);
        condensed_ = false;
        ++changes_;
    }
    if (profile_.done() && !condensed_)
    {
        condense();
        findFineness(scene);
        camera_.reset();
    }
    if (!camera_ || *camera_ != scene.camera || heightScale_ != scene.heightScale) place(scene);
    mark(scene);
}

void MeasureTool::resample(const PictureScene& scene)
{
    changed_ = false;
    condensed_ = false;
    camera_.reset();
    state_.samplesApart.reset();
    const LegBetween leg = [&scene](const glm::dvec3& from, const glm::dvec3& to) { return scene.leg(from, to); };
    double spacing = std::numeric_limits<double>::infinity();
    for (const glm::dvec3& place : placesAlong(GroundProfile(points_, spacing, leg)))
        spacing = std::min(spacing, scene.finestSamplesAt(place));
    profile_ = GroundProfile(points_, spacing, leg);
    sample(scene, 0);  // completes a line of one point
}

void MeasureTool::sample(const PictureScene& scene, std::size_t most) { profile_.sample(scene.heightsAlong(), most); }

// Finds the coarsest sample spacing along the line, because the tiles drawn there may differ in level.
void MeasureTool::findFineness(const PictureScene& scene)
{
    state_.samplesApart.reset();
    double coarsest = 0;
    for (const glm::dvec3& place : placesAlong(profile_))
        coarsest = std::max(coarsest, scene.samplesAt(place));
    if (coarsest > 0 && (scene.tiled() || coarseSamples(coarsest))) state_.samplesApart = coarsest;
}

// Computes the figures and plot points that are shown from the samples.
void MeasureTool::condense()
{
    condensed_ = true;
    const std::vector<ProfileSample>& samples = profile_.samples();
    state_.figures = profile_.figures();
    state_.lastLeg = profile_.figuresFrom(profile_.lastLeg());
    state_.bearing = profile_.legs().empty() ? 0.0 : profile_.legs().back().azimuth;
    state_.spacing = samples.size() > 1 ? profile_.figures().horizontal / double(samples.size() - 1) : 0.0;
    state_.profile.clear();
    const auto plot = [this](const ProfileSample& sample) {
        state_.profile.push_back(
            {sample.along, sample.isVoid ? std::numeric_limits<double>::quiet_NaN() : sample.height});
    };
    if (samples.size() <= 2 * kPlotColumns)
    {
        std::ranges::for_each(samples, plot);
        return;
    }
    for (std::size_t column = 0; column < kPlotColumns; ++column)
    {
        const auto first = samples.begin() + std::ptrdiff_t(column * samples.size() / kPlotColumns);
        const auto last = samples.begin() + std::ptrdiff_t((column + 1) * samples.size() / kPlotColumns);
        auto [low, high] = std::minmax_element(
            first, last, [](const ProfileSample& a, const ProfileSample& b) { return a.height < b.height; });
        if (high < low) std::swap(low, high);
        plot(*low);
        plot(*high);
    }
    plot(samples.back());
}

// Places points and line on the drawn ground, and finds which of these places the terrain hides.
void MeasureTool::place(const PictureScene& scene)
{
    ++changes_;
    camera_ = scene.camera;
    heightScale_ = scene.heightScale;
    state_.points.clear();
    for (const glm::dvec3& point : points_)
        state_.points.push_back(scene.seen(point));
    state_.path.clear();
    const std::vector<ProfileSample>& samples = profile_.samples();
    if (samples.size() < 2) return;
    const std::size_t count = std::min(kPathPoints, samples.size() - 1);
    for (std::size_t i = 0; i <= count; ++i)
        state_.path.push_back(scene.seen(samples[i * (samples.size() - 1) / count].place));
    for (const SeenPoint& point : state_.points)  // inserts points that the thinned path lacks
    {
        const auto same = [&](const SeenPoint& other) { return other.place == point.place; };
        if (std::ranges::any_of(state_.path, same)) continue;
        const auto gap = [&](std::size_t i) {
            return glm::distance(state_.path[i].place, point.place) +
                   glm::distance(point.place, state_.path[i + 1].place) -
                   glm::distance(state_.path[i].place, state_.path[i + 1].place);
        };
        std::size_t best = 0;
        for (std::size_t i = 1; i + 1 < state_.path.size(); ++i)
            if (gap(i) < gap(best)) best = i;
        state_.path.insert(state_.path.begin() + std::ptrdiff_t(best) + 1, point);
    }
}

// Finds the sample of the line that is nearest to the mouse, in the plot or in the picture.
void MeasureTool::mark(const PictureScene& scene)
{
    const std::optional<ProfileSample> before = std::exchange(state_.marked, std::nullopt);
    findMark(scene);
    changes_ += before.has_value() != state_.marked.has_value() || (before && before->along != state_.marked->along);
}

void MeasureTool::findMark(const PictureScene& scene)
{
    state_.markedPlace.reset();
    const std::vector<ProfileSample>& samples = profile_.samples();
    if (samples.size() < 2 || !profile_.done()) return;
    std::optional<std::size_t> at;
    if (along_) at = profile_.nearest(*along_);
    if (!at && cursor_)
    {
        const glm::dvec2& viewport = scene.around.viewport;
        const PictureProjection picture(scene.camera, scene.around.world(), viewport);
        const glm::dvec2 cursor = 0.5 * (glm::dvec2(cursor_->x, -cursor_->y) + 1.0) * viewport;
        double nearest = kReach * viewport.y;
        const std::size_t step = std::max<std::size_t>(1, samples.size() / 512);
        for (std::size_t i = 0; i < samples.size(); i += step)
        {
            const glm::dvec3 place = atHeight(scene.around, samples[i].place, samples[i].height * scene.heightScale);
            const std::optional<glm::dvec2> seen = picture.at(place, nearest);
            if (!seen || glm::distance(*seen, cursor) >= nearest) continue;
            nearest = glm::distance(*seen, cursor);
            at = i;
        }
    }
    if (!at) return;
    state_.marked = samples[*at];
    state_.markedPlace = scene.seen(samples[*at].place);
}

MeasureState MeasureTool::state() const
{
    MeasureState state;
    state.open = open_;
    if (!open_) return state;
    state = state_;
    state.open = true;
    state.adding = adding_;
    if (!profile_.done()) state.sampled = profile_.fraction();
    return state;
}

std::optional<std::string> MeasureTool::value(std::string_view key) const
{
    const auto number = [&](double value) {
        return open_ && points_.size() > 1 && profile_.done() ? fmt::format("{:.6f}", value) : std::string("null");
    };
    const ProfileFigures& figures = profile_.figures();
    if (key == "measure_points") return std::to_string(points_.size());
    if (key == "measure_distance") return number(figures.horizontal);
    if (key == "measure_ground") return number(figures.ground);
    if (key == "measure_rise") return number(figures.rise);
    if (key == "measure_slope") return number(figures.slope());
    if (key == "measure_climb") return number(figures.climb);
    if (key == "measure_fall") return number(figures.fall);
    if (key == "measure_bearing") return number(state_.bearing);
    return std::nullopt;
}

}  // namespace orogen::app
