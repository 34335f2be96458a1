#include "app/render/drawn_mesh.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>
#include <vector>

#include <glm/gtc/type_ptr.hpp>
#include <glm/vec4.hpp>

#include "core/gpu_layout.h"
#include "core/leb/leb.h"

namespace orogen::app {

namespace {

constexpr std::uint64_t kMostHeightBytes = 64u << 20;  // a million leaves at patch level 2

std::uint64_t pointsOf(int patchLevel)
{
    const std::uint64_t parts = std::uint64_t(1) << patchLevel;
    return (parts + 1) * (parts + 2) / 2;
}

// Returns the number of leaves whose heights the list of heights holds at a time.
std::uint32_t heldLeaves(int level, std::uint32_t leaves)
{
    const std::uint64_t unit = DrawRanges::kUnit, fit = kMostHeightBytes / (sizeof(float) * pointsOf(level));
    return std::uint32_t(std::min((std::uint64_t(leaves) + unit - 1) / unit, fit / unit) * unit);
}

// Returns the points as pointWeights() and pointEnd() of drawn_leaf.glsl read them.
std::vector<std::uint8_t> packedPoints(int level)
{
    std::vector<std::uint8_t> points;
    for (const leb::PatchPoint point : leb::patchPoints(level))
    {
        const leb::PatchOffset end = leb::patchEnd(point, level);
        points.insert(points.end(), {point.towardsBase0, point.towardsBase1, std::uint8_t(end.towardsBase0),
                                     std::uint8_t(end.towardsBase1)});
    }
    return points;
}

}  // namespace

std::uint64_t PatchMesh::heightBytes(int level, std::uint32_t leaves)
{
    return sizeof(float) * pointsOf(level) * std::max<std::uint64_t>(heldLeaves(level, leaves), 1);
}

Result<PatchMesh> PatchMesh::create(int level, std::uint32_t leaves)
{
    const std::vector<std::uint8_t> points = packedPoints(level);
    std::vector<std::uint16_t> indices;
    for (const leb::PatchTriangle& t : leb::patchTriangles(level))
        for (const leb::PatchPoint point : {t.apex, t.base0, t.base1})
            indices.push_back(std::uint16_t(leb::patchPointNumber(point)));
    if (indices.size() % 2 != 0) indices.push_back(0);  // pads: the mesh check reads two 16-bit indices at once
    Result<Buffer> pointBuffer = makeBuffer("patch points", points.size(), 0, points.data());
    if (!pointBuffer) return pointBuffer.error();
    Result<Buffer> indexBuffer = makeBuffer("patch indices", indices.size() * sizeof indices[0], 0, indices.data());
    if (!indexBuffer) return indexBuffer.error();
    Result<Buffer> heights = makeBuffer("heights of drawn vertices", heightBytes(level, leaves));
    if (!heights) return heights.error();

    PatchMesh mesh;
    mesh.array_ = makeVertexArray("patch");
    const GLuint array = mesh.array_.id();
    glVertexArrayVertexBuffer(array, 0, pointBuffer->id(), 0, 4);
    glEnableVertexArrayAttrib(array, 0);
    glVertexArrayAttribIFormat(array, 0, 2, GL_UNSIGNED_BYTE, 0);
    glVertexArrayAttribBinding(array, 0, 0);
    glVertexArrayElementBuffer(array, indexBuffer->id());
    mesh.points_ = std::move(*pointBuffer);
    mesh.indices_ = std::move(*indexBuffer);
    mesh.heights_ = std::move(*heights);
    mesh.level_ = level;
    mesh.leaves_ = leaves;
    mesh.leavesAtOnce_ = heldLeaves(level, leaves);
    return mesh;
}

void PatchMesh::bindForChecks() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPatchPointsBinding, points_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPatchIndicesBinding, indices_.id());
}

void PatchMesh::bind() const
{
    glBindVertexArray(array_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kVertexHeightsBinding, heights_.id());
}

void PatchMesh::bindHeights() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPatchPointsBinding, points_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kVertexHeightsBinding, heights_.id());
}

