#include "torch/process_group.h"

#include <torch/version.h>

#include "conpole/error.h"

namespace conpole {

std::string LibTorchVersion() { return TORCH_VERSION; }

}  // namespace conpole

#ifdef CONPOLE_GLOO

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <torch/torch.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#ifdef CONPOLE_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include "torch/rank_sum.h"
#include "train/loop/device_queue.h"
#include "util/stopwatch.h"

namespace conpole {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds * 1000)));
}

// Collective operations may wait for long, for a rank that writes a large file for example: whether it is alive is for Watch to
// say. This is for what nobody thought of.
constexpr std::chrono::hours kLongestOperation{24 * 7};
// Between the moment at which a rank is known to be lost and the end of a process that does not end by itself.
constexpr double kGraceSeconds = 2;
constexpr double kBeatsPerSilence = 10;

// The first line of what LibTorch says; the rest is where in LibTorch that was.
std::string FirstLine(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

// A launcher keeps a store that this process does not understand.
std::string StrangeStore(const std::string& where) {
  return "the launcher's store at " + where +
         " does not answer: it may be of another version of PyTorch than this program's LibTorch " TORCH_VERSION
         "; use the torchrun of that version, or have a newer one leave the store to rank 0 by "
         "TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1";
}

// One connection to the store. A connection is for one thread at a time: one that waits for an answer holds it.
class StoreClient {
 public:
  StoreClient(const RankPlace& place, bool is_server) : prefix_("conpole/" + place.meeting + "/") {
    c10d::TCPStoreOptions options;
    options.port = place.port;
    options.isServer = is_server;
    options.waitWorkers = false;
    options.timeout = Milliseconds(place.join_seconds);
    store_ = c10::make_intrusive<c10d::TCPStore>(place.address, options);
  }

  const c10::intrusive_ptr<c10d::TCPStore>& store() const { return store_; }
  const std::string& prefix() const { return prefix_; }
  std::int64_t Add(const std::string& key, std::int64_t value) { return store_->add(prefix_ + key, value); }
  void Set(const std::string& key, std::string_view text) {
    store_->set(prefix_ + key, std::vector<std::uint8_t>(text.begin(), text.end()));
  }
  bool Has(const std::string& key) { return store_->check({prefix_ + key}); }
  std::string Get(const std::string& key) {
    const std::vector<std::uint8_t> bytes = store_->get(prefix_ + key);
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::string prefix_;
  c10::intrusive_ptr<c10d::TCPStore> store_;
};

constexpr const char* kFailed = "failed";  // what the first rank that failed, or that saw another one fail, says

constexpr const char* kHeard = "heard";  // how many ranks know that

std::string BeatKey(std::size_t rank) { return "beat/" + std::to_string(rank); }

// Says that this rank is alive, and watches the next one and the store, in two threads: an answer of the store may never come.
class Watch {
 public:
  Watch(const RankPlace& place, std::function<void(const std::string&)> lost)
      : place_(place),
        next_((place.rank + 1) % place.size),
        lost_(std::move(lost)),
        client_(place, /*is_server=*/false),
        answered_(Clock::now()) {
    beat_ = std::thread([this] { Beat(); });
    guard_ = std::thread([this] { Guard(); });
  }
  // The group has come to its end.
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    beat_.join();
    guard_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Why the group is at its end; nothing as long as it is not.
  std::optional<std::string> reason() const {
    const std::lock_guard lock(mutex_);
    return reason_;
  }

  // Something went wrong in a collective operation: what that was, once it is known.
  std::string Explain(const std::string& symptom) {
    std::unique_lock lock(mutex_);
    // A rank that ended is known to be silent after a while.
    const auto limit = Milliseconds(place_.silence_seconds * 1.5 + 1);
    changed_.wait_for(lock, limit, [this] { return reason_.has_value(); });
    is_explained_ = true;
    std::string reason = reason_.value_or("the ranks have lost each other: " + symptom);
    lock.unlock();
    LetOthersHear();
    return reason;
  }

  // This rank fails. The others are told with the next beat, at the latest; waits for that, but not for long.
  void Fail(std::string message) {
    std::unique_lock lock(mutex_);
    if (reason_) return;
    own_failure_ = std::move(message);
    changed_.notify_all();
    changed_.wait_for(lock, Milliseconds(kGraceSeconds), [this] { return !own_failure_ || reason_; });
    lock.unlock();
    LetOthersHear();
  }

 private:
  // Whoever keeps the store does not leave before the others have learned from it what happened, whichever of its threads is
  // the first to. One of them may be at its end, and not be able to.
  void LetOthersHear() {
    if (place_.rank != 0 || place_.store_is_there) return;
    std::unique_lock lock(mutex_);
    const Clock::time_point since = reason_ ? declared_ : Clock::now();
    changed_.wait_until(lock, since + Milliseconds(place_.silence_seconds),
                        [this] { return is_over_ || heard_by_ + 1 >= static_cast<std::int64_t>(place_.size); });
  }

  double interval() const { return place_.silence_seconds / kBeatsPerSilence; }

  // Waits for the next beat; one that has something to tell comes at once. Returns false when all is over.
  bool WaitToBeat() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, Milliseconds(interval()), [this] { return is_over_ || own_failure_; });
    return !is_over_;
  }
  bool WaitToGuard() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, Milliseconds(interval()), [this] { return is_over_; });
    return !is_over_;
  }

  void Declare(const std::string& reason) {
    {
      const std::lock_guard lock(mutex_);
      if (is_over_ || reason_) return;
      reason_ = reason;
      declared_ = Clock::now();
    }
    changed_.notify_all();
  }

  void Beat() {
    std::int64_t heard = 0;
    bool has_heard = false;  // that a rank failed
    Clock::time_point heard_at = Clock::now();
    try {
      do {
        client_.Add(BeatKey(place_.rank), 1);
        std::optional<std::string> own;
        {
          const std::lock_guard lock(mutex_);
          own = own_failure_;
        }
        if (own) {
          client_.Set(kFailed, "rank " + std::to_string(place_.rank) + " failed: " + *own);
          const std::lock_guard lock(mutex_);
          own_failure_.reset();
          changed_.notify_all();
        }
        if (client_.Has(kFailed)) {
          Declare(client_.Get(kFailed));
          const std::int64_t heard_by = client_.Add(kHeard, std::exchange(has_heard, true) ? 0 : 1);
          const std::lock_guard lock(mutex_);
          heard_by_ = heard_by;
          changed_.notify_all();
        }
        const std::int64_t beats = client_.Add(BeatKey(next_), 0);
        if (beats != heard || beats == 0) {  // one that has never been heard may still be on its way
          heard = beats;
          heard_at = Clock::now();
        }
        answered_ = Clock::now();
        has_answered_ = true;
        const double silent = Seconds(Clock::now() - heard_at).count();
        if (silent > place_.silence_seconds) {
          std::ostringstream text;
          text.precision(3);
          text << "rank " << next_ << " has ended or hangs: it has said nothing for " << silent << " s";
          if (!client_.Has(kFailed)) client_.Set(kFailed, text.str());
          Declare(text.str());
        }
      } while (WaitToBeat());
    } catch (const std::exception& error) {
      Declare(StoreIsGone("has ended"));
    }
  }

  std::string StoreIsGone(const std::string& how) const {
    const std::string where = place_.address + ":" + std::to_string(place_.port);
    if (!place_.store_is_there) return "rank 0, whose store is at " + where + ", " + how;
    if (!has_answered_) return StrangeStore(where);
    return "the launcher, whose store is at " + where + ", " + how;
  }

  void Guard() {
    Clock::time_point last = Clock::now();
    while (WaitToGuard()) {
      const Clock::time_point now = Clock::now();
      if (Seconds(now - last).count() > place_.silence_seconds) {
        Declare("this process was stopped for " + std::to_string(static_cast<int>(Seconds(now - last).count())) + " s");
      }
      last = now;
      if (Seconds(now - answered_.load()).count() > place_.silence_seconds) Declare(StoreIsGone("has ended or hangs"));
      std::unique_lock lock(mutex_);
      if (!reason_ || is_explained_ || Seconds(Clock::now() - declared_).count() < kGraceSeconds) continue;
      // A thread of this process waits for a rank that will not answer, and nothing but its end helps.
      const std::string reason = *reason_;
      lock.unlock();
      LetOthersHear();
      lost_(reason);
    }
  }

  RankPlace place_;
  std::size_t next_;
  std::function<void(const std::string&)> lost_;
  StoreClient client_;
  std::atomic<Clock::time_point> answered_;  // when the store last answered
  std::atomic<bool> has_answered_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // All guarded by mutex_.
  std::int64_t heard_by_ = 0;  // ranks that know why the group is at its end
  std::optional<std::string> reason_;
  std::optional<std::string> own_failure_;  // until the others are told
  Clock::time_point declared_;
  bool is_explained_ = false;  // whoever waited has been told
  bool is_over_ = false;
  std::thread beat_;
  std::thread guard_;
};

