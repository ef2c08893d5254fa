#include "notation/textbook_line.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "notation/learner_notation.h"
#include "notation/reading.h"
#include "notation/textbook_notation.h"
#include "util/text.h"
#include "verify/exercise_meaning.h"

namespace conpole {
namespace {

namespace book = textbook;

constexpr std::string_view kCheck = "; check ";

bool HasSign(std::string_view text) {
  if (text.find_first_of("=<>") != std::string_view::npos) return true;
  constexpr std::array<std::string_view, 8> kSigns{"≤", "≥", "≠", "\\le", "\\ge", "\\lt", "\\gt", "⩽"};
  return std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) { return text.find(sign) != text.npos; });
}

// What is done with a line after this one: values are put in at once, and some tasks have a result that is a number.
std::string HeadAfter(const book::Exercise& current) { return current.task == "evaluate" ? "simplify" : book::HeadOf(current); }

// Tasks that end with a result, most of them with their next line.
bool HasResult(std::string_view task) {
  constexpr std::array<std::string_view, 15> kTasks{"round",    "place",      "gcf",      "lcm",         "primes",
                                                    "compare",  "scientific", "standard", "decimal",     "percent",
                                                    "fraction", "mixed",      "test",     "logarithmic", "exponential"};
  return std::find(kTasks.begin(), kTasks.end(), task) != kTasks.end();
}

// With what to do before it, as canonical text.
NotationResult ReadWithHead(const Domain& algebra, const std::string& head, std::string_view text) {
  NotationResult read = ReadTextbookNotation(algebra, fmt::format("{}: {}", head, text));
  if (read.error) {
    const std::size_t before = head.size() + 2;
    read.error->position = read.error->position > before ? read.error->position - before : 0;
    return read;
  }
  if (book::IsExercise(read.state)) return read;
  Parsed parsed = algebra.Parse(fmt::format("{}: {}", head, read.state));
  if (parsed.error) return Unreadable(parsed.error->position, std::move(parsed.error->message));
  read.state = std::move(parsed.state);
  return read;
}

// "(2, oo)" and "[1, 3) U [5, 6]" as relations of a letter; nothing if the text is none.
std::optional<std::string> RelationsOfIntervals(std::string text, const std::string& letter) {
  for (const std::string_view name : {"\\infty", "infinity", "∞", "inf"}) text = Replaced(std::move(text), name, "oo");
  for (const std::string_view name : {"\\cup", "∪", " union ", " U ", " or ", " oder "}) {
    text = Replaced(std::move(text), name, "|");
  }
  for (const std::string_view name : {"\\left", "\\right", " ", "+oo"}) {
    text = Replaced(std::move(text), name, name == "+oo" ? "oo" : "");
  }
  for (const std::string& start : {letter + "∈", letter + "\\in"}) {
    if (text.starts_with(start)) text.erase(0, start.size());
  }
  std::string relations;
  for (const std::string& piece : book::SplitAt(text, "|")) {
    if (piece.size() < 5 || (piece.front() != '(' && piece.front() != '[') || (piece.back() != ')' && piece.back() != ']')) {
      return std::nullopt;
    }
    const std::string inside = piece.substr(1, piece.size() - 2);
    const std::vector<std::string> ends = book::SplitAt(inside, inside.find(';') == std::string::npos ? "," : ";");
    if (ends.size() != 2 || ends[0].empty() || ends[1].empty()) return std::nullopt;
    const bool no_lower = ends[0] == "-oo";
    const bool no_upper = ends[1] == "oo";
    const std::string lower = piece.front() == '[' ? "<=" : "<";
    const std::string upper = piece.back() == ']' ? "<=" : "<";
    if (!relations.empty()) relations += " or ";
    if (no_lower && no_upper) return "every number";
    if (no_lower) {
      relations += fmt::format("{} {} {}", letter, upper, ends[1]);
    } else if (no_upper) {
      relations += fmt::format("{} {} {}", letter, piece.front() == '[' ? ">=" : ">", ends[0]);
    } else {
      relations += fmt::format("{} {} {} {} {}", ends[0], lower, letter, upper, ends[1]);
    }
  }
  return relations.empty() ? std::nullopt : std::optional(std::move(relations));
}

// "(3, 2)" as "x = 3; y = 2".
std::optional<std::string> RelationsOfPoint(std::string_view text, const std::vector<std::string>& letters) {
  text = Trimmed(text);
  if (text.size() < 5 || text.front() != '(' || text.back() != ')') return std::nullopt;
  const std::string inside(text.substr(1, text.size() - 2));
  const std::vector<std::string> values = book::SplitAt(inside, inside.find(';') == std::string::npos ? "," : ";");
  if (values.size() != letters.size()) return std::nullopt;
  std::string relations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    relations += fmt::format("{}{} = {}", i == 0 ? "" : "; ", letters[i], values[i]);
  }
  return relations;
}

