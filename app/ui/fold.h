// Foldable sections of a panel: a click on the heading folds or unfolds.
//
//     if (const Fold fold{panel, "sun", "sun and air", false}) { ...rows... }
//
// Fold states are kept between sessions.  A script that looks for an item of a folded section unfolds it.
#pragma once

#include <string>
#include <string_view>

#include "app/ui/widgets.h"

namespace orogen::app {

class Fold
{
public:
    // Draws the heading, the item PANEL/fold/ID.  `open` applies until the user folds or unfolds the section.
    Fold(const Panel& panel, std::string_view id, const std::string& title, bool open = true);
    ~Fold();
    Fold(const Fold&) = delete;
    Fold& operator=(const Fold&) = delete;

    explicit operator bool() const { return drawn_; }  // whether the caller draws the rows

private:
    const Panel& panel_;
    std::string key_;
    bool drawn_ = false;
    bool peeks_ = false;          // folded: rows are laid out invisibly to find a script's item,
    ImVec2 cursor_{}, extent_{};  // and the window's cursor and content size are restored after
};

}  // namespace orogen::app
