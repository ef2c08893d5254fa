#include "domains/files/flat_list.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "domains/files/engine.h"
#include "domains/files/expression.h"
#include "util/bit_cast.h"
#include "util/text.h"

namespace conpole::files {
namespace {

// Numbers of more digits are left to the engine; no sum of so many factors is too large.
constexpr std::size_t kMaxDigits = 9;
constexpr std::int64_t kMaxFactor = 1'000'000;
constexpr std::size_t kMaxFactors = 64;
constexpr std::size_t kMaxTable = 1 << 14;
constexpr std::uint32_t kMaxWindow = 64;
constexpr std::size_t kMaxStride = 500;  // so that places in a window are 16 bits

bool IsAsWanted(Sign sign, std::int64_t difference) {
  switch (sign) {
    case Sign::kEqual:
      return difference == 0;
    case Sign::kUnequal:
      return difference != 0;
    case Sign::kLess:
      return difference < 0;
    case Sign::kLessOrEqual:
      return difference <= 0;
    case Sign::kGreater:
      return difference > 0;
    default:
      return difference >= 0;
  }
}

}  // namespace

struct FlatLists::List {
  TextBuffer text;
  std::uint32_t count = 0;
  // Of numbers: where each element begins, and where one more would; and their values.
  std::vector<std::uint32_t> starts;
  std::vector<std::int64_t> values;
};

// Turns rules into forms. Every function returns false if something cannot be said in this way.
class FlatLists::Compiler {
 public:
  Compiler(const Definition& file, FlatLists& lists) : file_(file), grammar_(file.grammar), lists_(lists) {}

  bool Compile() {
    if (!FindElements()) return false;
    for (const Family& family : file_.families) {
      if (family.mode == Family::Mode::kEach) return false;
      const FamilyProgram program(file_, family);
      FlatFamily& flat = lists_.families_.emplace_back();
      flat.mode = family.mode;
      for (const RuleProgram& rule : program.rules) {
        if (!rule.rule->choices.empty() || !rule.assumptions.empty()) return false;
        for (const FormProgram& form : rule.forms) {
          if (form.is_rebuilt) return false;
          if (!CompileRule(form, flat.forms.emplace_back())) return false;
        }
        if (rule.forms.size() != 1 || !CompileLabel(*rule.rule, flat.forms.back())) lists_.has_labels_ = false;
      }
    }
    for (const Goal& goal : file_.goals) {
      if (!CompileGoal(GoalProgram(file_, goal), lists_.goals_.emplace_back())) return false;
    }
    return true;
  }

 private:
  bool FindElements() {
    if (!grammar_.is_list || grammar_.list.separator.empty()) return false;
    if (grammar_.element >= 0) {
      const auto& fields = grammar_.op(grammar_.element).fields;
      lists_.elements_ = Elements::kFields;
      lists_.width_ = fields.size();
      lists_.parts_ = 1 + fields.size();
      lists_.known_.assign(256 * fields.size(), 0);
      for (std::size_t k = 0; k < fields.size(); ++k) {
        for (int c = fields[k].first; c <= fields[k].second; ++c) lists_.known_[256 * k + static_cast<std::size_t>(c)] = 1;
      }
    } else if (grammar_.numbers == NumberNotation::kStrokes) {
      lists_.elements_ = Elements::kStrokes;
      if (grammar_.list.separator[0] == grammar_.stroke) return false;
    } else if (!FindSigns()) {
      return false;
    }
    lists_.stride_ = lists_.width_ + grammar_.list.separator.size();
    if (lists_.stride_ > kMaxStride) return false;
    lists_.separator_.Assign(grammar_.list.separator);
    lists_.known_.resize(256 * lists_.width_);
    for (const char c : grammar_.list.separator) {
      lists_.known_.resize(lists_.known_.size() + 256);
      lists_.known_[lists_.known_.size() - 256 + static_cast<unsigned char>(c)] = 1;
    }
    if (lists_.elements_ == Elements::kFields) FindRanges();
    return true;
  }

  void FindRanges() {
    if (std::endian::native != std::endian::little) return;
    std::vector<std::pair<char, char>> bounds = grammar_.op(grammar_.element).fields;
    for (const char c : grammar_.list.separator) bounds.emplace_back(c, c);
    if (std::any_of(bounds.begin(), bounds.end(), [](const auto& range) { return range.first < 0 || range.second < 0; }))
      return;
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    for (std::size_t word = 0; word < bounds.size(); ++word) {
      std::array<char, kWord> low{};
      std::array<char, kWord> room{};
      for (std::size_t i = 0; i < kWord; ++i) {
        const auto [first, last] = bounds[(word * kWord + i) % bounds.size()];
        low[i] = first;
        room[i] = static_cast<char>(127 - last);
      }
      lists_.ranges_.emplace_back(BitCast<std::uint64_t>(low), BitCast<std::uint64_t>(room));
    }
  }

  bool FindSigns() {
    std::vector<std::uint8_t> known(256);
    bool any = grammar_.has_letters();
    for (const Operator& op : grammar_.operators()) {
      if (op.fix != Fix::kConstant || op.symbol.size() != 1) return false;
      known[static_cast<unsigned char>(op.symbol[0])] = kConstants;
      any = true;
    }
    for (int c = 'A'; c <= 'z'; ++c) {
      if (grammar_.IsLetter(static_cast<char>(c))) known[static_cast<std::size_t>(c)] = kLetters;
    }
    if (any) {
      lists_.elements_ = Elements::kSigns;
      lists_.width_ = 1;
      if (known[static_cast<unsigned char>(grammar_.list.separator[0])] != 0) return false;
      lists_.known_ = std::move(known);
      return true;
    }
    if (grammar_.numbers != NumberNotation::kPlain && grammar_.numbers != NumberNotation::kWhole) return false;
    lists_.elements_ = Elements::kDigits;
    return !IsDigit(grammar_.list.separator[0]);
  }

