// Measurements and validation of a drawn frame.  They change nothing in the frame.  Programs and buffers are created
// on first use, in a separate library: a run without checks pays nothing for them and keeps its shader hash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/render/drawn_mesh.h"
#include "app/render/mesh_validator.h"
#include "app/render/pixel_tally.h"

namespace orogen::app {

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
    void measureErrorOnce() { errorOnce_ = errorPeriod_ > 0; }  // in the next frame, whatever the period
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
