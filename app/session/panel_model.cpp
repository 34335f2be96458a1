#include "app/session/panel_model.h"

#include "app/render/lod_tree.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

void describeCamera(const Session& session, UiModel& model)
{
    const Settings& settings = session.settings.wanted();
    const Camera camera = cameraOf(settings.view);
    if (session.terrain.earth())
    {
        const double above = heightAboveEarth(poseOf(camera), session.surroundings().earthGround);
        model.heightAboveGround = above;
        model.speed = session.camera.speedOverEarth(above);
        return;
    }
    const double ground = session.terrain.groundAt(camera.position.x, camera.position.y, settings.terrain.heightScale,
                                                   settings.detailShown());
    model.heightAboveGround = camera.position.z - ground;
    model.speed = session.camera.speed(camera, ground);
}

SettingsState settingsState(const Session& session)
{
    const SettingsHistory& history = session.settings.history();
    SettingsState state{.undoes = history.undoes(), .redoes = history.redoes()};
    state.kept = session.settings.kept();
    for (const Preset& preset : session.presets)
        state.presets.push_back({preset.name, !preset.shipped});
    return state;
}

}  // namespace

UiModel panelModel(const Session& session)
{
    const Context& context = session.graphics.context();
    const ContextInfo& info = context.info();
    UiModel model;
    model.settings = session.settings.wanted();
    model.stats = session.stats;
    model.pending = session.pending();
    model.depthLimit = session.depthLimit();
    model.validating = session.graphics.renderer().validating();
    model.measuringError = session.graphics.renderer().errorPeriod() > 0;
    model.measuringJump = session.graphics.renderer().measuringJumps();
    model.history = &session.history;
    model.buffers = session.graphics.renderer().memory();
    model.memory.largestDepth = largestDepth(context.limits());
    model.memory.checkDepth = [&context](int depth) { return checkDepth(context.limits(), depth); };
    model.memory.leafBytes = [](int depth, std::uint32_t capacity) {
        return leafBytes(effectiveCapacity(depth, capacity));
    };
    model.terrain = session.terrain.info();
    model.bundled = session.bundled;
    if (const TerrainLoading* loading = session.terrain.loading())
        model.loading = LoadingState{loading->progress().fraction(), loading->progress().phase()};
    model.software = info.software;
    model.context = {info.renderer, "OpenGL " + info.version, "context: " + info.path};
    if (model.terrain) describeCamera(session, model);
    model.syntheticBelow = session.syntheticBelow();
    model.voids = session.terrain.voids().state();
    if (model.terrain && !session.terrain.earth())
        model.source = sourceState(session.terrain.raster(), session.terrain.overrides());
    model.source.saving = session.filledSaving.running();
    model.source.savingFraction = session.filledSaving.fraction();
    model.path = session.camera.pathState();
    model.cover = session.coverState();
    model.settingsState = settingsState(session);
    model.captures = &session.captures;
    model.sweeps = &session.sweeps;
    if (session.sweeps.running()) model.sweep = session.sweeps.progress(session);
    model.governor = session.graphics.renderer().governor().report();
    model.compute = &session.compute;
    model.laboratory = &session.laboratory;
    model.files = session.files.state();
    model.shaderLog = session.shaderLog;
    model.tools = session.tools.state(session);
    model.messages = session.messages.shown();
    model.messageLog = &session.messages.all();
    model.startedAt = session.startedAt();
    return model;
}

}  // namespace orogen::app
