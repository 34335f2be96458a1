// Tests of a capture that the test drives frame by frame, without a viewer.
#include "app/session/captures/running_capture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/frames/report/report_json.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

namespace fs = std::filesystem;

CameraPath straightPath()
{
    CameraPath path;
    path.units = PathUnits::kMetres;
    path.keys = {{.time = 0, .position = {0, 0, 500}}, {.time = 10, .position = {1'000, 0, 500}}};
    return path;
}

ViewSurroundings flatGround()
{
    ViewSurroundings around;
    around.ground = [](double, double) { return 0.0; };
    around.terrain = {{10'000, 10'000}, 0, 1};
    return around;
}

class RunningCaptureTest : public testing::Test
{
protected:
    RunningCaptureTest()
    {
        request.folder = folder_ + "/capture";
        request.frames = 5;
        request.warmup = 3;
        request.sides = {{"", Settings{}}};
    }

    void begin()
    {
        ReportMetadata metadata;
        metadata.width = metadata.height = 16;
        metadata.gpuTimer = timer;
        Result<std::unique_ptr<RunningCapture>> made =
            RunningCapture::create(request, straightPath(), metadata, history);
        ASSERT_TRUE(made) << made.error().message;
        session = std::move(*made);
    }
    void beginRun() { ASSERT_TRUE(session->beginRun(number, flatGround(), 0)); }

    WorkCounters workOf(std::uint64_t frame, std::uint32_t splits = 0) const
    {
        return {.frame = frame, .leaves = 100, .visible = 50, .triangles = 800, .splits = splits, .maxDepth = 9};
    }
    // Draws a frame whose counters and times arrive `late` frames later.
    void frame(std::uint64_t late = 0, bool ready = true, std::uint32_t splits = 0)
    {
        cameras.push_back(session->camera());
        if (number >= late) answer(number - late, splits);
        newest.cpu.intervalMs = 10 + double(number);
        add(FrameSample(), ready);
    }
    // Adds a frame with the newest GPU results, and begins the next.
    void add(const FrameSample& sample, bool ready = true, const CaptureWaits& waits = {})
    {
        newest.frame = number++;
        newest.cpu.beginMs = 1'000 + 10 * double(newest.frame);
        history.push(newest);
        const Status added = session->add(newest, sample, ready, waits);
        ASSERT_TRUE(added) << added.error().message;
    }
    // GPU results of a frame arrive: those of a frame that was added go into its record, as from the renderer.
    void answer(std::uint64_t frame, std::uint32_t splits = 0)
    {
        newest.work = workOf(frame, splits);
        newest.gpu = {.frame = frame, .ms = {1.0, 2.0, 3.0, 4.0, std::nullopt}, .wholeMs = 11.0};
        FrameRecord* late = history.find(frame);
        if (!late) return;
        late->work = newest.work;
        late->gpu = newest.gpu;
    }
    void wholeRun()
    {
        beginRun();
        for (int i = 0; i < 100 && !session->runDrawn(); ++i)
            frame();
        ASSERT_TRUE(session->endRun(0));
    }
    std::vector<FrameSample> rows(const std::string& run = "run-01.csv")
    {
        const Result<RunRows> read = readRun(request.folder + '/' + run);
        EXPECT_TRUE(read) << (read ? "" : read.error().message);
        return read ? read->rows : std::vector<FrameSample>{};
    }

    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
    CaptureRequest request;
    GpuTimer timer = GpuTimer::kNone;
    std::unique_ptr<RunningCapture> session;
    std::uint64_t number = 40;  // frames drawn before the session
    FrameRecord newest;
    FrameHistory history;
    std::vector<Camera> cameras;
};

// Waits of the capture itself belong to no time, and intervals around a measured error are left out.
TEST_F(RunningCaptureTest, TimesLeaveOutTheWaitsOfTheCapture)
{
    begin();
    beginRun();
    newest.cpu = {.frameMs = 20, .intervalMs = 21, .waitMs = 5, .swapMs = 2.5, .processorMs = 12};
    add(FrameSample());
    add(FrameSample(), true, {.ms = 4});
    FrameSample counted;
    counted.glCalls = 7;
    add(counted, true, {.afterError = true});
    ASSERT_TRUE(session->finish(true, 0));
    const std::vector<FrameSample> all = rows();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].cpuMs, 12.5);
    EXPECT_EQ(all[0].swapMs, 2.5);
    EXPECT_EQ(all[0].waitMs, 5);
    EXPECT_EQ(all[0].processorUs, 12'000u);
    EXPECT_EQ(all[1].intervalMs, 17);
    EXPECT_EQ(all[1].cpuMs, 8.5);
    EXPECT_EQ(all[2].cpuMs, 12.5);
    EXPECT_FALSE(all[2].intervalMs || all[2].waitMs || all[2].processorUs || all[2].glCalls);
}

// For a tiled terrain, rows hold missing and loaded tiles, and the report holds the cache's activity.
TEST_F(RunningCaptureTest, TellsOfTiles)
{
    request.settled = true;
    ReportMetadata metadata;
    metadata.width = metadata.height = 16;
    auto made = RunningCapture::create(request, straightPath(), metadata, history, RunColumns::kWithTiles);
    ASSERT_TRUE(made) << made.error().message;
    session = std::move(*made);
    beginRun();
    TileStats tiles;
    for (std::uint64_t i = 0; !session->runDrawn(); ++i)
    {
        ASSERT_LT(i, 100u);
        tiles.loaded += 2;
        tiles.bytesRead += 100;
        tiles.missing = i % 2 == 0 ? 3 : 0;
        tiles.resident = i == 10 ? 7 : 5;  // the budget is short in a frame between the first and the last
        tiles.residentBytes = i == 10 ? 700u : 500u;
        tiles.coarser = i == 10 ? 1.5f : 1.0f;
        newest.cpu.intervalMs = 10;
        newest.tiles = tiles;
        answer(number);
        add(FrameSample());
    }
    ASSERT_TRUE(session->endRun(0));
    const auto finished = session->finish(false, 0);
    ASSERT_TRUE(finished);
    const FrameReport& report = finished->front().report;
    EXPECT_TRUE(report.settled);
    ASSERT_TRUE(report.tiles);
    EXPECT_EQ(report.tiles->frames, 5u);
    EXPECT_EQ(report.tiles->mostMissing, 3u);
    EXPECT_EQ(report.tiles->loaded, 10u);
    EXPECT_EQ(report.tiles->bytesRead, tiles.bytesRead - 100);
    EXPECT_EQ(report.tiles->resident, 7u);
    EXPECT_EQ(report.tiles->residentBytes, 700u);
    EXPECT_EQ(report.tiles->coarser, 1.5);
    EXPECT_EQ(rows()[1].tilesLoaded, 2u);
}

TEST(Interleaved, SidesTakeTurnsAbba)
{
    EXPECT_EQ(interleaved(2, 1), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(interleaved(2, 3), (std::vector<std::size_t>{0, 1, 1, 0, 0, 1}));
    EXPECT_EQ(interleaved(1, 3), (std::vector<std::size_t>{0, 0, 0}));
}

// With frames of 10 ms, the time left covers this run, and another with equal warm-up.
TEST_F(RunningCaptureTest, TellsRateAndTimeLeft)
{
    request.runs = 2;
    begin();
    beginRun();
    EXPECT_FALSE(session->progress().secondsLeft || session->progress().framesASecond);
    for (int i = 0; i < 10; ++i)  // eight frames of warm-up, two measured
        frame();
    const CaptureProgress at = session->progress();
    EXPECT_EQ(textOf(at), "run 1 of 2, frame 2 of 5, 100.0 fps");
    EXPECT_NEAR(*at.secondsLeft, 0.01 * (3 + 3 + 5), 1e-9);  // only the minimum of the next warm-up is known
    while (!session->runDrawn())
        frame();
    ASSERT_TRUE(session->endRun(0));
    beginRun();
    EXPECT_NEAR(*session->progress().secondsLeft, 0.01 * (8 + 5), 1e-9);
    EXPECT_NEAR(session->progress().fraction(), 0.5, 1e-9);
    frame();
    EXPECT_EQ(textOf(session->progress()), "run 2 of 2, warm-up frame 1");
}

TEST_F(RunningCaptureTest, WarmUpStaysAtTheBeginningThenEachFrameIsAStepFurther)
{
    begin();
    wholeRun();
    const CameraFlight flight(straightPath(), flatGround().terrain, flatGround().ground);
    const std::size_t warm = cameras.size() - request.frames;
    EXPECT_EQ(warm, WarmUp::kQuietFrames);
    for (std::size_t i = 0; i < cameras.size(); ++i)
        EXPECT_EQ(cameras[i], flight.at(i < warm ? 0 : i - warm, kCaptureStep)) << i;
}

TEST_F(RunningCaptureTest, RowsHoldWhatCpuAndGpuSaid)
{
    begin();
    wholeRun();
    ASSERT_TRUE(session->finish(false, 0));
    const std::vector<FrameSample> all = rows();
    ASSERT_EQ(all.size(), WarmUp::kQuietFrames + request.frames);
    EXPECT_FALSE(all.front().intervalMs) << "the first interval reaches back before the run";
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        EXPECT_EQ(all[i].frame, i);
        EXPECT_DOUBLE_EQ(all[i].tMs, 10.0 * double(i));
        EXPECT_EQ(all[i].measured(), i >= WarmUp::kQuietFrames) << i;
        EXPECT_EQ(all[i].gpuMs, 11.0);
        EXPECT_EQ(all[i].passMs[3], 4.0);
        EXPECT_FALSE(all[i].passMs[4]);
        EXPECT_EQ(all[i].triangles, 800u);
    }
}

TEST_F(RunningCaptureTest, LateAnswersFindTheirFrames)
{
    begin();
    beginRun();
    while (!session->runDrawn())
        frame(3);
    for (std::uint64_t late = number - 3; late < number; ++late)
        answer(late);
    ASSERT_TRUE(session->endRun(0));
    ASSERT_TRUE(session->finish(false, 0));
    for (const FrameSample& row : rows())
    {
        EXPECT_TRUE(row.gpuMs && row.leaves) << row.frame;
        EXPECT_EQ(row.flags & kFrameGpuMissing, 0u) << row.frame;
    }
}

// Results of the second frame arrive before those of the first.
TEST_F(RunningCaptureTest, RowsStayInOrder)
{
    begin();
    beginRun();
    add(FrameSample()), add(FrameSample());
    answer(number - 1, 7);
    add(FrameSample());
    answer(number - 3, 6);
    add(FrameSample());
    ASSERT_TRUE(session->finish(true, 0));
    const std::vector<FrameSample> all = rows();
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].splits, 6u);
    EXPECT_EQ(all[1].splits, 7u);
    EXPECT_EQ(all[1].flags & kFrameGpuMissing, 0u);
    EXPECT_FALSE(all[2].splits) << "results of another frame";
    EXPECT_NE(all[2].flags & kFrameGpuMissing, 0u);
}

