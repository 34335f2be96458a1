// Change of terrain in the renderer: programs and triangulation of planar terrain and of the Earth, and switching
// between them.
#include <algorithm>
#include <cassert>
#include <utility>

#include "app/render/renderer.h"

namespace orogen::app {
namespace {

constexpr int kAnisotropy = 8;  // hardware only; a software rasteriser pays for every tap

// Returns the defines for all programs that read heights.
std::vector<ShaderDefine> choiceOf(bool earth, bool tiled, bool detail)
{
    std::vector<ShaderDefine> choice;
    if (earth) choice.push_back({"OROGEN_EARTH", "1"});
    if (tiled) choice.push_back({"OROGEN_TILES", "1"});
    if (earth) choice.push_back({"OROGEN_POOL", "1"});
    if (detail) choice.push_back({"OROGEN_DETAIL", "1"});
    return choice;
}

}  // namespace

// Selects the variants of the programs that inspect the drawn frame.
Status Renderer::chooseForChecks(const std::vector<ShaderDefine>& choice)
{
    const Status checks = checks_.choose(choice), inspector = inspector_.choose(choice);
    return checks ? inspector : checks;
}

// Selects the variants of all programs of a world that read heights: tiles or image, with or without procedural detail.
// On error the previous variants stay.
Status Renderer::choosePrograms(bool earth, bool tiled, bool detail)
{
    ShaderLibrary& library = earth ? *earthLibrary_ : library_;
    TerrainPicture& drawing = earth ? *earthDrawing_ : drawing_;
    const std::vector<ShaderDefine> before = library.choice(), wanted = choiceOf(earth, tiled, detail);
    const auto name = [](const ShaderDefine& define) { return define.name; };
    if (std::ranges::equal(before, wanted, {}, name, name) && earth == onEarth()) return Status::ok();
    const auto choose = [&](const std::vector<ShaderDefine>& choice) {
        library.choose(choice);
        drawing.choose(choice);
        const Status made = library.finish(), checks = chooseForChecks(choice);
        return made ? checks : made;
    };
    const Status made = choose(wanted);
    if (!made) (void)choose(before);
    if (!made && earth != onEarth()) (void)chooseForChecks(programs().choice());
    shaderHash_ = programs().sourceHash();
    return made;
}

Status Renderer::setTerrain(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                            std::shared_ptr<TileCache> tiles)
{
    if (Status s = upload(raster, field, std::move(bounds), std::move(tiles), false); !s) return s;
    before_.reset();
    restart();
    return Status::ok();
}

Status Renderer::changeHeights(const Raster& raster, const HeightField& field, TerrainBounds bounds)
{
    if (Status s = upload(raster, field, std::move(bounds), nullptr, true); !s) return s;
    if (settings_.lod.frozen)
        cullInput_.reset();
    else
        restart();
    return Status::ok();
}

Status Renderer::upload(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                        std::shared_ptr<TileCache> tiles, bool keepsImage)
{
    Result<TerrainGpu> made =
        TerrainGpu::create(library_, terrainPrograms_, context_.limits(), raster, field, std::move(bounds));
    if (!made) return made.error();
    const bool tiled = tiles != nullptr, before = terrain_ && terrain_->tiles();
    if (tiled)
    {
        Result<TiledHeights> heights = TiledHeights::create(context_.limits(), raster, std::move(tiles));
        if (!heights) return heights.error();
        made->setTiles(std::make_unique<TiledHeights>(std::move(*heights)));
    }
    if (keepsImage && terrain_) made->setImage(terrain_->image());
    const bool detail = settings_.detailShown();
    Status ready = detail ? made->prepareDetail() : Status::ok();
    if (ready) ready = choosePrograms(false, tiled, detail);
    if (ready) ready = drawing_.prepare(settings_, &*made);
    if (ready) ready = drawing_.setBorder(field);
    if (ready && onEarth()) ready = takeTree(false);
    if (!ready)
    {
        if (onEarth())
            (void)chooseForChecks(earthLibrary_->choice());
        else
            (void)choosePrograms(false, before, terrain_ && detail);
        return ready;
    }
    if (!context_.info().software) made->setAnisotropy(kAnisotropy);
    drop();
    terrain_.emplace(std::move(*made));
    shaderHash_ = library_.sourceHash();
    checks_.forgetFrame();
    lightDone_ = false;
    return Status::ok();
}

// Creates the programs and uniform buffers of the Earth on first use.
Status Renderer::prepareEarth()
{
    if (!earthBlocks_)
    {
        Result<EarthBlocks> blocks = EarthBlocks::create();
        if (!blocks) return blocks.error();
        earthBlocks_.emplace(std::move(*blocks));
    }
    if (earthLibrary_) return Status::ok();
    const ShaderDialect dialect = library_.dialect();
    earthLibrary_.emplace(root_, dialect);
    earthLibrary_->choose(choiceOf(true, true, false));
    makePool_ = poolTree(*earthLibrary_, context_.info());
    earthDrawing_.emplace(root_, dialect, World::kEarth);
    earthDrawing_->choose(choiceOf(true, true, false));
    return Status::ok();
}

// Replaces the triangulation by that of the other world, with the current settings.
Status Renderer::takeTree(bool earth)
{
    const int depth = earth ? settings_.earth.depth : settings_.cbt.depth;
    const MakeTriangulation& make = earth ? makePool_ : makeTree_;
    Result<std::unique_ptr<Triangulation>> tree = make(context_.limits(), depth, settings_.cbt.leafCapacity);
    if (!tree) return tree.error();
    drop();
    tree_ = std::move(*tree);
    return Status::ok();
}

Status Renderer::setEarth(std::shared_ptr<TileCache> tiles)
{
    if (Status s = prepareEarth(); !s) return s;
    Result<TiledHeights> heights = TiledHeights::createOnEarth(context_.limits(), std::move(tiles));
    if (!heights) return heights.error();
    Result<TerrainGpu> made = TerrainGpu::createOnEarth(std::make_unique<TiledHeights>(std::move(*heights)));
    if (!made) return made.error();
    const bool before = onEarth(), detail = settings_.detailShown();
    Status ready = detail ? made->prepareDetail() : Status::ok();
    if (ready) ready = choosePrograms(true, true, detail);
    if (ready) ready = earthDrawing_->prepare(settings_, &*made);
    if (ready && !before) ready = takeTree(true);
    if (!ready)
    {
        if (!before) (void)chooseForChecks(library_.choice());
        shaderHash_ = programs().sourceHash();
        return ready;
    }
    drop();
    terrain_.emplace(std::move(*made));
    drawing_.clearBorder();
    checks_.forgetFrame();
    lightDone_ = true;
    shaderHash_ = programs().sourceHash();
    before_.reset();
    restart();
    return Status::ok();
}

Status Renderer::setImage(const DrapedPicture* draped)
{
    assert(!onEarth() && "images are draped over a plane");
    const std::shared_ptr<const DrapedImage> before = terrain_->image();
    std::shared_ptr<const DrapedImage> image;
    if (draped)
    {
        Result<DrapedImage> made = DrapedImage::create(context_, *draped);
        if (!made) return made.error();
        image = std::make_shared<const DrapedImage>(std::move(*made));
    }
    terrain_->setImage(std::move(image));
    const Status prepared = drawing_.prepare(settings_, &*terrain_);
    if (!prepared) terrain_->setImage(before);
    drop();
    return prepared;
}

}  // namespace orogen::app
