#include "torch/fused_lstm_kernels.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace conpole {
namespace {

constexpr int kHidden = FusedLstm::kHidden;
constexpr int kGates = FusedLstm::kGates;
constexpr int kThreads = 256;  // eight warps, each with 16 units of all strings

// Shared memory is used in chunks of 16 bytes, eight numbers. The chunks of a row are exchanged by its number, so that the
// eight rows of a matrix that are read at once lie in different banks.
constexpr int kHiddenChunks = kHidden / 8;
constexpr int kGateChunks = kGates / 8;
constexpr int kWeightChunks = kGates * kHiddenChunks;
constexpr int ForwardChunks(int tile) { return kWeightChunks + 2 * tile * kHiddenChunks + tile * kGateChunks; }
constexpr int BackwardChunks(int tile) { return kWeightChunks + tile * kGateChunks; }

__device__ int Swizzled(int row, int chunk, int chunks_per_row) { return row * chunks_per_row + (chunk ^ (row & 7)); }

__device__ unsigned SharedAddress(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

struct Fragment {
  unsigned part[4];
};

__device__ Fragment LoadMatrices(const uint4* address) {
  Fragment f;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(f.part[0]), "=r"(f.part[1]), "=r"(f.part[2]), "=r"(f.part[3])
               : "r"(SharedAddress(address))
               : "memory");
  return f;
}

__device__ Fragment LoadTransposed(const uint4* address) {
  Fragment f;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(f.part[0]), "=r"(f.part[1]), "=r"(f.part[2]), "=r"(f.part[3])
               : "r"(SharedAddress(address))
               : "memory");
  return f;
}

__device__ void CopyAsync(uint4* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(SharedAddress(to)), "l"(from) : "memory");
}
__device__ void WaitForCopies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// What differs between the two types of numbers.
template <class T>
struct Numbers;

template <>
struct Numbers<__nv_bfloat16> {
  using Pair = __nv_bfloat162;
  static __device__ Pair Packed(float a, float b) { return __floats2bfloat162_rn(a, b); }
  static __device__ float2 Unpacked(Pair pair) { return __bfloat1622float2(pair); }
  static __device__ void MultiplyAdd(float (&sum)[4], const Fragment& a, unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a.part[0]), "r"(a.part[1]), "r"(a.part[2]), "r"(a.part[3]), "r"(b0), "r"(b1));
  }
};

template <>
struct Numbers<__half> {
  using Pair = __half2;
  static __device__ Pair Packed(float a, float b) { return __floats2half2_rn(a, b); }
  static __device__ float2 Unpacked(Pair pair) { return __half22float2(pair); }
  static __device__ void MultiplyAdd(float (&sum)[4], const Fragment& a, unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a.part[0]), "r"(a.part[1]), "r"(a.part[2]), "r"(a.part[3]), "r"(b0), "r"(b1));
  }
};

// Two or four pairs as they are moved through memory.
template <class T, class Bits>
union Packet {
  Bits bits;
  typename Numbers<T>::Pair pairs[sizeof(Bits) / 4];
  __device__ Packet() {}
};

template <class T, int kCount, class Bits>
__device__ void Unpack(const Bits& bits, float (&values)[kCount]) {
  static_assert(sizeof(Bits) == 2 * kCount);
  Packet<T, Bits> packet;
  packet.bits = bits;
#pragma unroll
  for (int i = 0; i < kCount / 2; ++i) {
    const float2 pair = Numbers<T>::Unpacked(packet.pairs[i]);
    values[2 * i] = pair.x;
    values[2 * i + 1] = pair.y;
  }
}

template <class T, class Bits, int kCount>
__device__ Bits Pack(const float (&values)[kCount]) {
  static_assert(sizeof(Bits) == 2 * kCount);
  Packet<T, Bits> packet;
#pragma unroll
  for (int i = 0; i < kCount / 2; ++i) packet.pairs[i] = Numbers<T>::Packed(values[2 * i], values[2 * i + 1]);
  return packet.bits;
}