std::shared_ptr<::gloo::transport::Device> GlooDevice(const RankPlace& place) {
  if (const char* const interface = std::getenv("GLOO_SOCKET_IFNAME"); interface != nullptr && *interface != '\0') {
    return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
  }
  // Whoever meets at this machine's own address stays on it.
  if (place.address == "localhost" || place.address.starts_with("127.")) {
    return c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1");
  }
  return c10d::ProcessGroupGloo::createDefaultDevice();
}

torch::Tensor BytesAt(const char* data, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): LibTorch knows no constant memory; it only reads this
  return torch::from_blob(const_cast<char*>(data), {static_cast<std::int64_t>(size)}, torch::kUInt8);
}

// Ranks that are connected, be it all or some of them.
class ConnectedRanks : public DeviceRanks {
 public:
  ConnectedRanks(const RankPlace& place, StoreClient& client, Watch& watch)
      : rank_(place.rank), size_(place.size), place_(place), client_(client), watch_(watch) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

  void Sum(std::span<float> values) override {
    const Waiting waiting(waited_);
    SumHere(values);
  }

  void SumMeanwhile(std::span<float> values, const std::function<bool()>& meanwhile) override {
    std::future<void> sum = exchanges_.Post([this, values] { SumHere(values); });
    std::exception_ptr failure;
    try {
      // The threads that the sum needs may share this one's core, and do not get it before this one's slice of time is over.
      while (sum.wait_for(std::chrono::seconds(0)) != std::future_status::ready && meanwhile()) std::this_thread::yield();
    } catch (...) {
      failure = std::current_exception();
    }
    Wait(sum);  // whatever happened: the values are in use until then
    if (failure) std::rethrow_exception(failure);
  }

