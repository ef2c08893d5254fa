#include "notation/textbook_notation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <map>
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
namespace mp = boost::multiprecision;

struct SignSpelling {
  std::string_view from;
  std::string_view to;
};
// Commands of LaTeX by their names; all others are not known.
constexpr std::array kSignCommands{SignSpelling{"left", ""},
                                   SignSpelling{"right", ""},
                                   SignSpelling{"bigl", ""},
                                   SignSpelling{"bigr", ""},
                                   SignSpelling{"big", ""},
                                   SignSpelling{"Big", ""},
                                   SignSpelling{"le", "<="},
                                   SignSpelling{"leq", "<="},
                                   SignSpelling{"leqslant", "<="},
                                   SignSpelling{"ge", ">="},
                                   SignSpelling{"geq", ">="},
                                   SignSpelling{"geqslant", ">="},
                                   SignSpelling{"ne", "!="},
                                   SignSpelling{"neq", "!="},
                                   SignSpelling{"lt", "<"},
                                   SignSpelling{"gt", ">"},
                                   SignSpelling{"times", "*"},
                                   SignSpelling{"cdot", "*"},
                                   SignSpelling{"div", "/"},
                                   SignSpelling{"pi", " pi "},
                                   SignSpelling{"ln", "ln"},
                                   SignSpelling{"log", "log"},
                                   SignSpelling{"operatorname", ""},
                                   SignSpelling{"text", " "},
                                   SignSpelling{"mathrm", ""},
                                   SignSpelling{"mathbf", ""},
                                   SignSpelling{"lvert", "|"},
                                   SignSpelling{"rvert", "|"},
                                   SignSpelling{"vert", "|"},
                                   SignSpelling{"mid", "|"},
                                   SignSpelling{"approx", " approx "},
                                   SignSpelling{"infty", " infinity "},
                                   SignSpelling{"quad", " "},
                                   SignSpelling{"qquad", " "},
                                   SignSpelling{"displaystyle", ""},
                                   SignSpelling{"circ", "@"}};
constexpr std::array kSpellings{
    SignSpelling{"\\$", " "}, SignSpelling{"\\%", "%"},    SignSpelling{"\\!", ""},     SignSpelling{"\\,", " "},
    SignSpelling{"\\;", " "}, SignSpelling{"−", "-"},      SignSpelling{"–", "-"},      SignSpelling{"×", "*"},
    SignSpelling{"·", "*"},   SignSpelling{"⋅", "*"},      SignSpelling{"÷", "/"},      SignSpelling{"≤", "<="},
    SignSpelling{"≥", ">="},  SignSpelling{"≠", "!="},     SignSpelling{"π", " pi "},   SignSpelling{"²", "^2"},
    SignSpelling{"³", "^3"},  SignSpelling{"⁴", "^4"},     SignSpelling{"∛", "cbrt"},   SignSpelling{"√", "sqrt"},
    SignSpelling{"’", "'"},   SignSpelling{"“", "\""},     SignSpelling{"”", "\""},     SignSpelling{"U.S.", " customary "},
    SignSpelling{"∘", "@"},   SignSpelling{"\u200b", " "}, SignSpelling{"\u00a0", " "}, SignSpelling{"=<", "<="},
    SignSpelling{"=>", ">="}, SignSpelling{"½", "(1/2)"},  SignSpelling{"¼", "(1/4)"}};

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
    // The lines of a system, and what stands around them.
    if (Eat("\\begin")) {
      const std::string name = Group();
      if (name.starts_with("array")) Group();
      const bool lines = name == "cases" || name == "array" || name == "aligned" || name == "align" || name == "gathered";
      out_ += lines ? " " : "#";
      return;
    }
    if (Eat("\\end")) {
      Group();
      return;
    }
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
    if (Eat("**") || Eat("^")) {
      std::size_t next = at_;
      while (next < text_.size() && text_[next] == ' ') ++next;
      const bool group =
          next < text_.size() && text_[next] != '(' && text_[next] != '-' && !IsDigit(text_[next]) && !IsLetter(text_[next]);
      out_ += group ? "^(" + Group() + ")" : "^";
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
    if (Command()) return;
    for (const SignSpelling& spelling : kSpellings) {
      if (!Eat(spelling.from)) continue;
      if (spelling.to == "/") return Divide();
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
    if (c == '{' || c == '}' || c == '$' || c == '&') {
      // What stood between two numbers does not make them one.
      const bool power = at_ < text_.size() && text_[at_] == '^';
      if (!out_.empty() && IsDigit(out_.back()) && !power) out_ += ' ';
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
    // 23,658 is one number, and so is 8,750,000.
    if (c == ',' && !out_.empty() && IsDigit(out_.back()) && IsThousands()) {
      thousands_ = out_.size();
      return;
    }
    out_ += c;
  }
  // The longest command that this begins with: \cdotx is \cdot x.
  bool Command() {
    if (text_[at_] != '\\') return false;
    const SignSpelling* longest = nullptr;
    for (const SignSpelling& command : kSignCommands) {
      const bool here = text_.substr(at_ + 1).starts_with(command.from);
      if (here && (longest == nullptr || command.from.size() > longest->from.size())) longest = &command;
    }
    if (longest == nullptr) return false;
    at_ += 1 + longest->from.size();
    if (longest->to == "/") {
      Divide();
      return true;
    }
    out_ += longest->to;
    // A brace on one side only has a point on the other.
    if ((longest->from == "left" || longest->from == "right") && at_ < text_.size() && text_[at_] == '.') ++at_;
    return true;
  }
  // 56x^7 ÷ 8x^3 divides by all of 8x^3, unlike 56x^7/8 x^3.
  void Divide() {
    out_ += '/';
    SkipBlanks();
    const std::size_t begin = out_.size();
    bool letters = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool point = c == '.' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1]);
      const bool sign = c == '-' && out_.back() == '^';
      if (!IsDigit(c) && !IsLetter(c) && c != '^' && c != '{' && !point && !sign) break;
      letters = letters || IsLetter(c);
      if (c == '{') {
        out_ += Group();
      } else {
        Step();
      }
    }
    const char after = at_ < text_.size() ? text_[at_] : ' ';
    if (!letters || after == '(' || after == '_') return;
    out_.insert(begin, "(");
    out_ += ')';
  }
  bool IsThousands() const {
    std::size_t before = 0;
    while (before < out_.size() - thousands_ && IsDigit(out_[out_.size() - 1 - before])) ++before;
    if (thousands_ > 0 && before == out_.size() - thousands_ && before != 3) return false;
    std::size_t after = 0;
    while (at_ + after < text_.size() && IsDigit(text_[at_ + after])) ++after;
    const bool in_bracket =
        out_.size() > before && (out_[out_.size() - 1 - before] == '(' || out_[out_.size() - 1 - before] == '-');
    return before <= 3 && after == 3 && !in_bracket;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t thousands_ = 0;  // where the last comma of thousands stood
  std::string out_;
};

