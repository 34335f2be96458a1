// User interface without a window or OpenGL, and a model with plausible content.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include "app/session/remembered.h"
#include "app/ui/ui.h"

namespace orogen::app {

inline UiModel plausibleModel(const FrameHistory& history)
{
    UiModel model;
    model.history = &history;
    model.stats.work = {.frame = 900,
                        .leaves = 183'421,
                        .visible = 60'213,
                        .triangles = 963'408,
                        .splits = 12,
                        .merges = 4,
                        .refused = 0,
                        .maxDepth = 23};
    model.stats.settled = true;
    model.stats.tiles = TileStats{.resident = 612,
                                  .capacity = 832,
                                  .wanted = 640,
                                  .missing = 28,
                                  .loading = 2,
                                  .failed = 1,
                                  .bytesRead = 81'234'567,
                                  .requests = 2'000,
                                  .hits = 1'900,
                                  .budgetBytes = 128u << 20,
                                  .residentBytes = 97u << 20,
                                  .coarser = 1.7f};
    model.syntheticBelow = 60;
    model.buffers = {{"tree", 4 << 20}, {"leaf lists", 16 << 20}, {"heights", 1'600'000}};
    model.memory = {.largestDepth = 29, .checkDepth = {}, .leafBytes = [](int, std::uint32_t capacity) {
                        return std::uint64_t(24) * capacity;
                    }};
    model.terrain = TerrainInfo{.name = "a rather long folder name/another one/big_tujunga.tif",
                                .format = "GeoTIFF",
                                .crs = "EPSG:32611",
                                .width = 1197,
                                .height = 643,
                                .pixelWidth = 30,
                                .pixelHeight = 30,
                                .minHeight = 315,
                                .maxHeight = 2295,
                                .voids = 12,
                                .synthetic = true,
                                .estimated = true,
                                .warnings = {"8 bits a sample: heights are coarse"}};
    model.bundled = {"jacksboro", "synthetic:4096:7"};
    model.path = {.shipped = {"overview", "ridge"},
                  .present = true,
                  .name = "eine l\u00e4ngere Runde \u00fcber dem Gel\u00e4nde und zur\u00fcck",
                  .duration = 1'200,
                  .fraction = 0.9};
    model.context = {"llvmpipe", "OpenGL 4.6 core", "surfaceless"};
    return model;
}

inline void fill(FrameHistory& history, int frames)
{
    for (int i = 0; i < frames; ++i)
    {
        FrameRecord stats;
        stats.frame = std::uint64_t(i);
        stats.cpu.intervalMs = 16.0 + std::sin(i);
        stats.cpu.workMs = 3;
        stats.gpu = {.frame = stats.frame, .ms = {1.0}, .wholeMs = 1.0};
        history.push(stats);
    }
}

// Fills the model with the content of all overlays at once.
inline void makeBusy(UiModel& model)
{
    model.loading = LoadingState{0.4, "reading a file"};
    model.shaderLog = "shaders/lod/lod_mark.comp:42: syntax error\n";
    model.stats.work.refused = 1'234;
    model.path.recorded = 3'599.9;
    for (const auto kind : {MessageKind::kNote, MessageKind::kWarning, MessageKind::kError})
        model.messages.push_back({kind, "folder/broken.tif: offset 812: found 3 samples a pixel, expected 1", 0, 2});
}

// ImGui with one window, "Panel", whose rows or plots are tested alone.
class PanelTest : public testing::Test
{
protected:
    void SetUp() override
    {
        IMGUI_CHECKVERSION();
        context_ = ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DisplaySize = {900, 600};
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    }
    void TearDown() override { ImGui::DestroyContext(context_); }

    // Draws a frame in which `draw` fills the window.
    void drawFrame(const std::function<void(const Panel&)>& draw)
    {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({300, 250});
        ImGui::Begin("Panel");
        draw({"Panel", model_, actions_, state_, items_, theme_});
        ImGui::End();
        ImGui::Render();
        items_.beginFrame();
    }

