#include "core/view/camera_path.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/random.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(OROGEN_ROOT) / "assets/camera_paths";

std::string contentOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

CameraPath randomPath(test::Random& random)
{
    CameraPath path;
    path.name = random.chance(1, 2) ? "" : "round the \xc3\xa9tang";
    path.units = random.chance(1, 2) ? PathUnits::kTerrain : PathUnits::kMetres;
    path.smoothSeconds = 60 * random.unit();
    const double size = path.units == PathUnits::kTerrain ? 10.0 : 1e8;
    double time = 0;
    for (int key = random.between(1, 40); key > 0; --key)
    {
        const auto place = [&] { return size * (2 * random.unit() - 1); };
        path.keys.push_back({time,
                             {place(), place(), size * random.unit()},
                             7200 * random.unit() - 3600,
                             180 * random.unit() - 90,
                             1 + 169 * random.unit()});
        if (random.chance(1, 5)) path.marks.push_back({time, random.chance(1, 2) ? "the climb" : "ridge, \"west\""});
        time += 0.001 + 10 * random.unit() * random.unit();
    }
    path.loopSeconds = random.chance(1, 2) ? time : 0;
    return path;
}

TEST(CameraPath, ReadsBackWhatItWrites)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed)
    {
        SCOPED_TRACE(seed);
        test::Random random(seed);
        const CameraPath path = randomPath(random);
        const auto read = parseCameraPath(formatCameraPath(path), "p");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(*read, path);
    }
}

TEST(CameraPath, ReadsWhatAPersonWrites)
{
    const auto path = parseCameraPath("orogen camera path 1  # mine\r\n"
                                      "\r\n"
                                      "  name\tto the lake \r\n"
                                      "units metres\r\n"
                                      "# time east north up yaw pitch fov\r\n"
                                      "0   0 0 1500   350 -20 60\r\n"
                                      "\t2.5 -100.5 1e3 1600 10 -25 55 # closer\r\n"
                                      "end",
                                      "p");
    ASSERT_TRUE(path) << path.error().message;
    EXPECT_EQ(path->name, "to the lake");
    EXPECT_EQ(path->units, PathUnits::kMetres);
    EXPECT_EQ(path->loopSeconds, 0);
    EXPECT_EQ(path->smoothSeconds, CameraPath::kDefaultSmooth);
    ASSERT_EQ(path->keys.size(), 2u);
    EXPECT_EQ(path->keys[0], (PathKey{0, {0, 0, 1500}, 350, -20, 60}));
    EXPECT_EQ(path->keys[1], (PathKey{2.5, {-100.5, 1000, 1600}, 10, -25, 55}));
    EXPECT_EQ(path->duration(), 2.5);
}

struct Fault
{
    const char* text;  // after the first line
    int line;
    const char* found;
    const char* expected;
};

