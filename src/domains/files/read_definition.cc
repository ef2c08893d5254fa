// Reads domain files: statements from top to bottom, each into its part of the Definition.
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <initializer_list>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "domains/files/definition.h"
#include "domains/files/read_layout.h"
#include "domains/files/statement.h"
#include "util/text.h"

namespace conpole::files {
namespace {

constexpr std::size_t kMaxRules = 500;
constexpr std::size_t kMaxVariables = 100;
constexpr std::size_t kMaxChoicesOfRule = 4;

const std::vector<std::string>& StatementWords() {
  static const std::vector<std::string> words{"domain",   "title",   "state",       "infix", "prefix",  "postfix", "function",
                                              "constant", "letter",  "coefficient", "var",   "goal",    "rule",    "first",
                                              "error",    "problem", "draw",        "keeps", "meaning", "limit",   "test",
                                              "numbers",  "element", "outermost",   "all",   "for",     "texts",   "colours",
                                              "solved",   "drawn",   "move",        "moves", "toggle",  "exchange"};
  return words;
}

const std::map<std::string, Type, std::less<>>& Types() {
  static const std::map<std::string, Type, std::less<>> types{
      {"term", Type::kTerm},         {"number", Type::kNumber}, {"integer", Type::kInteger},  {"letter", Type::kLetter},
      {"constant", Type::kConstant}, {"atom", Type::kAtom},     {"monomial", Type::kMonomial}};
  return types;
}

struct NamedFunction {
  Function function;
  std::size_t arguments;
  enum class Takes : std::uint8_t { kNumbers, kTerm, kList } takes;
};

const std::map<std::string, NamedFunction, std::less<>>& Functions() {
  using Takes = NamedFunction::Takes;
  static const std::map<std::string, NamedFunction, std::less<>> functions{
      {"gcd", {Function::kGcd, 2, Takes::kNumbers}},           {"lcm", {Function::kLcm, 2, Takes::kNumbers}},
      {"abs", {Function::kAbs, 1, Takes::kNumbers}},           {"min", {Function::kMin, 2, Takes::kNumbers}},
      {"max", {Function::kMax, 2, Takes::kNumbers}},           {"floor", {Function::kFloor, 1, Takes::kNumbers}},
      {"sqrt", {Function::kSqrt, 1, Takes::kNumbers}},         {"digits", {Function::kDigits, 1, Takes::kNumbers}},
      {"tens", {Function::kTens, 1, Takes::kNumbers}},         {"ones", {Function::kOnes, 1, Takes::kNumbers}},
      {"mantissa", {Function::kMantissa, 1, Takes::kNumbers}}, {"size", {Function::kSize, 1, Takes::kTerm}},
      {"length", {Function::kLength, 1, Takes::kList}},        {"sum", {Function::kSum, 1, Takes::kList}},
      {"least", {Function::kLeast, 1, Takes::kList}},          {"greatest", {Function::kGreatest, 1, Takes::kList}}};
  return functions;
}

template <class Value>
std::vector<std::string> KeysOf(const std::map<std::string, Value, std::less<>>& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

Operator Infix(std::string symbol, int level, Groups groups, bool is_tight = false) {
  return {std::move(symbol), Fix::kInfix, 2, level, groups, is_tight};
}

void AddArithmetic(Grammar& grammar) {
  grammar.Add(Infix("=", 2, Groups::kNeither));
  grammar.Add(Infix("+", 4, Groups::kLeft));
  grammar.Add(Infix("-", 4, Groups::kLeft));
  grammar.Add(Infix("*", 6, Groups::kLeft));
  grammar.Add(Infix("/", 6, Groups::kLeft));
  grammar.Add(Infix("^", 10, Groups::kRight, true));
  if (grammar.numbers == NumberNotation::kDecimal) return;
  grammar.Add({"-", Fix::kPrefix, 1, 8});
  grammar.coefficient = grammar.Find("*")->infix;
}

class FileReader final : PatternScope {
 public:
  explicit FileReader(std::shared_ptr<const Source> source, bool only_errors = false)
      : source_(*source), reader_(source_), only_errors_(only_errors) {
    file_.source = source;
  }

  std::shared_ptr<const Definition> Read() {
    const std::vector<Source::Statement>& statements = source_.statements();
    if (statements.empty()) source_.Fail(0, "the file is empty; expected 'domain NAME'");
    for (const Source::Statement& statement : statements) {
      statement_ = statement;
      reader_.Begin(statement);
      ReadStatement();
      if (reader_.AtEnd()) continue;
      const std::vector<std::string>& words = StatementWords();
      const bool is_statement = std::find(words.begin(), words.end(), reader_.PeekWord()) != words.end();
      reader_.Fail(fmt::format("expected the end of the statement, found {}{}", reader_.Found(),
                               is_statement ? "; a statement begins at the left margin" : ""));
    }
    Finish(statements.back().end);
    return std::make_shared<const Definition>(std::move(file_));
  }

 private:
  // --- Statements ---------------------------------------------------------------------------------------------------------

  void ReadStatement() {
    const std::size_t begin = reader_.position();
    const std::string word = reader_.ReadWord("a statement");
    if (file_.name.empty() && word != "domain") source_.Fail(begin, "the first statement must be 'domain NAME'");
    if (word == "domain") return ReadDomain(begin);
    if (word == "title") return ReadTitle();
    if (word == "limit") return ReadLimit();
    if (word == "state") return ReadState(begin);
    const std::vector<std::string>& words = StatementWords();
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      reader_.MoveTo(begin);
      source_.Fail(begin, fmt::format("unknown statement '{}'{}", word,
                                      reader_.NextIsClause() ? "; a line that continues a statement is indented"
                                                             : Suggestion(word, words)));
    }
    if (!has_state_)
      source_.Fail(begin, fmt::format("'{}' needs to know the kind of state; write 'state term', 'state list' or "
                                      "'state layout' above it",
                                      word));
    if (word == "problem") return ReadProblem(begin);
    if (word == "draw") return ReadDraw(begin);
    if (word == "texts") return ReadTexts();
    if (word == "keeps") return ReadKeeps(begin);
    if (word == "test") return ReadTest(begin);
    if (file_.kind == StateKind::kLayout) {
      if (ReadLayoutStatement(word, reader_, file_)) return;
      source_.Fail(begin, fmt::format("'{}' is for terms and lists; a layout has 'colours', 'solved', 'move', 'toggle', "
                                      "'exchange' and 'goal cells'",
                                      word));
    }
    if (word == "infix" || word == "prefix" || word == "postfix") return ReadOperators(word, begin);
    if (word == "function") return ReadFunction();
    if (word == "element") return ReadElement(begin);
    if (word == "numbers") return ReadNumbers(begin);
    if (word == "outermost") return ReadOutermost();
    if (word == "constant" || word == "letter") return ReadLeaves(word);
    if (word == "coefficient") return ReadCoefficient();
    if (word == "var") return ReadVariables();
    NeedGrammar();
    if (word == "goal") return ReadGoal();
    if (word == "rule") {
      file_.families.push_back({});
      file_.families.back().rules.push_back(ReadRule());
      return;
    }
    if (word == "first" || word == "all") return ReadFamily(word);
    if (word == "for") return ReadCommonChoice();
    if (word == "error") {
      file_.errors.push_back(ReadRule(RuleKind::kError));
      return;
    }
    if (word == "meaning") return ReadMeaning();
    source_.Fail(begin, fmt::format("'{}' is for layouts; a domain of {} has 'rule'", word,
                                    file_.kind == StateKind::kTerm ? "terms" : "lists"));
  }

  void ReadDomain(std::size_t begin) {
    if (!file_.name.empty()) source_.Fail(begin, "a second 'domain'; a file is one domain");
    const std::size_t at = reader_.position();
    file_.name = reader_.ReadName("the name of the domain");
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || IsDigit(c) || c == '-'; };
    if (!std::all_of(file_.name.begin(), file_.name.end(), fits) || !IsLetter(file_.name[0]) || file_.name.size() > 40) {
      source_.Fail(at,
                   fmt::format("'{}' is no name of a domain; it has small letters, digits and hyphens, at most 40, and begins "
                               "with a letter",
                               file_.name));
    }
  }

  void ReadTitle() {
    do {
      const std::string language = reader_.ReadLanguage();
      file_.titles[language] = reader_.ReadString("the title");
    } while (!reader_.AtEnd());
  }

  void ReadLimit() {
    const std::size_t at = reader_.position();
    const std::int64_t limit = reader_.ReadInteger();
    if (limit < 2 || limit > static_cast<std::int64_t>(kMaxParts))
      source_.Fail(at, fmt::format("the limit must be from 2 to {}", kMaxParts));
    file_.limit = static_cast<std::size_t>(limit);
    if (!reader_.TrySign(",")) return;
    const std::int64_t bytes = reader_.ReadInteger();
    reader_.ExpectWord("bytes");
    file_.byte_limit = static_cast<std::size_t>(bytes);
  }

  void ReadState(std::size_t begin) {
    if (has_state_) source_.Fail(begin, "a second 'state'");
    has_state_ = true;
    const std::size_t at = reader_.position();
    const std::string kind = reader_.ReadWord("'term', 'list' or 'layout'");
    if (kind == "term") return;
    if (kind == "layout") {
      file_.kind = StateKind::kLayout;
      return;
    }
    if (kind != "list")
      source_.Fail(at, fmt::format("unknown kind of state '{}'{}", kind, Suggestion(kind, {"term", "list", "layout"})));
    file_.kind = StateKind::kList;
    file_.grammar.is_list = true;
    if (reader_.AtEnd()) return;
    file_.grammar.list.open = reader_.ReadString("how a list begins");
    file_.grammar.list.separator = reader_.ReadString("what stands between elements");
    file_.grammar.list.close = reader_.ReadString("how a list ends");
    const auto is_word = [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; };
    const std::string& separator = file_.grammar.list.separator;
    const std::string& close = file_.grammar.list.close;
    if ((!separator.empty() && (is_word(separator.front()) || is_word(separator.back()))) ||
        (!close.empty() && is_word(close.front()))) {
      source_.Fail(at,
                   "what stands between elements and after the last one begins with a sign or a blank, or it reads as one "
                   "of them");
    }
    if (file_.grammar.has_characters()) file_.grammar.numbers = NumberNotation::kWhole;
  }

  void BeforeRules(std::string_view what) {
    if (grammar_used_) reader_.Fail(fmt::format("{} stand above the first rule, goal and error", what));
  }

  void NeedGrammar() {
    if (!grammar_used_ && !has_operators_ && file_.kind == StateKind::kTerm) {
      AddArithmetic(file_.grammar);
      for (const Variable& variable : file_.variables) RequireFree(variable.name, variable.position);
    }
    grammar_used_ = true;
    // The exponent of a number is no part of what becomes one with a sign or a letter.
    if (file_.grammar.numbers == NumberNotation::kDecimal && (file_.grammar.minus() >= 0 || file_.grammar.coefficient >= 0))
      source_.Fail(numbers_position_, "'numbers decimal' is not for domains with 'prefix -' or 'coefficient'");
    ReadWheres();
  }

