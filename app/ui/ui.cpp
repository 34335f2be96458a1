#include "app/ui/ui.h"

#include <algorithm>
#include <cfloat>
#include <utility>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include "app/model/ui_memory.h"
#include "app/ui/dock_columns.h"
#include "app/ui/legend.h"
#include "app/ui/panels.h"
#include "compute/modules.h"

namespace orogen::app {

namespace {

// Maps the GLFW key codes that ImGui's text fields use, as ImGui's GLFW back end does for a window.
void mapKeys(ImGuiIO& io)
{
    constexpr std::pair<ImGuiKey_, int> kKeys[] = {{ImGuiKey_Tab, GLFW_KEY_TAB},
                                                   {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                                   {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                                   {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                                   {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                                   {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                                   {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                                   {ImGuiKey_Home, GLFW_KEY_HOME},
                                                   {ImGuiKey_End, GLFW_KEY_END},
                                                   {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                                   {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                                   {ImGuiKey_Space, GLFW_KEY_SPACE},
                                                   {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                                   {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                                   {ImGuiKey_A, GLFW_KEY_A},
                                                   {ImGuiKey_C, GLFW_KEY_C},
                                                   {ImGuiKey_V, GLFW_KEY_V},
                                                   {ImGuiKey_X, GLFW_KEY_X},
                                                   {ImGuiKey_Y, GLFW_KEY_Y},
                                                   {ImGuiKey_Z, GLFW_KEY_Z}};
    for (const auto& [key, code] : kKeys)
        io.KeyMap[key] = code;
}

constexpr double kPassSeconds = 1e-4;  // time step of further passes in a frame (seconds); ImGui requires more than 0
// Results of changesIn() (seconds): no change, a blinking caret, a key repeat, a tooltip, drag or folder to be read.
constexpr double kNever = 3600, kCaretSeconds = 0.25, kRepeatSeconds = 0.03, kStirSeconds = 0.1;
constexpr double kHoverRests = 0.5;  // seconds after which a tooltip has appeared
// Passes until a newly opened drop-down or a resized panel is drawn in its final position.
constexpr int kSettlingPasses = 2;
// Maximum number of consecutive draws in which a resized panel causes further passes.  The limit keeps a panel that
// resizes for ever from stalling a frame.
constexpr int kMostResizes = 8;

void show(ImGuiIO& io, const Devices& devices)
{
    io.MousePos = devices.mouse.value_or(ImVec2(-FLT_MAX, -FLT_MAX));
    std::ranges::copy(devices.buttons, io.MouseDown);
    io.MouseWheel = devices.wheel.y;
    io.MouseWheelH = devices.wheel.x;
    static_assert(Devices::kKeys == sizeof io.KeysDown / sizeof io.KeysDown[0]);
    for (std::size_t key = 0; key < Devices::kKeys; ++key)
        io.KeysDown[key] = devices.keys[key];
    io.KeyShift = devices.keys[GLFW_KEY_LEFT_SHIFT] || devices.keys[GLFW_KEY_RIGHT_SHIFT];
    io.KeyCtrl = devices.keys[GLFW_KEY_LEFT_CONTROL] || devices.keys[GLFW_KEY_RIGHT_CONTROL];
    io.KeyAlt = devices.keys[GLFW_KEY_LEFT_ALT] || devices.keys[GLFW_KEY_RIGHT_ALT];
    io.KeySuper = devices.keys[GLFW_KEY_LEFT_SUPER] || devices.keys[GLFW_KEY_RIGHT_SUPER];
    for (const unsigned character : devices.characters)
        io.AddInputCharacter(character);
}

// ---- panel state kept between sessions ----

bool allowed(const compute::Parameter& parameter, const std::string& value)
{
    return parameter.choices.empty() || value == parameter.standard ||
           std::ranges::find(parameter.choices, value) != parameter.choices.end();
}

// Restores the fields of a module's panel; unknown fields are dropped, invalid choices become defaults.
void recallModule(UiState& state, const std::string& panel, const auto& values)
{
    const compute::Module* module = compute::findModulePanel(panel);
    if (!module) return;
    auto& fields = state.modules[panel];
    for (const compute::Parameter& parameter : module->parameters())
    {
        const auto kept = values.find(parameter.name);
        fields[parameter.name] =
            kept != values.end() && allowed(parameter, kept->second) ? kept->second : parameter.standard;
    }
}

}  // namespace

Result<std::unique_ptr<Ui>> Ui::create(const UiOptions& options)
{
    std::unique_ptr<Ui> ui(new Ui(options));
    ui->state_.dock = defaultDock(dockedPlaces());
    IMGUI_CHECKVERSION();
    ui->context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(ui->context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // layoutFor() places the panels
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    mapKeys(io);
    if (options.window) ui->glfw_ = ImGui_ImplGlfw_InitForOpenGL(options.window, false);
    ui->useScale(std::max(options.scale, 0.5f));
    if (options.renderer) ui->opengl_ = ImGui_ImplOpenGL3_Init("#version 450");
    if ((options.renderer && !ui->opengl_) || (options.window && !ui->glfw_))
        return Error{ExitCode::kNoContext, "the panels cannot be drawn: Dear ImGui's back end did not initialise"};
    return ui;
}

Ui::~Ui()
{
    ImGui::SetCurrentContext(context_);
    if (opengl_) ImGui_ImplOpenGL3_Shutdown();
    if (glfw_) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext(context_);
}

void Ui::useScale(float scale)
{
    if (opengl_) ImGui_ImplOpenGL3_DestroyFontsTexture();
    theme_ = applyTheme(scale);
    if (opengl_) ImGui_ImplOpenGL3_CreateFontsTexture();
    state_.contentHeight.clear();
}

void Ui::feed(const WindowEvent& event) { held_.push_back(event); }

void Ui::beginFrame(int width, int height, double seconds)
{
    ImGui::SetCurrentContext(context_);
    if (const auto frame = injector_.next(items_))
        input_.push(*frame);
    else
        for (const WindowEvent& event : std::exchange(held_, {}))
            input_.push(event);
    display_ = {float(std::max(width, 1)), float(std::max(height, 1))};
    beginDisplay(seconds);
    beginInput();
}

double Ui::changesIn() const
{
    const Devices& devices = input_.devices();
    if (inputWaits() || unsettled() || state_.sunPlays) return 0;
    if (wantsKeyboard()) return devices.keys.any() ? kRepeatSeconds : kCaretSeconds;
    const bool tooltipComes = !state_.hovered.empty() && state_.hoveredSeconds < kHoverRests;
    const bool reads = state_.browser.open;  // folders are read in the background
    return devices.dragging() || tooltipComes || reads ? kStirSeconds : kNever;
}

void Ui::beginPass()
{
    ImGui::SetCurrentContext(context_);
    beginDisplay(kPassSeconds);
    beginInput();
}

// Updates the clock, the display's size and the scale.  With a window, ImGui's GLFW back end measures the time and the
// display's scale, sets the cursor's shape, and polls the mouse; beginInput() overwrites the mouse with the queue's.
void Ui::beginDisplay(double seconds)
{
    ImGuiIO& io = ImGui::GetIO();
    if (glfw_) ImGui_ImplGlfw_NewFrame();
    io.DeltaTime = glfw_ ? std::max(io.DeltaTime, float(kPassSeconds)) : float(std::clamp(seconds, kPassSeconds, 1.0));
    const ImVec2 scale = glfw_ ? io.DisplayFramebufferScale : ImVec2(1, 1);
    io.DisplaySize = {display_.x / scale.x, display_.y / scale.y};
    state_.wantedScale = options_.scale;
    const float fitting = fittingScale(io.DisplaySize, state_.chosenScale.value_or(options_.scale));
    if (std::abs(fitting - theme_.scale) > 0.02f) useScale(fitting);
    if (opengl_) ImGui_ImplOpenGL3_NewFrame();
}

void Ui::beginInput()
{
    const Devices& devices = input_.next();
    unsettled_ = input_.tookEdge() ? kSettlingPasses : std::max(unsettled_ - 1, 0);
    show(ImGui::GetIO(), devices);
    ImGui::NewFrame();
}

Panel Ui::panel(std::string_view name, const UiModel& model, UiActions& actions)
{
    return {name, model, actions, state_, items_, theme_};
}

// Draws the descriptions of the picture.  `under`: room below the legend.
void Ui::drawOverPicture(const UiModel& model, UiActions& actions, const Layout& layout, const PanelRect& under)
{
    if (state_.panelsShown)
    {
        drawSplit(panel("Split", model, actions), under);
        const PictureRoom room = drawPictureTools(panel("Picture", model, actions), under);
        if (!state_.helpOpen) drawOrientation(panel("Picture", model, actions), room);
    }
    else
        drawCreditAlone(panel("Picture", model, actions), layout.centre);
    drawContourLabels(panel("Contours", model, actions));
}

void Ui::drawOverlays(const UiModel& model, UiActions& actions, const Layout& layout)
{
    float legend = 0;
    const float floor = model.loading            ? layout.overlay.max.y
                        : model.messages.empty() ? layout.messages.max.y
                                                 : layout.loading.max.y;
    const PanelRect free{layout.overlay.min, {layout.overlay.max.x, floor}};
    if (!model.shaderLog.empty())
        drawShaderLog(panel("Shader", model, actions), free);
    else if (state_.helpOpen)
        drawHelp(panel("Help", model, actions), free);
    else if (state_.pathsOffered)
        drawPathChoice(panel("Paths", model, actions), layout.overlay);
    else if (state_.messageLogOpen && model.messageLog)
        drawMessageLog(panel("Log", model, actions), layout.overlay);
    else if (state_.panelsShown && model.pictured)
        legend = drawLegend(panel("Legend", model, actions), layout.overlay);
    const PanelRect under{{free.min.x, free.min.y + legend}, free.max};
    if (model.pictured) drawOverPicture(model, actions, layout, under);
    if (model.loading) drawLoading(panel("Loading", model, actions), layout.loading);
    drawMessages(panel("Messages", model, actions), layout.messages);
}

UiActions Ui::draw(const UiModel& model)
{
    ImGui::SetCurrentContext(context_);
    UiActions actions;
    actions.settings = model.settings;
    ImGui::PushFont(theme_.body);
    applyShortcuts(state_, model, actions);
    if (state_.offered) browseTerrains(state_, actions, *std::exchange(state_.offered, std::nullopt));
    readPictureTools(model, actions);
    readBrush(model, actions);
    const Panel bar = panel("Tools", model, actions);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const Layout layout =
        layoutFor(layoutRequest(state_, display, theme_.scale, toolBarHeight(bar, barWidth(display, theme_.scale))));
    state_.layout = layout;
    if (state_.panelsShown)
    {
        drawColumns(bar, layout);
        drawToolBar(bar, layout.bar);
        drawStatus(panel("Status", model, actions), layout.status);
    }
    else
        state_.dockView.fillsLeft = state_.dockView.fillsRight = false;
    state_.picture = pictureSpace(layout, state_.dockView.fillsLeft, state_.dockView.fillsRight, display);
    ImGui::GetBackgroundDrawList()->PushClipRect(state_.picture.min, state_.picture.max);
    drawOverlays(model, actions, layout);
    ImGui::GetBackgroundDrawList()->PopClipRect();
    drawFileBrowser(panel("Files", model, actions));
    if (popupOpen() && !state_.browser.open && ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false))
        ImGui::ClosePopupToLevel(ImGui::GetCurrentContext()->OpenPopupStack.Size - 1, true);
    ImGui::PopFont();
    const PanelRect& centre = layout.centre;
    items_.addRect("Viewport/picture",
                   {.min = centre.min,
                    .max = centre.max,
                    .visibleMin = centre.min,
                    .visibleMax = centre.max,
                    .handle = {(centre.min.x + centre.max.x) / 2, (centre.min.y + centre.max.y) / 2},
                    .window = "Viewport"});
    state_.presses += ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    const bool pressed = ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    // All edits while the sun's time runs on form one undo step.
    actions.settingsActions.gesture = pressed || state_.sunPlays ? state_.presses : 0;
    actions.camera = state_.browser.open ? CameraInput{} : cameraInput();
    actions.camera.inverted = actions.settings.input.invertDrag;
    leaveMouseToBrush(model, actions);
    if (model.tools.measure.adding) actions.camera.flyTo.reset();  // a double click sets points
    actions.cursor = cursorPosition();
    followHover();
    ImGui::Render();
    notePanels();
    items_.beginFrame();
    resizes_ = std::exchange(state_.resized, false) ? resizes_ + 1 : 0;
    if (resizes_ > 0 && resizes_ <= kMostResizes) unsettled_ = kSettlingPasses;
    return actions;
}

PicturePart Ui::uncovered() const
{
    if (state_.picture.width() <= 0) return {};  // before the first draw()
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const PanelRect& seen = state_.picture;
    const auto share = [](float at, float end) { return std::clamp(double(at / end), 0.0, 1.0); };
    return {share(seen.min.x, size.x), share(size.y - seen.max.y, size.y), share(seen.max.x, size.x),
            share(size.y - seen.min.y, size.y)};
}

void Ui::followHover()
{
    const bool same = state_.hovered == state_.hoveredNow;
    state_.hoveredSeconds = same ? state_.hoveredSeconds + double(ImGui::GetIO().DeltaTime) : 0;
    state_.hovered = std::exchange(state_.hoveredNow, {});
}

void Ui::notePanels()
{
    panels_ = state_.panelsShown ? state_.dockView.shown : std::vector<std::pair<std::string, PanelRect>>();
    for (const ImGuiWindow* window : context_->Windows)
    {
        const bool ours = window->Active && !window->Hidden && (window->Flags & ImGuiWindowFlags_ChildWindow) == 0 &&
                          (window->Flags & (ImGuiWindowFlags_Popup | ImGuiWindowFlags_Tooltip)) == 0 &&
                          std::string_view(window->Name).find("##") == std::string_view::npos;
        if (ours)
            panels_.push_back(
                {window->Name, {window->Pos, {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y}}});
    }
}

void Ui::render()
{
    ImGui::SetCurrentContext(context_);
    if (!opengl_) return;
    const ImDrawData& data = *ImGui::GetDrawData();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    uploaded_ =
        std::uint64_t(data.TotalVtxCount) * sizeof(ImDrawVert) + std::uint64_t(data.TotalIdxCount) * sizeof(ImDrawIdx);
}

bool Ui::wantsKeyboard() const { return context_->IO.WantTextInput; }

void Ui::recall(const UiMemory& from, bool scaleGiven)
{
    state_.dock = mergedDock(from.dock, dockedPlaces());
    state_.folds = from.folds;
    state_.budgets = {from.budgetMs, from.budgetTriangles};
    if (!scaleGiven) state_.chosenScale = from.uiScale;
    state_.browser.folder = from.browsed;
    CaptureRequest& capture = state_.capture.request;
    capture.path = from.capturePath;
    if (from.captureFrames > 0 && from.captureRuns > 0)
    {
        capture.frames = std::min<std::uint64_t>(from.captureFrames, kMostCaptureFrames);
        capture.warmup = from.captureWarmup;
        capture.runs = std::min<std::uint64_t>(from.captureRuns, kMostCaptureRuns);
    }
    const auto known = std::ranges::find(experiments(), from.experiment, &Experiment::name);
    if (known != experiments().end() && from.leastDepth >= 10 && from.mostDepth >= from.leastDepth)
    {
        state_.laboratory.experiment = from.experiment;
        state_.laboratory.options.leastDepth = from.leastDepth;
        state_.laboratory.options.mostDepth = from.mostDepth;
    }
    state_.pathFile = from.pathFile;
    for (const auto& [panel, values] : from.modules)
        recallModule(state_, panel, values);
}

void Ui::remember(UiMemory& to) const
{
    to.dock = state_.dock;
    to.folds = state_.folds;
    to.budgetMs = state_.budgets.milliseconds;
    to.budgetTriangles = state_.budgets.triangles;
    if (state_.chosenScale) to.uiScale = state_.chosenScale;
    to.browsed = state_.browser.folder;
    const CaptureRequest& capture = state_.capture.request;
    to.capturePath = capture.path;
    to.captureFrames = capture.frames;
    to.captureWarmup = capture.warmup;
    to.captureRuns = capture.runs;
    to.experiment = state_.laboratory.experiment;
    to.leastDepth = state_.laboratory.options.leastDepth;
    to.mostDepth = state_.laboratory.options.mostDepth;
    to.pathFile = state_.pathFile;
    to.modules.clear();
    for (const auto& [panel, values] : state_.modules)
        to.modules.emplace(panel, values);
}

}  // namespace orogen::app
