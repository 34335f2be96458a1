// Tiles in a report: columns of its runs, sums, sentences, and comparability.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/text_file.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/pages/report_html.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::SyntheticCapture;
using test::syntheticCapture;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMissing[] = {3, 0, 1, 0};

// Returns a warm-up frame and four measured frames, two of which lack tiles.
std::vector<FrameSample> tiledRows()
{
    SyntheticCapture capture = syntheticCapture();
    capture.warmup = 1;
    capture.frames = 4;
    std::vector<FrameSample> rows = test::syntheticRun(capture, 1);
    rows[0].tilesMissing = 90, rows[0].tilesLoaded = 40;
    for (std::size_t i = 0; i < 4; ++i)
    {
        rows[i + 1].tilesMissing = kMissing[i];
        rows[i + 1].tilesLoaded = 2;
    }
    return rows;
}

TileStats cacheAt(std::uint64_t bytes, std::uint64_t requests, std::uint64_t hits)
{
    TileStats stats;
    stats.resident = 500;
    stats.capacity = 832;
    stats.bytesRead = bytes;
    stats.requests = requests;
    stats.hits = hits;
    stats.budgetBytes = 128u << 20;
    stats.residentBytes = 80u << 20;
    return stats;
}

Result<FrameReport> captured(const std::string& folder, bool settled)
{
    SyntheticCapture capture = syntheticCapture();
    CapturePlan plan = test::planOf(capture, folder);
    plan.runs = 1;
    plan.settled = settled;
    plan.columns = RunColumns::kWithTiles;
    auto recorder = CaptureRecorder::create(plan, capture.metadata, capture.settings);
    test::must(recorder);
    test::must((*recorder)->beginRun());
    for (const FrameSample& row : tiledRows())
        test::must((*recorder)->add(row));
    RunOutcome outcome;
    outcome.tiles = fromCache(cacheAt(1'000, 10, 10), cacheAt(51'000, 110, 85));
    test::must((*recorder)->endRun(outcome));
    return (*recorder)->finish();
}

TEST(ReportOfTiles, RowsReadBackWithTheirColumnsAndWithout)
{
    FrameSample row = tiledRows()[1];
    row.frame = 0;
    for (const RunColumns columns : {RunColumns::kOfAll, RunColumns::kWithTiles})
    {
        std::string text = std::string(frameColumns(columns)) + '\n';
        appendRow(text, row, columns);
        const Result<RunRows> read = parseRun(text, "run-01.csv");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->columns, columns);
        const bool tiles = columns == RunColumns::kWithTiles;
        EXPECT_EQ(read->rows[0].tilesMissing, tiles ? std::optional<std::uint64_t>(3) : std::nullopt);
        EXPECT_EQ(read->rows[0].tilesLoaded, tiles ? std::optional<std::uint64_t>(2) : std::nullopt);
        const Result<RunRows> partial = parsePartialRun(text, "run-01.csv.partial");
        ASSERT_TRUE(partial);
        EXPECT_EQ(partial->rows.size(), 1u);
    }
    EXPECT_TRUE(frameColumns(RunColumns::kWithTiles).ends_with(",section,tiles_missing,tiles_loaded"));
}

