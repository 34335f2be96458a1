// The picture of a viewer window that the X server shows under a window manager, and controls operated by real keys and
// buttons.  OpenGL is read back only for comparison.
#include <random>

#include <gtest/gtest.h>

#include "tests/gl/desktop_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

using OnADesktopThorough = OnADesktop;

TEST_F(OnADesktopThorough, TheServerShowsTheFrameAfterEveryResize)
{
    open(640, 400);
    catchUp();
    expectTheServerShowsTheFrame();
    std::mt19937 random(20);
    for (int i = 0; i < scaled(12, 600); ++i)
    {
        const int width = 200 + int(random() % 900), height = 150 + int(random() % 700);
        SCOPED_TRACE(std::to_string(i) + ": " + std::to_string(width) + "x" + std::to_string(height));
        client_->placeAndResize(20, 40, width, height);
        client_->awaitSize(width, height);
        catchUp();
        expectTheServerShowsTheFrame();
    }
}

TEST_F(OnADesktopThorough, TheServerShowsTheFrameMaximisedAndInFullScreen)
{
    open(640, 400);
    client_->focus();
    for (int i = 0; i < scaled(1, 20); ++i)
    {
        client_->toggleMaximised();
        client_->awaitAnotherSize(640, 400);
        catchUp();
        expectTheServerShowsTheFrame();
        client_->toggleMaximised();
        client_->awaitSize(640, 400);
        catchUp();
        expectTheServerShowsTheFrame();

        const auto pressF11 = [&](bool fullscreen) {
            client_->key("F11", true);
            client_->key("F11", false);
            while (window().fullscreen() != fullscreen)
                step();
        };
        pressF11(true);
        client_->awaitSize(1280, 1024);
        catchUp();
        expectTheServerShowsTheFrame();
        pressF11(false);
        client_->awaitSize(640, 400);
        catchUp();
        expectTheServerShowsTheFrame();
    }
}

// Operates the devices of a program whose frames take `frameMs`.  Time is simulated: input between two frames reaches
// the server before the second begins.
class AtFrameTime : public OnADesktop, public testing::WithParamInterface<double>
{
protected:
    void SetUp() override
    {
        OnADesktop::SetUp();
        if (HasFatalFailure()) return;
        SessionOptions options = small(1100, 960);
        options.assignments.push_back("render.scale=25");  // these tests look at settings, not at the picture
        open(options);
        sections({{"Terrain/budget", false}, {"Terrain/tree", true}, {"View/position", true}});
        client_->placeAndResize(20, 40, 1100, 960);
        catchUp();
        client_->focus();
        step();
    }
    void pass(double ms)
    {
        for (now_ += ms; nextFrame_ <= now_; nextFrame_ += GetParam())
            step();
    }
    void finish()  // processes pending input
    {
        for (int i = 0; i < 3; ++i)
            step();
    }
    ImVec2 at(const std::string& item)
    {
        const ItemRect* rect = viewer_->ui().items().find(item);
        EXPECT_TRUE(rect && rect->shows(rect->handle)) << item;
        return rect ? rect->handle : ImVec2();
    }
    void moveTo(ImVec2 place) { client_->move(int(place.x), int(place.y)); }
    void tap(const std::string& item)
    {
        moveTo(at(item));
        pass(double(random_() % 30));
        client_->button(1, true);
        pass(60);
        client_->button(1, false);
    }
    void tapKey(const char* name)
    {
        client_->key(name, true);
        pass(60);
        client_->key(name, false);
        pass(20);
    }
    // A user's drag: twenty moves of 10 ms each.
    void drag(ImVec2 from, float dx)
    {
        moveTo(from);
        pass(30);
        client_->button(1, true);
        for (int i = 1; i <= 20; ++i)
        {
            pass(10);
            moveTo({from.x + dx * float(i) / 20.0f, from.y});
        }
        client_->button(1, false);
    }
    const Settings& settings() const { return viewer_->settings(); }

    std::mt19937 random_{7};
    double now_ = 0, nextFrame_ = 0;
};
using AtFrameTimeThorough = AtFrameTime;

INSTANTIATE_TEST_SUITE_P(Milliseconds, AtFrameTimeThorough, testing::Values(20.0));
INSTANTIATE_TEST_SUITE_P(MillisecondsLong, AtFrameTimeThorough, testing::Values(300.0, 600.0));

TEST_P(AtFrameTimeThorough, NoTapIsLostOrGoesAstray)
{
    bool frozen = settings().lod.frozen, wireframe = settings().render.wireframe;
    const Settings::View view = settings().view;
    const int taps = scaled(10, 500);
    for (int tapped = 0; tapped < taps;)
    {
        SCOPED_TRACE(tapped);
        for (const int last = std::min(taps, tapped + 1 + int(random_() % 3)); tapped < last; ++tapped)
        {
            const bool mouse = random_() % 2 == 0;
            (mouse ? frozen : wireframe) ^= true;
            if (mouse)
                tap("Terrain/frozen");
            else
                tapKey("F4");
            moveTo(at("View/home"));  // moves at once: the click's place must not follow the cursor
            pass(double(random_() % 200));
        }
        finish();
        ASSERT_EQ(settings().lod.frozen, frozen);
        ASSERT_EQ(settings().render.wireframe, wireframe);
        ASSERT_EQ(settings().view, view);
    }
}

TEST_P(AtFrameTimeThorough, DragsEndWhereTheyAreLetGo)
{
    for (int i = 0; i < scaled(1, 50); ++i)
    {
        SCOPED_TRACE(i);
        drag(at("View/fov"), 400.0f);  // past the end of the slider
        moveTo(at("View/home"));
        finish();
        EXPECT_EQ(settings().view.fov, 120.0);
        drag(at("View/fov"), -400.0f);
        moveTo(at("View/home"));
        finish();
        EXPECT_EQ(settings().view.fov, 20.0);

        const double yaw = settings().view.yaw;
        drag(at("Viewport/picture"), 100.0f);
        finish();
        const double turned = settings().view.yaw - yaw;
        EXPECT_NE(turned, 0.0);
        drag(at("Viewport/picture"), -100.0f);
        finish();
        EXPECT_NEAR(settings().view.yaw, yaw, 1e-3);
    }
}

TEST_P(AtFrameTimeThorough, CtrlClickANumberAndEnterSetASlider)
{
    client_->key("Control_L", true);
    tap("Terrain/depth");
    client_->key("Control_L", false);
    tapKey("1");
    tapKey("2");
    tapKey("Return");
    moveTo(at("View/home"));
    finish();
    EXPECT_EQ(settings().cbt.depth, 12);
}

TEST_P(AtFrameTimeThorough, AKeyThatIsHeldForAMomentMovesTheCamera)
{
    const auto before = settings().view.position;
    tapKey("w");
    finish();
    EXPECT_NE(settings().view.position, before);
    auto after = settings().view.position;
    for (int i = 0; i < 300; ++i)  // stops within a few tenths of a second
    {
        step();
        if (std::exchange(after, settings().view.position) == after && i > 10) break;
    }
    after = settings().view.position;
    finish();
    EXPECT_EQ(settings().view.position, after);
}

}  // namespace
}  // namespace orogen::app::test
