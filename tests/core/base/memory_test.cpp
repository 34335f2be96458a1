#include "core/base/memory.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/raster_files.h"

namespace orogen {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

// Machine with 8 GiB, and a process without limits or control group.
class Memory : public testing::Test
{
protected:
    Memory()
    {
        sources_ = {.machine = write("meminfo", "MemTotal: 16777216 kB\nMemFree: 1 kB\nMemAvailable: 8388608 kB\n"),
                    .process = write("statm", "51200 300 200 10 0 25600 0\n"),  // unit: pages
                    .controlGroups = folder_ / "cgroup",
                    .controlGroupFiles = folder_ / "groups"};
    }

    std::string write(const std::string& name, const std::string& text)
    {
        const std::filesystem::path path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path;
    }
    void group2(const std::string& path, const std::string& limit, std::uint64_t used, std::uint64_t inactive = 0)
    {
        write("groups" + path + "/memory.max", limit + "\n");
        write("groups" + path + "/memory.current", std::to_string(used) + "\n");
        write("groups" + path + "/memory.stat", "anon 5\ninactive_file " + std::to_string(inactive) + "\n");
    }
    AvailableMemory available() const { return availableMemoryOf(sources_); }

    test::TemporaryFolder folder_;
    MemorySources sources_;
};

TEST_F(Memory, IsWhatTheMachineHas)
{
    EXPECT_EQ(available().bytes, 8192 * kMiB);
    EXPECT_EQ(available().by, "");
}

TEST_F(Memory, WithoutAnySourceThereIsNoLimit)
{
    for (std::string* path : {&sources_.machine, &sources_.process})
        *path = folder_ / "nothing";
    EXPECT_EQ(available().bytes, kNoMemoryLimit);
    EXPECT_TRUE(checkMemory("anything", kNoMemoryLimit, available()));
}

TEST_F(Memory, OfAGroupOfVersion2)
{
    write("cgroup", "0::/box\n");
    group2("/box", std::to_string(1000 * kMiB), 700 * kMiB);
    EXPECT_EQ(available().bytes, 300 * kMiB);
    EXPECT_EQ(available().by, "the limit of the control group");
    group2("/box", "max", 700 * kMiB);
    EXPECT_EQ(available().bytes, 8192 * kMiB) << "no limit";
    group2("/box", std::to_string(1000 * kMiB), 1200 * kMiB);
    EXPECT_EQ(available().bytes, 0u) << "more is used than the limit, which was lowered";
}

TEST_F(Memory, FilesThatCanBeDroppedCountAsFree)
{
    write("cgroup", "0::/box\n");
    group2("/box", std::to_string(1000 * kMiB), 900 * kMiB, 500 * kMiB);
    EXPECT_EQ(available().bytes, 600 * kMiB);
}

TEST_F(Memory, TheLimitOfAGroupHoldsForThoseWithin)
{
    write("cgroup", "0::/a/b/c\n");
    group2("/a/b/c", "max", 1 * kMiB);
    group2("/a", std::to_string(100 * kMiB), 60 * kMiB);
    EXPECT_EQ(available().bytes, 40 * kMiB);
}

// In a container, the path names the host's groups. Only the container's own group is visible, at the root.
TEST_F(Memory, InAContainerTheRootIsTheGroup)
{
    write("cgroup", "0::/host/slice/box\n");
    group2("", std::to_string(100 * kMiB), 25 * kMiB);
    EXPECT_EQ(available().bytes, 75 * kMiB);
}

TEST_F(Memory, APathThatIsNotAbsoluteNamesNoGroup)
{
    write("cgroup", "0::box\n");
    group2("", std::to_string(100 * kMiB), 25 * kMiB);
    EXPECT_EQ(available().bytes, 75 * kMiB);
}

TEST_F(Memory, OfAGroupOfVersion1)
{
    write("cgroup", "9:name=systemd:/\n8:pids:/\n4:cpu,memory:/box\n0::/\n");
    write("groups/memory/box/memory.limit_in_bytes", std::to_string(512 * kMiB) + "\n");
    write("groups/memory/box/memory.usage_in_bytes", std::to_string(500 * kMiB) + "\n");
    write("groups/memory/box/memory.stat", "inactive_file 1\ntotal_inactive_file " + std::to_string(88 * kMiB) + "\n");
    EXPECT_EQ(available().bytes, 100 * kMiB);
    write("groups/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(available().bytes, 8192 * kMiB) << "what version 1 says for no limit";
}

TEST_F(Memory, OfTheLimitsOfTheProcess)
{
    const std::uint64_t page = std::uint64_t(sysconf(_SC_PAGESIZE));
    sources_.addressSpaceLimit = 51200 * page + 64 * kMiB;
    EXPECT_EQ(available().bytes, 64 * kMiB);
    EXPECT_EQ(available().by, "the limit of address space (ulimit -v)");
    sources_.dataLimit = 25600 * page + 32 * kMiB;
    EXPECT_EQ(available().bytes, 32 * kMiB);
    EXPECT_EQ(available().by, "the limit of data (ulimit -d)");
    sources_.addressSpaceLimit = kMiB;
    EXPECT_EQ(available().bytes, 0u) << "lowered below what is taken";
}

TEST_F(Memory, WhatIsMissingIsSaidWithItsLimit)
{
    sources_.addressSpaceLimit = 51200 * std::uint64_t(sysconf(_SC_PAGESIZE)) + 64 * kMiB;
    EXPECT_TRUE(checkMemory("a.tif", 64 * kMiB, available()));
    const Status status = checkMemory("a.tif", 64 * kMiB + 1, available());
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kLimit);
    EXPECT_EQ(status.error().message,
              "a.tif: needs 64.0 MiB of memory, and 64 MiB are available: the limit of address space (ulimit -v)");
}

TEST_F(Memory, OfThisProcessIsKnown)
{
    EXPECT_GT(availableMemory(), kMiB);
    EXPECT_LT(availableMemory(), kNoMemoryLimit);
}

}  // namespace
}  // namespace orogen
