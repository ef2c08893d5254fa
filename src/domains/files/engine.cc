#include "domains/files/engine.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "conpole/domain.h"
#include "domains/axioms/decimal.h"
#include "domains/files/expression.h"
#include "math/divisors.h"
#include "util/text.h"

namespace conpole::files {
namespace {

// How much matching the patterns of lists may take for one rule and state.
constexpr std::size_t kMaxListWork = 200'000;
constexpr std::int64_t kMaxChoices = 1'000;

enum class Truth : std::uint8_t { kFalse, kTrue, kUnknown };

// What a variable stands for: a part of the state, a number, or elements of a list.
struct Binding {
  enum class Kind : std::uint8_t { kPart, kNumber, kStretch };
  Kind kind = Kind::kPart;
  std::uint32_t part = 0;  // or the first element
  std::uint32_t end = 0;   // the element after the last one
  Rational number{};
};

// What a written term looks like from outside.
struct Look {
  PartKind kind = PartKind::kNumber;
  std::int32_t id = 0;
  Rational number{};
  bool is_coefficient = false;  // 2x; the number is its coefficient
};

std::optional<Rational> Integral(std::optional<Rational> value) { return value && value->IsInteger() ? value : std::nullopt; }

// Uses rules on one state. Its buffers are used again and again.
class Run {
 public:
  void Begin(const Definition& file, const TermText& state) {
    file_ = &file;
    state_ = &state;
    parts_ = state.parts().data();
    bindings_.resize(file.variables.size());
    is_fixed_ = false;
  }

  // Calls `sink()` for every result of the rule, in order, until it returns false; result() and the like are about the last
  // one.
  template <class Sink>
  void ForEach(const Rule& rule, const Sink& sink) {
    if (file_->grammar.is_list) {
      for (const Form& form : rule.forms) {
        if (!ForEachInList(rule, form, sink)) return;
      }
      return;
    }
    const std::int32_t head = rule.forms.front().head;
    const bool same_head =
        head >= 0 && std::all_of(rule.forms.begin(), rule.forms.end(), [&](const Form& form) { return form.head == head; });
    if (same_head) {
      for (const std::uint32_t at : state_->PartsOf(head)) {
        if (!ForEachAt(rule, at, sink)) return;
      }
      return;
    }
    for (std::uint32_t at = 0; at < state_->size(); ++at) {
      if (!ForEachAt(rule, at, sink)) return;
    }
  }

  // The same at one place: a part, or the first element that is matched.
  template <class Sink>
  bool ForEachAt(const Rule& rule, std::uint32_t at, const Sink& sink) {
    for (const Form& form : rule.forms) {
      if (!ForEachAt(rule, form, at, sink)) return false;
    }
    return true;
  }
  template <class Sink>
  bool ForEachAt(const Rule& rule, const Form& form, std::uint32_t at, const Sink& sink) {
    if (file_->grammar.is_list) return ForEachInList(rule, form, sink, at);
    const Part& part = parts_[at];
    if (form.head >= 0 && (part.kind != PartKind::kOperator || part.id != form.head)) return true;
    if (!MatchTerm(form.left, 0, form.left.size(), at)) return true;
    at_ = at;
    return WithChoices(rule, form, sink);
  }

  // Places that ForEachAt may be asked about.
  std::uint32_t places() const {
    const std::size_t count = file_->grammar.is_list ? state_->elements().size() : state_->size();
    return static_cast<std::uint32_t>(count);
  }

  // What all rules of a family choose from.
  std::vector<Binding> CommonChoices(const Choice& choice) {
    choices_.clear();
    CollectChoices(choice);
    std::erase_if(choices_, [&](const Binding& chosen) { return !FitsChoice(choice.variable, chosen); });
    return choices_;
  }
  // From now on the rules that have this choice take no other; nothing ends it.
  void Fix(const Choice* choice, const Binding& chosen) {
    is_fixed_ = choice != nullptr;
    if (is_fixed_) bindings_[static_cast<std::size_t>(choice->variable)] = chosen;
  }

  bool MatchesWhole(const std::vector<Part>& pattern, const std::vector<Condition>& conditions) {
    if (!file_->grammar.is_list) return MatchTerm(pattern, 0, pattern.size(), 0) && Hold(conditions);
    bool found = false;
    work_ = 0;
    MatchElements(pattern, 1, 0, [&] {
      found = Hold(conditions);
      return !found;
    });
    return found;
  }

