// Traces: the file byte for byte, and the format's rules by a checker of its own.
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/base/text_file.h"
#include "core/frames/capture/trace_log.h"
#include "tests/support/places.h"
#include "tests/support/random.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

const std::string kGolden = OROGEN_ROOT "/tests/golden/trace.json";

// Returns what the checker prints, or its complaint.
std::string checked(const std::string& text)
{
    const test::TemporaryFolder folder;
    std::ofstream(folder / "t.json") << text;
    const test::Finished checker = test::runProgram(
        {"/usr/bin/env", "python3", OROGEN_ROOT "/tests/core/frames/capture/trace_checker.py", folder / "t.json"}, {});
    return checker.code == 0 ? checker.out : checker.err;
}

// A frame of 10 ms that begins at `beginMs`; the steady clock is 5,000 ms ahead of the session's.
FrameRecord recordOf(std::uint64_t number, double beginMs)
{
    FrameRecord record;
    record.frame = number;
    record.cpu.beginMs = beginMs, record.cpu.clockMs = 5000 + beginMs, record.cpu.frameMs = 10;
    record.cpu.swapAtMs = 5, record.cpu.swapMs = 0.25;
    record.cpu.waitAtMs = 5.5, record.cpu.waitMs = 4;
    record.gpu.frame = number;
    record.gpu.spans = {{GpuPass::kUpdate, 5000 + beginMs + 1, 0.5, 5000 + beginMs + 2, 1.0625},
                        {GpuPass::kDraw, 5000 + beginMs + 1.5, 1, 5000 + beginMs + 3, 5}};
    return record;
}

FrameSample sampleOf(std::uint64_t frame)
{
    FrameSample sample;
    sample.frame = frame;
    sample.intervalMs = 10.5;
    sample.leaves = 100 + frame;
    return sample;
}

TraceLog twoRuns()
{
    TraceLog log;
    log.beginRun("run 1 (a)");
    for (std::uint64_t frame = 0; frame < 3; ++frame)
    {
        FrameSample sample = sampleOf(frame);
        sample.section = frame == 0 ? "" : "the \"ridge\"";
        if (frame == 0) sample.flags = kFrameWarmup;
        if (frame == 1) sample.tilesLoaded = 2, sample.tilesMissing = 5;
        if (frame == 2)
            sample.event = eventText(std::vector<ComputeEvent>{{"multiword add", "cpu", 12.5, -3, 15},
                                                               {"cg solve", "cuda_event", 1.5, 10, 20}});
        log.frame(recordOf(40 + frame, 1000 + 10.5 * double(frame)), sample);
    }
    log.endRun();
    log.beginRun("run 2 (b)");
    FrameRecord late = recordOf(50, 2000);
    late.gpu.frame = 49;  // the GPU's times did not arrive
    log.frame(late, sampleOf(0));
    log.endRun();
    return log;
}

TEST(Trace, IsTheGoldenFile)
{
    const std::string text = twoRuns().json();
    if (std::getenv("OROGEN_UPDATE_GOLDEN")) std::ofstream(kGolden) << text;
    EXPECT_EQ(text, test::contentOf(kGolden));
}

TEST(Trace, KeepsTheFormatsRules)
{
    EXPECT_EQ(checked(twoRuns().json()), "cpu 14\nframe 4\ngpu 6\njob 2\nsection 1\ntiles 1\n");
    EXPECT_EQ(checked(TraceLog().json()), "");
}

// Times of any size, clocks that jitter against each other, jobs that overlap, names with any character.
TEST(Trace, KeepsTheRulesWhateverTheTimesAre)
{
    for (std::uint64_t seed = 0; seed < 3; ++seed)
    {
        test::Random random(seed);
        TraceLog log;
        double at = 1e6 * random.unit();
        for (int run = 0; run < 2; ++run)
        {
            log.beginRun("run");
            const double first = at;
            for (std::uint64_t frame = 0; frame < 60; ++frame)
            {
                FrameRecord record;
                record.frame = record.gpu.frame = frame;
                const double length = 50 * random.unit() * random.unit();
                record.cpu.beginMs = at;
                record.cpu.clockMs = 3e8 + at;
                record.cpu.frameMs = length;
                record.cpu.waitAtMs = 0.6 * length, record.cpu.waitMs = 0.3 * length;
                for (std::size_t pass = 0; pass < std::size_t(GpuPass::kCount); ++pass)
                    record.gpu.spans.push_back({GpuPass(pass), 3e8 + at + 0.05 * double(pass) * length, 0.05 * length,
                                                3e8 + at + 0.1 * double(pass) * length + random.unit() - 0.5,
                                                random.unit() * length});
                FrameSample sample;
                sample.frame = frame;
                for (std::uint32_t i = random.below(4); i > 0; --i)
                    sample.section += char(1 + random.below(126));
                const ComputeEvent job = {"job\n\"", "cpu", 1, at - first - 100 * random.unit(), at - first};
                if (random.chance(1, 3)) sample.event = eventText(std::span(&job, 1));
                log.frame(record, sample);
                at += length * (1 + random.unit());
            }
            log.endRun();
        }
        const std::string found = checked(log.json());
        EXPECT_TRUE(found.starts_with("cpu 1440\nframe 120\ngpu 1320\n")) << seed << ": " << found;
    }
}

TEST(TraceThorough, TheCheckerRefusesWhatBreaksTheRules)
{
    const std::string start = R"({"traceEvents":[{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"t"}},)",
                      end = R"(],"displayTimeUnit":"ms"})";
    const auto event = [](const char* ts, const char* dur, const char* tid) {
        return std::string(R"({"name":"e","cat":"c","ph":"X","ts":)") + ts + ",\"dur\":" + dur +
               ",\"pid\":1,\"tid\":" + tid + ",\"args\":{}}";
    };
    EXPECT_EQ(checked(start + event("0", "2", "1") + ',' + event("1", "1", "1") + end), "c 2\n");
    for (const std::string& bad :
         {event("0", "2", "1") + ',' + event("1", "1.001", "1"), event("0", "-1", "1"), event("NaN", "1", "1"),
          event("0", "1", "2"), std::string(R"({"name":"e","ph":"B","ts":0,"pid":1,"tid":1})")})
        EXPECT_NE(checked(start + bad + end).find("Error"), std::string::npos) << bad;
}

}  // namespace
}  // namespace orogen
