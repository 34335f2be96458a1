// Camera paths in a session of the viewer: what panel and keys ask for, and the camera that follows.
#include <fmt/format.h>

#include "app/viewer.h"

namespace orogen::app {

PathState Viewer::pathState() const
{
    PathState state;
    state.shipped = paths_.shipped();
    if (const std::optional<CameraPath>& path = paths_.path())
    {
        state.present = true;
        state.name = path->name;
        state.duration = path->duration();
        state.fraction = paths_.fraction();
    }
    state.playing = paths_.playing();
    if (paths_.recording()) state.recorded = paths_.recordedSeconds();
    return state;
}

void Viewer::endRecording()
{
    if (paths_.endRecording()) sayPath("recorded");
}

void Viewer::sayPath(const std::string& done)
{
    const CameraPath& path = *paths_.path();
    const std::size_t keys = path.keys.size();
    say(MessageKind::kNote, fmt::format("{}: {:.1f} s, {} key{}", done, path.duration(), keys, keys == 1 ? "" : "s"));
}

void Viewer::togglePlaying()
{
    endRecording();
    if (!paths_.path()) return say(MessageKind::kWarning, "there is no camera path: record one (F9) or load one");
    paths_.playing() ? paths_.pause() : paths_.play();
}

void Viewer::loadPath(const std::string& nameOrFile)
{
    const bool recording = paths_.recording();
    const Status loaded = paths_.load(nameOrFile);
    if (!loaded) return say(MessageKind::kError, loaded.error().message);
    if (recording) say(MessageKind::kWarning, "the recording ended, unsaved: another path was loaded");
    sayPath("loaded " + nameOrFile);
}

void Viewer::savePath(const std::string& file)
{
    endRecording();
    const Status saved = paths_.save(file);
    say(saved ? MessageKind::kNote : MessageKind::kError, saved ? "wrote " + file : saved.error().message);
}

void Viewer::actOnPath(const PathActions& asked)
{
    if (asked.record) paths_.recording() ? endRecording() : paths_.beginRecording();
    if (asked.play) togglePlaying();
    if (asked.scrub) paths_.scrub(*asked.scrub);
    if (asked.load) loadPath(*asked.load);
    if (asked.save) savePath(*asked.save);
}

void Viewer::followPath(double seconds)
{
    paths_.placeOn({terrains_, wanted_.terrain.heightScale}, surroundings());
    if (const std::optional<Camera> camera = paths_.advanced(seconds))
    {
        wanted_.view.mode = ViewMode::kFly;
        storeCamera(*camera, wanted_.view);
    }
    const bool recording = paths_.recording();
    const glm::dvec3& place = wanted_.view.position;
    paths_.record(flownSeconds_, cameraOf(wanted_.view), place.z - groundAt(place.x, place.y));
    if (recording && !paths_.recording()) sayPath("no more fits into a path, recorded");
    flownSeconds_ += seconds;
}

}  // namespace orogen::app