  // Of the last result.
  const Form& form() const { return *form_; }
  const std::string& result() const { return result_; }
  std::size_t at() const { return at_; }
  void AppendFrom(std::string& out) const {
    if (!file_->grammar.is_list) return state_->AppendPart(out, at_);
    out += From();
  }
  std::string_view From() const {
    if (!file_->grammar.is_list) return state_->Span(at_);
    if (last_element_ < at_ || last_element_ == kNone) return {};
    const std::uint32_t begin = (*state_)[state_->elements()[at_]].begin;
    return std::string_view(state_->text()).substr(begin, (*state_)[state_->elements()[last_element_]].end - begin);
  }
  std::size_t PlaceOf(std::int32_t variable) const { return binding(variable).part; }
  void AppendExpression(std::string& out, std::int32_t expression) {
    const Expression& worked_out = file_->expressions[static_cast<std::size_t>(expression)];
    if (const std::optional<Rational> value = Evaluate(worked_out)) AppendNumber(out, *value);
  }
  bool has_place() const { return !file_->grammar.is_list || last_element_ != kNone; }
  std::string_view To() const { return file_->grammar.is_list ? result_ : piece_; }
  void AppendVariable(std::string& out, std::int32_t variable) const {
    const Binding& binding = bindings_[static_cast<std::size_t>(variable)];
    switch (binding.kind) {
      case Binding::Kind::kPart:
        state_->AppendPart(out, binding.part);
        break;
      case Binding::Kind::kNumber:
        AppendOperand(out, file_->grammar, binding.number, 0);
        break;
      case Binding::Kind::kStretch:
        if (binding.end > binding.part) {
          const std::uint32_t begin = (*state_)[state_->elements()[binding.part]].begin;
          const std::uint32_t end = (*state_)[state_->elements()[binding.end - 1]].end;
          out += std::string_view(state_->text()).substr(begin, end - begin);
        }
        break;
    }
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  // --- Matching -----------------------------------------------------------------------------------------------------------

  bool Fits(Type type, std::size_t at) const {
    const Part& part = parts_[at];
    switch (type) {
      case Type::kTerm:
        return true;
      case Type::kNumber:
        return part.kind == PartKind::kNumber;
      case Type::kInteger:
        return part.kind == PartKind::kNumber && part.number.IsInteger();
      case Type::kLetter:
        return part.kind == PartKind::kLetter;
      case Type::kConstant:
        return part.kind == PartKind::kOperator && part.size == 1;
      case Type::kAtom:
        return part.size == 1;
      case Type::kMonomial:
        return part.kind == PartKind::kNumber || part.kind == PartKind::kLetter || state_->IsCoefficient(at);
    }
    return false;
  }

  // Both are in pre-order, so that one pass goes through both.
  bool MatchTerm(const std::vector<Part>& pattern, std::size_t begin, std::size_t end, std::size_t at) const {
    const Part* const wanted_parts = pattern.data();
    for (std::size_t i = begin; i < end; ++i) {
      const Part& wanted = wanted_parts[i];
      const Part& part = parts_[at];
      switch (wanted.kind) {
        case PartKind::kOperator:
        case PartKind::kLetter:
          if (part.kind != wanted.kind || part.id != wanted.id) return false;
          ++at;
          break;
        case PartKind::kNumber:
          if (part.kind != PartKind::kNumber || part.number != wanted.number || part.id != wanted.id) return false;
          ++at;
          break;
        case PartKind::kVariable: {
          Binding& binding = bindings_.data()[wanted.id];
          if (wanted.is_bracketed) {
            if (!state_->Equal(binding.part, at)) return false;
          } else {
            if (!Fits(file_->variables[static_cast<std::size_t>(wanted.id)].type, at)) return false;
            binding = {Binding::Kind::kPart, static_cast<std::uint32_t>(at), 0, part.number};
          }
          at += part.size;
          break;
        }
        default:
          return false;
      }
    }
    return true;
  }

  // Matches pattern parts from `i` on against elements from `element` on. `found` returns whether to go on. Returns false if
  // not.
  template <class Found>
  bool MatchElements(const std::vector<Part>& pattern, std::size_t i, std::uint32_t element, const Found& found) {
    if (++work_ > kMaxListWork) return false;
    const auto count = static_cast<std::uint32_t>(state_->elements().size() - 1);
    if (i >= pattern.size()) return element == count ? found() : true;
    const Part& wanted = pattern[i];
    if (wanted.kind != PartKind::kGap) {
      if (element >= count) return true;
      const std::size_t at = state_->elements()[element];
      if (!MatchTerm(pattern, i, i + wanted.size, at)) return true;
      const std::size_t old_first = first_element_;
      const std::size_t old_last = last_element_;
      if (first_element_ == kNone) first_element_ = element;
      last_element_ = element;
      const bool go_on = MatchElements(pattern, i + wanted.size, element + 1, found);
      first_element_ = old_first;
      last_element_ = old_last;
      return go_on;
    }
    Binding& gap = GapOf(wanted);
    if (wanted.is_bracketed) {  // the same stretch again
      const Binding known = gap;
      const std::uint32_t length = known.end - known.part;
      if (element + length > count) return true;
      for (std::uint32_t k = 0; k < length; ++k) {
        if (!state_->Equal(state_->elements()[known.part + k], state_->elements()[element + k])) return true;
      }
      return MatchElements(pattern, i + 1, element + length, found);
    }
    // The last gap takes all that is left.
    const bool is_last = i + 1 == pattern.size();
    for (std::uint32_t end = is_last ? count : element; end <= count; ++end) {
      if (wanted.id >= 0 && !StretchFits(wanted.id, element, end)) {
        if (is_last) return true;
        return true;  // longer stretches do not fit either
      }
      GapOf(wanted) = {Binding::Kind::kStretch, element, end, {}};
      if (!MatchElements(pattern, i + 1, end, found)) return false;
    }
    return true;
  }

  bool StretchFits(std::int32_t variable, std::uint32_t begin, std::uint32_t end) const {
    const Type type = file_->variables[static_cast<std::size_t>(variable)].type;
    for (std::uint32_t k = begin; k < end; ++k) {
      if (!Fits(type, state_->elements()[k])) return false;
    }
    return true;
  }

  Binding& GapOf(const Part& part) {
    if (part.id >= 0) return bindings_[static_cast<std::size_t>(part.id)];
    const auto index = static_cast<std::size_t>(-1 - part.id);
    if (gaps_.size() <= index) gaps_.resize(index + 1);
    return gaps_[index];
  }

  template <class Sink>
  bool ForEachInList(const Rule& rule, const Form& form, const Sink& sink, std::optional<std::uint32_t> place = {}) {
    work_ = 0;
    first_element_ = last_element_ = kNone;
    bool go_on = true;
    const auto found = [&] {
      at_ = first_element_ == kNone ? 0 : first_element_;
      go_on = WithChoices(rule, form, sink);
      return go_on;
    };
    // ".. a b .." at one place leaves nothing to be looked for.
    const bool begins_with_gap = form.left.size() > 2 && form.left[1].kind == PartKind::kGap && form.left[1].id < 0 &&
                                 form.left[2].kind != PartKind::kGap;
    if (!place) {
      MatchElements(form.left, 1, 0, found);
    } else if (begins_with_gap) {
      GapOf(form.left[1]) = {Binding::Kind::kStretch, 0, *place, {}};
      MatchElements(form.left, 2, *place, found);
    } else {
      MatchElements(form.left, 1, 0, [&] { return (first_element_ == kNone ? 0 : first_element_) != *place || found(); });
    }
    return go_on;
  }

  // --- Expressions and conditions -----------------------------------------------------------------------------------------

  const Binding& binding(std::int32_t variable) const { return bindings_[static_cast<std::size_t>(variable)]; }

  std::optional<Rational> NumberOf(const Binding& bound) const {
    if (bound.kind == Binding::Kind::kNumber) return bound.number;
    if (bound.kind != Binding::Kind::kPart || (*state_)[bound.part].kind != PartKind::kNumber) return std::nullopt;
    const Part& part = (*state_)[bound.part];
    if (part.id == 0) return part.number;
    // A decimal number that may be too large.
    if (part.id < 0) return std::nullopt;
    if (part.number.Is(0)) return Rational(0);
    const std::optional<Rational> scale = ApplyFunction(Function::kPower, Rational(10), Rational(part.id));
    return scale ? Rational::Apply('*', part.number, *scale) : std::nullopt;
  }

  // Results in the notation of decimal numbers, which keep their exponents; of any size.
  std::optional<Decimal> EvaluateDecimal(const Expression& expression) {
    const auto of_text = [](std::string_view text) {
      Decimal number;
      TermError error;
      const bool is_negative = text.starts_with('-');
      const char* const begin = text.data() + (is_negative ? 1 : 0);
      const bool is_read = Decimal::Read(begin, text.data() + text.size(), is_negative, number, error) != nullptr;
      return is_read ? std::optional(number) : std::nullopt;
    };
    if (expression.function == Function::kVariable && binding(expression.variable).kind == Binding::Kind::kPart) {
      return of_text(state_->Span(binding(expression.variable).part));
    }
    const auto argument = [&](std::size_t i) { return EvaluateDecimal(expression.arguments[i]); };
    switch (expression.function) {
      case Function::kAdd:
      case Function::kSubtract:
      case Function::kMultiply: {
        const std::optional<Decimal> a = argument(0);
        std::optional<Decimal> b = argument(1);
        if (!a || !b) return std::nullopt;
        if (expression.function == Function::kSubtract) b = b->Negated();
        return expression.function == Function::kMultiply ? Decimal::Multiply(*a, *b, scratch_.emplace_back())
                                                          : Decimal::Add(*a, *b, scratch_.emplace_back());
      }
      case Function::kTens:
      case Function::kOnes: {
        const std::optional<Decimal> a = argument(0);
        const std::optional<Decimal::Parts> parts = a ? a->Split() : std::nullopt;
        if (!parts) return std::nullopt;
        return expression.function == Function::kTens ? parts->tens : parts->ones;
      }
      case Function::kNegate: {
        const std::optional<Decimal> a = argument(0);
        return a ? std::optional(a->Negated()) : std::nullopt;
      }
      default: {
        const std::optional<Rational> value = Integral(Evaluate(expression));
        return value ? of_text(scratch_.emplace_back(std::to_string(value->numerator()) + "e0")) : std::nullopt;
      }
    }
  }

  std::optional<Rational> Evaluate(const Expression& expression) const {
    std::array<std::optional<Rational>, 2> values;
    for (std::size_t i = 0; i < expression.arguments.size() && i < 2; ++i) {
      values[i] = Evaluate(expression.arguments[i]);
      if (!values[i] && expression.function != Function::kMantissa) return std::nullopt;
    }
    switch (expression.function) {
      case Function::kNumber:
        return expression.number;
      case Function::kVariable:
        return NumberOf(binding(expression.variable));
      case Function::kLetter:
        return std::nullopt;
      case Function::kSize: {
        const Binding& bound = binding(expression.variable);
        return Rational(bound.kind == Binding::Kind::kPart ? (*state_)[bound.part].size : 1);
      }
      case Function::kLength: {
        const Binding& bound = binding(expression.variable);
        return Rational(std::int64_t{bound.end} - bound.part);
      }
      case Function::kMantissa: {
        const Expression& of = expression.arguments[0];
        if (of.function != Function::kVariable || binding(of.variable).kind != Binding::Kind::kPart) return values[0];
        const Part& part = (*state_)[binding(of.variable).part];
        return part.id < 0 ? std::nullopt : std::optional(part.number);
      }
      case Function::kSum:
      case Function::kLeast:
      case Function::kGreatest:
        return Fold(expression.function, binding(expression.variable));
      default:
        return ApplyFunction(expression.function, values[0].value_or(Rational(0)), values[1].value_or(Rational(0)));
    }
  }

  std::optional<Rational> Fold(Function function, const Binding& stretch) const {
    std::optional<Rational> result;
    if (function == Function::kSum) result = Rational(0);
    for (std::uint32_t k = stretch.part; k < stretch.end; ++k) {
      const Part& part = (*state_)[state_->elements()[k]];
      if (part.kind != PartKind::kNumber) return std::nullopt;
      if (function == Function::kSum) {
        result = Rational::Apply('+', *result, part.number);
        if (!result) return std::nullopt;
      } else if (!result || (CompareNumbers(part.number, *result) < 0) == (function == Function::kLeast)) {
        result = part.number;
      }
    }
    return result;
  }

  Truth Test(const Condition& condition) const {
    const auto truth = [&](bool holds) { return holds != condition.is_negated ? Truth::kTrue : Truth::kFalse; };
    switch (condition.kind) {
      case Condition::Kind::kCompare:
        return Compare(condition);
      case Condition::Kind::kIs: {
        if (condition.left.function == Function::kVariable && binding(condition.left.variable).kind == Binding::Kind::kPart) {
          return truth(Fits(condition.type, binding(condition.left.variable).part));
        }
        const std::optional<Rational> value = Evaluate(condition.left);
        return truth(value && condition.type != Type::kLetter && condition.type != Type::kConstant &&
                     (condition.type != Type::kInteger || value->IsInteger()));
      }
      case Condition::Kind::kOccurs:
        return truth(Occurs(condition));
      case Condition::Kind::kLike: {
        const Binding& bound = binding(condition.in);
        if (bound.kind == Binding::Kind::kPart) return truth(MatchTerm(condition.part, 0, condition.part.size(), bound.part));
        return truth(condition.part.front().kind == PartKind::kNumber && condition.part.front().number == bound.number);
      }
      case Condition::Kind::kAscending:
      case Condition::Kind::kIncreasing: {
        const Binding& stretch = binding(condition.in);
        const int most = condition.kind == Condition::Kind::kAscending ? 0 : -1;
        for (std::uint32_t k = stretch.part; k + 1 < stretch.end; ++k) {
          if (CompareElements(state_->elements()[k], state_->elements()[k + 1]) > most) return Truth::kFalse;
        }
        return Truth::kTrue;
      }
    }
    return Truth::kUnknown;
  }

  // Numbers by their value, others by their text; numbers come first.
  int CompareElements(std::size_t a, std::size_t b) const {
    const Part& left = (*state_)[a];
    const Part& right = (*state_)[b];
    const bool left_is_number = left.kind == PartKind::kNumber;
    const bool right_is_number = right.kind == PartKind::kNumber;
    if (left_is_number && right_is_number) return CompareNumbers(left.number, right.number);
    if (left_is_number != right_is_number) return left_is_number ? -1 : 1;
    const int order = state_->Span(a).compare(state_->Span(b));
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }

  Truth Compare(const Condition& condition) const {
    const bool is_equality = condition.comparison == "=" || condition.comparison == "!=";
    const bool wants_equal = condition.comparison == "=";
    if (is_equality && condition.left.function == Function::kVariable && condition.right.function == Function::kVariable) {
      const Binding& a = binding(condition.left.variable);
      const Binding& b = binding(condition.right.variable);
      if (a.kind == Binding::Kind::kStretch || b.kind == Binding::Kind::kStretch) {
        std::string first;
        std::string second;
        AppendVariable(first, condition.left.variable);
        AppendVariable(second, condition.right.variable);
        return (first == second) == wants_equal ? Truth::kTrue : Truth::kFalse;
      }
      if (!NumberOf(a) || !NumberOf(b)) {
        const bool is_same = a.kind == Binding::Kind::kPart && b.kind == Binding::Kind::kPart && state_->Equal(a.part, b.part);
        return is_same == wants_equal ? Truth::kTrue : is_same ? Truth::kFalse : Truth::kUnknown;
      }
    }
    const std::optional<Rational> left = Evaluate(condition.left);
    const std::optional<Rational> right = Evaluate(condition.right);
    if (!left || !right) return Truth::kUnknown;
    return HoldsFor(condition.comparison, *left, *right) ? Truth::kTrue : Truth::kFalse;
  }

  bool Occurs(const Condition& condition) const {
    const Binding& in = binding(condition.in);
    std::uint32_t begin = in.part;
    std::uint32_t end = 0;
    if (in.kind == Binding::Kind::kStretch) {
      begin = state_->elements()[in.part];
      end = state_->elements()[in.end];
    } else if (in.kind == Binding::Kind::kPart) {
      end = begin + (*state_)[begin].size;
    }
    std::string text;
    if (!condition.is_operator) AppendVariable(text, condition.left.variable);
    for (std::uint32_t i = begin; i < end; ++i) {
      const Part& part = (*state_)[i];
      if (!condition.is_operator) {
        if (state_->Span(i) == text) return true;
        continue;
      }
      for (const Part& wanted : condition.part) {
        if (part.kind == wanted.kind && part.id == wanted.id) return true;
      }
    }
    return false;
  }

  // Terms that differ in their texts are different for `if`: what is not known counts as not holding, except "!=".
  bool Hold(const std::vector<Condition>& conditions) const {
    return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
      const Truth truth = Test(condition);
      return truth == Truth::kTrue || (truth == Truth::kUnknown && condition.comparison == "!=");
    });
  }