__device__ float Tanh(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float Sigmoid(float x) { return fmaf(0.5F, Tanh(0.5F * x), 0.5F); }

// The place of a thread. Of the tile's strings it has rows row(slot), of each the units unit() to unit() + 3: that is how the
// matrix instructions hand out their results.
struct ThreadPlace {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int quad = lane % 4;

  __device__ int row(int slot) const { return slot * 8 + lane / 4; }
  __device__ int unit() const { return warp * 16 + quad * 4; }
  // Of its gates: the first half, input and forget; the second half is 32 further on.
  __device__ int gate_column() const { return warp * 64 + quad * 8; }
  __device__ int gate_chunk(int half) const { return warp * 8 + half * 4 + quad; }
};

__device__ void CopyWeights(uint4* to, const void* weights, int direction) {
  const uint4* from = static_cast<const uint4*>(weights) + direction * kWeightChunks;
  for (int i = static_cast<int>(threadIdx.x); i < kWeightChunks; i += kThreads) {
    to[Swizzled(i / kHiddenChunks, i % kHiddenChunks, kHiddenChunks)] = from[i];
  }
}

template <class T, int kTile, bool kKeep>
__global__ void __launch_bounds__(kThreads, 1) ForwardKernel(FusedLstm::ForwardArguments arguments) {
  extern __shared__ uint4 shared[];
  uint4* const weights = shared;
  uint4* const hidden_tiles = weights + kWeightChunks;  // two, one read and one written
  uint4* const inputs = hidden_tiles + 2 * kTile * kHiddenChunks;

  constexpr int kSlots = kTile / 8;  // strings of a thread
  const ThreadPlace place;
  const int direction = static_cast<int>(blockIdx.x) % 2;
  const int tile = static_cast<int>(blockIdx.x) / 2;
  const int first_string = tile * kTile;
  const int steps = arguments.strings.tile_steps[tile];
  const auto step_at = [&](int i) { return direction == 0 ? i : steps - 1 - i; };
  const auto active_at = [&](int step) { return min(kTile, arguments.strings.batch_sizes[step] - first_string); };
  const auto row_at = [&](int step) { return static_cast<long long>(arguments.strings.first_rows[step]) + first_string; };

  // Each thread copies what it reads itself, so that it waits for nobody.
  const auto copy_inputs = [&](int step) {
    const int active = active_at(step);
    const long long first_row = row_at(step);
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      if (place.row(slot) >= active) continue;
      const long long row = first_row + place.row(slot);
      const long long input_row = arguments.characters == nullptr ? row : arguments.characters[row];
      const T* from = static_cast<const T*>(arguments.inputs) + (input_row * 2 + direction) * kGates + place.gate_column();
      CopyAsync(inputs + (2 * slot) * kThreads + threadIdx.x, from);
      CopyAsync(inputs + (2 * slot + 1) * kThreads + threadIdx.x, from + 32);
    }
  };

  copy_inputs(step_at(0));
  CopyWeights(weights, arguments.weights, direction);
  for (int i = static_cast<int>(threadIdx.x); i < 2 * kTile * kHiddenChunks; i += kThreads) hidden_tiles[i] = {0, 0, 0, 0};
  __syncthreads();

  float cells[kSlots][4] = {};
  for (int i = 0; i < steps; ++i) {
    const int step = step_at(i);
    const int active = active_at(step);
    const long long first_row = row_at(step);
    const uint4* const hidden = hidden_tiles + i % 2 * (kTile * kHiddenChunks);
    uint4* const next_hidden = hidden_tiles + (i + 1) % 2 * (kTile * kHiddenChunks);

    // 1. Start with what comes from below.
    float sums[kTile / 16][8][4];  // tiles of 16 strings; two tiles of units for each gate
    WaitForCopies();
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float values[8];
        Unpack<T>(inputs[(2 * slot + half) * kThreads + threadIdx.x], values);
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          sums[slot / 2][(half * 2 + j / 4) * 2 + j % 4 / 2][slot % 2 * 2 + j % 2] = values[j];
        }
      }
    }
    if (i + 1 < steps) copy_inputs(step_at(i + 1));

      // 2. Add what comes from the step before.
