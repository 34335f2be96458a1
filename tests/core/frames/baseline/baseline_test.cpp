// The store of baselines: files by series, order, pruning, damaged files; error rates of comparisons against it.
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/text_file.h"
#include "core/frames/baseline/baseline_store.h"
#include "core/frames/compare/comparison_math.h"
#include "tests/support/page_check.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::heldCapture;
using test::SyntheticCapture;
using test::syntheticCapture;

// Returns the capture of commit number `i`, a day after the one before.
SyntheticCapture commit(int i)
{
    SyntheticCapture capture = syntheticCapture();
    capture.runs = 5, capture.frames = 60, capture.warmup = 2;
    capture.seed = std::uint64_t(100 + i);
    capture.frameNoise = 0.01;
    capture.metadata.commit = fmt::format("{:07x}", 0x1000000 + i);
    capture.metadata.created = fmt::format("2026-{:02}-{:02}T10:00:00Z", 1 + i / 28, 1 + i % 28);
    return capture;
}

std::string added(const std::string& store, const std::string& name, const SyntheticCapture& capture)
{
    const Result<std::string> file = addBaseline(store, name, heldCapture("c", capture));
    test::must(file);
    return *file;
}

TEST(BaselineStore, ReadsBackWhatWasAddedOldestFirst)
{
    const test::TemporaryFolder folder;
    const std::string store = folder / "a store/inner";
    EXPECT_TRUE(readBaselines(store)->empty());
    for (const int i : {3, 1, 2})
        added(store, "main", commit(i));
    SyntheticCapture other = commit(2);
    other.metadata.cpu = "Another CPU";
    const std::string file = added(store, "main-2", other);
    EXPECT_TRUE(std::filesystem::path(file).filename().string().starts_with("main-2-"));

    const Result<std::vector<Baseline>> all = readBaselines(store);
    ASSERT_TRUE(all) << all.error().message;
    ASSERT_EQ(all->size(), 4u);
    const Result<std::vector<Baseline>> main = readBaselines(store, {.name = "main"});
    ASSERT_TRUE(main);
    ASSERT_EQ(main->size(), 3u);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ((*main)[std::size_t(i)].capture.report.metadata.commit, commit(i + 1).metadata.commit);
    const Capture held = heldCapture("c", commit(1));
    EXPECT_EQ(main->front().capture.rows, held.rows);
    EXPECT_EQ(main->front().series, seriesOf("main", held.report));
    EXPECT_NE(main->front().series.machine, seriesOf("main", heldCapture("c", other).report).machine);
    EXPECT_EQ(main->front().series.scene, seriesOf("main", heldCapture("c", other).report).scene);
}

TEST(BaselineStore, RefusesASecondFileOfTheSameCapture)
{
    const test::TemporaryFolder folder;
    added(folder.path(), "main", commit(1));
    const Result<std::string> again = addBaseline(folder.path(), "main", heldCapture("c", commit(1)));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ExitCode::kOutput);
    EXPECT_NE(again.error().message.find("holds this capture already"), std::string::npos) << again.error().message;
    SyntheticCapture none = commit(2);
    none.runs = 0;
    EXPECT_EQ(addBaseline(folder.path(), "main", heldCapture("c", none)).error().code, ExitCode::kInput);
}

// The sides of an interleaved capture have one name and one time.
TEST(BaselineStore, KeepsSeveralCapturesOfOneSecond)
{
    const test::TemporaryFolder folder;
    std::vector<std::string> files;
    for (int i = 0; i < 11; ++i)
    {
        SyntheticCapture capture = commit(1);
        capture.intervalMs = 10 + i;
        files.push_back(added(folder.path(), "main", capture));
        EXPECT_FALSE(addBaseline(folder.path(), "main", heldCapture("c", capture)));
    }
    EXPECT_TRUE(files[2].ends_with("-3.json")) << files[2];
    const Result<std::vector<Baseline>> all = readBaselines(folder.path());
    ASSERT_TRUE(all) << all.error().message;
    ASSERT_EQ(all->size(), files.size());
    for (std::size_t i = 0; i < files.size(); ++i)
        EXPECT_EQ((*all)[i].file, files[i]) << "not in the order of adding";
}

