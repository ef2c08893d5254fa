#include "nn/lstm_encoder.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "nn/alphabet.h"

namespace conpole {
namespace {

constexpr std::size_t kMaxLstmTileRows = 48;

std::size_t LstmHidden(const Architecture& architecture) { return static_cast<std::size_t>(architecture.size("hidden")); }

std::vector<TensorShape> LstmTensorShapes(const Architecture& architecture) {
  const auto embedding = static_cast<std::size_t>(architecture.size("embedding"));
  const int layers = architecture.size("layers");
  const std::size_t hidden = LstmHidden(architecture);
  const std::size_t vector_size = 2 * hidden;
  const std::size_t gates = 4 * hidden;

  std::vector<TensorShape> shapes = {{"embedding.weight", {CharacterCount(architecture.alphabet), embedding}, true}};
  for (int layer = 0; layer < layers; ++layer) {
    const std::size_t input = layer == 0 ? embedding : vector_size;
    shapes.push_back({fmt::format("lstm.weight_ih_l{}", layer), {gates, input}});
    shapes.push_back({fmt::format("lstm.weight_ih_l{}_reverse", layer), {gates, input}});
  }
  for (int layer = 0; layer < layers; ++layer) {
    shapes.push_back({fmt::format("lstm.weight_hh_l{}", layer), {gates, hidden}});
    shapes.push_back({fmt::format("lstm.weight_hh_l{}_reverse", layer), {gates, hidden}});
  }
  for (int layer = 0; layer < layers; ++layer) {
    for (const std::string_view direction : {"", "_reverse"}) {
      shapes.push_back({fmt::format("lstm.bias_ih_l{}{}", layer, direction), {gates}});
      shapes.push_back({fmt::format("lstm.bias_hh_l{}{}", layer, direction), {gates}});
    }
  }
  for (TensorShape& shape : MlpTensorShapes(vector_size)) shapes.push_back(std::move(shape));
  return shapes;
}

// By value of the name: GCC 13 takes a reference to it for one to the result.
const std::vector<float>& Values(const Model& model, std::string_view name) {
  return model.tensors.at(std::string(name)).values;
}

// The model, if it is one of this kind with the tensors that it should have.
const Model& CheckedLstm(const Model& model) {
  if (model.architecture.kind != LstmKind().name) throw Error("the model's network is not an LSTM");
  CheckTensors(model);
  return model;
}

// The mean of what the characters of a text stand for, before any layer.
class CharacterMeans final : public Encoder {
 public:
  explicit CharacterMeans(const Tensor& embedding) : size_(embedding.shape[1]), rows_(embedding.values) {}

  std::size_t vector_size() const override { return size_; }
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool&) const override {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      float* const mean = vectors.data() + i * size_;
      std::fill_n(mean, size_, 0.0F);
      const float share = 1.0F / static_cast<float>(std::max<std::size_t>(1, texts[i].size()));
      for (const char character : texts[i]) {
        const float* const row = rows_.data() + CharacterIndex(character, rows_.size() / size_) * size_;
        for (std::size_t k = 0; k < size_; ++k) mean[k] += share * row[k];
      }
    }
  }

 private:
  std::size_t size_;
  std::vector<float> rows_;
};

// The same network without the LSTM layers from `layers` on.
Model LowerPart(const Model& model, int layers) {
  Model lower = model;
  lower.architecture.sizes["layers"] = layers;
  std::vector<std::string> names;
  for (const TensorShape& shape : TensorShapes(lower.architecture)) names.push_back(shape.name);
  std::erase_if(lower.tensors,
                [&](const auto& tensor) { return std::find(names.begin(), names.end(), tensor.first) == names.end(); });
  return lower;
}

std::vector<NetworkLayer> LstmLayers(const Model& model, const Kernels& kernels) {
  std::vector<NetworkLayer> layers;
  layers.push_back({"characters", std::make_unique<CharacterMeans>(model.tensors.at("embedding.weight"))});
  for (int layer = 1; layer <= model.architecture.size("layers"); ++layer) {
    layers.push_back({fmt::format("layer {}", layer),
                      std::make_unique<LstmEncoder>(LowerPart(model, layer), kernels, LstmOutput::kHiddenStates)});
  }
  return layers;
}

std::vector<float> Padded(std::vector<float> values, std::size_t size) {
  values.resize(size, 0.0F);
  return values;
}

}  // namespace