#pragma unroll
    for (int k = 0; k < kHidden / 16; ++k) {
      Fragment states[kTile / 16];
#pragma unroll
      for (int m = 0; m < kTile / 16; ++m) {
        states[m] = LoadMatrices(hidden + Swizzled(m * 16 + place.lane % 16, k * 2 + place.lane / 16, kHiddenChunks));
      }
#pragma unroll
      for (int n = 0; n < 8; n += 2) {
        const int weight_row = place.warp * 64 + (n + place.lane / 16) * 8 + place.lane % 8;
        const Fragment weight = LoadMatrices(weights + Swizzled(weight_row, k * 2 + place.lane / 8 % 2, kHiddenChunks));
#pragma unroll
        for (int m = 0; m < kTile / 16; ++m) {
          Numbers<T>::MultiplyAdd(sums[m][n], states[m], weight.part[0], weight.part[1]);
          Numbers<T>::MultiplyAdd(sums[m][n + 1], states[m], weight.part[2], weight.part[3]);
        }
      }
    }

    // 3. Activate, and write. Strings that have ended, or not begun, stay zero.
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      const int string = place.row(slot);
      const bool is_active = string < active;
      const long long row = first_row + string;
      float gates[2][8];  // as they are written: input and forget, cell and output
      float outputs[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const auto sum = [&](int gate) { return sums[slot / 2][gate * 2 + j / 2][slot % 2 * 2 + j % 2]; };
        gates[0][j] = Sigmoid(sum(0));
        gates[0][4 + j] = Sigmoid(sum(1));
        gates[1][j] = Tanh(sum(2));
        gates[1][4 + j] = Sigmoid(sum(3));
        const float cell = fmaf(gates[0][4 + j], cells[slot][j], gates[0][j] * gates[1][j]);
        cells[slot][j] = is_active ? cell : 0.0F;
        outputs[j] = is_active ? gates[1][4 + j] * Tanh(cell) : 0.0F;
      }
      const uint2 packed = Pack<T, uint2>(outputs);
      const int chunk = Swizzled(string, place.unit() / 8, kHiddenChunks);
      const int part = place.quad % 2;
      const auto in_global = [&](void* array) {
        return reinterpret_cast<uint2*>(static_cast<T*>(array) + (row * 2 + direction) * kHidden + place.unit());
      };
      reinterpret_cast<uint2*>(next_hidden + chunk)[part] = packed;
      if (is_active) {
        *in_global(arguments.hidden) = packed;
        if constexpr (kKeep) {
          *in_global(arguments.hidden_before) = reinterpret_cast<const uint2*>(hidden + chunk)[part];
          *in_global(arguments.cells) = Pack<T, uint2>(cells[slot]);
          T* const to = static_cast<T*>(arguments.gates) + (row * 2 + direction) * kGates + place.gate_column();
          *reinterpret_cast<uint4*>(to) = Pack<T, uint4>(gates[0]);
          *reinterpret_cast<uint4*>(to + 32) = Pack<T, uint4>(gates[1]);
        }
      }
    }
    __syncthreads();
  }
}

template <class T, int kTile>
__global__ void __launch_bounds__(kThreads, 1) BackwardKernel(FusedLstm::BackwardArguments arguments) {
  extern __shared__ uint4 shared[];
  uint4* const weights = shared;
  uint4* const gate_gradients = weights + kWeightChunks;

  constexpr int kSlots = kTile / 8;  // strings of a thread
  const ThreadPlace place;
  const int direction = static_cast<int>(blockIdx.x) % 2;
  const int tile = static_cast<int>(blockIdx.x) / 2;
  const int first_string = tile * kTile;
  const int steps = arguments.strings.tile_steps[tile];
  const auto active_at = [&](int step) {
    if (step < 0 || step >= steps) return 0;
    return min(kTile, arguments.strings.batch_sizes[step] - first_string);
  };
  const auto row_at = [&](int step) { return static_cast<long long>(arguments.strings.first_rows[step]) + first_string; };

  CopyWeights(weights, arguments.weights, direction);
  float sums[kTile / 16][2][4] = {};  // gradients of the hidden states that come from the step after
  float cell_gradients[kSlots][4] = {};
  for (int i = 0; i < steps; ++i) {
    const int step = direction == 0 ? steps - 1 - i : i;
    const int step_before = direction == 0 ? step - 1 : step + 1;
    const int active = active_at(step);
    const int active_before = active_at(step_before);
    const long long first_row = row_at(step);
    const long long first_row_before = active_before > 0 ? row_at(step_before) : 0;

    // 1. Through the activations, to the gates. Strings that have ended, or not begun, stay zero.
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      const int string = place.row(slot);
      const long long row = first_row + string;
      const auto in_global = [&](const void* array, long long at) {
        return *reinterpret_cast<const uint2*>(static_cast<const T*>(array) + (at * 2 + direction) * kHidden + place.unit());
      };
      uint4 packed[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
      if (string < active) {
        const long long gate_place = (row * 2 + direction) * kGates + place.gate_column();
        const T* const from = static_cast<const T*>(arguments.gates) + gate_place;
        float gates[2][8];
        Unpack<T>(*reinterpret_cast<const uint4*>(from), gates[0]);
        Unpack<T>(*reinterpret_cast<const uint4*>(from + 32), gates[1]);
        float cells[4];
        Unpack<T>(in_global(arguments.cells, row), cells);
        float cells_before[4] = {};
        if (string < active_before) Unpack<T>(in_global(arguments.cells, first_row_before + string), cells_before);
        float outside[4];
        Unpack<T>(in_global(arguments.hidden_gradients, row), outside);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const float input = gates[0][j];
          const float forget = gates[0][4 + j];
          const float cell = gates[1][j];
          const float output = gates[1][4 + j];
          const float hidden_gradient = outside[j] + sums[slot / 2][j / 2][slot % 2 * 2 + j % 2];
          const float bounded = Tanh(cells[j]);
          const float gradient = fmaf(hidden_gradient * output, 1 - bounded * bounded, cell_gradients[slot][j]);
          gates[0][j] = gradient * cell * input * (1 - input);
          gates[0][4 + j] = gradient * cells_before[j] * forget * (1 - forget);
          gates[1][j] = gradient * input * (1 - cell * cell);
          gates[1][4 + j] = hidden_gradient * bounded * output * (1 - output);
          cell_gradients[slot][j] = gradient * forget;
        }
        packed[0] = Pack<T, uint4>(gates[0]);
        packed[1] = Pack<T, uint4>(gates[1]);
        T* const to = static_cast<T*>(arguments.input_gradients) + gate_place;
        *reinterpret_cast<uint4*>(to) = packed[0];
        *reinterpret_cast<uint4*>(to + 32) = packed[1];
      }
      gate_gradients[Swizzled(string, place.gate_chunk(0), kGateChunks)] = packed[0];
      gate_gradients[Swizzled(string, place.gate_chunk(1), kGateChunks)] = packed[1];
    }
    __syncthreads();

    // 2. Through the weights, to the hidden states of the step before.
#pragma unroll
    for (int m = 0; m < kTile / 16; ++m) {
#pragma unroll
      for (int n = 0; n < 2; ++n) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[m][n][j] = 0;
      }
    }