  bool Allowed(const Rule& rule, const Form& form) const {
    if (!Hold(form.where)) return false;
    return std::none_of(rule.assumptions.begin(), rule.assumptions.end(),
                        [&](const Condition& condition) { return Test(condition) == Truth::kFalse; });
  }

  // --- Choices ------------------------------------------------------------------------------------------------------------

  template <class Sink>
  bool WithChoices(const Rule& rule, const Form& form, const Sink& sink) {
    if (!rule.choice || is_fixed_) return !Allowed(rule, form) || !Write(form) || sink();
    choices_.clear();
    CollectChoices(*rule.choice);
    const std::vector<Binding> choices = choices_;
    for (const Binding& choice : choices) {
      bindings_[static_cast<std::size_t>(rule.choice->variable)] = choice;
      if (!FitsChoice(rule.choice->variable, choice) || !Allowed(rule, form)) continue;
      if (Write(form) && !sink()) return false;
    }
    return true;
  }

  bool FitsChoice(std::int32_t variable, const Binding& choice) const {
    const Type type = file_->variables[static_cast<std::size_t>(variable)].type;
    if (choice.kind == Binding::Kind::kPart) return Fits(type, choice.part);
    return type != Type::kLetter && type != Type::kConstant && (type != Type::kInteger || choice.number.IsInteger());
  }