  std::string ReadSymbol() {
    const std::size_t at = reader_.position();
    std::string symbol = reader_.ReadUntilBlank("an operator");
    if (symbol.size() > 1 && symbol.ends_with(',')) symbol.pop_back();
    static const std::set<std::string, std::less<>> kFirst{"left", "right", "tight", "bracketed"};
    if (kFirst.contains(symbol))
      source_.Fail(at, fmt::format("'{0}' stands before the operators, as in 'infix {0} +'", symbol));
    if (symbol.size() > 30) source_.Fail(at, "an operator has at most 30 bytes");
    const bool is_word = IsLetter(symbol[0]) || symbol[0] == '_';
    const auto fits = [&](char c) {
      const bool part = IsLetter(c) || c == '_' || IsDigit(c);
      return part == is_word && c != '"' && c != '(' && c != ')' && c != '[' && c != ']' && c != '{' && c != '}' && c != ',' &&
             c != ';';
    };
    if (IsDigit(symbol[0])) source_.Fail(at, fmt::format("'{}' is a number, which every file has", symbol));
    if (!std::all_of(symbol.begin(), symbol.end(), fits)) {
      source_.Fail(at,
                   fmt::format("'{}' is no operator; it is a word, or one or more signs that are no brackets, digits, commas "
                               "or quotes, but not both",
                               symbol));
    }
    return symbol;
  }

  void Add(Operator added, std::size_t at) {
    const bool is_character = added.fix == Fix::kConstant && added.symbol.size() == BytesOfCharacter(added.symbol[0]);
    if (file_.grammar.has_characters() && !is_character) {
      source_.Fail(at, fmt::format("'{}' is no single character; with nothing between them, elements are: letters, digits and "
                                   "constants such as A",
                                   added.symbol));
    }
    RequireNoVariable(added.symbol, at);
    if (file_.grammar.is_list && added.fix != Fix::kConstant && WithoutBlanks(file_.grammar.list.separator) == added.symbol)
      source_.Fail(at, fmt::format("'{}' stands between elements already", added.symbol));
    if (file_.grammar.is_list && !file_.grammar.list.close.empty() &&
        added.symbol.starts_with(WithoutBlanks(file_.grammar.list.close)))
      source_.Fail(at, fmt::format("'{}' ends the list already", WithoutBlanks(file_.grammar.list.close)));
    if (const std::string error = file_.grammar.Add(std::move(added)); !error.empty()) source_.Fail(at, error);
  }

  void ReadOperators(const std::string& word, std::size_t begin) {
    BeforeRules("operators");
    static_cast<void>(begin);
    has_operators_ = true;
    Operator pattern;
    pattern.level = next_level_ += 2;
    pattern.fix = word == "infix" ? Fix::kInfix : word == "prefix" ? Fix::kPrefix : Fix::kPostfix;
    pattern.arity = pattern.fix == Fix::kInfix ? 2 : 1;
    while (pattern.fix == Fix::kInfix) {
      if (reader_.TryWord("left")) {
        pattern.groups = Groups::kLeft;
      } else if (reader_.TryWord("right")) {
        pattern.groups = Groups::kRight;
      } else if (reader_.TryWord("tight")) {
        pattern.is_tight = true;
      } else if (reader_.TryWord("bracketed")) {
        pattern.has_brackets = true;
      } else {
        break;
      }
    }
    do {
      const std::size_t at = reader_.position();
      pattern.symbol = ReadSymbol();
      if (pattern.is_tight && IsLetter(pattern.symbol[0]))
        source_.Fail(at, "a word cannot be written without blanks around it");
      Add(pattern, at);
    } while (!reader_.AtEnd());
  }

  void ReadFunction() {
    BeforeRules("functions");
    do {
      const std::size_t at = reader_.position();
      Operator function;
      function.fix = Fix::kFunction;
      function.symbol = reader_.ReadWord("the name of a function");
      function.arity = 0;
      reader_.Expect("(");
      do {
        reader_.ReadWord("the name of an argument");
        if (++function.arity > 20) source_.Fail(at, "a function has at most 20 arguments");
      } while (reader_.TrySign(","));
      reader_.Expect(")");
      if (reader_.TryWord("as")) ReadNotation(function);
      Add(std::move(function), at);
      reader_.TrySign(",");
    } while (!reader_.AtEnd());
  }

  // "[{a}]/[{b}]"
  void ReadNotation(Operator& function) {
    const std::size_t at = reader_.position();
    const std::string text = reader_.ReadString("the notation");
    for (std::size_t begin = 0;;) {
      const std::size_t open = text.find('{', begin);
      function.literals.push_back(text.substr(begin, open - begin));
      if (open == std::string::npos) break;
      begin = std::min(text.find('}', open), text.size() - 1) + 1;
    }
    const bool is_operator = function.literals.front().empty() || function.literals.back().empty();
    const auto is_bad = [](const std::string& literal) {
      return literal.empty() || literal.front() == ' ' || IsLetter(literal[0]) || IsDigit(literal[0]) || literal[0] == '(';
    };
    if (function.literals.size() != function.arity + std::size_t{1} || is_bad(function.literals.front()) ||
        std::any_of(function.literals.begin(), function.literals.end(),
                    [](const std::string& one) { return one.find_first_not_of(' ') == std::string::npos; })) {
      source_.Fail(
          at, fmt::format("expected a text with the {} arguments in braces, as in \"[{{a}}]/[{{b}}]\"; it begins with "
                          "a sign other than '(', and more than a blank stands after each argument{}",
                          function.arity,
                          is_operator ? "; with an argument at an end it is an operator: 'infix', 'prefix' or 'postfix'" : ""));
    }
    if (function.literals[0][0] == '[' && file_.grammar.numbers == NumberNotation::kPlain) {
      source_.Fail(at,
                   "'[' begins a fraction; write 'numbers whole' above, so that there are none, or begin with another sign");
    }
  }

  // element NAME(FIELD a..c, FIELD 0..9)
  void ReadElement(std::size_t begin) {
    BeforeRules("elements");
    if (file_.kind != StateKind::kList) source_.Fail(begin, "'element' is for domains with 'state list'");
    Operator element;
    element.fix = Fix::kFunction;
    const std::size_t at = reader_.position();
    element.symbol = reader_.ReadWord("a name for elements");
    reader_.Expect("(");
    do {
      reader_.ReadWord("the name of a field");
      const std::size_t place = reader_.position();
      const std::string_view text = reader_.rest();
      const bool is_range = text.size() > 3 && text.substr(1, 2) == "..";
      const char first = is_range ? text[0] : ' ';
      const char last = is_range ? text[3] : ' ';
      if (first <= ' ' || last <= first || last > '~' || file_.grammar.list.separator.find(first) != std::string::npos) {
        source_.Fail(place, "expected the characters of the field, as in a..c or 0..9");
      }
      element.fields.emplace_back(first, last);
      reader_.MoveTo(place + 4);
    } while (reader_.TrySign(","));
    reader_.Expect(")");
    element.arity = static_cast<std::uint8_t>(element.fields.size());
    if (file_.grammar.element >= 0) source_.Fail(begin, "a second 'element'; all elements of a list are alike");
    file_.grammar.element = static_cast<int>(file_.grammar.operators().size());
    Add(std::move(element), at);
  }

  void ReadNumbers(std::size_t begin) {
    BeforeRules("notations of numbers");
    const std::size_t at = reader_.position();
    if (file_.grammar.has_characters()) source_.Fail(begin, "elements with nothing between them have digits, and no numbers");
    static const std::map<std::string, NumberNotation, std::less<>> kinds{{"plain", NumberNotation::kPlain},
                                                                          {"bracketed", NumberNotation::kBracketed},
                                                                          {"whole", NumberNotation::kWhole},
                                                                          {"decimal", NumberNotation::kDecimal},
                                                                          {"strokes", NumberNotation::kStrokes}};
    const std::string word = reader_.ReadWord("how numbers are written");
    const auto found = kinds.find(word);
    if (found == kinds.end()) source_.Fail(at, fmt::format("unknown notation '{}'{}", word, Suggestion(word, KeysOf(kinds))));
    file_.grammar.numbers = found->second;
    numbers_position_ = begin;
    if (found->second != NumberNotation::kStrokes) return;
    const std::string stroke = reader_.ReadUntilBlank("the sign of a stroke");
    if (stroke.size() != 1 || IsLetter(stroke[0]) || IsDigit(stroke[0])) reader_.Fail("a stroke is one sign, such as '='");
    if (file_.kind != StateKind::kList) source_.Fail(begin, "'numbers strokes' is for domains with 'state list'");
    file_.grammar.stroke = stroke[0];
  }

  void ReadOutermost() {
    BeforeRules("operators");
    do {
      const std::size_t at = reader_.position();
      if (const std::string error = file_.grammar.AddOutermost(ReadSymbol()); !error.empty()) source_.Fail(at, error);
    } while (!reader_.AtEnd());
  }

  void ReadLeaves(const std::string& word) {
    BeforeRules(word + "s");
    do {
      const std::size_t at = reader_.position();
      Operator constant;
      constant.fix = Fix::kConstant;
      constant.arity = 0;
      constant.symbol = ReadSymbol();
      if (word == "constant") {
        Add(std::move(constant), at);
        continue;
      }
      if (constant.symbol.size() != 1 || !IsLetter(constant.symbol[0])) {
        source_.Fail(at, fmt::format("'{0}' is no single letter; write 'constant {0}' for a longer name", constant.symbol));
      }
      RequireNoVariable(constant.symbol, at);
      if (const std::string error = file_.grammar.AddLetter(constant.symbol[0]); !error.empty()) source_.Fail(at, error);
    } while (!reader_.AtEnd());
  }

  void ReadCoefficient() {
    BeforeRules("operators");
    const std::size_t at = reader_.position();
    const std::string symbol = ReadSymbol();
    const SymbolUses* const uses = file_.grammar.Find(symbol);
    if (uses == nullptr || uses->infix < 0) source_.Fail(at, fmt::format("'{}' is no infix operator yet", symbol));
    file_.grammar.coefficient = uses->infix;
  }

  // --- Variables ----------------------------------------------------------------------------------------------------------

  std::int32_t FindVariable(std::string_view name) const {
    for (std::size_t i = 0; i < file_.variables.size(); ++i) {
      if (file_.variables[i].name == name) return static_cast<std::int32_t>(i);
    }
    return -1;
  }
  Variable& variable(std::int32_t i) { return file_.variables[static_cast<std::size_t>(i)]; }

  bool IsDeclaredBelow(std::string_view name) const override {
    for (const Source::Statement& statement : source_.statements()) {
      if (statement.begin < reader_.position()) continue;
      StatementReader ahead = reader_;
      ahead.Begin(statement);
      if (!ahead.TryWord("var") && !ahead.TryWord("constant") && !ahead.TryWord("letter")) continue;
      while (!ahead.AtEnd() && !ahead.NextIs(":")) {
        const std::string word = ahead.PeekWord();
        if (word == name) return true;
        ahead.MoveTo(ahead.position() + std::max<std::size_t>(word.size(), 1));
      }
    }
    return false;
  }

