#include "notation/learner_notation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "domains/school/algebra_text.h"
#include "language/catalogue.h"
#include "notation/algebra_notation.h"
#include "notation/token.h"
#include "util/text.h"
#include "verify/algebra_meaning.h"

namespace conpole {
namespace {

std::string WithoutBlanks(std::string_view text) {
  std::string rest;
  for (const char c : text) {
    if (!IsSpace(c)) rest += c;
  }
  return rest;
}

template <typename Words>
const typename Words::value_type* FirstOf(const Words& words, std::string_view text) {
  const auto found = std::find_if(words.begin(), words.end(), [&](std::string_view word) { return text.starts_with(word); });
  return found == words.end() ? nullptr : &*found;
}

// Splitting.

// Longer ones first.
constexpr std::array<std::string_view, 18> kArrows{
    "<==>",         "<=>",   "==>",      "=>", "<->", "->", "⇔", "⟺", "⟷", "↔", "⇒", "⟹", "→", "⟶", "\\Leftrightarrow",
    "\\Rightarrow", "\\iff", "\\implies"};

bool HasLetters(std::string_view text) {
  const std::vector<Token> tokens = Tokenize(text);
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.kind == Token::Kind::kLetter; });
}

bool IsWholeNumber(std::string_view text) {
  text = Trimmed(text);
  if (!text.empty() && text.front() == '-') text = Trimmed(text.substr(1));
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

std::vector<std::string> SplitAt(std::string_view text, std::string_view signs) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find_first_of(signs);
    const std::string_view part = Trimmed(text.substr(0, end));
    if (!part.empty()) parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Remarks.

constexpr std::array<std::string_view, 11> kOperations{"+", "-", "*", ":", "/", "·", "×", "÷", "−", "⋅", "–"};

bool StartsWithOperation(std::string_view text) { return FirstOf(kOperations, Trimmed(text)) != nullptr; }

// Whether a token begins what is done to both sides.
bool BeginsOperation(const Token& token, std::string_view rest) {
  constexpr std::array<std::string_view, 3> kRoots{"sqrt", "\\sqrt", "√"};
  constexpr std::array<std::string_view, 5> kSigns{"sign.plus", "sign.minus", "sign.times", "sign.over", "sign.silent"};
  return (token.kind == Token::Kind::kOperator && token.symbol != '=') || token.kind == Token::Kind::kPower ||
         FirstOf(kRoots, rest) != nullptr || std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
           return FirstOf(WordsOfAllLanguages(sign), rest) != nullptr;
         });
}

// Where the only bar of an equation begins, if an operation on both sides follows it; npos otherwise. All other bars are those
// of an absolute value.
std::size_t FindBar(std::string_view line) {
  const std::vector<Token> tokens = Tokenize(line);
  const auto is_bar = [](const Token& token) { return token.Is(Token::Kind::kMark, '|'); };
  const auto is_sign = [](const Token& token) {
    return token.kind == Token::Kind::kRelation || token.Is(Token::Kind::kOperator, '=');
  };
  const auto bar = std::find_if(tokens.begin(), tokens.end(), is_bar);
  const auto remark = std::find_if_not(bar, tokens.end(), is_bar);
  if (remark == tokens.end() || std::none_of(tokens.begin(), bar, is_sign)) return std::string_view::npos;
  const bool more = std::any_of(remark, tokens.end(), [&](const Token& token) { return is_bar(token) || is_sign(token); });
  return !more && BeginsOperation(*remark, line.substr(remark->begin)) ? bar->begin : std::string_view::npos;
}

// " / -3" or " /:2" at the end, and "(:2)" or "[-3]"; npos if there is none. Both may also mean a division or a product.
std::size_t FindLooseRemark(std::string_view line) {
  const std::size_t sign = line.find('=');
  if (sign == std::string_view::npos) return std::string_view::npos;
  for (std::size_t at = line.rfind('/'); at != std::string_view::npos && at > sign; at = line.rfind('/', at - 1)) {
    if (StartsWithOperation(line.substr(at + 1)) && IsSpace(line[at - 1])) return at;
  }
  const std::string_view text = Trimmed(line);
  if (text.empty() || (text.back() != ')' && text.back() != ']')) return std::string_view::npos;
  const std::size_t open = line.find_last_of("([");
  if (open == std::string_view::npos || open < sign || open == 0 || !IsSpace(line[open - 1])) return std::string_view::npos;
  return StartsWithOperation(line.substr(open + 1)) ? open : std::string_view::npos;
}