TEST(BaselineStore, PrunesTheOldestOfEachSeriesAndNoForeignFile)
{
    const test::TemporaryFolder folder;
    for (int i = 0; i < 5; ++i)
        added(folder.path(), "main", commit(i));
    for (int i = 0; i < 2; ++i)
        added(folder.path(), "dev", commit(i));
    std::ofstream(folder / "notes.json") << "{}";
    const Result<std::vector<std::string>> removed = pruneBaselines(folder.path(), {}, 3);
    ASSERT_TRUE(removed);
    EXPECT_EQ(removed->size(), 2u);
    const Result<std::vector<Baseline>> left = readBaselines(folder.path(), {.name = "main"});
    ASSERT_TRUE(left);
    ASSERT_EQ(left->size(), 3u);
    EXPECT_EQ(left->front().capture.report.metadata.commit, commit(2).metadata.commit);
    EXPECT_EQ(readBaselines(folder.path(), {.name = "dev"})->size(), 2u);
    EXPECT_TRUE(std::filesystem::exists(folder / "notes.json"));
}

TEST(BaselineStore, NamesAreFileNames)
{
    for (const char* name : {"main", "v1.2_x-3", "0"})
        EXPECT_TRUE(isBaselineName(name)) << name;
    for (const std::string& name : {std::string(), std::string("a/b"), std::string(".."), std::string("-x"),
                                    std::string("a b"), std::string(65, 'a')})
        EXPECT_FALSE(isBaselineName(name)) << name;
}

TEST(BaselineStore, ADamagedFileIsRefusedInOneLine)
{
    const test::TemporaryFolder folder;
    const std::string file = added(folder.path(), "main", commit(1));
    const std::string text = test::contentOf(file);
    for (std::size_t at = 0; at < text.size(); at += 1 + text.size() / 150)
        for (const bool cut : {false, true})
        {
            std::string changed = cut ? text.substr(0, at) : text;
            if (!cut) changed[at] = changed[at] == '9' ? '8' : '9';
            std::ofstream(file, std::ios::binary) << changed;
            const Result<Baseline> read = readBaseline(file);
            if (read) continue;  // a digit of a statistic that no row contradicts
            EXPECT_EQ(read.error().code, ExitCode::kInput);
            EXPECT_TRUE(read.error().message.starts_with(file)) << read.error().message;
            EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
        }
    std::ofstream(file, std::ios::binary) << text.substr(0, text.size() / 2);
    EXPECT_FALSE(readBaselines(folder.path()));
}

TEST(BaselineTrend, ComparesEachWithTheOneBefore)
{
    std::vector<Baseline> series;
    for (int i = 0; i < 6; ++i)
    {
        SyntheticCapture capture = commit(i);
        if (i >= 4) capture.intervalMs *= 1.1;
        Capture held = heldCapture("c", capture);
        const BaselineSeries of = seriesOf("main", held.report);
        series.push_back({fmt::format("f{}", i), of, std::move(held)});
    }
    const std::vector<TrendPoint> points = trendOf(series);
    ASSERT_EQ(points.size(), 6u);
    EXPECT_FALSE(points[0].comparison);
    for (std::size_t i = 1; i < 6; ++i)
        EXPECT_EQ(points[i].comparison->first()->verdict, i == 4 ? Verdict::kSlower : Verdict::kEquivalent) << i;
    EXPECT_NEAR(points[5].median / points[0].median, 1.1, 0.02);
    const std::string page = trendPage(series);
    EXPECT_EQ(test::pageFault(page), "");
    EXPECT_NE(page.find("<td class=\"bad\">slower +"), std::string::npos);
    EXPECT_EQ(test::pageFault(trendPage({})), "");
}

