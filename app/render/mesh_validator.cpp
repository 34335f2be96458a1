#include "app/render/mesh_validator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/leb/cube_leaf.h"
#include "core/leb/leb.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {
namespace {

using gpu::MeshCheck;

constexpr std::array<const char*, gpu::kFaultKinds> kFaultNames = {"T-junction",
                                                                   "hole",
                                                                   "overlap",
                                                                   "crack",
                                                                   "leaf turned the wrong way",
                                                                   "height that is not finite",
                                                                   "drawn leaf that is not in the tree",
                                                                   "faulty patch",
                                                                   "link to a leaf that is not there"};

std::string describePlace(const MeshCheck& check)
{
    if (check.firstLeaf[0] == 0) return {};
    const leb::CubeLeaf leaf{std::int32_t(check.firstLeaf[1]), std::int32_t(check.firstLeaf[2]), check.firstLeaf[3]};
    const leb::LeafId id = check.firstLeaf[4] | leb::LeafId(check.firstLeaf[5]) << 32;
    const leb::CubeTriangle t = leb::cornersOf(leaf);
    const auto mean = [](double a, double b, double c) { return (a + b + c) / 3; };
    const FacePlace middle{leaf.face(), {mean(t.apex.x, t.left.x, t.right.x), mean(t.apex.y, t.left.y, t.right.y)}};
    const Geodetic place = geodeticOf(onEllipsoid(scaledDirection(middle)));
    return fmt::format(" at leaf {:#x} of depth {}, {:.6f} degrees north, {:.6f} east", id, leaf.depth(),
                       place.latitude, place.longitude);
}

void finishPass() { glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT); }

}  // namespace

MeshValidator::MeshValidator(ShaderLibrary& library)
    : library_(&library), visible_(library.add("mesh, drawn leaves", {"shaders/mesh_visible.comp"})),
      leaves_(library.add("mesh, leaves", {"shaders/mesh_leaves.comp"})),
      patch_(library.add("mesh, patch", {"shaders/mesh_patch.comp"})),
      judge_(library.add("mesh, verdict", {"shaders/mesh_judge.comp"})),
      locate_(library.add("mesh, places", {"shaders/mesh_locate.comp"}))
{
}

Result<MeshValidator> MeshValidator::create(ShaderLibrary& library)
{
    MeshValidator made(library);
    Result<ReadbackRing> readback = ReadbackRing::create("mesh verdicts", sizeof(MeshCheck));
    if (!readback) return readback.error();
    made.readback_ = std::move(*readback);
    Result<Buffer> check = makeBuffer("mesh check", sizeof(MeshCheck), GL_DYNAMIC_STORAGE_BIT);
    if (!check) return check.error();
    made.check_ = std::move(*check);
    return made;
}

void MeshValidator::clear() const
{
    MeshCheck nothing{};
    std::fill(std::begin(nothing.firstNumber), std::end(nothing.firstNumber), 0xffffffffu);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glNamedBufferSubData(check_.id(), 0, sizeof nothing, &nothing);
    glClearNamedBufferData(drawnBits_.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

Status MeshValidator::check(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame)
{
    // Leaf numbers are < mostLeaves(), pool slots < the next power of two.
    const std::uint64_t bytes = 4 * (std::bit_ceil(std::uint64_t(tree.mostLeaves())) / 32 + 1);
    if (drawnBits_.bytes() != bytes)
    {
        Result<Buffer> bits = makeBuffer("drawn leaves, a bit each", bytes);
        if (!bits) return bits.error();
        drawnBits_ = std::move(*bits);
    }
    clear();
    const auto bindOwn = [&] {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kDrawnBitsBinding, drawnBits_.id());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kMeshCheckBinding, check_.id());
    };
    tree.bindForChecks();
    patch.bindForChecks();  // at bindings shared with the leaf buffers
    bindOwn();
    use(patch_);
    glDispatchCompute(1, 1, 1);
    tree.bindForChecks();
    bindOwn();
    use(visible_);
    tree.dispatchOverLeaves();
    finishPass();
    use(leaves_);
    tree.dispatchOverLeaves();
    finishPass();
    use(judge_);
    glUniform1ui(0, 0);
    glDispatchCompute(1, 1, 1);
    finishPass();
    use(locate_);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, check_.id());
    glDispatchComputeIndirect(offsetof(MeshCheck, locateGroups));
    finishPass();
    use(judge_);
    glUniform1ui(0, 1);
    glDispatchCompute(1, 1, 1);
    finishPass();
    readback_.enqueue(check_.id(), 0, frame);
    tree.bindForChecks();  // restores the bindings for passes over the tree
    return Status::ok();
}

std::optional<MeshVerdict> MeshValidator::poll(double squareSide, std::uint64_t nanoseconds)
{
    const std::optional<Readback> arrived = readback_.poll(nanoseconds);
    if (!arrived) return std::nullopt;
    MeshCheck check;
    std::memcpy(&check, arrived->data.data(), sizeof check);
    return MeshVerdict{.frame = arrived->frame,
                       .faults = std::accumulate(std::begin(check.faults), std::end(check.faults), std::uint64_t(0)),
                       .first = describeFault(check, squareSide)};
}

std::string describeFault(const MeshCheck& check, double squareSide)
{
    const auto kind = std::size_t(std::ranges::find_if(check.faults, [](auto n) { return n > 0; }) - check.faults);
    if (kind >= gpu::kFaultKinds) return {};
    const std::string what = fmt::format("{} ({} of this kind)", kFaultNames[kind], check.faults[kind]);
    if (check.earth != 0) return what + describePlace(check);
    const NodeId node = check.firstNode[kind];
    if (node < 2) return what;
    const leb::Triangle t = leb::vertices(node);
    const auto metres = [&](double a, double b, double c) {
        return ((a + b + c) / (3.0 * leb::kSide) - 0.5) * squareSide;
    };
    return fmt::format("{} at leaf {:#x} of depth {}, {:.1f} m east, {:.1f} m north", what, node, depthOf(node),
                       metres(t.apex.x, t.base0.x, t.base1.x), metres(t.apex.y, t.base0.y, t.base1.y));
}

}  // namespace orogen::app