  void CollectChoices(const Choice& choice) {
    using Kind = Choice::Source::Kind;
    for (const Choice::Source& source : choice.sources) {
      switch (source.kind) {
        case Kind::kValue:
          if (const std::optional<Rational> value = Evaluate(source.low)) AddChoice(*value);
          break;
        case Kind::kRange: {
          const std::optional<Rational> low = Evaluate(source.low);
          const std::optional<Rational> high = Evaluate(source.high);
          if (!low || !high || !low->IsInteger()) break;
          const std::int64_t last = FloorOf(*high);
          for (std::int64_t i = 0; i < kMaxChoices; ++i) {
            if (low->numerator() > last || i > last - low->numerator()) break;
            AddChoice(Rational(low->numerator() + i));
          }
          break;
        }
        case Kind::kDivisors:
        case Kind::kPrimes:
          AddDivisors(Integral(Evaluate(source.low)), source.kind == Kind::kPrimes);
          break;
        case Kind::kNumbers:
        case Kind::kLetters:
        case Kind::kAtoms:
        case Kind::kTerms:
          AddParts(source.kind, file_->variables[static_cast<std::size_t>(choice.variable)].type);
          break;
      }
    }
  }

  void AddChoice(const Rational& number) {
    if (choices_.size() < static_cast<std::size_t>(kMaxChoices)) choices_.push_back({Binding::Kind::kNumber, 0, 0, number});
  }

