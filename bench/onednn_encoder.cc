#include "bench/onednn_encoder.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "nn/alphabet.h"

namespace conpole::bench {
namespace {

using dnnl::memory;
using Type = memory::data_type;
using Tag = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

Type TypeOf(OnednnPrecision precision) { return precision == OnednnPrecision::kFloat32 ? Type::f32 : Type::bf16; }

// Weights of one shape in the layout and precision that a primitive wants.
memory Convert(dnnl::engine& engine, dnnl::stream& stream, const std::vector<float>& values, const memory::dims& dims, Tag tag,
               const memory::desc& wanted) {
  memory from({dims, Type::f32, tag}, engine, const_cast<float*>(values.data()));
  memory to(wanted, engine);
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
  return to;
}

}  // namespace

class OnednnEncoder::Implementation {
 public:
  Implementation(const Model& model, OnednnPrecision precision)
      : model_(model), type_(TypeOf(precision)), hidden_(model.architecture.size("hidden")) {
    const memory::dims dims{static_cast<memory::dim>(kAsciiCharacters), model_.architecture.size("embedding")};
    embedding_ = Convert(engine_, stream_, Values("embedding.weight"), dims, Tag::ab, {dims, type_, Tag::ab});
  }

  void Encode(std::span<const std::string_view> texts, std::span<float> vectors) {
    std::map<std::size_t, std::vector<std::size_t>> by_length;
    for (std::size_t i = 0; i < texts.size(); ++i) by_length[texts[i].size()].push_back(i);
    for (const auto& [length, places] : by_length) {
      Prepare(static_cast<memory::dim>(length), static_cast<memory::dim>(places.size()));
      Run(texts, places, vectors);
    }
  }

 private:
  struct Step {
    dnnl::primitive primitive;
    Arguments arguments;
  };

  const std::vector<float>& Values(const std::string& name) const { return model_.tensors.at(name).values; }
  memory Allocate(const memory::desc& description) { return {description, engine_}; }

  // Makes the primitives for `count` strings of `length` characters, unless the last call asked for the same.
  void Prepare(memory::dim length, memory::dim count) {
    if (length == length_ && count == count_) return;
    length_ = length;
    count_ = count;
    steps_.clear();
    input_ = Allocate({{length, count, model_.architecture.size("embedding")}, type_, Tag::tnc});
    memory layer_input = input_;
    for (int layer = 0; layer < model_.architecture.size("layers"); ++layer) layer_input = AddLayer(layer, layer_input);
    ends_ = Allocate({{count, 2 * hidden_}, type_, Tag::ab});
    const memory middle = AddLinear("mlp.0", ends_, type_, true);
    result_ = AddLinear("mlp.2", middle, Type::f32, false);
  }

  // Both directions of one layer; its output.
  memory AddLayer(int layer, const memory& input) {
    const memory::dim depth = input.get_desc().dims()[2];
    const memory::dims input_weights{1, 2, depth, 4, hidden_};
    const memory::dims state_weights{1, 2, hidden_, 4, hidden_};
    const memory::dims states{1, 2, count_, hidden_};
    const memory::desc bias({1, 2, 4, hidden_}, Type::f32, Tag::ldgo);
    const memory::desc output({length_, count_, 2 * hidden_}, type_, Tag::tnc);
    const dnnl::lstm_forward::primitive_desc lstm(
        {dnnl::prop_kind::forward_inference, dnnl::rnn_direction::bidirectional_concat, input.get_desc(), memory::desc(),
         memory::desc(), memory::desc(input_weights, type_, Tag::any), memory::desc(state_weights, type_, Tag::any), bias,
         output, memory::desc(states, type_, Tag::ldnc), memory::desc(states, Type::f32, Tag::ldnc)},
        engine_);
    last_states_ = Allocate(lstm.dst_iter_desc());
    const std::string suffix = "_l" + std::to_string(layer);
    Arguments arguments{{DNNL_ARG_SRC_LAYER, input},
                        {DNNL_ARG_WEIGHTS_LAYER, Convert(engine_, stream_, BothDirections("lstm.weight_ih" + suffix),
                                                         input_weights, Tag::ldgoi, lstm.weights_layer_desc())},
                        {DNNL_ARG_WEIGHTS_ITER, Convert(engine_, stream_, BothDirections("lstm.weight_hh" + suffix),
                                                        state_weights, Tag::ldgoi, lstm.weights_iter_desc())},
                        {DNNL_ARG_BIAS, Convert(engine_, stream_, Bias(suffix), bias.dims(), Tag::ldgo, bias)},
                        {DNNL_ARG_DST_LAYER, Allocate(output)},
                        {DNNL_ARG_DST_ITER, last_states_},
                        {DNNL_ARG_DST_ITER_C, Allocate(lstm.dst_iter_c_desc())}};
    steps_.push_back({dnnl::lstm_forward(lstm), arguments});
    return arguments.at(DNNL_ARG_DST_LAYER);
  }

