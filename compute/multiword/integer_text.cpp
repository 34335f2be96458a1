// GMP converts decimal text in far less than quadratic time. Its conversions cannot be interrupted; see
// unlessStopped(). Other long loops process text and limbs in pieces and check for a stop between them.
#include "compute/multiword/integer_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <chrono>
#include <cstring>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>

#include <fmt/format.h>
#include <gmp.h>

#include "compute/multiword/multiword.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

constexpr std::array<std::uint8_t, 256> kDigitValues = [] {
    std::array<std::uint8_t, 256> values = {};
    values.fill(16);
    for (unsigned digit = 0; digit < 16; ++digit)
        for (const char* digits : {"0123456789abcdef", "0123456789ABCDEF"})
            values[static_cast<unsigned char>(digits[digit])] = std::uint8_t(digit);
    return values;
}();

int digitValue(char c) { return kDigitValues[static_cast<unsigned char>(c)]; }

std::string visible(char c)
{
    if (c >= 0x20 && c < 0x7f) return fmt::format("'{}'", c);
    return fmt::format("byte {:#04x}", static_cast<unsigned char>(c));
}

LimbBuffer withoutLeadingZeros(LimbBuffer limbs)
{
    std::size_t size = limbs.size();
    while (size > 1 && limbs[size - 1] == 0)
        --size;
    limbs.shrink(size);
    return limbs;
}

// Returns the result of `work`, or nullopt soon after a stop. GMP's conversions cannot be interrupted, so long ones get
// a thread of their own. After a stop that thread finishes alone and drops its result; `work` therefore owns all its
// data. If no thread can be started, the calling thread does the work and ignores stops.
template <class Work>
auto unlessStopped(bool maybeLong, Work work, const std::stop_token& stop) -> std::optional<decltype(work())>
{
    if (!maybeLong) return work();
    const auto task = std::make_shared<std::packaged_task<decltype(work())()>>(std::move(work));
    auto result = task->get_future();
    if (Result<std::jthread> thread = startThread("GMP", [task] { (*task)(); }))
        thread->detach();
    else
        (*task)();
    while (result.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready)
        if (stop.stop_requested()) return std::nullopt;
    return result.get();
}
constexpr std::size_t kLongDecimal = 100'000;  // digits; GMP 6.2 converts them in 5 ms

constexpr std::size_t kHexLimbsBetweenLooks = std::size_t(1) << 16;  // limbs between two checks for a stop
constexpr std::size_t kTextPiece = std::size_t(4) << 20;  // characters between two checks for a stop: under 10 ms

// Calls `work` with successive pieces of `text` and their positions until it returns false. Returns false after a stop.
template <class Work>
bool forPieces(std::string_view text, const std::stop_token& stop, const Work& work)
{
    for (std::size_t begin = 0; begin < text.size(); begin += kTextPiece)
    {
        if (stop.stop_requested()) return false;
        if (!work(text.substr(begin, kTextPiece), begin)) return true;
    }
    return !stop.stop_requested();
}

// Returns the position of the first `wanted`. Returns the size of `text` if there is none, or after a stop.
std::size_t findFirst(std::string_view text, const std::stop_token& stop, char wanted)
{
    std::size_t found = text.size();
    forPieces(text, stop, [&](std::string_view piece, std::size_t begin) {
        const std::size_t at = piece.find(wanted);
        if (at == piece.npos) return true;
        found = begin + at;
        return false;
    });
    return found;
}

// Returns the position of the first character that is no digit below `radix`. Returns the size of `text` if there is
// none, or after a stop.
std::size_t findWrongDigit(std::string_view text, int radix, const std::stop_token& stop)
{
    constexpr std::size_t kBlock = 256;
    std::size_t found = text.size();
    forPieces(text, stop, [&](std::string_view piece, std::size_t begin) {
        for (std::size_t i = 0; i < piece.size(); i += kBlock)
        {
            const std::string_view block = piece.substr(i, kBlock);
            int largest = 0;
            for (const char c : block)
                largest = std::max(largest, digitValue(c));
            if (largest < radix) continue;
            const auto at = std::ranges::find_if(block, [radix](char c) { return digitValue(c) >= radix; });
            found = begin + i + std::size_t(at - block.begin());
            return false;
        }
        return true;
    });
    return found;
}

