// The user interface: Dear ImGui's context, the panels, and the devices, real or scripted.
//
// A frame:  for (event : ...) ui.feed(event);
//           ui.beginFrame(...);  actions = ui.draw(model);
//           while (ui.inputWaits()) { ui.beginPass();  actions = ui.draw(model); }
//           ...draw the terrain...;  ui.render();
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/gl/window_events.h"
#include "app/ui/injector.h"
#include "app/ui/input_queue.h"
#include "app/ui/items.h"
#include "app/ui/layout.h"
#include "app/ui/model.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "core/base/status.h"

struct GLFWwindow;
struct ImGuiContext;

namespace orogen::app {

struct Remembered;

struct UiOptions
{
    GLFWwindow* window = nullptr;  // null: headless.  What its user does comes through feed() alone
    bool renderer = true;          // false: no OpenGL at all (tests); render() then draws nothing
    float scale = 1;               // of fonts and panels, as far as the display has room for it
};

class Ui
{
public:
    // With a renderer, an OpenGL context must be current here, in render() and in the destructor.
    // Error: kNoContext.
    static Result<std::unique_ptr<Ui>> create(const UiOptions& options);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    // What the user of the window did, in order; a script that works the panels keeps it waiting.
    void feed(const WindowEvent& event);

    // Begins the first pass of a frame, with the next batch of input.  The display is `width` by `height` pixels.
    // Headless, `seconds` have passed; with a window its clock counts.
    void beginFrame(int width, int height, double seconds);

    // Draws the panels into lists and returns what the user, or a script, wants.
    UiActions draw(const UiModel& model);

    // Whether input is left for another pass of this frame, so that a slow frame does not make a slow interface.
    bool inputWaits() const { return input_.waiting(); }
    // Whether a window that the last passes opened is not there yet (ImGui hides it until it knows its size), or a
    // panel has still the height of its former content.
    bool unsettled() const { return unsettled_ > 0; }
    void beginPass();
    // Seconds after which the panels look otherwise although nothing was done: a caret blinks, a tooltip is due.  0: at
    // once; a long time where nothing moves.
    double changesIn() const;

    // Draws the lists into the framebuffer that is bound; once after each draw().
    void render();
    std::uint64_t uploadedBytes() const { return uploaded_; }  // by the last render()

    // Whether a panel takes the mouse, a text field the keys; UiActions::camera has that taken out already.
    bool wantsMouse() const;
    bool wantsKeyboard() const;
    float scale() const { return theme_.scale; }
    const Theme& theme() const { return theme_; }

    Injector& injector() { return injector_; }            // what scripts do
    const ItemRegistry& items() const { return items_; }  // of the frame drawn last
    bool panelsShown() const { return state_.panelsShown; }
    void showPanels(bool shown) { state_.panelsShown = shown; }

    // What is kept between sessions.
    void recall(const Remembered& from, bool scaleGiven = false);  // scaleGiven: by the command line
    void remember(Remembered& to) const;

    // What the columns leave for the picture, in pixels of the display; of the frame drawn last.
    const PanelRect& centre() const { return state_.layout.centre; }

    // The rectangles of the panels drawn last, by name, of those in columns what scrolling leaves: for tests.
    const std::vector<std::pair<std::string, PanelRect>>& panels() const { return panels_; }

private:
    explicit Ui(const UiOptions& options) : options_(options) {}
    void useScale(float scale);
    void beginDisplay(double seconds);
    void beginInput();
    void drawOverlays(const UiModel& model, UiActions& actions, const Layout& layout);
    Panel panel(std::string_view name, const UiModel& model, UiActions& actions);
    void notePanels();
    void followHover();

    UiOptions options_;
    ImGuiContext* context_ = nullptr;
    bool glfw_ = false, opengl_ = false;  // back ends that were initialised
    Theme theme_;
    UiState state_;
    ItemRegistry items_;
    Injector injector_;
    InputQueue input_;
    std::vector<WindowEvent> held_;  // fed while a script works
    ImVec2 display_{1, 1};           // pixels
    int unsettled_ = 0;              // passes to go
    int resizes_ = 0;                // draws in a row in which a panel's content got another height
    std::vector<std::pair<std::string, PanelRect>> panels_;
    std::uint64_t uploaded_ = 0;
};

}  // namespace orogen::app
