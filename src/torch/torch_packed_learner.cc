#include "torch/torch_packed_learner.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "conpole/error.h"
#include "nn/residual_network.h"
#include "torch/inference.h"
#include "torch/move_conditions.h"
#include "torch/optimiser.h"
#include "torch/residual_inference.h"
#include "torch/torch_policy.h"
#include "util/hash.h"
#include "util/random.h"

namespace conpole {
namespace {

constexpr double kNormEpsilon = 1e-5;
constexpr double kNormMomentum = 0.1;
constexpr std::int64_t kStatesAtATime = 65'536;
constexpr double kFarthest = 1e6;
constexpr double kImpossible = -1e4;  // the log-preference of an action that is not possible
// In a checkpoint of a learner that has begun with a model and taken no gradient step yet.
constexpr const char* kToNormalise = "to-normalise";
// In a checkpoint of a learner that looks ahead: how many gradient steps it has done so.
constexpr const char* kStepsAhead = "steps-ahead";
constexpr std::int64_t kRenewSlow = 100;   // gradient steps after which the slow copy takes over the weights
constexpr std::int64_t kUntilMoves = 500;  // and the first time, until which it knows lengths of walks
constexpr std::int64_t kBins = 64;         // of values, to tell moves from lengths of walks
// How much more the value counts once it is known in moves, which scatter far less than lengths of walks do, so that next to
// the policy it would hardly be learned: with a small network that was trained on 5 million states, beams made 112.3 moves of
// random 24-puzzles instead of 115.0.
constexpr double kMovesWeight = 100;

// A part of a flat vector, with its shape.
struct Part {
  std::int64_t begin = 0;
  std::vector<std::int64_t> shape;

  std::int64_t size() const {
    std::int64_t product = 1;
    for (const std::int64_t length : shape) product *= length;
    return product;
  }
  torch::Tensor Of(const torch::Tensor& flat) const { return flat.slice(0, begin, begin + size()).view(shape); }
};

// A linear layer and the normalisation after it.
struct Layer {
  std::string name;     // in a model
  Part weight;          // of the matrices
  Part scale, shift;    // of the vectors
  Part mean, variance;  // of the statistics
};

// Where everything stands in three flat vectors: the matrices, which are computed with in the device's precision, the vectors,
// which stay in 32 bits, and the statistics of the normalisation, which are not learned.
struct Plan {
  explicit Plan(const Architecture& architecture) {
    const std::int64_t cells = architecture.size("cells");
    const std::int64_t colours = architecture.size("colours");
    const std::int64_t wide = architecture.size("wide");
    const std::int64_t hidden = architecture.size("hidden");
    const std::int64_t actions = architecture.size("actions");
    Add("input", wide, OneHotColumns(cells, colours));
    Add("narrow", hidden, wide);
    for (int k = 0; k < architecture.size("blocks"); ++k) {
      for (const int layer : {0, 2}) Add("block." + std::to_string(k) + "." + std::to_string(layer), hidden, hidden);
    }
    // How far the state is comes after the actions.
    const std::int64_t outputs = actions + (architecture.head == Head::kActionsAndValue ? 1 : 0);
    action_weight = Take(matrices, {outputs, hidden});
    action_bias = Take(vectors, {outputs});
  }

  void Add(const std::string& name, std::int64_t out, std::int64_t in) {
    Layer layer{name, Take(matrices, {out, in}), {}, {}, {}, {}};
    layer.scale = Take(vectors, {out});
    layer.shift = Take(vectors, {out});
    layer.mean = Take(statistics, {out});
    layer.variance = Take(statistics, {out});
    layers.push_back(std::move(layer));
  }

  static Part Take(std::int64_t& used, std::vector<std::int64_t> shape) {
    Part part{used, std::move(shape)};
    used += part.size();
    return part;
  }

