// Image draped over the open terrain: read in the background and warped to the terrain's coordinate system.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/messages.h"
#include "core/base/background_task.h"
#include "core/terrain/raster/drape.h"

namespace orogen::app {

class Renderer;

class ImageSession
{
public:
    // Starts reading an image as soon as a terrain is open; the current one stays until the new one is ready.
    void open(std::string file);
    void drop(Renderer& renderer);  // drops the current image and any pending one
    void forget();                  // drops both without the renderer: their terrain is gone

    // Takes a finished image; call at a frame's start.  `terrain`: the open raster without heights, or null.  Errors:
    // those of readPicture(), drape() and the renderer; then the current image stays.
    Status take(const Raster* terrain, Renderer& renderer, Messages& messages);
    // Reads the image again after a lost context.
    void readAgain();

    const std::string& file() const { return wanted_.empty() ? shown_ : wanted_; }  // empty: none
    const std::string& shown() const { return shown_; }                             // empty: none
    bool pending() const { return !wanted_.empty(); }
    std::optional<double> fraction() const;  // progress of the pending image, 0 to 1

private:
    using Task = BackgroundTask<DrapedPicture>;

    std::string wanted_, shown_;
    std::unique_ptr<Task> task_;
};

}  // namespace orogen::app
