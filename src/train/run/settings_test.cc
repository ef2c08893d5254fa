#include "train/run/settings.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

std::string ErrorOfValue(const std::string& name, const std::string& value) {
  RunSettings settings;
  return ErrorOf([&] { ApplyValues({{name, value}}, settings); });
}

TEST(SettingsTest, WhatIsPrintedIsReadAgain) {
  RunSettings settings;
  settings.domain = "sorting:max_length=5";
  settings.train.seed = 18'446'744'073'709'551'615U;
  settings.train.learning_rate = 0.1 + 0.2;
  settings.train.beam_value = BeamValue::kLogProbability;
  settings.train.negatives = Negatives::kLocal;
  settings.train.eval_seeds = {7, 9};
  settings.train.network.sizes["hidden"] = 24;
  settings.train.network.skips_spaces = true;
  const SettingValues values = ValuesOf(settings);
  EXPECT_EQ(values.size(), AllSettings().size());
  RunSettings read;
  ApplyValues(values, read);
  EXPECT_EQ(ValuesOf(read), values);
  EXPECT_EQ(read.train.seed, settings.train.seed);
  EXPECT_EQ(read.train.learning_rate, settings.train.learning_rate);
  EXPECT_EQ(read.train.network, settings.train.network);
  EXPECT_EQ(values.at("network"), "lstm:hidden=24,spaces=skip");
}

TEST(SettingsTest, ValuesOutsideTheirRangesAreRefusedByNameAndRange) {
  EXPECT_EQ(ErrorOfValue("seed", "18446744073709551616"),
            "seed must be a whole number from 0 to 2^64 - 1, not '18446744073709551616'");
  EXPECT_EQ(ErrorOfValue("beam", "18446744073709551615"),
            "beam must be a whole number from 1 to 8191, not '18446744073709551615'");
  EXPECT_EQ(ErrorOfValue("axioms-share", "-5"), "axioms-share must be a number from 0 to 1, not '-5'");
  const std::vector<std::pair<std::string, std::string>> refused{{"gradient-steps", "inf"},
                                                                 {"gradient-steps", "0"},
                                                                 {"seconds", "nan"},
                                                                 {"seconds", "-1"},
                                                                 {"learning-rate", "1e400"},
                                                                 {"learning-rate", ""},
                                                                 {"learning-rate", "0.1x"},
                                                                 {"steps", "-1"},
                                                                 {"steps", "1e6"},
                                                                 {"steps", " 5"},
                                                                 {"beam", "0"},
                                                                 {"batch", "0"},
                                                                 {"axioms-share", "1.5"},
                                                                 {"curriculum", "hard"},
                                                                 {"network", "lstm:window=3"},
                                                                 {"network", "residual:spaces=skip"},
                                                                 {"network", "residual:cells=3"},
                                                                 {"network", "lstm:spaces=some"},
                                                                 {"eval-seeds", "5:5"},
                                                                 {"eval-seeds", "0:99999999999"}};
  for (const auto& [name, value] : refused) {
    EXPECT_NE(ErrorOfValue(name, value).find(name), std::string::npos)
        << name << ' ' << value << ": " << ErrorOfValue(name, value);
  }
  EXPECT_EQ(ErrorOfValue("negatives", "all"), "unknown negatives 'all'; there are: own-parent, algorithm-1, local");
  EXPECT_EQ(ErrorOfValue("network", "lstm:hidden=-7"), "the architecture's hidden must be an integer from 1 to 4096");
  EXPECT_EQ(ErrorOfValue("network", "gru"), "unknown kind of network 'gru'; there are: lstm, bag, residual");
  EXPECT_EQ(ErrorOfValue("lerning-rate", "1"), "there is no setting 'lerning-rate'");
}

TEST(SettingsTest, WhatDoesNotFitTogetherIsRefused) {
  const auto error_of = [](const SettingValues& values) {
    RunSettings settings;
    settings.agent = "cvi";
    ApplyValues(values, settings);
    return ErrorOf([&] { CheckSettings(settings); });
  };
  EXPECT_EQ(error_of({}), "no error");
  EXPECT_EQ(error_of({{"agent", "walks"}}),
            "the agent walks cannot teach a network of kind lstm: residual goes with walks and conpole-local, and walks only "
            "with residual");
  EXPECT_EQ(error_of({{"agent", "conpole"}, {"variant", "as-published"}}), "conpole has no variant as-published");
}

TEST(SettingsTest, NetworksOverPackedStatesKnowNoAbstractions) {
  RunSettings settings;
  ApplyValues({{"agent", "conpole-local"}, {"network", "residual"}, {"axioms-share", "0.5"}}, settings);
  EXPECT_EQ(ErrorOf([&] { CheckSettings(settings); }),
            "axioms-share is about abstractions, and a network of kind residual knows none");
}

// What a configuration of an earlier version has that is not there any more.
TEST(SettingsTest, SettingsThatAreGoneAreNamed) {
  EXPECT_EQ(ErrorOfValue("beam-noise", "1"), "the setting beam-noise is gone: training decides this by itself");
  EXPECT_EQ(ErrorOfValue("hidden", "8"), "the setting hidden is gone: network has taken its place");
  EXPECT_EQ(ErrorOfValue("minutes", "8"), "the setting minutes is gone: seconds has taken its place");
}