  std::vector<Layer> layers;
  Part action_weight;
  Part action_bias;
  std::int64_t matrices = 0;  // sizes of the three
  std::int64_t vectors = 0;
  std::int64_t statistics = 0;
};

Tensor ToTensor(const torch::Tensor& values) {
  const torch::Tensor on_host = values.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  Tensor tensor;
  tensor.shape.assign(on_host.sizes().begin(), on_host.sizes().end());
  tensor.values.assign(on_host.data_ptr<float>(), on_host.data_ptr<float>() + on_host.numel());
  return tensor;
}

class TorchPackedLearner final : public PackedLearner {
 public:
  TorchPackedLearner(const Architecture& architecture, const FixedLayout& layout, const PackedLearnerOptions& options,
                     const std::string& device)
      : architecture_(architecture),
        layout_(layout),
        options_(options),
        device_name_(device),
        device_(DeviceOf(device)),
        type_(device_.is_cuda() ? torch::kBFloat16 : torch::kFloat32),
        plan_(architecture) {
    if (!device_.is_cuda() && options.threads != 0) torch::set_num_threads(static_cast<int>(options.threads));
    MakeTables();
    MakeWeights();
    optimiser_ = {torch::zeros_like(weights_), torch::zeros_like(weights_)};
    losses_ = torch::zeros({}, torch::TensorOptions(device_));
  }

  // As long as the normalisation has seen no states, a layer has a scale and a variance that cancel, and its bias as a shift.
  void Begin(const Tensors& tensors) override {
    CheckTensors(Model{architecture_, tensors, {}, {}});
    const torch::NoGradGuard no_gradients;
    torch::Tensor weights = torch::zeros({plan_.matrices + plan_.vectors});
    const torch::Tensor matrices = weights.slice(0, 0, plan_.matrices);
    const torch::Tensor vectors = weights.slice(0, plan_.matrices);
    const auto copy = [](const Tensor& from, torch::Tensor to) {
      to.copy_(torch::from_blob(const_cast<float*>(from.values.data()), to.sizes(), torch::kFloat32));
    };
    for (const Layer& layer : plan_.layers) {
      torch::Tensor weight = layer.weight.Of(matrices);
      copy(tensors.at(layer.name + ".weight"), &layer == &plan_.layers.front() ? UsedColumns(weight) : weight);
      layer.scale.Of(vectors).fill_(std::sqrt(1 + kNormEpsilon));
      copy(tensors.at(layer.name + ".bias"), layer.shift.Of(vectors));
    }
    const torch::Tensor output = plan_.action_weight.Of(matrices);
    const torch::Tensor bias = plan_.action_bias.Of(vectors);
    copy(tensors.at("action.weight"), output.slice(0, 0, actions()));
    copy(tensors.at("action.bias"), bias.slice(0, 0, actions()));
    if (has_values()) {
      copy(tensors.at("value.weight"), output.slice(0, actions()));
      copy(tensors.at("value.bias"), bias.slice(0, actions()));
    }
    weights_.copy_(weights);
    average_weights_.copy_(weights_);
    CopyWeights();
    has_to_normalise_ = true;
  }

  void Learn(const WalkBatch& walks, double learning_rate) override {
    if (walks.part == 0 || !walked_.states.defined()) walked_ = Walk(walks);
    // With several parts, every one has its share of all walks and of all lengths.
    const auto piece = [&](const torch::Tensor& all) {
      if (walks.parts == 1) return all;
      const auto size = static_cast<std::int64_t>(walks.states());
      return all.index_select(0, walked_.order.slice(0, static_cast<std::int64_t>(walks.part) * size).slice(0, 0, size));
    };
    const torch::Tensor states = piece(walked_.states);
    torch::Tensor far;
    if (has_values()) far = piece(walked_.lengths);
    if (has_values() && walks.looks_ahead) far = torch::minimum(MovesAhead(states), far);
    LearnTargets(states, piece(walked_.targets), far, walks.looks_ahead ? kMovesWeight : 1, learning_rate);
    if (has_values() && walks.looks_ahead && ++steps_ahead_ >= kUntilMoves && steps_ahead_ % kRenewSlow == 0) RenewSlow();
    if (walks.part + 1 == walks.parts) walked_ = {};
  }

  void Learn(const PackedExamples& examples, double learning_rate) override {
    const auto count = static_cast<std::int64_t>(examples.actions.size());
    const torch::Tensor states = ToDevice(examples.states, {count, solved_.size(1)});
    LearnTargets(states, ToDevice(examples.actions, {count}).to(torch::kInt64), {}, 1, learning_rate);
  }