// Words.

constexpr std::array<std::string_view, 3> kNoSolutionSigns{"∅", "{}", "\\emptyset"};
constexpr std::array<std::string_view, 7> kEveryNumberSigns{"r", "ℝ", "q", "ℚ", "\\r", "\\mathbb{r}", "\\mathbb{q}"};

template <typename Words>
bool ContainsOne(const Words& words, std::string_view text) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}
template <typename Words>
bool IsOne(const Words& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Signs that are spelled in several ways, in one.
std::string WithPlainSigns(std::string_view line) {
  struct Spelling {
    std::string_view from;
    std::string_view to;
  };
  constexpr std::array kSpellings{
      Spelling{"≠", "!="},   Spelling{"\\neq", "!="},      Spelling{"\\ne ", "!= "},    Spelling{"=/=", "!="},
      Spelling{"<>", "!="},  Spelling{"\\pm", "±"},        Spelling{"+/-", "±"},        Spelling{"+-", "±"},
      Spelling{"∓", "±"},    Spelling{"\\lor", " or "},    Spelling{"\\vee", " or "},   Spelling{"∨", " or "},
      Spelling{"∧", " or "}, Spelling{"\\land", " or "},   Spelling{"\\wedge", " or "}, Spelling{" & ", " or "},
      Spelling{"\\in", "∈"}, Spelling{"\\{", "{"},         Spelling{"\\}", "}"},        Spelling{"\u00a0", " "},
      Spelling{"𝕃", "L"},    Spelling{"\\mathbb{L}", "L"}, Spelling{"₁", "_1"},         Spelling{"₂", "_2"},
      Spelling{"₃", "_3"},   Spelling{"₄", "_4"},          Spelling{" v ", " or "}};
  std::string plain(line);
  for (const Spelling& spelling : kSpellings) plain = Replaced(std::move(plain), spelling.from, spelling.to);
  for (const std::string& word : WordsOfAllLanguages("learner.or"))
    plain = Replaced(std::move(plain), ' ' + word + ' ', " or ");
  return plain;
}

// Answers.

// An equation or a condition of several; a number alone is a value of the unknown.
class Answers {
 public:
  explicit Answers(char unknown) : unknown_(1, unknown) {}

  // "x = 2", "3", "x_1 = 3 ± 1", "x != 1" with words or brackets around it.
  void Add(std::string_view piece) {
    piece = Trimmed(piece);
    if (piece.empty()) return;
    if (piece.find("!=") != std::string_view::npos) {
      AddCondition(piece);
      return;
    }
    std::string equation = WithoutIndex(piece);
    if (equation.find('=') == std::string::npos && !HasLetters(equation)) equation = unknown_ + " = " + equation;
    if (equation.find(kPlusMinus) == std::string::npos) {
      equations_.push_back(std::move(equation));
      return;
    }
    for (const std::string_view sign : {"+", "-"}) equations_.push_back(Replaced(equation, kPlusMinus, sign));
  }

  void AddCondition(std::string_view piece) {
    std::string_view rest = Trimmed(piece);
    if (rest.starts_with('(') && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);
    if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
    conditions_.emplace_back(Trimmed(rest));
  }

  std::string Text(std::string_view every = {}) const {
    std::string text(every);
    for (const std::string& equation : equations_) {
      if (!text.empty()) text += " or ";
      text += equation;
    }
    if (text.empty()) return text;
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      text += i == 0 ? "; " : ", ";
      text += conditions_[i];
    }
    return text;
  }

 private:
  // x_1, x_{1,2} and x1 before the sign are x, and so is x_1/2 if two answers follow. x/2 is none of these.
  std::string WithoutIndex(std::string_view piece) const {
    std::string_view rest = piece;
    if (!rest.starts_with(unknown_)) return std::string(piece);
    rest.remove_prefix(1);
    const bool marked = rest.starts_with('_');
    if (marked) rest.remove_prefix(1);
    if (marked && rest.starts_with('{')) {
      rest.remove_prefix(std::min(rest.find('}'), rest.size() - 1) + 1);
    } else {
      if (rest.empty() || !IsDigit(rest.front())) return std::string(piece);
      SkipDigits(rest);
      const bool second = rest.size() > 1 && (rest[0] == ',' || rest[0] == '/' || rest[0] == ';') && IsDigit(rest[1]);
      if (second && piece.find(kPlusMinus) == std::string_view::npos) return std::string(piece);
      if (second) rest.remove_prefix(1);
      SkipDigits(rest);
    }
    rest = Trimmed(rest);
    return rest.starts_with('=') ? unknown_ + ' ' + std::string(rest) : std::string(piece);
  }
  static void SkipDigits(std::string_view& text) {
    while (!text.empty() && IsDigit(text.front())) text.remove_prefix(1);
  }

  static constexpr std::string_view kPlusMinus = "±";

  std::string unknown_;
  std::vector<std::string> equations_;
  std::vector<std::string> conditions_;
};

