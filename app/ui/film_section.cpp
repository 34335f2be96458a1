// Section of the View panel that records films.
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/base/output.h"
#include "app/ui/panels.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

constexpr double kStandingSeconds = 10;  // length of a film without a camera path

void checkRow(const Panel& panel, std::string_view name, bool& on, std::string_view tooltip)
{
    ImGui::PushID(name.data());
    beginRow(panel, name);
    ImGui::Checkbox("##on", &on);
    endItem(panel, name, tooltip);
    ImGui::PopID();
}

void progress(const Panel& panel, const RecordProgress& at)
{
    textLine(panel.theme.dim, at.out, true);
    valueRow(panel, "frame", fmt::format("{} of {}", grouped(at.frame), grouped(at.frames)));
    valueRow(panel, "time left", at.secondsLeft ? durationText(*at.secondsLeft) : panel.theme.notMeasured);
    ImGui::ProgressBar(float(at.fraction()), {-1, 0});
    panel.actions.stopFilm |=
        button(panel, "stop_film", "Ends the film after the last whole frame.", buttonWidth(panel, 1));
}

}  // namespace

void drawFilmSection(const Panel& panel)
{
    const std::optional<RecordProgress>& running = panel.model.film;
    const Fold fold{panel, "film", running ? "film: recording" : "film", running.has_value()};
    if (!fold) return;
    if (running) return progress(panel, *running);
    RecordRequest& film = panel.state.film;
    beginRow(panel, "film_file");
    ImGui::InputTextWithHint("##file", "flight.mp4", &film.out);
    endItem(
        panel, "film_file",
        "The film: .mp4 or .webm, by the program ffmpeg; or pictures, as frames/%05d.png. It goes where pictures go, "
        "and does not replace a file.");
    std::uint64_t rate = std::uint64_t(std::lround(film.fps));
    if (countRow(panel, "film_rate", rate, 1, std::uint64_t(kMostFilmRate),
                 "Frames of a second of the flight (--fps)."))
        film.fps = double(rate);
    checkRow(panel, "film_settled", film.settled,
             "Draws each frame until nothing in it changes any more: tiles, triangles, fades.");
    checkRow(panel, "film_panels", film.panels, "Panels and their numbers are in the film.");
    const PathState& path = panel.model.path;
    const bool flies = path.present && path.duration > 0;
    const double seconds = flies ? path.duration : kStandingSeconds;
    textLine(panel.theme.dim,
             fmt::format("{}: {} frames", flies ? "Along the camera path" : "No path: the camera stands still",
                         grouped(std::uint64_t(std::ceil(seconds * film.fps - 1e-6)))),
             true);
    ImGui::BeginDisabled(!panel.model.terrain || panel.model.loading ||
                         (panel.model.captures && panel.model.captures->running.has_value()));
    if (button(panel, "record_film", "Records the flight from its beginning, in the picture's size.",
               buttonWidth(panel, 1)))
    {
        RecordRequest request = film;
        if (request.out.empty()) request.out = "flight.mp4";
        if (!flies) request.frames = std::uint64_t(std::ceil(kStandingSeconds * film.fps));
        panel.actions.film = request;
    }
    ImGui::EndDisabled();
}

}  // namespace orogen::app
