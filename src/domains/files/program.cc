#include "domains/files/program.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace conpole::files {
namespace {

std::vector<Wanted> CompileLeft(const Definition& file, const std::vector<Part>& left, std::size_t first) {
  std::vector<Wanted> wanted;
  for (std::size_t i = first; i < left.size(); ++i) {
    const Part& part = left[i];
    Wanted& one = wanted.emplace_back();
    one.part = part.kind;
    one.size = static_cast<std::uint16_t>(part.size);
    one.id = part.id;
    one.number = part.number;
    switch (part.kind) {
      case PartKind::kOperator:
      case PartKind::kLetter:
        one.kind = Wanted::Kind::kPart;
        break;
      case PartKind::kNumber:
        one.kind = Wanted::Kind::kNumber;
        break;
      case PartKind::kVariable:
        one.kind = part.is_bracketed ? Wanted::Kind::kKnown : Wanted::Kind::kVariable;
        one.type = file.variables[static_cast<std::size_t>(part.id)].type;
        break;
      case PartKind::kGap:
        one.kind = part.is_bracketed ? Wanted::Kind::kKnownGap : Wanted::Kind::kGap;
        if (part.id >= 0) one.type = file.variables[static_cast<std::size_t>(part.id)].type;
        break;
      default:
        break;
    }
  }
  return wanted;
}

// The tops that fit, a bit each.
std::uint64_t TopsOf(const Definition& file, const Wanted& wanted) {
  constexpr std::uint64_t kAny = ~std::uint64_t{0};
  constexpr std::uint64_t kOne = 1;
  if (wanted.kind == Wanted::Kind::kPart || wanted.kind == Wanted::Kind::kNumber) return kOne << TopOf(wanted.part, wanted.id);
  if (wanted.kind != Wanted::Kind::kVariable) return kAny;
  const std::int32_t product = file.grammar.coefficient;
  switch (wanted.type) {
    case Type::kNumber:
    case Type::kInteger:
      return kOne << kNumberTop;
    case Type::kLetter:
      return kOne << kLetterTop;
    case Type::kMonomial:
      return kOne << kNumberTop | kOne << kLetterTop | (product < 0 ? 0 : kOne << TopOf(PartKind::kOperator, product));
    default:
      return kAny;
  }
}

void FindOperands(const Definition& file, FormProgram& program) {
  const std::vector<Wanted>& left = program.left;
  program.first = program.head < 0 ? 0 : 1;
  program.last = static_cast<std::uint32_t>(left.size());
  if (program.head < 0 || left.size() == 1) return;
  program.first_operand = TopsOf(file, left[1]);
  const std::size_t second = std::size_t{1} + left[1].size;
  if (second < left.size()) program.second_operand = TopsOf(file, left[second]);
}

Sign SignOf(std::string_view comparison) {
  constexpr std::array<std::string_view, 6> kSigns = {"=", "!=", "<", "<=", ">", ">="};
  return static_cast<Sign>(std::find(kSigns.begin(), kSigns.end(), comparison) - kSigns.begin());
}

std::vector<Test> CompileTests(const Definition& file, const std::vector<Condition>& conditions) {
  std::vector<Test> tests;
  for (const Condition& condition : conditions) {
    Test& test = tests.emplace_back();
    test.condition = &condition;
    test.sign = SignOf(condition.comparison);
    test.compares_variables = (test.sign == Sign::kEqual || test.sign == Sign::kUnequal) &&
                              condition.left.function == Function::kVariable && condition.right.function == Function::kVariable;
    const bool is_pattern = condition.kind == Condition::Kind::kOccurs && !condition.is_operator && !condition.part.empty();
    if (condition.kind == Condition::Kind::kLike || is_pattern) test.like = CompileLeft(file, condition.part, 0);
    test.any = CompileTests(file, condition.any);
  }
  return tests;
}

// Elements side by side, with at most a gap before and after them that any elements may be in.
void FindWindow(FormProgram& program) {
  const std::vector<Wanted>& left = program.left;
  const auto is_gap = [](const Wanted& wanted) { return wanted.kind == Wanted::Kind::kGap && wanted.type == Type::kTerm; };
  std::size_t i = 0;
  if (i < left.size() && is_gap(left[i])) program.before = &left[i++];
  program.first = static_cast<std::uint32_t>(i);
  for (; i < left.size() && left[i].kind != Wanted::Kind::kGap && left[i].kind != Wanted::Kind::kKnownGap; i += left[i].size) {
    ++program.window;
  }
  program.last = static_cast<std::uint32_t>(i);
  if (i < left.size() && is_gap(left[i])) program.after = &left[i++];
  program.is_window = i == left.size() && program.window > 0;
}

// Whether the gaps around a window stand around what is written too, and nowhere else.
bool IsSplice(const FormProgram& program, const std::vector<Part>& right) {
  if (!program.is_window || program.before == nullptr || program.after == nullptr || right.size() < 3) return false;
  const auto is_gap = [](const Part& part, const Wanted& gap) { return part.kind == PartKind::kGap && part.id == gap.id; };
  if (!is_gap(right[1], *program.before) || !is_gap(right.back(), *program.after)) return false;
  return std::none_of(right.begin() + 2, right.end() - 1,
                      [](const Part& part) { return part.kind == PartKind::kGap || part.kind == PartKind::kListFunction; });
}

// The conditions of a variable that name no other.
std::vector<Condition> OwnConditions(const Definition& file, std::int32_t variable) {
  std::vector<Condition> own;
  const auto is_own = [&](const Expression& expression) {
    return expression.function == Function::kNumber ||
           (expression.function == Function::kVariable && expression.variable == variable);
  };
  for (const Condition& condition : file.variables[static_cast<std::size_t>(variable)].where) {
    const bool compares = condition.kind == Condition::Kind::kCompare && is_own(condition.left) && is_own(condition.right);
    if (compares || (condition.kind == Condition::Kind::kLike && condition.in == variable)) own.push_back(condition);
  }
  return own;
}

bool IsSame(const Expression& a, const Expression& b) {
  return a.function == b.function && a.number == b.number && a.variable == b.variable &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(), IsSame);
}