// The bodies that a line of "solve" may stand for, the likeliest first.
std::vector<std::string> BodiesOf(const book::Exercise& current, std::string_view text) {
  std::string plain(Trimmed(text));
  for (const auto& [word, sign] : std::array<std::pair<std::string_view, std::string_view>, 9>{{{" oder ", " or "},
                                                                                                {" OR ", " or "},
                                                                                                {" ∨ ", " or "},
                                                                                                {" und ", " and "},
                                                                                                {" AND ", " and "},
                                                                                                {" ∧ ", " and "},
                                                                                                {"\\text{ or }", " or "},
                                                                                                {"\\lor", " or "},
                                                                                                {"\\land", " and "}}}) {
    plain = Replaced(std::move(plain), word, sign);
  }
  std::vector<std::string> bodies;
  const auto add = [&](std::string body) {
    if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) bodies.push_back(std::move(body));
  };
  const bool system = current.letters.size() > 1;
  const std::vector<std::string> parts = book::SplitAt(plain, plain.find(';') == std::string::npos ? "," : ";");
  const bool several = parts.size() > 1 && std::all_of(parts.begin(), parts.end(), HasSign);
  if (system) {
    if (const auto point = RelationsOfPoint(plain, current.letters)) add(*point);
    if (several) add(Join(parts, "; "));
    add(Replaced(plain, " and ", "; "));
    if (!HasSign(plain)) {
      for (const std::string& words : LearnerReadings(plain, 'x')) {
        if (words == "no solution") add(words);
      }
    }
    return bodies;
  }
  const std::string& letter = current.letters.front();
  const bool order = current.body.find_first_of("<>") != std::string::npos;
  if (!HasSign(plain)) {
    if (const auto intervals = RelationsOfIntervals(plain, letter)) add(*intervals);
    for (std::string& reading : LearnerReadings(plain, letter[0])) add(std::move(reading));
    if (!order) add(letter + " = " + plain);
    return bodies;
  }
  if (several) {
    add(Join(parts, order ? " and " : " or "));
    if (order) add(Join(parts, " or "));
  }
  add(plain);
  // "x = 2 or 3", "x = ±2", "L = {2; 3}"
  for (std::string& reading : LearnerReadings(plain, letter[0])) add(std::move(reading));
  return bodies;
}

// Of a system: with as many equations of the line before as are missing, in all ways.
std::vector<std::string> WithOldEquations(const std::vector<std::string>& fresh, const std::vector<std::string>& old) {
  std::vector<std::string> bodies;
  constexpr std::size_t kMost = 6;
  if (old.size() > kMost || fresh.empty() || fresh.size() >= old.size()) return bodies;
  for (unsigned kept = 0; kept < (1U << old.size()); ++kept) {
    std::vector<std::string> all = fresh;
    for (std::size_t i = 0; i < old.size(); ++i) {
      if ((kept >> i & 1U) != 0) all.push_back(old[i]);
    }
    if (all.size() == old.size()) bodies.push_back(Join(all, "; "));
  }
  return bodies;
}

std::size_t LinesToGo(const std::string& state) {
  constexpr std::size_t kMost = 40;
  std::string line = state;
  for (std::size_t lines = 0; lines < kMost; ++lines) {
    book::Following next = book::FollowingLine(line);
    if (next.refusal) return kMost;
    if (next.state.empty()) return lines;
    line = std::move(next.state);
  }
  return kMost;
}

// Empty if there is none.
std::string LastLineFrom(std::string_view state) {
  constexpr int kMost = 40;
  std::string last;
  for (int lines = 0; lines < kMost; ++lines) {
    const std::string next = book::FollowingLine(lines == 0 ? state : std::string_view(last)).state;
    if (next.empty()) break;
    last = next;
  }
  return last;
}

std::string BodyOf(std::string_view state) { return std::string(state.substr(state.find(": ") + 2)); }

}  // namespace

std::vector<std::string> SplitExerciseLines(std::string_view current, std::string_view text) {
  const book::Exercise exercise = book::ReadExercise(current);
  const bool relation = exercise.task == "solve" || exercise.task == "compare" || exercise.task == "logarithmic" ||
                        exercise.task == "exponential" || exercise.task == "test" || exercise.task == "result";
  std::vector<std::string> lines;
  // Breaks and arrows only: what else may stand in a line is read in its own way.
  for (const std::string& line : SplitLearnerLines("x", text)) {
    if (relation || book::IsExercise(line)) {
      lines.push_back(line);
      continue;
    }
    for (std::string& part : book::SplitAt(line, "=")) {
      std::string compact = part;
      std::erase(compact, ' ');
      std::string before = lines.empty() ? exercise.body : lines.back();
      std::erase(before, ' ');
      if (!compact.empty() && (compact != before || line.find('=') == std::string::npos)) lines.push_back(std::move(part));
    }
  }
  return lines;
}

