#include "app/ui/input.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include "app/ui/panels.h"

namespace orogen::app {
namespace {

// ---- simulated input ----

constexpr int kPatience = 12;  // frames to wait for an item, whose panel may have to open and scroll first
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

// ---- queue ----

ImVec2 place(double x, double y) { return {float(x), float(y)}; }

bool known(const KeyEvent& event) { return event.key >= 0 && event.key < int(Devices::kKeys); }
bool known(const MouseButtonEvent& event) { return event.button >= 0 && event.button < ImGuiMouseButton_COUNT; }

struct Apply
{
    Devices& to;

    void operator()(const KeyEvent& event) const { to.keys[std::size_t(event.key)] = event.action == GLFW_PRESS; }
    void operator()(const CharacterEvent& event) const { to.characters.push_back(event.codepoint); }
    void operator()(const MouseButtonEvent& event) const
    {
        if (!to.mouse) to.mouse = place(event.x, event.y);
        to.buttons[std::size_t(event.button)] = event.action == GLFW_PRESS;
    }
    void operator()(const CursorEvent& event) const { to.mouse = place(event.x, event.y); }
    void operator()(const CursorLeftEvent&) const { to.mouse.reset(); }
    void operator()(const ScrollEvent& event) const
    {
        to.wheel.x += float(event.dx);
        to.wheel.y += float(event.dy);
    }
    void operator()(const DropEvent&) const {}
    void operator()(const RefreshEvent&) const {}
    // Releases everything on lost focus.  The mouse counts as outside, so that the release clicks nothing.
    void operator()(const FocusEvent&) const
    {
        to.mouse.reset();
        to.buttons.fill(false);
        to.keys.reset();
    }
};

// Returns whether an event changes what panels see.  `after`: device state after all queued events, before this event.
struct Matters
{
    const Devices& after;

    bool operator()(const KeyEvent& event) const
    {
        if (event.action == GLFW_REPEAT || !known(event)) return false;  // ImGui generates its own key repeats
        return after.keys[std::size_t(event.key)] != (event.action == GLFW_PRESS);
    }
    bool operator()(const MouseButtonEvent& event) const
    {
        return known(event) && after.buttons[std::size_t(event.button)] != (event.action == GLFW_PRESS);
    }
    // Ignored during a drag, which continues outside the window.
    bool operator()(const CursorLeftEvent&) const { return after.mouse && !after.dragging(); }
    bool operator()(const FocusEvent& event) const { return !event.focused; }
    bool operator()(const DropEvent&) const { return false; }
    bool operator()(const RefreshEvent&) const { return false; }
    bool operator()(const CharacterEvent&) const { return true; }
    bool operator()(const CursorEvent&) const { return true; }
    bool operator()(const ScrollEvent&) const { return true; }
};

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
        // An item moves in the frame in which it is scrolled into view.  An item that was not on screen at first must
        // therefore be at the same place in two frames.
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
        place_.reset();  // every action ends with a step that needs no item
        waited_ = 0;
    }
    steps_.pop_front();
    return frame;
}

bool Devices::dragging() const { return std::ranges::find(buttons, true) != buttons.end(); }

void InputQueue::push(const WindowEvent& event)
{
    if (!std::visit(Matters{end_}, event)) return;
    std::visit(Apply{end_}, event);
    end_.wheel = {0, 0};
    end_.characters.clear();
    const bool moves = std::holds_alternative<CursorEvent>(event);
    if (moves && !events_.empty() && std::holds_alternative<CursorEvent>(events_.back()))
        events_.back() = event;
    else
        events_.push_back(event);
}

void InputQueue::push(const InputFrame& frame)
{
    if (frame.mouse) push(WindowEvent(CursorEvent{frame.mouse->x, frame.mouse->y}));
    const ImVec2 at = end_.mouse.value_or(ImVec2(0, 0));
    for (int button = 0; button < ImGuiMouseButton_COUNT; ++button)
    {
        const bool down = button == ImGuiMouseButton_Left && frame.button;
        push(WindowEvent(MouseButtonEvent{button, down ? GLFW_PRESS : GLFW_RELEASE, 0, at.x, at.y}));
    }
    for (int key = 0; key < int(Devices::kKeys); ++key)  // modifiers have high codes, so they are released last
        if (std::ranges::find(frame.keys, key) == frame.keys.end())
            push(WindowEvent(KeyEvent{key, 0, GLFW_RELEASE, 0}));
    for (const int key : frame.keys)
        push(WindowEvent(KeyEvent{key, 0, GLFW_PRESS, 0}));
    if (frame.character != 0) push(WindowEvent(CharacterEvent{frame.character}));
    if (frame.wheel != 0) push(WindowEvent(ScrollEvent{0, frame.wheel}));
    if (!frame.mouse) push(WindowEvent(CursorLeftEvent{}));
}

