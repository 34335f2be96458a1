// orogen record as a program: its films decoded by ffmpeg, its pictures beside those of `view`, interruptions, errors.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int kWidth = 160, kHeight = 96;
constexpr std::size_t kFrameBytes = std::size_t(kWidth) * kHeight * 3;

// A flight of four seconds over any terrain.
constexpr const char* kFlight = R"(orogen camera path 1
units terrain
0   0     -0.4   0.1     0   -20   60
4   0.1    0.1   0.1    60   -20   60
end
)";

std::string contentOf(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Record : public testing::Test
{
protected:
    Record() { std::ofstream(file("flight.path")) << kFlight; }

    std::string file(const std::string& name) const { return folder_ / name; }
    RunOptions options(RunOptions options = {}) const
    {
        options.folder = folder_.path();
        options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
        options.set.push_back("XDG_CONFIG_HOME=" + file("config"));
        return options;
    }
    static Words command(Words arguments)
    {
        arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "record", "--path", "flight.path", "--size",
                                             std::to_string(kWidth) + "x" + std::to_string(kHeight)});
        return arguments;
    }
    Finished record(Words arguments, RunOptions more = {}) const
    {
        return runProgram(command(std::move(arguments)), options(std::move(more)));
    }
    // Returns the frames of a film or of numbered pictures, as RGB.
    std::string decoded(const std::string& name) const
    {
        const Finished run = runProgram(
            {OROGEN_FFMPEG, "-v", "error", "-i", name, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"}, options());
        EXPECT_EQ(run.code, 0) << run.err;
        return run.out;
    }
    nlohmann::json probed(const std::string& name) const
    {
        const Finished run = runProgram({OROGEN_FFPROBE, "-v", "error", "-count_frames", "-of", "json", "-show_entries",
                                         "stream=codec_name,width,height,r_frame_rate,nb_read_frames", name},
                                        options());
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err, "") << name;
        return run.code == 0 ? nlohmann::json::parse(run.out).at("streams").at(0) : nlohmann::json();
    }

    const TemporaryFolder folder_;
};

class Film : public Record
{
protected:
    void SetUp() override
    {
        if (std::string_view(OROGEN_FFMPEG).ends_with("NOTFOUND") ||
            std::string_view(OROGEN_FFPROBE).ends_with("NOTFOUND"))
            GTEST_SKIP() << "SKIPPED: ffmpeg and ffprobe were not found";
    }
};

// Returns the root of the mean square of the differences of two frames.
double distance(std::string_view a, std::string_view b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const double difference = double(static_cast<unsigned char>(a[i])) - double(static_cast<unsigned char>(b[i]));
        sum += difference * difference;
    }
    return std::sqrt(sum / double(a.size()));
}

using RecordThorough = Record;

