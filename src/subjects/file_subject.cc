// Domain files: sentences, hints and typical mistakes stand in the file, and what it says that steps keep judges answers and
// lines.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/fixed_layout.h"
#include "domains/files/domain_file.h"
#include "domains/puzzles/permutation_group.h"
#include "subjects/subjects.h"
#include "util/random.h"

namespace conpole {
namespace {

using files::Application;
using files::Judge;
using files::TermText;

class FileSubject final : public Subject {
 public:
  explicit FileSubject(const DomainFile& file) : Subject(&file.type()), file_(file) {}

  bool AnswersSaySomething() const override { return !file_.is_layout(); }

  // States of a puzzle can also be named by the moves that lead there, from the line before or from the solved state.
  NotationResult Read(const Domain& domain, std::string_view current, std::string_view text) const override {
    NotationResult read = Subject::Read(domain, current, text);
    if (!read.error || !file_.is_layout()) return read;
    std::optional<std::string> state =
        AfterMoves(current.empty() ? file_.definition().layout.picture : std::string(current), text);
    return state ? NotationResult{std::move(*state), {}, std::nullopt} : read;
  }

  // A state of a puzzle that no moves solve is known at once, where its group can tell.
  std::unique_ptr<Problem> Analyse(const Domain&, Line line) const override {
    auto problem = std::make_unique<Problem>(std::move(line));
    if (type()->layout == nullptr) return problem;
    const FixedLayout& layout = *type()->layout;
    std::vector<std::uint8_t> state = PackState(layout, problem->line.state);
    if (Group().CanBeSolved(state).value_or(true)) return problem;
    problem->analysis.search = false;
    problem->analysis.status = SolveStatus::kNoSolution;
    problem->analysis.sentence = "status.no_moves";
    if (layout.conditions.empty()) return problem;
    // Whether two tiles that change places would mend it.
    const auto is_tile = [&](std::uint8_t colour) { return colour != layout.conditions.front().colour; };
    const auto first = std::find_if(state.begin(), state.end(), is_tile);
    const auto second = std::find_if(first + 1, state.end(), [&](std::uint8_t c) { return is_tile(c) && c != *first; });
    if (second == state.end()) return problem;
    std::iter_swap(first, second);
    if (Group().CanBeSolved(state).value_or(false)) problem->analysis.sentence = "status.parity";
    return problem;
  }

  std::optional<Picture> MakePicture(const Line& line) const override {
    const files::LayoutDefinition& layout = file_.definition().layout;
    std::vector<std::uint8_t> cells;
    if (!file_.is_layout() || layout.rows.empty() || file_.layout().Read(line.state, cells)) return std::nullopt;
    GridPicture picture{{}, layout.colours};
    for (const std::vector<std::int16_t>& row : layout.rows) {
      std::vector<std::string>& drawn = picture.rows.emplace_back();
      for (const std::int16_t cell : row)
        drawn.push_back(cell < 0 ? "" : layout.colours[cells[static_cast<std::size_t>(cell)]]);
    }
    return picture;
  }

  std::string Draw(const std::string& state, bool is_coloured) const override {
    const std::optional<Picture> picture = MakePicture(Understand(state));
    return picture ? DrawGrid(std::get<GridPicture>(*picture), is_coloured) : "";
  }

  Verdict Verify(const Problem& problem, const Line& answer) const override {
    // All that a puzzle asks for is a solved state.
    if (file_.is_layout()) {
      std::vector<std::uint8_t> cells;
      return !file_.layout().Read(answer.state, cells) && file_.layout().Solved(cells) ? Verdict::kRight : Verdict::kWrong;
    }
    const std::optional<TermText> first = ReadTerm(problem.line.state);
    const std::optional<TermText> last = ReadTerm(answer.state);
    if (!first || !last) return Verdict::kCannotTell;
    switch (file_.judge().Verify(*first, *last)) {
      case Judge::Outcome::kSame:
        return Verdict::kRight;
      case Judge::Outcome::kDifferent:
        return Verdict::kWrong;
      case Judge::Outcome::kCannotTell:
        break;
    }
    return Verdict::kCannotTell;
  }

  Comparison Compare(const Problem& before, const Problem& after) const override {
    const std::string& was = before.line.state;
    const std::string& is = after.line.state;
    if (was == is) return Comparison::Same();
    Comparison comparison;
    comparison.sentence = "check.not_one_step";
    if (file_.is_layout()) return comparison;
    const std::optional<TermText> first = ReadTerm(was);
    const std::optional<TermText> last = ReadTerm(is);
    if (!first || !last) return comparison;
    const Judge::Outcome outcome = file_.judge().Compare(*first, *last, false);
    if (outcome == Judge::Outcome::kSame) return Comparison::Same();
    if (outcome == Judge::Outcome::kDifferent) {
      const bool solutions = file_.definition().keeps == files::Keeps::kSolutions;
      comparison = Comparison::Different(solutions ? "check.solutions" : "check.other_value");
    }
    NameMistake(*first, *last, comparison);
    return comparison;
  }

  Action ReadAction(std::string_view label) const override { return ReadLabel(label, LoneNumber::kPosition); }

