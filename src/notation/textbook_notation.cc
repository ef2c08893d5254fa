#include "notation/textbook_notation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "notation/reading.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace book = textbook;

struct SignSpelling {
  std::string_view from;
  std::string_view to;
};
// Longer ones before those that they begin with.
constexpr std::array kSpellings{SignSpelling{"\\left", ""},
                                SignSpelling{"\\right", ""},
                                SignSpelling{"\\bigl", ""},
                                SignSpelling{"\\bigr", ""},
                                SignSpelling{"\\big", ""},
                                SignSpelling{"\\Big", ""},
                                SignSpelling{"\\leq", "<="},
                                SignSpelling{"\\le ", "<= "},
                                SignSpelling{"\\geq", ">="},
                                SignSpelling{"\\ge ", ">= "},
                                SignSpelling{"\\neq", "!="},
                                SignSpelling{"\\ne ", "!= "},
                                SignSpelling{"\\lt", "<"},
                                SignSpelling{"\\gt", ">"},
                                SignSpelling{"\\times", "*"},
                                SignSpelling{"\\cdot", "*"},
                                SignSpelling{"\\div", "/"},
                                SignSpelling{"\\pi", " pi "},
                                SignSpelling{"\\ln", "ln"},
                                SignSpelling{"\\log", "log"},
                                SignSpelling{"\\operatorname", ""},
                                SignSpelling{"\\text", " "},
                                SignSpelling{"\\mathrm", ""},
                                SignSpelling{"\\$", " "},
                                SignSpelling{"\\%", "%"},
                                SignSpelling{"\\!", ""},
                                SignSpelling{"\\,", " "},
                                SignSpelling{"\\;", " "},
                                SignSpelling{"\\lvert", "|"},
                                SignSpelling{"\\rvert", "|"},
                                SignSpelling{"\\vert", "|"},
                                SignSpelling{"\\approx", " approx "},
                                SignSpelling{"\\infty", " infinity "},
                                SignSpelling{"\\dfrac", "\\frac"},
                                SignSpelling{"\\tfrac", "\\frac"},
                                SignSpelling{"**", "^"},
                                SignSpelling{"−", "-"},
                                SignSpelling{"–", "-"},
                                SignSpelling{"×", "*"},
                                SignSpelling{"·", "*"},
                                SignSpelling{"⋅", "*"},
                                SignSpelling{"÷", "/"},
                                SignSpelling{"≤", "<="},
                                SignSpelling{"≥", ">="},
                                SignSpelling{"≠", "!="},
                                SignSpelling{"π", " pi "},
                                SignSpelling{"²", "^2"},
                                SignSpelling{"³", "^3"},
                                SignSpelling{"⁴", "^4"},
                                SignSpelling{"∛", "cbrt"},
                                SignSpelling{"√", "sqrt"},
                                SignSpelling{"’", "'"},
                                SignSpelling{"“", "\""},
                                SignSpelling{"”", "\""},
                                SignSpelling{"\u200b", " "},
                                SignSpelling{"\u00a0", " "},
                                SignSpelling{"=<", "<="},
                                SignSpelling{"=>", ">="},
                                SignSpelling{"½", "(1/2)"},
                                SignSpelling{"¼", "(1/4)"}};

// LaTeX and Unicode as plain signs. Braces around an argument become brackets; others mean nothing, as in {rs}^2.
class Plainer {
 public:
  explicit Plainer(std::string_view text) : text_(text) {}

  std::string Take() {
    while (at_ < text_.size()) Step();
    return std::move(out_);
  }

