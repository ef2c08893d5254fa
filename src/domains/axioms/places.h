// Places of a state: what the positions in labels mean ("eval 5, ..." is the sixth node). A place is a path from the root, L
// for the left child and R for the right one, so that it can be said relative to another place, in another state: one level up,
// then to the right. In a list of digits or bars, item i is reached by going right i times. One thread at a time uses an
// object; the domain that made it may be gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "domains/axioms/rewrite.h"
#include "domains/axioms/term.h"

namespace conpole {

class Places {
 public:
  virtual ~Places() = default;
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  // How labels write places.
  enum class Labelled : std::uint8_t {
    kNever,        // no label has one
    kBeforeComma,  // "eval 5, (1 + 2)"; a number that stands alone, as in "sub 3", is an operand
    kAlways,       // also a number that stands alone: "swap 3"
  };
  virtual Labelled labelled() const = 0;
  // Takes the state that all that follows is about. False if it is none.
  virtual bool Read(std::string_view state) = 0;
  // The path of a position; false if there is no such position.
  virtual bool PathOf(std::uint32_t position, std::string& path) const = 0;
  virtual std::optional<std::uint32_t> PositionOf(std::string_view path) const = 0;
  // The first position, below the root, of a subterm that labels write so; nothing if there is none.
  virtual std::optional<std::uint32_t> FindText(std::string_view text) = 0;
  // Whether labels write the subterm at this position so.
  virtual bool HasText(std::uint32_t position, std::string_view text) = 0;

 protected:
  Places() = default;
};

// What a domain is that knows the places of its states.
class WithPlaces {
 public:
  virtual ~WithPlaces() = default;
  // Null if its labels have none.
  virtual std::unique_ptr<Places> MakePlaces() const = 0;
  // Appends those successors of the state that `places`, which this made, has read whose labels have this position: with
  // labels, and in the order of Expand. Returns false, and appends nothing, if that takes no less than Expand.
  virtual bool AppendAt(const Places& places, std::uint32_t position, Successors& out) const = 0;
};

// The places of a domain's states. Where nothing is known about them there are none: no label has a place then.
std::unique_ptr<Places> MakePlaces(const Domain& domain);
// Those of lists, whose positions count the items.
std::unique_ptr<Places> MakeListPlaces();

template <class Notation>
class TermPlaces final : public Places {
 public:
  Labelled labelled() const override { return Notation::kEquality ? Labelled::kBeforeComma : Labelled::kAlways; }

  // Of the state that was read.
  const Term<Notation>& term() const { return term_; }

  bool Read(std::string_view state) override {
    Malformed error;
    return term_.Read(state, error);
  }

  bool PathOf(std::uint32_t position, std::string& path) const override {
    if (position >= term_.size()) return false;
    path.clear();
    for (std::uint32_t at = position; at != 0; at = term_[at].parent) {
      path += at == term_.Left(term_[at].parent) ? 'L' : 'R';
    }
    path.assign(path.rbegin(), path.rend());
    return true;
  }

  std::optional<std::uint32_t> PositionOf(std::string_view path) const override {
    std::uint32_t at = 0;
    for (const char turn : path) {
      // Nodes are in pre-order: a leaf has no other node in its subterm, and a negation no second child.
      if (term_[at].size == 1) return std::nullopt;
      if (turn == 'L') {
        at = term_.Left(at);
        continue;
      }
      const std::uint32_t right = term_.Right(at);
      if (right >= at + term_[at].size) return std::nullopt;
      at = right;
    }
    return at;
  }

  std::optional<std::uint32_t> FindText(std::string_view text) override {
    for (std::uint32_t i = 1; i < term_.size(); ++i) {
      if (HasText(i, text)) return i;
    }
    return std::nullopt;
  }

  bool HasText(std::uint32_t position, std::string_view text) override {
    const auto& node = term_[position];
    if (!term_.IsNumber(position)) return term_.Span(position) == text;
    number_.resize(Notation::MaxBytes(node.number) + kBlockSlack);
    const char* const end = Notation::WriteOperand(number_.data(), node.number);
    return std::string_view(number_.data(), static_cast<std::size_t>(end - number_.data())) == text;
  }

 private:
  static constexpr std::size_t kBlockSlack = 64;  // texts may be copied in whole blocks

  Term<Notation> term_;
  std::string number_;
};

}  // namespace conpole
