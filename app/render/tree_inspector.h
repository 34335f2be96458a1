// Inspection of the tree for the user: the leaf under the cursor and the top view.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/drawn_frame.h"
#include "app/render/triangulation.h"
#include "core/planet/cube_lattice.h"

namespace orogen::app {

// Top view of the triangulation: a region of the ground with its leaves, in a texture for a panel.

// Square region of the ground, north up.  Its places are metres east and north of the terrain's centre on a plane.  On
// the Earth they are metres east and north of `origin`, along the axes there, as seen from far above.
struct TopPicture
{
    glm::dvec3 origin{0.0};  // earth-fixed position (metres); unused on a plane
    glm::dvec2 corner{0.0};  // north-western corner (metres)
    double step = 1;         // metres per pixel
    int side = 256;          // pixels
};

class TopView
{
public:
    virtual ~TopView() = default;

    // Draws the region; terrain uniforms and textures must be bound.  Error kLimit: no memory for the texture or for
    // buffers; texture() may then be undefined.
    Status draw(const DrawnFrame& frame, const TopPicture& region);
    GLuint texture() const { return picture_.id(); }                  // 0: nothing has been drawn yet
    virtual std::uint64_t bytes() const { return picture_.bytes(); }  // the texture and buffers

protected:
    explicit TopView(const ShaderLibrary& library) : library_(&library) {}
    virtual Status fill(const DrawnFrame& frame, const TopPicture& region) = 0;

    const ShaderLibrary* library_;
    ProgramHandle program_{};
    Texture picture_;
};

// Returns the view of the tree on a plane.  Costs one thread per pixel with some thirty dependent reads, whatever the
// number of leaves.  Adds its program to `library`, which must outlive the view and finish before draw().
std::unique_ptr<TopView> topViewOfPlane(ShaderLibrary& library);
// Returns the view of the pool on the Earth.  Its leaves have no order, so every leaf is drawn as a triangle, or as
// several if it is large.  Requires of `library` what topViewOfPlane() requires.
std::unique_ptr<TopView> topViewOfEarth(ShaderLibrary& library);

class RenderWorld;

struct LeafAnswer
{
    std::uint64_t question = 0;  // number that the caller gave to ask()
    int depth = 0;
    double errorPixels = 0;  // screen-space error, as the criterion `error` measures it
    double edgePixels = 0;   // longest edge of a drawn triangle, as the criterion `edge` measures it
    std::uint64_t id = 0;    // heap index in the implicit tree (plane), leb::LeafId in the pool (Earth); 0: none found
};

// Asynchronous query of the GPU tree for the leaf over a point.  The answer arrives some frames later without a wait.
class LeafPick
{
public:
    // `library` must outlive this object and finish before ask().  Error kLimit: out of memory.
    static Result<LeafPick> create(ShaderLibrary& library);

    // Asks for the leaf over a point of the draw lattice, within the square.  Frame and terrain uniforms and textures
    // must be bound.  Costs one thread with some thirty dependent reads.  While four answers are in flight, further
    // questions are dropped.
    void ask(const Triangulation& tree, glm::ivec2 point, std::uint64_t question);
    // Asks for the leaf over a point of the Earth.  Costs one thread per leaf of the pool.
    void ask(const Triangulation& tree, const CubePlace& point, std::uint64_t question);
    // Returns the oldest answer that has arrived, or nothing.  Waits at most `nanoseconds`.
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

// The two inspections (leaf under the cursor, top view) of the last drawn frame; call between frames.  Programs and
// buffers are created on first use.  The programs are in a separate ShaderLibrary, like those of FrameChecks.
// Errors: kLimit, and those of ShaderLibrary::finish().
class TreeInspector
{
public:
    TreeInspector(std::filesystem::path dataRoot, const RenderWorld& world, LastFrame lastFrame)
        : root_(std::move(dataRoot)), world_(&world), lastFrame_(std::move(lastFrame))
    {
    }

    // Asks for the leaf at a position: metres east and north of a plane's centre, or earth-fixed metres.
    Status askLeaf(const glm::dvec3& place, std::uint64_t question);
    std::optional<LeafAnswer> takeLeaf(std::uint64_t nanoseconds = 0);  // as LeafPick::poll()
    bool leafAsked() const { return pick_ && pick_->inFlight() > 0; }

    Status drawTopView(const TopPicture& region);
    GLuint topView() const { return top_ ? top_->texture() : 0; }

    // Inspects the tree of `world` from now on, with the variants of programs that `world` has chosen
    // (ShaderLibrary::choose()).
    Status choose(const RenderWorld& world);
    ReloadReport reloadShaders() { return library_ ? library_->reload() : ReloadReport{}; }
    std::uint64_t bytes() const { return (pick_ ? pick_->bytes() : 0) + (top_ ? top_->bytes() : 0); }

private:
    ShaderLibrary& library();

    std::filesystem::path root_;
    const RenderWorld* world_;
    LastFrame lastFrame_;
    std::unique_ptr<ShaderLibrary> library_;
    std::optional<LeafPick> pick_;
    std::unique_ptr<TopView> top_;
};

}  // namespace orogen::app
