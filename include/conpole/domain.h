// A domain: problems whose states and actions are plain text. This header is all that search, learning and tutoring know about
// one.
//
// Domains are immutable once made: every method may be called from any number of threads at the same time. Successors is a
// caller-owned buffer that one thread uses at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/fixed_layout.h"
#include "conpole/successors.h"

namespace conpole {

// What a state turned out to be when its successors were asked for.
enum class Status : std::uint8_t {
  kOpen,       // not solved, at least one successor
  kSolved,     // solved: there is nothing left to do, so no successors
  kDeadEnd,    // not solved and no successor (none applies, or the state is over the domain's size cap)
  kMalformed,  // not a state of this domain
};

// Longer texts are malformed in every domain, so that the successors of a text from outside stay within some hundred megabytes.
inline constexpr std::size_t kMaxStateBytes = 16'384;
// The error for a text that is too long; nothing if it is not.
std::optional<Malformed> CheckLength(std::string_view text);

// The result of reading a text: the canonical state, or why it is not one.
struct Parsed {
  std::string state;
  std::optional<Malformed> error;
};

struct Axiom {
  std::string name;
  std::string meaning;
};

// A setting of a domain, given as name=value. With a range the value is an integer in it, without one it is any text.
struct Parameter {
  struct Range {
    std::int64_t low;
    std::int64_t high;
  };
  std::string name;
  std::string meaning;
  std::string default_value;
  std::optional<Range> range;
};

// Values of all parameters of one domain, checked against their ranges.
class Parameters {
 public:
  Parameters() = default;
  // Throws Error if `given` names a parameter that is not in `known`, or a value that is out of range.
  Parameters(const std::vector<Parameter>& known, const std::map<std::string, std::string>& given);

  // Both require that the parameter exists (and has a range, for Integer).
  std::int64_t Integer(std::string_view name) const;
  const std::string& Text(std::string_view name) const;
  // Throws Error unless the first integer is at most the second.
  void RequireOrdered(std::string_view low, std::string_view high) const;

  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

// What a domain knows of its own about how far a state is from solved.
struct Heuristic {
  std::string name;
  std::string meaning;
  // An estimate of the steps from a canonical state to a solved one.
  float (*steps_to_go)(std::string_view state) = nullptr;
  // Whether it guides well enough to be used where a trained model is there too.
  bool suffices = false;
};

class Domain;
class DomainFile;

// One kind of domain: what there is to know before one is made.
struct DomainType {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::vector<Axiom> axioms;
  std::unique_ptr<Domain> (*make)(const Parameters&) = nullptr;
  std::vector<Heuristic> heuristics = {};  // the best first; most domains have none
  const FixedLayout* layout = nullptr;     // that all its states have, whatever the parameters; most domains have none
  const DomainFile* file = nullptr;        // that it is read from (docs/domain-files.md), which its domains keep alive
};

class Domain {
 public:
  virtual ~Domain() = default;
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  const DomainType& type() const { return type_; }
  const Parameters& parameters() const { return parameters_; }
  // The text that MakeDomain turns into an equal domain: the name, and the parameters that differ from their defaults; of a
  // domain file its path or, if it came without one, its text.
  std::string Spec() const;

  // The problem with this seed, as canonical text.
  virtual std::string Generate(std::uint64_t seed) const = 0;

  // Appends the successors of `state` to `out`, in the domain's order; equal states and the state itself may be among them.
  // `state` need not be canonical text; successors always are. On kMalformed, out.error() says why. Nothing is appended unless
  // the result is kOpen. `state` must not lie in `out`. No memory is allocated per successor once the buffer has grown.
  virtual Status Expand(std::string_view state, Labels labels, Successors& out) const = 0;

  // Whether a state is solved. Requires canonical text, as Parse, Generate and Expand give it.
  virtual bool Solved(std::string_view state) const = 0;

  // Reads a problem as the domain's notation allows it and returns it as canonical text. This is the gate for input from
  // outside, so it also refuses what can be written but means nothing (a fraction over zero).
  virtual Parsed Parse(std::string_view text) const = 0;

  // Like Expand with labels, but keeps the successors of one axiom only. kDeadEnd if the state is open and the axiom does not
  // apply anywhere. Throws Error if the domain has no such axiom.
  Status Apply(std::string_view state, std::string_view axiom, Successors& out) const;

 protected:
  Domain(const DomainType& type, Parameters parameters) : type_(type), parameters_(std::move(parameters)) {}

 private:
  const DomainType& type_;
  Parameters parameters_;
};

// All registered domains, in the order of the registry.
const std::vector<const DomainType*>& DomainTypes();

// Makes a domain from text: NAME, or NAME:PARAMETER=VALUE,PARAMETER=VALUE... (a value cannot contain a comma); or the path of a
// domain file, FILE.domain; or the text of one, in which a line begins with "domain ".
// Throws Error if the name, a parameter or a value is not known; the message lists what exists.
std::unique_ptr<Domain> MakeDomain(std::string_view spec);

}  // namespace conpole
