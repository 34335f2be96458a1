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
#include "core/leb/leb.h"
#include "core/terrain/tiles/tiled_ground.h"

namespace orogen::app {

namespace {

// ---- point under the cursor ----

constexpr std::uint64_t kLeafPatience = 2'000'000'000;  // nanoseconds; scripts wait for answers

glm::dvec2 cornerPlace(const leb::Point& corner, double squareSide)
{
    return (glm::dvec2(corner.x, corner.y) / double(leb::kSide) - 0.5) * squareSide;
}

double cross(glm::dvec2 a, glm::dvec2 b) { return a.x * b.y - a.y * b.x; }

// ---- measured line ----

constexpr std::size_t kSamplesAPiece = 1 << 16, kTiledSamplesAPiece = 1 << 12;
constexpr std::size_t kFinenessPoints = 64;  // points of a line at which the tile level is read
constexpr std::size_t kPlotColumns = 600;    // columns of the profile plot, each with its lowest and highest sample
constexpr std::size_t kPathPoints = 256;     // points at which the line is placed on the drawn ground
constexpr double kReach = 0.03;              // distance within which the cursor selects the line (half picture heights)

}  // namespace

SceneGround sceneGround(const PictureScene& scene, double east, double north)
{
    if (!scene.tiles) return {groundPointAt(scene.field, east, north)};
    const FinerGround finer = tiledGround(*scene.tiles, *scene.raster, east, north);
    return {groundPointAt(scene.field, finer, east, north),
            int(std::lround(std::log2(finer.spacingEast / scene.raster->pixelWidth)))};
}

bool isHidden(const PictureScene& scene, const glm::dvec3& place)
{
    const glm::dvec3 way = place - scene.camera.position;
    const double distance = glm::length(way);
    if (distance < 1) return false;
    const auto met = groundAlong(scene.camera.position, way, scene.around.ground, scene.around.terrain);
    return met && glm::distance(*met, scene.camera.position) < 0.985 * distance - 1;
}

SeenPoint seenPoint(const PictureScene& scene, glm::dvec2 place)
{
    const glm::dvec3 drawn(place, scene.around.ground(place.x, place.y));
    return {drawn, isHidden(scene, drawn)};
}

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

Status PickTool::update(const PictureScene& scene, Renderer& renderer, double squareSide, bool ask, bool wait)
{
    if (!on_) return Status::ok();
    const bool rests = camera_ == scene.camera;
    treeMoved_ |= !renderer.stats().settled;
    if (cursor_ &&
        (!lookedAt_ || *lookedAt_ != *cursor_ || !rests || heights_ != scene.heights || loaded_ != scene.loaded))
    {
        camera_ = scene.camera;
        heights_ = scene.heights;
        loaded_ = scene.loaded;
        lookedAt_ = cursor_;
        findPoint(scene);
        ++changes_;
        if (found_.leaf && !(found_.place && rests && holds(found_.leaf->node, squareSide)))
        {
            found_.leaf.reset();
            found_.outline.clear();
        }
        stale_ = found_.place.has_value();
    }
    if (found_.place && treeMoved_) stale_ = true;
    if (cursor_ && rests && stale_ && ask)
        if (Status s = askLeaf(renderer); !s)
        {
            on_ = false;
            return s;
        }
    while (const std::optional<LeafAnswer> answer = renderer.inspector().takeLeaf(wait ? kLeafPatience : 0))
    {
        if (!found_.place || !holds(answer->node, squareSide)) continue;  // the answer belongs to an earlier point
        ++changes_;
        found_.leaf = PickedLeaf{answer->node, answer->depth, answer->errorPixels, answer->edgePixels};
        outline(scene, squareSide, renderer.settings().patch.level);
        if (answer->question == question_) stale_ = false;
        if (wait && !renderer.inspector().leafAsked()) break;
    }
    return Status::ok();
}

void PickTool::findPoint(const PictureScene& scene)
{
    found_.place = groundUnder(scene.camera, *cursor_, scene.around);
    if (!found_.place) return;
    const SceneGround ground = sceneGround(scene, found_.place->x, found_.place->y);
    found_.ground = ground.point;
    const double apart = scene.tiles ? std::ldexp(scene.raster->pixelWidth, ground.level)
                                     : std::max(scene.field.pixelWidth, scene.field.pixelHeight);
    found_.samplesApart = scene.tiles || coarseSamples(apart) ? std::optional(apart) : std::nullopt;
    found_.syntheticBelow = scene.syntheticBelow;
    found_.distance = glm::distance(*found_.place, scene.camera.position);
    if (!found_.ground.inside) found_.place.reset();
}

// Sends one query at a time: a new one waits for the previous answer.
Status PickTool::askLeaf(Renderer& renderer)
{
    if (renderer.inspector().leafAsked()) return Status::ok();
    treeMoved_ = !renderer.stats().settled;
    return renderer.inspector().askLeaf(glm::dvec2(*found_.place), ++question_);
}

// Returns whether the leaf contains the point, with a tolerance for rounding at its border.
bool PickTool::holds(NodeId node, double squareSide) const
{
    if (node < 2) return true;
    const leb::Triangle t = leb::vertices(node);
    const std::array<glm::dvec2, 3> corners = {cornerPlace(t.apex, squareSide), cornerPlace(t.base0, squareSide),
                                               cornerPlace(t.base1, squareSide)};
    const double turn = cross(corners[1] - corners[0], corners[2] - corners[0]) < 0 ? -1 : 1;
    const double slack = 1e-6 * squareSide;
    for (std::size_t i = 0; i < 3; ++i)
    {
        const glm::dvec2 edge = corners[(i + 1) % 3] - corners[i];
        if (turn * cross(edge, glm::dvec2(*found_.place) - corners[i]) < -slack * glm::length(edge)) return false;
    }
    return true;
}

// Traces the leaf's outline through its drawn vertices.
void PickTool::outline(const PictureScene& scene, double squareSide, int patchLevel)
{
    found_.outline.clear();
    if (found_.leaf->node < 2) return;
    const leb::Triangle t = leb::vertices(found_.leaf->node);
    const std::array<leb::Point, 4> corners = {t.apex, t.base0, t.base1, t.apex};
    const int parts = 1 << std::min(patchLevel, 5);
    for (std::size_t i = 0; i < 3; ++i)
        for (int j = 0; j < parts; ++j)
            found_.outline.push_back(
                seenPoint(scene, glm::mix(cornerPlace(corners[i], squareSide), cornerPlace(corners[i + 1], squareSide),
                                          double(j) / parts)));
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
    if (key == "pick_leaf") return leaf ? std::to_string(found_.leaf->node) : "null";
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

void MeasureTool::add(glm::dvec2 place)
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
    // Samples again if finer tiles have arrived and no more are pending.
    const bool finer = scene.tilesSettled && loaded_ != scene.loaded && profile_.done();
    if (changed_ || heights_ != scene.heights || finer)
    {
        heights_ = scene.heights;
        loaded_ = scene.loaded;
        resample(scene);
    }
    if (!profile_.done())
    {
        sample(scene, scene.tiles ? kTiledSamplesAPiece : kSamplesAPiece);
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
    profile_ = GroundProfile(points_, scene.tiles ? std::min(scene.raster->pixelWidth, scene.raster->pixelHeight)
                                                  : std::min(scene.field.pixelWidth, scene.field.pixelHeight));
    sample(scene, 0);  // completes a line of one point
}

void MeasureTool::sample(const PictureScene& scene, std::size_t most)
{
    if (!scene.tiles)
    {
        profile_.sample(scene.field, most);
        return;
    }
    const glm::dvec2 at = points_.empty() ? glm::dvec2(0) : points_.front();
    const FinerGround finer = tiledGround(*scene.tiles, *scene.raster, at.x, at.y);
    profile_.sample(scene.field, most, &finer);
}

// Finds the coarsest sample spacing along the line: drawn tiles differ in level.
void MeasureTool::findFineness(const PictureScene& scene)
{
    state_.samplesApart.reset();
    const std::vector<ProfileSample>& samples = profile_.samples();
    const double apart = std::max(scene.field.pixelWidth, scene.field.pixelHeight);
    if (!scene.tiles && !samples.empty() && coarseSamples(apart)) state_.samplesApart = apart;
    if (!scene.tiles || samples.empty()) return;
    int coarsest = 0;
    for (std::size_t i = 0; i <= kFinenessPoints; ++i)
    {
        const glm::dvec2 place = samples[i * (samples.size() - 1) / kFinenessPoints].place;
        coarsest = std::max(coarsest, finestLevelAt(scene.tiles->active(), *scene.raster, place.x, place.y));
    }
    state_.samplesApart = std::ldexp(scene.raster->pixelWidth, coarsest);
}

// Computes the figures and plot points that are shown from the samples.
void MeasureTool::condense()
{
    condensed_ = true;
    const std::vector<ProfileSample>& samples = profile_.samples();
    state_.figures = profile_.figures();
    state_.lastLeg = profile_.figuresFrom(profile_.lastLeg());
    state_.spacing = samples.size() > 1 ? profile_.figures().horizontal / double(samples.size() - 1) : 0.0;
    state_.profile.clear();
    const std::size_t columns = std::max<std::size_t>(1, std::min(kPlotColumns, samples.size() / 2));
    for (std::size_t column = 0; column < columns; ++column)
    {
        const auto first = samples.begin() + std::ptrdiff_t(column * samples.size() / columns);
        const auto last = samples.begin() + std::ptrdiff_t((column + 1) * samples.size() / columns);
        if (first == last) continue;
        auto [low, high] = std::minmax_element(
            first, last, [](const ProfileSample& a, const ProfileSample& b) { return a.height < b.height; });
        if (high < low) std::swap(low, high);
        for (const auto& sample : {low, high})
            state_.profile.push_back(
                {sample->along, sample->isVoid ? std::numeric_limits<double>::quiet_NaN() : sample->height});
    }
    if (!samples.empty())
        state_.profile.push_back({samples.back().along, samples.back().isVoid ? std::numeric_limits<double>::quiet_NaN()
                                                                              : samples.back().height});
}

// Places points and line on the drawn ground, and finds which of them the terrain hides.
void MeasureTool::place(const PictureScene& scene)
{
    ++changes_;
    camera_ = scene.camera;
    heightScale_ = scene.heightScale;
    state_.points.clear();
    for (const glm::dvec2& point : points_)
        state_.points.push_back(seenPoint(scene, point));
    state_.path.clear();
    const std::vector<ProfileSample>& samples = profile_.samples();
    if (samples.size() < 2) return;
    const std::size_t count = std::min(kPathPoints, samples.size() - 1);
    for (std::size_t i = 0; i <= count; ++i)
        state_.path.push_back(seenPoint(scene, samples[i * (samples.size() - 1) / count].place));
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

// Finds the sample at the mouse, in the plot or in the picture.
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
        const Projection view = project(scene.camera, int(scene.around.viewport.x), int(scene.around.viewport.y), 0.2);
        const double aspect = scene.around.viewport.x / scene.around.viewport.y;
        double nearest = kReach;
        const std::size_t step = std::max<std::size_t>(1, samples.size() / 512);
        for (std::size_t i = 0; i < samples.size(); i += step)
        {
            const glm::dvec3 place(samples[i].place, samples[i].height * scene.heightScale);
            const glm::dvec4 clip = glm::dmat4(view.clipFromRelative) * glm::dvec4(place - scene.camera.position, 1.0);
            if (clip.w <= 0) continue;
            const glm::dvec2 off = (glm::dvec2(clip) / clip.w - *cursor_) * glm::dvec2(aspect, 1);
            if (glm::length(off) >= nearest) continue;
            nearest = glm::length(off);
            at = i;
        }
    }
    if (!at) return;
    state_.marked = samples[*at];
    state_.markedPlace = seenPoint(scene, samples[*at].place);
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
    return std::nullopt;
}

}  // namespace orogen::app