  void RequireNoVariable(std::string_view name, std::size_t at) {
    if (FindVariable(name) >= 0) source_.Fail(at, fmt::format("'{}' is declared twice: it is a variable already", name));
  }
  void RequireFree(std::string_view name, std::size_t at) {
    const SymbolUses* const uses = file_.grammar.Find(name);
    if (uses != nullptr || (file_.grammar.has_letters() && name.size() == 1 && file_.grammar.IsLetter(name[0]))) {
      source_.Fail(at, fmt::format("'{}' is declared twice: it stands for itself already", name));
    }
  }

  Type ReadType() {
    const std::size_t at = reader_.position();
    const std::string name = reader_.ReadWord("a type");
    const auto found = Types().find(name);
    if (found != Types().end()) return found->second;
    std::vector<std::string> known = KeysOf(Types());
    known.emplace_back("list");
    source_.Fail(at, fmt::format("unknown type '{}'{}", name, Suggestion(name, known)));
  }

  void ReadVariables() {
    do {
      const std::size_t first = file_.variables.size();
      do {
        const std::size_t at = reader_.position();
        const std::string name = reader_.ReadWord("the name of a variable");
        if (reader_.NextIs("'")) reader_.Fail("the name of a variable has letters, digits and '_'");
        reader_.TrySign(",");
        static const std::set<std::string, std::less<>> kTaken{"if",  "assuming", "for",  "in",  "is",
                                                               "not", "label",    "hint", "mod", "div"};
        if (kTaken.contains(name)) source_.Fail(at, fmt::format("'{}' has a meaning in every file; choose another name", name));
        RequireNoVariable(name, at);
        RequireFree(name, at);
        if (file_.variables.size() >= kMaxVariables)
          source_.Fail(at, fmt::format("there may be at most {} variables", kMaxVariables));
        file_.variables.push_back({name, Type::kTerm, false, {}, at, false});
      } while (!reader_.TrySign(":"));
      const bool is_list = reader_.TryWord("list");
      const bool of = is_list && reader_.TryWord("of");
      if (is_list && file_.kind != StateKind::kList)
        reader_.Fail("variables of the type 'list' are for domains with 'state list'");
      const Type type = is_list && !of ? Type::kTerm : ReadType();
      for (std::size_t i = first; i < file_.variables.size(); ++i) {
        file_.variables[i].type = type;
        file_.variables[i].is_list = is_list;
      }
      if (reader_.TryWord("where")) {
        const std::size_t begin = reader_.position();
        reader_.MoveTo(std::min(reader_.statement_text().find(';', begin), reader_.statement_text().size()));
        wheres_.push_back({first, file_.variables.size(), {begin, reader_.position()}});
      }
    } while (reader_.TrySign(";"));
    if (grammar_used_) ReadWheres();
  }

  // Conditions of variables may speak of operators, which may stand below them.
  void ReadWheres() {
    const std::size_t after = reader_.position();
    for (const auto& [first, last, text] : std::exchange(wheres_, {})) {
      reader_.Begin(text);
      std::set<std::int32_t> all_named;
      for (const Condition& condition : ReadConditions()) {
        // What it speaks of, it belongs to.
        std::set<std::int32_t> named;
        CollectVariables(condition, named);
        for (const std::int32_t name : named) variable(name).where.push_back(condition);
        for (const std::int32_t name : named) variable(name).is_used = false;
        all_named.merge(named);
      }
      if (!reader_.AtEnd()) reader_.Fail(fmt::format("expected ',' or the end of the conditions, found {}", reader_.Found()));
      for (std::size_t i = first; i < last; ++i) {
        if (all_named.contains(static_cast<std::int32_t>(i))) continue;
        file_.warnings.emplace_back(
            file_.variables[i].position,
            fmt::format("no condition after 'where' names '{0}', so that '{0}' may be anything", file_.variables[i].name));
      }
    }
    reader_.Begin(statement_);
    reader_.MoveTo(after);
  }

  static void CollectVariables(const Expression& expression, std::set<std::int32_t>& found) {
    const bool is_named = expression.function != Function::kLetter && expression.function != Function::kOfFile;
    if (expression.variable >= 0 && is_named) found.insert(expression.variable);
    for (const Expression& argument : expression.arguments) CollectVariables(argument, found);
  }
  static void CollectVariables(const Condition& condition, std::set<std::int32_t>& found) {
    CollectVariables(condition.left, found);
    CollectVariables(condition.right, found);
    if (condition.in >= 0) found.insert(condition.in);
    for (const Condition& one : condition.any) CollectVariables(one, found);
  }

  // --- Expressions and conditions -----------------------------------------------------------------------------------------

  // A name in an expression: a variable of the file, or what a problem draws.
  std::int32_t ReadVariableOf(std::size_t at, const std::string& name) {
    if (with_ != nullptr) {
      for (std::size_t i = 0; i < with_->size(); ++i) {
        if ((*with_)[i].first == name) return static_cast<std::int32_t>(i);
      }
      std::vector<std::string> known;
      for (const auto& [drawn, from] : *with_) known.push_back(drawn);
      source_.Fail(at, fmt::format("'{}' is not drawn before this{}", name,
                                   known.empty() ? fmt::format("; write 'with {} in 1..9'", name) : Suggestion(name, known)));
    }
    const std::int32_t found = FindVariable(name);
    if (found < 0) {
      if (IsDeclaredBelow(name))
        source_.Fail(at, fmt::format("'{}' is declared below; what a statement uses stands above it", name));
      if (name == "not")
        source_.Fail(at, "'not' stands in the middle: a != b, u is not number, x not in u, u not like PATTERN");
      std::vector<std::string> known;
      for (const Variable& one : file_.variables) known.push_back(one.name);
      source_.Fail(
          at, fmt::format("'{0}' is not known{1}", name,
                          known.empty() ? fmt::format("; declare it with 'var {} : number'", name) : Suggestion(name, known)));
    }
    variable(found).is_used = true;
    return found;
  }

  Expression ReadExpression() { return ReadSum(0); }

  Expression ReadSum(std::size_t depth) {
    if (depth > 50) reader_.Fail("the expression is nested too deeply");
    Expression left = ReadProduct(depth);
    for (;;) {
      const bool add = reader_.TrySign("+");
      if (!add && !reader_.TrySign("-")) return left;
      left = {add ? Function::kAdd : Function::kSubtract, {}, -1, {std::move(left), ReadProduct(depth)}};
    }
  }

  Expression ReadProduct(std::size_t depth) {
    Expression left = ReadPower(depth);
    for (;;) {
      Function function;
      if (reader_.TrySign("*")) {
        function = Function::kMultiply;
      } else if (reader_.TrySign("/")) {
        function = Function::kDivide;
      } else if (reader_.TryWord("mod")) {
        function = Function::kModulo;
      } else if (reader_.TryWord("div")) {
        function = Function::kQuotient;
      } else {
        return left;
      }
      left = {function, {}, -1, {std::move(left), ReadPower(depth)}};
    }
  }

  Expression ReadPower(std::size_t depth) {
    if (depth > 50) reader_.Fail("the expression is nested too deeply");
    if (reader_.TrySign("-")) return {Function::kNegate, {}, -1, {ReadPower(depth + 1)}};
    Expression base = ReadPrimary(depth + 1);
    if (!reader_.TrySign("^")) return base;
    return {Function::kPower, {}, -1, {std::move(base), ReadPower(depth + 1)}};
  }

  Expression ReadPrimary(std::size_t depth) {
    if (reader_.TrySign("(")) {
      Expression inside = ReadSum(depth + 1);
      reader_.Expect(")");
      return inside;
    }
    if (reader_.NextIsDigit()) {
      const std::int64_t number = reader_.ReadInteger();
      if (reader_.NextIs(".") && !reader_.NextIs("..")) reader_.Fail("numbers have no decimal point; write 1/2 for 0.5");
      return {Function::kNumber, Rational(number), -1, {}};
    }
    const std::size_t at = reader_.position();
    const std::string name = reader_.ReadWord("a number, a variable or a function");
    if (!reader_.NextIs("(") && is_assumption_ && name.size() == 1 && FindVariable(name) < 0 && file_.grammar.has_letters() &&
        file_.grammar.IsLetter(name[0])) {
      return {Function::kLetter, {}, name[0], {}};
    }
    if (!reader_.NextIs("(")) return {Function::kVariable, {}, ReadVariableOf(at, name), {}};
    const auto found = Functions().find(name);
    const SymbolUses* const uses = file_.grammar.Find(name);
    if (found == Functions().end() && is_assumption_ && uses != nullptr && uses->function >= 0)
      return ReadCallOfFile(uses->function, depth);
    if (found == Functions().end()) {
      std::vector<std::string> known = KeysOf(Functions());
      if (file_.kind == StateKind::kList) known.insert(known.begin(), {"ascending", "increasing"});
      source_.Fail(at, fmt::format("unknown function '{}'{}", name, Suggestion(name, known)));
    }
    reader_.Expect("(");
    Expression call{found->second.function, {}, -1, {}};
    for (std::size_t i = 0; i < found->second.arguments; ++i) {
      if (i > 0) reader_.Expect(",");
      if (found->second.takes == NamedFunction::Takes::kNumbers) {
        call.arguments.push_back(ReadSum(depth + 1));
        continue;
      }
      call.variable = ReadArgument(name, found->second.takes == NamedFunction::Takes::kList);
    }
    reader_.Expect(")");
    return call;
  }

  // A variable of this type, as "s" or "s.." for a list.
  std::int32_t ReadArgument(std::string_view function, bool wants_list) {
    const std::size_t at = reader_.position();
    const std::int32_t found = ReadVariableOf(at, reader_.ReadWord("a variable"));
    if (with_ != nullptr || variable(found).is_list != wants_list) {
      source_.Fail(at, fmt::format("{} takes a variable of the type '{}'", function, wants_list ? "list" : "term"));
    }
    if (wants_list) reader_.TrySign("..");
    return found;
  }

  Expression ReadCallOfFile(std::int32_t function, std::size_t depth) {
    Expression call{Function::kOfFile, {}, function, {}};
    reader_.Expect("(");
    for (std::size_t i = 0; i < file_.grammar.op(function).arity; ++i) {
      if (i > 0) reader_.Expect(",");
      call.arguments.push_back(ReadSum(depth + 1));
    }
    reader_.Expect(")");
    return call;
  }

  // Numbers can be worked with; `what` says where this is, for the message.
  void RequireNumbers(const Expression& expression, std::size_t at, std::string_view advice) {
    if (expression.function == Function::kVariable && with_ == nullptr) {
      const Variable& used = variable(expression.variable);
      if (used.is_list || (used.type != Type::kNumber && used.type != Type::kInteger)) {
        source_.Fail(at, fmt::format("'{}' is no number here; {}", used.name, advice));
      }
    }
    for (const Expression& argument : expression.arguments) RequireNumbers(argument, at, advice);
  }

  std::vector<Condition> ReadConditions(bool is_assumption = false) {
    std::vector<Condition> conditions;
    do {
      conditions.push_back(ReadCondition(is_assumption));
    } while (reader_.TrySign(","));
    return conditions;
  }

