#include "app/render/patch_mesh.h"

#include <vector>

#include "core/gpu_layout.h"
#include "core/leb/patch.h"

namespace orogen::app {

Result<PatchMesh> PatchMesh::create(int level)
{
    std::vector<std::uint8_t> points;  // pairs, padded to the 4-byte alignment of vertex attributes
    for (const leb::PatchPoint point : leb::patchPoints(level))
        points.insert(points.end(), {point.towardsBase0, point.towardsBase1, 0, 0});
    std::vector<std::uint16_t> indices;
    for (const leb::PatchTriangle& t : leb::patchTriangles(level))
        for (const leb::PatchPoint point : {t.apex, t.base0, t.base1})
            indices.push_back(std::uint16_t(leb::patchPointNumber(point)));
    if (indices.size() % 2 != 0) indices.push_back(0);  // the mesh check reads pairs
    Result<Buffer> pointBuffer = makeBuffer("patch points", points.size(), 0, points.data());
    if (!pointBuffer) return pointBuffer.error();
    Result<Buffer> indexBuffer = makeBuffer("patch indices", indices.size() * sizeof indices[0], 0, indices.data());
    if (!indexBuffer) return indexBuffer.error();

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
    mesh.level_ = level;
    return mesh;
}

void PatchMesh::bindForChecks() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPatchPointsBinding, points_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPatchIndicesBinding, indices_.id());
}

void PatchMesh::bind() const { glBindVertexArray(array_.id()); }

}  // namespace orogen::app
