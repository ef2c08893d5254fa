#include "domains/files/domain_file.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conpole/error.h"
#include "domains/axioms/places.h"
#include "domains/files/expression.h"
#include "domains/files/file_places.h"
#include "util/random.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole {
namespace {

using files::Definition;
using files::Drawing;
using files::DrawSource;
using files::StateKind;

constexpr std::uint64_t kProblemsTried = 20;
constexpr std::size_t kMaxAttempts = 400;

// Draws one problem.
class ProblemMaker {
 public:
  ProblemMaker(const Definition& file, std::uint64_t seed) : file_(file), random_(seed) {}

  std::string Make(const files::LayoutEngine& layout) {
    const std::size_t kinds = file_.problems.size() + file_.scrambles.size();
    const std::size_t chosen = kinds == 1 ? 0 : static_cast<std::size_t>(random_.Uint64(0, kinds));
    if (chosen < file_.problems.size()) {
      position_ = file_.problems[chosen].position;
      return Draw(file_.problems[chosen], 0);
    }
    return layout.Scramble(file_.scrambles[chosen - file_.problems.size()], random_);
  }

  // Of the statement that it was made from.
  std::size_t position() const { return position_; }

 private:
  static constexpr int kMaxLevel = 6;
  static constexpr std::size_t kMaxDraws = 400;

  using Values = std::vector<std::pair<std::string, std::string>>;

  std::string Draw(const Drawing& drawing, int level) {
    Values values;
    const bool was_empty = is_empty_;
    for (int tries = 0;; ++tries) {
      if (tries == 1'000) {
        file_.source->Fail(drawing.position, is_empty_ ? "there is nothing to draw: a range such as 1..n - 1 is empty each time"
                                                       : "nothing that is drawn fits 'where'");
      }
      values.clear();
      is_empty_ = false;
      for (const auto& [name, source] : drawing.with) values.emplace_back(name, DrawValue(source, values, level));
      const auto holds = [&](const files::Condition& condition) { return Holds(condition, values); };
      if (!is_empty_ && std::all_of(drawing.where.begin(), drawing.where.end(), holds)) break;
    }
    is_empty_ = was_empty;
    // Deep down, or when there is much already, only what ends.
    const bool must_end = level >= kMaxLevel || ++draws_ > kMaxDraws;
    std::uint64_t total = 0;
    const auto weight = [&](const Drawing::Option& option) { return must_end && option.has_draws ? 0 : option.weight; };
    for (const Drawing::Option& option : drawing.options) total += weight(option);
    const bool is_forced = total == 0;
    if (is_forced && level > kMaxLevel + 20)
      file_.source->Fail(drawing.position, "what is drawn never ends; add a template without slots that are drawn in turn");
    if (is_forced) total = drawing.options.size();
    std::uint64_t left = drawing.options.size() == 1 ? 0 : Sample(drawing.sampler, total);
    const Drawing::Option* chosen = &drawing.options.back();
    for (const Drawing::Option& option : drawing.options) {
      const std::uint64_t own = is_forced ? 1 : weight(option);
      if (left < own) {
        chosen = &option;
        break;
      }
      left -= own;
    }
    return Fill(*chosen, values, level);
  }

  // From 0 to count - 1.
  std::uint64_t Sample(files::Sampler sampler, std::uint64_t count) {
    switch (sampler) {
      case files::Sampler::kUsual:
        return random_.Uint64(0, count);
      case files::Sampler::kInt8:
        return static_cast<std::uint64_t>(random_.Int8(0, static_cast<std::int8_t>(std::min<std::uint64_t>(count, INT8_MAX))));
      case files::Sampler::kInt32:
        return static_cast<std::uint64_t>(
            random_.Int32(0, static_cast<std::int32_t>(std::min<std::uint64_t>(count, INT32_MAX))));
      case files::Sampler::kInt64:
        return static_cast<std::uint64_t>(
            random_.Int64(0, static_cast<std::int64_t>(std::min<std::uint64_t>(count, INT64_MAX))));
      case files::Sampler::kCoin:
        break;
    }
    return random_.Coin() ? 0 : 1;
  }