 private:
  bool Eat(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void SkipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  // What stands in braces, or the next character.
  std::string Group() {
    SkipBlanks();
    if (at_ >= text_.size()) return {};
    if (text_[at_] != '{') {
      if (text_[at_] == '\\') {
        // A command, as in ^\frac{1}{4}.
        const std::string kept = std::exchange(out_, {});
        Step();
        return std::exchange(out_, kept);
      }
      return std::string(1, text_[at_++]);
    }
    std::size_t depth = 0;
    const std::size_t begin = at_ + 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}' && --depth == 0) break;
    }
    const std::string_view inside = text_.substr(begin, at_ - begin);
    if (at_ < text_.size()) ++at_;
    return Plainer(inside).Take();
  }

  void Step() {
    if (Eat("\\dfrac") || Eat("\\tfrac") || Eat("\\frac")) {
      const std::string above = Group();
      out_ += "((" + above + ")/(" + Group() + "))";
      return;
    }
    if (Eat("\\sqrt")) {
      SkipBlanks();
      std::string degree;
      if (at_ < text_.size() && text_[at_] == '[') {
        const std::size_t end = std::min(text_.find(']', at_), text_.size());
        degree = Plainer(text_.substr(at_ + 1, end - at_ - 1)).Take();
        at_ = std::min(end + 1, text_.size());
      }
      out_ += degree.empty() ? "sqrt(" : "root(" + degree + ", ";
      out_ += Group() + ")";
      return;
    }
    if (text_[at_] == '^' && at_ + 1 < text_.size() && text_[at_ + 1] != '(' && text_[at_ + 1] != '-' &&
        !IsDigit(text_[at_ + 1]) && !IsLetter(text_[at_ + 1])) {
      ++at_;
      out_ += "^(" + Group() + ")";
      return;
    }
    if (Eat("_{")) {
      at_ -= 1;
      out_ += "_(" + Group() + ")";
      return;
    }
    // sqrt2 is a root, as √2 is.
    constexpr std::string_view kRoot = "sqrt";
    if (text_.substr(at_).starts_with(kRoot) && at_ + kRoot.size() < text_.size() && IsDigit(text_[at_ + kRoot.size()])) {
      at_ += kRoot.size();
      out_ += "sqrt(";
      while (at_ < text_.size() && IsDigit(text_[at_])) out_ += text_[at_++];
      out_ += ')';
      return;
    }
    for (const SignSpelling& spelling : kSpellings) {
      if (!Eat(spelling.from)) continue;
      out_ += spelling.to;
      // x²3 is a slip.
      if (spelling.to.starts_with('^') && at_ < text_.size() && IsDigit(text_[at_]) && spelling.to.size() > 1) out_ += '#';
      // A root of the next sign alone.
      if ((spelling.to == "sqrt" || spelling.to == "cbrt") && at_ < text_.size() && text_[at_] != '(') {
        out_ += '(';
        if (!IsDigit(text_[at_])) out_ += text_[at_++];
        while (at_ < text_.size() && IsDigit(text_[at_])) out_ += text_[at_++];
        out_ += ')';
      }
      return;
    }
    const char c = text_[at_++];
    if (c == '{' || c == '}' || c == '$') {
      // What stood between two numbers does not make them one.
      if (!out_.empty() && IsDigit(out_.back())) out_ += ' ';
      return;
    }
    if (c == '\\') {
      // A line break, a blank or a brace; other commands are not known, and nothing reads this sign.
      const char next = at_ < text_.size() ? text_[at_] : ' ';
      if (next == '\\') {
        ++at_;
        out_ += " ; ";
      } else if (std::string_view(" {}[]()").find(next) == std::string_view::npos) {
        out_ += '#';
      }
      return;
    }
    if (c == '\n') {
      out_ += " ; ";
      return;
    }
    // 23,658 is one number.
    if (c == ',' && !out_.empty() && IsDigit(out_.back()) && IsThousands()) return;
    out_ += c;
  }
  bool IsThousands() const {
    std::size_t before = 0;
    while (before < out_.size() && IsDigit(out_[out_.size() - 1 - before])) ++before;
    std::size_t after = 0;
    while (at_ + after < text_.size() && IsDigit(text_[at_ + after])) ++after;
    const bool in_bracket =
        out_.size() > before && (out_[out_.size() - 1 - before] == '(' || out_[out_.size() - 1 - before] == '-');
    return before <= 3 && after == 3 && !in_bracket;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

// Words that stand around exercises. What has others is a problem in words.
constexpr std::string_view kExerciseWords =
    "a above absolute add addieren adding addition algebra algebraic algebraically all also an analytically and "
    "another answer answers any apply applying are as associative assume assuming at base bases basic be below "
    "berechne bestimme between binomial binomials both by calculate calculator can cancel cannot case choice "
    "choose clear coefficients combine combining common commutative compare complete completely completing "
    "complex complicated composite compound compute condense conjugate conjugates constants containing convert "
    "converting correct create creating cube cubes curve decimal decimals defined den denominator denominators der "
    "determine die difference differences different directly distributive divide dividend dividing division "
    "distance divisor dne do does each either elimination equality equation equations equivalent espression evaluate "
    "evaluating exact exactly exercise exercises expand expanded exponent exponential exponents express "
    "expression expressions factor factored factoring factorise factorization factorize factors faktorisiere "
    "fill final find finding first five foil folloing following for form format formula four fraction fractional "
    "fractions from function functions further general get give given graph graphically graphing greater "
    "greatest grouping has how hundred hundreds hundredth hundredths identify identifying if illustrate "
    "imaginary in indicated inequalities inequality infinity integer integers intersection interval into invalid "
    "intercepts involving is isolate it its kürze largest laws least let like line linear literal log logarithm logarithmic "
    "logarithms logorithms logs long lowest löse make mathematical matrices matrix method million millions mixed "
    "monomial monomials much multiple multiples multiplication multipliziere multiply multiplying möglich nach "
    "nearest necessary negative no nonlinear not notation number numbers numerator numeric numerical obtain of "
    "on one ones only operation operations or order other out pair pairs parabola parentheses parts pattern percent "
    "percentage percents perfect perform place places please points polynomial polynomials positive possible power "
    "powers prime problem problems product products properties property proportion proportions quadratic "
    "quadratics quantity question questions quotient quotients radical radicals raised rational rationalise "
    "rationalize rationalizing real recall reduce remainder remove required result rewrite rewriting root roots "
    "round rounding rule rules same scientific second sei select separate show side sides signs simple simplest "
    "simplification simplified simplify simplifying simply single six smallest so solution solutions solve "
    "solved solving special square squared squares standard statement step strategy subsitution substitute "
    "substituting substitution subtract subtracting subtraction such sum suppose synthetic system systems ten "
    "tens tenth tenths term terms that the them then there these this thousand thousands thousandth thousandths "
    "three through to translate trinomial trinomials true two undo unlike use used using valid value values "
    "variable variables vereinfache via we what when where which whole with without work write writing written "
    "wrtie you your zero zeros zu zwei ";

bool IsKnownWord(std::string_view word) {
  static const std::set<std::string_view> words = [] {
    std::set<std::string_view> all;
    for (std::size_t begin = 0; begin < kExerciseWords.size();) {
      const std::size_t end = kExerciseWords.find(' ', begin);
      all.insert(kExerciseWords.substr(begin, end - begin));
      begin = end + 1;
    }
    return all;
  }();
  return words.contains(word);
}

bool IsFunctionName(std::string_view run) {
  constexpr std::array<std::string_view, 8> kNames{"sqrt", "cbrt", "root", "abs", "log", "ln", "exp", "pi"};
  return std::find(kNames.begin(), kNames.end(), run) != kNames.end();
}

// A text in pieces: words, and mathematics between them.
struct TextPiece {
  bool is_word = false;
  std::string text;  // of words in small letters
};

class Splitter {
 public:
  explicit Splitter(std::string text) : text_(std::move(text)) {}

  std::vector<TextPiece> Take() {
    for (std::size_t at = 0; at < text_.size();) {
      if (!IsWordByte(text_[at])) {
        math_ += text_[at++];
        continue;
      }
      std::size_t end = at;
      while (end < text_.size() &&
             (IsWordByte(text_[end]) || (text_[end] == '\'' && end + 1 < text_.size() && IsLetter(text_[end + 1])))) {
        ++end;
      }
      const std::string_view run = std::string_view(text_).substr(at, end - at);
      if (IsWord(run, at, end)) {
        Flush();
        std::string word(run);
        for (char& c : word) {
          if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
        }
        pieces_.push_back({true, std::move(word)});
      } else {
        math_ += run;
      }
      at = end;
    }
    Flush();
    return std::move(pieces_);
  }

 private:
  // Signs that touch a letter only in mathematics.
  static bool IsSign(char c) { return IsDigit(c) || std::string_view("^=+*/<>_|").find(c) != std::string_view::npos; }

  bool IsWord(std::string_view run, std::size_t begin, std::size_t end) const {
    std::string lowered(run);
    for (char& c : lowered) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    }
    const char before = begin > 0 ? text_[begin - 1] : ' ';
    const char after = end < text_.size() ? text_[end] : ' ';
    const char next = NextSign(end);
    if (run.size() == 1) {
      // "a" and "I" before a word.
      if ((run != "a" && run != "I" && run != "A") || IsSign(before) || IsSign(after)) return false;
      return IsLetter(next) && after == ' ' && WordLength(end) > 2;
    }
    if (IsFunctionName(run) && (next == '(' || next == '_' || IsDigit(after) || run == "pi")) return false;
    if (IsFunctionName(run.substr(run.size() > 4 ? run.size() - 4 : 0)) && next == '(' && run.size() <= 6) return false;
    if (run.ends_with("ln") && after == '(' && run.size() <= 3) return false;
    constexpr std::size_t kSurelyWord = 5;
    if (run.size() >= kSurelyWord) return true;
    if (IsSign(before) || IsSign(after)) return false;
    constexpr std::array<std::string_view, 15> kShort{"an", "as", "at", "be", "by", "do", "if", "in",
                                                      "is", "it", "no", "of", "on", "or", "so"};
    if (lowered == "to" || lowered == "we" || lowered == "eq") return true;
    if (run.size() == 2) return std::find(kShort.begin(), kShort.end(), lowered) != kShort.end();
    return IsKnownWord(lowered) || lowered.find_first_of("aeiouy") != std::string::npos;
  }
  char NextSign(std::size_t at) const {
    while (at < text_.size() && text_[at] == ' ') ++at;
    return at < text_.size() ? text_[at] : ' ';
  }
  std::size_t WordLength(std::size_t at) const {
    while (at < text_.size() && text_[at] == ' ') ++at;
    const std::size_t begin = at;
    while (at < text_.size() && IsLetter(text_[at])) ++at;
    return at - begin;
  }

  void Flush() {
    // Without punctuation around it.
    constexpr std::string_view kBefore = " .,;:?!\"'";
    const std::size_t begin = math_.find_first_not_of(kBefore);
    if (begin != std::string::npos) {
      std::size_t end = math_.find_last_not_of(kBefore) + 1;
      std::string piece = math_.substr(begin, end - begin);
      // ".5" keeps its point.
      if (begin > 0 && math_[begin - 1] == '.' && IsDigit(piece[0])) piece.insert(0, "0.");
      // "a)" and "b)" number parts.
      if (piece.size() > 2 && IsLetter(piece[0]) && piece[1] == ')') piece = piece.substr(2);
      while (!piece.empty() && piece.front() == ' ') piece.erase(0, 1);
      if (piece == "a)" || piece == "b)" || piece == "()" || piece == ")" || piece == "(") piece.clear();
      if (!piece.empty()) pieces_.push_back({false, std::move(piece)});
    }
    math_.clear();
  }

  std::string text_;
  std::string math_;
  std::vector<TextPiece> pieces_;
};

