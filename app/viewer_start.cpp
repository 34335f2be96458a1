// How a session of the viewer begins and ends.
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "app/base/interrupt.h"
#include "app/base/output.h"
#include "app/base/paths.h"
#include "app/base/progress.h"
#include "app/viewer.h"
#include "core/base/output_file.h"
#include "core/terrain/bounds/height_pyramid.h"

namespace orogen::app {
namespace {

constexpr const char* kShippedTerrain = "assets/heightmaps/jacksboro.tif";
constexpr const char* kCameraPaths = "assets/camera_paths";
constexpr const char* kFallbackFolder = "orogen-view";  // where the picture goes when no window can be opened

// What a driver can lack.
constexpr const char* kLimited[] = {"cbt.depth", "cbt.leaf_capacity", "render.msaa", "patch.level"};

void putLimitsBack(Settings& settings)
{
    const Settings defaults;
    settings.cbt = defaults.cbt;
    settings.render.msaa = defaults.render.msaa;
    settings.patch = defaults.patch;
}

bool asksForLimits(const std::string& assignment)
{
    return std::ranges::any_of(kLimited, [&](const char* key) { return assignment.starts_with(key); });
}

bool placesCamera(const std::string& assignment)
{
    return assignment.starts_with("view.position") || assignment.starts_with("view.yaw") ||
           assignment.starts_with("view.pitch");
}

}  // namespace

Viewer::Viewer(const SessionOptions& options)
    : options_(options), headless_(options.headless), lastPicture_(options.screenshot),
      started_(std::chrono::steady_clock::now()), lastPresent_(started_)
{
}

Viewer::~Viewer() = default;

Result<std::unique_ptr<Viewer>> Viewer::create(const SessionOptions& options)
{
    std::unique_ptr<Viewer> viewer(new Viewer(options));
    if (Status s = viewer->start(); !s) return s.error();
    return viewer;
}

Status Viewer::start()
{
    Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    root_ = *root;
    if (const std::optional<std::string> reason = noWindowReason(); !headless_ && reason)
    {
        if (options_.needsWindow) return Error{ExitCode::kNoContext, "no window: " + *reason};
        headless_ = true;
        if (!options_.capture) tell(fmt::format("no window ({}): rendering headless", *reason));
        if (options_.script.empty() && lastPicture_.empty() && !options_.capture)
            lastPicture_ = std::string(kFallbackFolder) + "/view.png";
    }
    if (Status s = readSettings(); !s) return s;
    if (!options_.screenshot.empty())
        if (Status s = checkOutputFile(options_.screenshot, filesRead(), Existing::kReplace); !s) return s;
    paths_.useFolder(root_ / kCameraPaths);
    std::error_code none;
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::directory_iterator(root_ / "assets/heightmaps", none))
        bundled_.push_back(entry.path().string());
    bundled_.insert(bundled_.end(), {"synthetic:1024", "synthetic:4096"});
    if (!options_.capture) captures_.findUnfinished();
    for (const std::string& folder : captures_.unfinished())
        say(MessageKind::kWarning, folder + ": a capture was cut off: the Capture panel finishes it");
    if (!options_.cameraPath.empty())
    {
        if (Status s = paths_.load(options_.cameraPath); !s) return s;
        paths_.play();
    }
    loader_.start(options_.dem.empty() ? (root_ / kShippedTerrain).string() : options_.dem);  // while shaders compile
    if (Status s = bringUp(); !s) return s;
    if (options_.script.empty()) return Status::ok();
    Result<Script> script = readScript(options_.script);
    if (!script) return script.error();
    Result<std::unique_ptr<ScriptRunner>> runner = ScriptRunner::create(std::move(*script), *this);
    if (!runner) return runner.error();
    script_ = std::move(*runner);
    return Status::ok();
}

Status Viewer::readSettings()
{
    if (!headless_ && options_.script.empty() && !options_.capture)
    {
        const std::optional<std::filesystem::path> file = settingsPath();
        StoredSettings stored = file ? readStoredSettings(*file) : StoredSettings{};
        wanted_ = stored.settings;
        for (const std::string& notice : stored.notices)
            say(MessageKind::kWarning, notice);
        keeper_.emplace(file, stored.settings);
        mayShrink_ = options_.settingsFile.empty() && std::ranges::none_of(options_.assignments, asksForLimits);
    }
    if (!options_.settingsFile.empty())
    {
        Result<std::string> text = readSettingsFile(options_.settingsFile, interrupted);
        if (!text) return text.error();
        if (Status s = settingsFromJson(wanted_, *text, options_.settingsFile); !s) return s;
        viewGiven_ = text->find("\"view.position\"") != std::string::npos;
    }
    for (const std::string& assignment : options_.assignments)
    {
        const std::size_t sign = assignment.find('=');
        if (sign == std::string::npos)
            return Error{ExitCode::kUsage, fmt::format("--set {}: expected key=value", assignment)};
        if (Status s = orogen::setSetting(wanted_, assignment.substr(0, sign), assignment.substr(sign + 1)); !s)
            return s;
        viewGiven_ = viewGiven_ || placesCamera(assignment);
    }
    return checkSettings(wanted_);
}