TEST_F(RecordThorough, PicturesAreTheScreenshotsOfTheirFrames)
{
    const Finished run = record({"--fps", "60", "--frames", "6", "--out", "frames/%03d.png", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const nlohmann::json json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json.at("frames"), 6);
    EXPECT_EQ(json.at("codec"), "png");
    EXPECT_EQ(json.at("out"), "frames/%03d.png");
    EXPECT_FALSE(fs::exists(file("frames/006.png")));
    for (const int frame : {0, 1, 5})
    {
        const Finished view = runProgram({OROGEN_PROGRAM, "view", "--headless", "--path", "flight.path", "--frames",
                                          std::to_string(frame + 1), "--size", "160x96", "--screenshot", "shot.png"},
                                         options());
        ASSERT_EQ(view.code, 0) << view.err;
        EXPECT_EQ(contentOf(file("shot.png")), contentOf(file("frames/00" + std::to_string(frame) + ".png"))) << frame;
    }
}

using FilmThorough = Film;
TEST_F(FilmThorough, OfFourSecondsIsDecodedToItsFrames)
{
    ASSERT_EQ(record({"--fps", "10", "--out", "frames/%d.png"}).code, 0);
    const std::string pictures = decoded("frames/%d.png");
    ASSERT_EQ(pictures.size(), 40 * kFrameBytes);
    for (const std::string& name : std::vector<std::string>{"film.mp4", "film.webm"})
    {
        const Finished run = record({"--fps", "10", "--out", name, "--json"});
        ASSERT_EQ(run.code, 0) << run.err;
        const nlohmann::json json = nlohmann::json::parse(run.out), stream = probed(name);
        EXPECT_EQ(json.at("bytes"), fs::file_size(file(name)));
        EXPECT_EQ(json.at("frames"), 40);
        EXPECT_EQ(stream.at("nb_read_frames"), "40");
        EXPECT_EQ(stream.at("width"), kWidth);
        EXPECT_EQ(stream.at("height"), kHeight);
        EXPECT_EQ(stream.at("r_frame_rate"), "10/1");
        const std::string film = decoded(name);
        ASSERT_EQ(film.size(), pictures.size());
        const auto frame = [](const std::string& all, std::size_t k) {
            return std::string_view(all).substr(k * kFrameBytes, kFrameBytes);
        };
        for (std::size_t k = 0; k < 40; ++k)
        {
            const double own = distance(frame(film, k), frame(pictures, k));
            EXPECT_LT(own, 8) << name << ", frame " << k;
            for (const std::size_t other : {k - 1, k + 1})
                if (other < 40)
                {
                    EXPECT_LT(own, distance(frame(film, k), frame(pictures, other))) << name << ", frame " << k;
                }
        }
    }
}

// Waits until the file has reached a size, or the program has ended.
void waitForBytes(const std::string& file, std::uintmax_t bytes)
{
    std::error_code none;
    for (int i = 0; i < 60'000; ++i, usleep(10'000))
        if (const std::uintmax_t size = fs::file_size(file, none); !none && size > bytes) return;
    ADD_FAILURE() << file << " did not grow";
}

