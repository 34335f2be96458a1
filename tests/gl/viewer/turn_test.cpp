// The loop of an interactive window: panels respond in the next iteration, however much of a terrain frame remains, and
// nothing is drawn if nothing changes.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gl/desktop_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

class InTurns : public OnADesktop
{
protected:
    void turn()
    {
        const Status status = viewer_->turn(0);
        ASSERT_TRUE(status) << status.error().message;
    }
    void turns(int count)
    {
        for (int i = 0; i < count; ++i)
            turn();
    }
    // Iterates until no more of the terrain is drawn.
    void rest()
    {
        for (std::uint64_t before = ~std::uint64_t(0); before != viewer_->frames();)
        {
            before = viewer_->frames();
            do
                turns(4);
            while (viewer_->renderer().steps().waiting());
        }
    }
    ImVec2 at(const std::string& item)
    {
        const ItemRect* rect = viewer_->ui().items().find(item);
        EXPECT_TRUE(rect && rect->shows(rect->handle)) << item;
        return rect ? rect->handle : ImVec2();
    }
    void moveTo(ImVec2 place) { client_->move(int(place.x), int(place.y)); }
    void tapKey(const char* name)
    {
        client_->key(name, true);
        client_->key(name, false);
    }
    // The server's picture around an item.
    std::vector<std::uint8_t> shownAround(ImVec2 place)
    {
        const Image all = client_->picture();
        std::vector<std::uint8_t> bytes;
        for (int y = int(place.y) - 8; y <= int(place.y) + 8; ++y)
            for (int x = 3 * (int(place.x) - 8); x < 3 * (int(place.x) + 9); ++x)
                bytes.push_back(all.rgb[std::size_t(y) * std::size_t(all.width) * 3 + std::size_t(x)]);
        return bytes;
    }
    const Settings& settings() const { return viewer_->settings(); }
};

using InTurnsThorough = InTurns;

TEST_F(InTurnsThorough, NothingIsDrawnWhileNothingChanges)
{
    open(900, 700);
    client_->focus();
    moveTo(at("Viewport/picture"));
    rest();
    std::uint64_t frames = viewer_->frames();
    turns(20);
    EXPECT_EQ(viewer_->frames(), frames);

    // Input that changes only the panels.
    const std::uint64_t shows = viewer_->shows();
    moveTo({at("Viewport/picture").x + 5, at("Viewport/picture").y});
    turn();
    EXPECT_EQ(viewer_->shows(), shows + 1);
    EXPECT_EQ(viewer_->frames(), frames);

    const auto draws = [&](const char* what) {
        SCOPED_TRACE(what);
        turn();
        rest();
        EXPECT_GT(viewer_->frames(), frames);
        expectTheServerShowsTheFrame(1);
        frames = viewer_->frames();
        turns(20);
        EXPECT_EQ(viewer_->frames(), frames);
    };
    tapKey("F4");
    draws("a setting");
    EXPECT_TRUE(settings().render.wireframe);
    const auto position = settings().view.position;
    tapKey("w");
    draws("the camera");
    EXPECT_NE(settings().view.position, position);
    client_->placeAndResize(20, 40, 800, 600);
    client_->awaitSize(800, 600);
    while (window().framebufferSize() != PixelSize{800, 600})
        turn();
    draws("the window's size");
}

// The error of an older picture would be wrong for the converged one.
TEST_F(InTurnsThorough, FiguresAreReadOnceMoreWhenThePictureSettles)
{
    SessionOptions options = small(1000, 900);
    options.assignments = {"cbt.depth=16", "lod.split_pixels=12", "render.msaa=1"};
    open(options);
    client_->focus();
    sections({{"Terrain/detail", false}, {"Terrain/budget", false}, {"Terrain/relief", true}});
    const auto settle = [&] {
        for (int i = 0; i < 400 && viewer_->pending().total() > 0; ++i)
            turns(2);
        EXPECT_EQ(viewer_->pending().text(), "");
    };
    moveTo(at("Performance/measure_error"));
    turn();
    client_->button(1, true);
    turn();
    client_->button(1, false);
    turn();
    settle();
    ASSERT_TRUE(viewer_->stats().error);
    const PixelFigures fine = *viewer_->stats().error;

    moveTo(at("Terrain/height_scale"));  // middle of the slider: five times the relief
    turn();
    client_->button(1, true);
    turn();
    client_->button(1, false);
    turn();
    EXPECT_NE(settings().terrain.heightScale, 1.0f);
    EXPECT_GT(viewer_->pending().total(), 0u);
    const std::uint64_t changed = viewer_->frames() - 1;
    settle();
    EXPECT_TRUE(viewer_->stats().workIsCurrent);
    EXPECT_GE(viewer_->stats().work.frame, changed);
    ASSERT_TRUE(viewer_->stats().error);
    EXPECT_GE(viewer_->stats().error->frame, changed);
    EXPECT_NE(viewer_->stats().error->largest, fine.largest);

    // After convergence nothing more is drawn.
    const std::uint64_t frames = viewer_->frames();
    turns(20);
    EXPECT_EQ(viewer_->frames(), frames);
}