  std::string Fill(const Drawing::Option& option, const Values& values, int level) {
    std::string text;
    for (std::size_t i = 0; i < option.literals.size(); ++i) {
      text += option.literals[i];
      if (i >= option.slots.size() || text.size() > kMaxStateBytes) break;
      const auto found =
          std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == option.slots[i]; });
      const std::string value = found == values.end() ? DrawNamed(option.slots[i], level + 1) : found->second;
      // (-3)^2 is not -3^2; but -3x is as it should be. What stands alone gets its brackets where it is put.
      const std::string& next = option.literals[i + 1];
      const bool is_coefficient = !next.empty() && (IsLetter(next[0]) || next[0] == '(');
      const bool is_alone = option.slots.size() == 1 && option.literals[0].empty() && next.empty();
      const bool brackets =
          file_.kind == StateKind::kTerm && !is_coefficient && !is_alone && NumberOf(value) && value[0] == '-';
      text += brackets ? '(' + value + ')' : value;
    }
    return text;
  }

  std::string DrawNamed(const std::string& name, int level) {
    const auto drawing =
        std::find_if(file_.draws.begin(), file_.draws.end(), [&](const Drawing& one) { return one.name == name; });
    return drawing == file_.draws.end() ? std::string() : Draw(*drawing, level);
  }

  std::string DrawValue(const DrawSource& source, const Values& values, int level) {
    switch (source.kind) {
      case DrawSource::Kind::kChoices:
        return source.choices[static_cast<std::size_t>(Sample(source.sampler, source.choices.size()))];
      case DrawSource::Kind::kDraw:
        return DrawNamed(source.draw, level + 1);
      default:
        break;
    }
    const std::optional<Rational> low = Evaluate(source.low, values);
    const std::optional<Rational> high = Evaluate(source.high, values);
    if (!low || !high || !low->IsInteger() || !high->IsInteger()) return {};
    const std::int64_t first = low->numerator();
    const std::int64_t last = std::max(first, high->numerator());
    if (source.kind == DrawSource::Kind::kRange && last != high->numerator()) is_empty_ = true;
    if (source.kind == DrawSource::Kind::kRange && source.sampler != files::Sampler::kUsual) {
      return std::to_string(first +
                            static_cast<std::int64_t>(Sample(
                                source.sampler, static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1)));
    }
    if (source.kind == DrawSource::Kind::kRange) return std::to_string(random_.Int64(first, std::min(last, INT64_MAX - 1) + 1));
    constexpr std::int64_t kMostElements = 1'000;
    std::vector<std::string> elements;
    if (source.kind == DrawSource::Kind::kShuffle) {
      for (std::int64_t n = first; n <= last && n - first < kMostElements; ++n) elements.push_back(std::to_string(n));
      random_.Shuffle(std::span(elements));
    } else {
      for (std::int64_t left = std::clamp<std::int64_t>(random_.Int64(first, last + 1), 0, kMostElements); left > 0; --left) {
        elements.push_back(DrawValue(source.element.front(), values, level));
      }
    }
    if (source.kind == DrawSource::Kind::kProduct) {
      Rational product(1);
      for (const std::string& element : elements) {
        const std::optional<Rational> factor = NumberOf(element);
        const std::optional<Rational> next = factor ? Rational::Apply('*', product, *factor) : std::nullopt;
        if (!next) return {};
        product = *next;
      }
      return std::to_string(product.numerator());
    }
    std::string text;
    for (std::size_t i = 0; i < elements.size(); ++i) text += (i > 0 ? file_.grammar.list.separator : "") + elements[i];
    return text;
  }

  static std::optional<Rational> NumberOf(const std::string& text) {
    if (text.empty() || text.size() > 18 || !std::all_of(text.begin() + (text[0] == '-' ? 1 : 0), text.end(), IsDigit) ||
        text == "-")
      return std::nullopt;
    return Rational(std::stoll(text));
  }

  std::optional<Rational> Evaluate(const files::Expression& expression, const Values& values) const {
    return files::EvaluateNumbers(expression, [&](std::int32_t variable) {
      const auto index = static_cast<std::size_t>(variable);
      return index < values.size() ? NumberOf(values[index].second) : std::nullopt;
    });
  }

  bool Holds(const files::Condition& condition, const Values& values) const {
    using files::Condition;
    if (condition.kind == Condition::Kind::kAnyOf) {
      return std::any_of(condition.any.begin(), condition.any.end(), [&](const Condition& one) { return Holds(one, values); });
    }
    const std::optional<Rational> left = Evaluate(condition.left, values);
    if (condition.kind == Condition::Kind::kIs) {
      return (left && (condition.type != files::Type::kInteger || left->IsInteger())) != condition.is_negated;
    }
    const std::optional<Rational> right = Evaluate(condition.right, values);
    if (left && right) return files::HoldsFor(condition.comparison, *left, *right);
    // Texts that are no numbers.
    using files::Function;
    if (condition.left.function != Function::kVariable || condition.right.function != Function::kVariable) return false;
    const bool is_same = values[static_cast<std::size_t>(condition.left.variable)].second ==
                         values[static_cast<std::size_t>(condition.right.variable)].second;
    return is_same == (condition.comparison == "=");
  }

  const Definition& file_;
  Random random_;
  std::size_t draws_ = 0;
  std::size_t position_ = 0;
  bool is_empty_ = false;  // whether a range had nothing to draw
};