bool InputQueue::fits(const WindowEvent& event) const
{
    const bool acted = took_.edge || took_.wheeled || took_.typed;
    if (took_.away) return false;
    if (std::holds_alternative<CursorEvent>(event)) return !acted;
    if (std::holds_alternative<CharacterEvent>(event)) return !took_.wheeled && (!took_.edge || took_.key);
    if (std::holds_alternative<ScrollEvent>(event)) return !took_.edge && !took_.typed;
    if (std::holds_alternative<KeyEvent>(event)) return !acted;
    if (std::holds_alternative<MouseButtonEvent>(event)) return !acted && !(took_.moved && devices_.dragging());
    return !acted && !took_.moved;  // a CursorLeftEvent or a FocusEvent
}

void InputQueue::take(const WindowEvent& event)
{
    const bool key = std::holds_alternative<KeyEvent>(event);
    took_.moved |= std::holds_alternative<CursorEvent>(event);
    took_.key |= key;
    took_.edge |= key || std::holds_alternative<MouseButtonEvent>(event) || std::holds_alternative<FocusEvent>(event);
    took_.wheeled |= std::holds_alternative<ScrollEvent>(event);
    took_.typed |= std::holds_alternative<CharacterEvent>(event);
    took_.away |= std::holds_alternative<FocusEvent>(event) || std::holds_alternative<CursorLeftEvent>(event);
    std::visit(Apply{devices_}, event);
}

const Devices& InputQueue::next()
{
    took_ = {};
    devices_.wheel = {0, 0};
    devices_.characters.clear();
    while (!events_.empty() && fits(events_.front()))
    {
        take(events_.front());
        events_.pop_front();
    }
    return devices_;
}

namespace {

bool pressed(int key) { return ImGui::IsKeyPressed(key, false); }

void commands(UiState& state, const UiModel& model, UiActions& actions)
{
    actions.quit |= pressed(GLFW_KEY_Q);
    const bool shift = ImGui::GetIO().KeyShift, z = ImGui::IsKeyPressed(GLFW_KEY_Z, true);
    const bool typing = ImGui::GetIO().WantTextInput;  // then a text field undoes its own edits
    const bool undo = !typing && z && !shift;
    const bool redo = !typing && ((z && shift) || ImGui::IsKeyPressed(GLFW_KEY_Y, true));
    const bool strokes = model.terrainModel.brushing;
    (strokes ? actions.terrainModel.undoStroke : actions.settingsActions.undo) |= undo;
    (strokes ? actions.terrainModel.redoStroke : actions.settingsActions.redo) |= redo;
    if (pressed(GLFW_KEY_O)) browseTerrains(state, actions);
}

// Toggles between colours by depth and the previous shading.
void toggleLodColours(UiState& state, Shading& shading)
{
    if (shading == Shading::kLod)
    {
        shading = state.shadingBefore;
        return;
    }
    state.shadingBefore = shading;
    shading = Shading::kLod;
}

// Plays the camera path; without one, offers the available paths.
void playPath(UiState& state, const UiModel& model, UiActions& actions)
{
    if (offersPaths(model.path))
        state.pathsOffered = !state.pathsOffered;
    else
        actions.path.play = true;
}

// Handles keys that type no text, so they work in text fields too.
void functionKeys(UiState& state, const UiModel& model, UiActions& actions)
{
    Settings& settings = actions.settings;
    state.helpOpen ^= pressed(GLFW_KEY_F1);
    state.panelsShown ^= pressed(GLFW_KEY_F2);
    settings.render.wireframe ^= pressed(GLFW_KEY_F4);
    actions.reloadShaders |= pressed(GLFW_KEY_F5);
    settings.lod.frozen ^= pressed(GLFW_KEY_F6);
    if (pressed(GLFW_KEY_F8)) toggleCapture(state, model, actions);
    if (pressed(GLFW_KEY_F7)) toggleLodColours(state, settings.render.shading);
    actions.path.record |= pressed(GLFW_KEY_F9);
    if (pressed(GLFW_KEY_F10)) playPath(state, model, actions);
    actions.toggleFullscreen |= pressed(GLFW_KEY_F11);
    actions.screenshot |= pressed(GLFW_KEY_F12);
}

// Returns whether this button drags the picture: pressed in an earlier frame over the picture, not over a panel.
bool dragging(int button)
{
    return ImGui::IsMouseDown(button) && !ImGui::GetIO().MouseDownOwned[button] && !ImGui::IsMouseClicked(button);
}

// Returns the drag over the picture in this frame (pixels).
glm::dvec2 drag(int button)
{
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    return dragging(button) ? glm::dvec2(moved.x, moved.y) : glm::dvec2(0.0);
}

// Returns 1 if only a positive key is down, -1 if only a negative key is down, else 0.  The two pairs have the same
// meaning.  GLFW names keys by their place on a US keyboard, so W A S D lie together on every layout.
double axis(int positive, int negative, int otherPositive, int otherNegative)
{
    const auto down = [](int key, int other) { return double(ImGui::IsKeyDown(key) || ImGui::IsKeyDown(other)); };
    return down(positive, otherPositive) - down(negative, otherNegative);
}

void readWheel(CameraInput& input)
{
    const ImGuiIO& io = ImGui::GetIO();
    const bool held = dragging(ImGuiMouseButton_Right);
    if (held || !io.WantCaptureMouse) (held ? input.pace : input.zoom) = double(io.MouseWheel);
}

}  // namespace

