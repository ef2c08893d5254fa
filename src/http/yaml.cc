#include "http/yaml.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {
namespace {

using YamlJson = nlohmann::ordered_json;

struct YamlLine {
  std::size_t number;
  std::size_t indent;
  std::string_view text;  // without the indent
};

[[noreturn]] void FailAt(std::size_t line, std::string_view what) {
  throw Error(fmt::format("line {} of the YAML: {}", line, what));
}

bool IsAllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

YamlJson PlainScalar(std::string_view text) {
  if (text.empty() || text == "null" || text == "~") return nullptr;
  if (text == "true" || text == "false") return text == "true";
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const std::size_t dot = digits.find('.');
  const bool is_number = dot == std::string_view::npos
                             ? IsAllDigits(digits)
                             : IsAllDigits(digits.substr(0, dot)) && IsAllDigits(digits.substr(dot + 1));
  return is_number ? YamlJson::parse(text) : YamlJson(text);
}

// A value in one line.
class FlowReader {
 public:
  FlowReader(std::string_view text, std::size_t line) : text_(text), line_(line) {}

  YamlJson ReadWhole() {
    YamlJson value = Read(false);
    SkipBlanks();
    if (at_ < text_.size() && text_[at_] != '#') FailAt(line_, "there is more than one value");
    return value;
  }
  // The key of a block map, and the place after its colon. Nothing if the line has none.
  std::optional<std::string> ReadKey() {
    std::string key;
    if (Peek() == '"' || Peek() == '\'') {
      key = ReadQuoted();
    } else {
      const std::size_t colon = FindColon();
      if (colon == std::string_view::npos) return std::nullopt;
      key = std::string(text_.substr(0, colon));
      at_ = colon;
    }
    if (Peek() != ':') return std::nullopt;
    ++at_;
    SkipBlanks();
    return key;
  }
  std::string_view rest() const { return text_.substr(at_); }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void SkipBlanks() {
    while (Peek() == ' ') ++at_;
  }
  std::size_t FindColon() const {
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == ':' && (i + 1 == text_.size() || text_[i + 1] == ' ')) return i;
    }
    return std::string_view::npos;
  }

  YamlJson Read(bool in_flow) {
    SkipBlanks();
    if (Peek() == '{') return ReadMap();
    if (Peek() == '[') return ReadList();
    if (Peek() == '"' || Peek() == '\'') return ReadQuoted();
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (in_flow && (c == ',' || c == '}' || c == ']')) break;
      if (c == ':' && (at_ + 1 == text_.size() || text_[at_ + 1] == ' ')) {
        if (in_flow) break;
        FailAt(line_, "a text with a colon must be in quotes");
      }
      if (c == '#' && at_ > begin && text_[at_ - 1] == ' ') break;
      ++at_;
    }
    std::string_view plain = text_.substr(begin, at_ - begin);
    while (plain.ends_with(' ')) plain.remove_suffix(1);
    return PlainScalar(plain);
  }

  YamlJson ReadMap() {
    YamlJson map = YamlJson::object();
    ++at_;
    for (SkipBlanks(); Peek() != '}'; SkipBlanks()) {
      const YamlJson key = Read(true);
      SkipBlanks();
      if (Peek() != ':') FailAt(line_, "a ':' is missing");
      ++at_;
      map[key.is_string() ? key.get<std::string>() : key.dump()] = Read(true);
      SkipSeparator('}');
    }
    ++at_;
    return map;
  }

  YamlJson ReadList() {
    YamlJson list = YamlJson::array();
    ++at_;
    for (SkipBlanks(); Peek() != ']'; SkipBlanks()) {
      list.push_back(Read(true));
      SkipSeparator(']');
    }
    ++at_;
    return list;
  }

  void SkipSeparator(char end) {
    SkipBlanks();
    if (Peek() == ',') {
      ++at_;
    } else if (Peek() != end) {
      FailAt(line_, fmt::format("a ',' or '{}' is missing", end));
    }
  }

  std::string ReadQuoted() {
    const char quote = text_[at_];
    const std::size_t begin = at_++;
    std::string single;
    while (Peek() != quote || (quote == '\'' && at_ + 1 < text_.size() && text_[at_ + 1] == '\'')) {
      if (at_ >= text_.size()) FailAt(line_, "a quote is missing");
      if (quote == '"' && Peek() == '\\') ++at_;
      if (quote == '\'' && Peek() == '\'') ++at_;
      if (at_ < text_.size()) single += text_[at_];
      ++at_;
    }
    ++at_;
    // What stands in double quotes is what JSON has there.
    if (quote == '"') return YamlJson::parse(text_.substr(begin, at_ - begin)).get<std::string>();
    return single;
  }

  std::string_view text_;
  std::size_t line_;
  std::size_t at_ = 0;
};

class BlockReader {
 public:
  explicit BlockReader(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const std::size_t indent = line.find_first_not_of(' ');
      if (indent == std::string_view::npos || line[indent] == '#') continue;
      while (line.ends_with(' ')) line.remove_suffix(1);
      lines_.push_back({number, indent, line.substr(indent)});
    }
  }

  YamlJson ReadAll() {
    YamlJson value = Read(0);
    if (at_ < lines_.size()) FailAt(lines_[at_].number, "this is indented otherwise than the lines before it");
    return value;
  }

 private:
  bool HasLine(std::size_t indent) const { return at_ < lines_.size() && lines_[at_].indent == indent; }

  YamlJson Read(std::size_t indent) {
    if (HasLine(indent) && (lines_[at_].text.starts_with("- ") || lines_[at_].text == "-")) return ReadList(indent);
    return ReadMap(indent);
  }

  YamlJson ReadList(std::size_t indent) {
    YamlJson list = YamlJson::array();
    while (HasLine(indent) && lines_[at_].text.starts_with("- ")) {
      YamlLine& line = lines_[at_];
      const std::string_view item = line.text.substr(2);
      const bool is_map = item.front() != '{' && item.front() != '[' && FlowReader(item, line.number).ReadKey().has_value();
      if (is_map) {
        // Its first line is read as if it stood alone.
        line.indent += 2;
        line.text = item;
        list.push_back(ReadMap(line.indent));
      } else {
        list.push_back(FlowReader(item, line.number).ReadWhole());
        ++at_;
      }
    }
    return list;
  }

  YamlJson ReadMap(std::size_t indent) {
    YamlJson map = YamlJson::object();
    while (HasLine(indent)) {
      const YamlLine line = lines_[at_];
      FlowReader reader(line.text, line.number);
      const std::optional<std::string> key = reader.ReadKey();
      if (!key) FailAt(line.number, "a key and a ':' are missing");
      ++at_;
      const std::string_view rest = reader.rest();
      if (rest == ">-") {
        map[*key] = ReadFolded(indent);
      } else if (!rest.empty()) {
        map[*key] = FlowReader(rest, line.number).ReadWhole();
      } else if (at_ < lines_.size() && lines_[at_].indent > indent) {
        map[*key] = Read(lines_[at_].indent);
      } else {
        map[*key] = nullptr;
      }
    }
    return map;
  }

  std::string ReadFolded(std::size_t indent) {
    std::string text;
    for (; at_ < lines_.size() && lines_[at_].indent > indent; ++at_) {
      text += (text.empty() ? "" : " ") + std::string(lines_[at_].text);
    }
    return text;
  }

  std::vector<YamlLine> lines_;
  std::size_t at_ = 0;
};

}  // namespace

nlohmann::ordered_json ReadYaml(std::string_view text) { return BlockReader(text).ReadAll(); }

}  // namespace conpole
