// What a user looks at of the tree beside its picture: the leaf under the cursor, and on a plane the triangulation from
// above.
// Programs and buffers are made when they are first asked for, from a library of their own, as FrameChecks does it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "app/render/leaf_pick.h"
#include "app/render/terrain_gpu.h"
#include "app/render/top_view.h"

namespace orogen::app {

class TreeLooks
{
public:
    TreeLooks(std::filesystem::path dataRoot, ShaderDialect dialect) : root_(std::move(dataRoot)), dialect_(dialect) {}

    // Frame and terrain uniforms and the terrain's textures must be bound.  `place`: metres east and north of the
    // terrain's centre, within its square.  Errors: kShader, kLimit.
    Status askLeaf(const Triangulation& tree, const TerrainGpu& terrain, glm::dvec2 place, std::uint64_t question);
    // On the Earth: under or over an earth-fixed position.
    Status askLeafOnEarth(const Triangulation& tree, const glm::dvec3& position, std::uint64_t question);
    std::optional<LeafAnswer> takeLeaf(std::uint64_t nanoseconds = 0);
    bool leafAsked() const { return pick_ && pick_->inFlight() > 0; }

    // `corner`: north-western one, metres; `step`: metres a pixel.  As askLeaf().
    Status drawTopView(const Triangulation& tree, const TerrainGpu& terrain, glm::dvec2 corner, double step, int side);
    GLuint topView() const { return top_ ? top_->texture() : 0; }

    // As ShaderLibrary::choose().  Error kShader.
    Status choose(std::vector<ShaderDefine> choice);
    ReloadReport reloadShaders() { return library_ ? library_->reload() : ReloadReport{}; }
    std::uint64_t bytes() const { return (pick_ ? pick_->bytes() : 0) + (top_ ? top_->bytes() : 0); }

private:
    ShaderLibrary& library();
    Status preparePick();

    std::filesystem::path root_;
    ShaderDialect dialect_;
    std::unique_ptr<ShaderLibrary> library_;
    std::vector<ShaderDefine> choice_;
    std::optional<LeafPick> pick_;
    std::optional<TopView> top_;
};

}  // namespace orogen::app
