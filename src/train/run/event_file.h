// A file of scalars and settings for TensorBoard. Every process writes a file of its own, and TensorBoard reads all those of a
// folder in the order of their names, so a run that is resumed begins another one. One thread at a time.
//
// The format is a sequence of records: the length of the event, a checksum of that length, the event, a checksum of the event.
// An event is a protocol buffer, of which the few fields that scalars need are written here by hand. A record that a kill has
// cut short ends the file for TensorBoard and does no harm.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "util/append_file.h"

namespace conpole {

// A setting as TensorBoard compares runs by it.
struct SettingOfRun {
  std::string name;
  std::variant<double, std::string> value;
};

class EventFile {
 public:
  // Creates a file in `folder` whose name comes after those of the event files there. This and the methods throw Error, which
  // names the file.
  explicit EventFile(const std::string& folder);

  const std::string& path() const { return file_.path(); }

  // Makes TensorBoard forget what earlier files have at `step` and later.
  void RestartAt(std::uint64_t step);
  // The settings of the run that the file is of, for TensorBoard's HParams.
  void WriteSettings(std::span<const SettingOfRun> settings);
  // Rounded to float; values that are not finite are kept, and shown as such.
  void Write(std::uint64_t step, std::span<const std::pair<std::string, double>> scalars);

 private:
  AppendFile file_;
};

}  // namespace conpole