const NetworkKind& LstmKind() {
  static const NetworkKind kind{.name = "lstm",
                                .meaning = "bidirectional LSTM layers over characters",
                                .sizes = {{"embedding", "Size of a character's vector", 1024, 64},
                                          {"hidden", "Size of the hidden state, of each direction of an LSTM", 4096, 128},
                                          {"layers", "LSTM layers", 8, 2}},
                                .vector_size = [](const Architecture& architecture) { return 2 * LstmHidden(architecture); },
                                .fan_in = [](const Architecture& architecture) { return architecture.size("hidden"); },
                                .tensor_shapes = LstmTensorShapes,
                                .make_encoder = [](const Model& model, const Kernels& kernels) -> std::unique_ptr<Encoder> {
                                  return std::make_unique<LstmEncoder>(model, kernels);
                                },
                                .make_layers = LstmLayers};
  return kind;
}

Architecture Lstm(const LstmSizes& sizes, Head head) {
  return {.kind = LstmKind().name,
          .sizes = {{"embedding", sizes.embedding}, {"hidden", sizes.hidden}, {"layers", sizes.layers}},
          .head = head};
}

LstmEncoder::LstmEncoder(const Model& model, const Kernels& kernels, LstmOutput output)
    : kernels_(kernels),
      hidden_(LstmHidden(CheckedLstm(model).architecture)),
      characters_(CharacterCount(model.architecture.alphabet)),
      output_(output),
      mlp_(model, kernels) {
  for (int layer = 0; layer < model.architecture.size("layers"); ++layer) {
    forward_.push_back(MakeDirection(model, layer, false));
    backward_.push_back(MakeDirection(model, layer, true));
  }
}

LstmEncoder::Direction LstmEncoder::MakeDirection(const Model& model, int layer, bool reverse) const {
  const std::size_t hidden = hidden_;
  const std::string suffix = fmt::format("_l{}{}", layer, reverse ? "_reverse" : "");
  Direction direction;
  direction.recurrent = PackedMatrix(Values(model, "lstm.weight_hh" + suffix).data(), 4 * hidden, hidden);
  const std::size_t padded = direction.recurrent.padded_width();
  std::vector<float> start = Values(model, "lstm.bias_ih" + suffix);
  const std::vector<float>& second_bias = Values(model, "lstm.bias_hh" + suffix);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] += second_bias[i];
  const std::vector<float>& input = Values(model, "lstm.weight_ih" + suffix);
  if (layer > 0) {
    direction.input = PackedMatrix(input.data(), 4 * hidden, 2 * hidden);
    direction.start = Padded(std::move(start), padded);
    return direction;
  }
  const auto embedding = static_cast<std::size_t>(model.architecture.size("embedding"));
  const std::vector<float>& embeddings = Values(model, "embedding.weight");
  for (std::size_t character = 0; character < characters_; ++character) {
    std::vector<float> gates = start;
    for (std::size_t gate = 0; gate < gates.size(); ++gate) {
      const float* const weights = input.data() + gate * embedding;
      gates[gate] = std::inner_product(weights, weights + embedding, embeddings.data() + character * embedding, gates[gate]);
    }
    direction.start_of_character.push_back(Padded(std::move(gates), padded));
  }
  return direction;
}

// Some strings on their way through the network. Rows are strings in the order of decreasing length.
class LstmEncoder::Tile {
 public:
  Tile(const LstmEncoder& encoder, std::vector<std::string_view> rows)
      : encoder_(encoder),
        rows_(std::move(rows)),
        hidden_(encoder.hidden_),
        gates_(rows_.size() * encoder.forward_[0].recurrent.padded_width()),
        cells_(rows_.size() * hidden_),
        states_{std::vector<float>(rows_.size() * hidden_), std::vector<float>(rows_.size() * hidden_)},
        last_(rows_.size() * 2 * hidden_) {
    first_character_.push_back(0);
    for (const std::string_view row : rows_) first_character_.push_back(first_character_.back() + row.size());
  }

  // 1. Every layer in both directions; 2. the two linear layers on the last hidden states.
  void Run(const std::vector<float*>& vectors) {
    for (std::size_t layer = 0; layer < encoder_.forward_.size(); ++layer) {
      const bool last = layer + 1 == encoder_.forward_.size();
      if (!last) outputs_.resize(first_character_.back() * 2 * hidden_);
      RunDirection(encoder_.forward_[layer], layer, false, last);
      RunDirection(encoder_.backward_[layer], layer, true, last);
      inputs_.swap(outputs_);
    }
    if (encoder_.output_ == LstmOutput::kVector) return encoder_.mlp_.Run(last_.data(), vectors);
    for (std::size_t r = 0; r < rows_.size(); ++r) std::copy_n(last_.data() + r * 2 * hidden_, 2 * hidden_, vectors[r]);
  }

