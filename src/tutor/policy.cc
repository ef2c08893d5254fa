#include "tutor/policy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "conpole/error.h"
#include "domains/files/domain_file.h"
#include "domains/puzzles/sorting.h"
#include "nn/model_metadata.h"
#include "nn/network_scorer.h"
#include "nn/residual_network.h"
#include "nn/shipped_models.h"
#include "search/packed_scorer.h"
#include "search/scorers.h"
#include "subjects/subject.h"
#include "util/text.h"
#include "util/text_index.h"

namespace conpole {
namespace {

constexpr char kTrainedUnknown = 'x';

// A letter that stands alone, unlike those of a word ("or", "sqrt").
bool IsUnknown(std::string_view text, std::size_t i) {
  if (!IsLetter(text[i])) return false;
  return (i == 0 || !IsLetter(text[i - 1])) && (i + 1 == text.size() || !IsLetter(text[i + 1]));
}

// The unknown of a text that has one, once or more often, and no other; 0 if there is none or more than one.
char OnlyUnknown(std::string_view text) {
  char letter = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == letter || !IsUnknown(text, i)) continue;
    if (letter != 0) return 0;
    letter = text[i];
  }
  return letter;
}

std::string WithTrainedUnknown(std::string_view text) {
  std::string renamed(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsUnknown(text, i)) renamed[i] = kTrainedUnknown;
  }
  return renamed;
}

// A text that the network was not trained on, as one that it was; nothing if it was trained on it.
using Translation = std::function<std::optional<std::string>(std::string_view)>;

std::optional<std::string> InTrainedUnknown(std::string_view text) {
  const char letter = OnlyUnknown(text);
  if (letter == 0 || letter == kTrainedUnknown) return std::nullopt;
  return WithTrainedUnknown(text);
}

// Longer texts than any in training. A network knows nothing about them, and takes a second for a few.
constexpr std::size_t kLongestTranslation = 2'048;

class TranslatingScorer final : public Scorer {
 public:
  TranslatingScorer(std::unique_ptr<Scorer> scorer, Translation translation)
      : scorer_(std::move(scorer)), translation_(std::move(translation)) {}

  ScoreMeaning meaning() const override { return scorer_->meaning(); }
  bool NeedsDistinctTexts() const override { return scorer_->NeedsDistinctTexts(); }
  std::size_t ProblemsInFlight() const override { return scorer_->ProblemsInFlight(); }
  // Numbers become bars, which are longer: the scorer should not be given more of these at a time than it likes.
  std::size_t CharactersAtATime() const override {
    const std::size_t most = scorer_->CharactersAtATime();
    return most == SIZE_MAX ? most : std::max<std::size_t>(1, most / growth_);
  }

  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    std::vector<std::optional<std::string>> translated;
    growth_ = 1;
    for (const std::string_view text : batch.texts) {
      const std::optional<std::string>& trained = translated.emplace_back(translation_(text));
      if (trained && !text.empty()) growth_ = std::max(growth_, (trained->size() + text.size() - 1) / text.size());
    }
    const auto is_translated = [](const std::optional<std::string>& trained) { return trained.has_value(); };
    if (std::none_of(translated.begin(), translated.end(), is_translated)) return scorer_->Score(batch, scores);
    // Texts that differ in their letters alone become one. Of what is too long nothing is known: no step is better than
    // another.
    const auto is_long = [&](std::uint32_t text) { return translated[text] && translated[text]->size() > kLongestTranslation; };
    TextIndex distinct;
    const auto place = [&](std::uint32_t text) {
      return distinct.Add(translated[text] ? std::string_view(*translated[text]) : batch.texts[text]);
    };
    std::vector<ScoreBatch::Pair> pairs;
    std::vector<std::size_t> known;  // which pairs these are
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      const auto [parent, candidate] = batch.pairs[i];
      scores[i] = 0;
      if (is_long(parent) || is_long(candidate)) continue;
      pairs.push_back({place(parent), place(candidate)});
      known.push_back(i);
    }
    if (pairs.empty()) return;
    std::vector<float> known_scores(pairs.size());
    scorer_->Score({distinct.texts(), distinct.hashes(), pairs}, known_scores);
    for (std::size_t i = 0; i < known.size(); ++i) scores[known[i]] = known_scores[i];
  }

 private:
  std::unique_ptr<Scorer> scorer_;
  Translation translation_;
  std::size_t growth_ = 8;  // how many times as long texts became, the last time; before that, a list of 50 numbers
};

}  // namespace

