#include "app/render/frame_checks.h"

#include <utility>

namespace orogen::app {

ShaderLibrary& FrameChecks::library()
{
    if (library_) return *library_;
    library_ = std::make_unique<ShaderLibrary>(root_, dialect_);
    library_->choose(choice_);
    return *library_;
}

Status FrameChecks::choose(std::vector<ShaderDefine> choice)
{
    choice_ = std::move(choice);
    if (!library_) return Status::ok();
    library_->choose(choice_);
    return library_->finish();
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

void FrameChecks::validate(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame)
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

Status FrameChecks::prepare(std::optional<PixelTally>& tally, const char* name, const char* shader)
{
    if (tally) return Status::ok();
    Result<PixelTally> made = PixelTally::create(library(), name, shader);
    if (!made) return made.error();
    if (!mesh_) mesh_.emplace(library());
    if (Status s = library().finish(); !s) return s;
    tally.emplace(std::move(*made));
    return Status::ok();
}

Status FrameChecks::prepareErrors() { return prepare(errors_, "measured error", "shaders/error_measure.comp"); }

Status FrameChecks::prepareJumps() { return prepare(jumps_, "jump", "shaders/jump_measure.comp"); }

void FrameChecks::measureJumps(bool on)
{
    measuringJumps_ = on && jumps_.has_value();
    forgetFrame();
}

void FrameChecks::forgetFrame() { before_.reset(); }

bool FrameChecks::measuresError(std::uint64_t frame) const
{
    return errorPeriod_ > 0 && (errorOnce_ || frame % std::uint64_t(errorPeriod_) == 0);
}

bool FrameChecks::measures(std::uint64_t frame) const { return measuringJumps_ || measuresError(frame); }

void FrameChecks::afterDraw(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                            std::uint64_t leaves, std::uint64_t frame)
{
    const auto parts = measuringJumps_ ? DrawnMesh::Parts::kVertices : DrawnMesh::Parts::kLeaves;
    if (const Status s = mesh_->list(tree, patch, leaves, parts); !s)
    {
        error_ = s.error();
        errorPeriod_ = 0;
        measuringJumps_ = errorOnce_ = false;
        return;
    }
    if (measuresError(frame)) errors_->measure(picture, frame);
    errorOnce_ = false;
    if (!measuringJumps_) return;
    if (before_)
    {
        mesh_->bindBefore();
        jumps_->measure(picture, frame, *before_);
    }
    mesh_->keep();
    before_ = picture.camera;
}

Status FrameChecks::measureError(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                                 std::uint64_t leaves, std::uint64_t frame)
{
    if (Status s = mesh_->list(tree, patch, leaves, DrawnMesh::Parts::kLeaves); !s) return s;
    errors_->measure(picture, frame);
    return Status::ok();
}

Result<std::vector<DrawnTriangle>> FrameChecks::readMesh(const Triangulation& tree, const PatchMesh& patch,
                                                         std::uint64_t leaves)
{
    if (Status s = mesh_->list(tree, patch, leaves, DrawnMesh::Parts::kVertices); !s) return s.error();
    return mesh_->read();
}

std::optional<PixelFigures> FrameChecks::pollErrors(std::uint64_t nanoseconds)
{
    return errors_ ? errors_->poll(nanoseconds) : std::nullopt;
}

std::optional<PixelFigures> FrameChecks::pollJumps(std::uint64_t nanoseconds)
{
    return jumps_ ? jumps_->poll(nanoseconds) : std::nullopt;
}

std::uint64_t FrameChecks::bytes() const
{
    return (validator_ ? validator_->bytes() : 0) + (errors_ ? errors_->bytes() : 0) + (jumps_ ? jumps_->bytes() : 0) +
           (mesh_ ? mesh_->bytes() : 0);
}

ReloadReport FrameChecks::reloadShaders() { return library_ ? library_->reload() : ReloadReport{}; }

}  // namespace orogen::app
