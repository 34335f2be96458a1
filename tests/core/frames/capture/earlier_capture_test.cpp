// Capture into the folder of an earlier one, which is removed as a whole once a new one exists.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/frames/capture/capture_files.h"
#include "core/frames/capture/capture_recorder.h"
#include "core/frames/report/report_json.h"
#include "tests/support/raster_files.h"
#include "tests/support/synthetic_capture.h"

namespace orogen {
namespace {

using test::SyntheticCapture;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

Names filesIn(const std::string& folder)
{
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

SyntheticCapture ofRuns(std::uint64_t runs)
{
    SyntheticCapture capture = test::syntheticCapture();
    capture.runs = runs, capture.frames = 40, capture.warmup = 5;
    return capture;
}

std::unique_ptr<CaptureRecorder> begin(const CapturePlan& plan, const SyntheticCapture& capture)
{
    auto recorder = CaptureRecorder::create(plan, capture.metadata, capture.settings);
    EXPECT_TRUE(recorder) << recorder.error().message;
    return recorder ? std::move(*recorder) : nullptr;
}

void addRun(CaptureRecorder& recorder, const SyntheticCapture& capture)
{
    ASSERT_TRUE(recorder.beginRun());
    for (const FrameSample& row : test::syntheticRun(capture, 1))
        ASSERT_TRUE(recorder.add(row));
}

TEST(EarlierCapture, StaysUntilTheFirstRunEndsThenGoesAsAWhole)
{
    const TemporaryFolder folder;
    const SyntheticCapture old = ofRuns(3), fresh = ofRuns(1);
    test::writeCapture(folder.path(), old);
    write(folder / "last.png", "a picture");
    const Names names = filesIn(folder.path());
    const std::string report = contentOf(folder / "report.json");

    const auto given = begin(test::planOf(fresh, folder.path()), fresh);
    ASSERT_TRUE(given->beginRun());
    given->discard();
    EXPECT_EQ(filesIn(folder.path()), names) << "what did not begin takes nothing away";

    const auto recorder = begin(test::planOf(fresh, folder.path()), fresh);
    addRun(*recorder, fresh);
    EXPECT_EQ(contentOf(folder / "report.json"), report);
    ASSERT_TRUE(recorder->endRun({}));
    EXPECT_EQ(filesIn(folder.path()), (Names{"report.html.partial", "report.json.partial", "run-01.csv"}));
    ASSERT_TRUE(recorder->finish());
    EXPECT_EQ(filesIn(folder.path()), (Names{"report.html", "report.json", "run-01.csv"}));
}

TEST(EarlierCapture, GoesAlsoWhereNoFrameWasMeasured)
{
    const TemporaryFolder folder;
    test::writeCapture(folder.path(), ofRuns(2));
    ASSERT_TRUE(begin(test::planOf(ofRuns(1), folder.path()), ofRuns(1))->finish(true));
    EXPECT_EQ(filesIn(folder.path()), (Names{"report.html", "report.json"}));
}

TEST(EarlierCapture, OfOtherSidesGoesToo)
{
    const TemporaryFolder folder;
    test::writeCapture(folder / "a", ofRuns(2));
    test::writeCapture(folder / "b", ofRuns(2));
    write(folder / "b/mine.txt", "kept");
    const SyntheticCapture fresh = ofRuns(1);
    CapturePlan plan = test::planOf(fresh, folder.path());
    plan.alsoReplaces = {folder / "a", folder / "b", folder / "none"};
    const auto recorder = begin(plan, fresh);
    addRun(*recorder, fresh);
    EXPECT_EQ(filesIn(folder / "a").size(), 4u);
    ASSERT_TRUE(recorder->finish());
    EXPECT_EQ(filesIn(folder.path()), (Names{"b", "report.html", "report.json", "run-01.csv"}));
    EXPECT_EQ(filesIn(folder / "b"), Names{"mine.txt"});
}

// If killed in its first run, the new capture has left the earlier one in place. Recovery must not take its runs.
TEST(EarlierCapture, IsNoPartOfWhatIsRecovered)
{
    const TemporaryFolder folder;
    const SyntheticCapture fresh = ofRuns(2);
    test::writeCapture(folder.path(), ofRuns(3));
    write(folder / "last.png", "a picture");
    const pid_t child = fork();
    if (child == 0)
    {
        const auto recorder = begin(test::planOf(fresh, folder.path()), fresh);
        addRun(*recorder, fresh);
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    const Result<FrameReport> report = recoverCapture(folder.path());
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->runs.size(), 1u);
    EXPECT_EQ(filesIn(folder.path()), (Names{"report.html", "report.json", "run-01.csv"}));
}

TEST(EarlierCapture, MayBeFreeEmptyOrHoldAnEarlierCapture)
{
    const TemporaryFolder folder;
    EXPECT_TRUE(capture_files::checkFolder(folder / "none"));
    EXPECT_TRUE(capture_files::checkFolder(folder.path()));
    test::writeCapture(folder.path(), ofRuns(2));
    write(folder / "last.png", "a picture");
    EXPECT_TRUE(capture_files::checkFolder(folder.path()));
    test::writeCapture(folder / "a", ofRuns(2));
    test::writeCapture(folder / "b", ofRuns(2));
    EXPECT_TRUE(capture_files::checkFolder(folder.path()));
    write(folder / "run-03.csv.partial", "");
    write(folder / "report.json.12.0.tmp", "");
    EXPECT_TRUE(capture_files::checkFolder(folder.path())) << "what a killed process left";
}

TEST(EarlierCapture, HoldsNothingElse)
{
    for (const char* name : {"notes.txt", "run-1.csv", "run-xx.csv", "report.backup.tmp", "run-01.csv.bak", ".hidden",
                             "a/notes.txt", "c/report.json"})
    {
        const TemporaryFolder folder;
        test::writeCapture(folder.path(), ofRuns(1));
        std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
        write(folder / name, "mine");
        const Status status = capture_files::checkFolder(folder.path());
        ASSERT_FALSE(status) << name;
        EXPECT_EQ(status.error().code, ExitCode::kOutput);
        EXPECT_NE(status.error().message.find("--force"), std::string::npos);
    }
    const TemporaryFolder folder;
    write(folder / "report.json", "{\"another\": \"program's\"}");
    EXPECT_FALSE(capture_files::checkFolder(folder.path()));
    write(folder / "report.json", "");
    std::filesystem::rename(folder / "report.json", folder / "run-01.csv");
    EXPECT_FALSE(capture_files::checkFolder(folder.path())) << "rows of nobody knows what";
}

// The report may claim 2^64 - 1 runs, and a file may have this number: recovery counts only existing runs.
TEST(Recovery, LooksAtTheRunsThatThereAre)
{
    const TemporaryFolder folder;
    const SyntheticCapture fresh = ofRuns(2);
    {
        const auto recorder = begin(test::planOf(fresh, folder.path()), fresh);
        addRun(*recorder, fresh);
    }
    std::string state = contentOf(folder / "report.json.partial");
    const std::size_t plan = state.find("\"runs\": 2");
    ASSERT_NE(plan, state.npos);
    for (const char* runs : {"18446744073709551615", "9007199254740992"})
    {
        const TemporaryFolder copy;
        std::filesystem::copy(folder.path(), copy.path());
        write(copy / "report.json.partial", std::string(state).replace(plan + 8, 1, runs));
        for (const char* number : {"18446744073709551615", "18446744073709551614", "4294967296"})
            std::filesystem::copy_file(copy / "run-01.csv.partial",
                                       copy / ("run-" + std::string(number) + ".csv.partial"));
        const Result<FrameReport> report = recoverCapture(copy.path());
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_EQ(report->runs.size(), 4u);
    }
}

}  // namespace
}  // namespace orogen
