// Capture written to disk: whichever call fails, and whenever the process is killed, the old capture is intact, the new
// one is complete, or its rows can be recovered.
#include "core/frames/capture/capture_recorder.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include <gtest/gtest.h>

#include "core/frames/capture/capture_files.h"
#include "core/frames/report/report_json.h"
#include "tests/support/raster_files.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::SyntheticCapture;
using test::syntheticCapture;
using test::TemporaryFolder;
using Rows = std::vector<FrameSample>;
constexpr std::uint64_t kMostRowsLost = 64;  // after a kill

std::vector<std::string> namesIn(const std::string& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

// System calls whose `failing`th call fails.
struct Fault
{
    enum Kind
    {
        kFails,       // with `reason`
        kKeepsOn,     // this call and all later ones
        kShort,       // a write writes half; other calls work
        kKillBefore,  // the process dies before the call
        kKillAfter,   // the process dies after the call
    };
    static inline int calls, failing, reason;
    static inline Kind kind;

    static void set(int k, Kind how, int why = 0) { calls = 0, failing = k, kind = how, reason = why; }
    static bool now() { return calls == failing || (kind == kKeepsOn && calls > failing && failing > 0); }

    template <class Call>
    static auto through(Call call) -> decltype(call())
    {
        ++calls;
        if (!now() || kind == kShort) return call();
        if (kind == kKillBefore) kill(getpid(), SIGKILL);
        if (kind == kKillAfter)
        {
            const auto result = call();
            kill(getpid(), SIGKILL);
            return result;
        }
        errno = reason;
        return -1;
    }
    static int closed(int file)
    {
        const int result = through([] { return 0; }), kept = errno;
        ::close(file);
        errno = kept;
        return result;
    }
    static ssize_t written(int file, const void* bytes, std::size_t count)
    {
        return through([&] { return ::write(file, bytes, now() && kind == kShort ? count / 2 + 1 : count); });
    }
    static int reserved(int file, off_t bytes)
    {
        const int result = through([&] { return systemRunFileCalls().reserve(file, bytes); });
        return result < 0 ? reason : result;
    }
    static RunFileCalls table()
    {
        return {{[](const char* path, int flags, mode_t mode) {
                     return through([&] { return ::open(path, flags, mode); });
                 },
                 // fsync is skipped: it is slow, and these tests do not simulate power cuts.
                 written, [](int) { return through([] { return 0; }); }, closed,
                 [](const char* from, const char* to) { return through([&] { return std::rename(from, to); }); },
                 [](const char* path) { return ::unlink(path); }},
                reserved,
                [](int file, off_t bytes) { return through([&] { return ::ftruncate(file, bytes); }); }};
    }
};

// Returns a capture of three runs by an older program.
SyntheticCapture olderCapture()
{
    SyntheticCapture old = syntheticCapture();
    old.runs = 3, old.frames = 30, old.warmup = 5;
    old.metadata.version = "old";
    return old;
}

// Original state of a folder, copied for each attempt.
class Copies
{
public:
    explicit Copies(const std::function<void(const std::string&)>& make) { make(original_.path()); }
    void to(const TemporaryFolder& folder) const
    {
        std::filesystem::copy(original_.path(), folder.path(), std::filesystem::copy_options::recursive);
    }

private:
    const TemporaryFolder original_;
};

Copies oldCaptures()
{
    return Copies([](const std::string& folder) { writeCapture(folder, olderCapture()); });
}

SyntheticCapture small(std::uint64_t seed, std::uint64_t frames = 90)
{
    SyntheticCapture capture = syntheticCapture();
    capture.runs = 2, capture.frames = frames, capture.warmup = 10, capture.seed = seed, capture.hitches = 0.05;
    return capture;
}

// Runs all steps of a capture; `added` counts the rows passed to it.
Status take(const std::string& folder, const SyntheticCapture& capture, const RunFileCalls& calls,
            std::atomic<std::uint64_t>& added)
{
    auto recorder = CaptureRecorder::create(test::planOf(capture, folder), capture.metadata, capture.settings, calls);
    if (!recorder) return recorder.error();
    for (std::uint64_t run = 1; run <= capture.runs; ++run)
    {
        if (Status status = (*recorder)->beginRun(); !status) return status;
        for (const FrameSample& row : test::syntheticRun(capture, run))
        {
            if (Status status = (*recorder)->add(row); !status) return status;
            ++added;
        }
        if (Status status = (*recorder)->endRun({}); !status) return status;
    }
    const Result<FrameReport> report = (*recorder)->finish();
    return report ? Status::ok() : report.error();
}

// Checks that the capture's rows are a prefix of the measured ones; returns their number.
std::uint64_t expectRowsOf(const Capture& capture, const SyntheticCapture& measured)
{
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < capture.rows.size(); ++i)
    {
        Rows expected = test::syntheticRun(measured, i + 1);
        const Rows& found = capture.rows[i];
        EXPECT_LE(found.size(), expected.size());
        for (std::size_t row = 0; row < std::min(found.size(), expected.size()); ++row)
        {
            expected[row] = rounded(expected[row]);
            expected[row].flags |= found[row].flags & std::uint32_t(kFrameHitch);
            if (!(found[row] == expected[row]))
            {
                ADD_FAILURE() << "run " << i + 1 << " row " << row << " is not the one that was measured";
                return 0;
            }
        }
        count += found.size();
    }
    return count;
}