  Condition ReadCondition(bool is_assumption) {
    is_assumption_ = is_assumption;
    Condition first = ReadAlternative(is_assumption);
    if (!reader_.NextIsWord("or")) return first;
    Condition all;
    all.kind = Condition::Kind::kAnyOf;
    all.position = first.position;
    all.any.push_back(std::move(first));
    while (reader_.TryWord("or")) all.any.push_back(ReadAlternative(is_assumption));
    return all;
  }

  Condition ReadAlternative(bool is_assumption) {
    Condition condition;
    condition.position = reader_.position();
    for (const bool increasing : {false, true}) {
      if (!reader_.NextIsCall(increasing ? "increasing" : "ascending")) continue;
      condition.kind = increasing ? Condition::Kind::kIncreasing : Condition::Kind::kAscending;
      const std::string name = reader_.ReadWord("");
      reader_.Expect("(");
      condition.in = ReadArgument(name, true);
      reader_.Expect(")");
      return condition;
    }
    if (with_ == nullptr && (ReadOccurrence(condition) || ReadOccurrenceOfCall(condition))) return condition;
    condition.left = ReadExpression();
    const bool is_variable = condition.left.function == Function::kVariable;
    if (reader_.TryWord("is")) {
      condition.kind = Condition::Kind::kIs;
      condition.is_negated = reader_.TryWord("not");
      condition.type = ReadType();
      if (!is_variable) RequireNumbers(condition.left, condition.position, "only numbers can be worked with");
      return condition;
    }
    if (with_ == nullptr && is_variable && reader_.NextIsIn()) {
      condition.kind = Condition::Kind::kOccurs;
      ReadIn(condition);
      return condition;
    }
    if (with_ == nullptr && is_variable && (reader_.NextIsWord("like") || reader_.rest().starts_with("not like "))) {
      condition.kind = Condition::Kind::kLike;
      condition.is_negated = reader_.TryWord("not");
      reader_.ExpectWord("like");
      condition.in = condition.left.variable;
      if (variable(condition.in).is_list) source_.Fail(condition.position, "'like' is for terms and elements");
      condition.part = ReadPattern(Side::kLeft, Elements());
      return condition;
    }
    for (const char* const sign : {"!=", "<=", ">=", "=", "<", ">"}) {
      if (!reader_.TrySign(sign)) continue;
      condition.comparison = sign;
      const bool is_same = condition.comparison == "=";
      if (is_variable && with_ == nullptr && !is_assumption && (is_same || condition.comparison == "!=") && NextIsSymbol()) {
        return LikeSymbol(std::move(condition), !is_same);
      }
      condition.right = ReadExpression();
      const bool both_are_variables = is_variable && condition.right.function == Function::kVariable;
      const bool is_equality = condition.comparison == "=" || condition.comparison == "!=";
      if (is_assumption || (both_are_variables && is_equality)) return condition;
      const bool is_term_against_number = is_equality && is_variable && condition.right.function == Function::kNumber;
      if (is_term_against_number) return condition;
      constexpr std::string_view kAdvice =
          "declare it as 'number', or write 'assuming' instead of 'if' for a condition that cannot be tested";
      RequireNumbers(condition.left, condition.position, kAdvice);
      RequireNumbers(condition.right, condition.position, kAdvice);
      return condition;
    }
    reader_.Fail(
        fmt::format("expected a comparison (= != < <= > >=), 'is', 'like', 'in' or 'not in', found {}", reader_.Found()));
  }

  // Whether a constant or a letter of states comes next.
  bool NextIsSymbol() const {
    const std::string_view text = reader_.rest();
    if (text.empty()) return false;
    if (!IsLetter(text[0])) {
      const SymbolUses* const uses = file_.grammar.SignAt(text, 0).second;
      return uses != nullptr && uses->constant >= 0;
    }
    const std::string word = reader_.PeekWord();
    if (FindVariable(word) >= 0) return false;
    const SymbolUses* const uses = file_.grammar.Find(word);
    return (uses != nullptr && uses->constant >= 0) ||
           (word.size() == 1 && file_.grammar.has_letters() && file_.grammar.IsLetter(word[0]));
  }
  Condition LikeSymbol(Condition condition, bool is_negated) {
    condition.kind = Condition::Kind::kLike;
    condition.comparison.clear();
    condition.is_negated = is_negated;
    condition.in = condition.left.variable;
    if (variable(condition.in).is_list)
      source_.Fail(condition.position, "a list is no single element; 'in' looks for one in it");
    condition.part = ReadPattern(Side::kLeft, Elements());
    return condition;
  }

  void ReadIn(Condition& condition) {
    condition.is_negated = reader_.TryWord("not");
    reader_.ExpectWord("in");
    const std::size_t at = reader_.position();
    condition.in = ReadVariableOf(at, reader_.ReadWord("a variable"));
  }

  // "f(a, 0) not in u": what looks so.
  bool ReadOccurrenceOfCall(Condition& condition) {
    const std::string word = reader_.PeekWord();
    const SymbolUses* const uses = file_.grammar.Find(word);
    if (!reader_.NextIsCall(word) || uses == nullptr || uses->function < 0 || Functions().contains(word)) return false;
    if (is_assumption_) return false;
    condition.kind = Condition::Kind::kOccurs;
    condition.part = ReadPattern(Side::kLeft, Elements());
    if (!reader_.NextIsIn()) reader_.Fail(fmt::format("expected 'in' or 'not in', found {}", reader_.Found()));
    ReadIn(condition);
    return true;
  }

  // "d not in u", "+ in u", "0 in u": operators, functions, constants, letters and numbers.
  bool ReadOccurrence(Condition& condition) {
    const std::size_t begin = reader_.position();
    const std::string_view text = reader_.rest();
    std::size_t length = 0;
    const SymbolUses* uses = nullptr;
    char letter = 0;
    if (text.empty()) return false;
    if (IsDigit(text[0])) {
      const std::int64_t number = reader_.ReadInteger();
      if (!reader_.NextIsIn()) {
        reader_.MoveTo(begin);
        return false;
      }
      condition.kind = Condition::Kind::kOccurs;
      condition.part.push_back({.number = Rational(number)});
      ReadIn(condition);
      return true;
    }
    if (IsLetter(text[0])) {
      while (length < text.size() && (IsLetter(text[length]) || IsDigit(text[length]) || text[length] == '_')) ++length;
      uses = file_.grammar.Find(text.substr(0, length));
      if (length == 1 && file_.grammar.has_letters() && file_.grammar.IsLetter(text[0])) letter = text[0];
    } else {
      std::tie(length, uses) = file_.grammar.SignAt(text, 0);
    }
    if (length == 0 || (uses == nullptr && letter == 0)) return false;
    reader_.MoveTo(begin + length);
    if (!reader_.NextIsIn()) {
      reader_.MoveTo(begin);
      return false;
    }
    condition.kind = Condition::Kind::kOccurs;
    condition.is_operator = true;
    Part part;
    if (letter != 0) {
      part.kind = PartKind::kLetter;
      part.id = letter;
      condition.part.push_back(part);
    } else {
      part.kind = PartKind::kOperator;
      for (const int use : {uses->infix, uses->prefix, uses->postfix, uses->function, uses->constant}) {
        if (use < 0) continue;
        part.id = use;
        condition.part.push_back(part);
      }
    }
    ReadIn(condition);
    return true;
  }

  // --- Patterns -----------------------------------------------------------------------------------------------------------

  enum class Side : std::uint8_t { kLeft, kRight, kMeaningLeft, kMeaningRight };

  std::size_t ReadOperand(std::string_view text, std::size_t at, Part& part) override {
    if (text[at] == '[' && side_ == Side::kRight) {
      reader_.MoveTo(at + 1);
      const Expression expression = ReadExpression();
      RequireNumbers(expression, at, "only numbers can be worked out; declare it as 'number' or 'integer'");
      reader_.Expect("]");
      part.kind = PartKind::kComputed;
      part.id = static_cast<std::int32_t>(file_.expressions.size());
      file_.expressions.push_back(expression);
      return reader_.position();
    }
    if (text[at] == '[' && side_ == Side::kLeft) {
      const std::size_t after = text.find_first_not_of(' ', at + 1);
      if (after == std::string_view::npos || (!IsDigit(text[after]) && text[after] != '-')) {
        source_.Fail(at, file_.kind == StateKind::kList
                             ? "elements stand side by side, without the brackets of the list: .. a b .."
                             : "only the right side has what is worked out");
      }
    }
    if (text[at] == ',' && file_.kind == StateKind::kList)
      source_.Fail(at, "elements stand side by side, without what is between them: .. a b ..");
    if (!IsLetter(text[at]) && text[at] != '_') return at;
    std::size_t end = at;
    while (end < text.size() && (IsLetter(text[end]) || IsDigit(text[end]) || text[end] == '_')) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (side_ == Side::kMeaningLeft || side_ == Side::kMeaningRight) return ReadParameter(text, word, at, end, part);
    const std::int32_t found = FindVariable(word);
    if (found < 0 && file_.grammar.Find(word) == nullptr && word.size() > 1) {
      if (Types().contains(word)) {
        source_.Fail(
            at, fmt::format("'{0}' is a type; declare a variable of it, as in 'var n : {0}', and write its name here", word));
      }
      const std::size_t open = text.find_first_not_of(' ', end);
      if (side_ == Side::kRight && Functions().contains(word) && open != std::string_view::npos && text[open] == '(')
        source_.Fail(at, fmt::format("what is worked out stands in brackets, as in [{}(...)]", word));
    }
    if (found < 0) return at;
    if (variable(found).is_list) {
      source_.Fail(at, fmt::format("'{0}' is a stretch of the list; write '{0}..'", word));
    }
    variable(found).is_used = true;
    part.kind = PartKind::kVariable;
    part.id = found;
    return end;
  }

  // In meanings, operands have names of their own.
  std::size_t ReadParameter(std::string_view text, std::string_view word, std::size_t at, std::size_t end, Part& part) {
    const Grammar& grammar = side_ == Side::kMeaningLeft ? file_.grammar : StandardGrammar();
    if (grammar.Find(word) != nullptr) return at;
    auto found = std::find(parameters_.begin(), parameters_.end(), word);
    if (side_ == Side::kMeaningLeft) {
      if (found != parameters_.end()) source_.Fail(at, fmt::format("'{}' stands for two operands", word));
      parameters_.emplace_back(word);
      found = parameters_.end() - 1;
    }
    if (found == parameters_.end()) {
      if (text.substr(end).starts_with('(')) {
        source_.Fail(at, fmt::format("meanings have no function '{}'{}", word, Suggestion(word, StandardGrammar().Words())));
      }
      if (word.size() != 1)
        source_.Fail(at, fmt::format("'{}' is none of the operands on the left{}", word, Suggestion(word, parameters_)));
      part.kind = PartKind::kLetter;
      part.id = word[0];
      return end;
    }
    part.kind = PartKind::kVariable;
    part.id = static_cast<std::int32_t>(found - parameters_.begin());
    return end;
  }

