#include "core/base/text_file.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/zip_files.h"

namespace orogen {
namespace {

using test::TemporaryFolder;

const StopReading kNever = [] { return false; };

std::string pipeIn(const TemporaryFolder& folder)
{
    EXPECT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    return folder / "pipe";
}

TEST(TextFile, IsReadWholeUpToItsLimit)
{
    const TemporaryFolder folder;
    const std::string text = std::string(300'000, 'x') + '\0' + "end";
    const std::string file = folder.write("file", text);
    EXPECT_EQ(*readTextFile(file, text.size()), text);
    const Result<std::string> refused = readTextFile(file, text.size() - 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kInput);
    EXPECT_EQ(refused.error().message, file + ": found 300004 bytes, expected at most 300003");
    EXPECT_EQ(*readTextFile(folder.write("empty", ""), 0), "");
}

// The file claims 8 GiB, so it must be refused before it is read.
TEST(TextFile, IsRefusedByItsSizeUnread)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("sparse", "");
    std::filesystem::resize_file(file, std::uint64_t(8) << 30);
    int asked = 0;
    const Result<std::string> refused = readTextFile(file, 1 << 20, [&] { return ++asked > 0; });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kInput);
    EXPECT_EQ(refused.error().message, file + ": found 8589934592 bytes, expected at most 1048576");
    EXPECT_EQ(asked, 0) << "nothing was read";
}

// Files in /proc report size 0.
TEST(TextFile, IsReadPastTheSizeThatItSays)
{
    EXPECT_GT(readTextFile("/proc/self/status", 1 << 20)->size(), 100u);
    EXPECT_FALSE(readTextFile("/proc/self/status", 100));
}

TEST(TextFile, IsNoFolderAndWithoutAStopNoPipe)
{
    const TemporaryFolder folder;
    const std::string pipe = pipeIn(folder);
    EXPECT_EQ(readTextFile(pipe, 100).error().message, pipe + ": expected a file");
    EXPECT_EQ(readTextFile(folder.path(), 100).error().message, folder.path() + ": expected a file");
    EXPECT_EQ(readTextFile(folder.path(), 100, kNever).error().message, folder.path() + ": expected a file");
    EXPECT_EQ(readTextFile(folder / "none", 100, kNever).error().message,
              folder / "none" + ": cannot be read: No such file or directory");
}

// Opening a pipe waits for the other side; data written in pieces is read completely.
TEST(TextFile, MayBeAPipe)
{
    const TemporaryFolder folder;
    const std::string pipe = pipeIn(folder), piece(100'000, 'p');
    std::thread writer([&] {
        std::ofstream out(pipe);
        for (int i = 0; i < 5; ++i)
            out << piece << std::flush;
    });
    const Result<std::string> text = readTextFile(pipe, 500'000, kNever);
    writer.join();
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(text->size(), 500'000u);
    EXPECT_EQ(text->find_first_not_of('p'), text->npos);
}

TEST(TextFile, EndlessOnesStopAtTheLimit)
{
    const Result<std::string> text = readTextFile("/dev/zero", 1000, kNever);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ExitCode::kInput);
    EXPECT_NE(text.error().message.find("expected at most 1000"), std::string::npos) << text.error().message;
}

TEST(TextFile, APipeThatNobodyOpensIsLeftOnAStop)
{
    const TemporaryFolder folder;
    int asked = 0;
    const Result<std::string> text = readTextFile(pipeIn(folder), 100, [&] { return ++asked == 3; });
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ExitCode::kInterrupted);
    EXPECT_EQ(asked, 3);
}

TEST(TextFile, APipeThatGivesNoMoreIsLeftOnAStop)
{
    const TemporaryFolder folder;
    const std::string pipe = pipeIn(folder);
    std::atomic<bool> asked = false;
    std::thread writer([&] {
        std::ofstream out(pipe);
        out << "some" << std::flush;
        asked.wait(false);
    });
    int questions = 0;
    const Result<std::string> text = readTextFile(pipe, 100, [&] { return ++questions == 20; });
    asked = true;
    asked.notify_all();
    writer.join();
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ExitCode::kInterrupted);
}

TEST(OperandFile, WhoseLengthIsNotKnownEndsAtAnEighthOfTheMemory)
{
    const TemporaryFolder folder;
    const std::string pipe = pipeIn(folder);
    std::thread writer([&] {
        std::signal(SIGPIPE, SIG_IGN);
        std::ofstream out(pipe);
        for (const std::string piece(100'000, '1'); out << piece << std::flush;)
        {
        }
    });
    const Result<std::string> text = readOperandFile(pipe, kNever, {8'000'000, "a test"});
    writer.join();
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ExitCode::kLimit);
    EXPECT_NE(text.error().message.find("whose end is not known"), std::string::npos) << text.error().message;
    EXPECT_NE(text.error().message.find(": a test"), std::string::npos) << text.error().message;
}

TEST(OperandFile, BeyondAQuarterOfTheMemoryIsRefusedUnread)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("a", "12345");
    EXPECT_TRUE(readOperandFile(file, kNever, {20}));
    int asked = 0;
    const Result<std::string> text = readOperandFile(file, [&] { return ++asked > 0; }, {19});
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ExitCode::kLimit);
    EXPECT_EQ(asked, 0);
}

TEST(OperandFile, EndsAtTheFirstZeroByte)
{
    const Result<std::string> text = readOperandFile("/dev/zero", kNever);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ExitCode::kInput);
    EXPECT_EQ(text.error().message, "/dev/zero: found byte 0 at offset 0, expected text");
}

// A gzip file of one stored block (RFC 1951, 1952).
std::string storedGzip(const std::string& text)
{
    test::Bytes content;
    for (const char c : text)
        content.push_back(std::byte(c));
    std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01", 11);
    const auto put = [&packed](std::uint32_t number, int bytes) {
        for (int i = 0; i < bytes; ++i)
            packed += char(number >> 8 * i & 0xff);
    };
    put(std::uint32_t(text.size()), 2), put(~std::uint32_t(text.size()), 2);
    packed += text;
    put(test::zipChecksum(content), 4), put(std::uint32_t(text.size()), 4);
    return packed;
}

TEST(Gzip, UnpacksNoMoreThanTheLimit)
{
    const std::string text(1'000, 'a'), packed = storedGzip(text), twice = packed + packed;
    const Result<std::string> whole = unpackGzip(packed, "a.gz", 1'000);
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(*whole, text);
    EXPECT_EQ(*unpackGzip(twice, "a.gz", 2'000), text + text);
    for (const auto& [bytes, limit] : {std::pair(&packed, 999), {&packed, 10}, {&packed, 0}, {&twice, 1'999}})
    {
        const Result<std::string> refused = unpackGzip(*bytes, "a.gz", std::uint64_t(limit));
        ASSERT_FALSE(refused) << limit;
        EXPECT_EQ(refused.error().code, ExitCode::kLimit) << refused.error().message;
    }
}

}  // namespace
}  // namespace orogen
