#include "app/render/patch_mesh.h"

#include <vector>

namespace orogen::app {

Result<PatchMesh> PatchMesh::create(int level)
{
    const int n = 1 << level;
    std::vector<std::uint8_t> points;  // pairs, padded to 4 bytes: attributes want that alignment
    std::vector<std::uint16_t> indices;
    const auto at = [](int row, int column) { return std::uint16_t(row * (row + 1) / 2 + column); };
    for (int row = 0; row <= n; ++row)
        for (int column = 0; column <= row; ++column)
        {
            points.insert(points.end(), {std::uint8_t(row - column), std::uint8_t(column), 0, 0});
            if (row == n) continue;
            indices.insert(indices.end(), {at(row, column), at(row + 1, column), at(row + 1, column + 1)});
            if (column < row)
                indices.insert(indices.end(), {at(row, column), at(row + 1, column + 1), at(row, column + 1)});
        }
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

void PatchMesh::bind() const { glBindVertexArray(array_.id()); }

}  // namespace orogen::app
