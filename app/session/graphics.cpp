#include "app/session/graphics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#define EGL_NO_X11
#include <EGL/egl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/gl/image.h"

namespace orogen::app {

namespace {

// ---- identity of the GPU ----

// GL_EXT_memory_object is used only here, so its function is looked up directly, not by the generated loader.
constexpr GLenum kDeviceUuids = 0x9596, kDeviceUuid = 0x9597;  // GL_NUM_DEVICE_UUIDS_EXT, GL_DEVICE_UUID_EXT
using GetUnsignedBytes = void(GLAD_API_PTR*)(GLenum target, GLuint index, GLubyte* data);

bool hasMemoryObjects()
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i)
        if (std::string_view(reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, GLuint(i)))) ==
            "GL_EXT_memory_object")
            return true;
    return false;
}

std::string deviceUuid(const Context& context)
{
    if (!hasMemoryObjects()) return {};
    const char* const name = "glGetUnsignedBytei_vEXT";
    const auto get =
        reinterpret_cast<GetUnsignedBytes>(context.window() ? glfwGetProcAddress(name) : eglGetProcAddress(name));
    GLint count = 0;
    glGetIntegerv(kDeviceUuids, &count);
    if (!get || count < 1) return {};
    std::array<unsigned char, 16> uuid = {};
    get(kDeviceUuid, 0, uuid.data());
    return compute::uuidText(uuid.data());
}

}  // namespace

void awaitAnswers(Renderer& renderer)
{
    glFinish();
    while (renderer.progress().framesInFlight() > 0)
    {
        const int before = renderer.progress().framesInFlight();
        renderer.collect(kGpuPatience);
        if (renderer.progress().framesInFlight() == before) break;  // no answer arrived
    }
    renderer.collect();
}

Status Graphics::create(const SessionOptions& options, bool headless, const std::filesystem::path& dataRoot,
                        SessionSettings& settings, Messages& messages)
{
    headlessSize_ = {options.width, options.height};
    ContextOptions wanted;
    wanted.headless = headless;
    wanted.gpu = options.gpu;
    wanted.window = {.width = options.width,
                     .height = options.height,
                     .title = "Orogen",
                     .fullscreen = options.fullscreen,
                     .vsync = options.vsync};
    Result<std::unique_ptr<Context>> context = Context::create(wanted);
    if (!context) return context.error();
    context_ = std::move(*context);
    compute::setPreferredGpu(gpuOf(*context_));
    if (Status s = settings.choosePresetForDevice(context_->info().software, messages); !s) return s;
    Result<std::unique_ptr<Renderer>> renderer =
        Renderer::create(*context_, dataRoot, takenTo(options.world(), settings.wanted()), options.world());
    if (!renderer && renderer.error().code == ExitCode::kLimit && settings.putKeptLimitsBack())
    {
        messages.report(MessageKind::kWarning,
                        renderer.error().message + "; kept from another driver, the default is used");
        renderer = Renderer::create(*context_, dataRoot, takenTo(options.world(), settings.wanted()), options.world());
    }
    if (!renderer) return renderer.error();
    renderer_ = std::move(*renderer);

    UiOptions look;
    look.window = window() ? window()->handle() : nullptr;
    look.scale = options.uiScale.value_or(window() ? window()->contentScale() : 1.0f);
    Result<std::unique_ptr<Ui>> ui = Ui::create(look);
    if (!ui) return ui.error();
    ui_ = std::move(*ui);
    return Status::ok();
}

void Graphics::drop()
{
    composite_.reset();
    compositeColour_.reset();
    compositeSize_ = {};
    panelsOver_ = inWindow_ = compositeIsOld_ = false;
    keptPart_.reset();
    composed_.reset();
    ui_.reset();
    renderer_.reset();
    context_.reset();
}

PixelSize Graphics::size() const { return window() ? window()->framebufferSize() : headlessSize_; }

PixelSize Graphics::pointerSize() const { return window() ? window()->size() : headlessSize_; }

Status Graphics::makeComposite(PixelSize size)
{
    if (size == compositeSize_) return Status::ok();
    Result<Texture> colour = makeTexture("picture and panels", {.width = size.width, .height = size.height});
    if (!colour) return colour.error();
    composite_ = makeFramebuffer("picture and panels");
    compositeColour_ = std::move(*colour);
    glNamedFramebufferTexture(composite_.id(), GL_COLOR_ATTACHMENT0, compositeColour_.id(), 0);
    compositeSize_ = size;
    return Status::ok();
}

