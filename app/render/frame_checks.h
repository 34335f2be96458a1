// What looks at a frame that was drawn and changes nothing in it.  Programs and buffers are made when they are first
// asked for, from a library of their own: a program that never checks neither pays for it nor has another shader hash.
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

    // Makes what validating needs; errors kShader, kLimit.
    Status prepareValidation();
    void validateEachFrame(bool on) { validating_ = on && validator_.has_value(); }
    bool validating() const { return validating_; }
    // An error of check() ends validating; takeError() has it.
    void validate(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame);
    std::optional<MeshVerdict> pollVerdict(double squareSide, std::uint64_t nanoseconds = 0);
    int verdictsInFlight() const { return validator_ ? validator_->inFlight() : 0; }

    // Make what measuring needs; errors kShader, kLimit.
    Status prepareErrors();
    Status prepareJumps();
    void measureErrorsEvery(int frames) { errorPeriod_ = errors_ ? frames : 0; }  // 0: not
    int errorPeriod() const { return errorPeriod_; }
    void measureJumps(bool on);
    bool measuringJumps() const { return measuringJumps_; }
    void measureErrorOnce() { errorOnce_ = errorPeriod_ > 0; }  // in the next frame, whatever its number
    bool measures(std::uint64_t frame) const;                   // whether afterDraw() has anything to do in it
    // After a picture was drawn, with about so many leaves in view; its uniforms, and the terrain's with its textures,
    // must be bound.  As validate(); other bindings of storage are not as before.
    void afterDraw(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch, std::uint64_t leaves,
                   std::uint64_t frame);
    // Measures the error alone, at once, whatever afterDraw() would measure.  prepareErrors() must have been called.
    // Error kLimit.
    Status measureError(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                        std::uint64_t leaves, std::uint64_t frame);
    // The triangles of the picture that was drawn; likewise, and waits for the GPU.  Error kLimit.
    Result<std::vector<DrawnTriangle>> readMesh(const Triangulation& tree, const PatchMesh& patch,
                                                std::uint64_t leaves);
    void forgetFrame();  // the next frame is compared with none
    std::optional<PixelFigures> pollErrors(std::uint64_t nanoseconds = 0);
    std::optional<PixelFigures> pollJumps(std::uint64_t nanoseconds = 0);
    int errorsInFlight() const { return errors_ ? errors_->inFlight() : 0; }
    int jumpsInFlight() const { return jumps_ ? jumps_->inFlight() : 0; }

    std::optional<Error> takeError() { return std::exchange(error_, std::nullopt); }
    // As ShaderLibrary::choose().  Error kShader.
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
    std::optional<DrawnMesh> mesh_;  // that both go by
    std::optional<Camera> before_;   // of the frame that the next one is compared with
    bool validating_ = false, measuringJumps_ = false;
    int errorPeriod_ = 0;
    bool errorOnce_ = false;
    std::optional<Error> error_;
};

}  // namespace orogen::app