  void AddDivisors(const std::optional<Rational>& number, bool primes_alone) {
    if (!number || number->Is(0)) return;
    const auto n = static_cast<std::uint64_t>(number->numerator() < 0 ? -number->numerator() : number->numerator());
    std::vector<std::uint64_t> small;
    AppendSmallDivisors(n, small);
    if (!primes_alone) {
      for (const std::uint64_t k : small) AddChoice(Rational(static_cast<std::int64_t>(k)));
      for (std::size_t i = small.size(); i-- > 0;) {
        if (n / small[i] != small[i]) AddChoice(Rational(static_cast<std::int64_t>(n / small[i])));
      }
      return;
    }
    std::uint64_t left = n;
    for (const std::uint64_t k : small) {
      if (left % k != 0) continue;
      AddChoice(Rational(static_cast<std::int64_t>(k)));
      while (left % k == 0) left /= k;
    }
    if (left > 1) AddChoice(Rational(static_cast<std::int64_t>(left)));
  }

  // The different parts of the whole state.
  void AddParts(Choice::Source::Kind kind, Type type) {
    using Kind = Choice::Source::Kind;
    const std::size_t before = choices_.size();
    for (std::uint32_t i = 0; i < state_->size() && choices_.size() < static_cast<std::size_t>(kMaxChoices); ++i) {
      const Part& part = (*state_)[i];
      if (part.kind == PartKind::kList || (i == 0 && kind == Kind::kTerms)) continue;
      const bool fits = kind == Kind::kTerms || (kind == Kind::kAtoms && part.size == 1) ||
                        (kind == Kind::kNumbers && part.kind == PartKind::kNumber) ||
                        (kind == Kind::kLetters && part.kind == PartKind::kLetter);
      if (!fits || !Fits(type, i)) continue;
      const auto is_same = [&](const Binding& other) {
        return other.kind == Binding::Kind::kPart && state_->Equal(other.part, i);
      };
      if (std::any_of(choices_.begin() + static_cast<std::ptrdiff_t>(before), choices_.end(), is_same)) continue;
      choices_.push_back({Binding::Kind::kPart, i, 0, part.number});
    }
  }

  // --- Writing ------------------------------------------------------------------------------------------------------------

  // Works out what is to be worked out. False if something has no result.
  bool Compute(const std::vector<Part>& right) {
    computed_.resize(right.size());
    const NumberNotation notation = file_->grammar.numbers;
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (right[i].kind != PartKind::kComputed) continue;
      const Expression& expression = file_->expressions[static_cast<std::size_t>(right[i].id)];
      if (notation == NumberNotation::kDecimal) {
        scratch_.clear();
        const std::optional<Decimal> value = EvaluateDecimal(expression);
        if (!value) return false;
        decimals_.resize(right.size());
        decimals_[i].resize(value->MaxBytes() + 64);  // texts are copied in whole blocks
        decimals_[i].resize(static_cast<std::size_t>(value->Write(decimals_[i].data()) - decimals_[i].data()));
        computed_[i] = Rational(value->IsNegative() ? -1 : 1);
        continue;
      }
      const std::optional<Rational> value = Evaluate(expression);
      if (!value || (notation == NumberNotation::kWhole && !value->IsInteger()) ||
          (notation == NumberNotation::kStrokes && (!value->IsInteger() || value->numerator() < 0))) {
        return false;
      }
      computed_[i] = *value;
    }
    return true;
  }

  Look LookOfState(std::size_t at) const {
    const Part& part = (*state_)[at];
    if (state_->IsCoefficient(at)) return {part.kind, part.id, (*state_)[at + 1].number, true};
    return {part.kind, part.id, part.number, false};
  }

  Look LookOf(std::size_t i) const {
    const Part& part = (*right_)[i];
    switch (part.kind) {
      case PartKind::kComputed:
        return {PartKind::kNumber, 0, computed_[i], false};
      case PartKind::kVariable: {
        const Binding& bound = binding(part.id);
        if (bound.kind == Binding::Kind::kNumber) return {PartKind::kNumber, 0, bound.number, false};
        return LookOfState(bound.part);
      }
      case PartKind::kOperator:
        if (part.id == file_->grammar.minus()) {
          const Look inside = LookOf(i + 1);
          if (inside.kind == PartKind::kNumber) return {PartKind::kNumber, 0, -inside.number, false};
        }
        if (part.id == file_->grammar.coefficient && part.size > 2) {
          const Look left = LookOf(i + 1);
          const Look right = LookOf(i + 1 + (*right_)[i + 1].size);
          if (left.kind == PartKind::kNumber && right.kind == PartKind::kLetter) return {part.kind, part.id, left.number, true};
        }
        return {part.kind, part.id, {}, false};
      default:
        return {part.kind, part.id, part.number, false};
    }
  }

  Shape ShapeOf(const Look& look) const {
    if (look.is_coefficient) return file_->grammar.ShapeOfCoefficient(look.number);
    return file_->grammar.ShapeOf(look.kind, look.id, look.number);
  }

  bool NeedsBrackets(const Look& look, std::int32_t parent, std::size_t side) const {
    Part part;
    part.kind = look.kind;
    part.id = look.id;
    return file_->grammar.NeedsBrackets(ShapeOf(look), part, parent, side);
  }

