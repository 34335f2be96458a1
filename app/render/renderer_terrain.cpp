// Change of terrain in the renderer, and of the world that it belongs to.
#include <algorithm>
#include <utility>

#include "app/render/renderer.h"

namespace orogen::app {

Status Renderer::setTerrain(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                            std::shared_ptr<TileCache> tiles, std::shared_ptr<TileCache> imagery,
                            std::shared_ptr<const Surroundings> surroundings)
{
    if (Status s = plane_.programs().finish(); !s) return s;
    Result<TerrainGpu> made = plane_.makeTerrain(context_, raster, field, std::move(bounds), std::move(tiles));
    if (!made) return made.error();
    if (Status s = made->showImagery(context_.limits(), std::move(imagery)); !s) return s;
    const std::shared_ptr<const Surroundings> before = std::exchange(surroundings_, std::move(surroundings));
    if (Status s = show(plane_, std::move(made), &field); !s)
    {
        surroundings_ = before;
        return s;
    }
    tiles_.leavePlace();
    restart();
    return Status::ok();
}

Status Renderer::setEarth(std::shared_ptr<TileCache> tiles, std::shared_ptr<TileCache> imagery)
{
    if (!earth_)
    {
        Result<std::unique_ptr<EarthWorld>> made =
            EarthWorld::create(root_, plane_.programs().dialect(), context_.info());
        if (!made) return made.error();
        earth_ = std::move(*made);
    }
    Result<TerrainGpu> made = earth_->makeTerrain(context_.limits(), std::move(tiles));
    if (!made) return made.error();
    if (Status s = made->showImagery(context_.limits(), std::move(imagery)); !s) return s;
    if (Status s = show(*earth_, std::move(made), nullptr); !s) return s;
    tiles_.leavePlace();
    restart();
    return Status::ok();
}

Status Renderer::changeHeights(const Raster& raster, const HeightField& field, TerrainBounds bounds)
{
    Result<TerrainGpu> made = plane_.makeTerrain(context_, raster, field, std::move(bounds), nullptr);
    if (made && terrain_) made->setImagery(terrain_->sharedImagery());
    if (Status s = show(plane_, std::move(made), &field); !s) return s;
    if (!settings_.lod.frozen) restart();
    return Status::ok();
}

// Shows a terrain in its world; if another world was shown until now, also creates a triangulation for this one.
// `border`: height field whose size the border gets; null: no border.
Status Renderer::show(RenderWorld& world, Result<TerrainGpu> made, const HeightField* border)
{
    if (!made) return made.error();
    const bool enters = &world != world_ || !tree_, detail = settings_.detailShown();
    std::unique_ptr<Triangulation> newTree;
    Status ready = detail ? made->prepareDetail() : Status::ok();
    if (ready) ready = choosePrograms(world, made->tiles(), detail);
    if (ready) ready = world.picture().prepare(settings_, *made);
    if (ready && border) ready = world.picture().setBorder(*border, surroundings_.get());
    if (ready && enters)
    {
        Result<std::unique_ptr<Triangulation>> tree = world.makeTree(context_.limits(), settings_);
        if (tree)
            newTree = std::move(*tree);
        else
            ready = tree.error();
    }
    if (!ready)
    {
        (void)choosePrograms(*world_, terrain_ ? terrain_->tiles() : nullptr, terrain_ && detail);
        return ready;
    }
    drop();
    if (enters)
    {
        world_->picture().clearBorder();
        world_ = &world;
        tree_ = std::move(newTree);
    }
    terrain_.emplace(std::move(*made));
    shaderHash_ = world_->programs().sourceHash();
    checks_.forgetFrame();
    return Status::ok();
}

// Selects the variants of all programs of a world that read heights, including the programs that inspect the drawn
// frame.  On error the previous variants stay.
Status Renderer::choosePrograms(RenderWorld& world, const TiledHeights* tiles, bool detail)
{
    const std::vector<ShaderDefine> before = world.programs().choice();
    const std::vector<ShaderDefine> wanted = world.choice(tiles ? &tiles->cache() : nullptr, detail);
    if (before == wanted && &world == &checks_.world()) return Status::ok();
    const auto choose = [&](RenderWorld& of, const std::vector<ShaderDefine>& choice) {
        const Status made = of.choose(choice), checks = checks_.choose(of), inspector = inspector_.choose(of);
        return !made ? made : !checks ? checks : inspector;
    };
    const Status made = choose(world, wanted);
    if (!made)
    {
        (void)choose(world, before);
        if (&world != world_) (void)choose(*world_, world_->programs().choice());
    }
    shaderHash_ = world_->programs().sourceHash();
    return made;
}

Status Renderer::setImagery(std::shared_ptr<TileCache> imagery)
{
    const std::shared_ptr<TiledColours> before = terrain_->sharedImagery();
    if (Status s = terrain_->showImagery(context_.limits(), std::move(imagery)); !s) return s;
    const Status prepared = world_->picture().prepare(settings_, *terrain_);
    if (!prepared) terrain_->setImagery(before);
    tiles_.imageryReplaced();
    drop();
    return prepared;
}

}  // namespace orogen::app
