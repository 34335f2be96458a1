// What looks at a frame that was drawn and changes nothing in it.  Programs and buffers are made when they are first
// asked for, from a library of their own: a program that never checks neither pays for it nor has another shader hash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/render/mesh_validator.h"

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
    void validate(const LodTree& tree, const PatchMesh& patch, std::uint64_t frame);
    std::optional<MeshVerdict> pollVerdict(double squareSide, std::uint64_t nanoseconds = 0);
    int verdictsInFlight() const { return validator_ ? validator_->inFlight() : 0; }

    std::optional<Error> takeError() { return std::exchange(error_, std::nullopt); }
    ReloadReport reloadShaders();
    std::uint64_t bytes() const { return validator_ ? validator_->bytes() : 0; }

private:
    ShaderLibrary& library();

    std::filesystem::path root_;
    ShaderDialect dialect_;
    std::unique_ptr<ShaderLibrary> library_;
    std::optional<MeshValidator> validator_;
    bool validating_ = false;
    std::optional<Error> error_;
};

}  // namespace orogen::app
