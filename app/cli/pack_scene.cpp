// orogen pack-scene: writes settings, camera path and the terrain's hash to one file.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/session/session_options.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {
namespace {

struct PackOptions
{
    SessionOptions session;
    std::string out;
    bool force = false, json = false;
};

std::string textOf(const Scene& scene, const std::string& out)
{
    const SceneTerrain& terrain = scene.terrain;
    std::string text = fmt::format("{}\n  {:8}  {} ({})\n  {:8}  {}\n", printable(out), "terrain",
                                   printable(terrain.name), textOf(terrain.kind), "SHA-256", terrain.sha256);
    text += fmt::format("  {:8}  {}\n", "path",
                        !scene.path                ? "none"
                        : scene.path->name.empty() ? "without a name"
                                                   : printable(scene.path->name));
    if (scene.size) text += fmt::format("  {:8}  {}x{}\n", "size", scene.size->first, scene.size->second);
    return text;
}

Result<ExitCode> runPackScene(PackOptions options)
{
    std::vector<std::string> read = sourceFiles(options.session.dem);
    for (const std::string& file :
         {options.session.settingsFile, options.session.cameraPath, options.session.terrainAt})
        if (!file.empty()) read.push_back(file);
    const Existing existing = options.force ? Existing::kReplace : Existing::kRefuse;
    if (Status s = checkOutputFile(options.out, read, existing); !s) return s.error();
    if (Status s = openScene(options.session); !s) return s.error();
    for (const std::string& file : sourceFiles(options.session.dem))  // known only now: a scene file names its terrain
        read.push_back(file);
    if (Status s = checkOutputFile(options.out, read, existing); !s) return s.error();
    const Result<Scene> scene = packScene(options.session, options.out);
    if (!scene) return scene.error();
    const std::string text = sceneToJson(*scene);
    if (Status s = writeFileAtomically(options.out, text); !s) return s.error();
    print(options.json ? text : textOf(*scene, options.out));
    return ExitCode::kDone;
}

}  // namespace

void addPackSceneCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("pack-scene", "settings, camera path and terrain as one file");
    const auto options = std::make_shared<PackOptions>();
    SessionOptions& session = options->session;
    command->add_option("OUT", options->out, "the scene's file; view and capture take it as a DEM")->required();
    command->add_option("DEM", session.dem,
                        "file, folder of tiles, synthetic:SIZE[:SEED] or a scene (the shipped "
                        "terrain)");
    command->add_option("--path", session.cameraPath, "camera path: overview, ridge, spot or a file (none)")
        ->type_name("FILE");
    addImageryOption(*command, session);
    command->add_option("--preset", session.preset, "a look: landscape, map, software or one of your own")
        ->type_name("NAME");
    command->add_option("--settings", session.settingsFile, "settings to start with (JSON)")->type_name("FILE");
    command->add_option("--set", session.assignments, "change a setting; may be repeated")
        ->allow_extra_args(false)
        ->type_name("key=value");
    addSizeOption(*command, session.width, session.height, "none: those who open the scene choose");
    command->add_option("--terrain", session.terrainAt, "where the terrain of a scene lies now")->type_name("FILE");
    command->add_flag("--force", options->force, "replace a file that is there");
    command->add_flag("--json", options->json, "what was written");
    command->callback([options, command, &chosen] {
        options->session.sizeGiven = command->count("--size") > 0;
        chosen = [options] { return runPackScene(*options); };
    });
}

}  // namespace orogen::app
