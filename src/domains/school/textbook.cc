#include "domains/school/textbook.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "domains/school/textbook_value.h"
#include "util/latest.h"
#include "util/text.h"

namespace conpole::textbook {
namespace {

constexpr std::size_t kMaxBody = 1'500;

bool IsExpressionTask(std::string_view task) {
  constexpr std::string_view kTasks[] = {"simplify", "expand",   "factor",  "common",   "divide", "square",
                                         "vertex",   "exponent", "radical", "condense", "spread", "conjugate"};
  return std::find(std::begin(kTasks), std::end(kTasks), task) != std::end(kTasks);
}

bool HasInequality(std::string_view body) {
  return body.find('<') != std::string_view::npos || body.find('>') != std::string_view::npos;
}

bool IsSystem(const Exercise& exercise) {
  const std::string& body = exercise.body;
  if (exercise.letters.size() > 1) return true;
  const std::size_t semicolon = body.find("; ");
  return semicolon != std::string::npos && body.find("; check ") != semicolon;
}

// Sides as they are written, joined as they were.
std::string CanonicalRelation(const std::string& text) {
  if (text == "no solution" || text == "every number") return text;
  std::string canonical;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const bool end = at == text.size();
    if (!end && text[at] != '<' && text[at] != '>' && text[at] != '=') continue;
    canonical += TextOf(ReadTree(std::string_view(text).substr(begin, at - begin)));
    if (end) break;
    const bool two = text[at] != '=' && at + 1 < text.size() && text[at + 1] == '=';
    canonical += fmt::format(" {} ", text.substr(at, two ? 2 : 1));
    at += two ? 1 : 0;
    begin = at + 1;
  }
  return canonical;
}
std::string CanonicalRelations(std::string_view text) {
  return Join(SplitAt(text, " or "), " or ",
              [](const std::string& part) { return Join(SplitAt(part, " and "), " and ", CanonicalRelation); });
}

}  // namespace

const std::vector<TaskName>& Tasks() {
  static const std::vector<TaskName> tasks{
      {"simplify", "write as simply as possible"},
      {"expand", "multiply out all brackets"},
      {"factor", "write as a product"},
      {"common", "take the greatest common factor out"},
      {"divide", "divide polynomials, with a remainder"},
      {"square", "complete the square"},
      {"vertex", "write as a(x - h)^2 + k"},
      {"exponent", "write roots as powers"},
      {"radical", "write powers as roots"},
      {"condense", "write as one logarithm"},
      {"spread", "write as a sum of logarithms"},
      {"conjugate", "the complex conjugate"},
      {"evaluate", "put values in"},
      {"solve", "solve for letters"},
      {"round", "round to a place"},
      {"place", "the place value of a digit"},
      {"gcf", "the greatest common factor"},
      {"lcm", "the least common multiple"},
      {"primes", "the prime factors"},
      {"compare", "which number is greater"},
      {"scientific", "write in scientific notation"},
      {"standard", "write without a power of ten"},
      {"decimal", "write as a decimal"},
      {"percent", "write as a percentage"},
      {"fraction", "write as a fraction"},
      {"mixed", "write as a mixed number"},
      {"test", "whether all relations of numbers are true"},
      {"logarithmic", "write a power as a logarithm"},
      {"exponential", "write a logarithm as a power"},
      {"result", "nothing is left to do"},
  };
  return tasks;
}

