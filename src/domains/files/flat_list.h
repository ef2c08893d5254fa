// Lists whose elements are numbers, single signs, or as many characters each as `element` says, without terms: rules of a few
// neighbours are tried on the bytes of the text, and what they compute from characters is in tables. Most such lists have long
// texts and many steps that change little. What is rarer is left to the engine: other rules, texts and labels.
//
// Immutable; any thread may use it. The definition outlives it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "conpole/successors.h"
#include "domains/files/definition.h"
#include "domains/files/program.h"

namespace conpole::files {

class FlatLists {
 public:
  explicit FlatLists(const Definition& file);

  // Both answer as the engine does; nothing if it has to be asked.
  std::optional<Status> Expand(std::string_view state, Labels labels, Successors& out) const;
  std::optional<bool> Solved(std::string_view state) const;

 private:
  enum class Elements : std::uint8_t { kNone, kFields, kSigns, kDigits, kStrokes };
  struct List;  // a state

  // What neighbours must be. Of fixed widths `at` and `other` are bytes counted from the first of them, else elements.
  struct Check {
    enum class Kind : std::uint8_t { kByte, kSameByte, kSet, kTable, kDifferent, kNumber, kSameNumber, kCompare };
    Kind kind = Kind::kByte;
    Sign sign = Sign::kNone;  // kCompare
    char byte = 0;
    std::uint16_t at = 0;
    std::uint16_t other = 0;
    std::uint32_t table = 0;  // kSet, kTable, and of kCompare the sum
    std::int64_t number = 0;
  };

  // A byte for each pair of characters; of functions of one character the second does not count.
  struct Table {
    unsigned char first = 0;
    unsigned char second = 0;
    std::uint32_t columns = 0;  // 0: of one character
    std::vector<char> bytes = {};
  };
  // Factors of elements.
  struct Sum {
    std::int64_t constant = 0;
    std::vector<std::pair<std::uint16_t, std::int64_t>> factors = {};
  };

  // What takes the place of the neighbours. Of fixed widths a byte of it: a character, or what a table says; else a text or an
  // element.
  struct Patch {
    enum class Kind : std::uint8_t { kByte, kTable, kText, kElement };
    Kind kind = Kind::kByte;
    char byte = 0;
    std::uint16_t to = 0;
    std::uint16_t at = 0;
    std::uint16_t other = 0;
    std::uint32_t table = 0;
    std::string text = {};
  };

  struct FlatForm {
    std::uint32_t window = 0;  // 0: the whole list, turned round
    std::uint32_t written = 0;
    bool has_before = false;
    bool has_after = false;
    // Of fixed widths, what is tested first: eight bytes that must be so where the mask has bits, and two that must be the
    // same.
    std::uint64_t mask = 0;
    std::uint64_t wanted = 0;
    std::uint16_t same = 0;
    std::uint16_t other = 0;
    std::vector<Check> checks = {};  // all others
    // Of fixed widths, where the neighbours have at most eight bytes and stay as many: these with some of them moved, as
    // whole numbers; and what takes their place.
    bool is_moved = false;
    std::uint64_t kept = ~std::uint64_t{0};
    std::uint64_t constant = 0;
    struct Moved {
      std::uint64_t mask = 0;
      int left = 0;  // bits
    };
    std::array<Moved, 2> moved = {};
    // Of fixed widths: other bytes that are found elsewhere, as (to, at); all others are patches.
    std::vector<std::pair<std::uint16_t, std::uint16_t>> copies = {};
    std::vector<Patch> patches = {};
    bool is_exact = false;  // of fixed widths: whether there are no copies and patches
    // Of strokes: the elements that are written are the neighbours in another order, these. Then only separators move.
    std::vector<std::uint16_t> order = {};
    std::size_t text_bytes = 0;
    // The label: so many bytes of its texts at a time, and after each what Template calls kAt or kFrom, or nothing (kRule).
    std::vector<std::pair<std::size_t, std::int32_t>> label = {};
    TextBuffer label_texts = {};
    std::string region = {};  // of fixed widths: what is written, with all separators
  };
  struct FlatFamily {
    Family::Mode mode = Family::Mode::kAlone;
    std::vector<FlatForm> forms = {};
  };
  struct FlatGoal {
    enum class Kind : std::uint8_t { kWindow, kWhole, kNoRule };
    Kind kind = Kind::kWindow;
    bool is_negated = false;
    FlatForm form = {};  // kWindow
    struct OfWhole {
      bool is_order = false;
      int most = 0;  // of two neighbours
      Sign sign = Sign::kNone;
      std::int64_t length = 0;
    };
    std::vector<OfWhole> conditions = {};
  };

  class Compiler;

  bool is_fixed() const { return elements_ == Elements::kFields || elements_ == Elements::kSigns; }
  bool Read(std::string_view state, List& list) const;
  bool ReadElements(List& list) const;
  bool AreInRange(const char* text, std::size_t size) const;
  static bool MayFit(const FlatForm& form, const char* place, std::uint64_t bytes);
  bool PassesAll(const std::vector<Check>& checks, const char* place, const std::int64_t* values) const;
  bool FitsAnywhere(const FlatForm& form, const List& list) const;
  std::optional<bool> Solved(const List& list) const;
  int CompareElements(const List& list, std::uint32_t a, std::uint32_t b) const;
  bool WriteNumbers(const FlatForm& form, const List& list, std::uint32_t at, Successors& out) const;
  bool WritePatches(const FlatForm& form, const char* place, char* region) const;
  bool WriteFixed(const FlatForm& form, const List& list, std::uint32_t at, const char* place, std::uint64_t bytes,
                  Successors& out) const;
  bool WriteTurned(const List& list, Successors& out) const;
  bool moves_separators() const { return elements_ == Elements::kStrokes && separator_.size() == 1; }
  bool IsTooLarge(const FlatForm& form, std::uint32_t count) const {
    return form.written > form.window && 1 + (count - form.window + form.written) * parts_ > kMaxParts;
  }
  void WriteLabel(const FlatForm& form, const List& list, std::uint32_t at, Successors& out) const;
  template <bool kIsFixed, bool kHasLabels>
  void Append(std::span<const FlatForm> forms, bool first_only, const List& list, std::size_t& left, Successors& out) const;
  template <bool kIsFixed, bool kHasLabels>
  void AppendAll(const List& list, Successors& out) const;
  static char Look(const Table& table, const char* place, std::uint16_t at, std::uint16_t other);

  const Definition& file_;
  Elements elements_ = Elements::kNone;
  bool has_no_rule_goal_ = false;
  bool has_labels_ = true;  // whether all forms have theirs
  std::size_t width_ = 0;   // of fixed widths
  std::size_t stride_ = 0;  // with the separator
  std::size_t parts_ = 1;   // of an element
  TextBuffer separator_;
  std::vector<std::uint8_t> known_;  // of fixed widths: for each byte of an element and of a separator, what it may be
  // Of fields, the same for eight bytes at a time: the least that each may be, and how far the greatest is from 127.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
  std::vector<Table> tables_;
  std::vector<Sum> sums_;
  std::vector<FlatFamily> families_;
  std::vector<FlatGoal> goals_;
};

}  // namespace conpole::files