  std::vector<float> BothDirections(const std::string& name) const {
    std::vector<float> both = Values(name);
    const std::vector<float>& reverse = Values(name + "_reverse");
    both.insert(both.end(), reverse.begin(), reverse.end());
    return both;
  }
  std::vector<float> Bias(const std::string& suffix) const {
    std::vector<float> sum = BothDirections("lstm.bias_ih" + suffix);
    const std::vector<float> second = BothDirections("lstm.bias_hh" + suffix);
    std::transform(sum.begin(), sum.end(), second.begin(), sum.begin(), std::plus<>());
    return sum;
  }

  memory AddLinear(const std::string& name, const memory& input, Type output_type, bool relu) {
    const memory::dims weights{2 * hidden_, 2 * hidden_};
    const memory::desc bias({2 * hidden_}, Type::f32, Tag::a);
    dnnl::post_ops after;
    if (relu) after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    const dnnl::inner_product_forward::primitive_desc linear(
        {dnnl::prop_kind::forward_inference, input.get_desc(), memory::desc(weights, type_, Tag::any), bias,
         memory::desc({count_, 2 * hidden_}, output_type, Tag::ab)},
        attributes, engine_);
    Arguments arguments{
        {DNNL_ARG_SRC, input},
        {DNNL_ARG_WEIGHTS, Convert(engine_, stream_, Values(name + ".weight"), weights, Tag::ab, linear.weights_desc())},
        {DNNL_ARG_BIAS, Convert(engine_, stream_, Values(name + ".bias"), bias.dims(), Tag::a, bias)},
        {DNNL_ARG_DST, Allocate(linear.dst_desc())}};
    steps_.push_back({dnnl::inner_product_forward(linear), arguments});
    return arguments.at(DNNL_ARG_DST);
  }

  // 1. Look up the characters; 2. the layers; 3. the last states of both directions side by side; 4. the linear layers.
  void Run(std::span<const std::string_view> texts, const std::vector<std::size_t>& places, std::span<float> vectors) {
    const std::size_t value_bytes = memory::data_type_size(type_);
    const std::size_t row_bytes = static_cast<std::size_t>(model_.architecture.size("embedding")) * value_bytes;
    const auto* const embeddings = static_cast<const char*>(embedding_.get_data_handle());
    auto* input = static_cast<char*>(input_.get_data_handle());
    for (std::size_t at = 0; at < static_cast<std::size_t>(length_); ++at) {
      for (const std::size_t place : places) {
        std::memcpy(input, embeddings + CharacterIndex(texts[place][at]) * row_bytes, row_bytes);
        input += row_bytes;
      }
    }
    const auto layers = static_cast<std::size_t>(model_.architecture.size("layers"));
    Execute(0, layers);
    const std::size_t half_bytes = static_cast<std::size_t>(hidden_) * value_bytes;
    const auto* const states = static_cast<const char*>(last_states_.get_data_handle());
    auto* const ends = static_cast<char*>(ends_.get_data_handle());
    for (std::size_t row = 0; row < places.size(); ++row) {
      std::memcpy(ends + 2 * row * half_bytes, states + row * half_bytes, half_bytes);
      std::memcpy(ends + (2 * row + 1) * half_bytes, states + (places.size() + row) * half_bytes, half_bytes);
    }
    Execute(layers, steps_.size());
    const std::size_t size = 2 * static_cast<std::size_t>(hidden_);
    const auto* const result = static_cast<const float*>(result_.get_data_handle());
    for (std::size_t row = 0; row < places.size(); ++row) {
      std::copy_n(result + row * size, size, vectors.data() + places[row] * size);
    }
  }

  void Execute(std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) steps_[i].primitive.execute(stream_, steps_[i].arguments);
    stream_.wait();
  }

  Model model_;
  Type type_;
  memory::dim hidden_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  memory embedding_;

  // For strings of one length:
  memory::dim length_ = 0;
  memory::dim count_ = 0;
  std::vector<Step> steps_;  // the layers, then the linear layers
  memory input_;
  memory last_states_;
  memory ends_;
  memory result_;
};

OnednnEncoder::OnednnEncoder(const Model& model, OnednnPrecision precision)
    : implementation_(std::make_unique<Implementation>(model, precision)) {}
OnednnEncoder::~OnednnEncoder() = default;

void OnednnEncoder::Encode(std::span<const std::string_view> texts, std::span<float> vectors) {
  implementation_->Encode(texts, vectors);
}

double OnednnProductRate(OnednnPrecision precision) {
  constexpr memory::dim kSize = 2048;
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc description({kSize, kSize}, TypeOf(precision), Tag::ab);
  const std::vector<float> values(kSize * kSize, 0.5F);
  memory a = Convert(engine, stream, values, description.dims(), Tag::ab, description);
  memory b = Convert(engine, stream, values, description.dims(), Tag::ab, description);
  memory c({{kSize, kSize}, Type::f32, Tag::ab}, engine);
  const dnnl::matmul product(dnnl::matmul::primitive_desc({description, description, c.get_desc()}, engine));
  double best = 1e300;
  for (int i = 0; i < 16; ++i) {
    const auto start = std::chrono::steady_clock::now();
    product.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
    stream.wait();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 2.0 * kSize * kSize * kSize / best;
}

}  // namespace conpole::bench