TEST(SettingsTest, ThereAreFew) { EXPECT_LE(AllSettings().size(), 30U); }

class SettingsFileTest : public FolderTest {
 protected:
  std::string ErrorOfFile(const std::string& text) const {
    std::ofstream(Path("settings.toml")) << text;
    return ErrorOf([&] { ReadSettingsFile(Path("settings.toml")); });
  }
};

TEST_F(SettingsFileTest, FilesHoldEverythingWhateverItsCharacters) {
  RunSettings settings;
  settings.domain = "equations:templates=a \"quoted\" \\ folder\nand ümlauts = 1 #";
  settings.train.seed = 18'446'744'073'709'551'615U;
  settings.train.gradient_steps = 1e-10;
  std::ofstream(Path("settings.toml")) << FormatSettings(settings, "A comment.");
  const SettingValues values = ReadSettingsFile(Path("settings.toml"));
  EXPECT_EQ(values, ValuesOf(settings));
  EXPECT_EQ(Content("settings.toml").find("# A comment.\ndomain = "), 0U);
  EXPECT_NE(Content("settings.toml").find("\nlearning-rate = 0.001\n"), std::string::npos);
}

TEST_F(SettingsFileTest, WhatIsNoFileOfSettingsIsNamed) {
  const std::string path = Path("settings.toml");
  EXPECT_EQ(ErrorOf([&] { ReadSettingsFile(folder()); }), folder() + ": cannot be read: it is a folder, not a regular file");
  EXPECT_EQ(ErrorOf([&] { ReadSettingsFile(Path("none")); }), Path("none") + ": cannot be read: No such file or directory");
  EXPECT_EQ(ErrorOf([] { ReadSettingsFile("/dev/zero"); }), "/dev/zero: cannot be read: it is a device, not a regular file");
  EXPECT_EQ(ErrorOfFile("lerning-rate = 1"), path + ": line 1: there is no setting 'lerning-rate'");
  EXPECT_EQ(ErrorOfFile("beam = 1\nways = 4"), path + ": line 2: the setting ways is gone: training decides this by itself");
  EXPECT_EQ(ErrorOfFile("[sizes]\nhidden = 8"), path + ": line 1: there is no section 'sizes'");
  EXPECT_EQ(ErrorOfFile("beam = [1]"), path + ": line 1: beam must be a number or text");
  EXPECT_EQ(ErrorOfFile("beam = 1\nbeam = 2"), path + ": line 2: beam is set already, in line 1");
}

TEST_F(SettingsFileTest, AFileMayBuildOnABase) {
  std::filesystem::create_directory(Path("bases"));
  std::ofstream(Path("bases/first.toml")) << "beam = 1\nbatch = 2\nsteps = 3";
  std::ofstream(Path("bases/second.toml")) << "base = \"first.toml\"\nbatch = 20\nsteps = 30";
  std::ofstream(Path("settings.toml")) << "base = \"bases/second.toml\"\nsteps = 300";
  EXPECT_EQ(ReadSettingsFile(Path("settings.toml")), (SettingValues{{"beam", "1"}, {"batch", "20"}, {"steps", "300"}}));
}

TEST_F(SettingsFileTest, BasesThatCannotBeAreNamed) {
  const std::string path = Path("settings.toml");
  EXPECT_EQ(ErrorOfFile("base = \"none.toml\""), Path("none.toml") + ": cannot be read: No such file or directory");
  EXPECT_EQ(ErrorOfFile("base = 3"), path + ": base must be the path of a file of settings");
  EXPECT_EQ(ErrorOfFile("base = \"settings.toml\""), path + ": is its own base, by way of 1 files");
  std::ofstream(Path("odd.toml")) << "baem = 1";
  EXPECT_EQ(ErrorOfFile("base = \"odd.toml\""), Path("odd.toml") + ": line 1: there is no setting 'baem'");
}

TEST_F(SettingsFileTest, WhatIsRecordedIsPassedOver) {
  const RunSettings settings;
  std::ofstream(Path("settings.toml")) << FormatSettings(settings, "A comment.", {{"commit", "abc"}, {"version", "1.2"}});
  EXPECT_NE(Content("settings.toml").find("\n[record]\ncommit = 'abc'\nversion = '1.2'\n"), std::string::npos);
  EXPECT_EQ(ReadSettingsFile(Path("settings.toml")), ValuesOf(settings));
}

TEST(SettingsTest, SeveralDomainsHaveAPlusBetweenThem) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(DomainsOf("equations:source=hard"), Texts{"equations:source=hard"});
  EXPECT_EQ(DomainsOf("sorting + my file.domain + a+b"), (Texts{"sorting", "my file.domain", "a+b"}));
  EXPECT_EQ(DomainsOf("domain sums\na + b").size(), 1U) << "the text of a file";
}

}  // namespace
}  // namespace conpole