void RequireOneChoice(const PolicyChoice& choice) {
  if (!choice.model.empty() && !choice.scorer.empty()) throw Error("--model and --scorer exclude each other");
  if (choice.learned && !choice.model.empty()) throw Error("--policy and --model exclude each other");
  if (choice.learned && !choice.scorer.empty()) throw Error("--policy and --scorer exclude each other");
}

std::string ModelPathOf(const Domain& domain, const PolicyChoice& choice) {
  if (!choice.model.empty() || !choice.scorer.empty()) return choice.model;
  if (!choice.learned && HeuristicSuffices(domain.type())) return {};
  // A file may have the name of a domain that a model comes with.
  const std::optional<std::string> shipped =
      domain.type().file == nullptr ? FindShippedModel(domain.type().name) : std::nullopt;
  if (choice.learned && !shipped) {
    throw Error(Message("no model comes with conpole for {}; name one with --model", domain.type().name));
  }
  return shipped.value_or("");
}

std::unique_ptr<Scorer> MakePolicy(const Domain& domain, ThreadPool& pool, const PolicyChoice& choice) {
  RequireOneChoice(choice);
  if (const std::string path = ModelPathOf(domain, choice); !path.empty()) {
    const Model model = ReadPolicyModel(domain, path, choice.any_domain);
    return ForAnyUnknown(domain, MakeModelScorer(domain, model, pool));
  }
  return MakeScorer(NameOfPolicy(domain, choice), domain.type(), choice.seed);
}

std::string NameOfPolicy(const Domain& domain, const PolicyChoice& choice) {
  if (const std::string path = ModelPathOf(domain, choice); !path.empty()) return "model " + path;
  return choice.scorer.empty() ? std::string(DefaultScorer(domain.type())) : choice.scorer;
}

Model ReadPolicyModel(const Domain& domain, const std::string& path, bool any_domain) {
  Model model = ReadModel(path);
  if (!any_domain) RequireModelFor(domain, model, path);
  return model;
}

std::map<std::string, std::string> MetadataFor(const Domain& domain, const std::map<std::string, std::string>& metadata) {
  for (std::size_t i = 0; metadata.contains(KeyOfDomain(i, "domain")); ++i) {
    const std::string& spec = metadata.at(KeyOfDomain(i, "domain"));
    if (spec.substr(0, spec.find(':')) != domain.type().name) continue;
    const std::string prefix = KeyOfDomain(i, "");
    std::map<std::string, std::string> own;
    for (const auto& [key, value] : metadata) {
      if (key.starts_with(prefix)) own.emplace(key.substr(prefix.size()), value);
    }
    own.insert(metadata.begin(), metadata.end());  // what is there stays
    return own;
  }
  return metadata;
}

void RequireModelFor(const Domain& domain, const Model& model, const std::string& name) {
  const std::map<std::string, std::string> metadata = MetadataFor(domain, model.metadata);
  const auto trained_for = metadata.find("domain");
  const std::string& type = domain.type().name;
  if (trained_for != metadata.end() && trained_for->second.substr(0, trained_for->second.find(':')) != type) {
    throw Error(Message("the model '{}' is for the domain {}, not for {}", name, trained_for->second, type));
  }
  const auto file = metadata.find(kDomainFileKey);
  if (domain.type().file == nullptr) {
    if (file != metadata.end()) throw Error(Message("the model '{}' is for a domain file, not for {}", name, type));
    return;
  }
  if (file == metadata.end()) throw Error(Message("the model '{}' is not for a domain file", name));
  if (const std::string difference = DifferenceOf(file->second, domain.type().file->text()); !difference.empty()) {
    throw Error(Message("the model '{}' was trained with another version of the file: {}", name, difference));
  }
}

