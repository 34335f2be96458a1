// The patch that a leaf is drawn as (core/leb/patch.h), for indexed instanced drawing.  All three edges are cut into
// 2^level parts, so that leaves that share an edge share its points.
#pragma once

#include "app/gl/objects.h"

namespace orogen::app {

class PatchMesh
{
public:
    PatchMesh() = default;                       // of no level: not to be bound
    static Result<PatchMesh> create(int level);  // 0 .. 6; error kLimit: out of memory

    int level() const { return level_; }
    // The same buffers for a pass that checks them: points of four bytes, indices in pairs.
    void bindForChecks() const;
    void bind() const;  // attribute 0: uvec2 weights of the second and third corner; 16-bit indices

private:
    VertexArray array_;
    Buffer points_, indices_;
    int level_ = -1;
};

}  // namespace orogen::app
