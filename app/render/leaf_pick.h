// Asks the tree on the GPU for the leaf over a point; the answer comes some frames later and is never waited for.
#pragma once

#include <cstdint>
#include <optional>

#include <glm/vec2.hpp>

#include "app/gl/readback.h"
#include "app/gl/shader_library.h"
#include "app/render/triangulation.h"
#include "core/cbt/cbt.h"
#include "core/leb/cube_leaf.h"

namespace orogen::app {

struct LeafAnswer
{
    std::uint64_t question = 0;
    NodeId node = 0;  // heap index; of the implicit tree
    int depth = 0;
    double errorPixels = 0;  // as the criterion `error` judges the leaf
    double edgePixels = 0;   // as `edge` does: the longest edge of a triangle that is drawn
    leb::LeafId id = 0;      // of the pool; 0: no leaf lies there
};

class LeafPick
{
public:
    // `library` must outlive it and finish before ask().  Error kLimit: out of memory.
    static Result<LeafPick> create(ShaderLibrary& library);

    // `point` on the draw lattice, within the square; uniforms and textures of frame and terrain must be bound.  One
    // thread, some thirty dependent reads.  Nothing is asked while four answers are on their way.
    void ask(const Triangulation& tree, glm::ivec2 point, std::uint64_t question);
    // Of the pool, whose leaves all are looked at.
    void ask(const Triangulation& tree, const CubePlace& point, std::uint64_t question);
    std::optional<LeafAnswer> poll(std::uint64_t nanoseconds = 0);
    int inFlight() const { return readback_.inFlight(); }
    std::uint64_t bytes() const { return answer_.bytes(); }

private:
    LeafPick() = default;
    void begin(const Triangulation& tree) const;
    void finish(const Triangulation& tree, std::uint64_t question);

    const ShaderLibrary* library_ = nullptr;
    ProgramHandle program_{};
    Buffer answer_;
    ReadbackRing readback_;
};

}  // namespace orogen::app