  std::function<std::string()> BeginGather(std::string_view mine) override {
    struct Exchange {
      std::string mine;
      std::string all;
      std::future<void> done;
    };
    auto exchange = std::make_shared<Exchange>();
    exchange->mine = mine;
    exchange->all.resize(mine.size() * size_);
    exchange->done = exchanges_.Post([this, exchange] { GatherHere(exchange->mine, exchange->all); });
    return [this, exchange] {
      Wait(exchange->done);
      return std::move(exchange->all);
    };
  }

  void Gather(std::span<const char> mine, std::span<char> all) override {
    // After those that were begun before.
    std::future<void> done = exchanges_.Post([this, mine, all] { GatherHere(mine, all); });
    Wait(done);
  }

  void Broadcast(std::string& bytes, std::size_t from) override {
    const Waiting waiting(waited_);
    Try([&] {
      c10d::BroadcastOptions options;
      options.rootRank = static_cast<std::int64_t>(from);
      auto size = static_cast<std::int64_t>(bytes.size());
      std::vector<torch::Tensor> sizes{torch::from_blob(&size, {1}, torch::kInt64)};
      gloo_->broadcast(sizes, options)->wait();
      bytes.resize(static_cast<std::size_t>(size));
      if (bytes.empty()) return;
      std::vector<torch::Tensor> tensors{BytesAt(bytes.data(), bytes.size())};
      gloo_->broadcast(tensors, options)->wait();
    });
  }

  bool SumsOn(const torch::Device& device) const override {
#ifdef CONPOLE_NCCL
    return device.is_cuda() && nccl_;
#else
    static_cast<void>(device);
    return false;
#endif
  }

