#include "notation/textbook_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "util/text.h"

namespace conpole {
namespace {

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
    "with within without words work worked working write writing written wrtie year years you your zero zeroes zeros zu zwei "
    "ordered triple raise raising extracting extract builder double rearrange rearranging insert subject theorem ratio point "
    "changes "
    "excercise excercises graphical deriving simplification instance original definition passes passing contain "
    "contains "
    "containing goes parallel perpendicular slopeintercept axis symmetry discriminant varies "
    "inversely relates relating average over satisfy satisfies plus minus times than half vertically missing nature type kind "
    "solely anything applications applied bars box carry circles classifying commas composing confirm coordinate cramer's "
    "dependent determinants diamond direct distinguishing equal equals flip formulas higher inconsistent itself language math "
    "measurement mental never plane plotting plug rectangular relations satisfying shade shift specific transform "
    "transformations understand variation verifying visualize whether pulling listing setting moving getting dropping "
    "drawing describing after bar approach convenient leaving unless noted calculations computing guideline guidelines english "
    "phrases "
    "conditional contradiction many more name factorizations cent dollar rejecting requested ordinary multi ";

bool IsFunctionName(std::string_view run) {
  constexpr std::array<std::string_view, 8> kNames{"sqrt", "cbrt", "root", "abs", "log", "ln", "exp", "pi"};
  return std::find(kNames.begin(), kNames.end(), run) != kNames.end();
}

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
        const std::size_t last = math_.find_last_not_of(' ');
        const bool stop = last != std::string::npos && std::string_view(".:;?!").find(math_[last]) != std::string_view::npos;
        Flush();
        const bool capital = Lowered(run[0]) != run[0];
        pieces_.push_back({true, Lowered(run), stop || capital});
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
    const std::string lowered = Lowered(run);
    const char before = begin > 0 ? text_[begin - 1] : ' ';
    const char after = end < text_.size() ? text_[end] : ' ';
    const char next = NextSign(end);
    if (before == '"' && after == '"' && run.size() > 1) return true;
    if (run.size() == 1) {
      // "a" and "I" before a word.
      if ((run != "a" && run != "I" && run != "A") || IsSign(before) || IsSign(after)) return false;
      constexpr std::array<std::string_view, 5> kNoNouns{" and ", " when", " plus", " minu", " vari"};
      const bool letter = std::any_of(kNoNouns.begin(), kNoNouns.end(), [&](std::string_view word) {
        return std::string_view(text_).substr(end).starts_with(word);
      });
      return IsLetter(next) && after == ' ' && WordLength(end) > 2 && !letter;
    }
    if (IsFunctionName(run) && (next == '(' || next == '_' || IsDigit(after) || run == "pi")) return false;
    // "ln 7", "log x" and "ln e^2", but not "log rules".
    if ((run == "ln" || run == "log") && (IsDigit(next) || WordLength(end) == 1 || next == '|')) return false;
    if (IsFunctionName(run.substr(run.size() > 4 ? run.size() - 4 : 0)) && next == '(' && run.size() <= 6) return false;
    if (run.ends_with("ln") && after == '(' && run.size() <= 3) return false;
    constexpr std::size_t kSurelyWord = 5;
    if (run.size() >= kSurelyWord) return true;
    if (IsSign(before) || IsSign(after)) return false;
    constexpr std::array<std::string_view, 16> kShort{"an", "as", "at", "be", "by", "do", "if", "in",
                                                      "is", "it", "no", "of", "on", "or", "so", "up"};
    if (lowered == "ac" && text_.compare(end, 7, " method") == 0) return true;
    if (lowered == "to" || lowered == "we" || lowered == "eq") return true;
    if (run.size() == 2) return std::find(kShort.begin(), kShort.end(), lowered) != kShort.end();
    return IsExerciseWord(lowered) || lowered.find_first_of("aeiouy") != std::string::npos;
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
      // f' is not f, but 'x + 1' is x + 1.
      if (end < math_.size() && math_[end] == '\'' && math_.substr(0, begin).find('\'') == std::string::npos) ++end;
      // 4! is a factorial, and no end of a sentence.
      if (end < math_.size() && math_[end] == '!') ++end;
      std::string piece = math_.substr(begin, end - begin);
      // ".5" keeps its point.
      if (begin > 0 && math_[begin - 1] == '.' && IsDigit(piece[0])) piece.insert(0, "0.");
      // "a)" and "b)" number parts.
      if (piece.size() > 2 && IsLetter(piece[0]) && piece[1] == ')') piece = piece.substr(2);
      while (!piece.empty() && piece.front() == ' ') piece.erase(0, 1);
      // "relates x and y (in the form": the bracket belongs to the words.
      if (piece.size() > 2 && piece.ends_with(" (")) piece.resize(piece.size() - 2);
      if (piece == "a)" || piece == "b)" || piece == "()" || piece == ")" || piece == "(") piece.clear();
      if (!piece.empty()) pieces_.push_back({false, std::move(piece)});
    }
    math_.clear();
  }

  std::string text_;
  std::string math_;
  std::vector<TextPiece> pieces_;
};

}  // namespace

bool IsExerciseWord(std::string_view word) {
  static const std::set<std::string_view> words = [] {
    const std::vector<std::string_view> all = Split(kExerciseWords, " ");
    return std::set(all.begin(), all.end());
  }();
  return !word.empty() && words.contains(word);
}

std::vector<TextPiece> SplitIntoPieces(std::string text) { return Splitter(std::move(text)).Take(); }

std::string WithoutRemarks(const std::string& text) {
  std::string result;
  std::size_t at = 0;
  const std::string lowered = Lowered(text);
  const auto starts = [&](std::string_view phrase) { return lowered.compare(at, phrase.size(), phrase) == 0; };
  const auto sentence_end = [&](std::size_t from) {
    for (std::size_t i = from; i < text.size(); ++i) {
      const bool stop = text[i] == '.' || text[i] == '?' || text[i] == '!';
      if ((stop || text[i] == ':') && (i + 1 == text.size() || text[i + 1] == ' ')) return i + 1;
    }
    return text.size();
  };
  static const std::vector<std::string_view> remarks = Split(
      "b<d if|in the form a|please enter|please input|please convert|enter |input |for example|note|if there|eg.|"
      "pay attention|ensure|type |if the result|choose answers|write answers|do not simplify|use u |use & |"
      "if your answer|for instance|if you can|in the case of|use a **|list the real|the answer will",
      "|");
  while (at < text.size()) {
    const bool fresh = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    if (fresh && std::any_of(remarks.begin(), remarks.end(), starts)) {
      // Up to the end of the sentence, but what follows may be the exercise itself.
      const std::size_t end = sentence_end(at);
      if (end == text.size() && result.find_first_of("0123456789=") == std::string::npos) {
        // "enter No if there is none 64^2": what stands after the last word.
        std::size_t word = 0;
        for (std::size_t i = at; i < end; ++i) {
          word = IsLetter(text[i]) ? word + 1 : 0;
          if (i + 1 < end && text[i + 1] == '(' && IsFunctionName(std::string_view(text).substr(i + 1 - word, word))) break;
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

}  // namespace conpole
