#include "app/session/terrain_model/window_ground.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/model/format.h"
#include "app/session/session.h"
#include "app/session/terrain_loading.h"
#include "app/session/terrain_model/model_work.h"
#include "compute/voids/void_filling.h"
#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/terrain/import/import_job.h"
#include "core/terrain/import/import_run.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/sources/changed_tiles.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

Result<compute::TerrainModel> modelOf(const HeightField& field)
{
    return compute::TerrainModel::create(knownHeights(field), field.width, field.height, field.pixelWidth,
                                         field.pixelHeight);
}

class ImageMaker final : public GroundMaker
{
public:
    Result<compute::TerrainModel> model() const override { return modelOf(*original_); }
    Result<compute::TerrainModel> shownModel() const override { return modelOf(*shown_); }

    Result<MadeGround> make(const compute::TerrainModel* model, const TaskContext& context) const override
    {
        HeightField like;
        like.offset = offset_;
        like.scale = scale_;
        MadeGround made;
        made.ofModel = model != nullptr;
        made.field = model ? encodedField(model->heights(), *original_, scale_ > 0 ? &like : nullptr) : *shown_;
        const Clock::time_point begin = Clock::now();
        const double from = context.progress.fraction();
        Result<TerrainBounds> bounds = buildBounds(
            *made.field,
            [&](double fraction) {
                context.progress.set(from + (1 - from) * fraction);
                return !context.stop.stop_requested();
            },
            ErrorRange::kAllCodes);
        if (!bounds) return bounds.error();
        made.patch = {patchLevel_, patchErrors(bounds->errors, patchLevel_)};
        made.bounds.emplace(std::move(*bounds), *made.field);
        made.boundsMs = millisecondsSince(begin);
        return made;
    }

    Result<MadeGround> original(const TaskContext& context) const override
    {
        context.progress.enter("bounding heights", 0);
        MadeGround made;
        made.field = *original_;
        made.original = boundsWithoutErrors(*original_);
        return made;
    }

    std::shared_ptr<const HeightField> original_;
    std::optional<HeightField> shown_;
    float offset_ = 0, scale_ = 0;  // those of the HeightField shown; scale 0: no heights of the model were shown yet
    int patchLevel_ = 0;
};

}  // namespace

std::shared_ptr<const GroundMaker> ImageGround::maker(const Session& session, bool asShown) const
{
    const HeightField& shown = session.terrain.field();
    auto maker = std::make_shared<ImageMaker>();
    maker->original_ = original_;
    if (asShown) maker->shown_ = shown;
    if (begun())
    {
        maker->offset_ = shown.offset;
        maker->scale_ = shown.scale;
    }
    maker->patchLevel_ = session.settings.wanted().patch.level;
    return maker;
}

ModelGround::Saver ImageGround::saver(const std::string& file, const compute::TerrainModel& model,
                                      const Session& session) const
{
    Raster raster = session.terrain.raster();
    raster.heights.assign(model.heights().begin(), model.heights().end());
    raster.fractional = true;
    return [raster = std::move(raster), file](const TaskContext&) -> Result<std::string> {
        lowerPriority();
        if (Status s = writeGeoTiff(raster, file); !s) return s.error();
        return "wrote " + printable(file);
    };
}

Status ImageGround::show(MadeGround made, Session& session)
{
    bounds_ = std::move(made.bounds);
    if (made.ofModel) beyondCodes_ = false;
    session.terrain.takeHeights(std::move(*made.field), bounds_->relief());
    return session.terrain.showHeights(session.graphics.renderer(), *bounds_, std::move(made.patch));
}

Status ImageGround::showOriginal(MadeGround made, Session& session)
{
    return session.terrain.showOriginal(session.graphics.renderer(), std::move(*made.field), std::move(made.original));
}

void ImageGround::change(const compute::TerrainModel& model, const IndexBox& box, Session& session)
{
    beyondCodes_ |= !session.terrain.changeHeights(session.graphics.renderer(), *bounds_, model.heights(), box);
}

void ImageGround::showAgain(Session& session)
{
    if (bounds_) (void)!session.terrain.showHeights(session.graphics.renderer(), *bounds_, {});
}

namespace {

double spacingOf(const TileSource& tiles) { return std::max(tiles.raster().pixelWidth, tiles.raster().pixelHeight); }

std::vector<std::string> partsOf(const std::string& file) { return {shardPath(file, 0, 1), finishPath(file)}; }

Result<std::string> saveTiles(const TileSource& source, const std::string& file, const TaskContext& context)
{
    lowerPriority();
    const LoadProgress progress = [&context](double fraction, const std::string& what) {
        context.progress.enter(what, fraction);
        return !context.stop.stop_requested();
    };
    const auto save = [&]() -> Status {
        const Result<ImportJob> job = importJob(source, "", {}, "float32", ImportCompression::kDeflate);
        if (!job) return job.error();
        const ImportPlace place{file, 1, true, std::max(1, usableThreads() - 1)};
        if (const Result<WrittenShard> part = writeShard(source, *job, place, 0, progress); !part) return part.error();
        const Result<ImportSummary> whole = finishImport(place, progress);
        return whole ? Status::ok() : Status(whole.error());
    };
    if (const Status saved = save(); !saved)
    {
        for (const std::string& part : partsOf(file))
            (void)std::remove(part.c_str());
        return saved.error();
    }
    return "wrote " + printable(file);
}

}  // namespace