  std::optional<std::string> OwnSentence(const Action& action, const Line& before, const Line& after, std::string_view language,
                                         bool results) const override {
    if (file_.is_layout()) {
      for (const files::Move& move : file_.definition().layout.moves) {
        if (move.name != action.label) continue;
        const auto& sentences = file_.definition().layout.statements[move.rule].sentences;
        const files::Template* const sentence = InLanguage(sentences, language);
        return sentence == nullptr ? action.label : action.label + ": " + sentence->literals.front();
      }
      return std::nullopt;
    }
    const files::Rule* const rule = file_.definition().FindRule(action.axiom);
    if (rule == nullptr) return std::nullopt;
    const files::Template* const sentence = InLanguage(rule->sentences, language);
    if (sentence == nullptr) return action.label;
    const auto tells = [](std::int32_t slot) { return slot == files::Template::kTo; };
    if (!results && std::any_of(sentence->slots.begin(), sentence->slots.end(), tells)) return OwnHint(action, language);
    const std::optional<TermText> state = ReadTerm(before.state);
    if (!state) return action.label;
    std::optional<Application> used;
    for (Application& application : file_.engine().Applications(*rule, *state)) {
      if (application.result != after.state) continue;
      const bool is_there = !action.position || application.at == *action.position;
      if (is_there || !used) used = std::move(application);
      if (is_there) break;
    }
    return used ? files::Engine::Fill(*sentence, file_.definition(), *used) : action.label;
  }

  std::optional<std::string> OwnHint(const Action& action, std::string_view language) const override {
    const files::Rule* const rule = file_.definition().FindRule(action.axiom);
    if (rule != nullptr) {
      if (const std::string* const hint = InLanguage(rule->hints, language)) return *hint;
    } else if (!file_.is_layout()) {
      return std::nullopt;
    }
    return Catalogue::Find(language).Sentence("hint.axiom", {{"axiom", action.axiom}});
  }

  std::vector<MadeMistake> MakeMistakes(const Domain&, const Line& line, std::size_t count, Random& random) const override {
    std::vector<MadeMistake> all;
    const std::optional<TermText> state = file_.is_layout() ? std::nullopt : ReadTerm(line.state);
    if (!state) return all;
    for (const files::Rule& rule : file_.definition().errors) {
      for (Application& application : file_.engine().Applications(rule, *state)) {
        if (application.result != line.state) all.push_back({rule.name, std::move(application.result)});
      }
    }
    random.Shuffle(std::span(all));
    if (all.size() > count) all.resize(count);
    return all;
  }

 private:
  // After moves that are named one after the other, each perhaps with how often: "U R2 F'", or with commas, which names of two
  // words need. Nothing if one is not a move that is possible.
  std::optional<std::string> AfterMoves(std::string state, std::string_view text) const {
    const char* const between = text.find(',') == std::string_view::npos ? " " : ",";
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of(between), text.size());
      std::string_view move = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      move.remove_prefix(std::min(move.find_first_not_of(' '), move.size()));
      move = move.substr(0, move.find_last_not_of(' ') + 1);
      if (move.empty()) continue;
      if (After(state, move)) continue;
      const char last = move.back();
      if (last < '2' || last > '9') return std::nullopt;
      for (char count = '0'; count < last; ++count) {
        if (!After(state, move.substr(0, move.size() - 1))) return std::nullopt;
      }
    }
    return state;
  }

  // Makes the state the one after the move of this name; false if there is no such move.
  bool After(std::string& state, std::string_view move) const {
    std::vector<std::uint8_t> cells;
    if (file_.layout().Read(state, cells)) return false;
    Successors successors;
    file_.layout().Append(state, cells, Labels::kOn, successors);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      if (successors.label(i) != move) continue;
      state = successors.state(i);
      return true;
    }
    return false;
  }

  std::optional<TermText> ReadTerm(const std::string& state) const {
    TermText text;
    Malformed error;
    return text.Read(file_.definition().grammar, state, error) ? std::optional(std::move(text)) : std::nullopt;
  }

  // In the language, else in English, else in the first one.
  template <class Value>
  static const Value* InLanguage(const std::map<std::string, Value, std::less<>>& texts, std::string_view language) {
    if (const auto found = texts.find(language); found != texts.end()) return &found->second;
    if (const auto english = texts.find("en"); english != texts.end()) return &english->second;
    return texts.empty() ? nullptr : &texts.begin()->second;
  }

  // The typical mistake that makes one line of the other, or a line that means the same.
  void NameMistake(const TermText& before, const TermText& after, Comparison& comparison) const {
    for (const bool exactly : {true, false}) {
      for (const files::Rule& rule : file_.definition().errors) {
        for (const Application& application : file_.engine().Applications(rule, before)) {
          if (application.result != after.text()) {
            const std::optional<TermText> result = exactly ? std::nullopt : ReadTerm(application.result);
            if (!result || file_.judge().Compare(*result, after, false) != Judge::Outcome::kSame) continue;
          }
          comparison.outcome = Comparison::Outcome::kDifferent;
          comparison.mistake = rule.name;
          for (const std::string& language : Catalogue::Languages()) {
            const files::Template* const sentence = InLanguage(rule.sentences, language);
            if (sentence != nullptr)
              comparison.own_sentences[language] = files::Engine::Fill(*sentence, file_.definition(), application);
          }
          return;
        }
      }
    }
  }

  // Made when it is asked for first: of large puzzles it takes some time.
  const PuzzleGroup& Group() const {
    std::call_once(group_made_, [&] { group_.emplace(*type()->layout); });
    return *group_;
  }

  const DomainFile& file_;
  mutable std::once_flag group_made_;
  mutable std::optional<PuzzleGroup> group_;
};

}  // namespace

const Subject& SubjectOfFile(const DomainFile& file) {
  return file.Keep<FileSubject>([&] { return std::make_shared<const FileSubject>(file); });
}

}  // namespace conpole
