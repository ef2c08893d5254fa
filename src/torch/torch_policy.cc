#include "torch/torch_policy.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <torch/torch.h>

#include "conpole/error.h"
#include "search/endgame.h"
#include "search/packed_beam.h"
#include "torch/inference.h"
#include "torch/move_conditions.h"
#include "torch/residual_inference.h"

namespace conpole {
namespace {

constexpr std::int64_t kStatesPerPassOnGpu = 65'536;
constexpr std::int64_t kStatesPerPassOnCpu = 1024;
constexpr std::int64_t kStatesAheadAtATime = 16'384;

// A layout's tables, and the hashes of its states, on a device.
struct DeviceLayout {
  DeviceLayout(const FixedLayout& layout, const PackedHash& hash, const torch::Device& device) {
    const auto rows = static_cast<std::int64_t>(layout.actions());
    const auto cells = static_cast<std::int64_t>(layout.cells);
    moves = torch::empty({rows, cells}, torch::kInt64);
    not_after = torch::zeros({rows, rows}, torch::kBool);
    const std::vector<std::vector<std::uint8_t>> left_out = NotAfter(layout);
    for (std::int64_t action = 0; action < rows; ++action) {
      const auto a = static_cast<std::size_t>(action);
      for (std::int64_t cell = 0; cell < cells; ++cell) {
        moves.data_ptr<std::int64_t>()[action * cells + cell] = layout.moves[a][static_cast<std::size_t>(cell)];
      }
      for (const std::uint8_t other : left_out[a]) not_after.data_ptr<bool>()[action * rows + other] = true;
    }
    words = torch::empty({static_cast<std::int64_t>(hash.words().size())}, torch::kInt64);
    std::copy(hash.words().begin(), hash.words().end(), words.data_ptr<std::int64_t>());
    first_words = torch::arange(cells, torch::kInt64) * static_cast<std::int64_t>(layout.colours);
    for (torch::Tensor* const tensor : {&moves, &not_after, &words, &first_words}) *tensor = tensor->to(device);
    conditions = MoveConditions(layout, device);
  }

  torch::Tensor Hash(const torch::Tensor& states) const { return words.take(states.to(torch::kInt64) + first_words).sum(1); }

  torch::Tensor moves;
  torch::Tensor not_after;  // a row per action: those that do not come after it
  torch::Tensor words;
  torch::Tensor first_words;  // of each cell
  MoveConditions conditions;
};

class TorchPackedBeam final : public PackedBeam {
 public:
  TorchPackedBeam(const FixedLayout& layout, const ResidualInference& network)
      : layout_(layout),
        network_(network),
        endgame_(SharedEndgame(layout)),
        price_of_doubt_(PriceOfDoubt(layout)),
        tables_(layout, endgame_.hash(), network.device()),
        solved_hash_(static_cast<std::int64_t>(endgame_.hash().Of(layout.solved.data()))) {
    std::vector<std::int64_t> hashes;
    std::vector<std::int64_t> distances;
    endgame_.List(hashes, distances);
    end_hashes_ = torch::tensor(hashes, torch::kInt64).to(network.device());
    end_distances_ = torch::tensor(distances, torch::kInt64).to(network.device());
    if (endgame_.ahead() != nullptr) ahead_words_ = HalvesOf(endgame_.ahead()->words(), endgame_.ahead()->moves());
  }

  PackedResult Search(std::span<const std::uint8_t> start, const PackedBeamOptions& options) override {
    const torch::NoGradGuard no_gradients;
    PackedResult result;
    const std::size_t reach = options.endgame ? endgame_.reach() : 0;
    const LayerWidth layer_width(options, reach);
    parents_.clear();
    actions_.clear();
    const torch::Tensor first = torch::empty({1, static_cast<std::int64_t>(start.size())}, torch::kUInt8);
    std::copy(start.begin(), start.end(), first.data_ptr<std::uint8_t>());
    Layer layer{first.to(network_.device()), {}, torch::zeros({1}, torch::TensorOptions(network_.device())), {}};
    layer.hashes = tables_.Hash(layer.states);
    std::vector<torch::Tensor> remembered;
    std::optional<std::int64_t> end;
    if (DistancesAhead(layer.states, layer.hashes, options.endgame).item<std::int64_t>() < kFar) end = 0;
    for (std::size_t steps = 0;; ++steps) {
      if (end) {
        const torch::Tensor state = layer.states[*end].to(torch::kCPU).contiguous();
        const auto* const cells = state.data_ptr<std::uint8_t>();
        if (const auto rest = endgame_.Path({cells, layout_.cells})) {
          if (steps + rest->size() > options.max_steps) return result.outcome = SearchOutcome::kOutOfBudget, result;
          result.actions = ActionsTo(*end);
          result.actions.insert(result.actions.end(), rest->begin(), rest->end());
          result.outcome = SearchOutcome::kSolved;
          return result;
        }
      }
      if (steps + reach >= options.max_steps || result.evaluated >= options.max_evaluated) {
        return result.outcome = SearchOutcome::kOutOfBudget, result;
      }
      if (options.stop.StopRequested()) return result.outcome = SearchOutcome::kInterrupted, result;
      remembered.push_back(layer.hashes);
      if (remembered.size() > kRememberedLayers) remembered.erase(remembered.begin());
      const auto width = static_cast<std::int64_t>(layer_width.After(steps + 1, result.evaluated));
      result.evaluated += static_cast<std::uint64_t>(layer.states.size(0));
      const torch::Tensor values = Values(layer, width, options);
      result.candidates += static_cast<std::uint64_t>(values.numel());
      if (!Select(values, remembered, width, options, layer, end)) {
        return result.outcome = SearchOutcome::kExhausted, result;
      }
    }
  }