std::string DomainFileOfModel(const std::string& path) {
  const std::map<std::string, std::string> metadata = ReadModelMetadata(path);
  const auto file = metadata.find(kDomainFileKey);
  return file == metadata.end() ? std::string() : file->second;
}

std::string DomainOfModel(const Model& model) {
  for (const char* const key : {kDomainFileKey, "full_domain", "domain"}) {
    if (const auto found = model.metadata.find(key); found != model.metadata.end()) return found->second;
  }
  return {};
}

bool ReadsLayout(const Model& model) { return IsOfActions(model.architecture.head); }

const FixedLayout& LayoutFor(const Domain& domain, const Model& model) {
  const FixedLayout* const layout = domain.type().layout;
  const auto has = [&](const char* name, std::size_t size) { return model.architecture.size(name) == static_cast<int>(size); };
  if (layout == nullptr || !has("cells", layout->cells) || !has("colours", layout->colours) ||
      !has("actions", layout->actions())) {
    throw Error(Message("the model is for states of another layout than those of {}", domain.type().name));
  }
  return *layout;
}

std::unique_ptr<Encoder> MakeEncoderFor(const Domain& domain, const Model& model) {
  if (ReadsLayout(model)) return std::make_unique<ResidualEncoder>(model, LayoutFor(domain, model));
  return MakeEncoder(model);
}

std::unique_ptr<Scorer> MakeModelScorer(const Domain& domain, const Model& model, ThreadPool& pool) {
  if (!ReadsLayout(model)) return std::make_unique<NetworkScorer>(model, pool);
  return MakeLayoutScorer(LayoutFor(domain, model), std::make_shared<const ResidualNetwork>(model, Products::kBytes), pool);
}

std::unique_ptr<Scorer> MakeLayoutScorer(const FixedLayout& layout, std::shared_ptr<const ResidualNetwork> network,
                                         ThreadPool& pool) {
  auto exact = std::make_unique<ResidualPolicy>(network, pool, Products::kFloats);
  return std::make_unique<PackedScorer>(layout, std::make_unique<ResidualPolicy>(std::move(network), pool), std::move(exact));
}

std::optional<std::string> TextForPolicy(const Domain& domain, std::string_view state) {
  const Subject& subject = SubjectOf(domain);
  return subject.HasUnknowns() ? InTrainedUnknown(state) : subject.TextForPolicy(state);
}

Parsed ReadForPolicy(const Domain& domain, std::string_view text) {
  Parsed parsed = domain.Parse(text);
  if (parsed.error) {
    if (domain.type().make == nullptr) return parsed;  // not one of ours, which say that such a text is malformed
    Successors ignored;
    if (domain.Expand(text, Labels::kOff, ignored) == Status::kMalformed) return parsed;
    parsed = {std::string(text), std::nullopt};
  }
  if (std::optional<std::string> trained = TextForPolicy(domain, parsed.state)) parsed.state = *std::move(trained);
  return parsed;
}

std::unique_ptr<Scorer> ForAnyUnknown(const Domain& domain, std::unique_ptr<Scorer> scorer) {
  const Subject& subject = SubjectOf(domain);
  if (subject.HasUnknowns()) return std::make_unique<TranslatingScorer>(std::move(scorer), &InTrainedUnknown);
  if (subject.type() != &SortingType()) return scorer;
  return std::make_unique<TranslatingScorer>(std::move(scorer),
                                             [&subject](std::string_view text) { return subject.TextForPolicy(text); });
}

std::vector<float> ScoreCandidates(Scorer& scorer, std::string_view parent, std::span<const std::string_view> candidates) {
  TextIndex distinct;
  std::vector<ScoreBatch::Pair> pairs;
  const std::uint32_t parent_index = distinct.Add(parent);
  for (const std::string_view candidate : candidates) pairs.push_back({parent_index, distinct.Add(candidate)});
  std::vector<float> scores(pairs.size());
  scorer.Score({distinct.texts(), distinct.hashes(), pairs}, scores);
  return scores;
}

std::vector<double> Softmax(const std::vector<float>& scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const float score : scores) sum += std::exp(score - best);
  std::vector<double> probabilities;
  for (const float score : scores) probabilities.push_back(std::exp(score - best) / sum);
  return probabilities;
}

}  // namespace conpole