  std::vector<Part> ReadPattern(Side side, const Grammar& grammar) {
    side_ = side;
    const std::string_view text = reader_.statement_text();
    TermReader reader(grammar, text, this);
    std::size_t at = reader_.position();
    if (grammar.is_list) {
      ReadElements(reader, at);
    } else if (!reader.ReadWhole(at)) {
      FailToRead(reader.error());
    }
    std::vector<Part> parts;
    reader.Ordered(parts);
    reader_.MoveTo(at);
    if (parts.size() > 300) reader_.Fail("a side of a rule has at most 300 parts");
    for (const Part& part : parts) {
      if (part.kind != PartKind::kReplaced) continue;
      if (side != Side::kRight) source_.Fail(part.begin, "'replace' stands on the right side of a rule only");
      const auto has_outermost = [](const Operator& op) { return op.outermost >= 0; };
      const auto& operators = grammar.operators();
      if (grammar.numbers == NumberNotation::kDecimal || grammar.numbers == NumberNotation::kStrokes || grammar.element >= 0 ||
          std::any_of(operators.begin(), operators.end(), has_outermost)) {
        source_.Fail(part.begin,
                     "'replace' is not for domains with 'numbers decimal', 'numbers strokes', 'element' or 'outermost'");
      }
    }
    std::set<std::int32_t> seen;
    for (Part& part : parts) {
      if (part.kind == PartKind::kVariable || (part.kind == PartKind::kGap && part.id >= 0))
        part.is_bracketed = !seen.insert(part.id).second;
    }
    return parts;
  }

  [[noreturn]] void FailToRead(const TextError& error) {
    const std::size_t at = error.position;
    if (at > 0 && source_.clean().substr(at - 1, 2) == "=>" && file_.grammar.Find("=>") == nullptr)
      source_.Fail(at - 1, "expected '->', found '=>'");
    source_.Fail(at, error.message);
  }

  void ReadElements(TermReader& reader, std::size_t& at) {
    std::int32_t gaps = 0;
    for (;;) {
      reader_.MoveTo(at);
      at = reader_.position();
      if (reader_.AtEnd() || reader_.NextIs("->") || reader_.NextIs("<->") || reader_.NextIs(";") || reader_.NextIsClause())
        break;
      Part part;
      part.begin = static_cast<std::uint32_t>(at);
      if (reader_.TrySign("..")) {
        part.kind = PartKind::kGap;
        part.id = -1 - gaps++;
        reader.PushPart(part);
        at = reader_.position();
        continue;
      }
      const std::string word = reader_.PeekWord();
      const std::int32_t found = FindVariable(word);
      if (found >= 0 && variable(found).is_list) {
        reader_.ReadWord("");
        if (!reader_.TrySign("..")) source_.Fail(at, fmt::format("'{0}' is a stretch of the list; write '{0}..'", word));
        variable(found).is_used = true;
        part.kind = PartKind::kGap;
        part.id = found;
        reader.PushPart(part);
        at = reader_.position();
        continue;
      }
      if (side_ == Side::kRight && reader_.NextIsCall("replace") && file_.grammar.Find("replace") == nullptr) {
        StatementReader ahead = reader_;
        ahead.ReadWord("");
        ahead.Expect("(");
        const std::int32_t stretch = FindVariable(ahead.PeekWord());
        if (stretch >= 0 && variable(stretch).is_list) {
          reader_.MoveTo(ahead.position());
          const std::size_t first_part = reader.parts();
          part.kind = PartKind::kGap;
          part.id = ReadArgument(word, true);
          reader.PushPart(part);
          for (int i = 0; i < 2; ++i) {
            reader_.Expect(",");
            at = reader_.position();
            if (!reader.ReadTerm(at)) FailToRead(reader.error());
            reader_.MoveTo(at);
          }
          reader_.Expect(")");
          reader.Close(PartKind::kReplaced, first_part, part.begin);
          at = reader_.position();
          continue;
        }
      }
      if (side_ == Side::kRight && (reader_.NextIsCall("reverse") || reader_.NextIsCall("sort"))) {
        part.kind = PartKind::kListFunction;
        part.number = Rational(word == "sort" ? 1 : 0);
        reader_.ReadWord("");
        reader_.Expect("(");
        part.id = ReadArgument(word, true);
        reader_.Expect(")");
        reader.PushPart(part);
        at = reader_.position();
        continue;
      }
      if (!reader.ReadTerm(at)) FailToRead(reader.error());
    }
    reader.Close(PartKind::kList, 0);
  }

  // --- Rules --------------------------------------------------------------------------------------------------------------

  void ReadFamily(const std::string& word) {
    reader_.ExpectWord("of");
    file_.families.push_back({word == "first" ? Family::Mode::kFirst : Family::Mode::kAll});
    ReadRules(fmt::format("below '{} of'", word));
  }

  void ReadCommonChoice() {
    common_choice_ = ReadChoice();
    file_.families.push_back({Family::Mode::kEach});
    ReadRules("below 'for'");
    common_choice_.reset();
  }

  void ReadRules(const std::string& where) {
    if (reader_.AtEnd()) reader_.Fail(fmt::format("expected rules, indented, {}", where));
    while (!reader_.AtEnd()) {
      reader_.ExpectWord("rule");
      file_.families.back().rules.push_back(ReadRule());
    }
  }

  enum class RuleKind { kStep, kError };

  Rule ReadRule(RuleKind kind = RuleKind::kStep) {
    Rule rule;
    rule.position = reader_.position();
    rule.name = reader_.ReadName("the name of the rule");
    if (!rule_names_.insert(rule.name).second) {
      source_.Fail(
          rule.position,
          fmt::format(
              "there is a rule or error '{0}' already; for several forms of one write '{0} LEFT -> RIGHT ; LEFT -> RIGHT'",
              rule.name));
    }
    const std::size_t sign = reader_.position();
    const SymbolUses* const after_name = reader_.AtEnd() ? nullptr : file_.grammar.SignAt(reader_.rest(), 0).second;
    const bool is_infix = after_name != nullptr && after_name->infix >= 0 && after_name->prefix < 0 && after_name->constant < 0;
    if (reader_.NextIs(":") || (is_infix && !reader_.NextIs(".."))) {
      source_.Fail(sign, fmt::format("expected the left side, found {}: a rule is NAME LEFT -> RIGHT", reader_.Found()));
    }
    if (rule_names_.size() > kMaxRules) source_.Fail(rule.position, fmt::format("there may be at most {} rules", kMaxRules));
    do {
      Form form;
      const std::size_t begin = reader_.position();
      form.left = ReadPattern(Side::kLeft, file_.grammar);
      const bool both = reader_.NextIs("<->");
      if (!both && !reader_.NextIs("->")) {
        const bool is_operand = !reader_.PeekWord().empty() || reader_.NextIsDigit() || reader_.NextIs("(");
        const bool is_factor = is_operand && file_.kind == StateKind::kTerm;
        reader_.Fail(
            fmt::format("expected '->' and what the left side becomes, found {}{}", reader_.Found(),
                        is_factor ? "; a product has its operator, as in b * x: only a number can stand before a letter" : ""));
      }
      reader_.Expect(both ? "<->" : "->");
      form.right = ReadPattern(Side::kRight, file_.grammar);
      const auto is_same = [](const Part& a, const Part& b) {
        return a.kind == b.kind && a.id == b.id && a.size == b.size && a.number == b.number;
      };
      if (std::equal(form.left.begin(), form.left.end(), form.right.begin(), form.right.end(), is_same))
        source_.Fail(begin, "this rule changes nothing: both sides are the same");
      Form back{form.right, form.left};
      if (reader_.TryWord("where")) form.where = ReadConditions();
      back.where = form.where;
      rule.forms.push_back(std::move(form));
      if (!both) continue;
      for (const Part& part : back.left) {
        if (part.kind == PartKind::kComputed || part.kind == PartKind::kListFunction || part.kind == PartKind::kReplaced) {
          source_.Fail(part.begin, "what is worked out cannot be matched, so that this rule has one direction; write '->'");
        }
      }
      rule.forms.push_back(std::move(back));
    } while (reader_.TrySign(";"));
    if (common_choice_) rule.choices.push_back(*common_choice_);
    ReadClauses(rule, kind);
    for (Form& form : rule.forms) FinishForm(form, rule);
    return rule;
  }

  void ReadClauses(Rule& rule, RuleKind kind) {
    while (!reader_.AtEnd() && !reader_.NextIsWord("rule")) {
      if (reader_.TryWord("if")) {
        for (Condition& condition : ReadConditions()) rule.conditions.push_back(std::move(condition));
      } else if (reader_.TryWord("assuming")) {
        for (Condition& condition : ReadConditions(true)) rule.assumptions.push_back(std::move(condition));
      } else if (reader_.TryWord("for")) {
        if (rule.choices.size() >= kMaxChoicesOfRule)
          reader_.Fail(fmt::format("a rule has at most {} choices", kMaxChoicesOfRule));
        rule.choices.push_back(ReadChoice());
      } else if (reader_.TryWord("label")) {
        const std::size_t at = reader_.position();
        const std::string label = reader_.ReadString("a label");
        rule.label = ReadTemplate(at, label, true);
        const std::vector<std::string>& literals = rule.label->literals;
        const bool has_slot = literals[0].empty() && literals.size() > 1 && rule.label->slots[0] == Template::kRule;
        const std::string begin = has_slot ? rule.name + literals[1] + (literals.size() > 2 && literals[1].empty() ? "{" : "")
                                           : literals[0] + (literals.size() > 1 ? "{" : "");
        // Labels of errors are no labels of steps: what reads those rules knows them.
        if (kind == RuleKind::kStep && begin.substr(0, begin.find(' ')) != rule.name) {
          source_.Fail(at, fmt::format("a label begins with the name of its rule, as in \"{} {}\"", rule.name, label));
        }
      } else if (reader_.TryWord("hint")) {
        const std::string language = reader_.ReadLanguage();
        const std::size_t at = reader_.position();
        rule.hints[language] = reader_.ReadString("a hint");
        if (rule.hints[language].find('{') != std::string::npos)
          source_.Fail(at, "a hint has no slots: it says less than the step");
      } else if (reader_.NextIsLanguage()) {
        const std::string language = reader_.ReadLanguage();
        const std::size_t at = reader_.position();
        const std::string sentence = reader_.ReadString("a sentence");
        rule.sentences[language] = ReadTemplate(at, sentence, false);
      } else {
        FailAtClause();
      }
    }
  }

  [[noreturn]] void FailAtClause() {
    const std::string word = reader_.PeekWord();
    std::string advice;
    if (word == "and" || reader_.NextIs("&")) {
      advice = "; conditions that must all hold are separated by commas";
    } else if (reader_.NextIs("<") || reader_.NextIs(">") || reader_.NextIs("=")) {
      advice = "; of 0 < a < 5 make 0 < a, a < 5";
    } else if (word.size() == 2) {
      advice = fmt::format("; a sentence stands in quotes: {} \"...\"", word);
    } else if (!word.empty()) {
      advice = Suggestion(word, {"if", "where", "assuming", "for", "label", "hint"});
      if (!advice.starts_with("; did")) advice = "; a language is two letters, and its sentence stands in quotes: en \"...\"";
    }
    reader_.Fail(
        fmt::format("expected 'if', 'where', 'assuming', 'for', 'label', 'hint', a language or the end of the rule, found {}{}",
                    reader_.Found(), advice));
  }