// While the camera moves, a budget coarsens the tree.  The leaf of that tree must not stay on display at rest.
TEST_F(InTurns, TheLeafUnderTheCursorIsThatOfThePictureAtRest)
{
    SessionOptions options = small(900, 700);
    options.assignments = {"lod.criterion=error", "lod.error_pixels=1", "budget.mode=frame_ms", "budget.value=1"};
    open(options);
    client_->focus();
    const ImVec2 middle = at("Viewport/picture"), low(middle.x, middle.y + 150);
    moveTo(low);
    // To and fro: on a busy machine a flight in one direction would end anywhere, also at ground that the tree cannot
    // draw within a pixel.
    const auto fly = [&](int steps, const auto& done) {
        for (int i = 0; i < steps && !done(); ++i)
        {
            const char* const key = i % 2 == 0 ? "w" : "s";
            client_->key(key, true);
            turn();
            client_->key(key, false);
        }
    };
    fly(2'000, [&] { return viewer_->renderer().target().scale() <= 60; });
    ASSERT_LE(viewer_->renderer().target().scale(), 60);
    fly(40, [] { return false; });
    const auto awaitRest = [&] {
        const auto done = [&] {
            return viewer_->renderer().target().scale() == 100 && viewer_->pending().total() == 0 &&
                   viewer_->value("pick_leaf") != "null";
        };
        for (int i = 0; i < 5'000 && !done(); ++i)
        {
            turn();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        ASSERT_TRUE(done());
        turns(20);
    };
    awaitRest();
    const std::optional<std::string> leaf = viewer_->value("pick_leaf"), error = viewer_->value("pick_error_px");
    EXPECT_LE(std::stod(*error), 1.0);
    moveTo({low.x + 40, low.y});  // another point, and back: asks again
    turns(20);
    moveTo(low);
    turns(20);
    awaitRest();
    EXPECT_EQ(viewer_->value("pick_leaf"), leaf);
    EXPECT_EQ(viewer_->value("pick_error_px"), error);
}

// The home view is centred between the panels, also if the terrain has loaded before they are first drawn.
TEST_F(InTurns, ASessionStartsAtTheViewThatHomeReturnsTo)
{
    open(900, 700);
    client_->focus();
    const Settings::View first = settings().view;
    tapKey("w");
    turns(3);
    EXPECT_NE(settings().view.position, first.position);
    tapKey("Home");
    turns(3);
    EXPECT_EQ(settings().view.position, first.position);
    EXPECT_NEAR(settings().view.yaw, first.yaw, 1e-9);
    EXPECT_NEAR(settings().view.pitch, first.pitch, 1e-9);
}

// Nothing but the changed tiles asks for frames here: the camera rests.
TEST_F(InTurns, AStrokeInTilesIsShownWhileTheCameraRests)
{
    SessionOptions options = small(900, 700);
    options.assignments.push_back("terrain.tiles=always");
    open(options);
    client_->focus();
    const ImVec2 middle = at("Viewport/picture");
    moveTo({middle.x, middle.y + 100});
    rest();
    tapKey("b");
    turns(2);
    const std::uint64_t frames = viewer_->frames();
    client_->button(1, true);
    turn();
    moveTo({middle.x + 20, middle.y + 100});
    turn();
    client_->button(1, false);
    turn();
    EXPECT_GT(viewer_->pending().model, 0u);
    for (int i = 0; i < 4'000 && viewer_->pending().total() > 0; ++i)
    {
        turn();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));  // for the loader threads
    }
    EXPECT_EQ(viewer_->pending().text(), "");
    EXPECT_GT(viewer_->frames(), frames);
}

// Frames run to show a module's effect on frame times, so there must be frames.
TEST_F(InTurnsThorough, FramesGoOnWhileAModuleRunsWhereThatIsTicked)
{
    SessionOptions options = small(1280, 720);
    options.assignments.emplace_back("render.scale=25");
    open(options);
    client_->focus();
    const auto click = [&](const char* item) {
        moveTo(at(item));
        for (const bool down : {true, false})
        {
            client_->button(1, down);
            turns(2);
        }
        turns(2);
    };
    click("Tools/compute");
    click("Tools/Matrix");
    click("Matrix/draw_frames");
    rest();
    const std::uint64_t before = viewer_->frames();
    // A run may end before a frame does, on a busy machine.
    for (int run = 0; run < 20 && viewer_->frames() == before; ++run)
    {
        click("Matrix/run");
        for (int i = 0; i < 50 && viewer_->frames() == before; ++i)
            turn();
    }
    EXPECT_GT(viewer_->frames(), before);
}

// Frames never finish here: a path is played, and one iteration of the loop is one step of a frame.
TEST_F(InTurnsThorough, PanelsAnswerInTheNextTurnWhateverIsLeftOfTheFrame)
{
    SessionOptions options = small(900, 700);
    options.cameraPath = "overview";
    open(options);
    client_->focus();
    sections({{"Terrain/detail", false}, {"Terrain/budget", false}, {"Terrain/tree", true}});
    viewer_->sliceMs(0);
    std::mt19937 random(7);
    const auto inTheMiddle = [&] {
        turns(int(random() % 9));
        do
            turn();
        while (!viewer_->renderer().steps().waiting());
    };
    tapKey("F4");
    inTheMiddle();
    bool wireframe = settings().render.wireframe, frozen = settings().lod.frozen;
    ASSERT_TRUE(wireframe);
    const ImVec2 box = at("Terrain/frozen");
    for (int i = 0; i < scaled(8, 200); ++i)
    {
        SCOPED_TRACE(i);
        moveTo(box);
        turn();
        inTheMiddle();
        const std::uint64_t frames = viewer_->frames();
        const std::vector<std::uint8_t> before = shownAround(box);
        client_->button(1, true);
        turn();
        EXPECT_NE(shownAround(box), before) << "pressed";
        const std::vector<std::uint8_t> pressed = shownAround(box);
        client_->button(1, false);
        turn();
        EXPECT_NE(shownAround(box), pressed) << "let go";
        EXPECT_EQ(settings().lod.frozen, frozen = !frozen);
        EXPECT_LE(viewer_->frames(), frames + 1);
        tapKey("F4");
        turn();
        EXPECT_EQ(settings().render.wireframe, wireframe = !wireframe);
    }
    for (const std::uint64_t frames = viewer_->frames(); viewer_->frames() == frames;)
        turn();
    const CpuTimes& cpu = viewer_->stats().cpu;
    EXPECT_GT(cpu.panelShows, 0);
    EXPECT_GE(cpu.intervalMs, cpu.workMs + cpu.waitMs + cpu.panelShowsMs) << "a frame's time holds its panels";
    EXPECT_EQ(viewer_->context().debug().errors(), 0u);
}

double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[std::min(std::size_t(share * double(values.size())), values.size() - 1)];
}

// The measurement.  OROGEN_ANSWER_SETTINGS: more key=value pairs, separated by blanks, to make frames slower or faster.
//   OROGEN_LONG_TESTS=1 orogen_gl_tests --gtest_filter='AnswerTimesLong.*'
class AnswerTimes : public InTurns
{
protected:
    void open()
    {
        if (!orogen::test::longTests()) GTEST_SKIP() << "measures times: a long test";
        SessionOptions options;
        options.dem = "synthetic:4096";
        options.uiScale = 1.0f;
        options.needsWindow = true;
        options.cameraPath = "overview";
        options.assignments = {"patch.level=0", "lod.split_pixels=4", "render.msaa=1"};
        if (const char* more = std::getenv("OROGEN_ANSWER_SETTINGS"))
            for (std::istringstream words(more); words;)
            {
                std::string word;
                if (words >> word) options.assignments.push_back(word);
            }
        options.frames = 1;
        OnADesktop::open(options);
        client_->focus();
    }
    static double load()
    {
        double load = 0;
        std::ifstream("/proc/loadavg") >> load;
        return load;
    }
    static double cpuSeconds()
    {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
    }
};

using AnswerTimesLong = AnswerTimes;

// Simulates a user in a thread with a connection of its own, who presses and releases items and polls the server's
// picture until it changes.
TEST_F(AnswerTimesLong, OfClicksAndKeysWhileFramesAreSlow)
{
    open();
    if (IsSkipped() || HasFatalFailure()) return;
    for (const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
         std::chrono::steady_clock::now() < until;)
        turn();
    const ImVec2 button = at("Tools/measure"), panel = at("Terrain/title");
    std::vector<double> answers, frames;
    std::atomic<bool> done = false;
    std::thread user([&] {
        std::mt19937 random(3);
        const auto answer = [&](ImVec2 box, auto act) {
            std::this_thread::sleep_for(std::chrono::milliseconds(600 + random() % 400));
            const auto shown = [&] { return client_->area(int(box.x) - 8, int(box.y) - 8, 17, 17); };
            const std::string before = shown();
            const auto begin = std::chrono::steady_clock::now();
            act();
            while (shown() == before && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
            answers.push_back(took.count());
        };
        moveTo(button);
        for (int i = 0; i < 10; ++i)
        {
            answer(button, [&] { client_->button(1, true); });
            answer(button, [&] { client_->button(1, false); });
            answer(panel, [&] { tapKey("F2"); });
            answer(panel, [&] { tapKey("F2"); });
        }
        done = true;
    });
    std::uint64_t counted = viewer_->frames();
    std::vector<double> turnsMs;
    SlicesTime slices;
    int panelShows = 0;
    while (!done)
    {
        const auto begin = std::chrono::steady_clock::now();
        const Status status = viewer_->turn(0.25);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        turnsMs.push_back(took.count());
        if (!status || viewer_->frames() == counted) continue;
        counted = viewer_->frames();
        slices = viewer_->renderer().steps().time();
        frames.push_back(viewer_->stats().cpu.intervalMs);
        panelShows += viewer_->stats().cpu.panelShows;
    }
    user.join();
    ASSERT_GT(frames.size(), 3u);
    std::printf("answers: %zu, median %.0f ms, p95 %.0f ms, longest %.0f ms\n", answers.size(),
                percentile(answers, 0.5), percentile(answers, 0.95), percentile(answers, 1));
    std::printf("frames of the terrain: %zu, median %.0f ms, longest %.0f ms; panels shown in between: %d\n",
                frames.size(), percentile(frames, 0.5), percentile(frames, 1), panelShows);
    std::printf(
        "the last frame: %d slices, longest %.0f ms; light %.0f ms, tree %.0f, ground %.0f, sky %.0f, other %.0f\n",
        slices.slices, slices.longestMs, slices.ms[0], slices.ms[1], slices.ms[2], slices.ms[3], slices.ms[4]);
    std::printf("turns: median %.0f ms, p95 %.0f ms, longest %.0f ms; load %.1f\n", percentile(turnsMs, 0.5),
                percentile(turnsMs, 0.95), percentile(turnsMs, 1), load());
    EXPECT_LT(percentile(answers, 0.95), percentile(frames, 0.5)) << "the answer waited for the frame";
    const double most = std::getenv("OROGEN_ANSWER_STRICT") ? 100.0 : 1e9;
    EXPECT_LE(percentile(answers, 0.95), most);
}

TEST_F(AnswerTimesLong, OfAProgramAtRestItsShareOfACore)
{
    open();
    if (IsSkipped() || HasFatalFailure()) return;
    viewer_.reset();
    SessionOptions options;
    options.uiScale = 1.0f;
    options.needsWindow = true;
    options.frames = 1;
    OnADesktop::open(options);
    rest();
    for (const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(12);
         std::chrono::steady_clock::now() < until;)  // messages expire
        ASSERT_TRUE(viewer_->turn(0.25));
    rest();
    const std::uint64_t frames = viewer_->frames(), shows = viewer_->shows();
    const double before = cpuSeconds();
    for (const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
         std::chrono::steady_clock::now() < until;)
        ASSERT_TRUE(viewer_->turn(0.25));
    const double share = (cpuSeconds() - before) / 10;
    std::printf("at rest: %.2f %% of a core over 10 s, frames %d, shows %d\n", 100 * share,
                int(viewer_->frames() - frames), int(viewer_->shows() - shows));
    EXPECT_EQ(viewer_->frames(), frames);
    EXPECT_LT(share, 0.05);
}

}  // namespace
}  // namespace orogen::app::test