bool AreBothCompared(const Condition& a, const Condition& b) {
  return a.kind == Condition::Kind::kCompare && b.kind == a.kind && a.comparison == b.comparison && IsSame(a.left, b.left) &&
         IsSame(a.right, b.right);
}

// The numbers that are chosen from, if all are written in the file and few.
std::vector<Rational> FixedChoices(const Definition& file, const Choice& choice) {
  constexpr std::size_t kManyChoices = 100;
  std::vector<Rational> numbers;
  const Type type = file.variables[static_cast<std::size_t>(choice.variable)].type;
  for (const Choice::Source& source : choice.sources) {
    const bool is_fixed = source.kind == Choice::Source::Kind::kValue && source.low.function == Function::kNumber;
    if (!is_fixed || type == Type::kLetter || type == Type::kConstant) return {};
    if (type != Type::kInteger || source.low.number.IsInteger()) numbers.push_back(source.low.number);
    if (numbers.size() > kManyChoices) return {};
  }
  return numbers;
}

// Writes the steps of a right side.
class RightCompiler {
 public:
  RightCompiler(const Definition& file, const Form& form, FormProgram& program)
      : file_(file), grammar_(file.grammar), right_(form.right), program_(program) {}

  void Compile() {
    if (!grammar_.is_list) {
      const Part& root = right_[0];
      program_.is_atom = root.kind == PartKind::kOperator && !MayFold(0) &&
                         grammar_.ShapeOf(root.kind, root.id, root.number).level == Shape::kAtom;
      CompilePart(0);
    } else if (program_.is_splice) {
      for (std::size_t i = 2; i + 1 < right_.size(); i += right_[i].size, ++program_.written) {
        if (i > 2) text_ += grammar_.list.separator;
        CompilePart(i);
      }
    } else {
      ++program_.parts;
      text_ += grammar_.list.open;
      for (std::size_t i = 1; i < right_.size(); i += right_[i].size) CompileElement(i);
      text_ += grammar_.list.close;
    }
    Flush();
  }