// Without sentences on how to answer: "Please enter ...", "(Note: ...)".
std::string WithoutRemarks(const std::string& text) {
  std::string result;
  std::size_t at = 0;
  const auto starts = [&](std::string_view phrase) {
    if (text.size() - at < phrase.size()) return false;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
      const char c = text[at + i];
      const char lowered = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
      if (lowered != phrase[i]) return false;
    }
    return true;
  };
  const auto sentence_end = [&](std::size_t from) {
    for (std::size_t i = from; i < text.size(); ++i) {
      const bool stop = text[i] == '.' || text[i] == '?' || text[i] == '!';
      if (stop && (i + 1 == text.size() || text[i + 1] == ' ')) return i + 1;
    }
    return text.size();
  };
  constexpr std::array<std::string_view, 16> kRemarks{"please enter",  "please input",   "please convert", "enter ",
                                                      "input ",        "for example",    "note",           "if there",
                                                      "eg.",           "pay attention",  "ensure",         "type ",
                                                      "if the result", "choose answers", "write answers",  "do not simplify"};
  while (at < text.size()) {
    const bool fresh = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    const auto* const remark = fresh ? std::find_if(kRemarks.begin(), kRemarks.end(), starts) : kRemarks.end();
    if (remark != kRemarks.end()) {
      // Up to the end of the sentence, but what follows may be the exercise itself.
      at = sentence_end(at);
      continue;
    }
    if (text[at] == '(') {
      // Brackets with words in them.
      std::size_t depth = 0;
      std::size_t end = at;
      for (; end < text.size(); ++end) {
        if (text[end] == '(') ++depth;
        if (text[end] == ')' && --depth == 0) break;
      }
      const std::string_view inside = std::string_view(text).substr(at, end - at);
      std::size_t letters = 0;
      std::size_t longest = 0;
      for (const char c : inside) {
        letters = IsLetter(c) ? letters + 1 : 0;
        longest = std::max(longest, letters);
      }
      if (longest > 4 && end < text.size()) {
        at = end + 1;
        continue;
      }
    }
    result += text[at++];
  }
  return result;
}

constexpr std::string_view kNotReal = "not a real number";

class ExerciseReader {
 public:
  ExerciseReader(const Domain& domain, std::string_view text) : domain_(domain), text_(text) {}

  NotationResult Read() {
    try {
      const std::string state = Find();
      Parsed parsed = domain_.Parse(state);
      if (parsed.error && parsed.error->message.english().ends_with(kNotReal)) throw book::Refusal{parsed.error->message};
      if (parsed.error) return Unreadable(0, std::move(parsed.error->message));
      // What the domain itself works out or solves needs no task.
      if (parsed.state.starts_with("simplify: ") || parsed.state.starts_with("solve ")) {
        Parsed bare = domain_.Parse(parsed.state.substr(parsed.state.find(": ") + 2));
        if (!bare.error) return {std::move(bare.state), {}, std::nullopt, true};
      }
      // What to do was not said, or said in words: others might read it in another way.
      return {std::move(parsed.state), {}, std::nullopt, !names_task_};
    } catch (book::Refusal& refusal) {
      // That is an answer, too.
      if (refusal.message.english().ends_with(kNotReal)) return {"result: " + std::string(kNotReal), {}, std::nullopt, true};
      return Unreadable(0, std::move(refusal.message));
    }
  }

 private:
  bool Says(std::string_view word) const { return words_.contains(std::string(word)); }
  template <class... Words>
  bool SaysAny(Words... words) const {
    return (Says(words) || ...);
  }
  static bool HasRelation(std::string_view text) { return text.find_first_of("=<>") != std::string_view::npos; }

  std::string Find() {
    std::string plain = Plainer(text_).Take();
    if (book::IsExercise(plain)) {
      // As canonical text has them: "; check " is looked for as it is.
      plain.erase(std::unique(plain.begin(), plain.end(), [](char a, char b) { return a == ' ' && b == ' '; }), plain.end());
      const book::Exercise exercise = book::ReadExercise(plain);
      names_task_ = true;
      return book::TextOf(exercise);
    }
    plain = WithoutRemarks(WithLogarithms(std::move(plain)));
    TakeIntercepts(plain);
    const std::size_t gap = plain.find("___");
    if (gap != std::string::npos) return ReadGap(plain, gap);
    pieces_ = Splitter(plain).Take();
    SplitLettersAfterFor();
    for (const TextPiece& piece : pieces_) {
      if (!piece.is_word) {
        SplitMath(WithoutRepetition(piece.text));
        continue;
      }
      words_.insert(piece.text);
      has_words_ = true;
    }
    for (const std::string& word : words_) {
      if (!IsKnownWord(word)) {
        throw book::Refusal{
            fmt::format("this seems to be a problem in words ('{}'), which is not understood; write the "
                        "equation or the expression itself",
                        word)};
      }
    }
    if (math_.empty()) throw book::Refusal{"there is no mathematics in this"};
    // Without words nobody can tell what 1,000 is.
    if (!has_words_ && text_.find(',') != std::string_view::npos && plain.find(',') == std::string::npos) {
      throw book::Refusal{"a comma before three digits may mean thousands; write 1000, or 1.000"};
    }
    letters_are_real_ = Says("real") && !SaysAny("complex", "imaginary", "standard");
    // What is written twice is meant once.
    std::vector<std::string> different;
    for (std::string& piece : math_) {
      if (std::find(different.begin(), different.end(), piece) == different.end()) different.push_back(std::move(piece));
    }
    math_ = std::move(different);
    if (std::optional<std::string> found = FindNumberTask()) return *found;
    if (!intercept_.empty()) return FindIntercept();
    if (std::optional<std::string> found = FindDistance()) return *found;
    if (std::optional<std::string> found = FindFunction()) return *found;
    std::vector<std::string> relations;
    std::vector<std::string> terms;
    for (const std::string& piece : math_) (HasRelation(piece) ? relations : terms).push_back(piece);
    if (!relations.empty()) return FindRelation(std::move(relations), std::move(terms));
    if (terms.size() > 1) std::erase_if(terms, [](const std::string& term) { return term.size() == 1; });
    if (terms.size() != 1) throw book::Refusal{"there is more than one expression in this; write one at a time"};
    return FindExpression(terms[0]);
  }