constexpr std::size_t kHexDigits = kLimbBits / 4;  // digits per limb

// Converts eight characters, hexadecimal digits, by operations on all of them at once.  Sets bits of `wrong` if a
// character is no digit.
std::uint32_t fromEightDigits(const char* digits, std::uint64_t& wrong)
{
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    std::uint64_t text;
    std::memcpy(&text, digits, sizeof(text));
    if constexpr (std::endian::native == std::endian::little) text = __builtin_bswap64(text);
    const std::uint64_t letters = text >> 6 & kOnes;  // 1 where bit 6 is set, as in 'A' ... 'F' and 'a' ... 'f'
    std::uint64_t values = (text & 0x0f * kOnes) + 9 * letters;
    // A digit is '0' + value below 10, and a small letter 'a' - 10 + value from 10 to 15.
    wrong |= (text | letters << 5) ^ ('0' * kOnes + values + ('a' - 10 - '0') * letters);
    wrong |= (((values + 6 * kOnes) ^ letters << 4) | values) & 0x10 * kOnes;
    values = (values | values >> 4) & 0x00ff00ff00ff00ff;
    values = (values | values >> 8) & 0x0000ffff0000ffff;
    return std::uint32_t(values | values >> 16);
}

// Writes `limbs`, as many as limbsOfDigits() returns.  Returns false if a character is no hexadecimal digit.  A stop
// leaves the remaining limbs unwritten.
bool fromHexadecimal(std::string_view digits, std::span<Limb> limbs, const std::stop_token& stop)
{
    constexpr std::size_t kDigits = kHexDigits;
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < limbs.size(); ++i)
    {
        if (i % kHexLimbsBetweenLooks == 0 && stop.stop_requested()) break;
        const std::size_t end = digits.size() - i * kDigits;
        if (end >= kDigits)
        {
            const char* const begin = digits.data() + end - kDigits;
            const Limb upper = fromEightDigits(begin, wrong);
            limbs[i] = upper << 32 | fromEightDigits(begin + 8, wrong);
            continue;
        }
        Limb limb = 0;
        for (const char c : digits.substr(0, end))
        {
            wrong |= std::uint64_t(digitValue(c) & 16);
            limb = limb << 4 | Limb(digitValue(c));
        }
        limbs[i] = limb;
    }
    return wrong == 0;
}

// Returns a copy; after a stop only part of it, which the caller discards.
std::string copied(std::string_view text, const std::stop_token& stop)
{
    std::string copy;
    copy.reserve(text.size());
    adviseLargePages(copy.data(), copy.capacity());
    forPieces(text, stop, [&](std::string_view piece, std::size_t) { return copy.append(piece), true; });
    return copy;
}

// Writes `limbs`, as many as limbsOfDigits() returns.  `values` consists of decimal digits.
void fromDecimal(std::string values, std::span<Limb> limbs)
{
    for (char& c : values)
        c = char(c - '0');
    std::ranges::fill(limbs, 0);
    mpn_set_str(reinterpret_cast<mp_limb_t*>(limbs.data()), reinterpret_cast<const unsigned char*>(values.data()),
                values.size(), 10);
}

std::string_view withoutPrefix(std::string_view digits, Radix radix)
{
    const bool prefixed = radix == Radix::kHexadecimal && (digits.starts_with("0x") || digits.starts_with("0X"));
    return digits.substr(prefixed ? 2 : 0);
}

// Removes the prefix "0x" of hexadecimal digits.  Returns an error if no digit remains or if a character is no digit.
// `column` is the position of the first character, for the message.
Status checkDigits(std::string_view& digits, Radix radix, const std::string& where, std::size_t column,
                   const std::stop_token& stop)
{
    const std::size_t whole = digits.size();
    const bool hexadecimal = radix == Radix::kHexadecimal;
    digits = withoutPrefix(digits, radix);
    const char* const expected = hexadecimal ? "hexadecimal digits" : "decimal digits";
    if (digits.empty()) return Error{ExitCode::kInput, fmt::format("{}: no number, expected {}", where, expected)};
    const std::size_t wrong = findWrongDigit(digits, hexadecimal ? 16 : 10, stop);
    if (wrong == digits.size()) return Status::ok();
    return Error{ExitCode::kInput, fmt::format("{}: {} at character {}, expected {}", where, visible(digits[wrong]),
                                               column + whole - digits.size() + wrong, expected)};
}

}  // namespace