TEST(ReportOfTiles, SumsCountMeasuredFramesAndWhatTheCacheDid)
{
    const test::TemporaryFolder folder;
    const Result<FrameReport> report = captured(folder / "capture", false);
    ASSERT_TRUE(report) << report.error().message;
    const Result<Capture> read = readCapture(folder / "capture");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_TRUE(read->report.tiles);
    const TileUse& tiles = *read->report.tiles;
    EXPECT_EQ(tiles.frames, 4u);
    EXPECT_EQ(tiles.framesMissing, 2u);
    EXPECT_EQ(tiles.mostMissing, 3u);
    EXPECT_EQ(tiles.loaded, 8u);
    EXPECT_EQ(tiles.bytesRead, 50'000u);
    EXPECT_EQ(tiles.hitRate(), 0.75);
    EXPECT_FALSE(fromCache(cacheAt(0, 5, 5), cacheAt(0, 5, 5)).hitRate()) << "nothing was requested";
    EXPECT_EQ(tiles.budgetBytes, 128u << 20);
    EXPECT_EQ(read->report.tiles, report->tiles);
    EXPECT_EQ(read->report.runs[0].tiles, report->tiles);
    EXPECT_EQ(read->rows[0][1].tilesMissing, 3u);
}

TEST(ReportOfTiles, FirstSentencesSayHowManyFramesDrewAnAncestor)
{
    const test::TemporaryFolder folder;
    const Result<FrameReport> report = captured(folder / "capture", false);
    ASSERT_TRUE(report);
    EXPECT_EQ(tilesSentence(*report), "in 2 of 4 frames tiles were missing, up to 3 at once, and an ancestor of each "
                                      "was drawn: capture --settled waits for them");
    const Result<std::string> page = readTextFile(folder / "capture/report.html", 1 << 20);
    ASSERT_TRUE(page);
    const std::size_t said = page->find("In 2 of 4 frames tiles were missing");
    EXPECT_LT(said, page->find("class=tiles"));  // before the first figure
    FrameReport whole = *report;
    whole.tiles->framesMissing = 0;
    EXPECT_EQ(tilesSentence(whole), "no tile was missing in any frame");
    whole.settled = true;
    EXPECT_EQ(tilesSentence(whole), "each frame waited for its tiles, and none was missing");
    whole.tiles.reset();
    EXPECT_EQ(tilesSentence(whole), "");
}

TEST(ReportOfTiles, ThatWereWrittenBeforeThereWereTilesAreRead)
{
    const test::TemporaryFolder folder;
    test::writeCapture(folder / "capture", syntheticCapture());
    const Result<std::string> text = readTextFile(folder / "capture/report.json", 1 << 24);
    ASSERT_TRUE(text);
    Json json = Json::parse(*text);
    EXPECT_TRUE(json["tiles"].is_null());
    json.erase("tiles");
    json["plan"].erase("settled");
    for (Json& run : json["runs"])
        run.erase("tiles");
    const Result<FrameReport> read = reportFromJson(json.dump(), "report.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_FALSE(read->tiles || read->settled);
}

TEST(ReportOfTiles, ACaptureThatWasKilledKeepsWhatItsRowsSay)
{
    const test::TemporaryFolder folder;
    SyntheticCapture capture = syntheticCapture();
    CapturePlan plan = test::planOf(capture, folder / "killed");
    plan.runs = 1;
    plan.columns = RunColumns::kWithTiles;
    {
        auto recorder = CaptureRecorder::create(plan, capture.metadata, capture.settings);
        test::must(recorder);
        test::must((*recorder)->beginRun());
        for (const FrameSample& row : tiledRows())
            test::must((*recorder)->add(row));
    }
    const Result<FrameReport> report = recoverCapture(folder / "killed");
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(report->tiles);
    EXPECT_EQ(report->tiles->framesMissing, 2u);
    EXPECT_FALSE(report->tiles->bytesRead || report->tiles->hitRate());
    EXPECT_TRUE(readCapture(folder / "killed"));
}

Capture tiledSide(const std::string& folder, bool settled)
{
    Capture side = test::heldCapture(folder, syntheticCapture());
    side.report.settled = settled;
    for (ReportRun& run : side.report.runs)
    {
        run.tiles.emplace();
        run.tiles->frames = 300;
        run.tiles->framesMissing = settled ? 0 : 12;
    }
    summarize(side.report, side.rows, kDefaultBudgetMs);
    return side;
}

TEST(ReportOfTiles, SidesThatWaitedAndSidesThatDidNotAreNotComparable)
{
    const std::vector<Capture> waited = {tiledSide("waited", true)}, drew = {tiledSide("drew", false)};
    const Result<Comparison> mixed = compareCaptures(waited, drew);
    ASSERT_FALSE(mixed);
    EXPECT_EQ(mixed.error().code, ExitCode::kInput);
    EXPECT_EQ(mixed.error().message, "not comparable: drew/run-01.csv: frames waited for their tiles (--settled): "
                                     "found no, expected yes as in waited/run-01.csv");
    EXPECT_TRUE(compareCaptures(waited, waited));
    const Result<Comparison> both = compareCaptures(drew, drew);
    ASSERT_TRUE(both);
    EXPECT_TRUE(std::ranges::any_of(both->notes, [](const std::string& note) {
        return note.starts_with("baseline: in 36 of 900 frames tiles were missing");
    }));
}

TEST(ReportOfTiles, OtherWorkForWantOfTilesSaysSo)
{
    const std::vector<Capture> a = {tiledSide("a", false)};
    std::vector<Capture> b = {tiledSide("b", false)};
    for (ReportRun& run : b[0].report.runs)
        run.workHash = "0123456789abcdef";
    const Result<Comparison> result = compareCaptures(a, b);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("capture --settled waits for them"), std::string::npos)
        << result.error().message;
}

}  // namespace
}  // namespace orogen
