// Framebuffers of a frame.  At the drawn size: colour, reversed depth and marks of the ground (marks.frag), optionally
// multisampled and smaller than the picture.  At full size: the resolved picture.
#pragma once

#include <filesystem>
#include <vector>

#include <glm/vec2.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "core/view/camera.h"

namespace orogen::app {

// Rectangle of pixels; (x, y) is its lower left corner.
struct PixelBox
{
    int x = 0, y = 0, width = 0, height = 0;
};

// Checks render.msaa against the driver's limit for colour and depth.  Error kLimit names the largest number of
// samples.
Status checkSamples(const Limits& limits, int samples);

class RenderTarget
{
public:
    RenderTarget() = default;  // without a size: resize() or assign before use

    // Creates a target.  `width`, `height`: pixels of the picture.  `scale`: drawn size in percent of the picture, 25
    // ... 100.  `apart`: the finished picture is stored apart, so that it stays until the next resolve().  Error
    // kLimit: a side above limits.textureSize, too many samples, or out of memory.
    static Result<RenderTarget> create(const Limits& limits, int width, int height, int samples, float scale = 100,
                                       bool apart = false);

    // Changes sizes, samples or `apart`; no-op if all are as before.  Errors as create(); the target is then unchanged.
    // With `apart`, the picture is kept, stretched to the new size, until the next resolve().
    Status resize(const Limits& limits, int width, int height, int samples, float scale = 100, bool apart = false);

    // Returns a target of another size to replace this one; keeps the picture like resize().
    Result<RenderTarget> resized(const Limits& limits, int width, int height, int samples, float scale,
                                 bool apart) const;

    // Bind the framebuffer for the ground's geometry: depth alone, or depth and marks.
    void beginGround(bool marks) const;  // clears depth (reversed), stencil and marks to 0
    void bindGround(bool marks) const;
    void bind() const;  // for shading, with depth; colour is not cleared
    // Sets the part of the picture that will be visible.  In a new or resized target the whole picture is visible.
    void see(const PicturePart& part) { seen_ = part; }
    const PicturePart& seen() const { return seen_; }
    // Returns the drawn pixels of seen() in rows [first, end).
    PixelBox seenBox(int first, int end) const;
    // Clips draws and clears to seenBox(first, end) by the scissor test.  The second form uses all rows.
    void clip(int first, int end) const;
    void clip() const { clip(0, drawnHeight_); }
    // Finishes the picture.  If it was drawn at a smaller size, the program `sharpen` (shaders/shading/sharpen.frag)
    // sharpens it; 0: no sharpening.
    void resolve(GLuint sharpen = 0) const;
    // Copies the finished picture into the one of full size, scaled up with linear filtering if it is smaller.  No-op
    // if that was done already.  Call it before a frame that is drawn in slices, because the last picture stays in view
    // between the slices.
    void scaleUp() const;

    GLuint resolved() const;         // framebuffer of the picture at full size
    GLuint resolvedTexture() const;  // colours of resolved()
    // The finished picture.  Until scaleUp() it has the drawn size, so a copy to the window has to scale it.
    struct Finished
    {
        GLuint framebuffer = 0;
        int width = 0, height = 0;
    };
    Finished finished() const;
    int width() const { return width_; }  // full size
    int height() const { return height_; }
    int drawnWidth() const { return drawnWidth_; }
    int drawnHeight() const { return drawnHeight_; }
    int samples() const { return samples_; }
    float scale() const { return scale_; }
    bool apart() const { return apart_; }
    GLuint colour() const { return colour_.id(); }  // texture, multisampled if samples() > 1
    GLuint depth() const { return depth_.id(); }    // texture, multisampled if samples() > 1
    GLuint marks() const { return marks_.id(); }    // texture, multisampled if samples() > 1
    GLuint edges() const { return edges_.id(); }    // buffer of edges.comp; 0 without multisampling
    // Positions of the samples within a pixel, from its lower left.
    const std::vector<glm::vec2>& samplePlaces() const { return samplePlaces_; }
    std::uint64_t bytes() const;

private:
    bool scaled() const { return drawnWidth_ != width_ || drawnHeight_ != height_; }
    bool hasShown() const { return scaled() || (apart_ && samples_ <= 1); }
    void findSamples();
    void takePicture(const RenderTarget& from) const;

    Texture colour_, depth_, marks_, resolvedColour_, sharpColour_, shownColour_;
    Framebuffer framebuffer_, groundFramebuffer_, marksFramebuffer_;
    Framebuffer resolvedFramebuffer_, sharpFramebuffer_, shownFramebuffer_;  // only if needed
    VertexArray noAttributes_;                                               // only if scaled
    Buffer edges_;
    std::vector<glm::vec2> samplePlaces_;
    int width_ = 0, height_ = 0, drawnWidth_ = 0, drawnHeight_ = 0, samples_ = 0;
    float scale_ = 100;
    PicturePart seen_;
    bool apart_ = false;
    mutable GLuint finished_ = 0;    // framebuffer that scaleUp() reads
    mutable bool copyOwed_ = false;  // the full-size picture is older than the finished one
};

// Puts the pictures of two renderers into one: the left part of one beside the right part of the other, or their
// difference.
class SplitComposer
{
public:
    SplitComposer(const std::filesystem::path& dataRoot, ShaderDialect dialect);
    Status finish() { return library_.finish(); }  // errors as ShaderLibrary::finish()
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