TEST_F(RunningCaptureTest, WhatTheGpuNeverSaysStaysEmptyAndIsFlagged)
{
    begin();
    beginRun();
    for (int i = 0; !session->runDrawn() && i < 700; ++i)
    {
        newest.work = workOf(number);
        add(FrameSample());
    }
    ASSERT_TRUE(session->endRun(0));
    ASSERT_TRUE(session->finish(false, 0));
    for (const FrameSample& row : rows())
    {
        EXPECT_FALSE(row.gpuMs);
        EXPECT_TRUE(row.leaves);
        EXPECT_NE(row.flags & kFrameGpuMissing, 0u);
    }
}

TEST_F(RunningCaptureTest, ATreeThatNeverRestsIsUnsettled)
{
    begin();
    beginRun();
    while (!session->runDrawn())
        frame(0, true, 2);
    ASSERT_TRUE(session->endRun(0));
    const auto finished = session->finish(false, 0);
    ASSERT_TRUE(finished);
    EXPECT_TRUE(finished->front().report.unsettled);
    EXPECT_EQ(finished->front().report.runs.front().warmupFrames, WarmUp::kLongestWarmup);
}

TEST_F(RunningCaptureTest, ShadersThatCompileHoldWarmUp)
{
    begin();
    beginRun();
    for (int i = 0; i < 50; ++i)
        frame(0, false);
    EXPECT_TRUE(session->progress().warmingUp);
    for (std::uint64_t i = 0; i <= WarmUp::kQuietFrames; ++i)
        frame(0, true);
    EXPECT_FALSE(session->progress().warmingUp);
    ASSERT_TRUE(session->finish(true, 0));
}

