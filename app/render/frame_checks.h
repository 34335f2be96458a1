// Measurements and validation of a drawn frame: errors and jumps per pixel, and the faults of the mesh.  They change
// nothing in the frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/readback.h"
#include "app/gl/shader_library.h"
#include "app/render/drawn_mesh.h"
#include "app/render/render_target.h"
#include "app/render/terrain_gpu.h"
#include "app/render/triangulation.h"
#include "core/frames/sample/frame_stats.h"
#include "core/view/camera.h"

namespace orogen::app {

// A drawn picture and the camera that its depth refers to.
struct PictureView
{
    const RenderTarget& target;
    const TerrainGpu& terrain;
    Camera camera;
    double nearPlane = 0;  // metres
};

// GPU measurement of one number per ground pixel of a picture, from its depth: maximum, 99th percentile and mean.
class PixelTally
{
public:
    // `shader`: measuring program (shaders/checks/ground_points.glsl).  `library` must outlive this object and finish
    // before measure().  Error kLimit: out of memory.
    static Result<PixelTally> create(ShaderLibrary& library, const std::string& name, const std::string& shader);

    // Runs one thread per pixel.  The shader's other inputs must be bound.  `before`: camera of the frame to compare
    // with.
    void measure(const PictureView& picture, std::uint64_t frame, const std::optional<Camera>& before = {});

    // Returns figures, oldest first; waits at most `nanoseconds`.
    std::optional<PixelFigures> poll(std::uint64_t nanoseconds = 0);
    int inFlight() const { return readback_.inFlight(); }
    std::uint64_t bytes() const { return tally_.bytes() + view_.bytes(); }

private:
    PixelTally() = default;
    void bindPicture(const PictureView& picture, const std::optional<Camera>& before);

    const ShaderLibrary* library_ = nullptr;
    ProgramHandle single_{}, multisampled_{};
    Buffer view_, tally_;
    ReadbackRing readback_;
};

// Evaluates a tally as written by the GPU.  The maximum is exact, the others are within 0.4 %, as the middle of a bin
// stands for its values.  The percentile is the smallest value that 99 % of the pixels do not exceed.
PixelFigures figuresOf(const gpu::PixelTally& tally, const std::uint32_t* bins);

// Validator of the drawn mesh: no T-junctions, holes, overlaps or cracks, and correct orientation of every triangle.
//
// Runs on the GPU over all leaves of the tree, the list of drawn leaves, and the patch.  shaders/checks/mesh_check.glsl
// has the tests and the argument why they suffice.  Results are read back asynchronously.  The cost is about that of
// the vertices of the whole tree; the buffers hold a bit per leaf and some words.
class MeshValidator
{
public:
    // `library` must outlive this object and finish before check().  Error kLimit: out of memory.
    static Result<MeshValidator> create(ShaderLibrary& library);

    // Checks the tree as the last culling left it; the uniforms and textures of its frame must be bound.  Skips the
    // frame if the readback ring is full.  Error kLimit: out of memory for a tree of this capacity.
    Status check(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame);

    // Returns verdicts, oldest first; waits at most `nanoseconds`.  `squareSide`: metres, for places on planar terrain.
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

// All checks.  Programs and buffers are created on first use, in a separate library: a run without checks pays nothing
// for them and keeps its shader hash.
class FrameChecks
{
public:
    FrameChecks(std::filesystem::path dataRoot, ShaderDialect dialect) : root_(std::move(dataRoot)), dialect_(dialect)
    {
    }

    // Creates the validator.  Errors: kShader, kLimit.
    Status prepareValidation();
    void validateEachFrame(bool on) { validating_ = on && validator_.has_value(); }
    bool validating() const { return validating_; }
    // Validates the mesh of frame `frame`.  An error stops validation and is returned by takeError().
    void validate(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame);
    std::optional<MeshVerdict> pollVerdict(double squareSide, std::uint64_t nanoseconds = 0);
    int verdictsInFlight() const { return validator_ ? validator_->inFlight() : 0; }

    // Create the programs and buffers of a measurement.  Errors: kShader, kLimit.
    Status prepareErrors();
    Status prepareJumps();
    void measureErrorsEvery(int frames) { errorPeriod_ = errors_ ? frames : 0; }  // 0: off
    int errorPeriod() const { return errorPeriod_; }
    void measureJumps(bool on);
    bool measuringJumps() const { return measuringJumps_; }
    void measureErrorOnce() { errorOnce_ = errorPeriod_ > 0; }  // in the next frame, unless the period is 0
    bool measures(std::uint64_t frame) const;                   // whether afterDraw() has work in that frame
    // Measures a drawn frame with about `leaves` leaves in view.  Its uniforms and the terrain's uniforms and textures
    // must be bound; storage bindings are undefined afterwards.  An error stops the measurements and is returned by
    // takeError().
    void afterDraw(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch, std::uint64_t leaves,
                   std::uint64_t frame);
    // Measures the error only, immediately and regardless of the period.  Requires prepareErrors().  Error kLimit.
    Status measureError(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                        std::uint64_t leaves, std::uint64_t frame);
    // Returns the triangles of the drawn frame.  Same requirements as measureError(); waits for the GPU.  Error kLimit.
    Result<std::vector<DrawnTriangle>> readMesh(const Triangulation& tree, const PatchMesh& patch,
                                                std::uint64_t leaves);
    void forgetFrame();  // the next frame is not compared with an earlier one
    std::optional<PixelFigures> pollErrors(std::uint64_t nanoseconds = 0);
    std::optional<PixelFigures> pollJumps(std::uint64_t nanoseconds = 0);
    int errorsInFlight() const { return errors_ ? errors_->inFlight() : 0; }
    int jumpsInFlight() const { return jumps_ ? jumps_->inFlight() : 0; }

    std::optional<Error> takeError() { return std::exchange(error_, std::nullopt); }
    // See ShaderLibrary::choose().  Error kShader.
    Status choose(std::vector<ShaderDefine> choice);
    ReloadReport reloadShaders();
    std::uint64_t bytes() const;

private:
    ShaderLibrary& library();
    Status prepare(std::optional<PixelTally>& tally, const char* name, const char* shader);
    bool measuresError(std::uint64_t frame) const;

    std::filesystem::path root_;
    ShaderDialect dialect_;
    std::unique_ptr<ShaderLibrary> library_;
    std::vector<ShaderDefine> choice_;
    std::optional<MeshValidator> validator_;
    std::optional<PixelTally> errors_;
    std::optional<PixelTally> jumps_;
    std::optional<DrawnMesh> mesh_;  // mesh lists, used by both measurements
    std::optional<Camera> before_;   // camera of the frame that the next one is compared with
    bool validating_ = false, measuringJumps_ = false;
    int errorPeriod_ = 0;
    bool errorOnce_ = false;
    std::optional<Error> error_;
};

}  // namespace orogen::app