Status Graphics::drawPanels(bool timed, bool straight)
{
    const PixelSize wanted = size();
    if (wanted.width <= 0 || wanted.height <= 0) return Status::ok();  // iconified
    if (Status s = makeComposite(wanted); !s) return s;
    std::optional<GpuTimerScope> scope;
    if (timed) scope.emplace(renderer_->timers(), GpuPass::kUi);
    inWindow_ = compositeIsOld_ = straight && window();
    drawPanelsInto(inWindow_ ? 0 : composite_.id());
    panelsOver_ = true;
    keptPart_.reset();
    return Status::ok();
}

// Draws the picture and the panels over it.  If the window was resized since the picture was drawn, the picture is
// stretched until a new one is drawn.  Binds the framebuffers instead of calling glBlitNamedFramebuffer(): see
// Window::copyFrom().
void Graphics::drawPanelsInto(GLuint framebuffer) const
{
    const RenderTarget::Finished finished = renderer_->target().finished();
    const auto [picture, drawn] =
        composed_ ? *composed_ : ShownPicture{finished.framebuffer, {finished.width, finished.height}};
    const int width = compositeSize_.width, height = compositeSize_.height;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    const PicturePart seen = composed_ ? PicturePart{} : renderer_->target().seen(), uncovered = ui_->uncovered();
    // Clears the whole framebuffer, because that costs less than clearing the parts outside the picture.
    if (!(uncovered == PicturePart()) || !(seen == PicturePart())) glClearBufferfv(GL_COLOR, 0, &ui_->theme().desk.x);
    const auto pixel = [](double share, int size) { return int(std::lround(share * size)); };
    const int left = pixel(std::max(seen.left, uncovered.left), width);
    const int right = pixel(std::min(seen.right, uncovered.right), width);
    const int bottom = pixel(std::max(seen.bottom, uncovered.bottom), height);
    const int top = pixel(std::min(seen.top, uncovered.top), height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, bottom, std::max(right - left, 0), std::max(top - bottom, 0));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture);
    glBlitFramebuffer(0, 0, drawn.width, drawn.height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                      drawn == compositeSize_ ? GL_NEAREST : GL_LINEAR);
    glDisable(GL_SCISSOR_TEST);
    ui_->render();
}

void Graphics::clearPicture()
{
    const float dusk[4] = {0.055f, 0.065f, 0.085f, 1.0f};
    renderer_->target().bind();
    glClearBufferfv(GL_COLOR, 0, dusk);
    renderer_->target().resolve();
}

ShownPicture Graphics::withoutPanels() const
{
    if (composed_) return *composed_;
    const RenderTarget& target = renderer_->target();
    return {target.resolved(), {target.width(), target.height()}};
}

void Graphics::prepareScaling() const
{
    if (!window() || !context_->info().software) return;
    const Result<RenderTarget> sample = renderer_->scaledSample();
    if (!sample) return;  // out of memory: the flight will say so
    const int width = sample->width(), height = sample->height();
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, sample->resolved());
    glBlitFramebuffer(0, 0, width, height, 0, 0, 2 * width, 2 * height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

ShownPicture Graphics::shown() const
{
    if (panelsOver_ && std::exchange(compositeIsOld_, false)) drawPanelsInto(composite_.id());
    return panelsOver_ ? ShownPicture{composite_.id(), compositeSize_} : withoutPanels();
}

void Graphics::copyToWindow()
{
    if (std::exchange(inWindow_, false)) return;
    const ShownPicture picture = shown();
    window()->copyFrom(picture.framebuffer, picture.size);
    if (panelsOver_ || !keptPart_ || compositeSize_ != size()) return;
    const auto pixel = [](float at, int end) { return std::clamp(int(std::lround(at)), 0, end); };
    const int width = compositeSize_.width, height = compositeSize_.height;
    window()->copyPart(composite_.id(), pixel(keptPart_->min.x, width), height - pixel(keptPart_->max.y, height),
                       pixel(keptPart_->max.x, width), height - pixel(keptPart_->min.y, height));
}

Image Graphics::picture() const
{
    const ShownPicture picture = shown();
    return readFramebuffer(picture.framebuffer, picture.size.width, picture.size.height);
}

Image Graphics::pictureAlone() const
{
    const ShownPicture picture = withoutPanels();
    return readFramebuffer(picture.framebuffer, picture.size.width, picture.size.height);
}

Status Graphics::writePicture(const std::string& file) const { return writePng(file, picture()); }

compute::GpuIdentity gpuOf(const Context& context) { return {deviceUuid(context), context.info().renderer}; }

}  // namespace orogen::app
