// Sections of a camera path: in the rows, the report and its page, and in comparisons.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/text_file.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/pages/report_html.h"
#include "tests/support/page_check.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::SyntheticCapture;
using test::syntheticCapture;

// Returns the rows with 60 frames of "climb" and 60 of "ridge, west", whose times are multiplied by `slower`.
std::vector<FrameSample> marked(std::vector<FrameSample> rows, std::uint64_t warmup, double slower)
{
    for (FrameSample& row : rows)
    {
        const bool ridge = row.frame >= warmup + 60;
        row.section = ridge ? "ridge, west" : "climb";
        if (ridge) row.intervalMs = slower * *row.intervalMs;
    }
    return rows;
}

SyntheticCapture plan(std::uint64_t seed)
{
    SyntheticCapture capture = syntheticCapture();
    capture.frames = 120, capture.runs = 6, capture.seed = seed;
    return capture;
}

FrameReport written(const std::string& folder, std::uint64_t seed, double slower)
{
    const SyntheticCapture capture = plan(seed);
    auto recorder = CaptureRecorder::create(test::planOf(capture, folder), capture.metadata, capture.settings);
    test::must(recorder);
    for (std::uint64_t run = 1; run <= capture.runs; ++run)
    {
        test::must((*recorder)->beginRun());
        for (const FrameSample& row : marked(test::syntheticRun(capture, run), capture.warmup, slower))
            test::must((*recorder)->add(row));
        test::must((*recorder)->endRun({}));
    }
    Result<FrameReport> report = (*recorder)->finish();
    test::must(report);
    return std::move(*report);
}

TEST(Sections, AreInTheReportAndOnItsPage)
{
    const test::TemporaryFolder folder;
    const FrameReport report = written(folder / "a", 1, 2);
    ASSERT_EQ(report.sections.size(), 2u);
    EXPECT_EQ(report.sections[0].name, "climb");
    EXPECT_EQ(report.sections[0].statistics.frames, 6u * 60);
    EXPECT_NEAR(report.sections[1].statistics.intervalMs->mean / report.sections[0].statistics.intervalMs->mean, 2,
                0.1);

    const Result<Capture> read = readCapture(folder / "a");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->report.sections.size(), 2u);
    EXPECT_EQ(read->report.sections[1].name, "ridge, west");
    EXPECT_EQ(read->report.sections[1].statistics.intervalMs->p95, report.sections[1].statistics.intervalMs->p95);
    EXPECT_EQ(read->rows[0].back().section, "ridge, west");

    const std::string page = test::contentOf(folder / "a/report.html");
    EXPECT_EQ(test::pageFault(page), "");
    EXPECT_NE(page.find("<h2>Sections of the path</h2>"), std::string::npos);
    EXPECT_NE(page.find("<tr><th>ridge, west</th><td class=n>360</td>"), std::string::npos);
    const auto json = nlohmann::json::parse(test::contentOf(folder / "a/report.json"));
    EXPECT_EQ(json["sections"][0]["name"], "climb");
    EXPECT_EQ(json["sections"][0]["statistics"]["frames"], 360);
}

TEST(Sections, AreJudgedEachAndTheWholeDecides)
{
    const test::TemporaryFolder folder;
    written(folder / "a", 1, 1);
    written(folder / "b", 2, 1.2);
    const std::string a[] = {folder / "a"}, b[] = {folder / "b"};
    const Result<ComparedFolders> compared = compareFolders(a, b, {.marginPercent = 5, .metrics = {}});
    ASSERT_TRUE(compared) << compared.error().message;
    const Comparison& comparison = compared->comparison;
    ASSERT_EQ(comparison.sections.size(), 2u);
    EXPECT_EQ(comparison.sections[0].name, "climb");
    EXPECT_EQ(comparison.sections[0].comparison.first()->verdict, Verdict::kEquivalent);
    EXPECT_EQ(comparison.sections[1].comparison.first()->verdict, Verdict::kSlower);
    EXPECT_NEAR(comparison.sections[1].comparison.first()->ratio, 1.2, 0.03);
    EXPECT_EQ(comparison.sections[0].comparison.frames, 60u);
    EXPECT_EQ(comparison.first()->verdict, Verdict::kSlower);
    EXPECT_TRUE(comparison.sections[0].comparison.sections.empty());

    const auto json = nlohmann::json::parse(comparisonToJson(comparison, 0));
    EXPECT_EQ(json["sections"][1]["name"], "ridge, west");
    EXPECT_EQ(json["sections"][1]["metrics"][0]["verdict"], "slower");
    EXPECT_EQ(test::pageFault(compared->html()), "");
    EXPECT_NE(comparisonToMarkdown(comparison).find("- section ridge, west: slower: mean frame time +2"),
              std::string::npos)
        << comparisonToMarkdown(comparison);
}

TEST(Sections, PayForTheirNumberAndForThatOfTheCandidates)
{
    const test::TemporaryFolder folder;
    written(folder / "a", 1, 1);
    written(folder / "b", 2, 1.2);
    const NamedFolders sides[] = {{"a", {folder / "a"}}, {"b", {folder / "b"}}, {"again", {folder / "b"}}};
    ComparisonOptions options;
    options.metrics = {"interval_ms.mean"};
    const Result<ComparedSides> compared = compareSides(sides, options);
    ASSERT_TRUE(compared) << compared.error().message;
    ASSERT_EQ(compared->comparisons.size(), 2u);
    for (const Comparison& comparison : compared->comparisons)
    {
        ASSERT_EQ(comparison.sections.size(), 2u);
        const MetricComparison& ridge = comparison.sections[1].comparison.metrics[0];
        EXPECT_GT(ridge.p.value(), 0.0);
        EXPECT_LT(ridge.p.value(), 0.25);
        EXPECT_DOUBLE_EQ(ridge.pHolm.value(), 4 * ridge.p.value());  // two sections, two candidates
    }
}

TEST(Sections, OfOneSideAreNotCompared)
{
    const test::TemporaryFolder folder;
    written(folder / "a", 1, 1);
    test::writeCapture(folder / "b", plan(2));
    const std::string a[] = {folder / "a"}, b[] = {folder / "b"};
    const Result<ComparedFolders> compared = compareFolders(a, b, {});
    ASSERT_TRUE(compared) << compared.error().message;
    EXPECT_TRUE(compared->comparison.sections.empty());
}

}  // namespace
}  // namespace orogen