std::size_t limbsOfDigits(std::size_t digits, Radix radix)
{
    if (radix == Radix::kHexadecimal) return (digits + kHexDigits - 1) / kHexDigits;
    // A digit takes less than 3.33 bits. mpn_set_str() requires one limb more than the value has.
    return std::size_t(double(digits) * 3.33 / kLimbBits) + 2;
}

Status parseIntegerTo(std::span<Limb> limbs, std::string_view digits, Radix radix, const std::string& where,
                      std::size_t column, const std::stop_token& stop)
{
    if (radix == Radix::kHexadecimal)
    {
        const std::string_view number = withoutPrefix(digits, radix);
        const std::size_t used = limbsOfDigits(number.size(), radix);
        std::ranges::fill(limbs.subspan(used), 0);
        if (fromHexadecimal(number, limbs.first(used), stop) && used > 0) return Status::ok();
    }
    if (Status status = checkDigits(digits, radix, where, column, stop); !status) return status;
    // Only a stop leads here: it ended the search of checkDigits() for the wrong character.
    if (radix == Radix::kHexadecimal) return Status::ok();
    std::ranges::fill(limbs, 0);
    if (digits.size() <= kLongDecimal)
        return fromDecimal(std::string(digits), limbs.first(limbsOfDigits(digits.size(), radix))), Status::ok();
    const Result<LimbBuffer> number = parseInteger(digits, radix, where, stop);
    if (!number) return number.error();
    copyLimbs(limbs.data(), *number, stop);
    return Status::ok();
}

Result<LimbBuffer> parseInteger(std::string_view digits, Radix radix, const std::string& where,
                                const std::stop_token& stop)
{
    if (Status status = checkDigits(digits, radix, where, 1, stop); !status) return status.error();
    if (const Status status = checkMemory(where, 2 * digits.size()); !status) return status.error();
    std::optional<LimbBuffer> limbs(limbsOfDigits(digits.size(), radix));
    if (radix == Radix::kHexadecimal)
        fromHexadecimal(digits, *limbs, stop);
    else
        limbs = unlessStopped(
            digits.size() > kLongDecimal,
            [values = copied(digits, stop), number = std::move(*limbs)]() mutable {
                fromDecimal(std::move(values), number);
                return std::move(number);
            },
            stop);
    if (!limbs || stop.stop_requested()) return Error{ExitCode::kInterrupted, where + ": stopped"};
    return withoutLeadingZeros(std::move(*limbs));
}

Result<LimbBuffer> readInteger(const std::string& path, Radix radix, const std::stop_token& stop)
{
    const Result<std::string> text = readOperandFile(path, [&stop] { return stop.stop_requested(); });
    if (!text) return text.error();
    std::string_view rest = *text, number;
    std::uint64_t line = 0, found = 0;
    while (!rest.empty())
    {
        const std::size_t end = findFirst(rest, stop, '\n');
        const std::size_t comment = findFirst(rest.substr(0, end), stop, '#');
        if (stop.stop_requested()) return Error{ExitCode::kInterrupted, path + ": stopped"};
        const std::string_view content = trimmed(rest.substr(0, comment));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++line;
        if (content.empty()) continue;
        if (found != 0) return Error{ExitCode::kInput, fmt::format("{}:{}: a second number, expected one", path, line)};
        number = content;
        found = line;
    }
    if (found == 0) return Error{ExitCode::kInput, fmt::format("{}: no number in it", path)};
    return parseInteger(number, radix, fmt::format("{}:{}", path, found), stop);
}

Result<LimbBuffer> integerOperand(std::string_view operand, Radix radix, const std::string& name,
                                  const std::stop_token& stop)
{
    if (operand.starts_with('@')) return readInteger(std::string(operand.substr(1)), radix, stop);
    return parseInteger(operand, radix, name, stop);
}