  void WriteChild(std::size_t i, std::int32_t parent, std::size_t side) {
    const Operator& above = file_->grammar.op(parent);
    if (above.has_brackets || above.fix == Fix::kFunction) return WritePart(i);
    const bool brackets = NeedsBrackets(LookOf(i), parent, side);
    if (brackets) piece_ += '(';
    WritePart(i);
    if (brackets) piece_ += ')';
  }

  void WritePart(std::size_t i) {
    if (piece_.size() > kMaxStateBytes) return;
    const Part& part = (*right_)[i];
    ++written_;
    switch (part.kind) {
      case PartKind::kNumber:
        AppendOperand(piece_, file_->grammar, part.number, part.id);
        return;
      case PartKind::kLetter:
        piece_ += static_cast<char>(part.id);
        return;
      case PartKind::kComputed:
        if (file_->grammar.numbers == NumberNotation::kDecimal) {
          piece_ += decimals_[i];
        } else {
          AppendOperand(piece_, file_->grammar, computed_[i], 0);
        }
        return;
      case PartKind::kVariable: {
        const Binding& bound = binding(part.id);
        if (bound.kind == Binding::Kind::kNumber) {
          AppendOperand(piece_, file_->grammar, bound.number, 0);
        } else {
          state_->AppendPart(piece_, bound.part);
          written_ += (*state_)[bound.part].size - 1;
        }
        return;
      }
      default:
        break;
    }
    Look look;
    if (part.id == file_->grammar.minus() || part.id == file_->grammar.coefficient) {
      look = LookOf(i);
      if (look.kind == PartKind::kNumber) return AppendOperand(piece_, file_->grammar, look.number, 0);
    }
    const Operator& used = file_->grammar.op(part.id);
    switch (used.fix) {
      case Fix::kInfix: {
        const std::size_t second = i + 1 + (*right_)[i + 1].size;
        if (look.is_coefficient) {
          ++written_;
          AppendNumber(piece_, look.number);
          WritePart(second);
          return;
        }
        if (used.has_brackets) piece_ += '(';
        WriteChild(i + 1, part.id, 0);
        AppendInfix(used);
        WriteChild(second, part.id, 1);
        if (used.has_brackets) piece_ += ')';
        return;
      }
      case Fix::kPrefix:
        piece_ += used.symbol;
        if (IsLetter(used.symbol[0])) piece_ += ' ';
        WriteChild(i + 1, part.id, 1);
        return;
      case Fix::kPostfix:
        WriteChild(i + 1, part.id, 0);
        if (IsLetter(used.symbol[0])) piece_ += ' ';
        piece_ += used.symbol;
        return;
      case Fix::kConstant:
        piece_ += used.symbol;
        return;
      case Fix::kFunction: {
        std::size_t k = 0;
        for (std::size_t at = i + 1; at < i + part.size; at += (*right_)[at].size, ++k) {
          if (!used.fields.empty()) {
            WriteField(at, used.fields[k].first, used.fields[k].second);
            continue;
          }
          if (!used.literals.empty()) {
            piece_ += used.literals[k];
          } else {
            if (k == 0) piece_ += used.symbol;
            piece_ += k == 0 ? "(" : ", ";
          }
          WriteChild(at, part.id, 0);
        }
        if (used.fields.empty()) piece_ += used.literals.empty() ? ")" : used.literals.back();
        return;
      }
    }
  }

  void WriteField(std::size_t i, char first, char last) {
    ++written_;
    const Look look = LookOf(i);
    const bool fits = look.kind == PartKind::kNumber && look.number.IsInteger() && look.number.numerator() >= 0 &&
                      look.number.numerator() <= last - first;
    if (!fits) {
      has_no_text_ = true;
    } else {
      piece_ += static_cast<char>(first + look.number.numerator());
    }
  }

  void AppendInfix(const Operator& used) {
    if (!used.is_tight) piece_ += ' ';
    piece_ += used.symbol;
    if (!used.is_tight) piece_ += ' ';
  }

  // Makes the result. False if there is none, or it is too large.
  bool Write(const Form& form) {
    form_ = &form;
    right_ = &form.right;
    if (!Compute(form.right)) return false;
    piece_.clear();
    written_ = 0;
    has_no_text_ = false;
    return (file_->grammar.is_list ? WriteList(form.right) : WriteTerm()) && !has_no_text_;
  }

  bool WriteTerm() {
    WritePart(0);
    std::size_t place = at_;
    const Grammar& grammar = file_->grammar;
    if (place == 0 || IsPlainPlace((*state_)[parts_[place].parent])) return Splice(place, piece_, false);
    Look look = LookOf(0);
    splice_ = piece_;
    // How a minus sign or a coefficient is written depends on what it stands before.
    while (place != 0) {
      const std::size_t parent = (*state_)[place].parent;
      const Part& above = (*state_)[parent];
      if (above.kind != PartKind::kOperator) break;
      if (above.id == grammar.minus() && look.kind == PartKind::kNumber) {
        look.number = -look.number;
        splice_.clear();
        AppendOperand(splice_, grammar, look.number, 0);
        place = parent;
        continue;
      }
      if (grammar.coefficient < 0 || above.id != grammar.coefficient) break;
      const bool is_left = place == parent + 1;
      const std::size_t other = is_left ? place + (*state_)[place].size : parent + 1;
      const Look beside = LookOfState(other);
      const bool becomes = is_left ? look.kind == PartKind::kNumber && beside.kind == PartKind::kLetter
                                   : beside.kind == PartKind::kNumber && look.kind == PartKind::kLetter;
      if (!becomes && !state_->IsCoefficient(parent)) break;
      const std::string mine = splice_;
      splice_.clear();
      const auto write = [&](bool left) {
        const bool own = left == is_left;
        const Look& shown = own ? look : beside;
        if (shown.kind == PartKind::kNumber) {
          // A coefficient has no brackets.
          if (becomes) return AppendNumber(splice_, shown.number);
          if (!own && grammar.numbers == NumberNotation::kBracketed) return AppendOperand(splice_, grammar, shown.number, 0);
        }
        const bool brackets = !becomes && NeedsBrackets(shown, above.id, left ? 0 : 1);
        if (brackets) splice_ += '(';
        splice_ += own ? std::string_view(mine) : state_->Span(other);
        if (brackets) splice_ += ')';
      };
      const Operator& used = grammar.op(above.id);
      if (used.has_brackets && !becomes) splice_ += '(';
      write(true);
      if (!becomes) splice_ += used.is_tight ? used.symbol : ' ' + used.symbol + ' ';
      write(false);
      if (used.has_brackets && !becomes) splice_ += ')';
      look = {PartKind::kOperator, above.id, is_left ? look.number : beside.number, becomes};
      place = parent;
      written_ += 1 + (*state_)[other].size;
    }
    bool brackets = false;
    if (place != 0) {
      const std::size_t parent = (*state_)[place].parent;
      const Part& above = (*state_)[parent];
      if (above.kind == PartKind::kOperator) brackets = NeedsBrackets(look, above.id, SideOf(parent, place));
    }
    return Splice(place, splice_, brackets);
  }

