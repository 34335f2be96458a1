// orogen man-pages and orogen completion, and the description of the command line that they use.
#include "app/cli/reference.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"

namespace orogen::app {
namespace {

std::vector<std::string> splitAt(std::string_view text, char separator)
{
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= text.size();)
    {
        const std::size_t end = std::min(text.find(separator, from), text.size());
        words.emplace_back(text.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

// CLI11's type name contains checked choices after a colon: "NAME:{bash,zsh}".  "on/off" also lists choices; upper case
// ("FILE", "W/H") is a placeholder.
std::vector<std::string> choicesIn(const std::string& named)
{
    const std::size_t opening = named.find(":{"), closing = named.find('}', opening);
    if (opening != named.npos && closing != named.npos)
        return splitAt(std::string_view(named).substr(opening + 2, closing - opening - 2), ',');
    if (named.find('/') == named.npos) return {};
    const std::vector<std::string> words = splitAt(std::string_view(named).substr(0, named.find(':')), '/');
    const bool allWords = std::ranges::all_of(words, [](const std::string& word) {
        return !word.empty() && std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
    });
    return allWords ? words : std::vector<std::string>{};
}

OptionReference optionReference(const CLI::Option& option)
{
    OptionReference reference;
    for (const std::string& name : option.get_snames())
        reference.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        reference.names.push_back("--" + name);
    if (option.get_positional()) reference.operand = option.get_name(true);
    const std::string named = option.get_type_size() != 0 ? option.get_type_name() : std::string();
    reference.value = named.substr(0, named.find(':'));
    reference.choices = choicesIn(named);
    reference.text = option.get_description();
    return reference;
}

CommandReference commandReference(const CLI::App& app, const std::string& name)
{
    CommandReference reference{name, app.get_description(), {}, {}, {}};
    for (const CLI::Option* option : app.get_options())
    {
        OptionReference described = optionReference(*option);
        (described.names.empty() ? reference.operands : reference.options).push_back(std::move(described));
    }
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        reference.commands.push_back(commandReference(*command, name + " " + command->get_name()));
    return reference;
}

Result<ExitCode> writeManPages(const CommandReference& program, const std::string& folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error{ExitCode::kOutput, fmt::format("{}: cannot be made: {}", folder, failed.message())};
    for (const auto& [name, text] : manPages(program))
        if (Status s = writeFileAtomically((std::filesystem::path(folder) / name).string(), text); !s) return s.error();
    return ExitCode::kDone;
}

}  // namespace

bool OptionReference::isFile() const
{
    constexpr std::string_view kFiles[] = {"FILE", "DIR", "DEM", "TEXT"};
    const auto named = [&](std::string_view place) { return value.starts_with(place) || operand.starts_with(place); };
    return std::ranges::any_of(kFiles, named);
}

CommandReference referenceOf(const CLI::App& root) { return commandReference(root, root.get_name()); }

void addReferenceCommands(CLI::App& root, Command& chosen)
{
    CLI::App* pages = root.add_subcommand("man-pages", "write a man page for each command into a folder");
    const auto folder = std::make_shared<std::string>();
    pages->add_option("DIR", *folder, "where they go: made if it is missing, pages in it are replaced")->required();
    pages->callback(
        [&root, folder, &chosen] { chosen = [&root, folder] { return writeManPages(referenceOf(root), *folder); }; });

    CLI::App* completions = root.add_subcommand("completion", "print a shell's completion script");
    const auto shell = std::make_shared<std::string>();
    completions->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completions->callback([&root, shell, &chosen] {
        chosen = [&root, shell]() -> Result<ExitCode> {
            print(completion(referenceOf(root), *shell));
            return ExitCode::kDone;
        };
    });
}

}  // namespace orogen::app
