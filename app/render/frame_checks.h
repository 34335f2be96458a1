// Measurements and validation of a drawn frame: errors and jumps per pixel, and the faults of the mesh.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/drawn_frame.h"
#include "app/render/drawn_mesh.h"
#include "app/render/triangulation.h"
#include "app/render/world.h"
#include "core/frames/sample/frame_record.h"
#include "core/terrain/raster/height_field.h"
#include "core/view/camera.h"

namespace orogen::app {

// GPU measurement of one number per pixel that shows ground, from the picture's depth: maximum, 99th percentile, mean.
class PixelTally
{
public:
    // Creates a measurement.  `shader`: measuring program (shaders/checks/ground_points.glsl).  `library` must outlive
    // this object and finish before measure().  Error kLimit: out of memory.
    static Result<PixelTally> create(ShaderLibrary& library, const std::string& name, const std::string& shader);

    // Runs one thread per pixel.  The shader's other inputs must be bound.  `before`: camera of the frame that the
    // shader compares with.
    void measure(const PictureView& picture, const RenderWorld& world, std::uint64_t frame,
                 const std::optional<Camera>& before = {});

    // Returns the oldest figures that have not been returned; empty if they do not arrive within `nanoseconds`.
    std::optional<PixelFigures> poll(std::uint64_t nanoseconds = 0);
    int inFlight() const { return readback_.inFlight(); }
    std::uint64_t bytes() const { return tally_.bytes() + view_.bytes(); }

private:
    PixelTally() = default;
    void bindPicture(const PictureView& picture, const RenderWorld& world, const std::optional<Camera>& before);

    const ShaderLibrary* library_ = nullptr;
    ProgramHandle single_{}, multisampled_{};
    Buffer view_, tally_;
    ReadbackRing readback_;
};

// Evaluates a tally as written by the GPU.  The maximum is exact.  If all values are between 2^-10 and 2^8, percentile
// and mean are within 0.4 %: each value counts as the middle of its histogram bin.  Smaller values count as 0.  99 % of
// the pixels or more lie in the percentile's bin or below it.
PixelFigures figuresOf(const gpu::PixelTally& tally, const std::uint32_t* bins);

// Validator of the drawn mesh: finds T-junctions, holes, overlaps, cracks, wrong orientation and inconsistent data.
//
// Runs on the GPU over all leaves of the tree, the list of drawn leaves, and the patch.  shaders/checks/mesh_check.glsl
// has the tests and the argument why they suffice.  The result for a frame (verdict) is read back asynchronously.  The
// cost is about that of the vertices of the whole tree; the buffers hold one or two bits per possible leaf and some
// words.
class MeshValidator
{
public:
    // Creates a validator.  `library` must outlive this object and finish before check().  Error kLimit: out of memory.
    static Result<MeshValidator> create(ShaderLibrary& library);

    // Checks the tree as the last culling left it; the uniforms and textures of its frame must be bound.  The verdict
    // is lost if the readback ring is full.  Error kLimit: out of memory for a tree of this capacity.
    Status check(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame);

    // Returns the oldest verdict that has not been returned; empty if it does not arrive within `nanoseconds`.
    // `squareSide`: side of a planar terrain's square (metres), for the fault's place.
    std::optional<MeshVerdict> poll(double squareSide, std::uint64_t nanoseconds = 0);
    int inFlight() const { return readback_.inFlight(); }

    std::uint64_t bytes() const { return check_.bytes() + drawnBits_.bytes(); }

private:
    explicit MeshValidator(ShaderLibrary& library);
    void clear() const;
    void use(ProgramHandle program) const { glUseProgram(library_->program(program)); }

    const ShaderLibrary* library_;
    ProgramHandle visible_, leaves_, patch_, judge_, locate_;
    Buffer check_, drawnBits_;
    ReadbackRing readback_;
};

// Returns kind, count and place of the first fault as text; empty if there is none.
std::string describeFault(const gpu::MeshCheck& check, double squareSide);

// Triangles in view of the last frame, and its camera.
struct DrawnTriangles
{
    Camera camera;
    std::vector<DrawnTriangle> triangles;
};

// All checks.  Programs and buffers are created on first use, in a separate shader library.  So a run without checks
// has no cost, and its shader hash does not depend on the checks.  Figures go to `stats`.  Errors: kLimit, and those of
// ShaderLibrary::finish().
class FrameChecks
{
public:
    FrameChecks(std::filesystem::path dataRoot, const RenderWorld& world, FrameRecord& stats, LastFrame lastFrame)
        : root_(std::move(dataRoot)), world_(&world), stats_(stats), lastFrame_(std::move(lastFrame))
    {
    }

