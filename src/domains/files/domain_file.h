// A domain that is one text file (docs/domain-files.md): what it says, compiled and checked. Made by MakeDomain for the path of
// such a file, or for its text.
//
// Immutable; any thread may use it. The domains made of it keep it alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "domains/files/definition.h"
#include "domains/files/engine.h"
#include "domains/files/flat_list.h"
#include "domains/files/layout.h"
#include "domains/files/meaning.h"

namespace conpole {

// How the names of such files end.
inline constexpr std::string_view kDomainFileSuffix = ".domain";

// Models carry the text of their domain file under this name in their metadata.
inline constexpr char kDomainFileKey[] = "domain_file";

class DomainFile {
 public:
  // Reads and checks a text: rules that do not keep what they should, problems that are all solved or all dead ends are
  // refused. `spec` is what MakeDomain makes the same domain from. Throws files::FileError.
  DomainFile(const std::string& name, std::string text, std::string spec);

  // Without what is checked by trying rules and problems: for reports, which say all that is wrong.
  struct Unchecked {};
  DomainFile(const std::string& name, std::string text, std::string spec, Unchecked);

  // Throws Error if the file cannot be read, and what the constructor throws.
  static std::shared_ptr<const DomainFile> ReadFrom(const std::string& path);

  const DomainType& type() const { return type_; }
  const std::string& text() const { return definition_->source->text(); }
  const std::string& spec() const { return spec_; }
  const files::Definition& definition() const { return *definition_; }
  const files::Engine& engine() const { return engine_; }
  const files::FlatLists& flat_lists() const { return flat_lists_; }
  const files::Judge& judge() const { return judge_; }
  const files::LayoutEngine& layout() const { return layout_; }
  bool is_layout() const { return definition_->kind == files::StateKind::kLayout; }

  std::string Generate(std::uint64_t seed) const;
  Parsed Parse(std::string_view text) const;

  // What a higher part of the program keeps with the file: made when it is first asked for.
  template <class Kept, class Make>
  const Kept& Keep(const Make& make) const {
    const std::lock_guard lock(mutex_);
    if (!kept_) kept_ = std::shared_ptr<const void>(make());
    return *static_cast<const Kept*>(kept_.get());
  }

 private:
  void CheckRules() const;
  void CheckProblems() const;

  std::shared_ptr<const files::Definition> definition_;
  std::string spec_;
  files::Engine engine_;
  files::FlatLists flat_lists_;
  files::Judge judge_;
  files::LayoutEngine layout_;
  DomainType type_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const void> kept_;
};

// Whether a text names a domain file, or is the text of one.
bool IsDomainFileSpec(std::string_view spec);
// The domain of such a text. Throws Error.
std::unique_ptr<Domain> MakeFileDomain(std::string_view spec);
std::unique_ptr<Domain> MakeFileDomain(std::shared_ptr<const DomainFile> file);

// What differs between two files, for people: the first line that does; empty if both say the same.
std::string DifferenceOf(const std::string& text, const std::string& other);

}  // namespace conpole
