#include "app/film/film_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "app/film/child_process.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

namespace fs = std::filesystem;

constexpr int kMostDigits = 9;

// Position of "%d" or "%0Nd" in the last part of a name, and its number of digits.
struct NumberPlace
{
    std::size_t begin = 0, end = 0;
    int digits = 1;
};

std::optional<NumberPlace> numberPlaceIn(const std::string& name)
{
    const std::size_t slash = name.rfind('/'), begin = name.find('%', slash == name.npos ? 0 : slash);
    if (begin == name.npos || name.find('%', begin + 1) != name.npos) return std::nullopt;
    std::size_t at = begin + 1;
    NumberPlace place{begin, 0, 1};
    if (at + 2 < name.size() && name[at] == '0' && name[at + 1] >= '1' && name[at + 1] <= '0' + kMostDigits)
    {
        place.digits = name[at + 1] - '0';
        at += 2;
    }
    if (at >= name.size() || name[at] != 'd') return std::nullopt;
    place.end = at + 1;
    return place;
}

std::string lowerSuffix(const std::string& name)
{
    std::string suffix = fs::path(name).extension().string();
    std::ranges::transform(suffix, suffix.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return suffix;
}

std::uint64_t sizeOf(const std::string& file)
{
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(file, failed);
    return failed ? 0 : size;
}

class Pictures final : public FilmWriter
{
public:
    static Result<std::unique_ptr<FilmWriter>> open(const FilmPlan& plan, std::string out, std::string note)
    {
        std::unique_ptr<Pictures> pictures(new Pictures(plan, std::move(out), std::move(note)));
        const fs::path folder = fs::path(pictures->out_).parent_path();
        std::error_code failed;
        if (!folder.empty()) fs::create_directories(folder, failed);
        if (failed)
            return Error{ExitCode::kOutput,
                         fmt::format("{}: cannot be made: {}", printable(folder.string()), failed.message())};
        for (std::uint64_t number = 0; number < plan.frames; ++number)
        {
            const std::string file = pictureName(pictures->out_, number);
            if (!fs::exists(fs::symlink_status(file, failed))) continue;
            if (Status s = checkOutputFile(file, plan.sources, plan.existing); !s) return s.error();
        }
        return std::unique_ptr<FilmWriter>(std::move(pictures));
    }

    Status add(const Image& frame) override
    {
        const std::string file = pictureName(out_, number_++);
        if (Status s = writePng(file, frame); !s) return s;
        bytes_ += sizeOf(file);
        return Status::ok();
    }
    Status finish() override { return Status::ok(); }
    int width() const override { return width_; }
    int height() const override { return height_; }
    std::uint64_t bytes() const override { return bytes_; }

private:
    Pictures(const FilmPlan& plan, std::string out, std::string note) : width_(plan.width), height_(plan.height)
    {
        out_ = std::move(out);
        codec_ = "png";
        note_ = std::move(note);
    }

    int width_, height_;
    std::uint64_t number_ = 0, bytes_ = 0;
};

class Film final : public FilmWriter
{
public:
    static Result<std::unique_ptr<FilmWriter>> open(const FilmPlan& plan, FilmFormat format, const std::string& ffmpeg,
                                                    const std::string& encoder)
    {
        if (Status s = checkOutputFile(plan.out, plan.sources, plan.existing); !s) return s.error();
        const fs::path folder = fs::path(plan.out).parent_path();
        std::error_code ignored;
        if (!folder.empty() && !fs::is_directory(folder, ignored))
            return Error{ExitCode::kOutput, printable(folder.string()) + ": no such folder"};
        Result<std::unique_ptr<ChildProcess>> child =
            ChildProcess::start(ffmpeg, ffmpegArguments(plan, format, encoder));
        if (!child) return child.error();
        std::unique_ptr<Film> film(new Film(plan, encoder));
        film->child_ = std::move(*child);
        return std::unique_ptr<FilmWriter>(std::move(film));
    }

    Status add(const Image& frame) override
    {
        if (child_->write(frame.rgb)) return Status::ok();
        child_->wait();
        return failed();
    }
    Status finish() override { return child_->wait() == 0 ? Status::ok() : failed(); }
    int width() const override { return width_ & ~1; }
    int height() const override { return height_ & ~1; }
    std::uint64_t bytes() const override { return sizeOf(out_); }

private:
    Film(const FilmPlan& plan, const std::string& encoder) : width_(plan.width), height_(plan.height)
    {
        out_ = plan.out;
        codec_ = encoder;
    }
    Status failed() const
    {
        const int code = child_->wait();
        std::string said = printable(child_->lastLine());
        if (said.empty())
            said = child_->fatalSignal() > 0 ? fmt::format("it was ended by signal {} ({})", child_->fatalSignal(),
                                                           strsignal(child_->fatalSignal()))
                                             : fmt::format("exit code {}, without a message", code);
        return Error{ExitCode::kOutput, fmt::format("{}: ffmpeg failed: {}", printable(out_), said)};
    }

    int width_, height_;
    std::unique_ptr<ChildProcess> child_;
};

// Returns the encoders of a format, best first.
std::span<const char* const> encodersOf(FilmFormat format)
{
    static constexpr std::array kMp4 = {"libx264", "libopenh264", "mpeg4"};
    static constexpr std::array kWebm = {"libvpx-vp9", "libvpx"};
    if (format == FilmFormat::kWebm) return kWebm;
    return kMp4;
}

std::vector<std::string> qualityOf(const std::string& encoder)
{
    if (encoder == "libx264") return {"-preset", "fast", "-crf", "18"};
    if (encoder == "libopenh264") return {"-b:v", "20M"};
    if (encoder == "libvpx-vp9")
        return {"-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1"};
    if (encoder == "libvpx") return {"-crf", "8", "-b:v", "20M", "-deadline", "good", "-cpu-used", "4"};
    return {"-q:v", "3"};
}

}  // namespace