// Whether a comma separates answers here: "x = 2, x = 3" and "x = 2, 3", but not "x = 2,5".
bool CommaSeparates(std::string_view rest) {
  if (rest.empty()) return true;
  return IsSpace(rest.front()) || IsLetter(rest.front()) || rest.front() == '(';
}

// The pieces between "or", semicolons and commas that are not in a number, outside of brackets.
std::vector<std::string> PiecesOf(std::string_view text) {
  std::vector<std::string> pieces;
  std::string piece;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    const bool word = depth == 0 && text.substr(i).starts_with(" or ");
    if (depth == 0 && (word || c == ';' || (c == ',' && CommaSeparates(text.substr(i + 1))))) {
      pieces.push_back(std::exchange(piece, {}));
      if (word) i += 3;
      continue;
    }
    // "x = 2 (x != 1)"
    const bool opens = depth == 1 && (c == '(' || c == '[');
    if (opens && !Trimmed(piece).empty()) {
      const std::size_t close = text.find(c == '(' ? ')' : ']', i);
      if (text.substr(i, close == std::string_view::npos ? close : close - i).find("!=") != std::string_view::npos) {
        pieces.push_back(std::exchange(piece, {}));
      }
    }
    piece += c;
  }
  pieces.push_back(piece);
  return pieces;
}

// "x = 2 with x != 1" as "x = 2; x != 1".
std::string WithConditionsApart(std::string line) {
  if (line.find("!=") == std::string::npos) return line;
  for (const std::string& word : WordsOfAllLanguages("learner.with")) line = Replaced(std::move(line), ' ' + word + ' ', "; ");
  return line;
}

// What stands in the braces of "L = {2; 3}", "x ∈ {2, 3}" and "{2}".
std::optional<std::string> BracedPart(std::string_view line, char unknown) {
  const std::string text = WithoutBlanks(line);
  std::string_view rest = text;
  const std::string letter(1, unknown);
  const std::array<std::string, 6> prefixes{"L=", "S=", "IL=", letter + "∈", letter + "in", letter + "="};
  for (const std::string& prefix : prefixes) {
    if (!rest.starts_with(prefix)) continue;
    rest.remove_prefix(prefix.size());
    break;
  }
  if (!rest.starts_with('{') || !rest.ends_with('}') || rest.find('{', 1) != std::string_view::npos) return std::nullopt;
  return std::string(rest.substr(1, rest.size() - 2));
}

// Without "L =" and the like before it.
std::string_view WithoutSetName(std::string_view text, char unknown) {
  for (const std::string_view name : {"l=", "s=", "il="}) {
    if (text.starts_with(name) && (name.size() != 2 || text[0] != unknown)) return text.substr(name.size());
  }
  const std::string element = std::string(1, unknown) + "∈";
  return text.starts_with(element) ? text.substr(element.size()) : text;
}

// "every number except 0" and "R \ {0; 1}": what comes after the word.
std::string ExceptionsIn(std::string_view lower, char unknown) {
  std::vector<std::string> words = WordsOfAllLanguages("learner.except");
  words.insert(words.end(), {"\\setminus", "\\"});
  for (const std::string& word : words) {
    const std::size_t at = lower.find(word);
    if (at == std::string_view::npos) continue;
    Answers answers(unknown);
    std::string rest(Trimmed(lower.substr(at + word.size())));
    rest = Replaced(Replaced(std::move(rest), "{", ""), "}", "");
    const std::string assignment = std::string(1, unknown) + "=";
    for (const std::string& piece : PiecesOf(rest)) {
      const std::string number = Replaced(WithoutBlanks(piece), assignment, "");
      if (!number.empty()) answers.AddCondition(std::string(1, unknown) + " != " + number);
    }
    return answers.Text("every number");
  }
  return "every number";
}