  void CollectComputed() {
    for (std::size_t i = 0; i < right_.size(); ++i) {
      if (right_[i].kind == PartKind::kComputed) AddComputed(i);
    }
  }

 private:
  Step& Add(Step::Kind kind, std::int32_t id) {
    constexpr std::size_t kMostText = std::tuple_size_v<decltype(Step::text)>;
    const std::string text = std::exchange(text_, {});
    for (std::size_t begin = 0;; begin += kMostText) {
      const bool is_last = text.size() - begin <= kMostText;
      Step& step = program_.steps.emplace_back();
      step.text_length = text.copy(step.text.data(), kMostText, begin);
      program_.bytes += step.text_length;
      if (!is_last) continue;
      step.kind = kind;
      step.id = id;
      step.oddities = kRewrittenPart;
      return step;
    }
  }

  void Flush() {
    if (!text_.empty()) Add(Step::Kind::kText, 0);
  }

  void CompileElement(std::size_t i) {
    const Part& part = right_[i];
    program_.bytes += grammar_.list.separator.size();
    switch (part.kind) {
      case PartKind::kGap:
      case PartKind::kListFunction: {
        program_.stretches.push_back(part.id);
        const auto kind = part.kind == PartKind::kGap ? Step::Kind::kStretch
                          : part.number.Is(0)         ? Step::Kind::kReversed
                                                      : Step::Kind::kSorted;
        Add(kind, part.id).side = has_element_ ? 1 : 0;
        return;
      }
      default:
        // Only after stretches, which may be empty, it is not known whether there is an element before.
        if (has_element_) {
          text_ += grammar_.list.separator;
        } else if (i > 1) {
          Add(Step::Kind::kSeparator, 0);
        }
        has_element_ = true;
        CompilePart(i);
    }
  }

  bool MayBeNumber(std::size_t i) const {
    const Part& part = right_[i];
    if (part.kind == PartKind::kVariable) {
      const Type type = file_.variables[static_cast<std::size_t>(part.id)].type;
      return type != Type::kLetter && type != Type::kConstant;
    }
    return part.kind == PartKind::kNumber || part.kind == PartKind::kComputed ||
           (part.kind == PartKind::kOperator && part.id == grammar_.minus() && MayBeNumber(i + 1));
  }
  bool MayBeLetter(std::size_t i) const {
    const Part& part = right_[i];
    if (part.kind == PartKind::kLetter) return true;
    if (part.kind != PartKind::kVariable) return false;
    const Type type = file_.variables[static_cast<std::size_t>(part.id)].type;
    return type != Type::kNumber && type != Type::kInteger && type != Type::kConstant;
  }
  // Whether an operator may be seen as a number or as 2x.
  bool MayFold(std::size_t i) const {
    const Part& part = right_[i];
    if (part.kind != PartKind::kOperator) return false;
    if (part.id == grammar_.minus()) return MayBeNumber(i + 1);
    return part.id == grammar_.coefficient && part.size > 2 && MayBeNumber(i + 1) && MayBeLetter(i + 1 + right_[i + 1].size);
  }

  void CompileChild(std::size_t i, std::int32_t parent, std::size_t side) {
    const Part& part = right_[i];
    if (!grammar_.MayNeedBrackets(parent)) return CompilePart(i);
    if (part.kind == PartKind::kVariable || part.kind == PartKind::kComputed) {
      CompilePart(i, parent, side);
      return;
    }
    const bool brackets =
        grammar_.NeedsBrackets(grammar_.ShapeOf(part.kind, part.id, part.number), part.kind, part.id, parent, side);
    CompilePart(i, parent, side, brackets);
  }