// Words that stand around exercises. What has others is a problem in words.
constexpr std::string_view kExerciseWords =
    "a about above absolute ac accordingly add addieren adding addition additions additive again algebra algebraic "
    "algebraically all already also always amount an analytically analyze and another answer answers any apply applying "
    "appropriate approximate approximately approximation are area arithmetic as ascending associative assume assuming at base "
    "bases basic be begin below berechne best bestimme between binomial binomials both bottom bracket brackets bring by "
    "calculate calculated calculating calculation calculator can cancel cannot case cells change changing check checking "
    "choice choose circle clear clearing coefficient coefficients collect collecting column combination combine combining "
    "common commutative compare complete completed completely completing complex complicated composite compound computation "
    "compute condense condensed condensing conjugate conjugates consider consists constant constants containing convert "
    "converting correct correctly corresponding create creating cross cube cubes cubic cubing curve customary decimal "
    "decimals decinal defined den denominator denominators denoted der descending described describes determine determined "
    "determining die difference differences different digit digits dimensional direction directions directly distance "
    "distribute distributing distributive divide divided dividend dividing division divisions divisor dne do does domain each "
    "earlier easier easily easy either eliminate eliminating elimination endpoint endpoints entire equality equation "
    "equation's equations equations' equivalent equivalently espression estimate estimating evaluate evaluated evaluating "
    "even every everything exact exactly example examples excluded exercise exercises exist exists expand expanded expanding "
    "exponent exponential exponentials exponents express expressed expressing expression expressions expressions' extraneous "
    "factor factorable factored factoring factorise factorised factorization factorize factors faktorisiere fill final find "
    "finding finish finite first five foil folloing following for form form's format formula four fraction fractional "
    "fractions from fully function functions further gcd gcf general get give given graph graph's graphed graphically "
    "graphing graphs greater greatest group grouping guess hand hard has have having here hint horizontal how hundred "
    "hundreds hundredth hundredths identify identifying identities identity if illustrate imaginary improper in include "
    "included includes including index indicated indices individual inequalities inequalities' inequality infinite infinitely "
    "infinity instead integer integers intercept intercepts interest intermediate intersection interval into invalid inverse "
    "invert invested involving irrational is isolate isolated isolating it its just keep known kürze larger largest last "
    "later law laws lcd lcm leading least leave left less let letter letters like line linear lines list listed literal log "
    "logarithm logarithm's logarithmic logarithms logorithms logs long lower lowest löse made main make makes making "
    "manipulate mathematical mathematically matrices matrix maximum maximumof may mean means mentally method methods midpoint "
    "might million millions minimum mixed monomial monomials much multiple multiples multiplication multiplications "
    "multiplicative multipliziere multiply multiplying must möglich nach named natural nearest necessary need needed needs "
    "negative negatives neither next no none nonlinear nonnegative nonreal nonzero nor not notation notations nth number "
    "numbers numerator numerators numeric numerical numerically obtain odd of on once one ones only operation operations "
    "opposite or order original other otherwise out pair pairs parabola parentheses parenthesis part partial particular parts "
    "pattern percent percentage percents perfect perform performing perhaps perimeter pi place places please points "
    "polynomial polynomials positive positives possible power powers practice present prime primes principal principle "
    "problem problems procedure process product products proper properties property proportion proportions provide provided "
    "provides pull quadratic quadratically quadratics quantity question questions quotient quotients radical radicals "
    "radicand raised rate rational rationalise rationalize rationalized rationalizing read real recall reciprocal recognise "
    "recognize recognizing rectangle reduce reduced reducing refer relation relationship remainder remaining remains remove "
    "removing repeated replace replacing represent representation represented representing represents require required "
    "requires result resulting results return reverse review rewrite rewriting rewritten right root roots round rounded "
    "rounding rule rules same scientific second section segment sei select separate separately separating set sets several "
    "should show shown shows side sides sign signed signs similar simple simpler simplest simplification simplified "
    "simplifies simplify simplifying simply simultaneous simultaneously since single six sketch skip slope smaller smallest "
    "so solution solutions solvable solve solved solves solving some sort special specified split splitting square squared "
    "squares standard start state stated statement states step steps still strategies strategy subsitution substitute "
    "substituting substitution subtract subtracting subtraction subtractions such sum sums suppose sure switch symbol symbols "
    "synthetic system systems take taken takes taking tell ten tens tenth tenths term terms test that the their them then "
    "there these they think this those thousand thousands thousandth thousandths three through throughout to together too top "
    "translate tree trial triangle trinomial trinomials true try trying turn two type types undefined undo unknown unknowns "
    "unlike until up upon upper us use used using usual utilize valid value values variable variable's variables various "
    "vereinfache verify vertex vertical via volume way ways we well what when where which whichever while whole whose will "
    "with within without words work worked working write writing written wrtie year years you your zero zeroes zeros zu zwei ";

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
        // Change-of-base is three words.
        const bool hyphen = text_[at] == '-' && math_.empty() && at > 0 && IsLetter(text_[at - 1]) && !pieces_.empty() &&
                            pieces_.back().is_word && IsLetter(text_[std::min(at + 1, text_.size() - 1)]) &&
                            WordLength(at + 1) > 1;
        if (!hyphen) math_ += text_[at];
        ++at;
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
    if (before == '"' && after == '"' && run.size() > 1) return true;
    if (run.size() == 1) {
      // "a" and "I" before a word.
      if ((run != "a" && run != "I" && run != "A") || IsSign(before) || IsSign(after)) return false;
      return IsLetter(next) && after == ' ' && WordLength(end) > 2;
    }
    if (IsFunctionName(run) && (next == '(' || next == '_' || IsDigit(after) || run == "pi")) return false;
    // "ln 7", "log x" and "ln e^2", but not "log rules".
    if ((run == "ln" || run == "log") && (IsDigit(next) || WordLength(end) == 1 || next == '|')) return false;
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
      if ((stop || text[i] == ':') && (i + 1 == text.size() || text[i + 1] == ' ')) return i + 1;
    }
    return text.size();
  };
  constexpr std::array<std::string_view, 18> kRemarks{"b<d if",         "in the form a",  "please enter",  "please input",
                                                      "please convert", "enter ",         "input ",        "for example",
                                                      "note",           "if there",       "eg.",           "pay attention",
                                                      "ensure",         "type ",          "if the result", "choose answers",
                                                      "write answers",  "do not simplify"};
  while (at < text.size()) {
    const bool fresh = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    const auto* const remark = fresh ? std::find_if(kRemarks.begin(), kRemarks.end(), starts) : kRemarks.end();
    if (remark != kRemarks.end()) {
      // Up to the end of the sentence, but what follows may be the exercise itself.
      const std::size_t end = sentence_end(at);
      if (end == text.size() && result.find_first_of("0123456789=") == std::string::npos) {
        // "enter No if there is none 64^2": what stands after the last word.
        std::size_t word = 0;
        for (std::size_t i = at; i < end; ++i) {
          word = IsLetter(text[i]) ? word + 1 : 0;
          if (word >= 4 || (word == 2 && text.compare(i - 1, 2, "No") == 0)) at = i + 1;
        }
        while (at < end && (IsLetter(text[at]) || text[at] == '"' || text[at] == '\'')) ++at;
        continue;
      }
      at = end;
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
      const bool initials =
          inside.size() > 2 && std::all_of(inside.begin() + 1, inside.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
      if ((longest > 4 || initials) && end < text.size()) {
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
    if (std::optional<std::string> found = FindUnits()) return *found;
    if (Says("scientific") && Says("notation") && math_.size() == 1) {
      if (std::optional<std::string> found = FindNumberTask()) return *found;
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
    if (std::optional<std::string> found = FindCommon()) return *found;
    if (std::optional<std::string> found = FindNumberTask()) return *found;
    if (!intercept_.empty() || Says("intercepts")) return FindIntercept();
    if (SaysAny("maximum", "minimum", "vertex")) return FindVertex();
    if (std::optional<std::string> found = FindOfPoints()) return *found;
    if (SaysAny("domain", "undefined")) return FindDomain();
    if (SaysAny("inverse", "reciprocal", "opposite")) throw book::Refusal{"this is found of a number only"};
    if (std::optional<std::string> found = FindFunction()) return *found;
    std::vector<std::string> relations;
    std::vector<std::string> terms;
    for (const std::string& piece : math_) (HasRelation(piece) ? relations : terms).push_back(piece);
    if (!relations.empty()) return FindRelation(std::move(relations), std::move(terms));
    if (std::optional<std::string> joined = JoinedByWords(terms)) return FindExpression(*joined);
    if (terms.size() > 1) std::erase_if(terms, [](const std::string& term) { return term.size() == 1 && IsLetter(term[0]); });
    if (terms.size() != 1) throw book::Refusal{"there is more than one expression in this; write one at a time"};
    if (const std::string unit = RoundingUnit(); !unit.empty() && book::LettersOf(book::ReadTree(terms[0])).empty()) {
      return "round " + unit + ": " + terms[0];
    }
    return FindExpression(terms[0]);
  }

  // "Subtract A from B", "the product of A and B": two expressions with what to do in words.
  std::optional<std::string> JoinedByWords(const std::vector<std::string>& terms) const {
    std::string order;  // words and expressions from the first to the last of them
    for (const TextPiece& piece : pieces_) order += piece.is_word ? piece.text + " " : "# ";
    const auto ends = [&](std::string_view end) { return order.ends_with(end); };
    if (terms.size() != 2 || terms[0].size() * terms[1].size() == 1) return std::nullopt;
    const auto join = [](const std::string& a, std::string_view sign, const std::string& b) {
      return fmt::format("({}) {} ({})", a, sign, b);
    };
    if (ends("subtract # from # ")) return join(terms[1], "-", terms[0]);
    if (ends("difference of # and # ")) return join(terms[0], "-", terms[1]);
    if (ends("sum of # and # ") || ends("add # and # ") || ends("add # to # ")) return join(terms[0], "+", terms[1]);
    if (ends("product of # and # ") || ends("multiply # by # ") || ends("multiply # and # "))
      return join(terms[0], "*", terms[1]);
    if (ends("quotient of # and # ") || ends("divide # by # ") || ends("# divided by # ")) return join(terms[0], "/", terms[1]);
    return std::nullopt;
  }

  // The unit of the place to which to round; empty if nothing is to be rounded.
  std::string RoundingUnit() const {
    if (!SaysAny("round", "rounded", "rounding")) return {};
    struct Place {
      std::string_view word;
      std::string_view unit;
    };
    constexpr Place kPlaces[] = {{"tenth", "0.1"},       {"hundredth", "0.01"},  {"thousandth", "0.001"}, {"hundred", "100"},
                                 {"thousand", "1000"},   {"million", "1000000"}, {"ten", "10"},           {"tenths", "0.1"},
                                 {"hundredths", "0.01"}, {"hundreds", "100"},    {"thousands", "1000"},   {"tens", "10"},
                                 {"ones", "1"},          {"integer", "1"},       {"whole", "1"}};
    constexpr Place kDecimals[] = {
        {"one", "0.1"}, {"two", "0.01"}, {"three", "0.001"}, {"four", "0.0001"}, {"five", "0.00001"}};
    if (SaysAny("places", "place") && SaysAny("decimal", "decinal", "decimals")) {
      for (const Place& place : kDecimals) {
        if (Says(place.word)) return std::string(place.unit);
      }
    }
    const auto thousands = SaysAny("thousand", "thousands");
    if (Says("ten") && thousands) return "10000";
    if (Says("hundred") && thousands) return "100000";
    std::string unit;
    for (const Place& place : kPlaces) {
      // "How to round whole numbers" names no place.
      if (!Says(place.word) || (place.unit == "1" && !unit.empty())) continue;
      if (!unit.empty() && unit != place.unit) throw book::Refusal{"it is not clear to which place to round"};
      unit = place.unit;
    }
    return unit;
  }

  // "66 inches ... convert her height into feet": one number with its unit, and another unit of the same kind. What happens
  // in the sentence does not matter then.
  std::optional<std::string> FindUnits() const {
    struct Unit {
      std::string_view names;
      char kind;  // length, mass, volume or time
      char system;
      std::string_view size;  // in the first unit of its kind and system
    };
    constexpr Unit kUnits[] = {{" inch inches ", 'l', 'u', "1"},
                               {" foot feet ", 'l', 'u', "12"},
                               {" yard yards ", 'l', 'u', "36"},
                               {" mile miles mi ", 'l', 'u', "63360"},
                               {" millimeter millimeters ", 'l', 'm', "1/1000"},
                               {" centimeter centimeters cm ", 'l', 'm', "1/100"},
                               {" meter meters ", 'l', 'm', "1"},
                               {" kilometer kilometers km ", 'l', 'm', "1000"},
                               {" ounce ounces ", 'm', 'u', "1"},
                               {" pound pounds ", 'm', 'u', "16"},
                               {" ton tons ", 'm', 'u', "32000"},
                               {" milligram milligrams mg ", 'm', 'm', "1/1000"},
                               {" gram grams ", 'm', 'm', "1"},
                               {" kilogram kilograms kg ", 'm', 'm', "1000"},
                               {" teaspoon teaspoons ", 'v', 'u', "1"},
                               {" tablespoon tablespoons ", 'v', 'u', "3"},
                               {" cup cups ", 'v', 'u', "48"},
                               {" pint pints ", 'v', 'u', "96"},
                               {" quart quarts ", 'v', 'u', "192"},
                               {" gallon gallons ", 'v', 'u', "768"},
                               {" milliliter milliliters ", 'v', 'm', "1/1000"},
                               {" liter liters ", 'v', 'm', "1"},
                               {" second seconds ", 't', 'u', "1"},
                               {" minute minutes ", 't', 'u', "60"},
                               {" hour hours ", 't', 'u', "3600"},
                               {" day days ", 't', 'u', "86400"},
                               {" week weeks ", 't', 'u', "604800"}};
    // Between the systems, as books round them: so many of the first unit of the one in the named unit of the other.
    struct Bridge {
      char kind;
      std::string_view to_metric;
      std::string_view to_customary;
    };
    constexpr Bridge kBridges[] = {
        {'l', "2.54/100", "3.28 * 12"}, {'m', "0.45 * 1000/16", "2.2 * 16/1000"}, {'v', "0.95/192", "1.06 * 192"}};
    if (!Says("convert") && !(Says("how") && Says("many"))) return std::nullopt;
    if (SaysAny("per", "each", "every", "if") || math_.size() != 1) return std::nullopt;
    if (math_[0].find_first_not_of("0123456789./() ") != std::string::npos) return std::nullopt;
    const Unit* from = nullptr;
    std::set<const Unit*> others;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (!pieces_[i].is_word) continue;
      const std::string word = " " + pieces_[i].text + " ";
      const Unit* const unit = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& known) {
        return known.names.find(word) != std::string_view::npos;
      });
      if (unit == std::end(kUnits)) continue;
      if (i > 0 && !pieces_[i - 1].is_word) {
        from = unit;
      } else {
        others.insert(unit);
      }
    }
    if (from == nullptr || others.size() != 1) return std::nullopt;
    const Unit& to = **others.begin();
    if (to.kind != from->kind || &to == from) return std::nullopt;
    const std::string unit = RoundingUnit();
    std::string value = fmt::format("({}) * ({})", math_[0], from->size);
    if (to.system != from->system) {
      const Bridge* const bridge =
          std::find_if(std::begin(kBridges), std::end(kBridges), [&](const Bridge& known) { return known.kind == to.kind; });
      if (unit.empty() || bridge == std::end(kBridges)) throw book::Refusal{"between these units, say how to round"};
      // A kilometer is 0.62 miles, and a mile 1.61 kilometers.
      const bool far = to.size == "63360" || to.size == "1000";
      if (to.kind == 'l' && far != (from->size == "63360" || from->size == "1000"))
        throw book::Refusal{"between these units, there is no common rule"};
      if (to.kind == 'l' && far) {
        value = fmt::format("({}) * {}", math_[0], from->system == 'm' ? "0.62" : "1.61");
        return fmt::format("round {}: {}", unit, value);
      }
      value += fmt::format(" * {}", from->system == 'm' ? bridge->to_customary : bridge->to_metric);
    }
    value += fmt::format("/({})", to.size);
    return (unit.empty() ? "simplify: " : "round " + unit + ": ") + value;
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

  // The one curve, as an equation of x and y: f(x) = ... is y = ...
  book::Relation Curve() const {
    std::string curve;
    for (const std::string& piece : math_) {
      if (!HasRelation(piece)) continue;
      if (!curve.empty()) throw book::Refusal{"this can be found of one curve at a time"};
      curve = piece;
    }
    if (curve.size() > 5 && IsLetter(curve[0]) && curve.compare(1, 3, "(x)") == 0) curve.replace(0, 4, "y");
    book::Relation relation = book::ReadRelation(curve);
    std::set<std::string> letters = book::LettersOf(relation.left);
    book::CollectLetters(relation.right, letters);
    letters.insert({"x", "y"});
    if (letters.size() != 2 || relation.sign != "=") throw book::Refusal{"the curve is to be given by an equation of x and y"};
    return relation;
  }

  // Where a curve meets an axis, the other coordinate is 0; where it meets any of them, one is.
  std::string FindIntercept() const {
    const char* const zero = intercept_ == "x" ? "y" : intercept_ == "y" ? "x" : "xy";
    return fmt::format("solve x, y: {}; {} = 0", book::TextOf(Curve()), zero);
  }

  // The vertex of y = ax^2 + bx + c is at x = -b/(2a).
  std::string FindVertex() const {
    const book::Relation curve = Curve();
    const auto c = book::CoefficientsOf(book::ValueOf(curve.right), "x");
    if (!curve.left->Is(book::Op::kLetter) || curve.left->name != "y" || !c || c->size() != 3 || HasLetter(curve.right, "y")) {
      throw book::Refusal{"the vertex is found of a parabola y = ax^2 + bx + c"};
    }
    return fmt::format("solve x, y: x = -({})/(2 * ({})); y = {}", book::TextOf(book::TreeOf((*c)[1])),
                       book::TextOf(book::TreeOf((*c)[2])), book::TextOf(curve.right));
  }

  // The distance, the midpoint or the slope between two points.
  std::optional<std::string> FindOfPoints() const {
    const bool distance = Says("distance");
    const bool midpoint = Says("midpoint");
    if (!distance && !midpoint && !Says("slope")) return std::nullopt;
    std::vector<std::string> numbers;
    for (const std::string& piece : math_) {
      for (const std::string& point : book::SplitAt(piece, " ")) {
        if (!point.starts_with('(') || !point.ends_with(')')) continue;
        const std::vector<std::string> parts = book::SplitAt(std::string_view(point).substr(1, point.size() - 2), ",");
        if (parts.size() == 2) numbers.insert(numbers.end(), parts.begin(), parts.end());
      }
    }
    constexpr std::size_t kTwoPoints = 4;
    if (!SaysAny("points", "endpoints") || numbers.size() != kTwoPoints) {
      throw book::Refusal{"this is found of two points (a, b)"};
    }
    const std::string across = fmt::format("({} - ({}))", numbers[2], numbers[0]);
    const std::string up = fmt::format("({} - ({}))", numbers[3], numbers[1]);
    if (distance) return fmt::format("simplify: sqrt({}^2 + {}^2)", across, up);
    if (!midpoint) return fmt::format("simplify: {}/{}", up, across);
    return fmt::format("solve x, y: x = ({} + ({}))/2; y = ({} + ({}))/2", numbers[0], numbers[2], numbers[1], numbers[3]);
  }

  // Greatest common factors and least common multiples of numbers and polynomials, and of the denominators of fractions.
  std::optional<std::string> FindCommon() const {
    const bool common = Says("common");
    const bool denominator = Says("lcd") || (SaysAny("least", "lowest", "smallest") && common && Says("denominator"));
    const bool factor = SaysAny("gcf", "gcd") || (common && SaysAny("greatest", "largest") && SaysAny("factor", "divisor"));
    const bool multiple = Says("lcm") || (SaysAny("least", "lowest", "smallest") && SaysAny("common", "multiple"));
    std::vector<std::string> parts;
    for (const std::string& piece : math_) {
      if (HasRelation(piece)) return std::nullopt;
      for (const std::string& part : book::SplitAt(piece, ",")) {
        if (!part.empty()) parts.push_back(part);
      }
    }
    if ((!denominator && !factor && !multiple) || parts.size() < 2) return std::nullopt;
    std::string text;
    for (const std::string& part : parts) {
      book::Ptr tree = book::ReadTree(part);
      if (denominator) {
        if (tree->Is(book::Op::kNegation)) tree = tree->args[0];
        if (!tree->Is(book::Op::kQuotient)) throw book::Refusal{"a common denominator is found of fractions"};
        tree = tree->args[1];
      }
      text += (text.empty() ? "" : ", ") + book::TextOf(tree);
    }
    return (factor && !denominator ? "gcf: " : "lcm: ") + text;
  }

  // Equations in one piece: by commas, semicolons, or only blanks.
  void SplitMath(std::string text) {
    for (const std::string_view end : {". ", "? "}) {
      for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end)) text[at] = ';';
    }
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
    // "using < or > -1 ___ 9"
    if (before.starts_with('>') || before.starts_with('<')) before = before.substr(1);
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
    const bool compares = SaysAny("compare", "greater", "larger", "smaller", "less");
    if (compares && math_.size() == 2 && is_number(math_[0]) && is_number(math_[1])) {
      return fmt::format("compare: {} ? {}", math_[0], math_[1]);
    }
    if (std::optional<std::string> place = FindPlaceValue()) return place;
    if (math_.size() != 1) return std::nullopt;
    if (Says("reciprocal") || (Says("multiplicative") && Says("inverse"))) return "simplify: 1/(" + math_[0] + ")";
    if (Says("opposite") || (Says("additive") && Says("inverse"))) return "simplify: -(" + math_[0] + ")";
    if (SaysAny("prime", "primes") || SaysAny("factor", "factorization")) return "primes: " + math_[0];
    const std::size_t power = math_[0].find("10^");
    const bool is_scientific = power != std::string::npos && math_[0].find("10^", power + 1) == std::string::npos;
    if (Says("scientific")) return (is_scientific || Says("standard") ? "standard: " : "scientific: ") + math_[0];
    if (Says("standard") && SaysAny("notation", "form") && power != std::string::npos) return "standard: " + math_[0];
    if (SaysAny("convert", "write", "express", "change", "rewrite")) {
      if (math_[0].find('%') != std::string::npos) return (Says("fraction") ? "fraction: " : "decimal: ") + math_[0];
      if (SaysAny("percent", "percentage")) return "percent: " + math_[0];
      if (Says("decimal") && (math_[0].find('.') == std::string::npos || power != std::string::npos)) {
        return "decimal: " + math_[0];
      }
      if (Says("fraction") && math_[0].find('.') != std::string::npos) return "fraction: " + math_[0];
    }
    return std::nullopt;
  }
  // "Find the place value of the digit 7 in 63,407,218."
  std::optional<std::string> FindPlaceValue() const {
    if (!Says("place") || !Says("value") || !SaysAny("digit", "digits") || math_.size() != 2) return std::nullopt;
    const bool first = math_[0].size() > math_[1].size();
    return fmt::format("place {}: {}", math_[first ? 1 : 0], math_[first ? 0 : 1]);
  }

  // "45% of 80", "81 is 75% of what number", "78 is what percent of 260", "what percent of 260 is 78".
  std::optional<std::string> FindPercent() {
    std::string sentence;
    for (const TextPiece& piece : pieces_) {
      if (piece.is_word && (piece.text == "translate" || piece.text == "solve" || piece.text == "and")) continue;
      if (piece.is_word && piece.text == "amount") {
        sentence += sentence.ends_with(" what") ? " number" : " amount";
        continue;
      }
      sentence += (sentence.empty() ? "" : " ") + (piece.is_word ? piece.text : "#");
    }
    if (math_.size() != 2) return std::nullopt;
    const auto ends = [&](std::initializer_list<std::string_view> ways) {
      return std::any_of(ways.begin(), ways.end(), [&](std::string_view way) { return sentence.ends_with(way); });
    };
    const bool first = math_[0].find('%') != std::string::npos;
    const bool second = math_[1].find('%') != std::string::npos;
    const std::string& a = math_[0];
    const std::string& b = math_[1];
    if (first && !second &&
        (ends({"what number is # of #", "what is # of #", "find # of #", "# of # is what number", "# of # is what"}) ||
         sentence == "# of #")) {
      return fmt::format("evaluate: pr; p = {}, r = {}", a, b);
    }
    if (!first && second && ends({"# is # of what number", "# is # of what"})) {
      return fmt::format("evaluate: r/p; p = {}, r = {}", b, a);
    }
    if (first && !second && ends({"# of what number is #", "# of what is #"})) {
      return fmt::format("evaluate: r/p; p = {}, r = {}", a, b);
    }
    if (!first && !second && ends({"# is what percent of #", "# is what percentage of #"})) {
      return fmt::format("percent: ({})/({})", a, b);
    }
    if (!first && !second && ends({"what percent of # is #", "what percentage of # is #"})) {
      return fmt::format("percent: ({})/({})", b, a);
    }
    return std::nullopt;
  }

  // Where an expression or function is defined: no even root of a negative number, no logarithm of none that is positive, no
  // zero below a line. "Undefined" asks for these zeros.
  std::string FindDomain() const {
    if (math_.size() != 1) throw book::Refusal{"a domain is found of one function at a time"};
    const std::size_t sign = math_[0].find('=');
    const book::Ptr tree = book::ReadTree(sign == std::string::npos ? math_[0] : math_[0].substr(sign + 1));
    std::set<std::string> letters;
    std::vector<std::string> conditions;
    bool plain = true;
    const auto collect = [&](const auto& self, const book::Ptr& part) -> void {
      for (const book::Ptr& arg : part->args) self(self, arg);
      const bool root = part->Is(book::Op::kRoot) && mp::numerator(part->args[1]->number) % 2 == 0;
      const bool quotient = part->Is(book::Op::kQuotient);
      const book::Ptr& inside = part->args.empty() ? part : part->args[quotient ? 1 : 0];
      if (book::LettersOf(inside).empty()) return;
      if (part->Is(book::Op::kPower) && !part->args[1]->Is(book::Op::kNumber)) plain = false;
      if (!root && !quotient && !part->Is(book::Op::kLog)) return;
      book::CollectLetters(inside, letters);
      std::string text = book::TextOf(inside);
      if (quotient && inside->Is(book::Op::kRoot)) text = book::TextOf(inside->args[0]);
      plain = plain && (!quotient || !book::Has(inside, book::Op::kRoot) || inside->Is(book::Op::kRoot));
      conditions.push_back(Says("undefined") ? text + " = 0"
                           : !quotient       ? text + (root ? " >= 0" : " > 0")
                                             : "(" + text + ")^2 > 0");
    };
    collect(collect, tree);
    const bool one = !Says("undefined") || conditions.size() == 1;
    if (!plain || !one || letters.size() != 1 || conditions.empty())
      throw book::Refusal{"the domain of this is not found here"};
    std::string all;
    for (const std::string& condition : conditions) all += (all.empty() ? "" : " and ") + condition;
    return Says("undefined") ? Equation(*letters.begin(), all) : "solve " + *letters.begin() + ": " + all;
  }

  struct Definition {
    std::string letter;
    std::string body;
  };
  using Definitions = std::map<std::string, Definition>;

  // The end of the bracket that opens at a place; the size of the text if it does not close.
  static std::size_t Closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
      if (text[at] == '(') ++depth;
      if (text[at] == ')' && --depth == 0) return at;
    }
    return text.size();
  }

  // With what functions are in place of their names: f(g(2)), (f + g)(x), f/g of the letter. Nothing if no name stands in it.
  static std::optional<std::string> Applied(std::string_view text, const Definitions& functions, std::string_view argument) {
    std::string out;
    bool found = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const std::string name(1, text[at]);
      const auto function = functions.find(name);
      const std::size_t open = at + 1;
      const bool has_argument = open < text.size() && text[open] == '(';
      if (function != functions.end() && (has_argument || !argument.empty())) {
        std::string inside(argument);
        if (has_argument && argument.empty()) {
          const std::size_t close = Closing(text, open);
          const std::string_view between = text.substr(open + 1, close - open - 1);
          inside = Applied(between, functions, {}).value_or(std::string(between));
          at = close;
        }
        const book::Ptr body = book::ReadTree(function->second.body);
        out += "(" + book::TextOf(book::Substitute(body, function->second.letter, book::ReadTree(inside))) + ")";
        constexpr std::size_t kMaxLength = 1'500;
        if (out.size() > kMaxLength) throw book::Refusal{"this becomes too long"};
        found = true;
        continue;
      }
      // (f + g)(x), where only names and signs stand in the bracket
      const std::size_t close = text[at] == '(' ? Closing(text, at) : text.size();
      if (argument.empty() && close + 1 < text.size() && text[close + 1] == '(') {
        const std::string_view names = text.substr(at + 1, close - at - 1);
        const std::size_t end = Closing(text, close + 1);
        std::string inside(text.substr(close + 2, end - close - 2));
        const bool only_names = std::all_of(names.begin(), names.end(), [&](char c) {
          return functions.contains(std::string(1, c)) || std::string_view("+-*/").find(c) != std::string_view::npos;
        });
        if (names.size() == 3 && names[1] == '@') {
          inside = fmt::format("{}({}({}))", names[0], names[2], inside);
          if (const auto applied = Applied(inside, functions, {})) out += "(" + *applied + ")";
          found = true;
          at = end;
          continue;
        }
        if (only_names) {
          if (const auto applied = Applied(names, functions, inside)) out += "(" + *applied + ")";
          found = true;
          at = end;
          continue;
        }
      }
      out += text[at];
    }
    return found ? std::optional(out) : std::nullopt;
  }

  // f(x) = ..., perhaps g(x) = ..., and what is asked of them: f(2), f(g(x)), (f + g)(3), f(x) = 5.
  std::optional<std::string> FindFunction() const {
    Definitions functions;
    std::vector<std::string> others;
    for (const std::string& piece : math_) {
      std::string text = piece;
      std::erase(text, ' ');
      std::size_t at = 0;
      const auto defines = [&] {
        return (at == 0 || !IsLetter(text[at - 1])) && IsLetter(text[at]) && text[at + 1] == '(' && IsLetter(text[at + 2]) &&
               text[at + 3] == ')' && text[at + 4] == '=';
      };
      while (at + 5 < text.size() && !defines()) ++at;
      const bool again = at + 5 < text.size() && functions.contains(text.substr(at, 1));
      if (at + 5 >= text.size() || again) {
        others.push_back(text);
        continue;
      }
      if (at > 0) others.push_back(text.substr(0, at));
      const std::vector<std::string> parts = book::SplitAt(std::string_view(text).substr(at + 5), ",");
      functions[text.substr(at, 1)] = {text.substr(at + 2, 1), parts[0]};
      for (std::size_t i = 1; i < parts.size(); ++i) others.push_back(parts[i]);
    }
    if (functions.empty()) return std::nullopt;
    const auto& [name, definition] = *functions.begin();
    std::set<std::string> asked;
    std::string value;  // of the letter
    for (std::string& text : others) {
      while (!text.empty() && std::string_view(",.:").find(text.back()) != std::string_view::npos) text.pop_back();
      // "solve g(m) = 2"
      const std::string again = name + "(" + definition.letter + ")=";
      if (text.starts_with(again) && SaysAny("solve", "solving") && functions.size() == 1) {
        return Equation(definition.letter, definition.body + " = " + text.substr(again.size()));
      }
      if (text.empty() || text == definition.letter) continue;
      std::string letter;
      if (IsSetting(text, letter, value) && letter == definition.letter) continue;
      asked.insert(text);
    }
    if (functions.size() == 1 && asked.empty() && value.empty() && SaysAny("zeros", "zeroes")) {
      // Others may want the complex ones, too.
      const book::Ptr body = book::ReadTree(definition.body);
      const auto roots = book::RootsOf(body, book::MakeNumber(0), definition.letter);
      const auto c = book::CoefficientsOf(book::ValueOf(body), definition.letter);
      if (!letters_are_real_ && (!roots || !c || roots->size() + 1 != c->size())) {
        throw book::Refusal{"only real zeros are found here"};
      }
      return Equation(definition.letter, definition.body + " = 0");
    }
    if (functions.size() == 1 && asked.empty() && !value.empty()) asked.insert(name + "(" + value + ")");
    const bool asks = SaysAny("evaluate", "evaluating", "find", "finding", "what", "value", "given", "for", "determine",
                              "calculate", "compute", "simplify", "perform");
    if (asked.size() != 1 || !asks) throw book::Refusal{"of functions, one value or one expression is worked out at a time"};
    const std::string& text = *asked.begin();
    const std::string unit = RoundingUnit();
    const bool plain = functions.size() == 1 && text.starts_with(name + "(") && Closing(text, 1) + 1 == text.size();
    const std::string inside = plain ? text.substr(2, text.size() - 3) : std::string();
    if (plain && unit.empty() && inside != definition.letter && !Applied(inside, functions, {})) {
      return fmt::format("evaluate: {}; {} = {}", definition.body, definition.letter, inside);
    }
    // "f/g when x = 2"
    std::optional<std::string> applied = Applied(text, functions, {});
    if (!applied) applied = Applied(text, functions, value.empty() ? definition.letter : value);
    if (!applied || HasRelation(*applied) || (plain && inside == definition.letter)) {
      throw book::Refusal{"of functions, one value or one expression is worked out at a time"};
    }
    if (!unit.empty() && book::LettersOf(book::ReadTree(*applied)).empty()) return "round " + unit + ": " + *applied;
    return "simplify: " + *applied;
  }

  // The letter that is asked for: after "for", or soon after "find", as in "find the principal, P".
  std::optional<std::string> LetterAskedFor() const {
    constexpr std::size_t kSoon = 3;
    const auto is_letter = [](const std::string& text) {
      return IsLetter(text[0]) && (text.size() == 1 || text[1] == '.' || text[1] == ':' || text[1] == ',');
    };
    std::optional<std::string> letter;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const std::string& word = pieces_[i].text;
      if (!pieces_[i].is_word || (word != "for" && word != "nach" && word != "find" && word != "isolate" && word != "is"))
        continue;
      const std::size_t last = std::min(pieces_.size(), i + 1 + (word == "find" || word == "isolate" ? kSoon : 1));
      for (std::size_t k = i + 1; k < last; ++k) {
        if (pieces_[k].is_word) continue;
        if (is_letter(pieces_[k].text)) letter = pieces_[k].text.substr(0, 1);
        break;
      }
    }
    return letter;
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
    const std::optional<std::string> wanted = LetterAskedFor();
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

  // Whether one of several inequalities holds: "or" stands between them, and not "and".
  bool Alternatives() const {
    std::size_t first = pieces_.size();
    std::set<std::string> between;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].is_word || !HasRelation(pieces_[i].text)) continue;
      for (std::size_t k = first; k < i; ++k) {
        if (pieces_[k].is_word) between.insert(pieces_[k].text);
      }
      first = std::min(first, i);
    }
    if (between.contains("or") && between.contains("and")) throw book::Refusal{"it is not clear what holds together in this"};
    return between.contains("or");
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
      if (!text.empty()) text += Alternatives() ? " or " : " and ";
      text += relation;
    }
    if (letters.size() != 1) throw book::Refusal{"inequalities are solved in one letter"};
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
    // Without words: what is not simple is simplified, what is is divided or factored.
    const book::Ptr normal = book::Normal(tree);
    if (book::TextOf(normal) != book::TextOf(tree)) {
      const bool other_order = tree->Is(book::Op::kSum) && normal->Is(book::Op::kSum) &&
                               tree->args.size() == normal->args.size() && !book::Has(tree, book::Op::kQuotient) &&
                               std::none_of(tree->args.begin(), tree->args.end(), [](const book::Ptr& part) {
                                 const book::Ptr& size = part->Is(book::Op::kNegation) ? part->args[0] : part;
                                 return book::Has(size, book::Op::kSum);
                               });
      if (!other_order) return "simplify: " + term;
    }
    return (quotient ? "divide: " : "factor: ") + term;
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
  for (std::size_t at = 0; at < text.size() && open_braces >= 0; ++at) {
    if (at > 0 && text[at - 1] == '\\') continue;  // a sign, and no group
    open_braces += (text[at] == '{' ? 1 : 0) - (text[at] == '}' ? 1 : 0);
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