 private:
  static constexpr std::int64_t kFar = 1'000'000;

  struct Layer {
    torch::Tensor states;
    torch::Tensor hashes;
    torch::Tensor values;
    torch::Tensor last;  // actions; none in the first layer
  };

  // Steps to go, or kFar, by hash.
  torch::Tensor Distances(const torch::Tensor& hashes, bool uses_endgame) const {
    const torch::Tensor far = torch::full({}, kFar, hashes.options());
    if (!uses_endgame) return torch::where(hashes.eq(solved_hash_), torch::zeros_like(far), far);
    const torch::Tensor place = torch::searchsorted(end_hashes_, hashes).clamp_max(end_hashes_.size(0) - 1);
    return torch::where(end_hashes_.take(place).eq(hashes), end_distances_.take(place), far);
  }

  // The lower and the upper halves of the words of each move, as numbers whose sums over the cells are exact.
  torch::Tensor HalvesOf(const std::vector<std::uint64_t>& words, std::size_t moves) const {
    const auto columns = static_cast<std::int64_t>(moves);
    const auto rows = static_cast<std::int64_t>(words.size()) / columns;
    const torch::Tensor halves = torch::empty({rows, 2 * columns}, torch::kFloat64);
    auto* const at = halves.data_ptr<double>();
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      const std::int64_t place = (i / columns) * 2 * columns + i % columns;
      at[place] = static_cast<double>(words[static_cast<std::size_t>(i)] & 0xFFFFFFFF);
      at[place + columns] = static_cast<double>(words[static_cast<std::size_t>(i)] >> 32);
    }
    return halves.to(network_.device());
  }

  // Steps to go, seen from two steps before the states that are listed; at least kFar where nothing is known.
  torch::Tensor DistancesAhead(const torch::Tensor& states, const torch::Tensor& hashes, bool uses_endgame) const {
    const torch::Tensor known = Distances(hashes, uses_endgame);
    if (!uses_endgame || !ahead_words_.defined()) return known;
    std::vector<torch::Tensor> pieces;
    for (const torch::Tensor& piece : states.split(kStatesAheadAtATime)) {
      torch::Tensor one_hot = torch::zeros({piece.size(0), ahead_words_.size(0)}, ahead_words_.options());
      one_hot.scatter_(1, piece.to(torch::kInt64) + tables_.first_words, 1.0);
      const std::vector<torch::Tensor> sums = one_hot.matmul(ahead_words_).to(torch::kInt64).chunk(2, 1);
      const torch::Tensor after = sums[0] + sums[1].bitwise_left_shift(torch::full({}, 32, sums[1].options()));
      pieces.push_back(Distances(after.contiguous(), uses_endgame).amin(1) + 2);
    }
    return torch::minimum(known, torch::cat(pieces));
  }

