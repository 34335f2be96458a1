// Recording of a film: what is asked, its progress and its result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace orogen::app {

inline constexpr std::uint64_t kMostFilmFrames = 1'000'000;
inline constexpr double kDefaultFilmRate = 30, kMostFilmRate = 240;  // frames a second

struct RecordRequest
{
    std::string out{};                      // film or numbered pictures: see app/film/film_writer.h
    std::optional<std::string> path{};      // name or file; empty: the session's path, or without one a still camera
    std::optional<std::uint64_t> frames{};  // empty: one flight along the path
    double fps = kDefaultFilmRate;
    bool settled = false;  // each frame is drawn until nothing in it changes any more
    bool panels = false;   // panels are in the film
    bool force = false;    // replaces files
    bool awaited = false;  // the caller waits for the end and reports the error itself
};

struct RecordProgress
{
    std::string out{};
    std::uint64_t frame = 0, frames = 0;  // frames written, frames in total
    std::optional<double> secondsLeft{};  // empty: unknown yet
    double fraction() const { return frames > 0 ? double(frame) / double(frames) : 0; }
};

struct FinishedRecording
{
    std::string out{}, codec{}, note{};  // see FilmWriter
    std::uint64_t frames = 0, bytes = 0;
    int width = 0, height = 0;
    double fps = 0;
};

// Returns "flight.mp4: 120 frames, 1280x720, 30 a second, libx264, 1,234,567 bytes".
std::string textOf(const FinishedRecording& recording);

}  // namespace orogen::app
