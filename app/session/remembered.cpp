#include "app/session/remembered.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text_file.h"
#include "core/config_file.h"

namespace orogen::app {

namespace {

constexpr std::uint64_t kLargestFile = 1 << 20;  // bytes
constexpr std::size_t kLongestText = 4096;       // bytes in a text field
constexpr int kMostPixels = 1 << 15;             // limit of a window's size and position
constexpr float kWidestColumn = 2000;            // pixels at scale 1
constexpr std::uint64_t kMostFrames = 1'000'000'000;
constexpr double kMostBudget = 1e9;  // milliseconds or triangles
constexpr std::size_t kMostFolds = 256;

// Reader of an object's members.  Missing or invalid members leave the default; invalid ones are counted.
class LenientObject
{
public:
    LenientObject(const Json& object, int& wrong) : object_(object), wrong_(wrong)
    {
        if (!object_.isObject()) ++wrong_;
    }

    const Json* member(const char* name) const
    {
        if (!object_.isObject()) return nullptr;
        return object_.find(name);
    }
    // Returns whether the member is valid.
    bool text(const char* name, std::string& to) const
    {
        const Json* value = member(name);
        if (!value) return false;
        const bool good = value->isText() && value->text().size() <= kLongestText;
        good ? void(to = value->get<std::string>()) : void(++wrong_);
        return good;
    }
    template <class Number>
    void number(const char* name, Number& to, double low, double high) const
    {
        const Json* value = member(name);
        if (!value) return;
        const double x = value->isNumber() ? value->get<double>() : std::nan("");
        x >= low&& x <= high ? void(to = Number(x)) : void(++wrong_);
    }
    void flag(const char* name, bool& to) const
    {
        const Json* value = member(name);
        if (!value) return;
        value->isBool() ? void(to = value->get<bool>()) : void(++wrong_);
    }

private:
    const Json& object_;
    int& wrong_;
};

std::string bookmarkName(std::size_t i) { return fmt::format("bookmark_{}", i + 1); }

std::optional<WindowPlace> windowOf(const Json& json, int& wrong)
{
    WindowPlace place{.x = 0, .y = 0, .width = 0, .height = 0, .maximised = false};
    const LenientObject object(json, wrong);
    object.number("x", place.x, -kMostPixels, kMostPixels);
    object.number("y", place.y, -kMostPixels, kMostPixels);
    object.number("width", place.width, 64, kMostPixels);
    object.number("height", place.height, 64, kMostPixels);
    object.flag("maximised", place.maximised);
    return place.width > 0 && place.height > 0 ? std::optional(place) : std::nullopt;
}

Dock dockOf(const Json& json, int& wrong)
{
    Dock dock;
    const LenientObject object(json, wrong);
    object.number("left_width", dock.leftWidth, 0, kWidestColumn);
    object.number("right_width", dock.rightWidth, 0, kWidestColumn);
    const Json* panels = object.member("panels");
    if (!panels) return dock;
    if (!panels->isArray()) return ++wrong, dock;
    for (const Json& panel : panels->items())
    {
        DockPlace place;
        std::string side = "left";
        const LenientObject member(panel, wrong);
        member.text("panel", place.panel);
        member.text("side", side);
        member.flag("open", place.open);
        member.flag("folded", place.collapsed);
        place.side = side == "right" ? Side::kRight : Side::kLeft;
        if (!place.panel.empty()) dock.places.push_back(std::move(place));
    }
    return dock;
}

void readFolds(const Json& json, Remembered& to, int& wrong)
{
    if (!json.isObject() || json.size() > kMostFolds) return void(++wrong);
    for (const auto& [section, open] : json.members())
        if (open.isBool() && section.size() <= kLongestText)
            to.folds[section] = open.get<bool>();
        else
            ++wrong;
}

std::vector<std::string> textsOf(const Json& json, int& wrong)
{
    std::vector<std::string> texts;
    if (!json.isArray()) return ++wrong, texts;
    for (const Json& item : json.items())
        item.isText() ? texts.push_back(item.get<std::string>()) : void(++wrong);
    if (texts.size() > Remembered::kMostRecent) texts.resize(Remembered::kMostRecent);
    return texts;
}

void readFields(const Json& json, Remembered& to, int& wrong)
{
    const LenientObject object(json, wrong);
    object.text("capture_path", to.capturePath);
    object.number("capture_frames", to.captureFrames, 0, double(kMostFrames));
    object.number("capture_warmup", to.captureWarmup, 0, double(kMostFrames));
    object.number("capture_runs", to.captureRuns, 0, 1000);
    object.text("experiment", to.experiment);
    object.number("least_depth", to.leastDepth, 0, 30);
    object.number("most_depth", to.mostDepth, 0, 30);
    object.number("budget_ms", to.budgetMs, 0, kMostBudget);
    object.number("budget_triangles", to.budgetTriangles, 0, kMostBudget);
    object.text("path_file", to.pathFile);
    const Json* modules = object.member("modules");
    if (!modules) return;
    if (!modules->isObject()) return void(++wrong);
    for (const auto& [panel, values] : modules->members())
    {
        if (!values.isObject()) ++wrong;
        if (!values.isObject()) continue;
        const LenientObject fields(values, wrong);
        for (const auto& [name, value] : values.members())
        {
            std::string text;
            if (fields.text(name.c_str(), text)) to.modules[panel][name] = text;
        }
    }
}

Remembered rememberedOf(const Json& json, int& wrong)
{
    Remembered to;
    const LenientObject object(json, wrong);
    if (const Json* window = object.member("window")) to.window = windowOf(*window, wrong);
    float scale = 0;
    object.number("ui_scale", scale, 0.5, 4);
    if (scale > 0) to.uiScale = scale;
    if (const Json* dock = object.member("layout")) to.dock = dockOf(*dock, wrong);
    if (const Json* folds = object.member("folds")) readFolds(*folds, to, wrong);
    if (const Json* recent = object.member("recent")) to.recent = textsOf(*recent, wrong);
    for (std::size_t i = 0; i < to.bookmarks.size(); ++i)
    {
        std::string& text = to.bookmarks[i];
        object.text(bookmarkName(i).c_str(), text);
        if (text.empty() || bookmarkIn(text)) continue;
        text.clear();
        ++wrong;
    }
    object.text("pictures", to.pictures);
    object.text("captures", to.captures);
    object.text("browsed", to.browsed);
    if (const Json* fields = object.member("fields")) readFields(*fields, to, wrong);
    return to;
}

Json dockJson(const Dock& dock)
{
    Json panels = Json::array();
    for (const DockPlace& place : dock.places)
        panels.push_back({{"panel", place.panel},
                          {"side", place.side == Side::kLeft ? "left" : "right"},
                          {"open", place.open},
                          {"folded", place.collapsed}});
    return {{"left_width", dock.leftWidth}, {"right_width", dock.rightWidth}, {"panels", panels}};
}

}  // namespace

void Remembered::opened(const std::string& file)
{
    std::erase(recent, file);
    recent.insert(recent.begin(), file);
    if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

std::optional<std::filesystem::path> rememberedPath()
{
    const std::optional<std::filesystem::path> settings = settingsPath();
    return settings ? std::optional(settings->parent_path() / "session.json") : std::nullopt;
}

StoredMemory readRemembered(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    const Result<std::string> text = readTextFile(file.string(), kLargestFile);
    if (!text) return {{}, text.error().message + "; window and panels are as by default"};
    const std::optional<Json> json = Json::parsed(*text);
    if (!json || !json->isObject())
        return {{}, file.string() + ": found no JSON object, expected one; window and panels are as by default"};
    int wrong = 0;
    StoredMemory stored{rememberedOf(*json, wrong), std::nullopt};
    if (wrong > 0)
        stored.notice = fmt::format("{}: {} {} not as expected and left out", file.string(), wrong,
                                    wrong == 1 ? "entry is" : "entries are");
    return stored;
}

std::string rememberedText(const Remembered& from)
{
    Json json = Json::object();
    if (const auto& w = from.window)
        json["window"] = {
            {"x", w->x}, {"y", w->y}, {"width", w->width}, {"height", w->height}, {"maximised", w->maximised}};
    if (from.uiScale) json["ui_scale"] = *from.uiScale;
    json["layout"] = dockJson(from.dock);
    Json& folds = json["folds"] = Json::object();
    for (const auto& [section, open] : from.folds)
        folds[section] = open;
    json["recent"] = from.recent;
    for (std::size_t i = 0; i < from.bookmarks.size(); ++i)
        if (!from.bookmarks[i].empty()) json[bookmarkName(i)] = from.bookmarks[i];
    json["pictures"] = from.pictures;
    json["captures"] = from.captures;
    json["browsed"] = from.browsed;
    json["fields"] = {{"capture_path", from.capturePath},
                      {"capture_frames", from.captureFrames},
                      {"capture_warmup", from.captureWarmup},
                      {"capture_runs", from.captureRuns},
                      {"experiment", from.experiment},
                      {"least_depth", from.leastDepth},
                      {"most_depth", from.mostDepth},
                      {"budget_ms", from.budgetMs},
                      {"budget_triangles", from.budgetTriangles},
                      {"path_file", from.pathFile}};
    Json& modules = json["fields"]["modules"] = Json::object();
    for (const auto& [panel, values] : from.modules)
        for (const auto& [name, value] : values)
            modules[panel][name] = value;
    return json.dump(2) + "\n";
}

Status storeRemembered(const std::filesystem::path& file, const Remembered& remembered)
{
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) return Error{ExitCode::kOutput, fmt::format("{}: {}", file.parent_path().string(), error.message())};
    return writeFileAtomically(file.string(), rememberedText(remembered));
}

std::optional<std::string> RememberedKeeper::begin(std::optional<std::filesystem::path> file)
{
    file_ = std::move(file);
    keeps_ = true;
    if (!file_) return std::nullopt;
    StoredMemory found = readRemembered(*file_);
    now = stored_ = std::move(found.remembered);
    return found.notice;
}

bool RememberedKeeper::due(double seconds)
{
    if (!keeps_ || seconds < next_) return false;
    next_ = seconds + kPeriod;
    return true;
}

std::optional<std::string> RememberedKeeper::write()
{
    if (!keeps_ || !file_ || now == stored_) return std::nullopt;
    stored_ = now;
    const Status status = storeRemembered(*file_, now);
    if (status || std::exchange(noticed_, true)) return std::nullopt;
    return "window and panels are not kept: " + status.error().message;
}

}  // namespace orogen::app