TEST(CameraPath, AnErrorNamesFileLineFoundAndExpected)
{
    const Fault faults[] = {
        {"", 1, "the end of the file", "a key"},
        {"units terrain\n", 2, "the end of the file", "a key"},
        {"units terrain\n0 0 0 0.1 0 0 60\n", 3, "the end of the file", "end"},
        {"0 0 0 0.1 0 0 60\nend\n", 2, "0 0 0 0.1 0 0 60", "units terrain, units metres or units earth before"},
        {"units feet\n", 2, "feet", "units terrain, units metres or units earth"},
        {"units\n", 2, "", "units terrain, units metres or units earth"},
        {"units metres\n\nunits metres\n", 4, "units", "no second units"},
        {"units metres\n0 0 0 1 0 0 60\nloop 5\n", 4, "loop", "loop before the first key"},
        {"loop 0\n", 2, "0", "the seconds of a round, from 0.001 to 86400"},
        {"loop never\n", 2, "never", "the seconds of a round"},
        {"smooth 61\n", 2, "61", "seconds from 0 to 60"},
        {"name a\x01z\n", 2, R"(a\x01z)", "a name without control characters"},
        {"nmae x\n", 2, "nmae", "name, units, loop, smooth, mark, end or the numbers of a key"},
        {"units metres\nend 1\n", 3, "end", "name, units, loop, smooth, mark, end or"},
        {"units metres\n0 0 0 1 0 0\n", 3, "0 0 0 1 0 0", "seven numbers: TIME EAST NORTH UP YAW PITCH FOV"},
        {"units metres\n0 0 0 1 0 0 60 0\n", 3, "0", "no more than seven numbers"},
        {"units metres\n0 0 0 1 0 0 60\n1 0 north 1 0 0 60\n", 4, "north", "north from -100000000 to 100000000"},
        {"units metres\n0 0 nan 1 0 0 60\n", 3, "nan", "north from"},
        {"units metres\n0 0 inf 1 0 0 60\n", 3, "inf", "north from"},
        {"units metres\n0 0 1e999 1 0 0 60\n", 3, "1e999", "north from"},
        {"units metres\n0 0 0x1 1 0 0 60\n", 3, "0x1", "north from"},
        {"units terrain\n0 0 10.5 1 0 0 60\n", 3, "10.5", "north from -10 to 10"},
        {"units terrain\n0 0 0 -0.1 0 0 60\n", 3, "-0.1", "up from 0 to 10"},
        {"units metres\n0 0 0 1 4000 0 60\n", 3, "4000", "a yaw from -3600 to 3600"},
        {"units metres\n0 0 0 1 0 -91 60\n", 3, "-91", "a pitch from -90 to 90"},
        {"units metres\n0 0 0 1 0 0 0.5\n", 3, "0.5", "a field of view from 1 to 170"},
        {"units metres\n1 0 0 1 0 0 60\n", 3, "time 1", "time 0 for the first key"},
        {"units metres\n0 0 0 1 0 0 60\n0 0 0 1 0 0 60\n", 4, "time 0", "a time at least 0.001 s after the 0 before"},
        {"units metres\n0 0 0 1 0 0 60\n2 0 0 1 0 0 60\n1 0 0 1 0 0 60\n", 5, "time 1",
         "a time at least 0.001 s after the 2 before"},
        {"units metres\nloop 2\n0 0 0 1 0 0 60\n2 0 0 1 0 0 60\n", 5, "time 2",
         "a time at least 0.001 s before the round's 2 s"},
        {"units metres\n0 0 0 1 0 0 60\nend\n0 0 0 1 0 0 60\n", 5, "0 0 0 1 0 0 60", "nothing after end"},
    };
    for (const Fault& fault : faults)
    {
        const auto path = parseCameraPath(std::string("orogen camera path 1\n") + fault.text, "a b.path");
        ASSERT_FALSE(path) << fault.text;
        const std::string& message = path.error().message;
        EXPECT_EQ(path.error().code, ExitCode::kInput) << fault.text;
        EXPECT_TRUE(message.starts_with(fmt::format("a b.path:{}: found ", fault.line))) << message;
        EXPECT_NE(message.find(fault.found), message.npos) << message;
        EXPECT_NE(message.find(std::string(", expected ") + fault.expected), message.npos) << message;
        EXPECT_EQ(message.find('\n'), message.npos) << message;
    }
}

TEST(CameraPath, MarksNameTheFramesFromTheNextKeyOn)
{
    const auto path = parseCameraPath("orogen camera path 1\nunits metres\n0 0 0 0 0 0 60\nmark climb  # c\n"
                                      "2 1 0 0 0 0 60\n3 2 0 0 0 0 60\nmark west ridge\n4 3 0 0 0 0 60\nend\n",
                                      "p");
    ASSERT_TRUE(path) << path.error().message;
    EXPECT_EQ(path->marks, (std::vector<PathMark>{{2, "climb"}, {4, "west ridge"}}));
    for (const auto& [seconds, section] :
         {std::pair(0.0, ""), std::pair(1.999, ""), std::pair(2.0, "climb"), std::pair(3.999, "climb"),
          std::pair(4.0, "west ridge"), std::pair(4.5, ""), std::pair(6.5, "climb"), std::pair(8.0, "west ridge")})
        EXPECT_EQ(path->sectionAt(seconds), section) << seconds;
    CameraPath plain = *path;
    plain.marks.clear();
    EXPECT_EQ(hashOf(plain), hashOf(*path));
    EXPECT_EQ(plain.sectionAt(3), "");
}

