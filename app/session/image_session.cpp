#include "app/session/image_session.h"

#include <utility>

#include "app/render/renderer.h"
#include "core/terrain/io/picture_reader.h"

namespace orogen::app {
namespace {

constexpr double kReadingShare = 0.7;  // share of the progress; warping takes the rest

Result<DrapedPicture> readAndDrape(const std::string& file, const Raster& terrain, const TaskContext& context)
{
    Result<Picture> picture = loadPicture(file, [&context](double fraction, const std::string& what) {
        context.progress.enter(what, kReadingShare * fraction);
        return !context.stop.stop_requested();
    });
    if (!picture) return picture.error();
    std::vector<std::string> warnings = std::move(picture->warnings);
    Result<DrapedPicture> draped =
        drape(std::move(*picture), terrain, [&context] { return !context.stop.stop_requested(); });
    if (draped) draped->warnings.insert(draped->warnings.begin(), warnings.begin(), warnings.end());
    return draped;
}

}  // namespace

void ImageSession::open(std::string file)
{
    task_.reset();
    wanted_ = std::move(file);
}

void ImageSession::drop(Renderer& renderer)
{
    forget();
    if (renderer.hasImage()) (void)!renderer.setImage(nullptr);  // frees the image; cannot fail
}

void ImageSession::forget()
{
    task_.reset();
    wanted_.clear();
    shown_.clear();
}

void ImageSession::readAgain()
{
    if (wanted_.empty()) wanted_ = shown_;
    shown_.clear();
    task_.reset();
}

Status ImageSession::take(const Raster* terrain, Renderer& renderer, Messages& messages)
{
    if (!terrain || wanted_.empty()) return Status::ok();
    if (!task_)
    {
        // The task copies the raster, because the terrain may be replaced meanwhile.
        Result<std::unique_ptr<Task>> task =
            Task::start(wanted_, [file = wanted_, raster = *terrain](const TaskContext& context) {
                return readAndDrape(file, raster, context);
            });
        if (!task) return wanted_.clear(), task.error();
        task_ = std::move(*task);
    }
    if (task_->running()) return Status::ok();
    const std::unique_ptr<Task> task = std::move(task_);
    const std::string file = std::exchange(wanted_, {});
    Result<DrapedPicture> draped = task->take();
    if (!draped) return draped.error();
    if (Status s = renderer.setImage(&*draped); !s) return s;
    shown_ = file;
    for (const std::string& warning : draped->warnings)
        messages.report(MessageKind::kWarning, warning);
    return Status::ok();
}

std::optional<double> ImageSession::fraction() const
{
    if (wanted_.empty()) return std::nullopt;
    return task_ ? task_->progress().fraction() : 0.0;
}

}  // namespace orogen::app