TEST_F(FilmThorough, PlaysAfterItsProgramWasKilled)
{
    for (const std::string& name : std::vector<std::string>{"film.mp4", "film.webm"})
    {
        RunningProgram program(command({"--fps", "5", "--frames", "100000", "--out", name}), options());
        waitForBytes(file(name), 6'000);
        program.signal(SIGKILL);
        EXPECT_EQ(program.finish().signal, SIGKILL);
        // The encoder ends by itself: its input has.  Until then the file grows.
        std::uintmax_t before = 0;
        for (std::uintmax_t size = 1; size != before; usleep(300'000))
            before = std::exchange(size, fs::file_size(file(name)));
        EXPECT_GT(std::stoi(probed(name).at("nb_read_frames").get<std::string>()), 4) << name;
    }
}

TEST_F(FilmThorough, PlaysAfterItsEncoderWasKilled)
{
    // Found before the real one, whose number it keeps.
    const std::string program = file("ffmpeg");
    std::ofstream(program) << "#!/bin/sh\necho $$ > '" << file("number") << "'\nexec " OROGEN_FFMPEG " \"$@\"\n";
    fs::permissions(program, fs::perms::owner_all);
    for (const std::string& name : std::vector<std::string>{"film.mp4", "film.webm"})
    {
        RunningProgram recording(command({"--fps", "5", "--frames", "100000", "--out", name}),
                                 options({.set = {"PATH=" + folder_.path() + ":/usr/bin:/bin"}}));
        waitForBytes(file(name), 6'000);
        ASSERT_EQ(kill(std::stoi(contentOf(file("number"))), SIGKILL), 0);
        const Finished run = recording.finish();
        EXPECT_EQ(run.code, 8);
        EXPECT_NE(run.err.find(name + ": ffmpeg failed: it was ended by signal 9"), std::string::npos) << run.err;
        const Finished probe = runProgram({OROGEN_FFPROBE, "-v", "fatal", "-count_frames", "-of", "csv=p=0",
                                           "-show_entries", "stream=nb_read_frames", name},
                                          options());
        EXPECT_EQ(probe.code, 0) << probe.err;
        EXPECT_GT(std::atoi(probe.out.c_str()), 4) << name;
    }
}

TEST_F(FilmThorough, BeyondTheLargestFileFails)
{
    const Finished run = runProgram({"/bin/sh", "-c",
                                     "ulimit -f 80; exec '" OROGEN_PROGRAM "' record --path ridge --size 640x360 "
                                     "--frames 30 --out film.mp4"},
                                    options());
    EXPECT_EQ(run.code, 8);
    EXPECT_NE(run.err.find("film.mp4: ffmpeg failed: "), std::string::npos) << run.err;
}

TEST_F(FilmThorough, PlaysAfterAnInterrupt)
{
    RunningProgram program(command({"--fps", "5", "--frames", "100000", "--out", "film.mp4"}), options());
    waitForBytes(file("film.mp4"), 6'000);
    program.signal(SIGINT);
    const Finished run = program.finish();
    EXPECT_EQ(run.code, 130);
    EXPECT_EQ(run.err, "orogen: interrupted; kept: film.mp4 (" +
                           probed("film.mp4").at("nb_read_frames").get<std::string>() + " frames)\n");
}

TEST_F(Film, HasEvenSides)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "record", "--path", "flight.path", "--size", "101x67", "--frames",
                                     "2", "--out", "odd.mp4", "--json"},
                                    options());
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(nlohmann::json::parse(run.out).at("width"), 100);
    EXPECT_EQ(nlohmann::json::parse(run.out).at("height"), 66);
    EXPECT_EQ(probed("odd.mp4").at("width"), 100);
}

TEST_F(FilmThorough, SaysWhatTheEncoderSaid)
{
    fs::create_directory(file("closed.mp4"));
    EXPECT_EQ(record({"--frames", "2", "--out", "closed.mp4"}).code, 8);
    const Finished full = record({"--frames", "100000", "--out", "full.mp4"}, {.largestFile = 40'000});
    EXPECT_EQ(full.code, 8);
    EXPECT_NE(full.err.find("full.mp4: ffmpeg failed: "), std::string::npos) << full.err;
}

TEST_F(Record, WithoutFfmpegPicturesAreWritten)
{
    const Finished run = record({"--frames", "2", "--out", "film.mp4", "--json"}, {.set = {"PATH=/nonexistent"}});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "orogen: PATH has no ffmpeg: the frames are PNG files, film/%05d.png\n");
    EXPECT_TRUE(fs::exists(file("film/00001.png")));
    EXPECT_EQ(nlohmann::json::parse(run.out).at("out"), "film/%05d.png");
}

// Codes above 128 are those by which shells report a signal.
TEST_F(Record, TellsALargeExitCodeOfTheEncoderFromASignal)
{
    const std::string program = file("ffmpeg");
    std::ofstream(program) << "#!/bin/sh\ncase \"$*\" in\n*-encoders) echo ' V libx264 ' ;;\n*) exit 187 ;;\nesac\n";
    fs::permissions(program, fs::perms::owner_all);
    const Finished run = record({"--frames", "2", "--out", "film.mp4"}, {.set = {"PATH=" + folder_.path()}});
    EXPECT_EQ(run.code, 8);
    EXPECT_NE(run.err.find("film.mp4: ffmpeg failed: exit code 187, without a message"), std::string::npos) << run.err;
}

TEST_F(RecordThorough, RefusesWhatItCannotWrite)
{
    for (const char* name : {"film.avi", "film", "frames/.png", "frames/%s.png", "frames/%d%d.png", "%d/a.png"})
        EXPECT_EQ(record({"--out", name}).code, 2) << name;
    std::ofstream(file("film.mp4")) << "mine";
    EXPECT_EQ(record({"--frames", "1", "--out", "film.mp4"}).code, 8);
    EXPECT_EQ(contentOf(file("film.mp4")), "mine");
    std::ofstream(file("3.png")) << "mine";
    EXPECT_EQ(record({"--frames", "5", "--out", "%d.png"}).code, 8);
    EXPECT_EQ(contentOf(file("3.png")), "mine");
    EXPECT_FALSE(fs::exists(file("0.png"))) << "written before all files were checked";
    EXPECT_EQ(record({"--frames", "1", "--out", "none/film.mp4"}).code, 8);
    EXPECT_EQ(record({"--fps", "0", "--out", "film.mp4"}).code, 2);
    EXPECT_EQ(record({"--path", "none.path", "--out", "other.mp4"}).code, 2);
}

}  // namespace
}  // namespace orogen::test
