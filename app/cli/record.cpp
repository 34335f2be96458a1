// orogen record: writes a flight along a camera path as a film or as pictures.
#include <memory>

#include <CLI/CLI.hpp>

#include "app/base/output.h"
#include "app/cli/command.h"
#include "app/film/film_writer.h"
#include "app/session/session_options.h"
#include "app/viewer.h"
#include "core/base/json.h"

namespace orogen::app {
namespace {

struct RecordOptions
{
    SessionOptions view;
    RecordRequest request;
    std::string path;  // empty: not given
    bool json = false;
};

std::string jsonOf(const FinishedRecording& recording)
{
    Json json;
    json["out"] = recording.out;
    json["frames"] = recording.frames;
    json["width"] = recording.width;
    json["height"] = recording.height;
    json["fps"] = recording.fps;
    json["codec"] = recording.codec;
    json["bytes"] = recording.bytes;
    return json.dump(2) + '\n';
}

Result<ExitCode> runRecord(RecordOptions options)
{
    if (const Result<FilmFormat> format = filmFormatOf(options.request.out); !format) return format.error();
    if (Status s = openScene(options.view); !s) return s.error();
    if (!options.path.empty())
        options.request.path = options.path;
    else if (!options.view.scenePath)
        options.request.path = pathIn(options.view.world(), CaptureRequest().path);
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options.view);
    if (!viewer) return viewer.error();
    const Result<FinishedRecording> recording = (*viewer)->record(options.request);
    if (!recording) return recording.error();
    print(options.json ? jsonOf(*recording) : textOf(*recording) + '\n');
    return ExitCode::kDone;
}

}  // namespace

void addRecordCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("record", "write a flight along a camera path as a film or as pictures");
    const auto options = std::make_shared<RecordOptions>();
    options->view.capture = options->view.headless = true;
    options->view.vsync = false;
    RecordRequest& request = options->request;
    command->add_option("--out", request.out, "film (.mp4, .webm), or pictures: a name such as frames/%05d.png")
        ->required()
        ->type_name("FILE");
    command
        ->add_option("--path", options->path,
                     "camera path: overview, ridge, spot or a file (the scene's, else overview; of the Earth: around)")
        ->type_name("FILE");
    command->add_option("--fps", request.fps, "frames a second of the film, 1 to 240 (30)")
        ->check(realIn(1, kMostFilmRate))
        ->type_name("F");
    command->add_option("--frames", request.frames, "number of frames (one flight along the path)")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(kMostFilmFrames)))
        ->type_name("N");
    command->add_flag("--settled", request.settled, "draw each frame until nothing in it changes any more");
    command->add_flag("--panels", request.panels, "draw the panels, too");
    command->add_flag("--force", request.force, "replace files");
    addFlightInputs(*command, options->view);
    addCompare(*command, options->view);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, command, &chosen] {
        options->view.sizeGiven = command->count("--size") > 0;
        chosen = [options] { return runRecord(*options); };
    });
}

}  // namespace orogen::app