  // A place of a variable: of fixed widths its first byte, else the element.
  struct Place {
    std::uint16_t at;
    int field;  // -1: a whole element
  };

  std::size_t Width() const { return lists_.is_fixed() ? lists_.stride_ : 1; }

  bool CompileWindow(const FormProgram& program, FlatForm& form) {
    places_.clear();
    if (!program.is_window || program.window > kMaxWindow) return false;
    form.window = program.window;
    form.has_before = program.before != nullptr;
    form.has_after = program.after != nullptr;
    std::uint32_t element = 0;
    for (std::size_t i = program.first; i < program.last; i += program.left[i].size, ++element) {
      if (!CompileElement(program.left, i, static_cast<std::uint16_t>(element * Width()), form)) return false;
    }
    return std::all_of(program.where.begin(), program.where.end(), [&](const Test& test) { return CompileTest(test, form); });
  }

  void Add(FlatForm& form, Check check) {
    if (check.kind == Check::Kind::kByte && check.at < sizeof(form.mask)) {
      reinterpret_cast<unsigned char*>(&form.mask)[check.at] = 0xFF;
      reinterpret_cast<char*>(&form.wanted)[check.at] = check.byte;
    } else if (check.kind == Check::Kind::kSameByte && form.same == form.other) {
      form.same = check.at;
      form.other = check.other;
    } else {
      form.checks.push_back(check);
    }
  }

  bool CompileElement(const std::vector<Wanted>& left, std::size_t i, std::uint16_t at, FlatForm& form) {
    const Wanted& wanted = left[i];
    if (wanted.kind == Wanted::Kind::kKnown) {
      const Place known = places_.at(wanted.id);
      if (!lists_.is_fixed()) {
        Add(form, {.kind = Check::Kind::kSameNumber, .at = at, .other = known.at});
        return true;
      }
      if (known.field >= 0) return false;
      for (std::size_t k = 0; k < lists_.width_; ++k) {
        Add(form, {.kind = Check::Kind::kSameByte,
                   .at = static_cast<std::uint16_t>(at + k),
                   .other = static_cast<std::uint16_t>(known.at + k)});
      }
      return true;
    }
    if (wanted.kind == Wanted::Kind::kVariable) {
      places_[wanted.id] = {at, -1};
      if (wanted.type == Type::kTerm) return true;
      if (lists_.elements_ == Elements::kFields) return false;
      if (lists_.elements_ != Elements::kSigns) return wanted.type != Type::kLetter && wanted.type != Type::kConstant;
      if (wanted.type == Type::kAtom) return true;
      if (wanted.type != Type::kLetter && wanted.type != Type::kConstant) return false;
      Table table{.bytes = std::vector<char>(256)};
      for (std::size_t c = 0; c < 256; ++c) {
        table.bytes[c] = lists_.known_[c] == (wanted.type == Type::kLetter ? kLetters : kConstants) ? 1 : 0;
      }
      Add(form, {.kind = Check::Kind::kSet, .at = at, .table = AddTable(std::move(table))});
      return true;
    }
    if (wanted.kind == Wanted::Kind::kNumber) {
      if (lists_.is_fixed() || !wanted.number.IsInteger() || wanted.id != 0) return false;
      Add(form, {.kind = Check::Kind::kNumber, .at = at, .number = wanted.number.numerator()});
      return true;
    }
    if (wanted.kind != Wanted::Kind::kPart || !lists_.is_fixed()) return false;
    if (lists_.elements_ == Elements::kSigns) {
      const char c = wanted.part == PartKind::kLetter ? static_cast<char>(wanted.id) : grammar_.op(wanted.id).symbol[0];
      Add(form, {.kind = Check::Kind::kByte, .byte = c, .at = at});
      return true;
    }
    if (wanted.part != PartKind::kOperator || wanted.id != grammar_.element) return false;
    for (std::size_t k = 0; k < lists_.width_; ++k) {
      if (!CompileField(left[i + 1 + k], static_cast<std::uint16_t>(at + k), k, form)) return false;
    }
    return true;
  }

  bool CompileField(const Wanted& wanted, std::uint16_t at, std::size_t k, FlatForm& form) {
    const auto [first, last] = grammar_.op(grammar_.element).fields[k];
    switch (wanted.kind) {
      case Wanted::Kind::kNumber: {
        const std::int64_t value = wanted.number.numerator();
        if (!wanted.number.IsInteger() || value < 0 || value > last - first) return false;
        Add(form, {.kind = Check::Kind::kByte, .byte = static_cast<char>(first + value), .at = at});
        return true;
      }
      case Wanted::Kind::kVariable:
        places_[wanted.id] = {at, static_cast<int>(k)};
        return wanted.type == Type::kTerm || wanted.type == Type::kAtom || wanted.type == Type::kNumber ||
               wanted.type == Type::kInteger;
      case Wanted::Kind::kKnown: {
        const Place known = places_.at(wanted.id);
        if (known.field < 0 || grammar_.op(grammar_.element).fields[static_cast<std::size_t>(known.field)].first != first)
          return false;
        Add(form, {.kind = Check::Kind::kSameByte, .at = at, .other = known.at});
        return true;
      }
      default:
        return false;
    }
  }

  std::uint32_t AddTable(Table table) {
    lists_.tables_.push_back(std::move(table));
    return static_cast<std::uint32_t>(lists_.tables_.size() - 1);
  }

  // --- Expressions --------------------------------------------------------------------------------------------------------

  static std::optional<Rational> Evaluate(const Expression& expression, const std::map<std::int32_t, std::int64_t>& values) {
    return EvaluateNumbers(expression, [&](std::int32_t variable) { return std::optional(Rational(values.at(variable))); });
  }

