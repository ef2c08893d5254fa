#include "domains/files/file_places.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "domains/files/definition.h"
#include "domains/files/grammar.h"

namespace conpole {
namespace {

// Positions count the parts in pre-order. The first operand is to the left and the second to the right; what a function has
// more than these has no path.
class FileTermPlaces final : public Places {
 public:
  explicit FileTermPlaces(std::shared_ptr<const DomainFile> file) : file_(std::move(file)) {
    // "sub 3": a number that stands alone is no position if some label begins with something else.
    const auto begins_otherwise = [](const files::Rule& rule) {
      if (!rule.label || rule.label->slots.empty()) return false;
      const std::size_t first = rule.label->slots.front() == files::Template::kRule ? 1 : 0;
      if (rule.label->slots.size() <= first) return false;
      const std::int32_t slot = rule.label->slots[first];
      const bool is_place =
          slot == files::Template::kAt || (slot <= files::Template::kPlaces && slot > files::Template::kExpressions);
      return !is_place;
    };
    for (const files::Family& family : file_->definition().families) {
      if (std::any_of(family.rules.begin(), family.rules.end(), begins_otherwise)) labelled_ = Labelled::kBeforeComma;
    }
  }

  Labelled labelled() const override { return labelled_; }

  bool Read(std::string_view state) override {
    Malformed error;
    return term_.Read(file_->definition().grammar, state, error);
  }

  bool PathOf(std::uint32_t position, std::string& path) const override {
    if (position >= term_.size()) return false;
    path.clear();
    for (std::size_t at = 0; at != position;) {
      std::size_t operand = at + 1;
      std::size_t before = 0;
      for (; operand + term_[operand].size <= position; operand += term_[operand].size) ++before;
      if (before > 1) return false;
      path += before == 0 ? 'L' : 'R';
      at = operand;
    }
    return true;
  }

  std::optional<std::uint32_t> PositionOf(std::string_view path) const override {
    std::size_t at = 0;
    for (const char turn : path) {
      const std::size_t end = at + term_[at].size;
      ++at;
      if (at < end && turn == 'R') at += term_[at].size;
      if (at >= end) return std::nullopt;
    }
    return static_cast<std::uint32_t>(at);
  }

  std::optional<std::uint32_t> FindText(std::string_view text) override {
    for (std::uint32_t i = 1; i < term_.size(); ++i) {
      if (HasText(i, text)) return i;
    }
    return std::nullopt;
  }

  bool HasText(std::uint32_t position, std::string_view text) override {
    part_.clear();
    term_.AppendPart(part_, position);
    return part_ == text;
  }

 private:
  std::shared_ptr<const DomainFile> file_;
  Labelled labelled_ = Labelled::kAlways;
  files::TermText term_;
  std::string part_;
};

}  // namespace

std::unique_ptr<Places> MakeFilePlaces(std::shared_ptr<const DomainFile> file) {
  if (file->is_layout()) return nullptr;
  if (file->definition().grammar.is_list) return MakeListPlaces();
  return std::make_unique<FileTermPlaces>(std::move(file));
}

}  // namespace conpole
