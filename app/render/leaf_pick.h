// Asynchronous query of the GPU tree for the leaf over a point.  The answer arrives some frames later without a wait.
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
    NodeId node = 0;  // heap index, implicit tree only
    int depth = 0;
    double errorPixels = 0;  // measure of the criterion `error`
    double edgePixels = 0;   // measure of the criterion `edge`: the longest edge of a drawn triangle
    leb::LeafId id = 0;      // pool only; 0: no leaf found
};

class LeafPick
{
public:
    // `library` must outlive this object and finish before ask().  Error kLimit: out of memory.
    static Result<LeafPick> create(ShaderLibrary& library);

    // Asks for the leaf over a point of the draw lattice, within the square.  Frame and terrain uniforms and textures
    // must be bound.  Costs one thread with some thirty dependent reads.  Dropped while four answers are in flight.
    void ask(const Triangulation& tree, glm::ivec2 point, std::uint64_t question);
    // As above for the pool of bisectors.  Examines all leaves.
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