  // "for x 3^x = 81": a letter after "for" that no sign follows.
  void SplitLettersAfterFor() {
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
      if (pieces_[i].is_word || !pieces_[i - 1].is_word || pieces_[i - 1].text != "for") continue;
      const std::string text = pieces_[i].text;
      if (text.size() < 3 || !IsLetter(text[0]) || text[1] != ' ') continue;
      if (std::string_view("=+-*/^<>").find(text[2]) != std::string_view::npos) continue;
      pieces_[i].text = text.substr(0, 1);
      pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(i) + 1, {false, text.substr(2)});
    }
  }
  // A text that stands there twice.
  static std::string WithoutRepetition(const std::string& text) {
    const std::size_t half = text.size() / 2;
    const bool twice = text.size() % 2 == 1 && text[half] == ' ' && text.compare(0, half, text, half + 1, half) == 0;
    return twice && half > 3 ? text.substr(0, half) : text;
  }

  // "log base 16 of y = x" as log_(16)(y) = x, and without "x=?".
  static std::string WithLogarithms(std::string text) {
    constexpr std::string_view kBegin = "log base ";
    constexpr std::string_view kOf = " of ";
    for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at)) {
      const std::size_t of = text.find(kOf, at);
      if (of == std::string::npos) break;
      const std::size_t end = std::min(text.find_first_of("=+-;", of), text.size());
      const std::string base = text.substr(at + kBegin.size(), of - at - kBegin.size());
      const std::string argument = text.substr(of + kOf.size(), end - of - kOf.size());
      text.replace(at, end - at, "log_(" + base + ")(" + argument + ")");
    }
    for (std::size_t at = text.find("=?"); at != std::string::npos; at = text.find("=?")) {
      const std::size_t begin = at > 0 && IsLetter(text[at - 1]) ? at - 1 : at;
      text.erase(begin, at + 2 - begin);
    }
    return text;
  }

  // Takes "x-intercept" out of a text, since its letter is no mathematics, and keeps which one is asked for: the last one.
  void TakeIntercepts(std::string& text) {
    constexpr std::string_view kWord = "-intercept";
    for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord)) {
      const bool has_letter = at > 0 && (text[at - 1] == 'x' || text[at - 1] == 'y') && (at == 1 || !IsLetter(text[at - 2]));
      if (!has_letter) throw book::Refusal{"the x-intercept or the y-intercept of one curve can be found"};
      const bool asks = std::string_view(text).substr(0, at - 1).ends_with("hat is the ");
      const std::string letter(1, text[at - 1]);
      if (!asks && !intercept_.empty() && intercept_ != letter && text.find("hat is the ", at) == std::string::npos) {
        throw book::Refusal{"ask for the x-intercept or for the y-intercept, one at a time"};
      }
      intercept_ = letter;
      std::size_t end = at + kWord.size();
      if (text.compare(end, 1, "s") == 0) end += 1;
      if (text.compare(end, 3, "(s)") == 0) end += 3;
      text.erase(at - 1, end - at + 1);
    }
  }

  // Where a curve meets an axis: the other coordinate is 0 there.
  std::string FindIntercept() {
    std::string curve;
    for (const std::string& piece : math_) {
      if (!HasRelation(piece)) continue;
      if (!curve.empty()) throw book::Refusal{"the x-intercept or the y-intercept of one curve can be found"};
      curve = piece;
    }
    // f(x) = ... is y = ...
    if (curve.size() > 5 && IsLetter(curve[0]) && curve.compare(1, 3, "(x)") == 0) curve.replace(0, 4, "y");
    const book::Relation relation = book::ReadRelation(curve);
    std::set<std::string> letters = book::LettersOf(relation.left);
    book::CollectLetters(relation.right, letters);
    if (letters != std::set<std::string>{"x", "y"}) throw book::Refusal{"the curve is to be given by an equation of x and y"};
    return fmt::format("solve x, y: {}; {} = 0", book::TextOf(relation), intercept_ == "x" ? "y" : "x");
  }

  // The distance between two points.
  std::optional<std::string> FindDistance() const {
    if (!Says("distance")) return std::nullopt;
    std::vector<std::string> numbers;
    for (const std::string& piece : math_) {
      for (const std::string& point : book::SplitAt(piece, " ")) {
        if (!point.starts_with('(') || !point.ends_with(')')) continue;
        const std::vector<std::string> parts = book::SplitAt(std::string_view(point).substr(1, point.size() - 2), ",");
        if (parts.size() == 2) numbers.insert(numbers.end(), parts.begin(), parts.end());
      }
    }
    constexpr std::size_t kTwoPoints = 4;
    if (!Says("points") || numbers.size() != kTwoPoints) throw book::Refusal{"a distance is found between two points (a, b)"};
    return fmt::format("simplify: sqrt(({} - ({}))^2 + ({} - ({}))^2)", numbers[2], numbers[0], numbers[3], numbers[1]);
  }

  // Equations in one piece: by commas, semicolons, or only blanks.
  void SplitMath(const std::string& text) {
    for (const std::string& part : book::SplitAt(text, ";")) {
      if (part.empty()) continue;
      if (!HasRelation(part)) {
        math_.push_back(part);
        continue;
      }
      std::vector<std::string> pieces = book::SplitAt(part, ",");
      const bool all = std::all_of(pieces.begin(), pieces.end(), [](const std::string& piece) { return HasRelation(piece); });
      if (!all) pieces = {part};
      for (const std::string& piece : pieces) {
        if (piece.empty()) continue;
        const std::size_t first = piece.find('=');
        const bool two = first != std::string::npos && piece.find('=', first + 1) != std::string::npos &&
                         piece.find_first_of("<>") == std::string::npos;
        if (two) {
          SplitAtBlank(piece);
        } else {
          math_.push_back(piece);
        }
      }
    }
  }
  // "x = 9 - 2y x + 2y = 13": at a blank between the signs where both parts can be read.
  void SplitAtBlank(const std::string& text) {
    const std::size_t first = text.find('=');
    const std::size_t second = text.find('=', first + 1);
    for (std::size_t at = first; at < second; ++at) {
      if (text[at] != ' ') continue;
      const std::string left = text.substr(0, at);
      const std::string right = text.substr(at + 1);
      const char before = left.find_last_not_of(' ') == std::string::npos ? '=' : left[left.find_last_not_of(' ')];
      const char after = right.find_first_not_of(' ') == std::string::npos ? '=' : right[right.find_first_not_of(' ')];
      const bool joined = std::string_view("=+-*/(,").find(before) != std::string_view::npos ||
                          std::string_view("=+*/),").find(after) != std::string_view::npos;
      if (joined) continue;
      try {
        book::ReadRelation(left);
      } catch (const book::Refusal&) {
        continue;
      }
      math_.push_back(left);
      SplitMath(right);
      return;
    }
    math_.push_back(text);
  }

  std::string ReadGap(const std::string& plain, std::size_t gap) {
    std::size_t end = gap;
    while (end < plain.size() && plain[end] == '_') ++end;
    std::vector<TextPiece> left = Splitter(plain.substr(0, gap)).Take();
    std::vector<TextPiece> right = Splitter(plain.substr(end)).Take();
    std::string before;
    for (const TextPiece& piece : left) {
      if (!piece.is_word) before = piece.text;
    }
    const std::size_t colon = before.rfind(':');
    if (colon != std::string::npos) before = before.substr(colon + 1);
    const std::string after = right.empty() || right.front().is_word ? std::string() : right.front().text;
    if (before.find("=") != std::string::npos && after == "%") return "percent: " + before.substr(0, before.find('='));
    const bool one_gap = plain.find("___", end) == std::string::npos;
    if (before.empty() || after.empty() || right.size() != 1 || !one_gap)
      throw book::Refusal{"expected two numbers around the gap"};
    return "compare: " + before + " ? " + after;
  }

  std::optional<std::string> FindNumberTask() {
    const auto is_number = [](const std::string& text) {
      return text.find_first_not_of("0123456789. -+*/^()%") == std::string::npos;
    };
    const bool numbers = std::all_of(math_.begin(), math_.end(), [&](const std::string& text) {
      return text.find_first_not_of("0123456789., -+*/^()%") == std::string::npos;
    });
    if (!numbers) {
      return std::nullopt;
    }
    if (const std::optional<std::string> percent = FindPercent()) return percent;
    if (SaysAny("round", "rounding") && math_.size() == 1 && is_number(math_[0])) {
      struct Place {
        std::string_view word;
        std::string_view unit;
      };
      constexpr Place kPlaces[] = {
          {"tenth", "0.1"},       {"hundredth", "0.01"}, {"thousandth", "0.001"}, {"hundred", "100"}, {"thousand", "1000"},
          {"million", "1000000"}, {"ten", "10"},         {"integer", "1"},        {"whole", "1"},     {"tenths", "0.1"},
          {"hundredths", "0.01"}, {"hundreds", "100"},   {"thousands", "1000"},   {"tens", "10"},     {"ones", "1"}};
      if (Says("ten") && Says("thousand")) return "round 10000: " + math_[0];
      if (Says("hundred") && Says("thousand")) return "round 100000: " + math_[0];
      for (const Place& place : kPlaces) {
        if (Says(place.word)) return fmt::format("round {}: {}", place.unit, math_[0]);
      }
      throw book::Refusal{"it does not say to which place to round"};
    }
    if (Says("common") && SaysAny("greatest", "largest")) return "gcf: " + Joined();
    if (SaysAny("least", "lowest", "smallest") && SaysAny("common", "multiple")) return "lcm: " + Joined();
    if (math_.size() != 1) return std::nullopt;
    if (Says("prime") || SaysAny("factor", "factorization")) return "primes: " + math_[0];
    if (Says("scientific")) {
      const bool is_scientific = math_[0].find("10^") != std::string::npos;
      return (is_scientific || Says("standard") ? "standard: " : "scientific: ") + math_[0];
    }
    if (SaysAny("convert", "write", "express", "change", "rewrite")) {
      if (math_[0].find('%') != std::string::npos) return (Says("fraction") ? "fraction: " : "decimal: ") + math_[0];
      if (SaysAny("percent", "percentage")) return "percent: " + math_[0];
      if (Says("decimal") && math_[0].find('.') == std::string::npos) return "decimal: " + math_[0];
      if (Says("fraction") && math_[0].find('.') != std::string::npos) return "fraction: " + math_[0];
    }
    return std::nullopt;
  }
  std::string Joined() const {
    std::string text;
    for (const std::string& piece : math_) text += (text.empty() ? "" : ", ") + piece;
    return text;
  }

  // "45% of 80", "81 is 75% of what number", "78 is what percent of 260", "what percent of 260 is 78".
  std::optional<std::string> FindPercent() {
    std::string sentence;
    for (const TextPiece& piece : pieces_) {
      if (piece.is_word && (piece.text == "translate" || piece.text == "solve" || piece.text == "and")) continue;
      sentence += (sentence.empty() ? "" : " ") + (piece.is_word ? piece.text : "#");
    }
    if (math_.size() != 2) return std::nullopt;
    const auto ends = [&](std::string_view end) { return sentence.ends_with(end); };
    const bool first = math_[0].find('%') != std::string::npos;
    const bool second = math_[1].find('%') != std::string::npos;
    const std::string& a = math_[0];
    const std::string& b = math_[1];
    if (first && !second && (ends("what number is # of #") || ends("what is # of #") || ends("find # of #"))) {
      return fmt::format("evaluate: pr; p = {}, r = {}", a, b);
    }
    if (!first && second && ends("# is # of what number")) return fmt::format("evaluate: r/p; p = {}, r = {}", b, a);
    if (first && !second && ends("# of what number is #")) return fmt::format("evaluate: r/p; p = {}, r = {}", a, b);
    if (!first && !second && ends("# is what percent of #")) return fmt::format("percent: ({})/({})", a, b);
    if (!first && !second && ends("what percent of # is #")) return fmt::format("percent: ({})/({})", b, a);
    return std::nullopt;
  }

  // f(x) = ... with f(2) asked for.
  std::optional<std::string> FindFunction() {
    std::string definition;
    std::vector<std::string> others;
    for (const std::string& piece : math_) {
      std::string text = piece;
      std::erase(text, ' ');
      std::size_t at = 0;
      for (; at + 5 < text.size(); ++at) {
        const bool alone = at == 0 || !IsLetter(text[at - 1]);
        if (alone && IsLetter(text[at]) && text[at + 1] == '(' && IsLetter(text[at + 2]) && text[at + 3] == ')' &&
            text[at + 4] == '=') {
          break;
        }
      }
      if (at + 5 >= text.size() || !definition.empty()) {
        others.push_back(text);
        continue;
      }
      definition = text.substr(at);
      if (at > 0) others.push_back(text.substr(0, at));
    }
    if (definition.empty()) return std::nullopt;
    const std::string name = definition.substr(0, 1);
    const std::string letter = definition.substr(2, 1);
    std::string body = definition.substr(5);
    std::set<std::string> asked;
    const auto ask = [&](std::string text) {
      while (!text.empty() && (text.back() == ',' || text.back() == '.')) text.pop_back();
      if (!text.starts_with(name + "(") || text.back() != ')') return false;
      asked.insert(text.substr(2, text.size() - 3));
      return true;
    };
    for (const std::string& text : others) {
      // "solve g(m) = 2"
      const std::string again = name + "(" + letter + ")=";
      if (text.starts_with(again) && SaysAny("solve", "solving"))
        return Equation(letter, body + " = " + text.substr(again.size()));
      if (text == letter || text == letter + ":") continue;
      if (!ask(text)) return std::nullopt;
    }
    if (const std::vector<std::string> parts = book::SplitAt(body, ","); parts.size() == 2) {
      body = parts[0];
      if (!parts[1].empty() && !ask(parts[1])) return std::nullopt;
    }
    if (asked.size() != 1 || *asked.begin() == letter ||
        !SaysAny("evaluate", "evaluating", "find", "what", "value", "given", "for")) {
      throw book::Refusal{"of a function, only its value at one number is worked out here"};
    }
    if (Says("round") && body.find('e') != std::string::npos)
      throw book::Refusal{"values are given exactly here, and not rounded"};
    return fmt::format("evaluate: {}; {} = {}", body, letter, *asked.begin());
  }

  // The letter after "for": "solve A = bh for h", "expression for y", "for t: d = rt".
  std::optional<std::string> LetterAfter(std::string_view word) const {
    for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
      if (!pieces_[i].is_word || pieces_[i].text != word || pieces_[i + 1].is_word) continue;
      const std::string& text = pieces_[i + 1].text;
      if (IsLetter(text[0]) && (text.size() == 1 || text[1] == '.' || text[1] == ':' || text[1] == ','))
        return text.substr(0, 1);
    }
    return std::nullopt;
  }
  std::optional<std::string> LetterAfterFor() const {
    const std::optional<std::string> letter = LetterAfter("for");
    return letter ? letter : LetterAfter("nach");
  }

  static bool IsSetting(const std::string& relation, std::string& letter, std::string& value) {
    const std::size_t sign = relation.find('=');
    if (sign == std::string::npos || relation.find_first_of("<>") != std::string::npos) return false;
    letter = relation.substr(0, sign);
    std::erase(letter, ' ');
    value = relation.substr(sign + 1);
    if (letter.size() != 1 || !IsLetter(letter[0])) return false;
    try {
      return book::LettersOf(book::ReadTree(value)).empty();
    } catch (const book::Refusal&) {
      return false;
    }
  }

  std::string FindRelation(std::vector<std::string> relations, std::vector<std::string> terms) {
    std::optional<std::string> wanted = LetterAfterFor();
    // Letters that only name what is asked for.
    std::erase_if(terms, [&](const std::string& term) {
      return term.size() == 1 || (wanted && term.starts_with(*wanted) && term.size() == 2);
    });
    for (std::string& relation : relations) {
      // "for t: d = rt", "in terms of x. 2x = 5 - 3y"
      if (relation.size() > 2 && IsLetter(relation[0]) && (relation[1] == ':' || relation[1] == '.')) {
        relation = relation.substr(2);
      }
    }
    if (!wanted) wanted = LetterAfter("find");
    const bool inequality = std::any_of(relations.begin(), relations.end(), [](const std::string& relation) {
      return relation.find_first_of("<>") != std::string::npos;
    });
    if (inequality) {
      if (!terms.empty()) throw book::Refusal{"there is more than an inequality in this"};
      return FindInequality(relations);
    }
    // Values, and what they are put into.
    std::vector<std::pair<std::string, std::string>> settings;
    std::vector<std::string> equations;
    for (const std::string& relation : relations) {
      std::string letter;
      std::string value;
      if (IsSetting(relation, letter, value)) {
        settings.emplace_back(letter, value);
      } else {
        equations.push_back(relation);
      }
    }
    if (terms.size() == 1 && equations.empty() && !settings.empty()) {
      std::string values;
      for (const auto& [letter, value] : settings) values += (values.empty() ? "" : ", ") + letter + " = " + value;
      return "evaluate: " + terms[0] + "; " + values;
    }
    if (!terms.empty()) throw book::Refusal{"it is not clear what is asked for; write the equation alone"};
    if (SaysAny("sum", "product", "difference", "number") && SaysAny("solutions", "roots", "zeros")) {
      throw book::Refusal{"only the solutions themselves are found here"};
    }
    if (SaysAny("exponential") && !SaysAny("solve", "solving") && relations.size() == 1 &&
        relations[0].find("log") + relations[0].find("ln") != 2 * std::string::npos) {
      return "exponential: " + relations[0];
    }
    if (Says("logarithmic") && !SaysAny("solve", "solving", "equations'") && relations.size() == 1 &&
        relations[0].find('^') != std::string::npos) {
      return "logarithmic: " + relations[0];
    }
    if (equations.empty()) {
      if (settings.size() == 1) return Equation(settings[0].first, relations[0]);
      throw book::Refusal{"all letters have their values already"};
    }
    std::set<std::string> letters;
    std::vector<book::Relation> read;
    for (const std::string& equation : equations) {
      book::Relation relation = book::ReadRelation(equation);
      book::CollectLetters(relation.left, letters);
      book::CollectLetters(relation.right, letters);
      for (const book::Ptr& side : {relation.left, relation.right}) {
        std::set<std::string> constants;
        book::CollectLetters(side, constants, true);
        if (constants.contains("i")) letters.insert("i");
      }
      read.push_back(std::move(relation));
    }
    const bool system_of_settings = equations.size() + settings.size() == letters.size() && letters.size() > 1 &&
                                    (SaysAny("system", "systems") || !has_words_);
    if (equations.size() == 1 && !settings.empty() && !system_of_settings) {
      // A formula with values for all letters but one.
      for (const auto& [letter, value] : settings) {
        const book::Ptr number = book::ReadTree(value);
        read[0].left = book::Substitute(read[0].left, letter, number);
        read[0].right = book::Substitute(read[0].right, letter, number);
        letters.erase(letter);
      }
      if (letters.size() != 1) throw book::Refusal{"values are missing for some letters"};
      if (wanted && *letters.begin() != *wanted) throw book::Refusal{"the letter that is asked for has a value already"};
      return Equation(*letters.begin(), book::TextOf(read[0]));
    }
    for (const auto& [letter, value] : settings) {
      equations.push_back(letter + " = " + value);
      letters.insert(letter);
    }
    if (equations.size() == 1) {
      if (letters.size() == 1) return Equation(*letters.begin(), equations[0]);
      if (letters.empty()) throw book::Refusal{"there is no letter in this equation"};
      if (!wanted) {
        throw book::Refusal{"there is more than one letter in this; say which one to solve for, as in 'for h'"};
      }
      if (!letters.contains(*wanted)) throw book::Refusal{"the letter to solve for does not stand in the equation"};
      return "solve " + *wanted + ": " + equations[0];
    }
    if (letters.size() == 1) throw book::Refusal{"there are several equations in one letter; write one at a time"};
    std::string names;
    for (const std::string& letter : letters) names += (names.empty() ? "" : ", ") + letter;
    std::string text;
    for (const std::string& equation : equations) text += (text.empty() ? "" : "; ") + equation;
    return "solve " + names + ": " + text;
  }

  // What the domain solves without a task, and else with one.
  std::string Equation(const std::string& letter, const std::string& equation) const {
    if (!domain_.Parse(equation).error) return equation;
    return "solve " + letter + ": " + equation;
  }

  std::string FindInequality(const std::vector<std::string>& relations) {
    std::set<std::string> letters;
    std::string text;
    for (const std::string& relation : relations) {
      std::string rest = relation;
      for (char& c : rest) {
        if (c == '<' || c == '>' || c == '=') c = ',';
      }
      for (const std::string& side : book::SplitAt(rest, ",")) {
        if (!side.empty()) book::CollectLetters(book::ReadTree(side), letters);
      }
      const bool alternatives = Says("or") && !Says("and");
      text += (text.empty() ? "" : alternatives ? " or " : " and ") + relation;
    }
    if (letters.size() != 1) throw book::Refusal{"inequalities are solved in one letter"};
    if (Says("and") && Says("or") && relations.size() > 1) throw book::Refusal{"it is not clear what holds together in this"};
    return "solve " + *letters.begin() + ": " + text;
  }

  std::string FindExpression(const std::string& term) {
    const book::Ptr tree = book::ReadTree(term);
    if (letters_are_real_ && book::HasLetter(book::Normal(tree), "i")) throw book::Refusal{std::string(kNotReal)};
    const bool has_log = book::Has(tree, book::Op::kLog);
    const bool has_root = book::Has(tree, book::Op::kRoot);
    const std::set<std::string> letters = book::LettersOf(tree);
    if (SaysAny("conjugate", "conjugates") && !SaysAny("multiply", "product", "using", "pattern")) return "conjugate: " + term;
    if (has_log) {
      const bool is_sum = tree->Is(book::Op::kSum);
      if (SaysAny("expand", "sum", "difference")) return "spread: " + term;
      if (SaysAny("condense", "single") || is_sum) return "condense: " + term;
      return (!has_words_ && tree->Is(book::Op::kLog) && !letters.empty() ? "spread: " : "simplify: ") + term;
    }
    if (SaysAny("completing", "complete") && Says("square")) return "square: " + term;
    if (SaysAny("exponent", "power", "exponents") && SaysAny("write", "wrtie", "express", "convert", "rewrite") && has_root &&
        !Says("laws")) {
      return "exponent: " + term;
    }
    if (Says("radical") && !has_root) return "radical: " + term;
    if (letters.empty()) {
      // Sums of numbers are worked out by the domain itself, as far as it reads them.
      if (!domain_.Parse(term).error) return term;
      return "simplify: " + term;
    }
    if (SaysAny("factor", "factoring", "factored", "factorise", "factorize", "faktorisiere") ||
        (Says("greatest") && Says("common"))) {
      const bool common = Says("greatest") && Says("common");
      return (common ? "common: " : "factor: ") + term;
    }
    const bool quotient = tree->Is(book::Op::kQuotient) && book::LettersOf(tree->args[0]).size() > 0;
    if (quotient && SaysAny("divide", "dividing", "division", "synthetic", "quotient") &&
        !book::Has(tree->args[0], book::Op::kQuotient) && !book::Has(tree->args[1], book::Op::kQuotient) && !has_root) {
      return "divide: " + term;
    }
    if (has_words_ || has_root) return "simplify: " + term;
    // Without words: what is not simple is simplified, what is is factored.
    const book::Ptr normal = book::Normal(tree);
    if (book::TextOf(normal) != book::TextOf(tree)) {
      // Terms in another order only.
      if (!tree->Is(book::Op::kSum) || tree->args.size() != normal->args.size()) return "simplify: " + term;
    }
    return "factor: " + term;
  }

  const Domain& domain_;
  std::string_view text_;
  std::vector<TextPiece> pieces_;
  std::set<std::string> words_;
  std::vector<std::string> math_;
  bool has_words_ = false;
  bool names_task_ = false;        // as states do
  bool letters_are_real_ = false;  // it asks for real numbers
  std::string intercept_;          // the letter of the axis, if one is asked for
};

}  // namespace

