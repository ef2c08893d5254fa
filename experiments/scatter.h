// Points in a plane as an SVG picture: coloured and shaped by group, sized by a number. The picture says by itself what it
// shows: it has a legend, and a title and a description for those who do not see it. The same points give the same bytes. Any
// thread may call this.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace conpole::cli {

struct ScatterPoint {
  double x = 0;
  double y = 0;
  std::size_t group = 0;                 // an index into the groups
  std::optional<std::size_t> size = {};  // a point without one is hollow and small
  std::string note = {};                 // shown when it is pointed at; empty for none
};

struct Scatter {
  std::string title;
  std::string description;
  std::string x_name;
  std::string y_name;
  std::string groups_name;          // above the legend; empty for none
  std::vector<std::string> groups;  // in the order of the legend; with a single one there is no legend of groups
  std::string size_name;            // what sizes mean; empty if no point has one
  std::vector<ScatterPoint> points;
};

// Both axes have the same scale, so that distances are what they are. Texts may be any; what XML does not allow is replaced.
std::string DrawScatter(const Scatter& scatter);

}  // namespace conpole::cli