  // Whether what stands below it is written in the same way whatever it is.
  bool IsPlainPlace(const Part& above) const {
    const Operator& used = file_->grammar.op(above.id);
    return used.fix == Fix::kFunction || (used.has_brackets && above.id != file_->grammar.coefficient);
  }

  bool Splice(std::size_t place, std::string_view piece, bool brackets) {
    const Part& old = parts_[place];
    if (state_->size() - old.size + written_ > kMaxParts) return false;
    const std::uint32_t begin = old.begin - (old.is_bracketed && place != 0 ? 1 : 0);
    const std::uint32_t end = old.end + (old.is_bracketed && place != 0 ? 1 : 0);
    const std::string& text = state_->text();
    result_.assign(text, 0, begin);
    if (brackets) result_ += '(';
    result_ += piece;
    if (brackets) result_ += ')';
    result_.append(text, end, std::string::npos);
    return result_.size() <= kMaxStateBytes;
  }

  std::size_t SideOf(std::size_t parent, std::size_t place) const {
    if (file_->grammar.op((*state_)[parent].id).fix == Fix::kPrefix) return 1;
    return place == parent + 1 ? 0 : 1;
  }

  bool WriteList(const std::vector<Part>& right) {
    const Grammar::ListNotation& notation = file_->grammar.list;
    piece_ += notation.open;
    bool is_first = true;
    const auto begin_element = [&] {
      if (!is_first) piece_ += notation.separator;
      is_first = false;
    };
    const auto add_element = [&](std::uint32_t element) {
      begin_element();
      const std::uint32_t at = state_->elements()[element];
      piece_ += state_->Span(at);
      written_ += (*state_)[at].size;
    };
    for (std::size_t i = 1; i < right.size() && piece_.size() <= kMaxStateBytes; i += right[i].size) {
      const Part& part = right[i];
      if (part.kind == PartKind::kGap) {  // as it stands in the text
        const Binding& stretch = GapOf(part);
        if (stretch.end == stretch.part) continue;
        begin_element();
        const std::uint32_t first = state_->elements()[stretch.part];
        const std::uint32_t last = state_->elements()[stretch.end - 1];
        piece_.append(state_->text(), parts_[first].begin, parts_[last].end - parts_[first].begin);
        written_ += state_->elements()[stretch.end] - first;
        continue;
      }
      if (part.kind == PartKind::kListFunction) {
        const Binding stretch = binding(part.id);
        std::vector<std::uint32_t>& order = order_;
        order.resize(stretch.end - stretch.part);
        std::iota(order.begin(), order.end(), stretch.part);
        if (part.number.Is(0)) {
          std::reverse(order.begin(), order.end());
        } else {
          std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return CompareElements(state_->elements()[a], state_->elements()[b]) < 0;
          });
        }
        for (const std::uint32_t element : order) add_element(element);
        continue;
      }
      begin_element();
      WritePart(i);
    }
    piece_ += notation.close;
    result_.swap(piece_);
    return written_ + 1 <= kMaxParts && result_.size() <= kMaxStateBytes;
  }

  const Definition* file_ = nullptr;
  const TermText* state_ = nullptr;
  const Part* parts_ = nullptr;  // of the state
  const Form* form_ = nullptr;
  const std::vector<Part>* right_ = nullptr;
  mutable std::vector<Binding> bindings_;  // what is like a pattern binds variables of its own
  std::vector<Binding> gaps_;
  std::vector<Binding> choices_;
  std::vector<Rational> computed_;
  std::vector<std::string> decimals_;  // the same as texts
  std::deque<std::string> scratch_;
  std::vector<std::uint32_t> order_;
  std::string piece_;
  std::string splice_;
  std::string result_;
  std::size_t written_ = 0;
  std::size_t at_ = 0;
  std::size_t first_element_ = kNone;
  std::size_t last_element_ = kNone;
  std::size_t work_ = 0;
  bool is_fixed_ = false;     // whether the choice is made
  bool has_no_text_ = false;  // whether a part of the result cannot be written
};