class FileDomain final : public Domain, public WithPlaces {
 public:
  explicit FileDomain(std::shared_ptr<const DomainFile> file) : Domain(file->type(), Parameters()), file_(std::move(file)) {}

  std::string Generate(std::uint64_t seed) const override { return file_->Generate(seed); }

  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    const std::size_t before = out.size();
    if (file_->is_layout()) {
      thread_local std::vector<std::uint8_t> cells;
      if (std::optional<Malformed> error = file_->layout().Read(state, cells)) {
        out.SetError(std::move(*error));
        return Status::kMalformed;
      }
      if (file_->layout().Solved(cells)) return Status::kSolved;
      file_->layout().Append(state, cells, labels, out);
    } else {
      if (const std::optional<Status> status = file_->flat_lists().Expand(state, labels, out)) return *status;
      thread_local files::TermText term;
      Malformed error;
      if (!term.Read(file_->definition().grammar, state, error)) {
        out.SetError(std::move(error));
        return Status::kMalformed;
      }
      if (file_->engine().Solved(term)) return Status::kSolved;
      file_->engine().Append(term, labels, out);
    }
    return out.size() == before ? Status::kDeadEnd : Status::kOpen;
  }

  bool Solved(std::string_view state) const override {
    if (file_->is_layout()) {
      thread_local std::vector<std::uint8_t> cells;
      return !file_->layout().Read(state, cells) && file_->layout().Solved(cells);
    }
    if (const std::optional<bool> is_solved = file_->flat_lists().Solved(state)) return *is_solved;
    thread_local files::TermText term;
    Malformed error;
    return term.Read(file_->definition().grammar, state, error) && file_->engine().Solved(term);
  }

  Parsed Parse(std::string_view text) const override { return file_->Parse(text); }

  std::unique_ptr<Places> MakePlaces() const override { return MakeFilePlaces(file_); }
  bool AppendAt(const Places&, std::uint32_t, Successors&) const override { return false; }

 private:
  std::shared_ptr<const DomainFile> file_;
};

// Layouts that searches and learners keep tables of live as long as the program. Their number is limited; others have texts
// alone.
const FixedLayout* KeepLayout(const std::string& text, std::optional<FixedLayout> layout) {
  constexpr std::size_t kMostLayouts = 256;
  if (!layout) return nullptr;
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const FixedLayout>>& layouts =
      *new std::map<std::string, std::unique_ptr<const FixedLayout>>;
  const std::lock_guard lock(mutex);
  const auto known = layouts.find(text);
  if (known != layouts.end()) return known->second.get();
  if (layouts.size() >= kMostLayouts) return nullptr;
  return (layouts[text] = std::make_unique<const FixedLayout>(std::move(*layout))).get();
}

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, std::max<std::size_t>(slash, 1));
}

}  // namespace

DomainFile::DomainFile(const std::string& name, std::string text, std::string spec, Unchecked)
    : definition_(files::ReadDefinition(name, std::move(text))),
      spec_(std::move(spec)),
      engine_(*definition_),
      flat_lists_(*definition_),
      judge_(*definition_),
      layout_(*definition_) {
  type_.name = definition_->name;
  type_.file = this;
  const auto title = definition_->titles.find("en");
  type_.summary = title != definition_->titles.end() ? title->second
                  : definition_->titles.empty()      ? definition_->name
                                                     : definition_->titles.begin()->second;
  const auto meaning = [](const auto& sentences, const std::string& otherwise) {
    const auto english = sentences.find("en");
    std::string joined;
    if (english == sentences.end()) return otherwise;
    for (const std::string& literal : english->second.literals) joined += (joined.empty() ? "" : "...") + literal;
    return joined;
  };
  for (const files::Family& family : definition_->families) {
    for (const files::Rule& rule : family.rules) type_.axioms.push_back({rule.name, meaning(rule.sentences, rule.name)});
  }
  const auto is_known = [&](std::string_view axiom) {
    return std::any_of(type_.axioms.begin(), type_.axioms.end(), [&](const Axiom& known) { return known.name == axiom; });
  };
  for (const files::Move& move : definition_->layout.moves) {
    const std::string axiom(AxiomOf(move.name));
    if (!is_known(axiom)) type_.axioms.push_back({axiom, meaning(definition_->layout.statements[move.rule].sentences, axiom)});
  }
  if (is_layout()) type_.layout = KeepLayout(this->text(), layout_.MakeFixedLayout());
}

