#include "compute/multiword/pair_file.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/text_file.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kLinesBetweenLooks = 1024;  // lines between two checks for a stop

struct Word
{
    std::string_view digits;
    std::size_t column;  // from 1
};
struct TextPair
{
    Word a, b;
    std::uint64_t line;
};

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Returns the next word of a line from `at` on, and moves `at` behind the word.  The word is empty if there is none.
// The loops are plain because find_first_of() takes some 10 ns per character.
Word nextWord(std::string_view line, std::size_t& at)
{
    while (at < line.size() && isBlank(line[at]))
        ++at;
    const std::size_t begin = at;
    while (at < line.size() && !isBlank(line[at]))
        ++at;
    return {line.substr(begin, at - begin), begin + 1};
}

Status takeLine(std::string_view line, const std::string& name, std::uint64_t number, std::vector<TextPair>& pairs)
{
    line = line.substr(0, line.find('#'));
    std::size_t at = 0;
    const Word a = nextWord(line, at), b = nextWord(line, at);
    if (a.digits.empty()) return Status::ok();
    if (b.digits.empty() || !nextWord(line, at).digits.empty())
        return Error{ExitCode::kInput, fmt::format("{}:{}: found {}, expected two numbers with blanks between them",
                                                   name, number, b.digits.empty() ? "one number" : "a third number")};
    pairs.push_back({a, b, number});
    return Status::ok();
}

// Parses a number.  Only after a failure, formats the location and parses again for the message, so that valid numbers
// need no formatting.
Status takeNumber(std::span<Limb> to, const Word& word, std::uint64_t line, const std::string& name, Radix radix,
                  const std::stop_token& stop)
{
    if (parseIntegerTo(to, word.digits, radix, name, word.column, stop)) return Status::ok();
    return parseIntegerTo(to, word.digits, radix, fmt::format("{}:{}", name, line), word.column, stop);
}

// Copies the numbers, which take `from` limbs each, closer together, to `limbs` limbs each.
LimbBuffer narrowed(const LimbBuffer& wide, std::uint64_t count, std::size_t from, std::size_t limbs)
{
    LimbBuffer narrow(count * limbs);
    for (std::uint64_t i = 0; i < count; ++i)
        std::copy_n(wide.data() + i * from, limbs, narrow.data() + i * limbs);
    return narrow;
}

}  // namespace

Result<PairList> readPairs(const std::string& path, Radix radix, std::uint64_t most, const std::stop_token& stop)
{
    const Result<std::string> text = readOperandFile(path, [&stop] { return stop.stop_requested(); });
    if (!text) return text.error();
    return pairsInText(*text, path == "-" ? "standard input" : path, radix, most, stop);
}

Result<PairList> pairsInText(std::string_view text, const std::string& name, Radix radix, std::uint64_t most,
                             const std::stop_token& stop)
{
    std::vector<TextPair> found;
    for (std::uint64_t line = 1; !text.empty() && (most == 0 || found.size() < most); ++line)
    {
        if (line % kLinesBetweenLooks == 0 && stop.stop_requested())
            return Error{ExitCode::kInterrupted, name + ": stopped"};
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (Status status = takeLine(text.substr(0, end), name, line, found); !status) return status.error();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (found.empty()) return Error{ExitCode::kInput, fmt::format("{}: no pair of numbers in it", name)};
    if (found.size() < most)
        return Error{ExitCode::kInput, fmt::format("{}: found {} pair{}, expected {} (count)", name, found.size(),
                                                   found.size() == 1 ? "" : "s", most)};

    PairList pairs{.count = found.size()};
    std::size_t longest = 1;
    for (const TextPair& pair : found)
        longest =
            std::max({longest, limbsOfDigits(pair.a.digits.size(), radix), limbsOfDigits(pair.b.digits.size(), radix)});
    constexpr std::uint64_t kCopies = 3;  // two operands and their sum
    if (pairs.count > kNoMemoryLimit / (kCopies * sizeof(Limb) * longest))
        return checkMemory(name, kNoMemoryLimit).error();
    if (Status status = checkMemory(name, pairs.count * longest * kCopies * sizeof(Limb)); !status)
        return status.error();
    pairs.a = LimbBuffer(pairs.count * longest);
    pairs.b = LimbBuffer(pairs.count * longest);
    pairs.lines.reserve(found.size());
    for (const TextPair& pair : found)
    {
        const std::size_t i = pairs.lines.size() * longest;
        const std::span<Limb> a(pairs.a.data() + i, longest), b(pairs.b.data() + i, longest);
        if (Status status = takeNumber(a, pair.a, pair.line, name, radix, stop); !status) return status.error();
        if (Status status = takeNumber(b, pair.b, pair.line, name, radix, stop); !status) return status.error();
        pairs.bits = std::max({pairs.bits, bitLength(a), bitLength(b)});
        pairs.lines.push_back(pair.line);
        if (pair.line % kLinesBetweenLooks == 0 && stop.stop_requested())
            return Error{ExitCode::kInterrupted, name + ": stopped"};
    }
    // The number of limbs estimated from the number of digits may be too large, for example with leading zeros.
    pairs.limbs = std::size_t((pairs.bits + kLimbBits - 1) / kLimbBits);
    if (pairs.limbs < longest)
    {
        pairs.a = narrowed(pairs.a, pairs.count, longest, pairs.limbs);
        pairs.b = narrowed(pairs.b, pairs.count, longest, pairs.limbs);
    }
    return pairs;
}

}  // namespace orogen::compute