const std::vector<TaskName>& StepNames() {
  static const std::vector<TaskName> names{
      {"gather", "like terms are put together"},
      {"distribute", "brackets are multiplied out"},
      {"powers", "the laws of powers are used"},
      {"roots", "roots are taken or simplified"},
      {"compute", "numbers are worked out"},
      {"absolute", "an absolute value is taken"},
      {"logarithm", "a logarithm is worked out"},
      {"factorise", "sums are written as products"},
      {"cancel", "common factors are cancelled"},
      {"add-fractions", "fractions over one denominator are added"},
      {"common-denominator", "fractions are brought to a common denominator"},
      {"multiply-fractions", "fractions with letters are multiplied"},
      {"reciprocal", "a division by a fraction becomes a product"},
      {"rationalise", "roots below the line are removed"},
      {"common-factor", "the greatest common factor is taken out"},
      {"long-division", "polynomials are divided"},
      {"complete", "a square is completed"},
      {"as-power", "roots are written as powers"},
      {"as-root", "powers are written as roots"},
      {"condense-logs", "logarithms are made one"},
      {"spread-logs", "a logarithm is made a sum"},
      {"conjugate", "the sign of the imaginary part changes"},
      {"substitute", "letters are replaced by their values"},
      {"isolate", "a part is brought to stand alone"},
      {"divide-by", "both sides are divided by the factor"},
      {"never-negative", "what is never negative cannot be negative"},
      {"cases", "an absolute value has two cases"},
      {"raise", "both sides are raised to a power"},
      {"as-quadratic", "a quadratic in a power is solved"},
      {"as-exponential", "a logarithm is written as a power"},
      {"equal-logs", "equal logarithms have equal arguments"},
      {"equal-bases", "equal powers of one base have equal exponents"},
      {"take-logs", "logarithms of both sides are taken"},
      {"clear-denominators", "both sides are multiplied by the denominators"},
      {"to-one-side", "all is brought to one side"},
      {"zero-product", "a product is zero where a factor is"},
      {"quadratic-formula", "the quadratic formula is used"},
      {"root-of-both", "a root of both sides is taken"},
      {"compare", "an equation holds always or never"},
      {"check-all", "all answers are checked"},
      {"check-roots", "answers that do not hold are left out"},
      {"solve-for", "an equation is solved for a letter"},
      {"put-in", "a letter that is known is put in"},
      {"eliminate", "a letter is eliminated"},
      {"always-true", "an equation that always holds is left out"},
      {"contradiction", "an equation never holds"},
      {"order", "the answers are put in order"},
      {"turn", "both sides are divided by a negative number"},
      {"sign-table", "the intervals between the zeros are tested"},
      {"put-together", "intervals are put together"},
      {"round", "a number is rounded"},
      {"place-value", "the place of a digit is named"},
      {"greatest-factor", "the greatest common factor is found"},
      {"least-multiple", "the least common multiple is found"},
      {"primes", "a number is taken apart into primes"},
      {"compare-numbers", "two numbers are compared"},
      {"move-point", "the decimal point is moved"},
      {"as-decimal", "a number is written as a decimal"},
      {"as-percent", "a number is written as a percentage"},
      {"as-fraction", "a number is written as a fraction"},
      {"as-mixed", "a fraction is written as a mixed number"},
      {"test", "relations of numbers are compared"},
      {"as-logarithm", "a power is written as a logarithm"},
  };
  return names;
}

std::vector<std::string> SplitAt(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::string_view part = text.substr(begin, end - begin);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    parts.emplace_back(part);
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')') --depth;
    if (depth > 0 || !text.substr(at).starts_with(separator)) continue;
    add(at);
    at += separator.size() - 1;
    begin = at + 1;
  }
  add(text.size());
  return parts;
}

Relation ReadRelation(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '=' && text[at] != '<' && text[at] != '>') continue;
    const bool two = text[at] != '=' && at + 1 < text.size() && text[at + 1] == '=';
    const std::size_t after = at + (two ? 2 : 1);
    return {ReadTree(text.substr(0, at)), std::string(text.substr(at, two ? 2 : 1)), ReadTree(text.substr(after))};
  }
  throw Refusal{"expected a sign between two sides", text.size()};
}

std::string TextOf(const Relation& relation) {
  return fmt::format("{} {} {}", TextOf(relation.left), relation.sign, TextOf(relation.right));
}