  void CompilePart(std::size_t i, std::int32_t parent = -1, std::size_t side = 0, bool brackets = false) {
    const Part& part = right_[i];
    const auto place = [&](Step& step) {
      step.parent = parent;
      step.side = static_cast<std::uint8_t>(side);
      if (parent >= 0) step.oddities |= grammar_.MayAtomsNeedBrackets(parent) ? kAnyPart : kLoosePart;
      program_.bytes += 2;
    };
    switch (part.kind) {
      case PartKind::kVariable:
        program_.variables.push_back(part.id);
        return place(Add(Step::Kind::kVariable, part.id));
      case PartKind::kComputed:
        ++program_.parts;
        place(Add(Step::Kind::kComputed, static_cast<std::int32_t>(program_.computed.size())));
        return AddComputed(i);
      default:
        break;
    }
    const bool may_fold = MayFold(i);
    std::size_t fold = 0;
    if (may_fold) {
      place(Add(Step::Kind::kFold, static_cast<std::int32_t>(i)));
      program_.bytes += kNumberBytes;
      fold = program_.steps.size() - 1;
    }
    if (brackets) text_ += '(';
    CompileKnown(i);
    if (brackets) text_ += ')';
    if (!may_fold) return;
    Flush();
    program_.steps[fold].length = static_cast<std::uint32_t>(program_.steps.size() - 1 - fold);
  }

  void AddComputed(std::size_t i) {
    program_.computed.push_back({static_cast<std::uint32_t>(i), &file_.expressions[static_cast<std::size_t>(right_[i].id)]});
  }

  void CompileKnown(std::size_t i) {
    const Part& part = right_[i];
    ++program_.parts;
    if (part.kind == PartKind::kNumber) return AppendOperand(text_, grammar_, part.number, part.id);
    if (part.kind == PartKind::kLetter) {
      text_ += static_cast<char>(part.id);
      return;
    }
    const Operator& used = grammar_.op(part.id);
    text_ += used.pieces[0];
    std::size_t k = 0;
    for (std::size_t at = i + 1; at < i + part.size; at += right_[at].size, ++k) {
      if (used.fields.empty()) {
        CompileChild(at, part.id, used.SideOf(k));
      } else {
        CompileField(at, used.fields[k]);
      }
      text_ += used.pieces[k + 1];
    }
  }

  void CompileField(std::size_t i, const std::pair<char, char>& field) {
    Step& step = Add(Step::Kind::kField, static_cast<std::int32_t>(i));
    step.begin = static_cast<std::uint32_t>(static_cast<unsigned char>(field.first));
    step.length = static_cast<std::uint32_t>(static_cast<unsigned char>(field.second));
    ++program_.parts;
    ++program_.bytes;
    if (right_[i].kind == PartKind::kComputed) AddComputed(i);
  }

  const Definition& file_;
  const Grammar& grammar_;
  const std::vector<Part>& right_;
  FormProgram& program_;
  std::string text_;  // not yet a step
  bool has_element_ = false;
};

}  // namespace

