// Tests that a failing system call leaves the old file or the whole new one, and that the error gives the reason.
#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "tests/support/raster_files.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::TemporaryFolder;

std::ptrdiff_t filesIn(const std::string& folder)
{
    return std::distance(std::filesystem::directory_iterator(folder), {});
}

// Makes the `failing`th system call fail with `reason`; reason 0 is a short write.
struct Fault
{
    static inline int calls, failing, reason;

    static bool now() { return ++calls == failing; }
    static bool fails()
    {
        if (!now() || reason == 0) return false;
        errno = reason;
        return true;
    }
    static FileCalls table()
    {
        return {
            [](const char* path, int flags, mode_t mode) { return fails() ? -1 : ::open(path, flags, mode); },
            [](int file, const void* bytes, std::size_t count) -> ssize_t {
                if (now())
                {
                    if (reason == 0) return ::write(file, bytes, count / 2 + 1);
                    errno = reason;
                    return -1;
                }
                return ::write(file, bytes, count);
            },
            [](int file) { return fails() ? -1 : ::fsync(file); },
            [](int file) {
                const bool fail = fails();
                const int kept = errno;
                const int result = ::close(file);
                errno = kept;
                return fail ? -1 : result;
            },
            [](const char* from, const char* to) { return fails() ? -1 : std::rename(from, to); },
            [](const char* path) { return ::unlink(path); },
        };
    }
};

TEST(AtomicFile, ReplacesAFileWhole)
{
    const TemporaryFolder folder;
    const std::string path = folder / "report.json";
    ASSERT_TRUE(writeFileAtomically(path, "old"));
    EXPECT_EQ(test::contentOf(path), "old");
    ASSERT_TRUE(writeFileAtomically(path, "new and longer"));
    EXPECT_EQ(test::contentOf(path), "new and longer");
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(AtomicFile, ShowsNothingBeforeTheCommit)
{
    const TemporaryFolder folder;
    const std::string path = folder / "a";
    ASSERT_TRUE(writeFileAtomically(path, "old"));
    {
        Result<AtomicFile> file = AtomicFile::create(path);
        ASSERT_TRUE(file);
        ASSERT_TRUE(file->write("half"));
        EXPECT_EQ(test::contentOf(path), "old");
        EXPECT_EQ(filesIn(folder.path()), 2);
        EXPECT_EQ(test::contentOf(file->temporaryPath()), "half");
    }
    EXPECT_EQ(test::contentOf(path), "old");
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(AtomicFile, WritersOfOneFileDoNotMeet)
{
    const TemporaryFolder folder;
    const std::string path = folder / "a";
    Result<AtomicFile> first = AtomicFile::create(path), second = AtomicFile::create(path);
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    ASSERT_TRUE(first->write("first"));
    ASSERT_TRUE(second->write("second"));
    ASSERT_TRUE(second->commit());
    ASSERT_TRUE(first->commit());
    EXPECT_EQ(test::contentOf(path), "first");
}

// Fails each call once with each reason; exactly the old or the new file must remain.
TEST(AtomicFile, EveryFailingCallLeavesTheOldFileOrTheWholeNewOne)
{
    const std::string old = "old", fresh(5000, 'n');
    const FileCalls calls = Fault::table();
    for (const int reason : {ENOSPC, EIO, EINTR, EACCES, 0})
        for (int k = 1;; ++k)
        {
            SCOPED_TRACE(testing::Message() << "call " << k << " reason " << reason);
            const TemporaryFolder folder;
            const std::string path = folder / "a";
            ASSERT_TRUE(writeFileAtomically(path, old));
            Fault::calls = 0, Fault::failing = k, Fault::reason = reason;
            const Status status = writeFileAtomically(path, fresh, calls);
            if (Fault::calls < k)  // there are no more calls
            {
                EXPECT_GT(k, 5);
                break;
            }
            ASSERT_EQ(test::contentOf(path), status ? fresh : old);
            ASSERT_EQ(filesIn(folder.path()), 1);
            if (!status)
            {
                EXPECT_EQ(status.error().code, ExitCode::kOutput);
                EXPECT_TRUE(status.error().message.starts_with(path + ": ")) << status.error().message;
                EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
            }
            // Interruptions and short writes are retried; a full disk is reported by every call up to the close.
            ASSERT_TRUE(status || !(reason == 0 || (reason == EINTR && k <= 3)));
            ASSERT_TRUE(!status || !(reason == ENOSPC && k <= 4));
        }
}

TEST(AtomicFile, AfterAnErrorItStaysAnError)
{
    const TemporaryFolder folder;
    const FileCalls calls = Fault::table();
    Fault::calls = 0, Fault::failing = 2, Fault::reason = ENOSPC;
    Result<AtomicFile> file = AtomicFile::create(folder / "a", calls);
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->write("x"));
    EXPECT_FALSE(file->write("y"));
    EXPECT_FALSE(file->commit());
    EXPECT_EQ(filesIn(folder.path()), 0);
}

TEST(AtomicFile, WhatCannotBeWrittenIsSaid)
{
    const TemporaryFolder folder;
    const Status missing = writeFileAtomically(folder / "no/such/folder/a", "x");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ExitCode::kOutput);
    EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);
    std::filesystem::create_directory(folder / "folder");
    EXPECT_FALSE(writeFileAtomically(folder / "folder", "x"));
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(AtomicFile, AWorkingNameThatIsALinkAPipeOrAFolderIsRefused)
{
    const TemporaryFolder folder;
    const std::string path = folder / "a.tif", working = folder / "a.tif.joining";
    folder.write("victim", "precious");
    std::filesystem::create_symlink(folder / "victim", working);
    const auto refused = [&] {
        const Result<AtomicFile> file = AtomicFile::create(path, systemFileCalls(), working);
        return !file && file.error().code == ExitCode::kOutput &&
               file.error().message.starts_with(working + ": is not a regular file");
    };
    EXPECT_TRUE(refused());
    EXPECT_EQ(folder.read("victim"), "precious");
    std::filesystem::remove(working);
    ASSERT_EQ(::mkfifo(working.c_str(), 0600), 0);
    EXPECT_TRUE(refused());
    std::filesystem::remove(working);
    std::filesystem::create_directory(working);
    EXPECT_TRUE(refused());
}

TEST(AtomicFile, AWorkingNameOfAnotherFileLeavesThatFile)
{
    const TemporaryFolder folder;
    const std::string path = folder / "a.tif", working = folder / "a.tif.joining";
    folder.write("victim", "precious");
    std::filesystem::create_hard_link(folder / "victim", working);
    Result<AtomicFile> file = AtomicFile::create(path, systemFileCalls(), working);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->write("new"));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(folder.read("victim"), "precious");
    EXPECT_EQ(folder.read("a.tif"), "new");
}

// In containers, every process can have the same number, so names of temporary files may collide.
TEST(AtomicFile, TemporaryFilesOfAKilledProcessAreNoHindrance)
{
    const TemporaryFolder folder;
    const std::string path = folder / "a";
    std::string last;
    {
        const Result<AtomicFile> file = AtomicFile::create(path);
        ASSERT_TRUE(file);
        last = file->temporaryPath();
    }
    const std::size_t end = last.size() - 4, begin = last.rfind('.', end - 1) + 1;
    const int number = std::stoi(last.substr(begin, end - begin));
    for (int i = 1; i <= 3; ++i)
        std::ofstream(last.substr(0, begin) + std::to_string(number + i) + ".tmp") << "left";
    EXPECT_TRUE(writeFileAtomically(path, "whole"));
    EXPECT_EQ(folder.read("a"), "whole");
}

}  // namespace
}  // namespace orogen