std::optional<std::string> WordsOf(std::string_view line, char unknown) {
  const std::string lower = Lowered(Trimmed(line));
  std::string compact = WithoutBlanks(lower);
  while (!compact.empty() && (compact.back() == '!' || compact.back() == ')')) compact.pop_back();
  const std::string_view name = WithoutSetName(compact, unknown);
  // "0 = 5 (f. A.)" is a false statement, "5 = 5 (w. A.)" a true one.
  if (lower.find('=') != std::string::npos) {
    const auto ends_with = [&](const std::string& word) { return compact.ends_with(word); };
    const auto ends_with_one = [&](std::string_view entry) {
      const std::vector<std::string>& words = WordsOfAllLanguages(entry);
      return std::any_of(words.begin(), words.end(), ends_with);
    };
    if (ends_with("↯") || ends_with_one("learner.false")) return "no solution";
    if (ends_with_one("learner.true")) return "every number";
  }
  // A number for the unknown beside them contradicts the words.
  const std::string assignment{unknown, '='};
  if (compact.starts_with(assignment) && compact.size() > 2 && (IsDigit(compact[2]) || compact[2] == '-')) return std::nullopt;
  const auto is_one = [&](std::string_view entry) { return IsOne(WordsOfAllLanguages(entry), name); };
  if (ContainsOne(WordsOfAllLanguages("learner.no_solution"), lower) || IsOne(kNoSolutionSigns, name) ||
      is_one("learner.no_solution_alone") || is_one("learner.false")) {
    return "no solution";
  }
  if (ContainsOne(WordsOfAllLanguages("learner.every_number"), lower) || IsOne(kEveryNumberSigns, name) ||
      is_one("learner.every_number_alone") || is_one("learner.true")) {
    return ExceptionsIn(lower, unknown);
  }
  const bool all_but =
      (name.starts_with("r\\") || name.starts_with("ℝ\\") || name.starts_with("q\\") || name.starts_with("ℚ\\"));
  if (all_but && name.find('{') != std::string_view::npos) return ExceptionsIn(lower, unknown);
  return std::nullopt;
}

void AddReading(std::vector<std::string>& readings, std::string reading) {
  if (reading.empty() || std::find(readings.begin(), readings.end(), reading) != readings.end()) return;
  readings.push_back(std::move(reading));
}

// The readings of a line without a remark.
void AddReadings(std::string_view line, char unknown, std::vector<std::string>& readings) {
  line = Trimmed(line);
  while (!line.empty() && (line.back() == ',' || line.back() == ';' || line.back() == '!'))
    line = Trimmed(line.substr(0, line.size() - 1));
  for (const std::string_view mark : {"✓", "✔", "☑"}) {
    if (line.ends_with(mark)) line = Trimmed(line.substr(0, line.size() - mark.size()));
  }
  const std::string lower = Lowered(line);
  if (lower.starts_with("∴")) line = Trimmed(line.substr(std::string_view("∴").size()));
  if (const std::string* const opening = FirstOf(WordsOfAllLanguages("learner.openings"), lower)) {
    line = Trimmed(line.substr(opening->size()));
  }
  if (std::optional<std::string> words = WordsOf(WithPlainSigns(line), unknown)) AddReading(readings, std::move(*words));
  const std::string plain = WithPlainSigns(line);
  if (const std::optional<std::string> braced = BracedPart(plain, unknown)) {
    const bool semicolons = braced->find_first_of(";|") != std::string::npos;
    Answers answers(unknown);
    for (const std::string& part : SplitAt(*braced, semicolons ? ";|" : ",")) answers.Add(part);
    AddReading(readings, answers.Text());
    Answers whole(unknown);
    whole.Add(*braced);
    AddReading(readings, whole.Text());
    return;
  }
  AddReading(readings, std::string(line));
  Answers answers(unknown);
  for (const std::string& piece : PiecesOf(WithConditionsApart(plain))) answers.Add(piece);
  AddReading(readings, answers.Text());
}