#pragma unroll 4
    for (int k = 0; k < kGates / 16; ++k) {
      const int weight_row = k * 16 + place.lane % 16;
      const Fragment weight = LoadTransposed(weights + Swizzled(weight_row, place.warp * 2 + place.lane / 16, kHiddenChunks));
#pragma unroll
      for (int m = 0; m < kTile / 16; ++m) {
        const Fragment gradient =
            LoadMatrices(gate_gradients + Swizzled(m * 16 + place.lane % 16, k * 2 + place.lane / 16, kGateChunks));
        Numbers<T>::MultiplyAdd(sums[m][0], gradient, weight.part[0], weight.part[1]);
        Numbers<T>::MultiplyAdd(sums[m][1], gradient, weight.part[2], weight.part[3]);
      }
    }
    __syncthreads();
  }
}

template <class Arguments>
const char* Launch(void (*kernel)(Arguments), int chunks, const Arguments& arguments, void* stream) {
  const int bytes = chunks * static_cast<int>(sizeof(uint4));
  cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (error == cudaSuccess) {
    kernel<<<2 * arguments.strings.tiles, kThreads, bytes, static_cast<cudaStream_t>(stream)>>>(arguments);
    error = cudaGetLastError();
  }
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

template <class T, int kTile>
const char* LaunchForward(const FusedLstm::ForwardArguments& arguments, void* stream) {
  return Launch(arguments.gates == nullptr ? ForwardKernel<T, kTile, false> : ForwardKernel<T, kTile, true>,
                ForwardChunks(kTile), arguments, stream);
}

template <class T>
const char* ForwardOf(const FusedLstm::ForwardArguments& arguments, void* stream) {
  switch (arguments.strings.tile) {
    case 16:
      return LaunchForward<T, 16>(arguments, stream);
    case 32:
      return LaunchForward<T, 32>(arguments, stream);
    default:
      return LaunchForward<T, 64>(arguments, stream);
  }
}

template <class T>
const char* BackwardOf(const FusedLstm::BackwardArguments& arguments, void* stream) {
  switch (arguments.strings.tile) {
    case 16:
      return Launch(BackwardKernel<T, 16>, BackwardChunks(16), arguments, stream);
    case 32:
      return Launch(BackwardKernel<T, 32>, BackwardChunks(32), arguments, stream);
    default:
      return Launch(BackwardKernel<T, 64>, BackwardChunks(64), arguments, stream);
  }
}

int Attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  const bool is_known =
      cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess;
  return is_known ? value : 0;
}

}  // namespace

bool FusedLstm::IsSupported() {
  cudaFuncAttributes attributes;
  const bool is_built_for_it = cudaFuncGetAttributes(&attributes, ForwardKernel<__half, 64, false>) == cudaSuccess;
  cudaGetLastError();  // so that the failure is not taken for one of what comes next
  return is_built_for_it &&
         Attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) >= ForwardChunks(64) * static_cast<int>(sizeof(uint4));
}

int FusedLstm::BestTile(std::int64_t strings) {
  // As large as leaves work for all multiprocessors. Each has room for one block.
  static const int multiprocessors = Attribute(cudaDevAttrMultiProcessorCount);
  for (const int tile : {64, 32}) {
    if (2 * strings >= static_cast<std::int64_t>(tile) * multiprocessors) return tile;
  }
  return 16;
}

const char* FusedLstm::Forward(Type type, const ForwardArguments& arguments, void* stream) {
  return type == Type::kFloat16 ? ForwardOf<__half>(arguments, stream) : ForwardOf<__nv_bfloat16>(arguments, stream);
}

const char* FusedLstm::Backward(Type type, const BackwardArguments& arguments, void* stream) {
  return type == Type::kFloat16 ? BackwardOf<__half>(arguments, stream) : BackwardOf<__nv_bfloat16>(arguments, stream);
}

}  // namespace conpole