TEST_F(RunningCaptureTest, TwoSidesGoToTwoFoldersEachWithItsSettings)
{
    request.runs = 3;
    Settings other;
    other.lod.splitPixels = 9;
    request.sides = {{"a", Settings{}}, {"b", other}};
    begin();
    std::string turns;
    while (!session->done())
    {
        turns += session->settings().lod.splitPixels == 9 ? 'b' : 'a';
        const std::string folder = request.folder + '/' + turns.back();
        beginRun();
        EXPECT_EQ(session->pictureFolder(), folder) << "a run that is interrupted here";
        while (!session->runDrawn())
            frame();
        ASSERT_TRUE(session->endRun(0));
        EXPECT_EQ(session->pictureFolder(), folder);
    }
    EXPECT_EQ(turns, "abbaab");
    const auto finished = session->finish(false, 0);
    ASSERT_TRUE(finished);
    ASSERT_EQ(finished->size(), 2u);
    const Result<Capture> a = readCapture(request.folder + "/a"), b = readCapture(request.folder + "/b");
    ASSERT_TRUE(a) << a.error().message;
    ASSERT_TRUE(b) << b.error().message;
    EXPECT_EQ(a->rows.size(), 3u);
    EXPECT_EQ(b->rows.size(), 3u);
    EXPECT_NE(settingsHash(a->report), settingsHash(b->report));
}

