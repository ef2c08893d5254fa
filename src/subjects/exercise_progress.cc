#include "subjects/exercise_progress.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "notation/textbook_line.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace book = textbook;
using book::Op;

constexpr std::size_t kMostLinesOfExercise = 40;

// The lines that the domain writes from here, and the last of them; nothing if it does not get to an end.
struct Way {
  std::size_t lines;
  std::string answer;
};
std::optional<Way> WayFrom(std::string_view state) {
  Way way{0, std::string(state)};
  for (; way.lines < kMostLinesOfExercise; ++way.lines) {
    book::Following next = book::FollowingLine(way.answer);
    if (next.refusal) return std::nullopt;
    if (next.state.empty()) return way;
    way.answer = std::move(next.state);
  }
  return std::nullopt;
}

// The same for every order of terms and factors.
std::string InAnyOrder(const book::Ptr& tree) {
  std::vector<std::string> parts;
  for (const book::Ptr& arg : tree->args) parts.push_back(InAnyOrder(arg));
  if (tree->Is(Op::kSum) || tree->Is(Op::kProduct)) std::sort(parts.begin(), parts.end());
  std::string text = fmt::format("{}:{}{}", static_cast<int>(tree->op), tree->number.str(), tree->name);
  for (const std::string& part : parts) text += '(' + part + ')';
  return text;
}

// x > 5 for 5 < x, and a letter or the smaller text first for equal sides.
std::string RelationInAnyOrder(const std::string& text) {
  const std::size_t first = text.find_first_of("=<>");
  if (first == std::string::npos) return text;
  const std::size_t after = first + (text[first] != '=' && first + 1 < text.size() && text[first + 1] == '=' ? 2 : 1);
  if (text.find_first_of("=<>", after) != std::string::npos) return text;  // a < x < b
  const book::Relation relation = book::ReadRelation(text);
  std::string left = InAnyOrder(relation.left);
  std::string right = InAnyOrder(relation.right);
  std::string sign = relation.sign;
  if (right < left) {
    std::swap(left, right);
    if (sign[0] != '=') sign[0] = sign[0] == '<' ? '>' : '<';
  }
  return left + sign + right;
}

std::string BodyInAnyOrder(std::string_view state) {
  const book::Exercise exercise = book::ReadExercise(state);
  try {
    if (exercise.task != "solve") {
      // Results may be words.
      return exercise.task == "result" ? exercise.body : InAnyOrder(book::ReadTree(exercise.body));
    }
    const auto sorted = [](std::string_view text, std::string_view separator, const auto& of_each) {
      std::vector<std::string> parts;
      for (const std::string& part : book::SplitAt(text, separator)) parts.push_back(of_each(part));
      std::sort(parts.begin(), parts.end());
      return Join(parts, separator);
    };
    return sorted(exercise.body, " or ", [&](const std::string& part) { return sorted(part, "; ", RelationInAnyOrder); });
  } catch (const book::Refusal&) {
    return exercise.body;
  }
}

// Nobody said which letter is asked for: whether one of them is nearer to standing alone, as far as that is known.
bool HelpsForSomeLetter(std::string_view before, std::string_view after) {
  book::Exercise old_line = book::ReadExercise(before);
  book::Exercise new_line = book::ReadExercise(after);
  const std::vector<std::string> letters = old_line.letters;
  return std::any_of(letters.begin(), letters.end(), [&](const std::string& letter) {
    old_line.letters = new_line.letters = {letter};
    const std::optional<Way> old_way = WayFrom(book::TextOf(old_line));
    const std::optional<Way> new_way = WayFrom(book::TextOf(new_line));
    return !old_way || !new_way || new_way->lines < old_way->lines;
  });
}

}  // namespace

std::string AnswerToExercise(std::string_view state) {
  const std::optional<Way> way = WayFrom(state);
  return way ? way->answer : std::string();
}

Advance FindExerciseAdvance(std::string_view before, std::string_view after) {
  if (before == after) return Advance::kRepeats;
  if (IsOpenRelation(before)) {
    if (BodyInAnyOrder(before) == BodyInAnyOrder(after)) return Advance::kReorders;
    return HelpsForSomeLetter(before, after) ? Advance::kTrueOnly : Advance::kNoNearer;
  }
  const std::optional<Way> old_way = WayFrom(before);
  const std::optional<Way> new_way = WayFrom(after);
  const std::string unordered = BodyInAnyOrder(after);
  if (new_way && (new_way->lines == 0 || unordered == BodyInAnyOrder(new_way->answer))) return Advance::kAnswer;
  if (old_way && unordered == BodyInAnyOrder(old_way->answer)) return Advance::kAnswer;
  if (unordered == BodyInAnyOrder(before)) return Advance::kReorders;
  if (!old_way || !new_way) return Advance::kTrueOnly;
  if (new_way->lines < old_way->lines) return Advance::kCloser;
  // The domain does in one line what people write in two: sqrt(50) as sqrt(25 * 2).
  const std::size_t finer = before.starts_with("solve ") ? 0 : 1;
  return new_way->lines <= old_way->lines + finer ? Advance::kStillToDo : Advance::kAway;
}

}  // namespace conpole