// "x = 12/3 = 4" is x = 12/3 and x = 4; "2x + 3x = 5x = 25" is 2x + 3x = 25 and 5x = 25. All else stays one line.
void AddEquationsOfChain(const std::string& line, std::vector<std::string>& equations) {
  const std::string_view text = WithoutRemark(line);
  const bool one_sign = std::count(text.begin(), text.end(), '=') < 2;
  const std::vector<std::string> parts = SplitAt(text, "=");
  const auto has_unknown = [](const std::string& part) { return HasLetters(part); };
  if (one_sign || parts.size() < 3 || text.find_first_of(";!<>{}") != std::string_view::npos ||
      PiecesOf(WithPlainSigns(text)).size() > 1) {
    equations.push_back(line);
    return;
  }
  if (has_unknown(parts.front()) && std::none_of(parts.begin() + 1, parts.end(), has_unknown)) {
    for (std::size_t i = 1; i < parts.size(); ++i) equations.push_back(parts.front() + " = " + parts[i]);
  } else if (!has_unknown(parts.back()) && std::all_of(parts.begin(), parts.end() - 1, has_unknown)) {
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) equations.push_back(parts[i] + " = " + parts.back());
  } else {
    equations.push_back(line);
  }
}

// √(1 + 8) with the number that it is the root of: sqrt(9), and sqrt(3)/2 for √(3/4). What is no number stays.
std::string WithPlainRadicands(std::string_view line) {
  std::string text = Replaced(std::string(line), "√(", "sqrt(");
  constexpr std::string_view kRoot = "sqrt(";
  for (std::size_t at = text.find(kRoot); at != std::string::npos; at = text.find(kRoot, at + 1)) {
    const std::size_t begin = at + kRoot.size();
    std::size_t end = begin;
    for (int depth = 1; end < text.size(); ++end) {
      if (text[end] == '(') ++depth;
      if (text[end] == ')' && --depth == 0) break;
    }
    if (end >= text.size()) break;
    const algebra::ReadResult inside = algebra::Read(text.substr(begin, end - begin));
    if (inside.error || inside.state.form != algebra::State::Form::kExpression) continue;
    const std::optional<algebra::Exact> value = algebra::NumberValue(inside.state.expression);
    if (!value || *value < 0) continue;
    const algebra::Integer below = denominator(*value);
    const algebra::Integer radicand = numerator(*value) * below;
    const std::string root = std::string(kRoot) + radicand.str() + ")";
    text.replace(at, end + 1 - at, below == 1 ? root : "(" + root + "/" + below.str() + ")");
  }
  return text;
}

// 1 5/5, which is no mixed number of the domain, as a sum: (1 + 5/5).
std::string WithImproperMixed(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size();) {
    const bool starts = IsDigit(line[i]) && (i == 0 || (!IsDigit(line[i - 1]) && line[i - 1] != '.' && line[i - 1] != ','));
    const auto digits = [&](std::size_t from) {
      while (from < line.size() && IsDigit(line[from])) ++from;
      return from;
    };
    const std::size_t whole = starts ? digits(i) : i;
    std::size_t above = whole;
    while (above < line.size() && IsSpace(line[above])) ++above;
    const std::size_t slash = digits(above);
    const bool fraction =
        starts && above > whole && slash > above && slash + 1 < line.size() && line[slash] == '/' && IsDigit(line[slash + 1]);
    if (!fraction) {
      text += line[i++];
      continue;
    }
    const std::size_t end = digits(slash + 1);
    text += '(' + std::string(line.substr(i, whole - i)) + " + " + std::string(line.substr(above, end - above)) + ')';
    i = end;
  }
  return text;
}

// 2X = 4 after 2x = 4 means the same letter.
std::string WithCaseOf(char unknown, std::string_view line) {
  constexpr char kOfCase = 'a' - 'A';
  const char other = static_cast<char>(unknown ^ kOfCase);
  std::string text(line);
  if (IsLetter(unknown) && text.find(unknown) == std::string::npos) std::replace(text.begin(), text.end(), other, unknown);
  return text;
}

// -y/-Y and yy, where the unknown is y: the same letter, and a product.
std::string WithOneUnknown(char unknown, std::string_view line) {
  constexpr char kOfCase = 'a' - 'A';
  const auto is_unknown = [&](char c) { return (c | kOfCase) == (unknown | kOfCase); };
  std::string text;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && IsLetter(line[end])) ++end;
    const std::string_view word = line.substr(i, end - i);
    if (word.empty()) {
      text += line[i++];
      continue;
    }
    const bool ours = std::all_of(word.begin(), word.end(), is_unknown);
    for (std::size_t k = 0; k < word.size(); ++k) {
      if (ours && k > 0) text += '*';
      text += ours ? unknown : word[k];
    }
    i = end;
  }
  return text;
}