NotationResult ReadTextbookNotation(const Domain& domain, std::string_view text) {
  // Bounds the nesting, too.
  constexpr std::size_t kMaxBytes = 2'000;
  if (text.size() > kMaxBytes) return Unreadable(kMaxBytes, "this is too long for an exercise");
  std::ptrdiff_t open_braces = 0;
  for (const char c : text) {
    open_braces += (c == '{' ? 1 : 0) - (c == '}' ? 1 : 0);
    if (open_braces < 0) break;
  }
  if (open_braces != 0) return Unreadable(0, "a brace has no other that belongs to it");
  NotationResult result = ExerciseReader(domain, text).Read();
  if (result.error || !book::IsExercise(result.state)) return result;
  // What is written has to be read as the same state.
  const NotationResult again = ExerciseReader(domain, result.state).Read();
  if (again.error || again.state != result.state) return Unreadable(0, "it is not clear what is meant by this");
  return result;
}

std::string WriteTextbookReading(std::string_view state) {
  return std::string(state.substr(0, state.find(": ") + 2)) + WriteTextbookPlain(state);
}

std::string WriteTextbookPlain(std::string_view state) {
  const std::string_view body = state.substr(std::min(state.find(": ") + 2, state.size()));
  constexpr std::array kSigns{SignSpelling{"sqrt(", "√("}, SignSpelling{"cbrt(", "∛("}, SignSpelling{" * ", " · "},
                              SignSpelling{" >= ", " ≥ "}, SignSpelling{" <= ", " ≤ "}, SignSpelling{" != ", " ≠ "}};
  std::string out;
  std::vector<bool> bars;  // of open brackets, which are of an absolute value
  for (std::size_t at = 0; at < body.size();) {
    if (body.substr(at).starts_with("abs(")) {
      out += '|';
      bars.push_back(true);
      at += 4;
      continue;
    }
    const auto* const sign = std::find_if(kSigns.begin(), kSigns.end(),
                                          [&](const SignSpelling& known) { return body.substr(at).starts_with(known.from); });
    if (sign != kSigns.end()) {
      if (sign->from.back() == '(') bars.push_back(false);
      out += sign->to;
      at += sign->from.size();
      continue;
    }
    const char c = body[at++];
    if (c == '(') bars.push_back(false);
    if (c == ')' && !bars.empty()) {
      out += bars.back() ? '|' : ')';
      bars.pop_back();
      continue;
    }
    out += c;
  }
  // A root of one number needs no brackets: √5.
  std::string result;
  for (std::size_t at = 0; at < out.size();) {
    const std::string_view root = "√(";
    if (std::string_view(out).substr(at).starts_with(root)) {
      std::size_t end = at + root.size();
      while (end < out.size() && IsDigit(out[end])) ++end;
      if (end > at + root.size() && end < out.size() && out[end] == ')') {
        result += "√" + out.substr(at + root.size(), end - at - root.size());
        at = end + 1;
        continue;
      }
    }
    result += out[at++];
  }
  return result;
}

