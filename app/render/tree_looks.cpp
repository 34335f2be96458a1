#include "app/render/tree_looks.h"

#include <algorithm>
#include <cmath>

namespace orogen::app {
namespace {

constexpr int kDrawLatticeSide = 1 << (gpu::kLeafLatticeBits + gpu::kPatchBits);

glm::dvec2 onDrawLattice(const TerrainGpu& terrain, glm::dvec2 place)
{
    return (place / terrain.squareSide() + 0.5) * double(kDrawLatticeSide);
}

}  // namespace

ShaderLibrary& TreeLooks::library()
{
    if (library_) return *library_;
    library_ = std::make_unique<ShaderLibrary>(root_, dialect_);
    library_->choose(choice_);
    return *library_;
}

Status TreeLooks::choose(std::vector<ShaderDefine> choice)
{
    choice_ = std::move(choice);
    if (!library_) return Status::ok();
    library_->choose(choice_);
    return library_->finish();
}

Status TreeLooks::preparePick()
{
    if (pick_) return Status::ok();
    Result<LeafPick> made = LeafPick::create(library());
    if (!made) return made.error();
    if (Status s = library().finish(); !s) return s;
    pick_.emplace(std::move(*made));
    return Status::ok();
}

Status TreeLooks::askLeaf(const Triangulation& tree, const TerrainGpu& terrain, glm::dvec2 place,
                          std::uint64_t question)
{
    if (Status s = preparePick(); !s) return s;
    const glm::dvec2 point = onDrawLattice(terrain, place);
    const auto whole = [](double value) { return std::clamp(int(std::floor(value)), 0, kDrawLatticeSide - 1); };
    pick_->ask(tree, glm::ivec2(whole(point.x), whole(point.y)), question);
    return Status::ok();
}

Status TreeLooks::askLeafOnEarth(const Triangulation& tree, const glm::dvec3& position, std::uint64_t question)
{
    if (Status s = preparePick(); !s) return s;
    const FacePlace place = facePlaceOf(scaledDirectionUnder(position));
    const auto whole = [](double value) { return std::clamp(std::int32_t(std::floor(value)), 0, kCubeSide - 1); };
    pick_->ask(tree, CubePlace{place.face, whole(place.at.x), whole(place.at.y)}, question);
    return Status::ok();
}

std::optional<LeafAnswer> TreeLooks::takeLeaf(std::uint64_t nanoseconds)
{
    return pick_ ? pick_->poll(nanoseconds) : std::nullopt;
}

Status TreeLooks::drawTopView(const Triangulation& tree, const TerrainGpu& terrain, glm::dvec2 corner, double step,
                              int side)
{
    if (!top_)
    {
        TopView made = TopView::create(library());
        if (Status s = library().finish(); !s) return s;
        top_.emplace(std::move(made));
    }
    const double unit = terrain.squareSide() / kDrawLatticeSide;
    return top_->draw(tree, {onDrawLattice(terrain, corner), step / unit, side});
}

}  // namespace orogen::app