Result<FilmFormat> filmFormatOf(const std::string& out)
{
    const std::string suffix = lowerSuffix(out);
    if (suffix == ".mp4") return FilmFormat::kMp4;
    if (suffix == ".webm") return FilmFormat::kWebm;
    if (suffix == ".png" && numberPlaceIn(out)) return FilmFormat::kPictures;
    return Error{
        ExitCode::kUsage,
        fmt::format("film: found {}, expected a name that ends with .mp4 or .webm, or one like frames/%05d.png",
                    printable(out))};
}

std::string pictureName(const std::string& pattern, std::uint64_t number)
{
    const std::optional<NumberPlace> place = numberPlaceIn(pattern);
    if (!place) return pattern;
    return pattern.substr(0, place->begin) + fmt::format("{:0{}}", number, place->digits) + pattern.substr(place->end);
}

std::string findFfmpeg()
{
    const char* const path = std::getenv("PATH");
    std::string_view left = path ? path : "";
    while (!left.empty())
    {
        const std::size_t end = std::min(left.find(':'), left.size());
        const std::string file = std::string(left.substr(0, end)) + "/ffmpeg";
        left.remove_prefix(std::min(end + 1, left.size()));
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return file;
    }
    return {};
}

std::string encoderFor(FilmFormat format, const std::string& ffmpeg)
{
    const Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(ffmpeg, {"-hide_banner", "-encoders"});
    if (!child || (*child)->wait() != 0) return {};
    const std::string list = (*child)->output();
    for (const char* encoder : encodersOf(format))
        if (list.find(fmt::format(" {} ", encoder)) != list.npos) return encoder;
    return {};
}

// Lets an MP4 begin with an empty index and continue in fragments, so that a film that was cut off plays up to the cut.
std::vector<std::string> ffmpegArguments(const FilmPlan& plan, FilmFormat format, const std::string& encoder)
{
    const auto second = std::max(1L, std::lround(plan.fps));
    std::vector<std::string> words = {"-hide_banner",
                                      "-loglevel",
                                      "error",
                                      "-y",
                                      "-f",
                                      "rawvideo",
                                      "-pixel_format",
                                      "rgb24",
                                      "-video_size",
                                      fmt::format("{}x{}", plan.width, plan.height),
                                      "-framerate",
                                      fmt::format("{:.10g}", plan.fps),
                                      "-i",
                                      "-",
                                      "-an",
                                      "-vf",
                                      fmt::format("crop={}:{}:0:0,scale=out_color_matrix=bt709:out_range=tv:flags="
                                                  "accurate_rnd+full_chroma_int",
                                                  plan.width & ~1, plan.height & ~1),
                                      "-pix_fmt",
                                      "yuv420p",
                                      "-colorspace",
                                      "bt709",
                                      "-color_primaries",
                                      "bt709",
                                      "-color_trc",
                                      "bt709",
                                      "-color_range",
                                      "tv",
                                      "-c:v",
                                      encoder,
                                      "-g",
                                      fmt::format("{}", second)};
    for (std::string& word : qualityOf(encoder))
        words.push_back(std::move(word));
    if (format == FilmFormat::kMp4)
        words.insert(words.end(), {"-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-f", "mp4"});
    else
        words.insert(words.end(), {"-cluster_time_limit", "1000", "-f", "webm"});
    words.push_back("file:" + plan.out);  // a name may begin with a dash or contain a colon
    return words;
}

Result<std::unique_ptr<FilmWriter>> openFilm(const FilmPlan& plan)
{
    const Result<FilmFormat> format = filmFormatOf(plan.out);
    if (!format) return format.error();
    if (*format == FilmFormat::kPictures) return Pictures::open(plan, plan.out, {});
    const std::string ffmpeg = findFfmpeg(), encoder = ffmpeg.empty() ? ffmpeg : encoderFor(*format, ffmpeg);
    if (!encoder.empty()) return Film::open(plan, *format, ffmpeg, encoder);
    fs::path folder = plan.out;
    folder.replace_extension();
    const std::string pictures = (folder / "%05d.png").string();
    const std::string missing =
        ffmpeg.empty() ? "PATH has no ffmpeg" : fmt::format("{} has no encoder for {}", ffmpeg, lowerSuffix(plan.out));
    return Pictures::open(plan, pictures,
                          fmt::format("{}: the frames are PNG files, {}", missing, printable(pictures)));
}

}  // namespace orogen::app
