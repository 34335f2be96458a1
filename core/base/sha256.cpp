#include "core/base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_file.h"

namespace orogen {
namespace {

using Words = std::array<std::uint32_t, 64>;

// First 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr Words kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t bigEndian(const std::uint8_t* bytes)
{
    return std::uint32_t(bytes[0]) << 24 | std::uint32_t(bytes[1]) << 16 | std::uint32_t(bytes[2]) << 8 | bytes[3];
}

Words schedule(const std::uint8_t* bytes)
{
    Words w;
    for (std::size_t t = 0; t < 16; ++t)
        w[t] = bigEndian(bytes + 4 * t);
    for (std::size_t t = 16; t < 64; ++t)
    {
        const std::uint32_t a = w[t - 15], b = w[t - 2];
        const std::uint32_t sigma0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3);
        const std::uint32_t sigma1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10);
        w[t] = w[t - 16] + sigma0 + w[t - 7] + sigma1;
    }
    return w;
}

}  // namespace

Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
{
}

void Sha256::block(const std::uint8_t* bytes)
{
    const Words w = schedule(bytes);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t)
    {
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t first = h + sum1 + ((e & f) ^ (~e & g)) + kRoundConstants[t] + w[t];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t second = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const std::array<std::uint32_t, 8> add = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < add.size(); ++i)
        state_[i] += add[i];
}

void Sha256::add(std::span<const std::byte> bytes)
{
    while (!bytes.empty())
    {
        const std::size_t used = length_ % pending_.size();
        const std::size_t count = std::min(pending_.size() - used, bytes.size());
        std::memcpy(pending_.data() + used, bytes.data(), count);
        length_ += count;
        bytes = bytes.subspan(count);
        if (used + count == pending_.size()) block(pending_.data());
    }
}

Sha256::Digest Sha256::finish()
{
    const std::uint64_t bits = length_ * 8;
    std::array<std::uint8_t, 72> padding{0x80};
    const std::size_t zeros = (119 - length_ % 64) % 64;  // leaves 8 bytes for the length in the last block
    for (std::size_t i = 0; i < 8; ++i)
        padding[1 + zeros + i] = std::uint8_t(bits >> (56 - 8 * i));
    add(std::as_bytes(std::span(padding).first(9 + zeros)));
    Digest digest;
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = std::uint8_t(state_[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

std::string hex(const Sha256::Digest& digest)
{
    std::string text;
    for (const std::uint8_t byte : digest)
        text += fmt::format("{:02x}", byte);
    return text;
}

std::string sha256(std::string_view bytes)
{
    Sha256 hash;
    hash.add(bytes);
    return hex(hash.finish());
}

Result<std::string> sha256OfFile(const std::string& path)
{
    Result<InputFile> file = InputFile::open(path);
    if (!file) return file.error();
    Sha256 hash;
    for (std::vector<char> buffer(1 << 18);;)
    {
        const Result<std::size_t> count = file->read(buffer);
        if (!count) return count.error();
        if (*count == 0) return hex(hash.finish());
        hash.add(std::as_bytes(std::span(buffer).first(*count)));
    }
}

}  // namespace orogen