  double TakeLoss() override {
    CheckLoss();
    const auto sum = losses_.item<double>();
    losses_.zero_();
    const std::int64_t steps = std::exchange(gradient_steps_, 0);
    return steps == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(steps);
  }

  Tensors Weights() const override {
    CheckFinite(average_weights_, "a weight");
    CheckFinite(average_statistics_, "a variance");
    return Folded(average_weights_, average_statistics_);
  }

  std::unique_ptr<PackedPolicy> Policy() const override {
    const TorchPrecision precision = device_.is_cuda() ? TorchPrecision::kFloat16 : TorchPrecision::kFloat32;
    return MakeTorchPolicy(Model{architecture_, Weights(), {}, {}}, layout_, {device_name_, precision});
  }

  std::string Save() const override {
    CheckLoss();
    auto vectors = Vectors();
    for (const auto& [name, vector] : vectors) CheckFinite(vector, name.c_str());
    if (has_to_normalise_) vectors.emplace_back(kToNormalise, torch::ones({1}));
    if (slow_) vectors.emplace_back(kStepsAhead, torch::full({1}, static_cast<double>(steps_ahead_)));
    return FormatVectors(vectors, optimiser_.steps);
  }

  void Restore(std::string_view bytes) override {
    const LearnerState saved = ParseLearnerState(bytes);
    const bool looks_ahead = has_values() && saved.vectors.contains(kStepsAhead);
    if (looks_ahead && !slow_) BeginToLookAhead(solved_);  // so that there is a place for what was saved
    if (!looks_ahead) slow_.reset();
    steps_ahead_ = looks_ahead ? static_cast<std::int64_t>(saved.At(kStepsAhead, 1).front()) : 0;
    std::vector<torch::Tensor> found;
    for (const auto& [name, vector] : Vectors()) found.push_back(TakeVector(saved, name, vector));
    const torch::NoGradGuard no_gradients;
    std::size_t next = 0;
    for (const auto& [name, vector] : Vectors()) torch::Tensor(vector).copy_(found[next++]);
    optimiser_.steps = saved.steps;
    has_to_normalise_ = saved.vectors.contains(kToNormalise);
    CopyWeights();
    if (looks_ahead) MakeSlow();
  }

 private:
  std::int64_t actions() const { return architecture_.size("actions"); }
  bool has_values() const { return architecture_.head == Head::kActionsAndValue; }

  // Without normalisation: a normalised layer is scale * (W x - mean) / sqrt(variance + epsilon) + shift.
  Tensors Folded(const torch::Tensor& weights, const torch::Tensor& statistics) const {
    const torch::NoGradGuard no_gradients;
    const torch::Tensor matrices = weights.slice(0, 0, plan_.matrices);
    const torch::Tensor vectors = weights.slice(0, plan_.matrices);
    Tensors tensors;
    for (const Layer& layer : plan_.layers) {
      const torch::Tensor factor = layer.scale.Of(vectors) / (layer.variance.Of(statistics) + kNormEpsilon).sqrt();
      torch::Tensor weight = layer.weight.Of(matrices) * factor.unsqueeze(1);
      if (&layer == &plan_.layers.front()) weight = UsedColumns(weight);
      tensors[layer.name + ".weight"] = ToTensor(weight);
      tensors[layer.name + ".bias"] = ToTensor(layer.shift.Of(vectors) - layer.mean.Of(statistics) * factor);
    }
    const torch::Tensor output = plan_.action_weight.Of(matrices);
    const torch::Tensor bias = plan_.action_bias.Of(vectors);
    tensors["action.weight"] = ToTensor(output.slice(0, 0, actions()));
    tensors["action.bias"] = ToTensor(bias.slice(0, 0, actions()));
    if (has_values()) {
      tensors["value.weight"] = ToTensor(output.slice(0, actions()));
      tensors["value.bias"] = ToTensor(bias.slice(0, actions()));
    }
    return tensors;
  }

