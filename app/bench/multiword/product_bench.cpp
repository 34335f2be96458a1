#include "app/bench/multiword/product_bench.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compute/multiword/integer_text.h"
#include "compute/multiword/product.h"

namespace orogen::app::bench {

using namespace compute;

Table productTable()
{
    return {.key = "products",
            .title = "Products of two numbers of one length, on one thread, against mpn_mul",
            .columns = {integerColumn("limbs", "/limbs"), wordColumn("algorithm", "/algorithm"),
                        numberColumn("us", "/microseconds", 3), percentColumn("spread", "/spread"),
                        numberColumn("gmp us", "/gmp_microseconds", 3), percentColumn("spread", "/gmp_spread"),
                        numberColumn("ratio", "/ratio", 2), checkColumn()}};
}

Status measureProducts(BenchRun& run, std::size_t limbs, bool quick, std::size_t table)
{
    constexpr std::size_t kLongestSchoolbook = 1024;  // limbs; longer operands take too long
    const GeneratedPair pair = generatePair(Pattern::kRandom, limbs * kLimbBits, 1, {});
    const ProductAlgorithm chosen = productAlgorithmFor(limbs);
    for (const ProductAlgorithm algorithm : kProductAlgorithms)
    {
        if (algorithm == ProductAlgorithm::kGmp) continue;
        if (algorithm == ProductAlgorithm::kSchoolbook && limbs > kLongestSchoolbook) continue;
        if (algorithm != ProductAlgorithm::kSchoolbook && algorithm > chosen) continue;  // would run as `chosen` does
        std::vector<Limb> product(2 * limbs), expected(2 * limbs);
        const auto multiply = [&](std::vector<Limb>& to, ProductAlgorithm by) {
            return repeated([&to, &pair, by] { multiplyLimbs(to, pair.larger, pair.smaller, by); });
        };
        const Result<std::vector<Timing>> timings =
            run.time(fmt::format("product, {} limbs, {}", limbs, nameOf(algorithm)),
                     {{.section = multiply(product, algorithm), .finalCheck = [&] { return product == expected; }},
                      {.section = multiply(expected, ProductAlgorithm::kGmp)}},
                     {.leastRounds = 3,
                      .mostRounds = quick ? 15 : 61,
                      .seconds = quick ? 0.1 : 1.0,
                      .batchMs = quick ? 0.5 : 2.0});
        if (!timings) return timings.error();
        const auto& [ours, gmp] = std::pair((*timings)[0], (*timings)[1]);
        Json row = {{"limbs", limbs}, {"algorithm", nameOf(algorithm)}, {"backend", "cpu"}, {"threads", 1}};
        addPair(row, ours, gmp, "gmp");
        row["microseconds"] = 1000 * ours.minimumMs;
        row["gmp_microseconds"] = 1000 * gmp.minimumMs;
        row["check"] = ours.equal;
        run.add(std::move(row), table);
    }
    return Status::ok();
}

}  // namespace orogen::app::bench
