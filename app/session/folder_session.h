// Folders that are being looked through, read in the background: a slow disk stops no frame.
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
    // Begins to read a folder, instead of the one that is being read; what was read stays until it is there.  Looks
    // which of `files` are missing, too.
    void read(const std::string& folder, const std::vector<std::string>& files);
    void update();  // once a frame: takes what is done

    bool reading() const { return task_ != nullptr; }
    const FolderListing& listing() const { return listing_; }  // that was read last; with no folder: none was
    std::uint64_t readings() const { return readings_; }       // so far, with those that failed
    const std::string& error() const { return error_; }        // of the newest reading; empty: it went well
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
    std::vector<std::unique_ptr<BackgroundTask<Found>>> abandoned_;  // a disk that does not answer cannot be stopped
    FolderListing listing_;
    std::uint64_t readings_ = 0;
    std::string error_;
    std::set<std::string> missing_;
    std::vector<NamedFolder> places_;
};

}  // namespace orogen::app