  void SumOnDevice(torch::Tensor& values) override {
#ifdef CONPOLE_NCCL
    const Waiting waiting(waited_);
    Try([&] {
      std::vector<torch::Tensor> tensors{values};
      nccl_->allreduce(tensors)->wait();  // the stream waits, not this thread
    });
#else
    static_cast<void>(values);
    throw Error("this build has no NCCL");
#endif
  }

  double SecondsWaited() const override { return waited_; }
  void Fail(std::string_view message) override { watch_.Fail(std::string(message)); }

  // For all ranks of the group to call together; `name` tells it from others.
  void Connect(const std::string& name) {
    name_ = name;
    Try([&] {
      const auto options = c10d::ProcessGroupGloo::Options::create();
      options->timeout = kLongestOperation;
      options->devices.push_back(GlooDevice(place_));
      options->threads = 2;
      gloo_ = c10::make_intrusive<c10d::ProcessGroupGloo>(StoreOf("gloo", name), static_cast<int>(rank_),
                                                          static_cast<int>(size_), options);
    });
  }

  // NCCL wants a GPU for each rank; otherwise sums go through the processors' memory.
  void UseDevice(const std::string& name) override {
    const torch::Device device(name);
    std::string mine = "none";
    if (device.is_cuda()) {
      char host[256] = {};
      gethostname(host, sizeof host - 1);
      const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
      mine = std::string(host) + " " + (visible == nullptr ? "" : visible) + " " + device.str();
    }
    std::vector<std::string> all = GatherTexts(mine);
#ifdef CONPOLE_NCCL
    std::sort(all.begin(), all.end());
    const bool all_have_one = std::find(all.begin(), all.end(), "none") == all.end();
    if (!all_have_one || std::adjacent_find(all.begin(), all.end()) != all.end()) return;
    Try([&] {
      const auto options = c10d::ProcessGroupNCCL::Options::create();
      options->timeout = kLongestOperation;
      nccl_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(StoreOf("nccl", name_), static_cast<int>(rank_),
                                                          static_cast<int>(size_), options);
    });
#endif
  }

 protected:
  // Does something together with the other ranks.
  template <class Work>
  std::invoke_result_t<Work&> Try(Work work) {
    if (const std::optional<std::string> reason = watch_.reason()) throw Error(watch_.Explain(*reason));
    try {
      return work();
    } catch (const std::exception& error) {
      throw Error(watch_.Explain(FirstLine(error)));
    }
  }

 private:
  static constexpr int kSumTag = 1;
  static constexpr int kGatherTag = 2;
  // Up to this number of values go up and down a tree. More go round Gloo's ring, where each rank sends each value twice at the
  // most.
  static constexpr std::size_t kSmallSum = std::size_t{1} << 16;
  // Up to this number of ranks tell the first, which tells them all; more go round the ring.
  static constexpr std::size_t kSmallGather = 16;

  // Adds the time until its end to what was waited.
  class Waiting {
   public:
    explicit Waiting(std::atomic<double>& sum) : sum_(sum) {}
    ~Waiting() { sum_.fetch_add(watch_.Seconds()); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    std::atomic<double>& sum_;
    Stopwatch watch_;
  };
  void Wait(std::future<void>& exchange) {
    const Waiting waiting(waited_);
    exchange.get();
  }

  void SumHere(std::span<float> values) {
    const torch::Tensor sum = torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, torch::kFloat32);
    if (values.size() <= kSmallSum) return SumByTree(sum);
    std::vector<torch::Tensor> tensors{sum};
    Try([&] { gloo_->allreduce(tensors)->wait(); });
  }