    // Turns validation of every frame's mesh on or off.  Verdicts also go to their frames' records.
    Status validateEachFrame(bool on);
    bool validating() const { return validating_; }
    // Validates the mesh of the last frame and waits for the verdict.  Error kLimit also if the driver does not answer.
    Result<MeshVerdict> validateNow();

    // Measures the error against the elevation model in every frame whose number is a multiple of `frames` (0: never).
    Status measureErrorsEvery(int frames);
    int errorPeriod() const { return errorPeriod_; }
    Status prepareErrors();  // compiles now what the first measurement needs
    // Measures the error of the last drawn frame, and waits.  Draws the picture of that frame again.
    Result<PixelFigures> measureErrorNow();
    // Measures the error by brute force on the CPU: a ray per pixel against every drawn triangle (ground_judge.h).
    // `field`: heights of a terrain in one image.  Waits, some seconds for a large picture.
    Result<PixelFigures> judgeErrorNow(const HeightField& field);
    // Returns the triangles of the last frame, in metres relative to its camera, along the axes of the ground there.
    // Waits for the GPU.
    Result<DrawnTriangles> drawnTriangles();

    // Turns measurement of jumps on or off: how far a frame's ground lies above or below that of the previous frame
    // (pixels).
    Status measureJumps(bool on);
    bool measuringJumps() const { return measuringJumps_; }
    // Returns the largest jump since the last call or the start of measuring, and waits; empty if none was measured.
    std::optional<double> takeLargestJump();

    // ---- for the renderer ------------------------------------------------------------------------------------------
    void measureErrorOnce() { errorOnce_ = errorPeriod_ > 0; }  // in the next frame, unless the period is 0
    bool measures(std::uint64_t frame) const;                   // whether afterDraw() has work in that frame
    // Validates the mesh of frame `frame`.  An error stops validation.
    Status validate(const Triangulation& tree, const PatchMesh& patch, double squareSide, std::uint64_t frame);
    // Measures a drawn frame with about `leaves` leaves in view.  Its uniforms and the terrain's uniforms and textures
    // must be bound; storage bindings are undefined afterwards.  An error stops the measurements.
    void afterDraw(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch, std::uint64_t leaves,
                   std::uint64_t frame);
    void forgetFrame() { before_.reset(); }  // the next frame is not compared with an earlier one
    void forgetFigures(std::uint64_t from);  // empties the figures in `stats`, which then ignores frames before `from`
    // Takes the figures that have arrived, and waits for each of the others at most `nanoseconds`.
    void collect(FrameHistory* history, std::uint64_t nanoseconds = 0);
    int errorsInFlight() const { return errors_ ? errors_->inFlight() : 0; }
    int inFlight() const;  // results that have not arrived: the largest number among mesh, error and jump

    // Selects the variants of a world's programs, see ShaderLibrary::choose().
    Status choose(const RenderWorld& world);
    const RenderWorld& world() const { return *world_; }
    ReloadReport reloadShaders() { return library_ ? library_->reload() : ReloadReport{}; }
    std::uint64_t bytes() const;

private:
    ShaderLibrary& library();
    Status prepareValidation();
    Status prepare(std::optional<PixelTally>& tally, const char* name, const char* shader);
    bool measuresError(std::uint64_t frame) const;

    std::filesystem::path root_;
    const RenderWorld* world_;
    FrameRecord& stats_;
    LastFrame lastFrame_;
    std::unique_ptr<ShaderLibrary> library_;
    std::optional<MeshValidator> validator_;
    std::optional<PixelTally> errors_;
    std::optional<PixelTally> jumps_;
    std::optional<DrawnMesh> mesh_;      // mesh lists, for errors, jumps and drawnTriangles()
    std::optional<Camera> before_;       // camera of the frame that the next one is compared with
    std::optional<double> largestJump_;  // since takeLargestJump()
    bool validating_ = false, measuringJumps_ = false;
    int errorPeriod_ = 0;
    bool errorOnce_ = false;
    double squareSide_ = 0;          // side of the terrain's square in the last validated frame (metres)
    std::uint64_t figuresFrom_ = 0;  // first frame whose figures go to `stats`
};

}  // namespace orogen::app
