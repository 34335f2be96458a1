#include "app/ui/injector.h"

#include <array>
#include <cctype>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

namespace orogen::app {

namespace {

constexpr int kPatience = 12;  // frames; a list just opened is drawn one frame later and scrolled two frames later
constexpr int kDragSteps = 4;  // frames between press and release

constexpr std::pair<std::string_view, int> kNamedKeys[] = {{"Tab", GLFW_KEY_TAB},
                                                           {"Home", GLFW_KEY_HOME},
                                                           {"End", GLFW_KEY_END},
                                                           {"Enter", GLFW_KEY_ENTER},
                                                           {"Escape", GLFW_KEY_ESCAPE},
                                                           {"Space", GLFW_KEY_SPACE},
                                                           {"Backspace", GLFW_KEY_BACKSPACE},
                                                           {"Delete", GLFW_KEY_DELETE},
                                                           {"PageUp", GLFW_KEY_PAGE_UP},
                                                           {"PageDown", GLFW_KEY_PAGE_DOWN},
                                                           {"Left", GLFW_KEY_LEFT},
                                                           {"Right", GLFW_KEY_RIGHT},
                                                           {"Up", GLFW_KEY_UP},
                                                           {"Down", GLFW_KEY_DOWN},
                                                           {"Shift", GLFW_KEY_LEFT_SHIFT},
                                                           {"Ctrl", GLFW_KEY_LEFT_CONTROL},
                                                           {"Alt", GLFW_KEY_LEFT_ALT}};

std::optional<int> keyCode(std::string_view name)
{
    if (name.size() == 1 && std::isalnum(static_cast<unsigned char>(name[0])))
    {
        return std::toupper(static_cast<unsigned char>(name[0]));  // GLFW codes of letters and digits are ASCII
    }
    for (const auto& [known, code] : kNamedKeys)
    {
        if (name == known) return code;
    }
    for (int number = 1; number <= 12; ++number)
    {
        if (name == fmt::format("F{}", number)) return GLFW_KEY_F1 + number - 1;
    }
    return std::nullopt;
}

float wheelNotches(std::string_view name) { return name == "WheelUp" ? 1.0f : name == "WheelDown" ? -1.0f : 0.0f; }

// Returns the device state while the key `name` is down; empty if there is no such key.
std::optional<InputFrame> pressed(std::string_view name)
{
    InputFrame frame;
    for (auto plus = name.find('+'); plus != name.npos; plus = name.find('+'))
    {
        const std::string_view modifier = name.substr(0, plus);
        if (modifier != "Shift" && modifier != "Ctrl" && modifier != "Alt") return std::nullopt;
        frame.keys.push_back(*keyCode(modifier));
        name = name.substr(plus + 1);
    }
    frame.wheel = wheelNotches(name);
    const auto code = keyCode(name);
    if (!code) return frame.wheel != 0 ? std::optional(frame) : std::nullopt;
    const bool types = name.size() == 1 && frame.keys.empty();
    frame.character = types ? unsigned(std::tolower(static_cast<unsigned char>(name[0]))) : 0;
    frame.keys.push_back(*code);
    return frame;
}

}  // namespace

bool isKeyName(std::string_view name) { return pressed(name).has_value(); }

void Injector::queueMouse(const std::string& item, bool atHandle, ImVec2 offset, bool button)
{
    Step step{.item = item, .atHandle = atHandle, .offset = offset, .frame = {}};
    step.frame.button = button;
    steps_.push_back(step);
}

void Injector::click(const std::string& item)
{
    queueMouse(item, false, {0, 0}, false);
    queueMouse(item, false, {0, 0}, true);
    queueMouse(item, false, {0, 0}, false);
    steps_.push_back({});
}

void Injector::drag(const std::string& item, double dx, double dy)
{
    queueMouse(item, true, {0, 0}, false);
    for (int i = 0; i <= kDragSteps; ++i)
    {
        const double part = double(i) / kDragSteps;
        queueMouse(item, true, {float(dx * part), float(dy * part)}, true);
    }
    queueMouse(item, true, {float(dx), float(dy)}, false);
    steps_.push_back({});
}

void Injector::hover(const std::string& item, int frames)
{
    for (int i = 0; i < frames; ++i)
        queueMouse(item, false, {0, 0}, false);
    steps_.push_back({});
}

void Injector::key(std::string_view name)
{
    Step step;
    step.frame = pressed(name).value_or(InputFrame{});
    step.item = step.frame.wheel != 0 ? "Viewport/picture" : "";
    steps_.push_back(step);
    steps_.push_back({});
}

std::optional<InputFrame> Injector::next(ItemRegistry& items)
{
    if (steps_.empty()) return std::nullopt;
    const Step& step = steps_.front();
    if (!step.item.empty() && !place_)
    {
        const ItemRect* rect = items.find(step.item);
        const ImVec2 place = !rect ? ImVec2() : step.atHandle ? rect->handle : rect->centre();
        const bool shows = rect && rect->shows(place);
        // An item that was scrolled into view still moves in the first frame in which it is visible.
        const bool rests = waited_ == 0 || (seen_ && seen_->x == place.x && seen_->y == place.y);
        seen_ = shows ? std::optional(place) : std::nullopt;
        if (shows && rests)
            place_ = place;
        else if (++waited_ > kPatience)
        {
            failure_ = fmt::format("'{}' is not on screen", step.item);
            items.reveal({});
            steps_.clear();
            waited_ = 0;
            return InputFrame{};
        }
        else
        {
            if (!shows) items.reveal(step.item);
            return InputFrame{};
        }
    }
    InputFrame frame = step.frame;
    if (!step.item.empty())
        frame.mouse = ImVec2(place_->x + step.offset.x, place_->y + step.offset.y);
    else
    {
        place_.reset();  // every action ends with a step without an item
        waited_ = 0;
    }
    steps_.pop_front();
    return frame;
}

}  // namespace orogen::app