TEST(CameraPath, MarksWithoutANameOrAKeyAreRefused)
{
    const std::string key = "0 0 0 0 0 0 60\n", start = "orogen camera path 1\nunits metres\n";
    std::string many = start;
    for (int i = 0; i <= 100; ++i)
        many += fmt::format("mark m\n{} 0 0 0 0 0 60\n", i);
    for (const std::string& text :
         {start + "mark\n" + key + "end\n", start + key + "mark late\nend\n",
          start + "mark a\nmark b\n" + key + "end\n", start + "mark " + std::string(65, 'x') + "\n" + key + "end\n",
          start + "mark a\tb\n" + key + "end\n", many + "end\n"})
    {
        const auto path = parseCameraPath(text, "p");
        ASSERT_FALSE(path) << text;
        EXPECT_EQ(path.error().code, ExitCode::kInput);
        EXPECT_NE(path.error().message.find("mark"), std::string::npos) << path.error().message;
    }
}

TEST(CameraPath, AnotherFormatOrVersionIsRefused)
{
    for (const char* text : {"", "\n", "orogen camera path 2\nunits metres\n", "orogen camera path\n", "{\"frame\": 1}",
                             "\norogen camera path 1\n", "\xef\xbb\xbforogen camera path 1\n"})
    {
        const auto path = parseCameraPath(text, "p");
        ASSERT_FALSE(path) << text;
        EXPECT_NE(path.error().message.find("expected orogen camera path 1"), std::string::npos)
            << path.error().message;
        EXPECT_TRUE(path.error().message.starts_with("p:1: ")) << path.error().message;
    }
}

TEST(CameraPath, MoreKeysThanFitAreRefused)
{
    std::string text = "orogen camera path 1\nunits metres\n";
    for (std::size_t i = 0; i <= kMostKeys; ++i)
        text += fmt::format("{:.3f} 0 0 0 0 0 60\n", 0.002 * double(i));
    const auto path = parseCameraPath(text + "end\n", "p");
    ASSERT_FALSE(path);
    EXPECT_TRUE(path.error().message.starts_with(fmt::format("p:{}: ", kMostKeys + 3))) << path.error().message;
    EXPECT_NE(path.error().message.find("at most 262144 keys"), std::string::npos) << path.error().message;
}

class ShippedPath : public ::testing::TestWithParam<std::string>
{
protected:
    const std::string text_ = contentOf(kFolder / (GetParam() + ".path"));
};

TEST_P(ShippedPath, IsForAnyTerrainAndNamedAsItsFile)
{
    const auto path = findCameraPath(GetParam(), kFolder);
    ASSERT_TRUE(path) << path.error().message;
    EXPECT_EQ(path->name, GetParam());
    EXPECT_EQ(path->units, PathUnits::kTerrain);
}

TEST_P(ShippedPath, CutOffAnywhereIsRefused)
{
    ASSERT_LE(text_.size(), 4096u);
    const std::size_t complete = text_.rfind("end") + 3;
    for (std::size_t length = 0; length < complete; ++length)
    {
        const auto path = parseCameraPath(text_.substr(0, length), "p");
        ASSERT_FALSE(path) << length;
        EXPECT_TRUE(path.error().message.starts_with("p:")) << path.error().message;
    }
    EXPECT_TRUE(parseCameraPath(text_.substr(0, complete), "p"));
}

