// Answers requests as the service does, in this process: what other shells around it are compared with.
//   service_tool MODELS < REQUESTS
// MODELS is a folder of models. Each line of the input is an operation, a tab and a request; each line of the output is the
// status, a tab, the milliseconds that the answer took, a tab and the answer.
#include <cstddef>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "service/service.h"
#include "util/read_file.h"
#include "util/stopwatch.h"

namespace conpole {
namespace {

constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20;

int Run(const std::string& folder) {
  auto models = std::make_unique<HandedModels>();
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".safetensors") continue;
    const std::string bytes = ReadRegularFile(file.path(), kMaxModelBytes);
    models->HandOver(file.path().filename(), std::as_bytes(std::span(bytes)));
  }
  ServiceOptions options;
  options.models = std::move(models);
  Service service(std::move(options));
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      std::cerr << "a line has no tab\n";
      return 1;
    }
    const Stopwatch stopwatch;
    const ServiceAnswer answer = service.Answer(std::string_view(line).substr(0, tab), std::string_view(line).substr(tab + 1));
    const double milliseconds = 1000 * stopwatch.Seconds();
    std::cout << fmt::format("{}\t{:.3f}\t{}\n", answer.status, milliseconds, answer.body) << std::flush;
  }
  return 0;
}

}  // namespace
}  // namespace conpole

int main(int argc, char** argv) {
  try {
    if (argc != 2) {
      std::cerr << "usage: service_tool MODELS < REQUESTS\n";
      return 2;
    }
    return conpole::Run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
