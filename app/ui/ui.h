// The user interface: Dear ImGui's context, the panels, and input, real or scripted.
//
// A pass is one run of Dear ImGui over all panels, with one batch of input (input.h).  A frame has as many passes as
// its input needs; only the last one is rendered.
//
// A frame:  for (event : ...) ui.feed(event);
//           ui.beginFrame(...);  actions = ui.draw(model);
//           while (ui.inputWaits()) { ui.beginPass();  actions = ui.draw(model); }
//           ...draw the terrain...;  ui.render();
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/gl/window.h"
#include "app/model/ui_model.h"
#include "app/ui/input.h"
#include "app/ui/items.h"
#include "app/ui/layout.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "core/base/status.h"
#include "core/view/camera.h"

struct GLFWwindow;
struct ImGuiContext;

namespace orogen::app {

struct UiOptions
{
    GLFWwindow* window = nullptr;  // null: headless; input comes through feed() alone
    bool renderer = true;          // false: no OpenGL (tests); render() draws nothing
    float scale = 1;               // for fonts and panels; reduced if the display is too small
};

class Ui
{
public:
    // Creates the interface.  With a renderer, an OpenGL context must be current here, in render() and in the
    // destructor.  Error: kNoContext.
    static Result<std::unique_ptr<Ui>> create(const UiOptions& options);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    // Queues a window event.  Queued events wait while a script operates the panels.
    void feed(const WindowEvent& event);

    // Begins the first pass of a frame with the next batch of input.  The display is `width` by `height` pixels.
    // `seconds` is the elapsed time when headless; with a window, ImGui's GLFW back end measures the time.
    void beginFrame(int width, int height, double seconds);

    // Draws the panels into ImGui's draw lists and returns the actions requested by the user or a script.
    UiActions draw(const UiModel& model);

    // Returns whether input waits for another pass.  Several passes per frame keep panels responsive in slow frames.
    bool inputWaits() const { return input_.waiting(); }
    // Returns whether the panels still change without input: ImGui hides a new window until it knows its size, and a
    // panel takes on the height of changed content one pass later.
    bool unsettled() const { return unsettled_ > 0; }
    void beginPass();  // begins a further pass of the frame, with the next batch of input
    // Returns the seconds until the panels change without input (caret, tooltip, key repeat); 0: at once; 3600: nothing
    // is animated.
    double changesIn() const;

    // Renders the draw lists of the last draw() into the bound framebuffer.
    void render();
    std::uint64_t uploadedBytes() const { return uploaded_; }  // vertex and index data uploaded by the last render()

    // Returns whether a text field uses the keyboard.  UiActions::camera already excludes that input.
    bool wantsKeyboard() const;
    float scale() const { return theme_.scale; }
    const Theme& theme() const { return theme_; }

    Injector& injector() { return injector_; }            // input of scripts
    const ItemRegistry& items() const { return items_; }  // items of the last drawn frame
    // Opens the file browser with a terrain's name, so that the user chooses how to open that terrain.
    void offerTerrain(const std::string& path) { state_.offered = path; }
    bool panelsShown() const { return state_.panelsShown; }
    void showPanels(bool shown) { state_.panelsShown = shown; }

    // recall() restores and remember() saves the panel state that is kept between sessions.
    void recall(const UiMemory& from, bool scaleGiven = false);  // scaleGiven: the command line sets the scale
    void remember(UiMemory& to) const;

    // Returns the space between the columns in the last drawn frame (display pixels).
    const PanelRect& centre() const { return state_.layout.centre; }

    // Returns the part of the picture that docked panels leave visible.  The caller of render() fills the rest with
    // theme().desk.
    PicturePart uncovered() const;

    // Returns the names and rectangles of the panels and overlays drawn last; for a docked panel, its visible part.
    const std::vector<std::pair<std::string, PanelRect>>& panels() const { return panels_; }

private:
    explicit Ui(const UiOptions& options) : options_(options) {}
    void useScale(float scale);
    void beginDisplay(double seconds);
    void beginInput();
    void drawOverlays(const UiModel& model, UiActions& actions, const Layout& layout);
    void drawOverPicture(const UiModel& model, UiActions& actions, const Layout& layout, const PanelRect& under);
    Panel panel(std::string_view name, const UiModel& model, UiActions& actions);
    void notePanels();
    void followHover();

    UiOptions options_;
    ImGuiContext* context_ = nullptr;
    bool glfw_ = false, opengl_ = false;  // initialised back ends
    Theme theme_;
    UiState state_;
    ItemRegistry items_;
    Injector injector_;
    InputQueue input_;
    std::vector<WindowEvent> held_;  // events received since the last frame, or while a script acts
    ImVec2 display_{1, 1};           // pixels
    int unsettled_ = 0;              // passes until the panels stop changing
    int resizes_ = 0;                // consecutive draws in which a panel's content changed height
    std::vector<std::pair<std::string, PanelRect>> panels_;
    std::uint64_t uploaded_ = 0;
};

}  // namespace orogen::app
