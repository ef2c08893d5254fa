// Dependencies between the folders point one way.
#include "tests/include_order.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

std::string ContentOf(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::filesystem::path kRoot = CONPOLE_SOURCE;

TEST(IncludeOrderTest, NoFolderIncludesWhatItMayNot) {
  const std::vector<Layer> layers = ReadLayers(ContentOf(kRoot / "docs/architecture.md"));
  EXPECT_EQ(FindForbiddenIncludes(kRoot, layers), std::vector<std::string>{})
      << "docs/architecture.md, \"Layers\", says what each folder may include";
}

// Then what a folder may include always stands above it, and there are no circles.
TEST(IncludeOrderTest, TheTableFollowsTheOrderOfTheReadme) {
  const std::vector<Layer> layers = ReadLayers(ContentOf(kRoot / "docs/architecture.md"));
  const std::vector<std::string> tree = ReadTree(ContentOf(kRoot / "README.md"));
  const auto place_of = [&](const std::string& folder) {
    const auto found = std::find(tree.begin(), tree.end(), folder);
    EXPECT_NE(found, tree.end()) << folder << " is missing in the README";
    return found - tree.begin();
  };
  for (const Layer& layer : layers) {
    for (const Layer& other : layers) {
      if (!layer.allowed.contains(other.prefix)) continue;
      EXPECT_LT(place_of(other.folder), place_of(layer.folder)) << layer.folder;
    }
  }
  EXPECT_TRUE(std::is_sorted(layers.begin(), layers.end(),
                             [&](const Layer& a, const Layer& b) { return place_of(a.folder) < place_of(b.folder); }));
}

constexpr char kTable[] =
    "## Layers\n\n| folder | library | may include | what it is |\n|---|---|---|---|\n| `include/conpole/` | | | |\n"
    "| `src/util/` | `conpole::util` | `conpole` | |\n| `src/search/` | | `conpole`, `util` | over a `Domain` |\n"
    "| `src/torch/` | | `util` | |\n| `bench/`, `tests/` | | everything | |\n\n## Next\n| `src/none/` | | | |\n";

class IncludeCheckTest : public FolderTest {
 protected:
  void Write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
    std::ofstream(Path(name)) << content;
  }
  std::vector<std::string> Forbidden() const { return FindForbiddenIncludes(folder(), ReadLayers(kTable)); }
};

TEST_F(IncludeCheckTest, IncludesDownwardsAreFine) {
  Write("include/conpole/error.h", "#include <stdexcept>\n");
  Write("src/util/a.h", "#include \"conpole/error.h\"\n#include <vector>\n#include \"beside.h\"\n");
  Write("src/search/b.cc", "#include \"search/b.h\"\n#include \"util/a.h\"\n// #include \"bench/x.h\"\n");
  Write("src/search/b_test.cc", "#include \"tests/files.h\"\n");
  Write("tests/all.cc", "#include \"search/b.h\"\n#include <torch/torch.h>\n");
  Write("src/torch/network.cc", "#include <torch/torch.h>\n");
  EXPECT_EQ(Forbidden(), std::vector<std::string>{});
}

TEST_F(IncludeCheckTest, IncludesUpwardsAreFound) {
  Write("include/conpole/error.h", "\n#include \"util/a.h\"\n");
  Write("src/util/a.h", "#include \"conpole/error.h\"\n#  include \"search/b.h\"\n");
  Write("src/util/deep/c.cc", "#include \"torch/network.h\"\n");
  Write("src/search/b.cc", "#include <torch/torch.h>\n#include \"tests/files.h\"\n");
  Write("src/new/d.cc", "");
  EXPECT_EQ(Forbidden(), (std::vector<std::string>{
                             "include/conpole/error.h:2: includes util/a.h",
                             "src/new/d.cc: no row of the table is about its folder",
                             "src/search/b.cc:1: includes torch/torch.h",
                             "src/search/b.cc:2: includes tests/files.h",
                             "src/util/a.h:2: includes search/b.h",
                             "src/util/deep/c.cc:1: includes torch/network.h",
                         }));
}

TEST(IncludeTableTest, ATableThatCannotBeMeantIsAnError) {
  EXPECT_EQ(ErrorOf([] { ReadLayers("nothing"); }), "there is no section '## Layers'");
  EXPECT_EQ(ErrorOf([] { ReadLayers("## Layers\n"); }), "there is no table of folders");
  EXPECT_EQ(ErrorOf([] { ReadLayers("## Layers\n| `src/util/` | | `utli` | |\n"); }),
            "src/util may include utli, which no row is about");
}

TEST(IncludeTableTest, TheTreeIsReadInItsOrder) {
  EXPECT_EQ(
      ReadTree(
          "## The tree, lowest first\n\ntext\n\n    src/util/     what src/ is\n    models/ configs/   weights\n\n## Next\n"),
      (std::vector<std::string>{"src/util", "models", "configs"}));
}

}  // namespace
}  // namespace conpole
