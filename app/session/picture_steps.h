// Undo and redo of changes that are no settings: layers of imagery, overlays.
//
// The settings have steps of their own (core/settings_history.h).  Each step here knows how many of those there were
// when it was done, so that all changes are taken back in the order in which they were made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace orogen::app {

class PictureSteps
{
public:
    static constexpr std::size_t kMostSteps = 100;  // older steps are dropped

    struct Step
    {
        std::string what;  // "imagery", "overlays"
        std::function<void()> undo, redo;
        std::size_t settingSteps = 0;  // SettingsHistory::steps() when it was done
        std::uint64_t gesture = 0;  // consecutive steps with the same nonzero one are one step, as in SettingsHistory
    };
    // Records a change that was made.  Drops the steps that were undone.
    void did(Step step);

    // Return what the next undo or redo changes, given the number of steps of the settings; empty: a step of the
    // settings comes first, or there is none.
    std::string undoes(std::size_t settingSteps) const;
    std::string redoes(std::size_t settingSteps) const;
    // False if undoes() or redoes() is empty.
    bool undo(std::size_t settingSteps);
    bool redo(std::size_t settingSteps);

    void forget(const std::string& what);  // drops all steps of a kind

private:
    std::vector<Step> done_, undone_;
};

}  // namespace orogen::app
