// Patch that each leaf is drawn as (core/leb/patch.h), for indexed instanced drawing.  All three edges have 2^level
// segments, so leaves that share an edge share its vertices.
#pragma once

#include "app/gl/objects.h"

namespace orogen::app {

class PatchMesh
{
public:
    PatchMesh() = default;                       // empty: must not be bound
    static Result<PatchMesh> create(int level);  // level: 0 .. 6; error kLimit: out of memory

    int level() const { return level_; }
    // Binds the buffers for passes that check them: points of four bytes, indices in pairs.
    void bindForChecks() const;
    void bind() const;  // attribute 0: uvec2 weights of the second and third corner; 16-bit indices

private:
    VertexArray array_;
    Buffer points_, indices_;
    int level_ = -1;
};

}  // namespace orogen::app