  Choice ReadChoice() {
    Choice choice;
    const std::size_t at = reader_.position();
    const std::string name = reader_.ReadWord("the variable to choose");
    choice.variable = ReadVariableOf(at, name);
    reader_.ExpectWord("in");
    using Kind = Choice::Source::Kind;
    static const std::map<std::string, Kind, std::less<>> kParts{
        {"numbers", Kind::kNumbers}, {"letters", Kind::kLetters}, {"atoms", Kind::kAtoms}, {"terms", Kind::kTerms}};
    do {
      Choice::Source from;
      const std::string word = reader_.PeekWord();
      if (const auto parts = kParts.find(word); parts != kParts.end()) {
        reader_.ReadWord("");
        from.kind = parts->second;
      } else if (reader_.NextIsCall("divisors") || reader_.NextIsCall("factors") || reader_.NextIsCall("primes")) {
        from.kind = word == "primes" ? Kind::kPrimes : word == "factors" ? Kind::kFactors : Kind::kDivisors;
        reader_.ReadWord("");
        reader_.Expect("(");
        from.low = ReadExpression();
        reader_.Expect(")");
      } else {
        from.low = ReadExpression();
        from.kind = reader_.TrySign("..") ? Kind::kRange : Kind::kValue;
        if (from.kind == Kind::kRange) from.high = ReadExpression();
      }
      choice.sources.push_back(std::move(from));
    } while (reader_.TrySign(","));
    return choice;
  }

  Template ReadTemplate(std::size_t at, const std::string& text, bool is_label) {
    Template result;
    std::size_t begin = 0;
    for (;;) {
      const std::size_t open = text.find('{', begin);
      result.literals.push_back(text.substr(begin, open - begin));
      if (open == std::string::npos) return result;
      const std::size_t close = text.find('}', open);
      if (close == std::string::npos) source_.Fail(at + 1 + open, "this '{' has no '}'");
      const std::string name = text.substr(open + 1, close - open - 1);
      begin = close + 1;
      if (is_label && (name.starts_with('[') || name.starts_with("at "))) {
        result.slots.push_back(ReadLabelSlot(at + 2 + open, at + 1 + close, name));
        continue;
      }
      if (name.starts_with('[')) {
        source_.Fail(at + 1 + open, "only labels work something out; in a sentence '{to}' is what the part becomes");
      }
      std::vector<std::string> known{"from", "to"};
      if (is_label) known.insert(known.end(), {"rule", "at", "inside"});
      std::int32_t slot = name == "from" ? Template::kFrom : name == "to" ? Template::kTo : 0;
      if (is_label && name == "rule") slot = Template::kRule;
      if (is_label && name == "at") slot = Template::kAt;
      if (is_label && name == "inside") slot = Template::kInside;
      if (slot == 0) {
        const std::int32_t found = FindVariable(name);
        if (found < 0) {
          for (const Variable& one : file_.variables) known.push_back(one.name);
          source_.Fail(at + 1 + open, fmt::format("unknown slot '{{{}}}'{}", name, Suggestion(name, known)));
        }
        slot = found;
      }
      result.slots.push_back(slot);
    }
  }

  // "{[n / k]}" and "{at n}"
  std::int32_t ReadLabelSlot(std::size_t begin, std::size_t end, const std::string& name) {
    const std::size_t after = reader_.position();
    reader_.MoveTo(begin);
    std::int32_t slot = 0;
    if (name.starts_with('[')) {
      reader_.Expect("[");
      const Expression expression = ReadExpression();
      RequireNumbers(expression, begin, "only numbers can be worked out; declare it as 'number' or 'integer'");
      reader_.Expect("]");
      slot = Template::kExpressions - static_cast<std::int32_t>(file_.expressions.size());
      file_.expressions.push_back(expression);
    } else {
      reader_.ExpectWord("at");
      const std::size_t place = reader_.position();
      slot = Template::kPlaces - ReadVariableOf(place, reader_.ReadWord("a variable"));
    }
    if (reader_.position() != end) reader_.Fail(fmt::format("expected '}}', found {}", reader_.Found()));
    reader_.MoveTo(after);
    return slot;
  }

  // Whether the side is an operator that stands around the whole state alone.
  bool IsOutermost(const std::vector<Part>& side) const {
    if (side.empty() || side.front().kind != PartKind::kOperator) return false;
    const auto& operators = file_.grammar.operators();
    return std::any_of(operators.begin(), operators.end(), [&](const Operator& op) { return op.outermost == side.front().id; });
  }

  // Variables of a pattern after 'like' that the rule has bound have to be the same.
  static void BindLikeness(Condition& condition, const std::set<std::int32_t>& bound) {
    for (Part& part : condition.part) {
      if (part.kind == PartKind::kVariable && bound.contains(part.id)) part.is_bracketed = true;
    }
    for (Condition& one : condition.any) BindLikeness(one, bound);
  }

  void FinishForm(Form& form, const Rule& rule) {
    if (IsOutermost(form.right) && !IsOutermost(form.left)) {
      source_.Fail(
          form.right.front().begin,
          "the left side may stand anywhere, and this operator stands around the whole state alone; put the right side "
          "in brackets");
    }
    std::set<std::int32_t> bound;
    std::int32_t gaps = 0;
    for (Part& part : form.left) {
      if (part.kind == PartKind::kVariable || part.kind == PartKind::kGap) {
        const bool is_new = bound.insert(part.id).second;
        part.is_bracketed = !is_new;
        if (part.kind == PartKind::kGap && part.id < 0) ++gaps;
      }
    }
    for (const Choice& choice : rule.choices) {
      for (const Choice::Source& from : choice.sources) {
        std::set<std::int32_t> named;
        CollectVariables(from.low, named);
        CollectVariables(from.high, named);
        for (const std::int32_t id : named) {
          if (!bound.contains(id))
            source_.Fail(rule.position, fmt::format("the choices need '{}', which does not stand on the left side and is not "
                                                    "chosen before",
                                                    variable(id).name));
        }
      }
      if (!bound.insert(choice.variable).second) {
        source_.Fail(rule.position, fmt::format("'{}' is chosen by 'for', but stands on the left side or is chosen before",
                                                variable(choice.variable).name));
      }
    }
    const auto require = [&](std::int32_t id, std::size_t at, std::string_view where) {
      if (bound.contains(id)) return;
      source_.Fail(
          at,
          fmt::format(
              "'{0}' is not bound {1}: it does not stand on the left side; put it there, or choose it with 'for {0} in ...'",
              variable(id).name, where));
    };
    for (const Part& part : form.right) {
      if (part.kind == PartKind::kGap && part.id < 0 && -1 - part.id >= gaps) {
        source_.Fail(part.begin, fmt::format("there are more gaps on the right than the {} on the left", gaps));
      }
      if (part.kind == PartKind::kVariable || part.kind == PartKind::kListFunction ||
          (part.kind == PartKind::kGap && part.id >= 0)) {
        require(part.id, part.begin, "here");
      }
      if (part.kind == PartKind::kComputed) {
        std::set<std::int32_t> named;
        CollectVariables(file_.expressions[static_cast<std::size_t>(part.id)], named);
        for (const std::int32_t id : named) require(id, part.begin, "in what is worked out");
      }
    }
    const auto require_conditions = [&](const std::vector<Condition>& conditions) {
      for (const Condition& condition : conditions) {
        std::set<std::int32_t> named;
        CollectVariables(condition, named);
        for (const std::int32_t id : named) require(id, condition.position, "in this condition");
      }
    };
    require_conditions(form.where);
    require_conditions(rule.conditions);
    require_conditions(rule.assumptions);
    for (const Condition& condition : rule.conditions) form.where.push_back(condition);
    for (Condition& condition : form.where) BindLikeness(condition, bound);
    const auto require_slots = [&](const Template& text) {
      for (const std::int32_t slot : text.slots) {
        std::set<std::int32_t> named;
        if (slot >= 0) named.insert(slot);
        if (slot <= Template::kPlaces && slot > Template::kExpressions) named.insert(Template::kPlaces - slot);
        if (slot <= Template::kExpressions) {
          CollectVariables(file_.expressions[static_cast<std::size_t>(Template::kExpressions - slot)], named);
        }
        for (const std::int32_t id : named) require(id, rule.position, "in a sentence of this rule");
      }
    };
    for (const auto& [language, sentence] : rule.sentences) require_slots(sentence);
    if (rule.label) require_slots(*rule.label);
    if (form.left.front().kind == PartKind::kOperator) form.head = form.left.front().id;
    std::set<std::size_t> taken;
    for (const std::int32_t id : bound) {
      if (id < 0) continue;
      for (const Condition& condition : variable(id).where) {
        std::set<std::int32_t> named;
        CollectVariables(condition, named);
        const bool all = std::all_of(named.begin(), named.end(), [&](std::int32_t one) { return bound.contains(one); });
        if (all && taken.insert(condition.position).second) form.where.push_back(condition);
      }
    }
  }

  bool TryNoRule() {
    if (!reader_.rest().starts_with("no rule")) return false;
    for (const char* const word : {"no", "rule", "applies"}) reader_.ExpectWord(word);
    return true;
  }

  void ReadGoal() {
    Goal goal;
    if (TryNoRule()) {
      goal.is_no_rule = true;
      file_.goals.push_back(std::move(goal));
      return;
    }
    goal.is_negated = file_.grammar.Find("not") == nullptr && reader_.TryWord("not");
    Rule as_rule;
    as_rule.position = reader_.position();
    Form form;
    form.left = ReadPattern(Side::kLeft, file_.grammar);
    if (reader_.TryWord("if")) {
      do {
        if (TryNoRule()) {
          goal.is_no_rule = true;
        } else {
          as_rule.conditions.push_back(ReadCondition(false));
        }
      } while (reader_.TrySign(","));
    }
    FinishForm(form, as_rule);
    goal.pattern = std::move(form.left);
    goal.conditions = std::move(form.where);
    file_.goals.push_back(std::move(goal));
  }

  // --- Problems -----------------------------------------------------------------------------------------------------------

  void ReadProblem(std::size_t begin) {
    if (reader_.TryWord("scramble")) {
      if (file_.kind != StateKind::kLayout)
        source_.Fail(begin, "'scramble' is for layouts; write templates: problem \"...\" with ...");
      const std::size_t at = reader_.position();
      Scramble scramble;
      scramble.position = begin;
      scramble.low = reader_.ReadInteger();
      reader_.Expect("..");
      scramble.high = reader_.ReadInteger();
      if (scramble.low < 0 || scramble.high < scramble.low || scramble.high > 10'000) {
        source_.Fail(at, "expected a range such as 1..20, of at most 10000 steps");
      }
      file_.scrambles.push_back(scramble);
      return;
    }
    file_.problems.push_back(ReadDrawing(begin));
  }

  void ReadDraw(std::size_t begin) {
    const std::size_t at = reader_.position();
    const std::string name = reader_.ReadWord("a name");
    for (const Drawing& known : file_.draws) {
      if (known.name == name) source_.Fail(at, fmt::format("there are two 'draw {}'", name));
    }
    file_.draws.push_back({});
    file_.draws.back().name = name;
    Drawing drawing = ReadDrawing(begin);
    drawing.name = name;
    file_.draws.back() = std::move(drawing);
  }

