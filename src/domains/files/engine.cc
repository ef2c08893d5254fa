#include "domains/files/engine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "conpole/domain.h"
#include "domains/axioms/decimal.h"
#include "domains/files/expression.h"
#include "domains/files/program.h"
#include "math/divisors.h"
#include "util/text.h"

namespace conpole::files {
namespace {

// How much matching the patterns of lists may take for one rule and state.
constexpr std::size_t kMaxListWork = 200'000;
constexpr std::size_t kMaxChoices = 1'000;
// How many choices are made in all for one state.
constexpr std::size_t kMaxChoicesMade = 1'000'000;

enum class Truth : std::uint8_t { kFalse, kTrue, kUnknown };

// What a variable stands for: a part of the state, a number, or elements of a list.
struct Binding {
  enum class Kind : std::uint8_t { kPart, kNumber, kStretch };
  Kind kind = Kind::kPart;
  std::uint32_t part = 0;  // or the first element
  std::uint32_t end = 0;   // the element after the last one
  Rational number{};       // of kNumber
};

// What a written term looks like from outside.
struct Look {
  PartKind kind = PartKind::kNumber;
  std::int32_t id = 0;
  Rational number{};
  bool is_coefficient = false;  // 2x; the number is its coefficient
};

std::optional<Rational> Integral(std::optional<Rational> value) { return value && value->IsInteger() ? value : std::nullopt; }

bool HoldsFor(Sign sign, int order) {
  switch (sign) {
    case Sign::kEqual:
      return order == 0;
    case Sign::kUnequal:
      return order != 0;
    case Sign::kLess:
      return order < 0;
    case Sign::kLessOrEqual:
      return order <= 0;
    case Sign::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

// Uses rules on one state. Its buffers are used again and again.
class Run {
 public:
  // Results are appended to `out`.
  void Begin(const Definition& file, const TermText& state, Successors* out) {
    file_ = &file;
    state_ = &state;
    parts_ = state.parts().data();
    size_ = state.size();
    out_ = out;
    elements_ = state.elements().data();
    count_ = static_cast<std::uint32_t>(state.elements().empty() ? 0 : state.elements().size() - 1);
    if (bindings_.size() < file.variables.size()) bindings_.resize(file.variables.size());
    is_fixed_ = false;
    choices_made_ = 0;
    modest_parts_ = kModestParts + kModestCopies * state.size();
    modest_bytes_ = kModestBytes + kModestCopies * (state.text().size() + kNumberBytes);
    is_small_ = modest_bytes_ <= 2 * kModestBytes && modest_parts_ + state.size() <= kMaxParts;
  }

  // Appends every result of the rule, in order, and calls `sink()` after each, until it returns false; result() and the like
  // are about the last one.
  template <class Sink>
  void ForEach(const RuleProgram& rule, const Sink& sink) {
    if (file_->grammar.is_list) {
      for (const FormProgram& form : rule.forms) {
        if (!ForEachInList(rule, form, sink)) return;
      }
      return;
    }
    for (std::uint32_t at = 0; at < size_; ++at) {
      for (const FormProgram& form : rule.forms) {
        if (!ForEachAt(rule, form, at, sink)) return;
      }
    }
  }

  // A form that may apply to a part of a term.
  struct Candidate {
    std::uint32_t at;
    std::uint32_t form;
  };

  // Finds them all: those of each group by their places.
  void FindCandidates(const FormIndex& index) {
    const std::size_t words = index.words;
    const std::size_t size = size_;
    const std::size_t groups = index.groups.size() - 1;
    if (candidates_.size() < size * index.forms.size()) candidates_.resize(size * index.forms.size());
    if (group_ends_.size() < groups) group_ends_.resize(groups);
    Candidate** const ends = group_ends_.data();
    for (std::size_t group = 0; group < groups; ++group) ends[group] = FirstOf(index, group);
    const FormIndex::Entry* const forms = index.forms.data();
    const auto top = [](const Part& one) { return std::size_t{TopOf(one.kind, one.id)}; };
    for (std::uint32_t at = 0; at < size; ++at) {
      const Part* const part = parts_ + at;
      const bool is_operator = part->kind == PartKind::kOperator;
      const std::size_t head = is_operator ? static_cast<std::size_t>(part->id) + 1 : 0;
      const bool has_second = part->size > 2 && part[1].size + 1 < part->size;
      const std::uint64_t* const by_head = index.by_head.data() + head * words;
      const std::uint64_t* const by_first = index.by_first.data() + (part->size > 1 ? top(part[1]) : kNoTop) * words;
      const std::uint64_t* const by_second =
          index.by_second.data() + (has_second ? top(part[1 + part[1].size]) : kNoTop) * words;
      for (std::uint32_t w = 0; w < words; ++w) {
        for (std::uint64_t bits = by_head[w] & by_first[w] & by_second[w]; bits != 0; bits &= bits - 1) {
          const std::uint32_t form = w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
          *ends[forms[form].group]++ = {at, form};
        }
      }
    }
  }
  std::span<const Candidate> CandidatesOf(const FormIndex& index, std::size_t group) {
    return {FirstOf(index, group), group_ends_.data()[group]};
  }

  // Uses a candidate. `sink` as in ForEach.
  template <class Sink>
  [[gnu::always_inline]] bool ForEachOf(const FormIndex::Entry& entry, std::uint32_t at, const Sink& sink) {
    const FormProgram& form = *entry.form;
    const Wanted* const wanted = form.left.data();
    if (!MatchParts(wanted + form.first, wanted + form.last, at + form.first)) return true;
    at_ = at;
    return WithChoices(*entry.rule, form, sink);
  }

  // The same at one place: a part, or the first element that is matched.
  template <class Sink>
  bool ForEachAt(const RuleProgram& rule, const FormProgram& form, std::uint32_t at, const Sink& sink) {
    if (file_->grammar.is_list) {
      if (!form.is_window) return ForEachInList(rule, form, sink, at);
      if (at < FirstPlace(form) || at > LastPlace(form) || at + form.window > count_ || !MatchAt(form, at)) return true;
    } else if (!Match(form.left, at)) {
      return true;
    }
    at_ = at;
    return WithChoices(rule, form, sink);
  }

  // Places of a list that ForEachAt may be asked about.
  std::uint32_t places() const { return count_ + 1; }

  // What all rules of a family choose from. Good until it is asked again.
  const std::vector<Binding>& CommonChoices(const Choice& choice, const std::vector<Test>& common) {
    choices_.clear();
    CollectChoices(choice);
    std::erase_if(choices_, [&](const Binding& chosen) {
      bindings_[static_cast<std::size_t>(choice.variable)] = chosen;
      return !FitsChoice(choice.variable, chosen) || !Hold(common);
    });
    common_choices_.swap(choices_);
    return common_choices_;
  }
  // From now on the rules that begin with this choice take no other; nothing ends it.
  void Fix(const Choice* choice, const Binding& chosen) {
    is_fixed_ = choice != nullptr;
    if (is_fixed_) bindings_[static_cast<std::size_t>(choice->variable)] = chosen;
  }

  bool MatchesWhole(const FormProgram& goal) {
    if (!file_->grammar.is_list) return Match(goal.left, 0) && Hold(goal.where);
    bool found = false;
    MatchList(goal, {}, [&] {
      found = Hold(goal.where);
      return !found;
    });
    return found;
  }

  // Of the last result.
  const Form& form() const { return *form_->form; }
  std::string_view result() const { return out_->state(out_->size() - 1); }
  std::size_t at() const { return at_; }
  void AppendFrom(std::string& out) const {
    if (!file_->grammar.is_list) return state_->AppendPart(out, at_);
    out += From();
  }
  std::string_view From() const {
    if (!file_->grammar.is_list) return state_->Span(at_);
    if (last_element_ < at_ || last_element_ == kNone) return {};
    return StretchText(static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(last_element_ + 1));
  }
  std::size_t PlaceOf(std::int32_t variable) const { return binding(variable).part; }
  void AppendExpression(std::string& out, std::int32_t expression) {
    const Expression& worked_out = file_->expressions[static_cast<std::size_t>(expression)];
    if (const std::optional<Rational> value = Evaluate(worked_out)) AppendNumber(out, *value);
  }
  bool has_place() const { return !file_->grammar.is_list || last_element_ != kNone; }
  std::string_view To() const {
    if (file_->grammar.is_list) return result();
    if (is_folded_) return piece_.view();
    const auto [begin, end] = SpanWithBrackets(at_);
    const std::size_t brackets = place_ == Place::kInBrackets ? 1 : 0;
    const std::size_t around = state_->text().size() - (end - begin) + 2 * brackets;
    return result().substr(begin + brackets, result().size() - around);
  }
  void AppendVariable(std::string& out, std::int32_t variable) const {
    const Binding& bound = binding(variable);
    switch (bound.kind) {
      case Binding::Kind::kPart:
        state_->AppendPart(out, bound.part);
        break;
      case Binding::Kind::kNumber:
        AppendOperand(out, file_->grammar, bound.number, 0);
        break;
      case Binding::Kind::kStretch:
        out += StretchText(bound.part, bound.end);
        break;
    }
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  // How a result stands where it is put: as it is, or in brackets, or it becomes one with what is around it.
  enum class Place : std::uint8_t { kPlain, kInBrackets, kFolded };

  Candidate* FirstOf(const FormIndex& index, std::size_t group) {
    return candidates_.data() + index.groups.data()[group] * size_;
  }

  // --- Matching -----------------------------------------------------------------------------------------------------------

  [[gnu::always_inline]] bool Fits(Type type, std::size_t at) const {
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

  [[gnu::always_inline]] bool Match(const std::vector<Wanted>& left, std::size_t at) const {
    return MatchParts(left.data(), left.data() + left.size(), at);
  }

  // Both are in pre-order, so that one pass goes through both.
  [[gnu::always_inline]] bool MatchParts(const Wanted* wanted, const Wanted* end, std::size_t at) const {
    for (; wanted != end; ++wanted) {
      const Part& part = parts_[at];
      switch (wanted->kind) {
        case Wanted::Kind::kPart:
          if (part.kind != wanted->part || part.id != wanted->id) return false;
          ++at;
          break;
        case Wanted::Kind::kNumber:
          if (part.kind != PartKind::kNumber || part.number != wanted->number || part.id != wanted->id) return false;
          ++at;
          break;
        case Wanted::Kind::kVariable: {
          if (wanted->type != Type::kTerm && !Fits(wanted->type, at)) return false;
          Binding& bound = bindings_.data()[wanted->id];
          bound.kind = Binding::Kind::kPart;
          bound.part = static_cast<std::uint32_t>(at);
          at += part.size;
          break;
        }
        case Wanted::Kind::kKnown: {
          const Binding& known = bindings_.data()[wanted->id];
          if (known.kind == Binding::Kind::kNumber) {  // a chosen one
            if (part.kind != PartKind::kNumber || part.number != known.number) return false;
          } else if (!state_->Equal(known.part, at)) {
            return false;
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

  // Matches what is wanted from `i` on against elements from `element` on. `found` returns whether to go on. Returns false if
  // not.
  template <class Found>
  bool MatchElements(const std::vector<Wanted>& left, std::size_t i, std::uint32_t element, const Found& found) {
    if (++work_ > kMaxListWork) return false;
    if (i >= left.size()) return element == count_ ? found() : true;
    const Wanted& wanted = left[i];
    if (wanted.kind != Wanted::Kind::kGap && wanted.kind != Wanted::Kind::kKnownGap) {
      if (element >= count_) return true;
      if (!MatchParts(&wanted, &wanted + wanted.size, elements_[element])) return true;
      const std::size_t old_first = first_element_;
      const std::size_t old_last = last_element_;
      if (first_element_ == kNone) first_element_ = element;
      last_element_ = element;
      const bool go_on = MatchElements(left, i + wanted.size, element + 1, found);
      first_element_ = old_first;
      last_element_ = old_last;
      return go_on;
    }
    if (wanted.kind == Wanted::Kind::kKnownGap) {  // the same stretch again
      const Binding known = GapOf(wanted.id);
      const std::uint32_t length = known.end - known.part;
      if (element + length > count_) return true;
      for (std::uint32_t k = 0; k < length; ++k) {
        if (!state_->Equal(elements_[known.part + k], elements_[element + k])) return true;
      }
      return MatchElements(left, i + 1, element + length, found);
    }
    // The last gap takes all that is left.
    const bool is_last = i + 1 == left.size();
    for (std::uint32_t end = is_last ? count_ : element; end <= count_; ++end) {
      // If a stretch does not fit, longer ones do not fit either.
      if (wanted.type != Type::kTerm && !StretchFits(wanted.type, element, end)) return true;
      SetGap(wanted.id, element, end);
      if (!MatchElements(left, i + 1, end, found)) return false;
    }
    return true;
  }

  bool StretchFits(Type type, std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t k = begin; k < end; ++k) {
      if (!Fits(type, elements_[k])) return false;
    }
    return true;
  }

  Binding& GapOf(std::int32_t id) {
    if (id >= 0) return bindings_.data()[id];
    const auto index = static_cast<std::size_t>(-1 - id);
    if (gaps_.size() <= index) gaps_.resize(index + 1);
    return gaps_.data()[index];
  }
  void SetGap(std::int32_t id, std::uint32_t begin, std::uint32_t end) {
    Binding& gap = GapOf(id);
    gap.kind = Binding::Kind::kStretch;
    gap.part = begin;
    gap.end = end;
  }

  // Calls `found` for each way in which the list is as wanted, or those at one place, until it returns false.
  template <class Found>
  void MatchList(const FormProgram& form, std::optional<std::uint32_t> place, const Found& found) {
    if (form.is_window) {
      if (count_ < form.window) return;
      for (std::uint32_t at = FirstPlace(form); at <= LastPlace(form); ++at) {
        if (MatchAt(form, at) && !found()) return;
      }
      return;
    }
    work_ = 0;
    first_element_ = last_element_ = kNone;
    // ".. a .. b" at one place leaves only the second gap to be looked for.
    if (place && form.before != nullptr && form.before->id < 0 && form.window > 0) {
      SetGap(form.before->id, 0, *place);
      MatchElements(form.left, 1, *place, found);
    } else if (place) {
      MatchElements(form.left, 0, 0, [&] { return (first_element_ == kNone ? 0 : first_element_) != *place || found(); });
    } else {
      MatchElements(form.left, 0, 0, found);
    }
  }

  // Where a window may begin, if the list has as many elements.
  std::uint32_t FirstPlace(const FormProgram& form) const { return form.after != nullptr ? 0 : count_ - form.window; }
  std::uint32_t LastPlace(const FormProgram& form) const { return form.before != nullptr ? count_ - form.window : 0; }

  [[gnu::always_inline]] bool MatchAt(const FormProgram& form, std::uint32_t at) {
    const Wanted* const wanted = form.left.data();
    if (!MatchParts(wanted + form.first, wanted + form.last, elements_[at])) return false;
    // Nobody asks for what stays where it is and has no name.
    if (form.before != nullptr && (!form.is_splice || form.before->id >= 0)) SetGap(form.before->id, 0, at);
    if (form.after != nullptr && (!form.is_splice || form.after->id >= 0)) SetGap(form.after->id, at + form.window, count_);
    first_element_ = at;
    last_element_ = at + form.window - 1;
    return true;
  }

  template <class Sink>
  bool ForEachInList(const RuleProgram& rule, const FormProgram& form, const Sink& sink,
                     std::optional<std::uint32_t> place = {}) {
    bool go_on = true;
    MatchList(form, place, [&] {
      at_ = first_element_ == kNone ? 0 : first_element_;
      go_on = WithChoices(rule, form, sink);
      return go_on;
    });
    return go_on;
  }

  // --- Expressions and conditions -----------------------------------------------------------------------------------------

  const Binding& binding(std::int32_t variable) const { return bindings_.data()[variable]; }

  std::optional<Rational> NumberOf(const Binding& bound) const {
    if (bound.kind == Binding::Kind::kNumber) return bound.number;
    if (bound.kind != Binding::Kind::kPart || parts_[bound.part].kind != PartKind::kNumber) return std::nullopt;
    const Part& part = parts_[bound.part];
    if (part.id == 0) return part.number;
    // A decimal number that may be too large.
    if (part.id < 0) return std::nullopt;
    if (part.number.Is(0)) return Rational(0);
    const std::optional<Rational> scale = ApplyFunction(Function::kPower, Rational(10), Rational(part.id));
    return scale ? Rational::Apply('*', part.number, *scale) : std::nullopt;
  }

  // Results in the notation of decimal numbers, which keep their exponents; of any size.
  std::optional<Decimal> EvaluateDecimal(const Expression& expression) {
    const auto scratch = [&]() -> std::string& {
      if (scratch_used_ == scratch_.size()) scratch_.emplace_back();
      return scratch_[scratch_used_++];
    };
    if (expression.function == Function::kVariable && binding(expression.variable).kind == Binding::Kind::kPart) {
      const Part& part = parts_[binding(expression.variable).part];
      if (part.kind != PartKind::kNumber) return std::nullopt;
      if (part.id >= 0) return Decimal(part.number.numerator(), part.id);
      const std::string_view text = state_->Span(binding(expression.variable).part);
      Decimal number;
      TermError error;
      const bool is_negative = text.starts_with('-');
      const char* const begin = text.data() + (is_negative ? 1 : 0);
      const bool is_read = Decimal::Read(begin, text.data() + text.size(), is_negative, number, error) != nullptr;
      return is_read ? std::optional(number) : std::nullopt;
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
        return expression.function == Function::kMultiply ? Decimal::Multiply(*a, *b, scratch())
                                                          : Decimal::Add(*a, *b, scratch());
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
        return value ? std::optional(Decimal(value->numerator(), 0)) : std::nullopt;
      }
    }
  }

  // EvaluateInteger, with less to do for numbers and variables.
  [[gnu::always_inline]] bool IntegerOf(const Expression& expression, std::int64_t& value) const {
    if (expression.function == Function::kNumber) {
      value = expression.number.numerator();
      return expression.number.IsInteger();
    }
    if (expression.function != Function::kVariable) return EvaluateInteger(expression, value);
    const Binding& bound = binding(expression.variable);
    const Part& part = parts_[bound.part];
    const bool is_number = bound.kind == Binding::Kind::kNumber;
    const Rational& number = is_number ? bound.number : part.number;
    value = number.numerator();
    return number.IsInteger() &&
           (is_number || (bound.kind == Binding::Kind::kPart && part.kind == PartKind::kNumber && part.id == 0));
  }

  // Most values are small integers. False if it is another or none: then Evaluate knows.
  bool EvaluateInteger(const Expression& expression, std::int64_t& value) const {
    const Expression* const arguments = expression.arguments.data();
    std::int64_t a = 0;
    std::int64_t b = 0;
    const auto has_both = [&] { return IntegerOf(arguments[0], a) && IntegerOf(arguments[1], b); };
    switch (expression.function) {
      case Function::kNumber:
      case Function::kVariable:
        return IntegerOf(expression, value);
      case Function::kAdd:
        return has_both() && !__builtin_add_overflow(a, b, &value) && value != INT64_MIN;
      case Function::kSubtract:
        return has_both() && !__builtin_sub_overflow(a, b, &value) && value != INT64_MIN;
      case Function::kMultiply:
        return has_both() && !__builtin_mul_overflow(a, b, &value) && value != INT64_MIN;
      case Function::kDivide:
        if (!has_both() || b == 0 || a % b != 0) return false;
        value = a / b;
        return true;
      case Function::kModulo:
      case Function::kQuotient: {
        if (!has_both() || b == 0) return false;
        const bool is_rounded = a % b != 0 && (a < 0) != (b < 0);
        const std::int64_t quotient = a / b - (is_rounded ? 1 : 0);
        value = expression.function == Function::kQuotient ? quotient : a % b + (is_rounded ? b : 0);
        return true;
      }
      case Function::kNegate:
        if (!IntegerOf(arguments[0], a)) return false;
        value = -a;
        return true;
      case Function::kAbs:
        if (!IntegerOf(arguments[0], a)) return false;
        value = a < 0 ? -a : a;
        return true;
      case Function::kGcd:
        if (!has_both()) return false;
        value = std::gcd(a, b);
        return true;
      case Function::kMantissa: {
        const Expression& of = arguments[0];
        if (of.function != Function::kVariable || binding(of.variable).kind != Binding::Kind::kPart) return false;
        const Part& part = parts_[binding(of.variable).part];
        value = part.number.numerator();
        return part.kind == PartKind::kNumber && part.id >= 0 && part.number.IsInteger();
      }
      case Function::kLength: {
        const Binding& bound = binding(expression.variable);
        value = std::int64_t{bound.end} - bound.part;
        return true;
      }
      default:
        return false;
    }
  }

  std::optional<Rational> Evaluate(const Expression& expression) const {
    if (std::int64_t integer = 0; EvaluateInteger(expression, integer)) return Rational(integer);
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
        return Rational(bound.kind == Binding::Kind::kPart ? parts_[bound.part].size : 1);
      }
      case Function::kMantissa: {
        const Expression& of = expression.arguments[0];
        if (of.function != Function::kVariable || binding(of.variable).kind != Binding::Kind::kPart) return values[0];
        const Part& part = parts_[binding(of.variable).part];
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
      const Part& part = parts_[elements_[k]];
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

  Truth Holds(const Test& test) const {
    const Condition& condition = *test.condition;
    const auto truth = [&](bool holds) { return holds != condition.is_negated ? Truth::kTrue : Truth::kFalse; };
    switch (condition.kind) {
      case Condition::Kind::kCompare:
        return Compare(test);
      case Condition::Kind::kIs: {
        if (condition.left.function == Function::kVariable && binding(condition.left.variable).kind == Binding::Kind::kPart) {
          return truth(Fits(condition.type, binding(condition.left.variable).part));
        }
        const std::optional<Rational> value = Evaluate(condition.left);
        return truth(value && condition.type != Type::kLetter && condition.type != Type::kConstant &&
                     (condition.type != Type::kInteger || value->IsInteger()));
      }
      case Condition::Kind::kOccurs:
        return truth(Occurs(test));
      case Condition::Kind::kLike: {
        const Binding& bound = binding(condition.in);
        if (bound.kind == Binding::Kind::kPart) return truth(Match(test.like, bound.part));
        return truth(condition.part.front().kind == PartKind::kNumber && condition.part.front().number == bound.number);
      }
      case Condition::Kind::kAscending:
      case Condition::Kind::kIncreasing: {
        const Binding& stretch = binding(condition.in);
        const int most = condition.kind == Condition::Kind::kAscending ? 0 : -1;
        for (std::uint32_t k = stretch.part; k + 1 < stretch.end; ++k) {
          if (CompareElements(elements_[k], elements_[k + 1]) > most) return Truth::kFalse;
        }
        return Truth::kTrue;
      }
      case Condition::Kind::kAnyOf: {
        Truth best = Truth::kFalse;
        for (const Test& one : test.any) {
          const Truth its = Holds(one);
          if (its == Truth::kTrue || (its == Truth::kUnknown && one.sign == Sign::kUnequal)) return Truth::kTrue;
          if (its == Truth::kUnknown) best = its;
        }
        return best;
      }
    }
    return Truth::kUnknown;
  }

  // Numbers by their value, others by their text; numbers come first.
  int CompareElements(std::size_t a, std::size_t b) const {
    const Part& left = parts_[a];
    const Part& right = parts_[b];
    const bool left_is_number = left.kind == PartKind::kNumber;
    const bool right_is_number = right.kind == PartKind::kNumber;
    if (left_is_number && right_is_number) {
      if (!left.number.IsInteger() || !right.number.IsInteger()) return CompareNumbers(left.number, right.number);
      return left.number.numerator() < right.number.numerator() ? -1 : left.number.numerator() > right.number.numerator();
    }
    if (left_is_number != right_is_number) return left_is_number ? -1 : 1;
    const int order = state_->Span(a).compare(state_->Span(b));
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }

  Truth Compare(const Test& test) const {
    const Condition& condition = *test.condition;
    const auto has_no_value = [&](const Expression& expression) {
      if (expression.function != Function::kVariable) return false;
      const Binding& bound = binding(expression.variable);
      return bound.kind == Binding::Kind::kPart && parts_[bound.part].kind != PartKind::kNumber;
    };
    if (!test.compares_variables && (has_no_value(condition.left) || has_no_value(condition.right))) return Truth::kUnknown;
    std::int64_t a = 0;
    std::int64_t b = 0;
    if (IntegerOf(condition.left, a) && IntegerOf(condition.right, b)) {
      return HoldsFor(test.sign, a < b ? -1 : a > b ? 1 : 0) ? Truth::kTrue : Truth::kFalse;
    }
    if (test.compares_variables) {
      const bool wants_equal = test.sign == Sign::kEqual;
      const Binding& first = binding(condition.left.variable);
      const Binding& second = binding(condition.right.variable);
      if (first.kind == Binding::Kind::kStretch || second.kind == Binding::Kind::kStretch) {
        std::string first_text;
        std::string second_text;
        AppendVariable(first_text, condition.left.variable);
        AppendVariable(second_text, condition.right.variable);
        return (first_text == second_text) == wants_equal ? Truth::kTrue : Truth::kFalse;
      }
      if (!NumberOf(first) || !NumberOf(second)) {
        const bool is_same =
            first.kind == Binding::Kind::kPart && second.kind == Binding::Kind::kPart && state_->Equal(first.part, second.part);
        return is_same == wants_equal ? Truth::kTrue : is_same ? Truth::kFalse : Truth::kUnknown;
      }
    }
    const std::optional<Rational> left = Evaluate(condition.left);
    const std::optional<Rational> right = left ? Evaluate(condition.right) : std::nullopt;
    if (!left || !right) return Truth::kUnknown;
    return HoldsFor(test.sign, CompareNumbers(*left, *right)) ? Truth::kTrue : Truth::kFalse;
  }

  bool Occurs(const Test& test) const {
    const Condition& condition = *test.condition;
    const Binding& in = binding(condition.in);
    std::uint32_t begin = in.part;
    std::uint32_t end = 0;
    if (in.kind == Binding::Kind::kStretch) {
      begin = elements_[in.part];
      end = elements_[in.end];
    } else if (in.kind == Binding::Kind::kPart) {
      end = begin + parts_[begin].size;
    }
    if (!test.like.empty()) {
      while (begin < end && !Match(test.like, begin)) ++begin;
      return begin < end;
    }
    std::string text;
    if (!condition.is_operator) AppendVariable(text, condition.left.variable);
    for (std::uint32_t i = begin; i < end; ++i) {
      const Part& part = parts_[i];
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
  bool Hold(const std::vector<Test>& tests) const {
    for (const Test& test : tests) {
      const Truth truth = Holds(test);
      if (truth == Truth::kFalse || (truth == Truth::kUnknown && test.sign != Sign::kUnequal)) return false;
    }
    return true;
  }

  bool Allowed(const RuleProgram& rule, const FormProgram& form) const {
    if (!Hold(form.where)) return false;
    return std::none_of(rule.assumptions.begin(), rule.assumptions.end(),
                        [&](const Test& test) { return Holds(test) == Truth::kFalse; });
  }

  // --- Choices ------------------------------------------------------------------------------------------------------------

  template <class Sink>
  bool WithChoices(const RuleProgram& rule, const FormProgram& form, const Sink& sink) {
    if (form.is_free) return !Write(form) || sink();
    choices_.clear();
    return ChooseFrom(rule, form, is_fixed_ ? 1 : 0, sink);
  }

  // Makes the choices from the k-th on.
  template <class Sink>
  bool ChooseFrom(const RuleProgram& rule, const FormProgram& form, std::size_t k, const Sink& sink) {
    const std::vector<Choice>& choices = rule.rule->choices;
    const auto go_on = [&] {
      if (++choices_made_ > kMaxChoicesMade) return false;
      if (k + 1 < choices.size()) return ChooseFrom(rule, form, k + 1, sink);
      return !Allowed(rule, form) || !Write(form) || sink();
    };
    if (k == choices.size()) return !Allowed(rule, form) || !Write(form) || sink();
    const std::int32_t variable = choices[k].variable;
    Binding& chosen = bindings_[static_cast<std::size_t>(variable)];
    if (!rule.fixed_choices[k].empty()) {
      for (const Rational& number : rule.fixed_choices[k]) {
        chosen.kind = Binding::Kind::kNumber;
        chosen.number = number;
        if (!go_on()) return false;
      }
      return true;
    }
    // What earlier choices are made of stays below.
    const std::size_t first = choices_.size();
    CollectChoices(choices[k]);
    bool goes_on = true;
    for (std::size_t i = first; i < choices_.size() && goes_on; ++i) {
      chosen = choices_[i];
      if (FitsChoice(variable, chosen)) goes_on = go_on();
    }
    choices_.resize(first);
    return goes_on;
  }

  bool FitsChoice(std::int32_t variable, const Binding& choice) const {
    const Type type = file_->variables[static_cast<std::size_t>(variable)].type;
    if (choice.kind == Binding::Kind::kPart) return Fits(type, choice.part);
    return type != Type::kLetter && type != Type::kConstant && (type != Type::kInteger || choice.number.IsInteger());
  }

  void CollectChoices(const Choice& choice) {
    using Kind = Choice::Source::Kind;
    most_choices_ = choices_.size() + kMaxChoices;
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
          for (std::int64_t i = 0; i < static_cast<std::int64_t>(kMaxChoices); ++i) {
            if (low->numerator() > last || i > last - low->numerator()) break;
            AddChoice(Rational(low->numerator() + i));
          }
          break;
        }
        case Kind::kDivisors:
        case Kind::kFactors:
        case Kind::kPrimes:
          AddDivisors(Integral(Evaluate(source.low)), source.kind);
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
    if (choices_.size() < most_choices_) choices_.push_back({Binding::Kind::kNumber, 0, 0, number});
  }

  void AddDivisors(const std::optional<Rational>& number, Choice::Source::Kind kind) {
    using Kind = Choice::Source::Kind;
    if (!number || number->Is(0)) return;
    const auto n = static_cast<std::uint64_t>(number->numerator() < 0 ? -number->numerator() : number->numerator());
    std::vector<std::uint64_t>& small = divisors_;
    small.clear();
    AppendSmallDivisors(n, small);
    if (kind != Kind::kPrimes) {
      for (const std::uint64_t k : small) AddChoice(Rational(static_cast<std::int64_t>(k)));
      for (std::size_t i = kind == Kind::kFactors ? 0 : small.size(); i-- > 0;) {
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
    for (std::uint32_t i = 0; i < size_ && choices_.size() < most_choices_; ++i) {
      const Part& part = parts_[i];
      if (part.kind == PartKind::kList || (i == 0 && kind == Kind::kTerms)) continue;
      const bool fits = kind == Kind::kTerms || (kind == Kind::kAtoms && part.size == 1) ||
                        (kind == Kind::kNumbers && part.kind == PartKind::kNumber) ||
                        (kind == Kind::kLetters && part.kind == PartKind::kLetter);
      if (!fits || !Fits(type, i)) continue;
      const auto is_same = [&](const Binding& other) {
        return other.kind == Binding::Kind::kPart && state_->Equal(other.part, i);
      };
      if (std::any_of(choices_.begin() + static_cast<std::ptrdiff_t>(before), choices_.end(), is_same)) continue;
      choices_.push_back({Binding::Kind::kPart, i, 0, {}});
    }
  }

  // --- Writing ------------------------------------------------------------------------------------------------------------

  // Works out what is to be worked out, and how much room it takes. False if something has no result.
  bool Compute(const FormProgram& form) {
    const NumberNotation notation = file_->grammar.numbers;
    if (computed_.size() < form.form->right.size()) computed_.resize(form.form->right.size());
    if (notation == NumberNotation::kDecimal) {
      decimals_.resize(form.computed.size());
      scratch_used_ = 0;
    }
    for (std::size_t k = 0; k < form.computed.size(); ++k) {
      const Expression& expression = *form.computed[k].expression;
      Rational& number = computed_.data()[form.computed[k].part];
      if (notation == NumberNotation::kDecimal) {
        const std::optional<Decimal> value = EvaluateDecimal(expression);
        if (!value) return false;
        decimals_[k] = *value;
        number = Rational(value->IsNegative() ? -1 : 1);
        bytes_ += value->MaxBytes();
        continue;
      }
      std::int64_t integer = 0;
      if (EvaluateInteger(expression, integer)) {
        number = Rational(integer);
      } else if (const std::optional<Rational> value = Evaluate(expression)) {
        if (notation == NumberNotation::kWhole && !value->IsInteger()) return false;
        number = *value;
      } else {
        return false;
      }
      if (file_->grammar.has_characters() && (number.numerator() < 0 || number.numerator() > 9)) return false;
      if (notation == NumberNotation::kStrokes && (!number.IsInteger() || number.numerator() < 0)) return false;
      bytes_ += BytesOf(number);
    }
    return true;
  }

  std::size_t BytesOf(const Rational& number) const {
    if (file_->grammar.numbers != NumberNotation::kStrokes) return kNumberBytes;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(number.numerator(), 0, kMaxStateBytes + 1));
  }

  // Finds out how much room a result takes at most: bytes_ and parts_written_, the latter exactly if it is more than a state
  // may have. False if it is too large.
  [[gnu::noinline]] bool Measure(const FormProgram& form) {
    bytes_ += form.bytes;
    parts_written_ = form.parts;
    std::size_t copied = 0;
    for (const std::int32_t variable : form.variables) {
      const Binding& bound = binding(variable);
      if (bound.kind == Binding::Kind::kNumber) {
        bytes_ += BytesOf(bound.number);
        ++parts_written_;
      } else {
        const Part& part = parts_[bound.part];
        copied += part.end - part.begin;
        bytes_ += 2;  // a coefficient elsewhere
        parts_written_ += part.size;
      }
    }
    for (const std::int32_t id : form.stretches) {
      const Binding& stretch = GapOf(id);
      if (stretch.part == stretch.end) continue;
      copied += parts_[elements_[stretch.end - 1]].end - parts_[elements_[stretch.part]].begin;
      parts_written_ += elements_[stretch.end] - elements_[stretch.part];
    }
    bytes_ += copied;
    return copied <= kMaxStateBytes + 2 * kMaxParts;
  }

  Look LookOfState(std::size_t at) const {
    const Part& part = parts_[at];
    if (state_->IsCoefficient(at)) return {part.kind, part.id, parts_[at + 1].number, true};
    return {part.kind, part.id, part.number, false};
  }

  Look LookOf(const Binding& bound) const {
    if (bound.kind == Binding::Kind::kNumber) return {PartKind::kNumber, 0, bound.number, false};
    return LookOfState(bound.part);
  }

  // Of a part of the right side.
  Look LookOf(std::size_t i) const {
    const std::vector<Part>& right = form_->form->right;
    const Part& part = right[i];
    switch (part.kind) {
      case PartKind::kComputed:
        return {PartKind::kNumber, 0, computed_[i], false};
      case PartKind::kVariable:
        return LookOf(binding(part.id));
      case PartKind::kOperator:
        if (part.id == file_->grammar.minus()) {
          const Look inside = LookOf(i + 1);
          if (inside.kind == PartKind::kNumber) return {PartKind::kNumber, 0, -inside.number, false};
        }
        if (part.id == file_->grammar.coefficient && part.size > 2) {
          const Look left = LookOf(i + 1);
          if (left.kind != PartKind::kNumber) return {part.kind, part.id, {}, false};
          const Look second = LookOf(i + 1 + right[i + 1].size);
          if (second.kind == PartKind::kLetter) return {part.kind, part.id, left.number, true};
        }
        return {part.kind, part.id, {}, false};
      default:
        return {part.kind, part.id, part.number, false};
    }
  }

  // Whether LookOf must be asked.
  [[gnu::always_inline]] bool MayFold(std::size_t i) const {
    const Part* const part = form_->form->right.data() + i;
    if (part->id != file_->grammar.coefficient || part[1].kind != PartKind::kVariable) return true;
    const Binding& left = binding(part[1].id);
    if (left.kind == Binding::Kind::kPart && parts_[left.part].kind != PartKind::kNumber) return false;
    if (part[2].kind != PartKind::kVariable) return true;
    const Binding& right = binding(part[2].id);
    return right.kind == Binding::Kind::kPart && parts_[right.part].kind == PartKind::kLetter;
  }

  bool NeedsBrackets(const Look& look, std::int32_t parent, std::size_t side) const {
    const Grammar& grammar = file_->grammar;
    const Shape shape =
        look.is_coefficient ? grammar.ShapeOfCoefficient(look.number) : grammar.ShapeOf(look.kind, look.id, look.number);
    return grammar.NeedsBrackets(shape, look.kind, look.id, parent, side);
  }

  std::string_view StretchText(std::uint32_t begin, std::uint32_t end) const {
    if (begin == end) return {};
    const std::uint32_t first = parts_[elements_[begin]].begin;
    return state_->text().substr(first, parts_[elements_[end - 1]].end - first);
  }

  enum class Order : std::uint8_t { kSame, kReversed, kSorted };
  // In order_: the elements of a stretch.
  void OrderStretch(const Binding& stretch, Order order) {
    order_.resize(stretch.end - stretch.part);
    std::iota(order_.begin(), order_.end(), stretch.part);
    if (order == Order::kReversed) std::reverse(order_.begin(), order_.end());
    if (order != Order::kSorted) return;
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return CompareElements(elements_[a], elements_[b]) < 0; });
  }

  // Whether a number is written in the same way everywhere: as its digits alone.
  bool IsUsual(const Rational& number) const {
    const NumberNotation notation = file_->grammar.numbers;
    return number.IsInteger() && number.numerator() >= 0 && notation != NumberNotation::kDecimal &&
           notation != NumberNotation::kStrokes;
  }

  // Takes the steps of a right side. Returns the end; nothing if a part cannot be written.
  char* TakeSteps(const FormProgram& form, char* out) {
    const char* const text = state_->text().data();
    const Binding* const bindings = bindings_.data();
    is_first_ = true;
    const Step* const end = form.steps.data() + form.steps.size();
    for (const Step* step = form.steps.data(); step != end; ++step) {
      std::memcpy(out, step->text.data(), step->text.size());
      out += step->text_length;
      if (step->kind == Step::Kind::kText) continue;
      if (step->kind == Step::Kind::kVariable) {
        const Binding& bound = bindings[step->id];
        const Part& part = parts_[bound.part];
        if (bound.kind == Binding::Kind::kPart && (part.oddities & step->oddities) == 0) {  // as most often
          out = CopyShort(out, text + part.begin, part.end - part.begin);
          continue;
        }
        if (bound.kind == Binding::Kind::kNumber && IsUsual(bound.number)) {
          out = WriteInteger(out, bound.number.numerator());
          continue;
        }
      } else if (step->kind == Step::Kind::kComputed) {
        const Rational& number = computed_.data()[form.computed.data()[step->id].part];
        if (IsUsual(number)) {
          out = WriteInteger(out, number.numerator());
          continue;
        }
      } else if (step->kind == Step::Kind::kFold && !MayFold(static_cast<std::size_t>(step->id))) {
        continue;
      }
      out = TakeStep(form, step, out);
      step += skipped_;
      if (out == nullptr) return nullptr;
    }
    return out;
  }

  // Takes one step besides the text before it, and says in skipped_ how many after it it stands for.
  [[gnu::noinline]] char* TakeStep(const FormProgram& form, const Step* step, char* out) {
    skipped_ = 0;
    const Grammar& grammar = file_->grammar;
    const std::string& separator = grammar.list.separator;
    switch (step->kind) {
      case Step::Kind::kText:
        return out;
      case Step::Kind::kVariable: {
        const Binding& bound = binding(step->id);
        const bool brackets = step->parent >= 0 && NeedsBrackets(LookOf(bound), step->parent, step->side);
        if (brackets) *out++ = '(';
        if (bound.kind == Binding::Kind::kNumber) {
          out = WriteOperand(out, grammar, bound.number, 0);
        } else {
          out = state_->WritePart(out, bound.part);
        }
        if (brackets) *out++ = ')';
        return out;
      }
      case Step::Kind::kComputed: {
        const auto index = static_cast<std::size_t>(step->id);
        const Rational& number = computed_[form.computed[index].part];
        const bool brackets =
            step->parent >= 0 && NeedsBrackets({PartKind::kNumber, 0, number, false}, step->parent, step->side);
        if (brackets) *out++ = '(';
        out = grammar.numbers == NumberNotation::kDecimal ? decimals_[index].Write(out) : WriteOperand(out, grammar, number, 0);
        if (brackets) *out++ = ')';
        break;
      }
      case Step::Kind::kField: {
        const Look look = LookOf(static_cast<std::size_t>(step->id));
        const std::int64_t value = look.number.numerator();
        if (look.kind != PartKind::kNumber || !look.number.IsInteger() || value < 0 || value > step->length - step->begin) {
          return nullptr;
        }
        *out++ = static_cast<char>(step->begin + value);
        break;
      }
      case Step::Kind::kFold: {
        const auto part = static_cast<std::size_t>(step->id);
        const Look look = LookOf(part);
        if (look.kind != PartKind::kNumber && !look.is_coefficient) break;
        const bool brackets = step->parent >= 0 && NeedsBrackets(look, step->parent, step->side);
        if (brackets) *out++ = '(';
        if (look.is_coefficient) {
          const std::vector<Part>& right = form.form->right;
          out = WriteNumber(out, look.number);
          *out++ = static_cast<char>(LookOf(part + 1 + right[part + 1].size).id);
        } else {
          if (BytesOf(look.number) > kNumberBytes) return nullptr;  // strokes
          out = WriteOperand(out, grammar, look.number, 0);
          parts_written_ -= form.form->right[part].size - 1;
        }
        if (brackets) *out++ = ')';
        skipped_ = step->length;
        break;
      }
      case Step::Kind::kSeparator:
        if (!is_first_) out = WriteText(out, separator);
        is_first_ = false;
        break;
      case Step::Kind::kStretch: {
        const Binding& stretch = GapOf(step->id);
        const std::string_view text = StretchText(stretch.part, stretch.end);
        if (stretch.part == stretch.end) break;
        if (step->side != 0 || !is_first_) out = WriteText(out, separator);
        is_first_ = false;
        out = CopyBlocks(out, text.data(), text.size());
        break;
      }
      case Step::Kind::kReversed:
      case Step::Kind::kSorted: {
        is_first_ = is_first_ && step->side == 0;
        OrderStretch(binding(step->id), step->kind == Step::Kind::kReversed ? Order::kReversed : Order::kSorted);
        for (const std::uint32_t k : order_) {
          if (!is_first_) out = WriteText(out, separator);
          is_first_ = false;
          const Part& part = parts_[elements_[k]];
          out = CopyBlocks(out, state_->text().data() + part.begin, part.end - part.begin);
        }
        break;
      }
    }
    return out;
  }

  // Appends the result. False if there is none, or it is too large.
  bool Write(const FormProgram& form) {
    form_ = &form;
    if (form.is_rebuilt) return WriteRebuilt(form);
    const bool is_modest = is_small_ && form.is_modest;
    bytes_ = modest_bytes_;
    parts_written_ = modest_parts_;
    if (!is_modest) bytes_ = 0;
    if (!form.computed.empty() && !Compute(form)) return false;
    if (!is_modest && !Measure(form)) return false;
    if (!file_->grammar.is_list) return WriteTerm(form);
    if (form.is_splice) return WriteWindow(form);
    char* const begin = out_->BeginState(bytes_);
    char* const end = TakeSteps(form, begin);
    return end != nullptr && parts_written_ <= kMaxParts && Finish(begin, end);
  }

  bool WriteTerm(const FormProgram& form) {
    const Part& old = parts_[at_];
    is_folded_ = false;
    place_ = form.is_atom ? ((old.oddities & kCoefficientPart) == 0 ? Place::kPlain : Place::kFolded)
                          : (at_ == 0 ? Place::kPlain : FindPlace());
    if (place_ == Place::kFolded) return WriteRebuilt(form);
    const std::string_view text = state_->text();
    const auto [begin, end] = SpanWithBrackets(at_);
    char* const state = out_->BeginState(text.size() + bytes_ + 2);
    char* out = CopyShort(state, text.data(), begin);
    if (place_ == Place::kInBrackets) *out++ = '(';
    out = TakeSteps(form, out);
    if (out == nullptr || size_ - old.size + parts_written_ > kMaxParts) return false;
    if (place_ == Place::kInBrackets) *out++ = ')';
    return Finish(state, CopyShort(out, text.data() + end, text.size() - end));
  }

  // How a result that is no atom stands below another part.
  [[gnu::noinline]] Place FindPlace() const {
    const std::size_t parent = parts_[at_].parent;
    if (IsPlainPlace(parts_[parent])) return Place::kPlain;
    const Look look = LookOf(std::size_t{0});
    if (IsFoldedAt(at_, look)) return Place::kFolded;
    return NeedsBrackets(look, parts_[parent].id, SideOf(parent, at_)) ? Place::kInBrackets : Place::kPlain;
  }

  // Puts the result together as a term. What is replaced may change what has brackets or is one number anywhere in it, and what
  // stands around a result may become one with it; this is rare. If there is nothing to replace, it is no step.
  [[gnu::noinline]] bool WriteRebuilt(const FormProgram& form) {
    bytes_ = 0;
    if (!Compute(form)) return false;
    built_.clear();
    has_replaced_ = !form.is_rebuilt;
    is_folded_ = true;  // its text is in piece_
    is_negated_ = false;
    built_at_ = 0;
    if (file_->grammar.is_list) {
      built_.push_back({.kind = PartKind::kList});
      for (std::size_t i = 1; i < form.form->right.size(); i += form.form->right[i].size) BuildElement(i);
      CloseBuilt(built_, 0);
    } else {
      BuildState(0);
    }
    if (!has_replaced_ || !rebuilt_.Assemble(file_->grammar, built_)) return false;
    if (is_negated_) {
      std::string number;
      AppendOperand(number, file_->grammar, -built_[built_at_].number, 0);
      piece_.Assign(number);
    } else if (!file_->grammar.is_list) {
      piece_.Assign(rebuilt_.Span(built_at_));
    }
    const std::string_view text = rebuilt_.text();
    char* const begin = out_->BeginState(text.size());
    return Finish(begin, WriteText(begin, text));
  }

  void BuildState(std::uint32_t i) {
    if (i == at_) {
      built_at_ = built_.size();
      return BuildRight(0, built_);
    }
    const std::size_t to = built_.size();
    built_.push_back(parts_[i]);
    for (std::uint32_t at = i + 1; at < i + parts_[i].size; at += parts_[at].size) BuildState(at);
    CloseBuilt(built_, to);
    if (built_at_ < built_.size()) return;
    built_at_ = to;  // a sign became one with it
    is_negated_ = !is_negated_;
  }

  void BuildElement(std::size_t i) {
    const Part& part = form_->form->right[i];
    if (part.kind != PartKind::kGap && part.kind != PartKind::kListFunction &&
        (part.kind != PartKind::kReplaced || form_->form->right[i + 1].kind != PartKind::kGap)) {
      return BuildRight(i, built_);
    }
    if (part.kind != PartKind::kReplaced) {
      OrderStretch(GapOf(part.id), part.kind == PartKind::kGap ? Order::kSame
                                   : part.number.Is(0)         ? Order::kReversed
                                                               : Order::kSorted);
      for (const std::uint32_t k : order_) AppendParts(elements_[k], built_);
      return;
    }
    const Replacement with = ReplacementOf(i);
    const Binding stretch = GapOf(form_->form->right[i + 1].id);
    for (std::uint32_t k = stretch.part; k < stretch.end; ++k) Replace(parts_ + elements_[k], with, built_);
  }

  // A part of the right side.
  void BuildRight(std::size_t i, std::vector<Part>& out) {
    const std::vector<Part>& right = form_->form->right;
    const Part& part = right[i];
    if (part.kind == PartKind::kComputed) return out.push_back({.number = computed_[i]});
    if (part.kind == PartKind::kVariable) {
      const Binding& bound = binding(part.id);
      if (bound.kind == Binding::Kind::kNumber) return out.push_back({.number = bound.number});
      return AppendParts(bound.part, out);
    }
    if (part.kind == PartKind::kReplaced) {
      std::vector<Part> in;
      BuildRight(i + 1, in);
      return Replace(in.data(), ReplacementOf(i), out);
    }
    const std::size_t to = out.size();
    out.push_back(part);
    for (std::size_t at = i + 1; at < i + part.size; at += right[at].size) BuildRight(at, out);
    CloseBuilt(out, to);
  }

  void AppendParts(std::uint32_t from, std::vector<Part>& out) const {
    out.insert(out.end(), parts_ + from, parts_ + from + parts_[from].size);
  }

  // Now all operands are there. A minus sign becomes one with a number.
  void CloseBuilt(std::vector<Part>& out, std::size_t at) const {
    out[at].size = static_cast<std::uint32_t>(out.size() - at);
    const bool is_minus = out[at].kind == PartKind::kOperator && out[at].id == file_->grammar.minus();
    if (!is_minus || out.size() != at + 2 || out.back().kind != PartKind::kNumber) return;
    out[at] = {.number = -out.back().number};
    out.pop_back();
  }

  struct Replacement {
    std::vector<Part> what;
    std::vector<Part> by;
  };
  Replacement ReplacementOf(std::size_t i) {
    const std::vector<Part>& right = form_->form->right;
    const std::size_t what = i + 1 + right[i + 1].size;
    Replacement with;
    BuildRight(what, with.what);
    BuildRight(what + right[what].size, with.by);
    return with;
  }

  // What is too large is cut off: it is no state.
  void Replace(const Part* in, const Replacement& with, std::vector<Part>& out) {
    if (out.size() > kMaxParts) return;
    const auto is_same = [](const Part& a, const Part& b) {
      return a.kind == b.kind && a.id == b.id && a.size == b.size && a.number == b.number;
    };
    if (std::equal(with.what.begin(), with.what.end(), in, in + in->size, is_same)) {
      has_replaced_ = true;
      out.insert(out.end(), with.by.begin(), with.by.end());
      return;
    }
    const std::size_t to = out.size();
    out.push_back(*in);
    for (const Part* below = in + 1; below < in + in->size; below += below->size) Replace(below, with, out);
    CloseBuilt(out, to);
  }

  // What stands before and after the elements stays as it is.
  bool WriteWindow(const FormProgram& form) {
    const auto first = static_cast<std::uint32_t>(first_element_);
    const std::uint32_t past = first + form.window;
    std::size_t begin = parts_[elements_[first]].begin;
    std::size_t end = parts_[elements_[past - 1]].end;
    if (form.written == 0) {  // a separator goes too
      if (past < count_) {
        end = parts_[elements_[past]].begin;
      } else if (first > 0) {
        begin = parts_[elements_[first - 1]].end;
      }
    }
    const std::string_view text = state_->text();
    char* const state = out_->BeginState(text.size() + bytes_);
    char* const out = TakeSteps(form, CopyBlocks(state, text.data(), begin));
    const std::size_t taken = elements_[past] - elements_[first];
    if (out == nullptr || size_ - taken + parts_written_ > kMaxParts) return false;
    return Finish(state, CopyBlocks(out, text.data() + end, text.size() - end));
  }

  bool Finish(const char* begin, char* end) {
    if (static_cast<std::size_t>(end - begin) > kMaxStateBytes) return false;
    out_->EndState(end);
    return true;
  }

  // The text that a result takes the place of.
  std::pair<std::size_t, std::size_t> SpanWithBrackets(std::size_t place) const {
    const Part& old = parts_[place];
    const std::uint32_t around = old.is_bracketed && place != 0 ? 1 : 0;
    return {old.begin - around, old.end + around};
  }

  // How a minus sign or a coefficient is written depends on what it stands before.
  bool IsFoldedAt(std::size_t place, const Look& look) const {
    const Grammar& grammar = file_->grammar;
    const Part& above = parts_[parts_[place].parent];
    if (above.kind != PartKind::kOperator) return false;
    if (above.id == grammar.minus()) return look.kind == PartKind::kNumber;
    return grammar.coefficient >= 0 && above.id == grammar.coefficient &&
           (BecomesCoefficient(place, look) || state_->IsCoefficient(parts_[place].parent));
  }

  bool BecomesCoefficient(std::size_t place, const Look& look) const {
    const std::size_t parent = parts_[place].parent;
    if (place != parent + 1) return parts_[parent + 1].kind == PartKind::kNumber && look.kind == PartKind::kLetter;
    return look.kind == PartKind::kNumber && parts_[place + parts_[place].size].kind == PartKind::kLetter;
  }

  // Whether what stands below it is written in the same way whatever it is.
  bool IsPlainPlace(const Part& above) const {
    return !file_->grammar.MayNeedBrackets(above.id) && above.id != file_->grammar.coefficient;
  }

  std::size_t SideOf(std::size_t parent, std::size_t place) const {
    if (file_->grammar.op(parts_[parent].id).fix == Fix::kPrefix) return 1;
    return place == parent + 1 ? 0 : 1;
  }

  const Definition* file_ = nullptr;
  const TermText* state_ = nullptr;
  Successors* out_ = nullptr;
  const Part* parts_ = nullptr;  // of the state
  std::size_t size_ = 0;
  const std::uint32_t* elements_ = nullptr;  // of a list
  std::uint32_t count_ = 0;
  const FormProgram* form_ = nullptr;
  mutable std::vector<Binding> bindings_;  // what is like a pattern binds variables of its own
  std::vector<Binding> gaps_;
  std::vector<Binding> choices_;
  std::vector<Binding> common_choices_;
  std::vector<Candidate> candidates_;  // room for those of each group, one after the other
  std::vector<Candidate*> group_ends_;
  std::vector<Rational> computed_;  // by their places in the right side
  std::vector<Decimal> decimals_;   // the same by their places among what is computed
  std::deque<std::string> scratch_;
  std::size_t scratch_used_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> divisors_;
  TextBuffer piece_;
  std::vector<Part> built_;  // a state that is written anew, and where the result is in it
  std::size_t built_at_ = 0;
  bool has_replaced_ = false;
  bool is_negated_ = false;
  TermText rebuilt_;
  bool is_folded_ = false;
  bool is_first_ = true;  // whether no element is written yet
  Place place_ = Place::kPlain;
  std::size_t skipped_ = 0;
  std::size_t bytes_ = 0;
  std::size_t parts_written_ = 0;
  std::size_t at_ = 0;
  std::size_t first_element_ = kNone;
  std::size_t last_element_ = kNone;
  std::size_t work_ = 0;
  std::size_t modest_bytes_ = 0;  // what a modest form writes at most
  std::size_t modest_parts_ = 0;
  bool is_small_ = false;  // the state
  bool is_fixed_ = false;  // whether the first choice is made
  std::size_t most_choices_ = 0;
  std::size_t choices_made_ = 0;
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
    for (const Choice& choice : rule.choices) {
      label += ", ";
      run.AppendVariable(label, choice.variable);
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

// Two forms of a rule may apply to one part. Labels name one successor each.
class LabelsOfRule {
 public:
  // From now on, labels are of a rule whose successors begin at `first`.
  void Begin(std::size_t first) {
    first_ = first;
    many_.clear();
    seen_.fill(0);
  }

  // If the label is there, it gets a number. The last successor has none yet; `at` tells most labels apart.
  void Add(const Successors& out, std::size_t at, std::string& label) {
    std::size_t bit = BitOf(label, at);
    if ((seen_[bit / 64] >> (bit % 64) & 1) != 0) {
      AddNumber(out, label);
      bit = BitOf(label, at);
    }
    seen_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }

 private:
  static constexpr std::size_t kBits = 4'096;

  static std::size_t BitOf(const std::string& label, std::size_t at) {
    std::uint64_t end = 0;
    const std::size_t bytes = std::min(label.size(), sizeof end);
    std::memcpy(&end, label.data() + label.size() - bytes, bytes);
    return static_cast<std::size_t>(((end ^ std::uint64_t{label.size()} << 56) + at) * 0x9E3779B97F4A7C15U >> 52) % kBits;
  }

  void AddNumber(const Successors& out, std::string& label) {
    constexpr std::size_t kFew = 50;
    const std::size_t length = label.size();
    const std::size_t last = out.size() - 1;
    if (last - first_ < kFew) {
      const auto is_there = [&] {
        for (std::size_t i = first_; i < last; ++i) {
          if (out.label(i) == label) return true;
        }
        return false;
      };
      for (int k = 2; is_there(); ++k) {
        label.resize(length);
        label += ", " + std::to_string(k);
      }
      return;
    }
    for (std::size_t i = first_ + many_.size(); i < last; ++i) many_.emplace(out.label(i), 1);
    const auto [known, is_new] = many_.try_emplace(label, 1);
    while (!is_new) {
      label.resize(length);
      label += ", " + std::to_string(++known->second);
      if (many_.try_emplace(label, 1).second) return;
    }
  }

  std::size_t first_ = 0;
  std::array<std::uint64_t, kBits / 64> seen_{};
  std::unordered_map<std::string, int> many_;  // with the last number that was given
};

Run& RunOf(const Definition& file, const TermText& state, Successors* out) {
  thread_local Run run;
  run.Begin(file, state, out);
  return run;
}

}  // namespace

Engine::Engine(const Definition& file) : file_(file) {
  if (file.kind == StateKind::kLayout) return;
  for (const Family& family : file.families) families_.emplace_back(file, family);
  for (const Goal& goal : file.goals) goals_.emplace_back(file, goal);
  index_ = FormIndex(file, families_);
}

bool Engine::Solved(const TermText& state) const {
  Run& run = RunOf(file_, state, nullptr);
  bool is_solved = false;
  for (const GoalProgram& goal : goals_) {
    if (is_solved && !goal.goal->is_negated) continue;
    const bool fits =
        (goal.goal->pattern.empty() || run.MatchesWhole(goal.form)) && (!goal.goal->is_no_rule || !AnyRuleApplies(state));
    if (fits && goal.goal->is_negated) return false;
    is_solved = is_solved || fits;
  }
  return is_solved;
}

void Engine::Append(const TermText& state, Labels labels, Successors& out) const {
  if (state.size() > file_.limit || state.text().size() > file_.byte_limit) return;
  Run& run = RunOf(file_, state, &out);
  std::size_t added = 0;
  if (labels == Labels::kOff) {
    AppendAll(run, [&](const Rule&) { return ++added < kMaxSuccessors; });
    return;
  }
  thread_local std::string label;
  thread_local LabelsOfRule labels_of_rule;
  const Rule* last_rule = nullptr;
  AppendAll(run, [&](const Rule& rule) {
    if (&rule != last_rule) labels_of_rule.Begin(out.size() - 1);
    last_rule = &rule;
    AppendLabel(rule, run, label);
    labels_of_rule.Add(out, run.at(), label);
    char* const to = out.BeginLabel(label.size());
    out.EndLabel(WriteText(to, label));
    return ++added < kMaxSuccessors;
  });
}

// Calls `added(rule)` after each successor, until it returns false.
template <class Run, class Added>
void Engine::AppendAll(Run& run, const Added& added) const {
  const bool is_list = file_.grammar.is_list;
  if (!is_list) run.FindCandidates(index_);
  bool go_on = true;
  // Whether there was a result.
  const auto use = [&](const FormIndex::Entry& entry, std::uint32_t at) {
    bool any = false;
    const auto sink = [&] {
      any = true;
      return go_on = added(*entry.rule->rule);
    };
    is_list ? run.ForEachAt(*entry.rule, *entry.form, at, sink) : run.ForEachOf(entry, at, sink);
    return any;
  };
  const auto use_group = [&](std::size_t group, bool is_first_only) {
    std::uint32_t done = 0;  // the place after the last one that needs no more forms
    for (const auto& [at, form] : run.CandidatesOf(index_, group)) {
      if (at < done) continue;
      const bool any = use(index_.forms.data()[form], at);
      if (!go_on) return;
      if (any && is_first_only) done = at + 1;
    }
  };
  for (const FamilyProgram& family : families_) {
    if (!go_on) return;
    const bool is_first_only = family.mode == Family::Mode::kFirst;
    if (family.mode == Family::Mode::kEach) {
      bool any = is_list;
      for (std::size_t group = family.first_group; group < family.last_group; ++group) {
        any = any || !run.CandidatesOf(index_, group).empty();
      }
      if (!any) continue;
      const Choice& choice = family.rules.front().rule->choices.front();
      for (const auto& chosen : run.CommonChoices(choice, family.common)) {
        run.Fix(&choice, chosen);
        for (std::size_t i = 0; i < family.rules.size() && go_on; ++i) {
          const RuleProgram& rule = family.rules[i];
          is_list ? run.ForEach(rule, [&] { return go_on = added(*rule.rule); }) : use_group(family.first_group + i, false);
        }
      }
      run.Fix(nullptr, {});
    } else if (!is_list) {
      use_group(family.first_group, is_first_only);
    } else if (family.mode == Family::Mode::kAlone) {
      const RuleProgram& rule = family.rules.front();
      run.ForEach(rule, [&] { return go_on = added(*rule.rule); });
    } else {
      const std::uint32_t first = index_.groups[family.first_group];
      const std::uint32_t last = index_.groups[family.last_group];
      for (std::uint32_t at = 0; at < run.places() && go_on; ++at) {
        for (std::size_t form = first; form < last && go_on; ++form) {
          if (use(index_.forms[form], at) && is_first_only) break;
        }
      }
    }
  }
}

bool Engine::AnyRuleApplies(const TermText& state) const {
  thread_local Successors found;
  found.Clear();
  AppendAll(RunOf(file_, state, &found), [](const Rule&) { return false; });
  return !found.empty();
}

std::vector<Application> Engine::Applications(const Rule& rule, const TermText& state) const {
  return Applications(RuleProgram(file_, rule), state);
}

std::vector<Application> Engine::Applications(const RuleProgram& program, const TermText& state) const {
  const Rule& rule = *program.rule;
  std::vector<Application> found;
  thread_local Successors results;
  results.Clear();
  Run& run = RunOf(file_, state, &results);
  run.ForEach(program, [&] {
    Application application{std::string(run.result()), run.at(), {}, {}};
    application.slots["from"] = run.From();
    application.slots["to"] = run.To();
    std::vector<std::int32_t> variables;
    for (const Part& part : run.form().left) {
      if (part.kind == PartKind::kVariable || (part.kind == PartKind::kGap && part.id >= 0)) variables.push_back(part.id);
    }
    for (const Choice& choice : rule.choices) variables.push_back(choice.variable);
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
