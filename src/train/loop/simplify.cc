#include "train/loop/simplify.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "util/text.h"

namespace conpole {
namespace {

constexpr int kTries = 64;  // in a row that lead to nothing

struct Span {
  std::size_t begin;
  std::size_t end;

  std::size_t size() const { return end - begin; }
};

bool HasLetters(std::string_view text) { return std::any_of(text.begin(), text.end(), IsLetter); }

// What stands inside each pair of brackets, and the text as a whole.
std::vector<Span> Brackets(std::string_view text) {
  std::vector<Span> brackets{{0, text.size()}};
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') open.push_back(i + 1);
    if (text[i] != ')' || open.empty()) continue;
    brackets.push_back({open.back(), i});
    open.pop_back();
  }
  return brackets;
}

// The words of a part of a text: what stands between spaces that are inside no further brackets.
std::vector<Span> Words(std::string_view text, Span part) {
  std::vector<Span> words;
  std::size_t begin = part.begin;
  int depth = 0;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != ' ' || depth != 0) continue;
    words.push_back({begin, i});
    begin = i + 1;
  }
  words.push_back({begin, part.end});
  return words;
}

// Runs of two or more digits.
std::vector<Span> LongNumbers(std::string_view text) {
  std::vector<Span> numbers;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    if (i - begin > 1) numbers.push_back({begin, i});
  }
  return numbers;
}

template <class T>
const T& OneOf(const std::vector<T>& items, Random& random) {
  return items[random.Uint64(0, items.size())];
}

std::string Without(std::string_view text, Span part, std::string_view instead = "") {
  std::string result(text.substr(0, part.begin));
  result += instead;
  return result += text.substr(part.end);
}

// A shorter text; it may make no sense.
std::string Shortened(std::string_view text, Random& random) {
  const std::uint64_t kind = random.Uint64(0, 4);
  if (const std::vector<Span> numbers = LongNumbers(text); kind == 0 && !numbers.empty()) {
    const Span number = OneOf(numbers, random);
    return Without(text, {number.end - 1, number.end});
  }
  const Span bracket = OneOf(Brackets(text), random);
  const std::vector<Span> words = Words(text, bracket);
  const std::size_t index = random.Uint64(0, words.size());
  const Span word = words[index];
  if (kind == 1 && words.size() > 1) {
    // With the space before or behind it, alone or with its neighbour: an operator goes with what it stands beside.
    const std::size_t count = random.Uint64(1, 3);
    if (index + count > words.size() || count == words.size()) return {};
    Span gone{word.begin, words[index + count - 1].end};
    if (index + count < words.size()) {
      ++gone.end;
    } else {
      --gone.begin;
    }
    return Without(text, gone);
  }
  const bool has_brackets = bracket.size() < text.size();
  const Span replaced = has_brackets ? Span{bracket.begin - 1, bracket.end + 1} : bracket;
  return Without(text, replaced, text.substr(word.begin, word.size()));
}

}  // namespace

std::string SimplifiedProblem(const Domain& domain, const std::string& problem, std::size_t size, Random& random) {
  const bool has_letters = HasLetters(problem);
  std::string simplest = problem;
  for (int tries = 0; tries < kTries && simplest.size() > size; ++tries) {
    const std::string shortened = Shortened(simplest, random);
    if (shortened.empty() || shortened.size() >= simplest.size()) continue;
    Parsed parsed = domain.Parse(shortened);
    if (parsed.error || parsed.state.size() >= simplest.size()) continue;
    if (HasLetters(parsed.state) != has_letters || domain.Solved(parsed.state)) continue;
    simplest = std::move(parsed.state);
    tries = -1;
  }
  return simplest;
}

}  // namespace conpole
