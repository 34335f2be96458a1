// Ground of the terrain model where the terrain is one image: the model changes all of the terrain.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/terrain_model/model_ground.h"

namespace orogen::app {

class ImageGround final : public ModelGround
{
public:
    // `shown`: the heights that the model begins with.
    explicit ImageGround(const HeightField& shown) : original_(std::make_shared<const HeightField>(shown)) {}

    std::shared_ptr<const GroundMaker> maker(const Session& session, bool asShown) const override;
    Saver saver(const std::string& file, const compute::TerrainModel& model, const Session& session) const override;

    Status show(MadeGround made, Session& session) override;
    Status showOriginal(MadeGround made, Session& session) override;
    void change(const compute::TerrainModel& model, const IndexBox& box, Session& session) override;
    void showAgain(Session& session) override;

    bool begun() const override { return bounds_.has_value(); }
    bool ready(const Session&) const override { return true; }
    bool exact() const override { return bounds_ && bounds_->exact() && !beyondCodes_; }
    bool refinesFromModel() const override { return beyondCodes_; }

private:
    std::shared_ptr<const HeightField> original_;
    std::optional<ChangingBounds> bounds_;
    bool beyondCodes_ = false;  // a stroke made heights outside the range of HeightField::codes
};

}  // namespace orogen::app
