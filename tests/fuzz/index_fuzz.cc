// Any file of an index: one that answers, or an Error that names the file. An input is tried as a file as it is, and, as that
// rarely gets far, as the contents of one whose beginning, size and checksum are right: its first two bytes say how many
// problems there are and how many bytes their texts have, and the rest is what stands behind the domain.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/model.h"
#include "nn/network_kind.h"
#include "util/checksum.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"
#include "vectors/problem_index.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

const conpole::ProblemEncoder& Encoder() {
  static const std::unique_ptr<conpole::Domain> domain = conpole::MakeDomain("equations");
  static const conpole::ProblemEncoder encoder(
      *domain,
      conpole::RandomModel(conpole::TrainingArchitecture("lstm", {{"embedding", 1}, {"hidden", 1}, {"layers", 1}}), 1));
  return encoder;
}

// In memory, as a fuzzer should not write to the disk.
void TryFile(std::string_view bytes) {
  static const int file = memfd_create("index", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  static conpole::ThreadPool pool(1);
  Require(ftruncate(file, static_cast<off_t>(bytes.size())) == 0);
  Require(pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  try {
    const conpole::ProblemIndex index = conpole::ProblemIndex::Read(path, Encoder());
    Require(conpole::ProblemIndex::DomainOfFile(path).starts_with("equations"));
    try {
      Require(index.Similar("x = 1", 100, pool).size() <= index.size());
    } catch (const conpole::Error& error) {
      Require(std::string_view(error.what()).starts_with("the index holds "));
    }
  } catch (const conpole::Error& error) {
    Require(std::string_view(error.what()).starts_with(path + ": "));
  }
}

void Append(std::string& bytes, std::uint64_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  TryFile(input);
  if (size < 2) return 0;
  const std::size_t problems = data[0] % 8;
  const std::size_t text_bytes = data[1];
  std::string file = "conpole index 1\n";
  Append(file, Encoder().fingerprint());
  Append(file, Encoder().dimension());
  Append(file, problems);
  Append(file, text_bytes);
  file += std::string("\x09\0\0\0\0\0\0\0equations", 17);
  std::string rest(input.substr(2));
  rest.resize(problems * sizeof(std::uint32_t) + text_bytes + problems * Encoder().dimension() * sizeof(std::int16_t));
  file += rest;
  conpole::Checksum checksum;
  checksum.Add(std::as_bytes(std::span(file)));
  Append(file, checksum.value());
  TryFile(file);
  return 0;
}
