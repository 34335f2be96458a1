// Lists folders in the background, so that a slow disk does not delay frames.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/background_task.h"
#include "core/base/folder_listing.h"

namespace orogen::app {

class FolderSession
{
public:
    // Starts reading a folder, and cancels the previous reading; the old listing stays until the new one arrives.  Also
    // checks which of `files` are missing.
    void read(const std::string& folder, const std::vector<std::string>& files);
    void update();  // collects the result; once a frame

    bool reading() const { return task_ != nullptr; }
    const FolderListing& listing() const { return listing_; }  // newest listing; without a folder: none yet
    std::uint64_t readings() const { return readings_; }       // readings so far, including failed ones
    const std::string& error() const { return error_; }        // newest reading's; empty: success
    const std::vector<NamedFolder>& places() const { return places_; }
    bool missing(const std::string& file) const { return missing_.contains(file); }

private:
    struct Found
    {
        FolderListing listing;
        std::string error;
        std::set<std::string> missing;
        std::vector<NamedFolder> places;
    };

    std::unique_ptr<BackgroundTask<Found>> task_;
    // A read blocked by an unresponsive disk cannot be stopped.
    std::vector<std::unique_ptr<BackgroundTask<Found>>> abandoned_;
    FolderListing listing_;
    std::uint64_t readings_ = 0;
    std::string error_;
    std::set<std::string> missing_;
    std::vector<NamedFolder> places_;
};

}  // namespace orogen::app
