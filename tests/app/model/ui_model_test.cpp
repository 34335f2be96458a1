#include "app/model/ui_model.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "app/model/format.h"
#include "app/session/messages.h"

namespace orogen::app {
namespace {

TEST(FrameHistory, HoldsTheNewestFramesOldestFirst)
{
    FrameHistory history;
    EXPECT_EQ(history.size(), 0u);
    for (std::uint64_t frame = 0; frame < 2 * FrameHistory::kCapacity + 7; ++frame)
    {
        FrameRecord stats;
        stats.frame = frame;
        history.push(stats);
        EXPECT_EQ(history[history.size() - 1].frame, frame);
    }
    EXPECT_EQ(history.size(), FrameHistory::kCapacity);
    EXPECT_EQ(history[0].frame, FrameHistory::kCapacity + 7);
}

TEST(FrameHistory, FindsAFrameByItsNumber)
{
    FrameHistory history;
    EXPECT_FALSE(history.find(0));
    FrameRecord record;
    for (record.frame = 3; record.frame < 2 * FrameHistory::kCapacity; record.frame += 2)  // even numbers were skipped
        history.push(record);
    const std::uint64_t newest = record.frame - 2, oldest = history[0].frame;
    for (const std::uint64_t frame : {oldest, newest - 20, newest})
    {
        ASSERT_TRUE(history.find(frame)) << frame;
        EXPECT_EQ(history.find(frame)->frame, frame);
    }
    for (const std::uint64_t none : {oldest - 2, newest - 19, newest + 2})
        EXPECT_FALSE(history.find(none)) << none;
    history.clear();
    EXPECT_FALSE(history.find(newest));
}

TEST(FrameHistory, SpreadIsOfTheWindowByNearestRank)
{
    EXPECT_FALSE(intervalSpread(nullptr));
    FrameHistory history;
    EXPECT_FALSE(intervalSpread(&history));
    std::vector<double> values(200);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = double(i + 1);
    std::ranges::shuffle(values, std::mt19937(1));
    for (const double value : values)
    {
        FrameRecord stats;
        stats.cpu.intervalMs = value;
        history.push(stats);
    }
    const auto spread = intervalSpread(&history);
    EXPECT_EQ(spread->minimum, 1);
    EXPECT_EQ(spread->median, 100);
    EXPECT_EQ(spread->p99, 198);
    EXPECT_EQ(spread->maximum, 200);
}

// The median of one frame is that frame, and the 99th percentile of twelve is the slowest, so neither is shown.
TEST(FrameHistory, FiguresOfTooFewFramesAreNone)
{
    FrameHistory history;
    for (std::size_t frames = 1; frames <= 120; ++frames)
    {
        FrameRecord stats;
        stats.cpu.intervalMs = double(frames);
        history.push(stats);
        const auto spread = intervalSpread(&history);
        ASSERT_TRUE(spread);
        EXPECT_EQ(spread->maximum, double(frames));
        EXPECT_EQ(spread->median.has_value(), frames >= 10) << frames;
        EXPECT_EQ(spread->p99.has_value(), frames >= 100) << frames;
    }
}

TEST(FrameHistory, TilesASecondAreThoseOfTheNewestSeconds)
{
    FrameHistory history;
    EXPECT_FALSE(tileRates(&history));
    const auto push = [&](double ms, std::uint64_t loaded, std::uint64_t bytes) {
        FrameRecord stats;
        stats.cpu.intervalMs = ms;
        stats.tiles = TileStats{.loaded = loaded, .bytesRead = bytes};
        history.push(stats);
    };
    push(500, 0, 0);
    EXPECT_FALSE(tileRates(&history)) << "one frame has no rate";
    push(500, 1'000, 1 << 20);
    for (int i = 1; i <= 4; ++i)
        push(500, std::uint64_t(1'000 + 10 * i), std::uint64_t((1 << 20) + 1'000 * i));
    ASSERT_TRUE(tileRates(&history));
    EXPECT_DOUBLE_EQ(tileRates(&history)->tiles, 20) << "what came before the newest two seconds does not count";
    EXPECT_DOUBLE_EQ(tileRates(&history)->bytes, 2'000);
    push(500, 3, 100);  // another terrain was opened
    EXPECT_FALSE(tileRates(&history));
}

TEST(FrameHistory, MeansOfPassesCountFramesInWhichTheyDidNotRun)
{
    FrameHistory history;
    for (int i = 0; i < 100; ++i)
    {
        FrameRecord stats;
        stats.frame = stats.gpu.frame = std::uint64_t(i);
        stats.gpu.wholeMs = 5;
        stats.gpu.ms[1] = i < 50 ? 1.0 : 3.0;
        stats.gpu.ms[2] = i % 2 ? std::optional(5.0) : std::nullopt;
        history.push(stats);
    }
    const auto means = meanPassMs(history);
    EXPECT_FALSE(means[0]);
    EXPECT_DOUBLE_EQ(*means[1], 3);
    EXPECT_DOUBLE_EQ(*means[2], 2.5);  // the pass ran in every other frame
}

TEST(MessageLog, NotesGoBeforeErrors)
{
    MessageLog log;
    log.push(MessageKind::kNote, "note", 0);
    log.push(MessageKind::kError, "error", 0);
    log.update(8);
    ASSERT_EQ(log.shown().size(), 1u);
    EXPECT_EQ(log.shown()[0].text, "error");
    log.update(13);
    EXPECT_TRUE(log.shown().empty());
    EXPECT_EQ(log.newest(), "error");
}

TEST(MessageLog, RepeatedMessagesAreCountedNotStacked)
{
    MessageLog log;
    for (int i = 0; i < 5; ++i)
        log.push(MessageKind::kError, "same", i);
    ASSERT_EQ(log.shown().size(), 1u);
    EXPECT_EQ(log.shown()[0].times, 5);
    EXPECT_EQ(log.shown()[0].shownAt, 4);
    for (int i = 0; i < 50; ++i)
        log.push(MessageKind::kNote, std::to_string(i), 5);
    EXPECT_LE(log.shown().size(), 6u);
    EXPECT_EQ(log.shown().back().text, "49");
}

TEST(Model, TreeTakesAQuarterByteALeafOfItsDepth)
{
    EXPECT_EQ(treeBytes(24), 4u << 20);
    EXPECT_EQ(treeBytes(29), 128u << 20);
    EXPECT_EQ(treeBytes(6), 16u);
}

TEST(Format, NumbersReadEasily)
{
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1'000), "1,000");
    EXPECT_EQ(grouped(12'345'678), "12,345,678");
    EXPECT_EQ(compact(999), "999");
    EXPECT_EQ(compact(12'345), "12.3 k");
    EXPECT_EQ(compact(999'999), "1.00 M");
    EXPECT_EQ(compact(1'234'567), "1.23 M");
    EXPECT_EQ(bytesText(512), "512 B");
    EXPECT_EQ(bytesText(4 << 20), "4.00 MiB");
    EXPECT_EQ(bytesText(std::uint64_t(3) << 30), "3.00 GiB");
    EXPECT_EQ(metresText(0.8), "0.80 m");
    EXPECT_EQ(metresText(0), "0 m");
    EXPECT_EQ(metresText(-0.002), "0 m");
    EXPECT_EQ(metresText(-0.8), "-0.80 m");
    EXPECT_EQ(metresText(1234.4), "1,234 m");
    EXPECT_EQ(metresText(-1234.4), "-1,234 m");
    EXPECT_EQ(metresText(36'210), "36.2 km");
    EXPECT_EQ(heightText(1'943.2, 83) + samplesNote(83), "1,943 m");
    EXPECT_EQ(heightText(1'943.2, 9'260) + samplesNote(9'260), "about 1,900 m (samples 9.3 km)");
    EXPECT_EQ(heightText(-4'289, 9'260), "about -4,300 m");
    EXPECT_EQ(heightText(-3, 9'260), "about 0 m");
    EXPECT_EQ(heightText(1'943.2, 500), "about 1,940 m");
    EXPECT_EQ(msText(0.0424), "0.042");
    EXPECT_EQ(msText(0.999), "1.00");
    EXPECT_EQ(msText(16.666), "16.7");
    EXPECT_EQ(msText(120.4), "120");
}

}  // namespace
}  // namespace orogen::app
