// report.html, the comparison page, and the log for MangoHud's tools.
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/frames/capture/capture_files.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/pages/report_charts.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/statistics/statistics.h"
#include "tests/support/page_check.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::heldCapture;
using test::SyntheticCapture;
using test::syntheticCapture;
using test::TemporaryFolder;

constexpr const char* kHostile = "<script>alert('x')</script>\"&\x01\xff.tif";

// Typical minute: 3,600 frames with hitches, after a warm-up.
SyntheticCapture minute()
{
    SyntheticCapture capture = syntheticCapture();
    capture.runs = 1, capture.frames = 3'600, capture.warmup = 90, capture.intervalMs = 16;
    capture.frameNoise = 0.12, capture.autocorrelation = 0.97, capture.hitches = 0.004;
    return capture;
}

std::string pageOf(const Capture& capture) { return reportToHtml(capture.report, capture.rows); }

bool holds(const std::string& page, const std::string& text) { return page.find(text) != std::string::npos; }

TEST(ReportPage, IsWellFormedAndNeedsNothingElse)
{
    SyntheticCapture several = syntheticCapture();
    several.runs = 3;
    SyntheticCapture bare = syntheticCapture();
    bare.passes = false, bare.runs = 1, bare.frames = 1, bare.metadata = {};
    SyntheticCapture none = syntheticCapture();
    none.frames = 0;
    SyntheticCapture still = syntheticCapture();
    still.frameNoise = 0, still.runNoise = 0;
    SyntheticCapture many = syntheticCapture();
    many.runs = 20, many.frames = 30;
    for (const SyntheticCapture& capture : {minute(), several, bare, none, still, many})
    {
        const std::string page = pageOf(heldCapture("x", capture));
        EXPECT_EQ(test::pageFault(page), "");
        for (const char* text : {">nan", ">-nan", ">inf", "nan%", "inf%", "\"nan", "lnan", " nan "})
            EXPECT_FALSE(holds(page, text)) << text;
    }
    FrameReport empty;
    empty.settings = "{}";
    EXPECT_EQ(test::pageFault(reportToHtml(empty, {})), "");
    EXPECT_TRUE(holds(reportToHtml(empty, {}), "No frame was measured"));
}