 private:
  const float* Start(const Direction& direction, std::size_t layer, char character) const {
    return layer == 0 ? direction.start_of_character[CharacterIndex(character, encoder_.characters_)].data()
                      : direction.start.data();
  }

  void RunDirection(const Direction& direction, std::size_t layer, bool reverse, bool last) {
    const std::size_t width = direction.recurrent.padded_width();
    const std::size_t side = reverse ? hidden_ : 0;
    std::fill(cells_.begin(), cells_.end(), 0.0F);
    std::fill(states_[0].begin(), states_[0].end(), 0.0F);
    std::fill(states_[1].begin(), states_[1].end(), 0.0F);
    std::vector<const float*> start(rows_.size());
    std::vector<const float*> input(rows_.size());
    std::vector<const float*> before(rows_.size());
    std::vector<float*> gates(rows_.size());
    std::size_t running = rows_.size();
    for (std::size_t step = 0; step < rows_[0].size(); ++step) {
      while (rows_[running - 1].size() <= step) --running;
      const std::vector<float>& old_states = states_[step % 2];
      std::vector<float>& new_states = states_[(step + 1) % 2];
      for (std::size_t r = 0; r < running; ++r) {
        const std::size_t at = reverse ? rows_[r].size() - 1 - step : step;
        start[r] = Start(direction, layer, rows_[r][at]);
        if (layer > 0) input[r] = inputs_.data() + (first_character_[r] + at) * 2 * hidden_;
        before[r] = old_states.data() + r * hidden_;
        gates[r] = gates_.data() + r * width;
      }
      const Factor factors[2] = {{before.data(), &direction.recurrent}, {input.data(), &direction.input}};
      encoder_.kernels_.multiply(running, start.data(), factors, layer == 0 ? 1 : 2, gates.data());
      for (std::size_t r = 0; r < running; ++r) {
        float* const state = new_states.data() + r * hidden_;
        encoder_.kernels_.lstm_cell(hidden_, gates[r], cells_.data() + r * hidden_, state);
        const std::size_t at = reverse ? rows_[r].size() - 1 - step : step;
        if (!last) std::copy_n(state, hidden_, outputs_.data() + (first_character_[r] + at) * 2 * hidden_ + side);
        if (last && step + 1 == rows_[r].size()) std::copy_n(state, hidden_, last_.data() + r * 2 * hidden_ + side);
      }
    }
  }

  const LstmEncoder& encoder_;
  std::vector<std::string_view> rows_;
  std::size_t hidden_;
  std::vector<std::size_t> first_character_;  // of each row, counted over all rows
  std::vector<float> inputs_;                 // of the layer: 2 * hidden_ per character
  std::vector<float> outputs_;
  std::vector<float> gates_;
  std::vector<float> cells_;
  std::vector<float> states_[2];  // hidden states before and after a step, by turns
  std::vector<float> last_;       // hidden states at the end, both directions
};

void LstmEncoder::Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const {
  if (texts.empty()) return;
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return texts[a].size() > texts[b].size(); });
  // A few strings are dealt out so that all threads get equal work; many are cut into tiles of similar length, of which every
  // thread can get as many.
  const std::size_t rounds = (texts.size() + kMaxLstmTileRows * pool.size() - 1) / (kMaxLstmTileRows * pool.size());
  const bool deal = rounds == 1;
  const std::size_t tile_rows = (texts.size() + rounds * pool.size() - 1) / (rounds * pool.size());
  const std::size_t tiles = deal ? std::min(pool.size(), texts.size()) : (texts.size() + tile_rows - 1) / tile_rows;
  pool.For(tiles, [&](std::size_t tile) {
    std::vector<std::string_view> rows;
    std::vector<float*> places;
    const std::size_t begin = deal ? tile : tile * tile_rows;
    const std::size_t end = deal ? texts.size() : std::min(texts.size(), begin + tile_rows);
    for (std::size_t i = begin; i < end; i += deal ? tiles : 1) {
      rows.push_back(texts[order[i]]);
      places.push_back(vectors.data() + order[i] * vector_size());
    }
    Tile(*this, std::move(rows)).Run(places);
  });
}

double LstmEncoder::OperationsPerString(std::size_t characters) const {
  const auto hidden = static_cast<double>(hidden_);
  const auto layers = static_cast<double>(forward_.size());
  const double per_character = 2 * 2 * 4 * hidden * (layers * hidden + (layers - 1) * 2 * hidden);
  return per_character * static_cast<double>(characters) + 2 * 2 * (2 * hidden) * (2 * hidden);
}

}  // namespace conpole
