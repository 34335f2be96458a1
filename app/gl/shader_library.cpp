#include "app/gl/shader_library.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/base/output.h"
#include "app/base/process.h"
#include "core/base/clock.h"

namespace orogen::app {
namespace {

GLenum stageOf(std::string_view file)
{
    constexpr std::array<std::pair<std::string_view, GLenum>, 6> kStages = {{{".vert", GL_VERTEX_SHADER},
                                                                             {".frag", GL_FRAGMENT_SHADER},
                                                                             {".comp", GL_COMPUTE_SHADER},
                                                                             {".geom", GL_GEOMETRY_SHADER},
                                                                             {".tesc", GL_TESS_CONTROL_SHADER},
                                                                             {".tese", GL_TESS_EVALUATION_SHADER}}};
    for (const auto& [suffix, stage] : kStages)
        if (file.ends_with(suffix)) return stage;
    assert(!"a shader file is named name.stage");
    return 0;
}

// Continues a hash (FNV-1a) with a text.
std::uint64_t hashText(std::string_view text, std::uint64_t hash)
{
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return hash;
}
constexpr std::uint64_t kHashStart = 0xcbf29ce484222325ull;

std::string shaderLog(GLuint shader)
{
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string text(std::size_t(std::max(length, 1)), '\0');
    glGetShaderInfoLog(shader, length, &length, text.data());
    text.resize(std::size_t(length));
    return text;
}

std::string programLog(GLuint program)
{
    GLint length = 0;
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string text(std::size_t(std::max(length, 1)), '\0');
    glGetProgramInfoLog(program, length, &length, text.data());
    text.resize(std::size_t(length));
    return text;
}

bool compiled(GLuint shader)
{
    GLint ok = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    return ok == GL_TRUE;
}

bool linked(GLuint program)
{
    GLint ok = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    return ok == GL_TRUE;
}

}  // namespace

ShaderLibrary::ShaderLibrary(std::filesystem::path root, ShaderDialect dialect)
    : root_(std::move(root)), dialect_(dialect), parallel_(GLAD_GL_KHR_parallel_shader_compile != 0)
{
    if (parallel_) glMaxShaderCompilerThreadsKHR(0xFFFFFFFFu);  // the driver chooses the number of threads
}

ProgramHandle ShaderLibrary::add(std::string name, std::vector<std::string> files, std::vector<ShaderDefine> defines)
{
    const auto known = std::ranges::find_if(entries_, [&](const Entry& entry) {
        return entry.name == name && entry.files == files && entry.defines == defines;
    });
    if (known != entries_.end())
    {
        const auto handle = ProgramHandle(known - entries_.begin());
        if (!known->program) restart(handle);  // the last build failed, and the source may have been fixed since
        return handle;
    }
    entries_.push_back({std::move(name), std::move(files), std::move(defines), {}, 0, {}, Phase::kWanted, {}});
    entries_.back().variant = variantOf(entries_.back());
    return ProgramHandle(entries_.size() - 1);
}

// Resolves a file with the entry's defines and the file names of the current choice.  `concerning`: adds the chosen
// defines whose names occur in the text.
Result<ShaderSource> ShaderLibrary::resolve(const Entry& entry, const std::string& file,
                                            std::vector<ShaderDefine>& concerning) const
{
    const ShaderReader read = shaderReader(root_.string());
    std::vector<ShaderDefine> defines = entry.defines;
    for (const ShaderDefine& define : choice_)
        if (define.name.starts_with('@')) defines.push_back(define);
    Result<ShaderSource> source = resolveShader(read, file, dialect_, defines);
    if (!source) return source;
    for (const ShaderDefine& define : choice_)
        if (!define.name.starts_with('@') && source->text.find(define.name) != std::string::npos)
            concerning.push_back(define);
    if (concerning.empty()) return source;
    defines.insert(defines.end(), concerning.begin(), concerning.end());
    return resolveShader(read, file, dialect_, defines);
}

// Returns a key of the defines and files of the current choice that a program uses.
std::string ShaderLibrary::variantOf(const Entry& entry) const
{
    std::string variant;
    for (const std::string& file : entry.files)
    {
        std::vector<ShaderDefine> concerning;
        const Result<ShaderSource> source = resolve(entry, file, concerning);
        if (!source) continue;  // reported by start()
        concerning.insert(concerning.end(), source->choices.begin(), source->choices.end());
        for (const ShaderDefine& define : concerning)
            variant += fmt::format("{}:{}={};", file, define.name, define.value);
    }
    return variant;
}

void ShaderLibrary::choose(std::vector<ShaderDefine> choice)
{
    choice_ = std::move(choice);
    for (Entry& entry : entries_)
    {
        std::string variant = variantOf(entry);
        if (variant == entry.variant) continue;
        if (entry.program) entry.others[entry.variant] = {std::exchange(entry.program, {}), entry.hash};
        entry.variant = std::move(variant);
        entry.build = {};
        entry.phase = Phase::kWanted;
        const auto known = entry.others.find(entry.variant);
        if (known == entry.others.end()) continue;
        entry.phase = Phase::kBuilt;
        entry.program = std::move(known->second.program);
        entry.hash = known->second.hash;
        entry.others.erase(known);
    }
}

void ShaderLibrary::restart(ProgramHandle handle)
{
    Entry& entry = entries_[std::size_t(handle)];
    if (entry.phase == Phase::kBuilt) entry.phase = Phase::kWanted;
}

void ShaderLibrary::begin()
{
    for (Entry& entry : entries_)
        if (entry.phase == Phase::kWanted) start(entry);
}

void ShaderLibrary::start(Entry& entry)
{
    entry.phase = Phase::kBuilding;
    entry.build = Build{Program(glCreateProgram()), {}, {}, kHashStart};
    Build& build = entry.build;
    for (const std::string& file : entry.files)
    {
        Status status = attach(build, entry, file);
        if (status) continue;
        build.error = status.error().message;
        return;
    }
    labelObject(GL_PROGRAM, build.program.id(), entry.name);
    glLinkProgram(build.program.id());
}

Status ShaderLibrary::attach(Build& build, const Entry& entry, const std::string& file)
{
    std::vector<ShaderDefine> concerning;
    Result<ShaderSource> source = resolve(entry, file, concerning);
    if (!source) return source.error();
    build.hash = hashText(source->text, build.hash);
    Shader shader(glCreateShader(stageOf(file)));
    labelObject(GL_SHADER, shader.id(), file);
    const char* text = source->text.data();
    const GLint length = GLint(source->text.size());
    glShaderSource(shader.id(), 1, &text, &length);
    glCompileShader(shader.id());
    glAttachShader(build.program.id(), shader.id());
    build.stages.push_back({std::move(shader), std::move(*source)});
    return Status::ok();
}

// Reads compile logs first, as a link log says little after a compile error.  Also reads the link log: a driver may
// report a cached shader as compiled and fail only at link time.
std::string ShaderLibrary::buildLog(const Build& build) const
{
    if (!build.error.empty()) return build.error + "\n";
    std::string text;
    for (const Stage& stage : build.stages)
        if (!compiled(stage.shader.id())) text += mapShaderLog(shaderLog(stage.shader.id()), stage.source);
    if (text.empty() && !linked(build.program.id()))
        text = mapShaderLog(programLog(build.program.id()), build.stages.front().source);
    return text;
}

bool ShaderLibrary::collect(Entry& entry)
{
    Build build = std::exchange(entry.build, {});
    entry.phase = Phase::kBuilt;
    bool ok = build.error.empty() && linked(build.program.id());
    for (const Stage& stage : build.stages)
        ok = ok && compiled(stage.shader.id());
    if (!ok)
    {
        const std::string text = buildLog(build);
        log_ += fmt::format("program \"{}\":\n{}", entry.name, text.empty() ? "link failed without a log\n" : text);
        return false;
    }
    for (const Stage& stage : build.stages)
        glDetachShader(build.program.id(), stage.shader.id());
    entry.program = std::move(build.program);
    entry.hash = build.hash;
    return true;
}

// Polls the driver where it compiles in parallel, so that a signal ends the wait.
Status ShaderLibrary::wait() const
{
    constexpr double kSilentMs = 3000;
    const Clock::time_point start = Clock::now();
    bool told = false;
    std::string last;
    while (const Entry* entry = pending())
    {
        last = entry->name;
        if (const std::optional<Error> signal = interruption()) return *signal;
        if (!told && millisecondsSince(start) > kSilentMs)
        {
            tell("the driver compiles shaders, which takes longest at the first start");
            told = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (told)
        tell(fmt::format("the driver compiled shaders for {:.0f} s; the last program was \"{}\"",
                         millisecondsSince(start) / 1000, last));
    return Status::ok();
}

Status ShaderLibrary::finish()
{
    begin();
    if (Status s = wait(); !s) return s;
    log_.clear();
    std::string firstFailed;
    for (Entry& entry : entries_)
        if (entry.phase == Phase::kBuilding && !collect(entry) && firstFailed.empty()) firstFailed = entry.name;
    if (firstFailed.empty()) return Status::ok();
    const std::string_view details = std::string_view(log_).substr(log_.find('\n') + 1);
    return Error{ExitCode::kShader, fmt::format("shader program \"{}\": {}", firstFailed, firstShaderError(details))};
}

const ShaderLibrary::Entry* ShaderLibrary::pending() const
{
    for (const Entry& entry : entries_)
    {
        if (entry.phase == Phase::kWanted) return &entry;
        if (!parallel_ || entry.phase == Phase::kBuilt || !entry.build.error.empty()) continue;
        GLint done = GL_TRUE;
        glGetProgramiv(entry.build.program.id(), GL_COMPLETION_STATUS_KHR, &done);
        if (done != GL_TRUE) return &entry;
    }
    return nullptr;
}

GLuint ShaderLibrary::program(ProgramHandle handle) const
{
    assert(std::size_t(handle) < entries_.size());
    return entries_[std::size_t(handle)].program.id();
}

ReloadReport ShaderLibrary::reload()
{
    ReloadReport report;
    log_.clear();
    for (Entry& entry : entries_)
    {
        entry.others.clear();
        start(entry);
    }
    for (Entry& entry : entries_)
        ++(collect(entry) ? report.replaced : report.failed);
    report.log = log_;
    return report;
}

std::uint64_t ShaderLibrary::sourceHash() const
{
    std::uint64_t hash = kHashStart;
    for (const Entry& entry : entries_)
        hash = hashText(fmt::format("{}:{:016x}\n", entry.name, entry.hash), hash);
    return hash;
}

}  // namespace orogen::app