TEST_P(ShippedPath, WithAnyByteChangedIsRefusedOrIsAPath)
{
    for (std::size_t place = 0; place < text_.size(); ++place)
        for (const char byte : {'\0', '\x01', '\x7f', '\x80', '\xff'})
        {
            std::string text = text_;
            text[place] = byte;
            const auto path = parseCameraPath(text, "p");
            if (!path)
            {
                ASSERT_TRUE(path.error().message.starts_with("p:")) << path.error().message;
                continue;
            }
            const auto again = parseCameraPath(formatCameraPath(*path), "p");
            ASSERT_TRUE(again) << place << ": " << again.error().message;
            ASSERT_EQ(*again, *path) << place;
        }
}

INSTANTIATE_TEST_SUITE_P(CameraPath, ShippedPath, ::testing::Values("overview", "ridge", "spot"),
                         [](const auto& instance) { return instance.param; });

TEST(CameraPath, TheHashIsOfTheCamerasAlone)
{
    test::Random random(7);
    CameraPath path = randomPath(random);
    path.keys.resize(1);
    path.loopSeconds = 5;
    const std::string hash = hashOf(path);
    EXPECT_EQ(hash.size(), 64u);
    CameraPath same = path;
    same.name = "another name";
    EXPECT_EQ(hashOf(same), hash);

    const auto changes = std::to_array<void (*)(CameraPath&)>({
        [](CameraPath& p) { p.units = p.units == PathUnits::kTerrain ? PathUnits::kMetres : PathUnits::kTerrain; },
        [](CameraPath& p) { p.loopSeconds += 1e-9; },
        [](CameraPath& p) { p.smoothSeconds += 1e-9; },
        [](CameraPath& p) { p.keys[0].position.x += 1e-9; },
        [](CameraPath& p) { p.keys[0].position.y += 1e-9; },
        [](CameraPath& p) { p.keys[0].position.z += 1e-9; },
        [](CameraPath& p) { p.keys[0].yaw += 1e-9; },
        [](CameraPath& p) { p.keys[0].pitch += 1e-9; },
        [](CameraPath& p) { p.keys[0].fov += 1e-9; },
        [](CameraPath& p) { p.keys.push_back(p.keys[0]), p.keys[1].time = 1; },
    });
    path.units = PathUnits::kTerrain;  // 1e-9 exceeds the rounding error
    path.keys[0].position /= 1e8;
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        CameraPath other = path;
        changes[i](other);
        EXPECT_NE(hashOf(other), hashOf(path)) << i;
    }
}

TEST(CameraPath, IsFoundByNameOrFile)
{
    EXPECT_EQ(pathNames(kFolder), (std::vector<std::string>{"around", "overview", "ridge", "spot"}));
    EXPECT_TRUE(pathNames("/nowhere/at/all").empty());
    EXPECT_TRUE(findCameraPath((kFolder / "spot.path").string(), "/nowhere"));

    const auto unknown = findCameraPath("sport", kFolder);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ExitCode::kInput);
    EXPECT_EQ(unknown.error().message,
              "sport: no such camera path, expected a file or one of around, overview, ridge, spot");
    const auto missing = findCameraPath("./missing.path", kFolder);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "./missing.path: cannot be read: No such file or directory");
    const auto folder = readCameraPath(kFolder.string());
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().code, ExitCode::kInput);
}

TEST(CameraPath, SavesWholeOrNotAtAll)
{
    const test::TemporaryFolder folder;
    const std::string file = folder / "mine.path";
    test::Random random(3);
    const CameraPath first = randomPath(random), second = randomPath(random);
    ASSERT_TRUE(saveCameraPath(first, file));
    EXPECT_EQ(*readCameraPath(file), first);

    FileCalls full = systemFileCalls();
    full.write = [](int, const void*, std::size_t) -> ssize_t {
        errno = ENOSPC;
        return -1;
    };
    const Status refused = saveCameraPath(second, file, full);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kOutput);
    EXPECT_EQ(*readCameraPath(file), first);
    ASSERT_TRUE(saveCameraPath(second, file));
    EXPECT_EQ(*readCameraPath(file), second);
}

}  // namespace
}  // namespace orogen
