#include "app/session/terrain_model/image_ground.h"

#include <utility>

#include "app/session/session.h"
#include "app/session/terrain_loading.h"
#include "app/session/terrain_model/model_work.h"
#include "compute/voids/void_filling.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/raster/changing_field.h"

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
        Result<TerrainBounds> bounds = boundsWithProgress(*original_, context, 0);
        if (!bounds) return bounds.error();
        MadeGround made;
        made.field = *original_;
        made.original = std::move(*bounds);
        return made;
    }

    std::shared_ptr<const HeightField> original_;
    std::optional<HeightField> shown_;
    float offset_ = 0, scale_ = 0;  // as in the HeightField shown; scale 0: none yet
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

}  // namespace orogen::app
