// Inspection of the tree for the user: the leaf under the cursor and, for planar terrain, the top view.  Programs and
// buffers are created on first use, in a separate library (see FrameChecks).
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

    // Asks for the leaf at `place` (metres east and north of the terrain's centre, within its square).  Frame and
    // terrain uniforms and the terrain's textures must be bound.  Errors: kShader, kLimit.
    Status askLeaf(const Triangulation& tree, const TerrainGpu& terrain, glm::dvec2 place, std::uint64_t question);
    // The Earth: asks for the leaf below or above an earth-fixed position (metres).
    Status askLeafOnEarth(const Triangulation& tree, const glm::dvec3& position, std::uint64_t question);
    std::optional<LeafAnswer> takeLeaf(std::uint64_t nanoseconds = 0);
    bool leafAsked() const { return pick_ && pick_->inFlight() > 0; }

    // Draws the top view.  `corner`: north-western, metres; `step`: metres per pixel.  Bindings and errors as
    // askLeaf().
    Status drawTopView(const Triangulation& tree, const TerrainGpu& terrain, glm::dvec2 corner, double step, int side);
    GLuint topView() const { return top_ ? top_->texture() : 0; }

    // See ShaderLibrary::choose().  Error kShader.
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
