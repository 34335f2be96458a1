// Undo and redo of changes that are not settings: layers of imagery, and overlays.
//
// The settings have steps of their own (core/settings_history.h).  Each step here stores how many steps of the settings
// preceded it.  So changes of settings and of pictures are undone in the reverse of their order, up to
// SettingsHistory::kMostSteps steps of the settings.
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
        std::size_t settingSteps = 0;  // SettingsHistory::steps() when the change was made
        std::uint64_t gesture = 0;     // nonzero: consecutive changes with this number are one step
    };
    // Records a change that was made.  Drops the steps that were undone.
    void did(Step step);

    // Returns Step::what of the step that undo() would undo.  `settingSteps`: SettingsHistory::steps().
    // Empty: a step of the settings comes first, or there is no step.
    std::string undoes(std::size_t settingSteps) const;
    std::string redoes(std::size_t settingSteps) const;  // as undoes(), for redo()
    // Undoes one step.  Returns false if undoes() is empty.
    bool undo(std::size_t settingSteps);
    bool redo(std::size_t settingSteps);  // as undo(), with redoes()

    void forget(const std::string& what);  // drops all steps of a kind

private:
    std::vector<Step> done_, undone_;
};

}  // namespace orogen::app