  void ReadTexts() {
    const std::size_t at = reader_.position();
    const std::string name = reader_.ReadWord("a name");
    if (texts_.contains(name)) source_.Fail(at, fmt::format("there are two 'texts {}'", name));
    std::vector<Drawing::Option> options = ReadDrawing(at).options;
    std::vector<std::string> texts;
    for (const Drawing::Option& option : options) {
      if (std::find(option.slots.begin(), option.slots.end(), name) != option.slots.end())
        source_.Fail(option.position, fmt::format("'texts {0}' never ends: it has a slot '{{{0}}}'", name));
      std::string text = option.literals[0];
      for (std::size_t i = 0; i < option.slots.size(); ++i) text += '{' + option.slots[i] + '}' + option.literals[i + 1];
      texts.push_back(std::move(text));
    }
    texts_.emplace(name, std::move(texts));
  }

  // Slots of 'texts' are filled in with each of them: the first slot changes slowest. What comes out twice counts once.
  void AddTemplates(Drawing& drawing, const Drawing::Option& pattern, const std::string& text, bool is_filled = false) {
    constexpr std::size_t kMaxTemplates = 20'000;
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
      const std::size_t close = text.find('}', open);
      if (close == std::string::npos) source_.Fail(pattern.position + 1 + std::min(open, text.size()), "this '{' has no '}'");
      const auto texts = texts_.find(text.substr(open + 1, close - open - 1));
      if (texts == texts_.end()) continue;
      for (const std::string& one : texts->second) {
        AddTemplates(drawing, pattern, text.substr(0, open) + one + text.substr(close + 1), true);
      }
      return;
    }
    if (drawing.options.size() >= kMaxTemplates || text.size() > kMaxStateBytes)
      source_.Fail(pattern.position, fmt::format("there are more than {} templates", kMaxTemplates));
    if (!drawn_.insert(text).second && is_filled) return;
    Drawing::Option option = pattern;
    for (std::size_t at = 0;;) {
      const std::size_t open = text.find('{', at);
      option.literals.push_back(text.substr(at, open - at));
      if (open == std::string::npos) break;
      const std::size_t close = text.find('}', open);
      option.slots.push_back(text.substr(open + 1, close - open - 1));
      at = close + 1;
    }
    drawing.options.push_back(std::move(option));
  }

  Sampler ReadSampler() {
    if (!reader_.TryWord("by")) return Sampler::kUsual;
    static const std::map<std::string, Sampler, std::less<>> samplers{
        {"int8", Sampler::kInt8}, {"int32", Sampler::kInt32}, {"int64", Sampler::kInt64}, {"coin", Sampler::kCoin}};
    const std::size_t at = reader_.position();
    const std::string word = reader_.ReadWord("how it is drawn");
    const auto found = samplers.find(word);
    if (found == samplers.end())
      source_.Fail(at, fmt::format("nothing is drawn by '{}'{}", word, Suggestion(word, KeysOf(samplers))));
    return found->second;
  }

  Drawing ReadDrawing(std::size_t begin) {
    Drawing drawing;
    drawing.position = begin;
    drawn_.clear();
    do {
      Drawing::Option option;
      if (reader_.NextIsDigit()) {
        const std::size_t at = reader_.position();
        const std::int64_t weight = reader_.ReadInteger();
        if (weight < 1 || weight > 1'000'000) source_.Fail(at, "a weight is from 1 to 1000000");
        option.weight = static_cast<std::uint32_t>(weight);
        reader_.Expect(":");
      }
      option.position = reader_.position();
      AddTemplates(drawing, option, reader_.ReadString("a template"));
    } while (reader_.NextIsDigit() || reader_.NextIs("\""));
    drawing.sampler = ReadSampler();
    if (drawing.sampler == Sampler::kCoin && drawing.options.size() != 2) reader_.Fail("a coin chooses between two templates");
    if (reader_.TryWord("with")) {
      do {
        std::vector<std::string> names;
        do {
          const std::size_t at = reader_.position();
          names.push_back(reader_.ReadWord("a name"));
          const auto is_it = [&](const auto& known) { return known.first == names.back(); };
          if (std::any_of(drawing.with.begin(), drawing.with.end(), is_it) ||
              std::count(names.begin(), names.end(), names.back()) > 1) {
            source_.Fail(at, fmt::format("'{}' is drawn twice", names.back()));
          }
        } while (reader_.TrySign(","));
        reader_.ExpectWord("in");
        with_ = &drawing.with;
        const DrawSource from = ReadDrawSource();
        with_ = nullptr;
        for (const std::string& name : names) drawing.with.emplace_back(name, from);
      } while (reader_.TrySign(","));
    }
    if (reader_.TryWord("where")) {
      with_ = &drawing.with;
      drawing.where = ReadConditions();
      with_ = nullptr;
    }
    return drawing;
  }

  DrawSource ReadDrawSource(int depth = 0) {
    DrawSource from = ReadUnsampledSource(depth);
    from.sampler = ReadSampler();
    return from;
  }

  DrawSource ReadUnsampledSource(int depth) {
    DrawSource from;
    if (depth > 5) reader_.Fail("the source is nested too deeply");
    if (reader_.NextIs("\"")) {
      from.kind = DrawSource::Kind::kChoices;
      do {
        from.choices.push_back(reader_.ReadString("a text"));
      } while (reader_.TryCommaBefore("\""));
      return from;
    }
    if (reader_.NextIsCall("shuffle") || reader_.NextIsCall("list") || reader_.NextIsCall("product")) {
      const bool shuffle = reader_.PeekWord() == "shuffle";
      const bool product = reader_.PeekWord() == "product";
      if (file_.kind != StateKind::kList && !product) reader_.Fail("this is for domains with 'state list'");
      reader_.ReadWord("");
      reader_.Expect("(");
      from.kind = shuffle ? DrawSource::Kind::kShuffle : product ? DrawSource::Kind::kProduct : DrawSource::Kind::kList;
      from.low = ReadExpression();
      from.high = from.low;
      if (shuffle || !reader_.NextIs("of")) {
        reader_.Expect("..");
        from.high = ReadExpression();
      }
      if (!shuffle) {
        reader_.ExpectWord("of");
        from.element.push_back(ReadDrawSource(depth + 1));
      }
      reader_.Expect(")");
      return from;
    }
    const std::size_t at = reader_.position();
    if (const std::string word = reader_.PeekWord(); !word.empty() && !reader_.NextIsCall(word)) {
      const auto is_named = [&](const auto& one) { return one.first == word; };
      const bool is_drawn_before = std::any_of(with_->begin(), with_->end(), is_named);
      if (!is_drawn_before) {
        reader_.ReadWord("");
        from.kind = DrawSource::Kind::kDraw;
        from.draw = word;
        draw_uses_.emplace_back(at, word);
        return from;
      }
    }
    from.low = ReadExpression();
    if (reader_.TrySign("..")) {
      from.high = ReadExpression();
      const auto is_number = [](const Expression& bound) { return bound.function == Function::kNumber; };
      if (is_number(from.low) && is_number(from.high) && from.high.number.numerator() < from.low.number.numerator())
        source_.Fail(at, "this range is empty: the smaller bound comes first");
      return from;
    }
    // What is worked out from others, as p + q; or 2, 3, 5: as long as numbers follow.
    std::set<std::int32_t> named;
    CollectVariables(from.low, named);
    if (!named.empty()) {
      from.high = from.low;
      return from;
    }
    from.kind = DrawSource::Kind::kChoices;
    reader_.MoveTo(at);
    do {
      const bool is_negative = reader_.TrySign("-");
      from.choices.push_back((is_negative ? "-" : "") + std::to_string(reader_.ReadInteger()));
    } while (reader_.TryCommaBeforeNumber());
    if (reader_.NextIs("-")) reader_.Fail("expected the end of the source, found '-'; a range has two points: 1..9");
    return from;
  }

  void CheckDrawings() {
    const auto find = [&](std::string_view name) {
      return std::any_of(file_.draws.begin(), file_.draws.end(), [&](const Drawing& one) { return one.name == name; });
    };
    std::vector<std::string> draws;
    for (const Drawing& one : file_.draws) draws.push_back(one.name);
    for (const auto& [at, name] : draw_uses_) {
      if (!find(name)) source_.Fail(at, fmt::format("there is no 'draw {}'{}", name, Suggestion(name, draws)));
    }
    const auto check = [&](Drawing& drawing) {
      std::set<std::string, std::less<>> used;
      for (Drawing::Option& option : drawing.options) {
        for (const std::string& slot : option.slots) {
          const auto is_slot = [&](const auto& with) { return with.first == slot; };
          used.insert(slot);
          if (std::any_of(drawing.with.begin(), drawing.with.end(), is_slot)) continue;
          if (!find(slot) && slot.starts_with('[')) {
            source_.Fail(option.position, fmt::format("'{{{}}}' has no name; write '{{n}}', and 'n in {}' after 'with'", slot,
                                                      slot.substr(1, slot.find(']') - 1)));
          }
          if (!find(slot)) {
            std::vector<std::string> known = draws;
            for (const auto& [name, from] : drawing.with) known.push_back(name);
            source_.Fail(option.position,
                         fmt::format("nothing is drawn for the slot '{{{0}}}'{1}", slot,
                                     known.empty() ? fmt::format("; write 'with {} in 1..9'", slot) : Suggestion(slot, known)));
          }
          option.has_draws = true;
        }
      }
      for (const auto& [name, from] : drawing.with) {
        if (from.kind == DrawSource::Kind::kDraw) {
          // It is drawn whether its slot is used or not.
          for (Drawing::Option& option : drawing.options) option.has_draws = true;
        }
      }
    };
    for (Drawing& drawing : file_.draws) check(drawing);
    for (Drawing& drawing : file_.problems) check(drawing);
    for (const Drawing& drawing : file_.draws) {
      if (std::all_of(drawing.options.begin(), drawing.options.end(), [](const auto& option) { return option.has_draws; }) &&
          std::any_of(drawing.options.begin(), drawing.options.end(), [&](const auto& option) {
            return std::find(option.slots.begin(), option.slots.end(), drawing.name) != option.slots.end();
          })) {
        source_.Fail(drawing.position,
                     fmt::format("'draw {}' never ends: every template has a slot that is drawn in turn; add one without",
                                 drawing.name));
      }
    }
  }

  // --- What is kept, tests ------------------------------------------------------------------------------------------------

