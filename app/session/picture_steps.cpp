#include "app/session/picture_steps.h"

#include <utility>

namespace orogen::app {

void PictureSteps::did(Step step)
{
    undone_.clear();
    if (step.gesture != 0 && !done_.empty() && done_.back().gesture == step.gesture && done_.back().what == step.what)
    {
        done_.back().redo = std::move(step.redo);
        return;
    }
    if (done_.size() >= kMostSteps) done_.erase(done_.begin());
    done_.push_back(std::move(step));
}

std::string PictureSteps::undoes(std::size_t settingSteps) const
{
    return !done_.empty() && done_.back().settingSteps >= settingSteps ? done_.back().what : std::string();
}

std::string PictureSteps::redoes(std::size_t settingSteps) const
{
    return !undone_.empty() && undone_.back().settingSteps == settingSteps ? undone_.back().what : std::string();
}

bool PictureSteps::undo(std::size_t settingSteps)
{
    if (undoes(settingSteps).empty()) return false;
    undone_.push_back(std::move(done_.back()));
    done_.pop_back();
    undone_.back().undo();
    return true;
}

bool PictureSteps::redo(std::size_t settingSteps)
{
    if (redoes(settingSteps).empty()) return false;
    done_.push_back(std::move(undone_.back()));
    undone_.pop_back();
    done_.back().redo();
    return true;
}

void PictureSteps::forget(const std::string& what)
{
    std::erase_if(done_, [&](const Step& step) { return step.what == what; });
    std::erase_if(undone_, [&](const Step& step) { return step.what == what; });
}

}  // namespace orogen::app