  // The variables, which must be fields; false if others are needed.
  bool FindFields(const Expression& expression, std::vector<std::int32_t>& variables) const {
    switch (expression.function) {
      case Function::kNumber:
        return true;
      case Function::kVariable: {
        const auto found = places_.find(expression.variable);
        if (found == places_.end() || found->second.field < 0) return false;
        if (std::find(variables.begin(), variables.end(), expression.variable) == variables.end()) {
          variables.push_back(expression.variable);
        }
        return variables.size() <= 2;
      }
      case Function::kLetter:
      case Function::kMantissa:
      case Function::kSize:
      case Function::kLength:
      case Function::kSum:
      case Function::kLeast:
      case Function::kGreatest:
      case Function::kOfFile:
        return false;
      default:
        return std::all_of(expression.arguments.begin(), expression.arguments.end(),
                           [&](const Expression& argument) { return FindFields(argument, variables); });
    }
  }

  // A table of `byte(values)` for all values of up to two fields. Tells where these are.
  template <class Byte>
  bool MakeTable(const std::vector<std::int32_t>& variables, std::uint16_t& at, std::uint16_t& other, std::uint32_t& index,
                 const Byte& byte) {
    const auto& fields = grammar_.op(grammar_.element).fields;
    const auto field = [&](std::size_t i) { return fields[static_cast<std::size_t>(places_.at(variables[i]).field)]; };
    if (variables.empty()) return false;
    const bool has_two = variables.size() == 2;
    const auto rows = static_cast<std::size_t>(field(0).second - field(0).first + 1);
    const std::size_t columns = has_two ? static_cast<std::size_t>(field(1).second - field(1).first + 1) : 1;
    if (rows * columns > kMaxTable) return false;
    Table table;
    table.first = static_cast<unsigned char>(field(0).first);
    table.second = has_two ? static_cast<unsigned char>(field(1).first) : 0;
    table.columns = has_two ? static_cast<std::uint32_t>(columns) : 0;
    std::map<std::int32_t, std::int64_t> values;
    for (std::size_t row = 0; row < rows; ++row) {
      values[variables[0]] = static_cast<std::int64_t>(row);
      for (std::size_t column = 0; column < columns; ++column) {
        if (has_two) values[variables[1]] = static_cast<std::int64_t>(column);
        table.bytes.push_back(byte(values));
      }
    }
    at = places_.at(variables[0]).at;
    other = has_two ? places_.at(variables[1]).at : at;
    index = AddTable(std::move(table));
    return true;
  }

  bool CompileTest(const Test& test, FlatForm& form) {
    const Condition& condition = *test.condition;
    if (condition.kind != Condition::Kind::kCompare || test.sign == Sign::kNone) return false;
    if (!lists_.is_fixed()) return CompileSum(condition, test.sign, form);
    if (test.compares_variables) {
      const auto left = places_.find(condition.left.variable);
      const auto right = places_.find(condition.right.variable);
      if (left == places_.end() || right == places_.end()) return false;
      if (left->second.field < 0 && right->second.field < 0) {
        if (test.sign == Sign::kUnequal) {
          Add(form, {.kind = Check::Kind::kDifferent, .at = left->second.at, .other = right->second.at});
          return true;
        }
        for (std::size_t k = 0; k < lists_.width_; ++k) {
          Add(form, {.kind = Check::Kind::kSameByte,
                     .at = static_cast<std::uint16_t>(left->second.at + k),
                     .other = static_cast<std::uint16_t>(right->second.at + k)});
        }
        return true;
      }
    }
    std::vector<std::int32_t> variables;
    if (lists_.elements_ != Elements::kFields || !FindFields(condition.left, variables) ||
        !FindFields(condition.right, variables)) {
      return false;
    }
    Check check{.kind = Check::Kind::kTable};
    const bool is_made = MakeTable(variables, check.at, check.other, check.table, [&](const auto& values) -> char {
      const std::optional<Rational> left = Evaluate(condition.left, values);
      const std::optional<Rational> right = Evaluate(condition.right, values);
      // What is not known counts as not holding, except "!=".
      const bool holds = left && right ? HoldsFor(condition.comparison, *left, *right) : test.sign == Sign::kUnequal;
      return holds ? 1 : 0;
    });
    if (is_made) Add(form, check);
    return is_made;
  }

  bool CompileSum(const Condition& condition, Sign sign, FlatForm& form) {
    Sum sum;
    if (!AddTo(sum, condition.left, 1) || !AddTo(sum, condition.right, -1) || sum.factors.size() > kMaxFactors) return false;
    lists_.sums_.push_back(std::move(sum));
    Add(form, {.kind = Check::Kind::kCompare, .sign = sign, .table = static_cast<std::uint32_t>(lists_.sums_.size() - 1)});
    return true;
  }

  bool AddTo(Sum& sum, const Expression& expression, std::int64_t factor) const {
    switch (expression.function) {
      case Function::kNumber:
        if (!expression.number.IsInteger() || std::abs(expression.number.numerator()) > kMaxFactor) return false;
        sum.constant += factor * expression.number.numerator();
        return true;
      case Function::kVariable: {
        const auto found = places_.find(expression.variable);
        if (found == places_.end()) return false;
        sum.factors.emplace_back(found->second.at, factor);
        return true;
      }
      case Function::kAdd:
        return AddTo(sum, expression.arguments[0], factor) && AddTo(sum, expression.arguments[1], factor);
      case Function::kSubtract:
        return AddTo(sum, expression.arguments[0], factor) && AddTo(sum, expression.arguments[1], -factor);
      case Function::kNegate:
        return AddTo(sum, expression.arguments[0], -factor);
      default:
        return false;
    }
  }