  // The values of all successors of the layer, which is pruned first if that is asked for.
  torch::Tensor Values(Layer& layer, std::int64_t width, const PackedBeamOptions& options) {
    const std::int64_t at_a_time = network_.device().is_cuda() ? kStatesPerPassOnGpu : kStatesPerPassOnCpu;
    std::vector<torch::Tensor> pieces;
    for (const torch::Tensor& states : layer.states.split(at_a_time)) pieces.push_back(network_.Score(states));
    torch::Tensor scores = pieces.size() == 1 ? pieces.front() : torch::cat(pieces);
    torch::Tensor so_far = layer.values;
    if (AsksForDistance(options.value)) {
      const torch::Tensor kept = Prune(layer, scores.select(1, network_.actions()), width, options);
      if (kept.defined()) scores = scores.index_select(0, kept);
      so_far = options.value == BeamValue::kDistance ? -scores.select(1, network_.actions()) : layer.values;
    }
    torch::Tensor values = scores.slice(1, 0, network_.actions());
    if (tables_.conditions.defined()) {
      values = values.masked_fill(tables_.conditions.Impossible(layer.states), -std::numeric_limits<float>::infinity());
    }
    if (options.value == BeamValue::kLogProbability || AsksForDistance(options.value)) values = values.log_softmax(1);
    if (options.value == BeamValue::kLogProbability) {
      so_far = so_far - price_of_doubt_ * torch::special::entr(values.exp()).sum(1);
    }
    if (options.value != BeamValue::kLastScore) values = values + so_far.unsqueeze(1);
    if (layer.last.defined()) {
      values = values.masked_fill(tables_.not_after.index_select(0, layer.last), -std::numeric_limits<float>::infinity());
    }
    return values;
  }

  // Leaves the best states of a layer, and says which; undefined if all stay.
  torch::Tensor Prune(Layer& layer, const torch::Tensor& far, std::int64_t width, const PackedBeamOptions& options) {
    if (far.size(0) <= width) return {};
    const auto standardised = [](const torch::Tensor& values) {
      const torch::Tensor centred = values - values.mean();
      return centred / (centred.square().mean().sqrt() + 1e-6);
    };
    torch::Tensor worth = -far;
    if (options.value == BeamValue::kBoth) worth = standardised(worth) + standardised(layer.values);
    const torch::Tensor kept = std::get<0>(std::get<1>(worth.topk(width)).sort());
    for (torch::Tensor* const part :
         {&layer.states, &layer.hashes, &layer.values, &layer.last, &parents_.back(), &actions_.back()}) {
      *part = part->index_select(0, kept);
    }
    return kept;
  }

  // Makes the next layer of the best successors, and says whether it has an end. False if there is none to go on with.
  bool Select(const torch::Tensor& values, const std::vector<torch::Tensor>& remembered, std::int64_t width,
              const PackedBeamOptions& options, Layer& layer, std::optional<std::int64_t>& end) {
    if (AsksForDistance(options.value)) width = static_cast<std::int64_t>(AskedToKeep(static_cast<std::size_t>(width)));
    const std::int64_t actions = network_.actions();
    const std::int64_t count = std::min<std::int64_t>(values.numel(), 2 * width + 64);
    const auto [best, places] = values.flatten().topk(count);
    const torch::Tensor parents = torch::floor_divide(places, actions);
    const torch::Tensor moves = places - parents * actions;
    const torch::Tensor states = layer.states.index_select(0, parents).gather(1, tables_.moves.index_select(0, moves));
    const torch::Tensor hashes = tables_.Hash(states);
    // What is remembered comes before the successors, and these come in the order of their values: of equal hashes the first
    // stays, if it is a successor.
    std::vector<torch::Tensor> all = remembered;
    all.push_back(hashes);
    const torch::Tensor joined = torch::cat(all);
    const auto [sorted, order] = torch::sort(joined, /*stable=*/true, 0, false);
    torch::Tensor is_first = torch::ones_like(sorted, torch::kBool);
    is_first.slice(0, 1) = sorted.slice(0, 1).ne(sorted.slice(0, 0, -1));
    torch::Tensor is_new = torch::empty_like(is_first);
    is_new.scatter_(0, order, is_first);
    is_new = is_new.slice(0, joined.size(0) - count).logical_and(best.isfinite());
    // The new ones first, in their order.
    const torch::Tensor chosen = std::get<1>(torch::sort(is_new.logical_not().to(torch::kUInt8), /*stable=*/true, 0, false))
                                     .slice(0, 0, std::min(count, width));
    const torch::Tensor chosen_hashes = hashes.index_select(0, chosen);
    const torch::Tensor chosen_states = states.index_select(0, chosen);
    const torch::Tensor distances = DistancesAhead(chosen_states, chosen_hashes, options.endgame)
                                        .masked_fill(is_new.index_select(0, chosen).logical_not(), kFar);
    const auto [fewest, nearest] = distances.min(0);
    // The device is waited for once in a step.
    const torch::Tensor known = torch::stack({is_new.sum(), fewest, nearest}).to(torch::kCPU);
    const auto* const numbers = known.data_ptr<std::int64_t>();
    const std::int64_t kept = std::min(numbers[0], chosen.size(0));
    if (kept == 0) return false;
    end = numbers[1] >= kFar ? std::nullopt : std::optional(numbers[2]);
    const torch::Tensor places_kept = chosen.slice(0, 0, kept);
    layer.states = chosen_states.slice(0, 0, kept);
    layer.hashes = chosen_hashes.slice(0, 0, kept);
    layer.values = best.index_select(0, places_kept);
    layer.last = moves.index_select(0, places_kept);
    parents_.push_back(parents.index_select(0, places_kept).to(torch::kInt32));
    actions_.push_back(layer.last.to(torch::kUInt8));
    return true;
  }