void applyShortcuts(UiState& state, const UiModel& model, UiActions& actions)
{
    const ImGuiIO& io = ImGui::GetIO();
    if (state.browser.open) return;  // the browser has the keyboard to itself
    functionKeys(state, model, actions);
    if (io.KeyCtrl) commands(state, model, actions);
    if (io.WantTextInput) return;
    if (pressed(GLFW_KEY_ESCAPE) && !popupOpen())
    {
        actions.dismissShaderLog |= !model.shaderLog.empty();
        state.helpOpen = false;
        state.pathsOffered = false;
        state.messageLogOpen = false;
    }
    if (pressed(GLFW_KEY_TAB))
    {
        ViewMode& mode = actions.settings.view.mode;
        mode = mode == ViewMode::kFly ? ViewMode::kMap : ViewMode::kFly;
    }
    actions.home |= pressed(GLFW_KEY_HOME);
    for (int number = 1; number <= kBookmarks && model.tools.earth; ++number)
        if (pressed(GLFW_KEY_0 + number))
            (io.KeyCtrl ? actions.earth.setBookmark : actions.earth.goToBookmark) = number;
}

CameraInput cameraInput()
{
    const ImGuiIO& io = ImGui::GetIO();
    CameraInput input;
    if (!io.WantTextInput)
    {
        input.forward = axis(GLFW_KEY_W, GLFW_KEY_S, GLFW_KEY_UP, GLFW_KEY_DOWN);
        input.right = axis(GLFW_KEY_D, GLFW_KEY_A, GLFW_KEY_RIGHT, GLFW_KEY_LEFT);
        if (!io.KeyCtrl)  // Ctrl+Q is a command
            input.up = axis(GLFW_KEY_E, GLFW_KEY_Q, GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_DOWN);
        input.fast = io.KeyShift;
        input.slow = io.KeyCtrl;
    }
    const glm::dvec2 look = drag(ImGuiMouseButton_Left);
    const glm::dvec2 pan = drag(ImGuiMouseButton_Right) + drag(ImGuiMouseButton_Middle);
    input.turnX = look.x;
    input.turnY = look.y;
    input.panX = pan.x;
    input.panY = pan.y;
    input.holding =
        dragging(ImGuiMouseButton_Left) || dragging(ImGuiMouseButton_Right) || dragging(ImGuiMouseButton_Middle);
    readWheel(input);
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && !io.MouseDownOwned[ImGuiMouseButton_Left])
        input.flyTo = cursorPosition();
    return input;
}

glm::dvec2 cursorPosition()
{
    if (!ImGui::IsMousePosValid()) return {0, 0};
    const ImGuiIO& io = ImGui::GetIO();
    return {2.0 * io.MousePos.x / io.DisplaySize.x - 1, 1 - 2.0 * io.MousePos.y / io.DisplaySize.y};
}

}  // namespace orogen::app
