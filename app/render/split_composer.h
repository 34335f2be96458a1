// Puts the pictures of two renderers into one: side by side, or their difference.
#pragma once

#include <filesystem>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/render_target.h"

namespace orogen::app {

class SplitComposer
{
public:
    SplitComposer(const std::filesystem::path& dataRoot, ShaderDialect dialect);
    Status finish() { return library_.finish(); }  // error kShader
    ReloadReport reloadShaders() { return library_.reload(); }

    // Composes pictures of the same size; no-op if the sizes differ.  Columns from `divider` on show `right`; the two
    // columns beside `divider` show a line.  `difference`: shows each pixel's largest difference in a channel instead.
    // Error kLimit.
    Status compose(const RenderTarget& left, const RenderTarget& right, int divider, bool difference);
    GLuint framebuffer() const { return framebuffer_.id(); }  // 0 before the first compose()
    int width() const { return width_; }
    int height() const { return height_; }

private:
    ShaderLibrary library_;
    ProgramHandle split_;
    Texture picture_;
    Framebuffer framebuffer_;
    int width_ = 0, height_ = 0;
};

}  // namespace orogen::app
