#include "app/session/measure_session.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/ui/format.h"
#include "core/terrain/tiles/tiled_ground.h"

namespace orogen::app {
namespace {

constexpr std::size_t kSamplesAPiece = 1 << 16, kTiledSamplesAPiece = 1 << 12;
constexpr std::size_t kFinenessPoints = 64;  // points of a line at which the tile level is read
constexpr std::size_t kPlotColumns = 600;    // the lowest and highest sample of each are plotted
constexpr std::size_t kPathPoints = 256;     // points of the line on the ground
constexpr double kReach = 0.03;              // share of the picture's height within which the cursor selects the line

}  // namespace

void MeasureSession::toggle()
{
    open_ = !open_;
    adding_ = true;
    if (!open_) clear();
}

void MeasureSession::clear()
{
    points_.clear();
    adding_ = true;
    changed_ = true;
}

void MeasureSession::forget()
{
    if (!points_.empty()) clear();
}

void MeasureSession::add(glm::dvec2 place)
{
    if (!adding() || (!points_.empty() && points_.back() == place)) return;
    points_.push_back(place);
    changed_ = true;
}

void MeasureSession::removeLast()
{
    if (points_.empty()) return;
    points_.pop_back();
    adding_ = changed_ = true;
}

void MeasureSession::pointAt(const std::optional<double>& along, const std::optional<glm::dvec2>& cursor)
{
    along_ = along;
    cursor_ = cursor;
}

void MeasureSession::update(const PictureScene& scene)
{
    if (!open_) return;
    // Resample when finer tiles have arrived and none are pending.
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

void MeasureSession::resample(const PictureScene& scene)
{
    changed_ = false;
    condensed_ = false;
    camera_.reset();
    state_.samplesApart.reset();
    profile_ = GroundProfile(points_, scene.tiles ? std::min(scene.raster->pixelWidth, scene.raster->pixelHeight)
                                                  : std::min(scene.field.pixelWidth, scene.field.pixelHeight));
    sample(scene, 0);  // a line of one point needs no sampling
}

void MeasureSession::sample(const PictureScene& scene, std::size_t most)
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

// Finds the coarsest tile level along the line, because the heights come from the tiles being drawn.
void MeasureSession::findFineness(const PictureScene& scene)
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

// Reduces the samples to the figures and points that are shown.
void MeasureSession::condense()
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
    if (!samples.empty()) state_.profile.push_back({samples.back().along, samples.back().height});
}

// Projects points and line onto the ground as seen by the current camera.
void MeasureSession::place(const PictureScene& scene)
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
    for (const SeenPoint& point : state_.points)  // insert corners that the thinning skipped
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
void MeasureSession::mark(const PictureScene& scene)
{
    const std::optional<ProfileSample> before = std::exchange(state_.marked, std::nullopt);
    findMark(scene);
    changes_ += before.has_value() != state_.marked.has_value() || (before && before->along != state_.marked->along);
}

void MeasureSession::findMark(const PictureScene& scene)
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

MeasureState MeasureSession::state() const
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

std::optional<std::string> MeasureSession::value(std::string_view key) const
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