namespace {

// Draws what the canonical text of an exercise says, with the same brackets.
class ExerciseDrawer {
 public:
  Formula Draw(std::string_view body) {
    const std::size_t clause = body.find("; check ");
    if (clause == std::string_view::npos) {
      Alternatives(body);
      return formula_.Take();
    }
    formula_.Open(Part::kConditions);
    Alternatives(body.substr(0, clause));
    formula_.Open(Part::kCheck);
    Alternatives(body.substr(clause + std::string_view("; check ").size()));
    formula_.Close();
    formula_.Close();
    return formula_.Take();
  }

 private:
  using Part = FormulaNode::Kind;
  using Op = book::Op;

  template <class Each>
  void Joined(const std::vector<std::string>& parts, Part kind, std::string text, const Each& each) {
    if (parts.size() > 1) formula_.Open(kind, std::move(text));
    for (const std::string& part : parts) each(part);
    if (parts.size() > 1) formula_.Close();
  }

  void Alternatives(std::string_view body) {
    Joined(book::SplitAt(body, " or "), Part::kAlternatives, "", [this](const std::string& alternative) {
      const std::vector<std::string> parts = book::SplitAt(alternative, "; ");
      // An expression with values for its letters, or a system.
      const bool values = parts[0].find(" = ") == std::string::npos;
      Joined(parts, values ? Part::kConditions : Part::kSeries, values ? "" : ";", [this](const std::string& part) {
        Joined(book::SplitAt(part, " and "), Part::kAlternatives, "and", [this](const std::string& line) {
          Joined(book::SplitAt(line, ", "), Part::kSeries, ",", [this](const std::string& item) { Relation(item); });
        });
      });
    });
  }

