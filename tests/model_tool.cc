// Writes and reads model files for the tests that compare with other programs.
//   model_tool write PATH F32|F16 EMBEDDING HIDDEN LAYERS bilinear|value SEED [KEY VALUE]...   a random model with metadata
//   model_tool read PATH   prints, as JSON, its sizes, its metadata, and every tensor's shape and the CRC-32 of its values as
//   floats
// An Error is printed, and the status is 1.
#include <cstdint>
#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "nn/lstm_encoder.h"
#include "nn/model.h"

namespace {

void Write(std::span<const std::string> arguments) {
  conpole::Model model = conpole::RandomModel(
      conpole::Lstm({std::stoi(arguments[2]), std::stoi(arguments[3]), std::stoi(arguments[4])}, conpole::HeadOf(arguments[5])),
      std::stoull(arguments[6]));
  for (std::size_t i = 7; i < arguments.size(); i += 2) model.metadata[arguments[i]] = arguments[i + 1];
  using enum conpole::WeightFormat;
  conpole::WriteModel(model, arguments[0], arguments[1] == "F16" ? kFloat16 : kFloat32);
}

void Read(const std::string& path) {
  const conpole::Model model = conpole::ReadModel(path);
  const conpole::Architecture& architecture = model.architecture;
  nlohmann::json json = {
      {"architecture",
       {architecture.size("embedding"), architecture.size("hidden"), architecture.size("layers"), HeadName(architecture.head)}},
      {"metadata", model.metadata},
      {"tensors", nlohmann::json::object()}};
  for (const auto& [name, tensor] : model.tensors) {
    const auto* const bytes = reinterpret_cast<const Bytef*>(tensor.values.data());
    const uLong checksum = crc32(0, bytes, static_cast<uInt>(tensor.values.size() * sizeof(float)));
    json["tensors"][name] = {{"shape", tensor.shape}, {"crc32", checksum}};
  }
  std::cout << json << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() >= 8 && arguments.size() % 2 == 0 && arguments[0] == "write") {
      Write(std::span(arguments).subspan(1));
    } else if (arguments.size() == 2 && arguments[0] == "read") {
      Read(arguments[1]);
    } else {
      std::cerr << "usage: see model_tool.cc\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