  // Labels that name one successor each, since the place comes first in them.
  bool CompileLabel(const Rule& rule, FlatForm& form) {
    Template pattern{.literals = {"", ""}, .slots = {Template::kRule}};
    if (rule.label) {
      pattern = *rule.label;
    } else if (form.window > 0) {
      if (lists_.elements_ == Elements::kStrokes) return false;  // of which nothing may be seen
      pattern = {{"", " ", ", ", ""}, {Template::kRule, Template::kAt, Template::kFrom}};
    }
    std::string text = pattern.literals.front();
    std::size_t known = 0;
    bool has_place = form.window == 0;
    for (std::size_t i = 0; i < pattern.slots.size(); ++i) {
      const std::int32_t slot = pattern.slots[i];
      const std::string& next = pattern.literals[i + 1];
      if (slot == Template::kRule) {
        text += rule.name;
      } else if (slot == Template::kAt) {
        if (next.empty() ? i + 1 < pattern.slots.size() : IsDigit(next[0])) return false;
        has_place = true;
      } else if (slot != Template::kFrom || !has_place) {
        return false;
      }
      if (slot != Template::kRule) form.label.emplace_back(text.size() - std::exchange(known, text.size()), slot);
      text += next;
    }
    form.label.emplace_back(text.size() - known, Template::kRule);
    form.label_texts.Assign(text);
    return has_place;
  }

  // --- Results ------------------------------------------------------------------------------------------------------------

  bool CompileRule(const FormProgram& program, FlatForm& form) {
    const std::vector<Part>& right = program.form->right;
    const std::vector<Wanted>& left = program.left;
    if (left.size() == 1 && left[0].kind == Wanted::Kind::kGap && left[0].type == Type::kTerm && right.size() == 2 &&
        right[1].kind == PartKind::kListFunction && right[1].number.Is(0) && right[1].id == left[0].id &&
        program.where.empty()) {
      return true;
    }
    if (!program.is_splice || program.written > kMaxWindow || !CompileWindow(program, form)) return false;
    form.written = program.written;
    std::size_t to = 0;
    for (std::size_t i = 2; i + 1 < right.size(); i += right[i].size) {
      if (i > 2) form.region += grammar_.list.separator;
      if (!CompileWritten(right, i, static_cast<std::uint16_t>(to), form)) return false;
      to += Width();
      form.region.append(lists_.width_, ' ');
    }
    if (lists_.is_fixed()) MoveBytes(form);
    form.is_exact = form.patches.empty() && form.copies.empty();
    if (lists_.moves_separators()) FindOrder(form);
    return true;
  }

  static void FindOrder(FlatForm& form) {
    std::vector<std::uint16_t> order;
    for (const Patch& patch : form.patches) {
      if (patch.kind == Patch::Kind::kElement) order.push_back(patch.at);
    }
    std::vector<std::uint16_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    const bool is_each_once = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (is_each_once && order.size() == form.window && form.written == form.window) form.order = std::move(order);
  }

  // Most steps exchange a few bytes.
  static void MoveBytes(FlatForm& form) {
    if (std::endian::native != std::endian::little || form.written != form.window || form.region.size() > sizeof(form.kept)) {
      return;
    }
    const auto byte_at = [](std::uint64_t byte, std::size_t at) { return byte << (8 * at); };
    std::size_t used = 0;
    std::array<FlatForm::Moved, 2> moved{};
    std::uint64_t kept = form.kept;
    for (const auto& [to, at] : form.copies) {
      const int left = 8 * (static_cast<int>(to) - static_cast<int>(at));
      std::size_t i = 0;
      while (i < used && moved[i].left != left) ++i;
      if (i == moved.size()) return;
      used = std::max(used, i + 1);
      moved[i].left = left;
      moved[i].mask |= byte_at(0xFF, at);
      kept &= ~byte_at(0xFF, to);
    }
    form.is_moved = true;
    form.moved = moved;
    form.copies.clear();
    for (const Patch& patch : form.patches) {
      kept &= ~byte_at(0xFF, patch.to);
      if (patch.kind == Patch::Kind::kByte) form.constant |= byte_at(static_cast<unsigned char>(patch.byte), patch.to);
    }
    form.kept = kept;
    std::erase_if(form.patches, [](const Patch& patch) { return patch.kind == Patch::Kind::kByte; });
  }

  bool CompileWritten(const std::vector<Part>& right, std::size_t i, std::uint16_t to, FlatForm& form) {
    const Part& part = right[i];
    if (!lists_.is_fixed()) {
      if (part.kind == PartKind::kVariable) {
        const auto found = places_.find(part.id);
        if (found == places_.end()) return false;
        form.patches.push_back({.kind = Patch::Kind::kElement, .at = found->second.at});
        return true;
      }
      if (part.kind != PartKind::kNumber || part.number.numerator() < 0 || !part.number.IsInteger()) return false;
      Patch text{.kind = Patch::Kind::kText};
      AppendOperand(text.text, grammar_, part.number, part.id);
      form.text_bytes += text.text.size();
      form.patches.push_back(std::move(text));
      return true;
    }
    if (part.kind == PartKind::kVariable) {
      const auto found = places_.find(part.id);
      if (found == places_.end() || found->second.field >= 0) return false;
      for (std::size_t k = 0; k < lists_.width_; ++k) {
        form.copies.emplace_back(to + k, found->second.at + k);
      }
      return true;
    }
    if (lists_.elements_ == Elements::kSigns) {
      if (part.kind != PartKind::kLetter && part.kind != PartKind::kOperator) return false;
      const char c = part.kind == PartKind::kLetter ? static_cast<char>(part.id) : grammar_.op(part.id).symbol[0];
      form.patches.push_back({.byte = c, .to = to});
      return true;
    }
    if (part.kind != PartKind::kOperator || part.id != grammar_.element) return false;
    for (std::size_t k = 0; k < lists_.width_; ++k) {
      if (!CompileWrittenField(right[i + 1 + k], static_cast<std::uint16_t>(to + k), k, form)) return false;
    }
    return true;
  }