  void Relation(const std::string& text) {
    std::vector<std::string> sides;
    std::string signs;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto* const sign = std::find_if(kRelationSigns.begin(), kRelationSigns.end(), [&](const RelationSign& known) {
        return std::string_view(text).substr(at).starts_with(fmt::format(" {} ", known.plain));
      });
      if (sign == kRelationSigns.end()) continue;
      sides.push_back(text.substr(begin, at - begin));
      signs += sign->code;
      at += sign->plain.size() + 1;
      begin = at + 1;
    }
    sides.push_back(text.substr(begin));
    if (signs == "=") {
      formula_.Open(Part::kEquation);
    } else if (!signs.empty()) {
      formula_.Open(Part::kRelation, signs);
    }
    for (const std::string& side : sides) SideOf(side);
    if (!signs.empty()) formula_.Close();
  }

  void SideOf(const std::string& text) {
    if (text == "no solution" || text == "every number" || text == kNotReal) return formula_.Leaf(Part::kWords, text);
    if (text.ends_with('%') && text.find_first_not_of("0123456789.%") == std::string::npos) {
      return formula_.Leaf(Part::kNumber, text);
    }
    try {
      Sum(book::ReadTree(text));
    } catch (const book::Refusal&) {
      formula_.Leaf(Part::kText, text);
    }
  }

