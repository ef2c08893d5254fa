#include "http/static_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "service/request.h"
#include "util/hash.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
constexpr std::string_view kBrotli = ".br";
constexpr std::string_view kGzip = ".gz";

// Calls each(item) for the items of a list with commas, until it says yes. Whether it did.
template <class Each>
bool AnyItem(std::string_view list, const Each& each) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (each(Trimmed(list.substr(0, end)))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool IsHidden(const fs::path& relative) {
  return std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part.native().starts_with('.'); });
}

bool LiesIn(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

HttpResponse MakeProblem(int status, std::string detail) {
  return MakeResponse(status, "application/problem+json", FormatProblem(RequestProblem(status, std::move(detail))));
}

std::string_view MediaType(std::string_view path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kTypes{{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".map", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".wasm", "application/wasm"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".webp", "image/webp"},
      {".woff2", "font/woff2"},
      {".woff", "font/woff"},
      {".ttf", "font/ttf"},
      {".txt", "text/plain; charset=utf-8"},
      {".md", "text/markdown; charset=utf-8"},
      {".yaml", "application/yaml"},
  }};
  for (const auto& [end, type] : kTypes) {
    if (path.ends_with(end)) return type;
  }
  return "application/octet-stream";
}

bool Accepts(std::string_view list, std::string_view name) {
  return AnyItem(list, [&](std::string_view item) {
    const std::size_t end = std::min(item.find(';'), item.size());
    if (Trimmed(item.substr(0, end)) != name) return false;
    const std::size_t quality = item.find("q=", end);
    if (quality == std::string_view::npos) return true;
    // Zero, however it is written.
    return item.substr(quality + 2).find_first_not_of("0. ") != std::string_view::npos;
  });
}

StaticFiles::StaticFiles(const std::string& folder) {
  std::error_code failure;
  const fs::path root = fs::canonical(folder, failure);
  if (failure || !fs::is_directory(root)) throw Error(fmt::format("{} is not a folder", Shown(folder)));
  std::map<std::string, std::shared_ptr<const std::string>> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const fs::path relative = entry.path().lexically_relative(root);
    const fs::path target = fs::canonical(entry.path(), failure);
    if (IsHidden(relative) || failure || !entry.is_regular_file() || !LiesIn(target, root)) continue;
    auto content = std::make_shared<const std::string>(ReadRegularFile(entry.path().string(), kMaxBytes));
    bytes_ += content->size();
    if (bytes_ > kMaxBytes) throw Error(fmt::format("the files in {} have more than {} bytes", Shown(folder), kMaxBytes));
    found.emplace("/" + relative.generic_string(), std::move(content));
  }
  const auto variant = [&](const std::string& path) {
    const auto at = found.find(path);
    return at == found.end() ? nullptr : at->second;
  };
  for (const auto& [path, content] : found) {
    const std::string_view whole = path;
    const bool is_variant =
        (whole.ends_with(kBrotli) || whole.ends_with(kGzip)) && found.contains(std::string(whole.substr(0, whole.rfind('.'))));
    if (is_variant) continue;
    const std::string tag = fmt::format("{:x}-{:016x}", content->size(), HashText(*content));
    files_.emplace(path, File{.content = content,
                              .tag = tag,
                              .type = MediaType(path),
                              .brotli = variant(path + std::string(kBrotli)),
                              .gzip = variant(path + std::string(kGzip))});
  }
  if (!files_.contains("/index.html")) throw Error(fmt::format("there is no index.html in {}", Shown(folder)));
}

void StaticFiles::AllowRequestsTo(const std::string& origin) {
  constexpr std::string_view kConnectSelf = "connect-src 'self'";
  const File* const page = Find("/index.html");
  if (page == nullptr) return;
  std::string html = *page->content;
  const std::size_t at = html.find(kConnectSelf);
  if (at == std::string::npos) return;
  Change("/index.html", html.insert(at + kConnectSelf.size(), " " + origin));
  if (const File* const worker = Find("/service-worker.js"))
    Change("/service-worker.js", *worker->content + "\n// " + origin + "\n");
}

void StaticFiles::Change(const std::string& path, std::string content) {
  const std::string tag = fmt::format("{:x}-{:016x}", content.size(), HashText(content));
  files_[path] = {.content = std::make_shared<const std::string>(std::move(content)), .tag = tag, .type = MediaType(path)};
}

const StaticFiles::File* StaticFiles::Find(std::string_view path) const {
  const auto found = path.ends_with('/') ? files_.find(std::string(path) + "index.html") : files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

bool StaticFiles::Has(std::string_view path) const { return Find(path) != nullptr; }

std::optional<HttpResponse> StaticFiles::Get(const HttpHead& head) const {
  const File* const file = Find(head.path);
  if (file == nullptr) return std::nullopt;
  HttpResponse response;
  response.body = file->content;
  std::string tag = file->tag;
  std::string encoding;
  if (file->brotli && Accepts(head.accept_encoding, "br")) {
    response.body = file->brotli;
    encoding = "br";
  } else if (file->gzip && Accepts(head.accept_encoding, "gzip")) {
    response.body = file->gzip;
    encoding = "gzip";
  }
  // Each variant is a representation of its own.
  tag = '"' + tag + (encoding.empty() ? "" : "-" + encoding) + '"';
  const bool is_known = AnyItem(head.if_none_match, [&](std::string_view item) {
    if (item.starts_with("W/")) item.remove_prefix(2);
    return item == tag || item == "*";
  });
  if (is_known) {
    response.status = 304;
    response.body = nullptr;
  } else {
    response.With("Content-Type", std::string(file->type));
    if (!encoding.empty()) response.With("Content-Encoding", encoding);
  }
  response.With("ETag", std::move(tag)).With("Vary", "Accept-Encoding");
  // What has the hash of its content in its name never changes; the rest is asked for again every time, and mostly answered
  // with 304.
  const bool never_changes = head.path.starts_with("/assets/") || head.path.starts_with("/engine/");
  response.With("Cache-Control", never_changes ? "public, max-age=31536000, immutable" : "no-cache");
  return response;
}

}  // namespace conpole