  bool CompileWrittenField(const Part& part, std::uint16_t to, std::size_t k, FlatForm& form) {
    const auto [first, last] = grammar_.op(grammar_.element).fields[k];
    const std::int64_t most = last - first;
    if (part.kind == PartKind::kNumber) {
      if (!part.number.IsInteger() || part.number.numerator() < 0 || part.number.numerator() > most) return false;
      form.patches.push_back({.byte = static_cast<char>(first + part.number.numerator()), .to = to});
      return true;
    }
    Expression variable{.function = Function::kVariable, .variable = part.id};
    const Expression* expression = &variable;
    if (part.kind == PartKind::kVariable) {
      const auto found = places_.find(part.id);
      if (found == places_.end() || found->second.field < 0) return false;
      if (grammar_.op(grammar_.element).fields[static_cast<std::size_t>(found->second.field)] == std::pair(first, last)) {
        form.copies.emplace_back(to, found->second.at);
        return true;
      }
    } else if (part.kind == PartKind::kComputed) {
      expression = &file_.expressions[static_cast<std::size_t>(part.id)];
    } else {
      return false;
    }
    std::vector<std::int32_t> variables;
    if (!FindFields(*expression, variables)) return false;
    Patch patch{.kind = Patch::Kind::kTable, .to = to};
    const char begin = first;
    const bool is_made = MakeTable(variables, patch.at, patch.other, patch.table, [&](const auto& values) -> char {
      const std::optional<Rational> value = Evaluate(*expression, values);
      if (!value || !value->IsInteger() || value->numerator() < 0 || value->numerator() > most) return 0;
      return static_cast<char>(begin + value->numerator());
    });
    if (is_made) form.patches.push_back(std::move(patch));
    return is_made;
  }

  // --- Goals --------------------------------------------------------------------------------------------------------------

  bool CompileGoal(const GoalProgram& program, FlatGoal& goal) {
    goal.is_negated = program.goal->is_negated;
    if (program.goal->is_no_rule) {
      if (!program.goal->pattern.empty()) return false;
      goal.kind = FlatGoal::Kind::kNoRule;
      lists_.has_no_rule_goal_ = true;
      return !goal.is_negated;
    }
    const std::vector<Wanted>& left = program.form.left;
    const bool is_gap = left.size() == 1 && left[0].kind == Wanted::Kind::kGap && left[0].type == Type::kTerm;
    if (!is_gap) return CompileWindow(program.form, goal.form);
    goal.kind = FlatGoal::Kind::kWhole;
    for (const Test& test : program.form.where) {
      const Condition& condition = *test.condition;
      FlatGoal::OfWhole& of_whole = goal.conditions.emplace_back();
      if ((condition.kind == Condition::Kind::kAscending || condition.kind == Condition::Kind::kIncreasing) &&
          condition.in == left[0].id && !condition.is_negated) {
        of_whole.is_order = true;
        of_whole.most = condition.kind == Condition::Kind::kAscending ? 0 : -1;
        continue;
      }
      if (condition.kind != Condition::Kind::kCompare || condition.left.function != Function::kLength ||
          condition.left.variable != left[0].id || condition.right.function != Function::kNumber ||
          !condition.right.number.IsInteger()) {
        return false;
      }
      of_whole.sign = test.sign;
      of_whole.length = condition.right.number.numerator();
    }
    return true;
  }

  static constexpr std::uint8_t kLetters = 1;
  static constexpr std::uint8_t kConstants = 2;

  const Definition& file_;
  const Grammar& grammar_;
  FlatLists& lists_;
  std::map<std::int32_t, Place> places_;
};

FlatLists::FlatLists(const Definition& file) : file_(file) {
  if (file.kind != StateKind::kList || !Compiler(file, *this).Compile()) elements_ = Elements::kNone;
}

// --- States -----------------------------------------------------------------------------------------------------------------

bool FlatLists::Read(std::string_view state, List& list) const {
  const Grammar& grammar = file_.grammar;
  const std::string_view open = grammar.list.open;
  const std::string_view separator = grammar.list.separator;
  const std::string_view close = grammar.list.close;
  if (elements_ == Elements::kNone || state.size() <= open.size() + close.size() || state.size() > file_.byte_limit ||
      state.size() > kMaxStateBytes) {
    return false;
  }
  const auto stands_at = [](std::string_view short_text, const char* at) {  // faster than memcmp
    return std::equal(short_text.begin(), short_text.end(), at, [](char a, char b) { return a == b; });
  };
  if (!stands_at(open, state.data()) || !stands_at(close, state.data() + state.size() - close.size())) return false;
  list.text.Assign(state);
  if (!is_fixed()) {
    if (!ReadElements(list)) return false;
  } else {
    const std::size_t bytes = state.size() - open.size() - close.size() + separator.size();
    if (bytes % stride_ != 0) return false;
    list.count = static_cast<std::uint32_t>(bytes / stride_);
    const char* const first = state.data() + open.size();
    const char* const end = first + bytes - separator.size();
    if (!ranges_.empty()) {
      return AreInRange(list.text.data() + open.size(), bytes - separator.size()) &&
             1 + list.count * parts_ <= std::min(file_.limit, kMaxParts);
    }
    bool are_known = true;
    for (std::size_t k = 0; k < stride_; ++k) {
      const std::uint8_t* const known = known_.data() + 256 * k;
      for (const char* c = first + k; c < end; c += stride_) {
        are_known = are_known & (known[static_cast<unsigned char>(*c)] != 0);
      }
    }
    if (!are_known) return false;
  }
  return 1 + list.count * parts_ <= std::min(file_.limit, kMaxParts);
}

// There is room after the text.
bool FlatLists::AreInRange(const char* text, std::size_t size) const {
  constexpr std::uint64_t kTops = 0x8080808080808080;
  const auto* range = ranges_.data();
  std::uint64_t bad = 0;  // has a top bit for each byte that is out of its range
  const auto test = [&](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, text + at, sizeof(word));
    return word | (word + range->second) | ~((word | kTops) - range->first);
  };
  std::size_t at = 0;
  for (; at + sizeof(bad) <= size; at += sizeof(bad)) {
    bad |= test(at);
    if (++range == ranges_.data() + ranges_.size()) range = ranges_.data();
  }
  const std::uint64_t rest = at == size ? 0 : ~std::uint64_t{0} >> (8 * (sizeof(bad) - (size - at)));
  return ((bad | (test(at) & rest)) & kTops) == 0;
}

