#include <array>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/module_options.h"
#include "compute/linear_algebra/module.h"

namespace orogen::app {
namespace {

struct CgOptions
{
    Assignments assignments;
    bool json = false;
};

std::string readableText(const compute::JobResult& result)
{
    constexpr std::size_t kMostShown = 20;
    std::string text = resultText(result);
    const nlohmann::ordered_json& x = result.json.at("x");
    for (std::size_t i = 0; i < std::min(x.size(), kMostShown); ++i)
        text += fmt::format("{:<24} {}\n", fmt::format("x {}", i + 1), x[i].get<double>());
    if (x.size() > kMostShown) text += fmt::format("and {} more; --json has all\n", x.size() - kMostShown);
    return text;
}

Result<ExitCode> runCg(const CgOptions& options)
{
    const compute::Module& module = compute::linearAlgebraModule();
    Result<compute::ParameterValues> values = valuesOf(module, options.assignments);
    if (!values) return values.error();
    const Result<compute::JobResult> result = runOnCommandLine(module, *values);
    if (!result) return result.error();
    print(options.json ? result->json.dump(2) + "\n" : readableText(*result));
    return result->json.at("converged").get<bool>() ? ExitCode::kDone : ExitCode::kNo;
}

void addSolve(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("solve", "A x = b; exits with 1 where it does not converge");
    const auto options = std::make_shared<CgOptions>();
    for (const std::string key : {"a", "b"})
        command->add_option_function<std::string>(
            key == "a" ? "A.mtx" : "B.mtx",
            [options, key](const std::string& text) { options->assignments.emplace_back(key, text); },
            key == "a" ? "the matrix, a Matrix Market file" : "the right-hand side; without it A times ones");
    constexpr std::array<std::string_view, 2> kElsewhere = {"a", "b"};
    addModuleOptions(*command, compute::linearAlgebraModule(), kElsewhere, options->assignments);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runCg(*options); }; });
}

}  // namespace

void addCgCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("cg", "symmetric positive definite systems of linear equations");
    command->require_subcommand(1);
    addSolve(*command, chosen);
}

}  // namespace orogen::app
