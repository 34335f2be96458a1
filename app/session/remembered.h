// What a session in a window finds as the last one left it: the window, the panels, what their fields held, the files
// that were open.  Kept in session.json beside the settings (core/config_file.h); scripts, headless runs and captures
// neither read nor write it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/window.h"
#include "app/ui/dock.h"
#include "core/base/status.h"
#include "core/view/bookmarks.h"

namespace orogen::app {

struct Remembered
{
    static constexpr std::size_t kMostRecent = 10;

    std::optional<WindowPlace> window;
    std::optional<float> uiScale;  // as chosen in the View panel, 0.5 ... 4; empty: what the desktop asks for
    Dock dock;                     // with no places: as it is by default
    std::map<std::string, bool, std::less<>> folds;  // PANEL/SECTION: whether it is open, where the user chose
    std::vector<std::string> recent;                 // terrains, newest first; absolute paths
    std::array<std::string, kBookmarks> bookmarks;   // of the Earth, as bookmarkText() has them; empty: none
    std::string last;                                // that was open at the end; empty: a shipped or synthetic one
    std::string pictures, captures;                  // folders; empty: the default ones
    std::string browsed;                             // the folder that the file browser showed

    // Fields of tools.
    std::string capturePath = "overview";
    std::uint64_t captureFrames = 0, captureWarmup = 0, captureRuns = 0;  // frames or runs 0: as by default
    std::string experiment;                                               // of the laboratory; empty: the default
    int leastDepth = 0, mostDepth = 0;
    double budgetMs = 0, budgetTriangles = 0;  // last chosen; 0: none
    std::string pathFile;
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> modules;

    bool operator==(const Remembered&) const = default;

    void opened(const std::string& file);  // becomes the newest of the recent ones
};

// None if neither XDG_CONFIG_HOME nor HOME is an absolute path.
std::optional<std::filesystem::path> rememberedPath();

struct StoredMemory
{
    Remembered remembered;              // what could be used
    std::optional<std::string> notice;  // one line; a missing file is none
};

// Never fails.  A part that is not as expected is left out.
StoredMemory readRemembered(const std::filesystem::path& file);
std::string rememberedText(const Remembered& remembered);  // JSON, UTF-8; what is no UTF-8 is replaced
// Atomically; makes the folder if need be.  Error: kOutput.
Status storeRemembered(const std::filesystem::path& file, const Remembered& remembered);

// Keeps it during a session, written at most every few seconds.
class RememberedKeeper
{
public:
    static constexpr double kPeriod = 3;  // seconds

    // From now on there is something to keep.  Returns a notice to show.  Without a file nothing reaches the disk.
    std::optional<std::string> begin(std::optional<std::filesystem::path> file);
    bool keeps() const { return keeps_; }
    Remembered now;

    bool due(double seconds);            // whether it is time to bring `now` up to date and write()
    std::optional<std::string> write();  // if something changed.  A notice where it cannot be kept, once

private:
    std::optional<std::filesystem::path> file_;
    Remembered stored_;
    bool keeps_ = false, noticed_ = false;
    double next_ = kPeriod;
};

}  // namespace orogen::app