// After a failure or a kill, expects the old capture, the new one, or its recovered rows. Returns the rows of the new
// one (0 for the old).
std::uint64_t expectNothingLost(const std::string& folder, const SyntheticCapture& old, const SyntheticCapture& fresh)
{
    const bool unfinished = isUnfinished(folder);
    if (unfinished)
    {
        EXPECT_FALSE(readCapture(folder));
        const Result<FrameReport> report = recoverCapture(folder);
        EXPECT_TRUE(report) << report.error().message;
        EXPECT_TRUE(!report || report->recovered);
        EXPECT_TRUE(!report || report->metadata.pathName == "overview");
    }
    EXPECT_FALSE(isUnfinished(folder));
    for (const std::string& name : namesIn(folder))
        EXPECT_TRUE(!name.ends_with(".tmp") || !unfinished) << name;
    const Result<Capture> capture = readCapture(folder);
    EXPECT_TRUE(capture) << capture.error().message;
    if (!capture) return 0;
    const bool isOld = capture->report.metadata.version == old.metadata.version;
    const std::uint64_t rows = expectRowsOf(*capture, isOld ? old : fresh);
    return isOld ? 0 : rows;
}

class Failing : public testing::TestWithParam<std::pair<Fault::Kind, int>>
{
};

// Fails each call of a capture of so many frames in turn.
void failEachCall(Fault::Kind kind, int reason, std::uint64_t frames)
{
    const SyntheticCapture old = olderCapture(), fresh = small(2, frames);
    const Copies copies = oldCaptures();
    const RunFileCalls calls = Fault::table();
    for (int k = 1;; ++k)
    {
        SCOPED_TRACE(testing::Message() << "call " << k << " reason " << reason << " kind " << kind);
        const TemporaryFolder folder;
        copies.to(folder);
        std::atomic<std::uint64_t> added = 0;
        Fault::set(k, kind, reason);
        const Status status = take(folder.path(), fresh, calls, added);
        const bool last = Fault::calls < k;
        Fault::set(0, Fault::kFails);
        if (!status)
        {
            EXPECT_EQ(status.error().code, ExitCode::kOutput);
            EXPECT_TRUE(status.error().message.starts_with(folder.path())) << status.error().message;
            EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
        }
        const std::uint64_t kept = expectNothingLost(folder.path(), old, fresh);
        // The recorder's destructor writes buffered rows if it can.
        ASSERT_GE(kept + kMostRowsLost, added);
        ASSERT_TRUE(!status || kept == 2 * (frames + 10));
        // An interrupted rename may have taken effect: a retry could lose the file.
        const bool renaming = !status && (status.error().message.find("put in place") != std::string::npos ||
                                          status.error().message.find("renamed") != std::string::npos);
        const bool harmless = kind == Fault::kShort || (kind == Fault::kFails && reason == EINTR && !renaming);
        ASSERT_TRUE(status || !harmless) << status.error().message;
        if (last)
        {
            ASSERT_TRUE(status);
            EXPECT_GT(k, 40);
            break;
        }
        ASSERT_FALSE(testing::Test::HasNonfatalFailure());
    }
}

