// Tests of user input as the UI's passes see it: complete, in order, at the cursor's place.
#include "app/ui/input.h"

#include <random>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include "tests/app/ui_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app {
namespace {

KeyEvent key(int code, int action) { return {code, 0, action, 0}; }
MouseButtonEvent button(int number, int action) { return {number, action, 0, 0, 0}; }
constexpr int kLeft = GLFW_MOUSE_BUTTON_LEFT;

InputQueue queueOf(std::initializer_list<WindowEvent> events)
{
    InputQueue queue;
    for (const WindowEvent& event : events)
        queue.push(event);
    return queue;
}

TEST(InputQueue, AClickAndAMoveAwayAreThreePasses)
{
    InputQueue queue = queueOf({CursorEvent{1, 1}, CursorEvent{10, 20}, button(kLeft, GLFW_PRESS),
                                button(kLeft, GLFW_RELEASE), CursorEvent{300, 20}});
    const Devices press = queue.next();
    EXPECT_TRUE(press.buttons[kLeft]);
    EXPECT_EQ(press.mouse->x, 10);
    const Devices release = queue.next();
    EXPECT_FALSE(release.buttons[kLeft]);
    EXPECT_EQ(release.mouse->x, 10);
    EXPECT_EQ(queue.next().mouse->x, 300);
    EXPECT_FALSE(queue.waiting());
}

TEST(InputQueue, ADragIsSeenWhereItEndsBeforeItIsLetGo)
{
    InputQueue queue = queueOf({CursorEvent{10, 20}, button(kLeft, GLFW_PRESS), CursorEvent{20, 20},
                                CursorEvent{50, 20}, button(kLeft, GLFW_RELEASE)});
    queue.next();
    const Devices moved = queue.next();
    EXPECT_TRUE(moved.buttons[kLeft]);
    EXPECT_EQ(moved.mouse->x, 50);
    EXPECT_FALSE(queue.next().buttons[kLeft]);
    EXPECT_FALSE(queue.waiting());
}

TEST(InputQueue, ContinuousMotionIsOnePass)
{
    InputQueue queue;
    for (int i = 0; i < 1'000; ++i)
        queue.push(CursorEvent{double(i), 0});
    EXPECT_EQ(queue.next().mouse->x, 999);
    EXPECT_FALSE(queue.waiting());
}

TEST(InputQueue, TypingKeepsTheOrderOfKeysAndCharacters)
{
    InputQueue queue =
        queueOf({key(GLFW_KEY_A, GLFW_PRESS), CharacterEvent{'a'}, key(GLFW_KEY_A, GLFW_RELEASE),
                 key(GLFW_KEY_BACKSPACE, GLFW_PRESS), key(GLFW_KEY_BACKSPACE, GLFW_RELEASE),
                 key(GLFW_KEY_B, GLFW_PRESS), CharacterEvent{'b'}, key(GLFW_KEY_B, GLFW_REPEAT), CharacterEvent{'b'}});
    const Devices a = queue.next();
    EXPECT_TRUE(a.keys[GLFW_KEY_A]);
    EXPECT_EQ(a.characters, std::vector<unsigned>{'a'});
    EXPECT_FALSE(queue.next().keys[GLFW_KEY_A]);
    const Devices backspace = queue.next();
    EXPECT_TRUE(backspace.keys[GLFW_KEY_BACKSPACE]);
    EXPECT_TRUE(backspace.characters.empty());
    queue.next();
    EXPECT_EQ(queue.next().characters, (std::vector<unsigned>{'b', 'b'}));
    EXPECT_FALSE(queue.waiting());
}

TEST(InputQueue, LosingTheFocusLetsGoOfEverythingAwayFromTheWindow)
{
    InputQueue queue = queueOf({CursorEvent{5, 5}, button(kLeft, GLFW_PRESS), key(GLFW_KEY_W, GLFW_PRESS),
                                FocusEvent{false}, button(kLeft, GLFW_RELEASE), key(GLFW_KEY_W, GLFW_RELEASE)});
    queue.next();
    EXPECT_TRUE(queue.next().keys[GLFW_KEY_W]);
    const Devices gone = queue.next();
    EXPECT_FALSE(gone.dragging());
    EXPECT_TRUE(gone.keys.none());
    EXPECT_FALSE(gone.mouse);
    EXPECT_FALSE(queue.waiting());
    queue.push(MouseButtonEvent{kLeft, GLFW_PRESS, 0, 7, 8});  // the queue has no move before it
    EXPECT_EQ(queue.next().mouse->y, 8);
}

TEST(InputQueue, ADragGoesOnOutsideOfTheWindow)
{
    InputQueue queue = queueOf({CursorEvent{5, 5}, button(kLeft, GLFW_PRESS), CursorLeftEvent{}, CursorEvent{-9, 5}});
    queue.next();
    EXPECT_EQ(queue.next().mouse->x, -9);
    queue.push(button(kLeft, GLFW_RELEASE));
    queue.push(CursorLeftEvent{});
    queue.next();
    EXPECT_FALSE(queue.next().mouse);
}

TEST(InputQueue, UnknownKeysAndButtonsAreLeftOut)
{
    InputQueue queue = queueOf({key(GLFW_KEY_UNKNOWN, GLFW_PRESS), key(512, GLFW_PRESS), button(7, GLFW_PRESS)});
    EXPECT_FALSE(queue.waiting());
}

TEST(InputQueue, TheWheelTurnsWhereTheMouseIs)
{
    InputQueue queue = queueOf({CursorEvent{5, 5}, ScrollEvent{0, 1}, ScrollEvent{0, 2}, CursorEvent{90, 5}});
    const Devices turned = queue.next();
    EXPECT_EQ(turned.wheel.y, 3);
    EXPECT_EQ(turned.mouse->x, 5);
    EXPECT_EQ(queue.next().wheel.y, 0);
}

// Random events at random times: every edge, character and wheel step is in exactly one pass, at its place.
TEST(InputQueue, LosesNothingAtAnyRate)
{
    for (unsigned seed = 0; seed < orogen::test::scaled(200u, 10'000u); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        InputQueue queue;
        std::array<bool, 3> down{};
        struct Edge
        {
            int button;
            bool press;
            float x;
            bool operator==(const Edge&) const = default;
        };
        std::vector<Edge> sent, seen;
        double turned = 0, turnsSeen = 0, x = 0;
        std::size_t typed = 0, typedSeen = 0;
        const auto look = [&] {
            const std::array<bool, ImGuiMouseButton_COUNT> before = queue.devices().buttons;
            const Devices& devices = queue.next();
            int edges = 0;
            for (int i = 0; i < 3; ++i)
                if (devices.buttons[std::size_t(i)] != before[std::size_t(i)])
                {
                    seen.push_back({i, devices.buttons[std::size_t(i)], devices.mouse->x});
                    ++edges;
                }
            EXPECT_LE(edges, 1);
            turnsSeen += devices.wheel.y;
            typedSeen += devices.characters.size();
        };
        for (int event = 0; event < 60; ++event)
        {
            const unsigned kind = unsigned(random() % 6), which = unsigned(random() % 3);
            if (kind <= 1) queue.push(CursorEvent{x = double(random() % 500), 0});
            if (kind == 2 || kind == 3)
            {
                down[which] = !down[which];
                queue.push(MouseButtonEvent{int(which), down[which] ? GLFW_PRESS : GLFW_RELEASE, 0, x, 0});
                sent.push_back({int(which), down[which], float(x)});
            }
            if (kind == 4) queue.push(ScrollEvent{0, 1}), ++turned;
            if (kind == 5) queue.push(CharacterEvent{'x'}), ++typed;
            for (unsigned looks = random() % 8 == 0 ? unsigned(random() % 9) : 0; looks > 0; --looks)
                look();
        }
        while (queue.waiting())
            look();
        EXPECT_EQ(seen, sent);
        EXPECT_EQ(turnsSeen, turned);
        EXPECT_EQ(typedSeen, typed);
    }
}

// Draws panels with frames so slow that all input arrives in one frame.
class SlowFrame : public testing::Test
{
protected:
    SlowFrame()
    {
        headless.frames(3);
        headless.unfoldAll();
    }
    ImVec2 at(const char* item)
    {
        const ItemRect* rect = headless.ui->items().find(item);
        EXPECT_TRUE(rect) << item;
        return rect ? rect->centre() : ImVec2();
    }
    void move(ImVec2 to) { headless.ui->feed(CursorEvent{to.x, to.y}); }
    void tap(const char* item)
    {
        move(at(item));
        headless.ui->feed(button(kLeft, GLFW_PRESS));
        headless.ui->feed(button(kLeft, GLFW_RELEASE));
    }
    void type(int code, unsigned character = 0)
    {
        headless.ui->feed(key(code, GLFW_PRESS));
        if (character) headless.ui->feed(CharacterEvent{character});
        headless.ui->feed(key(code, GLFW_RELEASE));
    }
    HeadlessUi headless{1280, 2400};  // high enough to avoid scrolling
};

TEST_F(SlowFrame, AClickThenAQuickMoveFiresWhatWasClicked)
{
    tap("View/home");
    move(at("View/screenshot"));
    headless.frame();
    EXPECT_TRUE(headless.home);
    EXPECT_EQ(headless.screenshots, 0);
}

TEST_F(SlowFrame, EveryTapCounts)
{
    for (int i = 0; i < 7; ++i)
    {
        tap("View/screenshot");
        tap("Terrain/frozen");
    }
    headless.frame();
    EXPECT_EQ(headless.screenshots, 7);
    EXPECT_EQ(headless.setting("lod.frozen"), "true");
}

TEST_F(SlowFrame, CtrlClickANumberAndEnter)
{
    headless.ui->feed(key(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS));
    tap("Terrain/depth");
    headless.ui->feed(key(GLFW_KEY_LEFT_CONTROL, GLFW_RELEASE));
    type(GLFW_KEY_1, '1');
    type(GLFW_KEY_7, '7');
    type(GLFW_KEY_ENTER);
    tap("View/home");
    headless.frame();
    EXPECT_EQ(headless.setting("cbt.depth"), "17");
    EXPECT_TRUE(headless.home);
}

TEST_F(SlowFrame, AnOpenListIsThereWhenTheFrameIsDrawn)
{
    tap("Terrain/criterion");
    headless.frame();
    for (; headless.ui->unsettled(); headless.pass())
        headless.ui->beginPass();
    tap("Terrain/criterion/error");
    headless.frame();
    EXPECT_EQ(headless.setting("lod.criterion"), "error");
}

TEST_F(SlowFrame, ADragReachesTheEndOfASlider)
{
    const ItemRect* slider = headless.ui->items().find("View/fov");
    ASSERT_TRUE(slider);
    const double before = std::stod(headless.setting("view.fov"));
    move(slider->handle);
    headless.ui->feed(button(kLeft, GLFW_PRESS));
    move({slider->max.x + 50, slider->handle.y});
    headless.ui->feed(button(kLeft, GLFW_RELEASE));
    headless.frame();
    EXPECT_GT(std::stod(headless.setting("view.fov")), before);
    EXPECT_EQ(headless.setting("view.fov"), "120");  // the slider's end
}

TEST_F(SlowFrame, AScriptKeepsTheUserWaitingAndLosesNothingOfHis)
{
    headless.ui->injector().click("Terrain/frozen");
    tap("View/home");
    headless.frame();
    EXPECT_FALSE(headless.home);
    headless.play();
    headless.frames(2);
    EXPECT_EQ(headless.setting("lod.frozen"), "true");
    EXPECT_TRUE(headless.home);
}

}  // namespace
}  // namespace orogen::app
