// Models: conpole.Model.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/src/bindings.h"
#include "python/src/interruption.h"
#include "python/src/loaded_model.h"
#include "python/src/python_domain.h"
#include "python/src/shared_pool.h"
#include "python/src/texts.h"
#include "search/packed_scorer.h"
#include "train/run/first_states.h"
#include "util/text_index.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// Texts as a model was trained to read them. With the interpreter's lock released.
class TextsForModel {
 public:
  // Throws MalformedText for the first that is no state of the model's domain.
  TextsForModel(const LoadedModel& loaded, const std::vector<std::string_view>& given, ThreadPool& pool) : views_(given) {
    if (loaded.domain == nullptr) return;
    read_.resize(given.size());
    SignalWatch watch;
    const auto read_one = [&](std::size_t i) {
      constexpr std::size_t kBetweenLooks = 16;
      if (i % kBetweenLooks == 0) watch.Look();
      read_[i] = ReadForPolicy(*loaded.domain, given[i]);
    };
    if (IsPython(*loaded.domain)) {
      for (std::size_t i = 0; i < given.size(); ++i) read_one(i);  // in the caller's thread
    } else {
      pool.For(given.size(), read_one);
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (read_[i].error) throw MalformedText(given[i], "state", *loaded.domain, *std::move(read_[i].error));
      views_[i] = read_[i].state;
    }
  }

  const std::vector<std::string_view>& views() const { return views_; }

 private:
  std::vector<Parsed> read_;
  std::vector<std::string_view> views_;
};

py::array_t<float> Embed(const LoadedModel& loaded, const py::object& states, std::size_t threads) {
  const Texts texts(states, "states");
  const std::size_t size = loaded.encoder->vector_size();
  py::array_t<float> vectors({texts.size(), size});
  const std::span<float> out(vectors.mutable_data(), texts.size() * size);
  const py::gil_scoped_release release;
  WithSharedPool(threads, [&](ThreadPool& pool) {
    WatchedEncoder(*loaded.encoder).Encode(TextsForModel(loaded, texts.views(), pool).views(), out, pool);
  });
  return vectors;
}

void ScoreTexts(const LoadedModel& loaded, const std::vector<std::string_view>& parents,
                const std::vector<std::string_view>& candidates, std::span<float> scores, ThreadPool& pool) {
  TextIndex distinct;  // since encoding is what costs
  std::vector<ScoreBatch::Pair> pairs;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::uint32_t parent = distinct.Add(parents[i]);
    pairs.push_back({parent, distinct.Add(candidates[i])});
  }
  const ScoreBatch batch{distinct.texts(), distinct.hashes(), pairs};
  if (loaded.layout != nullptr) {
    auto policy = std::make_unique<WatchedPolicy>(std::make_unique<ResidualPolicy>(loaded.model, pool));
    PackedScorer(*loaded.layout, std::move(policy)).Score(batch, scores);
    return;
  }
  ScoringMemory memory;
  ScorePairs(WatchedEncoder(*loaded.encoder), *loaded.head, batch, scores, pool, memory);
}

py::array_t<float> Score(const LoadedModel& loaded, const py::object& parents, const py::object& candidates,
                         std::size_t threads) {
  const Texts parent_texts(parents, "parents");
  const Texts candidate_texts(candidates, "candidates");
  if (parent_texts.size() != candidate_texts.size()) {
    throw Error(fmt::format("there are {} parents and {} candidates", parent_texts.size(), candidate_texts.size()));
  }
  py::array_t<float> scores(static_cast<py::ssize_t>(candidate_texts.size()));
  const std::span<float> out(scores.mutable_data(), candidate_texts.size());
  const py::gil_scoped_release release;
  WithSharedPool(threads, [&](ThreadPool& pool) {
    const TextsForModel parents_read(loaded, parent_texts.views(), pool);
    const TextsForModel candidates_read(loaded, candidate_texts.views(), pool);
    ScoreTexts(loaded, parents_read.views(), candidates_read.views(), out, pool);
  });
  return scores;
}

std::string Describe(const LoadedModel& loaded) {
  const auto domain = loaded.model.metadata.find("domain");
  return fmt::format("Model({}{}, vectors of {}, scores are {})", loaded.model.architecture.kind,
                     domain == loaded.model.metadata.end() ? "" : " for " + domain->second, loaded.encoder->vector_size(),
                     ScoreMeaningName(loaded.model.meaning()));
}

py::list ReadTexts(const Domain& domain, const py::object& states) {
  const Texts texts(states, "states");
  py::list read(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Parsed parsed = ReadForPolicy(domain, texts.views()[i]);
    if (parsed.error) throw MalformedText(texts.views()[i], "state", domain, *parsed.error);
    read[i] = ToStr(parsed.state);
  }
  return read;
}

const FixedLayout& RequireLayout(const Domain& domain) {
  if (domain.type().layout == nullptr) {
    throw Error(fmt::format("the states of {} have no fixed layout", domain.type().name));
  }
  return *domain.type().layout;
}

py::array_t<std::uint8_t> PackStates(const Domain& domain, const py::object& states) {
  const FixedLayout& layout = RequireLayout(domain);
  const Texts texts(states, "states");
  py::array_t<std::uint8_t> cells({texts.size(), layout.cells});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Parsed parsed = domain.Parse(texts.views()[i]);  // since packing trusts its input
    if (parsed.error) throw MalformedText(texts.views()[i], "state", domain, *parsed.error);
    layout.pack(parsed.state, cells.mutable_data() + i * layout.cells);
  }
  return cells;
}