  // `one` more than the least value of a successor; the solved state has 0.
  torch::Tensor OneMore(const torch::Tensor& states, double one,
                        const std::function<torch::Tensor(const torch::Tensor&)>& far) const {
    const torch::NoGradGuard no_gradients;
    const torch::Tensor possible = conditions_.defined()
                                       ? conditions_.Impossible(states).logical_not()
                                       : torch::ones({states.size(0), actions()}, states.options().dtype(torch::kBool));
    const torch::Tensor places = possible.nonzero();
    const torch::Tensor rows = places.select(1, 0).contiguous();
    const torch::Tensor after =
        states.index_select(0, rows).gather(1, moves_.index_select(0, places.select(1, 1).contiguous()));
    std::vector<torch::Tensor> pieces;
    for (const torch::Tensor& piece : after.split(kStatesAtATime)) pieces.push_back(far(piece));
    const torch::Tensor values = torch::cat(pieces).masked_fill(after.eq(solved_).all(1), 0);
    const torch::Tensor all = torch::full({states.size(0), actions()}, kFarthest, values.options());
    return all.masked_scatter(possible, values).amin(1) + one;
  }

  // How many moves away states are, looking one step ahead.
  torch::Tensor MovesAhead(const torch::Tensor& states) {
    if (!slow_) BeginToLookAhead(states);
    return OneMore(states, 1, [this](const torch::Tensor& after) {
      const torch::Tensor values = slow_->Score(after).select(1, actions());
      if (steps_ahead_ >= kUntilMoves) return values.clamp_min(0).square();
      const torch::Tensor at = torch::searchsorted(known_values_, values.contiguous()).clamp(1, kBins - 1);
      const torch::Tensor before = known_values_.take(at - 1);
      const torch::Tensor moves = known_moves_.take(at - 1);
      const torch::Tensor part = (values - before) / (known_values_.take(at) - before).clamp_min(1e-6);
      return (moves + part * (known_moves_.take(at) - moves)).clamp_min(0);
    });
  }

  // Values are roots of lengths of walks. How many moves these are is found from how much less the best successor has: that is
  // one move.
  void BeginToLookAhead(const torch::Tensor& states) {
    const torch::NoGradGuard no_gradients;
    RenewSlow();
    const auto value = [this](const torch::Tensor& of) { return slow_->Score(of).select(1, actions()); };
    std::vector<torch::Tensor> pieces;
    for (const torch::Tensor& piece : states.split(kStatesAtATime)) pieces.push_back(value(piece));
    const auto [values, order] = torch::cat(pieces).sort();
    const torch::Tensor drops = (torch::cat(pieces) - OneMore(states, 0, value)).index_select(0, order);
    const auto mean_of_bins = [](const torch::Tensor& sorted) {
      std::vector<torch::Tensor> means;
      for (const torch::Tensor& bin : sorted.tensor_split(kBins)) means.push_back(bin.mean());
      return torch::stack(means);
    };
    known_values_ = mean_of_bins(values);
    const torch::Tensor drop = mean_of_bins(drops).clamp_min(0.01);
    const torch::Tensor apart = torch::cat({known_values_.slice(0, 0, 1).clamp_min(0), known_values_.diff()});
    known_moves_ = (apart / drop).cumsum(0);
  }

  void RenewSlow() {
    slow_weights_ = weights_.clone();
    slow_statistics_ = statistics_.clone();
    MakeSlow();
  }

  void MakeSlow() {
    const torch::ScalarType type = device_.is_cuda() ? torch::kHalf : torch::kFloat32;
    slow_.emplace(Model{architecture_, Folded(slow_weights_, slow_statistics_), {}, {}}, device_, type);
  }

