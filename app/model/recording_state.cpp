#include "app/model/recording_state.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen::app {

std::string textOf(const FinishedRecording& recording)
{
    return fmt::format("{}: {} frames, {}x{}, {:g} a second, {}, {} bytes", printable(recording.out),
                       grouped(recording.frames), recording.width, recording.height, recording.fps, recording.codec,
                       grouped(recording.bytes));
}

}  // namespace orogen::app