namespace {

constexpr std::uint64_t kLeastLeaves = 2048;

std::uint64_t mostRecords()
{
    GLint64 bytes = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
    return std::uint64_t(std::max<GLint64>(bytes, 1 << 24)) / sizeof(glm::uvec4);
}

}  // namespace

DrawnMesh::DrawnMesh(ShaderLibrary& library)
    : library_(&library), program_(library.add("drawn mesh", {"shaders/surface/drawn_mesh.comp"}))
{
}

Status DrawnMesh::prepare(Lists& lists, std::uint64_t leaves, std::uint64_t points)
{
    const std::uint64_t most = mostRecords() / (points + 1);
    const std::uint64_t wanted = std::min(std::max(leaves + leaves / 2, kLeastLeaves), most);
    if (lists.points == points && lists.leaves >= wanted && lists.leaves <= 8 * wanted) return Status::ok();
    const std::uint64_t held = std::min(std::bit_ceil(wanted), most);
    Result<Buffer> records = makeBuffer("drawn mesh, vertices", held * (points + 1) * sizeof(glm::uvec4));
    if (!records) return records.error();
    Result<Buffer> table =
        makeBuffer("drawn mesh, table", sizeof(std::uint32_t) * (gpu::kMeshTableHead + 2 * std::bit_ceil(held)));
    if (!table) return table.error();
    lists = {std::move(*records), std::move(*table), held, points};
    return Status::ok();
}

Status DrawnMesh::list(const Triangulation& tree, const PatchMesh& patch, std::uint64_t leaves, Parts parts)
{
    const std::uint64_t points = parts == Parts::kVertices ? pointsOf(patch.level()) : 0;
    if (Status s = prepare(now_, leaves, points); !s) return s;
    now_.patchLevel = patch.level();
    glClearNamedBufferData(now_.table.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    afterDispatch(GL_SHADER_STORAGE_BARRIER_BIT);
    tree.bindForDraw();
    patch.bindForChecks();
    bind();
    glUseProgram(library_->program(program_));
    glUniform1ui(0, GLuint(now_.leaves));
    glUniform1ui(1, GLuint(points));
    const std::uint64_t threads = now_.leaves * std::max<std::uint64_t>(points, 1);
    const std::uint64_t groups = (threads + gpu::kLeafGroupSize - 1) / gpu::kLeafGroupSize;
    const std::uint64_t across = std::min<std::uint64_t>(groups, gpu::kMaxGroupsX);
    glDispatchCompute(GLuint(across), GLuint((groups + across - 1) / across), 1);
    afterDispatch(GL_SHADER_STORAGE_BARRIER_BIT);
    return Status::ok();
}

void DrawnMesh::keep() { std::swap(now_, before_); }

void DrawnMesh::bind() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kMeshRecordsBinding, now_.records.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kMeshTableBinding, now_.table.id());
}

void DrawnMesh::bindBefore() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kMeshRecordsThenBinding, before_.records.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kMeshTableThenBinding, before_.table.id());
}

std::vector<DrawnTriangle> DrawnMesh::read() const
{
    assert(now_.points > 0 && "vertices were not listed");
    std::uint32_t leaves = 0;
    readBuffer(now_.table, 0, sizeof leaves, &leaves);
    const std::size_t stride = std::size_t(now_.points + 1);
    std::vector<glm::vec4> records(std::size_t(leaves) * stride);
    if (leaves > 0) readBuffer(now_.records, 0, records.size() * sizeof records[0], records.data());
    const std::vector<leb::PatchTriangle> pieces = leb::patchTriangles(now_.patchLevel);
    std::vector<DrawnTriangle> triangles;
    triangles.reserve(std::size_t(leaves) * pieces.size());
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
        for (const leb::PatchTriangle& piece : pieces)
        {
            const auto vertex = [&](leb::PatchPoint point) {
                return glm::vec3(records[leaf * stride + 1 + leb::patchPointNumber(point)]);
            };
            triangles.push_back({vertex(piece.apex), vertex(piece.base0), vertex(piece.base1)});
        }
    return triangles;
}

std::uint64_t DrawnMesh::bytes() const
{
    return now_.records.bytes() + now_.table.bytes() + before_.records.bytes() + before_.table.bytes();
}

}  // namespace orogen::app
