#include "vectors/problem_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "util/atomic_file.h"
#include "util/checksum.h"
#include "util/hash.h"
#include "util/int128.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole {
namespace {

// The file: kMagic; the Header; the domain's Spec; the length of each state in 32 bits; the states; the vectors' components in
// 16 bits; the Checksum of all of this in 64 bits. Numbers have the least byte first. A change of this, or of what makes
// vectors of states, changes the version in kMagic.
static_assert(std::endian::native == std::endian::little);
constexpr std::string_view kMagicWithoutVersion = "conpole index ";
constexpr std::string_view kMagic = "conpole index 1\n";

struct Header {
  std::uint64_t model = 0;  // its fingerprint
  std::uint64_t dimension = 0;
  std::uint64_t problems = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t domain_bytes = 0;
};
static_assert(sizeof(Header) == 5 * sizeof(std::uint64_t));

constexpr std::uint64_t kMaxDimension = 1 << 16;
constexpr std::uint64_t kMaxProblems = TextSlots::kNone - 1;
constexpr std::uint64_t kMaxDomainBytes = 1 << 16;
// Problems that are encoded together, and those that are generated together.
constexpr std::size_t kBatch = 2048;

// The file's size by its header, whatever the numbers in that are.
Uint128 SizeOf(const Header& header) {
  return Uint128{kMagic.size()} + sizeof header + header.domain_bytes + Uint128{header.problems} * sizeof(std::uint32_t) +
         header.text_bytes + Uint128{header.problems} * header.dimension * sizeof(std::int16_t) + sizeof(std::uint64_t);
}

// A file's parts in their order, and their checksum.
class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path) {
    std::array<char, kMagic.size()> magic{};
    const std::size_t read = file_.Read(std::as_writable_bytes(std::span(magic)));
    const std::string_view begin(magic.data(), read);
    if (begin != kMagic && begin.starts_with(kMagicWithoutVersion)) {
      throw Error("it was written by another version of this program, and cannot be read by this one");
    }
    if (begin != kMagic) throw Error("it is not an index of problems");
    checksum_.Add(std::as_bytes(std::span(magic)));
    Fill(std::as_writable_bytes(std::span(&header_, 1)));
    if (header_.dimension == 0 || header_.dimension > kMaxDimension || header_.problems > kMaxProblems ||
        header_.domain_bytes > kMaxDomainBytes || header_.text_bytes > header_.problems * kMaxStateBytes) {
      throw Error("its header makes no sense");
    }
    if (SizeOf(header_) != file_.size()) throw Error("it is not whole, or there is something behind its end");
    if (!std::in_range<std::size_t>(file_.size())) throw Error("it is larger than the memory that a program can have here");
    domain_.resize(static_cast<std::size_t>(header_.domain_bytes));
    Fill(std::as_writable_bytes(std::span(domain_)));
  }

  const Header& header() const { return header_; }
  const std::string& domain() const { return domain_; }

  void Fill(std::span<std::byte> bytes) {
    Raw(bytes);
    checksum_.Add(bytes);
  }
  void Finish() {
    std::uint64_t stored = 0;
    Raw(std::as_writable_bytes(std::span(&stored, 1)));
    if (stored != checksum_.value()) throw Error("its checksum is wrong");
  }

 private:
  void Raw(std::span<std::byte> bytes) {
    if (file_.Read(bytes) != bytes.size()) throw Error("it ends too early");
  }

  RegularFile file_;
  Checksum checksum_;
  Header header_;
  std::string domain_;
};

std::string_view TypeName(std::string_view spec) { return spec.substr(0, spec.find(':')); }

}  // namespace

ProblemIndex::ProblemIndex(const ProblemEncoder& encoder) : encoder_(&encoder), vectors_(encoder.dimension()) {}

std::string_view ProblemIndex::state(std::size_t index) const {
  const std::uint64_t begin = index == 0 ? 0 : ends_[index - 1];
  return {texts_.data() + begin, static_cast<std::size_t>(ends_[index] - begin)};
}

void ProblemIndex::IndexTexts() {
  if (hashes_.size() == size()) return;
  slots_.Reset(size());
  hashes_.clear();
  for (std::size_t i = 0; i < size(); ++i) {
    const std::uint64_t hash = HashText(state(i));
    slots_.FindOrAdd(
        hash, static_cast<std::uint32_t>(i), [&](std::uint32_t other) { return state(other) == state(i); },
        [&](std::uint32_t other) { return hashes_[other]; });
    hashes_.push_back(hash);
  }
}

