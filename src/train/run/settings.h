// The settings of a training run: one table with their names, meanings and ranges. The command line, configuration files, run
// folders and Python all read and print settings through it, as text. All functions may be called by any thread.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "train/run/options.h"

namespace conpole {

// What a run is made of, besides its folder.
struct RunSettings {
  std::string domain;                 // or several: see DomainsOf
  std::string agent = "auto";         // cvi, or walks where states have a fixed layout
  std::string device = "auto";        // a GPU if there is one
  std::string abstractions = "auto";  // a file of them for a new run, none, or auto
  TrainOptions train;
};

// The topic of the few settings that most runs change.
inline constexpr char kMainTopic[] = "Settings that matter most";

struct Setting {
  std::string name;     // as an option has it, without its dashes
  std::string meaning;  // a sentence that stands alone
  std::string range;    // in words, for example "a whole number from 1 to 65534"
  bool is_number = false;
  // Takes a value. Throws Error, which names the setting and the range, if the text is not one.
  std::function<void(std::string_view text, RunSettings& settings)> read;
  // The value, as read takes it.
  std::function<std::string(const RunSettings& settings)> print;
  std::string topic = {};  // what it is about, as a heading
};

// All settings, in the order in which they are shown.
std::span<const Setting> AllSettings();
// Null if there is none of this name.
const Setting* FindSetting(std::string_view name);
// What to say of a name that no setting has: it is gone, or there never was one.
std::string NoSuchSetting(std::string_view name);

// Values by name, of some or all settings, each as text.
using SettingValues = std::map<std::string, std::string, std::less<>>;

SettingValues ValuesOf(const RunSettings& settings);
// Throws Error if there is no such setting, or the value is not in its range.
void ApplyValues(const SettingValues& values, RunSettings& settings);
// The domains that a setting names: one, or several with " + " between them. The text of a domain file is one.
std::vector<std::string> DomainsOf(std::string_view domain);
// What no setting can tell alone: that they fit together. Throws Error.
void CheckSettings(const RunSettings& settings);

// The values in a configuration file, whose form is in config_text.h. A file may name another one as its `base`, by a path from
// its own folder: the base's values count where it has none itself. A table [record], as run folders have it, is passed over.
// Throws Error, naming the file, if it is not a file of settings. What the values are is not looked at.
SettingValues ReadSettingsFile(const std::string& path);
// All settings as such a file, with a first line that says what it is, and a table with what else is to be recorded.
std::string FormatSettings(const RunSettings& settings, std::string_view comment, const SettingValues& record = {});

}  // namespace conpole