  void Sum(const book::Ptr& tree) {
    if (!tree->Is(Op::kSum)) return Term(tree);
    formula_.Open(Part::kSum);
    for (const book::Ptr& term : tree->args) Term(term);
    formula_.Close();
  }
  void Term(const book::Ptr& tree) {
    const bool negative = tree->Is(Op::kNegation);
    if (negative) formula_.Open(Part::kNegation);
    const book::Ptr& inside = negative ? tree->args[0] : tree;
    Bracketed(inside, inside->Is(Op::kSum) || inside->Is(Op::kNegation));
    if (negative) formula_.Close();
  }
  void Bracketed(const book::Ptr& tree, bool brackets) {
    if (!brackets) return Plain(tree);
    formula_.Open(Part::kBrackets);
    Sum(tree);
    formula_.Close();
  }
  void Function(Part kind, std::string text, std::initializer_list<book::Ptr> parts) {
    formula_.Open(kind, std::move(text));
    for (const book::Ptr& part : parts) Sum(part);
    formula_.Close();
  }

  void Plain(const book::Ptr& tree) {
    const std::vector<book::Ptr>& args = tree->args;
    switch (tree->op) {
      case Op::kNumber:
        return formula_.Leaf(Part::kNumber, book::TextOf(tree));
      case Op::kLetter:
        return formula_.Leaf(Part::kUnknown, tree->name);
      case Op::kNegation:
      case Op::kSum:
        return Sum(tree);
      case Op::kProduct: {
        std::string signs;
        for (std::size_t i = 1; i < args.size(); ++i) signs += book::NeedSign(args[i - 1], args[i]) ? '*' : ' ';
        formula_.Open(Part::kProduct, signs);
        for (const book::Ptr& factor : args) Bracketed(factor, factor->Is(Op::kSum) || factor->Is(Op::kNegation));
        return formula_.Close();
      }
      case Op::kQuotient:
        return Function(Part::kFraction, "", {args[0], args[1]});
      case Op::kPower: {
        const bool plain = args[0]->Is(Op::kNumber) || args[0]->Is(Op::kLetter) || args[0]->Is(Op::kAbs);
        formula_.Open(Part::kPower);
        Bracketed(args[0], !plain);
        Sum(args[1]);
        return formula_.Close();
      }
      case Op::kRoot:
        return Function(Part::kRoot, book::TextOf(args[1]), {args[0]});
      case Op::kAbs:
        return Function(Part::kAbsolute, "", {args[0]});
      case Op::kLog:
        if (args[1]->Is(Op::kLetter) && args[1]->name == "e") return Function(Part::kLogarithm, "ln", {args[0]});
        if (args[1]->IsNumber(10)) return Function(Part::kLogarithm, "log", {args[0]});
        return Function(Part::kLogarithm, "log", {args[1], args[0]});
    }
  }

  FormulaBuilder formula_;
};

}  // namespace

Formula DrawExercise(std::string_view state) {
  return ExerciseDrawer().Draw(state.substr(std::min(state.find(": ") + 2, state.size())));
}

}  // namespace conpole