  // `far` is how far the states are, undefined if that is not learned; it counts `value_factor` times as much as usual.
  void LearnTargets(const torch::Tensor& states, const torch::Tensor& targets, const torch::Tensor& far, double value_factor,
                    double learning_rate) {
    if (std::exchange(has_to_normalise_, false)) Normalise(states);
    const auto smoothed = torch::nn::functional::CrossEntropyFuncOptions().label_smoothing(options_.smoothing);
    const torch::Tensor outputs = Forward(states).to(torch::kFloat32);
    torch::Tensor preferences = outputs.slice(1, 0, actions());
    // Not minus infinity, of which smoothing would make a loss of infinity.
    if (conditions_.defined()) preferences = preferences.masked_fill(conditions_.Impossible(states), kImpossible);
    torch::Tensor loss = torch::nn::functional::cross_entropy(preferences, targets, smoothed);
    if (far.defined()) {
      // Long walks lead about as far as longer ones, so that their lengths count by the root.
      loss = loss + value_factor * options_.value_weight * (outputs.select(1, actions()) - far.sqrt()).square().mean();
    }
    const std::vector<torch::Tensor> gradients = torch::autograd::grad({loss}, parameters_);
    const torch::NoGradGuard no_gradients;
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor& gradient : gradients) parts.push_back(gradient.reshape({-1}).to(torch::kFloat32));
    torch::Tensor gradient = torch::cat(parts);
    gradient.mul_((options_.clip / (gradient.norm() + 1e-6)).clamp_max(1));
    optimiser_.Step(weights_, gradient, learning_rate, options_.weight_decay);
    // As long as there are few, the average is over all that there were.
    const double part = std::max(options_.average, 1 / static_cast<double>(optimiser_.steps));
    average_weights_.lerp_(weights_, part);
    average_statistics_.lerp_(statistics_, part);
    losses_ += loss.detach();
    ++gradient_steps_;
    CopyWeights();
    // A GPU is asked when the loss is taken, since that waits for it.
    if (!device_.is_cuda()) CheckLoss();
  }

  torch::Tensor ToDevice(const std::vector<std::uint8_t>& bytes, std::vector<std::int64_t> shape) const {
    const torch::Tensor staged =
        torch::empty(shape, torch::TensorOptions().dtype(torch::kUInt8).pinned_memory(device_.is_cuda()));
    std::copy(bytes.begin(), bytes.end(), staged.data_ptr<std::uint8_t>());
    return staged.to(device_, /*non_blocking=*/true);
  }

  void MakeTables() {
    const auto actions = static_cast<std::int64_t>(layout_.actions());
    const auto cells = static_cast<std::int64_t>(layout_.cells);
    if (architecture_.size("cells") != cells || architecture_.size("colours") != static_cast<int>(layout_.colours) ||
        architecture_.size("actions") != actions) {
      throw Error("the network is for states of another layout");
    }
    moves_ = torch::empty({actions, cells}, torch::kInt64);
    inverse_ = torch::empty({actions}, torch::kInt64);
    solved_ = torch::empty({1, cells}, torch::kUInt8);
    for (std::size_t a = 0; a < layout_.actions(); ++a) {
      std::copy(layout_.moves[a].begin(), layout_.moves[a].end(), moves_.data_ptr<std::int64_t>() + a * layout_.cells);
    }
    std::copy(layout_.inverse.begin(), layout_.inverse.end(), inverse_.data_ptr<std::int64_t>());
    std::copy(layout_.solved.begin(), layout_.solved.end(), solved_.data_ptr<std::uint8_t>());
    for (torch::Tensor* const table : {&moves_, &inverse_, &solved_}) *table = table->to(device_);
    conditions_ = MoveConditions(layout_, device_);
  }

  // Matrices are uniform within one over the square root of their depth, on the CPU, so that a seed gives the same everywhere.
  void MakeWeights() {
    const torch::NoGradGuard no_gradients;
    torch::Tensor weights = torch::zeros({plan_.matrices + plan_.vectors});
    torch::Tensor statistics = torch::zeros({plan_.statistics});
    const torch::Tensor matrices = weights.slice(0, 0, plan_.matrices);
    const torch::Tensor vectors = weights.slice(0, plan_.matrices);
    std::uint64_t drawn = 0;
    const auto draw = [&](torch::Tensor matrix) {
      const double bound = 1 / std::sqrt(static_cast<double>(matrix.size(1)));
      auto* const values = matrix.data_ptr<float>();
      for (std::int64_t i = 0; i < matrix.numel(); ++i) {
        const double unit = static_cast<double>(MixHash(MixHash(options_.seed, drawn++), 1) >> 11) * 0x1p-53;
        values[i] = static_cast<float>((2 * unit - 1) * bound);
      }
    };
    for (const Layer& layer : plan_.layers) {
      draw(layer.weight.Of(matrices));
      layer.scale.Of(vectors).fill_(1);
      layer.variance.Of(statistics).fill_(1);
    }
    draw(plan_.action_weight.Of(matrices));
    weights_ = weights.to(device_);
    statistics_ = statistics.to(device_);
    average_weights_ = weights_.clone();
    average_statistics_ = statistics_.clone();
    // What gradients are computed with: parts of two flat copies, so that one operation renews them all.
    matrices_ = weights_.slice(0, 0, plan_.matrices).to(type_, false, true);
    vectors_ = weights_.slice(0, plan_.matrices).clone();
    const auto leaf = [&](const Part& part, const torch::Tensor& flat) {
      parameters_.push_back(part.Of(flat).detach().requires_grad_(true));
    };
    for (const Layer& layer : plan_.layers) leaf(layer.weight, matrices_);
    leaf(plan_.action_weight, matrices_);
    for (const Layer& layer : plan_.layers) {
      leaf(layer.scale, vectors_);
      leaf(layer.shift, vectors_);
    }
    leaf(plan_.action_bias, vectors_);
  }

