// What texts that are read character by character have in common: all that begin in the same way share one node per character,
// so that what a network computes of a beginning is computed once. Read from the end, they share their ends. One thread at a
// time may use a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

class PrefixTree {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Reading {
    bool from_the_end = false;
    bool shares = true;  // otherwise every text has nodes of its own
  };
  // Nodes stand in levels, by how many characters come before them, and those that come after the same node stand together.
  // Positions are the characters of all texts, one text after the other.
  void Build(std::span<const std::string_view> texts, const Reading& reading);

  std::size_t nodes() const { return before_.size(); }
  std::size_t levels() const { return first_.size() - 1; }
  // The nodes of a level are first(level), ..., first(level + 1) - 1.
  std::size_t first(std::size_t level) const { return first_[level]; }
  // The node before a node, of the level before; kNone in the first level.
  std::uint32_t before(std::size_t node) const { return before_[node]; }
  // A position that a node stands for, of the first text that has it.
  std::uint32_t position(std::size_t node) const { return position_[node]; }
  std::uint32_t node_of(std::size_t position) const { return node_of_[position]; }
  // The last node of a text; kNone for an empty one.
  std::uint32_t last(std::size_t text) const { return last_[text]; }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> position_;
  std::vector<std::uint32_t> node_of_;
  std::vector<std::uint32_t> last_;
  // While it is built.
  std::string reversed_;
  std::vector<std::string_view> read_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> shared_;
  std::vector<std::size_t> next_;
  std::vector<std::uint32_t> path_;
};

}  // namespace conpole