bool IsExercise(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view head = text.substr(0, colon);
  const std::string_view name = head.substr(0, head.find(' '));
  return std::any_of(Tasks().begin(), Tasks().end(), [&](const TaskName& task) { return task.name == name; });
}

Exercise ReadExercise(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (!IsExercise(text)) throw Refusal{"expected what to do, and to what"};
  if (text.size() > 2 * kMaxBody) throw Refusal{"this is too long"};
  Exercise exercise;
  const std::string_view head = text.substr(0, colon);
  const std::size_t blank = std::min(head.find(' '), head.size());
  exercise.task = head.substr(0, blank);
  if (blank < head.size()) {
    constexpr std::string_view kBy = " by ";
    const std::size_t by = std::min(head.find(kBy), head.size());
    exercise.letters = SplitAt(head.substr(blank + 1, std::max(by, blank + 1) - blank - 1), ", ");
    if (by < head.size()) exercise.method = head.substr(by + kBy.size());
  }
  exercise.body = Trimmed(text.substr(colon + 1));
  if (exercise.body.empty()) throw Refusal{"there is nothing to work on", text.size()};
  const bool wants = exercise.task == "solve" || exercise.task == "round" || exercise.task == "place";
  if (!exercise.method.empty() && (exercise.task != "solve" || !IsMethod(exercise.method))) {
    throw Refusal{"a way to solve is factoring, square, formula, complex, substitution or elimination"};
  }
  if (wants == exercise.letters.empty()) throw Refusal{wants ? "it must say for which letter" : "this task takes no letters"};
  return exercise;
}

std::string HeadOf(const Exercise& exercise) {
  std::string text = exercise.task;
  for (std::size_t i = 0; i < exercise.letters.size(); ++i) text += (i == 0 ? " " : ", ") + exercise.letters[i];
  return exercise.method.empty() ? text : text + " by " + exercise.method;
}

std::string TextOf(const Exercise& exercise) { return HeadOf(exercise) + ": " + exercise.body; }

bool IsMethod(std::string_view name) {
  constexpr std::string_view kMethods[] = {"factoring", "square", "formula", "complex", "substitution", "elimination"};
  return std::find(std::begin(kMethods), std::end(kMethods), name) != std::end(kMethods);
}

std::string WithMethod(std::string_view state, std::string_view method) {
  if (!IsMethod(method)) throw Refusal{"a way to solve is factoring, square, formula, complex, substitution or elimination"};
  Exercise exercise;
  if (IsExercise(state)) {
    exercise = ReadExercise(state);
  } else if (state.find('=') != std::string_view::npos) {
    const auto letter = std::find_if(state.begin(), state.end(), IsLetter);
    exercise = {"solve", {std::string(1, letter == state.end() ? 'x' : *letter)}, std::string(state)};
  }
  const bool of_systems = method == "substitution" || method == "elimination";
  if (exercise.task != "solve" || HasInequality(exercise.body) || IsSystem(exercise) != of_systems) {
    if (of_systems) throw Refusal{Message("{} is a way to solve systems of equations", method)};
    throw Refusal{Message("{} is a way to solve quadratic equations", method)};
  }
  exercise.method = method;
  return TextOf(Canonical(std::move(exercise)));
}