TEST(ReportPage, EscapesEveryName)
{
    SyntheticCapture capture = minute();
    capture.frames = 50;
    ReportMetadata& m = capture.metadata;
    for (auto* text : {&m.commit, &m.buildType, &m.compiler, &m.glVendor, &m.glRenderer, &m.glVersion, &m.glslHeader,
                       &m.contextPath, &m.cudaDriver, &m.cudaRuntime, &m.cudaDevice, &m.cpu, &m.governor, &m.kernel,
                       &m.heightmapSha256, &m.pathName, &m.pathHash, &m.shadersHash})
        *text = kHostile;
    m.created = m.version = m.heightmap = kHostile;
    m.commandLine = {"orogen", kHostile, "a b"};
    capture.settings = R"({"<script>":"<script>","x":["<b>"]})";
    Capture held = heldCapture(kHostile, capture);
    held.report.notes = {kHostile};
    held.report.runs[0].workHash = kHostile;
    held.rows[0][100].event = eventText(std::vector{ComputeEvent{kHostile, "<cpu>", 1, 900, 901}});
    const std::string page = pageOf(held);
    EXPECT_EQ(test::pageFault(page), "");
    EXPECT_TRUE(holds(page, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp; \xef\xbf\xbd.tif"));
    EXPECT_EQ(page.find('\x01'), std::string::npos);

    SyntheticCapture other = capture;
    other.seed = 9, other.settings = R"({"<i>":"</table>"})";
    const Capture candidate = heldCapture(kHostile, other);
    held.report.runs[0].workHash = heldCapture("x", capture).report.runs[0].workHash;
    const std::span<const Capture> a(&held, 1), b(&candidate, 1);
    const Result<Comparison> comparison = compareCaptures(a, b);
    ASSERT_TRUE(comparison) << comparison.error().message;
    EXPECT_EQ(test::pageFault(comparisonToHtml(*comparison, a, b)), "");
}

TEST(ReportPage, OfAMinuteHasAboutFiftyKilobytes)
{
    const std::string page = pageOf(heldCapture("x", minute()));
    EXPECT_LT(page.size(), 60'000u);
    EXPECT_GT(page.size(), 30'000u);
    SyntheticCapture hour = minute();
    hour.frames = 60'000;
    EXPECT_LT(pageOf(heldCapture("x", hour)).size(), 70'000u);
}

TEST(ReportPage, ShowsTheNumbersOfTheReport)
{
    const Capture held = heldCapture("x", minute());
    const std::string page = pageOf(held);
    const Statistics& s = held.report.statistics;
    for (const std::string& text :
         {figureText(*s.fpsAverage) + " fps", figureText(s.intervalMs->p99) + " ms", figureText(s.low1->time) + " fps",
          fmt::format("{:.2f}", *s.autocorrelation), std::string("3,600"), *held.report.workHash,
          figureText(s.passMs[3]->p95), std::string("1280 × 720"), std::string("fewer than 10,000 frames (3,600)")})
        EXPECT_TRUE(holds(page, text)) << text;
    for (const Definition& definition : statisticDefinitions())
    {
        const bool shown = !definition.name.starts_with("low01_") && definition.name != "low1_reason" &&
                           definition.name != "machine";  // unknown here
        EXPECT_TRUE(!shown || holds(page, escaped(definition.text))) << definition.name;
    }
}

TEST(ReportPage, SaysWhatMustBeKnownFirst)
{
    Capture held = heldCapture("x", syntheticCapture());
    EXPECT_FALSE(holds(pageOf(held), "class=note"));
    held.report.interrupted = held.report.recovered = held.report.unsettled = true;
    held.report.glErrors = 7, held.report.conforming = false, held.report.workHash.reset();
    held.report.metadata.gpuTimer = GpuTimer::kSoftware;
    const std::string page = pageOf(held);
    for (const char* text : {"Interrupted", "Recovered", "Unsettled", "7 OpenGL errors", "did not conform",
                             "did not do the same work", "No GPU timer: OpenGL runs on the CPU"})
        EXPECT_TRUE(holds(page, text)) << text;
}

// Percentiles of few frames only repeat the slowest one, and the fifth digit of a time is noise.
TEST(ReportPage, GivesNoPercentileAndNoDigitThatSaysNothing)
{
    SyntheticCapture few = syntheticCapture();
    few.runs = 1, few.frames = 20;
    const Capture held = heldCapture("x", few);
    const std::string page = pageOf(held);
    const Distribution& d = *held.report.statistics.intervalMs;
    EXPECT_TRUE(holds(page, "<th>p50</th><td class=n>" + figureText(d.p50) + " ms</td>"));
    for (const char* text : {"<th>p99</th><td class=n>–</td><td class=def>Not given: fewer than 100 frames (20).</td>",
                             "<th>p99.9</th><td class=n>–</td>", "Not given: fewer than 1,000 frames (20)."})
        EXPECT_TRUE(holds(page, text)) << text;
    for (const double value : {d.p99, d.p999})
        EXPECT_FALSE(holds(page, figureText(value) + " ms<")) << value;
    EXPECT_FALSE(holds(page, ">p99</span>")) << "a mark in the histogram";
    EXPECT_FALSE(holds(page, fmt::format("{:.4f}", d.p50)));
}

TEST(ComparisonPage, CountsOneRunAsOne)
{
    SyntheticCapture one = syntheticCapture();
    one.runs = 1;
    const Capture baseline = heldCapture("a", one);
    one.seed = 2;
    const Capture candidate = heldCapture("b", one);
    const std::span<const Capture> a(&baseline, 1), b(&candidate, 1);
    const Result<Comparison> comparison = compareCaptures(a, b);
    ASSERT_TRUE(comparison) << comparison.error().message;
    EXPECT_TRUE(holds(comparisonToHtml(*comparison, a, b), "Baseline: a (1 run). Candidate: b (1 run)."));
    EXPECT_TRUE(holds(comparisonToMarkdown(*comparison), "Baseline: a (1 run). Candidate: b (1 run)."));
}

// On paper a table cannot be scrolled, and a heading needs its table or plot below it.
TEST(HtmlPage, PrintsWideTablesWholeAndHeadingsWithWhatFollows)
{
    const std::string page = htmlPage("x", "");
    const std::size_t print = page.rfind("@media print{");
    ASSERT_LT(page.rfind(".scroll{overflow-x:auto"), print) << "the last rule wins";
    EXPECT_NE(page.find(".scroll{overflow:visible;background:none}", print), page.npos);
    EXPECT_NE(page.find("h2,h3,h3+p,.legend{break-after:avoid}", print), page.npos);
}

TEST(FigureText, HasFourSignificantDigits)
{
    EXPECT_EQ(figureText(16.66671), "16.67");
    EXPECT_EQ(figureText(0.123456), "0.1235");
    EXPECT_EQ(figureText(123.456), "123.5");
    EXPECT_EQ(figureText(1234.56), "1,235");
    EXPECT_EQ(figureText(-2.5), "-2.500");
    EXPECT_EQ(figureText(0.00004), "0.0000");
    EXPECT_EQ(figureText(0), "0");
}

// GPU times of a software rasteriser are not shown.
TEST(ReportPage, OfASoftwareRasteriserShowsNoTimesOfAGpu)
{
    SyntheticCapture capture = minute();
    capture.frames = 300;
    const std::string hardware = pageOf(heldCapture("x", capture));
    capture.metadata.gpuTimer = GpuTimer::kSoftware;
    const std::string software = pageOf(heldCapture("x", capture));
    EXPECT_EQ(test::pageFault(software), "");
    for (const char* text : {"GPU decode", "GPU, whole frame", "Bound by CPU, GPU", "class=\"p2\"", "passes stacked"})
    {
        EXPECT_TRUE(holds(hardware, text)) << text;
        EXPECT_FALSE(holds(software, text)) << text;
    }
    EXPECT_TRUE(holds(software, "no GPU time is shown or compared"));
}

TEST(ReportPage, SaysWhetherPanelsWereDrawn)
{
    Capture held = heldCapture("x", syntheticCapture());
    EXPECT_TRUE(holds(pageOf(held), "<th>Panels</th><td>not drawn</td>"));
    held.report.panels = true;
    EXPECT_TRUE(holds(pageOf(held), "<th>Panels</th><td>drawn in every frame</td>"));
    EXPECT_TRUE(holds(pageOf(held), "<p class=note>The panels were drawn in every frame"));
}

// "Other" holds the gaps, and passes without a column, as that of --validate.
TEST(ReportPage, NamesTheTimeOutsideThePasses)
{
    SyntheticCapture capture = minute();
    EXPECT_TRUE(holds(pageOf(heldCapture("x", capture)), "GPU, outside these passes"));
    capture.passes = false;
    EXPECT_FALSE(holds(pageOf(heldCapture("x", capture)), "GPU, outside these passes"));
}

TEST(ReportPage, NotesAreSentences)
{
    Capture held = heldCapture("x", syntheticCapture());
    held.report.notes = {"the error was measured", "budget.mode frame_ms: no run repeats another",
                         "errors, estimated."};
    for (const char* text :
         {">The error was measured.<", ">budget.mode frame_ms: no run repeats another.<", ">Errors, estimated.<"})
        EXPECT_TRUE(holds(pageOf(held), text)) << text;
}

TEST(ReportPage, ShowsComputeJobs)
{
    SyntheticCapture capture = minute();
    Capture held = heldCapture("x", capture);
    held.rows[0][500].event = eventText(std::vector{ComputeEvent{"multiword add", "cuda_event", 12.5, 8'000, 8'020}});
    const std::string page = pageOf(held);
    for (const char* text : {"Compute jobs", "multiword add", "cuda_event", "12.5000", "class=event"})
        EXPECT_TRUE(holds(page, text)) << text;
    for (FrameSample& row : held.rows[0])
        row.event = eventText(std::vector{ComputeEvent{"job", "cpu", 1, row.tMs, row.tMs + 1}});
    EXPECT_TRUE(holds(pageOf(held), "The first 200 of "));
    EXPECT_LT(pageOf(held).size(), 100'000u);
    EXPECT_EQ(test::pageFault(pageOf(held)), "");
}

// A wait for tiles at the begin of a frame is part of t_ms, but not of the axis.
TEST(ReportPage, JobsStandAtTheirFramesAlsoAfterAWait)
{
    std::vector<FrameSample> run(4);
    for (std::size_t i = 0; i < run.size(); ++i)
    {
        run[i].tMs = std::array{0, 10, 1020, 1030}[i];  // frame 1 waits for one second
        run[i].intervalMs = 10;
    }
    run[0].event = eventText(std::vector{ComputeEvent{"before", "cpu", 4, 2, 6}});
    run[1].event = eventText(std::vector{ComputeEvent{"behind", "cpu", 4, 1014, 1018}});
    run[2].event = eventText(std::vector{ComputeEvent{"across", "cpu", 1020, 4, 1024}});
    run[3].event = eventText(std::vector{ComputeEvent{"within", "cpu", 100, 200, 300}});
    const std::string chart = timelineChart(run, "", 100, TimelinePasses::kNone);
    for (const auto& [name, x, width] : {std::tuple("before", "50.0", "100.0"), std::tuple("behind", "350.0", "100.0"),
                                         std::tuple("across", "100.0", "500.0"), std::tuple("within", "250.0", "1.5")})
    {
        const std::size_t end = chart.find(fmt::format("<title>{}</title>", name)), begin = chart.rfind("<rect", end);
        ASSERT_NE(end, chart.npos) << name;
        const std::string bar = chart.substr(begin, end - begin);
        EXPECT_TRUE(holds(bar, fmt::format(" x=\"{}\"", x)) && holds(bar, fmt::format("width=\"{}\"", width))) << bar;
    }
}

TEST(ComputeEvents, ReadBackAsTheyWereWritten)
{
    const std::vector<ComputeEvent> events = {{"a b", "cpu", 1.5, 10, 11.5}, {"c", "gl_query", 0, 0, 0.25}};
    EXPECT_EQ(eventText(events), "a b@cpu:1.5000[10.0000:11.5000];c@gl_query:0.0000[0.0000:0.2500]");
    EXPECT_EQ(computeEvents(eventText(events)), events);
    EXPECT_EQ(computeEvents("text;a b@cpu:1.5000[10.0000:11.5000];;x@y:1[2:1];x@y:-1[2:3];x@y;x@y:1;x@y:1[2:3]z;"),
              std::vector{events[0]});
    EXPECT_EQ(computeEvents(eventText(std::vector{ComputeEvent{"a;b@c", "d;e", 1, 2, 3}})),
              (std::vector{ComputeEvent{"a b c", "d e", 1, 2, 3}}));
    EXPECT_TRUE(computeEvents("a@b:nan[1:2];a@b:inf[1:2];a@b:1[1:1e400]").empty());
}

// ---- charts ----

TEST(Decimation, LosesNoExtreme)
{
    test::Random random(3);
    std::vector<Segment> segments;
    double at = 0;
    for (int i = 0; i < 50'000; ++i)
    {
        const double length = random.chance(1, 50) ? 0 : random.unit();
        segments.push_back({at, at + length, 10 * random.unit()});
        at += length;
    }
    segments[31'234].value = 99;
    segments[7'777].value = -1;
    const auto extremes = columnExtremes(segments, at, 200);
    double low = 1e9, high = -1e9;
    std::size_t highest = 0;
    for (std::size_t i = 0; i < extremes.size(); ++i)
    {
        ASSERT_TRUE(extremes[i]) << i;
        low = std::min(low, extremes[i]->low);
        if (extremes[i]->high > high) high = extremes[i]->high, highest = i;
    }
    EXPECT_EQ(low, -1);
    EXPECT_EQ(high, 99);
    EXPECT_EQ(highest, std::size_t(segments[31'234].begin / at * 200));
}

TEST(Decimation, MeansKeepTheSum)
{
    test::Random random(4);
    std::vector<Segment> segments;
    double at = 0, sum = 0;
    for (int i = 0; i < 999; ++i)
    {
        const double length = 0.1 + random.unit(), value = random.unit();
        segments.push_back({at, at + length, value});
        at += length, sum += length * value;
    }
    for (const std::size_t columns : {1u, 7u, 333u, 5'000u})
    {
        double drawn = 0;
        for (const std::optional<double>& mean : columnMeans(segments, at, columns))
            drawn += mean.value_or(0) * at / double(columns);
        EXPECT_NEAR(drawn, sum, 1e-9 * sum) << columns;
    }
    const auto gap = columnMeans(std::vector<Segment>{{0, 1, 5}, {3, 4, 7}}, 4, 4);
    EXPECT_EQ(gap, (std::vector<std::optional<double>>{5, {}, {}, 7}));
}

TEST(Svg, PathsAreShortAndExact)
{
    SvgPath path;
    path.move(0, 0);
    path.line(5, 0);
    path.line(9, 0);  // continues the line
    path.line(9, 0);
    path.line(9, -4);
    path.line(20, 7);
    path.close();
    path.move(3, 3);
    path.line(2, 1);
    EXPECT_EQ(path.text(), "M0 0l9 0 0-4 11 11zM3 3l-1-2");
    SvgPath back;
    back.move(0, 0);
    back.line(5, 0);
    back.line(2, 0);  // reverses: a new segment
    EXPECT_EQ(back.text(), "M0 0l5 0-3 0");
    SvgPath none;
    EXPECT_EQ(pathElement("x", none), "");
}

TEST(Svg, AxesHaveRoundTicks)
{
    const Axis axis = linearAxis(0, 47.3, "ms", 5);
    ASSERT_EQ(axis.ticks.size(), 5u);
    EXPECT_EQ(axis.ticks[0].label, "0");
    EXPECT_EQ(axis.ticks[4].label, "40");
    EXPECT_EQ(linearAxis(0.10, 0.42, "", 5).ticks[0].label, "0.1");
    for (const double high : {1e-9, 1e-3, 1.0, 1e9})
    {
        const Axis any = linearAxis(0, high, "");
        EXPECT_GE(any.ticks.size(), 2u) << high;
        EXPECT_LE(any.ticks.size(), 8u) << high;
    }
    for (double low = 0.9; low < 90; low *= 1.1)  // an axis that does not begin at 0
        EXPECT_GE(linearAxis(low, 1.9 * low, "", 4).ticks.size(), 2u) << low;
}

TEST(Html, EscapesAndGroups)
{
    EXPECT_EQ(escaped("a<b>&\"'\t\x7f"), "a&lt;b&gt;&amp;&quot;&#39;  ");
    EXPECT_EQ(escaped("é€𝄞"), "é€𝄞");
    const std::string bad = "\xef\xbf\xbd";
    EXPECT_EQ(escaped("\xc0\x80"), bad + bad);            // overlong encoding
    EXPECT_EQ(escaped("\xed\xa0\x80"), bad + bad + bad);  // surrogate
    EXPECT_EQ(escaped("\xf4\x90\x80\x80"), bad + bad + bad + bad);
    EXPECT_EQ(escaped("\xe2\x82"), bad + bad);
    EXPECT_EQ(escaped("\xe0\x80\x80"), bad + bad + bad);
    EXPECT_EQ(escaped("\x80x\xfe"), bad + "x" + bad);
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1'234'567), "1,234,567");
    EXPECT_EQ(grouped(1234.56, 1), "1,234.6");
    EXPECT_EQ(grouped(0.0, 0), "0");
}

// ---- comparison page ----

TEST(ComparisonPage, ShowsVerdictsWithIntervalsAndTheWork)
{
    SyntheticCapture slower = syntheticCapture();
    slower.intervalMs *= 1.3, slower.seed = 2, slower.leaves = 80'000, slower.settings = R"({"cbt.depth":22})";
    const Capture a = heldCapture("folder <a>", syntheticCapture()), b = heldCapture("folder b", slower);
    const std::span<const Capture> baseline(&a, 1), candidate(&b, 1);
    const Result<Comparison> comparison = compareCaptures(baseline, candidate);
    ASSERT_TRUE(comparison);
    const std::string page = comparisonToHtml(*comparison, baseline, candidate);
    EXPECT_EQ(test::pageFault(page), "");
    EXPECT_LT(page.size(), 30'000u);
    for (const std::string& text :
         {std::string("folder &lt;a&gt;"), std::string("slower"), std::string("× 0.800"), std::string("cbt.depth"),
          std::string("Welch&#39;s t interval"), figureText(comparison->metrics[0].baselineRuns[2]),
          changeText(comparison->metrics[0]), textOf(*shownInterval(comparison->metrics[0])) + " (95 %)"})
        EXPECT_TRUE(holds(page, text)) << text;
}

TEST(ComparisonPage, OfOneRunASideIsInconclusive)
{
    SyntheticCapture one = syntheticCapture(), two = syntheticCapture();
    one.runs = two.runs = 1, two.seed = 2;
    const Capture a = heldCapture("a", one), b = heldCapture("b", two);
    const std::span<const Capture> baseline(&a, 1), candidate(&b, 1);
    const Result<Comparison> comparison = compareCaptures(baseline, candidate);
    ASSERT_TRUE(comparison);
    const std::string page = comparisonToHtml(*comparison, baseline, candidate);
    EXPECT_EQ(test::pageFault(page), "");
    EXPECT_TRUE(holds(page, "one run a side"));
    EXPECT_TRUE(holds(page, "inconclusive"));
}

// At 500 pixels width, the first screen shows the sentence; wide content scrolls by itself.
TEST(HtmlText, KeepsNumbersWithTheirUnits)
{
    EXPECT_EQ(escapedSentence("+8.1 % (95 % interval), 1.2 s of 9 sides < 3 ms, 4 fps, 5 frames"),
              "+8.1\u00a0% (95\u00a0% interval), 1.2\u00a0s of 9 sides &lt; 3\u00a0ms, 4\u00a0fps, 5 frames");
}

TEST(ComparisonPage, BeginsWithTheSentenceAndSaysWhereItWasTaken)
{
    SyntheticCapture slower = syntheticCapture();
    slower.intervalMs *= 1.3, slower.seed = 2;
    slower.metadata.governor = "powersave";
    const Capture a = heldCapture("a", syntheticCapture()), b = heldCapture("b", slower);
    const std::span<const Capture> baseline(&a, 1), candidate(&b, 1);
    const Result<Comparison> comparison = compareCaptures(baseline, candidate);
    ASSERT_TRUE(comparison);
    const std::string page = comparisonToHtml(*comparison, baseline, candidate);
    const std::size_t sentence = page.find(escapedSentence(sentenceOf(*comparison)));
    ASSERT_NE(sentence, page.npos);
    EXPECT_LT(sentence, page.find("<table"));
    for (const char* text : {"alps.tif", "overview", "2024-05-01T12:34:56Z", "A CPU of 8 cores; Renderer 4600",
                             "Noisy: the governor is powersave"})
        EXPECT_TRUE(holds(page, text)) << text;
    for (std::size_t at = page.find("<table><thead"); at != page.npos; at = page.find("<table><thead", at + 1))
        EXPECT_TRUE(page.substr(0, at).ends_with("<div class=scroll>")) << page.substr(at, 80);
}

// Stand-in for a PNG. Its Base64 contains "//", which must not count as the start of a URL.
TEST(ReportPage, CarriesTheLastPicture)
{
    Capture held = heldCapture("x", syntheticCapture());
    EXPECT_FALSE(holds(pageOf(held), "<img"));
    held.report.picture = std::string("\x89PNG\r\n") + std::string(4'000, '\xff');
    const std::string page = pageOf(held);
    EXPECT_TRUE(holds(page, "<img alt=\"The last frame\" src=\"data:image/png;base64,\niVBORw0K"));
    EXPECT_EQ(test::pageFault(page), "");
    EXPECT_FALSE(holds(page, "//"));
}

TEST(ReportPage, SaysMachineTerrainPathAndDate)
{
    const std::string page = pageOf(heldCapture("x", syntheticCapture()));
    const std::string header = page.substr(0, page.find("</header>"));
    for (const char* text :
         {"alps.tif", "path overview", "1280 × 720", "A CPU of 8 cores; Renderer 4600", "2024-05-01T12:34:56Z"})
        EXPECT_TRUE(holds(header, text)) << text;
}

TEST(ReportPage, LabelsOfASlowCaptureDoNotOverprint)
{
    SyntheticCapture slow = syntheticCapture();
    slow.runs = 1, slow.intervalMs = 650;
    const std::string page = pageOf(heldCapture("x", slow));
    EXPECT_TRUE(holds(page, ">60 Hz, 30 Hz</span>") && holds(page, "<span class=\"ml over\""));
    EXPECT_FALSE(holds(page, ">60 Hz</span>"));
    slow.intervalMs = 60;
    const std::string apart = pageOf(heldCapture("x", slow));
    EXPECT_TRUE(holds(apart, ">60 Hz</span>") && holds(apart, ">30 Hz</span>"));
    EXPECT_FALSE(holds(apart, "<span class=\"ml over\""));
}

TEST(Base64, IsThatOfTheRfc)
{
    for (const auto& [bytes, text] :
         {std::pair("", ""), std::pair("f", "Zg=="), std::pair("fo", "Zm8="), std::pair("foo", "Zm9v"),
          std::pair("foob", "Zm9vYg=="), std::pair("fooba", "Zm9vYmE="), std::pair("foobar", "Zm9vYmFy")})
        EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(base64("foobar", 3), "Zm9\nvYm\nFy");
    EXPECT_EQ(base64("\xff\xff\xff"), "/\n/\n/\n/");
}

// ---- in a browser ----

// Runs only where a browser is installed, since it is slow.
TEST(BrowserLong, ShowsThePages)
{
    const char* path = "/usr/bin/chromium";
    if (!test::longTests()) GTEST_SKIP() << "long";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    const TemporaryFolder folder;
    SyntheticCapture capture = minute();
    writeCapture(folder / "a", capture);
    for (const auto& [name, size] : {std::pair("wide", "1200,2400"), std::pair("narrow", "420,2400")})
    {
        const std::string picture = folder / (std::string(name) + ".png");
        const test::Finished browser = test::runProgram(
            {path, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
             "--user-data-dir=" + folder / "profile", "--screenshot=" + picture, "--window-size=" + std::string(size),
             "file://" + folder / "a/report.html"},
            {});
        ASSERT_EQ(browser.code, 0) << browser.err;
        // A blank page would compress to less.
        ASSERT_TRUE(std::filesystem::exists(picture));
        EXPECT_GT(std::filesystem::file_size(picture), 60'000u) << name;
    }
}

// ---- MangoHud ----

// Reads a log as MangoHud's plotting tool does: skips two lines, takes names from the next, splits cells at commas.
struct MangohudReader
{
    std::vector<std::string> system, systemNames, columns;
    std::vector<std::vector<std::string>> rows;

    static std::vector<std::string> split(const std::string& line)
    {
        std::vector<std::string> cells = {""};
        for (const char c : line)
            if (c == ',')
                cells.emplace_back();
            else
                cells.back() += c;
        return cells;
    }
    explicit MangohudReader(const std::string& log)
    {
        std::istringstream lines(log);
        std::string line;
        for (std::vector<std::string>* cells : {&systemNames, &system, &columns})
            if (std::getline(lines, line)) *cells = split(line);
        while (std::getline(lines, line))
            rows.push_back(split(line));
    }
    std::vector<double> numbers(const std::string& name) const
    {
        const auto column = std::size_t(std::ranges::find(columns, name) - columns.begin());
        std::vector<double> values;
        for (const auto& row : rows)
            values.push_back(row.at(column).empty() ? std::nan("") : std::stod(row.at(column)));
        return values;
    }
};

TEST(MangohudLog, IsReadAsItsToolsReadIt)
{
    SyntheticCapture capture = minute();
    capture.metadata.cpu = "A \"CPU\", with commas\nand lines";
    Capture held = heldCapture("x", capture);
    held.rows[0][200].intervalMs.reset();
    held.rows[0][201].intervalMs = 0;
    const MangohudReader log(mangohudLog(held.report.metadata, held.rows[0]));
    EXPECT_EQ(log.systemNames,
              (std::vector<std::string>{"os", "cpu", "gpu", "ram", "kernel", "driver", "cpuscheduler"}));
    ASSERT_EQ(log.system.size(), 7u);
    EXPECT_EQ(log.system[0], "Linux");
    EXPECT_EQ(log.system[1], "A  CPU   with commas and lines");
    EXPECT_EQ(log.system[6], "performance");
    ASSERT_GE(log.columns.size(), 2u);
    EXPECT_EQ(log.columns[0], "fps");
    EXPECT_EQ(log.columns[1], "frametime");
    EXPECT_EQ(log.columns.back(), "elapsed");
    EXPECT_EQ(std::set<std::string>(log.columns.begin(), log.columns.end()).size(), log.columns.size());
    for (const auto& row : log.rows)
        ASSERT_EQ(row.size(), log.columns.size());
    const std::vector<double> fps = log.numbers("fps"), times = log.numbers("frametime"),
                              elapsed = log.numbers("elapsed"), memory = log.numbers("gpu_vram_used");
    std::vector<double> expected;
    for (const FrameSample& row : held.rows[0])
        if (row.measured() && row.intervalMs.value_or(0) > 0) expected.push_back(*row.intervalMs);
    ASSERT_EQ(times.size(), 3'598u);
    EXPECT_EQ(times, expected);  // milliseconds
    double sum = 0;
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        sum += times[i];
        ASSERT_NEAR(fps[i] * times[i], 1000, 0.1);
        ASSERT_NEAR(elapsed[i], sum * 1e6, 10);                 // nanoseconds
        ASSERT_NEAR(memory[i], 300'000.0 / 1024 / 1024, 0.01);  // GiB
    }
}

// ---- PresentMon ----

// Reads as CapFrameX and scripts do: columns by name, numbers or "NA"; a frame is dropped unless Dropped is 0.
TEST(PresentmonLog, IsReadAsItsToolsReadIt)
{
    SyntheticCapture capture = minute();
    capture.metadata.headless = false, capture.metadata.vsync = false;
    Capture held = heldCapture("x", capture);
    held.rows[0][200].intervalMs.reset();
    held.rows[0][300].gpuMs.reset();
    std::istringstream lines(presentmonLog(held.report.metadata, held.rows[0]));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with("Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,"
                                 "TimeInSeconds,msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,"
                                 "msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange"));
    const std::vector<std::string> names = MangohudReader::split(line);
    const auto column = [&](const char* name) { return std::size_t(std::ranges::find(names, name) - names.begin()); };
    std::vector<const FrameSample*> expected;
    for (const FrameSample& row : held.rows[0])
        if (row.measured() && row.intervalMs) expected.push_back(&row);
    std::size_t count = 0;
    double last = -1;
    while (std::getline(lines, line))
    {
        const std::vector<std::string> cells = MangohudReader::split(line);
        ASSERT_EQ(cells.size(), names.size());
        ASSERT_LT(count, expected.size());
        const FrameSample& row = *expected[count++];
        EXPECT_EQ(cells[column("Application")], "orogen");
        EXPECT_EQ(cells[column("Dropped")], "0");
        EXPECT_EQ(cells[column("SyncInterval")], "0");
        EXPECT_EQ(std::stod(cells[column("msBetweenPresents")]), *row.intervalMs);
        EXPECT_EQ(std::stod(cells[column("msInPresentAPI")]), *row.swapMs);
        EXPECT_EQ(cells[column("msGPUActive")], row.gpuMs ? fmt::format("{:.4f}", *row.gpuMs) : "NA");
        EXPECT_EQ(cells[column("msUntilDisplayed")], "NA");
        // Columns of PresentMon 2.x, by the definitions of its documentation.
        EXPECT_EQ(std::stod(cells[column("CPUStartTime")]), rounded(row).tMs);
        EXPECT_EQ(std::stod(cells[column("CPUBusy")]), *row.cpuMs);
        const auto sumOf = [&](const char* a, const char* b) {
            return std::stod(cells[column(a)]) + std::stod(cells[column(b)]);
        };
        const bool isLast = count == expected.size();  // no next frame
        EXPECT_NEAR(isLast ? 0 : std::stod(cells[column("FrameTime")]), isLast ? 0 : sumOf("CPUBusy", "CPUWait"), 2e-4);
        EXPECT_EQ(cells[column("GPUTime")], cells[column("msGPUActive")]);
        EXPECT_NEAR(row.gpuMs ? std::stod(cells[column("GPUTime")]) : 0, row.gpuMs ? sumOf("GPUBusy", "GPUWait") : 0,
                    2e-4);
        EXPECT_EQ(cells[column("AnimationError")], "NA");
        EXPECT_NEAR(std::stod(cells[column("TimeInSeconds")]), row.tMs / 1000, 1e-7);
        EXPECT_GT(std::stod(cells[column("TimeInSeconds")]), last);
        last = std::stod(cells[column("TimeInSeconds")]);
    }
    EXPECT_EQ(count, expected.size());
    held.report.metadata.vsync.reset();
    EXPECT_NE(presentmonLog(held.report.metadata, held.rows[0]).find(",Other,NA,"), std::string::npos);
}

TEST(MangohudLog, IsWrittenOnRequest)
{
    const TemporaryFolder folder;
    SyntheticCapture capture = syntheticCapture();
    capture.runs = 2, capture.mangohud = true;
    writeCapture(folder.path(), capture);
    for (const char* name : {"run-01.mangohud.csv", "run-02.mangohud.csv"})
    {
        std::ifstream file(folder / name);
        const MangohudReader log(std::string(std::istreambuf_iterator<char>(file), {}));
        EXPECT_EQ(log.rows.size(), 300u) << name;
    }
    EXPECT_TRUE(readCapture(folder.path()));
}

TEST(LinePlot, TicksOfANarrowLogarithmicAxisHaveLabelsOfTheirOwn)
{
    for (const auto& [unit, letter] : {std::pair(1e3, "k"), std::pair(1e6, "M")})
    {
        LinePlot plot;
        plot.logarithmicX = true;
        plot.lines = {{.name = "a", .points = {{1.2 * unit, 1}, {1.8 * unit, 2}}}};
        const std::string svg = linePlotSvg(plot);
        for (const char* number : {"1", "1.5", "2"})
        {
            const std::string label = fmt::format(">{}{}</text>", number, letter);
            ASSERT_NE(svg.find(label), svg.npos) << label;
            EXPECT_EQ(svg.find(label, svg.find(label) + 1), svg.npos) << label;
        }
    }
}

TEST(LinePlot, NotesAreCutBetweenCharacters)
{
    LinePlot plot;
    plot.lines = {{.name = "a", .points = {{0, 0}, {1, 1}}}};
    for (int before = 0; before < 4; ++before)  // bytes in front of characters of two, three and four bytes
        for (const std::string character : {"\u00fc", "\u6f22", "\U0001f5fb"})
        {
            std::string note(std::size_t(before), 'x');
            for (int i = 0; i < 200; ++i)
                note += character;
            plot.notes = {note};
            const std::string svg = linePlotSvg(plot);
            std::string found;
            for (std::size_t at = svg.find("fill=\"#555\""); at != svg.npos; at = svg.find("fill=\"#555\"", at + 1))
            {
                const std::size_t begin = svg.find('>', at) + 1;
                const std::string line = svg.substr(begin, svg.find('<', begin) - begin);
                EXPECT_EQ(printable(line), line) << "whole characters";
                found += line;
            }
            EXPECT_EQ(found, note);
        }
}

}  // namespace
}  // namespace orogen