py::object LayoutMoves(const Domain& domain) {
  const FixedLayout* const layout = domain.type().layout;
  if (layout == nullptr) return py::none();
  py::array_t<std::uint8_t> moves({layout->actions(), layout->cells});
  for (std::size_t action = 0; action < layout->actions(); ++action) {
    std::copy_n(layout->moves[action].data(), layout->cells, moves.mutable_data() + action * layout->cells);
  }
  return moves;
}

// A domain that keeps its object alive, which a domain written in Python is. Null for none.
std::shared_ptr<const Domain> Held(std::optional<py::object> object) {
  if (!object || object->is_none()) return nullptr;
  const std::shared_ptr<const Domain> domain = py::cast<std::shared_ptr<Domain>>(*object);
  const std::shared_ptr<py::object> holder(new py::object(*std::move(object)), [](py::object* held) {
    const py::gil_scoped_acquire lock;
    delete held;
  });
  return {domain.get(), [domain, holder](const Domain*) {}};
}

py::tuple PickledModel(const LoadedModel& loaded) {
  const py::object domain =
      loaded.domain == nullptr ? py::object(py::none()) : py::cast(std::const_pointer_cast<Domain>(loaded.domain));
  return py::make_tuple(py::bytes(FormatModel(loaded.model, WeightFormat::kFloat32)), loaded.path, domain, loaded.any_domain);
}

std::shared_ptr<LoadedModel> UnpickleModel(const py::tuple& state) {
  const py::bytes bytes = state[0];
  const std::string_view content(bytes);
  const auto path = py::cast<std::string>(state[1]);
  return std::make_shared<LoadedModel>(ParseModel(std::as_bytes(std::span(content)), path), path, Held(py::object(state[2])),
                                       py::cast<bool>(state[3]));
}

}  // namespace

void BindModels(py::module_& module) {
  py::class_<LoadedModel, std::shared_ptr<LoadedModel>>(module, "Model",
                                                        "A network that guides searches. Immutable; any thread may use it.")
      .def(py::init([](const std::filesystem::path& path, std::optional<py::object> domain, bool any_domain) {
             return std::make_shared<LoadedModel>(path.string(), Held(std::move(domain)), any_domain);
           }),
           py::arg("path"), py::arg("domain") = py::none(), py::kw_only(), py::arg("any_domain") = false,
           "Reads a file. `domain` is the one in whose notation texts are given: by default the one that the model was trained "
           "for. `any_domain` takes the model also where it was trained for another one, and then texts without a domain as "
           "they are.")
      .def_property_readonly(
          "metadata", [](const LoadedModel& loaded) { return loaded.model.metadata; },
          "What is known about the model: its domain, how it was trained.")
      .def_property_readonly(
          "domain",
          [](const LoadedModel& loaded) -> py::object {
            const std::string spec = DomainOfModel(loaded.model);
            return spec.empty() ? py::object(py::none()) : py::object(ToStr(spec));
          },
          "The domain that it was trained for, with its parameters, as text; None if the file does not say.")
      .def_property_readonly(
          "vector_size", [](const LoadedModel& loaded) { return loaded.encoder->vector_size(); }, "The length of a vector.")
      .def_property_readonly(
          "head", [](const LoadedModel& loaded) { return HeadName(loaded.model.architecture.head); },
          "bilinear: it prefers candidates of a parent; value: it judges a state alone; actions: it prefers actions.")
      .def_property_readonly(
          "kind", [](const LoadedModel& loaded) { return loaded.model.architecture.kind; },
          "The kind of its network, for example lstm.")
      .def_property_readonly(
          "alphabet", [](const LoadedModel& loaded) { return ToStr(loaded.model.architecture.alphabet); },
          "The signs outside ASCII that its network tells apart; all others are one character for it.")
      .def_property_readonly(
          "unknown_characters", [](const LoadedModel& loaded) { return loaded.encoder->unknown_characters(); },
          "How many characters of the texts so far its network does not know.")
      .def_property_readonly(
          "meaning", [](const LoadedModel& loaded) { return ScoreMeaningName(loaded.model.meaning()); },
          "What its scores mean: log-preference, log-odds, steps-to-go or rank.")
      .def("embed", &Embed, py::arg("states"), py::kw_only(), py::arg("threads") = 0,
           "The vectors of states: float32[states, vector_size]. Raises MalformedError for what is no state of the domain.")
      .def("score", &Score, py::arg("parents"), py::arg("candidates"), py::kw_only(), py::arg("threads") = 0,
           "float32[candidates]: how good each candidate is as the next state after its parent; higher is better.")
      .def("__call__", &Score, py::arg("parents"), py::arg("candidates"), py::kw_only(), py::arg("threads") = 0,
           "The same as score: a model is a scorer.")
      .def("__repr__", &Describe)
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::object&) { return self; })
      .def(py::pickle(&PickledModel, &UnpickleModel));

  module.def("read_for_policy", &ReadTexts, py::arg("domain"), py::arg("states"),
             "States as networks were trained to read them.");
  module.def(
      "alphabet_of",
      [](const Domain& domain) {
        return ToStr(AlphabetOf({&domain}, {0, 256}));
      },
      py::arg("domain"), "The signs outside ASCII that states of a domain have, as far as its first problems show.");
  module.def("pack_states", &PackStates, py::arg("domain"), py::arg("states"),
             "uint8[states, cells]: the colour of each cell, of states that have a fixed layout.");
  module.def("layout_moves", &LayoutMoves, py::arg("domain"),
             "uint8[actions, cells]: the cell that each cell gets its colour from; None if states have no fixed layout.");
  module.def(
      "layout_colours", [](const Domain& domain) { return RequireLayout(domain).colours; }, py::arg("domain"),
      "How many colours a cell of a fixed layout can have.");
}

}  // namespace conpole::python
