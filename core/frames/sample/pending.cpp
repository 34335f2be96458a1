#include "core/frames/sample/pending.h"

#include <utility>

#include "core/base/text.h"

namespace orogen {

std::string Pending::text() const
{
    const std::pair<std::uint64_t, const char*> rows[] = {{tiles, tiles == 1 ? "tile" : "tiles"},
                                                          {fades, "fading"},
                                                          {changes, "splits and merges"},
                                                          {lightRows, "rows of light"},
                                                          {frames, frames == 1 ? "frame" : "frames"}};
    std::string text;
    for (const auto& [number, name] : rows)
        if (number > 0) text += (text.empty() ? "" : ", ") + grouped(number) + " " + name;
    return text;
}

}  // namespace orogen
