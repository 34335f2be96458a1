#include "app/ui/panels.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

namespace orogen::app {

namespace {

bool pressed(int key) { return ImGui::IsKeyPressed(key, false); }

void commands(UiState& state, const UiModel& model, UiActions& actions)
{
    actions.quit |= pressed(GLFW_KEY_Q);
    const bool shift = ImGui::GetIO().KeyShift, z = ImGui::IsKeyPressed(GLFW_KEY_Z, true);
    const bool undo = z && !shift, redo = (z && shift) || ImGui::IsKeyPressed(GLFW_KEY_Y, true);
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

// Returns whether the picture is dragged with this button: pressed over the picture, not over a panel.
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
