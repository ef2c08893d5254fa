// Whether the folders of the project include only what they may. The table in docs/architecture.md, "Layers", is the one place
// that says what that is: its third column lists the folders whose headers a folder may include besides its own, by the names
// that includes begin with. Tests may include more: the folder tests, and what is tested.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

struct Layer {
  std::string folder;             // "src/util", "cli"
  std::string prefix;             // what includes of its headers begin with: "util", "cli"
  std::set<std::string> allowed;  // prefixes; "everything" is every one
};

// The rows of the table, in its order. Throws Error if there is no table, or a row names a folder that no row is about.
std::vector<Layer> ReadLayers(std::string_view architecture);

// The folders in the list of the README, in its order.
std::vector<std::string> ReadTree(std::string_view readme);

// One line for every include under `root` that no row allows: "src/util/a.h:3: includes search/b.h". A folder with sources that
// no row is about is a line too.
std::vector<std::string> FindForbiddenIncludes(const std::filesystem::path& root, const std::vector<Layer>& layers);

}  // namespace conpole