  // The states of walks that are learned from, and for each the action that undoes its last step, and how many there were.
  struct Walked {
    torch::Tensor states;
    torch::Tensor targets;
    torch::Tensor lengths;
    torch::Tensor order;  // in which parts take them; undefined if there is one part
  };
  Walked Walk(const WalkBatch& walks) const {
    const torch::NoGradGuard no_gradients;
    const auto count = static_cast<std::int64_t>(walks.walks);
    const auto length = static_cast<std::int64_t>(walks.length);
    const auto every = static_cast<std::int64_t>(walks.every);
    const torch::Tensor actions = ToDevice(walks.actions, {length, count});
    std::vector<torch::Tensor> states;
    std::vector<torch::Tensor> targets;
    std::vector<torch::Tensor> lengths;
    torch::Tensor at = solved_.expand({count, -1});
    for (std::int64_t step = 0; step < length; ++step) {
      const auto first = static_cast<std::int64_t>(walks.FirstAt(static_cast<std::size_t>(step)));
      const auto learned = static_cast<std::int64_t>(walks.FirstLearned(static_cast<std::size_t>(step)));
      if (first >= count) break;
      const torch::Tensor taken = actions[step].slice(0, first).to(torch::kInt64);
      at = at.slice(0, first + at.size(0) - count).gather(1, moves_.index_select(0, taken));
      if (learned >= count) continue;
      states.push_back(at.slice(0, learned - first, at.size(0), every));
      targets.push_back(inverse_.index_select(0, taken.slice(0, learned - first, taken.size(0), every)));
      lengths.push_back(torch::full_like(targets.back(), static_cast<double>(step + 1), torch::kFloat32));
    }
    Walked walked{torch::cat(states), torch::cat(targets), torch::cat(lengths), {}};
    if (walks.parts > 1) {
      // On the CPU, so that a seed gives the same everywhere.
      std::vector<std::int64_t> order(static_cast<std::size_t>(walked.states.size(0)));
      std::iota(order.begin(), order.end(), std::int64_t{0});
      Random(walks.seed).Shuffle(std::span(order));
      walked.order = torch::tensor(order, torch::kInt64).to(device_);
    }
    return walked;
  }

  torch::Tensor Forward(const torch::Tensor& states) {
    const std::size_t layers = plan_.layers.size();
    const auto normalised = [&](std::size_t i, const torch::Tensor& in) {
      const Layer& layer = plan_.layers[i];
      return torch::batch_norm(in.matmul(parameters_[i].t()), parameters_[layers + 1 + 2 * i], parameters_[layers + 2 + 2 * i],
                               layer.mean.Of(statistics_), layer.variance.Of(statistics_), /*training=*/true, kNormMomentum,
                               kNormEpsilon, /*cudnn_enabled=*/true);
    };
    torch::Tensor hidden = normalised(0, OneHotCells(states, architecture_.size("colours"), type_)).relu_();
    hidden = normalised(1, hidden).relu_();
    for (std::size_t i = 2; i + 1 < layers; i += 2) {
      hidden = (hidden + normalised(i + 1, normalised(i, hidden).relu_())).relu_();
    }
    return hidden.matmul(parameters_[layers].t()).to(torch::kFloat32) + parameters_.back();
  }