// A store of captures of one program, and one of captures of which each second one is 10 % slower.  Runs differ by
// 1 %.  A false alarm is a slower or faster mean frame time.
TEST(BaselineErrorRatesThorough, FewFalseAlarmsAndASlowdownOfTenPercentIsFound)
{
    const test::TemporaryFolder folder;
    const int captures = test::scaled(120, 1'000);
    int alarms = 0, found = 0, slowdowns = 0;
    std::vector<Baseline> same, changed;
    for (int i = 0; i < captures; ++i)
    {
        SyntheticCapture capture = commit(i);
        capture.runNoise = 0.01;
        Capture held = heldCapture("c", capture);
        const BaselineSeries of = seriesOf("main", held.report);
        same.push_back({"f", of, std::move(held)});
        capture.seed += 100'000;
        if (i % 2 == 1) capture.intervalMs *= 1.1;
        Capture slower = heldCapture("c", capture);
        changed.push_back({"f", of, std::move(slower)});
    }
    for (const TrendPoint& point : trendOf(same))
        if (point.comparison)
            alarms += point.comparison->first()->verdict == Verdict::kSlower ||
                      point.comparison->first()->verdict == Verdict::kFaster;
    const std::vector<TrendPoint> points = trendOf(changed);
    for (std::size_t i = 1; i < points.size(); i += 2, ++slowdowns)
        found += points[i].comparison->first()->verdict == Verdict::kSlower;
    RecordProperty("false_alarms", alarms);
    RecordProperty("slowdowns_found", found);
    EXPECT_LE(alarms, captures * 5 / 100) << captures;
    EXPECT_EQ(found, slowdowns);
}

// ---- several sides ----

TEST(SeveralSides, AreEachComparedWithTheFirst)
{
    const test::TemporaryFolder folder;
    for (int i = 0; i < 3; ++i)
    {
        SyntheticCapture capture = commit(i);
        if (i == 2) capture.intervalMs *= 1.2;
        test::writeCapture(folder / fmt::format("s{}", i), capture);
    }
    const NamedFolders sides[] = {{"main", {folder / "s0"}}, {"same <&>", {folder / "s1"}}, {"slow", {folder / "s2"}}};
    const Result<ComparedSides> compared = compareSides(sides, {});
    ASSERT_TRUE(compared) << compared.error().message;
    ASSERT_EQ(compared->comparisons.size(), 2u);
    EXPECT_EQ(compared->comparisons[0].first()->verdict, Verdict::kEquivalent);
    EXPECT_EQ(compared->comparisons[1].first()->verdict, Verdict::kSlower);
    EXPECT_TRUE(compared->anySlower());

    const std::string page = sidesToHtml(*compared);
    EXPECT_EQ(test::pageFault(page), "");
    EXPECT_NE(page.find("same &lt;&amp;&gt;: equivalent within 2\u00a0%"), std::string::npos);
    EXPECT_NE(page.find("line-c"), std::string::npos);
    const std::string junit = sidesToJunit(*compared);
    EXPECT_EQ(junit.find("<?xml"), 0u);
    EXPECT_EQ(junit.find("<?xml", 1), std::string::npos);
    EXPECT_NE(junit.find("<testsuite name=\"orogen compare slow\""), std::string::npos);
    EXPECT_NE(sidesToMarkdown(*compared).find("### slow against main\n\n**slower: mean frame time +"),
              std::string::npos);
    EXPECT_NE(sidesToGithub(*compared).find("::error title=orogen slow interval_ms.mean::"), std::string::npos);
    EXPECT_NE(sidesToJson(*compared, 0).find("\"baseline\": \"main\""), std::string::npos);
}

// p is that of a comparison of two, times the number of candidates.
TEST(SeveralSides, PaysForTheNumberOfComparisons)
{
    const Capture a = heldCapture("a", commit(1)), b = heldCapture("b", commit(2));
    ComparisonOptions options;
    options.metrics = {"interval_ms.mean"};
    const Result<Comparison> one = compareCaptures(std::span(&a, 1), std::span(&b, 1), options);
    options.among = 2;
    const Result<Comparison> two = compareCaptures(std::span(&a, 1), std::span(&b, 1), options);
    ASSERT_TRUE(one && two);
    EXPECT_DOUBLE_EQ(two->metrics[0].pHolm.value(), std::min(1.0, 2 * one->metrics[0].pHolm.value()));
}

}  // namespace
}  // namespace orogen