bool FlatLists::ReadElements(List& list) const {
  const Grammar& grammar = file_.grammar;
  const std::string_view separator = grammar.list.separator;
  const char* const text = list.text.data();
  const std::size_t end = list.text.size() - grammar.list.close.size();
  const bool has_strokes = elements_ == Elements::kStrokes;
  // No more elements than bytes.
  if (list.starts.size() < end + 2) {
    list.starts.resize(end + 2);
    list.values.resize(end + 2);
  }
  std::uint32_t* start = list.starts.data();
  std::int64_t* next = list.values.data();
  for (std::size_t at = grammar.list.open.size();;) {
    const std::size_t begin = at;
    std::int64_t value = 0;
    if (has_strokes) {
      while (at < end && text[at] == grammar.stroke) ++at;
      value = static_cast<std::int64_t>(at - begin);
    } else {
      while (at < end && IsDigit(text[at])) value = 10 * value + (text[at++] - '0');
      if (at == begin || at - begin > kMaxDigits || (text[begin] == '0' && at - begin > 1)) return false;
    }
    *start++ = static_cast<std::uint32_t>(begin);
    *next++ = value;
    if (at == end) break;
    if (text[at] != separator.front() ||
        (separator.size() > 1 && !std::string_view(text + at, end - at).starts_with(separator))) {
      return false;
    }
    at += separator.size();
  }
  list.count = static_cast<std::uint32_t>(next - list.values.data());
  *start = static_cast<std::uint32_t>(end + separator.size());
  // Of a list with nothing but a 0 nothing is seen.
  return !has_strokes || list.count > 1 || list.values[0] != 0;
}

// There is room after the text.
[[gnu::always_inline]] inline std::uint64_t BytesAt(const char* place) {
  std::uint64_t bytes = 0;
  static_assert(sizeof(bytes) <= TextBuffer::kSlack);
  std::memcpy(&bytes, place, sizeof(bytes));
  return bytes;
}

[[gnu::always_inline]] inline char FlatLists::Look(const Table& table, const char* place, std::uint16_t at,
                                                   std::uint16_t other) {
  const std::size_t row = static_cast<unsigned char>(place[at]) - std::size_t{table.first};
  if (table.columns == 0) return table.bytes.data()[row];
  return table.bytes.data()[row * table.columns + static_cast<unsigned char>(place[other]) - std::size_t{table.second}];
}

// `bytes` are those of the place and after it.
[[gnu::always_inline]] inline bool FlatLists::MayFit(const FlatForm& form, const char* place, std::uint64_t bytes) {
  return (bytes & form.mask) == form.wanted && place[form.same] == place[form.other];
}

bool FlatLists::PassesAll(const std::vector<Check>& checks, const char* place, const std::int64_t* values) const {
  for (const Check& check : checks) {
    switch (check.kind) {
      case Check::Kind::kByte:
        if (place[check.at] != check.byte) return false;
        break;
      case Check::Kind::kSameByte:
        if (place[check.at] != place[check.other]) return false;
        break;
      case Check::Kind::kSet:
      case Check::Kind::kTable:
        if (Look(tables_.data()[check.table], place, check.at, check.other) == 0) return false;
        break;
      case Check::Kind::kDifferent:
        if (std::memcmp(place + check.at, place + check.other, width_) == 0) return false;
        break;
      case Check::Kind::kNumber:
        if (values[check.at] != check.number) return false;
        break;
      case Check::Kind::kSameNumber:
        if (values[check.at] != values[check.other]) return false;
        break;
      case Check::Kind::kCompare: {
        const Sum& sum = sums_.data()[check.table];
        std::int64_t difference = sum.constant;
        for (const auto& [element, factor] : sum.factors) difference += factor * values[element];
        if (!IsAsWanted(check.sign, difference)) return false;
        break;
      }
    }
  }
  return true;
}

bool FlatLists::FitsAnywhere(const FlatForm& form, const List& list) const {
  if (list.count < form.window) return false;
  const std::uint32_t last = form.has_before ? list.count - form.window : 0;
  const char* const first = list.text.data() + file_.grammar.list.open.size();
  for (std::uint32_t at = form.has_after ? 0 : list.count - form.window; at <= last; ++at) {
    const char* const text = is_fixed() ? first + at * stride_ : first;
    if (MayFit(form, text, BytesAt(text)) && PassesAll(form.checks, text, is_fixed() ? nullptr : list.values.data() + at)) {
      return true;
    }
  }
  return false;
}

// Numbers by their value, others by their text.
int FlatLists::CompareElements(const List& list, std::uint32_t a, std::uint32_t b) const {
  if (!is_fixed()) return list.values.data()[a] < list.values.data()[b] ? -1 : list.values.data()[a] > list.values.data()[b];
  const char* const first = list.text.data() + file_.grammar.list.open.size();
  return std::memcmp(first + a * stride_, first + b * stride_, width_);
}