  void GatherHere(std::span<const char> mine, std::span<char> all) {
    const auto part = [&](std::size_t rank) { return BytesAt(all.data() + rank * mine.size(), mine.size()); };
    if (size_ > kSmallGather) {
      std::vector<torch::Tensor> inputs{BytesAt(mine.data(), mine.size())};
      std::vector<std::vector<torch::Tensor>> outputs(1);
      for (std::size_t i = 0; i < size_; ++i) outputs[0].push_back(part(i));
      return Try([&] { gloo_->allgather(outputs, inputs)->wait(); });
    }
    const torch::Tensor received = BytesAt(all.data(), all.size());
    std::vector<Transfer> transfers;
    if (rank_ == 0) {
      std::copy(mine.begin(), mine.end(), all.begin());
      for (std::size_t other = 1; other < size_; ++other) transfers.push_back(BeginReceive(part(other), other, kGatherTag));
      for (const Transfer& transfer : std::exchange(transfers, {})) Finish(transfer);
      for (std::size_t other = 1; other < size_; ++other) transfers.push_back(BeginSend(received, other, kGatherTag));
    } else {
      transfers.push_back(BeginReceive(received, 0, kGatherTag));
      transfers.push_back(BeginSend(BytesAt(mine.data(), mine.size()), 0, kGatherTag));
    }
    for (const Transfer& transfer : transfers) Finish(transfer);
  }

  // Bytes on their way between two ranks. The tensor's memory is in use until Finish.
  struct Transfer {
    torch::Tensor tensor;
    std::function<void()> wait;
  };
  Transfer BeginSend(torch::Tensor tensor, std::size_t to, int tag) {
    std::vector<torch::Tensor> tensors{tensor};
    const auto work = Try([&] { return gloo_->send(tensors, static_cast<int>(to), tag); });
    return {std::move(tensor), [work] { work->wait(); }};
  }
  Transfer BeginReceive(torch::Tensor tensor, std::size_t from, int tag) {
    std::vector<torch::Tensor> tensors{tensor};
    const auto work = Try([&] { return gloo_->recv(tensors, static_cast<int>(from), tag); });
    return {std::move(tensor), [work] { work->wait(); }};
  }
  void Finish(const Transfer& transfer) { Try(transfer.wait); }

  // Every rank adds what those below it have and sends it up; the first one's sum comes down, the same to the bit for all.
  // There are as many ways one after the other as the tree is high, and never two ranks that write to each other at the same
  // time: Gloo's thread for its connections asks for events again and again, without a pause, while another thread holds a
  // connection's lock. With one core for a rank it wakes up in the middle of another thread's writing, takes the core from it,
  // and asks until the system's next tick. So a sum of 27,000 values by Gloo's ring takes milliseconds there, and this way a
  // tenth of one.
  void SumByTree(torch::Tensor sum) {
    std::vector<std::size_t> below;
    std::size_t bit = 1;
    for (; bit < size_ && (rank_ & bit) == 0; bit <<= 1) {
      if (rank_ + bit < size_) below.push_back(rank_ + bit);
    }
    std::vector<Transfer> parts;
    for (const std::size_t other : below) parts.push_back(BeginReceive(torch::empty_like(sum), other, kSumTag));
    for (const Transfer& part : parts) {
      Finish(part);
      sum.add_(part.tensor);
    }
    std::vector<Transfer> transfers;
    if (rank_ != 0) {
      const std::size_t above = rank_ - bit;
      transfers.push_back(BeginSend(sum, above, kSumTag));
      transfers.push_back(BeginReceive(sum, above, kSumTag));  // which comes when the rank above has all of this one's
      for (const Transfer& transfer : std::exchange(transfers, {})) Finish(transfer);
    }
    for (const std::size_t other : below) transfers.push_back(BeginSend(sum, other, kSumTag));
    for (const Transfer& transfer : transfers) Finish(transfer);
  }

  c10::intrusive_ptr<c10d::Store> StoreOf(const std::string& kind, const std::string& name) const {
    return c10::make_intrusive<c10d::PrefixStore>(client_.prefix() + kind + "/" + name, client_.store());
  }

  std::size_t rank_;
  std::size_t size_;
  RankPlace place_;
  StoreClient& client_;
  Watch& watch_;
  std::string name_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
#ifdef CONPOLE_NCCL
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> nccl_;
#endif
  std::atomic<double> waited_ = 0;
  DeviceQueue exchanges_;  // those that are under way while the caller does something else; last: its thread uses the others
};

// What all ranks of a group hang on, made before the group and destroyed after it.
struct Connection {
  Connection(const RankPlace& place, const ProcessGroupOptions& options)
      : client(Open(place)), watch(std::in_place, place, options.lost) {}