Exercise Canonical(Exercise exercise) {
  if (exercise.body.size() > kMaxBody) throw Refusal{"this is too long"};
  std::string& body = exercise.body;
  if (IsExpressionTask(exercise.task)) {
    const Ptr tree = ReadTree(body);
    ValueOf(tree);
    body = TextOf(tree);
  } else if (exercise.task == "evaluate") {
    const std::vector<std::string> parts = SplitAt(body, ";");
    if (parts.size() != 2) throw Refusal{"it must say for which values"};
    body = TextOf(ReadTree(parts[0])) + "; ";
    body += Join(SplitAt(parts[1], ","), ", ", [](const std::string& setting) {
      const Relation relation = ReadRelation(setting);
      if (!relation.left->Is(Op::kLetter) || relation.sign != "=") throw Refusal{"it must say for which values"};
      return TextOf(relation);
    });
  } else if (exercise.task == "solve") {
    for (const std::string& letter : exercise.letters) {
      if (letter.size() != 1 || !IsLetter(letter[0])) throw Refusal{"what is solved for is one letter"};
    }
    const std::size_t clause = body.find("; check ");
    std::string text = Join(SplitAt(std::string_view(body).substr(0, clause), " or "), " or ",
                            [](const std::string& part) { return Join(SplitAt(part, "; "), "; ", CanonicalRelations); });
    if (clause != std::string::npos) {
      text += "; check " + CanonicalRelations(body.substr(clause + std::string_view("; check ").size()));
    }
    body = text;
  } else if (exercise.task == "gcf" || exercise.task == "lcm") {
    body = Join(SplitAt(body, ","), ", ", [](const std::string& part) { return TextOf(ReadTree(part)); });
  } else if (exercise.task == "test") {
    body = Join(SplitAt(body, ";"), "; ", [](const std::string& part) {
      const Relation relation = ReadRelation(part);
      if (!LettersOf(relation.left).empty() || !LettersOf(relation.right).empty()) throw Refusal{"only numbers are compared"};
      for (const Ptr& side : {relation.left, relation.right}) ValueOf(side);
      return TextOf(relation);
    });
  } else if (exercise.task == "compare") {
    const std::vector<std::string> sides = SplitAt(body, "?");
    if (sides.size() != 2) throw Refusal{"two numbers are compared"};
    const Ptr left = ReadTree(sides[0]);
    const Ptr right = ReadTree(sides[1]);
    if (!LettersOf(left).empty() || !LettersOf(right).empty()) throw Refusal{"only numbers are compared"};
    body = TextOf(left) + " ? " + TextOf(right);
  } else if (exercise.task == "logarithmic" || exercise.task == "exponential" ||
             (exercise.task == "result" && body.find_first_of("<>=") != std::string::npos)) {
    body = CanonicalRelations(body);
  } else if (exercise.task != "result") {
    const Ptr tree = ReadTree(body);
    if (body.ends_with('%') && tree->Is(Op::kQuotient) && tree->args[1]->IsNumber(100)) {
      // A percentage keeps its sign.
      const Ptr& number = tree->args[0];
      body = number->Is(Op::kNumber) ? TextOf(number) + "%" : fmt::format("({})%", TextOf(number));
    } else {
      body = TextOf(tree);
    }
  }
  return exercise;
}

std::optional<Line> NextLine(const Exercise& exercise) {
  std::optional<Line> line;
  if (IsExpressionTask(exercise.task) || exercise.task == "evaluate") {
    line = NextLineOfExpression(exercise);
  } else if (exercise.task != "solve") {
    line = NextLineOfNumbers(exercise);
  } else if (HasInequality(exercise.body)) {
    line = NextLineOfInequality(exercise);
  } else if (IsSystem(exercise)) {
    line = NextLineOfSystem(exercise);
  } else {
    line = NextLineOfSolving(exercise);
  }
  if (line && line->body.size() > kMaxBody) throw Refusal{"this becomes too long"};
  return line;
}

Following FollowingLine(std::string_view state) {
  // As many as the lines of a long solution, so that its length is known from each of them.
  constexpr std::size_t kKept = 64;
  thread_local const auto latest = std::make_unique<Latest<Following, kKept>>();
  return latest->Of(state, [](std::string_view text) -> Following {
    try {
      Exercise exercise = ReadExercise(text);
      std::optional<Line> line = NextLine(exercise);
      if (!line) return {};
      if (!line->task.empty()) {
        exercise.task = line->task;
        exercise.letters.clear();
      }
      exercise.body = line->body;
      return {line->label, TextOf(Canonical(exercise)), std::nullopt};
    } catch (Refusal& refusal) {
      return {{}, {}, std::move(refusal)};
    }
  });
}

}  // namespace conpole::textbook