RuleProgram::RuleProgram(const Definition& file, const Rule& of, std::int32_t chosen)
    : rule(&of), assumptions(CompileTests(file, of.assumptions)) {
  for (const Choice& choice : of.choices) fixed_choices.push_back(FixedChoices(file, choice));
  std::vector<Condition> known;
  if (chosen >= 0) known = OwnConditions(file, chosen);
  // What is tested anyway need not be assumed.
  std::erase_if(assumptions, [&](const Test& test) {
    const auto is_same = [&](const Condition& one) { return AreBothCompared(one, *test.condition); };
    return std::any_of(known.begin(), known.end(), is_same) ||
           std::all_of(of.forms.begin(), of.forms.end(),
                       [&](const Form& form) { return std::any_of(form.where.begin(), form.where.end(), is_same); });
  });
  for (const Form& form : of.forms) {
    FormProgram& program = forms.emplace_back();
    program.form = &form;
    program.head = form.head;
    program.left = CompileLeft(file, form.left, file.grammar.is_list ? 1 : 0);
    program.where = CompileTests(file, form.where);
    std::erase_if(program.where, [&](const Test& test) {
      return std::any_of(known.begin(), known.end(),
                         [&](const Condition& one) { return one.position == test.condition->position; });
    });
    if (file.grammar.is_list) {
      FindWindow(program);
    } else {
      FindOperands(file, program);
    }
    program.is_rebuilt =
        std::any_of(form.right.begin(), form.right.end(), [](const Part& part) { return part.kind == PartKind::kReplaced; });
    program.is_splice = !program.is_rebuilt && IsSplice(program, form.right);
    RightCompiler compiler(file, form, program);
    program.is_rebuilt ? compiler.CollectComputed() : compiler.Compile();
    program.is_free = program.where.empty() && assumptions.empty() && of.choices.size() == (chosen >= 0 ? 1 : 0);
    program.is_sized = file.grammar.numbers != NumberNotation::kStrokes || of.choices.empty();
    program.is_modest = program.is_sized && program.variables.size() + program.stretches.size() <= kModestCopies &&
                        program.bytes <= kModestBytes && program.parts <= kModestParts;
  }
}

FamilyProgram::FamilyProgram(const Definition& file, const Family& family) : mode(family.mode) {
  const std::int32_t chosen = mode == Family::Mode::kEach ? family.rules.front().choices.front().variable : -1;
  for (const Rule& rule : family.rules) rules.emplace_back(file, rule, chosen);
  if (chosen >= 0) {
    common_conditions = OwnConditions(file, chosen);
    common = CompileTests(file, common_conditions);
  }
}

FormIndex::FormIndex(const Definition& file, std::vector<FamilyProgram>& families) {
  for (FamilyProgram& family : families) {
    family.first_group = static_cast<std::uint32_t>(groups.size());
    for (const RuleProgram& rule : family.rules) {
      const bool is_new = family.mode == Family::Mode::kEach || &rule == family.rules.data();
      if (is_new) groups.push_back(static_cast<std::uint32_t>(forms.size()));
      for (const FormProgram& form : rule.forms) forms.push_back({&rule, &form, static_cast<std::uint32_t>(groups.size() - 1)});
    }
    family.last_group = static_cast<std::uint32_t>(groups.size());
  }
  groups.push_back(static_cast<std::uint32_t>(forms.size()));
  words = (forms.size() + 63) / 64;
  by_head.resize((file.grammar.operators().size() + 1) * words);
  by_first.resize((kNoTop + std::size_t{1}) * words);
  by_second.resize(by_first.size());
  const auto add = [&](std::vector<std::uint64_t>& sets, std::size_t set, std::size_t form) {
    sets[set * words + form / 64] |= std::uint64_t{1} << (form % 64);
  };
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const FormProgram& form = *forms[i].form;
    for (std::size_t op = 0; op <= file.grammar.operators().size(); ++op) {
      if (form.head < 0 || static_cast<std::size_t>(form.head) + 1 == op) add(by_head, op, i);
    }
    for (std::size_t top = 0; top <= kNoTop; ++top) {
      if (top == kNoTop || (form.first_operand >> top & 1) != 0) add(by_first, top, i);
      if (top == kNoTop || (form.second_operand >> top & 1) != 0) add(by_second, top, i);
    }
  }
}

GoalProgram::GoalProgram(const Definition& file, const Goal& of) : goal(&of) {
  form.left = CompileLeft(file, of.pattern, file.grammar.is_list ? 1 : 0);
  form.where = CompileTests(file, of.conditions);
  if (file.grammar.is_list) FindWindow(form);
}

}  // namespace conpole::files