  static StoreClient Open(const RankPlace& place) {
    const bool is_server = place.rank == 0 && !place.store_is_there;
    try {
      return StoreClient(place, is_server);
    } catch (const std::exception& error) {
      const std::string where = place.address + ":" + std::to_string(place.port);
      if (place.store_is_there) throw Error(StrangeStore(where) + " (" + FirstLine(error) + ")");
      throw Error((is_server ? "ranks cannot meet at " + where + ", where rank 0 keeps their store: "
                             : "nobody keeps a store for ranks to meet at " + where + ": ") +
                  FirstLine(error));
    }
  }

  StoreClient client;
  std::optional<Watch> watch;  // until the end
};

class ProcessGroup final : private Connection, public ConnectedRanks {
 public:
  ProcessGroup(const RankPlace& place, const ProcessGroupOptions& options)
      : Connection(place, options), ConnectedRanks(place, client, *watch), place_(place) {
    Meet();
    Connect("all");
  }

  // All ranks have come to their end together: none may see another one leave before.
  ~ProcessGroup() override {
    try {
      char mine = 0;
      std::string all(place_.size, '\0');
      Gather({&mine, 1}, all);
      client.Add("done", 1);
      const auto wait_for = [&](const char* key, std::size_t count) {
        const Clock::time_point begin = Clock::now();
        while (client.Add(key, 0) < static_cast<std::int64_t>(count) &&
               Seconds(Clock::now() - begin).count() < place_.silence_seconds) {
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
      };
      wait_for("done", place_.size);
      watch.reset();
      client.Add("left", 1);
      // Whoever keeps the store goes last.
      if (place_.rank == 0 && !place_.store_is_there) wait_for("left", place_.size);
    } catch (const std::exception&) {
      // All was done, and how this process ends makes no difference to what it did.
    }
  }

 private:
  // Waits for all ranks to come.
  void Meet() {
    const auto key = [](std::size_t rank) { return "joined/" + std::to_string(rank); };
    const Clock::time_point begin = Clock::now();
    try {
      client.Set(key(place_.rank), "here");
      for (std::size_t rank = 0; rank < place_.size; ++rank) {
        while (!client.Has(key(rank))) {
          if (const std::optional<std::string> reason = watch->reason()) throw Error(watch->Explain(*reason));
          if (Seconds(Clock::now() - begin).count() > place_.join_seconds) {
            const std::string missing = Missing(rank, key);
            watch->Fail(missing);  // so that the others hear it before the store is gone
            throw Error(missing);
          }
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
      }
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      throw Error(watch->Explain(FirstLine(error)));
    }
  }

  template <class Key>
  std::string Missing(std::size_t first, Key key) {
    std::string missing;
    for (std::size_t rank = first; rank < place_.size; ++rank) {
      if (!client.Has(key(rank))) missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
    }
    std::ostringstream text;
    text << "of " << place_.size << " ranks these did not come within " << place_.join_seconds << " s: " << missing;
    return text.str();
  }

  RankPlace place_;
};

}  // namespace

std::unique_ptr<Ranks> JoinProcessGroup(const RankPlace& place, const ProcessGroupOptions& options) {
  // It tells of every address that it tries in vain. Whoever wants to hear it says so.
  setenv("TORCH_CPP_LOG_LEVEL", "ERROR", /*replace=*/0);
  return std::make_unique<ProcessGroup>(place, options);
}

std::string DeviceOfRank(const std::string& device, const RankPlace& place) {
  if (device != "cuda") return device;
  const auto gpus = static_cast<std::size_t>(torch::cuda::device_count());
  return gpus == 0 ? device : "cuda:" + std::to_string(place.local_rank % gpus);
}

std::string ProcessGroupBackends() {
#ifdef CONPOLE_NCCL
  return "gloo, nccl";
#else
  return "gloo";
#endif
}

}  // namespace conpole

#else

namespace conpole {

std::unique_ptr<Ranks> JoinProcessGroup(const RankPlace& /*place*/, const ProcessGroupOptions& /*options*/) {
  throw Error(
      "this program was built without Gloo, so that it cannot run on several ranks; install its headers (libgloo-dev) and "
      "build again");
}

std::string DeviceOfRank(const std::string& device, const RankPlace& /*place*/) { return device; }

std::string ProcessGroupBackends() { return ""; }

}  // namespace conpole

#endif
