// Records a film along a camera path: moves the camera in each frame, and writes the picture to the film.
//
//   start()
//   each frame:  beforeFrame()   sets the camera
//                afterFrame()    writes the picture, once it is complete
//   stop()                       ends the film; afterFrame() calls it after the last frame
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/film/film_writer.h"
#include "app/gl/window.h"
#include "app/model/capture_state.h"
#include "app/session/camera_control.h"
#include "core/settings.h"
#include "core/view/camera_flight.h"

namespace orogen::app {

class Session;

class RecordController
{
public:
    bool running() const { return film_ != nullptr; }
    bool panels() const { return running() && request_.panels; }  // whether panels are in the film
    PixelSize size() const { return size_; }                      // size of the film's pictures
    double frameSeconds() const { return 1 / request_.fps; }

    // Begins a film of the display's size.  Errors: kUsage (a film or a capture runs, no terrain is open or one is
    // loading, or the path gives no number of frames or too many), and those of paths and openFilm().
    Status start(RecordRequest request, Session& session);
    void beforeFrame(Session& session);
    void afterFrame(Session& session);  // an error ends the film
    // Completes the film with the frames written so far.
    Status stop(Session& session);

    RecordProgress progress(double now) const;                                  // while running; `now`: session seconds
    const std::optional<Error>& error() const { return error_; }                // error that ended the newest film
    const std::optional<FinishedRecording>& newest() const { return newest_; }  // newest film, complete or stopped

private:
    Status takePicture(Session& session);
    bool complete(Session& session) const;

    RecordRequest request_;
    std::unique_ptr<FilmWriter> film_;  // null: nothing is recorded
    CameraPath path_;
    std::optional<CameraFlight> flight_;
    PathControl::Ground flown_;  // ground for which flight_ was made
    Settings before_;            // view and budget are restored after the film
    PixelSize size_;
    std::uint64_t frame_ = 0, frames_ = 0;  // current frame, frames in total
    double startedAt_ = 0, frameAt_ = 0;    // session seconds: start, and first drawing of the current frame
    std::uint64_t drawings_ = 0;            // how often the current frame has been drawn
    std::optional<Error> error_;
    std::optional<FinishedRecording> newest_;
};

}  // namespace orogen::app
