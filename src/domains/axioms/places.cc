#include "domains/axioms/places.h"

#include "domains/puzzles/sorting.h"
#include "domains/puzzles/ternary_addition.h"

namespace conpole {
namespace {

// Items of a list: each is one step to the right of the one before it.
class ListPlaces final : public Places {
 public:
  Labelled labelled() const override { return Labelled::kAlways; }
  bool Read(std::string_view) override { return true; }
  bool PathOf(std::uint32_t position, std::string& path) const override {
    // No state is longer.
    if (position > kMaxStateBytes) return false;
    path.assign(position, 'R');
    return true;
  }
  std::optional<std::uint32_t> PositionOf(std::string_view path) const override {
    if (path.find('L') != std::string_view::npos) return std::nullopt;
    return static_cast<std::uint32_t>(path.size());
  }
  std::optional<std::uint32_t> FindText(std::string_view) override { return std::nullopt; }
  bool HasText(std::uint32_t, std::string_view) override { return false; }
};

class NoPlaces final : public Places {
 public:
  Labelled labelled() const override { return Labelled::kNever; }
  bool Read(std::string_view) override { return false; }
  bool PathOf(std::uint32_t, std::string&) const override { return false; }
  std::optional<std::uint32_t> PositionOf(std::string_view) const override { return std::nullopt; }
  std::optional<std::uint32_t> FindText(std::string_view) override { return std::nullopt; }
  bool HasText(std::uint32_t, std::string_view) override { return false; }
};

}  // namespace

std::unique_ptr<Places> MakePlaces(const Domain& domain) {
  if (const auto* const with_places = dynamic_cast<const WithPlaces*>(&domain)) {
    std::unique_ptr<Places> places = with_places->MakePlaces();
    if (places) return places;
  }
  const DomainType* const type = &domain.type();
  if (type == &SortingType() || type == &TernaryAdditionType()) return MakeListPlaces();
  return std::make_unique<NoPlaces>();
}

std::unique_ptr<Places> MakeListPlaces() { return std::make_unique<ListPlaces>(); }

}  // namespace conpole