  void ReadKeeps(std::size_t begin) {
    if (file_.keeps_position != 0) source_.Fail(begin, "a second 'keeps'");
    file_.keeps_position = begin;
    const std::size_t at = reader_.position();
    const std::string what = reader_.ReadWord("what steps keep");
    static const std::map<std::string, Keeps, std::less<>> kinds{
        {"nothing", Keeps::kNothing},     {"value", Keeps::kValue},       {"truth", Keeps::kTruth},
        {"solutions", Keeps::kSolutions}, {"multiset", Keeps::kMultiset}, {"sum", Keeps::kSum}};
    const auto found = kinds.find(what);
    if (found == kinds.end()) source_.Fail(at, fmt::format("nothing can keep '{}'{}", what, Suggestion(what, KeysOf(kinds))));
    file_.keeps = found->second;
    if (file_.keeps == Keeps::kSolutions) {
      reader_.ExpectWord("of");
      do {
        const std::size_t place = reader_.position();
        const std::string letter = reader_.ReadWord("a letter");
        if (letter.size() != 1)
          source_.Fail(place, "expected the letters of the unknowns, as in 'keeps solutions of x' or 'keeps solutions of x y'");
        file_.unknowns += letter;
        reader_.TrySign(",");
      } while (!reader_.AtEnd());
    }
    const bool for_lists = file_.keeps == Keeps::kMultiset || file_.keeps == Keeps::kSum;
    const bool for_terms = file_.keeps == Keeps::kValue;
    if ((for_lists && file_.kind != StateKind::kList) || (for_terms && file_.kind != StateKind::kTerm) ||
        (file_.keeps != Keeps::kNothing && file_.kind == StateKind::kLayout)) {
      source_.Fail(
          at, fmt::format("'keeps {}' is not for this kind of state; {}", what,
                          file_.kind == StateKind::kTerm   ? "terms keep value, truth, solutions of letters, or nothing"
                          : file_.kind == StateKind::kList ? "lists keep multiset, sum, truth, solutions of letters, or nothing"
                                                           : "layouts keep nothing"));
    }
  }

  void ReadMeaning() {
    const std::size_t at = reader_.position();
    const std::string_view text = reader_.rest();
    const auto is_plain = [](const Part& part) { return part.kind == PartKind::kVariable && part.size == 1; };
    // The '=' between the two may be an operator of the file, too: the left side ends where it is an operator with its
    // operands.
    std::vector<Part> left;
    bool is_whole = false;
    std::size_t equals = std::string_view::npos;
    for (std::size_t next = text.find(" = "); next != std::string_view::npos && !is_whole; next = text.find(" = ", next + 1)) {
      equals = next;
      parameters_.clear();
      reader_.MoveTo(at);
      reader_.EndAt(at + equals);
      left = ReadPattern(Side::kMeaningLeft, Elements());
      is_whole = reader_.AtEnd() && left[0].kind == PartKind::kOperator && std::all_of(left.begin() + 1, left.end(), is_plain);
      reader_.EndAtStatement();
    }
    if (!is_whole) {
      source_.Fail(at,
                   "expected one operator or function with a name for each operand, '=' and what it means, as in 'meaning "
                   "succ(n) = n + 1'");
    }
    reader_.MoveTo(at + equals + 3);
    Meaning meaning;
    meaning.body = ReadPattern(Side::kMeaningRight, StandardGrammar());
    if (!file_.meanings.emplace(left[0].id, std::move(meaning)).second) source_.Fail(at, "this has a meaning already");
  }

  // The grammar of one element, where states are lists.
  const Grammar& Elements() {
    element_grammar_ = file_.grammar;
    element_grammar_.is_list = false;
    return element_grammar_;
  }

  void ReadTest(std::size_t begin) {
    FileTest test;
    test.position = begin;
    test.from = reader_.ReadString("a state");
    const auto read_rule = [&] {
      const std::size_t at = reader_.position();
      std::string name = reader_.ReadName("the name of a rule");
      test_rules_.emplace_back(at, name);
      return name;
    };
    if (reader_.TrySign("=>")) {
      test.to = reader_.ReadString("a state");
    } else if (reader_.TrySign("->")) {
      test.kind = FileTest::Kind::kStep;
      test.to = reader_.ReadString("a state");
      if (reader_.TryWord("by")) test.by = read_rule();
    } else if (reader_.TryWord("solved")) {
      test.kind = FileTest::Kind::kSolved;
    } else if (reader_.TryWord("not")) {
      reader_.ExpectWord("solved");
      test.kind = FileTest::Kind::kNotSolved;
    } else if (reader_.TryWord("stuck")) {
      test.kind = FileTest::Kind::kStuck;
    } else if (reader_.TryWord("mistake")) {
      test.kind = FileTest::Kind::kMistake;
      test.by = read_rule();
      test.to = reader_.ReadString("a state");
    } else {
      reader_.Fail(fmt::format("expected '=>', '->', 'solved', 'not solved', 'stuck' or 'mistake', found {}", reader_.Found()));
    }
    file_.tests.push_back(std::move(test));
  }

  void Finish(std::size_t end) {
    const std::size_t last = end == 0 ? 0 : end - 1;
    if (!has_state_) source_.Fail(last, "there is no 'state'; write 'state term', 'state list' or 'state layout'");
    if (file_.kind == StateKind::kLayout) {
      FinishLayout(source_, last, file_);
    } else if (!only_errors_) {
      if (std::all_of(file_.goals.begin(), file_.goals.end(), [](const Goal& goal) { return goal.is_negated; }))
        source_.Fail(last, fmt::format("there is no 'goal'{}: nothing says when a state is solved",
                                       file_.goals.empty() ? "" : " besides 'goal not'"));
      if (file_.families.empty()) source_.Fail(last, "there is no 'rule': nothing can be done");
    }
    if (file_.problems.empty() && file_.scrambles.empty() && !only_errors_)
      source_.Fail(last, "there is no 'problem': nothing can be practised or learned");
    CheckDrawings();
    for (const auto& [at, name] : test_rules_) {
      const bool is_error = std::any_of(file_.errors.begin(), file_.errors.end(),
                                        [&, &rule = name](const Rule& one) { return one.name == rule; });
      const bool is_move = std::any_of(file_.layout.moves.begin(), file_.layout.moves.end(),
                                       [&, &rule = name](const Move& one) { return one.name == rule; });
      const bool is_statement = std::any_of(file_.layout.statements.begin(), file_.layout.statements.end(),
                                            [&, &rule = name](const MoveStatement& one) { return one.name == rule; });
      if (!is_error && !is_move && !is_statement && file_.FindRule(name) == nullptr) {
        source_.Fail(at,
                     fmt::format("there is no rule '{}'{}", name, Suggestion(name, {rule_names_.begin(), rule_names_.end()})));
      }
    }
    if (file_.keeps_position == 0 && file_.kind != StateKind::kLayout && !only_errors_) {
      file_.warnings.emplace_back(
          last, "there is no 'keeps': no rule is tried; say what no step may change, as in 'keeps value', or 'keeps nothing'");
    }
    if (std::any_of(file_.goals.begin(), file_.goals.end(), [](const Goal& goal) { return goal.is_no_rule; })) {
      for (const Family& family : file_.families) {
        for (const Rule& rule : family.rules) {
          if (!AppliesToItsResult(rule)) continue;
          file_.warnings.emplace_back(
              rule.position, fmt::format("the goal is that no rule applies, but '{}' applies to its own result again, so "
                                         "that what it applies to is never solved",
                                         rule.name));
        }
      }
    }
    for (const Variable& one : file_.variables) {
      if (!one.is_used) file_.warnings.emplace_back(one.position, fmt::format("the variable '{}' is never used", one.name));
    }
  }

  // Whether some form is followed by one without conditions for whatever it makes, as u + v -> v + u by itself.
  bool AppliesToItsResult(const Rule& rule) const {
    const auto fits = [&](const Form& before, const Form& after) {
      std::map<std::int32_t, std::int32_t> names;
      return after.where.empty() &&
             std::equal(before.right.begin(), before.right.end(), after.left.begin(), after.left.end(),
                        [&](const Part& is, const Part& wanted) {
                          if (is.kind != wanted.kind || is.size != wanted.size || is.number != wanted.number) return false;
                          if (is.kind != PartKind::kVariable) return is.id == wanted.id;
                          const auto type = [&](std::int32_t id) { return file_.variables[static_cast<std::size_t>(id)].type; };
                          return type(is.id) == type(wanted.id) && names.emplace(wanted.id, is.id).first->second == is.id;
                        });
    };
    return rule.choices.empty() && rule.assumptions.empty() &&
           std::any_of(rule.forms.begin(), rule.forms.end(), [&](const Form& before) {
             return std::any_of(rule.forms.begin(), rule.forms.end(), [&](const Form& after) { return fits(before, after); });
           });
  }

  const Source& source_;
  StatementReader reader_;
  Source::Statement statement_{};
  std::size_t numbers_position_ = 0;
  const bool only_errors_;
  Definition file_;
  bool has_state_ = false;
  bool has_operators_ = false;
  bool grammar_used_ = false;
  bool is_assumption_ = false;
  int next_level_ = 0;
  Side side_ = Side::kLeft;
  Grammar element_grammar_;
  // Of variables from one to before another: the conditions that are still to be read.
  struct Where {
    std::size_t first;
    std::size_t last;
    Source::Statement text;
  };
  std::vector<Where> wheres_;
  std::vector<std::string> parameters_;
  std::set<std::string, std::less<>> rule_names_;
  std::set<std::string, std::less<>> drawn_;  // the templates of one statement
  std::map<std::string, std::vector<std::string>, std::less<>> texts_;
  std::optional<Choice> common_choice_;
  const std::vector<std::pair<std::string, DrawSource>>* with_ = nullptr;
  std::vector<std::pair<std::size_t, std::string>> draw_uses_;
  std::vector<std::pair<std::size_t, std::string>> test_rules_;
};

}  // namespace

const Grammar& StandardGrammar() {
  static const Grammar grammar = [] {
    Grammar made;
    int level = 0;
    const auto add_infix = [&](std::initializer_list<const char*> symbols, Groups groups) {
      level += 2;
      for (const char* const symbol : symbols) made.Add(Infix(symbol, level, groups));
    };
    const auto add_prefix = [&](const char* symbol) { made.Add({symbol, Fix::kPrefix, 1, level += 2}); };
    add_infix({"iff"}, Groups::kNeither);
    add_infix({"implies"}, Groups::kRight);
    add_infix({"or", "xor", "nor"}, Groups::kLeft);
    add_infix({"and", "nand"}, Groups::kLeft);
    add_prefix("not");
    add_infix({"=", "!=", "<", "<=", ">", ">="}, Groups::kNeither);
    add_infix({"+", "-"}, Groups::kLeft);
    add_infix({"*", "/", "mod", "div"}, Groups::kLeft);
    add_prefix("-");
    add_infix({"^"}, Groups::kRight);
    for (const char* const name : {"sqrt", "abs", "exp", "ln", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "floor"})
      made.Add({name, Fix::kFunction, 1});
    for (const char* const name : {"log", "min", "max", "gcd", "lcm", "slope"}) made.Add({name, Fix::kFunction, 2});
    for (const char* const name : {"true", "false", "pi"}) made.Add({name, Fix::kConstant, 0});
    return made;
  }();
  return grammar;
}

const Rule* Definition::FindRule(std::string_view rule_name) const {
  for (const Family& family : families) {
    for (const Rule& rule : family.rules) {
      if (rule.name == rule_name) return &rule;
    }
  }
  return nullptr;
}

std::shared_ptr<const Definition> ReadDefinition(std::string name, std::string text) {
  return FileReader(std::make_shared<const Source>(std::move(name), std::move(text))).Read();
}

std::shared_ptr<const Definition> ReadMistakes(std::string name, std::string text) {
  return FileReader(std::make_shared<const Source>(std::move(name), std::move(text)), true).Read();
}

}  // namespace conpole::files