NotationResult ReadExerciseLine(const Domain& algebra, std::string_view current, std::string_view text) {
  if (book::IsExercise(text)) {
    // Canonical text is read as itself.
    if (Parsed parsed = algebra.Parse(text); !parsed.error && parsed.state == text) return {std::move(parsed.state), {}, {}};
  }
  const book::Exercise exercise = book::ReadExercise(current);
  const std::string head = HeadAfter(exercise);
  if (exercise.task != "solve") {
    // A result is one if it is what the task asks for; the same number in another form is still to be worked on.
    if (HasResult(exercise.task)) {
      NotationResult result = ReadWithHead(algebra, "result", text);
      const std::string own = LastLineFrom(current);
      const NotationResult again = ReadWithHead(algebra, head, text);
      if ((!result.error && result.state == own) || (!again.error && !own.empty() && BodyOf(again.state) == BodyOf(own))) {
        return {own, {}, std::nullopt};
      }
      if (exercise.task == "test" && (result.state == "result: true" || result.state == "result: false")) return result;
      if (exercise.task == "scientific" || exercise.task == "standard" || exercise.task == "decimal" ||
          exercise.task == "percent" || exercise.task == "fraction" || exercise.task == "mixed" || exercise.task == "test") {
        return again;
      }
      return result;
    }
    return ReadWithHead(algebra, head, text);
  }
  if (text.find(kCheck) != std::string_view::npos) return ReadWithHead(algebra, head, text);
  std::optional<NotationResult> first;
  std::optional<NotationResult> error;
  std::vector<NotationResult> same;
  const auto consider = [&](NotationResult read) {
    if (read.error) {
      if (!error) error = std::move(read);
      return;
    }
    if (JudgeExerciseLine(current, read.state).value_or(false)) {
      same.push_back(std::move(read));
    } else if (!first) {
      first = std::move(read);
    }
  };
  const std::size_t clause = exercise.body.find(kCheck);
  const std::vector<std::string> old = book::SplitAt(std::string_view(exercise.body).substr(0, clause), "; ");
  for (const std::string& body : BodiesOf(exercise, text)) {
    NotationResult read = ReadWithHead(algebra, head, body);
    const bool readable = !read.error;
    const std::string fresh = readable ? BodyOf(read.state) : std::string();
    const bool alternatives = fresh.find(" or ") != std::string::npos || exercise.body.find(" or ") != std::string::npos;
    if (readable && exercise.letters.size() > 1 && old.size() > 1 && !alternatives && fresh != "no solution") {
      for (const std::string& together : WithOldEquations(book::SplitAt(fresh, "; "), old)) {
        consider(ReadWithHead(algebra, head, together));
      }
    }
    consider(std::move(read));
    if (readable && clause != std::string::npos && fresh != "no solution" && fresh.find(kCheck) == std::string::npos) {
      consider(ReadWithHead(algebra, head, fresh + exercise.body.substr(clause)));
    }
    if (!same.empty()) break;
  }
  if (!same.empty()) {
    return *std::min_element(same.begin(), same.end(), [](const NotationResult& a, const NotationResult& b) {
      return LinesToGo(a.state) < LinesToGo(b.state);
    });
  }
  if (first) return *std::move(first);
  return error ? *std::move(error) : Unreadable(0, "expected a line after the line before");
}

std::optional<NotationResult> ReadOpenRelation(const Domain& algebra, std::string_view text) {
  // Any letter does to read it.
  NotationResult read = ReadTextbookNotation(algebra, fmt::format("solve x: {}", text));
  if (read.error || !read.state.starts_with("solve x: ") || read.state.find_first_of(";<>") != std::string::npos) {
    return std::nullopt;
  }
  const std::string body = BodyOf(read.state);
  if (std::count(body.begin(), body.end(), '=') != 1) return std::nullopt;
  try {
    const book::Relation relation = book::ReadRelation(body);
    std::set<std::string> letters;
    book::CollectLetters(relation.left, letters);
    book::CollectLetters(relation.right, letters);
    if (letters.size() < 2 || book::HasLetter(relation.left, "i") || book::HasLetter(relation.right, "i")) return std::nullopt;
    std::string head = "solve ";
    for (const std::string& letter : letters) head += (head.ends_with(' ') ? "" : ", ") + letter;
    Parsed parsed = algebra.Parse(fmt::format("{}: {}", head, body));
    if (parsed.error) return std::nullopt;
    return NotationResult{std::move(parsed.state), {}, std::nullopt, false};
  } catch (const book::Refusal&) {
    return std::nullopt;
  }
}

bool IsOpenRelation(std::string_view state) {
  if (!state.starts_with("solve ")) return false;
  const book::Exercise exercise = book::ReadExercise(state);
  return exercise.letters.size() > 1 && exercise.body.find(';') == std::string::npos &&
         exercise.body.find(" or ") == std::string::npos && exercise.body.find('=') != std::string::npos;
}

}  // namespace conpole
