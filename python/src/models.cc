// Models: conpole.Model.
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/src/bindings.h"
#include "python/src/loaded_model.h"
#include "python/src/shared_pool.h"
#include "python/src/texts.h"
#include "search/packed_scorer.h"
#include "util/text_index.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

py::array_t<float> Embed(const LoadedModel& loaded, const py::object& states, std::size_t threads) {
  const Texts texts(states, "states");
  const std::size_t size = loaded.encoder->vector_size();
  py::array_t<float> vectors({texts.size(), size});
  const std::span<float> out(vectors.mutable_data(), texts.size() * size);
  const py::gil_scoped_release release;
  WithSharedPool(threads, [&](ThreadPool& pool) { loaded.encoder->Encode(texts.views(), out, pool); });
  return vectors;
}

void ScoreTexts(const LoadedModel& loaded, const Texts& parents, const Texts& candidates, std::span<float> scores,
                ThreadPool& pool) {
  TextIndex distinct;  // since encoding is what costs
  std::vector<ScoreBatch::Pair> pairs;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::uint32_t parent = distinct.Add(parents.views()[i]);
    pairs.push_back({parent, distinct.Add(candidates.views()[i])});
  }
  const ScoreBatch batch{distinct.texts(), distinct.hashes(), pairs};
  if (loaded.layout != nullptr) {
    PackedScorer(*loaded.layout, std::make_unique<ResidualPolicy>(loaded.model, pool)).Score(batch, scores);
    return;
  }
  ScoringMemory memory;
  ScorePairs(*loaded.encoder, *loaded.head, batch, scores, pool, memory);
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
  WithSharedPool(threads, [&](ThreadPool& pool) { ScoreTexts(loaded, parent_texts, candidate_texts, out, pool); });
  return scores;
}

std::string Describe(const LoadedModel& loaded) {
  const auto domain = loaded.model.metadata.find("domain");
  return fmt::format("Model({}{}, vectors of {}, scores are {})", loaded.model.architecture.kind,
                     domain == loaded.model.metadata.end() ? "" : " for " + domain->second, loaded.encoder->vector_size(),
                     ScoreMeaningName(loaded.model.meaning()));
}

}  // namespace

void BindModels(py::module_& module) {
  py::class_<LoadedModel, std::shared_ptr<LoadedModel>>(module, "Model",
                                                        "A network that guides searches. Immutable; any thread may use it.")
      .def(py::init([](const std::filesystem::path& path) { return std::make_shared<LoadedModel>(path.string()); }),
           py::arg("path"))
      .def_property_readonly(
          "metadata", [](const LoadedModel& loaded) { return loaded.model.metadata; },
          "What is known about the model: its domain, how it was trained.")
      .def_property_readonly(
          "vector_size", [](const LoadedModel& loaded) { return loaded.encoder->vector_size(); }, "The length of a vector.")
      .def_property_readonly(
          "head", [](const LoadedModel& loaded) { return HeadName(loaded.model.architecture.head); },
          "bilinear: it prefers candidates of a parent; value: it judges a state alone; actions: it prefers actions.")
      .def_property_readonly(
          "kind", [](const LoadedModel& loaded) { return loaded.model.architecture.kind; },
          "The kind of its network, for example lstm.")
      .def_property_readonly(
          "meaning", [](const LoadedModel& loaded) { return ScoreMeaningName(loaded.model.meaning()); },
          "What its scores mean: log-preference, log-odds, steps-to-go or rank.")
      .def("embed", &Embed, py::arg("states"), py::kw_only(), py::arg("threads") = 0,
           "The vectors of states: float32[states, vector_size].")
      .def("score", &Score, py::arg("parents"), py::arg("candidates"), py::kw_only(), py::arg("threads") = 0,
           "float32[candidates]: how good each candidate is as the next state after its parent; higher is better.")
      .def("__call__", &Score, py::arg("parents"), py::arg("candidates"), py::kw_only(), py::arg("threads") = 0,
           "The same as score: a model is a scorer.")
      .def("__repr__", &Describe)
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::object&) { return self; })
      .def(py::pickle([](const LoadedModel& loaded) { return py::bytes(FormatModel(loaded.model, WeightFormat::kFloat32)); },
                      [](const py::bytes& bytes) {
                        const std::string_view content(bytes);
                        return std::make_shared<LoadedModel>(ParseModel(std::as_bytes(std::span(content)), "a pickled model"));
                      }));
}

}  // namespace conpole::python