  std::vector<std::uint8_t> ActionsTo(std::int64_t index) const {
    if (actions_.empty()) return {};
    torch::Tensor at = torch::full({1}, index, torch::TensorOptions(network_.device()).dtype(torch::kInt64));
    std::vector<torch::Tensor> backwards;
    for (std::size_t i = actions_.size(); i-- > 0;) {
      backwards.push_back(actions_[i].index_select(0, at));
      at = parents_[i].index_select(0, at).to(torch::kInt64);
    }
    const torch::Tensor path = torch::cat(backwards).flip(0).to(torch::kCPU).contiguous();
    return {path.data_ptr<std::uint8_t>(), path.data_ptr<std::uint8_t>() + path.numel()};
  }

  const FixedLayout& layout_;
  const ResidualInference& network_;
  const Endgame& endgame_;
  float price_of_doubt_;
  DeviceLayout tables_;
  std::int64_t solved_hash_;
  torch::Tensor end_hashes_;  // ascending
  torch::Tensor end_distances_;
  torch::Tensor ahead_words_;  // a row per cell and colour; undefined if nothing is looked ahead
  // Of each layer but the first, an entry per state.
  std::vector<torch::Tensor> parents_;
  std::vector<torch::Tensor> actions_;
};

class TorchPolicy final : public PackedPolicy {
 public:
  TorchPolicy(const Model& model, const FixedLayout& layout, const TorchOptions& options)
      : layout_(layout),
        network_(model, DeviceOf(options.device),
                 DeviceOf(options.device).is_cuda() ? TypeOf(options.precision) : torch::kFloat32) {
    if (model.architecture.size("cells") != static_cast<int>(layout.cells) ||
        model.architecture.size("colours") != static_cast<int>(layout.colours) ||
        model.architecture.size("actions") != static_cast<int>(layout.actions())) {
      throw Error("the model is for states of another layout");
    }
  }

  std::size_t cells() const override { return layout_.cells; }
  std::size_t actions() const override { return layout_.actions(); }
  std::size_t StatesAtATime() const override {
    return static_cast<std::size_t>(network_.device().is_cuda() ? kStatesPerPassOnGpu : kStatesPerPassOnCpu);
  }

  bool has_values() const override { return network_.has_values(); }
  void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
    ScoreWithValues(states, preferences, {});
  }
  void ScoreWithValues(std::span<const std::uint8_t> states, std::span<float> preferences, std::span<float> values) override {
    const auto rows = static_cast<std::int64_t>(states.size() / layout_.cells);
    if (rows == 0) return;
    const torch::Tensor on_host = torch::from_blob(const_cast<std::uint8_t*>(states.data()),
                                                   {rows, static_cast<std::int64_t>(layout_.cells)}, torch::kUInt8);
    std::int64_t begin = 0;
    for (const torch::Tensor& piece : on_host.split(static_cast<std::int64_t>(StatesAtATime()))) {
      const torch::Tensor scores = network_.Score(piece.to(network_.device())).to(torch::kCPU);
      const torch::Tensor of_actions = scores.slice(1, 0, network_.actions()).contiguous();
      std::copy_n(of_actions.data_ptr<float>(), of_actions.numel(), preferences.data() + begin * network_.actions());
      if (!values.empty()) {
        const torch::Tensor far = scores.select(1, network_.actions()).contiguous();
        std::copy_n(far.data_ptr<float>(), far.numel(), values.data() + begin);
      }
      begin += piece.size(0);
    }
  }

  PackedBeam* beam() override { return beam_ ? &*beam_ : &beam_.emplace(layout_, network_); }

 private:
  const FixedLayout& layout_;
  ResidualInference network_;
  std::optional<TorchPackedBeam> beam_;  // made when it is asked for
};

}  // namespace

std::unique_ptr<PackedPolicy> MakeTorchPolicy(const Model& model, const FixedLayout& layout, const TorchOptions& options) {
  return std::make_unique<TorchPolicy>(model, layout, options);
}

}  // namespace conpole