TEST_F(RunningCaptureTest, ThePictureOfADiscardedRunBelongsToItsSide)
{
    request.discardThrottled = true;
    request.maxRuns = 3;
    request.sides = {{"a", Settings{}}, {"b", Settings{}}};
    begin();
    wholeRun();
    EXPECT_EQ(session->pictureFolder(), request.folder + "/a");
    beginRun();
    FrameSample hot;
    hot.machine.throttle.reasons = kThrottleCpuThermal;
    while (!session->runDrawn())
    {
        answer(number);
        add(hot);
    }
    ASSERT_TRUE(session->endRun(0));
    EXPECT_EQ(session->pictureFolder(), request.folder + "/b");
    wholeRun();  // repeats b
    EXPECT_EQ(session->pictureFolder(), request.folder + "/b");
    const auto finished = session->finish(false, 0);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->back().report.discardedRuns, 1u);
}

TEST_F(RunningCaptureTest, InterruptedInWarmUpLeavesAReportWithoutAMeasuredFrame)
{
    begin();
    beginRun();
    frame();
    const auto finished = session->finish(true, 0);
    ASSERT_TRUE(finished) << finished.error().message;
    const Result<FrameReport> report = readReport(request.folder + "/report.json");
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->interrupted);
    EXPECT_EQ(report->statistics.frames, 0u);
    EXPECT_EQ(rows().size(), 1u);
    EXPECT_FALSE(isUnfinished(request.folder));
}

TEST_F(RunningCaptureTest, InterruptedInTheMiddleKeepsEveryRow)
{
    begin();
    beginRun();
    for (std::uint64_t i = 0; i < WarmUp::kQuietFrames + 3; ++i)
        frame(2);
    ASSERT_TRUE(session->finish(true, 0));
    EXPECT_EQ(rows().size(), WarmUp::kQuietFrames + 3);
}