DomainFile::DomainFile(const std::string& name, std::string text, std::string spec)
    : DomainFile(name, std::move(text), std::move(spec), Unchecked()) {
  CheckRules();
  CheckProblems();
}

std::shared_ptr<const DomainFile> DomainFile::ReadFrom(const std::string& path) {
  std::string text = ReadRegularFile(path, files::Source::kMaxBytes);
  text = files::WithImports(path, std::move(text), FolderOf(path));
  return std::make_shared<const DomainFile>(path, std::move(text), path);
}

void DomainFile::CheckRules() const {
  const Definition& file = *definition_;
  const std::size_t attempts =
      std::clamp<std::size_t>(20'000 / std::max<std::size_t>(type_.axioms.size(), 1), 20, kMaxAttempts);
  for (const files::Family& family : file.families) {
    for (const files::Rule& rule : family.rules) {
      if (const std::optional<files::Counterexample> fault = judge_.FindFault(rule, attempts)) {
        file.source->Fail(rule.position, files::FaultMessage(file, rule, *fault));
      }
    }
  }
}

void DomainFile::CheckProblems() const {
  std::size_t solved = 0;
  std::size_t dead_ends = 0;
  std::string example;
  const FileDomain domain(std::shared_ptr<const DomainFile>(this, [](const DomainFile*) {}));
  Successors successors;
  for (std::uint64_t seed = 0; seed < kProblemsTried; ++seed) {
    example = Generate(seed);
    successors.Clear();
    const Status status = domain.Expand(example, Labels::kOff, successors);
    solved += status == Status::kSolved ? 1 : 0;
    dead_ends += status == Status::kDeadEnd ? 1 : 0;
  }
  const std::size_t position = definition_->problems.empty() ? 0 : definition_->problems.front().position;
  if (solved == kProblemsTried) {
    definition_->source->Fail(
        position, fmt::format("every problem is solved from the start, for instance '{}'; is the goal too wide?", example));
  }
  if (dead_ends == kProblemsTried) {
    definition_->source->Fail(position,
                              fmt::format("no problem is solved, and no rule applies to any, for instance '{}'", example));
  }
}

std::string DomainFile::Generate(std::uint64_t seed) const {
  ProblemMaker maker(*definition_, seed);
  const std::string problem = maker.Make(layout_);
  Parsed parsed = Parse(problem);
  if (parsed.error) {
    definition_->source->Fail(maker.position(),
                              fmt::format("a problem that is drawn is no state: '{}', position {}: {}", files::Clipped(problem),
                                          parsed.error->position, parsed.error->message.english()));
  }
  return std::move(parsed.state);
}

Parsed DomainFile::Parse(std::string_view text) const {
  if (is_layout()) {
    std::vector<std::uint8_t> cells;
    if (std::optional<Malformed> error = layout_.Read(text, cells)) return {{}, std::move(error)};
    return {layout_.Write(cells), std::nullopt};
  }
  files::TermText term;
  Malformed error;
  if (!term.Read(definition_->grammar, text, error)) return {{}, std::move(error)};
  return {std::string(term.text()), std::nullopt};
}

bool IsDomainFileSpec(std::string_view spec) {
  if (spec.find('\n') == std::string_view::npos) return spec.ends_with(kDomainFileSuffix);
  return spec.starts_with("domain ") || spec.find("\ndomain ") != std::string_view::npos;
}

std::unique_ptr<Domain> MakeFileDomain(std::string_view spec) {
  if (spec.find('\n') == std::string_view::npos) return MakeFileDomain(DomainFile::ReadFrom(std::string(spec)));
  return MakeFileDomain(std::make_shared<const DomainFile>("text", std::string(spec), std::string(spec)));
}

std::unique_ptr<Domain> MakeFileDomain(std::shared_ptr<const DomainFile> file) {
  return std::make_unique<FileDomain>(std::move(file));
}

std::string DifferenceOf(const std::string& text, const std::string& other) {
  const files::Source first("text", text);
  const files::Source second("text", other);
  const std::vector<std::string> a = files::EssentialStatements(first);
  const std::vector<std::string> b = files::EssentialStatements(second);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string left = i < a.size() ? a[i] : "nothing";
    const std::string right = i < b.size() ? b[i] : "nothing";
    if (left != right) return fmt::format("statement {}: {} and {}", i + 1, Shown(left), Shown(right));
  }
  return {};
}

}  // namespace conpole
