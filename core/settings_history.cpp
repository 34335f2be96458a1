#include "core/settings_history.h"

namespace orogen {

namespace {

// Returns whether the settings differ in more than the camera.
bool differ(const Settings& a, const Settings& b) { return !(withCameraOf(a, b) == b); }

// Returns the keys outside the camera that differ.
std::vector<std::string> changedKeys(const Settings& a, const Settings& b)
{
    std::vector<std::string> keys;
    for (const SettingInfo& info : settingTable())
        if (!placesCamera(info.key) && settingText(a, info.key) != settingText(b, info.key))
            keys.emplace_back(info.key);
    return keys;
}

}  // namespace

bool placesCamera(std::string_view key)
{
    return key == "view.mode" || key == "view.position" || key == "view.yaw" || key == "view.pitch";
}

Settings withCameraOf(Settings values, const Settings& camera)
{
    const double fov = values.view.fov;
    values.view = camera.view;
    values.view.fov = fov;
    return values;
}

bool SettingsHistory::empty(const Step& step) { return !differ(step.before, step.after); }

void SettingsHistory::changed(const Settings& before, const Settings& after, std::uint64_t gesture)
{
    if (!differ(before, after)) return;
    steps_.resize(done_);
    const bool goesOn = gesture != 0 && !steps_.empty() && steps_.back().gesture == gesture;
    if (goesOn)
        steps_.back().after = withChange(steps_.back().after, before, after);  // not what the program changed meanwhile
    else
        steps_.push_back({before, after, gesture});
    if (goesOn && empty(steps_.back())) steps_.pop_back();  // the drag returned to the first value
    if (steps_.size() > kMostSteps)
    {
        steps_.pop_front();
        ++dropped_;
    }
    done_ = steps_.size();
}

void SettingsHistory::amend(const std::function<void(Settings&)>& change)
{
    for (Step& step : steps_)
    {
        change(step.before);
        change(step.after);
    }
    for (std::size_t i = steps_.size(); i-- > 0;)
    {
        if (!empty(steps_[i])) continue;
        steps_.erase(steps_.begin() + std::ptrdiff_t(i));
        if (i >= done_) continue;
        --done_;
        ++dropped_;
    }
}

std::optional<Settings> SettingsHistory::undo(const Settings& now)
{
    if (done_ == 0) return std::nullopt;
    const Step& step = steps_[--done_];
    return withCameraOf(withChange(now, step.after, step.before), now);
}

std::optional<Settings> SettingsHistory::redo(const Settings& now)
{
    if (done_ == steps_.size()) return std::nullopt;
    const Step& step = steps_[done_++];
    return withCameraOf(withChange(now, step.before, step.after), now);
}

std::vector<std::string> SettingsHistory::undoes() const
{
    return done_ == 0 ? std::vector<std::string>() : changedKeys(steps_[done_ - 1].before, steps_[done_ - 1].after);
}

std::vector<std::string> SettingsHistory::redoes() const
{
    return done_ == steps_.size() ? std::vector<std::string>() : changedKeys(steps_[done_].before, steps_[done_].after);
}

}  // namespace orogen