// The line without a number before it: "1) 2x = 4".
std::string_view WithoutNumbering(std::string_view line) {
  std::size_t at = line.starts_with('(') ? 1 : 0;
  const std::size_t digits = at;
  while (at < line.size() && IsDigit(line[at])) ++at;
  if (at == digits || at + 1 >= line.size() || (line[at] != ')' && line[at] != '.') || !IsSpace(line[at + 1])) return line;
  return Trimmed(line.substr(at + 1));
}

}  // namespace

std::vector<std::string> SplitLearnerLines(std::string_view current, std::string_view text) {
  std::vector<std::string> lines;
  std::string line;
  const auto end_line = [&] {
    if (const std::string_view trimmed = Trimmed(line); !trimmed.empty()) lines.emplace_back(trimmed);
    line.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const bool latex_break = rest.starts_with("\\\\");
    if (const std::string_view* const arrow = FirstOf(kArrows, rest)) {
      end_line();
      i += arrow->size();
    } else if (rest.front() == '\n' || latex_break) {
      end_line();
      i += latex_break ? 2 : 1;
    } else {
      line += rest.front();
      ++i;
    }
  }
  const bool whole = lines.empty();
  end_line();
  // Positions in it stay as they are.
  if (whole && lines.size() == 1 && Trimmed(text) == lines.front()) lines.front() = text;
  // After 28 = 63, 28/28 = 63/28 is no chain.
  if (HasLetters(current) || HasLetters(WithoutRemark(text)) || current.find('=') != std::string_view::npos) {
    std::vector<std::string> equations;
    for (const std::string& one : lines) AddEquationsOfChain(one, equations);
    return equations;
  }
  std::vector<std::string> numbers;
  for (const std::string& one : lines) {
    for (std::string& number : SplitAt(WithoutRemark(one), "=")) {
      const std::string& last = numbers.empty() ? std::string(current) : numbers.back();
      if (WithoutBlanks(number) != WithoutBlanks(last)) numbers.push_back(std::move(number));
    }
  }
  const bool statement = current.empty() && lines.size() == 1 && std::all_of(numbers.begin(), numbers.end(), IsWholeNumber);
  return statement || numbers.empty() ? lines : numbers;
}

std::string_view WithoutRemark(std::string_view line) {
  const std::size_t bar = FindBar(line);
  if (bar == std::string_view::npos) return line;
  line = line.substr(0, bar);
  while (!line.empty() && IsSpace(line.back())) line.remove_suffix(1);
  return line;
}

std::vector<std::string> LearnerReadings(std::string_view line, char unknown) {
  std::vector<std::string> readings;
  const std::string in_one_case = WithCaseOf(unknown, line);
  const std::string_view without_bar = WithoutRemark(in_one_case);
  AddReadings(without_bar, unknown, readings);
  AddReadings(WithPlainRadicands(without_bar), unknown, readings);
  AddReadings(WithoutNumbering(Trimmed(without_bar)), unknown, readings);
  AddReadings(WithImproperMixed(without_bar), unknown, readings);
  const std::size_t loose = FindLooseRemark(without_bar);
  if (loose != std::string_view::npos) AddReadings(without_bar.substr(0, loose), unknown, readings);
  return readings;
}

NotationResult ReadLearnerLine(const Domain& algebra, std::string_view current, std::string_view text) {
  char unknown = algebra::Read(current).state.unknown;
  if (unknown == 0) unknown = 'x';
  // Canonical text is read as itself.
  if (Parsed parsed = algebra.Parse(text); !parsed.error && parsed.state == text && WithCaseOf(unknown, text) == text) {
    return {std::move(parsed.state), {}, std::nullopt};
  }
  std::vector<NotationResult> results;
  for (const std::string& reading : LearnerReadings(text, unknown)) {
    NotationResult result = ReadAlgebraNotation(algebra, reading);
    const auto same = [&](const NotationResult& other) { return other.state == result.state; };
    if (!result.error && std::none_of(results.begin(), results.end(), same)) results.push_back(std::move(result));
  }
  if (results.empty()) {
    NotationResult result = ReadAlgebraNotation(algebra, WithOneUnknown(unknown, WithoutRemark(text)));
    return result.error ? ReadAlgebraNotation(algebra, WithoutRemark(text)) : result;
  }
  if (results.size() == 1) return std::move(results.front());
  const AlgebraMeaning meaning = ReadAlgebra(current);
  for (NotationResult& result : results) {
    if (SameMeaning(meaning, ReadAlgebra(result.state)).value_or(false)) return std::move(result);
  }
  return std::move(results.front());
}

}  // namespace conpole
