#include "service/model_shelf.h"

#include <algorithm>
#include <utility>

#include "language/catalogue.h"
#include "service/request.h"
#include "tutor/policy.h"

namespace conpole {
namespace {

constexpr std::string_view kExtension = ".safetensors";

// For all calls together: 8 MB with the paper's network.
constexpr std::size_t kCachedVectors = 4'096;

std::string FileOf(const DomainType& type) { return type.name + std::string(kExtension); }

// Texts of a network that others use too.
class SharedEncoder final : public Encoder {
 public:
  explicit SharedEncoder(std::shared_ptr<const ScoringNetwork> network) : network_(std::move(network)) {}

  std::size_t vector_size() const override { return network_->encoder().vector_size(); }
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const override {
    network_->encoder().Encode(texts, vectors, pool);
  }

 private:
  std::shared_ptr<const ScoringNetwork> network_;
};

}  // namespace

void HandedModels::HandOver(const std::string& file, std::span<const std::byte> bytes) {
  if (const std::string_view name = file; name.ends_with(kLanguageExtension)) {
    Catalogue::HandOver(name.substr(0, name.size() - kLanguageExtension.size()),
                        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});  // NOLINT: bytes of a text
    return;
  }
  Model model = ParseModel(bytes, file);
  const std::lock_guard lock(mutex_);
  models_.insert_or_assign(file, std::move(model));
}

bool HandedModels::Has(const std::string& file) const {
  const auto is_of = [&](const DomainType* type) { return FileOf(*type) == file; };
  return std::any_of(DomainTypes().begin(), DomainTypes().end(), is_of);
}

std::optional<Model> HandedModels::Read(const std::string& file) {
  const std::lock_guard lock(mutex_);
  auto node = models_.extract(file);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

SharedModel::SharedModel(std::string file, const Domain& domain, const Model& model, std::size_t engines)
    : file_(std::move(file)), metadata_(model.metadata) {
  RequireModelFor(domain, model, file_);
  if (ReadsLayout(model)) {
    LayoutFor(domain, model);
    residual_ = std::make_shared<const ResidualNetwork>(model, Products::kBytes);
    return;
  }
  network_ = std::make_shared<const ScoringNetwork>(model, NetworkScorerOptions{.cached_vectors = kCachedVectors});
  std::vector<std::unique_ptr<Scorer>> scorers;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, engines); ++i) {
    pools_.push_back(std::make_unique<ThreadPool>(1));
    scorers.push_back(std::make_unique<NetworkScorer>(network_, *pools_.back()));
  }
  batcher_ = std::make_unique<ScoreBatcher>(std::move(scorers));
}

std::unique_ptr<Scorer> SharedModel::MakeScorer(const Domain& domain, ThreadPool& pool) {
  if (batcher_) return ForAnyUnknown(domain, std::make_unique<BatchingScorer>(*batcher_));
  return MakeLayoutScorer(*domain.type().layout, residual_, pool);
}

std::unique_ptr<Encoder> SharedModel::MakeEncoder(const Domain& domain) const {
  if (network_) return std::make_unique<SharedEncoder>(network_);
  return std::make_unique<ResidualEncoder>(residual_, *domain.type().layout);
}

ScoreBatcher::Counts SharedModel::counts() const { return batcher_ ? batcher_->counts() : ScoreBatcher::Counts(); }

ModelShelf::ModelShelf(std::unique_ptr<ModelSource> source, std::size_t engines)
    : source_(std::move(source)), engines_(engines) {}

std::optional<std::string> ModelShelf::FileFor(const DomainType& type) const {
  if (type.file != nullptr) return std::nullopt;  // whatever its name is
  std::string file = FileOf(type);
  const std::lock_guard lock(mutex_);
  if (models_.contains(file) || (source_ && source_->Has(file))) return file;
  return std::nullopt;
}

std::shared_ptr<SharedModel> ModelShelf::For(const Domain& domain) {
  const std::string file = FileOf(domain.type());
  // Held while a model is read: who needs the same one waits for it, and the others not for long.
  const std::lock_guard lock(mutex_);
  if (const auto here = models_.find(file); here != models_.end()) return here->second;
  const std::optional<Model> read = source_ ? source_->Read(file) : std::nullopt;
  if (!read) {
    RequestProblem problem(424, Message("the model {} is needed, and it is not here", file));
    problem.type = "about:blank#model-needed";
    problem.model = file;
    throw problem;
  }
  auto model = std::make_shared<SharedModel>(file, domain, *read, engines_);
  models_.emplace(file, model);
  return model;
}

std::vector<std::shared_ptr<SharedModel>> ModelShelf::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<SharedModel>> all;
  for (const auto& [file, model] : models_) all.push_back(model);
  return all;
}

}  // namespace conpole