// ---- windows ----

Result<ChangeWindow> windowAt(const TileSource& tiles, const ModelPlace& place, std::optional<int> level, bool named)
{
    const TileGrid grid = tiles.grid();
    const double spacing = spacingOf(tiles), most = named ? kMostWindowSide : kUsualWindowSide;
    const auto samples = [&](int at) { return std::ldexp(place.side / spacing, -at) + 1; };
    const auto sides = [&](int at) {
        return std::min(TileGrid::samplesOf(grid.width(), at), TileGrid::samplesOf(grid.height(), at));
    };
    int chosen = std::min(level.value_or(0), grid.levels() - 1);
    while (!level && samples(chosen) > most && chosen + 1 < grid.levels() && sides(chosen + 1) >= kLeastWindowSide)
        ++chosen;
    if (named && samples(chosen) > kMostWindowSide)
        return Error{ExitCode::kUsage, fmt::format("model window: {:.0f} samples of level {} a side, expected at most "
                                                   "{} (a smaller window, or another model.level)",
                                                   samples(chosen), chosen, kMostWindowSide)};
    const int side = named ? int(std::lround(samples(chosen))) : kUsualWindowSide;
    if (std::min(side, sides(chosen)) < kLeastWindowSide)
        return Error{ExitCode::kUsage, fmt::format("model window: {} samples of level {} a side, expected at least {}",
                                                   std::min(side, sides(chosen)), chosen, kLeastWindowSide)};
    const auto& raster = tiles.raster();
    const double column = place.middle.x / raster.pixelWidth + 0.5 * (grid.width() - 1);
    const double row = 0.5 * (grid.height() - 1) - place.middle.y / raster.pixelHeight;
    return windowOf(grid, chosen, std::ldexp(column, -chosen), std::ldexp(row, -chosen), side);
}

ModelPlace placeInView(const Session& session)
{
    const Camera camera = cameraOf(session.settings.wanted().view);
    const ViewSurroundings around = session.surroundings();
    const glm::dvec2 half = 0.5 * glm::dvec2(session.terrain.raster().east(), session.terrain.raster().north());
    const std::optional<glm::dvec3> met = groundMet(camera, {0, 0}, around);
    const bool seen = met && std::abs(met->x) <= half.x && std::abs(met->y) <= half.y;
    const double above = std::max(camera.position.z - groundIn(around, camera.position), 1.0);
    if (seen) return {glm::dvec2(*met), 2 * glm::length(*met - camera.position)};
    return {glm::clamp(glm::dvec2(camera.position), -half, half), 2 * above};
}

// ---- files ----

Status checkTilesFile(const std::string& file, const std::vector<std::string>& read)
{
    std::vector<std::string> written = partsOf(file);
    written.push_back(file + ".joining");
    for (const std::string& path : written)
        if (Status s = checkOutputFile(path, read, Existing::kReplace); !s) return s;
    return Status::ok();
}

// ---- heights ----

struct WindowGround::Heights
{
    std::vector<float> values;   // NaN: void; empty: not read yet
    std::vector<float> weights;  // share of the model's change that is shown, by sample (WindowFade)
};

namespace {

class WindowMaker final : public GroundMaker
{
public:
    Result<compute::TerrainModel> model() const override
    {
        const ChangeWindow& window = source_->window();
        const IndexBox& box = window.box;
        if (heights_->values.empty())
        {
            Result<std::unique_ptr<TileReader>> reader = source_->below()->openReader();
            if (!reader) return reader.error();
            std::vector<float> values(window.samples());
            if (Status s = (*reader)->read({window.level, box.x0, box.y0, window.width(), window.height()}, values); !s)
                return s.error();
            const WindowFade fade(source_->grid(), window);
            heights_->weights.clear();
            for (int row = 0; row < window.height(); ++row)
                for (int column = 0; column < window.width(); ++column)
                    heights_->weights.push_back(fade.at(column, row));
            heights_->values = std::move(values);
        }
        const Raster& raster = source_->raster();
        return compute::TerrainModel::create(heights_->values, window.width(), window.height(),
                                             std::ldexp(raster.pixelWidth, window.level),
                                             std::ldexp(raster.pixelHeight, window.level));
    }

    Result<compute::TerrainModel> shownModel() const override { return model(); }

