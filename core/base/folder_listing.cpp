#include "core/base/folder_listing.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "core/base/text.h"
#include "core/base/text_file.h"

namespace orogen {

namespace {

constexpr std::uint64_t kLargestUserDirs = 1 << 16;

char lower(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

std::string environmentPath(const char* name)
{
    const char* value = std::getenv(name);
    return value && *value == '/' ? value : "";
}

// Parses a line of user-dirs.dirs: XDG_NAME_DIR="$HOME/rest" or an absolute path.  Returns the folder; empty if
// malformed.
std::string userFolder(std::string_view line, const std::string& home)
{
    const auto open = line.find('"'), close = line.rfind('"');
    if (open == line.npos || close <= open) return "";
    const std::string_view value = line.substr(open + 1, close - open - 1);
    constexpr std::string_view kHome = "$HOME";
    if (value.starts_with(kHome)) return home.empty() ? "" : home + std::string(value.substr(kHome.size()));
    return value.starts_with('/') ? std::string(value) : "";
}

std::string withoutLastSlash(std::string path)
{
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    return path;
}

FolderEntry describe(const std::string& folder, const char* name)
{
    FolderEntry entry{.name = name};
    struct stat found
    {
    };
    if (stat((folder + '/' + name).c_str(), &found) != 0) return entry;
    entry.folder = S_ISDIR(found.st_mode);
    entry.bytes = entry.folder ? 0 : std::uint64_t(std::max<off_t>(found.st_size, 0));
    entry.modified = std::int64_t(found.st_mtime);
    return entry;
}

}  // namespace

Result<FolderListing> listFolder(const std::string& folder, const std::function<bool()>& stop)
{
    const auto close = [](DIR* stream) { closedir(stream); };
    const std::unique_ptr<DIR, decltype(close)> stream(opendir(folder.c_str()), close);
    if (!stream) return Error{ExitCode::kInput, fmt::format("{}: {}", folder, std::strerror(errno))};
    FolderListing listing;
    listing.folder = withoutLastSlash(folder);
    while (const dirent* entry = readdir(stream.get()))
    {
        if (stop && stop()) return Error{ExitCode::kInterrupted, folder + ": not read to its end"};
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        listing.cut = listing.entries.size() >= FolderListing::kMost;
        if (listing.cut) break;
        listing.entries.push_back(describe(folder, entry->d_name));
    }
    std::ranges::sort(listing.entries, [](const FolderEntry& a, const FolderEntry& b) {
        return a.folder != b.folder ? a.folder : naturalLess(a.name, b.name);
    });
    return listing;
}

Status makeFolder(const std::string& folder)
{
    std::error_code error, ignored;
    std::filesystem::create_directories(folder, error);
    if (std::filesystem::is_directory(folder, ignored)) return Status::ok();
    return Error{ExitCode::kOutput, fmt::format("{}: cannot be made: {}", folder,
                                                error ? error.message() : std::string("it is not a folder"))};
}

bool naturalLess(std::string_view a, std::string_view b)
{
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size())
    {
        if (!digit(a[i]) || !digit(b[j]))
        {
            if (lower(a[i]) != lower(b[j]))
                return static_cast<unsigned char>(lower(a[i])) < static_cast<unsigned char>(lower(b[j]));
            ++i, ++j;
            continue;
        }
        const auto number = [](std::string_view text, std::size_t& at) {
            while (at < text.size() && text[at] == '0')
                ++at;
            const std::size_t first = at;
            while (at < text.size() && digit(text[at]))
                ++at;
            return text.substr(first, at - first);
        };
        const std::string_view x = number(a, i), y = number(b, j);
        if (x.size() != y.size()) return x.size() < y.size();
        if (x != y) return x < y;
    }
    const std::size_t restA = a.size() - i, restB = b.size() - j;
    return restA != restB ? restA < restB : a < b;
}

bool hasSuffix(std::string_view name, std::span<const std::string> suffixes)
{
    const std::string small = lowered(name);
    return suffixes.empty() ||
           std::ranges::any_of(suffixes, [&](const std::string& suffix) { return small.ends_with(suffix); });
}

std::string completedPath(std::string_view typed, std::span<const FolderEntry> entries)
{
    const auto slash = typed.rfind('/');
    const std::string_view folder = slash == typed.npos ? "" : typed.substr(0, slash + 1);
    const std::string_view part = typed.substr(folder.size());
    std::vector<const FolderEntry*> fitting;
    for (const bool exact : {true, false})
    {
        for (const FolderEntry& entry : entries)
            if (exact ? entry.name.starts_with(part) : lowered(entry.name).starts_with(lowered(part)))
                fitting.push_back(&entry);
        if (!fitting.empty()) break;
    }
    if (fitting.empty()) return std::string(typed);
    std::string shared = fitting.front()->name;
    for (const FolderEntry* entry : fitting)
    {
        const auto differs = std::ranges::mismatch(shared, entry->name);
        shared.erase(differs.in1, shared.end());
    }
    if (shared.size() < part.size()) return std::string(typed);  // the names differ in case within the typed part
    while (!shared.empty() && shared.size() < fitting.front()->name.size() &&
           (static_cast<unsigned char>(fitting.front()->name[shared.size()]) & 0xc0u) == 0x80u)
        shared.pop_back();  // keep UTF-8 characters whole
    const bool one = fitting.size() == 1 && fitting.front()->folder;
    return std::string(folder) + shared + (one ? "/" : "");
}

std::string absolutePath(std::string_view typed, const std::string& folder)
{
    std::string text(typed);
    if (text == "~" || text.starts_with("~/")) text = environmentPath("HOME") + text.substr(1);
    std::filesystem::path path(text);
    if (path.is_relative()) path = std::filesystem::path(folder) / path;
    return withoutLastSlash(path.lexically_normal().string());
}

std::vector<NamedFolder> userFolders()
{
    std::vector<NamedFolder> folders;
    const std::string home = environmentPath("HOME"), set = environmentPath("XDG_CONFIG_HOME");
    if (!home.empty()) folders.push_back({"Home", withoutLastSlash(home)});
    if (home.empty() && set.empty()) return folders;
    const std::string config = set.empty() ? home + "/.config" : set;
    const Result<std::string> text = readTextFile(config + "/user-dirs.dirs", kLargestUserDirs);
    if (!text) return folders;
    std::string_view rest = *text;
    while (!rest.empty())
    {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        constexpr std::string_view kBegin = "XDG_", kEnd = "_DIR=";
        const auto name = line.find(kEnd);
        if (!line.starts_with(kBegin) || name == line.npos || name < kBegin.size()) continue;
        const std::string path = withoutLastSlash(userFolder(line, home));
        std::string shown = lowered(line.substr(kBegin.size(), name - kBegin.size()));
        if (shown.empty() || path.empty() || path == withoutLastSlash(home)) continue;
        shown[0] = char(std::toupper(static_cast<unsigned char>(shown[0])));
        folders.push_back({shown, path});
    }
    return folders;
}

std::string defaultPictureFolder()
{
    const std::vector<NamedFolder> folders = userFolders();
    const auto pictures = std::ranges::find(folders, "Pictures", &NamedFolder::name);
    if (pictures != folders.end()) return pictures->path + "/orogen";
    const std::string home = withoutLastSlash(environmentPath("HOME"));
    return home.empty() ? "" : home + "/Pictures/orogen";
}

std::string defaultDataFolder()
{
    const std::string set = environmentPath("XDG_DATA_HOME"), home = environmentPath("HOME");
    if (!set.empty()) return set + "/orogen";
    return home.empty() ? "" : home + "/.local/share/orogen";
}

}  // namespace orogen
