// State that a session with a window restores from the last one: window, panels, fields, recent files and bookmarks.
// The state is stored in session.json beside the settings (core/config_file.h).  Sessions with a script, headless ones
// and the commands capture, sweep and record neither read nor write the file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/window.h"
#include "app/model/ui_memory.h"
#include "core/base/status.h"
#include "core/view/earth_view.h"

namespace orogen::app {

struct Remembered : UiMemory
{
    static constexpr std::size_t kMostRecent = 10;

    std::optional<WindowPlace> window;
    std::vector<std::string> recent;                // terrains and pictures, newest first; absolute paths
    std::array<std::string, kBookmarks> bookmarks;  // on the Earth, in bookmarkText() format; empty: none
    std::string pictures, captures;                 // folders; empty: the default

    bool operator==(const Remembered&) const = default;

    void opened(const std::string& file);  // makes it the newest recent file
};

// Returns the path of session.json; empty if neither XDG_CONFIG_HOME nor HOME is an absolute path.
std::optional<std::filesystem::path> rememberedPath();

struct StoredMemory
{
    Remembered remembered;              // parts that could be read
    std::optional<std::string> notice;  // one line about a problem; a missing file is not one
};

// Reads the file.  Never fails: invalid parts keep their defaults.
StoredMemory readRemembered(const std::filesystem::path& file);
std::string rememberedText(const Remembered& remembered);  // JSON, UTF-8; invalid UTF-8 is replaced
// Writes atomically; creates the folder if needed.  Error: kOutput.
Status storeRemembered(const std::filesystem::path& file, const Remembered& remembered);

// Stores the state during a session; due() limits how often.
class RememberedKeeper
{
public:
    static constexpr double kPeriod = 3;  // seconds

    // Reads the stored state into `now` and starts keeping it.  Returns a notice about a problem, if any.  Without a
    // file nothing is read or written.
    std::optional<std::string> begin(std::optional<std::filesystem::path> file);
    bool keeps() const { return keeps_; }
    Remembered now;  // state to be stored; the session updates it

    bool due(double seconds);            // whether kPeriod has passed, so that `now` should be updated and written
    std::optional<std::string> write();  // writes changes; returns a notice at the first failure

private:
    std::optional<std::filesystem::path> file_;
    Remembered stored_;
    bool keeps_ = false, noticed_ = false;
    double next_ = kPeriod;
};

}  // namespace orogen::app
