#include "notation/textbook_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook_tree.h"
#include "util/text.h"

namespace conpole {
namespace {

struct SignSpelling {
  std::string_view from;
  std::string_view to;
};
// Each by itself, of a table in which all that is written in one way stands together, with blanks between.
std::vector<SignSpelling> OneByOne(std::span<const SignSpelling> table) {
  std::vector<SignSpelling> all;
  for (const SignSpelling& row : table) {
    for (const std::string_view from : Split(row.from, " ")) all.push_back({from, row.to});
  }
  return all;
}
// Commands of LaTeX by their names; all others are not known.
constexpr std::array kSignCommands{
    SignSpelling{"left right bigl bigr biggl biggr big Big operatorname mathrm mathbf displaystyle", ""},
    SignSpelling{"le leq leqslant", "<="},
    SignSpelling{"ge geq geqslant", ">="},
    SignSpelling{"ne neq", "!="},
    SignSpelling{"lt", "<"},
    SignSpelling{"gt", ">"},
    SignSpelling{"times cdot", "*"},
    SignSpelling{"div", "/"},
    SignSpelling{"pi", " pi "},
    SignSpelling{"ln", "ln"},
    SignSpelling{"log", "log"},
    SignSpelling{"circ", "@"},
    SignSpelling{"text textbf textit quad qquad", " "},
    SignSpelling{"lvert rvert vert mid", "|"},
    SignSpelling{"approx", " approx "},
    SignSpelling{"infty", " infinity "}};
constexpr std::array kSpellings{SignSpelling{"\\$ \\, \\; \\( \\) \\[ \\] \u200b \u00a0", " "},
                                SignSpelling{"\\%", "%"},
                                SignSpelling{"\\!", ""},
                                SignSpelling{"− –", "-"},
                                SignSpelling{"× · ⋅ • ∙", "*"},
                                SignSpelling{"÷", "/"},
                                SignSpelling{"≤ =<", "<="},
                                SignSpelling{"≥ =>", ">="},
                                SignSpelling{"≠", "!="},
                                SignSpelling{"π", " pi "},
                                SignSpelling{"∛", "cbrt"},
                                SignSpelling{"√", "sqrt"},
                                SignSpelling{"’", "'"},
                                SignSpelling{"“ ”", "\""},
                                SignSpelling{"∘ °", "@"},
                                SignSpelling{"U.S.", " customary "}};
constexpr std::array kSuperscripts{SignSpelling{"⁰", "0"}, SignSpelling{"¹", "1"}, SignSpelling{"²", "2"},
                                   SignSpelling{"³", "3"}, SignSpelling{"⁴", "4"}, SignSpelling{"⁵", "5"},
                                   SignSpelling{"⁶", "6"}, SignSpelling{"⁷", "7"}, SignSpelling{"⁸", "8"},
                                   SignSpelling{"⁹", "9"}, SignSpelling{"⁻", "-"}};
constexpr std::array kFractionSigns{SignSpelling{"½", "1/2"}, SignSpelling{"⅓", "1/3"}, SignSpelling{"⅔", "2/3"},
                                    SignSpelling{"¼", "1/4"}, SignSpelling{"¾", "3/4"}, SignSpelling{"⅕", "1/5"},
                                    SignSpelling{"⅖", "2/5"}, SignSpelling{"⅗", "3/5"}, SignSpelling{"⅘", "4/5"},
                                    SignSpelling{"⅙", "1/6"}, SignSpelling{"⅚", "5/6"}, SignSpelling{"⅛", "1/8"},
                                    SignSpelling{"⅜", "3/8"}, SignSpelling{"⅝", "5/8"}, SignSpelling{"⅞", "7/8"}};

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
    if (Eat("\\dfrac") || Eat("\\cfrac") || Eat("\\tfrac") || Eat("\\frac")) {
      const std::string above = Group();
      const std::string below = Group();
      out_ += IsRestOfMixed(above, below) ? fmt::format(" {}/{}", above, below) : fmt::format("(({})/({}))", above, below);
      return;
    }
    // Text in a formula, and a function name with braces.
    for (const std::string_view words : {"\\textbf{", "\\textit{", "\\text{"}) {
      if (!text_.substr(at_).starts_with(words)) continue;
      at_ += words.size() - 1;
      out_ += " " + Group() + " ";
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
      // A function with its base and its argument: 2^\log_2 5.
      const std::string_view rest = text_.substr(std::min(next, text_.size()));
      if (rest.starts_with("\\log") || rest.starts_with("\\ln")) {
        at_ = next;
        out_ += "^(" + Logarithm() + ")";
        return;
      }
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
    if (Superscript() || FractionSign() || BracketOfBraces() || Command()) return;
    static const std::vector<SignSpelling> spellings = OneByOne(kSpellings);
    for (const SignSpelling& spelling : spellings) {
      if (!Eat(spelling.from)) continue;
      if (spelling.from == "\\$") after_dollars_ = true;
      if (spelling.to == "/") return Divide();
      out_ += spelling.to;
      if (spelling.to == "sqrt" || spelling.to == "cbrt") out_ += "(" + Radicand() + ")";
      return;
    }
    const char c = text_[at_++];
    if (!IsDigit(c) && c != ',' && c != '.' && c != ' ') after_dollars_ = c == '$';
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
    // $1, 669.68 has its thousands after a blank.
    if (c == ',' && after_dollars_ && !out_.empty() && IsDigit(out_.back()) && at_ + 3 < text_.size() && text_[at_] == ' ' &&
        IsDigit(text_[at_ + 1]) && IsDigit(text_[at_ + 2]) && IsDigit(text_[at_ + 3]) &&
        (at_ + 4 == text_.size() || !IsDigit(text_[at_ + 4]))) {
      ++at_;
      return;
    }
    // 6.02 x 10^23
    if (c == 'x' && text_.substr(at_).starts_with(" 10^") && out_.size() > 1 && out_.back() == ' ' &&
        IsDigit(out_[out_.size() - 2])) {
      out_ += '*';
      return;
    }
    // 23,658 is one number, and so is 8,750,000.
    if (c == ',' && !out_.empty() && IsDigit(out_.back()) && IsThousands()) {
      thousands_ = out_.size();
      return;
    }
    out_ += c;
  }
  // What stands in the bracket that opens here, with \left before it or not.
  std::optional<std::string> Bracket() {
    SkipBlanks();
    constexpr std::string_view kLeft = "\\left(";
    if (text_.substr(at_).starts_with(kLeft)) at_ += kLeft.size() - 1;
    if (at_ >= text_.size() || text_[at_] != '(') return std::nullopt;
    const std::size_t begin = at_ + 1;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '(') ++depth;
      if (text_[at_] == ')' && --depth == 0) break;
    }
    std::string_view inside = text_.substr(begin, at_ - begin);
    constexpr std::string_view kRight = "\\right";
    if (inside.ends_with(kRight)) inside.remove_suffix(kRight.size());
    at_ = std::min(at_ + 1, text_.size());
    return Plainer(inside).Take();
  }
  // The bracket after a sign of a root, or the next sign or number alone.
  std::string Radicand() {
    if (std::optional<std::string> inside = Bracket()) return *std::move(inside);
    std::string out;
    if (at_ < text_.size() && !IsDigit(text_[at_])) out += text_[at_++];
    while (at_ < text_.size() && IsDigit(text_[at_])) out += text_[at_++];
    return out;
  }
  // ¹⁰ and ⁻²; before the sign of a root it is the degree.
  bool Superscript() {
    std::string exponent;
    for (bool found = true; found;) {
      found = false;
      for (const SignSpelling& digit : kSuperscripts) {
        if (!Eat(digit.from)) continue;
        exponent += digit.to;
        found = true;
      }
    }
    if (exponent.empty()) return false;
    if (Eat("√")) {
      out_ += "root(" + exponent + ", " + Radicand() + ")";
      return true;
    }
    out_ += exponent.size() == 1 ? "^" + exponent : "^(" + exponent + ")";
    if (at_ < text_.size() && IsDigit(text_[at_])) out_ += '#';  // x²3 is a slip
    return true;
  }
  // ¾, and 2½ as a mixed number.
  bool FractionSign() {
    const auto* const sign = std::find_if(kFractionSigns.begin(), kFractionSigns.end(),
                                          [&](const SignSpelling& known) { return text_.substr(at_).starts_with(known.from); });
    if (sign == kFractionSigns.end()) return false;
    at_ += sign->from.size();
    std::size_t begin = out_.size();
    while (begin > 0 && IsDigit(out_[begin - 1])) --begin;
    const bool mixed = begin < out_.size() && (begin == 0 || (out_[begin - 1] != '.' && !IsLetter(out_[begin - 1])));
    if (mixed) {
      out_.insert(begin, "(");
      out_ += " ";
    } else {
      out_ += "(";
    }
    out_ += sign->to;
    out_ += ")";
    return true;
  }
  // \{x + 2\} and, where no LaTeX is written, {x + 2} are brackets unless they hold a list or equations.
  bool BracketOfBraces() {
    const bool escaped = text_.substr(at_).starts_with("\\{");
    const std::string_view rest = text_.substr(at_);
    if (!escaped && (!rest.starts_with('{') || text_.find('\\') != std::string_view::npos)) return false;
    int depth = 0;
    std::size_t end = 0;
    for (; end < rest.size(); ++end) {
      if (rest[end] == '{') ++depth;
      if (rest[end] == '}' && --depth == 0) break;
    }
    if (end == rest.size()) return false;
    const std::string_view inside = rest.substr(escaped ? 2 : 1, end - (escaped ? (rest[end - 1] == '\\' ? 3 : 2) : 1));
    if (inside.find_first_of(",;=<>&\n") != std::string_view::npos || inside.find_first_of("+-") == std::string_view::npos) {
      return false;
    }
    std::string text = Plainer(inside).Take();
    if (text.ends_with("\\")) text.pop_back();
    at_ += end + 1;
    out_ += "(" + text + ")";
    return true;
  }
  // After ^: the name, the base, and the argument.
  std::string Logarithm() {
    const std::string kept = std::exchange(out_, {});
    Command();
    SkipBlanks();
    if (at_ < text_.size() && text_[at_] == '_') {
      ++at_;
      out_ += "_(" + Group() + ")";
    }
    std::optional<std::string> argument = Bracket();
    if (!argument) {
      argument = Group();
      while (at_ < text_.size() && IsDigit(text_[at_]) && IsDigit(argument->back())) *argument += text_[at_++];
    }
    out_ += "(" + *argument + ")";
    return std::exchange(out_, kept);
  }
  // The longest command that this begins with: \cdotx is \cdot x.
  bool Command() {
    if (text_[at_] != '\\') return false;
    const SignSpelling* longest = nullptr;
    static const std::vector<SignSpelling> commands = OneByOne(kSignCommands);
    for (const SignSpelling& command : commands) {
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
  // 3 \frac{2}{5} is a mixed number: a whole number, and a proper fraction after it. Before a letter nobody can tell.
  bool IsRestOfMixed(const std::string& above, const std::string& below) const {
    const auto whole = [](const std::string& text) { return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit); };
    if (!whole(above) || !whole(below) || above.size() > below.size() || (above.size() == below.size() && above >= below)) {
      return false;
    }
    const std::size_t last = out_.find_last_not_of(' ');
    if (last == std::string::npos || !IsDigit(out_[last]) || above.front() == '0') return false;
    std::size_t begin = last;
    while (begin > 0 && IsDigit(out_[begin - 1])) --begin;
    const std::size_t next = text_.find_first_not_of(' ', at_);
    const char after = next < text_.size() ? text_[next] : ' ';
    const bool letter = IsLetter(after) && (next + 1 >= text_.size() || !IsLetter(text_[next + 1]));
    const bool free = begin == 0 || std::string_view(" (+-*/=<>,:").find(out_[begin - 1]) != std::string_view::npos;
    const bool mixed = free && out_[begin] != '0' && after != '^' && after != '_';
    if (mixed && letter) {
      throw textbook::Refusal{"a whole number before a fraction and a letter may be added or multiplied; write the sign"};
    }
    return mixed;
  }
  // 56x^7 ÷ 8x^3 divides by all of 8x^3, unlike 56x^7/8 x^3, and 2/3 ÷ 5/9 by all of 5/9.
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
    char after = at_ < text_.size() ? text_[at_] : ' ';
    if ((out_.size() > begin || after == '(') && DivideByFraction(begin)) return;
    const bool fraction = !letters && out_.size() > begin && after == '/' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1]);
    if (fraction) {
      do out_ += text_[at_++];
      while (at_ < text_.size() && IsDigit(text_[at_]));
      after = at_ < text_.size() ? text_[at_] : ' ';
    }
    if ((!letters && !fraction) || after == '(' || after == '_') return;
    out_.insert(begin, "(");
    out_ += ')';
  }
  // "÷ (x + 1)/(2x + 6)" and "÷ z/w" divide by the fraction, if nothing touches it: what is above the line has been read, or is
  // a bracket.
  bool DivideByFraction(std::size_t begin) {
    const auto end_of = [&](std::size_t at) {
      if (at < text_.size() && text_[at] == '(') {
        int depth = 0;
        for (; at < text_.size(); ++at) {
          if (text_[at] == '(') ++depth;
          if (text_[at] == ')' && --depth == 0) return at + 1;
        }
        return at;
      }
      while (at < text_.size() && (IsDigit(text_[at]) || IsLetter(text_[at]) || text_[at] == '^')) ++at;
      return at;
    };
    const std::size_t line = out_.size() > begin ? at_ : end_of(at_);
    if (line + 1 >= text_.size() || text_[line] != '/') return false;
    const std::size_t end = end_of(line + 1);
    const bool letters = std::any_of(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                     text_.begin() + static_cast<std::ptrdiff_t>(end), IsLetter) ||
                         std::any_of(out_.begin() + static_cast<std::ptrdiff_t>(begin), out_.end(), IsLetter);
    const char after = end < text_.size() ? text_[end] : ' ';
    if (!letters || end == line + 1 || std::string_view(" +-*),;").find(after) == std::string_view::npos) return false;
    while (at_ < end) Step();
    out_.insert(begin, "(");
    out_ += ')';
    return true;
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
  bool after_dollars_ = false;
  std::size_t thousands_ = 0;  // where the last comma of thousands stood
  std::string out_;
};

}  // namespace

std::string PlainExercise(std::string_view text) { return Plainer(text).Take(); }

}  // namespace conpole
