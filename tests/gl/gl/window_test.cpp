#include "app/gl/window.h"

#include <cstdlib>

#include <gtest/gtest.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/gl/context.h"
#include "app/gl/image.h"
#include "tests/support/xvfb.h"

namespace orogen::app {
namespace {

class WindowTest : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        server_ = std::make_unique<orogen::test::Xvfb>();
        unsetenv("WAYLAND_DISPLAY");
        setenv("DISPLAY", server_->display().c_str(), 1);
    }
    static void TearDownTestSuite()
    {
        unsetenv("DISPLAY");
        server_.reset();
    }
    void SetUp() override
    {
        ASSERT_NE(server_->display(), "") << "Xvfb did not start; these tests need it (Debian: xvfb)";
        ContextOptions options;
        options.window.width = 320;
        options.window.height = 180;
        Result<std::unique_ptr<Context>> made = Context::create(options);
        ASSERT_TRUE(made) << made.error().message;
        context_ = std::move(*made);
        window_ = context_->window();
    }
    template <class Event>
    std::vector<Event> events()
    {
        std::vector<Event> list;
        for (const WindowEvent& event : window_->takeEvents())
            if (const Event* match = std::get_if<Event>(&event)) list.push_back(*match);
        return list;
    }

    static inline std::unique_ptr<orogen::test::Xvfb> server_;
    std::unique_ptr<Context> context_;
    Window* window_ = nullptr;
};

TEST_F(WindowTest, HasTheSizeThatWasAskedForAndAUsableContext)
{
    EXPECT_FALSE(noWindowReason());
    EXPECT_EQ(context_->info().path, "window");
    EXPECT_EQ(window_->size(), (PixelSize{320, 180}));
    EXPECT_EQ(window_->framebufferSize(), (PixelSize{320, 180}));
    EXPECT_GT(window_->contentScale(), 0.0f);
    EXPECT_FALSE(window_->closeRequested());
}

TEST_F(WindowTest, ShowsWhatWasDrawn)
{
    glClearColor(1.0f, 0.5f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    const Image image = readFramebuffer(0, 320, 180);
    EXPECT_EQ(int(image.rgb[0]), 255);
    EXPECT_NEAR(int(image.rgb[1]), 128, 1);
    EXPECT_EQ(int(image.rgb[2]), 0);
    window_->swap();
    context_->debug().poll();
    EXPECT_EQ(context_->debug().errors(), 0u);
}

// Checked accesses cost time: frames must cost the same headless and in a window.  A driver may decline both for
// windows (Mesa's software rasteriser does), but not one of them.
TEST_F(WindowTest, IsRobustWhereItTellsOfResetsAndSoIsAHeadlessContext)
{
    const auto expectBothOrNeither = [](const Context& context) {
        GLint flags = 0, strategy = 0;
        glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
        glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY, &strategy);
        const bool told = strategy == GL_LOSE_CONTEXT_ON_RESET;
        EXPECT_EQ((flags & GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT) != 0, told) << context.info().path;
        EXPECT_EQ(context.info().resetNotification, told) << context.info().path;
    };
    expectBothOrNeither(*context_);
    context_.reset();
    Result<std::unique_ptr<Context>> headless = Context::create({.headless = true});
    ASSERT_TRUE(headless) << headless.error().message;
    expectBothOrNeither(**headless);
}

TEST_F(WindowTest, FollowsAResize)
{
    window_->resize(400, 300);
    for (int i = 0; i < 100 && window_->size() != PixelSize{400, 300}; ++i)
    {
        window_->takeEvents();
        window_->swap();
    }
    EXPECT_EQ(window_->framebufferSize(), (PixelSize{400, 300}));
}

TEST_F(WindowTest, GoesFullscreenAndComesBack)
{
    window_->setFullscreen(true);
    window_->takeEvents();
    EXPECT_TRUE(window_->fullscreen());
    window_->setFullscreen(false);
    window_->takeEvents();
    EXPECT_FALSE(window_->fullscreen());
    EXPECT_EQ(window_->size(), (PixelSize{320, 180}));
}

// Calls the callbacks as GLFW would: an X server without a keyboard sends no events.
TEST_F(WindowTest, CollectsInputInOrder)
{
    window_->takeEvents();
    GLFWwindow* handle = window_->handle();
    const auto key = glfwSetKeyCallback(handle, nullptr);
    const auto scroll = glfwSetScrollCallback(handle, nullptr);
    const auto drop = glfwSetDropCallback(handle, nullptr);
    key(handle, GLFW_KEY_F11, 7, GLFW_PRESS, GLFW_MOD_SHIFT);
    scroll(handle, 0.5, -1.0);
    const char* paths[] = {"/a.tif", "/b.hgt"};
    drop(handle, 2, paths);
    const std::vector<WindowEvent> list = window_->takeEvents();
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(std::get<KeyEvent>(list[0]).key, GLFW_KEY_F11);
    EXPECT_EQ(std::get<KeyEvent>(list[0]).mods, GLFW_MOD_SHIFT);
    EXPECT_EQ(std::get<ScrollEvent>(list[1]).dy, -1.0);
    EXPECT_EQ(std::get<DropEvent>(list[2]).paths, (std::vector<std::string>{"/a.tif", "/b.hgt"}));
    EXPECT_TRUE(window_->takeEvents().empty());
}

// In a slow frame the cursor has moved on before its events are processed.
TEST_F(WindowTest, AButtonKnowsWhereTheCursorWas)
{
    GLFWwindow* handle = window_->handle();
    const auto cursor = glfwSetCursorPosCallback(handle, nullptr);
    const auto button = glfwSetMouseButtonCallback(handle, nullptr);
    const auto enter = glfwSetCursorEnterCallback(handle, nullptr);
    const auto character = glfwSetCharCallback(handle, nullptr);
    window_->takeEvents();
    cursor(handle, 12, 34);
    button(handle, GLFW_MOUSE_BUTTON_LEFT, GLFW_PRESS, 0);
    cursor(handle, 200, 100);
    enter(handle, GLFW_FALSE);
    character(handle, 0xe4);
    const std::vector<WindowEvent> list = window_->takeEvents();
    ASSERT_EQ(list.size(), 5u);
    EXPECT_EQ(std::get<MouseButtonEvent>(list[1]).x, 12);
    EXPECT_EQ(std::get<MouseButtonEvent>(list[1]).y, 34);
    EXPECT_TRUE(std::holds_alternative<CursorLeftEvent>(list[3]));
    EXPECT_EQ(std::get<CharacterEvent>(list[4]).codepoint, 0xe4u);
}

TEST_F(WindowTest, CanBeClosedAndOpenedAgain)
{
    window_->requestClose();
    EXPECT_TRUE(window_->closeRequested());
    context_.reset();
    SetUp();
    EXPECT_FALSE(window_->closeRequested());
}

TEST(NoWindow, HasAReasonWhereThereIsNoDisplay)
{
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    ASSERT_TRUE(noWindowReason());
    EXPECT_NE(noWindowReason()->find("DISPLAY"), std::string::npos);
}

TEST(NoWindow, HasAReasonWhereTheDisplayDoesNotAnswer)
{
    setenv("DISPLAY", ":65432", 1);
    unsetenv("WAYLAND_DISPLAY");
    EXPECT_TRUE(noWindowReason());
    unsetenv("DISPLAY");
}

}  // namespace
}  // namespace orogen::app