void AppendLabel(const Rule& rule, Run& run, std::string& label) {
  label.clear();
  if (!rule.label) {
    label += rule.name;
    if (!run.has_place()) return;
    label += ' ';
    label += std::to_string(run.at());
    if (!run.From().empty()) {
      label += ", ";
      run.AppendFrom(label);
    }
    if (rule.choice) {
      label += ", ";
      run.AppendVariable(label, rule.choice->variable);
    }
    return;
  }
  for (std::size_t i = 0; i < rule.label->literals.size(); ++i) {
    label += rule.label->literals[i];
    if (i >= rule.label->slots.size()) break;
    switch (const std::int32_t slot = rule.label->slots[i]) {
      case Template::kRule:
        label += rule.name;
        break;
      case Template::kAt:
        label += std::to_string(run.at());
        break;
      case Template::kFrom:
        run.AppendFrom(label);
        break;
      case Template::kInside: {
        const std::string_view from = run.From();
        label += from.starts_with('(') ? from.substr(1, from.size() - 2) : from;
        break;
      }
      case Template::kTo:
        label += run.To();
        break;
      default:
        if (slot >= 0) {
          run.AppendVariable(label, slot);
        } else if (slot > Template::kExpressions) {
          label += std::to_string(run.PlaceOf(Template::kPlaces - slot));
        } else {
          run.AppendExpression(label, Template::kExpressions - slot);
        }
    }
  }
}

Run& RunOf(const Definition& file, const TermText& state) {
  thread_local Run run;
  run.Begin(file, state);
  return run;
}

}  // namespace

bool Engine::Solved(const TermText& state) const {
  Run& run = RunOf(file_, state);
  bool is_solved = false;
  for (const Goal& goal : file_.goals) {
    if (is_solved && !goal.is_negated) continue;
    const bool fits = goal.is_no_rule ? !AnyRuleApplies(state) : run.MatchesWhole(goal.pattern, goal.conditions);
    if (fits && goal.is_negated) return false;
    is_solved = is_solved || fits;
  }
  return is_solved;
}

void Engine::Append(const TermText& state, Labels labels, Successors& out) const {
  if (state.size() > file_.limit || state.text().size() > file_.byte_limit) return;
  Run& run = RunOf(file_, state);
  thread_local std::string label;
  // Two forms of a rule may apply to one part. Labels name one successor each.
  thread_local std::vector<std::string> labels_of_rule;
  const Rule* last_rule = nullptr;
  std::size_t added = 0;
  const auto add = [&](const Rule& rule) {
    if (labels == Labels::kOn) {
      if (&rule != last_rule) labels_of_rule.clear();
      last_rule = &rule;
      AppendLabel(rule, run, label);
      const std::size_t length = label.size();
      for (int k = 2; std::find(labels_of_rule.begin(), labels_of_rule.end(), label) != labels_of_rule.end(); ++k) {
        label.resize(length);
        label += ", " + std::to_string(k);
      }
      labels_of_rule.push_back(label);
      char* const to = out.BeginLabel(label.size());
      out.EndLabel(WriteText(to, label));
    }
    const std::string& result = run.result();
    char* const to = out.BeginState(result.size());
    out.EndState(std::copy(result.begin(), result.end(), to));  // also where a state, and so the buffer, is empty
    return ++added < kMaxSuccessors;
  };
  for (const Family& family : file_.families) {
    if (added >= kMaxSuccessors) return;
    if (family.mode == Family::Mode::kAlone && (file_.grammar.is_list || family.rules.front().forms.size() == 1)) {
      run.ForEach(family.rules.front(), [&] { return add(family.rules.front()); });
      continue;
    }
    if (family.mode == Family::Mode::kEach) {
      const Choice& choice = *family.rules.front().choice;
      for (const auto& chosen : run.CommonChoices(choice)) {
        run.Fix(&choice, chosen);
        for (const Rule& rule : family.rules) run.ForEach(rule, [&] { return add(rule); });
        if (added >= kMaxSuccessors) return;
      }
      run.Fix(nullptr, {});
      continue;
    }
    const bool is_first_only = family.mode == Family::Mode::kFirst;
    for (std::uint32_t at = 0; at < run.places(); ++at) {
      const std::size_t before = added;
      const bool is_operator = !file_.grammar.is_list && state[at].kind == PartKind::kOperator;
      for (const auto& [rule_index, form] : family.FormsAt(is_operator ? state[at].id : -1)) {
        const Rule& rule = family.rules[rule_index];
        run.ForEachAt(rule, rule.forms[form], at, [&] { return add(rule); });
        if (is_first_only && added > before) break;
      }
      if (added >= kMaxSuccessors) return;
    }
  }
}

bool Engine::AnyRuleApplies(const TermText& state) const {
  Run& run = RunOf(file_, state);
  bool applies = false;
  for (const Family& family : file_.families) {
    for (const Rule& rule : family.rules) {
      run.ForEach(rule, [&] {
        applies = true;
        return false;
      });
      if (applies) return true;
    }
  }
  return false;
}

std::vector<Application> Engine::Applications(const Rule& rule, const TermText& state) const {
  std::vector<Application> found;
  Run& run = RunOf(file_, state);
  run.ForEach(rule, [&] {
    Application application{run.result(), run.at(), {}, {}};
    application.slots["from"] = run.From();
    application.slots["to"] = run.To();
    std::vector<std::int32_t> variables;
    for (const Part& part : run.form().left) {
      if (part.kind == PartKind::kVariable || (part.kind == PartKind::kGap && part.id >= 0)) variables.push_back(part.id);
    }
    if (rule.choice) variables.push_back(rule.choice->variable);
    for (const std::int32_t variable : variables) {
      std::string text;
      run.AppendVariable(text, variable);
      application.bound.emplace_back(variable, text);
      application.slots[file_.variables[static_cast<std::size_t>(variable)].name] = std::move(text);
    }
    found.push_back(std::move(application));
    return found.size() < kMaxSuccessors;
  });
  return found;
}

std::string Engine::Fill(const Template& text, const Definition& file, const Application& application) {
  std::string filled;
  for (std::size_t i = 0; i < text.literals.size(); ++i) {
    filled += text.literals[i];
    if (i >= text.slots.size()) break;
    const std::int32_t slot = text.slots[i];
    const std::string& name = slot >= 0                 ? file.variables[static_cast<std::size_t>(slot)].name
                              : slot == Template::kFrom ? "from"
                                                        : "to";
    if (const auto found = application.slots.find(name); found != application.slots.end()) filled += found->second;
  }
  return filled;
}

}  // namespace conpole::files