    Result<MadeGround> make(const compute::TerrainModel* model, const TaskContext&) const override
    {
        const Clock::time_point begin = Clock::now();
        const ChangeWindow& window = source_->window();
        MadeGround made;
        made.ofModel = true;
        const IndexBox all{0, 0, window.width(), window.height()};
        const std::shared_ptr<const ChangedTiles> tiles = changed(*model, all);
        if (!std::ranges::equal(tiles->differences(), source_->differences()))
        {
            made.samples = reachOf(window, all);
            made.field = overview(*tiles, made.samples);
        }
        made.tiles = tiles;
        made.boundsMs = millisecondsSince(begin);
        return made;
    }

    Result<MadeGround> original(const TaskContext&) const override
    {
        MadeGround made;
        made.tiles = opened_.tiles;
        made.field = *opened_.overview;
        // Joins the boxes of all windows: each window's source lies over the source before it.
        for (const TileSource* at = source_.get(); at != opened_.tiles.get();)
        {
            const auto* changed = dynamic_cast<const ChangedTiles*>(at);
            if (!changed) break;
            const ChangeWindow& window = changed->window();
            made.samples = joined(made.samples, reachOf(window, {0, 0, window.width(), window.height()}));
            at = changed->below().get();
        }
        return made;
    }

    HeightField overview(const ChangedTiles& tiles, const IndexBox& samples) const
    {
        return changedOverview(*below_, tiles, shown_, overviewBox(shown_, tiles.grid(), samples));
    }

    // Returns a source that shows the model's change in a box, times Heights::weights, and the heights shown so far
    // elsewhere.
    std::shared_ptr<const ChangedTiles> changed(const compute::TerrainModel& model, const IndexBox& box) const
    {
        std::vector<float> differences(source_->differences().begin(), source_->differences().end());
        for (int row = box.y0; row < box.y1; ++row)
            for (int column = box.x0; column < box.x1; ++column)
            {
                const std::size_t i = std::size_t(row) * std::size_t(model.width()) + std::size_t(column);
                const double change = model.heightAt(i) - double(heights_->values[i]);
                differences[i] = std::isnan(change) ? 0.0f : float(double(heights_->weights[i]) * change);
            }
        return source_->with(std::move(differences), box, heights_->values);
    }

    OpenedTiles opened_;
    std::shared_ptr<const ChangedTiles> source_;  // source shown now
    std::shared_ptr<const HeightField> below_;
    HeightField shown_;  // overview of source_
    std::shared_ptr<WindowGround::Heights> heights_;
};

}  // namespace

WindowGround::WindowGround(OpenedTiles opened, OpenedTiles shown, const ChangeWindow& window)
    : opened_(std::move(opened)), below_(std::move(shown.overview)),
      source_(ChangedTiles::over(std::move(shown.tiles), window)), heights_(std::make_shared<Heights>())
{
}

std::shared_ptr<const GroundMaker> WindowGround::maker(const Session& session, bool) const
{
    auto maker = std::make_shared<WindowMaker>();
    maker->opened_ = opened_;
    maker->source_ = source_;
    maker->below_ = below_;
    maker->shown_ = session.terrain.field();
    maker->heights_ = heights_;
    return maker;
}

ModelGround::Saver WindowGround::saver(const std::string& file, const compute::TerrainModel&, const Session&) const
{
    return [source = source_, file](const TaskContext& context) { return saveTiles(*source, file, context); };
}

// ---- between two frames ----

Status WindowGround::show(MadeGround made, Session& session)
{
    source_ = std::static_pointer_cast<const ChangedTiles>(made.tiles);
    begun_ = true;
    if (!made.samples.empty()) session.terrain.changeTiles(source_, made.samples, std::move(*made.field));
    return Status::ok();
}

Status WindowGround::showOriginal(MadeGround made, Session& session)
{
    session.terrain.changeTiles(made.tiles, made.samples, std::move(*made.field));
    return Status::ok();
}

void WindowGround::change(const compute::TerrainModel& model, const IndexBox& box, Session& session)
{
    WindowMaker made;
    made.source_ = source_;
    made.heights_ = heights_;
    source_ = made.changed(model, box);
    const IndexBox samples = reachOf(source_->window(), box);
    const HeightField& shown = session.terrain.field();
    session.terrain.changeTiles(
        source_, samples, changedOverview(*below_, *source_, shown, overviewBox(shown, source_->grid(), samples)));
}

bool WindowGround::ready(const Session& session) const { return !session.terrain.tilesChanging(); }

glm::dvec2 WindowGround::middle() const
{
    const ChangeWindow& window = source_->window();
    const Raster& raster = source_->raster();
    const double column = std::ldexp(0.5 * (window.box.x0 + window.box.x1 - 1), window.level);
    const double row = std::ldexp(0.5 * (window.box.y0 + window.box.y1 - 1), window.level);
    return {(column - 0.5 * (raster.width - 1)) * raster.pixelWidth,
            (0.5 * (raster.height - 1) - row) * raster.pixelHeight};
}

std::string WindowGround::window() const
{
    const ChangeWindow& window = source_->window();
    return fmt::format("{} x {} samples of level {}, {} apart", window.width(), window.height(), window.level,
                       metresText(std::ldexp(spacingOf(*source_), window.level)));
}

}  // namespace orogen::app