TEST_P(Failing, CallsLoseNoRow)
{
    const auto [kind, reason] = GetParam();
    failEachCall(kind, reason, 90);
    if (!test::longTests()) return;
    failEachCall(kind, reason, 5);
    failEachCall(kind, reason, 900);
}

INSTANTIATE_TEST_SUITE_P(Capture, Failing,
                         testing::Values(std::pair(Fault::kFails, ENOSPC), std::pair(Fault::kFails, EIO),
                                         std::pair(Fault::kFails, EINTR), std::pair(Fault::kKeepsOn, ENOSPC),
                                         std::pair(Fault::kKeepsOn, EIO), std::pair(Fault::kShort, 0)));

// ---- space ----

TEST(Reserving, HappensBeforeTheFirstFrame)
{
    const TemporaryFolder folder;
    SyntheticCapture capture = small(1, 20'000);
    auto recorder = CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
    ASSERT_TRUE(recorder);
    for (const char* name : {"run-01.csv.partial", "run-02.csv.partial"})
    {
        struct stat status = {};
        ASSERT_EQ(::stat((folder / name).c_str(), &status), 0);
        EXPECT_GE(std::uint64_t(status.st_blocks) * 512, 20'000 * kReservedRow) << name;
    }
    struct stat status = {};
    ASSERT_EQ(::stat((folder / "report.html.partial").c_str(), &status), 0);
    EXPECT_GE(status.st_blocks * 512, 1280 * 720 * 3);
}

TEST(Reserving, AFullDiskIsFoundBeforeTheFirstFrameAndTheOldCaptureStays)
{
    const TemporaryFolder folder;
    SyntheticCapture old = small(1);
    writeCapture(folder.path(), old);
    const std::vector<std::string> names = namesIn(folder.path());
    const std::string report = test::contentOf(folder / "report.json");
    RunFileCalls calls = systemRunFileCalls();
    static int left;
    calls.reserve = [](int, off_t) { return --left < 0 ? ENOSPC : 0; };
    for (int fitting = 0; fitting < 3; ++fitting)  // two runs and the report
    {
        left = fitting;
        const SyntheticCapture fresh = small(2);
        auto recorder =
            CaptureRecorder::create(test::planOf(fresh, folder.path()), fresh.metadata, fresh.settings, calls);
        ASSERT_FALSE(recorder);
        EXPECT_EQ(recorder.error().code, ExitCode::kOutput);
        EXPECT_NE(recorder.error().message.find("no room for"), std::string::npos) << recorder.error().message;
        EXPECT_NE(recorder.error().message.find("No space left"), std::string::npos) << recorder.error().message;
        EXPECT_EQ(namesIn(folder.path()), names);
        EXPECT_EQ(test::contentOf(folder / "report.json"), report);
    }
}

// Uses a file system of 1 MiB, if this process may mount one.
TEST(Reserving, AFullFileSystemIsFoundBeforeTheFirstFrame)
{
    const TemporaryFolder folder;
    const pid_t child = fork();
    if (child == 0)
    {
        if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) _exit(77);
        if (mount("none", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) _exit(77);
        const SyntheticCapture capture = small(1, 50'000);
        auto big = CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
        if (big || big.error().code != ExitCode::kOutput) _exit(1);
        if (!namesIn(folder.path()).empty()) _exit(2);
        SyntheticCapture fits = small(1);
        fits.runs = 1, fits.metadata.width = fits.metadata.height = 64;
        _exit(readCapture((writeCapture(folder.path(), fits), folder.path())) ? 0 : 3);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "this process may not mount a file system";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Reserving, TakesWhatRowsTake)
{
    std::size_t longest = 0;
    for (const FrameSample& row : test::syntheticRun(syntheticCapture(), 1))
    {
        std::string text;
        appendRow(text, rounded(row));
        longest = std::max(longest, text.size());
    }
    EXPECT_LE(3 * longest / 2, kReservedRow);
}

// ---- kills ----

// Counter of a child process that survives its kill.
class SharedCount
{
public:
    SharedCount()
        : at_(mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                   0))
    {
        new (at_) std::atomic<std::uint64_t>(0);
    }
    SharedCount(const SharedCount&) = delete;
    ~SharedCount() { munmap(at_, sizeof(std::atomic<std::uint64_t>)); }
    std::atomic<std::uint64_t>& operator*() const { return *static_cast<std::atomic<std::uint64_t>*>(at_); }

private:
    void* at_;
};

// Runs `work` in a child process, which is killed when `moment` returns true. Returns whether it was killed.
bool killedIn(const std::function<void()>& work, const std::function<bool()>& moment = {})
{
    const pid_t child = fork();
    if (child == 0)
    {
        work();
        _exit(0);
    }
    if (moment)
    {
        while (!moment())
            usleep(20);
        kill(child, SIGKILL);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

// Kills after any number of rows, at a random point.
TEST(KilledThorough, AtRandomMomentsLosesAFewRowsAtMost)
{
    const std::uint64_t seed = std::uint64_t(time(nullptr)) ^ std::uint64_t(getpid());
    test::Random random(seed);
    int withRows = 0;
    const int kills = test::scaled(5, 200);
    for (int i = 0; i < kills; ++i)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " kill " << i);
        const TemporaryFolder folder;
        const SyntheticCapture old = olderCapture(), fresh = small(random.bits(), 3'000);
        const SharedCount added;
        ASSERT_TRUE(killedIn(
            [&] {
                RunFileCalls calls = systemRunFileCalls();
                calls.file.fsync = [](int) { return usleep(2'000); };
                auto recorder =
                    CaptureRecorder::create(test::planOf(fresh, folder.path()), fresh.metadata, fresh.settings, calls);
                for (std::uint64_t run = 1; run <= fresh.runs; ++run)
                {
                    (void)bool((*recorder)->beginRun());
                    for (const FrameSample& row : test::syntheticRun(fresh, run))
                    {
                        if (random.chance(1, 8)) usleep(random.below(400));
                        (void)bool((*recorder)->add(row));
                        ++*added;
                    }
                    (void)bool((*recorder)->endRun({}));
                }
                pause();
            },
            [&, rows = std::uint64_t(random.between(0, 4'000))] { return *added >= rows; }));
        const std::uint64_t handed = *added;
        if (handed == 0 && !std::filesystem::exists(folder / "report.json.partial")) continue;  // it had not started
        const std::uint64_t kept = expectNothingLost(folder.path(), old, fresh);
        ASSERT_GE(kept + kMostRowsLost, handed);
        withRows += kept > 0;
    }
    EXPECT_GT(withRows, 0);
}

// Kills before and after each call of a whole capture into a folder with an older one.
TEST(KilledThorough, AtEveryCallLosesAFewRowsAtMost)
{
    const SyntheticCapture old = olderCapture(), fresh = small(2);
    const Copies copies = oldCaptures();
    const RunFileCalls calls = Fault::table();
    for (const Fault::Kind kind : {Fault::kKillBefore, Fault::kKillAfter})
        for (int k = 1;; ++k)
        {
            SCOPED_TRACE(testing::Message() << "call " << k << " kind " << kind);
            const TemporaryFolder folder;
            copies.to(folder);
            const SharedCount added;
            Fault::set(k, kind);
            const bool killed = killedIn([&] { (void)bool(take(folder.path(), fresh, calls, *added)); });
            Fault::set(0, Fault::kFails);
            const std::uint64_t kept = expectNothingLost(folder.path(), old, fresh);
            ASSERT_GE(kept + kMostRowsLost, *added);
            ASSERT_FALSE(HasNonfatalFailure());
            if (killed) continue;
            EXPECT_EQ(kept, 200u);
            EXPECT_GT(k, 40);
            break;
        }
}

// Leaves a capture that was killed in its second run.
void leaveKilled(const std::string& folder, const SyntheticCapture& capture)
{
    std::atomic<std::uint64_t> added = 0;
    const RunFileCalls calls = Fault::table();
    ASSERT_TRUE(killedIn([&] {
        auto recorder =
            CaptureRecorder::create(test::planOf(capture, folder), capture.metadata, capture.settings, calls);
        (void)bool((*recorder)->beginRun());
        for (const FrameSample& row : test::syntheticRun(capture, 1))
            (void)bool((*recorder)->add(row));
        (void)bool((*recorder)->endRun({.conforming = true, .glErrors = 3, .unsettled = true}));
        (void)bool((*recorder)->beginRun());
        const Rows rows = test::syntheticRun(capture, 2);
        for (std::size_t i = 0; i < 80; ++i)
            (void)bool((*recorder)->add(rows[i]));
        kill(getpid(), SIGKILL);
    }));
}

TEST(Recovery, KeepsWhatTheCaptureSaidOfItsRuns)
{
    const TemporaryFolder folder;
    const SyntheticCapture capture = small(4);
    leaveKilled(folder.path(), capture);
    const Result<FrameReport> report = recoverCapture(folder.path());
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->runs.size(), 2u);
    EXPECT_EQ(report->runs[0].rows, 100u);
    EXPECT_EQ(report->runs[0].glErrors, 3u);
    EXPECT_EQ(report->runs[0].conforming, true);
    EXPECT_TRUE(report->runs[0].unsettled);
    EXPECT_FALSE(report->runs[0].interrupted);
    EXPECT_GE(report->runs[1].rows, 80 - kMostRowsLost);
    EXPECT_FALSE(report->runs[1].glErrors);
    EXPECT_TRUE(report->runs[1].interrupted);
    EXPECT_TRUE(report->interrupted && report->recovered);
    EXPECT_EQ(namesIn(folder.path()),
              (std::vector<std::string>{"report.html", "report.json", "run-01.csv", "run-02.csv"}));
    EXPECT_FALSE(recoverCapture(folder.path()));
}

// Hitches of the last rows were unknown when the process died.
TEST(Recovery, MarksTheHitchesOfTheLastRows)
{
    const TemporaryFolder folder;
    SyntheticCapture capture = small(4);
    capture.frameNoise = 0.001, capture.hitches = 0, capture.runNoise = 0;
    ASSERT_TRUE(killedIn([&] {
        auto recorder =
            CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
        (void)bool((*recorder)->beginRun());
        Rows rows = test::syntheticRun(capture, 1);
        rows[30].intervalMs = 99;
        for (std::size_t i = 0; i <= 41; ++i)
            (void)bool((*recorder)->add(rows[i]));
        kill(getpid(), SIGKILL);
    }));
    const Result<FrameReport> report = recoverCapture(folder.path());
    ASSERT_TRUE(report);
    const Result<Capture> read = readCapture(folder.path());
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->rows.size(), 1u);
    ASSERT_GT(read->rows[0].size(), 30u);
    for (std::size_t i = 0; i < read->rows[0].size(); ++i)
        EXPECT_EQ((read->rows[0][i].flags & kFrameHitch) != 0, i == 30) << i;
    EXPECT_EQ(report->runs[0].statistics.stutter->count, 1u);
}

// Only a warm-up that gave up counts as unsettled, however long it was requested to last.
TEST(Recovery, FindsOutWhetherWarmUpGaveUp)
{
    for (const auto& [minimum, warmup, quietFrom, unsettled] : {std::tuple{1000, 1000, 0, false},
                                                                {1000, 1000, 999, true},
                                                                {60, 600, 592, false},
                                                                {60, 600, 593, true},
                                                                {60, 600, 600, true},
                                                                {60, 90, 60, false}})
    {
        SCOPED_TRACE(testing::Message() << minimum << ' ' << warmup << ' ' << quietFrom);
        const TemporaryFolder folder;
        SyntheticCapture capture = small(4);
        capture.warmup = std::uint64_t(warmup);
        ASSERT_TRUE(killedIn([&, first = std::uint64_t(quietFrom), least = std::uint64_t(minimum)] {
            CapturePlan plan = test::planOf(capture, folder.path());
            plan.warmupMinimum = least;
            auto recorder = CaptureRecorder::create(plan, capture.metadata, capture.settings);
            (void)bool((*recorder)->beginRun());
            for (FrameSample& row : test::syntheticRun(capture, 1))
            {
                row.splits = row.frame < first ? 5 : 0, row.merges = 0;
                (void)bool((*recorder)->add(row));
            }
            kill(getpid(), SIGKILL);
        }));
        const Result<FrameReport> report = recoverCapture(folder.path());
        ASSERT_TRUE(report) << report.error().message;
        ASSERT_EQ(report->runs.size(), 1u);
        EXPECT_EQ(report->runs[0].warmupFrames, std::uint64_t(warmup));
        EXPECT_EQ(report->runs[0].unsettled, unsettled);
    }
}

TEST(Recovery, CanBeKilledAtEveryCallAndStartedAgain)
{
    const SyntheticCapture capture = small(5);
    const RunFileCalls calls = Fault::table();
    const TemporaryFolder whole;
    const Copies copies([&](const std::string& folder) { leaveKilled(folder, capture); });
    copies.to(whole);
    ASSERT_TRUE(recoverCapture(whole.path()));
    for (const Fault::Kind kind : {Fault::kKillBefore, Fault::kKillAfter})
        for (int k = 1;; ++k)
        {
            SCOPED_TRACE(testing::Message() << "call " << k << " kind " << kind);
            const TemporaryFolder folder;
            copies.to(folder);
            Fault::set(k, kind);
            const bool killed = killedIn([&] { (void)bool(recoverCapture(folder.path(), calls)); });
            Fault::set(0, Fault::kFails);
            ASSERT_TRUE(!isUnfinished(folder.path()) || recoverCapture(folder.path()));
            for (const char* name : {"run-01.csv", "run-02.csv", "report.json", "report.html"})
                ASSERT_EQ(test::contentOf(folder / name), test::contentOf(whole / name)) << name;
            if (killed) continue;
            EXPECT_GT(k, 10);
            break;
        }
}

TEST(Recovery, ReportsTheCallThatFailedAndCanBeStartedAgain)
{
    const SyntheticCapture capture = small(5);
    const RunFileCalls calls = Fault::table();
    const Copies copies([&](const std::string& folder) { leaveKilled(folder, capture); });
    for (const int reason : {ENOSPC, EIO})
        for (int k = 1;; ++k)
        {
            SCOPED_TRACE(testing::Message() << "call " << k << " reason " << reason);
            const TemporaryFolder folder;
            copies.to(folder);
            Fault::set(k, Fault::kFails, reason);
            const Result<FrameReport> report = recoverCapture(folder.path(), calls);
            const bool last = Fault::calls < k;
            Fault::set(0, Fault::kFails);
            ASSERT_TRUE(report || report.error().code == ExitCode::kOutput);
            ASSERT_TRUE(report || recoverCapture(folder.path()));
            const Result<Capture> read = readCapture(folder.path());
            ASSERT_TRUE(read) << read.error().message;
            ASSERT_GE(expectRowsOf(*read, capture) + kMostRowsLost, 180u);
            if (last) break;
        }
}

TEST(Recovery, WithoutTheStateKeepsTheRows)
{
    const TemporaryFolder folder;
    const SyntheticCapture capture = small(5);
    leaveKilled(folder.path(), capture);
    std::filesystem::remove(folder / "report.json.partial");
    const Result<FrameReport> report = recoverCapture(folder.path());
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->runs.size(), 2u);
    ASSERT_EQ(report->notes.size(), 1u);
    const Result<Capture> read = readCapture(folder.path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_GE(expectRowsOf(*read, capture) + kMostRowsLost, 180u);
}

// Runs of an older capture in the folder are not mistaken for those of the killed one.
TEST(Recovery, TakesNoRunOfAnOlderCapture)
{
    const TemporaryFolder folder;
    SyntheticCapture old = small(1), fresh = small(2);
    old.runs = 4, fresh.runs = 4;
    writeCapture(folder.path(), old);
    const RunFileCalls calls = Fault::table();
    for (int k = 1; k < 60; ++k)
    {
        Fault::set(k, Fault::kKillAfter);
        std::atomic<std::uint64_t> added = 0;
        const TemporaryFolder copy;
        std::filesystem::copy(folder.path(), copy.path(), std::filesystem::copy_options::recursive);
        (void)killedIn([&] { (void)bool(take(copy.path(), fresh, calls, added)); });
        Fault::set(0, Fault::kFails);
        if (!isUnfinished(copy.path())) continue;
        ASSERT_TRUE(recoverCapture(copy.path()));
        const Result<Capture> read = readCapture(copy.path());
        ASSERT_TRUE(read) << read.error().message;
        expectRowsOf(*read, fresh);
        ASSERT_FALSE(HasNonfatalFailure()) << k;
    }
}

TEST(Recovery, IsRefusedWhileTheCaptureLives)
{
    const TemporaryFolder folder;
    const SyntheticCapture capture = small(5);
    {
        auto recorder =
            CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
        ASSERT_TRUE(recorder);
        EXPECT_FALSE(isUnfinished(folder.path()));
        EXPECT_TRUE(unfinishedCaptures(folder.path()).empty());
        const Result<FrameReport> refused = recoverCapture(folder.path());
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ExitCode::kInput);
        EXPECT_NE(refused.error().message.find("still capturing"), std::string::npos);
        auto second = CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, ExitCode::kOutput);
    }
    EXPECT_TRUE(isUnfinished(folder.path()));
    EXPECT_TRUE(recoverCapture(folder.path()));
}

TEST(Recovery, FindsUnfinishedCaptures)
{
    const TemporaryFolder folder;
    const SyntheticCapture capture = small(5);
    writeCapture(folder / "done", capture);
    for (const char* name : {"killed", "pair/a", "pair/b"})
        leaveKilled(folder / name, capture);
    EXPECT_EQ(unfinishedCaptures(folder.path()),
              (std::vector{folder / "killed", folder / "pair/a", folder / "pair/b"}));
    EXPECT_EQ(unfinishedCaptures(folder / "killed"), std::vector{folder / "killed"});
    EXPECT_TRUE(unfinishedCaptures(folder / "none").empty());
}

// ---- recorder ----

TEST(Recorder, DoesNotOverwriteRowsThatNobodyRecovered)
{
    const TemporaryFolder folder;
    const SyntheticCapture capture = small(5);
    leaveKilled(folder.path(), capture);
    auto recorder = CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
    ASSERT_FALSE(recorder);
    EXPECT_NE(recorder.error().message.find("orogen report --recover " + folder.path()), std::string::npos);
    ASSERT_TRUE(recoverCapture(folder.path()));
    EXPECT_TRUE(CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings));
}

TEST(Recorder, InterruptedItLosesNoRow)
{
    const TemporaryFolder folder;
    const SyntheticCapture capture = small(5);
    auto recorder = CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
    ASSERT_TRUE(recorder);
    ASSERT_TRUE((*recorder)->beginRun());
    const Rows rows = test::syntheticRun(capture, 1);
    for (std::size_t i = 0; i < 77; ++i)
        ASSERT_TRUE((*recorder)->add(rows[i]));
    EXPECT_EQ((*recorder)->run(), 1u);
    const Result<FrameReport> report = (*recorder)->finish(true, {.conforming = {}, .glErrors = 1});
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->interrupted && report->runs.at(0).interrupted);
    EXPECT_EQ(report->glErrors, 1u);
    const Result<Capture> read = readCapture(folder.path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(expectRowsOf(*read, capture), 77u);
    EXPECT_EQ(namesIn(folder.path()), (std::vector<std::string>{"report.html", "report.json", "run-01.csv"}));
}

TEST(Recorder, LeavesAReportWithoutAMeasuredFrame)
{
    for (const std::size_t warmup : {0u, 4u})
    {
        const TemporaryFolder folder;
        const SyntheticCapture capture = small(5);
        auto recorder =
            CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
        ASSERT_TRUE(recorder);
        ASSERT_TRUE(warmup == 0 || (*recorder)->beginRun());
        const Rows rows = test::syntheticRun(capture, 1);
        for (std::size_t i = 0; i < warmup; ++i)
            ASSERT_TRUE((*recorder)->add(rows[i]));
        (*recorder)->note("a note");
        ASSERT_TRUE((*recorder)->finish(true));
        const Result<FrameReport> report = readReport(folder / "report.json");
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_EQ(report->statistics.frames, 0u);
        EXPECT_TRUE(report->interrupted);
        EXPECT_EQ(report->runs.size(), warmup > 0 ? 1u : 0u);
        EXPECT_EQ(report->notes, std::vector<std::string>{"a note"});
        EXPECT_NE(test::contentOf(folder / "report.html").find("No frame was measured"), std::string::npos);
    }
}

// Rows in the partial file are at most half a second old, however slow the frames are.
TEST(Recorder, SlowFramesDoNotWait)
{
    const TemporaryFolder folder;
    const SyntheticCapture capture = small(5);
    auto recorder = CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
    ASSERT_TRUE(recorder);
    ASSERT_TRUE((*recorder)->beginRun());
    const Rows rows = test::syntheticRun(capture, 1);
    for (std::size_t i = 0; i < 12; ++i)
    {
        usleep(100'000);
        ASSERT_TRUE((*recorder)->add(rows[i]));
    }
    const Result<RunRows> partial = readPartialRun(folder / "run-01.csv.partial");
    ASSERT_TRUE(partial);
    EXPECT_GE(partial->rows.size(), 7u);
}

// ---- warm-up and late results ----

WorkCounters countersOf(std::uint64_t frame, std::uint32_t splits = 0, std::uint32_t merges = 0)
{
    WorkCounters work;
    work.frame = frame, work.splits = splits, work.merges = merges;
    return work;
}

TEST(WarmUpRule, EndsWhenTheTreeIsQuiet)
{
    WarmUp warmUp(20, 100);
    for (std::uint64_t i = 0; i < 60 && !warmUp.over(); ++i)
        warmUp.frame(true, countersOf(100 + i, i < 30 ? 5 : 0));
    EXPECT_EQ(warmUp.frames(), 38u);
    EXPECT_FALSE(warmUp.unsettled());
}

TEST(WarmUpRule, WaitsForItsMinimumForShadersAndForNews)
{
    WarmUp minimum(20, 0);
    for (std::uint64_t i = 0; !minimum.over(); ++i)
        minimum.frame(true, countersOf(i));
    EXPECT_EQ(minimum.frames(), 20u);

    WarmUp shaders(0, 0);
    for (std::uint64_t i = 0; !shaders.over(); ++i)
        shaders.frame(i >= 15, countersOf(i));
    EXPECT_EQ(shaders.frames(), 15 + WarmUp::kQuietFrames);

    WarmUp old(0, 10);  // WarmUp ignores counters of earlier frames, and repeated ones
    for (int i = 0; i < 50; ++i)
        old.frame(true, countersOf(9));
    EXPECT_FALSE(old.over());
    for (int i = 0; i < 50; ++i)
        old.frame(true, countersOf(10));
    EXPECT_FALSE(old.over());

    WarmUp merges(0, 0);
    for (std::uint64_t i = 0; i < 100; ++i)
        merges.frame(true, countersOf(i, 0, i % 8 == 7));
    EXPECT_FALSE(merges.over());
}

TEST(WarmUpRule, GivesUpAndSaysSo)
{
    WarmUp warmUp(60, 0);
    for (std::uint64_t i = 0; !warmUp.over(); ++i)
        warmUp.frame(true, countersOf(i, 1));
    EXPECT_EQ(warmUp.frames(), WarmUp::kLongestWarmup);
    EXPECT_TRUE(warmUp.unsettled());
    WarmUp longer(700, 0);
    for (std::uint64_t i = 0; !longer.over(); ++i)
        longer.frame(true, countersOf(i, 1));
    EXPECT_EQ(longer.frames(), 700u);
}

}  // namespace
}  // namespace orogen
