// conpole embed: the vectors that a model gives to states.
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/search_options.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/encoder.h"
#include "tutor/policy.h"
#include "util/thread_pool.h"

namespace conpole::cli {
namespace {

struct EmbedOptions {
  std::string domain;
  std::string model;
  std::string format = "json";
  bool any_domain = false;
  std::size_t threads = 0;
};

// States that are encoded together.
constexpr std::size_t kBatch = 256;

class Embedder {
 public:
  explicit Embedder(const EmbedOptions& options)
      : domain_(MakeAnyDomain(options.domain)),
        encoder_(MakeEncoderFor(*domain_, ReadModelFor(*domain_, options.model, options.any_domain))),
        pool_(options.threads) {}

  // Returns the vector of each line, or why it is not a state.
  struct Embedded {
    std::string line;
    std::string state;
    std::optional<Malformed> error;
    std::vector<float> vector;
  };
  std::vector<Embedded> Embed(std::vector<InputLine> lines) {
    std::vector<Embedded> results;
    std::vector<std::string_view> states;
    for (InputLine& line : lines) {
      Parsed parsed = line.error ? Parsed{{}, std::move(line.error)} : ReadForPolicy(*domain_, line.text);
      results.push_back({std::move(line.text), std::move(parsed.state), std::move(parsed.error), {}});
    }
    for (const Embedded& result : results) {
      if (!result.error) states.push_back(result.state);
    }
    const std::size_t size = encoder_->vector_size();
    std::vector<float> vectors(states.size() * size);
    encoder_->Encode(states, vectors, pool_);
    auto next = vectors.begin();
    for (Embedded& result : results) {
      if (result.error) continue;
      result.vector.assign(next, next + static_cast<std::ptrdiff_t>(size));
      next += static_cast<std::ptrdiff_t>(size);
    }
    return results;
  }

  std::size_t vector_size() const { return encoder_->vector_size(); }

 private:
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Encoder> encoder_;
  ThreadPool pool_;
};

// The next lines of standard input: as many as are there already, at least one unless it has ended.
std::vector<InputLine> ReadLines() {
  std::vector<InputLine> lines;
  while (lines.size() < kBatch) {
    std::optional<InputLine> line = ReadInputLine();
    if (!line) break;
    lines.push_back(std::move(*line));
    if (std::cin.rdbuf()->in_avail() <= 0) break;
  }
  return lines;
}

int EmbedAsJson(Embedder& embedder) {
  bool any_malformed = false;
  for (std::vector<InputLine> lines = ReadLines(); !lines.empty(); lines = ReadLines()) {
    for (const Embedder::Embedded& result : embedder.Embed(std::move(lines))) {
      if (result.error) {
        any_malformed = true;
        PrintJsonLine(
            {{"state", result.line}, {"error", result.error->message.english()}, {"position", result.error->position}});
      } else {
        PrintJsonLine({{"state", result.line}, {"vector", result.vector}});
      }
    }
  }
  return any_malformed ? kSomeFailed : kOk;
}

// Version 1.0 of NumPy's format: a header that says what follows, padded to 64 bytes, then the numbers.
std::string NpyHeader(std::size_t rows, std::size_t columns) {
  std::string description = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  constexpr std::size_t kPrefix = 10;
  while ((kPrefix + description.size() + 1) % 64 != 0) description += ' ';
  description += '\n';
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  header += static_cast<char>(description.size() & 0xFF);
  header += static_cast<char>(description.size() >> 8);
  return header + description;
}

// A matrix has no place for an error, so the first malformed line ends it before anything is written.
int EmbedAsNpy(Embedder& embedder) {
  std::vector<float> all;
  std::size_t rows = 0;
  for (std::vector<InputLine> lines = ReadLines(); !lines.empty(); lines = ReadLines()) {
    for (const Embedder::Embedded& result : embedder.Embed(std::move(lines))) {
      ++rows;
      if (result.error) {
        throw Error(fmt::format("line {}: '{}' is not a state: position {}: {}", rows, result.line, result.error->position,
                                result.error->message.english()));
      }
      all.insert(all.end(), result.vector.begin(), result.vector.end());
    }
  }
  const std::string header = NpyHeader(rows, embedder.vector_size());
  std::string bytes(all.size() * sizeof(float), '\0');
  if (!all.empty()) std::memcpy(bytes.data(), all.data(), bytes.size());
  std::cout << header << bytes << std::flush;
  if (!std::cout) throw Error("cannot write to standard output");
  return kOk;
}

int Embed(const EmbedOptions& options) {
  if (options.format != "json" && options.format != "npy") {
    throw Error(fmt::format("unknown format '{}'; there are: json, npy", options.format));
  }
  Embedder embedder(options);
  return options.format == "json" ? EmbedAsJson(embedder) : EmbedAsNpy(embedder);
}

}  // namespace

void AddEmbed(Command& program) {
  Command& command = program.Add("embed", "Read states, one per line, and print the vectors that a model gives them");
  const auto options = std::make_shared<EmbedOptions>();
  command.Takes("domain", options->domain, "The domain of the states, for example equations.");
  command.Text("--model", options->model, kModelHelp);
  command.Text("--format", options->format, "json prints an object per line, npy one matrix as NumPy reads it.");
  AddAnyDomain(command, options->any_domain);
  command.Threads(options->threads);
  command.footer = "A malformed line gives an error with its position; exit status 1 at the end (json), or 2 at once (npy).";
  command.action = [options] { return Embed(*options); };
}

}  // namespace conpole::cli
