#include "app/session/graphics.h"

#include "app/gl/image.h"

namespace orogen::app {

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
    if (Status s = settings.meetDevice(context_->info().software, messages); !s) return s;
    Result<std::unique_ptr<Renderer>> renderer = Renderer::create(*context_, dataRoot, settings.wanted());
    if (!renderer && renderer.error().code == ExitCode::kLimit && settings.putKeptLimitsBack())
    {
        messages.report(MessageKind::kWarning,
                        renderer.error().message + "; kept from another driver, the default is used");
        renderer = Renderer::create(*context_, dataRoot, settings.wanted());
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
    ui_.reset();
    renderer_.reset();
    context_.reset();
}

PixelSize Graphics::size() const { return window() ? window()->framebufferSize() : headlessSize_; }

PixelSize Graphics::pointerSize() const { return window() ? window()->size() : headlessSize_; }

void Graphics::drawPanels()
{
    GpuTimerScope scope(renderer_->timers(), GpuPass::kUi);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer_->framebuffer());
    glViewport(0, 0, renderer_->width(), renderer_->height());
    ui_->render();
}

Image Graphics::picture() const
{
    return readFramebuffer(renderer_->framebuffer(), renderer_->width(), renderer_->height());
}

Status Graphics::writePicture(const std::string& file) const { return writePng(file, picture()); }

void Graphics::awaitAnswers()
{
    glFinish();
    while (renderer_->framesInFlight() > 0)
    {
        const int before = renderer_->framesInFlight();
        renderer_->collect(kGpuPatience);
        if (renderer_->framesInFlight() == before) break;  // it does not answer
    }
    renderer_->collect();
}

}  // namespace orogen::app