// Nothing if it depends on whether a rule applies.
std::optional<bool> FlatLists::Solved(const List& list) const {
  bool is_solved = false;
  for (const FlatGoal& goal : goals_) {
    if (goal.kind == FlatGoal::Kind::kNoRule || (is_solved && !goal.is_negated)) continue;
    bool fits = true;
    if (goal.kind == FlatGoal::Kind::kWindow) {
      fits = FitsAnywhere(goal.form, list);
    } else {
      for (const FlatGoal::OfWhole& condition : goal.conditions) {
        if (!condition.is_order) fits = fits && IsAsWanted(condition.sign, std::int64_t{list.count} - condition.length);
        for (std::uint32_t i = 0; condition.is_order && fits && i + 1 < list.count; ++i) {
          fits = CompareElements(list, i, i + 1) <= condition.most;
        }
      }
    }
    if (fits && goal.is_negated) return false;
    is_solved = is_solved || fits;
  }
  if (!is_solved && has_no_rule_goal_) return std::nullopt;
  return is_solved;
}

// --- Steps ------------------------------------------------------------------------------------------------------------------

[[gnu::noinline]] bool FlatLists::WriteTurned(const List& list, Successors& out) const {
  const std::string_view text = list.text.view();
  const std::size_t separator = separator_.size();
  const std::size_t first = file_.grammar.list.open.size();
  const std::size_t close = file_.grammar.list.close.size();
  char* const state = out.BeginState(text.size() + separator);
  if (moves_separators()) {
    CopyBlocks(state, text.data(), text.size());
    char* to = state + first;
    std::memset(to, file_.grammar.stroke, text.size() - first - close);
    for (std::uint32_t i = list.count; i-- > 1;) {
      to += list.values.data()[i];
      *to++ = *separator_.data();
    }
    out.EndState(state + text.size());
    return true;
  }
  char* to = CopyBlocks(state, text.data(), first);
  for (std::uint32_t i = list.count; i-- > 0;) {
    const std::size_t begin = is_fixed() ? first + i * stride_ : list.starts.data()[i];
    const std::size_t length = is_fixed() ? width_ : list.starts.data()[i + 1] - begin - separator;
    to = CopyBlocks(to, text.data() + begin, length);
    to = CopyBlocks(to, separator_.data(), separator);
  }
  out.EndState(CopyBlocks(to - separator, text.data() + text.size() - close, close));
  return true;
}

// std::rotl, which takes an unsigned number in the library of Emscripten.
constexpr std::uint64_t Rotated(std::uint64_t bytes, int left) { return (bytes << (left & 63)) | (bytes >> (-left & 63)); }

bool FlatLists::WritePatches(const FlatForm& form, const char* place, char* region) const {
  for (const auto& [to, from] : form.copies) region[to] = place[from];
  for (const Patch& patch : form.patches) {
    const bool is_known = patch.kind == Patch::Kind::kByte;
    const char c = is_known ? patch.byte : Look(tables_.data()[patch.table], place, patch.at, patch.other);
    if (c == 0) return false;
    region[patch.to] = c;
  }
  return true;
}

// The place is that of the element `at`; these are the bytes there.
[[gnu::always_inline]] inline bool FlatLists::WriteFixed(const FlatForm& form, const List& list, std::uint32_t at,
                                                         const char* place, std::uint64_t bytes, Successors& out) const {
  const char* const text = list.text.data();
  const std::size_t size = list.text.size();
  const auto begin = static_cast<std::size_t>(place - text);
  char* const state = out.BeginState(size + form.region.size());
  char* region = state + begin;
  char* end = state + size;
  if (form.is_moved) {
    CopyShort(state, text, size);
    bytes = (bytes & form.kept) | Rotated(bytes & form.moved[0].mask, form.moved[0].left) |
            Rotated(bytes & form.moved[1].mask, form.moved[1].left) | form.constant;
    std::memcpy(region, &bytes, sizeof(bytes));
  } else if (form.window == 0) {
    return at == 0 && WriteTurned(list, out);
  } else if (form.written == form.window) {
    CopyShort(state, text, size);
  } else {
    std::size_t head = begin;
    std::size_t rest = begin + form.window * stride_ - separator_.size();
    if (form.written == 0) {  // a separator goes too
      if (at + form.window < list.count) {
        rest += separator_.size();
      } else if (begin > file_.grammar.list.open.size()) {
        head -= separator_.size();
      }
    }
    if (IsTooLarge(form, list.count)) return false;
    region = CopyShort(state, text, head);
    if (form.written > 0) std::memcpy(region, form.region.data(), form.region.size());
    end = CopyShort(region + form.region.size(), text + rest, size - rest);
    if (static_cast<std::size_t>(end - state) > kMaxStateBytes) return false;
  }
  if (!form.is_exact && !WritePatches(form, place, region)) return false;
  out.EndState(end);
  return true;
}

bool FlatLists::WriteNumbers(const FlatForm& form, const List& list, std::uint32_t at, Successors& out) const {
  const std::size_t size = list.text.size();
  const char* const text = list.text.data();
  const std::size_t separator = separator_.size();
  const std::uint32_t* const starts = list.starts.data();
  const std::uint32_t past = at + form.window;
  if (form.window == 0) return at == 0 && WriteTurned(list, out);
  if (IsTooLarge(form, list.count)) return false;
  if (!form.order.empty()) {
    char* const state = out.BeginState(size);
    CopyBlocks(state, text, size);
    for (std::uint32_t i = at + 1; i < past; ++i) state[starts[i] - 1] = file_.grammar.stroke;
    char* to = state + starts[at] - 1;
    for (std::size_t k = 0; k + 1 < form.order.size(); ++k) {
      to += list.values.data()[at + form.order.data()[k]] + 1;
      *to = *separator_.data();
    }
    out.EndState(state + size);
    return true;
  }
  std::size_t begin = starts[at];
  std::size_t rest = starts[past] - separator;
  if (form.written == 0) {  // a separator goes too
    if (past < list.count) {
      rest = starts[past];
    } else if (at > 0) {
      begin -= separator;
    }
  }
  char* const state = out.BeginState(size + form.text_bytes + form.patches.size() * (size + separator));
  char* to = CopyBlocks(state, text, begin);
  for (const Patch& patch : form.patches) {
    if (&patch != form.patches.data()) to = CopyBlocks(to, separator_.data(), separator);
    if (patch.kind == Patch::Kind::kText) {
      to = WriteText(to, patch.text);
    } else {
      const std::uint32_t from = starts[at + patch.at];
      to = CopyBlocks(to, text + from, starts[at + patch.at + 1U] - separator - from);
    }
  }
  to = CopyBlocks(to, text + rest, size - rest);
  if (static_cast<std::size_t>(to - state) > kMaxStateBytes) return false;
  out.EndState(to);
  return true;
}

