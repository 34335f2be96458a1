// Sections of a panel that fold by a click on their heading.
//
//     if (const Fold fold{panel, "sun", "sun and air", false}) { ...rows... }
//
// Which are open is kept between sessions.  A script that looks for an item of a folded section opens it.
#pragma once

#include <string>
#include <string_view>

#include "app/ui/widgets.h"

namespace orogen::app {

class Fold
{
public:
    // Draws the heading, the item PANEL/fold/ID.  `open`: whether it is open until the user says otherwise.
    Fold(const Panel& panel, std::string_view id, const std::string& title, bool open = true);
    ~Fold();
    Fold(const Fold&) = delete;
    Fold& operator=(const Fold&) = delete;

    explicit operator bool() const { return drawn_; }  // whether the rows are to be drawn

private:
    const Panel& panel_;
    std::string key_;
    bool drawn_ = false;
    bool peeks_ = false;          // folded: rows are only looked through, for a script's item, and neither seen nor
    ImVec2 cursor_{}, extent_{};  // felt: they leave cursor and content of the window as they were
};

}  // namespace orogen::app
