// The recurrence of one bidirectional LSTM layer as one CUDA kernel. cuDNN starts kernels for every character, and a gradient
// step over short strings is little else than their starts; here a block of threads takes a tile of strings from their first to
// their last character, with the recurrent weights in its shared memory. For a hidden size of 128 and 16-bit numbers, on GPUs
// that have 227 kB of shared memory (Hopper and later).
//
// Strings are packed as in PackedTexts. The gates of one direction at one character are in tile order (GateColumn), so that
// what one thread needs lies together; a row has those of the forward direction, then those of the backward direction.
#pragma once

#include <cstdint>

namespace conpole {

struct FusedLstm {
  static constexpr int kHidden = 128;
  static constexpr int kGates = 4 * kHidden;

  enum class Type : std::uint8_t { kFloat16, kBFloat16 };

  // Where gate 0 to 3 (input, forget, cell, output) of a unit stands in tile order.
  static constexpr int GateColumn(int gate, int unit) {
    return unit / 16 * 64 + gate / 2 * 32 + unit % 16 / 4 * 8 + gate % 2 * 4 + unit % 4;
  }
  // The unit whose place among the columns of the matrix instructions is `column`: each thread gets four units in a row.
  static constexpr int UnitOfColumn(int column) {
    return column / 16 * 16 + column % 8 / 2 * 4 + column % 16 / 8 * 2 + column % 2;
  }
  // The gate column in row `row` of the recurrent weights as Forward takes them.
  static constexpr int ForwardWeightRow(int row) {
    const int tile = row % 64 / 8;  // two for each gate
    return GateColumn(tile / 2, UnitOfColumn(row / 64 * 16 + tile % 2 * 8 + row % 8));
  }

  // What both directions of time need to know about the strings; on the GPU.
  struct Strings {
    int tile = 0;  // strings of one block: 16, 32 or 64
    int tiles = 0;
    const std::int32_t* batch_sizes = nullptr;  // for each step
    const std::int32_t* first_rows = nullptr;   // for each step
    const std::int32_t* tile_steps = nullptr;   // characters of the longest string of each tile
  };

  struct ForwardArguments {
    Strings strings;
    const void* inputs = nullptr;              // what comes from below: rows of 2 * kGates
    const std::uint8_t* characters = nullptr;  // the row of `inputs` for each character; null if character i has row i
    const void* weights = nullptr;             // 2 * kGates x kHidden, rows in the order of ForwardWeightRow
    void* hidden = nullptr;                    // to be written: rows of 2 * kHidden
    // To be written for Backward, or null. Hidden states before the character: rows of 2 * kHidden, as are the cells after it;
    // gates after their activation: rows of 2 * kGates.
    void* hidden_before = nullptr;
    void* cells = nullptr;
    void* gates = nullptr;
  };

  struct BackwardArguments {
    Strings strings;
    const void* weights = nullptr;  // 2 * kGates x kHidden, rows in tile order, columns in the order of UnitOfColumn
    const void* hidden_gradients = nullptr;
    const void* cells = nullptr;
    const void* gates = nullptr;
    void* input_gradients = nullptr;  // to be written: rows of 2 * kGates
  };

  // Whether the current GPU can run these.
  static bool IsSupported();
  // How large the tiles should be: small ones take less time for a step, large ones do more per second.
  static int BestTile(std::int64_t strings);
  // Enqueue the work on a CUDA stream. Return what went wrong, or null.
  static const char* Forward(Type type, const ForwardArguments& arguments, void* stream);
  static const char* Backward(Type type, const BackwardArguments& arguments, void* stream);
};

}  // namespace conpole