TEST_F(RunningCaptureTest, ChecksOfFramesAreOneVerdict)
{
    for (const bool broken : {false, true})
    {
        request.folder = folder_ + (broken ? "/broken" : "/whole");
        request.validate = true;
        begin();
        beginRun();
        for (int i = 0; !session->runDrawn(); ++i)
        {
            const bool faulty = broken && i == 4;
            newest.mesh = {.frame = number, .faults = faulty ? 2u : 0u, .first = faulty ? "hole" : ""};
            frame();
        }
        ASSERT_TRUE(session->endRun(0));
        const auto finished = session->finish(false, 0);
        ASSERT_TRUE(finished);
        EXPECT_EQ(finished->front().report.conforming, !broken);
        ASSERT_FALSE(finished->front().report.notes.empty());
    }
}

bool hasNote(const FrameReport& report, const std::string& part)
{
    return std::ranges::any_of(report.notes, [&](const std::string& note) { return note.ends_with(part); });
}

// Shaders are compiled in warm-up, and the time stamps of a software rasteriser are no durations.
TEST_F(RunningCaptureTest, TheTimeOfValidationIsThatOfMeasuredFramesOnAGpu)
{
    for (const GpuTimer each : {GpuTimer::kHardware, GpuTimer::kSoftware})
    {
        timer = each;
        request.folder = folder_ + '/' + std::string(textOf(each));
        request.validate = true;
        begin();
        beginRun();
        for (std::uint64_t i = 0; !session->runDrawn(); ++i)
        {
            answer(number);
            newest.gpu.ms[std::size_t(GpuPass::kValidate)] = i < WarmUp::kQuietFrames ? 500 : 0.25;
            newest.mesh = {.frame = number, .faults = 0, .first = ""};
            add(FrameSample());
        }
        ASSERT_TRUE(session->endRun(0));
        const auto finished = session->finish(false, 0);
        ASSERT_TRUE(finished);
        const bool hardware = each == GpuTimer::kHardware;
        EXPECT_TRUE(hasNote(finished->front().report,
                            hardware ? "interval_ms: 0.2500 ms in the mean of 5 measured frames" : "interval_ms"));
    }
}

TEST_F(RunningCaptureTest, TheScaleIsThatOfMeasuredFrames)
{
    request.sides.front().settings.budget.mode = BudgetMode::kFrameMs;
    begin();
    beginRun();
    for (std::uint64_t i = 0; !session->runDrawn(); ++i)
    {
        newest.scale = i < WarmUp::kQuietFrames ? 20 : 80;
        frame();
    }
    ASSERT_TRUE(session->endRun(0));
    const auto finished = session->finish(false, 0);
    ASSERT_TRUE(finished);
    const FrameReport& report = finished->front().report;
    EXPECT_EQ(report.runs.front().scaleInEffect, 80);
    EXPECT_TRUE(hasNote(report, "to 80 % of render.scale at least, 80 % in the mean of 5 measured frames"));
}

TEST(SetPath, LeavesANameThatIsNotGivenUnknown)
{
    ReportMetadata metadata;
    setPath(metadata, straightPath(), "");
    EXPECT_FALSE(metadata.pathName);
    setPath(metadata, straightPath(), "flat.path");
    EXPECT_EQ(metadata.pathName, "flat.path");
}

TEST_F(RunningCaptureTest, UncheckedIsNull)
{
    begin();
    wholeRun();
    const auto finished = session->finish(false, 0);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->front().report.conforming, std::nullopt);
}

TEST_F(RunningCaptureTest, CountsErrorsOfItsOwnRunOnly)
{
    begin();
    ASSERT_TRUE(session->beginRun(number, flatGround(), 7));
    while (!session->runDrawn())
        frame();
    ASSERT_TRUE(session->endRun(9));
    const auto finished = session->finish(false, 9);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->front().report.glErrors, 2u);
}

TEST_F(RunningCaptureTest, ASideWithoutAPlaceTakesTheOtherAwayAgain)
{
    request.sides = {{"a", Settings{}}, {"b", Settings{}}};
    fs::create_directories(request.folder);
    std::ofstream(request.folder + "/b") << "a file";
    request.force = true;  // otherwise the folder is refused first
    const auto made = RunningCapture::create(request, straightPath(), ReportMetadata{}, history);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ExitCode::kOutput);
    EXPECT_TRUE(fs::is_empty(request.folder + "/a"));
}

}  // namespace
}  // namespace orogen::app