[[gnu::noinline]] void FlatLists::WriteLabel(const FlatForm& form, const List& list, std::uint32_t at, Successors& out) const {
  const std::size_t open = file_.grammar.list.open.size();
  const std::size_t begin = is_fixed() ? open + at * stride_ : list.starts.data()[at];
  const std::size_t end = is_fixed() ? begin + form.window * stride_ : list.starts.data()[at + form.window];
  const std::size_t length = form.window > 0 ? end - separator_.size() - begin : 0;
  char* to = out.BeginLabel(form.label_texts.size() + form.label.size() * (kMaxIntegerBytes + length));
  const char* text = form.label_texts.data();
  for (const auto& [bytes, slot] : form.label) {
    to = CopyBlocks(to, text, bytes);
    text += bytes;
    if (slot == Template::kAt && at < 10) {
      *to++ = static_cast<char>('0' + at);
    } else if (slot == Template::kAt) {
      to = WriteInteger(to, at);
    }
    if (slot == Template::kFrom) to = CopyBlocks(to, list.text.data() + begin, length);
  }
  out.EndLabel(to);
}

// At each place the forms in their order, or only the first that applies; no more than are left.
template <bool kIsFixed, bool kHasLabels>
void FlatLists::Append(std::span<const FlatForm> forms, bool first_only, const List& list, std::size_t& left,
                       Successors& out) const {
  const char* place = list.text.data() + file_.grammar.list.open.size();
  const std::int64_t* values = list.values.data();
  const std::size_t step = kIsFixed ? stride_ : 0;
  const std::uint32_t count = list.count;
  const std::size_t most = out.size() + left;
  const bool may_be_many = forms.size() * count >= left;
  const bool may_end = first_only || may_be_many;
  const auto is_enough = [&] { return may_be_many && out.size() >= most; };
  // The form fits into the list at this place.
  const auto write = [&](const FlatForm& form, std::uint32_t at, std::uint64_t bytes) __attribute__((always_inline)) {
    if (kIsFixed && !MayFit(form, place, bytes)) return false;
    if (!form.checks.empty() && !PassesAll(form.checks, place, values)) return false;
    const bool is_written = kIsFixed ? WriteFixed(form, list, at, place, bytes, out) : WriteNumbers(form, list, at, out);
    if (kHasLabels && is_written) WriteLabel(form, list, at, out);
    return is_written;
  };
  const auto next_place = [&] {
    place += step;
    values += kIsFixed ? 0 : 1;
  };
  if (forms.size() == 1) {
    const FlatForm& form = forms.front();
    const std::uint32_t places = form.window == 0 ? 1 : count - std::min(count, form.window - 1);
    for (std::uint32_t at = 0; at < places && !is_enough(); ++at, next_place()) write(form, at, kIsFixed ? BytesAt(place) : 0);
  } else {
    for (std::uint32_t at = 0; at < count && !is_enough(); ++at, next_place()) {
      const std::uint64_t bytes = kIsFixed ? BytesAt(place) : 0;
      for (const FlatForm& form : forms) {
        if (form.window <= count - at && write(form, at, bytes) && may_end && (first_only || is_enough())) break;
      }
    }
  }
  left = most - out.size();
}

template <bool kIsFixed, bool kHasLabels>
void FlatLists::AppendAll(const List& list, Successors& out) const {
  std::size_t left = kMaxSuccessors;
  for (const FlatFamily& family : families_) {
    const std::span<const FlatForm> forms = family.forms;
    if (family.mode != Family::Mode::kAlone) {
      Append<kIsFixed, kHasLabels>(forms, family.mode == Family::Mode::kFirst, list, left, out);
      if (left == 0) return;
      continue;
    }
    for (std::size_t i = 0; i < forms.size(); ++i) {
      Append<kIsFixed, kHasLabels>(forms.subspan(i, 1), false, list, left, out);
      if (left == 0) return;
    }
  }
}

std::optional<Status> FlatLists::Expand(std::string_view state, Labels labels, Successors& out) const {
  thread_local List list;
  const bool with_labels = labels == Labels::kOn;
  if ((with_labels && !has_labels_) || !Read(state, list)) return std::nullopt;
  const std::optional<bool> is_solved = Solved(list);
  if (is_solved.value_or(false)) return Status::kSolved;
  const std::size_t before = out.size();
  if (is_fixed()) {
    with_labels ? AppendAll<true, true>(list, out) : AppendAll<true, false>(list, out);
  } else {
    with_labels ? AppendAll<false, true>(list, out) : AppendAll<false, false>(list, out);
  }
  if (out.size() > before) return Status::kOpen;
  return is_solved ? Status::kDeadEnd : Status::kSolved;
}

std::optional<bool> FlatLists::Solved(std::string_view state) const {
  thread_local List list;
  return Read(state, list) ? Solved(list) : std::nullopt;
}

}  // namespace conpole::files
