// Writes films: the frames of a flight, as a film by the program ffmpeg, or as numbered PNG files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/image.h"
#include "core/base/atomic_file.h"
#include "core/base/status.h"

namespace orogen::app {

enum class FilmFormat
{
    kMp4,
    kWebm,
    kPictures,  // numbered PNG files
};

// Returns the format of an output name: "flight.mp4", "flight.webm", or "frames/%05d.png" with one %d or %0Nd in its
// last part.  Error kUsage.
Result<FilmFormat> filmFormatOf(const std::string& out);

// Returns the file of picture `number` of a name with %d or %0Nd.
std::string pictureName(const std::string& pattern, std::uint64_t number);

struct FilmPlan
{
    std::string out;  // as for filmFormatOf()
    int width = 0, height = 0;
    double fps = 30;
    std::uint64_t frames = 0;  // largest number of frames
    Existing existing = Existing::kRefuse;
    std::vector<std::string> sources{};  // input files, which are never replaced
};

class FilmWriter
{
public:
    virtual ~FilmWriter() = default;
    // Adds the next frame, of the plan's size.  Waits for the encoder.  Error kOutput.
    virtual Status add(const Image& frame) = 0;
    // Completes the film; call once.  Error kOutput.
    virtual Status finish() = 0;
    virtual int width() const = 0;  // pixels; an even number in films
    virtual int height() const = 0;
    virtual std::uint64_t bytes() const = 0;  // after finish()

    const std::string& out() const { return out_; }      // file, or name with %d
    const std::string& codec() const { return codec_; }  // ffmpeg's name of the encoder, or "png"
    const std::string& note() const { return note_; }    // why pictures are written instead of a film; else empty

protected:
    std::string out_, codec_, note_;
};

// Starts a film.  Without ffmpeg, or if it lacks an encoder for the format, writes pictures into a folder with the
// film's name; note() then has the reason.  Checks all outputs first.  Errors: kUsage (format), kOutput.
Result<std::unique_ptr<FilmWriter>> openFilm(const FilmPlan& plan);

// ---- ffmpeg ---------------------------------------------------------------------------------------------------------

// Returns the path of ffmpeg, searched in the folders of PATH; empty if it is not found.
std::string findFfmpeg();

// Returns the preferred encoder of a film format that this ffmpeg has; empty if it has none.
std::string encoderFor(FilmFormat format, const std::string& ffmpeg);

// Returns ffmpeg's arguments for raw RGB frames on its standard input.
std::vector<std::string> ffmpegArguments(const FilmPlan& plan, FilmFormat format, const std::string& encoder);

}  // namespace orogen::app