    ImGuiContext* context_ = nullptr;
    UiModel model_;
    UiActions actions_;
    UiState state_;
    ItemRegistry items_;
    Theme theme_;
};

// Draws frames and applies actions to the model's settings, as the viewer does.
class HeadlessUi
{
public:
    explicit HeadlessUi(int width = 1280, int height = 720, float scale = 1) : width_(width), height_(height)
    {
        fill(history, 200);
        model = plausibleModel(history);
        ui = std::move(*Ui::create({.window = nullptr, .renderer = false, .scale = scale}));
    }

    void resize(int width, int height)
    {
        width_ = width;
        height_ = height;
    }
    // Runs a frame with one batch of input per pass; returns the last pass's actions.
    UiActions frame(double seconds = 1.0 / 60)
    {
        ui->beginFrame(width_, height_, seconds);
        UiActions actions = pass();
        while (ui->inputWaits())
        {
            ui->beginPass();
            actions = pass();
        }
        return actions;
    }
    UiActions pass()
    {
        if (refresh) refresh(model);
        UiActions actions = ui->draw(model);
        model.settings = actions.settings;
        for (const std::string& message : actions.refused)
            refused.push_back(message);
        opened = actions.open ? actions.open : opened;
        if (onPass) onPass(actions);
        screenshots += actions.screenshot;
        home |= actions.home;
        return actions;
    }
    void frames(int count)
    {
        for (int i = 0; i < count; ++i)
            frame();
    }
    // Opens sections that are initially folded, such as "Terrain/tree".
    void unfold(std::initializer_list<const char*> sections)
    {
        Remembered kept;
        ui->remember(kept);
        for (const char* section : sections)
            kept.folds[section] = true;
        ui->recall(kept);
        frames(3);
    }
    void unfoldAll()
    {
        unfold({"Terrain/settings", "Terrain/tree", "Terrain/tiles", "Terrain/relief", "Terrain/picture", "Terrain/air",
                "Terrain/colours", "Terrain/water", "Terrain/imagery", "Terrain/source", "View/position", "View/places",
                "View/path", "View/interface"});
    }
    // Runs frames until the injector is idle, and one more to draw the result.
    void play()
    {
        for (int i = 0; i < 200 && ui->injector().busy(); ++i)
            frame();
        frame();
    }
    void click(const std::string& item)
    {
        ui->injector().click(item);
        play();
    }
    void drag(const std::string& item, double dx, double dy = 0)
    {
        ui->injector().drag(item, dx, dy);
        play();
    }
    void key(const std::string& name)
    {
        ui->injector().key(name);
        play();
    }
    // Types into a number, by Ctrl+click.
    void type(const std::string& item, const std::string& text)
    {
        ui->injector().hover(item, 1);  // scrolls to it
        play();
        const ItemRect* rect = ui->items().find(item);
        if (!rect) return;
        ui->feed(CursorEvent{rect->centre().x, rect->centre().y});
        ui->feed(KeyEvent{GLFW_KEY_LEFT_CONTROL, 0, GLFW_PRESS, 0});
        ui->feed(MouseButtonEvent{GLFW_MOUSE_BUTTON_LEFT, GLFW_PRESS});
        ui->feed(MouseButtonEvent{GLFW_MOUSE_BUTTON_LEFT, GLFW_RELEASE});
        ui->feed(KeyEvent{GLFW_KEY_LEFT_CONTROL, 0, GLFW_RELEASE, 0});
        for (const char c : text)
            ui->feed(CharacterEvent{unsigned(c)});
        ui->feed(KeyEvent{GLFW_KEY_ENTER, 0, GLFW_PRESS, 0});
        ui->feed(KeyEvent{GLFW_KEY_ENTER, 0, GLFW_RELEASE, 0});
        frames(3);
    }
    std::string setting(std::string_view key) const { return settingText(model.settings, key); }

    FrameHistory history;
    UiModel model;
    std::unique_ptr<Ui> ui;
    std::function<void(UiModel&)> refresh;         // called before every pass
    std::function<void(const UiActions&)> onPass;  // called after every pass
    std::vector<std::string> refused;
    std::optional<std::string> opened;
    bool home = false;
    int screenshots = 0;

private:
    int width_, height_;
};

}  // namespace orogen::app