  // Gives every layer the scale and the shift with which normalisation by these states changes nothing. A model has no
  // normalisation any more, and gradient steps normalise by the states of their batch.
  void Normalise(const torch::Tensor& states) {
    const torch::NoGradGuard no_gradients;
    const torch::Tensor matrices = weights_.slice(0, 0, plan_.matrices);
    const torch::Tensor vectors = weights_.slice(0, plan_.matrices);
    const auto normalise = [&](std::size_t i, const torch::Tensor& in) {
      const Layer& layer = plan_.layers[i];
      const torch::Tensor out = in.matmul(layer.weight.Of(matrices).to(type_).t()).to(torch::kFloat32);
      const torch::Tensor bias = layer.shift.Of(vectors).clone();
      layer.mean.Of(statistics_).copy_(out.mean(0));
      layer.variance.Of(statistics_).copy_(out.var(0, /*unbiased=*/false));
      layer.scale.Of(vectors).copy_((layer.variance.Of(statistics_) + kNormEpsilon).sqrt());
      layer.shift.Of(vectors).copy_(bias + layer.mean.Of(statistics_));
      return (out + bias).to(type_);
    };
    torch::Tensor hidden = normalise(0, OneHotCells(states, architecture_.size("colours"), type_)).relu_();
    hidden = normalise(1, hidden).relu_();
    for (std::size_t i = 2; i + 1 < plan_.layers.size(); i += 2) {
      hidden = (hidden + normalise(i + 1, normalise(i, hidden).relu_())).relu_();
    }
    average_weights_.copy_(weights_);
    average_statistics_.copy_(statistics_);
    CopyWeights();
  }

  // Of the matrix of the first layer, which is padded.
  torch::Tensor UsedColumns(const torch::Tensor& matrix) const {
    return matrix.slice(1, 0, moves_.size(1) * architecture_.size("colours"));
  }

  void CopyWeights() {
    matrices_.copy_(weights_.slice(0, 0, plan_.matrices));
    vectors_.copy_(weights_.slice(0, plan_.matrices));
  }

  void CheckLoss() const {
    if (!std::isfinite(losses_.item<double>())) ThrowDiverged("the loss");
  }

  // All that a checkpoint has.
  std::vector<std::pair<std::string, torch::Tensor>> Vectors() const {
    std::vector<std::pair<std::string, torch::Tensor>> all{{"weights", weights_},
                                                           {"mean", optimiser_.mean},
                                                           {"square", optimiser_.square},
                                                           {"statistics", statistics_},
                                                           {"average-weights", average_weights_},
                                                           {"average-statistics", average_statistics_}};
    if (slow_) {
      all.insert(all.end(), {{"slow-weights", slow_weights_},
                             {"slow-statistics", slow_statistics_},
                             {"known-values", known_values_},
                             {"known-moves", known_moves_}});
    }
    return all;
  }

  Architecture architecture_;
  const FixedLayout& layout_;
  PackedLearnerOptions options_;
  std::string device_name_;
  torch::Device device_;
  torch::ScalarType type_;
  Plan plan_;
  torch::Tensor moves_;
  torch::Tensor inverse_;
  torch::Tensor solved_;
  MoveConditions conditions_;
  Walked walked_;          // of the walks that are learned from in parts
  torch::Tensor weights_;  // the matrices, then the vectors
  torch::Tensor statistics_;
  torch::Tensor average_weights_;
  torch::Tensor average_statistics_;
  AdamW optimiser_;
  torch::Tensor matrices_;
  torch::Tensor vectors_;
  std::vector<torch::Tensor> parameters_;  // parts of these two, in the order of weights_
  bool has_to_normalise_ = false;          // from Begin to the first gradient step
  std::optional<ResidualInference> slow_;  // what is asked about successors, since it looks ahead
  torch::Tensor slow_weights_;
  torch::Tensor slow_statistics_;
  std::int64_t steps_ahead_ = 0;
  torch::Tensor known_values_;  // of bins of states, by the slow copy at first, and how many moves they are
  torch::Tensor known_moves_;
  torch::Tensor losses_;  // the sum since it was taken
  std::int64_t gradient_steps_ = 0;
};

}  // namespace

std::unique_ptr<PackedLearner> MakeTorchPackedLearner(const Architecture& architecture, const FixedLayout& layout,
                                                      const PackedLearnerOptions& options, const std::string& device) {
  return std::make_unique<TorchPackedLearner>(architecture, layout, options, device);
}

}  // namespace conpole
