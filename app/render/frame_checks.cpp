#include "app/render/frame_checks.h"

#include <utility>

namespace orogen::app {

ShaderLibrary& FrameChecks::library()
{
    if (!library_) library_ = std::make_unique<ShaderLibrary>(root_, dialect_);
    return *library_;
}

Status FrameChecks::prepareValidation()
{
    if (validator_) return Status::ok();
    Result<MeshValidator> made = MeshValidator::create(library());
    if (!made) return made.error();
    if (Status s = library().finish(); !s) return s;
    validator_.emplace(std::move(*made));
    return Status::ok();
}

void FrameChecks::validate(const LodTree& tree, const PatchMesh& patch, std::uint64_t frame)
{
    if (const Status s = validator_->check(tree, patch, frame); !s)
    {
        error_ = s.error();
        validating_ = false;
    }
}

std::optional<MeshVerdict> FrameChecks::pollVerdict(double squareSide, std::uint64_t nanoseconds)
{
    return validator_ ? validator_->poll(squareSide, nanoseconds) : std::nullopt;
}

ReloadReport FrameChecks::reloadShaders() { return library_ ? library_->reload() : ReloadReport{}; }

}  // namespace orogen::app
