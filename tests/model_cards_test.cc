// models/README.md has a card for every shipped model, and what a card says of its file is so.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nn/model.h"

namespace conpole {
namespace {

const std::string kModels = CONPOLE_SOURCE "/models";

std::string WithCommas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, ",");
  }
  return text;
}

// The rows of a card by their first cell. One that stands there twice has the first.
using Card = std::map<std::string, std::string>;

std::map<std::string, Card> ReadCards() {
  std::ifstream file(kModels + "/README.md");
  std::map<std::string, Card> cards;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) name = line.substr(3);
    if (name.empty() || !line.starts_with("| ")) continue;
    const std::size_t middle = line.find(" | ", 2);
    if (middle == std::string::npos || !line.ends_with(" |")) continue;
    cards[name].emplace(line.substr(2, middle - 2), line.substr(middle + 3, line.size() - middle - 5));
  }
  return cards;
}

std::set<std::string> ModelNames() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kModels)) {
    if (entry.path().extension() == ".safetensors") names.insert(entry.path().filename());
  }
  return names;
}

TEST(ModelCardsTest, EveryModelHasOneAndNothingElseHas) {
  std::set<std::string> cards;
  for (const auto& [name, card] : ReadCards()) cards.insert(name);
  EXPECT_EQ(cards, ModelNames());
}

TEST(ModelCardsTest, SayWhatTheFilesSay) {
  std::map<std::string, Card> cards = ReadCards();
  for (const std::string& name : ModelNames()) {
    SCOPED_TRACE(name);
    Card& card = cards[name];
    const Model model = ReadModel(kModels + "/" + name);
    EXPECT_EQ(card["size"], WithCommas(std::filesystem::file_size(kModels + "/" + name)) + " bytes");
    std::uint64_t weights = 0;
    for (const auto& [tensor_name, tensor] : model.tensors) weights += tensor.values.size();
    EXPECT_EQ(card["weights"], WithCommas(weights));
    EXPECT_EQ(card["steps"], WithCommas(std::stoull(model.metadata.at("steps"))));
    EXPECT_EQ(card["agent"], model.metadata.at("agent"));
    const std::string settings = card["settings"].substr(0, card["settings"].find(','));
    // A configuration that is no longer shipped is named with the version that had it.
    EXPECT_TRUE(std::filesystem::is_regular_file(CONPOLE_SOURCE "/" + settings) ||
                settings.find(".toml of version ") != std::string::npos)
        << settings;
    // "98.1% (97.1 to 98.8)", also after words and before more.
    const std::string& success = card["success"];
    EXPECT_NE(success.find("% ("), std::string::npos) << success;
    EXPECT_NE(success.find(" to "), std::string::npos) << success;
  }
}

TEST(ModelCardsTest, NumbersHaveCommas) {
  EXPECT_EQ(WithCommas(0), "0");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(1'773'947'656), "1,773,947,656");
}

}  // namespace
}  // namespace conpole