Status Viewer::bringUp()
{
    ContextOptions wanted;
    wanted.headless = headless_;
    wanted.gpu = options_.gpu;
    wanted.window = {.width = options_.width,
                     .height = options_.height,
                     .title = "Orogen",
                     .fullscreen = options_.fullscreen,
                     .vsync = options_.vsync};
    Result<std::unique_ptr<Context>> context = Context::create(wanted);
    if (!context) return context.error();
    context_ = std::move(*context);
    Result<std::unique_ptr<Renderer>> renderer = Renderer::create(*context_, root_, wanted_);
    if (!renderer && renderer.error().code == ExitCode::kLimit && mayShrink_)
    {
        say(MessageKind::kWarning, renderer.error().message + "; kept from another driver, the default is used");
        putLimitsBack(wanted_);
        renderer = Renderer::create(*context_, root_, wanted_);
    }
    if (!renderer) return renderer.error();
    renderer_ = std::move(*renderer);

    Window* window = context_->window();
    UiOptions look;
    look.window = window ? window->handle() : nullptr;
    look.scale = options_.uiScale.value_or(window ? window->contentScale() : 1.0f);
    Result<std::unique_ptr<Ui>> ui = Ui::create(look);
    if (!ui) return ui.error();
    ui_ = std::move(*ui);
    return Status::ok();
}

Status Viewer::recover()
{
    say(MessageKind::kError, "the OpenGL context was lost: made again");
    if (captures_.session())
    {
        captures_.session()->note("the OpenGL context was lost");
        captureError_ = Error{ExitCode::kNoContext, "capture: the OpenGL context was lost"};
        (void)!captures_.end(true, context_->debug().errors());  // nothing more is asked of a context that is gone
        wanted_ = beforeCapture_;
    }
    laboratory_.contextLost();
    ui_.reset();
    renderer_.reset();
    context_.reset();
    if (Status s = bringUp(); !s) return s;
    if (!info_) return Status::ok();
    return renderer_->setTerrain(raster_, field_, buildPyramid(field_));
}

Status Viewer::awaitTerrain()
{
    const PixelSize size = pictureSize();
    if (Status s = renderer_->resize(size.width, size.height); !s) return s;
    ProgressLine line;
    while (!info_)
    {
        if (std::optional<Error> signal = interruption()) return *signal;
        if (Status s = takeTerrain(); !s) return s;
        if (info_) break;
        line.show(loader_.fraction(), loader_.doing());
        if (!context_->window() || enough())
        {
            if (enough()) return Status::ok();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            continue;
        }
        takeEvents();
        const PixelSize now = pictureSize();
        ui_->beginFrame(now.width, now.height, 1.0 / 60.0);
        for (bool again = true; again;)
        {
            const UiActions actions = ui_->draw(model());
            quit_ = quit_ || actions.quit || actions.cancelLoading;
            again = ui_->inputWaits();
            if (again) ui_->beginPass();
        }
        if (Status s = renderer_->resize(now.width, now.height); !s) return s;
        renderer_->blank();
        drawPanels();
        if (Status s = present(); !s) return s;
        note(0.0);
    }
    return Status::ok();
}

Status Viewer::finish()
{
    if (keeper_) keeper_->flush();
    if (lastPicture_.empty() || !info_) return Status::ok();
    const std::filesystem::path path(lastPicture_);
    if (path.has_parent_path() && options_.screenshot.empty())
    {
        std::error_code failed;
        std::filesystem::create_directories(path.parent_path(), failed);
        if (failed)
            return Error{ExitCode::kOutput,
                         fmt::format("{}: cannot be made: {}", path.parent_path().string(), failed.message())};
    }
    if (Status s = screenshot(lastPicture_); !s) return s;
    if (options_.screenshot.empty()) print(lastPicture_ + "\n");
    return Status::ok();
}

}  // namespace orogen::app