bool ProblemIndex::Add(std::span<const std::string> states, ThreadPool& pool, const StopToken& stop, const Progress& progress) {
  IndexTexts();
  std::vector<std::string> added;
  for (std::size_t done = 0; done < states.size();) {
    if (stop.StopRequested()) return false;
    const std::size_t end = std::min(states.size(), done + kBatch);
    added.clear();
    for (; done < end; ++done) {
      const std::string& text = states[done];
      if (ends_.size() >= kMaxProblems) throw Error("an index holds no more than 4 billion problems");
      if (text.size() > kMaxStateBytes) throw Error(fmt::format("a problem is longer than {} bytes", kMaxStateBytes));
      const std::uint64_t hash = HashText(text);
      const auto next = static_cast<std::uint32_t>(ends_.size());
      const std::uint32_t place = slots_.FindOrAdd(
          hash, next, [&](std::uint32_t other) { return state(other) == text; },
          [&](std::uint32_t other) { return hashes_[other]; });
      if (place != next) continue;
      hashes_.push_back(hash);
      texts_ += text;
      ends_.push_back(texts_.size());
      added.push_back(text);
    }
    vectors_.Add(encoder_->Encode(added, pool));
    if (progress) progress(done);
  }
  return true;
}

bool ProblemIndex::AddGenerated(const SeedRange& seeds, ThreadPool& pool, const StopToken& stop, const Progress& progress) {
  std::vector<std::string> states;
  for (std::uint64_t first = seeds.first; first < seeds.end;) {
    states.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBatch, seeds.end - first)));
    constexpr std::size_t kPiece = 64;
    pool.For((states.size() + kPiece - 1) / kPiece, [&](std::size_t piece) {
      const std::size_t end = std::min(states.size(), (piece + 1) * kPiece);
      for (std::size_t i = piece * kPiece; i < end; ++i) states[i] = encoder_->domain().Generate(first + i);
    });
    if (!Add(states, pool, stop)) return false;
    first += states.size();
    if (progress) progress(static_cast<std::size_t>(first - seeds.first));
  }
  return true;
}

std::vector<SimilarProblem> ProblemIndex::Similar(const std::string& state, std::size_t count, ThreadPool& pool) const {
  const std::vector<float> vector = encoder_->Encode(std::span(&state, 1), pool);
  // One more, since the problem itself may be among them.
  const std::size_t wanted = std::min(count, size());
  std::vector<SimilarProblem> similar;
  for (const Neighbour& neighbour : vectors_.Nearest(vector, wanted + 1, pool)) {
    const std::string_view other = this->state(neighbour.row);
    if (other == state || similar.size() == wanted) continue;
    if (encoder_->domain().Parse(other).state != other) {
      throw Error(fmt::format("the index holds {}, which is no problem of {}", Shown(other), encoder_->domain().type().name));
    }
    similar.push_back({std::string(other), neighbour.cosine});
  }
  return similar;
}

void ProblemIndex::Write(const std::string& path) const {
  NamingFile(path, [&] {
    AtomicFile file(path);
    Checksum checksum;
    const auto write = [&](std::span<const std::byte> bytes) {
      checksum.Add(bytes);
      file.Write(bytes);
    };
    const std::string domain = encoder_->domain().Spec();
    const Header header{encoder_->fingerprint(), vectors_.dimension(), size(), texts_.size(), domain.size()};
    write(std::as_bytes(std::span(kMagic)));
    write(std::as_bytes(std::span(&header, 1)));
    write(std::as_bytes(std::span(domain)));
    std::vector<std::uint32_t> lengths;
    for (std::size_t i = 0; i < size(); ++i) lengths.push_back(static_cast<std::uint32_t>(state(i).size()));
    write(std::as_bytes(std::span(lengths)));
    write(std::as_bytes(std::span(texts_)));
    write(std::as_bytes(vectors_.fixed_point()));
    const std::uint64_t sum = checksum.value();
    file.Write(std::as_bytes(std::span(&sum, 1)));
    file.Commit();
  });
}

std::string ProblemIndex::DomainOfFile(const std::string& path) {
  return NamingFile(path, [&] { return Reader(path).domain(); });
}

ProblemIndex ProblemIndex::Read(const std::string& path, const ProblemEncoder& encoder) {
  return NamingFile(path, [&] {
    Reader reader(path);
    const Header& header = reader.header();
    const std::string& domain = encoder.domain().type().name;
    if (TypeName(reader.domain()) != domain) {
      throw Error(fmt::format("it is an index of {}, not of {}", Shown(reader.domain()), domain));
    }
    if (header.model != encoder.fingerprint() || header.dimension != encoder.dimension()) {
      throw Error("it was made with another model than the one that is asked: name that one, or make the index anew");
    }
    ProblemIndex index(encoder);
    // The file's size fits, and so do these.
    const auto problems = static_cast<std::size_t>(header.problems);
    const auto dimension = static_cast<std::size_t>(header.dimension);
    std::vector<std::uint32_t> lengths(problems);
    reader.Fill(std::as_writable_bytes(std::span(lengths)));
    index.texts_.resize(static_cast<std::size_t>(header.text_bytes));
    reader.Fill(std::as_writable_bytes(std::span(index.texts_)));
    LargeVector<std::int16_t> rows(problems * dimension);
    reader.Fill(std::as_writable_bytes(std::span(rows)));
    reader.Finish();
    std::uint64_t end = 0;
    index.ends_.reserve(problems);
    for (const std::uint32_t length : lengths) index.ends_.push_back(end += length);
    if (end != header.text_bytes) throw Error("the lengths of its texts do not fit");
    index.vectors_ = UnitVectors(dimension, std::move(rows));
    return index;
  });
}

}  // namespace conpole
