#include "experiments/text_distances.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "util/text.h"

namespace conpole {
namespace {

// The character before position i that is not blank; a blank if there is none.
char Before(std::string_view text, std::size_t i) {
  while (i > 0 && IsBlank(text[i - 1])) --i;
  return i == 0 ? ' ' : text[i - 1];
}

// Whether a term may end with this character.
bool EndsTerm(char c) { return IsDigit(c) || IsLetter(c) || c == ')' || c == ']'; }

// Whether the plus or minus at i stands between two terms.
bool IsBetweenTerms(std::string_view text, std::size_t i) { return EndsTerm(Before(text, i)); }

// Whether a product without a sign begins at i: 3x, [2/3]x, 2(x + 1), (x + 1)(x - 1).
bool IsImpliedProduct(std::string_view text, std::size_t i) {
  if (i == 0 || !EndsTerm(text[i - 1]) || IsLetter(text[i - 1])) return false;
  return IsLetter(text[i]) || text[i] == '(';
}

// Takes "(N)" for "N" wherever it stands alone.
std::string WithoutLoneParentheses(std::string text) {
  for (std::size_t at = text.find("(N)"); at != std::string::npos; at = text.find("(N)", at)) text.replace(at, 3, "N");
  return text;
}

template <class Array>
std::size_t SumOfDifferences(const Array& a, const Array& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), std::size_t{0}, std::plus<>(),
                            [](std::size_t x, std::size_t y) { return x > y ? x - y : y - x; });
}

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  // One row of the table of distances between beginnings of both.
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string WithNumbersAsN(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!IsDigit(text[i]))
      result += text[i];
    else if (i == 0 || !IsDigit(text[i - 1]))
      result += 'N';
  }
  return result;
}

std::string ShapeOf(std::string_view text) {
  std::string unsigned_text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_sign = text[i] == '-' && i + 1 < text.size() && IsDigit(text[i + 1]) && !IsBetweenTerms(text, i);
    if (!is_sign) unsigned_text += text[i];
  }
  return WithoutLoneParentheses(WithNumbersAsN(unsigned_text));
}

Counts CountsOf(std::string_view text) {
  Counts counts{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsLetter(c)) ++counts[0];
    if ((c == '+' || c == '-') && IsBetweenTerms(text, i)) ++counts[1];
    if (c == '*' || c == '/' || IsImpliedProduct(text, i)) ++counts[2];
  }
  return counts;
}

std::size_t CountsDistance(const Counts& a, const Counts& b) { return SumOfDifferences(a, b); }

CharacterCounts CharacterCountsOf(std::string_view text) {
  CharacterCounts counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(IsDigit(c) ? '0' : c)];
  return counts;
}

std::size_t CharacterCountsDistance(const CharacterCounts& a, const CharacterCounts& b) { return SumOfDifferences(a, b); }

}  // namespace conpole
