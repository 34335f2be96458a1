#include "compute/terrain_model/brushes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>

#include "core/terrain/synthetic/noise.h"

namespace orogen::compute {
std::optional<BrushKind> brushNamed(std::string_view name)
{
    const auto found = std::ranges::find(kBrushNames, name);
    return found == kBrushNames.end() ? std::nullopt : std::optional(BrushKind(found - kBrushNames.begin()));
}

std::size_t Brushes::Stroke::bytes() const
{
    constexpr std::size_t kNode = 64;  // bytes that the map adds per block
    std::size_t all = sizeof(Stroke);
    for (const auto& [number, cells] : blocks)
        all += kNode + cells.size() * sizeof cells.front();
    return all;
}

CellBox Brushes::boxOf(std::uint32_t block) const
{
    const int columns = (model_.width() + kBlock - 1) / kBlock;
    const int x = int(block) % columns * kBlock, y = int(block) / columns * kBlock;
    return {x, y, std::min(x + kBlock, model_.width()), std::min(y + kBlock, model_.height())};
}

void Brushes::dropEmpty()
{
    if (!newestIsEmpty()) return;
    bytes_ -= done_.back().bytes();
    done_.pop_back();
}

void Brushes::begin()
{
    dropEmpty();
    for (const Stroke& stroke : undone_)
        bytes_ -= stroke.bytes();
    undone_.clear();
    done_.emplace_back();
    bytes_ += done_.back().bytes();
    while (bytes_ > kMostBytes && done_.size() > 1)
    {
        bytes_ -= done_.front().bytes();
        done_.pop_front();
    }
}

void Brushes::forget()
{
    done_.clear();
    undone_.clear();
    bytes_ = 0;
}

// Stores the blocks of a box that the newest stroke has not touched yet.
void Brushes::remember(const CellBox& box)
{
    Stroke& stroke = done_.back();
    bytes_ -= stroke.bytes();
    const int columns = (model_.width() + kBlock - 1) / kBlock;
    for (int by = box.y0 / kBlock; by <= (box.y1 - 1) / kBlock; ++by)
        for (int bx = box.x0 / kBlock; bx <= (box.x1 - 1) / kBlock; ++bx)
        {
            const auto number = std::uint32_t(by * columns + bx);
            const auto [place, isNew] = stroke.blocks.try_emplace(number);
            if (!isNew) continue;
            const CellBox cells = boxOf(number);
            for (int y = cells.y0; y < cells.y1; ++y)
                for (int x = cells.x0; x < cells.x1; ++x)
                {
                    const std::size_t i = std::size_t(y) * std::size_t(model_.width()) + std::size_t(x);
                    place->second.push_back({model_.heights()[i], model_.remainders()[i]});
                }
        }
    stroke.box = joined(stroke.box, box);
    bytes_ += stroke.bytes();
}

CellBox Brushes::apply(const Dab& dab)
{
    if (done_.empty()) begin();
    const glm::dvec2 spacing(model_.alongX(), -model_.alongY());  // rows run southwards
    const glm::dvec2 centre(0.5 * (model_.width() - 1), 0.5 * (model_.height() - 1));
    const glm::dvec2 middle = centre + dab.middle / spacing;
    const glm::dvec2 reach = dab.radius / glm::abs(spacing);
    const auto from = [](double at, int most) { return int(std::clamp(std::ceil(at), 0.0, double(most))); };
    const CellBox box{from(middle.x - reach.x, model_.width()), from(middle.y - reach.y, model_.height()),
                      from(middle.x + reach.x + 1e-9, model_.width()),
                      from(middle.y + reach.y + 1e-9, model_.height())};
    if (box.empty() || !(dab.radius > 0)) return {};
    remember(box);
    const auto indexOf = [&](int x, int y) { return std::size_t(y) * std::size_t(model_.width()) + std::size_t(x); };
    std::optional<double>& level = done_.back().level;
    if (!level)
    {
        const std::size_t at = indexOf(std::clamp(int(std::lround(middle.x)), 0, model_.width() - 1),
                                       std::clamp(int(std::lround(middle.y)), 0, model_.height() - 1));
        if (model_.kinds()[at] != CellKind::kOutside) level = model_.heightAt(at);
    }
    // Reads all heights before the first is written: smoothing does not depend on the order of cells.
    const int wide = box.x1 - box.x0 + 2, high = box.y1 - box.y0 + 2;
    std::vector<double> before(std::size_t(wide) * std::size_t(high));
    for (int y = 0; y < high; ++y)
        for (int x = 0; x < wide; ++x)
        {
            const int u = box.x0 + x - 1, v = box.y0 + y - 1;
            const bool outside = u < 0 || v < 0 || u >= model_.width() || v >= model_.height();
            before[std::size_t(y) * std::size_t(wide) + std::size_t(x)] =
                outside ? std::nan("") : model_.heightAt(indexOf(u, v));
        }
    const auto heightBeside = [&](int x, int y) {
        return before[std::size_t(y - box.y0 + 1) * std::size_t(wide) + std::size_t(x - box.x0 + 1)];
    };
    for (int y = box.y0; y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x)
        {
            const glm::dvec2 offset = (glm::dvec2(x, y) - middle) * spacing;
            const double share = 1 - glm::dot(offset, offset) / (dab.radius * dab.radius);
            const double here = heightBeside(x, y);
            if (share <= 0 || std::isnan(here)) continue;
            const double weight = dab.amount * share * share;
            double height = here;
            switch (dab.kind)
            {
            case BrushKind::kRaise:
                height += weight;
                break;
            case BrushKind::kLower:
                height -= weight;
                break;
            case BrushKind::kFlatten:
                height += weight * (level.value_or(here) - here);
                break;
            case BrushKind::kNoise: {
                const glm::dvec2 at = (glm::dvec2(x, y) - centre) * spacing * (4 / dab.radius);
                height += weight * double(gradientNoise(float(at.x), float(at.y), 0));
                break;
            }
            case BrushKind::kFault:
                if (dab.direction.x * offset.y - dab.direction.y * offset.x > 0) height += weight;
                break;
            case BrushKind::kSmooth: {
                double sum = 0;
                int count = 0;
                for (int v = y - 1; v <= y + 1; ++v)
                    for (int u = x - 1; u <= x + 1; ++u)
                        if (const double beside = heightBeside(u, v); !std::isnan(beside) && (u != x || v != y))
                            sum += beside, ++count;
                if (count > 0) height += weight * (sum / count - here);
                break;
            }
            }
            model_.setHeight(indexOf(x, y), height);
        }
    return box;
}

// Exchanges the heights of a stroke's blocks with those of the model.
void Brushes::exchange(Stroke& stroke)
{
    for (auto& [number, values] : stroke.blocks)
    {
        const CellBox cells = boxOf(number);
        std::size_t next = 0;
        for (int y = cells.y0; y < cells.y1; ++y)
            for (int x = cells.x0; x < cells.x1; ++x)
            {
                const std::size_t i = std::size_t(y) * std::size_t(model_.width()) + std::size_t(x);
                const std::array<float, 2> now = {model_.heights()[i], model_.remainders()[i]};
                std::array<float, 2>& other = values[next++];
                if (model_.kinds()[i] != CellKind::kOutside) model_.setHeight(i, double(other[0]) + double(other[1]));
                other = now;
            }
    }
}

std::optional<CellBox> Brushes::undo()
{
    dropEmpty();
    if (done_.empty()) return std::nullopt;
    exchange(done_.back());
    undone_.push_back(std::move(done_.back()));
    done_.pop_back();
    return undone_.back().box;
}

std::optional<CellBox> Brushes::redo()
{
    if (undone_.empty()) return std::nullopt;
    exchange(undone_.back());
    done_.push_back(std::move(undone_.back()));
    undone_.pop_back();
    return done_.back().box;
}

}  // namespace orogen::compute
