// Where problems lie by the vectors of a model.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "service/operations.h"
#include "subjects/free_notation.h"
#include "vectors/pca.h"
#include "vectors/problem_index.h"

namespace conpole {
namespace {

constexpr std::uint64_t kMaxFound = 1'000;
constexpr std::uint64_t kUsualFound = 10;
constexpr std::uint64_t kUsualGenerated = 500;

// The texts of a field as canonical text. What is wrong with one is said with its place.
std::vector<std::string> ReadAll(const Domain& domain, const std::vector<std::string>& texts, std::string_view field,
                                 const std::string& language) {
  std::vector<std::string> states;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    try {
      states.push_back(ReadField(domain, texts[i], field, language));
    } catch (RequestProblem& problem) {
      problem.field = fmt::format("{}[{}]", field, i);
      throw;
    }
  }
  return states;
}

// As much of a component or a cosine as tells anything.
double Rounded(double value) { return std::round(value * 1e5) / 1e5; }

// Vectors in portions, so that a call can be stopped in between.
std::vector<float> EncodeWatched(const ProblemEncoder& encoder, const std::vector<std::string>& states, CallContext& context,
                                 const CommonFields& common) {
  constexpr std::size_t kPortion = 64;
  CallWatch watch(context.call.stop, context.call.progress, common.milliseconds);
  watch.ThrowWhenStopped();
  ThreadPool pool(context.options.threads);
  std::vector<float> vectors;
  for (std::size_t first = 0; first < states.size(); first += kPortion) {
    const std::span<const std::string> portion = std::span(states).subspan(first, std::min(kPortion, states.size() - first));
    watch.Look(portion.size());
    const std::vector<float> more = encoder.Encode(portion, pool);
    vectors.insert(vectors.end(), more.begin(), more.end());
  }
  return vectors;
}

}  // namespace

ServiceJson AnswerEmbed(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::vector<std::string> texts = fields.Texts("problems", context.options.limits.problems);
  fields.RequireNoOthers();
  const std::unique_ptr<Domain> domain = DomainFor(common, texts.front());
  const std::vector<std::string> states = ReadAll(*domain, texts, "problems", common.language);
  const ProblemEncoder encoder = MakeProblemEncoder(context, *domain);
  const std::vector<float> all = EncodeWatched(encoder, states, context, common);
  ServiceJson vectors = ServiceJson::array();
  for (auto next = all.begin(); next != all.end(); next += static_cast<std::ptrdiff_t>(encoder.dimension())) {
    vectors.push_back(std::vector<float>(next, next + static_cast<std::ptrdiff_t>(encoder.dimension())));
  }
  return {{"domain", domain->Spec()},
          {"model", *context.models.FileFor(domain->type())},
          {"problems", states},
          {"vectors", std::move(vectors)}};
}

ServiceJson AnswerSimilar(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::size_t most = context.options.limits.problems;
  const std::string text = fields.Text("problem");
  const std::optional<std::vector<std::string>> among = fields.OptionalTexts("among", most);
  const std::optional<std::uint64_t> count = fields.Number("count", 1, most);
  const std::uint64_t seed = fields.Number("seed", 0, std::numeric_limits<std::uint64_t>::max() - most).value_or(0);
  const std::uint64_t found = fields.Number("k", 1, kMaxFound).value_or(kUsualFound);
  fields.RequireNoOthers();
  if (among && count) throw RequestProblem(400, "'among' and 'count' exclude each other", "count");
  const std::unique_ptr<Domain> domain = DomainFor(common, text);
  const std::string problem = ReadField(*domain, text, "problem", common.language);
  const ProblemEncoder encoder = MakeProblemEncoder(context, *domain);
  ThreadPool pool(context.options.threads);
  ProblemIndex index(encoder);
  CallWatch watch(context.call.stop, context.call.progress, common.milliseconds);
  const StopToken stop = StopToken(context.call.stop).Or([&] {
    watch.Look(0);
    return watch.stop().load();
  });
  const bool whole =
      among ? index.Add(ReadAll(*domain, *among, "among", common.language), pool, stop)
            : index.AddGenerated({seed, seed + count.value_or(std::min<std::uint64_t>(most, kUsualGenerated))}, pool, stop);
  if (!whole) throw CallStopped();
  ServiceJson similar = ServiceJson::array();
  for (const SimilarProblem& one : index.Similar(problem, static_cast<std::size_t>(found), pool)) {
    ServiceJson entry{{"problem", one.state},
                      {"notation", WriteFor(*domain, one.state, common.language)},
                      {"latex", WriteLatex(*domain, one.state)},
                      {"cosine", Rounded(one.cosine)}};
    AddMarkupIfAsked(entry, common, *domain, one.state);
    similar.push_back(std::move(entry));
  }
  return {{"domain", domain->Spec()},
          {"problem", problem},
          {"notation", WriteFor(*domain, problem, common.language)},
          {"model", *context.models.FileFor(domain->type())},
          {"problems", index.size()},
          {"similar", std::move(similar)}};
}

ServiceJson AnswerMap(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::vector<std::string> texts = fields.Texts("problems", context.options.limits.problems);
  const bool with_steps = fields.Flag("steps").value_or(false);
  fields.RequireNoOthers();
  TutorCall call(context, common, texts.front(), {}, common.milliseconds);
  const Domain& domain = call.domain();
  const std::vector<std::string> states = ReadAll(domain, texts, "problems", common.language);
  const ProblemEncoder encoder = MakeProblemEncoder(context, domain);
  const std::vector<float> vectors = EncodeWatched(encoder, states, context, common);
  const PrincipalComponents components = FindPrincipalComponents(vectors, encoder.dimension(), 2);
  ServiceJson points = ServiceJson::array();
  for (std::size_t i = 0; i < states.size(); ++i) {
    ServiceJson point{{"problem", states[i]},
                      {"notation", WriteFor(domain, states[i], common.language)},
                      {"x", Rounded(components.places[i][0])},
                      {"y", Rounded(components.places[i][1])}};
    AddMarkupIfAsked(point, common, domain, states[i]);
    if (with_steps && !call.watch().stop()) {
      const TutorSolution solution = call.session().tutor().Solve(states[i], call.session().budget());
      if (solution.has_steps_to_answer()) point["steps"] = solution.steps.size();
    }
    points.push_back(std::move(point));
  }
  return {{"domain", domain.Spec()},
          {"model", *context.models.FileFor(domain.type())},
          {"points", std::move(points)},
          {"explained", {Rounded(components.Share(0)), Rounded(components.Share(1))}}};
}

}  // namespace conpole