namespace {

std::string hexadecimalText(std::span<const Limb> limbs, bool carry, const std::stop_token& stop)
{
    constexpr int kDigits = kLimbBits / 4;
    std::string text = carry ? "1" : fmt::format("{:x}", limbs.back());
    text.reserve(text.size() + kDigits * limbs.size());
    for (std::size_t i = limbs.size() - (carry ? 0 : 1); i-- > 0;)
    {
        if (i % kHexLimbsBetweenLooks == 0 && stop.stop_requested()) return "";
        char digits[kDigits];
        for (int d = 0; d < kDigits; ++d)
            digits[kDigits - 1 - d] = "0123456789abcdef"[limbs[i] >> 4 * d & 15];
        text.append(digits, kDigits);
    }
    return text;
}

// Copies the limbs and the carry above them, since mpn_get_str() overwrites its input.
LimbBuffer copied(std::span<const Limb> limbs, bool carry, const std::stop_token& stop)
{
    LimbBuffer copy(limbs.size() + 2);
    copyLimbs(copy.data(), limbs, stop);
    copy[limbs.size()] = carry;
    copy.shrink(limbs.size() + carry);
    return copy;
}

std::string decimalText(LimbBuffer& clobbered)
{
    std::string text(std::size_t(double(clobbered.size() + 1) * kLimbBits * 0.30103) + 2, '\0');
    text.resize(mpn_get_str(reinterpret_cast<unsigned char*>(text.data()), 10,
                            reinterpret_cast<mp_limb_t*>(clobbered.data()), mp_size_t(clobbered.size())));
    for (char& c : text)
        c = char(c + '0');
    return text.erase(0, text.find_first_not_of('0'));
}

}  // namespace

std::string integerText(std::span<const Limb> limbs, bool carry, Radix radix, const std::stop_token& stop)
{
    std::size_t size = limbs.size();
    while (size > 0 && !carry && limbs[size - 1] == 0)
        --size;
    if (size == 0 && !carry) return "0";
    if (radix == Radix::kHexadecimal) return hexadecimalText(limbs.first(size), carry, stop);
    return unlessStopped(
               size * 19 > kLongDecimal,
               [number = copied(limbs.first(size), carry, stop)]() mutable { return decimalText(number); }, stop)
        .value_or("");
}

std::uint64_t bitLength(std::span<const Limb> limbs)
{
    for (std::size_t i = limbs.size(); i-- > 0;)
        if (limbs[i] != 0) return std::uint64_t(i) * kLimbBits + std::uint64_t(std::bit_width(limbs[i]));
    return 0;
}

// ---- generated numbers ----

namespace {

// Returns SplitMix64 of seed and place (Steele, Lea, Flood 2014), with random access to places.
Limb randomLimb(std::uint64_t seed, std::uint64_t place)
{
    Limb z = seed * 0xd1342543de82ef95 + (place + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

std::pair<Limb, Limb> limbsAt(Pattern pattern, std::uint64_t seed, std::size_t i)
{
    switch (pattern)
    {
    case Pattern::kRandom:
        return {randomLimb(seed, 2 * i), randomLimb(seed, 2 * i + 1)};
    case Pattern::kOnes:
        return {~Limb(0), i == 0 ? 1 : 0};
    case Pattern::kAlternating:
        return {0xaaaaaaaaaaaaaaaa, 0x5555555555555555};
    }
    return {};
}

}  // namespace

GeneratedPair generatePair(Pattern pattern, std::uint64_t bits, std::uint64_t seed, const std::stop_token& stop)
{
    assert(bits >= 1);
    const std::size_t limbs = (bits + kLimbBits - 1) / kLimbBits;
    GeneratedPair pair{LimbBuffer(limbs), LimbBuffer(limbs)};
    for (std::size_t i = 0; i < limbs; ++i)
    {
        if (i % kLimbsBetweenLooks == 0 && stop.stop_requested()) return pair;
        std::tie(pair.larger[i], pair.smaller[i]) = limbsAt(pattern, seed, i);
    }
    const Limb all = ~Limb(0) >> (limbs * kLimbBits - bits), top = all ^ all >> 1;
    pair.larger[limbs - 1] &= all;
    pair.smaller[limbs - 1] &= all;
    if (pattern == Pattern::kRandom) pair.larger[limbs - 1] |= top;

    const bool smallerIsLarger = mpn_cmp(reinterpret_cast<const mp_limb_t*>(pair.larger.data()),
                                         reinterpret_cast<const mp_limb_t*>(pair.smaller.data()), mp_size_t(limbs)) < 0;
    if (smallerIsLarger) std::swap(pair.larger, pair.smaller);
    return pair;
}

}  // namespace orogen::compute
