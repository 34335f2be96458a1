#include "app/session/folder_session.h"

#include <filesystem>
#include <utility>

namespace orogen::app {

void FolderSession::read(const std::string& folder, const std::vector<std::string>& files)
{
    if (task_)
    {
        task_->cancel();
        abandoned_.push_back(std::move(task_));
    }
    const auto work = [folder, files](const TaskContext& context) -> Result<Found> {
        Found found;
        const auto stop = [&context] { return context.stop.stop_requested(); };
        Result<FolderListing> listing = listFolder(folder, stop);
        if (!listing && listing.error().code == ExitCode::kInterrupted) return listing.error();
        if (listing)
            found.listing = std::move(*listing);
        else
            found.error = listing.error().message;
        for (const std::string& file : files)
        {
            std::error_code none;
            if (!stop() && !std::filesystem::exists(file, none)) found.missing.insert(file);
        }
        found.places = userFolders();
        return found;
    };
    Result<std::unique_ptr<BackgroundTask<Found>>> task = BackgroundTask<Found>::start(folder, work);
    if (task)
        task_ = std::move(*task);
    else
        error_ = task.error().message;
    readings_ += task ? 0 : 1;
}

void FolderSession::update()
{
    std::erase_if(abandoned_, [](const auto& task) { return !task->running(); });
    if (!task_ || task_->running()) return;
    Result<Found> found = std::exchange(task_, nullptr)->take();
    ++readings_;
    error_ = found ? found->error : found.error().message;
    if (!found) return;
    if (error_.empty()) listing_ = std::move(found->listing);
    missing_ = std::move(found->missing);
    places_ = std::move(found->places);
}

}  // namespace orogen::app
