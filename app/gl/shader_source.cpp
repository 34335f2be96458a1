#include "app/gl/shader_source.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_file.h"

namespace orogen::app {
namespace {

Error shaderError(std::string message) { return {ExitCode::kShader, std::move(message)}; }

std::string_view trimmedLeft(std::string_view text)
{
    const std::size_t start = text.find_first_not_of(" \t");
    return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

// Returns the text after '#' and `name`; empty if the line is not that directive.
std::optional<std::string_view> directive(std::string_view line, std::string_view name)
{
    line = trimmedLeft(line);
    if (!line.starts_with('#')) return std::nullopt;
    line = trimmedLeft(line.substr(1));
    if (!line.starts_with(name)) return std::nullopt;
    line.remove_prefix(name.size());
    if (!line.empty() && (std::isalnum(static_cast<unsigned char>(line[0])) || line[0] == '_')) return std::nullopt;
    return trimmedLeft(line);
}

// Returns whether the first two directives of a file are #ifndef X and #define X.
bool hasGuard(std::string_view text)
{
    std::optional<std::string_view> guard;
    while (!text.empty())
    {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (!trimmedLeft(line).starts_with('#')) continue;
        if (guard) return directive(line, "define") == guard;
        guard = directive(line, "ifndef");
        if (!guard) return false;
    }
    return false;
}

bool allowedPath(std::string_view path)
{
    if (!path.starts_with("shaders/") && !path.starts_with("core/")) return false;
    return path.find("..") == std::string_view::npos && path.find('\\') == std::string_view::npos &&
           path.find('\0') == std::string_view::npos && path.find("//") == std::string_view::npos;
}

class Resolver
{
public:
    Resolver(const ShaderReader& read, const std::vector<ShaderDefine>& defines, ShaderSource& out)
        : read_(read), choices_(defines), out_(out)
    {
        choices_.insert(choices_.end(), kDefaultChoices.begin(), kDefaultChoices.end());
    }

    Status append(std::string path, const std::string& from)
    {
        if (Status status = choose(path, from); !status) return status;
        if (!allowedPath(path))
            return shaderError(
                fmt::format("{}: include of \"{}\", expected a path in shaders/ or core/ without \"..\"", from, path));
        if (std::find(stack_.begin(), stack_.end(), path) != stack_.end())
            return shaderError(fmt::format("{}: \"{}\" includes itself", from, path));
        if (int(stack_.size()) > kMaxIncludeDepth)
            return shaderError(fmt::format("{}: includes deeper than {}", from, kMaxIncludeDepth));
        if (once_.contains(path)) return Status::ok();
        if (++includes_ > kMaxIncludes)
            return shaderError(fmt::format("{}: more than {} includes", from, kMaxIncludes));
        const std::optional<std::string> text = read_(path);
        if (!text) return shaderError(fmt::format("{}: \"{}\" cannot be read", from, path));
        stack_.push_back(path);
        const bool guarded = hasGuard(*text);
        const int outer = std::exchange(conditions_, guarded ? conditions_ - 1 : conditions_);
        Status status = appendLines(*text, path);
        conditions_ = outer;
        // The guard would make a second copy of the file empty. Without such copies, the largest shader has a third of
        // its length.
        if (guarded && outer == 0) once_.insert(path);
        stack_.pop_back();
        return status;
    }

private:
    // Replaces the first @NAME of a path by its choice.
    Status choose(std::string& path, const std::string& from)
    {
        const std::size_t at = path.find('@');
        if (at == std::string::npos) return Status::ok();
        for (const ShaderDefine& choice : choices_)
        {
            if (!choice.name.starts_with('@') || path.compare(at, choice.name.size(), choice.name) != 0) continue;
            const auto same = [&](const ShaderDefine& other) { return other.name == choice.name; };
            if (std::none_of(out_.choices.begin(), out_.choices.end(), same)) out_.choices.push_back(choice);
            path.replace(at, choice.name.size(), choice.value);
            return Status::ok();
        }
        return shaderError(fmt::format("{}: include of \"{}\", which names no known choice", from, path));
    }

    std::size_t fileNumber(const std::string& path)
    {
        const auto found = std::find(out_.files.begin(), out_.files.end(), path);
        if (found != out_.files.end()) return std::size_t(found - out_.files.begin());
        out_.files.push_back(path);
        return out_.files.size() - 1;
    }

    Status appendLines(std::string_view text, const std::string& path)
    {
        const std::size_t number = fileNumber(path);
        int line = 1;
        out_.text += fmt::format("#line 1 {}\n", number);
        for (; !text.empty(); ++line)
        {
            const std::size_t end = text.find('\n');
            std::string_view content = text.substr(0, end);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            if (content.ends_with('\r')) content.remove_suffix(1);
            if (Status status = appendLine(content, path, number, line); !status) return status;
        }
        return Status::ok();
    }

    Status appendLine(std::string_view content, const std::string& path, std::size_t number, int line)
    {
        const auto place = [&] { return fmt::format("{}:{}", path, line); };
        if (directive(content, "version"))
            return shaderError(place() + ": found a #version, expected none (the loader prepends it)");
        if (out_.text.size() + content.size() > kMaxShaderBytes)
            return shaderError(fmt::format("{}: longer than {} bytes with its includes", place(), kMaxShaderBytes));
        if (directive(content, "if") || directive(content, "ifdef") || directive(content, "ifndef")) ++conditions_;
        if (directive(content, "endif")) --conditions_;
        const std::optional<std::string_view> include = directive(content, "include");
        if (!include)
            out_.text += content;
        else if (!include->starts_with('<'))
        {
            const std::size_t close = include->find('"', 1);
            if (!include->starts_with('"') || close == std::string_view::npos)
                return shaderError(place() + ": #include without a quoted path");
            if (Status status = append(std::string(include->substr(1, close - 1)), place()); !status) return status;
            out_.text += fmt::format("#line {} {}", line + 1, number);
        }
        out_.text += '\n';
        return Status::ok();
    }

    const ShaderReader& read_;
    std::vector<ShaderDefine> choices_;
    ShaderSource& out_;
    std::vector<std::string> stack_;
    std::set<std::string> once_;  // guarded files that the text contains in full, outside every #if
    int includes_ = 0;
    int conditions_ = 0;  // number of #if blocks around the current line, without the guards of files
};

std::string prelude(const std::string& path, const ShaderDialect& dialect, const std::vector<ShaderDefine>& defines)
{
    std::string text = dialect.glsl460 ? "#version 460 core\n" : "#version 450 core\n";
    if (path.ends_with(".vert"))
    {
        const char* suffix = dialect.glsl460 ? "" : "ARB";
        if (!dialect.glsl460) text += "#extension GL_ARB_shader_draw_parameters : require\n";
        text += fmt::format("#define OROGEN_BASE_INSTANCE gl_BaseInstance{0}\n#define OROGEN_BASE_VERTEX "
                            "gl_BaseVertex{0}\n#define OROGEN_DRAW_ID gl_DrawID{0}\n",
                            suffix);
    }
    for (const ShaderDefine& define : defines)
        if (!define.name.starts_with('@')) text += fmt::format("#define {} {}\n", define.name, define.value);
    return text;
}

// Returns the number at the start of `text` (at most 6 digits) and its length; empty without digits.
std::optional<std::pair<std::size_t, std::size_t>> leadingNumber(std::string_view text)
{
    std::size_t value = 0, digits = 0;
    for (; digits < text.size() && digits < 6 && std::isdigit(static_cast<unsigned char>(text[digits])); ++digits)
        value = 10 * value + std::size_t(text[digits] - '0');
    if (digits == 0) return std::nullopt;
    return std::pair{value, digits};
}

// Returns the files whose line `number` contains `word`, by following the #line directives.
std::set<std::size_t> filesWith(const ShaderSource& source, std::size_t number, std::string_view word)
{
    std::set<std::size_t> files;
    std::size_t file = 0, line = 0;
    for (std::string_view rest = source.text; !rest.empty();)
    {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
        const std::string_view content = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        ++line;
        if (line == number && file != 0 && content.find(word) != std::string_view::npos) files.insert(file);
        const std::optional<std::string_view> place = directive(content, "line");
        const auto next = place ? leadingNumber(*place) : std::nullopt;
        if (!next) continue;
        line = next->first - 1;
        const auto to = leadingNumber(trimmedLeft(place->substr(next->second)));
        if (to && to->first < source.files.size()) file = to->first;
    }
    return files;
}

std::string fileName(const ShaderSource& source, std::size_t file, std::size_t line, std::string_view message)
{
    if (file != 0 || source.files.size() < 2) return source.files[file];
    const std::size_t open = message.find('`'), close = message.find('\'', open + 1);
    std::set<std::size_t> candidates;
    if (open != std::string_view::npos && close != std::string_view::npos)
        candidates = filesWith(source, line, message.substr(open + 1, close - open - 1));
    return candidates.size() == 1 ? source.files[*candidates.begin()] : source.files[1] + " or an include";
}

std::string mapLine(std::string_view line, const ShaderSource& source)
{
    std::size_t start = 0;
    for (const std::string_view prefix : {"ERROR: ", "WARNING: "})
        if (line.starts_with(prefix)) start = prefix.size();
    const auto file = leadingNumber(line.substr(start));
    if (!file || file->first >= source.files.size()) return std::string(line);
    const std::size_t separator = start + file->second;
    if (separator >= line.size() || (line[separator] != ':' && line[separator] != '(')) return std::string(line);
    const auto place = leadingNumber(line.substr(separator + 1));
    if (!place) return std::string(line);
    std::size_t rest = separator + 1 + place->second;
    if (line[separator] == '(' && rest < line.size() && line[rest] == ')') ++rest;
    return fmt::format("{}{}:{}{}", line.substr(0, start),
                       fileName(source, file->first, place->first, line.substr(rest)), place->first, line.substr(rest));
}

}  // namespace

Result<ShaderSource> resolveShader(const ShaderReader& read, const std::string& path, const ShaderDialect& dialect,
                                   const std::vector<ShaderDefine>& defines)
{
    ShaderSource source;
    source.files.push_back("<prelude>");
    source.text = prelude(path, dialect, defines);
    Resolver resolver(read, defines, source);
    if (Status status = resolver.append(path, path); !status) return status.error();
    return source;
}

ShaderReader shaderReader(std::string root)
{
    return [root = std::move(root)](const std::string& path) -> std::optional<std::string> {
        const Result<std::string> text = readTextFile(root + "/" + path, kMaxShaderBytes);
        return text ? std::optional(*text) : std::nullopt;
    };
}

std::string mapShaderLog(std::string_view log, const ShaderSource& source)
{
    std::string mapped;
    while (!log.empty())
    {
        const std::size_t end = log.find('\n');
        mapped += mapLine(log.substr(0, end), source) + "\n";
        log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    }
    return mapped;
}

std::string firstShaderError(std::string_view log)
{
    std::string first;
    while (!log.empty())
    {
        const std::size_t end = log.find('\n');
        const std::string line(log.substr(0, end));
        log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
        if (line.find("error") != std::string::npos || line.find("ERROR") != std::string::npos) return line;
        if (first.empty()) first = line;
    }
    return first;
}

}  // namespace orogen::app
