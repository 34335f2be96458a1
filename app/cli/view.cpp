// orogen view: the interactive viewer.
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/session/session_options.h"
#include "app/ui/items.h"
#include "app/viewer.h"
#include "core/script.h"

namespace orogen::app {
namespace {

void addFrameOptions(CLI::App& command, SessionOptions& options)
{
    addSizeOption(command, options.width, options.height, "the scene's, the last window's, or 1280x720");
    command.add_flag("--fullscreen", options.fullscreen, "fill the screen");
    command
        .add_option_function<std::string>(
            "--vsync", [&options](const std::string& text) { options.vsync = text == "on"; },
            "wait for the screen: on or off (on)")
        ->type_name("on/off")
        ->check(CLI::IsMember({"on", "off"}));
    command
        .add_option("--ui-scale", options.uiScale,
                    "size of the panels, 0.5 to 4 (the last session's, else the desktop's)")
        ->check(realIn(0.5, 4.0))
        ->type_name("F");
    command.add_option("--gpu", options.gpu, "graphics device, as numbered by orogen info (the first that works)")
        ->check(CLI::Range(0, 63))
        ->type_name("N");
    command.add_flag("--headless", options.headless, "no window");
    command
        .add_option("--frames", options.frames,
                    "stop after N frames (headless: when the picture is stable, with --path 120; "
                    "window: when closed)")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(1'000'000'000)))
        ->type_name("N");
    command
        .add_option("--screenshot", options.screenshot,
                    "write the last frame as PNG (headless, without --script: orogen-view/view.png)")
        ->type_name("FILE");
}

void addInputOptions(CLI::App& command, SessionOptions& options)
{
    addSceneInputs(command, options);
    addCompare(command, options);
    addGoTo(command, options);
    command
        .add_option("--path", options.cameraPath,
                    "fly along a camera path: overview, ridge, spot, on the Earth around, or a file")
        ->type_name("FILE");
    command.add_option("--preset", options.preset, "a look: landscape, map, software or one of your own")
        ->type_name("NAME");
    command.add_option("--set", options.assignments, "change a setting; may be repeated")
        ->allow_extra_args(false)
        ->type_name("key=value");
    command.add_option("--settings", options.settingsFile, "settings to start with (JSON)")->type_name("FILE");
    command.add_option("--script", options.script, "run the steps of a script")->type_name("FILE");
}

struct ViewQuestions
{
    bool script = false, items = false;
};

}  // namespace

void addViewCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("view", "look at a terrain and tune it");
    const auto options = std::make_shared<SessionOptions>();
    const auto asked = std::make_shared<ViewQuestions>();
    addInputOptions(*command, *options);
    addFrameOptions(*command, *options);
    command->add_flag("--help-script", asked->script, "print the script commands and exit");
    command->add_flag("--list-items", asked->items, "print the controls that a script can click and exit");
    command->callback([options, asked, command, &chosen] {
        options->sizeGiven = command->count("--size") > 0;
        chosen = [options, asked]() -> Result<ExitCode> {
            if (asked->script) print(scriptHelp());
            if (asked->items)
                for (const std::string& item : itemNames())
                    print(item + "\n");
            if (asked->script || asked->items) return ExitCode::kDone;
            SessionOptions session = *options;
            if (Status s = openScene(session); !s) return s.error();
            Result<std::unique_ptr<Viewer>> viewer = Viewer::create(session);
            if (!viewer) return viewer.error();
            if (Status s = (*viewer)->run(); !s) return s.error();
            return ExitCode::kDone;
        };
    });
}

}  // namespace orogen::app
